"""One meaning per word: names of modules and classes are unique, and names that were replaced stay gone."""

from __future__ import annotations

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "dicemasters"
TOOLS = ROOT / "tools"
UNNAMED = ("__init__", "__main__", "env")  # Alembic requires a module `env`


def sources() -> list[Path]:
    """Return all Python files of the package and the tools, without database revisions."""
    found = [path for top in (PACKAGE, TOOLS) for path in sorted(top.rglob("*.py"))]
    return [path for path in found if "versions" not in path.parts]


def module_name(path: Path) -> str:
    """Return a module's dotted name: `game.state.frames` or `tools.verify.soak`."""
    parts = path.relative_to(PACKAGE if path.is_relative_to(PACKAGE) else ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in sources()}


def bound_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module or class defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (x.id for x in ast.walk(target) if isinstance(x, ast.Name))
    elif isinstance(node, ast.If | ast.Try):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from bound_names(child)


def defined_names() -> set[str]:
    """Return the dotted names of everything that modules and classes define, attributes set on `self` included."""
    found = set()
    for module, tree in TREES.items():
        for node in tree.body:
            found |= {f"{module}.{name}" for name in bound_names(node)}
        for cls in (x for x in ast.walk(tree) if isinstance(x, ast.ClassDef)):
            members = {name for node in cls.body for name in bound_names(node)}
            members |= {
                x.attr
                for x in ast.walk(cls)
                if isinstance(x, ast.Attribute) and isinstance(x.ctx, ast.Store) and ast.unparse(x.value) == "self"
            }
            found |= {f"{module}.{cls.name}.{name}" for name in members}
    return found


def test_module_names_are_unique() -> None:
    by_name = defaultdict(list)
    for path in sources():
        if path.stem not in UNNAMED:
            by_name[path.stem].append(path.relative_to(ROOT).as_posix())
    assert {name: paths for name, paths in by_name.items() if len(paths) > 1} == {}


def test_public_class_names_are_unique() -> None:
    by_name = defaultdict(list)
    for module, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                by_name[node.name].append(module)
    assert {name: modules for name, modules in by_name.items() if len(modules) > 1} == {}


def test_replaced_names_do_not_come_back() -> None:
    with (TOOLS / "renames.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kept_files = {row["new"] for row in rows if row["kind"] == "file"}
    kept_names = {row["new"] for row in rows if row["kind"] != "file"}
    defined = defined_names()
    back = []
    for row in rows:
        old, new = row["old"], row["new"]
        if row["kind"] == "file":
            if (ROOT / old).is_file() and old not in kept_files:
                back.append(old)
        elif ":" not in old:  # a Python symbol
            where, _, name = new.rpartition(".")
            again = f"{where}.{old.rpartition('.')[2]}"
            if again in defined and again not in kept_names:
                back.append(f"{again} (now {name})")
    assert back == []


def test_glossary_names_existing_code() -> None:
    rows = [
        line.split("|")
        for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
        if "|" in line
    ]
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row[2])]
    assert len(named) > 50
    defined = {name.rpartition(".")[2] for name in defined_names()}
    packages = {
        ".".join(parts[:n]) for parts in (module.split(".") for module in TREES) for n in range(1, len(parts) + 1)
    }
    unknown = [
        name
        for name in named
        if name not in defined
        and not any(name in (module, module.partition(".")[2]) for module in packages)
        and name != "Decision.options"
    ]
    assert unknown == []
