"""Reading a text from disk; what goes wrong is said in one line that names the file. Knows nothing of games."""

from __future__ import annotations

from pathlib import Path


def read_text(path: str) -> str:
    """Read a text; a ValueError or OSError says which file and why it is none."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file (byte {error.start + 1} is not UTF-8)") from None
    if "\0" in text:
        raise ValueError(f"{path}: not a text file (it contains zero bytes)")
    return text


def reason(error: Exception) -> str:
    """Say an error in one line, with the file it is about."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__
