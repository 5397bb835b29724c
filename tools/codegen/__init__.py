"""Generators of files that are kept in the repository; `make generate` runs them."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(file: Path, text: str, *, write: bool) -> int:
    """Write a file that is out of date, or only name it. Return 1 if it stays out of date."""
    if file.read_text(encoding="utf-8") == text:
        return 0
    if not write:
        print(f"{file} is out of date: run `make generate`", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    print(f"written: {file}")
    return 0
