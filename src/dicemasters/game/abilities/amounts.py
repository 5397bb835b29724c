"""Quantities: compiled amounts of the card language, one class per word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.abilities.expressions import Quantity
from dicemasters.game.abilities.selectors import Selector, count_characters, energy_symbols, select, select_unordered
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import ActiveEffect


@final
class ConstantAmount(Quantity):
    """A constant."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.n


class SelectorAmount(Quantity):
    """Base class of amounts read from the selected dice or players."""

    __slots__ = ("selector",)

    def __init__(self, selector: Selector) -> None:
        self.selector = selector


@final
class CountAmount(Quantity):
    """Number of characters that match, or of single dice if the text counts dice (rules 5.5c)."""

    __slots__ = ("by_dice", "selector")

    def __init__(self, selector: Selector, by_dice: bool) -> None:
        self.selector = selector
        self.by_dice = by_dice

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return count_characters(s, self.selector, ctx, self.by_dice)


@final
class AttackAmount(SelectorAmount):
    """Total A of the selected dice."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 0)


@final
class DefenceAmount(SelectorAmount):
    """Total D of the selected dice."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 1)


@final
class LevelAmount(SelectorAmount):
    """Total level of the selected dice."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 2)


@final
class LifeAmount(SelectorAmount):
    """Total life of the selected players."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([s.life[x - PLAYER] for x in select_unordered(s, self.selector, ctx)])


@final
class SymbolsAmount(Quantity):
    """Number of energy symbols of one type that the selected dice show (rules 3.3a13)."""

    __slots__ = ("kind", "selector")

    def __init__(self, symbol: str, selector: Selector) -> None:
        self.kind = TYPES.index(symbol)
        self.selector = selector

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([energy_symbols(s, d, self.kind) for d in select_unordered(s, self.selector, ctx)])


@final
class HighestLevelAmount(SelectorAmount):
    """Highest level among the selected dice, or 0 if there are none."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return max([die_identity.level(s, d) for d in select_unordered(s, self.selector, ctx)], default=0)


@final
class LowestDefenceAmount(SelectorAmount):
    """Lowest D among the selected dice, or 0 if there are none."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return min([characteristics.current_stats(s, d)[1] for d in select_unordered(s, self.selector, ctx)], default=0)


@final
class EnergyTypesAmount(SelectorAmount):
    """Number of different energy types among the selected dice."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return len(
            {
                e
                for d in select_unordered(s, self.selector, ctx)
                for e in s.spec.cards[die_identity.effective_card(s, d)].energy
            }
        )


@final
class HalfAmount(Quantity):
    """Half of another amount, rounded down."""

    __slots__ = ("inner",)

    def __init__(self, inner: Quantity) -> None:
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.inner.evaluate(s, ctx) // 2


@final
class ProductAmount(Quantity):
    """Constant multiple of another amount."""

    __slots__ = ("inner", "n")

    def __init__(self, n: int, inner: Quantity) -> None:
        self.n = n
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.n * self.inner.evaluate(s, ctx)


@final
class AffectedAmount(Quantity):
    """Number of dice and players that the previous effect affected."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return len(s.last_affected)


@final
class KnockoutsAmount(Quantity):
    """Number of dice affected by the previous effect that are no longer in the field."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([x < PLAYER and s.place[x] >> 2 != FIELD for x in s.last_affected])


@final
class PaidAmount(Quantity):
    """Number of dice or energy given for the cost just paid."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.given


@final
class EventAmount(Quantity):
    """Amount of the event, such as its damage."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.event.amount


@final
class EventTotalAmount(Quantity):
    """Total damage to the same die or player at the moment of the event."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.event.last_known[0] if ctx.event.last_known else ctx.event.amount


@final
class FirstDamageAmount(Quantity):
    """Part of the event's damage that falls within the first `n` damage of the turn."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return min(max(0, self.n - static_rules.damage_counted(s, ctx) + ctx.event.amount), ctx.event.amount)


@final
class CountersAmount(Quantity):
    """Number of counters on the ability's card."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return s.counters[static_rules.own_card_of(s, ctx)]


@final
class DealerAttackAmount(Quantity):
    """Placeholder for the A of each dealing die, which `planned_damage` fills in."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return 0


def is_count(amount: Quantity) -> bool:
    """Return whether an amount counts dice on the table independently of any choice, and so may be 0."""
    if isinstance(amount, (HalfAmount, ProductAmount)):
        return is_count(amount.inner)
    if isinstance(amount, (CountAmount, SymbolsAmount, EnergyTypesAmount)):
        return amount.selector.refs is None and not amount.selector.depends and not amount.selector.registers
    return False


def _last_known_total(s: State, ctx: AbilityFrame, selector: Selector, stat: int) -> int:
    """Return the total A (0), D (1) or level (2) of the selected dice.

    For a KO'd die, and a source die that left before its ability resolved, use last-known information (rules 5.6d).
    """
    total = 0
    for d in select(s, selector, ctx):
        if ctx.event.word == "KO'd" and d == ctx.event.die:
            total += ctx.event.last_known[stat]
        elif (
            stat < 2
            and d == ctx.this
            and s.place[d] >> 2 != FIELD
            and (leaving := _stats_on_leaving(s, ctx)) is not None
        ):
            total += leaving.d if stat else leaving.a
        elif stat == 2:
            total += die_identity.level(s, d)
        else:
            total += characteristics.current_stats(s, d)[stat]
    return total


def _stats_on_leaving(s: State, ctx: AbilityFrame) -> ActiveEffect | None:
    """Return the stats recorded when the ability's own die left the field, or None."""
    noted = [
        effect
        for effect in s.active_effects
        if effect.word == "numbers" and effect.source == ctx.this and effect.ability == ctx.ability
    ]
    return noted[-1] if noted else None


# class of each word, constructed with the word's compiled arguments
QUANTITIES: Final[dict[str, Callable[..., Quantity]]] = {
    "count": CountAmount,
    "attack": AttackAmount,
    "defence": DefenceAmount,
    "level": LevelAmount,
    "life": LifeAmount,
    "symbols": SymbolsAmount,
    "highest level": HighestLevelAmount,
    "lowest defence": LowestDefenceAmount,
    "types": EnergyTypesAmount,
    "half": HalfAmount,
    "times": ProductAmount,
    "affected": AffectedAmount,
    "KOs": KnockoutsAmount,
    "paid": PaidAmount,
    "event": EventAmount,
    "event total": EventTotalAmount,
    "first": FirstDamageAmount,
    "up to": ConstantAmount,
    "counters": CountersAmount,
    "own attack": DealerAttackAmount,
}
