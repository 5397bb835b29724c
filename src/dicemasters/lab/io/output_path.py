"""Where results go: looked at before anything is played, and named when it cannot be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_output_path(file: str | Path) -> Path:
    """Give where something is to be written; a ValueError or OSError says that nothing can be written there."""
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
    """Say which file it was that could not be written."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(path)) from None
