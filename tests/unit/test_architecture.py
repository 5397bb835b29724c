"""Who may know whom (docs/architecture.md): every import goes downwards, and nobody outside knows how a state is made."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import dicemasters
from dicemasters.game.state.constants import ZONE_NAMES

ROOT = Path(dicemasters.__file__).parent
NAME = "dicemasters"

DOMAIN = {"cards", "game", "rules", "players", "teams", "lessons", "puzzles"}
BASE = {"_compiled", "errors", "extras", "paths"}

# the rooms and whom they may know beside themselves
ROOMS: dict[str, set[str]] = {
    "cards": set(),
    "game": {"cards"},
    "rules": {"cards", "game"},
    "players": {"cards", "game"},
    "teams": {"cards", "game", "players"},
    "lessons": {"cards", "game"},
    "puzzles": {"cards", "game", "players"},
    "service": DOMAIN | BASE,
    "server": DOMAIN | BASE | {"service"},
    "webworker": DOMAIN | BASE | {"service"},
    "terminal": DOMAIN | BASE | {"service"},
    "client": DOMAIN | BASE | {"service"},
    "lab": DOMAIN | BASE | {"service"},
    "cli": DOMAIN | BASE | {"service", "server", "webworker", "terminal", "client", "lab"},
    "__main__": {"cli"},
    **{key: set() for key in BASE},
}

# a home-made card is laid on a table when it is read; the sets are read when somebody asks for one
LATE = {("cards.toml_loader", "game.rulesets.editions"), ("cards.toml_loader", "game.game_spec")}

# the engine, from the bottom to the top: each knows only what stands before it
FLOORS: tuple[tuple[str, ...], ...] = (
    (
        "abilities.each_player",
        "fair_dice",
        "rulesets.editions",
        "rulesets.starter_games",
        "state.constants",
        "state.decision_kinds",
        "state.values",
    ),
    (
        "decision",
        "state.frames",
    ),
    ("state.relabeling",),
    ("state.state",),
    (
        "abilities.expressions",
        "mechanics.decision_requests",
        "queries.die_identity",
        "rulesets.solitaire",
    ),
    (
        "abilities.selectors",
        "mechanics.life",
        "queries.equivalence",
        "queries.static_rules",
    ),
    (
        "abilities.program",
        "queries.characteristics",
        "queries.combat_status",
    ),
    (
        "abilities.amounts",
        "mechanics.combat.restrictions",
        "mechanics.zones",
        "queries.costs",
        "queries.damage_modifiers",
    ),
    (
        "abilities.predicates",
        "mechanics.combat.block_solver",
        "mechanics.holding",
    ),
    ("abilities.conditions",),
    ("abilities.compiler",),
    ("game_spec",),
    (
        "inspect.features",
        "labels",
        "mechanics.faces",
        "mechanics.payment",
        "notation.machine_state",
        "text.matching",
    ),
    (
        "mechanics.chance",
        "mechanics.triggers",
    ),
    (
        "mechanics.combat.declarations",
        "mechanics.overcrush",
        "mechanics.procedures",
        "mechanics.replacement",
    ),
    (
        "effects.operands",
        "mechanics.knockout",
    ),
    (
        "effects.feasibility",
        "mechanics.damage",
    ),
    (
        "effects.action_effects",
        "effects.continuous_effects",
        "effects.control_flow",
        "effects.damage_effects",
        "effects.dice_effects",
        "effects.name_choices",
        "effects.targeting",
        "inspect.hypotheticals",
        "mechanics.combat.damage_assignment",
        "turn.legal_actions",
    ),
    (
        "effects.interpreter",
        "inspect.ability_reader",
        "text.describe",
        "turn.actions",
        "turn.batch_payment",
    ),
    (
        "inspect.invariants",
        "notation.lexicon",
        "text.explain",
        "text.svg",
        "text.templates",
        "turn.priority",
    ),
    (
        "inspect.view",
        "notation.die_notation",
        "turn.steps",
    ),
    ("turn.attack_step",),
    ("turn.loop",),
    (
        "answers.compound",
        "history",
        "notation.dice_audit",
        "notation.reader",
    ),
    (
        "answers.ordering",
        "notation.writer",
        "text.explain_illegal",
    ),
    ("notation",),
    (
        "notation.record",
        "position",
    ),
    ("game",),
    (
        "autoplay",
        "scenarios.answer_builder",
    ),
    ("scenarios.runner",),
    ("scenarios.scenario",),
)


@cache
def files() -> dict[str, Path]:
    """Give every module of the package with its file."""
    found: dict[str, Path] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(module: str) -> tuple[list[str], list[str]]:
    """List what a module imports when it is loaded, and late, inside a function; what only types need is neither."""
    known = files()
    found: tuple[list[str], list[str]] = ([], [])

    def visit(node: ast.AST, inside: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.ImportFrom) and (child.module or "").startswith(NAME):
                base = (child.module or "").removeprefix(NAME).removeprefix(".")
                for alias in child.names:
                    full = f"{base}.{alias.name}".removeprefix(".")
                    found[inside].append(full if full in known else base)
            if not isinstance(child, ast.expr):  # an import is a statement
                visit(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    visit(ast.parse(known[module].read_text(encoding="utf-8")), False)
    return found


def test_the_rooms_know_only_whom_they_may() -> None:
    wrong: list[str] = []
    for module in files():
        room = module.split(".")[0]
        for late in (False, True):
            for other in imports(module)[late]:
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
    engine = {
        name
        for name, path in files().items()
        if name.startswith("game.") and (path.name != "__init__.py" or name == "game.notation")
    }
    assert engine == set(floor), "docs/architecture.md and FLOORS say where a room of the engine belongs"
    up = [
        f"{module} knows {other}"
        for module in engine
        for other in imports(module)[False]
        if other in floor and floor[other] >= floor[module]
    ]
    assert not up


def test_nothing_in_the_engine_is_imported_late() -> None:
    assert not [
        f"{module} imports {other}"
        for module in files()
        for other in imports(module)[True]
        if module.startswith("game")
    ]


@pytest.mark.parametrize("name", ["constants", "values", "frames", "relabeling", "state"])
def test_the_state_stands_at_the_bottom(name: str) -> None:
    assert set(imports(f"game.state.{name}")[False]) <= {
        f"game.state.{x}" for x in ("constants", "values", "frames", "relabeling")
    }


MOST_LINES = 900  # of a room that shows one idea
LISTS = {
    "cards.sets.ai",
    "cards.sets.avx",
    "cards.sets.cw",
    "cards.sets.uxm",
}  # the cards of a set, the words of the language


def test_rooms_are_of_a_size() -> None:
    for module in files():
        lines = len(files()[module].read_text(encoding="utf-8").splitlines())
        assert lines <= MOST_LINES or module in LISTS, module


# --- how a state is made is the engine's own matter -------------------------------------------------------------------

# the rooms of the engine that others may enter; of some only for what is named
DOORS: dict[str, set[str] | None] = dict.fromkeys(
    (
        "answers",
        "autoplay",
        "decision",
        "fair_dice",
        "game",
        "history",
        "inspect.ability_reader",
        "inspect.features",
        "inspect.hypotheticals",
        "inspect.invariants",
        "inspect.view",
        "notation",
        "position",
        "rulesets",
        "scenarios",
        "state.decision_kinds",
        "text.describe",
        "text.explain",
        "text.explain_illegal",
        "text.matching",
        "text.svg",
        "turn.loop",
    )
)
DOORS["game_spec"] = {"make_spec"}

# fields of a State and a Table that nobody outside reads, whatever they are called on
INSIDE = frozenset(
    (
        "engagements", "virtual_energy", "counters", "turn_limits", "active_effects", "holdings", "queue", "state_check_due", "rng_high", "rng_low",
        "script", "face_base", "owner_of_card", "card_of", "dice_of", "is_token", "is_character_die", "top_level", "bursts", "pips",
        "prices", "static_by_rule", "triggers_by_event", "replacements", "rule_words", "person", "start_lives", "offers",
    )
)  # fmt: skip
# those whose names other things have too: nobody outside takes one of a die's numbers out of them
BY_DIE = frozenset(
    (
        "place", "face", "turn_counts", "owner", "damage", "flags", "life", "kinds", "levels", "attack", "defence", "costs", "energy", "stack",
        "blocks", "pairs", "rules", "uses", "keywords",
    )
)  # fmt: skip
ZONES = {*(name.upper() for name in ZONE_NAMES), "place", "zone", "lies"}

OUTSIDE = [name for name in files() if name.split(".")[0] not in ("game", "cards")]


def is_bit_of_a_die(node: ast.AST) -> bool:
    """Tell whether something takes a byte of dice or a seat apart, or puts one together: `>> 2`, `& 3`, `^ 1`, `* 4 +`."""
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.RShift | ast.BitAnd | ast.BitXor):
        return any(isinstance(x, ast.Constant) and x.value in (1, 2, 3) for x in (node.left, node.right))
    if (
        not isinstance(node.op, ast.Add)
        or not isinstance(node.left, ast.BinOp)
        or not isinstance(node.left.op, ast.Mult)
    ):
        return False
    four = isinstance(node.left.right, ast.Constant) and node.left.right.value == 4
    return four and isinstance(node.left.left, ast.Name) and node.left.left.id in ZONES


def looks_inside(tree: ast.AST) -> Iterator[str]:
    """List where a module reads what only the engine knows, by line."""
    for node in ast.walk(tree):
        if is_bit_of_a_die(node):
            yield f"{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
        taken = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(taken, ast.Attribute) and taken.attr in (INSIDE if taken is node else BY_DIE):
            if not isinstance(taken.value, ast.Name) or taken.value.id not in ("view", "self", "why"):
                yield f"{taken.lineno}: {ast.unparse(node)}"


def test_nobody_outside_knows_how_a_state_is_made() -> None:
    for module in OUTSIDE:
        found = list(looks_inside(ast.parse(files()[module].read_text(encoding="utf-8"))))
        assert not found, "ask game/inspect/view.py instead"


@pytest.mark.parametrize(
    "line",
    [
        "s.place[d] >> 2",
        "x & 3",
        "seat & 1",
        "seat ^ 1",
        "FIELD * 4 + seat",
        "t.face_base[d]",
        "s.active_effects",
        "s.life[0]",
        "t.card_of[d]",
    ],
)
def test_what_looks_inside_is_found(line: str) -> None:
    assert list(looks_inside(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["view.card_of(s, d)", "1 << 16", "die.face", "player.life", "a | b", "x & mask", "4 * seed + 1"]
)
def test_what_does_not_look_inside_is_let_be(line: str) -> None:
    assert not list(looks_inside(ast.parse(line)))


def entered(module: str) -> Iterator[tuple[str, str]]:
    """List the rooms of the engine a module imports from, with the name; "" for the room itself."""
    known = files()
    for node in ast.walk(ast.parse(known[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{NAME}.game"):
            base = (node.module or "").removeprefix(f"{NAME}.")
            for alias in node.names:
                whole = f"{base}.{alias.name}" in known
                room = f"{base}.{alias.name}" if whole else base
                yield room.removeprefix("game").removeprefix("."), "" if whole else alias.name


def test_the_engine_is_entered_by_its_doors() -> None:
    for module in OUTSIDE:
        for room, name in entered(module):
            if room:
                door = room if room in DOORS else room.rpartition(".")[0]
                assert door in DOORS, f"{module} imports {name or room} from game.{room}"
                only = DOORS[door]
                assert only is None or name in only, f"{module} imports {name} from game.{room}"


# what answers at a table, with a server and in a browser's worker, where there is nothing but the standard library
ANSWERS = tuple(name for name in files() if name.split(".")[0] in ("service", *DOMAIN, *BASE))

WITHOUT_PACKAGES = """
import sys

class Nothing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, *%r}:
            raise ModuleNotFoundError(f"{name} is not there")

sys.meta_path.insert(0, Nothing)
"""


# the compiled engine; words that mypyc compiles by; `typing_extensions` is the `typing` of later versions
SMALL = ("dicemasters", "dicemasters__mypyc", "librt", "mypy_extensions", "typing_extensions")


def test_what_answers_at_a_table_needs_nothing_but_python() -> None:
    code = WITHOUT_PACKAGES % (SMALL,) + "".join(f"import {NAME}.{name}\n" for name in ANSWERS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-800:]


def test_no_two_files_of_tests_have_the_same_name() -> None:
    tests = Path(__file__).parents[1]
    files = [path for path in tests.rglob("test_*.py") if not (path.parent / "__init__.py").exists()]
    names = [path.name for path in files]
    assert sorted(set(names)) == sorted(names)  # else the one is run twice, and the other never
