"""A game at the terminal, driven by scripts instead of a person."""

import io
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


class Seat:
    """A person by script: answers in order, then the end of input."""

    def __init__(self, answers: Answers) -> None:
        self.answers: Iterator[str | type[BaseException]] = iter(answers)

    def __call__(self, prompt: str) -> str:
        answer = next(self.answers, EOFError)
        if isinstance(answer, str):
            return answer
        raise answer


def sit(
    answers: Answers | Callable[[str], str],
    *,
    game: Game | None = None,
    players: tuple[Player | None, Player | None] | None = None,
    width: int = 80,
    interactive: bool = False,
) -> tuple[TerminalGame, int, str]:
    """Play with these answers; give the sitting, its exit code and all that was printed."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    read = answers if callable(answers) else Seat(answers)
    seats = players or (None, HeuristicPlayer(2))
    sitting = TerminalGame(game or Game.new("ai", seed=5), seats, console, read, interactive=interactive)
    code = sitting.run()
    return sitting, code, out.getvalue()


def mid_fight() -> Game:
    """A attacks B, who may block: two attackers, a blocker for one of them."""
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
def test_a_whole_game_fits_the_width_and_ends_with_who_won_and_why(cast: str, width: int) -> None:
    chooser = RandomPlayer(3)
    holder: list[TerminalGame] = []

    def answer(prompt: str) -> str:
        decision = holder[0].game.decision
        assert decision is not None
        return decision.options[chooser.choose(holder[0].game.state)].text

    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    game = Game.new(cast.split("-")[0], cast=cast, seed=9)
    holder.append(TerminalGame(game, (None, HeuristicPlayer(1)), console, answer, interactive=False))
    assert holder[0].run() == 0
    assert game.result is not None
    verdict = "You win" if game.result.winner == "A" else "You lose"
    assert f"{verdict}: {game.result.why}." in out.getvalue()
    assert max(len(line) for line in out.getvalue().splitlines()) <= width


def test_two_players_without_people_play_to_the_end() -> None:
    sitting, code, text = sit([], players=(RandomPlayer(1), HeuristicPlayer(1)))
    assert code == 0
    assert sitting.game.result is not None
    assert "the game is over" in text


def test_a_finished_game_offers_to_save_its_record(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = Game.new("ai", seed=5)
    _, code, text = sit(
        [f"save {path}", ""], game=game, players=(HeuristicPlayer(1), HeuristicPlayer(2)), interactive=True, width=300
    )
    assert code == 0
    assert f"Saved to {path}. Resume: dicemasters play {path}" in text
    assert Game.from_record(path.read_text()).state == game.state


# --- the table -----------------------------------------------------------------------------------------------------


def test_the_table_shows_whose_decision_it_is_and_in_which_step() -> None:
    _, _, text = sit([])
    assert "A (you) decides · turn 2, A's roll step" in text
    assert "Which dice do you reroll?" in text


def table_text(game: Game, width: int = 100) -> str:
    return "\n".join(line.plain for line in draw_table(game.state, ("you", "simple"), width))


def test_blockers_face_their_attackers() -> None:
    game = mid_fight()
    game.play("block Hulk@2* with Beast")
    lines = table_text(game).splitlines()
    hulk = next(line for line in lines if "[Hulk@2" in line)
    sidekick = next(line for line in lines if "[Sidekick" in line and "player" in line)
    assert "<- blocked by [Beast@1" in hulk
    assert "-> player B" in sidekick


def test_a_die_shows_current_and_printed_numbers_and_damage() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nbasics: Force Beam\n"
        "A field: Hulk@1\nA reserve: Force Beam!\nB field: Sidekick\nturn: 5, A, main\n"
    )
    assert "[Hulk@1" in table_text(game)
    game.play("use Force Beam")
    assert "1 damage" in table_text(game)


def test_cards_show_cost_and_dice_left() -> None:
    game = Game.new("ai", seed=5)
    assert "Black Widow 2F ■■" in table_text(game)
    game = Game.from_text("edition: avx\nteam A: Hulk: Jade Giant\nA field: 4 Hulk@1\nturn: 3, A, main\n")
    assert "Hulk 6F none left" in table_text(game)


def test_no_die_is_cut_in_two_at_the_end_of_a_line() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Beast: Big Boy Blue\nA field: Hulk@1, Hulk@2, Hulk@3, Sidekick\n"
        "A reserve: F, B, M, S, ?\nturn: 3, A, main\n"
    )
    for line in table_text(game, 30).splitlines():
        assert line.count("[") == line.count("]")


def test_the_table_reads_without_colour_and_has_colours_when_they_are_wanted() -> None:
    game = Game.new("ai", seed=5)
    for plain, color in ((True, False), (False, True)):
        out = io.StringIO()
        console = Console(file=out, width=80, force_terminal=True, no_color=plain, color_system="truecolor")
        console.print(*draw_table(game.state, ("you", "simple"), 80))
        assert ("48;2;" in out.getvalue()) is color


def test_columns_read_downwards_and_cut_what_is_too_long() -> None:
    cells = [Text(f" {n} abc") for n in range(1, 7)]
    assert [line.plain.split() for line in in_columns(cells, 24)] == [
        ["1", "abc", "3", "abc", "5", "abc"],
        ["2", "abc", "4", "abc", "6", "abc"],
    ]
    assert in_columns([Text("x" * 50)], 20)[0].cell_len == 20


# --- answers -------------------------------------------------------------------------------------------------------


def test_several_numbers_pick_several_dice_and_finish() -> None:
    sitting, _, _ = sit(["2 1"])
    moves = [move.text for move in sitting.game.moves if move.player == "A"]
    assert moves[:3] == ["reroll F", "reroll B", "reroll these"]


def test_several_attackers_are_declared_at_once() -> None:
    game = Game.from_text("edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@2, 2 Sidekick\nturn: 3, A, attack\n")
    sitting, _, _ = sit(["1,1"], game=game)
    assert [move.text for move in sitting.game.moves][:3] == ["attack with Sidekick", "attack with Sidekick", "attack"]


def test_like_blockers_block_different_attackers() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Beast: Big Boy Blue\nA field: Hulk@2, Sidekick\n"
        "B field: 2 Sidekick\nturn: 3, A, attack\n"
    )
    game.play("attack with Sidekick")
    game.play("attack with Hulk")
    sitting, _, _ = sit(["1 2"], game=game, players=(HeuristicPlayer(1), None))
    moves = [move.text for move in sitting.game.moves if move.player == "B"]
    assert moves[:2] == ["block Sidekick with Sidekick", "block Hulk@2* with Sidekick"]


def test_several_numbers_are_refused_where_one_is_asked_for() -> None:
    sitting, _, text = sit(["keep all", "1 2"])
    assert "Choose only one of these answers." in text
    assert sitting.game.moves[-1].text == "keep all"


def test_the_first_letters_of_an_answer_will_do() -> None:
    sitting, _, _ = sit(["keep"])
    assert sitting.game.moves[-1].text == "keep all"


def test_letters_that_fit_several_answers_choose_none() -> None:
    sitting, _, text = sit(["reroll"])
    assert "'reroll' is ambiguous: reroll F; reroll B" in text
    assert not [move for move in sitting.game.moves if move.player == "A"]


@pytest.mark.parametrize("number", ["0", "6", "99", "99999999999999999999"])
def test_a_number_that_is_not_there_is_refused(number: str) -> None:
    sitting, code, text = sit([number])
    assert f"There is no answer {number}: choose from 1 to 5." in text
    assert code == 0
    assert not [move for move in sitting.game.moves if move.player == "A"]


@pytest.mark.parametrize("line", ["dance", "-1", "1.5", "²", "[bold]", "\x1b[A", "1 x"])
def test_what_is_neither_answer_nor_command_is_said_so(line: str) -> None:
    _, code, text = sit([line])
    assert "is neither an answer nor a command. Type a number, or help." in " ".join(text.split())
    assert code == 0


def test_a_single_option_is_played_without_asking_and_told() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Black Widow: Red Alert\nA reserve: S\nA field: Sidekick\nB field: Sidekick\nturn: 3, A, main\n"
    )
    _, _, text = sit([], game=game)
    assert "A: pass (the only option)" in text
    assert "Who attacks?" in text


def test_the_text_of_an_ability_stands_by_its_question() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Black Widow: Red Alert\nA reserve: Black Widow@1, F\nB field: 2 Sidekick\nturn: 3, A, main\n"
    )
    _, _, text = sit(["field Black Widow"], game=game)
    assert "you may KO target Sidekick" in text


def test_enter_alone_draws_the_table_anew_with_the_same_news() -> None:
    _, _, text = sit([""])
    assert text.count("B buys Take Cover") == 2
    assert text.count("Which dice do you reroll?") == 2


# --- commands ------------------------------------------------------------------------------------------------------


def test_undo_goes_back_past_the_other_player_to_ones_own_last_decision() -> None:
    game = Game.new("ai", seed=5)
    before = game.copy()
    sitting, _, text = sit(["keep", "pass", "undo", "undo"], game=game)
    while before.decision is not None and before.decision.player == "B":
        before.play(HeuristicPlayer(2).choose(before.state))
    assert "taken back" in text
    assert sitting.game.state == before.state


def test_undo_at_the_beginning_says_there_is_nothing() -> None:
    _, _, text = sit(["u"])
    assert "There is nothing to undo." in text


def test_show_prints_a_card_in_full() -> None:
    _, _, text = sit(["show black"])
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
def test_a_command_without_what_it_needs_says_so(line: str, answer: str) -> None:
    _, code, text = sit([line])
    assert answer in text
    assert code == 0


def test_a_saved_game_is_loaded_again_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    first, _, _ = sit(["keep", "1", f"save {path}"])
    second, _, text = sit([f"load {path}"], game=Game.new("ai", seed=77))
    assert "loaded from" in text
    assert second.game.state == first.game.state
    assert second.game.record == first.game.record


def test_saving_spares_a_file_that_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("dear diary")
    _, _, text = sit([f"save {path}"], width=200)
    assert "not overwritten, because it is not a game record" in text
    assert path.read_text() == "dear diary"


def test_undo_works_in_a_loaded_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    sit(["keep", "1", f"save {path}"])
    sitting, _, _ = sit([f"load {path}", "undo", "undo"])
    assert sitting.game.decision is not None
    assert sitting.game.decision.kind in ("main", "reroll")


@pytest.mark.parametrize(
    "data", [b"", b"nonsense\n", b"\xff\xfe\x00garbage", bytes(range(256)), b"dicemasters record\nmoves:\n"]
)
def test_a_broken_file_is_told_in_one_line_and_the_game_goes_on(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    game = Game.new("ai", seed=5)
    sitting, code, text = sit([f"load {path}", "keep"], game=game, width=200)
    told = [line for line in text.splitlines() if str(path) in line]
    assert len(told) == 1
    assert code == 0
    assert sitting.game is game
    assert game.moves[-1].text == "keep all"


@pytest.mark.parametrize("line", ["load /nowhere/x", "save /nowhere/x", "load /", "save /"])
def test_files_that_cannot_be_used_are_named(line: str) -> None:
    _, code, text = sit([line], width=200)
    assert f"{line.split()[1]}: " in text
    assert code == 0


def test_position_prints_text_that_sets_the_position_up_again() -> None:
    sitting, _, text = sit(["keep", "position"], width=500)
    assert sitting.game.to_text().strip() in text


def test_log_and_help_are_there() -> None:
    _, _, text = sit(["log", "l 2", "help", "?"])
    assert "B wins the toss" in text
    assert "save FILE" in text


@pytest.mark.parametrize("line", ["quit", "q", "exit"])
def test_quit_leaves_with_a_sentence(line: str) -> None:
    _, code, text = sit([line])
    assert code == 0
    assert text.rstrip().endswith("You have left the game.")


def test_the_end_of_input_ends_the_game_plainly() -> None:
    _, code, text = sit([])
    assert code == 0
    assert text.rstrip().endswith("End of input. The game stops here.")


def test_an_interrupt_leaves_with_130() -> None:
    _, code, text = sit(["keep", KeyboardInterrupt])
    assert code == 130
    assert text.rstrip().endswith("You have left the game.")


# --- what happened -------------------------------------------------------------------------------------------------


def test_the_news_join_draws_and_rolls_and_leave_out_what_is_said_twice() -> None:
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


def test_why_says_where_a_and_d_come_from() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1 (+2A), Sidekick\nA reserve: F\nB field: Sidekick\nturn: 3, A, attack\n"
    )
    printed = sit(["why hulk", "why nobody", "why"], game=game, players=(None, None))[2]
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


def test_to_pass_is_to_mean_it_and_to_hold_is_to_be_asked_again() -> None:
    sitting, _, _ = sit(["pass", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in sitting.game.moves] == ["pass", "pass", "pass"]
    sitting, _, said = sit(["hold", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in sitting.game.moves] == ["pass", "pass"]
    assert "Your opponent adds nothing: do you do anything else?" in said
    sitting, _, _ = sit(["hold", "pass", "pass"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert len(sitting.game.moves) == 3


def test_one_can_hold_only_where_one_could_pass() -> None:
    _, _, said = sit(["hold"], game=mid_fight(), players=(None, None))
    assert "hold works only when you may pass" in said


def test_undo_goes_past_a_pass_that_was_meant() -> None:
    sitting, _, _ = sit(["pass", "pass", "undo"], game=Game.from_text(ANSWERABLE), players=(None, None))
    assert [move.text for move in sitting.game.moves] == ["pass"]
