"""Conditions: what each word that asks for something means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from dicemasters.game.abilities.expressions import Predicate, Quantity, Question
from dicemasters.game.abilities.predicates import compare
from dicemasters.game.abilities.selectors import Group, gather
from dicemasters.game.queries import characteristics, combat_status, die_identity
from dicemasters.game.state.constants import (
    ACTIONS,
    ATTACK,
    ATTACKING,
    BLOCKED,
    FACTS,
    FIELD,
    FIELDINGS,
    MAIN,
    OWN_KOS,
    PLAYER,
    SIDEKICK_KOS,
)
from dicemasters.game.state.frames import Damaging, Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Happening

ENGAGED: Final = 256  # beside the flags of a KO'd die: it was blocking or being blocked


@final
class Both(Question):
    __slots__ = ("first", "second")

    def __init__(self, first: Question, second: Question) -> None:
        self.first = first
        self.second = second

    def asked(self, s: State, c: Running) -> bool:
        return self.first.asked(s, c) and self.second.asked(s, c)


@final
class Either(Question):
    __slots__ = ("first", "second")

    def __init__(self, first: Question, second: Question) -> None:
        self.first = first
        self.second = second

    def asked(self, s: State, c: Running) -> bool:
        return self.first.asked(s, c) or self.second.asked(s, c)


@final
class NotSo(Question):
    __slots__ = ("inner",)

    def __init__(self, inner: Question) -> None:
        self.inner = inner

    def asked(self, s: State, c: Running) -> bool:
        return not self.inner.asked(s, c)


@final
class IfKeywordAsks(Question):
    """What only a keyword asks for, where it is more than a label (rules 6.14)."""

    __slots__ = ("inner",)

    def __init__(self, inner: Question) -> None:
        self.inner = inner

    def asked(self, s: State, c: Running) -> bool:
        return not s.table.edition.resistance_asks_for_ko or self.inner.asked(s, c)


@final
class Comparing(Question):
    __slots__ = ("a", "b", "how")

    def __init__(self, a: Quantity, how: str, b: Quantity) -> None:
        self.a = a
        self.how = how
        self.b = b

    def asked(self, s: State, c: Running) -> bool:
        return compare(self.a.worth(s, c), self.how, self.b.worth(s, c))


@final
class Counting(Question):
    __slots__ = ("how", "n", "what")

    def __init__(self, how: str, n: int, what: Group) -> None:
        self.how = how
        self.n = n
        self.what = what

    def asked(self, s: State, c: Running) -> bool:
        return compare(len(gather(s, self.what, c)), self.how, self.n)


@final
class ItIs(Question):
    __slots__ = ("what", "which")

    def __init__(self, which: Group, what: Predicate) -> None:
        self.which = which
        self.what = what

    def asked(self, s: State, c: Running) -> bool:
        return any(self.what.holds(s, x, c) for x in gather(s, self.which, c))


@final
class Was(Question):
    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def asked(self, s: State, c: Running) -> bool:
        return was(c.event, self.word)


@final
class BySource(Question):
    __slots__ = ("kinds",)

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def asked(self, s: State, c: Running) -> bool:
        return any(kind in c.event.kind.split(", ") for kind in self.kinds)


@final
class HasDamaged(Question):
    __slots__ = ("in_combat", "to_player")

    def __init__(self, whom: str, combat: bool) -> None:
        self.to_player = int(whom == "opponent")
        self.in_combat = int(combat)

    def asked(self, s: State, c: Running) -> bool:
        if c.event.word == "deals damage" and c.event.die == c.this and c.event.known:
            return (
                c.event.known[-1] & 1 << 2 * self.to_player + self.in_combat != 0
            )  # the die itself may have left since
        return any(
            r.word == "dealt" and r.subject == c.this and r.a == self.to_player and r.d >= self.in_combat
            for r in s.records
        )


@final
class WouldBeKodToo(Question):
    """The damage on its way, all of the same moment, would KO this die."""

    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        for f in reversed(s.stack):
            if isinstance(f, Damaging):
                coming = sum([p.amount for p in f.packets if p.to == c.this])
                return bool(coming and s.damage[c.this] + coming >= characteristics.stats(s, c.this)[1])
        return False


@final
class FirstFielding(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.facts[c.you * FACTS + FIELDINGS] == 1


@final
class OwnKoThisTurn(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.facts[c.you * FACTS + OWN_KOS] > 0


@final
class OwnSidekickKoThisTurn(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.facts[c.you * FACTS + SIDEKICK_KOS] > 0


@final
class ByDamage(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        if c.event.other != NOBODY:  # somebody's effect KOs it, lethal damage or not
            return False
        return 0 < s.damage[c.event.die] >= characteristics.stats(s, c.event.die)[1]


@final
class OpposingKoThisTurn(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return any(s.facts[x * FACTS + OWN_KOS] for x in s.table.sides[die_identity.opponent_of(c.you)])


@final
class ActionUsedThisTurn(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.facts[c.you * FACTS + ACTIONS] > 0


@final
class InYourMainStep(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.step == MAIN and (s.active ^ c.you) & 1 == 0


@final
class Done(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return bool(s.done)


@final
class DealtByYou(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return len(c.event.known) > 1 and c.event.known[1] == c.you


@final
class InAttackStep(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return s.step == ATTACK


@final
class ByCombat(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return c.event.kind.startswith("combat")


@final
class Survives(Question):
    """The damaged die is still there: where KOs come before reactions, one that was KO'd is gone by now."""

    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return c.event.die < PLAYER and s.place[c.event.die] >> 2 == FIELD


@final
class AttacksAlone(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return len(attackers := combat_status.attackers(s)) == 1 and (c.event.word != "" or attackers[0] == c.this)


@final
class Alone(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return die_identity.fielded(s, c.you) == [c.this]


@final
class Paired(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return die_identity.partner_of(s, c.this) != NOBODY


def was(event: Happening, word: str) -> bool:
    """Tell what a KO'd die was doing when it went; an event of a KO knows its flags."""
    if event.word != "KO'd":
        return False
    flags = event.known[3]
    if word == "attacking":
        return flags & ATTACKING != 0
    if word == "blocking":
        return flags & (ENGAGED | BLOCKED) != 0 and not flags & ATTACKING
    return flags & ENGAGED != 0


# by the word they are registered for; what stands in its brackets makes them
QUESTIONS: Final[dict[str, Callable[..., Question]]] = {
    "and": Both,
    "or": Either,
    "not": NotSo,
    "compare": Comparing,
    "count": Counting,
    "is": ItIs,
    "was": Was,
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
    "done": Done,
    "dealt by you": DealtByYou,
    "in attack step": InAttackStep,
    "by combat": ByCombat,
    "survives": Survives,
    "attacks alone": AttacksAlone,
    "alone": Alone,
    "paired": Paired,
}
