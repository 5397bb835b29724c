"""Every scenario file under tests/ passes, and invalid files are reported in one clear line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.effort import is_thorough
from tests.support.scenario_observers import FILES, PROPERTY, SCENARIOS, run_observed

from dicemasters.game.scenarios.scenario import read_scenarios, run_files

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("path", FILES, ids=[path.relative_to(SCENARIOS).with_suffix("").as_posix() for path in FILES])
def test_scenario_file_passes(path: Path, record_property: Callable[[str, object], None]) -> None:
    """Positions of rulings and worked examples are also read back; in a thorough run, those of all files."""
    name = path.relative_to(SCENARIOS)
    read_back = is_thorough() or len(name.parts) == 1 or name.parts[0] == "rulings" or path.stem == "rogue"
    observed = run_observed(path, read_back=read_back)
    record_property(PROPERTY, {"abilities": sorted(observed.abilities), "decisions": sorted(observed.decisions)})
    if observed.problems:
        pytest.fail("\n".join(f"{name}: {problem}" for problem in observed.problems), pytrace=False)


@pytest.mark.parametrize("name", ["avx_play", "avx_combat", "uxm_play", "uxm_combat", "cw_play", "ai_play"])
def test_every_worked_example_of_the_rulebooks_is_a_scenario(name: str) -> None:
    scenarios = read_scenarios((SCENARIOS / f"worked_{name}.scenario").read_text(encoding="utf-8"))
    edition = name.split("_")[0]
    assert f"edition: {edition}" in [line for _, line in scenarios[0].position]
    assert any(line.startswith("expect") for _, line in scenarios[0].play)


# --- reports on a file ---------------------------------------------------------------------------------------------

GOOD = """\
scenario: a Sidekick attacks
edition: ai
team A: 2x Black Widow: Red Alert
A field: Sidekick
turn: 3, A, declare
play:
A: attack with Sidekick; pass
expect B life: 19
"""


def _run(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Run one file; return the exit code, the only line about it and the final count."""
    path = tmp_path / "file.scenario"
    path.write_text(text, encoding="utf-8")
    code = run_files([str(path)])
    output = capsys.readouterr()
    problems = [line for line in (output.out + output.err).splitlines() if line.startswith(str(tmp_path))]
    assert len(problems) <= 1
    return code, problems[0].removeprefix(f"{tmp_path}/") if problems else "", output.out.splitlines()[-1]


