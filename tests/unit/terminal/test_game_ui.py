"""Games in the terminal, with scripted answers instead of a person."""

import io
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from dicemasters import Game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.player import Player
from dicemasters.players.random_player import RandomPlayer
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.terminal.board_view import draw_table
from dicemasters.terminal.decision_prompt import in_columns
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.log_digest import digest_log

Answers = Iterable[str | type[BaseException]]


class ScriptedInput:
    """Scripted answers in order, then the end of input."""

    def __init__(self, answers: Answers) -> None:
        self.answers: Iterator[str | type[BaseException]] = iter(answers)

    def __call__(self, prompt: str) -> str:
        answer = next(self.answers, EOFError)
        if isinstance(answer, str):
            return answer
        raise answer


def play_answers(
    answers: Answers | Callable[[str], str],
    *,
    game: Game | None = None,
    players: tuple[Player | None, Player | None] | None = None,
    width: int = 80,
    interactive: bool = False,
) -> tuple[TerminalGame, int, str]:
    """Play with these answers. Return the interface, its exit code and the output."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    read = answers if callable(answers) else ScriptedInput(answers)
    seats = players or (None, HeuristicPlayer(2))
    ui = TerminalGame(game or Game.new("ai", seed=5), seats, console, read, interactive=interactive)
    code = ui.run()
    return ui, code, out.getvalue()


def game_at_blocks() -> Game:
    """Return a game in which two characters of A attack and B declares blockers."""
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Beast: Big Boy Blue\nbasics: Force Beam\n"
        "A field: Hulk@2, 3 Sidekick\nB field: Beast@1, Sidekick\nturn: 3, A, attack\n"
    )
    game.play("attack with Sidekick")
    game.play("attack with Hulk")
    return game


# --- whole games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cast", STARTER_GAMES)
@pytest.mark.parametrize("width", [60, 80, 140])
def test_whole_game_fits_the_width_and_ends_with_the_result(cast: str, width: int) -> None:
    chooser = random.Random(3)
    holder: list[TerminalGame] = []

    def answer(prompt: str) -> str:
        return chooser.choice(holder[0].question.answers).text

    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    game = Game.new(cast.split("-")[0], cast=cast, seed=9)
    holder.append(TerminalGame(game, (None, HeuristicPlayer(1)), console, answer, interactive=False))
    assert holder[0].run() == 0
    assert game.result is not None
    verdict = "You win" if game.result.winner == "A" else "You lose"
    assert f"{verdict}: {game.result.why}." in out.getvalue()
    assert max(len(line) for line in out.getvalue().splitlines()) <= width


def test_game_of_two_bots_plays_to_the_end() -> None:
    ui, code, text = play_answers([], players=(RandomPlayer(1), HeuristicPlayer(1)))
    assert code == 0
    assert ui.game.result is not None
    assert "the game is over" in text


def test_finished_game_offers_to_save_its_record(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = Game.new("ai", seed=5)
    _, code, text = play_answers(
        [f"save {path}", ""], game=game, players=(HeuristicPlayer(1), HeuristicPlayer(2)), interactive=True, width=300
    )
    assert code == 0
    assert f"Saved to {path}. Resume: dicemasters play {path}" in text
    assert Game.from_record(path.read_text()).state == game.state


# --- the screen ----------------------------------------------------------------------------------------------------


def test_screen_shows_the_deciding_player_and_the_step() -> None:
    _, _, text = play_answers([])
    assert "A (you) decides · turn 2, A's roll step" in text
    assert "Which dice do you reroll?" in text


def screen_text(game: Game, width: int = 100) -> str:
    return "\n".join(line.plain for line in draw_table(game.state, ("you", "simple"), width))


def test_blockers_are_shown_beside_their_attackers() -> None:
    game = game_at_blocks()
    game.play("block Hulk@2* with Beast")
    lines = screen_text(game).splitlines()
    hulk = next(line for line in lines if "[Hulk@2" in line)
    sidekick = next(line for line in lines if "[Sidekick" in line and "player" in line)
    assert "<- blocked by [Beast@1" in hulk
    assert "-> player B" in sidekick


def test_die_shows_its_level_and_damage() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nbasics: Force Beam\n"
        "A field: Hulk@1\nA reserve: Force Beam!\nB field: Sidekick\nturn: 5, A, main\n"
    )
    assert "[Hulk@1" in screen_text(game)
    game.play("use Force Beam")
    assert "1 damage" in screen_text(game)


def test_cards_show_cost_and_remaining_dice() -> None:
    game = Game.new("ai", seed=5)
    assert "Black Widow 2F ■■" in screen_text(game)
    game = Game.from_text("edition: avx\nteam A: Hulk: Jade Giant\nA field: 4 Hulk@1\nturn: 3, A, main\n")
    assert "Hulk 6F none left" in screen_text(game)


def test_no_die_is_split_between_two_lines() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Beast: Big Boy Blue\nA field: Hulk@1, Hulk@2, Hulk@3, Sidekick\n"
        "A reserve: F, B, M, S, ?\nturn: 3, A, main\n"
    )
    for line in screen_text(game, 30).splitlines():
        assert line.count("[") == line.count("]")


def test_screen_uses_colour_only_where_allowed() -> None:
    game = Game.new("ai", seed=5)
    for plain, color in ((True, False), (False, True)):
        out = io.StringIO()
        console = Console(file=out, width=80, force_terminal=True, no_color=plain, color_system="truecolor")
        console.print(*draw_table(game.state, ("you", "simple"), 80))
        assert ("48;2;" in out.getvalue()) is color


def test_columns_read_downwards_and_cut_long_cells() -> None:
    cells = [Text(f" {n} abc") for n in range(1, 7)]
    assert [line.plain.split() for line in in_columns(cells, 24)] == [
        ["1", "abc", "3", "abc", "5", "abc"],
        ["2", "abc", "4", "abc", "6", "abc"],
    ]
    assert in_columns([Text("x" * 50)], 20)[0].cell_len == 20


# --- answers -------------------------------------------------------------------------------------------------------


def test_several_numbers_pick_several_dice_and_finish() -> None:
    ui, _, _ = play_answers(["2 1"])
    moves = [move.text for move in ui.game.moves if move.player == "A"]
    assert moves[:3] == ["reroll F", "reroll B", "reroll these"]


def test_several_attackers_are_declared_at_once() -> None:
    game = Game.from_text("edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@2, 2 Sidekick\nturn: 3, A, attack\n")
    ui, _, _ = play_answers(["1,1"], game=game)
    assert [move.text for move in ui.game.moves][:3] == ["attack with Sidekick", "attack with Sidekick", "attack"]


def test_equal_blockers_block_different_attackers() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Beast: Big Boy Blue\nA field: Hulk@2, Sidekick\n"
        "B field: 2 Sidekick\nturn: 3, A, attack\n"
    )
    game.play("attack with Sidekick")
    game.play("attack with Hulk")
    ui, _, _ = play_answers(["1 2"], game=game, players=(HeuristicPlayer(1), None))
    moves = [move.text for move in ui.game.moves if move.player == "B"]
    assert moves[:2] == ["block Sidekick with Sidekick", "block Hulk@2* with Sidekick"]


def test_several_numbers_are_refused_for_a_single_choice() -> None:
    ui, _, text = play_answers(["keep all", "1 2"])
    assert "Choose only one of these answers." in text
    assert ui.game.moves[-1].text == "keep all"


def test_first_letters_of_an_answer_are_enough() -> None:
    ui, _, _ = play_answers(["keep"])
    assert ui.game.moves[-1].text == "keep all"


def test_ambiguous_letters_choose_nothing() -> None:
    ui, _, text = play_answers(["reroll"])
    assert "'reroll' is ambiguous: reroll F; reroll B" in text
    assert not [move for move in ui.game.moves if move.player == "A"]


@pytest.mark.parametrize("number", ["0", "6", "99", "99999999999999999999"])
def test_number_out_of_range_is_refused(number: str) -> None:
    ui, code, text = play_answers([number])
    assert f"There is no answer {number}: choose from 1 to 5." in text
    assert code == 0
    assert not [move for move in ui.game.moves if move.player == "A"]


@pytest.mark.parametrize("line", ["dance", "-x", "1.5", "²", "[bold]", "\x1b[A", "1 x"])
def test_unknown_input_is_reported(line: str) -> None:
    _, code, text = play_answers([line])
    assert "is neither an answer nor a command. Type a number, or help." in " ".join(text.split())
    assert code == 0


def test_single_option_is_played_and_reported_without_asking() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Black Widow: Red Alert\nA reserve: S\nA field: Sidekick\nB field: Sidekick\nturn: 3, A, main\n"
    )
    _, _, text = play_answers([], game=game)
    assert "A: pass (the only option)" in text
    assert "Who attacks?" in text


def test_question_of_an_ability_shows_its_text() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Black Widow: Red Alert\nA reserve: Black Widow@1, F\nB field: 2 Sidekick\nturn: 3, A, main\n"
    )
    _, _, text = play_answers(["field Black Widow"], game=game)
    assert "you may KO target Sidekick" in text


def test_enter_redraws_the_screen_with_the_same_news() -> None:
    _, _, text = play_answers([""])
    assert text.count("B buys Take Cover") == 2
    assert text.count("Which dice do you reroll?") == 2


# --- commands ------------------------------------------------------------------------------------------------------


def test_undo_skips_the_opponents_choices() -> None:
    game = Game.new("ai", seed=5)
    before = game.copy()
    ui, _, text = play_answers(["keep", "pass", "undo", "undo"], game=game)
    while before.decision is not None and before.decision.player == "B":
        before.play(HeuristicPlayer(2).choose(before.state))
    assert "taken back" in text
    assert ui.game.state == before.state


def test_undo_at_the_beginning_is_refused() -> None:
    _, _, text = play_answers(["u"])
    assert "There is nothing to undo." in text


def test_show_prints_a_card_in_full() -> None:
    _, _, text = play_answers(["show black"])
    assert "Black Widow  Red Alert" in text
    assert "cost 2 fist · Avengers" in text
    assert "| FF  |" in text
    assert "When Black Widow is fielded" in text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("show", "No card given."),
        ("show zzzz", "no card is called 'zzzz'"),
        ("save", "No file name given. Type: save FILE"),
        ("load", "No file name given. Type: load FILE"),
    ],
)
def test_command_with_a_missing_or_unknown_argument_is_explained(line: str, answer: str) -> None:
    _, code, text = play_answers([line])
    assert answer in text
    assert code == 0


def test_saved_game_is_loaded_with_state_and_record(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    first, _, _ = play_answers(["keep", "1", f"save {path}"])
    second, _, text = play_answers([f"load {path}"], game=Game.new("ai", seed=77))
    assert "loaded from" in text
    assert second.game.state == first.game.state
    assert second.game.record == first.game.record


def test_save_does_not_overwrite_a_file_that_is_not_a_record(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("dear diary")
    _, _, text = play_answers([f"save {path}"], width=200)
    assert "not overwritten, because it is not a game record" in text
    assert path.read_text() == "dear diary"


def test_undo_works_in_a_loaded_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play_answers(["keep", "1", f"save {path}"])
    ui, _, _ = play_answers([f"load {path}", "undo", "undo"])
    assert ui.game.decision is not None
    assert ui.game.decision.kind in ("main", "reroll")


@pytest.mark.parametrize(
    "data", [b"", b"nonsense\n", b"\xff\xfe\x00garbage", bytes(range(256)), b"dicemasters record\nmoves:\n"]
)
def test_broken_file_is_reported_in_one_line_and_the_game_continues(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    game = Game.new("ai", seed=5)
    ui, code, text = play_answers([f"load {path}", "keep"], game=game, width=200)
    reports = [line for line in text.splitlines() if str(path) in line]
    assert len(reports) == 1
    assert code == 0
    assert ui.game is game
    assert game.moves[-1].text == "keep all"


@pytest.mark.parametrize("line", ["load /nowhere/x", "save /nowhere/x", "load /", "save /"])
def test_unusable_file_is_named(line: str) -> None:
    _, code, text = play_answers([line], width=200)
    assert f"{line.split()[1]}: " in text
    assert code == 0


def test_position_command_prints_the_position_text() -> None:
    ui, _, text = play_answers(["keep", "position"], width=500)
    assert ui.game.to_text().strip() in text


def test_log_and_help_are_printed() -> None:
    _, _, text = play_answers(["log", "l 2", "help", "?"])
    assert "B wins the toss" in text
    assert "save FILE" in text


@pytest.mark.parametrize("line", ["quit", "q", "exit"])
def test_quit_leaves_with_a_message(line: str) -> None:
    _, code, text = play_answers([line])
    assert code == 0
    assert text.rstrip().endswith("You have left the game.")


def test_end_of_input_ends_the_game_with_a_message() -> None:
    _, code, text = play_answers([])
    assert code == 0
    assert text.rstrip().endswith("End of input. The game stops here.")


def test_interrupt_exits_with_130() -> None:
    _, code, text = play_answers(["keep", KeyboardInterrupt])
    assert code == 130
    assert text.rstrip().endswith("You have left the game.")


# --- news, why, hold -----------------------------------------------------------------------------------------------


def test_digest_joins_draws_and_rolls_and_drops_repetitions() -> None:
    lines = [
        "  Turn 3: B",
        "  B draws Sidekick",
        "  B draws Sidekick",
        "  B draws Hulk",
        "  Sidekick shows F",
        "  Sidekick shows @1",
        "  Hulk shows SS",
        "B: reroll F",
        "B: reroll Hulk:SS",
        "B: reroll these",
        "  Hulk shows @2*",
        "B: buy Hulk",
        "B: pay F",
        "  B buys Hulk",
        "B: pass",
    ]
    assert digest_log(lines) == [
        "Turn 3: B",
        "B draws Sidekick ×2, Hulk",
        "the dice show F, Sidekick, Hulk:SS",
        "B rerolls F, Hulk:SS",
        "the dice show Hulk@2*",
        "B buys Hulk",
    ]


def test_why_explains_the_parts_of_a_and_d() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1 (+2A), Sidekick\nA reserve: F\nB field: Sidekick\nturn: 3, A, attack\n"
    )
    printed = play_answers(["why hulk", "why nobody", "why"], game=game, players=(None, None))[2]
    assert "A's Hulk@1*: printed 6/5 [1.1e], +2 A [5.4a], now 8/5 [5.8a1]" in printed
    assert "There is no 'nobody' in the field. Name a character that is there: why hulk" in printed
    assert "No character given. Name one in the field: why hulk" in printed


ANSWERABLE = """
edition: avx
basics: Take Cover [avx]; Force Beam
A field: Sidekick
A reserve: S, Force Beam!
B field: Sidekick
B reserve: S
turn: 3, A, main
"""


def test_pass_applies_to_the_whole_step_and_hold_asks_again() -> None:
    ui, _, _ = play_answers(["pass", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in ui.game.moves] == ["pass", "pass", "pass"]
    ui, _, out = play_answers(["hold", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in ui.game.moves] == ["pass", "pass"]
    assert "Your opponent adds nothing: do you do anything else?" in out
    ui, _, _ = play_answers(["hold", "pass", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert len(ui.game.moves) == 3


def test_hold_works_only_where_passing_is_legal() -> None:
    _, _, out = play_answers(["hold"], game=game_at_blocks(), players=(None, None))
    assert "hold works only when you may pass" in out


def test_undo_reverts_an_automatic_pass_too() -> None:
    ui, _, _ = play_answers(["pass", "pass", "undo"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in ui.game.moves] == ["pass"]
