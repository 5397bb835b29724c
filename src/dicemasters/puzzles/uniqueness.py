"""Comparison of all ways to reach a goal, to prove that a puzzle has exactly one."""

from __future__ import annotations

from collections import Counter
from typing import Final

from dicemasters.game.inspect import view
from dicemasters.game.inspect.hypotheticals import search_key
from dicemasters.game.inspect.view import FIELD, Option, State
from dicemasters.game.state.decision_kinds import OPTION_KINDS
from dicemasters.game.text import describe
from dicemasters.puzzles.solver import NO, UNKNOWN, YES, ProofSolver, is_turn_over, successor

# options that do nothing, or only decide how a cost is paid; they do not make a different way
NON_STEP_OPTIONS: Final = frozenset(("pay", "pay now", "together", "pass", "done", "no"))
# decisions that can be postponed; at any other, an option counts only if some option fails
OPTIONAL_DECISIONS: Final = frozenset(("main", "attack", "fight", "block", "respond", "together"))
PASS_DECISIONS: Final = ("respond", "fight")  # decisions at which a passive opponent passes

WayStep = tuple[str, object, object]  # option with dice replaced by their equivalence classes


class UnprovenError(Exception):
    """Dice are rolled on the way, or the search limit is exceeded."""


class SolutionAnalyzer:
    """Analysis of all ways to the goal: the steps they have in common, and whether these suffice."""

    def __init__(self, solver: ProofSolver, start: State) -> None:
        self.solver = solver
        self._equivalence_classes = dict(enumerate(_equivalence_classes_of(start)))
        self._common_steps_cache: dict[tuple[object, ...], Counter[WayStep]] = {}
        self._dead_ends: set[tuple[object, ...]] = set()

    def texts(self, s: State) -> tuple[str, ...]:
        """Return the texts of the steps if there is exactly one way and some option fails, else ()."""
        verdicts = self.solver.verdicts(s)
        if YES not in verdicts or NO not in verdicts:
            return ()
        texts: list[str] = []
        for option, step in self.line(s, self.common_steps(s)) or ():
            if step:
                texts.append(describe.option_texts(s)[s.options.index(option)])
            s = successor(s, option)
        return tuple(texts)

    def common_steps(self, s: State) -> Counter[WayStep]:
        """Return the steps common to all ways from this position, with multiplicity."""
        if self._is_end(s):
            return Counter()
        key = search_key(s)
        cached = self._common_steps_cache.get(key)
        if cached is None:
            common: Counter[WayStep] | None = None
            for option, step in self.steps(s):
                steps = self.common_steps(successor(s, option)) + Counter([step] if step else [])
                common = steps if common is None else common & steps
            cached = self._common_steps_cache[key] = common or Counter()
        return cached

    def line(self, s: State, remaining: Counter[WayStep]) -> tuple[tuple[Option, WayStep | None], ...] | None:
        """Return the choices of a way that consists of exactly these steps, or None if there is none."""
        if self._is_end(s):
            return None if remaining else ()
        key = (search_key(s), frozenset(remaining.items()))
        if key in self._dead_ends:
            return None
        for option, step in self.steps(s):
            if step and not remaining[step]:
                continue
            tail = self.line(successor(s, option), remaining - Counter([step] if step else []))
            if tail is not None:
                return ((option, step), *tail)
        self._dead_ends.add(key)
        return None

    def steps(self, s: State) -> list[tuple[Option, WayStep | None]]:
        """Return the winning options, each with its step; None if it does nothing or no option loses."""
        if not self.solver.is_own_decision(s):
            return [(next((o for o in s.options if o[0] == "pass"), s.options[0]), None)]
        verdicts = self.solver.verdicts(s)
        if UNKNOWN in verdicts:
            raise UnprovenError
        winning = [option for option, verdict in zip(s.options, verdicts, strict=True) if verdict is YES]
        winning.sort(key=lambda option: (option[0] == "together", option[0] not in NON_STEP_OPTIONS))
        counts_as_steps = NO in verdicts or s.decision.kind in OPTIONAL_DECISIONS
        return [(o, self._step(o) if counts_as_steps and o[0] not in NON_STEP_OPTIONS else None) for o in winning]

    def _is_end(self, s: State) -> bool:
        """Return whether the turn is over or the opponent has a real choice."""
        return is_turn_over(s) or not (
            self.solver.is_own_decision(s) or len(s.options) == 1 or s.decision.kind in PASS_DECISIONS
        )

    def _step(self, option: Option) -> WayStep:
        kind, x, y = option
        kinds = OPTION_KINDS[kind]
        return kind, self._canonical(kinds.x, x), 0 if kind == "resolve" else self._canonical(kinds.y, y)

    def _canonical(self, kind: str, x: int) -> object:
        return (
            ("sort", self._equivalence_classes[x]) if kind in ("die", "thing") and x in self._equivalence_classes else x
        )


def _equivalence_classes_of(s: State) -> list[int]:
    """Return, for each die, the number of the first equivalent die at the start of the puzzle."""
    first_dice: dict[tuple[object, ...], int] = {}
    return [first_dice.setdefault(_die_key(s, d), d) for d in range(s.spec.n_dice)]


def _die_key(s: State, d: int) -> tuple[object, ...]:
    zone = view.zone(s, d)
    key: tuple[object, ...] = (view.card_of(s, d), zone, view.controller(s, d), view.owner(s, d))
    if view.shows_face(s, d):
        key += (view.face(s, d), view.is_half_spent(s, d))
    if zone == FIELD:
        key += (
            view.current_stats(s, d),
            view.damage(s, d),
            view.is_attacking(s, d),
            view.was_fielded_this_turn(s, d),
            tuple(view.granted_texts(s, d)),
        )
    return key
