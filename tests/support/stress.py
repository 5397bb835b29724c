"""Run the server and browser tests three times while other processes keep every core busy.

A test that passes here does not depend on how fast the machine is.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

ROUNDS = 3
TIERS = ("server", "e2e")


def keep_busy() -> None:
    """Keep one core busy until the process is killed."""
    while True:
        pass


def main() -> int:
    """Run the tiers; return 0 only if every run passed."""
    busy = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(os.cpu_count() or 1)]
    for process in busy:
        process.start()
    failed: list[str] = []
    try:
        for number in range(1, ROUNDS + 1):
            for tier in TIERS:
                print(f"== round {number} of {ROUNDS}: {tier} tests beside {len(busy)} busy processes", flush=True)
                command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", "-m", tier]
                if subprocess.run(command, check=False).returncode:
                    failed.append(f"{tier} in round {number}")
    finally:
        for process in busy:
            process.kill()
    print(f"failed: {', '.join(failed)}" if failed else f"all {ROUNDS} rounds passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
