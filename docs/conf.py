"""How the documentation site is made of these pages: `make docs`. A page for each set is written from the cards."""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path

from sphinx.application import Sphinx

from dicemasters import __version__, catalogue
from dicemasters.cards.catalogue import SETS, Card, type_name

HERE = Path(__file__).parent

project = "dicemasters"
author = "the dicemasters authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "dicemasters"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
suppress_warnings = ["myst.xref_missing", "myst.header", "misc.highlighting_failure"]
exclude_patterns = ["conf.py"]

_FILE = re.compile(r' href="[^"]*_downloads/[^"]*"')  # sources the pages link to; they are not part of the site
_HIDDEN = re.compile(r' style="display: none;?"')
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def write_sets(app: Sphinx) -> None:
    """Write a page for each set: every card with its numbers, faces and text."""
    folder = HERE / "sets"
    folder.mkdir(exist_ok=True)
    for key, name in SETS.items():
        cards = [card for card in catalogue() if card.set == key]
        lines = [f"# {name}", "", f"{len(cards)} cards. Find them at the terminal: `dicemasters cards set:{key}`.", ""]
        for card in cards:
            lines += _card(card)
        (folder / f"{key}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _card(card: Card) -> list[str]:
    energy = " and ".join(type_name(symbol) for symbol in card.energy)
    facts = [
        f"cost {card.cost} {energy}".strip(),
        ", ".join(card.affiliations),
        f"at most {card.max} dice",
        card.rarity,
    ]
    faces = [
        f"L{face.level}{'★' * face.burst} {face.field}/{face.a}/{face.d}" if face.level else "action" + "★" * face.burst if face.action
        else face.energy or str(face.generic)
        for face in card.die.faces
    ]  # fmt: skip
    text = [line.replace("*", "\\*").replace("[", "\\[") for line in card.text.splitlines()] or ["No text."]
    return [
        f"## {card.number}. {card.name}",
        "",
        " · ".join(fact for fact in facts if fact),
        "",
        *(part for line in text for part in (line, "")),
        f"`{'`  `'.join(faces)}`",
        "",
    ]


def move_inline(app: Sphinx, failed: Exception | None) -> None:
    """Put scripts and styles of pages into files, as the table's server allows none in a page, and leave sources out."""
    if failed or app.builder.name != "html":
        return
    out = Path(app.outdir)
    for page in out.rglob("*.html"):
        up = "../" * (len(page.relative_to(out).parts) - 1)

        def moved(found: re.Match[str], up: str = up) -> str:
            ending = "js" if found[1] == "script" else "css"
            name = f"_static/inline-{sha256(found[2].encode()).hexdigest()[:12]}.{ending}"
            (out / name).write_text(found[2], encoding="utf-8")
            return (
                f'<script src="{up}{name}"></script>'
                if ending == "js"
                else f'<link rel="stylesheet" href="{up}{name}">'
            )

        text = _FILE.sub("", page.read_text(encoding="utf-8"))
        text = _HIDDEN.sub(' width="0" height="0" class="hidden"', text)
        page.write_text(
            _INLINE.sub(moved, text).replace(
                "</head>", f'<link rel="stylesheet" href="{up}_static/hidden.css"></head>', 1
            ),
            encoding="utf-8",
        )
    (out / "_static" / "hidden.css").write_text(".hidden { display: none }\n", encoding="utf-8")
    shutil.rmtree(out / "_downloads", ignore_errors=True)


def setup(app: Sphinx) -> None:
    """Write the sets before the pages are read, and tidy the pages afterwards."""
    app.connect("builder-inited", write_sets)
    app.connect("build-finished", move_inline)
