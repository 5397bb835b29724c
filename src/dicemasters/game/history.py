"""The states a game has been in: few of them are kept, the others are found by playing again."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.turn import loop

SPACING = 16  # of the states that are kept; the latest so many are there as well


class HistoryStep(NamedTuple):
    """What led from one state to the next."""

    option: Option
    script: tuple[tuple[int, int, int], ...]  # as it was then: somebody may have set it for this choice
    rng: int  # the generator that was set for this choice, as with fair dice; -1: it went on from the one before
    was_forced: bool  # there was no other option


class StateHistory:
    """The states before each choice of a game, which are never changed.

    A game of some hundred choices is held for as long as somebody looks at it, and a state takes several kilobytes. So of
    those that lie back only every sixteenth is kept. Whoever goes back is given the state that was: the engine plays the
    same choice in the same state alike.
    """

    __slots__ = ("_snapshots", "_steps")

    def __init__(self) -> None:
        self._steps: list[HistoryStep] = []
        self._snapshots: dict[int, State] = {}  # by how many choices had been made

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, state: State, option: Option, rng: int = -1) -> None:
        """Take in the state before a choice, and the choice."""
        number = len(self._steps)
        self._steps.append(HistoryStep(option, tuple(state.script), rng, len(state.options) == 1))
        self._snapshots[number] = state
        if (number - SPACING) % SPACING:
            self._snapshots.pop(number - SPACING, None)

    def state_at(self, choices: int) -> State:
        """Give the state in which so many choices had been made; it is not to be changed."""
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
            self._snapshots[n + 1] = state  # whoever goes back goes on going back
        return state

    def rewind_to(self, choices: int) -> State:
        """Forget what came after so many choices; give the state in which they had been made."""
        state = self.state_at(choices)
        for n in range(choices, len(self._steps)):
            self._snapshots.pop(n, None)
        del self._steps[choices:]
        return state.copy()

    def was_forced(self, choice: int) -> bool:
        """Tell whether a choice, from 0, was the only one there was."""
        return self._steps[choice].was_forced

    def copy(self) -> StateHistory:
        """Give a past that can go on otherwise."""
        other = StateHistory()
        other._steps, other._snapshots = self._steps[:], self._snapshots.copy()
        return other
