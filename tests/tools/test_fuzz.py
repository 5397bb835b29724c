"""Fuzzing of untrusted text: every reader returns a usable value or raises its own error (tools.verify.fuzz)."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path

import pytest
from tests.support.effort import examples
from tests.support.steps import count_steps
from tools.verify import fuzz

from dicemasters.cards.toml_loader import CardFileError, read_cards
from dicemasters.game import Game
from dicemasters.game.notation import NotationError, UnplayableError
from dicemasters.teams.team_file import read_team

CORPUS = Path(__file__).parent / "fuzz_corpus"
TEXTS = fuzz.load_corpus(CORPUS)
INPUTS = [(kind, i) for kind, texts in TEXTS.items() for i in range(len(texts))]
POSITION = (
    "edition: ai\nlife: 10\nteam A: 1x Black Widow: Red Alert [ai]\nteam B: 1x Arnim Zola: Scientist Supreme [ai]\n"
)


@pytest.fixture(autouse=True)
def _generous_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relax the fuzzer's time limits for slow machines; `python -m tools.verify.fuzz` applies them unchanged."""
    monkeypatch.setattr(fuzz, "MAX_SECONDS", 60.0)
    monkeypatch.setattr(fuzz, "TIMEOUT_SECONDS", 300.0)


def test_every_corpus_text_is_handled() -> None:
    for kind, number in INPUTS:
        failure = fuzz.try_input(kind, TEXTS[kind][number])
        assert failure is None, failure


@pytest.mark.soak
@pytest.mark.parametrize("kind", fuzz.READERS)
def test_mutated_texts_are_handled(kind: str) -> None:
    tries = examples(quick=80, thorough=400)  # `python -m tools.verify.fuzz` tries more
    report = fuzz.fuzz(1, tries, (kind,), CORPUS)
    assert report.inputs[kind] == tries
    assert not report.failures, report


def test_fuzzer_detects_unexpected_errors_and_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fuzz.READERS, "code", lambda text, chance: [][len(text)])
    failure = fuzz.try_input("code", "x")
    assert failure is not None
    assert failure.problem.startswith("IndexError")
    monkeypatch.setattr(fuzz, "TIMEOUT_SECONDS", 0.05)
    monkeypatch.setitem(fuzz.READERS, "code", lambda text, chance: _spin(5))
    failure = fuzz.try_input("code", "x")
    assert failure is not None
    assert failure.problem == "does not end"


def _spin(seconds: float) -> None:
    started = time.thread_time()
    while time.thread_time() - started < seconds:
        pass


@pytest.mark.parametrize(
    ("also", "problem"),
    [
        ({"turn": -(10**12)}, "'turn' has"),
        ({"life": [10**12, 10]}, "'life' has a huge number"),
        ({"life": [10]}, "'life' has length 1, expected 2"),
        ({"place": [[999, 4]]}, "'place' has 999"),
        ({"place": [[0, 35]]}, "a place of a player who is not in this game"),
        ({"face": [[0, 6]]}, "'face' has 6"),
        ({"stack": [["nonsense"]]}, "not a kind of frame"),
        ({"stack": [["run", 0, 0, 0, 0, 999]]}, "an instruction that its ability does not have"),
        ({"records": [["gets", 0, 1.5, 0, -1, "end of turn", 0, 255, -1]]}, "'a' has 1.5"),
        ({"records": [["gets", 0, 1, 0, -1, "end of turn", 0, 255, -1]] * 201}, "'records' has length 201"),
        ({"queue": [[0, 0, 99, 0, 0, ["", 255, 255, 0, "", []], 255]]}, "'ability' has 99"),
        ({"ask": [0, "nothing", -1, 0], "options": []}, "not a kind of decision"),
        ({"ask": [0, "main", -1, 0], "options": []}, "there are no options"),
        ({"options": [["buy", 500, 0]]}, "'options' has 500"),
        ({"dirty": 1}, "'dirty' must be true or false"),
        ({"wonder": 1}, "there is no field 'wonder'"),
    ],
)
def test_forged_also_line_is_refused_with_its_number_and_a_reason(also: dict[str, object], problem: str) -> None:
    with pytest.raises(NotationError) as error:
        Game.from_text(f"{POSITION}turn: 3, A, main\nalso: {json.dumps(also)}\n")
    assert str(error.value).startswith("line 6: 'also' cannot be read:")
    assert problem in str(error.value)


