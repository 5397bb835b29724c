"""Earlier states of a game: some are stored, the others are recomputed by replaying choices."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.turn import loop

SPACING = 16  # distance between stored states; the most recent states within it are also stored


class HistoryStep(NamedTuple):
    """The choice that led from one state to the next, with its random input."""

    option: Option
    script: tuple[tuple[int, int, int], ...]  # the script at that moment, which may have been set for this choice
    rng: int  # the generator set for this choice, as with fair dice; -1 if it was not set
    was_forced: bool  # it was the only option


class StateHistory:
    """The states before each choice of a game, which are never modified.

    A game of several hundred choices stays in memory while clients watch it, and a state takes several kilobytes. So
    only every sixteenth older state is stored. Any other state is recomputed: the engine is deterministic, so the
    same choice in the same state leads to the same next state.
    """

    __slots__ = ("_snapshots", "_steps")

    def __init__(self) -> None:
        self._steps: list[HistoryStep] = []
        self._snapshots: dict[int, State] = {}  # by number of choices made before

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, state: State, option: Option, rng: int = -1) -> None:
        """Append a choice and the state before it."""
        number = len(self._steps)
        self._steps.append(HistoryStep(option, tuple(state.script), rng, len(state.options) == 1))
        self._snapshots[number] = state
        if (number - SPACING) % SPACING:
            self._snapshots.pop(number - SPACING, None)

    def state_at(self, choices: int) -> State:
        """Return the state after this number of choices; the caller must not modify it."""
        snapshot = self._snapshots.get(choices)
        if snapshot is not None:
            return snapshot
        nearest = choices - choices % SPACING
        state = self._snapshots[nearest]
        for n in range(nearest, choices):
            replayed = state.copy()
            step = self._steps[n]
            replayed.script = list(step.script)
            if step.rng >= 0:
                replayed.rng = step.rng
            loop.apply(replayed, step.option)
            state = replayed
            state.script = list(self._steps[n + 1].script)
            self._snapshots[n + 1] = state  # callers that step back usually continue to do so
        return state

    def rewind_to(self, choices: int) -> State:
        """Drop everything after this number of choices, and return a copy of the state at that point."""
        state = self.state_at(choices)
        for n in range(choices, len(self._steps)):
            self._snapshots.pop(n, None)
        del self._steps[choices:]
        return state.copy()

    def was_forced(self, choice: int) -> bool:
        """Return whether a choice, counted from 0, was the only option."""
        return self._steps[choice].was_forced

    def copy(self) -> StateHistory:
        """Return an independent copy."""
        other = StateHistory()
        other._steps, other._snapshots = self._steps[:], self._snapshots.copy()
        return other
