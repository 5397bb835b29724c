"""Counting the ways to reach a goal, to prove that a puzzle has exactly one."""

from __future__ import annotations

from collections import Counter
from typing import Final

from dicemasters.game.inspect import view
from dicemasters.game.inspect.hypotheticals import told_apart
from dicemasters.game.inspect.view import FIELD, Option, State
from dicemasters.game.state.decision_kinds import OPTIONS
from dicemasters.game.text import describe
from dicemasters.puzzles.solver import NO, UNKNOWN, YES, Solver, is_over, played

# what is chosen without doing anything, and how a price is paid: neither makes another way
NO_STEPS: Final = frozenset(("pay", "pay now", "together", "pass", "done", "no"))
# decisions at which one may also do nothing, and do it later; at others, what is chosen does not count if anything would do
FREE: Final = frozenset(("main", "attack", "fight", "block", "respond", "together"))
PASSES: Final = ("respond", "fight")  # decisions at which an opponent who lets things happen passes

Step = tuple[str, object, object]  # what is chosen, with sorts in place of dice


# --- the one way -----------------------------------------------------------------------------------------------------


class UnprovedError(Exception):
    """Dice fall on the way, or there is too much to look at."""


class Ways:
    """All ways to the goal at once: what all of them have in common, and whether that is enough."""

    def __init__(self, solver: Solver, start: State) -> None:
        self.solver = solver
        self._sorts = dict(enumerate(_sorts_of(start)))
        self._cores: dict[tuple[object, ...], Counter[Step]] = {}
        self._dead_ends: set[tuple[object, ...]] = set()

    def texts(self, s: State) -> tuple[str, ...]:
        """Give what has to be done if that is one way, from a position where not everything is; else nothing."""
        verdicts = self.solver.verdicts(s)
        if YES not in verdicts or NO not in verdicts:
            return ()
        said: list[str] = []
        for option, step in self.path(s, self.core(s)) or ():
            if step:
                said.append(describe.option_texts(s)[s.options.index(option)])
            s = played(s, option)
        return tuple(said)

    def core(self, s: State) -> Counter[Step]:
        """Give the steps that every way from here has in common, each as often as all have it."""
        if self._is_end(s):
            return Counter()
        key = told_apart(s)
        known = self._cores.get(key)
        if known is None:
            common: Counter[Step] | None = None
            for option, step in self.steps(s):
                found = self.core(played(s, option)) + Counter([step] if step else [])
                common = found if common is None else common & found
            known = self._cores[key] = common or Counter()
        return known

    def path(self, s: State, left: Counter[Step]) -> tuple[tuple[Option, Step | None], ...] | None:
        """Give the choices of a way that has these steps and no more; None if there is none."""
        if self._is_end(s):
            return None if left else ()
        key = (told_apart(s), frozenset(left.items()))
        if key in self._dead_ends:
            return None
        for option, step in self.steps(s):
            if step and not left[step]:
                continue
            rest = self.path(played(s, option), left - Counter([step] if step else []))
            if rest is not None:
                return ((option, step), *rest)
        self._dead_ends.add(key)
        return None

    def steps(self, s: State) -> list[tuple[Option, Step | None]]:
        """List the options that lead to the goal, each with the step it is, if it is one; what does nothing comes first."""
        if not self.solver.decides(s):
            return [(next((o for o in s.options if o[0] == "pass"), s.options[0]), None)]
        verdicts = self.solver.verdicts(s)
        if UNKNOWN in verdicts:
            raise UnprovedError
        good = [option for option, verdict in zip(s.options, verdicts, strict=True) if verdict is YES]
        good.sort(key=lambda option: (option[0] == "together", option[0] not in NO_STEPS))
        counts = NO in verdicts or s.ask.kind in FREE
        return [(o, self._step(o) if counts and o[0] not in NO_STEPS else None) for o in good]

    def _is_end(self, s: State) -> bool:
        """Tell whether the opponent has a real choice here, or the turn is over."""
        return is_over(s) or not (self.solver.decides(s) or len(s.options) == 1 or s.ask.kind in PASSES)

    def _step(self, option: Option) -> Step:
        what, x, y = option
        of = OPTIONS[what]
        return what, self._named(of.x, x), 0 if what == "resolve" else self._named(of.y, y)

    def _named(self, kind: str, x: int) -> object:
        return ("sort", self._sorts[x]) if kind in ("die", "thing") and x in self._sorts else x


def _sorts_of(s: State) -> list[int]:
    """Give each die the number of the first one that was like it when the puzzle began."""
    first: dict[tuple[object, ...], int] = {}
    return [first.setdefault(_looks(s, d), d) for d in range(s.table.n_dice)]


def _looks(s: State, d: int) -> tuple[object, ...]:
    zone = view.zone(s, d)
    looks: tuple[object, ...] = (view.card_of(s, d), zone, view.controller(s, d), view.owner(s, d))
    if view.shows_face(s, d):
        looks += (view.face(s, d), view.is_half_spent(s, d))
    if zone == FIELD:
        looks += (
            view.stats(s, d),
            view.damage(s, d),
            view.is_attacking(s, d),
            view.was_fielded_now(s, d),
            tuple(view.gifts(s, d)),
        )
    return looks
