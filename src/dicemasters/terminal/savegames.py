"""Reading and writing games and drafts. Every error message names the file."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dicemasters.cards import Catalogue
from dicemasters.cards.textio import read_text
from dicemasters.game import Game
from dicemasters.game.notation.record import HEADING
from dicemasters.paths import data_dir

if TYPE_CHECKING:
    from dicemasters.teams.draft import Draft

GAMES = "games"  # folder of autosaved games
MAX_AUTOSAVES = 20
UNFINISHED = "result: unfinished"  # last line in the record of an unfinished game


def read_record(path: str, cards: Catalogue | None = None) -> Game:
    """Read a game record. Raise `ValueError` or `OSError` if that fails."""
    text = read_text(path)
    try:
        return Game.from_record(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_draft(path: str, cards: Catalogue | None = None) -> Draft:
    """Read a draft. Raise `ValueError` or `OSError` if that fails."""
    from dicemasters.teams.draft import Draft  # imported on use, since most commands need no drafts

    text = read_text(path)
    try:
        return Draft.from_text(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_record(path: str, game: Game) -> None:
    """Write the game's record. Raise `ValueError` rather than overwrite a file of another kind."""
    file = Path(path)
    _refuse_overwrite(file, HEADING, "game record")
    file.write_text(game.record.rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def autosave_file() -> Path:
    """Return a new autosave path and delete the oldest autosaves over the limit."""
    folder = data_dir() / GAMES
    saves = sorted(folder.glob("game-*.txt")) if folder.is_dir() else []
    for path in saves[: max(0, len(saves) - MAX_AUTOSAVES + 1)]:
        with contextlib.suppress(OSError):  # not ours, or in a read-only folder
            path.unlink()
    # the process id separates two games started in the same second
    return folder / f"game-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.txt"


def latest_autosave() -> Path:
    """Return the newest autosave of an unfinished game. Raise `ValueError` if there is none."""
    folder = data_dir() / GAMES
    for path in sorted(folder.glob("game-*.txt"), reverse=True) if folder.is_dir() else ():
        if read_text(path).rstrip().endswith(UNFINISHED):
            return path
    raise ValueError(f"there is no unfinished game in {folder}")


def autosave_record(file: Path, game: Game) -> None:
    """Write the record of a running game atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.new")
    partial.write_text(game.record.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    partial.replace(file)


def read_game(path: str, cards: Catalogue | None = None) -> Game:
    """Read a game to continue: a record, or a position as printed by `position`."""
    text = read_text(path)
    if text.lstrip().startswith(HEADING):
        return _require_no_fair_dice(path, read_record(path, cards))
    return read_position(path, text, cards)


def read_position(path: str, text: str, cards: Catalogue | None = None) -> Game:
    """Return a game from the text of a position file. Raise `ValueError` if it is invalid."""
    if not text.strip():
        raise ValueError(f"{path}: the file is empty; expected a game record or a position")
    try:
        return Game.from_text(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _require_no_fair_dice(path: str, game: Game) -> Game:
    if game.fair is not None:
        raise ValueError(f"{path}: this game uses fair dice; it can be replayed, but not continued here")
    return game


def write_draft(path: str, draft: Draft) -> None:
    """Write a draft atomically. Raise `ValueError` rather than overwrite a file of another kind."""
    from dicemasters.teams.draft_notation import HEADING as DRAFT_HEADING

    file = Path(path)
    _refuse_overwrite(file, DRAFT_HEADING, "draft")
    partial = file.with_name(f"{file.name}.new")
    partial.write_text(draft.to_text(), encoding="utf-8", newline="\n")
    partial.replace(file)


def _refuse_overwrite(file: Path, heading: str, kind: str) -> None:
    """Raise `ValueError` if the file exists and does not begin with `heading`."""
    if file.exists():
        with file.open("rb") as old:
            if old.read(len(heading)) != heading.encode():
                raise ValueError(f"{file}: not overwritten, because it is not a {kind}; choose another name")
