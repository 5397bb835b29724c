"""Answers with several parts at the terminal: picks in any order, taken back, and played when they are complete."""

import io
import re

import pytest
from rich.console import Console

from dicemasters import Game
from dicemasters.lessons.lesson_file import lessons
from dicemasters.terminal.game_ui import HELP, TerminalGame
from dicemasters.terminal.lesson_ui import TerminalLesson

TEAMS = """edition: avx
team A: Beast: Big Boy Blue; Hulk: Jade Giant
team B: Beast: Big Boy Blue; Hulk: Green Goliath
basics: Force Beam; Inner Rage
"""
ATTACK = TEAMS + "A field: 3 Sidekick, Hulk@1\nB field: Sidekick\nturn: 3, A, attack\n"
PAYMENT = TEAMS + "A reserve: F, B, S, Beast:MM\nB field: Sidekick\nturn: 3, A, main\n"
SPLIT = TEAMS + "A field: Hulk@3 (attacking)\nB field: 2 Sidekick (blocking Hulk@3), Beast@1 (blocking Hulk@3)\n"
SPLIT += "turn: 3, A, fight\n"
OVERCRUSH = """edition: cw
team A: She-Hulk: Sensational
team B: Ms. Marvel: Kamala Khan
A field: She-Hulk@3 (attacking)
B field: 2 Sidekick (blocking She-Hulk@3)
turn: 5, A, fight
"""
DIVIDE = """edition: cw
team A: Tony Stark
team B: Ms. Marvel: Kamala Khan; Jessica Jones: Alias
basics: Power Bolt
A reserve: Power Bolt!
A field: Tony Stark@1 (3 damage)
B field: Ms. Marvel@1, Jessica Jones@1, Sidekick
turn: 3, A, main
"""
ENRAGE = """edition: uxm
team A: Beast: Big Boy Blue
basics: Enrage
A field: Beast@1, 2 Sidekick
A reserve: Enrage!
turn: 3, A, main
"""


def play(game: Game | str, *answers: str, width: int = 80) -> tuple[Game, str]:
    """Play these answers of both players. Return the game, and what was printed after the last answer."""
    game = Game.from_text(game) if isinstance(game, str) else game
    out = io.StringIO()
    left = iter(answers)

    def read(prompt: str) -> str:
        answer = next(left, None)
        if answer is None:
            raise EOFError
        out.truncate(0)
        out.seek(0)
        return answer

    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    ui = TerminalGame(game, [None, None], console, read)
    ui.run()
    return ui.game, out.getvalue()


def moves(game: Game) -> list[str]:
    return [move.text for move in game.moves]


def after_attack(position: str, *attackers: str) -> Game:
    game = Game.from_text(position)
    for attacker in attackers:
        game.play(f"attack with {attacker}")
    return game


# --- picking and taking back ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "row"),
    [
        ((), "1 attack with Sidekick ×3  1/1"),
        (("1",), "1 attack with Sidekick, 1 of 3 picked  1/1"),
        (("1", "attack with Sidekick"), "1 attack with Sidekick, 2 of 3 picked  1/1"),
        (("1", "1", "1"), "1 attack with Sidekick, 3 of 3 picked  1/1"),
        (("1", "1", "1", "1"), "1 attack with Sidekick ×3  1/1"),
        (("1", "1", "-1"), "1 attack with Sidekick, 1 of 3 picked  1/1"),
        (("1", "1 -1 1"), "1 attack with Sidekick, 2 of 3 picked  1/1"),
        (("1", "2", "undo"), "1 attack with Sidekick ×3  1/1"),
        (("2",), "2 attack with Hulk@1*, picked  6/5"),
        (("2", "2"), "2 attack with Hulk@1*  6/5"),
        (("2", "1", "-2"), "2 attack with Hulk@1*  6/5"),
    ],
)
def test_row_counts_its_dice_and_picks(answers: tuple[str, ...], row: str) -> None:
    game, text = play(ATTACK, *answers, "")
    assert f" {row}\n" in text
    assert game.moves == []


