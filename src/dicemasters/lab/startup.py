"""How long commands take to start: processor time of a process of their own, beside that of bare Python."""

from __future__ import annotations

import os
import subprocess
import sys

COMMANDS = (
    ("bare Python", ["-c", "pass"]),
    ("--version", ["-m", "dicemasters", "--version"]),
    ("--help", ["-m", "dicemasters", "--help"]),
    ("rules overcrush", ["-m", "dicemasters", "rules", "overcrush"]),
    ("show avx9", ["-m", "dicemasters", "show", "avx9"]),
    ("cards energy:bolt", ["-m", "dicemasters", "cards", "energy:bolt"]),
    ("team list", ["-m", "dicemasters", "team", "list"]),
    ("play --help", ["-m", "dicemasters", "play", "--help"]),
)
TRIES = 3


def spent(arguments: list[str]) -> float:
    """Give the processor time Python takes with these arguments, the least of several tries."""
    found: list[float] = []
    for _ in range(TRIES):
        before = os.times()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


def report() -> None:
    """Print a line for each command."""
    print(f"{'starting':26}{'processor s':>12}")
    for name, arguments in COMMANDS:
        print(f"{name:26}{spent(arguments):12.2f}")
