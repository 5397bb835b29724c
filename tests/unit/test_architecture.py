"""Imports go one way (docs/architecture.md), and only the engine knows the layout of a state."""

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

# what each top-level package may import besides itself
ALLOWED_IMPORTS: dict[str, set[str]] = {
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

# reading home-made cards compiles them to check them, so the engine is imported only then
ALLOWED_LATE_IMPORTS = {("cards.toml_loader", "game.rulesets.editions"), ("cards.toml_loader", "game.game_spec")}

# the engine from the bottom to the top: each layer imports only earlier ones
LAYERS: tuple[tuple[str, ...], ...] = (
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
        "state.query_cache",
    ),
    ("state.relabeling",),
    ("state.state",),
    ("state.work",),
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
        "mechanics.combat.block_table",
        "mechanics.holding",
    ),
    (
        "abilities.conditions",
        "mechanics.combat.block_solver",
    ),
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
        "answers.whole_answers",
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
    """Return the file of every module of the package by module name."""
    found: dict[str, Path] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(module: str) -> tuple[list[str], list[str]]:
    """Return a module's imports at load time and inside functions, without those for type checking."""
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


def test_packages_import_only_what_they_may() -> None:
    wrong: list[str] = []
    for module in files():
        package = module.split(".")[0]
        for late in (False, True):
            for other in imports(module)[late]:
                imported = other.split(".")[0]
                if (
                    package not in ALLOWED_IMPORTS
                    or imported in ("", package)
                    or imported in ALLOWED_IMPORTS[package]
                    or (late and (module, other) in ALLOWED_LATE_IMPORTS)
                ):
                    continue
                wrong.append(f"{module} imports {other}")
    assert not wrong


def test_engine_modules_import_only_lower_layers() -> None:
    layer = {f"game.{name}": at for at, names in enumerate(LAYERS) for name in names}
    engine = {
        name
        for name, path in files().items()
        if name.startswith("game.") and (path.name != "__init__.py" or name == "game.notation")
    }
    assert engine == set(layer), "docs/architecture.md and LAYERS list the modules of the engine"
    up = [
        f"{module} imports {other}"
        for module in engine
        for other in imports(module)[False]
        if other in layer and layer[other] >= layer[module]
    ]
    assert not up


def test_engine_has_no_late_imports() -> None:
    assert not [
        f"{module} imports {other}"
        for module in files()
        for other in imports(module)[True]
        if module.startswith("game")
    ]


@pytest.mark.parametrize("name", ["constants", "values", "frames", "query_cache", "relabeling", "state"])
def test_state_modules_import_only_each_other(name: str) -> None:
    assert set(imports(f"game.state.{name}")[False]) <= {
        f"game.state.{x}" for x in ("constants", "values", "frames", "query_cache", "relabeling")
    }


MAX_LINES = 900  # per module
UNLIMITED_MODULES = {
    "cards.sets.ai",
    "cards.sets.avx",
    "cards.sets.cw",
    "cards.sets.uxm",
}  # the cards of a set


def test_modules_have_a_limited_size() -> None:
    for module in files():
        lines = len(files()[module].read_text(encoding="utf-8").splitlines())
        assert lines <= MAX_LINES or module in UNLIMITED_MODULES, module


# --- the layout of a state is private to the engine -------------------------------------------------------------------

