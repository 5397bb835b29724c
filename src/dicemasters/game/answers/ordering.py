"""Ordering of the parts of an answer as the engine asks for them.

The engine asks for attackers, blocks, rerolls, payments and the like part by part, in a fixed order, and does not
distinguish equivalent dice. This module turns parts named in another order, or with equivalent dice, into the list of
the engine's options.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from dicemasters.game.answers.compound import damage_split_of
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.chance import ScriptedDiceError
from dicemasters.game.queries import combat_status
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import HAND, UNDECIDED
from dicemasters.game.state.frames import AbilityFrame, DamageAssignmentFrame, PaymentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.turn import loop

MAX_TRIED = 100  # states of an answer tried
MAX_PLAYED = 300  # parts played on copies for one answer
PARTS = frozenset(("reroll", "attack", "block", "pay", "choose", "up", "down", "amount"))


class OptionSequence(NamedTuple):
    """The engine's options for an answer, and the parts of the answer that the engine takes as forced."""

    options: list[Option]
    forced: list[Option]


def order_options(
    s: State, wanted: list[Option], *, finish: bool = False, allow_others: bool = False, max_tried: int = MAX_TRIED
) -> OptionSequence | None:
    """Return the engine's options for these parts of the pending decision, or None if there are none.

    With `finish` the answer is complete and ends with `done` where the engine asks for it. With `allow_others` other
    parts may come in between, which tests whether these can be parts of an answer at all; only that takes a search, which
    `max_tried` limits. The state does not change.
    """
    return search_order(s, wanted, finish=finish, allow_others=allow_others, max_tried=max_tried)[0]


def search_order(
    s: State,
    wanted: list[Option],
    *,
    finish: bool = False,
    allow_others: bool = False,
    max_tried: int = MAX_TRIED,
    max_played: int = MAX_PLAYED,
) -> tuple[OptionSequence | None, int]:
    """Order parts like `order_options`; also return the number of parts played on copies, which limits a search."""
    search = _OrderSearch(s, finish, allow_others, max_tried, max_played)
    if s.decision.kind == "pay":
        wanted = payment.canonical_payment(s, payment.pending_payment(s), wanted)
    return search.find(s, list(wanted), {}), search.played


def expects_more(before: State, after: State) -> bool:
    """Return whether the game still waits for parts of the same answer after one of them was played."""
    if after.result != UNDECIDED or (after.decision.seat, after.decision.kind) != (
        before.decision.seat,
        before.decision.kind,
    ):
        return False
    old_progress, new_progress = _progress(before), _progress(after)
    return len(new_progress) > len(old_progress) and new_progress[: len(old_progress)] == old_progress


