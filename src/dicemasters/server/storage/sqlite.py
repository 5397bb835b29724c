"""SQLite database file: replacement detection, locking and inline writes."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import BinaryIO

from dicemasters.service.games.stored_events import StorageError

SLOW_WRITE_SECONDS = 0.25  # duration of a write after which inline writing pauses
BACKOFF_SECONDS = 1.0  # length of that pause
ROWS_PER_CHECKPOINT = 256  # interval of rows left to the writer thread, which then checkpoints the WAL


class SqliteFile:
    """File of an SQLite database. SQLite itself does not notice if it is deleted or replaced while open."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._name = str(self.path)
        self._opened_identity = self._identity()
        self._lock: BinaryIO | None = None

    def _identity(self) -> tuple[int, int]:
        try:
            info = os.stat(self._name)
        except OSError as error:
            raise StorageError(
                f"the database file is missing: {error.strerror}", "the database file is missing"
            ) from None
        return info.st_dev, info.st_ino

    def require_unchanged(self) -> None:
        """Raise a `StorageError` if the file is no longer the one that was opened."""
        if self._identity() != self._opened_identity:
            reason = "the database file has been replaced by another"
            raise StorageError(reason, reason)

    def lock(self) -> None:
        """Lock the file against other servers for the lifetime of this process."""
        self._lock = lock_file(self.path)


def lock_file(path: Path) -> BinaryIO:
    """Lock a database file until the returned file is closed.

    Raise a `StorageError` if another process holds the lock.
    """
    lock = path.with_name(path.name + ".lock").open("ab")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StorageError(
                f"another server uses {path}; use PostgreSQL for several servers, or choose another file"
            ) from None
    return lock


class InlineWriter:
    """Writes single rows on the event loop thread, without waiting for locks or the disk.

    With WAL a write only hands the row to the operating system, which is faster than waking another thread and being
    woken by it. Any write that would block is left to the writer thread. So is every ROWS_PER_CHECKPOINT-th row: the
    writer then checkpoints the WAL into the database file, which waits for the disk.
    """

    def __init__(self, path: Path, insert_statement: str) -> None:
        self._path = path
        self._insert_statement = insert_statement
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._rows = 0
        self._paused_until = 0.0

    def write(self, row: tuple[object, ...]) -> bool | None:
        """Insert a row. Return False if its key exists, None if the writer thread has to insert it."""
        started = time.monotonic()
        self._rows += 1
        if started < self._paused_until or not self._rows % ROWS_PER_CHECKPOINT:
            return None
        try:
            cursor = self._cursor or self._open()
            cursor.execute(self._insert_statement, row)
            is_new = cursor.rowcount == 1
        except sqlite3.Error:  # the file is locked or broken; the writer thread reports which
            self.close()
            self._paused_until = started + BACKOFF_SECONDS
            return None
        if time.monotonic() - started > SLOW_WRITE_SECONDS:
            self._paused_until = started + BACKOFF_SECONDS
        return is_new

    def _open(self) -> sqlite3.Cursor:
        self._connection = sqlite3.connect(self._path, timeout=0.0, isolation_level=None, check_same_thread=False)
        self._connection.execute("pragma synchronous = normal")
        self._connection.execute("pragma wal_autocheckpoint = 0")
        self._cursor = self._connection.cursor()
        return self._cursor

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection, self._cursor = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()
