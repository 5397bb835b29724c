"""Stepping through a recorded game in the terminal."""

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
    """Replay with these answers, then end the input. Return the viewer, its exit code and the output."""
    out = io.StringIO()
    remaining = iter(answers)

    def read(prompt: str) -> str:
        answer = next(remaining, None)
        if answer is None:
            raise EOFError
        if answer == "^C":
            raise KeyboardInterrupt
        return answer

    viewer = ReplayViewer(game, Console(file=out, width=width, highlight=False, color_system=None), read)
    code = viewer.run()
    return viewer, code, out.getvalue()


def test_replay_begins_at_move_0(game: Game) -> None:
    n = len(game.moves)
    viewer, code, text = replay(game, [])
    assert viewer.move_number == 0
    assert code == 0
    assert f"move 0 of {n}" in text


def test_enter_and_n_step_forward_and_p_steps_back(game: Game) -> None:
    viewer, _, _ = replay(game, ["", "n", "n", "p"])
    assert viewer.move_number == 2


def test_replay_shows_the_choice_of_a_move(game: Game) -> None:
    third = game.moves[2]
    _, _, text = replay(game, ["3"])
    assert f"{third.player}: {third.text}" in text


def test_number_first_and_last_jump_to_a_move(game: Game) -> None:
    record = game.record
    assert replay(game, ["17"])[0].move_number == 17
    viewer, _, _ = replay(Game.from_record(record), ["last"])
    assert viewer.move_number == len(viewer.moves) > 17
    assert replay(Game.from_record(record), ["last", "first"])[0].move_number == 0


def test_last_move_names_the_winner_and_next_stays_there(game: Game) -> None:
    result = game.result
    assert result is not None
    viewer, _, text = replay(game, ["last", "n"])
    assert f"{result.winner} wins" in text
    assert "This is the last move." in text
    assert viewer.move_number == len(viewer.moves)


def test_stepping_back_and_forth_restores_the_same_state(game: Game) -> None:
    end = game.state.copy()
    viewer, _, _ = replay(game, ["last", "5", "last", "first", "last"])
    assert viewer.game.state == end


def test_every_position_of_a_game_fits_60_columns(game: Game) -> None:
    _, _, text = replay(game, [""] * len(game.moves), width=60)
    assert max(len(line) for line in text.splitlines()) <= 60


@pytest.mark.parametrize("answer", ["p", "9999", "dance", "-3", "²"])
def test_invalid_command_is_reported_and_changes_nothing(game: Game, answer: str) -> None:
    viewer, code, text = replay(game, [answer])
    assert viewer.move_number == 0
    assert code == 0
    assert "beginning" in text or "There is no move 9999" in text or "Unknown command" in text


@pytest.mark.parametrize("answer", ["9" * 5000, "turn " + "9" * 5000])
def test_number_with_thousands_of_digits_is_not_a_move(game: Game, answer: str) -> None:
    viewer, code, text = replay(game, ["3", answer])
    assert (viewer.move_number, code) == (3, 0)
    assert "Exceeds the limit" not in text


def test_quit_exits_with_0_and_interrupt_with_130(game: Game) -> None:
    viewer, code, _ = replay(game, ["q", "last"])
    assert (viewer.move_number, code) == (0, 0)
    _, code, text = replay(game, ["^C"])
    assert code == 130
    assert "You have left the replay." in text
