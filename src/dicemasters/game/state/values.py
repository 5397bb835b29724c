"""Immutable values of a state: active effects, events, triggers and damage packets."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import mypyc_attr

NOBODY: Final = 255  # neither a die nor a player
SPIN_DOWN: Final = 512  # added to the number of a die chosen to be spun down, where both directions are allowed

Option = tuple[str, int, int]  # kind, and the dice, cards or amounts it concerns
Price = tuple[int, int, int, int, int]  # fist, bolt, mask, shield, total
Spent = tuple[int, int, int, int, int, int]  # four types, wild, generic
PacketKey = tuple[int, int, int, int]  # ability, player, die, packet
DieKey = tuple[int, int, int]  # ability, die or player, die concerned

USED_FOR: Final = (
    1000  # in a packet's key: added to the die or player for which a reactive Global was used (rules 5.10b)
)
NOTHING_SPENT: Final[Spent] = (0, 0, 0, 0, 0, 0)
NOT_TRYING: Final[PacketKey] = (-1, -1, -1, -1)
TRYING_NOBODY: Final[DieKey] = (-1, -1, -1)

# what a batch payment waits for: another action to be added, or the paid actions to start
WAIT_MORE: Final = 1
WAIT_START: Final = 2

# why an ability has not started yet: no reason; the other targets of the batch come first (rules 3.3e6); its use costs
# life that has not been asked for yet (cw 130)
WAIT_NONE: Final = 0
WAIT_TARGETS: Final = 1
WAIT_LIFE_TOLL: Final = 2


@mypyc_attr(acyclic=True)
class StateValue:
    """A value that equals every other value of its class with the same contents."""

    def values(self) -> tuple[object, ...]:
        """Return the contents in the order in which they are serialised."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, StateValue) and type(self) is type(other) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.values()}"


@mypyc_attr(acyclic=True)
@final
class GameEvent(StateValue):
    """An event: its word, the die or player it is about, the other one involved, and last-known information."""

    def __init__(
        self,
        word: str,
        die: int = NOBODY,
        other: int = NOBODY,
        amount: int = 0,
        kind: str = "",
        known: tuple[int, ...] = (),
    ) -> None:
        self.word = word
        self.die = die
        self.other = other
        self.amount = amount
        self.kind = kind  # cause of the damage or KO: combat, ability, action, global or rule
        # for a KO: A, D, level, flags, seat, burst; for damage: total, seat, burst; for a fielding: the dice that paid,
        # then the dice that were in the Used Piles
        self.last_known = known

    def values(self) -> tuple[object, ...]:
        return (self.word, self.die, self.other, self.amount, self.kind, self.last_known)

    def with_dice(self, die: int, other: int, last_known: tuple[int, ...]) -> GameEvent:
        """Return the same event about other dice."""
        return GameEvent(self.word, die, other, self.amount, self.kind, last_known)


NO_EVENT: Final = GameEvent("")


@mypyc_attr(acyclic=True)
@final
class PendingTrigger(StateValue):
    """A triggered ability waiting in the queue (rules 5.7a2)."""

    def __init__(
        self,
        timestamp: int,
        you: int,
        ability: int,
        this: int,
        burst: int,
        event: GameEvent,
        about: int = NOBODY,
    ) -> None:
        self.timestamp = timestamp
        self.you = you
        self.ability = ability
        self.this = this
        self.burst = burst
        self.event = event
        self.about = about  # the die that a delayed effect refers to

    def values(self) -> tuple[object, ...]:
        return (self.timestamp, self.you, self.ability, self.this, self.burst, self.event, self.about)

    def with_dice(self, this: int, event: GameEvent, about: int) -> PendingTrigger:
        """Return the same trigger with other dice."""
        return PendingTrigger(self.timestamp, self.you, self.ability, this, self.burst, event, about)

    def with_timestamp(self, timestamp: int) -> PendingTrigger:
        """Return the same trigger at another timestamp."""
        return PendingTrigger(timestamp, self.you, self.ability, self.this, self.burst, self.event, self.about)


