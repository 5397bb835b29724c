"""The card language: an ability is a sentence made of these words.

A sentence is plain data. `dicemasters.game` carries it out, `dicemasters.cards.text` says it.
Every word is explained with a card that uses it in docs/card-language.md.
"""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.metadata import (
    ACTIONS,
    CHARACTER,
    PLAYERS,
    WORDS,
    ConditionRow,
    DescriptionRow,
    DurationRow,
    FormRow,
    KeywordRow,
    PlaceRow,
    Row,
    SymbolRow,
    enter,
)
from dicemasters.cards.language.node_types import _UNNAMED

# in this order: WORDS and VOCABULARY list the words so
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

_CONSTANTS: dict[str, Row] = {
    "FIST": SymbolRow(FIST, "fist"),
    "BOLT": SymbolRow(BOLT, "bolt"),
    "MASK": SymbolRow(MASK, "mask"),
    "SHIELD": SymbolRow(SHIELD, "shield"),
    "BAG": PlaceRow(BAG, "bag"),
    "PREP": PlaceRow(PREP, "Prep Area"),
    "RESERVE": PlaceRow(RESERVE, "Reserve Pool"),
    "FIELD": PlaceRow(FIELD, "field"),
    "USED": PlaceRow(USED, "Used Pile"),
    "HAND": PlaceRow(HAND, "hand"),
    "END_OF_TURN": DurationRow(END_OF_TURN, " until end of turn", " (until end of turn)"),
    "NEXT_TURN": DurationRow(NEXT_TURN, " until the start of your next turn"),
    "YOUR_HIT": DurationRow(YOUR_HIT, " until you deal damage to your opponent or this effect is ended"),
    "NEXT_ATTACK": DurationRow(NEXT_ATTACK, " the next time it is able to"),
    "NEXT_ONE": DurationRow(NEXT_ONE, ""),
    "NEXT_FIELDING": DurationRow(NEXT_FIELDING, ""),
    "THIS_ATTACK": DurationRow(THIS_ATTACK, " in this attack", " (in this attack)"),
    "END_OF_YOUR_TURN": DurationRow(END_OF_YOUR_TURN, " until the end of your turn"),
    "END_OF_THEIR_TURN": DurationRow(END_OF_THEIR_TURN, " until the end of your opponent's next turn"),
    "WHILE_THERE": DurationRow(WHILE_THERE, ""),
    "ALL": FormRow("int"),
    "Cost": FormRow("Cost"),
    "Enlistment": KeywordRow("Enlistment", (CHARACTER, *ACTIONS), label=True),
    "Prep": KeywordRow("Prep", (CHARACTER, *ACTIONS), label=True),
    "payer": DescriptionRow("payer", PLAYERS, inner=True),
    "payer's": DescriptionRow("payer's", inner=True),
    "of player": DescriptionRow("of player", inner=True),
    "can be a character": DescriptionRow("can be a character", inner=True),
    "can spin": DescriptionRow("can spin", inner=True),
    "can reroll": DescriptionRow("can reroll", inner=True),
    "can be KO'd": DescriptionRow("can be KO'd", inner=True),
    "and": ConditionRow("and", stands=True, inner=True),
    "not": ConditionRow("not", stands=True, inner=True),
}
for _name, _row in _CONSTANTS.items():
    enter(_name, _row)
for _name, _value in tuple(globals().items()):
    if isinstance(_value, Where | Number | Condition):
        enter(_name, _UNNAMED[type(_value), _value.op])

VOCABULARY: Final[dict[str, object]] = {  # what one can write
    name: globals()[name] for name, row in WORDS.items() if name in globals() and not getattr(row, "inner", False)
}
