"""Who may know whom (docs/architecture.md): every import goes downwards."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import dicemasters

ROOT = Path(dicemasters.__file__).parent
NAME = "dicemasters"

# the rooms and whom they may know beside themselves
ROOMS: dict[str, set[str]] = {
    "cards": set(),
    "game": {"cards"},
    "rules": {"cards", "game"},
    "players": {"cards", "game"},
    "teams": {"cards", "game", "players"},
    "lessons": {"cards", "game"},
    "lab": {"cards", "game", "players", "teams", "rules", "lessons", "table", "form"},
    "table": {"cards", "game", "players", "teams", "rules", "lessons", "form"},
}

# a home-made card is laid on a table when it is read; the sets are read when somebody asks for one
LATE = {("cards.files", "game.editions"), ("cards.files", "game.setup")}

# the engine, from the bottom to the top: each knows only what stands before it
FLOORS: tuple[tuple[str, ...], ...] = (
    ("casts", "editions", "fair", "frames", "kinds"),
    ("decision", "renaming"),
    ("state",),
    ("look", "meanings", "solitaire"),
    ("changes", "decide", "finding", "lives"),
    ("amounts", "descriptions", "sentence"),
    ("conditions",),
    ("compiler",),
    ("setup",),
    ("also", "features", "names", "naming"),
    ("moves",),
    ("energy",),
    ("triggers",),
    ("would",),
    ("effects.reach", "knockout"),
    ("damage", "effects.possible"),
    ("combat", "effects.asking", "effects.choosing", "effects.gifts", "effects.harm", "effects.naming", "single"),
    ("acts", "effects.dice"),
    ("effects.acts", "together"),
    ("effects.run", "priority", "say"),
    ("picture", "steps", "why"),
    ("attack_step",),
    ("turn",),
    ("notation.words", "parts"),
    ("arrange", "chances", "notation.items", "why_not"),
    ("notation.reading",),
    ("notation.writing",),
    ("notation",),
    ("record",),
    ("game",),
    ("collecting", "forced"),
    ("stage",),
    ("scenario",),
)


@lru_cache
def files() -> dict[str, Path]:
    """Give every module of the package with its file."""
    found: dict[str, Path] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(module: str, late: bool) -> Iterator[str]:
    """List what a module imports when it is loaded, or late, inside a function; what only types need is neither."""
    known = files()

    def visit(node: ast.AST, inside: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.ImportFrom) and inside == late and (child.module or "").startswith(NAME):
                base = (child.module or "").removeprefix(NAME).removeprefix(".")
                for alias in child.names:
                    full = f"{base}.{alias.name}".removeprefix(".")
                    yield full if full in known else base
            yield from visit(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    yield from visit(ast.parse(known[module].read_text(encoding="utf-8")), False)


def test_the_rooms_know_only_whom_they_may() -> None:
    wrong: list[str] = []
    for module in files():
        room = module.split(".")[0]
        for late in (False, True):
            for other in imports(module, late):
                there = other.split(".")[0]
                if (
                    room not in ROOMS
                    or there in ("", room)
                    or there in ROOMS[room]
                    or (late and (module, other) in LATE)
                ):
                    continue
                wrong.append(f"{module} knows {other}")
    assert not wrong


def test_every_import_of_the_engine_goes_down() -> None:
    floor = {f"game.{name}": at for at, names in enumerate(FLOORS) for name in names}
    engine = {name for name in files() if name.startswith("game.") and name != "game.effects"}
    assert engine == set(floor), "docs/architecture.md and FLOORS say where a room of the engine belongs"
    up = [
        f"{module} knows {other}"
        for module in engine
        for other in imports(module, late=False)
        if other in floor and floor[other] >= floor[module]
    ]
    assert not up


def test_nothing_in_the_engine_is_imported_late() -> None:
    assert not [
        f"{module} imports {other}"
        for module in files()
        for other in imports(module, late=True)
        if module.startswith("game")
    ]


@pytest.mark.parametrize("name", ["frames", "renaming", "state"])
def test_the_state_stands_at_the_bottom(name: str) -> None:
    assert set(imports(f"game.{name}", late=False)) <= {"game.frames", "game.renaming"}
