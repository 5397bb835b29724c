"""Reading and writing games on disk; what goes wrong is said in one line that names the file."""

from __future__ import annotations

from pathlib import Path

from dicemasters.cards import Catalogue
from dicemasters.game import Game
from dicemasters.game.record import HEADING
from dicemasters.table.reading import read_text
from dicemasters.teams import draft_text
from dicemasters.teams.draft import Draft


def read_record(path: str, cards: Catalogue | None = None) -> Game:
    """Read a game record; a ValueError or OSError says which file and why."""
    text = read_text(path)
    try:
        return Game.from_record(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_draft(path: str, cards: Catalogue | None = None) -> Draft:
    """Read a draft; a ValueError or OSError says which file and why."""
    text = read_text(path)
    try:
        return Draft.from_text(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_record(path: str, game: Game) -> None:
    """Write the game's record; only another record is overwritten."""
    file = Path(path)
    _spare(file, HEADING, "game record")
    file.write_text(game.record.rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def keep_record(file: Path, game: Game) -> None:
    """Write the record of a game that is under way, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(game.record.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    fresh.replace(file)


def read_game(path: str, cards: Catalogue | None = None) -> Game:
    """Read a game to be gone on with: a record, or a position as `position` prints it."""
    text = read_text(path)
    try:
        game = Game.from_record(text, cards) if text.startswith(HEADING) else Game.from_text(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if game.fair is not None:
        raise ValueError(f"{path}: its dice come from throws at a table; it can be replayed, but not gone on with here")
    return game


def write_draft(path: str, draft: Draft) -> None:
    """Write a draft, whole or not at all; only another draft is overwritten."""
    file = Path(path)
    _spare(file, draft_text.HEADING, "draft")
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(draft.to_text(), encoding="utf-8", newline="\n")
    fresh.replace(file)


def _spare(file: Path, heading: str, what: str) -> None:
    """Refuse to overwrite a file that does not begin like ours."""
    if file.exists():
        with file.open("rb") as old:
            if old.read(len(heading)) != heading.encode():
                raise ValueError(f"{file}: this is no {what} and is left as it is; choose another name")
