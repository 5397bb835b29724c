"""Links of the Markdown files lead to files and headings that exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tools.docs.repository_links import ROOT, page_source

from dicemasters.cards.catalogue import SETS

DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "web/README.md")),
    *(path for path in sorted(DOCS.rglob("*.md")) if path.parent != DOCS / "sets"),
]
GENERATED = {DOCS / "sets" / f"{key}.md" for key in SETS}  # written when the site is built

_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1`*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(<?([^()\s>]+)>?(?: \"[^\"]*\")?\)|^\[[^\]]+\]: (\S+)$|(?:href|src)=\"([^\"]+)\"", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def links(path: Path) -> list[str]:
    """Return the targets of all links and pictures outside code."""
    text = _CODE.sub("", path.read_text(encoding="utf-8"))
    return ["".join(found) for found in _LINK.findall(text)]


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of a Markdown file: its headings as GitHub and MyST write them, and explicit ones."""
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"|^\(([\w-]+)\)=$", text, re.MULTILINE))
    explicit = {name for pair in found for name in pair if name}
    headings: dict[str, int] = {}
    for title in _HEADING.findall(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        headings[slug] = headings.get(slug, -1) + 1
    return explicit | set(headings) | {f"{slug}-{n}" for slug, count in headings.items() for n in range(1, count + 1)}


def problem(path: Path, link: str) -> str:
    """Return what is wrong with a link of a file, or ""."""
    target, anchor = link.partition("#")[::2]
    if link.startswith(("https://", "http://", "mailto:")):
        return ""
    file = (path.parent / target).resolve() if target else path
    if file in GENERATED:
        return ""
    if not file.exists():
        return f"{link}: there is no such file"
    if not file.is_relative_to(ROOT):
        return f"{link}: leads out of the repository"
    if anchor and (file.suffix != ".md" or anchor not in anchors(file)):
        return f"{link}: {file.name} has no heading {anchor}"
    return ""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    problems = [text for link in links(path) if (text := problem(path, link))]
    assert not problems


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("nowhere.md", "no such file"),
        ("rules.md#no-such-heading", "no heading no-such-heading"),
        ("../src/dicemasters/nothing.py", "no such file"),
        ("#nothing", "no heading nothing"),
        ("../../elsewhere", "no such file"),
    ],
)
def test_dead_link_is_found(link: str, text: str) -> None:
    assert text in problem(DOCS / "index.md", link)


def test_link_of_every_kind_is_checked(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text('[a](b.md) ![c](d.svg)\n\n[e]: f.md\n\n<img src="g.png">\n\n`[no](h.md)`\n', encoding="utf-8")
    assert links(page) == ["b.md", "d.svg", "f.md", "g.png"]


def test_site_has_only_links_that_work_there() -> None:
    text = "[a](../src/x.py) [b](rules.md#3-the-turn) [c](../CONTRIBUTING.md) [d](https://x.org) ![e](../y.svg)"
    assert page_source("index", text) == (
        "a [b](rules.md#3-the-turn) [c](contributing.md) [d](https://x.org) ![e](../y.svg)"
    )
    assert "](architecture.md)" in page_source("contributing", "")


@pytest.mark.parametrize("folder", ["src", "tools", "tests", "examples", "web/src"])
def test_page_that_the_sources_mention_exists(folder: str) -> None:
    sources = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".ts", ".svelte", ".toml")]
    missing = {
        f"{path.relative_to(ROOT)}: {page}"
        for path in sources
        for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
        if not (ROOT / page).exists() and ROOT / page not in GENERATED
    }
    assert not missing
