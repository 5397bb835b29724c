"""An SQLite database as a file: whether it is still there, whose it is, and writing to it without waiting."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import BinaryIO

from dicemasters.service.games.stored_events import StorageError

SLOW_WRITE_SECONDS = 0.25  # seconds for a row, after which the pen rests
BACKOFF_SECONDS = 1.0  # seconds
ROWS_PER_CHECKPOINT = 256  # of which one is left to the writer


class SqliteFile:
    """The file of an SQLite database: it can be deleted or replaced while it is open, and SQLite would not say so."""

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
                f"the database file is not there: {error.strerror}", "the database file is not there"
            ) from None
        return info.st_dev, info.st_ino

    def require_unchanged(self) -> None:
        """Insist that the file is still the one that was opened."""
        if self._identity() != self._opened_identity:
            reason = "the database file has been replaced by another"
            raise StorageError(reason, reason)

    def lock(self) -> None:
        """Keep other servers off the file, as long as this process lives."""
        self._lock = lock_file(self.path)


def lock_file(path: Path) -> BinaryIO:
    """Keep others off a database file until what is given is closed; a StorageError if another process does."""
    lock = path.with_name(path.name + ".lock").open("ab")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StorageError(
                f"another server keeps its games in {path}; use PostgreSQL for several servers, or another file"
            ) from None
    return lock


class InlineWriter:
    """Writes single rows in the thread of the games, where nothing has to be waited for.

    With WAL a row is only handed to the system, which takes less time than to wake another thread and be woken by it. What
    may wait is the writer's: whatever the pen cannot do at once, it does not do, and says None. One row in so many is left
    to the writer too, which then moves what has gathered into the database file; that waits for the disk.
    """

    def __init__(self, path: Path, insert_statement: str) -> None:
        self._path = path
        self._insert_statement = insert_statement
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._rows = 0
        self._paused_until = 0.0

    def write(self, row: tuple[object, ...]) -> bool | None:
        """Store a row; False if there is one with its key, None if the writer has to do it."""
        started = time.monotonic()
        self._rows += 1
        if started < self._paused_until or not self._rows % ROWS_PER_CHECKPOINT:
            return None
        try:
            cursor = self._cursor or self._open()
            cursor.execute(self._insert_statement, row)
            is_new = cursor.rowcount == 1
        except sqlite3.Error:  # somebody else writes, or something is wrong: then the writer finds it too, and says it
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
        """Let go of the file."""
        connection, self._connection, self._cursor = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()
