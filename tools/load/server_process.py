"""A server in a separate process, for tests and measurements."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from dicemasters.client.rest import REQUEST_TIMEOUT, get

# here all clients have the same address
NO_LIMITS = {
    "DICEMASTERS_GAMES_PER_MINUTE": "1000000",
    "DICEMASTERS_REQUESTS_PER_SECOND": "100000",
    "DICEMASTERS_REQUEST_BURST": "100000",
    "DICEMASTERS_MESSAGES_PER_SECOND": "10000",
    "DICEMASTERS_SOCKETS_PER_ADDRESS": "100000",
    "DICEMASTERS_SOCKETS": "100000",
    "DICEMASTERS_LIVE_GAMES": "100000",
    "DICEMASTERS_KEPT_GAMES": "100000",
    "DICEMASTERS_WORK_PER_SECOND": "1000",
    "DICEMASTERS_WORK_BURST": "1000",
    "DICEMASTERS_BOT_CHOICES_PER_SECOND": "100000",
    "DICEMASTERS_EFFORT_PER_SECOND": "1000",
    "DICEMASTERS_EFFORT_BURST": "1000",
}


class ServerProcess:
    """A server process on this machine. It starts at once, and can be killed and restarted on the same port."""

    def __init__(
        self,
        db: str,
        *,
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        source: Path | None = None,
        limits: bool = False,
    ) -> None:
        self.db = db
        self.source = source  # sources of another version of the program
        self.port = port or free_port()
        self.environment = {**os.environ, **({} if limits else NO_LIMITS), **(environment or {})}
        self.process = self._start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dicemasters", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--db", self.db]
        environment = {**self.environment, "PYTHONPATH": str(self.source)} if self.source else self.environment
        # a file, because the server would block on a full pipe
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=self._log)
        end = time.monotonic() + REQUEST_TIMEOUT
        while time.monotonic() < end:
            if process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log}")
            try:
                get(self.address, "/api/health")
                return process
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        process.kill()
        raise RuntimeError("the server did not come up")

    @property
    def log(self) -> str:
        """Everything the server has written to standard error."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    @property
    def seconds(self) -> float:
        """CPU time used by all threads of the process (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Resident memory of the process (Linux)."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def restart(self) -> None:
        """Start the server again, with the same port and database."""
        self.process = self._start()

    def stop(self) -> int:
        """Stop the server with SIGTERM. Return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=REQUEST_TIMEOUT)
        return self.process.returncode


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
