"""How often an analysis tries things out, if nobody says it."""

from typing import Final

TRIES: Final = 300  # for a position
TRIES_OF_A_GAME: Final = 60  # for each choice of a record
