"""How long commands take to start: processor time of a process of their own, beside that of bare Python."""

from __future__ import annotations

import os
import subprocess
import sys

# what people type most, done; of every other command its help, for which it imports all it begins with
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
MAX_SECONDS = 0.25  # seconds of processor time that a command may take
REPEATS = 5
NO_BYTECODE_VARIABLE = "PYTHONDONTWRITEBYTECODE"  # with it every start compiles what has changed, as nobody else's does


def measure_startup(arguments: list[str]) -> float:
    """Give the processor time Python takes with these arguments, the least of several tries."""
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
    """Give the processor time of all processes started here that have ended."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # Windows, where only hundredths of a second are told
        times = os.times()
        return times.children_user + times.children_system
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured_commands() -> list[list[str]]:
    """Give the arguments of every start that is measured."""
    return [*RUN_COMMANDS, *([name, "--help"] for name in HELP_COMMANDS), ["play", "--seed", "1"]]


def report() -> None:
    """Print a line for each command, with a mark where it takes too long."""
    print(f"{'starting':26}{'processor s':>12}")
    print(f"{'bare Python':26}{measure_startup(['-c', 'pass']):12.2f}")
    for arguments in measured_commands():
        seconds = measure_startup(["-m", "dicemasters", *arguments])
        print(f"{' '.join(arguments):26}{seconds:12.2f}{f'  more than {MAX_SECONDS}' if seconds > MAX_SECONDS else ''}")
