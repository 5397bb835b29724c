"""The SQL store on SQLite and PostgreSQL: appends, migrations, failures, several servers."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.support.live_server import TIMEOUT, OpenedGame, run_server
from tools.chaos import crash_test

from dicemasters.server.storage.sql_store import SqlGameStore, _Job, open_engine
from dicemasters.server.storage.tables import METADATA, upgrade
from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame


def event(number: int, text: str = "{}") -> StoredEvent:
    return StoredEvent(number, "play", "2026-01-01T00:00:00.000+00:00", text)


GAME = StoredGame("g1", "2026-01-01T00:00:00.000+00:00", "0.1.0", '{"a": "Ünïcode"}', "00" * 32)


def test_stored_game_is_found_by_another_store(url: str) -> None:
    async def store() -> None:
        storage = SqlGameStore(url)
        assert await storage.create(GAME)
        assert await storage.append("g1", [event(1, '{"x":"é"}')])
        assert await storage.append("g1", [event(2), event(3)])
        await storage.close()

    async def find() -> None:
        storage = SqlGameStore(url)
        assert await storage.find("g1") == GAME
        assert await storage.find("g2") is None
        assert [e.number for e in await storage.events("g1")] == [1, 2, 3]
        assert (await storage.events("g1"))[0].data == '{"x":"é"}'
        assert [e.number for e in await storage.events("g1", 2)] == [3]
        assert await storage.count() == 1
        await storage.close()

    asyncio.run(store())
    asyncio.run(find())


def test_one_of_two_concurrent_appends_with_equal_numbers_fails(url: str) -> None:
    async def race() -> None:
        one, two = SqlGameStore(url), SqlGameStore(url)
        await one.create(GAME)
        for number in range(1, 20):
            won = await asyncio.gather(
                one.append("g1", [event(number, '"one"')]), two.append("g1", [event(number, '"two"')])
            )
            assert sorted(won) == [False, True]
            stored = await one.events("g1", number - 1)
            assert [e.data for e in stored] == ['"one"' if won[0] else '"two"']
        await one.close()
        await two.close()

    asyncio.run(race())


def test_append_stores_all_events_or_none(url: str) -> None:
    async def overlap() -> None:
        storage = SqlGameStore(url)
        await storage.create(GAME)
        await storage.append("g1", [event(1)])
        assert not await storage.append("g1", [event(1), event(2)])
        assert [e.number for e in await storage.events("g1")] == [1]
        await storage.close()

    asyncio.run(overlap())


def test_failed_append_does_not_affect_appends_to_other_games(url: str) -> None:
    async def together() -> None:
        storage = SqlGameStore(url)
        for name in "abc":
            await storage.create(replace(GAME, game=name))
        await storage.append("b", [event(1)])
        answers = await asyncio.gather(*(storage.append(name, [event(1)]) for name in "abc"))
        assert answers == [True, False, True]
        await storage.close()

    asyncio.run(together())


def test_append_is_synchronous_unless_the_database_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.sqlite"

    async def store() -> None:
        storage = SqlGameStore(f"sqlite:///{file}")
        await storage.create(GAME)
        storing = storage.append("g1", [event(1)])
        with pytest.raises(StopIteration) as done:
            storing.send(None)  # completes without waiting
        assert done.value.value is True
        blocker = sqlite3.connect(file, isolation_level=None)
        blocker.execute("begin immediate")
        writing, insert = threading.Event(), storage._insert

        def insert_and_note(jobs: list[_Job]) -> bool:
            writing.set()
            return insert(jobs)

        monkeypatch.setattr(storage, "_insert", insert_and_note)
        waiting = asyncio.create_task(storage.append("g1", [event(2)]))
        assert await asyncio.to_thread(writing.wait, TIMEOUT)  # the writer has reached the lock
        assert not waiting.done()
        blocker.execute("rollback")
        blocker.close()
        assert await waiting
        assert [e.number for e in await storage.events("g1")] == [1, 2]
        await storage.close()

    asyncio.run(store())


def test_write_ahead_log_stays_small(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"

    async def store() -> int:
        storage = SqlGameStore(f"sqlite:///{file}")
        await storage.create(GAME)
        largest = 0
        for number in range(1, 3001):
            assert await storage.append("g1", [event(number, "x" * 1000)])
            if not number % 100:
                largest = max(largest, file.with_name("games.sqlite-wal").stat().st_size)
        await storage.close()
        return largest

    largest = asyncio.run(store())
    assert largest < 12_000_000  # out of 25 million bytes written
    with closing(sqlite3.connect(file)) as found:
        assert found.execute("select count(*), max(number) from events").fetchone() == (3000, 3000)


def test_migrations_create_the_expected_tables(url: str) -> None:
    storage = SqlGameStore(url)
    found = sa.inspect(storage.engine)
    for table in METADATA.sorted_tables:
        assert {c["name"] for c in found.get_columns(table.name)} == {c.name for c in table.columns}
        assert set(found.get_pk_constraint(table.name)["constrained_columns"]) == {c.name for c in table.primary_key}
    SqlGameStore(url)  # opening again migrates nothing
    asyncio.run(storage.close())


def test_older_database_is_migrated_with_its_contents(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    engine = open_engine(url)
    with engine.connect() as connection, connection.begin():
        upgrade(connection, "0001")
        connection.execute(sa.text("insert into games values ('g1', '', '', '{}', '')"))
        connection.execute(
            sa.text("insert into events values ('g1', 1, 'play', 'then', '[1]'), ('g1', 2, 'play', '', '')")
        )
    engine.dispose()

    async def look() -> None:
        storage = SqlGameStore(url)
        assert await storage.events("g1") == [StoredEvent(1, "play", "then", "[1]"), StoredEvent(2, "play", "", "")]
        assert not await storage.append("g1", [event(2)])
        assert await storage.append("g1", [event(3)])
        await storage.close()

    asyncio.run(look())


def test_unwritable_database_rejects_choices_and_shows_nothing_new(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with run_server(f"sqlite:///{file}") as server:
        opened = server.open(seed=1, seats=[{}, {}])
        both = opened.join("A", "B")
        before = opened.view
        with sqlite3.connect(file) as spoiler:
            spoiler.execute("create trigger full before insert on events begin select raise(abort, 'disk full'); end")
        both.send(type="play", version=both.view["version"], choice={"option": 0})
        assert both.receive("bye", "view")["type"] == "bye"
        assert opened.view == before
        with sqlite3.connect(file) as spoiler:
            spoiler.execute("drop trigger full")
        opened.join("A", "B").choose()


def test_incompatible_game_of_another_version_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with run_server(f"sqlite:///{file}") as server:
        opened = server.open(seed=1, seats=[{}, {}])
        with sqlite3.connect(file) as spoiler:
            spoiler.execute("update games set program = '0.0.9'")
            spoiler.execute(
                "insert into events values (?, 1, 'play', '', ?)", (opened.game, '{"seat":"A","texts":["fly"]}')
            )
        answer = server.http.get(f"/api/games/{opened.game}")
        assert answer.status_code == 404
        assert "version 0.0.9" in answer.json()["error"]


def test_two_servers_on_one_postgresql_share_a_game(cluster: str) -> None:
    with run_server(cluster) as here, run_server(cluster) as there:
        opened = here.open(seed=1, seats=[{}, {}])
        a = opened.join("A")
        b = OpenedGame(there, opened.game, opened.seats).join("B")
        for _ in range(12):
            mover, other = (a, b) if a.view["decision"]["seat"] == "A" else (b, a)
            mover.choose(1)
            other.receive("view")
            assert mover.view == other.view
            if mover.view["result"]:
                break


def test_concurrent_moves_on_two_servers_resolve_to_one(cluster: str) -> None:
    with run_server(cluster) as here, run_server(cluster) as there:
        opened = here.open(seed=2, seats=[{}, {}])
        one = opened.join("A", "B")
        two = OpenedGame(there, opened.game, opened.seats).join("A", "B")
        for _ in range(10):
            message = {"type": "play", "version": one.view["version"], "choice": {"option": 0}}
            one.send(**message)
            two.send(**message)
            one.receive("view")
            two.receive("view")
            assert one.view == two.view
            if one.view["result"]:
                break


def test_killed_server_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    lost, shown = crash_test.run(f"sqlite:///{tmp_path / 'games.sqlite'}", times=2, games=4)
    assert lost == []
    assert shown >= 8  # at least one view per game after each start


@pytest.mark.parametrize("wrong", ["nonsense", "mysql://x/y", "sqlite://", "sqlite:///:memory:"])
def test_invalid_database_url_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="database"):
        SqlGameStore(wrong)


def test_unreachable_database_raises_a_storage_error() -> None:
    with pytest.raises(StorageError):
        SqlGameStore("postgresql://nobody@127.0.0.1:1/none")
