"""Words that strangers send, made fit to be shown."""

from __future__ import annotations

import unicodedata

# Cc control, Cf invisible (right-to-left marks, joiners), Cs halves of pairs, Co private, Cn unassigned, Zl and Zp line ends
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def sanitize(text: str, max_length: int = 60) -> str:
    """Give the text on one line, without invisible characters, at most that long."""
    visible = "".join(
        " " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in _UNWANTED
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))[:max_length].rstrip()
