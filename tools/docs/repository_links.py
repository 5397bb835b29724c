"""Links of the pages to files of the repository, which the built site does not contain."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# pages whose text is a file at the top of the repository
TOP_LEVEL_PAGES = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|`[^`]*`)*)\]\(([^()\s]+)\)")


def page_source(docname: str, text: str) -> str:
    """Return the text of a page with links that work on the site.

    Links between pages stay. A link to a file that has a page, such as CONTRIBUTING.md, leads to the page, and links
    to other files of the repository become plain text.
    """
    folder = (DOCS / docname).parent
    if docname in TOP_LEVEL_PAGES:
        folder = ROOT
        text = (ROOT / TOP_LEVEL_PAGES[docname]).read_text(encoding="utf-8")

    def resolved(found: re.Match[str]) -> str:
        path, anchor = found[2].partition("#")[::2]
        if not path or "://" in path or path.startswith("mailto:"):
            return found[0]
        target = (folder / path).resolve()
        for page, file in TOP_LEVEL_PAGES.items():
            if target == ROOT / file:
                target = DOCS / f"{page}.md"
        if not target.is_relative_to(DOCS):
            return found[1]
        up = "../" * docname.count("/")
        return f"[{found[1]}]({up}{target.relative_to(DOCS).as_posix()}{'#' if anchor else ''}{anchor})"

    return _LINK.sub(resolved, text)
