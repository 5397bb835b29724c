"""Running score of solitaire games, stored in the user's data folder."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from dicemasters.paths import data_dir

FILE = "solitaire.json"
WON, LOST, TIED = "won", "lost", "tied"


@dataclass(frozen=True, slots=True)
class SolitaireScore:
    """Number of games won, lost and tied at one difficulty."""

    won: int = 0
    lost: int = 0
    tied: int = 0

    def with_result(self, result: str) -> SolitaireScore:
        return replace(self, **{result: getattr(self, result) + 1})


def read_scores(folder: Path | None = None) -> dict[str, SolitaireScore]:
    """Return the scores by difficulty, empty if none are stored. Raise `ValueError` if the file is invalid."""
    path = (folder or data_dir()) / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): _score(counts) for name, counts in data.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError):
        raise ValueError(f"{path}: this is not a solitaire score file; it was not changed") from None


def _score(counts: dict[str, object]) -> SolitaireScore:
    numbers = [counts.get(key, 0) for key in (WON, LOST, TIED)]
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers):
        raise ValueError(numbers)
    return SolitaireScore(*numbers)  # type: ignore[arg-type]


def add_result(difficulty: str, result: str, folder: Path | None = None) -> SolitaireScore:
    """Add a result and return the new score. Raise `ValueError` and keep the file if it is invalid."""
    folder = folder or data_dir()
    scores = read_scores(folder)
    scores[difficulty] = scores.get(difficulty, SolitaireScore()).with_result(result)
    data = {name: {WON: s.won, LOST: s.lost, TIED: s.tied} for name, s in scores.items()}
    folder.mkdir(parents=True, exist_ok=True)
    # written to a temporary file and moved into place, so that an interruption keeps the old file
    handle, name = tempfile.mkstemp(prefix=FILE, dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")
        os.replace(name, folder / FILE)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return scores[difficulty]


def score_lines(scores: dict[str, SolitaireScore]) -> list[str]:
    """Return the scores as text, one line per difficulty."""
    if not scores:
        return ["No solitaire game has been finished yet."]
    return [
        f"{name}: {s.won} won, {s.lost} lost" + (f", {s.tied} tied" if s.tied else "") for name, s in scores.items()
    ]
