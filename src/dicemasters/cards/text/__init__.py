"""Card texts: the renderer of the card language in English."""

from dicemasters.cards.text.ability_text import ability_text, card_text, price_prompt
from dicemasters.cards.text.render_context import UnrenderableError

__all__ = ["UnrenderableError", "ability_text", "card_text", "price_prompt"]
