"""Reading and writing games on disk; what goes wrong is said in one line that names the file."""

from __future__ import annotations

from pathlib import Path

from dicemasters.cards import Catalogue
from dicemasters.game import Game
from dicemasters.game.record import HEADING


def read_record(path: str, cards: Catalogue | None = None) -> Game:
    """Read a game record; a ValueError or OSError says which file and why."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file (byte {error.start + 1} is not UTF-8)") from None
    if "\0" in text:
        raise ValueError(f"{path}: not a text file (it contains zero bytes)")
    try:
        return Game.from_record(text, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_record(path: str, game: Game) -> None:
    """Write the game's record; only another record is overwritten."""
    file = Path(path)
    if file.exists():
        with file.open("rb") as old:
            if old.read(len(HEADING)) != HEADING.encode():
                raise ValueError(f"{path}: this is no game record and is left as it is; choose another name")
    file.write_text(game.record.rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def reason(error: Exception) -> str:
    """Say an error in one line, with the file it is about."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__
