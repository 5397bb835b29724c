"""The public API of the package: its exported names, its errors, and what it imports."""

import pickle
import subprocess
import sys
from typing import Any

import pytest

import dicemasters
from dicemasters import (
    Game,
    IllegalChoiceError,
    NotationError,
    SearchError,
    SetupError,
    UnknownCardError,
    analyse,
    analyse_game,
    catalogue,
    search,
)
from dicemasters.cli.main import ARGUMENTS, COMMANDS
from dicemasters.lab.benchmark import startup_time

POSITION = "edition: avx\nteam A: Hulk: Jade Giant\nbasics: Force Beam\nA field: Hulk@1\nA reserve: Force Beam!\nB field: 2 Sidekick\nturn: 5, A, main\n"


def test_every_exported_name_exists_and_is_documented() -> None:
    assert set(dicemasters.__all__) <= set(dir(dicemasters))
    for name in dicemasters.__all__:
        assert getattr(dicemasters, name).__doc__
        assert f"`{name}" in (dicemasters.__doc__ or "") or name in ("Card", "Catalogue", "Result")


def test_game_prints_and_pickles() -> None:
    game = Game.from_text(POSITION)
    assert repr(game) == "<Game: turn 5, A, main; A 20 life, B 20 life; A decides: Main step: what do you do?>"
    assert str(game) == game.to_text()
    game.play("use Force Beam")
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.log == game.log
    assert again.undo()


def test_copy_with_a_seed_has_other_dice_and_the_same_decision() -> None:
    game = Game.new("ai", seed=5)
    ahead = [game.copy(seed=n) for n in (1, 1, 2)]
    assert ahead[0] == ahead[1] != ahead[2]
    assert ahead[0].decision == game.decision
    ahead[0].play(0)
    assert not game.moves


