"""Backup and restore during play, on SQLite, on PostgreSQL, and from one to the other."""

from __future__ import annotations

import gzip
import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import new_database
from tests.support.live_server import TIMEOUT, LiveServer, OpenedGame, join_threads, run_server

from dicemasters.cli.main import main
from dicemasters.server.storage.backup import BATCH_ROWS, check_backup, restore_backup, write_backup
from dicemasters.server.storage.sql_store import SqlGameStore

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of another database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'restored.sqlite'}"
    return new_database(request.getfixturevalue("cluster"))


def play(opened: OpenedGame, choices: int) -> dict[str, Any]:
    """Play as both seats; return the resulting view."""
    both = opened.join("A", "B")
    for number in range(choices):
        both.choose(number)
    both.leave()
    return opened.view


def test_restored_games_continue_with_the_same_seat_secrets(url: str, other_url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    with run_server(url) as server:
        games = [server.open(seats=PEOPLE, seed=n) for n in range(3)]
        fair = server.open(seats=PEOPLE)
        a, b = fair.join("A"), fair.join("B")
        over = server.open(seats=PEOPLE, seed=9)
        loser = over.join("A")
        loser.send(type="concede", seat="A")
        while loser.view["result"] is None:
            loser.receive("view")
        before = [play(opened, 3 + n) for n, opened in enumerate(games)]
        before.append(fair.view)
        ended = over.join("B").view
        assert main(["backup", str(file), "--db", url]) == 0  # while the server runs and clients are connected
        play(games[0], 2)  # after the backup
        a.leave()
        b.leave()
    assert main(["restore", str(file), "--db", other_url]) == 0
    with run_server(other_url) as server:
        reopened = [OpenedGame(server, opened.game, opened.seats) for opened in (*games, fair)]
        assert [opened.view for opened in reopened] == before
        assert OpenedGame(server, over.game, over.seats).view == ended
        for opened in reopened:
            one, two = opened.join("A"), opened.join("B")
            mover, watcher = (one, two) if one.view["decision"]["seat"] == "A" else (two, one)
            mover.choose()
            watcher.receive("view")
            assert watcher.view["version"] == mover.view["version"] > before[reopened.index(opened)]["version"]


def test_backup_during_play_contains_complete_games(url: str, tmp_path: Path) -> None:
    with run_server(url) as server:
        opened = [server.open(seats=PEOPLE, seed=n, life=100) for n in range(4)]
        playing = threading.Event()
        playing.set()

        choices_made = threading.Semaphore(0)

        def keep_playing(one: OpenedGame) -> None:
            both = one.join("A", "B")
            while playing.is_set() and both.view["result"] is None:
                both.choose()
                choices_made.release()

        threads = [threading.Thread(target=keep_playing, args=(one,)) for one in opened]
        for thread in threads:
            thread.start()
        try:
            rows = [write_backup(url, tmp_path / "0.backup")]
            while choices_made.acquire(blocking=False):
                pass
            for _ in range(2 * len(opened)):  # each thread may report one choice made before the first backup
                assert choices_made.acquire(timeout=TIMEOUT), "no game is played"
            rows += [write_backup(url, tmp_path / f"{n}.backup") for n in range(1, 5)]
        finally:
            playing.clear()
            join_threads(*threads)
    assert [n["games"] for n in rows] == [4] * 5
    assert rows[0]["events"] < rows[4]["events"]
    for n in range(5):
        restored_url = f"sqlite:///{tmp_path / f'{n}.sqlite'}"
        assert restore_backup(tmp_path / f"{n}.backup", restored_url) == rows[n]
    with run_server(restored_url) as restored:
        for one in opened:
            OpenedGame(restored, one.game, one.seats).join("A", "B").choose()


def test_restore_refuses_a_database_in_use_or_with_games(url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    with run_server(url) as server:
        first = server.open(seats=PEOPLE, seed=1)
        write_backup(url, file)
        later = server.open(seats=PEOPLE, seed=2)
        if url.startswith("postgresql"):
            with pytest.raises(ValueError, match="a server uses this database; stop it first"):
                restore_backup(file, url, force=True)
    with pytest.raises(ValueError, match=r"already has games \(2\); --force"):
        restore_backup(file, url)
    assert restore_backup(file, url, force=True)["games"] == 1
    with run_server(url) as server:
        assert OpenedGame(server, first.game, first.seats).view["version"] == 0
        assert server.http.get(f"/api/games/{later.game}").status_code == 404


def test_restore_refuses_a_sqlite_file_locked_by_a_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    storage = SqlGameStore(url)
    write_backup(url, tmp_path / "games.backup")
    storage.acquire_exclusive_lock()
    with pytest.raises(ValueError, match=r"a server uses .*games.sqlite; stop it first"):
        restore_backup(tmp_path / "games.backup", url, force=True)


def test_backup_is_private_and_overwrites_nothing_without_force(
    server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    SqlGameStore(url)
    file = tmp_path / "games.backup"
    write_backup(url, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["backup", str(file), "--db", url]) == 2
    assert "exists; choose another name, or replace it with --force" in capsys.readouterr().err
    assert main(["backup", str(file), "--db", url, "--force"]) == 0
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_backup_of_more_rows_than_one_batch_round_trips(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    storage = SqlGameStore(url)
    number = 2 * BATCH_ROWS + 7
    with storage.engine.begin() as connection:
        connection.exec_driver_sql("insert into games values ('ü', '', '', '{}', '')")
        rows = [("ü", n, "play", "", '{"text":"\u2028é"}') for n in range(number)]
        connection.exec_driver_sql("insert into events values (?, ?, ?, ?, ?)", rows)
    done: list[float] = []
    assert write_backup(url, tmp_path / "x", done.append) == {"games": 1, "events": number}
    assert done == sorted(done)
    assert done[-1] == 1
    assert check_backup(tmp_path / "x")[1]["events"] == number
    restore_backup(tmp_path / "x", f"sqlite:///{tmp_path / 'y.sqlite'}")
    restored = SqlGameStore(f"sqlite:///{tmp_path / 'y.sqlite'}")
    with restored.engine.connect() as connection:
        assert connection.exec_driver_sql("select * from events order by number").all() == rows


# --- broken files --------------------------------------------------------------------------------------------------


@pytest.fixture
def small_backup(tmp_path: Path) -> Path:
    """Return a small backup file."""
    storage = SqlGameStore(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with storage.engine.begin() as connection:
        connection.exec_driver_sql("insert into games values ('g', 'now', '0', '{}', 'secret')")
        connection.exec_driver_sql("insert into events values ('g', 1, 'play', 'now', '{}')")
    write_backup(f"sqlite:///{tmp_path / 'games.sqlite'}", tmp_path / "games.backup")
    return tmp_path / "games.backup"


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def changed_header(line: bytes, **changed: object) -> bytes:
    return json.dumps(json.loads(line) | changed).encode() + b"\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], "this is not a backup"),
        (lambda lines: [b"hello\n"], "this is not a backup"),
        (lambda lines: [b'{"what": "something else"}\n', *lines[1:]], "this is not a backup"),
        (
            lambda lines: [changed_header(lines[0], form=2, program="9.0"), *lines[1:]],
            "made by version 9.0, which is newer",
        ),
        (
            lambda lines: [changed_header(lines[0], schema="9999"), *lines[1:]],
            "the checksum or the row counts do not match",
        ),
        (
            lambda lines: [changed_header(lines[0], tables={"users": ["id"]}), *lines[1:]],
            "line 1: it has unknown tables",
        ),
        (lambda lines: [changed_header(lines[0], tables=[]), *lines[1:]], "line 1: it has unknown tables"),
        (lambda lines: lines[:-1], "the file is truncated"),
        (lambda lines: [*lines[:-1], lines[-1][:10]], "the file is truncated"),
        (lambda lines: [*lines[:-2], lines[-1]], "line 3: the checksum or the row counts do not match"),
        (lambda lines: [*lines, b"[]\n"], "there is data after the last line"),
        (
            lambda lines: [lines[0], lines[1].replace(b"secret", b"secreT"), *lines[2:]],
            "the checksum or the row counts do not match",
        ),
        (lambda lines: [lines[0], b"[0]\n", *lines[2:]], "line 2: this row has the wrong number of columns"),
        (lambda lines: [lines[0], b"[7]\n", *lines[2:]], "line 2: this is not a row"),
        (lambda lines: [lines[0], b"3\n", *lines[2:]], "line 2: this is not a row"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n", *lines[2:]], "line 2: this line is not valid JSON"),
        (lambda lines: [lines[0], b'[0,"g",[],"","",""]\n', *lines[2:]], "line 2: a value has the wrong type"),
    ],
)
def test_broken_backup_gives_one_error_line_and_changes_nothing(
    small_backup: Path, tmp_path: Path, change: Any, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    small_backup.write_bytes(gzip.compress(b"".join(change(lines_of(small_backup)))))
    target = tmp_path / "new.sqlite"
    assert main(["restore", str(small_backup), "--db", f"sqlite:///{target}"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not target.exists()


def test_truncated_or_damaged_archive_gives_one_error_line(
    small_backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = small_backup.read_bytes()
    for broken in (
        whole[:-20],
        whole[:-4],
        whole[: len(whole) // 2],
        whole[:40] + b"\0" * 20 + whole[60:],
        b"text",
        b"",
    ):
        small_backup.write_bytes(broken)
        assert main(["restore", str(small_backup), "--db", f"sqlite:///{small_backup}.sqlite"]) == 2
        error = capsys.readouterr().err
        assert "damaged" in error or "this is not a backup" in error, error
        assert error.count("\n") == 1
    os.unlink(small_backup)
    assert main(["restore", str(small_backup), "--db", f"sqlite:///{small_backup}.sqlite"]) == 2
    assert "No such file" in capsys.readouterr().err


def test_backup_with_a_newer_schema_is_refused_with_its_version(small_backup: Path, tmp_path: Path) -> None:
    from hashlib import sha256

    lines = lines_of(small_backup)
    lines[0] = changed_header(lines[0], schema="9999", program="7.7")
    end = json.loads(lines[-1]) | {"sha256": sha256(b"".join(lines[:-1])).hexdigest()}
    small_backup.write_bytes(gzip.compress(b"".join([*lines[:-1], json.dumps(end).encode() + b"\n"])))
    with pytest.raises(ValueError, match=r"made by version 7\.7, which this program cannot read"):
        restore_backup(small_backup, f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(
    ("db", "message"),
    [
        ("sqlite:///{}/none.sqlite", "there is no database"),
        ("sqlite:///{}/missing/none.sqlite", "there is no database"),
        ("sqlite:///{}/text.sqlite", "the database cannot be used: file is not a database"),
        ("sqlite:///{}/empty.sqlite", "this database has no games"),
        ("postgresql://nobody@127.0.0.1:1/none", "the database cannot be used"),
    ],
)
def test_failed_backup_gives_one_error_line(
    db: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.sqlite").write_text("This is no database at all, as anybody can see." * 10)
    (tmp_path / "empty.sqlite").touch()
    assert main(["backup", str(tmp_path / "x"), "--db", db.format(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", ["restore", "serve"])
def test_missing_folder_of_a_new_database_is_an_error(
    command: str, small_backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(small_backup)] if command == "restore" else ["--no-browser", "--port", "0"]
    assert main([command, *arguments, "--db", f"sqlite:///{tmp_path / 'missing' / 'new.sqlite'}"]) == 2
    assert f"there is no folder {tmp_path / 'missing'} for the database" in capsys.readouterr().err
    assert not (tmp_path / "missing").exists()
