"""A text on disk, as the usual editors and shells write it; what is no text is said in one line that names the file."""

from __future__ import annotations

import codecs
from pathlib import Path


class TextFileError(ValueError):
    """A file that is no text; the message names it and the place."""


def read_text(path: str | Path) -> str:
    """Read a text; a TextFileError or OSError says which file and why it is none."""
    return decode(Path(path).read_bytes(), str(path))


def decode(data: bytes, name: str) -> str:
    """Give the text of a file: UTF-8, or UTF-16 as PowerShell writes it."""
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start + (len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0)
        line = data.count(b"\n", 0, offset) + 1
        location = f"line {line}, byte {offset + 1} of the file"
        raise TextFileError(f"{name}: not a text file ({location}, is not UTF-{16 if is_utf16 else 8})") from None
    if "\0" in text:
        raise TextFileError(f"{name}: not a text file (it contains zero bytes)")
    return text
