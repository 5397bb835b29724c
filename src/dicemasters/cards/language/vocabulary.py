"""The vocabulary of the card language. An ability is an expression made of these words.

An ability is plain data: `dicemasters.game` executes it, `dicemasters.cards.text` renders it. docs/card-language.md
explains every word with a card that uses it.
"""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.metadata import (
    ACTIONS,
    CHARACTER,
    PLAYERS,
    WORDS,
    ConditionMetadata,
    DescriptionMetadata,
    DurationMetadata,
    FormMetadata,
    KeywordMetadata,
    SymbolMetadata,
    WordMetadata,
    ZoneMetadata,
    register,
)
from dicemasters.cards.language.node_types import UNNAMED_WORDS

# WORDS and VOCABULARY keep this order
# isort: off
from dicemasters.cards.language.node_types import *
from dicemasters.cards.language.number_words import *
from dicemasters.cards.language.description_words import *
from dicemasters.cards.language.choice_words import *
from dicemasters.cards.language.condition_words import *
from dicemasters.cards.language.event_words import *
from dicemasters.cards.language.rule_words import *
from dicemasters.cards.language.effect_words import *
from dicemasters.cards.language.ability_words import *

# isort: on


# --- the rows of words without brackets ----------------------------------------------------------------------------

_CONSTANTS: dict[str, WordMetadata] = {
    "FIST": SymbolMetadata(FIST, "fist"),
    "BOLT": SymbolMetadata(BOLT, "bolt"),
    "MASK": SymbolMetadata(MASK, "mask"),
    "SHIELD": SymbolMetadata(SHIELD, "shield"),
    "BAG": ZoneMetadata(BAG, "bag"),
    "PREP": ZoneMetadata(PREP, "Prep Area"),
    "RESERVE": ZoneMetadata(RESERVE, "Reserve Pool"),
    "FIELD": ZoneMetadata(FIELD, "field"),
    "USED": ZoneMetadata(USED, "Used Pile"),
    "HAND": ZoneMetadata(HAND, "hand"),
    "END_OF_TURN": DurationMetadata(END_OF_TURN, " until end of turn", " (until end of turn)"),
    "NEXT_TURN": DurationMetadata(NEXT_TURN, " until the start of your next turn"),
    "YOUR_HIT": DurationMetadata(YOUR_HIT, " until you deal damage to your opponent or this effect is ended"),
    "NEXT_ATTACK": DurationMetadata(NEXT_ATTACK, " the next time it is able to"),
    "NEXT_ONE": DurationMetadata(NEXT_ONE, ""),
    "NEXT_FIELDING": DurationMetadata(NEXT_FIELDING, ""),
    "THIS_ATTACK": DurationMetadata(THIS_ATTACK, " in this attack", " (in this attack)"),
    "END_OF_YOUR_TURN": DurationMetadata(END_OF_YOUR_TURN, " until the end of your turn"),
    "END_OF_THEIR_TURN": DurationMetadata(END_OF_THEIR_TURN, " until the end of your opponent's next turn"),
    "WHILE_THERE": DurationMetadata(WHILE_THERE, ""),
    "ALL": FormMetadata("int"),
    "Cost": FormMetadata("Cost"),
    "Enlistment": KeywordMetadata("Enlistment", (CHARACTER, *ACTIONS), is_label=True),  # rules 6.6a
    "Prep": KeywordMetadata("Prep", (CHARACTER, *ACTIONS), is_label=True),  # rules 6.13a
    "payer": DescriptionMetadata("payer", PLAYERS, is_internal=True),
    "payer's": DescriptionMetadata("payer's", is_internal=True),
    "of player": DescriptionMetadata("of player", is_internal=True),
    "can be a character": DescriptionMetadata("can be a character", is_internal=True),
    "can spin": DescriptionMetadata("can spin", is_internal=True),
    "can reroll": DescriptionMetadata("can reroll", is_internal=True),
    "can be KO'd": DescriptionMetadata("can be KO'd", is_internal=True),
    "and": ConditionMetadata("and", is_checked_on_resolution=True, is_internal=True),
    "not": ConditionMetadata("not", is_checked_on_resolution=True, is_internal=True),
}
for _name, _row in _CONSTANTS.items():
    register(_name, _row)
for _name, _value in tuple(globals().items()):
    if isinstance(_value, Where | Number | Condition):
        register(_name, UNNAMED_WORDS[type(_value), _value.op])

VOCABULARY: Final[dict[str, object]] = {  # the words that cards can use
    name: globals()[name] for name, row in WORDS.items() if name in globals() and not getattr(row, "is_internal", False)
}