def test_all_dice_can_be_picked_before_the_answer_is_finished() -> None:
    game, _ = play(ATTACK, "1", "1", "1", "2")
    assert game.moves == []
    game, _ = play(game, "1", "1", "1", "2", "3")
    assert sorted(moves(game)) == ["attack with Hulk@1*", *["attack with Sidekick"] * 3]


def test_taking_back_what_is_not_picked_is_refused() -> None:
    for answer in ("-1", "-3"):
        assert f"Nothing of {answer[1:]} is picked" in play(ATTACK, "2", answer)[1]
    assert "There is no answer 9" in play(ATTACK, "-9")[1]
    assert "Nothing of 1 is picked" in play(PAYMENT, "-1")[1]


def test_naming_more_dice_than_there_are_is_refused_and_changes_nothing() -> None:
    game, text = play(ATTACK, "2", "1 1 1 1")
    assert "There are only 3 of 'attack with Sidekick'." in text
    assert "'attack with Hulk@1*' is already picked." in play(ATTACK, "2 2")[1]
    _, text = play(game, "2", "1 1 1 1", "")
    assert "so far: attack with Hulk@1*\n" in text


def test_picks_survive_a_refused_answer() -> None:
    position = TEAMS + "A reserve: Inner Rage!\nA field: 3 Sidekick, Hulk@1, Hulk@2\nturn: 3, A, main\n"
    _, text = play(position, "use Inner Rage", "")
    assert "Pick 2; the last pick ends it." in text
    _, text = play(position, "use Inner Rage", "1", "pass")
    assert "pick the rest, or type undo to drop it." in text
    game, _ = play(position, "use Inner Rage", "3", "1")
    assert sorted(moves(game)[1:3]) == ["choose A's Hulk@2*", "choose A's Sidekick"]


def test_character_that_must_attack_is_named_if_it_is_missing() -> None:
    game = Game.from_text(ENRAGE)
    for choice in ("use Enrage", "choose A's Beast", "pass"):
        game.play(choice)
    text = play(game, "")[1]
    assert "Pick at least 1, then 3 to go on" in text
    for answers in (("attack with Sidekick", "3"), ("pass",)):
        played, text = play(game, *answers)
        assert text.splitlines()[0] == "Beast@2 must attack."
        assert moves(played)[-1] == "pass"


# --- finishing and declining ---------------------------------------------------------------------------------------


def test_prompt_says_once_how_to_finish() -> None:
    for answers in ((), ("1",)):
        _, text = play(ATTACK, *answers, "")
        assert text.count("Pick any number, then 3 to go on") == 1
    assert " 3 no attack\n" in play(ATTACK, "")[1]
    assert " 3 attack\n" in play(ATTACK, "1", "")[1]


@pytest.mark.parametrize("answer", ["pass", "PASS", "no attack", "no"])
def test_pass_declines_if_nothing_is_picked(answer: str) -> None:
    game, _ = play(ATTACK, answer)
    assert moves(game)[0] == "no attack"


@pytest.mark.parametrize("answer", ["pass", "no attack", "No Attack", "no"])
def test_declining_does_not_drop_picks(answer: str) -> None:
    game, text = play(ATTACK, "1", answer)
    assert text.splitlines()[0] == "You have picked something: type 3 (attack) to go on, or type undo to drop it."
    assert game.moves == []
    assert "so far: attack with Sidekick\n" in play(ATTACK, "1", answer, "")[1]


def test_pass_keeps_all_dice_and_blocks_nothing() -> None:
    game, _ = play(Game.new("ai", seed=5), "go first", "pass")
    assert "keep all" in moves(game)
    blocked = after_attack(ATTACK, "Sidekick", "Hulk")
    game, _ = play(blocked, "pass")
    assert "no block" in moves(game)


def test_pass_answers_no_to_an_optional_ability() -> None:
    position = "edition: ai\nteam A: Black Widow: Red Alert\nA reserve: Black Widow@1, F\nB field: 2 Sidekick\nturn: 3, A, main\n"
    game, _ = play(position, "field Black Widow", "pass")
    assert "no" in moves(game)


# --- blocks --------------------------------------------------------------------------------------------------------


