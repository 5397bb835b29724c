"""Games in the terminal fit the screen: life totals, the deciding player's dice and every answer are visible."""

import io
import os
import re
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.terminal import savegames
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.replay_ui import ReplayViewer

TEAMS = """edition: avx
team A: Hulk: Jade Giant; Thor: Lord of Asgard; Captain America: Star-Spangled Avenger; Beast: Big Boy Blue;
 Spider-Man: Webslinger; Storm: Weather Witch; Wolverine: Formerly Weapon Ten; Iron Man: Playboy
team B: Hulk: Green Goliath; Thor: Odinson; Captain America: Natural Leader; Beast: Genetic Expert;
 Spider-Man: Tiger; Storm: African Priestess; Wolverine: Wildboy; Iron Man: Inventor
basics: Force Beam; Smash!; Take Cover [avx]; Gearing Up
"""
MAIN = """A field: Hulk@1, Thor@2, 3 Sidekick
A reserve: 3 F, B, ?
B field: Hulk@2, Thor@3, Beast@1, 2 Sidekick
B reserve: F, M
turn: 9, A, main
"""
BLOCK = """A field: 2 Hulk@1, Thor@2, 3 Sidekick, Beast@2, Storm@1
B field: Hulk@2, Thor@3, Beast@1, 3 Sidekick, Storm@2
turn: 9, A, attack
"""
SIZES = [(80, 24), (150, 50)]


def teams() -> str:
    return TEAMS.replace("\n ", " ")


def game_at_blocks() -> Game:
    game = Game.from_text(teams() + BLOCK)
    while game.decision is not None and game.decision.kind == "attack":
        game.play(next((o for o in game.decision.options if o.what == "attack"), game.decision.options[-1]))
    return game


def play_on_screen(game: Game, size: tuple[int, int], *answers: str, people: int = 2) -> tuple[TerminalGame, list[str]]:
    """Play these answers on a screen of this size. Return the interface and the lines of the last screen."""
    out = io.StringIO()
    console = Console(file=out, width=size[0], height=size[1], force_terminal=True, color_system=None, highlight=False)
    remaining = iter(answers)
    screens: list[str] = []

    def read(prompt: str) -> str:
        screens.append(out.getvalue())
        out.truncate(0)
        out.seek(0)
        answer = next(remaining, None)
        if answer is None:
            raise EOFError
        return answer

    seats = [None if seat < people else HeuristicPlayer(seat) for seat in range(game.table.n_seats)]
    ui = TerminalGame(game, seats, console, read)
    ui.run()
    return ui, re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screens[-1]).splitlines()


@pytest.mark.parametrize("size", SIZES)
def test_main_step_shows_lives_fields_basics_and_every_answer(size: tuple[int, int]) -> None:
    game = Game.from_text(teams() + MAIN)
    ui, lines = play_on_screen(game, size)
    text = "\n".join(lines)
    assert len(lines) <= size[1] - 1
    assert max(len(line) for line in lines) <= size[0]
    assert len(re.findall(r"20/20", text)) == 2, "both lives"
    assert "[Hulk@1" in text, "the decider's field"
    assert "[F] ×3" in text, "the decider's reserve"
    assert "[Thor@3" in text, "the opponent's field"
    assert "Gearing Up" in text, "the basic actions"
    for number, answer in enumerate(ui.question.answers, 1):
        assert f" {number} {answer.text}" in text, "every answer"


@pytest.mark.parametrize("size", SIZES)
def test_block_decision_shows_both_lives_attackers_and_blockers(size: tuple[int, int]) -> None:
    game = game_at_blocks()
    ui, lines = play_on_screen(game, size)
    text = "\n".join(lines)
    assert len(lines) <= size[1] - 1
    assert len(re.findall(r"20/20", text)) == 2
    assert len(ui.question.blockers) == 7
    assert len(ui.question.attackers) == 8
    assert " blocker 1 " in text
    assert " attack  a " in text
    assert "no block" in text


def test_tall_screen_shows_card_summaries() -> None:
    game = Game.from_text(teams() + MAIN)
    text = "\n".join(play_on_screen(game, (150, 50))[1])
    assert game.table.cards[2].gist in text


