"""Immutable values of a state: effects in force, events, triggers, packets of damage."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import mypyc_attr

NOBODY: Final = 255  # no die, and no player
SPIN_DOWN: Final = 512  # added to a die that was chosen to be spun down, where either direction may be chosen

Option = tuple[str, int, int]  # what, and the dice, cards or amounts it concerns
Price = tuple[int, int, int, int, int]  # fist, bolt, mask, shield, and the total
Spent = tuple[int, int, int, int, int, int]  # by type, wild, generic
PacketKey = tuple[int, int, int, int]  # sentence, player, die, packet
DieKey = tuple[int, int, int]  # sentence, die or player, and whom it is about

USED_FOR: Final = 1000  # in a packet's key, added to the die or player a reactive Global was used for
NOTHING_SPENT: Final[Spent] = (0, 0, 0, 0, 0, 0)
NOT_TRYING: Final[PacketKey] = (-1, -1, -1, -1)
TRYING_NOBODY: Final[DieKey] = (-1, -1, -1)

# what a go waits for: what else is to be paid, or that what is paid is begun
WAIT_MORE: Final = 1
WAIT_START: Final = 2

# what stops a sentence at its beginning: nothing; the other targets of the same go are chosen first (rules 3.3e); life is
# asked for its use (cw 130)
WAIT_NONE: Final = 0
WAIT_TARGETS: Final = 1
WAIT_LIFE_TOLL: Final = 2


@mypyc_attr(acyclic=True)
class StateValue:
    """Something that is equal to another that holds the same."""

    def values(self) -> tuple[object, ...]:
        """Give all that it holds, in the order in which it is written."""
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
    """An event: what happened, to which die (or player), who else had to do with it, and what was known then."""

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
        self.kind = kind  # of damage or of a KO's cause: combat, ability, action, global, rule
        # of a KO: A, D, level, flags, seat, burst; of damage: total, seat, burst; of a fielding: the dice that paid
        self.last_known = known

    def values(self) -> tuple[object, ...]:
        return (self.word, self.die, self.other, self.amount, self.kind, self.last_known)

    def with_dice(self, die: int, other: int, last_known: tuple[int, ...]) -> GameEvent:
        """Give the same event about other dice."""
        return GameEvent(self.word, die, other, self.amount, self.kind, last_known)


NO_EVENT: Final = GameEvent("")


@mypyc_attr(acyclic=True)
@final
class PendingTrigger(StateValue):
    """A reaction that waits for its turn (rules 5.7)."""

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
        self.about = about  # the die that something said for later is about

    def values(self) -> tuple[object, ...]:
        return (self.timestamp, self.you, self.ability, self.this, self.burst, self.event, self.about)

    def with_dice(self, this: int, event: GameEvent, about: int) -> PendingTrigger:
        """Give the same reaction of another die."""
        return PendingTrigger(self.timestamp, self.you, self.ability, this, self.burst, event, about)

    def with_timestamp(self, timestamp: int) -> PendingTrigger:
        """Give the same reaction at another moment."""
        return PendingTrigger(timestamp, self.you, self.ability, self.this, self.burst, self.event, self.about)


@mypyc_attr(acyclic=True)
@final
class ActiveEffect(StateValue):
    """An effect in force: a rule given to a die (or, subject NOBODY, to all its description fits) for a time."""

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
        self.a = a  # the numbers of the rule: mostly A and D, for a copy its card
        self.d = d
        self.rule = rule  # index into table.rules, -1 if the numbers say it all
        self.until = until
        self.you = you
        self.source = source  # the die it came from
        self.ability = ability

    def values(self) -> tuple[object, ...]:
        return (self.word, self.subject, self.a, self.d, self.rule, self.until, self.you, self.source, self.ability)

    def with_dice(self, subject: int, source: int) -> ActiveEffect:
        """Give the same effect for another die, from another."""
        return ActiveEffect(self.word, subject, self.a, self.d, self.rule, self.until, self.you, source, self.ability)

    def with_stats(self, a: int, d: int) -> ActiveEffect:
        """Give the same effect with other numbers."""
        return ActiveEffect(self.word, self.subject, a, d, self.rule, self.until, self.you, self.source, self.ability)


@mypyc_attr(acyclic=True)
@final
class Holding(StateValue):
    """A die kept out of its place, or under another's control, and where it goes back to."""

    def __init__(self, kind: str, die: int, holder: int, home: int, until: str, face: int) -> None:
        self.kind = kind  # capture, aside, control; attach: the die lies on the holder
        self.die = die
        self.holder = holder
        self.home = home  # the byte of its place
        self.until = until
        self.face = face

    def values(self) -> tuple[object, ...]:
        return (self.kind, self.die, self.holder, self.home, self.until, self.face)


@mypyc_attr(acyclic=True)
@final
class DecisionRequest(StateValue):
    """What the game waits for: whose decision, of which kind, about what."""

    def __init__(self, seat: int, kind: str, about: int = -1, number: int = 0) -> None:
        self.seat = seat
        self.kind = kind
        self.about = about  # ability, die or card it concerns
        self.number = number

    def values(self) -> tuple[object, ...]:
        return (self.seat, self.kind, self.about, self.number)


NO_DECISION: Final = DecisionRequest(-1, "")
NO_OPTION: Final[Option] = ("", 0, 0)


@mypyc_attr(acyclic=True)
@final
class DamagePacket(StateValue):
    """Some damage on its way: from which die, to which die or player."""

    def __init__(self, source: int, to: int, amount: int) -> None:
        self.source = source
        self.to = to
        self.amount = amount

    def values(self) -> tuple[object, ...]:
        return (self.source, self.to, self.amount)

    def with_amount(self, amount: int) -> DamagePacket:
        """Give as much damage of the same way."""
        return DamagePacket(self.source, self.to, amount)


FULL_DAMAGE: Final = 2


@mypyc_attr(acyclic=True)
@final
class ExcessDamage(StateValue):
    """Damage of an attacker that may go past its blockers to the player (rules 6.12)."""

    def __init__(self, source: int, amount: int, foes: tuple[int, ...], exceeds: int = 0) -> None:
        self.source = source
        self.amount = (
            amount  # what is left over if all blockers are KO'd; of what exceeds: what they keep, 0 for their D
        )
        self.foes = foes
        self.exceeds = exceeds  # instead, what arrives beyond their D goes on: WHOLE if it is not taken off theirs

    def values(self) -> tuple[object, ...]:
        return (self.source, self.amount, self.foes, self.exceeds)


LEFT_OVER: Final = 1 << 20  # where it is told what pays: what is left over from a payment comes after all dice


BY_ITS_PLAYER: Final = NOBODY  # of a KO: each player KOs their own
