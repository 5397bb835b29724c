"""A PostgreSQL of one's own for tests: a cluster in a temporary folder, on a free port, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from dicemasters.lab.guests import free_port

USERS = ("postgres", "nobody")  # whom root lets run it, since it refuses to run as root


def find_programs() -> Path | None:
    """Give the folder with initdb and postgres, or None."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


@contextmanager
def postgres(programs: Path) -> Iterator[str]:
    """Run a cluster; give the URL of its database."""
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="dicemasters-pg-"))
    if user:
        shutil.chown(folder, user)
    data, port = folder / "data", free_port()
    process = None
    try:
        command = [str(programs / "initdb"), "-D", str(data), "-U", "dice", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, check=True, capture_output=True, user=user, cwd=folder)
        options = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-p", str(port), "-k", str(folder)]
        process = subprocess.Popen(
            [programs / "postgres", "-D", data, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=user,
            cwd=folder,
        )
        url = f"postgresql://dice@127.0.0.1:{port}/postgres"
        _wait(url, process)
        yield url
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # its fast way to stop: does not wait for anybody
            process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in USERS if user in known)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise RuntimeError("PostgreSQL did not come up")
