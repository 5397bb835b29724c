"""A game at one moment, as one flat value.

Dice are small ints. Where a die is and on whose side is one number, so that the dice in a place are found by
one search. What is half done (effects being carried out, reactions that wait, damage on its way) is data too: `stack`,
`queue` and `active_effects` hold the values of `frames`. Nothing here is a callback or a live object, so a copy is a handful of slices.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, cast

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    CARD,
    FIELD,
    GONE,
    HAND,
    HELD,
    LEFT_FIELD,
    LIMIT_OF_DIE,
    OUT_OF_PLAY,
    PREP,
    RESERVE,
    ROLLED,
    SETUP,
    TURN_COUNTS,
    UNDECIDED,
    USED,
)
from dicemasters.game.state.frames import Frame
from dicemasters.game.state.relabeling import DieRelabeler, MentionCollector, effect_runs, same_effect
from dicemasters.game.state.values import (
    NO_DECISION,
    NO_OPTION,
    ActiveEffect,
    DecisionRequest,
    Holding,
    Option,
    PendingTrigger,
)

if TYPE_CHECKING:
    from dicemasters.game.game_spec import GameSpec


# of the generator: compiled it is two numbers of 32 bits, so that nothing on its way needs more than 64; uncompiled the
# lower one has it all, which takes fewer steps
_MASK32: Final = 0xFFFFFFFF
_MASK64: Final = 0xFFFFFFFFFFFFFFFF
_MULTIPLIER_HIGH: Final = 0x5851F42D
_MULTIPLIER_LOW: Final = 0x4C957F2D
_INCREMENT_HIGH: Final = 0x14057B7E
_INCREMENT_LOW: Final = 0xF767814F
_MULTIPLIER: Final = 0x5851F42D4C957F2D
_INCREMENT: Final = 0x14057B7EF767814F


@mypyc_attr(acyclic=True)
class State:
    """Everything that can matter later, and nothing else."""

    __slots__ = (
        "active",
        "active_effects",
        "answer",
        "blocks",
        "counters",
        "damage",
        "decision",
        "engagements",
        "face",
        "first",
        "flags",
        "holdings",
        "journal",
        "last_affected",
        "last_payment",
        "life",
        "max_life",
        "name_choices",
        "options",
        "owner",
        "pairs",
        "place",
        "queue",
        "result",
        "result_reason",
        "rng_high",
        "rng_low",
        "script",
        "spec",
        "stack",
        "state_check_due",
        "step",
        "substep",
        "timestamp",
        "turn",
        "turn_counts",
        "turn_limits",
        "virtual_energy",
    )

    spec: GameSpec
    # the dice
    place: vec[i64]
    face: vec[i64]
    owner: vec[i64]  # shared with copies: `set_owner` makes it anew
    damage: vec[i64]
    flags: vec[i64]
    blocks: list[tuple[int, int]]  # (blocker, attacker)
    engagements: list[tuple[int, int, int]]  # (die, whom it met this turn, how)
    pairs: list[tuple[int, int, int]]  # partners, and the seat whose next turn ends it
    # the players; life by side, energy and facts by seat
    life: list[int]
    max_life: int
    virtual_energy: list[int]
    turn_counts: list[int]
    counters: list[int]  # by card; shared with copies, so it is made anew too
    # the turn
    turn: int
    first: int
    active: int  # who has the turn; of two partners the one who is at it
    step: int
    substep: int
    turn_limits: list[tuple[int, int]]  # (ability, seat or die) used this turn
    # effects
    active_effects: list[ActiveEffect]
    holdings: list[Holding]
    name_choices: list[tuple[int, str]]  # (ability, what it named)
    stack: list[Frame]
    queue: list[PendingTrigger]
    timestamp: int
    state_check_due: bool
    last_affected: tuple[int, ...]  # what the effect just carried out has reached
    last_payment: tuple[int, ...]  # the dice of the payment just made
    # chance
    rng_high: i64
    rng_low: i64
    script: list[tuple[int, int, int]]  # (seat, card, face) rolls and (seat, card, -1) draws to come
    # the decision
    decision: DecisionRequest
    options: list[Option]
    answer: Option  # on its way from play() to whoever asked
    result: int
    result_reason: str
    journal: list[tuple[object, ...]] | None

    def __init__(self, spec: GameSpec, seed: int = 0, of: State | None = None) -> None:
        """Begin a game, or, with `of`, be a copy of that state; a compiled class has no other way to make one."""
        self.spec = spec
        if of is not None:
            self.place = of.place[:]
            self.face = of.face[:]
            self.owner = of.owner
            self.damage = of.damage[:]
            self.flags = of.flags[:]
            self.blocks = of.blocks.copy()
            self.engagements = of.engagements.copy()
            self.pairs = of.pairs.copy()
            self.life = of.life.copy()
            self.max_life = of.max_life
            self.virtual_energy = of.virtual_energy.copy()
            self.turn_counts = of.turn_counts.copy()
            self.counters = of.counters
            self.turn = of.turn
            self.first = of.first
            self.active = of.active
            self.step = of.step
            self.substep = of.substep
            self.turn_limits = of.turn_limits.copy()
            self.active_effects = of.active_effects.copy()
            self.holdings = of.holdings.copy()
            self.name_choices = of.name_choices.copy()
            self.stack = [f.copy() for f in of.stack] if of.stack else []
            self.queue = of.queue.copy()
            self.timestamp = of.timestamp
            self.state_check_due = of.state_check_due
            self.last_affected = of.last_affected
            self.last_payment = of.last_payment
            self.rng_high = of.rng_high
            self.rng_low = of.rng_low
            self.script = of.script.copy()
            self.decision = of.decision
            self.options = of.options
            self.answer = of.answer
            self.result = of.result
            self.result_reason = of.result_reason
            self.journal = None
            return
        n = spec.n_dice
        self.place = zero_vector(n)
        self.face = zero_vector(n)
        self.owner = spec.owners
        self.damage = zero_vector(n)
        self.flags = zero_vector(n)
        self.blocks = []
        self.engagements = []
        self.pairs = []
        self.life = list(spec.start_lives)
        self.max_life = spec.start_life
        self.virtual_energy = [0] * spec.n_seats
        self.turn_counts = [0] * (spec.n_seats * TURN_COUNTS)
        self.counters = [0] * spec.n_cards
        self.turn = 0
        self.first = 0
        self.active = 0
        self.step = SETUP
        self.substep = 0
        self.turn_limits = []
        self.active_effects = []
        self.holdings = []
        self.name_choices = []
        self.stack = []
        self.queue = []
        self.timestamp = 0
        self.state_check_due = False
        self.last_affected = ()
        self.last_payment = ()
        self.rng = seed * 0x9E3779B97F4A7C15 + _INCREMENT & _MASK64
        self.script = []
        self.decision = NO_DECISION
        self.options = []
        self.answer = NO_OPTION
        self.result = UNDECIDED
        self.result_reason = ""
        self.journal = None

    def copy(self) -> State:
        """Give an independent state that plays on identically; the journal stays behind."""
        return State(self.spec, 0, self)

    def key(self) -> tuple[object, ...]:
        """Give the whole value as one hashable tuple."""
        return (
            tuple(self.place),
            tuple(self.face),
            tuple(self.owner),
            tuple(self.damage),
            tuple(self.flags),
            tuple(self.blocks),
            tuple(self.engagements),
            tuple(self.pairs),
            tuple(self.life),
            self.max_life,
            tuple(self.virtual_energy),
            tuple(self.turn_counts),
            tuple(self.counters),
            self.turn,
            self.first,
            self.active,
            self.step,
            self.substep,
            tuple(self.turn_limits),
            tuple(self.active_effects),
            tuple(self.holdings),
            tuple(self.name_choices),
            tuple(self.stack),
            tuple(self.queue),
            self.timestamp,
            self.state_check_due,
            self.last_affected,
            self.last_payment,
            self.rng,
            tuple(self.script),
            self.decision,
            self.result,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or self.spec != other.spec:
            return False
        if self.key() == other.key():
            return True

        return canonical(self).key() == canonical(other).key()

    def __hash__(self) -> int:
        """Like dice may be numbered differently in equal states, so only what does not depend on numbers counts."""
        places = tuple(sorted(self.place))
        return hash(
            (places, tuple(self.life), self.turn, self.active, self.step, self.substep, self.rng, len(self.stack))
        )

    def dice_in(self, place: int, seat: int) -> list[int]:
        """List the dice in a place on that seat's side, card by card."""
        found = self.dice_unordered(place, seat)
        if place == FIELD:
            self.sort_equivalent(found)
        return found

    def in_field_order(self, dice: list[int]) -> list[int]:
        """Give dice that are in the field in the order in which they lie there, seat by seat."""
        if len(dice) < 2:
            return dice
        return [d for seat in range(self.spec.n_seats) for d in self.dice_in(FIELD, seat) if d in dice]

    def dice_unordered(self, place: int, seat: int) -> list[int]:
        """List the dice in a place on that seat's side as they are numbered, for those to whom the order is nothing."""
        if not COMPILED:
            listed: Any = self.iter_zone(place, seat)
            dice: list[int] = listed
            return dice
        found: list[int] = []
        wanted: i64 = place * 4 + seat
        for d, lies in enumerate(self.place):
            if lies == wanted:
                found.append(d)
        return found

    def iter_zone(self, place: int, seat: int) -> vec[i64]:
        """Give the same dice to who only goes through them: compiled that makes no objects of their numbers."""
        wanted: i64 = place * 4 + seat
        if not COMPILED:
            places: Any = self.place
            find = places.find
            listed: Any = []
            at = find(wanted)
            while at >= 0:
                listed.append(at)
                at = find(wanted, at + 1)
            dice: vec[i64] = listed
            return dice
        found = vec[i64]()
        for d, lies in enumerate(self.place):
            if lies == wanted:
                found = append(found, d)
        return found

    def dice_in_two(self, place: int, other: int, seat: int) -> tuple[list[int], list[int]]:
        """List the dice in two places on that seat's side likewise."""
        if not COMPILED:
            return self.dice_unordered(place, seat), self.dice_unordered(other, seat)
        found: list[int] = []
        found_too: list[int] = []
        wanted: i64 = place * 4 + seat
        wanted_too: i64 = other * 4 + seat
        for d, lies in enumerate(self.place):
            if lies == wanted:
                found.append(d)
            elif lies == wanted_too:
                found_too.append(d)
        return found, found_too

    def iter_zone_all_seats(self, place: int) -> vec[i64]:
        """Give the dice in a place on anybody's side to who only goes through them, in whatever order."""
        if not COMPILED:
            everybody: Any = []
            for seat in range(self.spec.n_seats):
                everybody += self.iter_zone(place, seat)
            dice: vec[i64] = everybody
            return dice
        found = vec[i64]()
        wanted: i64 = place
        for d, lies in enumerate(self.place):
            if lies >> 2 == wanted:
                found = append(found, d)
        return found

    def has_damage(self) -> bool:
        """Tell whether any die has damage."""
        damage = self.damage
        if not COMPILED:
            unhurt: object = self.spec.unhurt
            return damage != unhurt
        for n in damage:
            if n:
                return True
        return False

    def move_all(self, place: int, to: int, seat: int) -> None:
        """Put all dice in one place on a seat's side into another, where nothing hangs on it."""
        was: i64 = place * 4 + seat
        now: i64 = to * 4 + seat
        if not COMPILED:
            lying: Any = self.place
            self.place = lying.replace(_BYTES[was], _BYTES[now])
            return
        places = self.place
        for d, lies in enumerate(places):
            if lies == was:
                places[d] = now

    def move_all_seats(self, place: int, to: int) -> None:
        """Put the dice of all seats in one place into another likewise."""
        if not COMPILED:
            for seat in range(self.spec.n_seats):
                self.move_all(place, to, seat)
            return
        wanted: i64 = place
        further: i64 = (to - place) * 4
        places = self.place
        for d, lies in enumerate(places):
            if lies >> 2 == wanted:
                places[d] = lies + further

    def set_owner(self, d: int, seat: int) -> None:
        """Make a die that seat's own."""
        if not COMPILED:
            self.owner = frozen_vector([seat if x == d else owner for x, owner in enumerate(self.owner)])
            return
        owners = self.owner[:]
        owners[d] = seat
        self.owner = owners

    def sort_equivalent(self, dice: list[int]) -> None:
        """Sort dice of one card in the field by what tells them apart: how they are numbered must never matter."""
        if len(dice) < 2:
            return
        cards = self.spec.card_of
        last = -1
        for d in dice:
            if cards[d] == last:
                break
            last = cards[d]
        else:
            return  # no two of one card
        face, flags, damage = self.face, self.flags, self.damage
        tied = bool(self.blocks or self.active_effects or self.pairs or self.holdings)
        if self.spec.n_seats > 2:
            tied = tied or any(self.place[d] != self.place[dice[0]] for d in dice)
        last = -1
        for d in dice:
            if last >= 0 and cards[d] == cards[last]:
                if tied or face[d] != face[last] or flags[d] != flags[last] or damage[d] != damage[last]:
                    self._insertion_sort(dice)
                    return
            last = d

    def _insertion_sort(self, dice: list[int]) -> None:
        """Put each die before those that look greater; they are few, and mostly in order."""
        for i in range(1, len(dice)):
            d = dice[i]
            looks = self._equivalence_hash(d)
            at = i
            while at:
                before = dice[at - 1]
                look = self._equivalence_hash(before)
                if look < looks or (look == looks and _ties(self, before) <= _ties(self, d)):
                    break
                dice[at] = before
                at -= 1
            dice[at] = d

    def is_equivalent(self, one: int, other: int) -> bool:
        """Tell whether nothing tells two dice of a field apart."""
        return self._equivalence_hash(one) == self._equivalence_hash(other) and _ties(self, one) == _ties(self, other)

    def _equivalence_hash(self, d: int) -> i64:
        """Give what tells dice apart but for their marks as one number: card, seat, face, damage, flags, and its fight."""
        fight: i64 = 0
        for i, (b, a) in enumerate(self.blocks):
            if b == d or a == d:
                fight = i + 1
                break
        # a basic action of both partners: their effects wait side by side
        seat: i64 = self.place[d] & 3 if self.spec.n_seats > 2 else 0
        looks: i64 = self.spec.card_of[d] << 2 | seat
        looks = looks << 3 | self.face[d]
        looks = looks << 8 | self.damage[d]
        looks = looks << 8 | self.flags[d]
        return looks << 16 | fight

    @property
    def rng(self) -> int:
        """Give the generator as the number of 64 bits that it is."""
        return int(self.rng_high) << 32 | int(self.rng_low)

    @rng.setter
    def rng(self, value: int) -> None:
        self.rng_high = value >> 32 if COMPILED else 0
        self.rng_low = value & _MASK32 if COMPILED else value

    def random_below(self, n: int) -> int:
        """Give a random number from 0 to n - 1 from the generator inside the state (PCG32)."""
        if COMPILED:
            high, low = self.rng_high, self.rng_low
            product = low * _MULTIPLIER_LOW + _INCREMENT_LOW
            carried = product >> 32 & _MASK32
            self.rng_high = high * _MULTIPLIER_LOW + low * _MULTIPLIER_HIGH + _INCREMENT_HIGH + carried & _MASK32
            self.rng_low = product & _MASK32
            mixed = (high >> 13) ^ (high << 5 | low >> 27) & _MASK32
            turned = (mixed << 32 | mixed) >> (high >> 27) & _MASK32
            value = int(turned * n >> 32)
        else:
            whole: int = self.rng_low
            after: int = whole * _MULTIPLIER + _INCREMENT & _MASK64
            self.rng_low = after  # all 64 bits
            mix = (whole >> 18 ^ whole) >> 27 & _MASK32
            value = ((mix << 32 | mix) >> (whole >> 59) & _MASK32) * n >> 32
        if self.journal is not None:
            self.journal.append(("chance", n, value))
        return value


