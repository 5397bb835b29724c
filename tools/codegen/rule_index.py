"""The rule index, docs/rule-index.md: `python -m tools.codegen.rule_index --write`.

The page lists for every rule of docs/rules.md the functions, classes and constants that cite it. A citation is `rules 3.4d1f` in a
comment or docstring; several numbers are separated by commas. Rules of the Scripted Opponent are also cited as `S18` alone.
Docstrings of modules may name a section for orientation and are not indexed.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dicemasters.rules.document import RulesDocument, read_document
from tools.codegen import write_or_check

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "dicemasters"
RULES = ROOT / "docs" / "rules.md"
PAGE = ROOT / "docs" / "rule-index.md"
BEGIN = "<!-- index: written by python -m tools.codegen.rule_index --write -->"
END = "<!-- end of index -->"

_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}(?:[a-z](?:\d{1,2}[a-z]?)?)?)?|S\d{1,2})"
_LIST = re.compile(rf"\brules? ({_NUMBER}(?:, {_NUMBER})*)(?![\w.]*\w)")
_SCRIPT = re.compile(r"(?<![\w#-])S(\d{1,2})(?: to S(\d{1,2}))?(?!\w)")
_QUOTED = re.compile(r"`[^`\n]*`|>>> .*?(?=\n\s*\n|\Z)", re.DOTALL)  # code, and doctests with their output
_WITHOUT_CODE = re.compile(rf"^\| ({_NUMBER}) \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A function, class or constant: its file below the sources, and its dotted name in the module."""

    file: str
    name: str

    @property
    def dotted_name(self) -> str:
        """The name with the module, as seen from the package."""
        return f"{self.file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}.{self.name}"


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule that a place cites. The name of the place is empty if a comment belongs to nothing."""

    number: str
    place: Place
    line: int


# --- reading the sources ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scope:
    """The lines of a definition. A scope of several lines contains those nested in it."""

    first: int
    last: int
    name: str


def without_code(text: str) -> str:
    """Return a comment or docstring without quoted code and doctests, whose numbers are not citations."""
    return _QUOTED.sub("", text)


def numbers_in(text: str) -> list[str]:
    """Return the rules that a comment or docstring cites, in order.

    >>> numbers_in("Deal the damage (rules 3.4d3a, 3.4d4b); see S7 to S9, but not `rules 5.1`.")
    ['3.4d3a', '3.4d4b', 'S7', 'S8', 'S9']
    """
    text = without_code(text)
    numbers = [number for cited in _LIST.findall(text) for number in cited.split(", ") if number[0] != "S"]
    for first, last in _SCRIPT.findall(text):
        numbers += [f"S{n}" for n in range(int(first), int(last or first) + 1)]
    return list(dict.fromkeys(numbers))


def commented_texts(file: str, source: str) -> Iterator[tuple[Place, int, str]]:
    """Yield the docstrings of functions and classes, and the comments, of one module: place, line and text."""
    tree = ast.parse(source)
    scopes = list(_scopes(tree))
    for line, text in _docstrings(tree):
        yield Place(file, _scope_around(scopes, line)), line, text
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if token.type == tokenize.COMMENT and not (_is_comment(lines, line) and _is_comment(lines, line - 1)):
            text, last = _joined_comment(lines, line, token.string)
            yield Place(file, _scope_around(scopes, line) or _scope_below(scopes, last)), line, text


def read_citations(file: str, source: str) -> list[Citation]:
    """Return the citations of one module."""
    return [
        Citation(number, place, line)
        for place, line, text in commented_texts(file, source)
        for number in numbers_in(text)
    ]


def _scopes(node: ast.AST, prefix: str = "") -> Iterator[_Scope]:
    """Yield the functions, classes and constants of a module, outer ones first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            name = f"{prefix}{child.name}"
            yield _Scope(first, child.end_lineno or first, name)
            if isinstance(child, ast.ClassDef):
                yield from _scopes(child, f"{name}.")
        elif isinstance(child, ast.Assign | ast.AnnAssign | ast.AugAssign) and not prefix:
            target = child.targets[0] if isinstance(child, ast.Assign) else child.target
            if isinstance(target, ast.Tuple):
                target = target.elts[0]
            if isinstance(target, ast.Name):
                yield _Scope(child.lineno, child.end_lineno or child.lineno, target.id)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of functions and classes with their first lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            text = ast.get_docstring(node)
            if text is not None:
                yield node.body[0].lineno, text


def _scope_around(scopes: list[_Scope], line: int) -> str:
    """Return the innermost definition that contains a line, or ""."""
    return next((scope.name for scope in reversed(scopes) if scope.first <= line <= scope.last), "")


