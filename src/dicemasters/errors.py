"""What went wrong, in one line that names the file. Knows nothing of games."""

from __future__ import annotations


def error_line(error: Exception) -> str:
    """Say an error in one line, with the file it is about."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__
