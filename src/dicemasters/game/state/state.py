"""A game at one moment, as one flat value.

Dice are small integers. One number holds both the zone of a die and the side it is on, so a single scan finds the
dice of a zone. Unfinished work is data too: `stack`, `queue` and `active_effects` hold the values of `frames` and
`values`. No callbacks or live objects are involved, so a copy is a handful of slices.
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
from dicemasters.game.state.query_cache import QueryCache
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


# Constants of the random generator. Compiled code keeps its state in two 32-bit halves, so no intermediate result
# exceeds 64 bits; uncompiled code keeps all 64 bits in the lower one, which takes fewer steps.
_MASK32: Final = 0xFFFFFFFF
CROWD: Final = 24  # dice in the field, or active effects, that make a position crowded
_INSERTION_SORT_LIMIT: Final = 8  # dice; more are sorted in another way
_MASK64: Final = 0xFFFFFFFFFFFFFFFF
_MULTIPLIER_HIGH: Final = 0x5851F42D
_MULTIPLIER_LOW: Final = 0x4C957F2D
_INCREMENT_HIGH: Final = 0x14057B7E
_INCREMENT_LOW: Final = 0xF767814F
_MULTIPLIER: Final = 0x5851F42D4C957F2D
_INCREMENT: Final = 0x14057B7EF767814F


@mypyc_attr(acyclic=True)
class State:
    """The complete state of a game: everything that can matter later, and nothing else."""

    __slots__ = (
        "active",
        "active_effects",
        "answer",
        "blocks",
        "counters",
        "crowding",
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
        "query_cache",
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
        "work",
    )

    spec: GameSpec
    # the dice
    place: vec[i64]
    face: vec[i64]
    owner: vec[i64]  # shared with copies, so `set_owner` replaces it instead of changing it
    damage: vec[i64]
    flags: vec[i64]
    blocks: list[tuple[int, int]]  # (blocker, attacker)
    engagements: list[tuple[int, int, int]]  # (die, opponent it was engaged with this turn, flags)
    pairs: list[tuple[int, int, int]]  # (die, partner, seat whose next turn ends the pairing)
    # players: life by side, energy and facts by seat
    life: list[int]
    max_life: int
    virtual_energy: list[int]
    turn_counts: list[int]
    counters: list[int]  # by card; shared with copies, so it is replaced and never changed
    # the turn
    turn: int
    first: int
    active: int  # the seat whose turn it is; in Doubles the partner who acts
    step: int
    substep: int
    turn_limits: list[tuple[int, int]]  # (ability, seat or die) that used it this turn; see `constants`
    # effects
    active_effects: list[ActiveEffect]
    holdings: list[Holding]
    name_choices: list[tuple[int, str]]  # (ability, named type, affiliation or card)
    stack: list[Frame]
    queue: list[PendingTrigger]
    timestamp: int
    state_check_due: bool
    last_affected: tuple[int, ...]  # dice and players affected by the last effect
    last_payment: tuple[int, ...]  # dice that made the last payment
    # chance
    rng_high: i64
    rng_low: i64
    script: list[tuple[int, int, int]]  # scripted rolls (seat, card, face) and draws (seat, card, -1) still to come
    # the decision
    decision: DecisionRequest
    options: list[Option]
    answer: Option  # the chosen option, until the frame or step that requested it takes it
    result: int
    result_reason: str
    journal: list[tuple[object, ...]] | None
    # not part of the value
    work: int  # steps of work since the last answer (`state.work`)
    query_cache: QueryCache | None
    crowding: i64  # whether the position was crowded when an answer first asked; -1: not known

    def __init__(self, spec: GameSpec, seed: int = 0, source: State | None = None) -> None:
        """Set up a new game, or copy `source`; compiled classes have no other way to create a copy."""
        self.spec = spec
        if source is not None:
            self.place = source.place[:]
            self.face = source.face[:]
            self.owner = source.owner
            self.damage = source.damage[:]
            self.flags = source.flags[:]
            self.blocks = source.blocks.copy()
            self.engagements = source.engagements.copy()
            self.pairs = source.pairs.copy()
            self.life = source.life.copy()
            self.max_life = source.max_life
            self.virtual_energy = source.virtual_energy.copy()
            self.turn_counts = source.turn_counts.copy()
            self.counters = source.counters
            self.turn = source.turn
            self.first = source.first
            self.active = source.active
            self.step = source.step
            self.substep = source.substep
            self.turn_limits = source.turn_limits.copy()
            self.active_effects = source.active_effects.copy()
            self.holdings = source.holdings.copy()
            self.name_choices = source.name_choices.copy()
            self.stack = [frame.copy() for frame in source.stack] if source.stack else []
            self.queue = source.queue.copy()
            self.timestamp = source.timestamp
            self.state_check_due = source.state_check_due
            self.last_affected = source.last_affected
            self.last_payment = source.last_payment
            self.rng_high = source.rng_high
            self.rng_low = source.rng_low
            self.script = source.script.copy()
            self.decision = source.decision
            self.options = source.options
            self.answer = source.answer
            self.result = source.result
            self.result_reason = source.result_reason
            self.journal = None
            self.work = source.work
            self.crowding = -1
            self.query_cache = None
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
        self.work = 0
        self.crowding = -1
        self.query_cache = None

    def copy(self) -> State:
        """Return an independent state that plays on identically; the journal is not copied."""
        return State(self.spec, 0, self)

    def key(self) -> tuple[object, ...]:
        """Return the whole value as one hashable tuple."""
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
        """Return a hash independent of die numbers, since equal states may number identical dice differently."""
        places = tuple(sorted(self.place))
        return hash(
            (places, tuple(self.life), self.turn, self.active, self.step, self.substep, self.rng, len(self.stack))
        )

    def dice_in(self, place: int, seat: int) -> list[int]:
        """Return the dice of a zone on one seat's side, card by card."""
        dice = self.dice_unordered(place, seat)
        if place == FIELD:
            self.sort_equivalent(dice)
        return dice

    def in_field_order(self, dice: list[int]) -> list[int]:
        """Return the dice that are in the field in field order, seat by seat; a single die is returned as it is."""
        if len(dice) < 2:
            return dice
        return [d for seat in range(self.spec.n_seats) for d in self.dice_in(FIELD, seat) if d in dice]

    def dice_unordered(self, place: int, seat: int) -> list[int]:
        """Return the dice of a zone on one seat's side by number, for callers that do not depend on the order."""
        if not COMPILED:
            listed: Any = self.iter_zone(place, seat)
            dice: list[int] = listed
            return dice
        found: list[int] = []
        wanted: i64 = place * 4 + seat
        for d, byte in enumerate(self.place):
            if byte == wanted:
                found.append(d)
        return found

    def iter_zone(self, place: int, seat: int) -> vec[i64]:
        """Return the dice of a zone for iteration only, without allocating integer objects in compiled code."""
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
        dice_found = vec[i64]()
        for d, byte in enumerate(self.place):
            if byte == wanted:
                dice_found = append(dice_found, d)
        return dice_found

    def dice_in_two(self, place: int, other: int, seat: int) -> tuple[list[int], list[int]]:
        """Return the dice of two zones on one seat's side, each by number."""
        if not COMPILED:
            return self.dice_unordered(place, seat), self.dice_unordered(other, seat)
        first: list[int] = []
        second: list[int] = []
        wanted_first: i64 = place * 4 + seat
        wanted_second: i64 = other * 4 + seat
        for d, byte in enumerate(self.place):
            if byte == wanted_first:
                first.append(d)
            elif byte == wanted_second:
                second.append(d)
        return first, second

    def iter_zone_all_seats(self, place: int) -> vec[i64]:
        """Return the dice of a zone on all sides for iteration only, in no particular order."""
        if not COMPILED:
            listed: Any = []
            for seat in range(self.spec.n_seats):
                listed += self.iter_zone(place, seat)
            dice: vec[i64] = listed
            return dice
        found = vec[i64]()
        wanted: i64 = place
        for d, byte in enumerate(self.place):
            if byte >> 2 == wanted:
                found = append(found, d)
        return found

    def has_damage(self) -> bool:
        """Return whether any die has damage."""
        damage = self.damage
        if not COMPILED:
            undamaged: object = self.spec.no_damage
            return damage != undamaged
        for n in damage:
            if n:
                return True
        return False

    def move_all(self, place: int, to: int, seat: int) -> None:
        """Move all dice of one zone on a seat's side to another zone, without triggers or other consequences."""
        before: i64 = place * 4 + seat
        after: i64 = to * 4 + seat
        if not COMPILED:
            place_bytes: Any = self.place
            self.place = place_bytes.replace(_BYTES[before], _BYTES[after])
            return
        places = self.place
        for d, byte in enumerate(places):
            if byte == before:
                places[d] = after

    def move_all_seats(self, place: int, to: int) -> None:
        """Move all dice of one zone to another zone for every seat, without triggers or other consequences."""
        if not COMPILED:
            for seat in range(self.spec.n_seats):
                self.move_all(place, to, seat)
            return
        wanted: i64 = place
        shift: i64 = (to - place) * 4
        places = self.place
        for d, byte in enumerate(places):
            if byte >> 2 == wanted:
                places[d] = byte + shift

    def set_owner(self, d: int, seat: int) -> None:
        """Set the owner of a die."""
        if not COMPILED:
            self.owner = frozen_vector([seat if x == d else owner for x, owner in enumerate(self.owner)])
            return
        owners = self.owner[:]
        owners[d] = seat
        self.owner = owners

    def is_crowded(self) -> bool:
        """Return whether questions about all dice are expensive, with many dice in the field or many active effects.

        The dice are counted once per answer.
        """
        if len(self.active_effects) > CROWD:
            return True
        if self.crowding < 0:
            n: i64 = 0
            if COMPILED:
                for place in self.place:
                    if place >> 2 == FIELD:
                        n += 1
            else:
                places: Any = self.place
                n = sum([places.count(FIELD * 4 + seat) for seat in range(self.spec.n_seats)])
            self.crowding = 1 if n > CROWD else 0
        return self.crowding > 0

    def sort_equivalent(self, dice: list[int]) -> None:
        """Sort dice of equal cards in the field by their visible differences, so that die numbers never matter."""
        if len(dice) < 2:
            return
        cards = self.spec.card_of
        previous = -1
        for d in dice:
            if cards[d] == previous:
                break
            previous = cards[d]
        else:
            return  # no two of one card
        face, flags, damage = self.face, self.flags, self.damage
        tied = bool(self.blocks or self.active_effects or self.pairs or self.holdings)
        if self.spec.n_seats > 2:
            tied = tied or any(self.place[d] != self.place[dice[0]] for d in dice)
        previous = -1
        for d in dice:
            if previous >= 0 and cards[d] == cards[previous]:
                if tied or face[d] != face[previous] or flags[d] != flags[previous] or damage[d] != damage[previous]:
                    self._insertion_sort(dice)
                    return
            previous = d

    def _insertion_sort(self, dice: list[int]) -> None:
        """Sort in place by appearance, then by effects; most lists are short and nearly sorted."""
        if len(dice) > _INSERTION_SORT_LIMIT:
            dice.sort(key=self._equivalence_key)
            return
        for i in range(1, len(dice)):
            d = dice[i]
            rank = self._equivalence_hash(d)
            at = i
            while at:
                other = dice[at - 1]
                other_rank = self._equivalence_hash(other)
                if other_rank < rank or (other_rank == rank and _effect_keys(self, other) <= _effect_keys(self, d)):
                    break
                dice[at] = other
                at -= 1
            dice[at] = d

    def is_equivalent(self, one: int, other: int) -> bool:
        """Return whether two dice of a field are interchangeable."""
        return self._equivalence_hash(one) == self._equivalence_hash(other) and _effect_keys(self, one) == _effect_keys(
            self, other
        )

    def _equivalence_key(self, d: int) -> tuple[int, tuple[int, ...], list[int]]:
        return int(self._equivalence_hash(d)), effect_signature(self, d), granted_signature(self, d)

    def _equivalence_hash(self, d: int) -> i64:
        """Return card, seat, face, damage, flags and block of a die as one number; effects are not included."""
        fight: i64 = 0
        for i, (b, a) in enumerate(self.blocks):
            if b == d or a == d:
                fight = i + 1
                break
        # the dice of one basic action differ between partners, since their effects wait side by side
        seat: i64 = self.place[d] & 3 if self.spec.n_seats > 2 else 0
        value: i64 = self.spec.card_of[d] << 2 | seat
        value = value << 3 | self.face[d]
        value = value << 8 | self.damage[d]
        value = value << 8 | self.flags[d]
        return value << 16 | fight

    @property
    def rng(self) -> int:
        """The state of the random generator as one 64-bit number."""
        return int(self.rng_high) << 32 | int(self.rng_low)

    @rng.setter
    def rng(self, value: int) -> None:
        self.rng_high = value >> 32 if COMPILED else 0
        self.rng_low = value & _MASK32 if COMPILED else value

    def random_below(self, n: int) -> int:
        """Return a random number from 0 to n - 1 from the state's own generator (PCG32)."""
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
    """Return a zero for each die; in uncompiled code, a bytearray, which Python searches fast."""
    return vec[i64]([0] * n) if COMPILED else cast("vec[i64]", bytearray(n))


