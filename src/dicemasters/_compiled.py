"""Which form of the engine runs: compiled by mypyc (`make fast`), or the same sources as pure Python.

Python itself takes a compiled module before its source. Here is what prevents that where it would be wrong: when somebody
asks for pure Python (`DICEMASTERS_PURE=1`), and when the sources have changed since they were compiled.
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
    """Finds our sources and no compiled modules: not one may stay compiled beside others that are not."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith("dicemasters."):
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)
            if spec is not None:
                return spec
        return None


def select_build() -> None:
    """See to it, before the engine is imported, that the compiled form runs only if it is that of these sources."""
    if os.environ.get(PURE):
        sys.meta_path.insert(0, _SourceFinder())
    elif problem := stale_reason():
        warnings.warn(f"{problem}, so pure Python runs; `make fast` compiles anew", RuntimeWarning, stacklevel=2)
        sys.meta_path.insert(0, _SourceFinder())


def stale_reason(package: Path = PACKAGE) -> str:
    """Say what is wrong with the compiled modules of the package, if there are any; else nothing."""
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
    """Say which form runs, or would run: nothing of the engine is imported for it."""
    compiled = any((PACKAGE / "game" / "turn" / f"loop{suffix}").exists() for suffix in EXTENSION_SUFFIXES)
    pure = not compiled or any(isinstance(finder, _SourceFinder) for finder in sys.meta_path)
    return "pure Python" if pure else "compiled by mypyc"


select_build()
