"""SQL event store: one row per game, and its append-only events.

The primary key of an event is its game and number. If two processes append the same number, one insert fails, and that
process reads the other's event and tries again. No event is shown before its transaction is committed. All writes go
through one thread, which commits whatever is queued in one transaction. Single events in SQLite are written inline
where that does not block.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import psycopg
import sqlalchemy as sa

from dicemasters.paths import data_dir
from dicemasters.server.observability.metrics import READ, STORAGE_ERRORS, WRITE, timed
from dicemasters.server.storage.sqlite import InlineWriter, SqliteFile
from dicemasters.server.storage.tables import EVENTS, GAMES, SERVER_LOCK, migrate
from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame

MAX_BATCH_SIZE = 500  # jobs per transaction
CHANNEL = "dicemasters"
SQLITE_SECONDS = 15.0  # wait for another process's write lock
WRITE_TIMEOUT = 45.0  # wait for a write to finish; longer than the database's own timeouts
CHECK_SECONDS = 5.0  # timeout of a health check
IDLE_CONNECTION_SECONDS = 1.0  # idle time after which the writer returns its connection to the pool
LISTEN_SECONDS = 0.5  # poll interval of the listener for the stop flag

# timeouts for a database that is unreachable or never releases a lock
POSTGRES = {
    "connect_timeout": 5,
    "options": "-c statement_timeout=20000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=60000",
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20000,
}

T = TypeVar("T")


class _Job(NamedTuple):
    table: sa.Table
    rows: list[tuple[object, ...]]  # in column order; the first is the game
    result: asyncio.Future[bool]
    is_probe: bool = False  # deleted in the same transaction


class SqlGameStore:
    """Event store of one database."""

    def __init__(self, url: str, *, durable: bool = False) -> None:
        self.engine = open_engine(url, durable=durable)
        self.is_postgres = self.engine.dialect.name == "postgresql"
        try:
            migrate(self.engine)
        except sa.exc.SQLAlchemyError as error:
            raise _storage_error(error) from error
        self._origin_id = secrets.token_hex(4)  # distinguishes this process's notifications from those of others
        self._closing = threading.Event()
        self._file = SqliteFile(Path(str(self.engine.url.database))) if not self.is_postgres else None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._probe: asyncio.Task[bool] | None = None
        self._probe_started = 0.0
        self.is_healthy = True  # whether the last write succeeded
        self._listener: threading.Thread | None = None
        self._placeholder = "%s" if self.is_postgres else "?"
        self._insert_statements = {table: _insert_statement(table, self._placeholder) for table in (GAMES, EVENTS)}
        # durable writes wait for the disk, so they are never inline
        self._inline_writer = (
            InlineWriter(self._file.path, self._insert_statements[EVENTS])
            if self._file is not None and not durable
            else None
        )
        self._select_statement = f"select id from {GAMES.name} where id = {self._placeholder}"
        self._delete_statement = f"delete from {GAMES.name} where id = {self._placeholder}"
        self._connection: sa.PoolProxiedConnection | None = None  # connection of the writer thread
        self._last_write = 0.0  # time of the last use of that connection
        self._writer = threading.Thread(target=self._run_writer, name="writer", daemon=True)
        self._writer.start()

    def acquire_exclusive_lock(self) -> None:
        """Lock an SQLite file for this process. Raise a `StorageError` if another process has it."""
        if self._file is not None:
            self._file.lock()

    async def check(self) -> None:
        """Write, read and delete a row the way events are written. Raise a `StorageError` if that fails.

        Concurrent calls, and calls within a second, share one probe, so frequent health checks cost nothing.
        """
        self._require_file()
        if self._probe is None or (self._probe.done() and time.monotonic() - self._probe_started > 1.0):
            row = (f"trial {self._origin_id}", "", "", "", "")
            self._probe_started = time.monotonic()
            self._probe = asyncio.create_task(self._enqueue_write(GAMES, [row], is_probe=True))
            # mark the exception as retrieved, even if every caller has gone
            self._probe.add_done_callback(lambda probe: probe.exception())
        try:
            await asyncio.wait_for(asyncio.shield(self._probe), CHECK_SECONDS)
        except TimeoutError:
            raise _timeout_error() from None

    @property
    def stats(self) -> dict[str, float]:
        """Health (0 or 1), number of queued writes, and the size of an SQLite file."""
        size = {}
        if self._file is not None:
            with contextlib.suppress(OSError):
                size = {"bytes": float(self._file.path.stat().st_size)}
        return {"well": float(self.is_healthy), "waiting": float(self._jobs.qsize()), **size}

    async def expire(self, before: str) -> list[str]:
        """Delete games without an event since `before` (ISO 8601, UTC). Return their ids."""
        return await asyncio.to_thread(self._expire, before)

    def _expire(self, before: str) -> list[str]:
        has_recent_events = sa.select(EVENTS.c.game).where(EVENTS.c.game == GAMES.c.id, EVENTS.c.at >= before).exists()
        batch_query = sa.select(GAMES.c.id).where(GAMES.c.created < before, ~has_recent_events).limit(MAX_BATCH_SIZE)
        expired: list[str] = []
        try:
            while not self._closing.is_set():
                with self.engine.connect() as connection, connection.begin():
                    batch = [row.id for row in connection.execute(batch_query)]
                    connection.execute(sa.delete(EVENTS).where(EVENTS.c.game.in_(batch)))
                    connection.execute(sa.delete(GAMES).where(GAMES.c.id.in_(batch)))
                expired += batch
                if len(batch) < MAX_BATCH_SIZE:
                    break
        except sa.exc.SQLAlchemyError as error:
            raise _storage_error(error) from error
        return expired

    async def create(self, stored: StoredGame) -> bool:
        """Store a new game. Return False if its id exists."""
        return await self._enqueue_write(
            GAMES, [(stored.game, stored.created, stored.program, stored.setup, stored.secret)]
        )

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool:
        """Append events to a game atomically. Return False if one of the numbers exists."""
        is_stored = self._try_write_inline((game, *events[0])) if len(events) == 1 else None
        return (
            await self._enqueue_write(EVENTS, [(game, *event) for event in events]) if is_stored is None else is_stored
        )

    async def find(self, game: str) -> StoredGame | None:
        """Return a game as it was created, or None."""
        return await self._read(lambda c: self._find(c, game))

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a game with numbers greater than `after`, in order."""
        return await self._read(lambda c: self._events(c, game, after))

    async def count(self) -> int:
        """Return the number of games."""
        return await self._read(lambda c: c.execute(sa.select(sa.func.count()).select_from(GAMES)).scalar_one())

    def listen(self, callback: Callable[[str | None], None]) -> None:
        """Call `callback` on this loop with the id of each game that another process has appended to.

        None means that notifications may have been missed. Only PostgreSQL notifies; SQLite serves a single process.
        """
        if self.is_postgres:
            loop = asyncio.get_running_loop()
            self._listener = threading.Thread(target=self._listen, args=(loop, callback), name="listener", daemon=True)
            self._listener.start()

    def _listen(self, loop: asyncio.AbstractEventLoop, callback: Callable[[str | None], None]) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(sa.exc.SQLAlchemyError, psycopg.Error, RuntimeError):
                self._listen_once(loop, callback)
            self._closing.wait(1.0)  # retry after a lost connection

    def _listen_once(self, loop: asyncio.AbstractEventLoop, callback: Callable[[str | None], None]) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            driver: Any = connection.connection.driver_connection
            connection.detach()  # the connection holds a lock, so it must not return to the pool
            driver.execute(f"select pg_advisory_lock_shared({SERVER_LOCK})")  # held until the connection closes
            driver.execute(f"listen {CHANNEL}")
            loop.call_soon_threadsafe(callback, None)
            while not self._closing.is_set():
                for notification in driver.notifies(timeout=LISTEN_SECONDS):
                    origin, _, game = notification.payload.partition(" ")
                    if origin != self._origin_id:
                        loop.call_soon_threadsafe(callback, game)

    async def close(self) -> None:
        """Finish queued writes and close the database."""
        self._closing.set()
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        if self._inline_writer is not None:
            self._inline_writer.close()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.join, 2 * LISTEN_SECONDS)
        self.engine.dispose()

    # --- reading ---------------------------------------------------------------------------------------------------

    async def _read(self, query: Callable[[sa.Connection], T]) -> T:
        return await asyncio.to_thread(self._run_query, query)

    def _run_query(self, query: Callable[[sa.Connection], T]) -> T:
        try:
            self._require_file()
            with timed(READ), self.engine.connect() as connection:
                return query(connection)
        except sa.exc.SQLAlchemyError as error:
            STORAGE_ERRORS.labels("read").inc()
            raise _storage_error(error) from error

    @staticmethod
    def _find(connection: sa.Connection, game: str) -> StoredGame | None:
        row = connection.execute(sa.select(GAMES).where(GAMES.c.id == game)).one_or_none()
        return None if row is None else StoredGame(row.id, row.created, row.program, row.setup, row.secret)

    @staticmethod
    def _events(connection: sa.Connection, game: str, after: int) -> list[StoredEvent]:
        query = sa.select(EVENTS).where(EVENTS.c.game == game, EVENTS.c.number > after).order_by(EVENTS.c.number)
        return [StoredEvent(row.number, row.kind, row.at, row.data) for row in connection.execute(query)]

    # --- writing ---------------------------------------------------------------------------------------------------

    def _try_write_inline(self, row: tuple[object, ...]) -> bool | None:
        """Insert an event without blocking. Return None if the writer thread has to do it."""
        if self._inline_writer is None:
            return None
        started = time.perf_counter()
        is_stored = self._inline_writer.write(row)
        if is_stored is not None:
            WRITE.observe(time.perf_counter() - started)
            self._require_file()  # a row written into a deleted or replaced file is lost
            self.is_healthy = True
        return is_stored

    async def _enqueue_write(self, table: sa.Table, rows: list[tuple[object, ...]], *, is_probe: bool = False) -> bool:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        self._jobs.put(_Job(table, rows, future, is_probe))
        timeout = loop.call_later(WRITE_TIMEOUT, _time_out, future)
        try:
            return await future
        finally:
            timeout.cancel()

    def _require_file(self) -> None:
        if self._file is not None:
            self._file.require_unchanged()

    def _run_writer(self) -> None:
        """Write queued jobs in batches until the stop marker arrives."""
        stopping = False
        while not stopping:
            jobs: list[_Job] = []
            job = self._jobs.get()
            while True:
                if job is None:
                    stopping = True
                    break
                jobs.append(job)
                if len(jobs) == MAX_BATCH_SIZE or self._jobs.empty():
                    break
                job = self._jobs.get()
            if jobs:
                self._resolve_futures(self._store(jobs))
        self._release_connection()

    def _store(self, jobs: list[_Job]) -> list[tuple[_Job, bool | StorageError]]:
        """Write all jobs in one transaction or, if that fails because of one of them, each in its own."""
        try:
            with timed(WRITE):
                inserted = self._insert(jobs)
            self.is_healthy = True
            if inserted:
                return [(job, True) for job in jobs]
            if len(jobs) == 1:
                return [(jobs[0], False)]
        except StorageError as error:
            self._record_failure()
            return [(job, error) for job in jobs]
        except Exception as error:  # the thread must survive: nothing else can write
            if len(jobs) == 1:
                self._record_failure()
                return [(jobs[0], _storage_error(error))]
        return [result for job in jobs for result in self._store([job])]

    def _record_failure(self) -> None:
        self.is_healthy = False
        STORAGE_ERRORS.labels("write").inc()

    def _insert(self, jobs: list[_Job]) -> bool:
        """Insert rows through the driver, bypassing SQLAlchemy's overhead. Return False if a key exists."""
        self._require_file()
        with self._writer_connection() as connection:
            cursor = connection.cursor()
            for table, statement in self._insert_statements.items():
                rows = [row for job in jobs if job.table is table for row in job.rows]
                if not rows:
                    continue
                cursor.executemany(statement, rows) if len(rows) > 1 else cursor.execute(statement, rows[0])
                if cursor.rowcount < len(rows):
                    connection.rollback()
                    return False
            for key in (row[:1] for job in jobs if job.is_probe for row in job.rows):
                if cursor.execute(self._select_statement, key).fetchone() is None:
                    raise StorageError("a written row could not be read back", "a written row could not be read back")
                cursor.execute(self._delete_statement, key)
            if self.is_postgres:
                payloads = sorted({f"{self._origin_id} {job.rows[0][0]}" for job in jobs if job.table is EVENTS})
                if payloads:
                    cursor.execute(
                        f"select pg_notify('{CHANNEL}', payload) from unnest(%s::text[]) as payload", (payloads,)
                    )
            connection.commit()
        self._require_file()  # a row written into a deleted or replaced file is lost
        return True

    @contextlib.contextmanager
    def _writer_connection(self) -> Iterator[Any]:
        """Provide the writer's connection, which is kept between frequent writes and dropped after an error."""
        if self._connection is not None and time.monotonic() - self._last_write > IDLE_CONNECTION_SECONDS:
            self._release_connection()
        if self._connection is None:
            self._connection = self.engine.raw_connection()  # pings the database first (PostgreSQL)
        try:
            yield self._connection.driver_connection
        except BaseException:
            self._release_connection(broken=True)
            raise
        self._last_write = time.monotonic()

    def _release_connection(self, *, broken: bool = False) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with contextlib.suppress(sa.exc.SQLAlchemyError, sqlite3.Error, psycopg.Error):
                connection.invalidate() if broken else connection.close()

    @staticmethod
    def _resolve_futures(results: list[tuple[_Job, bool | StorageError]]) -> None:
        def resolve() -> None:
            for job, result in results:
                if job.result.done():
                    continue
                if isinstance(result, StorageError):
                    job.result.set_exception(result)
                else:
                    job.result.set_result(result)

        results[0][0].result.get_loop().call_soon_threadsafe(resolve)