def test_blocks_are_named_as_pairs_in_any_order() -> None:
    game = game_at_blocks()
    ui, _ = play_on_screen(game, (80, 24), "3b 1a", people=2)
    blocks = [move.text for move in ui.game.moves if move.text.startswith("block")]
    assert len(blocks) == 2
    assert "done blocking" in [move.text for move in ui.game.moves]


def test_unknown_pair_and_single_number_are_refused() -> None:
    _, lines = play_on_screen(game_at_blocks(), (80, 24), "99z", "3")
    assert "There is no pair 99z" in "\n".join(lines) or "No attacker given." in "\n".join(lines)


def test_dice_are_picked_in_any_order_and_stay_on_the_list() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1, Hulk@2, Sidekick\nturn: 3, A, attack\n"
    )
    ui, lines = play_on_screen(game, (80, 24), "attack with Hulk@2")
    text = "\n".join(lines)
    assert "so far: attack with Hulk@2" in text
    assert re.search(r"\d attack with Hulk@2\*, picked", text)
    assert "attack with Sidekick" in text
    assert re.search(r"\d attack with Hulk@1", text), "an option before the picked one is missing"
    ui, _ = play_on_screen(game, (80, 24), "attack with Hulk@1", "attack with Sidekick", "attack")
    assert len([move for move in ui.game.moves if move.text.startswith("attack with")]) == 2


@pytest.mark.parametrize("width", [80, 60])
def test_split_of_damage_fits_the_screen_with_every_recipient(width: int) -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Captain America: Natural Leader; Spider-Man: Tiger\n"
        "A field: Hulk@3 (attacking)\nB field: 2 Sidekick (blocking Hulk@3), Captain America@2 (blocking Hulk@3), "
        "Spider-Man@1 (blocking Hulk@3)\nturn: 3, A, fight\n"
    )
    ui, lines = play_on_screen(game, (width, 24), "pass", "Captain America 3, Spider-Man 1")
    text = "\n".join(lines)
    assert len(lines) <= 23
    assert max(len(line) for line in lines) <= width
    assert "4 of 8 damage assigned" in text
    for number, answer in enumerate(ui.question.answers, 1):
        assert f" {number} {answer.text}" in text


def test_undo_reverts_all_picks_of_one_question() -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1, Hulk@2, Sidekick\nturn: 3, A, attack\n"
    )
    ui, _ = play_on_screen(game, (80, 24), "attack with Hulk@2", "attack with Sidekick", "undo")
    assert ui.question.picked == []
    assert ui.game.moves == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("buy captain", "It costs 5, and you have 1 energy. [3.3b2]"),
        ("why not buy hulk", "It costs 6, and you have 1 energy. [3.3b2]"),
        ("why not attack hulk", "Attackers are declared at the start of the attack step. [3.4a1]"),
        ("why not", "No action given."),
        ("why not dance", "Nothing in this game is called 'dance'."),
    ],
)
def test_illegal_action_is_refused_with_its_reason(line: str, answer: str) -> None:
    game = Game.from_text(
        "edition: avx\nteam A: Hulk: Jade Giant; Captain America: Star-Spangled Avenger\nbasics: Smash!\n"
        "A field: Hulk@1\nA reserve: F, Smash!\nB field: Sidekick\nturn: 3, A, main\n"
    )
    _, lines = play_on_screen(game, (200, 40), line)
    assert answer in "\n".join(lines)


def test_show_prefers_cards_of_the_current_game() -> None:
    game = Game.from_text(teams() + MAIN)
    _, lines = play_on_screen(game, (150, 50), "show hulk")
    text = "\n".join(lines)
    assert "Hulk  Jade Giant" in text
    assert "Hulk  Green Goliath" in text
    assert text.count("Hulk  ") == 2


def test_show_finds_a_card_of_the_game_by_a_later_word_of_its_title() -> None:
    _, lines = play_on_screen(Game.from_text(teams() + MAIN), (150, 50), "show america")
    text = "\n".join(lines)
    assert "Captain America  Star-Spangled Avenger" in text
    assert "Captain America  Natural Leader" in text


def test_long_remark_is_wrapped() -> None:
    game = Game.from_text(teams() + MAIN)
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True, color_system=None)
    ui = TerminalGame(game, [None, None], console, lambda _: "quit")
    ui.remarks = ["the way to a file may well be longer " * 3 + "than a screen is wide"]
    ui.run()
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert "than a screen is wide" in out


