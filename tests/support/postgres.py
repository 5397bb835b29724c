"""A temporary PostgreSQL for tests: a cluster in a temporary folder, reached over a Unix socket and removed afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
from tests.support.live_server import TIMEOUT, wait_until

USERS = ("postgres", "nobody")  # users to switch to, since PostgreSQL refuses to run as root


def find_programs() -> Path | None:
    """Return the folder with initdb and postgres, or None."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


@contextmanager
def postgres(programs: Path) -> Iterator[str]:
    """Run a cluster; yield the URL of its database."""
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="dicemasters-pg-"))
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    process = None
    try:
        command = [str(programs / "initdb"), "-D", str(data), "-U", "dice", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, check=True, capture_output=True, user=user, cwd=folder)
        # no port, so that none can be taken
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-k", str(folder)]
        process = subprocess.Popen(
            [programs / "postgres", "-D", data, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=user,
            cwd=folder,
        )
        url = f"postgresql://dice@/postgres?host={quote(str(folder), safe='')}"
        wait_until(lambda: _answers(url, process), "PostgreSQL answers")
        yield url
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # fast shutdown: does not wait for clients
            process.wait(TIMEOUT)
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in USERS if user in known)


def _answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    """Return whether the server accepts connections."""
    assert process.poll() is None, "PostgreSQL ended while it was starting"
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
