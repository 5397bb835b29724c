"""Matches, training and analysis: independent of the number of workers, with one-line errors."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console
from tests.support.positions import WINNING

from dicemasters import Game
from dicemasters.cli.analyse_command import print_analysis
from dicemasters.cli.main import main
from dicemasters.game.inspect.features import LENGTH
from dicemasters.game.turn import loop
from dicemasters.lab.evaluation import arena
from dicemasters.lab.evaluation.arena import GamePair, Match, PairResult, compute_ratings, play_pair, round_robin
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.lab.parallel import process_pool
from dicemasters.lab.training import train
from dicemasters.players import analysis
from dicemasters.players.analysis import _describe_difference, analyse, analyse_game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.monte_carlo import MonteCarloPlayer
from dicemasters.players.value_weights import load_weights, read_weights
from dicemasters.teams.tournament_table import random_tournament_spec


def double(n: int) -> int:
    return 2 * n


def die_once(path: str) -> str:
    """Kill the worker on the first call."""
    import os

    file = Path(path)
    if not file.exists():
        file.write_text("been here")
        os._exit(9)
    return "done"


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_keep_the_order_of_the_jobs(workers: int) -> None:
    assert process_pool.map_ordered(list(range(11)), double, workers=workers, chunk=2) == [2 * n for n in range(11)]


def test_jobs_of_a_killed_worker_are_repeated(tmp_path: Path) -> None:
    jobs = [str(tmp_path / "one"), str(tmp_path / "two")]
    assert process_pool.map_ordered(jobs, die_once, workers=2, chunk=1) == ["done", "done"]


def test_pool_gives_up_when_workers_keep_dying(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process_pool, "MAX_WORKER_DEATHS", 0)
    with pytest.raises(process_pool.WorkersDiedError, match="1 workers died"):
        process_pool.map_ordered([str(tmp_path / "one"), str(tmp_path / "two")], die_once, workers=2, chunk=1)


# --- the arena -----------------------------------------------------------------------------------------------------


def test_match_does_not_depend_on_the_number_of_workers() -> None:
    alone, together = (round_robin(["level1", "simple", "random"], 4, seed=40, workers=n) for n in (1, 2))
    assert alone == together
    assert [match.names for match in alone] == [("level1", "simple"), ("level1", "random"), ("simple", "random")]


def test_both_games_of_a_pair_have_the_same_teams_and_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def note(*args: object, **named: object) -> object:
        seen.append((args[1], named["first"], [player.name for player in args[2]]))  # type: ignore[attr-defined]
        return play_bot_game(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(arena, "play_bot_game", note)
    played = play_pair(GamePair(("level1", "random"), 12, None))
    assert seen == [(12, 1, ["level1", "random"]), (12, 1, ["random", "level1"])]
    assert all(0 <= points <= 1 for points in played.points)


def test_teams_change_sides_between_games_against_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []

    def note(*args: object, **named: object) -> object:
        tables.append(args[0])
        assert named["first"] == 0
        return play_bot_game(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(arena, "play_bot_game", note)
    play_pair(GamePair(("scripted:hard", "simple"), 12, None))
    one, other = (table.setup for table in tables)  # type: ignore[attr-defined]
    assert one.solitaire is not None
    assert one.solitaire.one_of_each
    assert one.teams == other.teams[::-1] != other.teams


def test_ratings_rank_players_by_strength() -> None:
    strong = Match(("a", "b"), tuple(PairResult((1.0, float(n % 4 != 0)), (9, 9)) for n in range(40)))
    weak = Match(("b", "c"), tuple(PairResult((1.0, 0.0), (9, 9)) for _ in range(40)))
    far = Match(("a", "c"), tuple(PairResult((1.0, 1.0), (9, 9)) for _ in range(40)))
    assert strong.share == pytest.approx(0.875)
    assert 0 < strong.margin < 0.1
    (_, a, *_), (_, b, low, high), (_, c, *_) = compute_ratings(["a", "b", "c"], [strong, far, weak])
    assert a == 1000
    assert low < b < high < a
    assert c < a


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["simple"], "an arena needs at least two players"),
        (["simple", "nobody"], "there is no player 'nobody'"),
        (["simple", "simple"], "every player can be named only once"),
        (["simple", "level1", "--games", "0"], "0 games: there must be at least one"),
        (["simple", "scripted:brutal"], "the Scripted Opponent can be easy, normal, hard"),
        (["scripted", "scripted:hard"], "the Scripted Opponent cannot play against itself"),
        (["simple", "level1", "--plot", "x.doc"], "a plot's name must end with .svg or .png"),
    ],
)
def test_invalid_arena_arguments_print_one_line(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 2
    err = capsys.readouterr().err
    assert problem in err
    assert err.count("\n") == 1


def test_arena_command_prints_results_and_writes_plot_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot, data = tmp_path / "a.svg", tmp_path / "a.json"
    words = ["simple", "random", "--games", "4", "--workers", "1", "--plot", str(plot), "--json", str(data)]
    assert main(["arena", *words]) == 0
    out = capsys.readouterr().out
    assert "simple - random" in out, "a match does not fit on one line of 80 columns"
    assert out.count("too few games to say") == 2
    assert plot.read_text().startswith("<?xml")
    assert len(json.loads(data.read_text())["matches"][0]["played"]) == 2


# --- training ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--first", "0"], ["--games", "3"], ["--rounds", "-1"], ["--hidden", "0"]])
def test_invalid_training_sizes_print_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("seed", [7, 0])
def test_training_game_is_reproducible(seed: int) -> None:
    trajectory = train.play_training_game(train.SelfPlayTask(seed, ""))
    assert train.play_training_game(train.SelfPlayTask(seed, "")) == trajectory
    assert len(trajectory.rows) == LENGTH * len(trajectory.results) > 0


def test_learner_searches_once_it_has_weights() -> None:
    weights = load_weights().text()
    assert isinstance(train._make_learner(train.SelfPlayTask(7, weights), 1), MonteCarloPlayer)
    assert isinstance(train._make_learner(train.SelfPlayTask(7, ""), 1), HeuristicPlayer)


def test_holdout_contains_all_games_of_a_table_or_none() -> None:
    holdout = {seed // train.GAMES_PER_TABLE for seed in range(8000) if train.is_holdout(seed)}
    training = {seed // train.GAMES_PER_TABLE for seed in range(8000) if not train.is_holdout(seed)}
    assert not holdout & training
    assert len(holdout) == len(training) // 9 == 200
    solitaire = [number for number in holdout if number // train.TABLES % train.SOLITAIRE_INTERVAL == 0]
    assert {number % train.TABLES for number in solitaire} == set(range(train.TABLES)), (
        "an edition is missing from the holdout"
    )


def test_td_lambda_targets_mix_later_values_with_the_result() -> None:
    numpy = pytest.importorskip("numpy")
    trajectory = train.Trajectory(b"", numpy.array([1, 0, 1], "f").tobytes(), bytes([0, 1, 0]))
    targets = train._td_lambda_targets([trajectory], numpy.array([0.5, 0.25, 0.75], "f"))
    after = train.TD_LAMBDA * 1 + (1 - train.TD_LAMBDA) * 0.75
    assert targets.tolist() == pytest.approx(
        [1 - train.TD_LAMBDA * (1 - after) - (1 - train.TD_LAMBDA) * 0.25, 1 - after, 1]
    )


def test_training_writes_the_same_file_with_one_and_two_workers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train, "MIN_GAMES", 2)
    monkeypatch.setattr(train, "GAMES_PER_TABLE", 1)
    monkeypatch.setattr(train, "is_holdout", lambda seed: seed % 2 == 1)
    words = ["train", "--first", "4", "--games", "2", "--rounds", "1", "--hidden", "4", "--epochs", "2", "--seed", "3"]
    files = [tmp_path / f"{n}.json" for n in (1, 2)]
    for n, file in enumerate(files, 1):
        assert main([*words, "--workers", str(n), "--write", str(file)]) == 0
    one, two = (file.read_text() for file in files)
    assert one == two
    provenance = read_weights(one, "one").provenance
    assert provenance["command"] == f"dicemasters {' '.join([words[0], *words[-2:], *words[1:-2]])}"
    assert provenance["games"] == 6
    assert "AUC " in capsys.readouterr().out


# --- analysis ------------------------------------------------------------------------------------------------------


def test_analysis_finds_and_explains_the_winning_attack() -> None:
    found = analyse(Game.from_text(WINNING), tries=60)
    assert found.options[0].text.startswith("attack")
    assert found.chance > 0.99
    assert "wins at once in 100% of the tries instead of 0%" in found.why
    assert found.line[0].startswith("A: attack")


def test_difference_is_described_from_either_side() -> None:
    # won at once, lost at once, opposing life, own life, opposing and own field, bought, mean cost, next roll
    mine, theirs = [0.0, 0.0, 12.0, 20.0, 2.0, 3.0, 4.0, 2.5, 6.0], [0.0, 0.0, 15.0, 20.0, 2.0, 2.0, 5.4, 2.5, 6.0]
    describe = partial(_describe_difference, me="player A", other="player B")
    assert describe(mine, theirs) == (
        "deals 3 more damage and leaves player A 1 die more in the field, but buys 1.4 dice fewer for player A"
    )
    assert describe(theirs, mine) == "buys 1.4 dice more for player A, but deals 3 less damage"
    assert describe(mine, mine) == ""
    saved = [0.0, 0.25, *mine[2:]]
    assert describe(saved, [0.0, 1.0, *mine[2:]]) == "loses at once in 25% of the tries instead of 100%"


def test_yes_and_no_are_described_with_their_ability() -> None:
    teams = "edition: ai\nteam A: Black Widow: Red Alert\nteam B: Hulk: Jade Giant\n"
    game = Game.from_text(teams + "A reserve: Black Widow@1\nA field: Sidekick\nB field: Sidekick\nturn: 5, A, main")
    game.play("field Black Widow")
    assert analysis.option_in_context(game.state, "no") == "do not use Black Widow's ability"
    assert analysis.option_in_context(game.state, "yes") == "use Black Widow's ability"


def test_analysis_compares_with_an_option_of_different_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("ai", seed=4, first="A")
    _, second, third, *_ = analyse(game, tries=8).options
    same = [0.0] * (2 + len(analysis._DIFFERENCE_TEXTS))
    worse = [*same[:3], -4.0, *same[4:]]
    monkeypatch.setattr(
        analysis, "_mean_end_features", lambda s, arm, dice: worse if arm.option == third.index else same
    )
    assert analyse(game, tries=8).why == f"Against '{third.text}' it keeps 4 more life for player A."
    monkeypatch.setattr(analysis, "_mean_end_features", lambda s, arm, dice: same)
    assert analyse(game, tries=8).why.startswith(f"Against '{second.text}' it makes little difference")


def test_analysis_of_a_single_option_has_no_main_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = analyse(Game.from_text("edition: ai\nturn: 3, A, main"), tries=2)
    assert (len(found.options), found.why, found.line) == (1, "There is no other option.", ())
    print_analysis(Console(), found, 5)
    assert "Main line" not in capsys.readouterr().out


def test_analyse_refuses_a_file_that_is_neither_record_nor_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.txt"
    file.write_text("nonsense")
    assert main(["analyse", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"dicemasters: {file}: ")


@pytest.fixture(scope="module")
def short_game() -> Game:
    """Return a game of a few choices."""
    game = Game.new("ai", seed=5, first="A")
    player = HeuristicPlayer(1)
    while len(game.moves) < 9:
        game.play(player.choose(game.state))
    return game


def test_analysis_of_a_game_covers_its_choices_in_order(short_game: Game) -> None:
    progress: list[tuple[int, int]] = []
    story = analyse_game(short_game, tries=4, told=lambda *at: progress.append(at))
    assert progress == [(n, len(short_game.moves)) for n in range(1, len(short_game.moves) + 1)]
    assert story.points
    for point in story.points:
        assert short_game.moves[point.move - 1].text == point.text
        assert 0 <= point.chosen <= 1
        assert point.loss == 0 or point.best != point.text
    assert story.result == "not ended"
    assert len(short_game.moves) == 9, "the game has changed"


def test_analysis_does_not_depend_on_future_dice(short_game: Game) -> None:
    one, other = short_game.copy(seed=1), short_game.copy(seed=2)
    assert one.state.rng != other.state.rng
    assert analyse(one, tries=30) == analyse(other, tries=30)


def test_analyse_command_covers_a_record_or_one_of_its_choices(
    short_game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(short_game.record)
    plot = tmp_path / "chance.svg"
    assert main(["analyse", str(file), "--tries", "4", "--plot", str(plot)]) == 0
    out = capsys.readouterr().out
    assert "A's win chance" in out
    assert "The game has not ended." in out
    assert plot.read_text().startswith("<?xml")
    move = analyse_game(short_game, tries=4).points[0].move
    assert main(["analyse", str(file), "--tries", "4", "--move", str(move), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"options", "line", "why"} <= found.keys()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["{record}", "--tries", "1"], "--tries 1: give a number from 2 to 1,000,000"),
        (["{record}", "--tries", "9999999"], "give a number from 2 to 1,000,000"),
        (["{position}", "--top", "0"], "--top 0: give at least 1"),
        (["{record}", "--move", "99"], "--move 99: the game has choices 1 to 9"),
        (["{record}", "--plot", "chance.doc"], "a plot's name must end with .svg or .png"),
        (["{position}", "--move", "1"], "--move needs a game record; this is one position"),
        (["{position}", "--plot", "chance.svg"], "--plot needs a whole game"),
        (["{missing}"], "missing.txt"),
        (["{broken}"], "broken.txt"),
    ],
)
def test_invalid_analyse_arguments_print_one_line(
    words: list[str], problem: str, short_game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"{name}.txt" for name in ("record", "position", "missing", "broken")}
    files["record"].write_text(short_game.record)
    files["position"].write_text(short_game.to_text())
    files["broken"].write_text(short_game.record.replace("seed", "sowing", 1) + "\nnonsense\n")
    assert main(["analyse", *(word.format(**files) for word in words)]) == 2
    err = capsys.readouterr().err
    assert problem in err
    assert err.count("\n") == 1


def test_analysis_of_a_finished_game_is_refused() -> None:
    table = random_tournament_spec(3)
    s = loop.new_state(table, 1)
    loop.advance(s)
    player = HeuristicPlayer(1)
    while s.result < 0:
        loop.apply(s, s.options[player.choose(s)])
    game = Game.new("ai", seed=1)
    game.state = s
    with pytest.raises(ValueError, match="the game is over"):
        analyse(game)
