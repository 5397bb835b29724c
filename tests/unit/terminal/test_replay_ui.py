"""Stepping through a recorded game."""

import io

import pytest
from rich.console import Console

from dicemasters import Game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.terminal.replay_ui import ReplayViewer


@pytest.fixture
def game() -> Game:
    game = Game.new("cw", seed=8)
    players = (HeuristicPlayer(1), HeuristicPlayer(2))
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    return Game.from_record(game.record)


def replay(game: Game, answers: list[str], width: int = 80) -> tuple[ReplayViewer, int, str]:
    """Give these answers, then the end of input."""
    out = io.StringIO()
    remaining = iter(answers)

    def read(prompt: str) -> str:
        answer = next(remaining, None)
        if answer is None:
            raise EOFError
        if answer == "^C":
            raise KeyboardInterrupt
        return answer

    shown = ReplayViewer(game, Console(file=out, width=width, highlight=False, color_system=None), read)
    code = shown.run()
    return shown, code, out.getvalue()


def test_it_begins_at_the_beginning(game: Game) -> None:
    n = len(game.moves)
    shown, code, text = replay(game, [])
    assert shown.move_number == 0
    assert code == 0
    assert f"move 0 of {n}" in text


def test_enter_and_n_go_on_and_p_goes_back(game: Game) -> None:
    shown, _, _ = replay(game, ["", "n", "n", "p"])
    assert shown.move_number == 2


def test_the_choice_made_is_shown(game: Game) -> None:
    third = game.moves[2]
    _, _, text = replay(game, ["3"])
    assert f"{third.player}: {third.text}" in text


def test_a_number_goes_to_that_move_and_first_and_last_to_the_ends(game: Game) -> None:
    record = game.record
    assert replay(game, ["17"])[0].move_number == 17
    shown, _, _ = replay(Game.from_record(record), ["last"])
    assert shown.move_number == len(shown.moves) > 17
    assert replay(Game.from_record(record), ["last", "first"])[0].move_number == 0


def test_the_end_says_who_won_and_next_stays_there(game: Game) -> None:
    result = game.result
    assert result is not None
    shown, _, text = replay(game, ["last", "n"])
    assert f"{result.winner} wins" in text
    assert "This is the last move." in text
    assert shown.move_number == len(shown.moves)


def test_going_back_and_forth_gives_the_same_position(game: Game) -> None:
    end = game.state.copy()
    shown, _, _ = replay(game, ["last", "5", "last", "first", "last"])
    assert shown.game.state == end


def test_every_position_of_a_game_can_be_drawn_in_60_columns(game: Game) -> None:
    _, _, text = replay(game, [""] * len(game.moves), width=60)
    assert max(len(line) for line in text.splitlines()) <= 60


@pytest.mark.parametrize("answer", ["p", "9999", "dance", "-3", "²"])
def test_what_cannot_be_done_is_said_and_changes_nothing(game: Game, answer: str) -> None:
    shown, code, text = replay(game, [answer])
    assert shown.move_number == 0
    assert code == 0
    assert "beginning" in text or "There is no move 9999" in text or "Unknown command" in text


@pytest.mark.parametrize("answer", ["9" * 5000, "turn " + "9" * 5000])
def test_a_number_of_thousands_of_digits_is_no_move(game: Game, answer: str) -> None:
    shown, code, text = replay(game, ["3", answer])
    assert (shown.move_number, code) == (3, 0)
    assert "Exceeds the limit" not in text


def test_quit_and_interrupt(game: Game) -> None:
    shown, code, _ = replay(game, ["q", "last"])
    assert (shown.move_number, code) == (0, 0)
    _, code, text = replay(game, ["^C"])
    assert code == 130
    assert "You have left the replay." in text
