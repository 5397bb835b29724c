"""Compound answers whose parts are named in any order and over several lines.

Each part is played as soon as possible. If the engine's order has already passed a part, or the engine has completed
the answer because nothing else was left to choose, the game is rewound to the question and all parts are replayed in
the engine's order. Parts that every legal answer contains are taken by the engine before it asks; they may be named
like any other part.
"""

from __future__ import annotations

from functools import cached_property

from dicemasters.game.answers.compound import compound_decision, damage_split_of
from dicemasters.game.answers.ordering import expects_more, order_options, search_order
from dicemasters.game.answers.whole_answers import NameableParts
from dicemasters.game.game import Game
from dicemasters.game.mechanics import payment
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import PLAYER, RESERVE, UNDECIDED
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.frames import AbilityFrame, PaymentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option
from dicemasters.game.text import describe, matching

_END_TEXTS = {"reroll": ("reroll these",), "attack": ("attack",), "block": ("done blocking",), "choose": ("done",)}
MAX_TRIED = 400  # parts played on a copy to find an order for one answer
MAX_TRIED_TOTAL = 400  # the same for listing all parts; parts beyond this budget are omitted


class AnswerBuilder:
    """A compound answer under construction, or one that the engine has just completed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start_move = len(game.moves)
        self.base: State = game.state.copy()
        self.player = describe.seat_name(self.base.decision.seat)
        self.forced = _forced_parts(self.base)  # forced parts that have not been named yet
        self.confirmed: list[Option] = []  # forced parts that have been named
        self.played_parts: list[Option] = []  # named parts, played here or taken by the engine
        self.moves_played = 0  # choices made for them
        self.waiting: list[tuple[Option, str]] = []  # named parts that need an earlier part first
        self.scripted_dice: list[tuple[int, int, int]] = []  # draws and rolls scripted since the question, for replays

    @property
    def is_open(self) -> bool:
        """Return True while the game waits for more parts of the answer."""
        s = self.game.state
        return self.is_current and s.result == UNDECIDED and (not self.moves_played or expects_more(self.base, s))

    @property
    def is_current(self) -> bool:
        """Return True if no other choice has been made since, so that parts can still be added."""
        return len(self.game.moves) == self.start_move + self.moves_played

    def has_ended_with(self, player: str, text: str) -> bool:
        """Return True if `text` merely ends an answer that the engine has already completed."""
        ends = _END_TEXTS.get(self.base.decision.kind, ())
        return player == self.player and self.is_current and not self.is_open and text.casefold() in ends

    def texts(self) -> list[str]:
        """Return the texts of the parts named so far."""
        position = self.base.copy()
        for kind, d, _ in self.confirmed:
            if kind == "pay":
                position.place[d] = RESERVE << 2 | position.decision.seat  # its zone before it paid
        return [
            *describe.distinct_texts(position, self.confirmed + self.played_parts),
            *(text for _, text in self.waiting),
        ]

    def parts(self, *, at_once: bool = False) -> list[tuple[Option, str]]:
        """Return the parts that can still be named: each fits some legal answer together with those named so far.

        With `at_once`, return only those that need no further part.
        """
        candidates = self._nameable_parts()
        named = self._named()
        legal_parts: list[tuple[Option, str]] = []
        budget = MAX_TRIED_TOTAL
        for o, text in candidates:
            sequence, played = search_order(
                self.base, [*named, o], allow_others=not at_once, max_tried=MAX_TRIED, max_played=budget
            )
            budget -= min(played, budget)
            if sequence is not None:
                legal_parts.append((o, text))
        return legal_parts

    def match_parts(self, text: str, *, whole_text: bool = False) -> list[tuple[Option, str]]:
        """Return the parts that `text` matches: just one if it is unambiguous.

        With `whole_text`, match only complete texts.
        """
        candidates = self._nameable_parts()
        texts = [part_text for _, part_text in candidates]
        found = (
            matching.match_texts(texts, text, matching.WHOLE_TEXT_WAYS)
            if whole_text
            else matching.match_texts(texts, text)
        )
        return [candidates[i] for i in found]

    def confirm_remainder(self, text: str) -> bool:
        """Return whether `text` names a share that a split completed without a question, and has not named it before."""
        if DECISION_KINDS[self.base.decision.kind].mode != "split" or not self.is_current or self.is_open:
            return False
        total, shares = damage_split_of(self.base)
        named = self._named()
        left = total - sum(n for _, _, n in named)
        remainder: list[Option] = []
        for d, _ in shares:
            if all(d != recipient for _, recipient, _ in named):
                remainder.append(("amount", d, left))
                left = 0
        candidates = [part for part in self._names.all([]) if part.option in remainder]
        found = matching.match_texts([part.text for part in candidates], text)
        self.played_parts += [candidates[i].option for i in found[:1]]
        return bool(found)

    def add(self, option: Option, text: str) -> bool:
        """Add a part and return True, or return False if it fits no answer with the other parts.

        The part is played at once, or kept until the parts that must come before it are named.
        """
        if option in self.forced:
            self._confirm(option)
            return True
        named = [*self._named(), option]
        if self._play(named):
            self.waiting = []
        elif not self._is_playable(named, more=True):
            return self._play_without_forced(named)
        # the engine may put another of equal attackers in the place of one that a waiting block names
        elif not (self.waiting and option[0] == "block") and self._play([*self.played_parts, option]):
            self._play_waiting()
        else:
            self.waiting.append((option, text))
        return True

    def with_unused_dice(self, option: Option) -> Option:
        """Return an option of the engine with equivalent dice in place of those that waiting parts use."""
        found = self._names.stand_in(option, self._names.left(self._named()))
        return found[0].option if found else option

    def fill_zeros(self) -> None:
        """Assign 0 to all dice and players not named once the whole damage has been assigned."""
        named = self._named()
        decision = compound_decision(self.base)
        if not self.waiting or decision.mode != "split" or sum(o[2] for o in named) != decision.total:
            return
        assigned = {o[1] for o in named}
        zeros = [("amount", part.option[1], 0) for part in decision.options if part.option[1] not in assigned]
        if self._play([*named, *zeros]):
            self.waiting = []

    def play(self, index: int) -> None:
        """Play a part that is one of the current options."""
        option = self.game.state.options[index]
        self.game.play(index)
        self.played_parts.append(option)
        self.moves_played += 1

    def play_again(self) -> None:
        """Replay the named parts, so that draws and rolls scripted since apply to them."""
        self._play(self.played_parts)

    def _play_without_forced(self, named: list[Option]) -> bool:
        """Play the parts except one that stands for a forced part; return True if that works."""
        for o in named:
            forced = next((b for b in self.forced if self._is_equivalent(b, o)), None)
            if forced is None:
                continue
            remaining = named[:]
            remaining.remove(o)
            if self._play(remaining):
                self._confirm(forced)
                self.waiting = []
                return True
        return False

    def _confirm(self, forced: Option) -> None:
        self.forced.remove(forced)
        self.confirmed.append(forced)

    def _is_equivalent(self, one: Option, other: Option) -> bool:
        """Return True if two parts are the same choice with interchangeable dice."""
        if (one[0], one[2]) != (other[0], other[2]) or max(one[1], other[1]) >= PLAYER:
            return False
        if one[0] == "pay":
            return payment.payment_class(self.base, one[1]) == payment.payment_class(self.base, other[1])
        return equivalence_key(self.base, one[1]) == equivalence_key(self.base, other[1])

    def _play_waiting(self) -> None:
        """Play the kept parts that have become playable."""
        for part in self.waiting[:]:
            if self._play([*self.played_parts, part[0]]):
                self.waiting.remove(part)

    def _is_playable(self, wanted: list[Option], *, more: bool = False) -> bool:
        return order_options(self.base, wanted, allow_others=more, max_tried=MAX_TRIED) is not None

    def _play(self, wanted: list[Option]) -> bool:
        """Rewind to the question and play the parts in the engine's order; return False if that is impossible."""
        sequence = order_options(self.base, wanted, max_tried=MAX_TRIED)
        if sequence is None:
            return False
        self.game.undo(len(self.game.moves) - self.start_move)
        self.game.state.script += self.scripted_dice
        for option in sequence.options:
            self.game.play(self.game.state.options.index(option))
        self.played_parts = sequence.options + sequence.forced
        self.moves_played = len(sequence.options)
        return True

    def _named(self) -> list[Option]:
        return [*self.played_parts, *(o for o, _ in self.waiting)]

    @cached_property
    def _names(self) -> NameableParts:
        return NameableParts(self.base)

    def _nameable_parts(self) -> list[tuple[Option, str]]:
        """Return the parts that are left with their texts, and the forced parts that have not been named."""
        parts = self._names.all(self._named())
        listed = [(part.option, part.text) for part in parts if part.is_left]
        for part in parts:
            if not part.is_left:
                listed += [(forced, part.text) for forced in self.forced if self._is_equivalent(forced, part.option)][
                    :1
                ]
        return listed


def _forced_parts(s: State) -> list[Option]:
    """Return the parts that every answer contains and the engine has therefore taken before asking."""
    frame = s.stack[-1] if s.stack else None
    match frame:
        case AbilityFrame() if s.decision.kind == "choose":
            return [("choose", d, 0) for d in frame.picked if d < s.spec.n_dice or PLAYER <= d < NOBODY]
        case PaymentFrame():
            return [("pay", d, s.spec.pips[s.spec.face_base[d] + s.face[d]]) for d in frame.dice if d < s.spec.n_dice]
    return []