def frozen_vector(numbers: list[int]) -> vec[i64]:
    """Return numbers that never change; in uncompiled code, a tuple, which Python reads faster."""
    return vec[i64](numbers) if COMPILED else cast("vec[i64]", tuple(numbers))


def extended_vector(numbers: vec[i64], extra: list[int]) -> vec[i64]:
    """Return such numbers with more of them appended."""
    return frozen_vector([*numbers, *extra])


def mapped_vector(numbers: vec[i64], mapping: bytes) -> vec[i64]:
    """Return each number mapped by a table of 256 entries that maps 0 to 0; the input may be changed in place."""
    if not COMPILED:
        dice: Any = numbers
        flags: vec[i64] = dice.translate(mapping)
        return flags
    for i, n in enumerate(numbers):
        if n:
            numbers[i] = mapping[n]
    return numbers


# plain loops are fastest in compiled code and slowest in uncompiled code
COMPILED: Final = not isinstance(zero_vector, FunctionType)
_BYTES: Final = [bytes((n,)) for n in range(256)]


def _effect_keys(s: State, d: int) -> tuple[tuple[int, ...], list[int]]:
    """Return the sort keys of a die's effects: those it received, then those it granted."""
    return effect_signature(s, d), granted_signature(s, d)


def granted_signature(s: State, d: int) -> list[int]:
    """Return the positions of the effects that a die has granted; a die that granted any sorts after identical dice."""
    cache = s.query_cache
    if cache is not None and d in cache.granted:
        return cache.granted[d]
    numbers: list[int] = []
    for n, effect in enumerate(s.active_effects):
        if effect.source == d:
            numbers.append(_own_effect_rank(s.active_effects, n) if effect.subject == d else n)
    if cache is not None:
        cache.granted[d] = numbers
    return numbers


