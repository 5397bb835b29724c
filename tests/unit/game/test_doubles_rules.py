"""Doubles, two against two: the invariants hold for four players too (docs/doubles.md)."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.support.digest import without_version
from tests.support.effort import examples
from tests.support.random_lines import play_and_undo
from tools.verify import soak
from tools.verify.random_games import random_doubles

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.game.game_spec import SIDEKICKS
from dicemasters.game.notation import NotationError
from dicemasters.game.queries import combat_status
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.scenarios.scenario import check
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.player import Player
from dicemasters.players.random_player import RandomPlayer
from dicemasters.terminal.board_view import draw_table
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.savegames import write_record

editions = pytest.mark.parametrize("edition", EDITIONS)
seeds = st.integers(0, 2**31)

FIGHT = """
edition: avx
basics: Invulnerability
team A: Hulk: Jade Giant
team B: Thor: Lord of Asgard
team C: Beast: Big Boy Blue
team D: Storm: African Priestess
A field: Hulk@1 (attacking), Sidekick (attacking)
B life: 21
B field: Sidekick
C field: Sidekick (attacking)
D field: Storm@1 (blocking Hulk), Sidekick (blocking Sidekick #2)
D reserve: B
turn: 5, A, fight, respond
"""

# --- whole games ---------------------------------------------------------------------------------------------------


@editions
@pytest.mark.soak
@settings(max_examples=examples(quick=1, thorough=3), phases=[Phase.generate])
@given(seed=seeds)
def test_random_doubles_game_holds_every_invariant_and_ends(edition: str, seed: int) -> None:
    soak.play_checked(random_doubles(seed, edition=edition), seed, rarely=24)


@editions
@pytest.mark.soak
@settings(max_examples=examples(quick=3, thorough=6))
@given(seed=seeds, picks=st.lists(st.integers(0, 40), max_size=80))
def test_any_line_of_play_can_be_branched_written_recorded_and_undone(
    edition: str, seed: int, picks: list[int]
) -> None:
    play_and_undo(random_doubles(seed, edition=edition), picks)


@editions
def test_each_of_four_players_keeps_eight_sidekicks_and_their_own_dice(edition: str) -> None:
    game = random_doubles(3, edition=edition)
    player = RandomPlayer(3)
    t = game.table
    while game.result is None and len(game.moves) < 300:
        s = game.state
        owned = Counter(s.owner[d] for d in range(t.n_dice) if t.card_of[d] < 4)
        assert owned == dict.fromkeys(range(4), SIDEKICKS)
        for seat, team in enumerate(t.setup.teams):
            mine = sum(s.owner[d] == seat and t.owner_of_card[t.card_of[d]] == seat for d in range(t.n_dice))
            assert mine == SIDEKICKS + sum(n for _, n in team)
        game.play(player.choose(s))


# edition: decisions, turns, winners, checksum of the record; see GOLDEN in test_invariants.py
GOLDEN: dict[str, tuple[int, int, str, str]] = {
    "avx": (141, 9, "BD", "ff739678"),
    "uxm": (141, 9, "BD", "d4de0b58"),
    "cw": (129, 8, "AC", "9d7d067d"),
    "ai": (142, 10, "AC", "4ebd45da"),
}


@editions
def test_same_seed_gives_the_same_game_of_four_on_every_machine(edition: str) -> None:
    game = random_doubles(7, edition=edition)
    players = [RandomPlayer(seat) for seat in range(4)]
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    found = (
        len(game.moves),
        game.state.turn,
        game.result.winner,
        f"{zlib.crc32(without_version(game.record).encode()):08x}",
    )
    assert found == GOLDEN[edition]


def test_two_simple_bots_beat_two_random_bots() -> None:
    wins = 0
    for seed in range(12):
        players: list[Player] = [(HeuristicPlayer if seat % 2 == seed % 2 else RandomPlayer)(seat) for seat in range(4)]
        game = random_doubles(seed)
        while game.result is None:
            game.play(players[game.state.decision.seat].choose(game.state))
        wins += "ABCD"[seed % 2] in game.result.winner
    assert wins > 9, f"only {wins} of 12"


def test_soak_can_play_doubles(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--games", "1", "--jobs", "0", "--doubles"]) == 0
    assert capsys.readouterr().out.startswith("1 games, ")


# --- setting up ----------------------------------------------------------------------------------------------------


def test_four_teams_start_with_30_life_and_six_dice_per_basic_action() -> None:
    game = Game.new("ai", teams=[[("Hulk: Jade Giant", 4)], [], [("Beast: Big Boy Blue", 5)], []], basics=["Smash!"])
    assert game.state.life == [30, 30]
    assert [(card.title, n) for card, n in game.table.setup.basics] == [("Smash!", 6)]
    assert "team D:" in game.to_text()


@pytest.mark.parametrize("number", [1, 3, 5])
def test_game_needs_two_or_four_teams(number: int) -> None:
    with pytest.raises(ValueError, match=f"a game has two or four teams, not {number}"):
        Game.new("ai", teams=[[]] * number)


def test_too_many_dice_are_refused() -> None:
    with pytest.raises(NotationError, match="are more than the 248 a game can have"):
        Game.from_text("team C: 20x avx9\nbasics: " + "; ".join(f"20x avx{n}" for n in range(25, 35)))


def test_side_of_the_first_player_begins() -> None:
    game = Game.new("avx", teams=[[]] * 4, first="D")
    assert game.state.first == 1
    assert game.log[0] == "  Turn 1: B and D"


def test_both_partners_win() -> None:
    game = Game.from_text(
        "basics: Power Bolt\nC reserve: Power Bolt!\nB life: 1\nturn: 3, C, main",
    )
    game.play("use Power Bolt")
    game.play("choose players B and D")
    assert game.result is not None
    assert game.result.winner == "AC"
    assert str(game.result) == "A and C win: B and D were brought to 0 life"


# --- as text -------------------------------------------------------------------------------------------------------


def test_doubles_position_round_trips() -> None:
    game = Game.from_text(FIGHT)
    again = Game.from_text(game.to_text())
    assert again == game
    assert again.to_text() == game.to_text()
    s = game.state
    assert s.life == [30, 21]
    assert [s.place[d] & 3 for d in combat_status.attackers(s)] == [0, 0, 2]
    assert [s.place[a] & 3 for _, a in s.blocks] == [0, 2]
    assert "C life" not in game.to_text()


def test_partners_cannot_have_different_life() -> None:
    with pytest.raises(NotationError, match="line 2: C shares the life of A, but another number is given"):
        Game.from_text("A life: 10\nC life: 11\n")


def test_game_of_two_players_has_no_player_c() -> None:
    with pytest.raises(NotationError, match="there is no player C"):
        Game.from_text("B field: C's Sidekick")


@pytest.mark.parametrize(
    "line", ["expect C field: Sidekick", "expect C life: 20", "C rolls: F", "expect C's Sidekick: 1/1"]
)
def test_scenario_of_two_players_cannot_name_player_c(line: str) -> None:
    with pytest.raises(NotationError, match="line 5: there is no player C"):
        check(f"scenario: two\nA field: Sidekick\nturn: 3, A, attack\nplay:\n{line}\nexpect A life: 20\n")


def test_picture_shows_all_four_players() -> None:
    picture = Game.from_text(FIGHT)._repr_svg_()
    for letter in "ABCD":
        assert f">{letter}</text>" in picture
    assert "A and C 30 life, B and D 21 life" in picture


# --- in the terminal -----------------------------------------------------------------------------------------------


def drawn(game: Game, viewer: int) -> list[str]:
    return [line.plain for line in draw_table(game.state, ["ann", "bob", "cec", "dan"], 100, viewer)]


def test_screen_shows_the_viewer_at_the_bottom_and_the_partner_above() -> None:
    lines = drawn(Game.from_text(FIGHT), 2)
    at = [next(i for i, line in enumerate(lines) if name in line) for name in ("dan", "bob", "ann", "cec")]
    assert at == sorted(at)
    assert "attack zone: A and C attack" in "\n".join(lines)
    assert any("C [Sidekick 1/1] <- blocked by D [Sidekick 1/1]" in line for line in lines)


def test_partners_show_their_life_once() -> None:
    lines = drawn(Game.from_text(FIGHT), 0)
    assert sum("life 30/30" in line for line in lines) == 1
    assert sum("shares A's life" in line for line in lines) == 1


def play_answers(answers: list[str], game: Game, players: list[Player | None]) -> str:
    remaining: Iterator[str] = iter(answers)

    def read(prompt: str) -> str:
        answer = next(remaining, None)
        if answer is None:
            raise EOFError
        return answer

    out = io.StringIO()
    console = Console(file=out, width=100, height=60, highlight=False, color_system=None)
    TerminalGame(game, players, console, read, interactive=False).run()
    return out.getvalue()


def test_four_people_share_a_keyboard() -> None:
    game = Game.new("ai", teams=[[]] * 4, basics=["Power Bolt"], seed=2, first="A")
    out = play_answers(["keep all", "keep all", "pass", "pass", "keep all"], game, [None] * 4)
    for prompt in ("A (human) decides", "C (human) decides", "B (human) decides", "D (human) decides"):
        assert prompt in out
    assert "on to your partner" in out
    assert "on to the attack step" in out
    assert "A's dice show" in out


def test_one_person_plays_with_three_bots() -> None:
    game = random_doubles(5)
    out = play_answers(["undo"], game, [RandomPlayer(0), HeuristicPlayer(1), None, HeuristicPlayer(3)])
    assert "C (you) decides" in out


def test_game_with_another_number_of_players_is_not_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "two.txt")
    write_record(path, Game.new("ai", seed=1))
    out = play_answers([f"load {path}"], random_doubles(5), [None] * 4)
    assert "is a game for 2 players; this one has 4." in " ".join(out.split())


def test_play_command_seats_four_players(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["play", "--format", "doubles", "--a", "simple", "--c", "random", "--seed", "3", "--life", "6"]
    assert main(argv) == 0
    first = capsys.readouterr().out
    assert "win: " in first
    assert "--team-d random --format doubles --seed 3 --life 6 --a simple --b simple --c random --d simple" in first
    assert main(argv) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize("argv", [["--c", "simple"], ["--team-d", "random"], ["--team-c", "green-rage"]])
def test_third_and_fourth_seats_need_the_doubles_format(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--a", "simple", *argv]) == 2
    assert "need --format doubles" in capsys.readouterr().err


def test_partners_with_the_same_card_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, basic in (("a", "Smash!"), ("c", "Force Beam")):
        text = f"format: doubles\n4x Hulk: Jade Giant\nbasic: {basic}\n"
        (tmp_path / f"{name}.team").write_text(text, encoding="utf-8")
    arguments = ["--team-a", str(tmp_path / "a.team"), "--team-c", str(tmp_path / "c.team")]
    assert main(["play", *arguments]) == 2
    assert "both partners bring Hulk" in capsys.readouterr().err