@mypyc_attr(acyclic=True)
@final
class ActiveEffect(StateValue):
    """A continuous effect: a rule granted for a time to a die, or to all dice it describes (subject NOBODY)."""

    def __init__(
        self,
        word: str,
        subject: int,
        a: int,
        d: int,
        rule: int,
        until: str,
        you: int,
        source: int,
        ability: int,
    ) -> None:
        self.word = word
        self.subject = subject
        self.a = a  # the numbers of the rule: mostly A and D; for a copy, the copied card
        self.d = d
        self.rule = rule  # index into `GameSpec.rules`, -1 if the numbers suffice
        self.until = until
        self.you = you
        self.source = source  # the die that granted it
        self.ability = ability

    def values(self) -> tuple[object, ...]:
        return (self.word, self.subject, self.a, self.d, self.rule, self.until, self.you, self.source, self.ability)

    def with_dice(self, subject: int, source: int) -> ActiveEffect:
        """Return the same effect with another recipient and source."""
        return ActiveEffect(self.word, subject, self.a, self.d, self.rule, self.until, self.you, source, self.ability)

    def with_stats(self, a: int, d: int) -> ActiveEffect:
        """Return the same effect with other numbers."""
        return ActiveEffect(self.word, self.subject, a, d, self.rule, self.until, self.you, self.source, self.ability)


@mypyc_attr(acyclic=True)
@final
class Holding(StateValue):
    """A die that is captured, set aside, controlled or attached, and where it returns to."""

    def __init__(self, kind: str, die: int, holder: int, home: int, until: str, face: int) -> None:
        self.kind = kind  # capture, aside, control or attach (the die is attached to its holder)
        self.die = die
        self.holder = holder
        self.home = home  # the value of `State.place` it returns to
        self.until = until
        self.face = face

    def values(self) -> tuple[object, ...]:
        return (self.kind, self.die, self.holder, self.home, self.until, self.face)


@mypyc_attr(acyclic=True)
@final
class DecisionRequest(StateValue):
    """The pending decision: who decides, its kind and its subject."""

    def __init__(self, seat: int, kind: str, about: int = -1, number: int = 0) -> None:
        self.seat = seat
        self.kind = kind
        self.about = about  # the ability, die or card concerned
        self.number = number

    def values(self) -> tuple[object, ...]:
        return (self.seat, self.kind, self.about, self.number)


NO_DECISION: Final = DecisionRequest(-1, "")
NO_OPTION: Final[Option] = ("", 0, 0)


@mypyc_attr(acyclic=True)
@final
class DamagePacket(StateValue):
    """An amount of damage from one die to one die or player."""

    def __init__(self, source: int, to: int, amount: int) -> None:
        self.source = source
        self.to = to
        self.amount = amount

    def values(self) -> tuple[object, ...]:
        return (self.source, self.to, self.amount)

    def with_amount(self, amount: int) -> DamagePacket:
        """Return the same packet with another amount."""
        return DamagePacket(self.source, self.to, amount)


FULL_DAMAGE: Final = 2


@mypyc_attr(acyclic=True)
@final
class ExcessDamage(StateValue):
    """Damage of an attacker that may go past its blockers to the player (rules 6.12c, 6.12e)."""

    def __init__(self, source: int, amount: int, foes: tuple[int, ...], exceeds: int = 0) -> None:
        self.source = source
        # Overcrush: the excess if all blockers are KO'd; otherwise: the amount the blockers keep, 0 for their D
        self.amount = amount
        self.foes = foes
        self.exceeds = (
            exceeds  # damage beyond their D goes on (rules 6.12e); FULL_DAMAGE: the blockers keep all of theirs
        )

    def values(self) -> tuple[object, ...]:
        return (self.source, self.amount, self.foes, self.exceeds)


LEFT_OVER: Final = 1 << 20  # virtual energy as an energy group of a payment; sorts after all dice


BY_ITS_PLAYER: Final = NOBODY  # in place of a responsible player: each player KOs their own dice