def _insert_statement(table: sa.Table, placeholder: str) -> str:
    """Return the insert statement for a row in the driver's parameter style."""
    columns = [column.name for column in table.columns]
    return f"insert into {table.name} ({', '.join(columns)}) values ({', '.join([placeholder] * len(columns))}) on conflict do nothing"


def open_engine(url: str, *, durable: bool = False, must_exist: bool = False) -> sa.Engine:
    """Return an engine for a database URL. An SQLite file and its folder are created unless `must_exist`."""
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise ValueError(
            f"'{url}' is not a database URL, such as sqlite:///games.sqlite or postgresql://user@host/name"
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"unsupported database '{parsed.drivername}'; use sqlite or postgresql")
    if parsed.get_backend_name() == "postgresql":
        return sa.create_engine(parsed, pool_size=4, max_overflow=4, pool_pre_ping=True, connect_args=POSTGRES)
    if parsed.database in (None, "", ":memory:"):
        raise ValueError("a database in memory would lose every game; give a file, such as sqlite:///games.sqlite")
    file = Path(str(parsed.database)).absolute()
    if must_exist and not file.exists():
        raise ValueError(f"there is no database {file}")
    if file.parent == data_dir().absolute():
        file.parent.mkdir(parents=True, exist_ok=True)
    if not file.parent.is_dir():
        raise ValueError(f"there is no folder {file.parent} for the database")
    engine = sa.create_engine(parsed, connect_args={"timeout": SQLITE_SECONDS})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # With WAL, unsynced commits survive the process; only a power cut can lose the last ones.
        connection.execute("pragma journal_mode = wal")
        connection.execute(f"pragma synchronous = {'full' if durable else 'normal'}")

    return engine


def _time_out(future: asyncio.Future[bool]) -> None:
    if not future.done():
        future.set_exception(_timeout_error())


def _timeout_error() -> StorageError:
    return StorageError("the database does not answer", "the database does not answer")


def _storage_error(error: Exception) -> StorageError:
    """Return a database error whose public message states only its kind, not the address or user."""
    cause = getattr(error, "orig", error)
    if isinstance(cause, sqlite3.Error):
        return StorageError(database_error_text(error), f"the database says: {database_error_text(error)[:100]}")
    if isinstance(cause, psycopg.Error) and cause.sqlstate is not None:
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(cause).__name__).lower()
        return StorageError(database_error_text(error), f"the database says: {kind}")
    return StorageError(database_error_text(error), "the database cannot be reached")


def database_error_text(error: Exception) -> str:
    """Return the message of a database error in one line."""
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(cause).__name__
