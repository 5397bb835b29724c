"""The parts of an answer in the order in which the engine asks for them.

The engine asks for attackers, blocks, rerolls, payments and the like part by part, in a fixed order, and takes like
dice for each other. Whoever names the parts in another order, or names other dice of the same sort, gets the list of
the engine's options from here.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from dicemasters.game.answers.compound import MAX_TRIED, damage_split_of
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.chance import ScriptedDiceError
from dicemasters.game.queries import combat_status
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import HAND, UNDECIDED
from dicemasters.game.state.frames import AbilityFrame, DamageAssignmentFrame, PaymentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.turn import loop

MAX_PLAYED = 300  # parts played on copies for one answer
PARTS = frozenset(("reroll", "attack", "block", "pay", "choose", "up", "down", "amount"))


class OptionSequence(NamedTuple):
    """The engine's options that make an answer, and the parts of it that the engine then takes by itself."""

    options: list[Option]
    alone: list[Option]


def order_options(
    s: State, wanted: list[Option], *, finish: bool = False, more: bool = False, most: int = MAX_TRIED
) -> OptionSequence | None:
    """Give the engine's options for these parts of the question the game waits for; None if there is no way.

    With `finish` the answer is complete and ends with `done` where that is asked for. With `more` other parts may come
    in between, to find out whether these can be parts of an answer at all. The state is left as it is.
    """
    return search_order(s, wanted, finish=finish, more=more, most=most)[0]


def search_order(
    s: State,
    wanted: list[Option],
    *,
    finish: bool = False,
    more: bool = False,
    most: int = MAX_TRIED,
    plays: int = MAX_PLAYED,
) -> tuple[OptionSequence | None, int]:
    """Arrange parts, playing at most so many on copies, and tell how many that were."""
    looking = _OrderSearch(s, finish, more, most, plays)
    if s.decision.kind == "pay":
        wanted = payment.canonical_payment(s, payment.pending_payment(s), wanted)
    return looking.find(s, list(wanted), {}), looking.played


def expects_more(before: State, after: State) -> bool:
    """Tell whether the game, a part having been played, still waits for more parts of the same answer."""
    if after.result != UNDECIDED or (after.decision.seat, after.decision.kind) != (
        before.decision.seat,
        before.decision.kind,
    ):
        return False
    now, then = _progress(before), _progress(after)
    return len(then) > len(now) and then[: len(now)] == now


def _progress(s: State) -> tuple[object, ...]:
    """Give what the question is and how far it has been answered, so that a longer one goes on."""
    match s.decision.kind:
        case "reroll":
            return (s.substep, *(0 for _ in s.dice_in(HAND, s.decision.seat)))
        case "attack":
            return (s.turn, *(0 for _ in combat_status.attackers(s)))
        case "block":
            return (s.turn, *s.blocks)
    frame = s.stack[-1] if s.stack else None
    match frame:
        case PaymentFrame():
            return (len(s.stack), frame.price, *(0 for _ in range(sum(frame.spent))))
        case DamageAssignmentFrame():
            return (frame.at, *frame.split)
        case AbilityFrame():
            return (len(s.stack), frame.ability, frame.pc, frame.this, *frame.picked, *frame.shares)
    return ()


