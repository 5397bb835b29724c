"""How long commands take to start: processor time of a process of their own, beside that of bare Python."""

from __future__ import annotations

import os
import subprocess
import sys

# what people type most, done; of every other command its help, for which it imports all it begins with
DONE = (
    ["--version"],
    ["--help"],
    ["rules", "overcrush"],
    ["show", "avx9"],
    ["cards", "energy:bolt"],
    ["team", "list"],
    ["team", "check", "green-rage"],
    ["editions"],
    ["lesson"],
    ["puzzle", "--list"],
)
OTHERS = (
    "play",
    "serve",
    "site",
    "solitaire",
    "replay",
    "draft",
    "scenario",
    "coverage",
    "backup",
    "restore",
    "analyse",
    "arena",
    "simulate",
    "puzzles",
    "train",
    "bench",
)
MOST = 0.25  # seconds of processor time that a command may take
TRIES = 5
UNWRITTEN = "PYTHONDONTWRITEBYTECODE"  # with it every start compiles what has changed, as nobody else's does


def spent(arguments: list[str]) -> float:
    """Give the processor time Python takes with these arguments, the least of several tries."""
    found: list[float] = []
    around = {name: value for name, value in os.environ.items() if name != UNWRITTEN}
    for _ in range(TRIES):
        before = _of_children()
        subprocess.run(
            [sys.executable, *arguments], env=around, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
        )
        found.append(_of_children() - before)
    return min(found)


def _of_children() -> float:
    """Give the processor time of all processes started here that have ended."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # Windows, where only hundredths of a second are told
        taken = os.times()
        return taken.children_user + taken.children_system
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def starts() -> list[list[str]]:
    """Give the arguments of every start that is measured."""
    return [*DONE, *([name, "--help"] for name in OTHERS), ["play", "--seed", "1"]]


def report() -> None:
    """Print a line for each command, with a mark where it takes too long."""
    print(f"{'starting':26}{'processor s':>12}")
    print(f"{'bare Python':26}{spent(['-c', 'pass']):12.2f}")
    for words in starts():
        seconds = spent(["-m", "dicemasters", *words])
        print(f"{' '.join(words):26}{seconds:12.2f}{f'  more than {MOST}' if seconds > MOST else ''}")