def zero_vector(n: int) -> vec[i64]:
    """Give a number for each die, all 0: uncompiled as bytes, in which Python searches fast."""
    return vec[i64]([0] * n) if COMPILED else cast("vec[i64]", bytearray(n))


def frozen_vector(numbers: list[int]) -> vec[i64]:
    """Give numbers that stay as they are; uncompiled they are a tuple, which Python reads faster."""
    return vec[i64](numbers) if COMPILED else cast("vec[i64]", tuple(numbers))


def extended_vector(numbers: vec[i64], more: list[int]) -> vec[i64]:
    """Give such numbers with more behind them."""
    return frozen_vector([*numbers, *more])


def mapped_vector(numbers: vec[i64], by: bytes) -> vec[i64]:
    """Give each number as a table of 256 has it, where 0 stays 0; the numbers themselves may be changed."""
    if not COMPILED:
        dice: Any = numbers
        flags: vec[i64] = dice.translate(by)
        return flags
    for i, n in enumerate(numbers):
        if n:
            numbers[i] = by[n]
    return numbers


# plain loops are the fastest compiled, and the slowest uncompiled
COMPILED: Final = not isinstance(zero_vector, FunctionType)
_BYTES: Final = [bytes((n,)) for n in range(256)]


def _ties(s: State, d: int) -> tuple[tuple[int, ...], list[int]]:
    return effect_signature(s, d), granted_signature(s, d)


