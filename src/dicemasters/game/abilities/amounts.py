"""Amounts: what each word for a number means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.abilities.expressions import Quantity
from dicemasters.game.abilities.selectors import Selector, count_characters, energy_symbols, select
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import ActiveEffect


@final
class ConstantAmount(Quantity):
    """A plain number."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.n


class SelectorAmount(Quantity):
    """An amount that is read off the dice or players of a description."""

    __slots__ = ("selector",)

    def __init__(self, selector: Selector) -> None:
        self.selector = selector


@final
class CountAmount(Quantity):
    __slots__ = ("by_dice", "selector")

    def __init__(self, selector: Selector, by_dice: bool) -> None:
        self.selector = selector
        self.by_dice = by_dice

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return count_characters(s, self.selector, ctx, self.by_dice)


@final
class AttackAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 0)


@final
class DefenceAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 1)


@final
class LevelAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return _last_known_total(s, ctx, self.selector, 2)


@final
class LifeAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([s.life[x - PLAYER] for x in select(s, self.selector, ctx)])


@final
class SymbolsAmount(Quantity):
    __slots__ = ("kind", "selector")

    def __init__(self, symbol: str, selector: Selector) -> None:
        self.kind = TYPES.index(symbol)
        self.selector = selector

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([energy_symbols(s, d, self.kind) for d in select(s, self.selector, ctx)])


@final
class HighestLevelAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return max([die_identity.level(s, d) for d in select(s, self.selector, ctx)], default=0)


@final
class LowestDefenceAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return min([characteristics.current_stats(s, d)[1] for d in select(s, self.selector, ctx)], default=0)


@final
class EnergyTypesAmount(SelectorAmount):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return len(
            {e for d in select(s, self.selector, ctx) for e in s.spec.cards[die_identity.effective_card(s, d)].energy}
        )


@final
class HalfAmount(Quantity):
    __slots__ = ("inner",)

    def __init__(self, inner: Quantity) -> None:
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.inner.evaluate(s, ctx) // 2


@final
class ProductAmount(Quantity):
    __slots__ = ("inner", "n")

    def __init__(self, n: int, inner: Quantity) -> None:
        self.n = n
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return self.n * self.inner.evaluate(s, ctx)


@final
class AffectedAmount(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return len(s.last_affected)


@final
class KnockoutsAmount(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return sum([x < PLAYER and s.place[x] >> 2 != FIELD for x in s.last_affected])


@final
class PaidAmount(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.given


@final
class EventAmount(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.event.amount


@final
class EventTotalAmount(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return ctx.event.last_known[0] if ctx.event.last_known else ctx.event.amount


@final
class FirstDamageAmount(Quantity):
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return min(max(0, self.n - static_rules.damage_counted(s, ctx) + ctx.event.amount), ctx.event.amount)


@final
class CountersAmount(Quantity):
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return s.counters[static_rules.own_card_of(s, ctx)]


@final
class DealerAttackAmount(Quantity):
    """Stands for the A of each die that deals the damage, which is worked out die by die."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return 0


def is_count(amount: Quantity) -> bool:
    """Tell whether an amount counts what lies on the table now, whatever is chosen, so that it may come to 0."""
    if isinstance(amount, (HalfAmount, ProductAmount)):
        return is_count(amount.inner)
    if isinstance(amount, (CountAmount, SymbolsAmount, EnergyTypesAmount)):
        return amount.selector.refs is None and not amount.selector.depends and not amount.selector.registers
    return False


def _last_known_total(s: State, ctx: AbilityFrame, selector: Selector, stat: int) -> int:
    """Give A, D or level of the dice meant, as last known of one that was KO'd or has left before its text's turn."""
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
    """Give what was noted of the die whose text it is when it left the field."""
    noted = [
        effect
        for effect in s.active_effects
        if effect.word == "numbers" and effect.source == ctx.this and effect.ability == ctx.ability
    ]
    return noted[-1] if noted else None


# by the word they are registered for; what stands in its brackets makes them
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
