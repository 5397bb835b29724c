"""At every choice of the scenarios the position can be written, read and played on, and comes out the same."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from tests.homemade import CATALOGUE

from dicemasters import Game
from dicemasters.game import scenario, turn
from dicemasters.game.moves import ScriptError
from dicemasters.game.notation import NotationError, read_plain, read_position, write_position
from dicemasters.game.scenario import read_scenarios, run_scenario
from dicemasters.game.stage import Stage
from dicemasters.game.view import UNDECIDED
from dicemasters.lab.soak import Choosing, random_doubles

HERE = Path(__file__).parent / "scenarios"
FILES = sorted(
    [*HERE.glob("worked_*.scenario"), *(HERE / "rulings").glob("*.scenario"), HERE / "cards" / "rogue.scenario"]
)


class _ReadingBack(Stage):
    """Plays the first and the last option of every position both on a copy and on what its text gives."""

    def choose(self, number: int, player: str, value: str) -> None:
        super().choose(number, player, value)
        decision = self.game.decision
        if decision is None:
            return
        text = self.game.to_text()
        assert Game.from_text(text, cards=CATALOGUE).to_text() == text
        for n in {0, len(decision.options) - 1}:
            here, there = self.game.copy(), Game.from_text(text, cards=CATALOGUE)
            try:
                here.play(decision.options[n])
            except ScriptError:  # the scenario's dice are for another choice
                continue
            assert there.decision is not None
            there.play(there.decision.options[n])
            assert here.to_text() == there.to_text(), f"line {number}, option {n}"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_position_of_a_scenario_reads_back_and_plays_on_alike(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario, "Stage", _ReadingBack)
    for one in read_scenarios(path.read_text(encoding="utf-8")):
        run_scenario(one, CATALOGUE)


def test_every_payment_in_a_game_of_four_can_be_written_and_read() -> None:
    """There are the most cards, so the numbers that say what was paid with last are the greatest."""
    seen = 0
    for seed in (15, 27, 55):
        game, chooser = random_doubles(seed), Choosing(seed)
        for _ in range(400):
            if game.state.result != UNDECIDED:
                break
            if game.state.ask.kind == "pay":
                seen += 1
                text = write_position(game.state)
                assert write_position(read_position(text)) == text
            turn.play(game.state, game.state.options[chooser.choose(game.state)])
    assert seen > 50


@pytest.mark.parametrize(("die", "face"), [(250, 0), (255, 0), (512, 0), (3, -1)])
def test_a_captured_die_that_somebody_made_up_is_no_mistake_of_the_program(die: int, face: int) -> None:
    text = "edition: uxm\nteam A: Thor: Lord of Asgard\nA field: Thor@1\nturn: 5, A, main\n"
    held = f'also: {{"holdings": [["capture",{die},1,0,"end of turn",{face}]]}}\n'
    with suppress(NotationError):  # which says so in a sentence
        assert read_position(text + held).turn == 5


def test_a_game_begun_in_the_first_turn_from_a_position_is_recorded_with_it() -> None:
    text = "edition: ai\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nA life: 7\nturn: 1, A, start\n"
    game = Game(read_plain(text))
    assert Game.from_record(game.record).state == game.state