def granted_signature(s: State, d: int) -> list[int]:
    """Number what a die has given to others: what has given something lies behind its like."""
    found: list[int] = []
    for n, r in enumerate(s.active_effects):
        if r.source == d:
            found.append(_own_effect_rank(s.active_effects, n) if r.subject == d else n)
    return found


def _own_effect_rank(records: list[ActiveEffect], n: int) -> int:
    """Number what a die gave to itself like the first of those in a row that gave themselves the same."""
    while n and records[n - 1].source == records[n - 1].subject and same_effect(records[n - 1], records[n]):
        n -= 1
    return n


def effect_signature(s: State, d: int) -> tuple[int, ...]:
    """Number what a die was given and whom it is tied to: the same for the same gifts, whatever the die's own number."""
    if not (s.active_effects or s.pairs or s.holdings or len(s.stack) > 1):
        return ()
    found: list[int] = []
    for n, f in enumerate(s.stack[:-1]):
        if f.has_picked(d):
            found.append(4000 + n)  # an effect that waits has picked it
    for n, r in enumerate(s.active_effects):
        if r.subject == d:
            found.append(_effect_rank(s.active_effects, n))
        if r.source == d and r.word == "must block this":
            found.append(3000 + n)
        if (
            r.word == "later"
            and s.engagements
            and (d, r.source) in ((x, y) for x, y, how in s.engagements if not how & LEFT_FIELD)
        ):
            found.append(5000 + n)  # somebody who has met it speaks of that at the end of the turn (rules 6.5)
    for i, (x, y, _) in enumerate(s.pairs):
        if d in (x, y):
            found.append(1000 + 2 * i + (d == y))
    for i, h in enumerate(s.holdings):
        if d in (h.holder, h.die):
            found.append(2000 + 2 * i + (d == h.die))
    return tuple(sorted(found))


