"""Sphinx configuration of the documentation site: `make docs` builds it, and the server has it at /docs.

Most pages are the Markdown files of this folder. Generated while building, by the modules of tools/docs:

- one page per card set (docs/sets/*.md, not committed),
- the commands in docs/cli.md, from the argument parsers,
- the API reference, from docstrings.

The server's content security policy allows no inline scripts or styles and nothing from other hosts, so inline code is
moved into files after the build.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))  # for the package `tools`
os.environ["DICEMASTERS_PURE"] = "1"  # docstrings and comments are those of the Python sources

from tools.docs import api_docstrings  # noqa: E402
from tools.docs.cli_reference import cli_reference  # noqa: E402
from tools.docs.repository_links import page_source  # noqa: E402
from tools.docs.set_pages import dice_css, set_page  # noqa: E402
from tools.docs.site_html import move_inline_code, remove_unused  # noqa: E402
from tools.docs.theme_colors import theme_variables  # noqa: E402

from dicemasters import __version__  # noqa: E402
from dicemasters.cards.catalogue import SETS  # noqa: E402
from dicemasters.extras import EXTRAS  # noqa: E402

# --- project ---------------------------------------------------------------------------------------------------------

project = "dicemasters"
author = "the dicemasters authors"
release = version = __version__

# --- sources ---------------------------------------------------------------------------------------------------------

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4  # headings up to this level can be linked
highlight_language = "none"  # of blocks without a language
smartquotes = False  # quotation marks in commands and card names stay as they are
exclude_patterns = ["conf.py", "_static", "_templates"]
suppress_warnings = [
    "myst.header",  # the rules begin some sections two levels deeper
    "misc.highlighting_failure",  # blocks such as `position` have no lexer
]

# --- API reference ---------------------------------------------------------------------------------------------------

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"  # "play" instead of "Game.play" in the contents of a page
default_role = "py:obj"  # `Game` in a docstring links to the class
# Building a wheel installs no extras; their packages are replaced where they are missing.
autodoc_mock_imports = [name for name in sorted(set().union(*EXTRAS.values())) if find_spec(name) is None]

# --- HTML ------------------------------------------------------------------------------------------------------------

html_theme = "furo"
html_title = "dicemasters"
html_static_path = ["_static", "../web/src/ui/fonts"]
html_css_files = ["dicemasters.css", "dice.css"]
html_js_files = ["search-box.js"]
templates_path = ["_templates"]
html_show_sphinx = html_show_copyright = html_copy_source = False
light_colors, dark_colors = theme_variables()
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": light_colors,
    "dark_css_variables": dark_colors,
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/play.html",  # in docs/_templates: the way back to the game
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}

# --- what is generated -----------------------------------------------------------------------------------------------

COMMANDS_MARK = "<!-- The site lists the commands here"


def write_sets(app: Sphinx) -> None:
    """Write a page for each card set, unless it is there already and has not changed."""
    folder = DOCS / "sets"
    folder.mkdir(exist_ok=True)
    for key in SETS:
        page, text = folder / f"{key}.md", set_page(key)
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def prepare_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Fix the links of a page to files of the repository, and add the generated commands."""
    text = page_source(docname, source[0])
    if docname == "cli":
        text = text[: text.index(COMMANDS_MARK)] + cli_reference()
    source[0] = text


def generated_pages(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Return the pages to read again in every build, because their sources are not files of this folder."""
    return ["cli", "contributing", "changelog"]


def finish(app: Sphinx, failed: Exception | None) -> None:
    """Fit the pages to the server's content security policy, and write the colours of the dice."""
    if failed or app.builder.name != "html":
        return
    out = Path(app.outdir)
    (out / "_static" / "dice.css").write_text(dice_css(), encoding="utf-8")
    move_inline_code(out)
    remove_unused(out)


def setup(app: Sphinx) -> None:
    """Connect the functions above to the build."""
    api_docstrings.setup(app)
    app.connect("builder-inited", write_sets)
    app.connect("source-read", prepare_source)
    app.connect("env-get-outdated", generated_pages)
    app.connect("build-finished", finish)
