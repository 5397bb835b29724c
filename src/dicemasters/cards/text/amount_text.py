"""How much: "2 damage", "damage equal to their A", "1 for each of your Villains"."""

from __future__ import annotations

from dataclasses import dataclass

from dicemasters.cards.language.metadata import NUMBERS
from dicemasters.cards.language.vocabulary import Amount, Number, Where
from dicemasters.cards.text.noun_phrases import (
    comparison_text,
    counted_phrase,
    fielded_group_text,
    once_a_card,
    plural_text,
    repeated_text,
    symbol_name,
)
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError


@dataclass(frozen=True, slots=True)
class AmountPhrase:
    """An amount as words: a plain figure (with "for each ..." at the end), or something it is equal to."""

    number_text: str
    tail: str = ""
    equal: str = ""

    def of(self, unit: str) -> str:
        """Say so much of something: 3 damage, damage equal to its level."""
        return f"{unit} equal to {self.equal}" if self.equal else f"{self.number_text} {unit}"


def amount_text(amount: Amount, speech: RenderContext) -> AmountPhrase:
    """Say an amount where something is dealt, given or gained."""
    if isinstance(amount, int):
        return AmountPhrase(str(amount))
    match amount.op:
        case op if op in _COUNTS:
            return AmountPhrase("1", f" for each {_each_of(amount, speech)}")
        case "times" if isinstance(amount.args[1], Number) and amount.args[1].op in _COUNTS:
            return AmountPhrase(str(amount.args[0]), f" for each {_each_of(amount.args[1], speech)}")
        case "event":
            return AmountPhrase("that much")
        case "up to":
            return AmountPhrase(f"up to {amount.args[0]}")
        case "event total":
            return AmountPhrase("that much")
        case "first":
            return AmountPhrase(f"the first {amount.args[0]}", " each turn")
        case _:
            return AmountPhrase("", equal=comparison_text(amount, speech))


_COUNTS = tuple(op for op, row in NUMBERS.items() if row.each)  # numbers of things, said "for each"


def _each_of(amount: Number, speech: RenderContext) -> str:
    match amount.op, amount.args:
        case "count", (Where() as what, dice):
            if what.op == "and" and what == speech.group:
                return repeated_text(what, speech)
            noun = counted_phrase(what, speech, dice is True)
            once = once_a_card(what, dice is True)
            if noun.of_owner:
                return f"of {noun.of_owner} {'other ' if noun.other else ''}{noun.many()}{once}"
            return f"{'other ' if noun.other else ''}{noun.one()}{once}"
        case "symbols", (str() as symbol, Where() as what):
            on = " they show" if speech.rolled_from and what == Where("drawn") else f" on {plural_text(what, speech)}"
            return f"{symbol_name(symbol)} symbol{on}"
        case "types", (Where() as what,):
            return f"different energy type among {fielded_group_text(what, speech)}"
        case "counters", (str() as name,):
            return f"{name} counter on this card"
        case "KOs", _:
            return "character die KO'd this way"
        case "affected", _ if speech.rolled_until:
            return "character face rolled before that"
        case "affected", _:
            return speech.affected
        case "paid", _:
            return speech.paid_noun
        case _:
            raise UnrenderableError(f"no English for the number {amount.op!r}")