def test_passing_file_exits_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(tmp_path, GOOD, capsys) == (0, "", "1 passed, 0 failed")


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("B life: 19", "B life: 18", 8, "expected B life 18, it is 19"),
        ("expect B life: 19", "expect A field: Sidekick", 8, "expected A field: Sidekick; it is: nothing"),
        ("expect B life: 19", "expect A bag has: Black Widow", 8, "expected A bag to have: Black Widow; it is: "),
        ("expect B life: 19", "expect A's Sidekick: 2/2", 8, "A's Sidekick is not in the field"),
        ("expect B life: 19", "expect decision: B main", 8, "expected the decision 'B main', it is 'B reroll'"),
        ("expect B life: 19", "expect result: A wins", 8, "expected the result 'A wins', it is 'unfinished'"),
        ("expect B life: 19", "may: no such thing", 8, "B may not 'no such thing'; the options are: "),
        ("expect B life: 19", "may not: keep all", 8, "B may 'keep all'; the options are: "),
        ("expect B life: 19", "may only: keep all", 8, "also possible: "),
        ("expect B life: 19", "expect happened: Sidekick is KO'd", 8, "'Sidekick is KO'd': it did not happen, "),
        ("expect B life: 19", "expect happened not: Turn 4: B", 8, "'Turn 4: B': it did happen; "),
        ("expect B life: 19", "B rolls: F", 8, "B's scripted rolls did not happen: F"),
        ("attack with Sidekick", "attack with Hulk", 7, "'attack with Hulk' is not an option; A may: "),
        ("A: attack with", "B: attack with", 7, "it is A's decision (Who attacks?), not B's"),
        ("expect B life: 19", "skip to: A divide", 8, "'A divide' is not reached"),
    ],
)
def test_failed_expectation_exits_with_1_and_shows_line_and_difference(
    before: str, after: str, line: int, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, problem, count = _run(tmp_path, GOOD.replace(before, after), capsys)
    assert code == 1
    assert problem.startswith(f"file.scenario: line {line}: {reason}")
    assert problem.endswith("[a Sidekick attacks]")
    assert count == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("Black Widow: Red Alert", "Black Widdow: Red Alert", 3, "no card is called 'Black Widdow: Red Alert'"),
        ("A field: Sidekick", "A field: 9 Sidekick", 4, "A has more than 8 Sidekicks"),
        ("A field: Sidekick", "A field: 5 Sidekick\nA used: 4 Sidekick", 5, "A has more than 8 Sidekicks"),
        ("A field: Sidekick", "A field: Black Widow@1\nA prep: 2 Black Widow", 5, "there are only 2 Black Widow dice"),
        ("A field: Sidekick", "A field: Black Widow@4", 4, "Black Widow has no level 4"),
        ("A field: Sidekick", "A field: Sidekick@2", 4, "Sidekick has no level 2"),
        ("A field: Sidekick", "A field: Black Widow@1*", 4, "Black Widow has no * on level 1"),
        ("A field: Sidekick", "A field: Black Widow:B", 4, "Black Widow has no face :B"),
        (
            "A field: Sidekick",
            "A field: Black Widow:FF",
            4,
            "Black Widow:FF does not show a character and cannot be in the field",
        ),
        ("A field: Sidekick", "A field: Hulk@1", 4, "A has no Hulk in this game"),
        ("A field: Sidekick", "A field: Sidekick (asleep)", 4, "'asleep' is not an attribute of a die"),
        ("A field: Sidekick", "A cupboard: Sidekick", 4, "there is no place 'cupboard'"),
        ("A field: Sidekick", "A life: 21", 4, "A has 21 life, more than the starting life of 20"),
        ("edition: ai", "edition: xyz", 2, "there is no edition 'xyz'"),
        ("turn: 3, A, declare", "turn: 3, A, lunch", 5, "there is no step 'lunch'"),
        ("expect B life: 19", "expect the best", 8, "expected 'something: ...', found 'expect the best'"),
        ("expect B life: 19", "hope B life: 19", 8, "'hope B life' is not a line of a scenario"),
        ("expect B life: 19", "expect B luck: 19", 8, "'expect B luck: 19' is not an expectation"),
        ("scenario: ", "scene: ", 1, "a scenario begins with 'scenario: its title'"),
    ],
)
def test_invalid_file_exits_with_2_and_shows_line_and_reason(
    before: str, after: str, line: int, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, problem, count = _run(tmp_path, GOOD.replace(before, after), capsys)
    assert code == 2
    assert problem.startswith(f"file.scenario: line {line}: {reason}")
    assert count == "0 passed, 0 failed, 1 not readable"


def test_impossible_draw_is_reported_on_the_line_that_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace("turn: 3, A, declare", "turn: 3, B, main").split("A: attack")[0]
    code, problem, _ = _run(tmp_path, text + "A draws: Black Widow\nB: pass\n", capsys)
    assert code == 1
    assert problem.startswith(
        "file.scenario: line 8: A's scripted draws continue with Black Widow, which is not in the bag"
    )


def test_file_without_a_scenario_or_with_a_repeated_play_line_is_invalid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(tmp_path, "# nothing\n", capsys)[:2] == (2, "file.scenario: the file contains no scenario")
    twice = _run(tmp_path, "scenario: x\nplay:\nplay:\nexpect turn: A main step\n", capsys)[:2]
    assert twice == (
        2,
        "file.scenario: line 3: 'play:' is given twice; another scenario begins with 'scenario: its title'",
    )


def test_file_that_is_not_utf_8_is_reported_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.scenario"
    path.write_bytes(GOOD.encode() + b"# caf\xe9\n")
    assert run_files([str(path)]) == 2
    assert (
        capsys.readouterr().err
        == f"{path}: not a text file (line 9, byte {len(GOOD.encode()) + 6} of the file, is not UTF-8)\n"
    )


def test_missing_file_is_reported_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "missing.scenario"
    assert run_files([str(path)]) == 2
    assert capsys.readouterr().err == f"{path}: No such file or directory\n"


def test_invalid_file_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, failing, wrong = tmp_path / "good", tmp_path / "failing", tmp_path / "wrong"
    good.write_text(GOOD, encoding="utf-8")
    failing.write_text(GOOD + "\n" + GOOD.replace("19", "3"), encoding="utf-8")
    wrong.write_text("nonsense", encoding="utf-8")
    assert run_files([str(good), str(failing)]) == 1
    assert capsys.readouterr().out.endswith("2 passed, 1 failed\n")
    assert run_files([str(wrong), str(good), str(failing)]) == 2
    assert capsys.readouterr().out.endswith("2 passed, 1 failed, 1 not readable\n")
