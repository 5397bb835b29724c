"""Conditions: what each word that asks for something means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.game.abilities.expressions import ConditionExpr, Predicate, Quantity
from dicemasters.game.abilities.predicates import compare
from dicemasters.game.abilities.selectors import Selector, select
from dicemasters.game.queries import characteristics, combat_status, die_identity
from dicemasters.game.state.constants import (
    ACTIONS,
    ATTACK,
    ATTACKING,
    BLOCKED,
    FIELD,
    FIELDINGS,
    MAIN,
    OWN_KOS,
    PLAYER,
    SIDEKICK_KOS,
    TURN_COUNTS,
)
from dicemasters.game.state.frames import AbilityFrame, DamageFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, GameEvent

ENGAGED: Final = 256  # beside the flags of a KO'd die: it was blocking or being blocked


@final
class AndCondition(ConditionExpr):
    __slots__ = ("first", "second")

    def __init__(self, first: ConditionExpr, second: ConditionExpr) -> None:
        self.first = first
        self.second = second

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return self.first.evaluate(s, c) and self.second.evaluate(s, c)


@final
class OrCondition(ConditionExpr):
    __slots__ = ("first", "second")

    def __init__(self, first: ConditionExpr, second: ConditionExpr) -> None:
        self.first = first
        self.second = second

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return self.first.evaluate(s, c) or self.second.evaluate(s, c)


@final
class NotCondition(ConditionExpr):
    __slots__ = ("inner",)

    def __init__(self, inner: ConditionExpr) -> None:
        self.inner = inner

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return not self.inner.evaluate(s, c)


@final
class KeywordRequirement(ConditionExpr):
    """What only a keyword asks for, where it is more than a label (rules 6.14)."""

    __slots__ = ("inner",)

    def __init__(self, inner: ConditionExpr) -> None:
        self.inner = inner

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return not s.spec.edition.resistance_asks_for_ko or self.inner.evaluate(s, c)


@final
class AmountComparison(ConditionExpr):
    __slots__ = ("a", "b", "how")

    def __init__(self, a: Quantity, how: str, b: Quantity) -> None:
        self.a = a
        self.how = how
        self.b = b

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return compare(self.a.evaluate(s, c), self.how, self.b.evaluate(s, c))


@final
class CountComparison(ConditionExpr):
    __slots__ = ("how", "n", "what")

    def __init__(self, how: str, n: int, what: Selector) -> None:
        self.how = how
        self.n = n
        self.what = what

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return compare(len(select(s, self.what, c)), self.how, self.n)


@final
class EventDieMatches(ConditionExpr):
    __slots__ = ("what", "which")

    def __init__(self, which: Selector, what: Predicate) -> None:
        self.which = which
        self.what = what

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return any(self.what.matches(s, x, c) for x in select(s, self.which, c))


@final
class EventDieWas(ConditionExpr):
    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return was(c.event, self.word)


@final
class BySource(ConditionExpr):
    __slots__ = ("kinds",)

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return any(kind in c.event.kind.split(", ") for kind in self.kinds)


@final
class HasDamaged(ConditionExpr):
    __slots__ = ("in_combat", "to_player")

    def __init__(self, whom: str, combat: bool) -> None:
        self.to_player = int(whom == "opponent")
        self.in_combat = int(combat)

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        if c.event.word == "deals damage" and c.event.die == c.this and c.event.last_known:
            return (
                c.event.last_known[-1] & 1 << 2 * self.to_player + self.in_combat != 0
            )  # the die itself may have left since
        return any(
            r.word == "dealt" and r.subject == c.this and r.a == self.to_player and r.d >= self.in_combat
            for r in s.active_effects
        )


@final
class WouldBeKodToo(ConditionExpr):
    """The damage on its way, all of the same moment, would KO this die."""

    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        for f in reversed(s.stack):
            if isinstance(f, DamageFrame):
                coming = sum([p.amount for p in f.packets if p.to == c.this])
                return bool(coming and s.damage[c.this] + coming >= characteristics.current_stats(s, c.this)[1])
        return False


@final
class FirstFielding(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.turn_counts[c.you * TURN_COUNTS + FIELDINGS] == 1


@final
class OwnKoThisTurn(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.turn_counts[c.you * TURN_COUNTS + OWN_KOS] > 0


@final
class OwnSidekickKoThisTurn(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.turn_counts[c.you * TURN_COUNTS + SIDEKICK_KOS] > 0


@final
class ByDamage(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        if c.event.other != NOBODY:  # somebody's effect KOs it, lethal damage or not
            return False
        return 0 < s.damage[c.event.die] >= characteristics.current_stats(s, c.event.die)[1]


@final
class OpposingKoThisTurn(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return any(s.turn_counts[x * TURN_COUNTS + OWN_KOS] for x in s.spec.sides[die_identity.opponent_of(c.you)])


@final
class ActionUsedThisTurn(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.turn_counts[c.you * TURN_COUNTS + ACTIONS] > 0


@final
class InYourMainStep(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.step == MAIN and (s.active ^ c.you) & 1 == 0


@final
class LastEffectApplied(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return bool(s.last_affected)


@final
class DealtByYou(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return len(c.event.last_known) > 1 and c.event.last_known[1] == c.you


@final
class InAttackStep(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return s.step == ATTACK


@final
class ByCombat(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return c.event.kind.startswith("combat")


@final
class DamagedDieSurvives(ConditionExpr):
    """The damaged die is still there: where KOs come before reactions, one that was KO'd is gone by now."""

    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return c.event.die < PLAYER and s.place[c.event.die] >> 2 == FIELD


@final
class AttacksAlone(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return len(attackers := combat_status.attackers(s)) == 1 and (c.event.word != "" or attackers[0] == c.this)


@final
class IsAlone(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return die_identity.fielded_characters(s, c.you) == [c.this]


@final
class IsPaired(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, c: AbilityFrame) -> bool:
        return die_identity.partner_of(s, c.this) != NOBODY


def was(event: GameEvent, word: str) -> bool:
    """Tell what a KO'd die was doing when it went; an event of a KO knows its flags."""
    if event.word != "KO'd":
        return False
    flags = event.last_known[3]
    if word == "attacking":
        return flags & ATTACKING != 0
    if word == "blocking":
        return flags & (ENGAGED | BLOCKED) != 0 and not flags & ATTACKING
    return flags & ENGAGED != 0


# by the word they are registered for; what stands in its brackets makes them
QUESTIONS: Final[dict[str, Callable[..., ConditionExpr]]] = {
    "and": AndCondition,
    "or": OrCondition,
    "not": NotCondition,
    "compare": AmountComparison,
    "count": CountComparison,
    "is": EventDieMatches,
    "was": EventDieWas,
    "by source": BySource,
    "has damaged": HasDamaged,
    "would be KO'd too": WouldBeKodToo,
    "first fielding": FirstFielding,
    "own KO this turn": OwnKoThisTurn,
    "own Sidekick KO this turn": OwnSidekickKoThisTurn,
    "by damage": ByDamage,
    "opposing KO this turn": OpposingKoThisTurn,
    "action used this turn": ActionUsedThisTurn,
    "in your main step": InYourMainStep,
    "done": LastEffectApplied,
    "dealt by you": DealtByYou,
    "in attack step": InAttackStep,
    "by combat": ByCombat,
    "survives": DamagedDieSurvives,
    "attacks alone": AttacksAlone,
    "alone": IsAlone,
    "paired": IsPaired,
}
