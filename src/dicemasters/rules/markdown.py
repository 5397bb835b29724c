"""The little Markdown that stands inside a rule: bold, italics, code, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

TokenKind = Literal["plain", "bold", "italic", "code"]
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]+\)")


def inline_tokens(text: str) -> Iterator[tuple[TokenKind, str]]:
    """Cut a text into pieces with what marks them; of a link its words stay.

    >>> list(inline_tokens("a *die*, see [formats.md](formats.md)"))
    [('plain', 'a '), ('italic', 'die'), ('plain', ', see '), ('plain', 'formats.md')]
    """
    end = 0
    kinds: tuple[TokenKind, ...] = ("code", "bold", "italic", "plain")
    for found in _MARKED.finditer(text):
        if found.start() > end:
            yield "plain", text[end : found.start()]
        yield next((kind, said) for kind, said in zip(kinds, found.groups(), strict=True) if said)
        end = found.end()
    if end < len(text):
        yield "plain", text[end:]


def strip_markup(text: str) -> str:
    """Give a text without its marks."""
    return "".join(said for _, said in inline_tokens(text))