# engine modules that other packages may import; None stands for all their names
PUBLIC_MODULES: dict[str, set[str] | None] = dict.fromkeys(
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
PUBLIC_MODULES["game_spec"] = {"make_spec"}

# fields of State and GameSpec that only the engine reads, on any object
PRIVATE_FIELDS = frozenset(
    (
        "engagements", "virtual_energy", "counters", "turn_limits", "active_effects", "holdings", "queue", "state_check_due", "rng_high", "rng_low",
        "script", "face_base", "owner_of_card", "card_of", "dice_of", "is_token", "is_character_die", "top_level", "bursts", "pips",
        "prices", "static_by_rule", "triggers_by_event", "replacements", "rule_words", "person", "start_lives", "offers",
    )
)  # fmt: skip
# fields whose names are common elsewhere: only the engine indexes them
PER_DIE_FIELDS = frozenset(
    (
        "place", "face", "turn_counts", "owner", "damage", "flags", "life", "kinds", "levels", "attack", "defence", "costs", "energy", "stack",
        "blocks", "pairs", "rules", "uses", "keywords",
    )
)  # fmt: skip
ZONE_VARIABLES = {*(name.upper() for name in ZONE_NAMES), "place", "zone", "lies"}

OUTSIDE = [name for name in files() if name.split(".")[0] not in ("game", "cards")]


def is_bit_arithmetic(node: ast.AST) -> bool:
    """Return whether an expression decodes or encodes a zone and a seat: `>> 2`, `& 3`, `^ 1`, `* 4 +`."""
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
    return four and isinstance(node.left.left, ast.Name) and node.left.left.id in ZONE_VARIABLES


def private_reads(tree: ast.AST) -> Iterator[str]:
    """Yield the lines in which a module reads private data of the engine."""
    for node in ast.walk(tree):
        if is_bit_arithmetic(node):
            yield f"{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
        taken = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(taken, ast.Attribute) and taken.attr in (PRIVATE_FIELDS if taken is node else PER_DIE_FIELDS):
            if not isinstance(taken.value, ast.Name) or taken.value.id not in ("view", "self", "why"):
                yield f"{taken.lineno}: {ast.unparse(node)}"


def test_only_the_engine_reads_the_layout_of_a_state() -> None:
    for module in OUTSIDE:
        found = list(private_reads(ast.parse(files()[module].read_text(encoding="utf-8"))))
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
def test_private_read_is_detected(line: str) -> None:
    assert list(private_reads(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["view.card_of(s, d)", "1 << 16", "die.face", "player.life", "a | b", "x & mask", "4 * seed + 1"]
)
def test_code_without_private_reads_is_accepted(line: str) -> None:
    assert not list(private_reads(ast.parse(line)))


def engine_imports(module: str) -> Iterator[tuple[str, str]]:
    """Yield each engine module that a module imports from, with the imported name, "" for the module itself."""
    known = files()
    for node in ast.walk(ast.parse(known[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{NAME}.game"):
            base = (node.module or "").removeprefix(f"{NAME}.")
            for alias in node.names:
                is_module = f"{base}.{alias.name}" in known
                imported = f"{base}.{alias.name}" if is_module else base
                yield imported.removeprefix("game").removeprefix("."), "" if is_module else alias.name


def test_engine_is_imported_only_through_its_public_modules() -> None:
    for module in OUTSIDE:
        for imported, name in engine_imports(module):
            if imported:
                public = imported if imported in PUBLIC_MODULES else imported.rpartition(".")[0]
                assert public in PUBLIC_MODULES, f"{module} imports {name or imported} from game.{imported}"
                allowed = PUBLIC_MODULES[public]
                assert allowed is None or name in allowed, f"{module} imports {name} from game.{imported}"


# domain and service also run in a browser's worker, where only the standard library is available
STANDALONE_MODULES = tuple(name for name in files() if name.split(".")[0] in ("service", *DOMAIN, *BASE))

WITHOUT_PACKAGES = """
import sys

class Nothing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, *%r}:
            raise ModuleNotFoundError(f"{name} is not there")

sys.meta_path.insert(0, Nothing)
"""


# the compiled engine, the runtime of mypyc, and `typing_extensions`, the `typing` of later versions
ALLOWED_PACKAGES = ("dicemasters", "dicemasters__mypyc", "librt", "mypy_extensions", "typing_extensions")


def test_domain_and_service_need_only_the_standard_library() -> None:
    code = WITHOUT_PACKAGES % (ALLOWED_PACKAGES,) + "".join(f"import {NAME}.{name}\n" for name in STANDALONE_MODULES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-800:]


def test_test_files_have_unique_names() -> None:
    tests = Path(__file__).parents[1]
    files = [path for path in tests.rglob("test_*.py") if not (path.parent / "__init__.py").exists()]
    names = [path.name for path in files]
    assert sorted(set(names)) == sorted(names)  # otherwise one of them runs twice and the other never
