"""Backup and restore of a whole database, for SQLite and PostgreSQL. A backup can run while a server is running.

A backup is gzipped text with one JSON value per line. The header has the format, the program version and the columns.
Rows follow in an order that satisfies foreign keys. The last line has the row counts and the SHA-256 of all lines
before it, so a truncated or modified file is rejected before the database is touched. A backup is as secret as the
database itself.
"""

from __future__ import annotations

import gzip
import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import sqlalchemy as sa
from alembic.util import CommandError

from dicemasters import __version__
from dicemasters.server.storage.sql_store import database_error_text, open_engine
from dicemasters.server.storage.sqlite import lock_file
from dicemasters.server.storage.tables import METADATA, MIGRATION_LOCK, SERVER_LOCK, VERSION_TABLE, upgrade
from dicemasters.service.games.stored_events import StorageError

FILE_KIND = "dicemasters backup"
FORMAT_VERSION = 1
BATCH_ROWS = 2000  # rows per select or insert
MAX_LINE_BYTES = 64_000_000

RowCounts = Counter[str]  # rows by table
Progress = Callable[[float], None]  # called with the completed fraction, 0 to 1


@dataclass(frozen=True, slots=True)
class BackupHeader:
    """First line of a backup: program version, schema revision and the columns of each table."""

    program: str
    schema: str
    tables: dict[str, list[str]]
    made: str

    @property
    def line(self) -> bytes:
        data = {
            "what": FILE_KIND,
            "form": FORMAT_VERSION,
            "program": self.program,
            "made": self.made,
            "schema": self.schema,
        }
        return _encode_line({**data, "tables": self.tables})


# --- backup --------------------------------------------------------------------------------------------------------


def write_backup(url: str, path: Path, progress: Progress = lambda _: None) -> RowCounts:
    """Write a consistent snapshot of the database to `path`. Return the number of rows by table."""
    engine = open_engine(url, must_exist=True)
    partial = path.with_name(f"{path.name}.part")
    try:
        with _snapshot(engine) as connection:
            # private, because it contains the secrets of seats and dice
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as raw:
                with gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
                    rows = _write(connection, packed, progress)
                raw.flush()
                os.fsync(raw.fileno())
        partial.replace(path)  # an interrupted backup leaves no file that looks complete
        return rows
    except sa.exc.SQLAlchemyError as error:
        raise StorageError(database_error_text(error)) from error
    finally:
        partial.unlink(missing_ok=True)
        engine.dispose()


