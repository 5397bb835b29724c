"""Default numbers of rollouts for analyses."""

from typing import Final

ROLLOUTS: Final = 300  # per position
ROLLOUTS_PER_GAME: Final = 60  # per decision of a record