def test_only_the_block_that_was_picked_is_marked() -> None:
    position = TEAMS + "A field: Hulk@1, Sidekick\nB field: 2 Sidekick, Beast@1\nturn: 3, A, attack\n"
    game = after_attack(position, "Sidekick", "Hulk")
    text = play(game, "block Hulk with Sidekick", "")[1]
    assert "block Hulk@1* with Sidekick, 1 of 2 picked" in text
    assert "block Sidekick with Sidekick  1/1" in text
    assert "block Hulk@1* with Beast@1*  1/2" in text
    assert text.count("picked") == 1
    text = play(game, "block Hulk with Sidekick", "block Sidekick with Sidekick", "")[1]
    assert text.count(", picked") == 2


def test_equal_attackers_keep_their_own_blocks() -> None:
    position = TEAMS + "A field: 2 Sidekick\nB field: Sidekick, Beast@1\nturn: 3, A, attack\n"
    game = after_attack(position, "Sidekick", "Sidekick")
    assert "a Sidekick 1/1 <- 1   b Sidekick 1/1\n" in play(game, "1a", "")[1]
    assert "a Sidekick 1/1   b Sidekick 1/1\n" in play(game, "1a", "1a", "")[1]
    assert "a Sidekick 1/1   b Sidekick 1/1 <- 2\n" in play(game, "1a", "2b", "-1a", "")[1]
    assert "type done blocking, or type undo" in play(game, "1a", "no block")[1]
    played, _ = play(game, "1a", "2b", "done")
    assert sum(text.startswith("block") for text in moves(played)) == 2


def test_impossible_block_is_refused_with_its_reason() -> None:
    position = TEAMS + "A field: Hulk@1, Sidekick\nB field: Sidekick, Beast@1\nturn: 3, A, attack\n"
    game = after_attack(position, "Sidekick", "Hulk")
    n_moves = len(game.moves)
    played, text = play(game, "1 2")
    assert "Sidekick can block only one." in text
    assert len(played.moves) == n_moves


# --- payments ------------------------------------------------------------------------------------------------------


def test_payment_collects_energy_in_any_order() -> None:
    text = play(PAYMENT, "buy Beast", "pay S", "")[1]
    assert "1 of 2 paid" in text
    assert "3 pay S, picked" in text
    assert "5 pay 1 of Beast:MM" in text
    game, _ = play(PAYMENT, "buy Beast", "pay S", "pay 1 of Beast")
    assert "A reserve: F, B, Beast:M" in game.to_text()
    game, _ = play(PAYMENT, "buy Beast", "4")
    assert "A reserve: F, B, S" in game.to_text()


def test_illegal_payment_is_refused_with_its_reason() -> None:
    for answers in (("1", "3"), ("1 3",)):
        game, text = play(PAYMENT, "buy Beast", *answers)
        assert text.splitlines()[0] == "The payment needs one mask."
        assert moves(game) == ["buy Beast"]
    assert "2 energy must be paid, and this is 3." in play(PAYMENT, "buy Beast", "1", "4")[1]
    assert "1 of 2 paid" in play(PAYMENT, "buy Beast", "1", "4", "")[1]


def test_die_pays_only_once() -> None:
    position = TEAMS + "A reserve: 2 F, S, Beast:MM\nB field: Sidekick\nturn: 3, A, main\n"
    text = play(position, "buy Force Beam", "pay 1 of Beast", "pay Beast:MM")[1]
    assert text.splitlines()[0] == "'pay Beast:MM' does not go with 4. Take that back first: -4"


@pytest.mark.parametrize("answers", [("3", "4"), ("4", "3"), ("4 3",)])
def test_generic_die_pays_the_rest_if_it_cannot_keep_any(answers: tuple[str, ...]) -> None:
    position = "edition: avx\nbasics: Force Beam; Inner Rage; Thrown Car\nA reserve: F, S, Inner Rage:2, Thrown Car:2\n"
    game, _ = play(position + "B field: Sidekick\nturn: 3, A, main\n", "buy Force Beam", *answers)
    assert "A reserve: F, S\n" in game.to_text()