def _own_effect_rank(effects: list[ActiveEffect], n: int) -> int:
    """Return the position of the first of a run of equal effects that dice granted to themselves."""
    while n and effects[n - 1].source == effects[n - 1].subject and same_effect(effects[n - 1], effects[n]):
        n -= 1
    return n


def effect_signature(s: State, d: int) -> tuple[int, ...]:
    """Return a signature of the effects on a die and of its ties to others, independent of its number."""
    if not (s.active_effects or s.pairs or s.holdings or len(s.stack) > 1):
        return ()
    cache = s.query_cache
    if cache is not None and d in cache.signatures:
        return cache.signatures[d]
    numbers: list[int] = []
    for n, frame in enumerate(s.stack[:-1]):
        if frame.has_picked(d):
            numbers.append(4000 + n)  # a suspended ability has picked it
    met = [y for x, y, how in s.engagements if x == d and not how & LEFT_FIELD]
    for n, effect in enumerate(s.active_effects):
        if effect.subject == d:
            numbers.append(_effect_rank(s, n))
        elif effect.source != d and not met:
            continue
        if effect.source == d and effect.word == "must block this":
            numbers.append(3000 + n)
        if effect.word == "later" and effect.source in met:
            numbers.append(5000 + n)  # a delayed effect may refer to the dice its source was engaged with (rules 6.5b)
    for i, (x, y, _) in enumerate(s.pairs):
        if d in (x, y):
            numbers.append(1000 + 2 * i + (d == y))
    for i, holding in enumerate(s.holdings):
        if d in (holding.holder, holding.die):
            numbers.append(2000 + 2 * i + (d == holding.die))
    signature = tuple(sorted(numbers))
    if cache is not None:
        cache.signatures[d] = signature
    return signature