# what can come to something else when it is applied before or after another effect (rules 5.4)
IN_ORDER: Final = frozenset(("multiplies", "becomes", "exchanges", "sets A", "halves", "copy stats", "copy die"))


def _effect_rank(records: list[ActiveEffect], n: int) -> int:
    """Number what a record gives: like the first that gives the same, or, where the order counts, the first in a row."""
    if any(r.word in IN_ORDER for r in records):
        while n and same_effect(records[n - 1], records[n]):
            n -= 1
        return n
    return next(i for i, x in enumerate(records) if same_effect(records[n], x))


# --- the same position is the same value, whichever of several like dice lies where ---------------------------------

WRITING_ORDER: Final = (FIELD, RESERVE, PREP, HAND, BAG, USED, OUT_OF_PLAY, HELD, CARD, GONE)
_RANK: Final = {place: i for i, place in enumerate(WRITING_ORDER)}


def shows_face(s: State, d: int) -> bool:
    """Tell whether the die's face matters where it lies (rules 2.2)."""
    place = s.place[d] >> 2
    return place in (FIELD, RESERVE) or (place in (PREP, HAND) and s.flags[d] & ROLLED != 0)


def canonical(s: State) -> State:
    """Give the state with like dice numbered in writing order and faces that do not matter set to 0.

    Where dice look alike, those that something half done mentions come first, in the order they are mentioned.
    """
    t = s.spec
    rank = canonical_ranks(s)
    new = list(range(t.n_dice))
    for dice in t.dice_of:
        order = sorted(dice, key=lambda d: (_RANK[s.place[d] >> 2], s.place[d], rank(d), d))
        for number, d in zip(dice, order, strict=True):
            new[d] = number
    c = relabeled(s, new)
    for n in range(t.n_dice):
        if not shows_face(c, n):
            c.face[n] = 0
    _sort_effect_runs(c)
    earliest = min((q.timestamp for q in s.queue), default=s.timestamp)
    c.queue = [q.at(q.timestamp - earliest) for q in c.queue]
    c.timestamp = s.timestamp - earliest
    return c


