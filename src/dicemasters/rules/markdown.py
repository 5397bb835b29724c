"""Inline Markdown inside a rule: bold, italics, code and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

TokenKind = Literal["plain", "bold", "italic", "code"]
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]+\)")


def inline_tokens(text: str) -> Iterator[tuple[TokenKind, str]]:
    """Yield the pieces of a text with their markup; links are reduced to their text.

    >>> list(inline_tokens("a *die*, see [formats.md](formats.md)"))
    [('plain', 'a '), ('italic', 'die'), ('plain', ', see '), ('plain', 'formats.md')]
    """
    end = 0
    kinds: tuple[TokenKind, ...] = ("code", "bold", "italic", "plain")
    for match in _MARKED.finditer(text):
        if match.start() > end:
            yield "plain", text[end : match.start()]
        yield next((kind, content) for kind, content in zip(kinds, match.groups(), strict=True) if content)
        end = match.end()
    if end < len(text):
        yield "plain", text[end:]


def strip_markup(text: str) -> str:
    """Return a text without its markup."""
    return "".join(content for _, content in inline_tokens(text))
