"""The parts of one question, named in any order and over several lines.

The game plays every part as soon as that is possible. Where the engine's order has passed a part already, or has ended
the question by itself, the game goes back to the question and plays all its parts in the engine's order. What every
answer has in common the engine takes before it asks; it may be named like the rest.
"""

from __future__ import annotations

from dicemasters.game.answers.compound import CompoundOption, compound_decision
from dicemasters.game.answers.ordering import PARTS, expects_more, order_options, search_order
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
MAX_TRIED = 400  # parts played on a copy to find out what fits together
MAX_TRIED_TOTAL = 400  # to list everything that does; what would take more thought is not listed


class AnswerBuilder:
    """A question of several parts that is being answered, or that has just ended by itself."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start_move = len(game.moves)
        self.base: State = game.state.copy()
        self.player = describe.seat_name(self.base.decision.seat)
        self.forced = _forced_parts(self.base)  # and has not been named yet
        self.confirmed: list[Option] = []  # what was named of that
        self.played_parts: list[Option] = []  # what was named, and has been played or taken by the engine
        self.moves_played = 0  # how many choices that took
        self.waiting: list[tuple[Option, str]] = []  # named, but something must be named that comes before
        self.scripted_dice: list[tuple[int, int, int]] = []  # draws and rolls said since, for when the game goes back

    @property
    def is_open(self) -> bool:
        """Tell whether the game waits for more parts of it."""
        s = self.game.state
        return self.is_current and s.result == UNDECIDED and (not self.moves_played or expects_more(self.base, s))

    @property
    def is_current(self) -> bool:
        """Tell whether nothing else has been chosen since, so that more can be added."""
        return len(self.game.moves) == self.start_move + self.moves_played

    def has_ended_with(self, player: str, text: str) -> bool:
        """Tell whether a text only says the end of the question, which the engine has ended by itself."""
        ends = _END_TEXTS.get(self.base.decision.kind, ())
        return player == self.player and self.is_current and not self.is_open and text.casefold() in ends

    def texts(self) -> list[str]:
        """Say what has been named so far."""
        position = self.base.copy()
        for kind, d, _ in self.confirmed:
            if kind == "pay":
                position.place[d] = RESERVE << 2 | position.decision.seat  # where it lay
        return [
            *describe.distinct_texts(position, self.confirmed + self.played_parts),
            *(text for _, text in self.waiting),
        ]

    def parts(self, *, at_once: bool = False) -> list[tuple[Option, str]]:
        """List what can be named besides what has been: each a part of some answer that is legal as a whole.

        With `at_once` only what can be played with nothing else being named.
        """
        candidates = [(o, text) for o, text in self._list_parts() if o[0] in PARTS]
        named = [*self.played_parts, *(o for o, _ in self.waiting)]
        legal_parts: list[tuple[Option, str]] = []
        budget = MAX_TRIED_TOTAL
        for o, text in candidates:
            sequence, played = search_order(self.base, [*named, o], more=not at_once, most=MAX_TRIED, plays=budget)
            budget -= min(played, budget)
            if sequence is not None:
                legal_parts.append((o, text))
        return legal_parts

    def match_parts(self, text: str, *, whole_text: bool = False) -> list[tuple[Option, str]]:
        """Give the parts a text names, one where it is clear which is meant; only by its whole text if so wanted."""
        candidates = [(o, part_text) for o, part_text in self._list_parts() if o[0] in PARTS]
        texts = [part_text for _, part_text in candidates]
        return [
            candidates[i]
            for i in (
                matching.match_texts(texts, text, matching.WHOLE_TEXT_WAYS)
                if whole_text
                else matching.match_texts(texts, text)
            )
        ]

    def add(self, option: Option, text: str) -> bool:
        """Add a part: play it, or keep it until what must come before it is named; False if it does not fit the others."""
        if option in self.forced:
            self._confirm(option)
            return True
        named = [*self.played_parts, *(o for o, _ in self.waiting), option]
        if self._play(named):
            self.waiting = []
        elif not self._is_playable(named, more=True):
            return self._play_without_forced(named)
        elif self._play([*self.played_parts, option]):
            self._play_waiting()
        else:
            self.waiting.append((option, text))
        return True

    def fill_zeros(self) -> None:
        """Give 0 to whoever was not named, where all of some damage has been."""
        named = [*self.played_parts, *(o for o, _ in self.waiting)]
        decision = compound_decision(self.base)
        if not self.waiting or decision.mode != "split" or sum(o[2] for o in named) != decision.total:
            return
        assigned = {o[1] for o in named}
        zeros = [("amount", part.option[1], 0) for part in decision.options if part.option[1] not in assigned]
        if self._play([*named, *zeros]):
            self.waiting = []

    def play(self, index: int) -> None:
        """Play a part that the game offers now."""
        option = self.game.state.options[index]
        self.game.play(index)
        self.played_parts.append(option)
        self.moves_played += 1

    def play_again(self) -> None:
        """Play what was named once more, so that draws and rolls said since hold for it."""
        self._play(self.played_parts)

    def _play_without_forced(self, named: list[Option]) -> bool:
        """Play these parts but for one that stands for what the engine had taken before it asked."""
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
        """Tell whether two parts do the same with like dice."""
        if (one[0], one[2]) != (other[0], other[2]) or max(one[1], other[1]) >= PLAYER:
            return False
        if one[0] == "pay":
            return payment.payment_class(self.base, one[1]) == payment.payment_class(self.base, other[1])
        return equivalence_key(self.base, one[1]) == equivalence_key(self.base, other[1])

    def _play_waiting(self) -> None:
        """Play what was kept, as far as that is possible by now."""
        for part in self.waiting[:]:
            if self._play([*self.played_parts, part[0]]):
                self.waiting.remove(part)

    def _is_playable(self, wanted: list[Option], *, more: bool = False) -> bool:
        return order_options(self.base, wanted, more=more, most=MAX_TRIED) is not None

    def _play(self, wanted: list[Option]) -> bool:
        """Go back to the question and play these parts in the engine's order, if they can be played."""
        sequence = order_options(self.base, wanted, most=MAX_TRIED)
        if sequence is None:
            return False
        self.game.undo(len(self.game.moves) - self.start_move)
        self.game.state.script += self.scripted_dice
        for option in sequence.options:
            self.game.play(self.game.state.options.index(option))
        self.played_parts = sequence.options + sequence.alone
        self.moves_played = len(sequence.options)
        return True

    def _list_parts(self) -> list[tuple[Option, str]]:
        """List every part the question has, a like die for each that has been named, in words."""
        s = self.base
        named = [*self.played_parts, *(o for o, _ in self.waiting)]
        used = {o[1] for o in named if o[0] != "block" and o[1] < PLAYER}
        blocks = [(o[1], o[2]) for o in named if o[0] == "block"]
        options: list[Option] = []
        exhausted: list[Option] = []  # what has been named is still told apart from the others: (in used), (in prep)
        for part in compound_decision(s).options:
            kind, x, y = part.option
            if kind == "block":
                options += [("block", *pair) for pair in _block_pairs(part, blocks)]
            elif kind == "amount":
                options += [("amount", x, n) for n in range(compound_decision(s).total + 1) if x not in used]
            elif DECISION_KINDS[s.decision.kind].mode == "spend" or kind in PARTS:
                unused = [d for d in part.dice or (x,) if d not in used]
                options += [(kind, unused[0], y)] if unused else []
                exhausted += [] if unused else [(kind, x, y)]
        position = s.copy()
        position.blocks = [*s.blocks, *blocks]  # tells like attackers apart
        texts = describe.distinct_texts(position, options + exhausted)
        listed = list(zip(options, texts, strict=False))
        for o, text in zip(exhausted, texts[len(options) :], strict=True):
            listed += [(b, text) for b in self.forced if self._is_equivalent(b, o)][:1]
        return listed


def _forced_parts(s: State) -> list[Option]:
    """List the parts of a question that every answer has: the engine has taken them and asks for the rest."""
    frame = s.stack[-1] if s.stack else None
    match frame:
        case AbilityFrame() if s.decision.kind == "choose":
            return [("choose", d, 0) for d in frame.picked if d < s.spec.n_dice or PLAYER <= d < NOBODY]
        case PaymentFrame():
            return [("pay", d, s.spec.pips[s.spec.face_base[d] + s.face[d]]) for d in frame.dice if d < s.spec.n_dice]
    return []


def _block_pairs(part: CompoundOption, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the blocks a part stands for, beside those that have been named: like attackers differ once one is blocked."""
    blocking, blocked = {b for b, _ in named}, {a for _, a in named}
    blockers = [b for b in part.dice if b not in blocking] or list(part.dice)
    attackers = [a for a in part.to if a in blocked] + [a for a in part.to if a not in blocked][:1]
    pairs = [(next((b for b in blockers if (b, a) not in named), -1), a) for a in attackers]
    return [pair for pair in pairs if pair[0] >= 0]
