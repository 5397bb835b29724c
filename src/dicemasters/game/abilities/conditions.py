"""Compiled conditions of the card language, one class per word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.game.abilities.expressions import ConditionExpr, Predicate, Quantity
from dicemasters.game.abilities.predicates import compare
from dicemasters.game.abilities.selectors import Selector, select_unordered
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

ENGAGED: Final = 256  # flag of a KO event, in addition to those of the die: it was blocking or blocked


@final
class AndCondition(ConditionExpr):
    """Both conditions hold."""

    __slots__ = ("first", "second")

    def __init__(self, first: ConditionExpr, second: ConditionExpr) -> None:
        self.first = first
        self.second = second

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return self.first.evaluate(s, ctx) and self.second.evaluate(s, ctx)


@final
class OrCondition(ConditionExpr):
    """At least one of two conditions holds."""

    __slots__ = ("first", "second")

    def __init__(self, first: ConditionExpr, second: ConditionExpr) -> None:
        self.first = first
        self.second = second

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return self.first.evaluate(s, ctx) or self.second.evaluate(s, ctx)


@final
class NotCondition(ConditionExpr):
    """The inner condition does not hold."""

    __slots__ = ("inner",)

    def __init__(self, inner: ConditionExpr) -> None:
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return not self.inner.evaluate(s, ctx)


@final
class KeywordRequirement(ConditionExpr):
    """Condition imposed only by a keyword, in editions where the keyword is more than a label (rules 6.14c)."""

    __slots__ = ("inner",)

    def __init__(self, inner: ConditionExpr) -> None:
        self.inner = inner

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return not s.spec.edition.resistance_asks_for_ko or self.inner.evaluate(s, ctx)


@final
class AmountComparison(ConditionExpr):
    """Two amounts compare as the operator says."""

    __slots__ = ("a", "b", "operator")

    def __init__(self, a: Quantity, operator: str, b: Quantity) -> None:
        self.a = a
        self.operator = operator
        self.b = b

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return compare(self.a.evaluate(s, ctx), self.operator, self.b.evaluate(s, ctx))


@final
class CountComparison(ConditionExpr):
    """The number of selected dice and players compares to a constant as the operator says."""

    __slots__ = ("n", "operator", "selector")

    def __init__(self, operator: str, n: int, selector: Selector) -> None:
        self.operator = operator
        self.n = n
        self.selector = selector

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return compare(len(select_unordered(s, self.selector, ctx)), self.operator, self.n)


@final
class EventDieMatches(ConditionExpr):
    """At least one of the selected dice matches the predicate."""

    __slots__ = ("predicate", "selector")

    def __init__(self, selector: Selector, predicate: Predicate) -> None:
        self.selector = selector
        self.predicate = predicate

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return any(self.predicate.matches(s, x, ctx) for x in select_unordered(s, self.selector, ctx))


@final
class EventDieWas(ConditionExpr):
    """The KO'd die of the event was attacking, blocking or engaged."""

    __slots__ = ("role",)

    def __init__(self, role: str) -> None:
        self.role = role

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return had_combat_role(ctx.event, self.role)


@final
class BySource(ConditionExpr):
    """The event comes from one of these kinds of source."""

    __slots__ = ("kinds",)

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return any(kind in ctx.event.kind.split(", ") for kind in self.kinds)


@final
class HasDamaged(ConditionExpr):
    """The ability's die has dealt damage, or combat damage, to the opponent or to a character this turn."""

    __slots__ = ("in_combat", "to_player")

    def __init__(self, recipient: str, combat: bool) -> None:
        self.to_player = int(recipient == "opponent")
        self.in_combat = int(combat)

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        if ctx.event.word == "deals damage" and ctx.event.die == ctx.this and ctx.event.last_known:
            # the event remembers it, as the die may have left since
            return ctx.event.last_known[-1] & 1 << 2 * self.to_player + self.in_combat != 0
        return any(
            effect.word == "dealt"
            and effect.subject == ctx.this
            and effect.a == self.to_player
            and effect.d >= self.in_combat
            for effect in s.active_effects
        )