def relabeled(s: State, new: list[int]) -> State:
    """Give the state with each die under a new number, which must be one of its card's."""
    c = s.copy()
    owners = list(s.owner)
    for d in range(s.spec.n_dice):
        n = new[d]
        c.place[n] = s.place[d]
        owners[n] = s.owner[d]
        c.damage[n] = s.damage[d]
        c.flags[n] = s.flags[d]
        c.face[n] = s.face[d]
    c.owner = frozen_vector(owners)
    rename = DieRelabeler(new)
    _rename(c, rename)
    c.options = [rename.option(o) for o in s.options]  # each names the first of its like, which says nothing more
    return c


Rank = tuple[tuple[int, int, int, tuple[int, ...], int], tuple[bool, list[int]]]


def canonical_ranks(s: State) -> Callable[[int], Rank]:
    """Give what sorts like dice in one place: how they look, then which of them something half done mentions first."""
    noting = MentionCollector(s.spec.n_dice)
    _rename(s.copy(), noting)
    return lambda d: (_sort_key(s, d), noting.of(d))


def _sort_effect_runs(c: State) -> None:
    """The same given to several dice one after the other: whichever got it first, list it in the order of the dice."""
    for first, end in effect_runs(c.active_effects):
        if end - first > 1:
            c.active_effects[first:end] = sorted(c.active_effects[first:end], key=lambda r: r.subject)