def _progress(s: State) -> tuple[object, ...]:
    """Return the pending question and the progress of its answer; each further part makes the tuple longer."""
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
    """Search for the engine's options, in which equivalent dice may replace each other."""

    def __init__(self, s: State, finish: bool, allow_others: bool, max_tried: int, max_played: int) -> None:
        self.start = s
        self.finish = finish
        self.allow_others = allow_others
        self.max_tried = max_tried
        self.max_played = max_played
        self.tried = 0
        self.played = 0
        self.die_classes: dict[tuple[str, int], object] = {}

    def find(self, s: State, wanted: list[Option], substitutes: dict[int, int]) -> OptionSequence | None:
        self.tried += 1
        if self.allow_others and self.tried > self.max_tried:
            return None  # without other parts there is one order, so the number of parts is the limit
        if not wanted:
            if not self.finish:
                return OptionSequence([], [])
            done = next((o for o in s.options if o[0] == "done"), None)
            return None if done is None else OptionSequence([done], [])
        tried: set[tuple[object, ...]] = set()
        for option, part in self._candidates(s, wanted, substitutes):
            new_substitutes = substitutes if part is None else self._match(option, part, substitutes)
            signature = (option, *self._part_signature(part, wanted, substitutes))
            if new_substitutes is None or signature in tried:
                continue
            tried.add(signature)
            self.played += 1
            if self.allow_others and self.played > self.max_played:
                return None
            after = s.copy()
            after.journal = []
            with contextlib.suppress(ScriptedDiceError):  # reported when the answer itself is played
                loop.apply(after, option)
            remaining = wanted[:]
            if part is not None:
                remaining.remove(part)
            forced = self._remove_forced(s, option, after, remaining)
            if forced is None:
                continue
            if expects_more(s, after):
                sequence = self.find(after, remaining, new_substitutes)
                if sequence is not None:
                    return OptionSequence([option, *sequence.options], [*forced, *sequence.forced])
            elif not remaining:
                return OptionSequence([option], forced)  # nothing is left to answer, so the engine does not ask
        return None

    def _candidates(
        self, s: State, wanted: list[Option], substitutes: dict[int, int]
    ) -> list[tuple[Option, Option | None]]:
        """Return the options to try with the part each may stand for, in the order in which the engine lists them.

        The engine asks in a fixed order and treats equivalent dice alike, so the first option that stands for a part
        is part of the answer if anything is. With `allow_others`, options that stand for no part come last.
        """
        pairs: list[tuple[Option, Option | None]] = []
        alike: dict[tuple[object, ...], list[Option]] = {}
        for part in wanted:
            alike.setdefault(self._class_of(part), []).append(part)
        for option in s.options:
            if option[0] not in PARTS:
                continue
            candidates = alike.get(self._class_of(option), ())
            parts = [part for part in candidates if self._match(option, part, substitutes) is not None]
            parts.sort(key=lambda part: part != option)  # the die itself before equivalent ones
            pairs += [(option, part) for part in parts]
            if pairs and not self.allow_others:
                return pairs[:1]
        return pairs + [(option, None) for option in s.options if self.allow_others and option[0] in PARTS]

    def _class_of(self, part: Option) -> tuple[object, ...]:
        """Return a key that is equal for an option and every part it may stand for."""
        kind, x, y = part
        if kind == "amount":
            return part
        if kind == "block":
            return kind, self._die_class(kind, x), self._die_class(kind, y)
        return kind, self._die_class(kind, x), y if kind == "pay" else 0

    def _match(self, option: Option, part: Option, substitutes: dict[int, int]) -> dict[int, int] | None:
        """Return the substitutes extended by the option's dice; None if they are not equivalent or already in use."""
        kind = option[0]
        if kind == "amount":
            return substitutes if option == part else None
        if kind == "pay":
            matches = option[2] == part[2] and self._die_class(kind, option[1]) == self._die_class(kind, part[1])
            return substitutes if matches else None
        new_substitutes = dict(substitutes)
        for offered, named in zip(_dice(option), _dice(part), strict=True):
            if offered in new_substitutes or named in new_substitutes.values():
                if new_substitutes.get(offered) != named:
                    return None
            elif self._die_class(kind, offered) != self._die_class(kind, named):
                return None
            new_substitutes[offered] = named
        return new_substitutes

    def _part_signature(
        self, part: Option | None, wanted: list[Option], substitutes: dict[int, int]
    ) -> tuple[object, ...]:
        """Return a key for a wanted part; of the parts with equal keys, only one has to be tried."""
        if part is None:
            return ()
        kind, x, y = part
        if kind != "block":
            return kind, self._die_class(kind, x), y
        bound = set(substitutes.values())
        if sum(b == x for _, b, _ in wanted) > 1:
            return part  # a die that blocks several attackers is unlike all others
        others = sorted(str((self._die_class(kind, b), b if b in bound else -1)) for _, b, a in wanted if a == y)
        blocker = (self._die_class(kind, x), x if x in bound else -1)
        attacker = (self._die_class(kind, y), y if y in bound else -1)
        return blocker, attacker, *others

    def _die_class(self, kind: str, d: int) -> object:
        """Return the equivalence class of a die for this kind of option, as of the start of the search."""
        key = (kind, d)
        if key not in self.die_classes:
            self.die_classes[key] = (
                payment.payment_class(self.start, d) if kind == "pay" else equivalence_key(self.start, d)
            )
        return self.die_classes[key]

    def _remove_forced(self, s: State, option: Option, after: State, wanted: list[Option]) -> list[Option] | None:
        """Remove from `wanted` the parts that the engine has taken as forced, and return them.

        Return None if the answer is complete and such a part is not wanted.
        """
        if s.decision.kind in ("split", "divide"):
            taken = [] if expects_more(s, after) else _forced_split(s, option)
        else:
            taken = _forced_payments(s, after) if s.decision.kind == "pay" else _forced_choices(s, after)
        forced: list[Option] = []
        for choice in taken:
            part = next(
                (
                    candidate
                    for candidate in wanted
                    if candidate[0] == choice[0] and self._match(choice, candidate, {}) is not None
                ),
                None,
            )
            if part is not None:
                wanted.remove(part)
                forced.append(choice)
            elif self.finish and choice[0] != "amount":
                return None
        return forced


def _forced_payments(s: State, after: State) -> list[Option]:
    """Return the payments made after the named part without a question, up to the price."""
    remaining = payment.pending_payment(s).left()
    taken: list[Option] = []
    for entry in after.journal or ():
        if entry[0] == "spends" and remaining > 0:
            _, _, die, _, n = entry
            assert isinstance(die, int)
            assert isinstance(n, int)
            taken.append(("pay", die, n))
            remaining -= n
    return taken[1:]


def _forced_split(s: State, option: Option) -> list[Option]:
    """Return the shares assigned without a question: the remainder to the next die, nothing to the others."""
    total, shares = damage_split_of(s)
    amounts = [total - option[2], *(0 for _ in shares)]
    return [("amount", d, n) for (d, _), n in zip(shares[1:], amounts, strict=False)]


def _forced_choices(s: State, after: State) -> list[Option]:
    """Return the choices made without a question for the decision that was pending."""
    frame = s.stack[-1] if s.stack else None
    taken: list[Option] = []
    if not isinstance(frame, AbilityFrame):
        return taken
    for entry in after.journal or ():
        if entry[0] == "takes" and entry[2] in PARTS and entry[-2:] == (frame.ability, frame.pc):
            taken.append((str(entry[2]), int(str(entry[3])), 0))
    return taken


def _dice(option: Option) -> tuple[int, ...]:
    return option[1:] if option[0] == "block" else option[1:2]
