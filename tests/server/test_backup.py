"""A backup is made while people play, and they come back to what it held: on both storages, and from one to the other."""

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
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Another database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'restored.sqlite'}"
    return new_database(request.getfixturevalue("cluster"))


def play(opened: OpenedGame, choices: int) -> dict[str, Any]:
    """Let both play; give what they see."""
    both = opened.join("A", "B")
    for number in range(choices):
        both.choose(number)
    both.leave()
    return opened.view


def test_people_come_back_with_their_secrets_and_play_on(url: str, other: str, tmp_path: Path) -> None:
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
        assert main(["backup", str(file), "--db", url]) == 0  # while the server runs and people sit at it
        play(games[0], 2)  # this is too late for the backup
        a.leave()
        b.leave()
    assert main(["restore", str(file), "--db", other]) == 0
    with run_server(other) as server:
        again = [OpenedGame(server, opened.game, opened.seats) for opened in (*games, fair)]
        assert [opened.view for opened in again] == before
        assert OpenedGame(server, over.game, over.seats).view == ended
        for opened in again:
            one, two = opened.join("A"), opened.join("B")
            mover, watcher = (one, two) if one.view["decision"]["seat"] == "A" else (two, one)
            mover.choose()
            watcher.receive("view")
            assert watcher.view["version"] == mover.view["version"] > before[again.index(opened)]["version"]


def test_a_backup_under_play_holds_every_game_whole(url: str, tmp_path: Path) -> None:
    with run_server(url) as server:
        opened = [server.open(seats=PEOPLE, seed=n, life=100) for n in range(4)]
        going = threading.Event()
        going.set()

        chosen = threading.Semaphore(0)

        def keep_playing(one: OpenedGame) -> None:
            both = one.join("A", "B")
            while going.is_set() and both.view["result"] is None:
                both.choose()
                chosen.release()

        playing = [threading.Thread(target=keep_playing, args=(one,)) for one in opened]
        for thread in playing:
            thread.start()
        try:
            rows = [write_backup(url, tmp_path / "0.backup")]
            while chosen.acquire(blocking=False):
                pass
            for _ in range(2 * len(opened)):  # each may have stored one before, which it says only now
                assert chosen.acquire(timeout=TIMEOUT), "nobody plays"
            rows += [write_backup(url, tmp_path / f"{n}.backup") for n in range(1, 5)]
        finally:
            going.clear()
            join_threads(*playing)
    assert [n["games"] for n in rows] == [4] * 5
    assert rows[0]["events"] < rows[4]["events"]
    for n in range(5):
        made = f"sqlite:///{tmp_path / f'{n}.sqlite'}"
        assert restore_backup(tmp_path / f"{n}.backup", made) == rows[n]
    with run_server(made) as restored:
        for one in opened:
            OpenedGame(restored, one.game, one.seats).join("A", "B").choose()