# effects whose result depends on the order in which they are applied (rules 5.4f)
IN_ORDER: Final = frozenset(("multiplies", "becomes", "exchanges", "sets A", "halves", "copy stats", "copy die"))


def _effect_rank(s: State, n: int) -> int:
    """Return the position of the first equal effect, or of the first of its run where the order matters."""
    cache = s.query_cache
    if cache is not None and n in cache.effect_ranks:
        return cache.effect_ranks[n]
    effects = s.active_effects
    rank = n
    if any(effect.word in IN_ORDER for effect in effects):
        while rank and same_effect(effects[rank - 1], effects[rank]):
            rank -= 1
    else:
        rank = next(i for i, x in enumerate(effects) if same_effect(effects[n], x))
    if cache is not None:
        cache.effect_ranks[n] = rank
    return rank


# --- canonical form: equal positions are equal values, however like dice are numbered ------------------------------

WRITING_ORDER: Final = (FIELD, RESERVE, PREP, HAND, BAG, USED, OUT_OF_PLAY, HELD, CARD, GONE)
_RANK: Final = {place: i for i, place in enumerate(WRITING_ORDER)}


def shows_face(s: State, d: int) -> bool:
    """Return whether the face of a die matters in its zone (rules 2.2a, 2.2b)."""
    place = s.place[d] >> 2
    return place in (FIELD, RESERVE) or (place in (PREP, HAND) and s.flags[d] & ROLLED != 0)


