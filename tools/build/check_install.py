"""Install the package into an empty environment and play a game: `python -m tools.build.check_install dist/*.whl dist/*.tar.gz`.

Each argument is anything that pip can install: a wheel, an sdist, a folder, a git URL. The core is checked without
extras: a game is played, a rule is looked up, and `dicemasters serve` has to name the extra that it needs. Then the
extra `server` is added, and a server has to answer.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.error import URLError

STARTUP_SECONDS = 120
EXIT_BAD_INPUT = 2


def main() -> int:
    """Check each source; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.build.check_install", description=__doc__)
    parser.add_argument("source", nargs="+", help="wheel, sdist, folder or URL to install")
    parser.add_argument("--python", default=sys.executable, help="interpreter of the empty environment")
    parser.add_argument("--pip", default="", metavar="SPEC", help="version of pip to install with, such as 'pip<24'")
    args = parser.parse_args()
    for source in args.source:
        started = time.perf_counter()
        check(Path(source).resolve().as_posix() if Path(source).exists() else source, args.python, args.pip)
        print(f"{source}: installed, played a game and served it ({time.perf_counter() - started:.0f} s)", flush=True)
    return 0


def check(source: str, python: str, pip: str) -> None:
    """Install `source` into an empty environment and use it; exit with a message if something fails."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        scripts = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "DICEMASTERS"))}
        install = [str(scripts / "python"), "-m", "pip", "install", "--quiet"]
        if pip:
            subprocess.run([*install, pip], env=env, cwd=folder, check=True)
        subprocess.run([*install, source], env=env, cwd=folder, check=True)
        program = str(scripts / "dicemasters")

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run([program, *arguments], env=env, cwd=folder, capture_output=True, text=True)

        print(f"  {run('--version').stdout.strip()}")
        game = run("play", "--a", "simple", "--b", "random", "--seed", "1", "--json")
        if game.returncode or not json.loads(game.stdout)["why"]:
            sys.exit(f"error: {source}: no game was played: {game.stderr}")
        rules = run("rules", "overcrush")
        if rules.returncode or "6.12a" not in rules.stdout:
            sys.exit(f"error: {source}: the rules are missing: {rules.stderr}")
        refused = run("serve")
        if refused.returncode != EXIT_BAD_INPUT or "dicemasters[server]" not in refused.stderr:
            sys.exit(f"error: {source}: `serve` does not name its extra: {refused.stderr}")
        extra = f"{source}[server]" if Path(source).exists() else f"dicemasters[server] @ {source}"
        subprocess.run([*install, extra], env=env, cwd=folder, check=True)
        check_server(program, env, folder)


def check_server(program: str, env: dict[str, str], folder: str) -> None:
    """Start the server, wait until it answers, and load the page and the documentation."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    database = f"sqlite:///{Path(folder, 'games.sqlite').as_posix()}"
    command = [program, "serve", "--no-browser", "--port", str(port), "--db", database]
    server = subprocess.Popen(command, env=env, cwd=folder)
    try:
        deadline = time.monotonic() + STARTUP_SECONDS
        while True:
            try:
                fetch(port, "/api/health")
                break
            except URLError:
                if server.poll() is not None or time.monotonic() > deadline:
                    sys.exit("error: the server does not start")
                time.sleep(0.2)
        for path, text in (("/", "<script"), ("/docs/index.html", "dicemasters")):
            if text not in fetch(port, path):
                sys.exit(f"error: {path} is not the page it should be")
    finally:
        server.terminate()
        server.wait(60)


def fetch(port: int, path: str) -> str:
    """Return the body of a page of the server."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
        body: bytes = response.read()
    return body.decode()


if __name__ == "__main__":
    sys.exit(main())
