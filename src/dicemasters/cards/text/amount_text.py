"""Rendering of amounts: "2 damage", "damage equal to their A" and "1 for each of your Villains"."""

from __future__ import annotations

from dataclasses import dataclass

from dicemasters.cards.language.metadata import NUMBERS
from dicemasters.cards.language.vocabulary import Amount, Number, Where
from dicemasters.cards.text.noun_phrases import (
    comparison_text,
    count_once_note,
    counted_phrase,
    fielded_group_text,
    plural_text,
    repeated_text,
    symbol_name,
)
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError


@dataclass(frozen=True, slots=True)
class AmountPhrase:
    """An amount in words: a number, with an optional "for each ..." tail, or the text of an equal amount."""

    number_text: str
    tail: str = ""
    equal_to: str = ""

    def of(self, unit: str) -> str:
        """Return the amount with a unit: "3 damage", "damage equal to its level"."""
        return f"{unit} equal to {self.equal_to}" if self.equal_to else f"{self.number_text} {unit}"


def amount_text(amount: Amount, context: RenderContext) -> AmountPhrase:
    """Return the phrase of an amount that is dealt, given or gained."""
    if isinstance(amount, int):
        return AmountPhrase(str(amount))
    match amount.op:
        case op if op in _COUNT_WORDS:
            return AmountPhrase("1", f" for each {_counted_thing_text(amount, context)}")
        case "times" if isinstance(amount.args[1], Number) and amount.args[1].op in _COUNT_WORDS:
            return AmountPhrase(str(amount.args[0]), f" for each {_counted_thing_text(amount.args[1], context)}")
        case "event":
            return AmountPhrase("that much")
        case "up to":
            return AmountPhrase(f"up to {amount.args[0]}")
        case "event total":
            return AmountPhrase("that much")
        case "first":
            return AmountPhrase(f"the first {amount.args[0]}", " each turn")
        case _:
            return AmountPhrase("", equal_to=comparison_text(amount, context))


_COUNT_WORDS = tuple(op for op, row in NUMBERS.items() if row.is_count)  # counts, rendered as "for each"


def _counted_thing_text(amount: Number, context: RenderContext) -> str:
    match amount.op, amount.args:
        case "count", (Where() as where, dice):
            if where.op == "and" and where == context.group:
                return repeated_text(where, context)
            noun = counted_phrase(where, context, dice is True)
            once_note = count_once_note(where, dice is True)
            if noun.of_owner:
                return f"of {noun.of_owner} {'other ' if noun.is_other else ''}{noun.many()}{once_note}"
            return f"{'other ' if noun.is_other else ''}{noun.one()}{once_note}"
        case "symbols", (str() as symbol, Where() as where):
            location = (
                " they show"
                if context.rolled_from and where == Where("drawn")
                else f" on {plural_text(where, context)}"
            )
            return f"{symbol_name(symbol)} symbol{location}"
        case "types", (Where() as where,):
            return f"different energy type among {fielded_group_text(where, context)}"
        case "counters", (str() as name,):
            return f"{name} counter on this card"
        case "KOs", _:
            return "character die KO'd this way"
        case "affected", _ if context.rolled_until:
            return "character face rolled before that"
        case "affected", _:
            return context.affected_noun
        case "paid", _:
            return context.paid_noun
        case _:
            raise UnrenderableError(f"no English for the number {amount.op!r}")
