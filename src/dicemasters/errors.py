"""One-line error messages for the command line."""

from __future__ import annotations


def error_line(error: Exception) -> str:
    """Return an error as one line, with the file it concerns."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__