def test_energy_left_over_counts_like_dice() -> None:
    position = "edition: ai\nteam A: Hulk: Annihilator\nbasics: Gearing Up\nA left over: 2\nA reserve: F, B, S\n"
    position += "B field: Sidekick\nturn: 3, A, main\n"
    assert "pay 1 left over ×2" in play(position, "buy Gearing Up", "")[1]
    assert "pay 1 left over, 1 of 2 picked" in play(position, "buy Gearing Up", "left over", "")[1]
    game, _ = play(position, "buy Gearing Up", "left over", "left over", "pay S", "pay F")
    assert "A reserve: B\n" in game.to_text()


def test_undo_returns_to_the_beginning_of_a_whole_answer() -> None:
    game, _ = play(PAYMENT, "buy Force Beam", "3 2 1")
    assert len([text for text in moves(game) if text.startswith("pay")]) > 1
    game, text = play(game, "undo", "")
    assert moves(game) == ["buy Force Beam"]
    assert "0 of 3 paid" in text


# --- splits of damage ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answers",
    [
        ("Beast 5, Sidekick 2, Sidekick 1",),
        ("sidekick 2, 5 to Beast, Sidekick #2 1",),
        ("5 damage to B's Beast; Sidekick 2; Sidekick #2 1",),
        ("Beast 3", "Sidekick 2, Sidekick 1", "Beast 5"),
        ("1 1 2", "3 3 3 3 3"),
        ("1 1 1 2", "-1", "Beast 5"),
    ],
)
def test_damage_is_split_by_amounts_or_rows(answers: tuple[str, ...]) -> None:
    game, _ = play(SPLIT, "pass", *answers)
    log = "\n".join(game.log)
    assert "5 damage to Beast from Hulk" in log
    assert sorted(re.findall(r"([0-9]) damage to Sidekick from Hulk", log)) == ["1", "2"]


def test_recipient_that_is_not_mentioned_gets_nothing() -> None:
    game, _ = play(SPLIT, "pass", "Beast 8")
    assert "8 damage to Beast from Hulk" in "\n".join(game.log)
    assert "damage to Sidekick from Hulk" not in "\n".join(game.log)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Beast 7, Sidekick 2", "8 damage must be split, and this is 9."),
        ("Beast 9", "There is only 8 damage to assign."),
        ("Thor 3", "'Thor' gets none of this damage."),
        ("pass", "8 damage must be split, and this is 0."),
    ],
)
def test_illegal_split_is_refused_with_its_reason(answer: str, reason: str) -> None:
    game, text = play(SPLIT, "pass", answer)
    assert text.splitlines()[0] == reason
    assert "from Hulk" not in "\n".join(game.log)


def test_split_shows_what_is_assigned_and_how_to_type_it() -> None:
    text = play(SPLIT, "pass", "Beast 5", "")[1]
    assert "Who gets Hulk@3's damage?" in text
    assert "5 of 8 damage assigned; at 8 it is dealt. Type: Sidekick 7, Beast 1" in text
    assert "3 B's Beast@1*, gets 5  2 KOs it" in text


def test_overcrush_may_leave_the_rest_to_the_player() -> None:
    text = play(OVERCRUSH, "pass", "1", "")[1]
    assert "the rest goes to the player" not in text
    game, _ = play(OVERCRUSH, "pass", "1 2", "3")
    assert "4 damage to player B from She-Hulk" in "\n".join(game.log)


def test_damage_of_an_ability_is_divided_by_name() -> None:
    game, _ = play(DIVIDE, "use Power Bolt", "choose A's Tony", "Ms. Marvel 2, Jessica 2, Sidekick 1")
    log = "\n".join(game.log)
    assert "2 damage to Ms. Marvel from Tony Stark" in log
    assert "2 damage to Jessica Jones from Tony Stark" in log


# --- elsewhere -----------------------------------------------------------------------------------------------------


def test_help_explains_the_minus_and_fits_80_columns() -> None:
    assert "minus takes one pick back: -2" in HELP
    assert max(map(len, HELP.splitlines())) <= 80


def test_undo_in_a_lesson_drops_picks_and_nothing_else() -> None:
    out = io.StringIO()
    answers = iter(["1", "undo", "undo", "quit"])
    TerminalLesson(lessons()["first-game"], Console(file=out, width=100, height=60), lambda _: next(answers)).run()
    assert out.getvalue().count("so far: ") == 1
    assert out.getvalue().count("'undo' is neither an answer nor a command") == 1
