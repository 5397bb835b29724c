"""Output paths: checked before anything is computed, and named in errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_output_path(file: str | Path) -> Path:
    """Return the path of an output file. Raise `ValueError` or `OSError` if it cannot be written."""
    path = Path(file)
    if not path.resolve().parent.is_dir():
        raise ValueError(f"{file}: there is no such folder")
    is_new = not path.exists()
    with naming_file(path), path.open("ab"):
        pass
    if is_new:
        path.unlink()
    return path


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Name the file in every `OSError` that is raised inside the context."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(path)) from None
