"""Many games between teams: the same whatever the number of workers, gone on with where they were stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dicemasters.cli.main import main
from dicemasters.lab.io.checkpoint import Checkpoint, CompactRows
from dicemasters.lab.simulation.aggregate import summarize, win_rate
from dicemasters.lab.simulation.game_stats import BOUGHT, TO_PLAYER
from dicemasters.lab.simulation.html_report import render_page
from dicemasters.lab.simulation.simulate import Pairing, make_pairings, make_tasks, run
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_file import write_team
from dicemasters.teams.team_problems import TeamError

PLAYERS = ("simple", "simple")
NURSE = """
[[card]]
title = "Night Nurse"
subtitle = "Open Late"
cost = 3
energy = "shield"
max = 4
die = { energy = "S SS SS", faces = "0/1/3 1/2/4 1/3/5*" }
abilities = ["when(fielded(), Life(2), bursts=burst_also(Draw(1, PREP)))"]
"""


@pytest.fixture(scope="module")
def met() -> list[Pairing]:
    return make_pairings(["green-rage", "stonewall"], ["ai"])


@pytest.fixture(scope="module")
def rows(met: list[Pairing]) -> CompactRows:
    return run(make_tasks(met, 8, PLAYERS, seed=3), workers=1)


def test_the_number_of_workers_changes_nothing(met: list[Pairing], rows: CompactRows) -> None:
    assert run(make_tasks(met, 8, PLAYERS, seed=3), workers=2) == rows


def test_other_dice_give_other_games_and_each_team_begins_as_often(met: list[Pairing], rows: CompactRows) -> None:
    assert run(make_tasks(met, 8, PLAYERS, seed=40), workers=1) != rows
    assert [row["first"] for row in rows] == ["A", "B"] * 4


def test_what_is_counted_adds_up(rows: CompactRows) -> None:
    for row in rows:
        assert row["life"][0] == [20, 20]
        assert len(row["life"]) == row["turns"]
        assert sum(deeds[BOUGHT] for deeds in row["cards"]["A"].values()) > 0
        a, b = row["life"][-1]
        assert min(a, b) > 0
        assert min(a, b) < 20  # some damage came before the last turn
        if row["winner"]:
            assert sum(deeds[TO_PLAYER] for deeds in row["cards"][row["winner"]].values()) > 0
    found = summarize(rows)
    assert found.games == 8
    assert found.won.share == sum(row["winner"] == "A" for row in rows) / 8 + found.ties / 16
    assert sum(found.how.values()) == 8
    assert found.life[0] == (20, 20)


def test_an_interval_holds_its_share_and_never_leaves_0_to_1() -> None:
    none, all_ = win_rate(0, 50), win_rate(50, 50)
    assert (none.low, all_.high) == (0, 1)
    assert 0.05 < none.high < 0.1
    assert 0.9 < all_.low < 0.95
    half = win_rate(200, 400)
    assert (round(half.low, 3), round(half.high, 3)) == (0.451, 0.549)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, met: list[Pairing], rows: CompactRows) -> None:
    path, todo = tmp_path / "run.jsonl", make_tasks(met, 8, PLAYERS, seed=3)
    run(todo[:5], workers=1, checkpoint=Checkpoint(path, {"games": 8}))
    text = path.read_text()
    path.write_text(text + '{"pairing":0,"number":5,"fir')  # stopped in the middle of a line
    again = Checkpoint(path, {"games": 8})
    assert [row["number"] for row in again.results] == [0, 1, 2, 3, 4]
    played: list[int] = []
    assert run(todo, workers=1, checkpoint=again, on_progress=played.append) == rows
    assert played == [5, 1, 1, 1]
    assert len(path.read_text().splitlines()) == 9
    with pytest.raises(ValueError, match="another run, with other games"):
        Checkpoint(path, {"games": 9})
    text = path.read_text()
    path.write_text(text[:9])  # stopped in the middle of the first line
    assert not Checkpoint(path, {"games": 8}).results
    assert path.read_text() == text.splitlines(keepends=True)[0]


def test_a_file_that_cannot_be_gone_on_with_is_left_as_it_is(
    tmp_path: Path, rows: CompactRows, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    asked = ["simulate", "green-rage", "stonewall", "--games", "2", "--workers", "1", "--keep", str(path)]
    assert main(asked) == 0
    head, *lines = path.read_text().splitlines()
    broken = {key: [*lines, json.dumps({**rows[0], key: "x"})] for key in ("number", "turns", "life", "cards", "first")}
    cases = {
        "its first line does not identify": ["something else", *lines],
        "its first line": [b"\xff\xfe".decode("latin-1"), *lines],
        "with other version;": [head.replace('"version":"', '"version":"0.0.'), *lines],
        "with other seed;": [head.replace('"seed":0', '"seed":4'), *lines],
        "line 3 is not a result": [head, lines[0], '{"pairing":0}'],
        "line 2 is not a result": [head, "[]", *lines],
        "line 2 is not": [head, "{", *lines],
        **{f"line 4 is not{' ' * n}": [head, *more] for n, more in enumerate(broken.values(), 1)},
    }
    for says, text in cases.items():
        path.write_text("\n".join(text) + "\n", encoding="latin-1")
        capsys.readouterr()
        assert main(asked) == 2, text
        told = [line for line in capsys.readouterr().err.splitlines() if "games" not in line]
        assert len(told) == 1
        assert f"{path}: cannot resume from this file: " in told[0]
        assert says.rstrip() in told[0]
        assert path.read_text(encoding="latin-1").splitlines() == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full, which is a full disk")
@pytest.mark.parametrize("where", ["--keep", "--json", "--report"])
def test_a_full_disk_is_said_in_one_line_that_names_the_file(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "full.html"
    file.symlink_to("/dev/full")
    assert main(["simulate", "green-rage", "stonewall", "--games", "2", "--workers", "1", where, str(file)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"dicemasters: {file}: No space left on device"


def test_home_made_cards_are_simulated_and_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards, team, kept = tmp_path / "own.toml", tmp_path / "own.team", tmp_path / "run.jsonl"
    cards.write_text(NURSE)
    ready = write_team(ready_teams()["green-rage"]).splitlines()
    first = next(n for n, line in enumerate(ready) if "x " in line[:3])
    ready[first] = f"{ready[first][0]}x Night Nurse: Open Late"
    team.write_text("\n".join(ready) + "\n")
    asked = ["simulate", str(team), "stonewall", "--load", str(cards), "--games", "2", "--keep", str(kept)]
    assert main([*asked, "--workers", "2"]) == 0
    assert main(asked) == 0
    assert len(kept.read_text().splitlines()) == 3
    cards.write_text(NURSE.replace("Life(2)", "Life(3)"))
    assert main(asked) == 2
    assert "another run, with other teams" in capsys.readouterr().err


def test_a_report_is_one_page_with_pictures(met: list[Pairing], rows: CompactRows) -> None:
    html = render_page(met, PLAYERS, [summarize(rows)])
    assert "<script" not in html
    assert "<link" not in html
    assert html.count("<figure>") >= 1
    for part in html.split("<figure>")[1:]:
        ElementTree.fromstring(part[: part.index("</svg>") + 6])


def test_the_command_prints_writes_and_compares_editions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, html = tmp_path / "found.json", tmp_path / "found.html"
    asked = ["simulate", "green-rage", "stonewall", "flame-on", "--matrix", "--games", "2", "--workers", "1"]
    assert main([*asked, "--json", str(out), "--report", str(html)]) == 0
    assert "Green Rage - Stonewall" in capsys.readouterr().out
    assert [one["games"] for one in json.loads(out.read_text())] == [2, 2, 2]
    assert "Flame On" in html.read_text()
    two = ["simulate", "green-rage", "stonewall", "--games", "2", "--workers", "1", "--edition", "all", "--json", "-"]
    assert main(two) == 0
    assert len(json.loads(capsys.readouterr().out)) == 4


def test_a_parquet_file_has_a_row_for_each_game(tmp_path: Path, met: list[Pairing], rows: CompactRows) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'dicemasters[lab]'")
    path = tmp_path / "games.parquet"
    asked = ["simulate", "green-rage", "stonewall", "--edition", "ai", "--seed", "3", "--games", "8", "--workers", "1"]
    assert main([*asked, "--parquet", str(path)]) == 0
    table = parquet.read_table(path).to_pylist()
    assert [(row["game"], row["winner"], row["turns"]) for row in table] == [
        (row["number"], row["winner"], row["turns"]) for row in rows
    ]
    first = table[0]
    assert (first["team_a"], first["team_b"], first["edition"]) == (*met[0].names, met[0].edition)
    assert list(zip(first["life_a"], first["life_b"], strict=True)) == [tuple(both) for both in rows[0]["life"]]
    bought = {(card["seat"], card["card"]): card["bought"] for card in first["cards"]}
    assert bought == {(s, key): deeds[BOUGHT] for s in "AB" for key, deeds in rows[0]["cards"][s].items()}


def test_what_is_not_installed_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for asked, says in (
        (["--parquet", "x.parquet"], "this needs pyarrow: pip install 'dicemasters[lab]'"),
        (["--on", "ray"], "this needs ray: pip install 'dicemasters[cluster]'"),
    ):
        assert main(["simulate", "green-rage", "stonewall", *asked]) == 2
        assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["green-rage"], "two teams"),
        (["green-rage", "nosuch"], "'nosuch' is not a file"),
        (["green-rage", "stonewall", "flame-on"], "--matrix"),
        (["green-rage", "stonewall", "--games", "0"], "0 games"),
        (["green-rage", "stonewall", "--games", "-7"], "-7 games"),
        (["green-rage", "stonewall", "--games", "99999999999999999999"], "at most 10,000,000 in one run"),
        (["green-rage", "stonewall", "--player", "nobody"], "no player 'nobody'"),
        (["green-rage", "stonewall", "--edition", "chess"], "chess"),
        (["green-rage", "stonewall", "--report", "found.txt"], "found.txt: a report's name must end with .html"),
        (["green-rage", "stonewall", "--json", "no/such/found.json"], "there is no such folder"),
        (["green-rage", "stonewall", "--json", "{folder}"], "Is a directory"),
        (["green-rage", "stonewall", "--report", "{folder}/x/y.html"], "there is no such folder"),
        (["green-rage", "stonewall", "--on", "moon"], "--on moon: expected ray or ray://HOST"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    wrong: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *(word.format(folder=tmp_path) for word in wrong)]) == 2
    assert not list(tmp_path.iterdir())
    told = capsys.readouterr().err
    assert says in told
    assert len(told.splitlines()) == 1


def test_a_run_that_is_interrupted_goes_on_by_the_same_command(tmp_path: Path) -> None:
    asked = ["simulate", "green-rage", "stonewall", "--games", "40", "--seed", "3", "--workers", "2"]
    kept, whole = tmp_path / "run.jsonl", tmp_path / "whole.json"
    command = [sys.executable, "-m", "dicemasters", *asked, "--keep", str(kept)]
    for _ in range(10):  # until one is interrupted before its end, on however busy a machine
        kept.unlink(missing_ok=True)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not kept.exists() or len(kept.read_bytes().splitlines()) < 4):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        code = process.wait(600)
        if code != 0:
            break
    assert code == 130
    done = len(kept.read_bytes().splitlines()) - 1
    assert 3 <= done < 40
    resumed = tmp_path / "resumed.json"
    assert main([*asked, "--keep", str(kept), "--json", str(resumed)]) == 0
    assert len(kept.read_bytes().splitlines()) == 41
    assert main([*asked, "--json", str(whole)]) == 0
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("workers", ["-1", "99999"])
def test_a_number_of_workers_that_cannot_be_is_refused(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "green-rage", "stonewall", "--games", "4", "--workers", workers]) == 2
    told = f"dicemasters simulate: --workers: '{workers}' is not a number of workers from 0 to 256"
    assert capsys.readouterr().err.startswith(told)


def test_an_illegal_team_does_not_play(tmp_path: Path) -> None:
    path = tmp_path / "bad.team"
    path.write_text("9x Hulk: Jade Giant\n")
    with pytest.raises(TeamError):
        make_pairings([str(path), "stonewall"], ["ai"])


ENDLESS = """
import os, time
from dicemasters.lab.parallel.process_pool import imap_unordered

def wait(job):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece: two of them write into one pipe
    time.sleep(600)

for _ in imap_unordered(range(8), wait, workers=2, chunk=1):
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_whoever_let_them_work(how: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True
        )
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.send_signal(how)
    process.wait(600)
    until = time.monotonic() + 600
    while any(map(is_alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))
    process.stdout.close()


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
