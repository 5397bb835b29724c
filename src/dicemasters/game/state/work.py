"""The work counter: a limit on what one answer may cost, the same on every machine."""

from __future__ import annotations

from typing import Final

from dicemasters.game.state.state import State

#: steps of work for one answer. A step is a round of the game loop, or a comparable piece of a search for legal options.
WORK_LIMIT: Final = 20_000


class WorkLimitError(Exception):
    """An answer takes more work than any legal game needs, which makes the game void."""


def charge(s: State, steps: int) -> None:
    """Count steps of work; raise WorkLimitError if the limit is exceeded."""
    s.work += steps
    if s.work > WORK_LIMIT:
        raise WorkLimitError