def _rename(c: State, rename: DieRelabeler) -> None:
    """Put the new numbers wherever a die is mentioned."""
    one = rename.one
    for f in c.stack:
        rename.frame(f)
    c.queue = [q.about_dice(one(q.this), rename.event(q.event), one(q.about)) for q in c.queue]
    c.blocks = [(one(b), one(a)) for b, a in c.blocks]
    c.engagements = [(one(x), one(y), z) for x, y, z in c.engagements]
    c.pairs = [(one(x), one(y), z) for x, y, z in c.pairs]
    c.turn_limits = [(a, LIMIT_OF_DIE + one(x - LIMIT_OF_DIE) if x >= LIMIT_OF_DIE else x) for a, x in c.turn_limits]
    c.active_effects = rename.effects(c.active_effects)
    c.holdings = [Holding(h.kind, one(h.die), one(h.holder), h.home, h.until, h.face) for h in c.holdings]
    c.last_affected = rename.many(c.last_affected)
    c.last_payment = rename.many(c.last_payment)
    if c.decision.kind == "split":
        c.decision = DecisionRequest(c.decision.seat, c.decision.kind, one(c.decision.about), one(c.decision.number))


def _sort_key(s: State, d: int) -> tuple[int, int, int, tuple[int, ...], int]:
    attacking = s.flags[d] & ATTACKING  # first among its like, as it was declared in order
    return (
        s.face[d] if shows_face(s, d) else 0,
        s.damage[d],
        s.flags[d] - attacking,
        effect_signature(s, d),
        -attacking,
    )