@contextmanager
def _snapshot(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Open a connection whose reads see the database as of now, regardless of later writes."""
    if engine.dialect.name == "postgresql":
        options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with engine.connect().execution_options(**options) as connection:
            yield connection
    else:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("begin")  # the driver would begin a transaction only before a write
            yield connection
            connection.exec_driver_sql("rollback")


def _write(connection: sa.Connection, out: gzip.GzipFile, progress: Progress) -> RowCounts:
    tables = _reflect_tables(connection)
    if VERSION_TABLE not in tables or not len(tables) > 1:
        raise ValueError("this database has no games; no server has used it yet")
    schema = connection.execute(sa.select(tables.pop(VERSION_TABLE).c.version_num)).scalar_one()
    columns = {name: [column.name for column in table.columns] for name, table in tables.items()}
    total = sum(connection.execute(sa.select(sa.func.count()).select_from(t)).scalar_one() for t in tables.values())
    digest = sha256()
    rows: RowCounts = Counter(dict.fromkeys(tables, 0))

    def write_line(line: bytes) -> None:
        digest.update(line)
        out.write(line)

    write_line(BackupHeader(__version__, schema, columns, datetime.now(UTC).isoformat(timespec="seconds")).line)
    for number, (name, table) in enumerate(tables.items()):
        for batch in _batches(connection, table):
            for row in batch:
                write_line(_encode_line([number, *row]))
            rows[name] += len(batch)
            progress(rows.total() / max(1, total))
    out.write(_encode_line({"end": rows, "sha256": digest.hexdigest()}))
    return rows


def _reflect_tables(connection: sa.Connection) -> dict[str, sa.Table]:
    """Return our tables as they exist in the database, in dependency order."""
    names = {*METADATA.tables, VERSION_TABLE}
    metadata = sa.MetaData()
    metadata.reflect(connection, only=lambda name, _: name in names)
    return {table.name: table for table in metadata.sorted_tables}


def _batches(connection: sa.Connection, table: sa.Table) -> Iterator[Sequence[sa.Row[Any]]]:
    """Yield all rows in key order, in batches, so that no statement takes a long time."""
    key = list(table.primary_key)
    query = sa.select(table).order_by(*key).limit(BATCH_ROWS)
    batch = connection.execute(query).all()
    while batch:
        yield batch
        last = [getattr(batch[-1], column.name) for column in key]
        batch = connection.execute(query.where(sa.tuple_(*key) > sa.tuple_(*map(sa.literal, last)))).all()


def _encode_line(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


# --- reading -------------------------------------------------------------------------------------------------------


def check_backup(path: Path, progress: Progress = lambda _: None) -> tuple[BackupHeader, RowCounts]:
    """Read and verify a whole backup. Raise a `ValueError` if it is invalid."""
    size = max(1, path.stat().st_size)
    with path.open("rb") as raw:
        reader = _BackupReader(path, raw)
        for i, _ in enumerate(reader.rows()):
            if i % BATCH_ROWS == 0:
                progress(raw.tell() / size)
        return reader.header, reader.row_counts


class _BackupReader:
    """Sequential reader of a backup that verifies every line."""

    def __init__(self, path: Path, raw: BinaryIO) -> None:
        self.path = path
        self.row_counts: RowCounts = Counter()
        self._line_number = 0
        self._digest = sha256()
        self._lines = gzip.GzipFile(fileobj=raw, mode="rb")
        self.header = self._read_header()
        self.names = list(self.header.tables)

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each row with its table's name, then verify counts and checksum."""
        while True:
            digest = self._digest.hexdigest()
            entry = self._next_entry()
            if isinstance(entry, dict):
                self._require(
                    entry == {"end": dict(self.row_counts), "sha256": digest},
                    "the checksum or the row counts do not match",
                )
                self._require(not self._read_line(), "there is data after the last line")
                return
            number = entry[0] if isinstance(entry, list) and entry else None
            self._require(type(number) is int and 0 <= number < len(self.names), "this is not a row")
            assert isinstance(number, int)
            name = self.names[number]
            values = entry[1:]
            self._require(len(values) == len(self.header.tables[name]), "this row has the wrong number of columns")
            self._require(
                all(value is None or type(value) in (str, int) for value in values), "a value has the wrong type"
            )
            self.row_counts[name] += 1
            yield name, dict(zip(self.header.tables[name], values, strict=True))

    def _read_header(self) -> BackupHeader:
        try:
            entry = self._next_entry()
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or entry.get("what") != FILE_KIND:
            raise ValueError(f"{self.path}: this is not a backup")
        if entry.get("form") != FORMAT_VERSION:
            raise ValueError(f"{self.path}: this backup was made by version {entry.get('program')}, which is newer")
        tables = entry.get("tables")
        if not isinstance(tables, dict) or not all(
            name in METADATA.tables and isinstance(columns, list) and all(isinstance(x, str) for x in columns)
            for name, columns in tables.items()
        ):
            self._fail("it has unknown tables")
        self.row_counts = Counter(dict.fromkeys(tables, 0))
        return BackupHeader(str(entry.get("program")), str(entry.get("schema")), tables, str(entry.get("made")))

    def _next_entry(self) -> Any:
        line = self._read_line()
        self._line_number += 1
        self._require(line.endswith(b"\n"), "the file is truncated")
        self._digest.update(line)
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            self._fail("this line is not valid JSON")

    def _read_line(self) -> bytes:
        try:
            return self._lines.readline(MAX_LINE_BYTES)
        except EOFError:
            self._fail("the file is truncated")
        except (gzip.BadGzipFile, zlib.error):
            self._fail("it cannot be decompressed")

    def _require(self, holds: bool, problem: str) -> None:
        if not holds:
            self._fail(problem)

    def _fail(self, problem: str) -> NoReturn:
        raise ValueError(f"{self.path} is damaged at line {max(1, self._line_number)}: {problem}")


# --- restore -------------------------------------------------------------------------------------------------------


def restore_backup(path: Path, url: str, *, force: bool = False, progress: Progress = lambda _: None) -> RowCounts:
    """Restore a backup atomically. Raise a `ValueError` if the database has games, unless `force` replaces them."""
    header, row_counts = check_backup(path, lambda done: progress(done / 2))
    job = _RestoreJob(path, header, row_counts, lambda done: progress((1 + done) / 2))
    engine = open_engine(url)
    try:
        if engine.dialect.name == "postgresql":
            job.into_postgres(engine, force)
        else:
            job.into_file(Path(str(engine.url.database)).absolute(), force)
    except sa.exc.SQLAlchemyError as error:
        raise StorageError(database_error_text(error)) from error
    finally:
        engine.dispose()
    return row_counts


def _try_server_lock(connection: sa.Connection) -> bool:
    """Take the server lock, retrying for a server that has just stopped. Return False if one still runs."""
    for delay in (0.0, 0.2, 0.8, 1.0):
        time.sleep(delay)
        if connection.execute(sa.text(f"select pg_try_advisory_xact_lock({SERVER_LOCK})")).scalar_one():
            return True
    return False


@dataclass(frozen=True, slots=True)
class _RestoreJob:
    path: Path
    header: BackupHeader
    row_counts: RowCounts
    progress: Progress

    def into_postgres(self, engine: sa.Engine, force: bool) -> None:
        """Replace the tables in one transaction, provided that no server uses them."""
        with engine.connect() as connection, connection.begin():
            connection.execute(sa.text(f"select pg_advisory_xact_lock({MIGRATION_LOCK})"))
            if not _try_server_lock(connection):
                raise ValueError("a server uses this database; stop it first")
            tables = _reflect_tables(connection)
            _refuse_overwrite(connection, tables, force)
            for table in reversed(list(tables.values())):
                table.drop(connection)
            self._load_rows(connection)

    def into_file(self, file: Path, force: bool) -> None:
        """Build a new file and move it over the old one, provided that no server uses that."""
        partial = file.with_name(f"{file.name}.part")
        try:
            lock = lock_file(file)
        except StorageError:
            raise ValueError(f"a server uses {file}; stop it first") from None
        try:
            if file.exists():
                old = open_engine(f"sqlite:///{file}")
                with old.connect() as connection:
                    _refuse_overwrite(connection, _reflect_tables(connection), force)
                old.dispose()
            partial.unlink(missing_ok=True)
            new = open_engine(f"sqlite:///{partial}")
            with new.connect() as connection, connection.begin():
                self._load_rows(connection)
            new.dispose()  # the last connection to close merges the WAL into the file
            for suffix in ("-wal", "-shm"):
                Path(f"{file}{suffix}").unlink(missing_ok=True)
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)
            lock.close()

    def _load_rows(self, connection: sa.Connection) -> None:
        """Create the tables in the backup's revision, fill them, and migrate them to the newest revision."""
        try:
            upgrade(connection, self.header.schema)
        except CommandError:
            raise ValueError(
                f"{self.path}: this backup was made by version {self.header.program}, which this program cannot read"
            ) from None
        tables = _reflect_tables(connection)
        if any({*columns} != {*tables[name].columns.keys()} for name, columns in self.header.tables.items()):
            raise ValueError(f"{self.path} is damaged at line 1: its columns do not match its version")
        total, done = max(1, self.row_counts.total()), 0
        with self.path.open("rb") as raw:
            rows = _BackupReader(self.path, raw).rows()
            while batch := list(islice(rows, BATCH_ROWS)):
                for name, table in tables.items():
                    table_rows = [row for table_name, row in batch if table_name == name]
                    if table_rows:
                        connection.execute(sa.insert(table), table_rows)
                done += len(batch)
                self.progress(done / total)
        upgrade(connection)


def _refuse_overwrite(connection: sa.Connection, tables: dict[str, sa.Table], force: bool) -> None:
    """Raise a `ValueError` if there are games, unless `force` allows overwriting them."""
    games = tables.get("games")
    count = connection.execute(sa.select(sa.func.count()).select_from(games)).scalar_one() if games is not None else 0
    if count and not force:
        raise ValueError(f"this database already has games ({count}); --force replaces them with the backup")