def canonical(s: State) -> State:
    """Return the state with identical dice numbered in writing order and irrelevant faces set to 0.

    Among dice that look alike, those mentioned by unfinished work come first, in order of mention.
    """
    spec = s.spec
    rank = canonical_ranks(s)
    numbers = list(range(spec.n_dice))
    for dice in spec.dice_of:
        order = sorted(dice, key=lambda d: (_RANK[s.place[d] >> 2], s.place[d], rank(d), d))
        for number, d in zip(dice, order, strict=True):
            numbers[d] = number
    result = relabeled(s, numbers)
    for n in range(spec.n_dice):
        if not shows_face(result, n):
            result.face[n] = 0
    _sort_effect_runs(result)
    earliest = min((trigger.timestamp for trigger in s.queue), default=s.timestamp)
    result.queue = [trigger.with_timestamp(trigger.timestamp - earliest) for trigger in result.queue]
    result.timestamp = s.timestamp - earliest
    return result


def relabeled(s: State, numbers: list[int]) -> State:
    """Return the state with die d renumbered as numbers[d], which must be a die of the same card."""
    result = s.copy()
    owners = list(s.owner)
    for d in range(s.spec.n_dice):
        n = numbers[d]
        result.place[n] = s.place[d]
        owners[n] = s.owner[d]
        result.damage[n] = s.damage[d]
        result.flags[n] = s.flags[d]
        result.face[n] = s.face[d]
    result.owner = frozen_vector(owners)
    relabeler = DieRelabeler(numbers)
    _relabel(result, relabeler)
    # an option names any one die of its class; which one carries no information
    result.options = [relabeler.option(o) for o in s.options]
    return result


Rank = tuple[tuple[int, int, int, tuple[int, ...], int], tuple[bool, list[int]]]


def canonical_ranks(s: State) -> Callable[[int], Rank]:
    """Return a sort key function for identical dice in a zone: appearance, then order of mention by unfinished work."""
    collector = MentionCollector(s.spec.n_dice)
    _relabel(s.copy(), collector)
    return lambda d: (_sort_key(s, d), collector.sort_key(d))


def _sort_effect_runs(s: State) -> None:
    """Sort each run of equal active effects by recipient, since the order within a run is irrelevant."""
    for start, end in effect_runs(s.active_effects):
        if end - start > 1:
            s.active_effects[start:end] = sorted(s.active_effects[start:end], key=lambda effect: effect.subject)


def _relabel(s: State, relabeler: DieRelabeler) -> None:
    """Renumber every mention of a die in place."""
    die = relabeler.die
    for frame in s.stack:
        relabeler.frame(frame)
    s.queue = [
        trigger.with_dice(die(trigger.this), relabeler.event(trigger.event), die(trigger.about)) for trigger in s.queue
    ]
    s.blocks = [(die(b), die(a)) for b, a in s.blocks]
    s.engagements = [(die(x), die(y), z) for x, y, z in s.engagements]
    s.pairs = [(die(x), die(y), z) for x, y, z in s.pairs]
    s.turn_limits = [(a, LIMIT_OF_DIE + die(x - LIMIT_OF_DIE) if x >= LIMIT_OF_DIE else x) for a, x in s.turn_limits]
    s.active_effects = relabeler.effects(s.active_effects)
    s.holdings = [
        Holding(holding.kind, die(holding.die), die(holding.holder), holding.home, holding.until, holding.face)
        for holding in s.holdings
    ]
    s.last_affected = relabeler.dice(s.last_affected)
    s.last_payment = relabeler.dice(s.last_payment)
    if s.decision.kind == "split":
        s.decision = DecisionRequest(s.decision.seat, s.decision.kind, die(s.decision.about), die(s.decision.number))


def _sort_key(s: State, d: int) -> tuple[int, int, int, tuple[int, ...], int]:
    attacking = s.flags[d] & ATTACKING  # declared attackers come first, since identical dice are declared in order
    return (
        s.face[d] if shows_face(s, d) else 0,
        s.damage[d],
        s.flags[d] - attacking,
        effect_signature(s, d),
        -attacking,
    )
