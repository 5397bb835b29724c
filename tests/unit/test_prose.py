"""Docstrings, comments and documentation keep to plain English: phrases that read as translated do not come back."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A hit is a phrase to rewrite: name the thing instead of "whoever", "what may be" and the like.
PHRASES = re.compile(
    r"\b(somebody|whoever|whom|whose turn it is to do|comes to nothing|is told|are told|was told|goes on with|go on with|"
    r"so much as|for nothing|anew|by itself|of (?:its|their|one's) own|what may be|lies? (?:in|on|where)|is asked for|"
    r"has to do with|told apart|said so|says so|one may|one can)\b",
    re.IGNORECASE,
)
OPENINGS = re.compile(r"(Give|Tell whether|Say|Make that|Whoever|What|Who|How)\b")

# Phrases that are right where they are, with the reason.
ALLOWED = {
    "src/dicemasters/cards/language/event_words.py": {
        "whom",
        "of their own",
    },  # an argument's name; "one of their own dice"
    "docs/card-language.md": {"whom"},  # an argument's name
    # what a text or a rulebook says; who pays for whom; energy spent for nothing; dice that players own
    "docs/rules.md": {
        "by itself",
        "for nothing",
        "is asked for",
        "of its own",
        "of their own",
        "one may",
        "says so",
        "whom",
    },
    "docs/rulings.md": {"for nothing", "is asked for", "of its own", "of their own", "says so", "whoever", "whom"},
    "docs/scripted-opponent.md": {"of their own"},
    "tests/unit/test_prose.py": {"for nothing", "of their own", "what may be", "whoever", "whom"},  # this list
}

_BLOCK_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->", re.DOTALL)
_LINE_COMMENT = re.compile(r"(?:^|\s)//(.*)$", re.MULTILINE)


def files(*patterns: str) -> list[Path]:
    """Return the files of the checkout that match, without what is built or installed."""
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return [path for path in found if not {"node_modules", "static", "docs_html", "sets", "pyodide"} & set(path.parts)]


def docstrings(text: str) -> Iterator[str]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and (docstring := ast.get_docstring(node)):
            yield docstring


def python_prose(text: str) -> Iterator[str]:
    """Yield the docstrings and comments of Python source."""
    yield from docstrings(text)
    yield from (
        token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT
    )


def page_prose(text: str) -> Iterator[str]:
    """Yield the comments of TypeScript and Svelte source."""
    yield from _BLOCK_COMMENT.findall(text)
    yield from _LINE_COMMENT.findall(_BLOCK_COMMENT.sub("", text))


def prose_of(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return python_prose(text)
    return page_prose(text) if path.suffix in (".ts", ".svelte") else iter([text])


def translated_phrases(path: Path) -> list[str]:
    """Return each phrase in a file's prose that reads as translated."""
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    found = (phrase.lower() for piece in prose_of(path) for phrase in PHRASES.findall(" ".join(piece.split())))
    return [phrase for phrase in found if phrase not in allowed]


@pytest.mark.parametrize(
    "patterns",
    [
        ("src/**/*.py",),
        ("tools/**/*.py", "tests/**/*.py", "examples/**/*.py", "setup.py", "docs/conf.py"),
        ("*.md", "docs/**/*.md", "web/*.md", ".github/**/*.md", "examples/**/*.md"),
        ("web/src/**/*.ts", "web/src/**/*.svelte", "web/tests/**/*.ts"),
    ],
    ids=["package", "tools-and-tests", "documents", "page"],
)
def test_prose_has_no_translated_phrases(patterns: tuple[str, ...]) -> None:
    checked = files(*patterns)
    assert checked
    hits = {path.relative_to(ROOT).as_posix(): found for path in checked if (found := translated_phrases(path))}
    assert "\n".join(f"{name}: {found}" for name, found in hits.items()) == "", (
        "rewrite these, or allow them with a reason"
    )


def test_docstrings_say_what_a_function_returns_or_does() -> None:
    hits = [
        f"{path.relative_to(ROOT)}: {docstring.splitlines()[0]}"
        for path in files("src/**/*.py", "tools/**/*.py", "tests/**/*.py")
        for docstring in docstrings(path.read_text(encoding="utf-8"))
        if OPENINGS.match(docstring)
    ]
    assert "\n".join(hits) == ""


def test_allowed_phrases_are_still_there() -> None:
    for name, phrases in ALLOWED.items():
        text = " ".join((ROOT / name).read_text(encoding="utf-8").lower().split())
        assert all(phrase in text for phrase in phrases), name


def test_phrases_are_found_in_every_kind_of_prose(tmp_path: Path) -> None:
    python = tmp_path / "a.py"
    python.write_text('"""Whoever asks."""\nx = 1  # made anew\n', encoding="utf-8")
    page = tmp_path / "a.svelte"
    page.write_text("<!-- somebody -->\n<p>anew</p>\n// by\n/** goes\n * on */ // one may\n", encoding="utf-8")
    assert [p for piece in prose_of(python) for p in PHRASES.findall(piece)] == ["Whoever", "anew"]
    assert [p for piece in prose_of(page) for p in PHRASES.findall(piece)] == ["somebody", "one may"]
