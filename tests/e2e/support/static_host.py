"""The static site in a subfolder of a plain file server, `python -m http.server`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dicemasters.webworker.static_export import export_site

SITE_PATH = "games/dice"


class Host:
    """A running file server that can be killed to simulate being offline."""

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
        return f"http://{self.address}/{SITE_PATH}"

    def cut_network(self) -> None:
        """Kill the server."""
        self._process.kill()
        self._process.wait()


@contextmanager
def serve_folder(folder: Path) -> Iterator[Host]:
    """Serve the files of a folder."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.cut_network()


@contextmanager
def host_site(folder: Path) -> Iterator[Host]:
    """Export the site below a folder and serve it."""
    export_site(folder / SITE_PATH)
    with serve_folder(folder) as host:
        yield host