WRONG: list[tuple[Any, type[ValueError], str]] = [
    (
        lambda: Game.new("ai").play(None),  # type: ignore[arg-type]
        IllegalChoiceError,
        "a choice must be an option, its index or its text, not None",
    ),
    (lambda: Game.new("ai").play(99), IllegalChoiceError, "there is no option 99"),
    (lambda: Game.new("ai", seed="abc"), SetupError, "a seed must be an integer, not 'abc'"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", seed=10**20), SetupError, "a seed must have at most 20 digits"),
    (lambda: Game.new("ai", seed=-(10**5000)), SetupError, "a seed must have at most 20 digits"),
    (lambda: Game.new("ai").copy(seed=1.5), SetupError, "a seed must be an integer"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", teams=[["Hulk"], ["Thor"]]), SetupError, "team A: an entry must be (card, dice)"),  # type: ignore[list-item]
    (lambda: Game.new("ai", teams="Hulk"), SetupError, "teams must be two lists"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", teams=[[("Hulkk", 2)], []]), UnknownCardError, "no card is called 'Hulkk'"),
    (lambda: Game.new("ai", cast=["ai"]), SetupError, "there is no cast '['ai']'"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", basics=3), SetupError, "basics must be a list of cards"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", basics="Smash!"), SetupError, "basics must be a list of cards"),
    (lambda: Game.new("ai", cards="all"), SetupError, "cards must be a Catalogue, not 'all'"),  # type: ignore[arg-type]
    (lambda: Game.from_text("edition: ai", cards=5), SetupError, "cards must be a Catalogue, not 5"),  # type: ignore[arg-type]
    (lambda: Game.from_record("", cards=5), SetupError, "cards must be a Catalogue, not 5"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", solitaire=True), SetupError, "solitaire must be a SolitaireRules, not True"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", fair=True), SetupError, "fair must be a FairDice, not True"),  # type: ignore[arg-type]
    (lambda: Game.new("ai").position.player("A").dice("hat"), SetupError, "a zone must be one of card, bag"),
    (
        lambda: Game.new("ai").position.player("A").cards[0].cost_for("Z"),
        SetupError,
        "a player must be one of A, B, not 'Z'",
    ),
    (lambda: search(None, "hulk"), SearchError, "a search takes a catalogue"),  # type: ignore[arg-type]
    (lambda: search("hulk", "hulk"), SearchError, "a list of cards, not 'h'"),  # type: ignore[arg-type]
    (lambda: analyse(Game.new("ai"), seed="x"), SetupError, "a seed must be an integer, not 'x'"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", first="Z"), SetupError, "first must be one of A, B, not 'Z'"),
    (lambda: Game.new("ai", first="C"), SetupError, "first must be one of A, B, not 'C'"),
    (lambda: Game.new("zzz"), SetupError, "there is no edition 'zzz'"),
    (lambda: Game.new("ai", cast="zzz"), SetupError, "there is no cast 'zzz'; there are avx"),
    (lambda: Game.new("ai").undo(None), SetupError, "steps must be a number of choices to undo, not None"),  # type: ignore[arg-type]
    (lambda: Game.new("ai").undo(-1), SetupError, "steps must be a number of choices to undo, not -1"),
    (lambda: Game.new("ai").play("x" * 9999), IllegalChoiceError, "x…' is not an option; "),
    (lambda: Game.new("ai").position.player("C"), SetupError, "a player must be one of A, B, not 'C'"),
    (lambda: Game.new("ai").position.die(None), SetupError, "there is no die None; the "),  # type: ignore[arg-type]
    (lambda: catalogue().find(5), UnknownCardError, "a card is named by a text"),  # type: ignore[arg-type]
    (lambda: search(catalogue(), None), SearchError, "a search is a text like"),  # type: ignore[arg-type]
    (lambda: analyse("x"), SetupError, "only a Game can be analysed, not 'x'"),  # type: ignore[arg-type]
    (lambda: analyse(Game.new("ai"), tries=0), SetupError, "tries must be an integer of at least 1, not 0"),
    (lambda: analyse_game(Game.new("ai"), tries="x"), SetupError, "tries must be an integer of at least 1, not 'x'"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", life=0), SetupError, "life must be an integer from 1 to 200, not 0"),
    (lambda: Game.new(7), SetupError, "an edition must be a string"),  # type: ignore[arg-type]
    (lambda: Game.new("ai", basics=[3], teams=[[], []]), SetupError, "a card must be a Card or a name"),  # type: ignore[list-item]
    (lambda: Game.from_text("edition: zzz"), NotationError, "line 1: "),
    (lambda: Game.from_text(None), SetupError, "a position must be a string, not None"),  # type: ignore[arg-type]
    (lambda: Game.from_record(b"x"), SetupError, "a record must be a string"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("do", "kind", "message"), WRONG)
def test_invalid_argument_raises_an_error_that_names_it(do: Any, kind: type[ValueError], message: str) -> None:
    with pytest.raises(kind) as error:
        do()
    assert message in str(error.value)


def test_action_whose_title_ends_in_an_exclamation_mark_needs_no_second_one() -> None:
    for written, meant in (("Smash!", "Smash!!"), ("Smash!*", "Smash!!*"), ("Smash!**", "Smash!!**")):
        position = POSITION.replace("Force Beam!", written).replace("Force Beam", "Smash!")
        assert f"A reserve: {meant}\n" in Game.from_text(position).to_text()


def test_card_has_a_text() -> None:
    assert "damage" in catalogue().find("Force Beam").text


def test_python_m_dicemasters_runs_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dicemasters", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("dicemasters ")


@pytest.mark.parametrize("argv", [["--version"], ["--help"], ["rules", "overcrush"]])
def test_command_imports_only_what_it_needs(argv: list[str]) -> None:
    code = f"import sys; from dicemasters.cli.main import main; main({argv!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert not [
        name
        for name in loaded
        if name.startswith(("dicemasters.game", "dicemasters.lab", "dicemasters.cards.sets.avx"))
    ]
    assert not {"prompt_toolkit", "fastapi", "sqlalchemy", "rich.progress"} & set(loaded)


SETS = {f"dicemasters.cards.sets.{key}" for key in ("avx", "uxm", "cw", "ai")}


def sets_read_by(*commands: list[str]) -> set[str]:
    """Return the sets of cards that these commands read when they run in one new process."""
    code = f"import sys; from dicemasters.cli.main import main; [main(a) for a in {commands!r}]; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return SETS & set(done.stderr.split())


def test_no_help_reads_a_card_set() -> None:
    assert not sets_read_by(*([name, "--help"] for name in COMMANDS))


@pytest.mark.parametrize("command", ARGUMENTS)
def test_help_of_the_lab_loads_no_game(command: str) -> None:
    code = f"import sys; from dicemasters.cli.main import main; main([{command!r}, '--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stderr.split() if name.startswith(("dicemasters.game.", "dicemasters.cards"))}
    assert loaded <= {"dicemasters.game.rulesets", "dicemasters.game.rulesets.editions"}, (
        "the help needs only the lists of choices"
    )


def test_lookup_by_key_reads_only_the_set_of_the_card() -> None:
    assert sets_read_by(["show", "avx9"], ["show", " AVX10 "]) == {"dicemasters.cards.sets.avx"}
    assert sets_read_by(["play", "--seed", "1", "--a", "random", "--b", "random", "--json"]) == {
        "dicemasters.cards.sets.ai"
    }
    assert sets_read_by(["show", "hulk: jade giant"]) == SETS


def test_startup_time_of_every_command_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 < startup_time.measure_startup(["-c", "pass"]) < 5
    assert set(COMMANDS) <= {words[0] for words in startup_time.measured_commands()}
    taken = iter([0.01, 0.26])
    monkeypatch.setattr(startup_time, "measure_startup", lambda words: next(taken, 0.1))
    startup_time.report()
    bare, first, *others = capsys.readouterr().out.splitlines()[1:]
    assert "more than 0.25" in first
    assert not [line for line in (bare, *others) if "more than" in line]
