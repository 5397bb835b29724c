"""Sanitising of text from clients before it is shown."""

from __future__ import annotations

import unicodedata

# Cc control, Cf invisible (right-to-left marks, joiners), Cs surrogates, Co private, Cn unassigned, Zl and Zp line ends
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def sanitize(text: str, max_length: int = 60) -> str:
    """Return the text on one line, without invisible characters, cut to `max_length`."""
    visible = "".join(
        " " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in _UNWANTED
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))[:max_length].rstrip()
