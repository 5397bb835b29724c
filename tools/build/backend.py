"""PEP 517 build backend: setuptools, which first builds the page and the documentation if they are missing.

A wheel or sdist always contains both. A checkout has neither until they are built, so the hooks ask for Node and Sphinx
only then; an sdist contains them and needs neither. `DICEMASTERS_COMPILE=1` adds mypyc. Version ranges come from
pyproject.toml.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from tools.build import artifacts

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = Mapping[str, Any] | None


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build a wheel that contains the page and the documentation; return its file name."""
    artifacts.ensure_page()
    artifacts.ensure_docs()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build an sdist that contains the page and the documentation; return its file name."""
    artifacts.ensure_page()
    artifacts.ensure_docs()
    return str(build_meta.build_sdist(sdist_directory, config_settings))


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return what a wheel needs beyond setuptools."""
    requires = _artifact_requires()
    if os.environ.get("DICEMASTERS_COMPILE") == "1":
        requires += [*_groups()["mypyc"], *_runtime_requires()]  # profile-guided compilation plays games
    return requires


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Return what an sdist needs beyond setuptools."""
    return _artifact_requires()


def _artifact_requires() -> list[str]:
    """Return what building the missing artefacts needs."""
    requires = [] if artifacts.has_page() else list(_groups()["web"])
    if not artifacts.has_docs():
        requires += [*_groups()["docs"], *_runtime_requires()]  # pages are generated from the installed package
    return requires


def _groups() -> dict[str, list[str]]:
    """Return the dependency groups of pyproject.toml."""
    groups: dict[str, list[str]] = _pyproject()["dependency-groups"]
    return groups


def _runtime_requires() -> list[str]:
    """Return the dependencies of the core."""
    requires: list[str] = _pyproject()["project"]["dependencies"]
    return requires


def _pyproject() -> dict[str, Any]:
    return tomllib.loads((artifacts.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
