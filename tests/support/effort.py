"""The effort of property tests: low in `make test`, high in `make test-soak`."""

from __future__ import annotations

from hypothesis import settings


def is_thorough() -> bool:
    """Return whether pytest runs with `--hypothesis-profile=thorough`."""
    return settings.get_current_profile_name() == "thorough"


def examples(quick: int, thorough: int) -> int:
    """Return the number of examples, games or seeds to try under the current profile."""
    return thorough if is_thorough() else quick
