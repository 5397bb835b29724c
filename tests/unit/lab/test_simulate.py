"""Simulations of games between teams: independent of the number of workers, and resumable."""

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
def pairings() -> list[Pairing]:
    return make_pairings(["green-rage", "stonewall"], ["ai"])


@pytest.fixture(scope="module")
def rows(pairings: list[Pairing]) -> CompactRows:
    return run(make_tasks(pairings, 8, PLAYERS, seed=3), workers=1)


def test_results_do_not_depend_on_the_number_of_workers(pairings: list[Pairing], rows: CompactRows) -> None:
    assert run(make_tasks(pairings, 8, PLAYERS, seed=3), workers=2) == rows


def test_seed_changes_the_games_and_teams_alternate_going_first(pairings: list[Pairing], rows: CompactRows) -> None:
    assert run(make_tasks(pairings, 8, PLAYERS, seed=40), workers=1) != rows
    assert [row["first"] for row in rows] == ["A", "B"] * 4


def test_recorded_counts_are_consistent(rows: CompactRows) -> None:
    for row in rows:
        assert row["life"][0] == [20, 20]
        assert len(row["life"]) == row["turns"]
        assert sum(counts[BOUGHT] for counts in row["cards"]["A"].values()) > 0
        a, b = row["life"][-1]
        assert min(a, b) > 0
        assert min(a, b) < 20  # some damage was dealt before the last turn
        if row["winner"]:
            assert sum(counts[TO_PLAYER] for counts in row["cards"][row["winner"]].values()) > 0
    summary = summarize(rows)
    assert summary.games == 8
    assert summary.won.share == sum(row["winner"] == "A" for row in rows) / 8 + summary.ties / 16
    assert sum(summary.how.values()) == 8
    assert summary.life[0] == (20, 20)


def test_win_rate_interval_contains_its_share_and_stays_within_0_and_1() -> None:
    none, all_ = win_rate(0, 50), win_rate(50, 50)
    assert (none.low, all_.high) == (0, 1)
    assert 0.05 < none.high < 0.1
    assert 0.9 < all_.low < 0.95
    half = win_rate(200, 400)
    assert (round(half.low, 3), round(half.high, 3)) == (0.451, 0.549)


def test_stopped_run_resumes_where_it_stopped(tmp_path: Path, pairings: list[Pairing], rows: CompactRows) -> None:
    path, todo = tmp_path / "run.jsonl", make_tasks(pairings, 8, PLAYERS, seed=3)
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


