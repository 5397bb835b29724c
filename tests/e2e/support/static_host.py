"""The site as any host for files has it: in a folder below another, served by `python -m http.server`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dicemasters.webworker.static_export import export_site

BELOW = "games/dice"


class Host:
    """A server of files that runs, until the network is cut."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        port = re.search(r"port (\d+)", self._process.stdout.readline())
        assert port is not None
        self.address = f"127.0.0.1:{port[1]}"

    @property
    def home(self) -> str:
        return f"http://{self.address}/{BELOW}"

    def cut(self) -> None:
        """End it: from now on nothing can be fetched."""
        self._process.kill()
        self._process.wait()


@contextmanager
def serving(folder: Path) -> Iterator[Host]:
    """Serve the files of a folder."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.cut()


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Write the site below a folder and serve it."""
    export_site(folder / BELOW)
    with serving(folder) as host:
        yield host
