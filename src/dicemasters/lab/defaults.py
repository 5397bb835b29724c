"""Limits and words of the lab's commands that others need too."""

from __future__ import annotations

MAX_WORKERS = 256
ALL = "all"  # editions
