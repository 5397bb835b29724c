"""The documents of docs/ that the program reads: from docs/ in a checkout, next to this module when installed."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

RULES, RULINGS = "rules.md", "rulings.md"
DOCUMENTS = (RULES, RULINGS)  # copied into a wheel when it is built (tools/build/package_documents.py)


def document_bytes(name: str) -> bytes:
    """Return the content of one of `DOCUMENTS`."""
    bundled = resources.files("dicemasters.rules") / name
    if bundled.is_file():
        return bundled.read_bytes()
    return (Path(__file__).parents[3] / "docs" / name).read_bytes()


def document_text(name: str) -> str:
    """Return the text of one of `DOCUMENTS`."""
    return document_bytes(name).decode()
