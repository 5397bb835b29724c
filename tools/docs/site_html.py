"""Post-processing of the built pages for the server's content security policy: no inline code, no unused files."""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
_STYLES = (
    (re.compile(r' style="display: none;?"'), ' class="hidden"'),
    (re.compile(r' style="opacity: 50%"'), ' opacity="0.5"'),
    (re.compile(r' style="[^"]*"(?=[ />])'), ""),  # for example, widths of columns
)


def move_inline_code(out: Path) -> None:
    """Move the inline scripts and styles of all pages below `out` into files."""
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        up = "../" * (len(page.relative_to(out).parts) - 1)

        def moved(found: re.Match[str], up: str = up) -> str:
            is_script = found[1] == "script"
            name = f"_static/inline-{sha256(found[2].encode()).hexdigest()[:12]}.{'js' if is_script else 'css'}"
            (out / name).write_text(found[2], encoding="utf-8")
            return f'<script src="{up}{name}"></script>' if is_script else f'<link rel="stylesheet" href="{up}{name}">'

        tidy = _INLINE.sub(moved, text)
        for style, attribute in _STYLES:
            tidy = style.sub(attribute, tidy)
        if tidy != text:
            page.write_text(tidy, encoding="utf-8")


def remove_unused(out: Path) -> None:
    """Remove what no page links to: the sources of the pages, and debugging files of the theme."""
    for name in ("_downloads", "_sources"):
        shutil.rmtree(out / name, ignore_errors=True)
    for path in (out / "_static").rglob("*.map"):
        path.unlink()
