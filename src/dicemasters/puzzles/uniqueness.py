"""Counting the ways to reach a goal, to prove that a puzzle has exactly one."""

from __future__ import annotations

from collections import Counter
from typing import Final

from dicemasters.game.inspect import view
from dicemasters.game.inspect.hypotheticals import search_key
from dicemasters.game.inspect.view import FIELD, Option, State
from dicemasters.game.state.decision_kinds import OPTION_KINDS
from dicemasters.game.text import describe
from dicemasters.puzzles.solver import NO, UNKNOWN, YES, ProofSolver, is_turn_over, successor

# what is chosen without doing anything, and how a price is paid: neither makes another way
NON_STEP_OPTIONS: Final = frozenset(("pay", "pay now", "together", "pass", "done", "no"))
# decisions at which one may also do nothing, and do it later; at others, what is chosen does not count if anything would do
OPTIONAL_DECISIONS: Final = frozenset(("main", "attack", "fight", "block", "respond", "together"))
PASS_DECISIONS: Final = ("respond", "fight")  # decisions at which an opponent who lets things happen passes

WayStep = tuple[str, object, object]  # what is chosen, with sorts in place of dice


# --- the one way -----------------------------------------------------------------------------------------------------


class UnprovenError(Exception):
    """Dice fall on the way, or there is too much to look at."""


class SolutionAnalyzer:
    """All ways to the goal at once: what all of them have in common, and whether that is enough."""

    def __init__(self, solver: ProofSolver, start: State) -> None:
        self.solver = solver
        self._equivalence_classes = dict(enumerate(_equivalence_classes_of(start)))
        self._common_steps_cache: dict[tuple[object, ...], Counter[WayStep]] = {}
        self._dead_ends: set[tuple[object, ...]] = set()

    def texts(self, s: State) -> tuple[str, ...]:
        """Give what has to be done if that is one way, from a position where not everything is; else nothing."""
        verdicts = self.solver.verdicts(s)
        if YES not in verdicts or NO not in verdicts:
            return ()
        said: list[str] = []
        for option, step in self.line(s, self.common_steps(s)) or ():
            if step:
                said.append(describe.option_texts(s)[s.options.index(option)])
            s = successor(s, option)
        return tuple(said)

    def common_steps(self, s: State) -> Counter[WayStep]:
        """Give the steps that every way from here has in common, each as often as all have it."""
        if self._is_end(s):
            return Counter()
        key = search_key(s)
        known = self._common_steps_cache.get(key)
        if known is None:
            common: Counter[WayStep] | None = None
            for option, step in self.steps(s):
                found = self.common_steps(successor(s, option)) + Counter([step] if step else [])
                common = found if common is None else common & found
            known = self._common_steps_cache[key] = common or Counter()
        return known

    def line(self, s: State, left: Counter[WayStep]) -> tuple[tuple[Option, WayStep | None], ...] | None:
        """Give the choices of a way that has these steps and no more; None if there is none."""
        if self._is_end(s):
            return None if left else ()
        key = (search_key(s), frozenset(left.items()))
        if key in self._dead_ends:
            return None
        for option, step in self.steps(s):
            if step and not left[step]:
                continue
            rest = self.line(successor(s, option), left - Counter([step] if step else []))
            if rest is not None:
                return ((option, step), *rest)
        self._dead_ends.add(key)
        return None

    def steps(self, s: State) -> list[tuple[Option, WayStep | None]]:
        """List the options that lead to the goal, each with the step it is, if it is one; what does nothing comes first."""
        if not self.solver.is_own_decision(s):
            return [(next((o for o in s.options if o[0] == "pass"), s.options[0]), None)]
        verdicts = self.solver.verdicts(s)
        if UNKNOWN in verdicts:
            raise UnprovenError
        good = [option for option, verdict in zip(s.options, verdicts, strict=True) if verdict is YES]
        good.sort(key=lambda option: (option[0] == "together", option[0] not in NON_STEP_OPTIONS))
        counts = NO in verdicts or s.decision.kind in OPTIONAL_DECISIONS
        return [(o, self._step(o) if counts and o[0] not in NON_STEP_OPTIONS else None) for o in good]

    def _is_end(self, s: State) -> bool:
        """Tell whether the opponent has a real choice here, or the turn is over."""
        return is_turn_over(s) or not (
            self.solver.is_own_decision(s) or len(s.options) == 1 or s.decision.kind in PASS_DECISIONS
        )

    def _step(self, option: Option) -> WayStep:
        what, x, y = option
        of = OPTION_KINDS[what]
        return what, self._canonical(of.x, x), 0 if what == "resolve" else self._canonical(of.y, y)

    def _canonical(self, kind: str, x: int) -> object:
        return (
            ("sort", self._equivalence_classes[x]) if kind in ("die", "thing") and x in self._equivalence_classes else x
        )


def _equivalence_classes_of(s: State) -> list[int]:
    """Give each die the number of the first one that was like it when the puzzle began."""
    first: dict[tuple[object, ...], int] = {}
    return [first.setdefault(_die_key(s, d), d) for d in range(s.spec.n_dice)]


def _die_key(s: State, d: int) -> tuple[object, ...]:
    zone = view.zone(s, d)
    looks: tuple[object, ...] = (view.card_of(s, d), zone, view.controller(s, d), view.owner(s, d))
    if view.shows_face(s, d):
        looks += (view.face(s, d), view.is_half_spent(s, d))
    if zone == FIELD:
        looks += (
            view.current_stats(s, d),
            view.damage(s, d),
            view.is_attacking(s, d),
            view.was_fielded_this_turn(s, d),
            tuple(view.granted_texts(s, d)),
        )
    return looks