def test_deeply_nested_json_is_refused() -> None:
    with pytest.raises(NotationError, match="line 6: 'also' cannot be read: it is nested too deeply"):
        Game.from_text(f"{POSITION}turn: 3, A, main\nalso: {'[' * 50_000}\n")


def test_choice_that_leads_to_an_unplayable_position_is_not_made() -> None:
    ask = {"ask": [0, "choose", -1, 0], "options": [["choose", 0, 0]], "stack": [["target", 3, []]]}
    game = Game.from_text(f"{POSITION}turn: 3, A, main\nalso: {json.dumps(ask)}\n")
    before = game.to_text()
    with pytest.raises(UnplayableError, match="this position cannot be played on"):
        game.play(0)
    assert (game.to_text(), game.moves, game.log) == (before, [], ())


def test_choice_that_leaves_no_legal_options_is_not_made() -> None:
    game = Game.from_text((CORPUS / "position-700701.txt").read_text(encoding="utf-8"))
    before = game.to_text()
    with pytest.raises(UnplayableError, match="nobody could choose anything"):
        game.play(0)
    assert (game.to_text(), game.moves) == (before, [])


@pytest.mark.parametrize(
    "line", ["edition: cw", "turn: 4, B, main", "A life: 4", "chance: 1", "also: {}", "basics: Focus Power"]
)
def test_repeated_position_line_is_refused(line: str) -> None:
    key = line.partition(":")[0].casefold()
    with pytest.raises(NotationError, match=f"line 3: '{key}' is given twice, first in line 2"):
        Game.from_text(f"A field: Sidekick\n{line}\n{line}\n")


def _refuse(position: str, match: str | None = None) -> None:
    with pytest.raises(NotationError, match=match):
        Game.from_text(position)


@pytest.mark.parametrize("n", [10, 1_000, 20_000])
def test_reading_unknown_dice_takes_linear_work(n: int) -> None:
    assert count_steps(lambda: _refuse(f"{POSITION}A bag: {', '.join(['x'] * n)}\n")) < 10_000 + 50 * n


@pytest.mark.parametrize(
    "line",
    [
        *(
            "life: ²",
            "turn: ²²², A, main",
            f"turn: {'9' * 5000}, A, main",
            "chance: 0x" + "f" * 5000,
            "A bag: ((((((((",
        ),
        *("A bag: 4294967296 Sidekick", "A field: Sidekick (blocking x #0)", f"A field: B ({'9' * 5000} damage)"),
        *(f"A bag: {'a' * 19_000}", "A bag: " + "(" * 19_000, f"team A: {'Hulk; ' * 3000}", f"B life: {' ' * 19_000}x"),
    ],
)
def test_oversized_line_is_refused_with_little_work(line: str) -> None:
    assert count_steps(lambda: _refuse(POSITION + line, r"line \d")) < 50_000 + 10 * len(line)


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("when(is_damaged(), may(title(1, PREP)))", "'title' takes the name of a card in quotes, not the number 1"),
        ("when(fielded(), Damage(2, target(" + " & ".join(["character"] * 100) + ")))", "nested more than 40 deep"),
        ("when(fielded(), Life(" + "-" * 1900 + "1))", ""),
        ("when(fielded(), Life(99999999))", "numbers go up to 999"),
        ("when(fielded(), character)", "'when' takes an effect, such as Damage(1, target()), not a description"),
        ("always(gets(energy_type('q'), 1))", '\'energy_type\' takes one of "F", "B", "M", "S", not the text \'q\''),
        ("x" * 3000, "at most 2000 characters"),
    ],
)
def test_meaningless_card_sentence_is_refused_on_reading(sentence: str, problem: str) -> None:
    text = f'[[card]]\ntitle = "T"\ncost = 3\nenergy = "fist"\ndie = "hulk"\nabilities = ["{sentence}"]\n'
    with pytest.raises(CardFileError, match=r"^line \d") as error:
        read_cards(text)
    assert problem in str(error.value)


def test_reading_a_text_that_is_not_a_team_stops_early() -> None:
    lines = [f"{i % 4 + 1}x Xq{i:03d} zulk: wrong name that is near to nothing" for i in range(500)]
    assert len(read_team("\n".join(lines)).problems) == 31
    short, long = (count_steps(partial(read_team, "\n".join(lines[:n]))) for n in (50, 500))
    assert long <= 2 * short  # only the first lines look names up