def test_file_that_cannot_be_resumed_is_left_unchanged(
    tmp_path: Path, rows: CompactRows, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    argv = ["simulate", "green-rage", "stonewall", "--games", "2", "--workers", "1", "--keep", str(path)]
    assert main(argv) == 0
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
    for problem, text in cases.items():
        path.write_text("\n".join(text) + "\n", encoding="latin-1")
        capsys.readouterr()
        assert main(argv) == 2, text
        errors = [line for line in capsys.readouterr().err.splitlines() if "games" not in line]
        assert len(errors) == 1
        assert f"{path}: cannot resume from this file: " in errors[0]
        assert problem.rstrip() in errors[0]
        assert path.read_text(encoding="latin-1").splitlines() == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full, which is a full disk")
@pytest.mark.parametrize("where", ["--keep", "--json", "--report"])
def test_full_disk_prints_one_line_naming_the_file(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "full.html"
    file.symlink_to("/dev/full")
    assert main(["simulate", "green-rage", "stonewall", "--games", "2", "--workers", "1", where, str(file)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"dicemasters: {file}: No space left on device"


def test_run_cannot_be_resumed_with_changed_home_made_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards, team, checkpoint = tmp_path / "own.toml", tmp_path / "own.team", tmp_path / "run.jsonl"
    cards.write_text(NURSE)
    ready = write_team(ready_teams()["green-rage"]).splitlines()
    first = next(n for n, line in enumerate(ready) if "x " in line[:3])
    ready[first] = f"{ready[first][0]}x Night Nurse: Open Late"
    team.write_text("\n".join(ready) + "\n")
    argv = ["simulate", str(team), "stonewall", "--load", str(cards), "--games", "2", "--keep", str(checkpoint)]
    assert main([*argv, "--workers", "2"]) == 0
    assert main(argv) == 0
    assert len(checkpoint.read_text().splitlines()) == 3
    cards.write_text(NURSE.replace("Life(2)", "Life(3)"))
    assert main(argv) == 2
    assert "another run, with other teams" in capsys.readouterr().err


def test_report_is_one_self_contained_page_with_pictures(pairings: list[Pairing], rows: CompactRows) -> None:
    html = render_page(pairings, PLAYERS, [summarize(rows)])
    assert "<script" not in html
    assert "<link" not in html
    assert html.count("<figure>") >= 1
    for part in html.split("<figure>")[1:]:
        ElementTree.fromstring(part[: part.index("</svg>") + 6])


def test_simulate_command_prints_writes_files_and_compares_editions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, html = tmp_path / "found.json", tmp_path / "found.html"
    argv = ["simulate", "green-rage", "stonewall", "flame-on", "--matrix", "--games", "2", "--workers", "1"]
    assert main([*argv, "--json", str(out), "--report", str(html)]) == 0
    assert "Green Rage - Stonewall" in capsys.readouterr().out
    assert [one["games"] for one in json.loads(out.read_text())] == [2, 2, 2]
    assert "Flame On" in html.read_text()
    all_editions = [
        "simulate",
        "green-rage",
        "stonewall",
        "--games",
        "2",
        "--workers",
        "1",
        "--edition",
        "all",
        "--json",
        "-",
    ]
    assert main(all_editions) == 0
    assert len(json.loads(capsys.readouterr().out)) == 4


def test_parquet_file_has_one_row_per_game(tmp_path: Path, pairings: list[Pairing], rows: CompactRows) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'dicemasters[lab]'")
    path = tmp_path / "games.parquet"
    argv = ["simulate", "green-rage", "stonewall", "--edition", "ai", "--seed", "3", "--games", "8", "--workers", "1"]
    assert main([*argv, "--parquet", str(path)]) == 0
    table = parquet.read_table(path).to_pylist()
    assert [(row["game"], row["winner"], row["turns"]) for row in table] == [
        (row["number"], row["winner"], row["turns"]) for row in rows
    ]
    first = table[0]
    assert (first["team_a"], first["team_b"], first["edition"]) == (*pairings[0].names, pairings[0].edition)
    assert list(zip(first["life_a"], first["life_b"], strict=True)) == [tuple(both) for both in rows[0]["life"]]
    bought = {(card["seat"], card["card"]): card["bought"] for card in first["cards"]}
    assert bought == {(s, key): counts[BOUGHT] for s in "AB" for key, counts in rows[0]["cards"][s].items()}


def test_missing_package_is_reported_with_its_install_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for options, message in (
        (["--parquet", "x.parquet"], "this needs pyarrow: pip install 'dicemasters[lab]'"),
        (["--on", "ray"], "this needs ray: pip install 'dicemasters[cluster]'"),
    ):
        assert main(["simulate", "green-rage", "stonewall", *options]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "message"),
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
def test_invalid_simulate_arguments_print_one_line(
    wrong: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *(word.format(folder=tmp_path) for word in wrong)]) == 2
    assert not list(tmp_path.iterdir())
    error_text = capsys.readouterr().err
    assert message in error_text
    assert len(error_text.splitlines()) == 1


def test_interrupted_run_resumes_with_the_same_command(tmp_path: Path) -> None:
    argv = ["simulate", "green-rage", "stonewall", "--games", "40", "--seed", "3", "--workers", "2"]
    checkpoint, whole = tmp_path / "run.jsonl", tmp_path / "whole.json"
    command = [sys.executable, "-m", "dicemasters", *argv, "--keep", str(checkpoint)]
    for _ in range(10):  # repeat until a run is interrupted before its end, even on a busy machine
        checkpoint.unlink(missing_ok=True)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not checkpoint.exists() or len(checkpoint.read_bytes().splitlines()) < 4):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        code = process.wait(600)
        if code != 0:
            break
    assert code == 130
    done = len(checkpoint.read_bytes().splitlines()) - 1
    assert 3 <= done < 40
    resumed = tmp_path / "resumed.json"
    assert main([*argv, "--keep", str(checkpoint), "--json", str(resumed)]) == 0
    assert len(checkpoint.read_bytes().splitlines()) == 41
    assert main([*argv, "--json", str(whole)]) == 0
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("workers", ["-1", "0", "99999"])
def test_invalid_number_of_workers_is_refused(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "green-rage", "stonewall", "--games", "4", "--workers", workers]) == 2
    told = f"dicemasters simulate: --workers: '{workers}' is not a number of workers from 1 to 256"
    assert capsys.readouterr().err.startswith(told)


def test_illegal_team_is_refused(tmp_path: Path) -> None:
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
def test_workers_end_when_their_parent_is_killed_or_interrupted(how: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    with (tmp_path / "said").open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True
        )
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.send_signal(how)
    process.wait(600)
    deadline = time.monotonic() + 600
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))
    process.stdout.close()


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
