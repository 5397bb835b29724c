"""How often an analysis tries things out, if nobody says it."""

from typing import Final

ROLLOUTS: Final = 300  # for a position
ROLLOUTS_PER_GAME: Final = 60  # for each choice of a record