def test_rows_of_four_players_begin_with_seat_letters_if_names_do_not_fit() -> None:
    a, b = (line.partition(": ")[2].split("; ") for line in teams().split("\n")[1:3])
    four = {"A": a[:4], "B": b[:4], "C": a[4:], "D": b[4:]}
    game = Game.from_text(
        "edition: avx\nbasics: Force Beam; Smash!; Take Cover [avx]; Gearing Up\n"
        + "".join(f"team {seat}: {'; '.join(cards)}\n" for seat, cards in four.items())
        + "A field: Hulk@1, Thor@2\nA reserve: 3 F, B, ?\nC field: Storm@1, Wolverine@2\nC reserve: F\n"
        "B field: Hulk@2, 2 Sidekick\nD field: Iron Man@1\nD reserve: S\nturn: 9, A, main\n"
    )
    _, lines = play_on_screen(game, (80, 24), people=1)
    assert len(lines) <= 24
    rows = [line for line in lines if " field " in line[:9] or " reserve " in line[:10]]
    named = [" ".join(line.split()[:2]) for line in rows]
    assert named == ["B field", "D reserve", "D field", "C field", "C reserve", "A field", "A reserve"]


def test_position_is_printed_completely_on_a_narrow_screen() -> None:
    game = Game.from_text(teams() + MAIN)
    _, lines = play_on_screen(game, (80, 24), "position")
    assert Game.from_text("\n".join(lines)) == game


def test_very_small_screen_still_shows_both_lives() -> None:
    _, lines = play_on_screen(Game.from_text(teams() + MAIN), (60, 15))
    assert len(lines) <= 15
    assert "A 20/20 life · B 20/20 life" in "\n".join(lines)


def test_rules_are_shown_one_screen_at_a_time() -> None:
    _, first = play_on_screen(Game.from_text(teams() + MAIN), (80, 24), "rules overcrush")
    assert len(first) <= 24
    assert "6.12 Overcrush" in "\n".join(first)
    _, second = play_on_screen(Game.from_text(teams() + MAIN), (80, 24), "rules overcrush", "")
    assert second != first
    ui, after = play_on_screen(Game.from_text(teams() + MAIN), (80, 24), "rules overcrush", "q", "dance")
    assert "neither an answer nor a command" in after[0], "q has left the game instead of the rules"
    assert ui.game.decision is not None


def test_number_with_thousands_of_digits_is_not_an_answer() -> None:
    ui, lines = play_on_screen(
        Game.from_text(teams() + MAIN), (80, 24), "9" * 5000, "9" * 5000 + "a", "log " + "9" * 5000
    )
    assert ui.game.moves == []
    assert not [line for line in lines if "Exceeds the limit" in line]


# --- saving and resuming -----------------------------------------------------------------------------------------------


def test_commands_still_work_after_the_end_of_a_game(tmp_path: Path) -> None:
    game = Game.from_text("edition: avx\nlife: 1\nA field: Sidekick\nturn: 3, A, attack\n")
    ui, lines = play_on_screen(game, (80, 24), "attack with Sidekick", "attack", "pass", "dance", "undo")
    assert ui.game.result is None
    assert "taken back" in "\n".join(lines)
    assert list(tmp_path.iterdir()) == []


def test_game_is_saved_automatically_and_can_be_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "games" / "game.txt"
    answers = iter(["keep all"])

    def read(prompt: str) -> str:
        answer = next(answers, None)
        if answer is None:
            raise KeyboardInterrupt
        return answer

    console = Console(file=io.StringIO(), width=80, height=24)
    ui = TerminalGame(Game.new("ai", seed=5), [None, HeuristicPlayer(1)], console, read, autosave_path=saved)
    assert ui.run() == 130
    assert Game.from_record(saved.read_text()).state == ui.game.state
    assert main(["play", str(saved), "--a", "simple"]) == 0
    assert "wins" in capsys.readouterr().out
    assert main(["play", str(saved), "--seed", "1"]) == 2
    assert "is a saved game, so --seed cannot be changed" in capsys.readouterr().err