def test_a_database_in_use_or_with_games_is_left_alone(url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    with run_server(url) as server:
        kept = server.open(seats=PEOPLE, seed=1)
        write_backup(url, file)
        later = server.open(seats=PEOPLE, seed=2)
        if url.startswith("postgresql"):
            with pytest.raises(ValueError, match="a server uses this database; stop it first"):
                restore_backup(file, url, force=True)
    with pytest.raises(ValueError, match=r"already has games \(2\); --force"):
        restore_backup(file, url)
    assert restore_backup(file, url, force=True)["games"] == 1
    with run_server(url) as server:
        assert OpenedGame(server, kept.game, kept.seats).view["version"] == 0
        assert server.http.get(f"/api/games/{later.game}").status_code == 404


def test_a_file_that_a_server_keeps_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    storage = SqlGameStore(url)
    write_backup(url, tmp_path / "games.backup")
    storage.acquire_exclusive_lock()
    with pytest.raises(ValueError, match=r"a server uses .*games.sqlite; stop it first"):
        restore_backup(tmp_path / "games.backup", url, force=True)


def test_a_backup_is_for_its_owner_and_overwrites_nothing(
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


def test_more_rows_than_are_read_at_once(tmp_path: Path) -> None:
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
def made(tmp_path: Path) -> Path:
    """A small backup."""
    storage = SqlGameStore(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with storage.engine.begin() as connection:
        connection.exec_driver_sql("insert into games values ('g', 'now', '0', '{}', 'secret')")
        connection.exec_driver_sql("insert into events values ('g', 1, 'play', 'now', '{}')")
    write_backup(f"sqlite:///{tmp_path / 'games.sqlite'}", tmp_path / "games.backup")
    return tmp_path / "games.backup"


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def heading_with(line: bytes, **changed: object) -> bytes:
    return json.dumps(json.loads(line) | changed).encode() + b"\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [], "this is not a backup"),
        (lambda lines: [b"hello\n"], "this is not a backup"),
        (lambda lines: [b'{"what": "something else"}\n', *lines[1:]], "this is not a backup"),
        (
            lambda lines: [heading_with(lines[0], form=2, program="9.0"), *lines[1:]],
            "made by version 9.0, which is newer",
        ),
        (
            lambda lines: [heading_with(lines[0], schema="9999"), *lines[1:]],
            "the checksum or the row counts do not match",
        ),
        (
            lambda lines: [heading_with(lines[0], tables={"users": ["id"]}), *lines[1:]],
            "line 1: it has unknown tables",
        ),
        (lambda lines: [heading_with(lines[0], tables=[]), *lines[1:]], "line 1: it has unknown tables"),
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
def test_a_broken_backup_is_one_sentence_and_changes_nothing(
    made: Path, tmp_path: Path, change: Any, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made.write_bytes(gzip.compress(b"".join(change(lines_of(made)))))
    target = tmp_path / "new.sqlite"
    assert main(["restore", str(made), "--db", f"sqlite:///{target}"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not target.exists()


def test_a_file_that_is_cut_or_no_archive_is_one_sentence(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = made.read_bytes()
    for broken in (
        whole[:-20],
        whole[:-4],
        whole[: len(whole) // 2],
        whole[:40] + b"\0" * 20 + whole[60:],
        b"text",
        b"",
    ):
        made.write_bytes(broken)
        assert main(["restore", str(made), "--db", f"sqlite:///{made}.sqlite"]) == 2
        told = capsys.readouterr().err
        assert "damaged" in told or "this is not a backup" in told, told
        assert told.count("\n") == 1
    os.unlink(made)
    assert main(["restore", str(made), "--db", f"sqlite:///{made}.sqlite"]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_backup_of_a_later_schema_says_so(made: Path, tmp_path: Path) -> None:
    from hashlib import sha256

    lines = lines_of(made)
    lines[0] = heading_with(lines[0], schema="9999", program="7.7")
    end = json.loads(lines[-1]) | {"sha256": sha256(b"".join(lines[:-1])).hexdigest()}
    made.write_bytes(gzip.compress(b"".join([*lines[:-1], json.dumps(end).encode() + b"\n"])))
    with pytest.raises(ValueError, match=r"made by version 7\.7, which this program cannot read"):
        restore_backup(made, f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(
    ("db", "said"),
    [
        ("sqlite:///{}/none.sqlite", "there is no database"),
        ("sqlite:///{}/missing/none.sqlite", "there is no database"),
        ("sqlite:///{}/text.sqlite", "the database cannot be used: file is not a database"),
        ("sqlite:///{}/empty.sqlite", "this database has no games"),
        ("postgresql://nobody@127.0.0.1:1/none", "the database cannot be used"),
    ],
)
def test_what_cannot_be_backed_up_is_one_sentence(
    db: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.sqlite").write_text("This is no database at all, as anybody can see." * 10)
    (tmp_path / "empty.sqlite").touch()
    assert main(["backup", str(tmp_path / "x"), "--db", db.format(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", ["restore", "serve"])
def test_missing_folder_of_a_new_database_is_an_error(
    command: str, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(made)] if command == "restore" else ["--no-browser", "--port", "0"]
    assert main([command, *arguments, "--db", f"sqlite:///{tmp_path / 'missing' / 'new.sqlite'}"]) == 2
    assert f"there is no folder {tmp_path / 'missing'} for the database" in capsys.readouterr().err
    assert not (tmp_path / "missing").exists()
