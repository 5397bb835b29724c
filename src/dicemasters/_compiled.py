"""Selection of the engine's build: compiled by mypyc (`make fast`), or the same sources as pure Python.

Python imports a compiled module in preference to its source. This module prevents that in two cases: when
`DICEMASTERS_PURE=1` is set, and when the sources have changed since they were compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
STAMP = PACKAGE / "compiled.json"
PURE = "DICEMASTERS_PURE"


class _SourceFinder:
    """Import hook that finds the package's sources and ignores its compiled modules, so that they never mix."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith("dicemasters."):
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)
            if spec is not None:
                return spec
        return None


def select_build() -> None:
    """Fall back to pure Python if it is requested or the compiled modules are stale.

    This must run before the engine is imported.
    """
    if os.environ.get(PURE):
        sys.meta_path.insert(0, _SourceFinder())
    elif problem := stale_reason():
        warnings.warn(f"{problem}, so pure Python runs; `make fast` compiles it again", RuntimeWarning, stacklevel=2)
        sys.meta_path.insert(0, _SourceFinder())


def stale_reason(package: Path = PACKAGE) -> str:
    """Return why the package's compiled modules are stale, or "" if they are current or absent."""
    if not any((package / "game" / "turn" / f"loop{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        return ""
    try:
        checksums: dict[str, str] = json.loads((package / STAMP.name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "the engine was not compiled to the end"
    for name, checksum in checksums.items():
        try:
            content = (package / name).read_bytes()
        except OSError:
            content = b""
        if hashlib.sha256(content).hexdigest() != checksum:
            return f"{name} has changed since it was compiled"
    return ""


def build_kind() -> str:
    """Return which build of the engine is or would be used, without importing the engine."""
    compiled = any((PACKAGE / "game" / "turn" / f"loop{suffix}").exists() for suffix in EXTENSION_SUFFIXES)
    pure = not compiled or any(isinstance(finder, _SourceFinder) for finder in sys.meta_path)
    return "pure Python" if pure else "compiled by mypyc"


select_build()
