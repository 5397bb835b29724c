"""Position notation: states serialised as readable text, like FEN in chess, and back (docs/notation.md).

Positions can be written by hand or by the game. State that words cannot express (unfinished effects, the random
generator, used-up limits) follows in one `also:` line, so text -> state -> text is an identity.
"""

from __future__ import annotations

from dicemasters.game.notation.die_notation import attackers_named, read_item, split_items
from dicemasters.game.notation.lexicon import (
    ATTRIBUTE_TEXT,
    EMPTY_TEXTS,
    MAX_ITEM_LENGTH,
    PLACES,
    STEPS,
    NotationError,
    UnplayableError,
    excerpt,
    has_machine_state,
    is_number,
    lines_of,
    strip_exactly,
)
from dicemasters.game.notation.reader import read_lines, read_position, read_without_advancing
from dicemasters.game.notation.writer import item_text, write_position, write_setup, written_face

__all__ = [
    "ATTRIBUTE_TEXT",
    "EMPTY_TEXTS",
    "MAX_ITEM_LENGTH",
    "PLACES",
    "STEPS",
    "NotationError",
    "UnplayableError",
    "attackers_named",
    "excerpt",
    "has_machine_state",
    "is_number",
    "item_text",
    "lines_of",
    "read_item",
    "read_lines",
    "read_position",
    "read_without_advancing",
    "split_items",
    "strip_exactly",
    "write_position",
    "write_setup",
    "written_face",
]
