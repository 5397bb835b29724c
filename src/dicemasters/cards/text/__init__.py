"""Card texts: the sentences of the card language in English."""

from dicemasters.cards.text.ability_text import ability_text, asked_price, card_text
from dicemasters.cards.text.render_context import NoEnglishError

__all__ = ["NoEnglishError", "ability_text", "asked_price", "card_text"]
