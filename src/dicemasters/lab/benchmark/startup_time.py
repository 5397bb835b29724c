"""Start-up time of the commands: CPU time in a fresh process, next to that of bare Python."""

from __future__ import annotations

import os
import subprocess
import sys

# the most frequent commands are run; the help of the others shows the cost of their imports
RUN_COMMANDS = (
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
HELP_COMMANDS = (
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
MAX_SECONDS = 0.25  # CPU seconds per command
REPEATS = 5
NO_BYTECODE_VARIABLE = "PYTHONDONTWRITEBYTECODE"  # if set, every start would recompile changed modules


def measure_startup(arguments: list[str]) -> float:
    """Return the CPU time of Python with these arguments, the minimum of several runs."""
    times: list[float] = []
    environment = {name: value for name, value in os.environ.items() if name != NO_BYTECODE_VARIABLE}
    for _ in range(REPEATS):
        before = _children_cpu_time()
        subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        times.append(_children_cpu_time() - before)
    return min(times)


def _children_cpu_time() -> float:
    """Return the CPU time of all child processes that have ended."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # on Windows, with a resolution of about ten milliseconds
        times = os.times()
        return times.children_user + times.children_system
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured_commands() -> list[list[str]]:
    """Return the arguments of every measured start."""
    return [*RUN_COMMANDS, *([name, "--help"] for name in HELP_COMMANDS), ["play", "--seed", "1"]]


def report() -> None:
    """Print a line for each command, with a mark if it takes too long."""
    print(f"{'starting':26}{'processor s':>12}")
    print(f"{'bare Python':26}{measure_startup(['-c', 'pass']):12.2f}")
    for arguments in measured_commands():
        seconds = measure_startup(["-m", "dicemasters", *arguments])
        print(f"{' '.join(arguments):26}{seconds:12.2f}{f'  more than {MAX_SECONDS}' if seconds > MAX_SECONDS else ''}")
