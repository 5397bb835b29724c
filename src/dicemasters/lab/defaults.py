"""Limits and keywords of the lab's commands that other packages also use."""

from __future__ import annotations

MAX_WORKERS = 256
ALL = "all"  # every edition
