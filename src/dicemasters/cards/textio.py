"""Reading text files in the encodings that common editors and shells write."""

from __future__ import annotations

import codecs
from pathlib import Path


class TextFileError(ValueError):
    """A file that is not text. The message names the file and the position."""


def read_text(path: str | Path) -> str:
    """Return the text of a file.

    Raise `TextFileError` if it is not text and `OSError` if it cannot be read.
    """
    return decode(Path(path).read_bytes(), str(path))


def decode(data: bytes, name: str) -> str:
    """Return the text in `data`: UTF-8, or UTF-16 as PowerShell writes it. `name` identifies the file in errors."""
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
