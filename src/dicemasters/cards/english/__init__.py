"""Card texts: the sentences of the card language in English."""

from dicemasters.cards.english.sentences import ability_text, asked_price, card_text
from dicemasters.cards.english.speech import NoEnglishError

__all__ = ["NoEnglishError", "ability_text", "asked_price", "card_text"]
