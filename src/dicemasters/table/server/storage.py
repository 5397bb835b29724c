"""Games on disk: a set-up and a list of events that only grows.

An event is written under its game and number, and that pair is the table's key: of two processes that append the same
number one loses, reads on and tries again. Nobody is shown an event before its transaction is committed. All writing
goes through one thread, which puts whatever has gathered meanwhile into one transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from dicemasters.table.server.schema import EVENTS, GAMES, migrate

MOST_AT_ONCE = 500  # appends in one transaction
CHANNEL = "dicemasters"
LISTEN_SECONDS = 0.5  # after which the listener looks whether it shall stop

T = TypeVar("T")


class Event(NamedTuple):
    """Something that happened in a game: its number from 1, what it was, when (ISO, UTC), and the details as JSON."""

    number: int
    kind: str
    at: str
    data: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it was created: its set-up as JSON, the secret of its dice, when and by which version."""

    game: str
    created: str
    program: str
    setup: str
    secret: str


class StorageError(Exception):
    """The database could not be reached or written; the text says why."""


class _Job(NamedTuple):
    table: sa.Table
    rows: list[dict[str, Any]]
    done: asyncio.Future[bool]


class Storage:
    """The games of one database."""

    def __init__(self, url: str, *, durable: bool = False) -> None:
        self.engine = _engine(url, durable)
        self.is_postgres = self.engine.dialect.name == "postgresql"
        try:
            migrate(self.engine)
        except sa.exc.SQLAlchemyError as error:
            raise StorageError(_reason(error)) from error
        self._self = secrets.token_hex(4)  # tells this process's own news from those of others
        self._closing = threading.Event()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writer.start()

    async def create(self, kept: Kept) -> bool:
        """Store a new game; False if there is one of that name."""
        row = {
            "id": kept.game,
            "created": kept.created,
            "program": kept.program,
            "setup": kept.setup,
            "secret": kept.secret,
        }
        return await self._put(GAMES, [row])

    async def append(self, game: str, events: Sequence[Event]) -> bool:
        """Store the next events of a game, all or none; False if somebody else has stored one of those numbers."""
        return await self._put(EVENTS, [{"game": game, **event._asdict()} for event in events])

    async def find(self, game: str) -> Kept | None:
        """Give a game as it was created, or None."""
        return await self._read(lambda c: self._find(c, game))

    async def events(self, game: str, after: int = 0) -> list[Event]:
        """List the events of a game with numbers over `after`, in order."""
        return await self._read(lambda c: self._events(c, game, after))

    async def count(self) -> int:
        """Count the games."""
        return await self._read(lambda c: c.execute(sa.select(sa.func.count()).select_from(GAMES)).scalar_one())

    def listen(self, told: Callable[[str | None], None]) -> None:
        """Call `told` on this loop with each game that another process has stored something of.

        With None where something may have been missed. Only PostgreSQL tells; a SQLite file is for one process.
        """
        if self.is_postgres:
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(loop, told), name="listener", daemon=True).start()

    def _listen(self, loop: asyncio.AbstractEventLoop, told: Callable[[str | None], None]) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(sa.exc.SQLAlchemyError, psycopg.Error, RuntimeError):
                self._listen_once(loop, told)
            self._closing.wait(1.0)  # the database is gone: try again

    def _listen_once(self, loop: asyncio.AbstractEventLoop, told: Callable[[str | None], None]) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute(f"listen {CHANNEL}")
            loop.call_soon_threadsafe(told, None)
            while not self._closing.is_set():
                for notice in driver.notifies(timeout=LISTEN_SECONDS):
                    process, _, game = notice.payload.partition(" ")
                    if process != self._self:
                        loop.call_soon_threadsafe(told, game)

    async def close(self) -> None:
        """Finish what is being written and close the database."""
        self._closing.set()
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        self.engine.dispose()

    # --- reading ---------------------------------------------------------------------------------------------------

    async def _read(self, look: Callable[[sa.Connection], T]) -> T:
        return await asyncio.to_thread(self._look, look)

    def _look(self, look: Callable[[sa.Connection], T]) -> T:
        try:
            with self.engine.connect() as connection:
                return look(connection)
        except sa.exc.SQLAlchemyError as error:
            raise StorageError(_reason(error)) from error

    @staticmethod
    def _find(connection: sa.Connection, game: str) -> Kept | None:
        row = connection.execute(sa.select(GAMES).where(GAMES.c.id == game)).one_or_none()
        return None if row is None else Kept(row.id, row.created, row.program, row.setup, row.secret)

    @staticmethod
    def _events(connection: sa.Connection, game: str, after: int) -> list[Event]:
        wanted = sa.select(EVENTS).where(EVENTS.c.game == game, EVENTS.c.number > after).order_by(EVENTS.c.number)
        return [Event(row.number, row.kind, row.at, row.data) for row in connection.execute(wanted)]

    # --- writing ---------------------------------------------------------------------------------------------------

    async def _put(self, table: sa.Table, rows: list[dict[str, Any]]) -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(table, rows, done))
        return await done

    def _write(self) -> None:
        """Store what has gathered, again and again, until told to stop."""
        stopping = False
        while not stopping:
            jobs: list[_Job] = []
            job = self._jobs.get()
            while True:
                if job is None:
                    stopping = True
                    break
                jobs.append(job)
                if len(jobs) == MOST_AT_ONCE or self._jobs.empty():
                    break
                job = self._jobs.get()
            if jobs:
                self._answer(self._store(jobs))

    def _store(self, jobs: list[_Job]) -> list[tuple[_Job, bool | StorageError]]:
        """Store all in one transaction; if one of them came too late, each in its own."""
        try:
            if self._insert(jobs):
                return [(job, True) for job in jobs]
            if len(jobs) == 1:
                return [(jobs[0], False)]
        except sa.exc.SQLAlchemyError as error:
            if len(jobs) == 1:
                return [(jobs[0], StorageError(_reason(error)))]
        return [answer for job in jobs for answer in self._store([job])]

    def _insert(self, jobs: list[_Job]) -> bool:
        insert = postgresql.insert if self.is_postgres else sqlite.insert
        with self.engine.connect() as connection, connection.begin() as transaction:
            for table in (GAMES, EVENTS):
                rows = [row for job in jobs if job.table is table for row in job.rows]
                put = insert(table).on_conflict_do_nothing().returning(*table.primary_key)
                if rows and len(connection.execute(put, rows).all()) < len(rows):
                    transaction.rollback()
                    return False
            if self.is_postgres:
                games = {job.rows[0]["game"] for job in jobs if job.table is EVENTS}
                if games:
                    told = [{"said": f"{self._self} {game}"} for game in sorted(games)]
                    connection.execute(sa.text(f"select pg_notify('{CHANNEL}', :said)"), told)
        return True

    @staticmethod
    def _answer(answers: list[tuple[_Job, bool | StorageError]]) -> None:
        def tell() -> None:
            for job, answer in answers:
                if job.done.done():
                    continue
                if isinstance(answer, StorageError):
                    job.done.set_exception(answer)
                else:
                    job.done.set_result(answer)

        answers[0][0].done.get_loop().call_soon_threadsafe(tell)


def _engine(url: str, durable: bool) -> sa.Engine:
    """Open the database; make the file's folder if it has none."""
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise ValueError(
            f"'{url}' is no database URL, such as sqlite:///games.sqlite or postgresql://user@host/name"
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"'{parsed.drivername}' is no database this server knows; it knows sqlite and postgresql")
    if parsed.get_backend_name() == "postgresql":
        return sa.create_engine(parsed, pool_size=4, max_overflow=4, pool_pre_ping=True)
    if parsed.database in (None, "", ":memory:"):
        raise ValueError("a database in memory would lose every game; name a file, as in sqlite:///games.sqlite")
    Path(str(parsed.database)).absolute().parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(parsed, connect_args={"timeout": 30})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # With WAL a committed transaction outlives the process even unsynced; only a power cut can lose the last ones.
        connection.execute("pragma journal_mode = wal")
        connection.execute(f"pragma synchronous = {'full' if durable else 'normal'}")

    return engine


def _reason(error: Exception) -> str:
    """Say a database error in one line."""
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(cause).__name__