@final
class WouldBeKodToo(ConditionExpr):
    """The pending damage of this moment would KO the ability's die."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        for frame in reversed(s.stack):
            if isinstance(frame, DamageFrame):
                damage = sum([p.amount for p in frame.packets if p.to == ctx.this])
                return bool(damage and s.damage[ctx.this] + damage >= characteristics.current_stats(s, ctx.this)[1])
        return False


@final
class FirstFielding(ConditionExpr):
    """The player has fielded exactly one die this turn."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.turn_counts[ctx.you * TURN_COUNTS + FIELDINGS] == 1


@final
class OwnKoThisTurn(ConditionExpr):
    """One of the player's characters was KO'd this turn (rules 6.14b)."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.turn_counts[ctx.you * TURN_COUNTS + OWN_KOS] > 0


@final
class OwnSidekickKoThisTurn(ConditionExpr):
    """One of the player's Sidekicks was KO'd this turn."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.turn_counts[ctx.you * TURN_COUNTS + SIDEKICK_KOS] > 0


@final
class ByDamage(ConditionExpr):
    """The die of the event would be KO'd by its damage, not by an effect."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        if ctx.event.other != NOBODY:  # an effect KOs it, whether its damage is lethal or not
            return False
        return 0 < s.damage[ctx.event.die] >= characteristics.current_stats(s, ctx.event.die)[1]


@final
class OpposingKoThisTurn(ConditionExpr):
    """One of the opponents' characters was KO'd this turn."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return any(
            s.turn_counts[seat * TURN_COUNTS + OWN_KOS] for seat in s.spec.sides[die_identity.opponent_of(ctx.you)]
        )


@final
class ActionUsedThisTurn(ConditionExpr):
    """The player has used an action die this turn."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.turn_counts[ctx.you * TURN_COUNTS + ACTIONS] > 0


@final
class InYourMainStep(ConditionExpr):
    """It is a main step of the player's side."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.step == MAIN and (s.active ^ ctx.you) & 1 == 0


@final
class LastEffectApplied(ConditionExpr):
    """The previous effect affected at least one die or player."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return bool(s.last_affected)


@final
class DealtByYou(ConditionExpr):
    """The player deals the damage of the event."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return len(ctx.event.last_known) > 1 and ctx.event.last_known[1] == ctx.you


@final
class InAttackStep(ConditionExpr):
    """It is the attack step."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return s.step == ATTACK


@final
class ByCombat(ConditionExpr):
    """The damage of the event is combat damage."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return ctx.event.kind.startswith("combat")


@final
class DamagedDieSurvives(ConditionExpr):
    """The damaged die is still in the field; where KOs precede reactions, a KO'd die has left by now."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return ctx.event.die < PLAYER and s.place[ctx.event.die] >> 2 == FIELD


@final
class AttacksAlone(ConditionExpr):
    """There is a single attacker; without an event, it must be the ability's die."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return len(attackers := combat_status.attackers(s)) == 1 and (ctx.event.word != "" or attackers[0] == ctx.this)


@final
class IsAlone(ConditionExpr):
    """The ability's die is its player's only character in the field."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return die_identity.fielded_characters(s, ctx.you) == [ctx.this]


@final
class IsPaired(ConditionExpr):
    """The ability's die is paired up (rules 5.14a)."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return die_identity.partner_of(s, ctx.this) != NOBODY


def had_combat_role(event: GameEvent, role: str) -> bool:
    """Return whether the KO'd die of an event was "attacking", "blocking" or "engaged", by the flags in the event."""
    if event.word != "KO'd":
        return False
    flags = event.last_known[3]
    if role == "attacking":
        return flags & ATTACKING != 0
    if role == "blocking":
        return flags & (ENGAGED | BLOCKED) != 0 and not flags & ATTACKING
    return flags & ENGAGED != 0


# class of each word, constructed with the word's compiled arguments
CONDITION_EXPRS: Final[dict[str, Callable[..., ConditionExpr]]] = {
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
