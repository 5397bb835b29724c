"""The API reference is complete: exported names, their members and a docstring for each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tools.docs.api_docstrings import fields_of, process_docstring

import dicemasters
from dicemasters import Choice
from dicemasters._compiled import build_kind
from dicemasters.game.decision import LogEntry

is_pure = build_kind() == "pure Python"
API = Path(__file__).resolve().parents[2] / "docs" / "api"
PAGES = sorted(API.glob("*.md"))
DIRECTIVE = re.compile(r"^\.\. auto(\w+):: (\S+)((?:\n   :.*)*)", re.MULTILINE)
ENTRIES = {
    name: (kind, options) for page in PAGES for kind, name, options in DIRECTIVE.findall(page.read_text("utf-8"))
}


def resolve(name: str) -> object:
    """Return the object that a dotted name stands for."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


def members(obj: object) -> Iterator[tuple[str, object]]:
    """Yield the public functions, classes and methods that an entry documents, with their names."""
    if isinstance(obj, ModuleType):
        own = [x for x in vars(obj).values() if getattr(x, "__module__", None) == obj.__name__]
        for x in own:
            if (inspect.isclass(x) or inspect.isfunction(x)) and not x.__name__.startswith("_"):
                yield from members(x)
    elif inspect.isclass(obj):
        yield obj.__name__, obj
        for name, value in vars(obj).items():
            member = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if inspect.isfunction(member) and not name.startswith("_"):
                yield f"{obj.__name__}.{name}", member
    elif inspect.isfunction(obj):
        yield obj.__name__, obj


def test_every_exported_name_has_an_entry() -> None:
    assert {f"dicemasters.{name}" for name in dicemasters.__all__} <= set(ENTRIES)


def test_every_page_is_in_the_table_of_the_reference() -> None:
    overview = (API.parent / "api.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert f"(api/{page.name})" in overview
        assert f"\napi/{page.stem}\n" in overview


@pytest.mark.skipif(
    not is_pure, reason="compiled classes have no docstrings; the documentation is built from the sources"
)
@pytest.mark.parametrize("name", ENTRIES)
def test_entry_is_there_and_explained(name: str) -> None:
    kind, options = ENTRIES[name]
    obj = resolve(name)
    hidden = set(re.findall(r"\w+", "".join(re.findall(r":exclude-members: (.*)", options))))
    undocumented = [
        member
        for member, value in members(obj)
        if not inspect.getdoc(value)
        and not member.split(".")[-1].startswith("_")
        and member.split(".")[-1] not in hidden
    ]
    assert not undocumented
    assert isinstance(obj, ModuleType) == (kind == "module")


def test_fields_are_listed_with_their_types_and_comments() -> None:
    assert ("what", "str", "") in fields_of(Choice)
    assert ("move", "int", "number of choices made so far") in fields_of(LogEntry)


def test_pages_that_docstrings_mention_become_links() -> None:
    lines = ["See docs/bots.md."]
    process_docstring(None, "function", "f", len, None, lines)  # type: ignore[arg-type]
    assert lines == ["See :doc:`/bots`."]
