"""Optional dependencies: which extra installs a package, and the error message if it is missing."""

from __future__ import annotations

import importlib.util
from typing import Final

# The packages of each extra in pyproject.toml, by the names they are imported under.
EXTRAS: Final[dict[str, frozenset[str]]] = {
    "server": frozenset(
        (
            "alembic",
            "fastapi",
            "prometheus_client",
            "psycopg",
            "pydantic",
            "pydantic_core",
            "sqlalchemy",
            "starlette",
            "uvicorn",
            "websockets",
        )
    ),
    "lab": frozenset(("choix", "matplotlib", "numpy", "pyarrow")),
    "cluster": frozenset(("ray",)),
}


class MissingPackageError(ValueError):
    """An optional dependency is not installed."""


def require_package(package: str) -> None:
    """Raise MissingPackageError if an optional dependency is not installed."""
    if importlib.util.find_spec(package) is None:
        raise MissingPackageError(missing_package(package))


def missing_package(package: str) -> str:
    """Return the sentence that names a missing package and the extra that installs it; empty if no extra does."""
    for extra, packages in EXTRAS.items():
        if package in packages:
            return f"this needs {package}: pip install 'dicemasters[{extra}]'"
    return ""