class _OrderSearch:
    """A search for the engine's options, like dice standing for each other."""

    def __init__(self, s: State, finish: bool, more: bool, max_tried: int, max_played: int) -> None:
        self.start = s
        self.finish = finish
        self.more = more
        self.max_tried = max_tried
        self.max_played = max_played
        self.tried = 0
        self.played = 0
        self.die_classes: dict[tuple[str, int], object] = {}

    def find(self, s: State, wanted: list[Option], stands_for: dict[int, int]) -> OptionSequence | None:
        self.tried += 1
        if self.tried > self.max_tried:
            return None
        if not wanted:
            if not self.finish:
                return OptionSequence([], [])
            done = next((o for o in s.options if o[0] == "done"), None)
            return None if done is None else OptionSequence([done], [])
        tried: set[tuple[object, ...]] = set()
        for option, want in self._candidates(s, wanted):
            now = stands_for if want is None else self._match(option, want, stands_for)
            way = (option, *self._role(want, wanted, stands_for))
            if now is None or way in tried:
                continue
            tried.add(way)
            self.played += 1
            if self.played > self.max_played:
                return None
            then = s.copy()
            then.journal = []
            with contextlib.suppress(ScriptedDiceError):  # what comes of the answer is told when it is played
                loop.apply(then, option)
            rest = wanted[:]
            if want is not None:
                rest.remove(want)
            alone = self._strike_forced(s, option, then, rest)
            if alone is None:
                continue
            if expects_more(s, then):
                found = self.find(then, rest, now)
                if found is not None:
                    return OptionSequence([option, *found.options], [*alone, *found.alone])
            elif not rest:
                return OptionSequence([option], alone)  # nothing else can be said, so the engine does not ask
        return None

    def _candidates(self, s: State, wanted: list[Option]) -> list[tuple[Option, Option | None]]:
        """List what can be played now with the part it is played for: the very dice first, then those like them."""
        ways: list[tuple[Option, Option | None]] = [
            (option, want) for option in s.options if option[0] in PARTS for want in wanted if want[0] == option[0]
        ]
        ways.sort(key=lambda way: way[0] != way[1])
        return ways + [(option, None) for option in s.options if self.more and option[0] in PARTS]

    def _match(self, option: Option, want: Option, stands_for: dict[int, int]) -> dict[int, int] | None:
        """Let the option's dice stand for the part's, if they are alike and stand for no others."""
        what = option[0]
        if what == "amount":
            return stands_for if option == want else None
        if what == "pay":
            same = option[2] == want[2] and self._die_class(what, option[1]) == self._die_class(what, want[1])
            return stands_for if same else None
        now = dict(stands_for)
        for mine, theirs in zip(_dice(option), _dice(want), strict=True):
            if mine in now or theirs in now.values():
                if now.get(mine) != theirs:
                    return None
            elif self._die_class(what, mine) != self._die_class(what, theirs):
                return None
            now[mine] = theirs
        return now

    def _role(self, want: Option | None, wanted: list[Option], stands_for: dict[int, int]) -> tuple[object, ...]:
        """Describe a wanted part so that two of the same description are the same to try."""
        if want is None:
            return ()
        what, x, y = want
        if what != "block":
            return what, self._die_class(what, x), y
        named = set(stands_for.values())
        if sum(b == x for _, b, _ in wanted) > 1:
            return want  # one that blocks several is told apart from all others
        others = sorted(str((self._die_class(what, b), b if b in named else -1)) for _, b, a in wanted if a == y)
        who = (self._die_class(what, x), x if x in named else -1)
        whom = (self._die_class(what, y), y if y in named else -1)
        return who, whom, *others

    def _die_class(self, what: str, d: int) -> object:
        """Say what a die is like for this, as it lay when the question was asked."""
        key = (what, d)
        if key not in self.die_classes:
            self.die_classes[key] = (
                payment.payment_class(self.start, d) if what == "pay" else equivalence_key(self.start, d)
            )
        return self.die_classes[key]

    def _strike_forced(self, s: State, option: Option, then: State, wanted: list[Option]) -> list[Option] | None:
        """Strike out the parts the engine has taken by itself, as nothing else was left, and give them.

        None if one of them is not wanted, and the answer is to be complete.
        """
        if s.decision.kind in ("split", "divide"):
            taken = [] if expects_more(s, then) else _rest_of_split(s, option)
        else:
            taken = _paid_alone(s, then) if s.decision.kind == "pay" else _chosen_alone(s, then)
        out: list[Option] = []
        for one in taken:
            hit = next((w for w in wanted if w[0] == one[0] and self._match(one, w, {}) is not None), None)
            if hit is not None:
                wanted.remove(hit)
                out.append(one)
            elif self.finish and one[0] != "amount":
                return None
        return out


def _paid_alone(s: State, then: State) -> list[Option]:
    """List what was paid after the part that was named, up to the price."""
    left = payment.pending_payment(s).left()
    taken: list[Option] = []
    for entry in then.journal or ():
        if entry[0] == "spends" and left > 0:
            _, _, die, _, n = entry
            assert isinstance(die, int)
            assert isinstance(n, int)
            taken.append(("pay", die, n))
            left -= n
    return taken[1:]


def _rest_of_split(s: State, option: Option) -> list[Option]:
    """The engine gives what is left to the next die by itself, and nothing to the others."""
    total, shares = damage_split_of(s)
    given = [total - option[2], *(0 for _ in shares)]
    return [("amount", d, n) for (d, _), n in zip(shares[1:], given, strict=False)]


def _chosen_alone(s: State, then: State) -> list[Option]:
    """List what the engine has chosen by itself in the question that was asked."""
    frame = s.stack[-1] if s.stack else None
    taken: list[Option] = []
    if not isinstance(frame, AbilityFrame):
        return taken
    for entry in then.journal or ():
        if entry[0] == "takes" and entry[2] in PARTS and entry[-2:] == (frame.ability, frame.pc):
            taken.append((str(entry[2]), int(str(entry[3])), 0))
    return taken


def _dice(option: Option) -> tuple[int, ...]:
    return option[1:] if option[0] == "block" else option[1:2]