def _scope_below(scopes: list[_Scope], line: int) -> str:
    """Return the definition that begins on the next line, or ""."""
    return next((scope.name for scope in scopes if scope.first == line + 1), "")


def _is_comment(lines: list[str], line: int) -> bool:
    return line > 0 and lines[line - 1].lstrip().startswith("#")


def _joined_comment(lines: list[str], line: int, text: str) -> tuple[str, int]:
    """Return a comment with the lines that continue it, and its last line: a list of numbers may be wrapped."""
    parts = [text.lstrip("# ")]
    while _is_comment(lines, line) and line < len(lines) and _is_comment(lines, line + 1):
        line += 1
        parts.append(lines[line - 1].strip().lstrip("# "))
    return " ".join(parts), line


def all_citations(sources: Path = SOURCES) -> list[Citation]:
    """Return the citations of all modules."""
    return [
        citation
        for path in sorted(sources.rglob("*.py"))
        for citation in read_citations(path.relative_to(sources).as_posix(), path.read_text(encoding="utf-8"))
    ]


# --- the rules -------------------------------------------------------------------------------------------------------


def leaf_rules(document: RulesDocument) -> list[str]:
    """Return the rules that the page lists: every number with nothing below it, except examples and rulings."""
    numbers = [item.number for item in document.items if item.number and item.number[0] not in "E#"]
    return [number for number in numbers if len(document.part(number)) == 1]


def rules_without_code(page: str) -> dict[str, str]:
    """Return the rules that the page lists as needing no code, with the reasons."""
    return dict(_WITHOUT_CODE.findall(page.partition(BEGIN)[0]))


def problems(page: str, document: RulesDocument, citations: Iterable[Citation]) -> list[str]:
    """Return what is wrong: rules without a place, citations of sections, and comments that belong to nothing."""
    leaves, no_code = leaf_rules(document), rules_without_code(page)
    found: list[str] = []
    cited: set[str] = set()
    for citation in citations:
        where = f"{citation.place.file}:{citation.line}"
        if citation.number not in document.numbers:
            found.append(f"{where} cites {citation.number}, which does not exist")
        elif citation.number not in leaves:
            found.append(f"{where} cites the section {citation.number}; name the rule that is meant")
        elif not citation.place.name:
            found.append(f"{where} cites {citation.number} outside any function, class or constant")
        cited.add(citation.number)
    found += [
        f"{number} is neither cited nor listed as without code"
        for number in leaves
        if number not in cited | no_code.keys()
    ]
    found += [f"{number} is listed as without code, but is cited" for number in no_code if number in cited]
    found += [f"{number} is listed as without code, but is no rule" for number in no_code if number not in leaves]
    return found


# --- the page --------------------------------------------------------------------------------------------------------


def render_index(document: RulesDocument, citations: Iterable[Citation], no_code: dict[str, str]) -> str:
    """Return a table for each section of the rules: the rule, and the places that cite it."""
    places: dict[str, set[Place]] = {}
    for citation in citations:
        places.setdefault(citation.number, set()).add(citation.place)
    lines: list[str] = []
    in_table = False
    for item in document.items:
        if item.level in (2, 3) and item.number[:1].isdigit() and _has_rules(document, item.number):
            lines += ["", f"{'#' * (item.level + 1)} {item.number} {item.title}"]
            in_table = False
        elif item.number in places or item.number in no_code:
            if not in_table:
                lines += ["", "| rule | code |", "|---|---|"]
                in_table = True
            names = ", ".join(_link(place) for place in sorted(places.get(item.number, ())))
            lines.append(f"| {item.number} | {names or 'none: ' + no_code[item.number]} |")
    return "\n".join(lines).strip()


def _has_rules(document: RulesDocument, number: str) -> bool:
    return bool({item.number for item in document.part(number)} & set(leaf_rules(document)))


def _link(place: Place) -> str:
    return f"[`{place.dotted_name}`](../src/dicemasters/{place.file})"


def render_page(page: str, document: RulesDocument, citations: Iterable[Citation]) -> str:
    """Return the page with the generated part up to date."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{render_index(document, citations, rules_without_code(page))}\n\n{END}{after}"


def main(argv: list[str] | None = None) -> int:
    """Write the page, or list what is wrong with it. Return 1 if something is."""
    parser = argparse.ArgumentParser(prog="python -m tools.codegen.rule_index", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/rule-index.md")
    args = parser.parse_args(argv)
    page, document, citations = (
        PAGE.read_text(encoding="utf-8"),
        read_document(RULES.read_text(encoding="utf-8")),
        all_citations(),
    )
    text = render_page(page, document, citations)
    found = problems(page, document, citations)
    for problem in found:
        print(problem, file=sys.stderr)
    return write_or_check(PAGE, text, write=args.write) or bool(found)


if __name__ == "__main__":
    sys.exit(main())