def test_position_can_be_played_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text("edition: avx\nA field: Sidekick\nturn: 3, A, attack\n")
    assert main(["play", str(path), "--a", "simple", "--b", "random"]) == 0
    assert "wins" in capsys.readouterr().out


def test_only_the_newest_saved_games_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(savegames, "data_dir", lambda: tmp_path)
    (tmp_path / "games").mkdir()
    for n in range(30):
        (tmp_path / "games" / f"game-20260101-0000{n:02}.txt").touch()
    fresh = savegames.autosave_file()
    remaining = sorted(path.name for path in fresh.parent.iterdir())
    assert len(remaining) == savegames.MAX_AUTOSAVES - 1
    assert remaining[-1] == "game-20260101-000029.txt"
    assert str(os.getpid()) in fresh.name, "games started in the same second would share a file"


def test_play_last_resumes_the_newest_unfinished_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(savegames, "data_dir", lambda: tmp_path)
    assert main(["play", "last"]) == 2
    assert "there is no unfinished game in" in capsys.readouterr().err
    game = Game.new("ai", seed=5)
    for n in (1, 2):
        game.play(0)
        savegames.autosave_record(tmp_path / "games" / f"game-20260101-00000{n}.txt", game)
    while game.result is None:
        game.play(0)
    savegames.autosave_record(tmp_path / "games" / "game-20260101-000003.txt", game)
    assert savegames.latest_autosave().name == "game-20260101-000002.txt"
    assert main(["play", "last", "--a", "simple"]) == 0
    assert "wins" in capsys.readouterr().out


def test_game_of_bots_waits_between_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("dicemasters.terminal.game_ui.time.sleep", slept.append)
    out = io.StringIO()
    console = Console(file=out, width=80, height=24)
    TerminalGame(
        Game.new("ai", seed=5),
        [HeuristicPlayer(1), HeuristicPlayer(2)],
        console,
        input,
        interactive=False,
        move_delay=0.5,
    ).run()
    assert set(slept) == {0.5}
    assert len(slept) > 20


# --- replay ------------------------------------------------------------------------------------------------------------


def run_replay(*answers: str) -> tuple[ReplayViewer, str]:
    game = Game.new("ai", seed=5)
    players = (HeuristicPlayer(1), HeuristicPlayer(2))
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    out = io.StringIO()
    remaining = iter(answers)

    def read(prompt: str) -> str:
        answer = next(remaining, None)
        if answer is None:
            raise EOFError
        return answer

    replay = ReplayViewer(game, Console(file=out, width=100, height=40, highlight=False), read)
    replay.run()
    return replay, out.getvalue()


def test_replay_jumps_to_turns_and_accepts_game_commands() -> None:
    replay, text = run_replay("turn 3", "show black widow", "log 2", "rules overcrush", "turn 99")
    assert replay.game.state.turn == 3
    assert "Black Widow  Red Alert" in text
    assert "Give a turn from 1 to" in text


def test_replay_can_be_continued_as_a_game_from_any_move() -> None:
    replay, text = run_replay("turn 3", "play A", "quit", "n")
    assert "A (you) decides" in text
    assert "You have left the game." in text
    assert replay.move_number == replay.turns[3] + 1, "the replay does not continue where it was"


# --- input -------------------------------------------------------------------------------------------------------------


def test_completions_offer_choices_commands_cards_and_rules() -> None:
    ui, _ = play_on_screen(Game.from_text(teams() + MAIN), (80, 24))
    assert ui.completions("buy h") == []
    assert "buy Beast" in ui.completions("buy b")
    assert ui.completions("und") == ["undo"]
    assert "show Hulk: Jade Giant" in ui.completions("show hulk: j")
    assert any(text.lower() == "rules overcrush" for text in ui.completions("rules over"))


def test_line_reader_recalls_and_stores_its_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from dicemasters.terminal import prompt

    monkeypatch.setattr(prompt, "data_dir", lambda: tmp_path)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        read = prompt.make_line_reader(lambda line: [text for text in ("undo", "log") if text.startswith(line)])
        keys.send_text("undo\n")
        assert read("> ") == "undo"
        keys.send_text("\x1b[A\n")
        assert read("> ") == "undo"
    assert "undo" in (tmp_path / "history").read_text()
