"""Search players: they do not see future dice, keep their time limit, and evaluate any teams."""

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep, thread_time

import pytest
from tests.support.homemade_cards import CARDS
from tests.support.positions import WINNING

from dicemasters import Game
from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.features import LENGTH, NAMES, features
from dicemasters.game.rulesets.solitaire import SolitaireRules
from dicemasters.game.state.constants import UNDECIDED
from dicemasters.game.state.state import State, canonical
from dicemasters.game.text import describe
from dicemasters.game.turn import loop
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.levels import TIMED_SEARCH, level5
from dicemasters.players.monte_carlo import (
    HEURISTIC_PLAN,
    MonteCarloPlayer,
    SearchArm,
    SearchSettings,
    _RolloutBudget,
    search_in_worker,
)
from dicemasters.players.network import ValueNetwork
from dicemasters.players.player import PLAYERS, make_player
from dicemasters.players.value_weights import ValueModel, WeightsFileError, load_weights, read_weights
from dicemasters.players.worker_pool import Rounds, SearchFunction, WorkerPool
from dicemasters.teams.tournament_table import random_tournament_spec


def decisions(seed: int, most: int, table_seed: int = 5) -> list[State]:
    """Return positions of a game with more than one option, spread over kinds of decisions."""
    s = loop.new_state(random_tournament_spec(table_seed), seed)
    loop.advance(s)
    player = HeuristicPlayer(seed)
    found: dict[tuple[str, int], State] = {}
    while s.result == UNDECIDED:
        if len(s.options) > 1:
            found.setdefault((s.decision.kind, s.turn // 6), s.copy())
        loop.apply(s, s.options[player.choose(s)])
    return list(found.values())[:most]


@pytest.mark.parametrize("name", PLAYERS)
def test_no_player_sees_future_dice(name: str) -> None:
    most = 3 if name == "level5" else 14
    for at in decisions(3, most):
        if name == "scripted":
            plain = at.spec.setup
            alone = make_spec(plain.edition, plain.teams, plain.basics, plain.life, SolitaireRules(at.decision.seat))
            at = State(alone, 0, at)
        choices = set()
        for dice in (1, 2**63 + 5):
            s = at.copy()
            s.rng = dice
            before = s.copy()
            choices.add(make_player(name, 7).choose(s))
            assert s.key() == before.key(), "choosing has changed the position"
        assert len(choices) == 1, f"{name} chose {choices} depending on future dice ({at.decision.kind})"


def test_game_stopped_between_turns_continues_identically() -> None:
    table = random_tournament_spec(8)
    straight, halting = loop.new_state(table, 4), loop.new_state(table, 4)
    a, b = HeuristicPlayer(1), HeuristicPlayer(1)
    loop.advance(straight)
    loop.advance(halting)
    stops = 0
    while straight.result == UNDECIDED:
        loop.apply(straight, straight.options[a.choose(straight)])
        loop.apply(halting, halting.options[b.choose(halting)], halting.turn)
        if halting.result == UNDECIDED and not halting.decision.kind:
            stops += 1
            assert halting.turn in (straight.turn, straight.turn - 1)
            loop.advance(halting)
        assert halting.key() == straight.key()
    assert stops == straight.turn - 1


def test_determinized_copy_differs_only_in_its_dice() -> None:
    game = Game.new("ai", seed=4, first="A")
    s = loop.determinize(game.state, 77)
    assert s.rng == 77
    s.rng = game.state.rng
    assert s.key() == game.state.key()


def test_features_do_not_depend_on_die_numbers() -> None:
    s = loop.new_state(random_tournament_spec(2), 9)
    loop.advance(s)
    player = HeuristicPlayer(2)
    seen = 0
    while s.result == UNDECIDED:
        if not s.decision.kind:
            seen += 1
            row = list(features(s))
            assert len(row) == LENGTH == len(NAMES)
            assert row == pytest.approx(list(features(canonical(s))))
            loop.advance(s)
        else:
            loop.apply(s, s.options[player.choose(s)], s.turn)
    assert seen > 5


def test_both_evaluations_of_the_network_agree() -> None:
    network = load_weights().network
    s = decisions(3, 40)[-1]
    row = features(s)
    assert network._logit(row) == pytest.approx(network._logit_uncompiled(list(row)))
    assert 0 < network.evaluate(s) < 1


def test_weights_state_their_provenance_and_round_trip() -> None:
    value = load_weights()
    assert str(value.provenance["command"]).startswith("dicemasters train ")
    assert {"version", "games", "positions", "unseen"} <= value.provenance.keys()
    again = read_weights(value.text(), "again")
    assert again.text() == value.text()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "dicemasters value 0"}, "not a weights file of this version"),
        ({"features": ["life"]}, "trained on other features"),
        ({"straight": [1.0]}, f"invalid weights file: expected a row of {LENGTH} numbers"),
        ({"bias": float("nan")}, "a weight is not a finite number"),
        ({"hidden": 3}, "invalid weights file"),
    ],
)
def test_unusable_weights_file_is_refused(change: dict[str, object], problem: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(json.loads(load_weights().text()) | change), encoding="utf-8")
    with pytest.raises(WeightsFileError, match=problem) as error:
        load_weights(file)
    assert str(file) in str(error.value)


def test_weights_file_without_json_is_refused() -> None:
    with pytest.raises(WeightsFileError, match=r"x\.json: not a weights file"):
        read_weights("{", "x.json")


def test_level_4_plays_with_home_made_cards() -> None:
    known = [card for card in CARDS if card.kind == "character"][:16]
    teams = [[(card, 2) for card in known[:8]], [(card, 2) for card in known[8:]]]
    game = Game.new("ai", teams=teams, basics=["Force Beam", "Smash!"], life=8, seed=2)
    player = make_player("level4", 3)
    while game.result is None and game.state.turn < 6:
        game.play(player.choose(game.state))
    assert game.moves


def reroll_position() -> State:
    """Return a position in which much depends on the dice."""
    return next(s for s in decisions(3, 40) if s.decision.kind == "reroll")


def test_search_uses_its_time_limit() -> None:
    by_processor = MonteCarloPlayer(
        "test", load_weights().network, SearchSettings(rounds=0, stop_when_clear=False), 1, seconds=0.1
    )
    by_clock = MonteCarloPlayer(
        "test", load_weights().network, SearchSettings(rounds=0, stop_when_clear=False), 1, within=0.1
    )
    state = reroll_position()
    for player, clock in ((by_processor, thread_time), (by_clock, perf_counter)):
        began = clock()
        player.choose(state)  # without a limit this would never return
        assert clock() - began >= 0.1


def test_search_ends_when_the_choice_is_clear() -> None:
    game = Game.from_text(WINNING)
    arms = level5(1, TIMED_SEARCH, seconds=60.0).search(game.state)
    assert arms[0].mean == 1
    assert max(arm.rollouts for arm in arms) < 10


def test_clearly_worse_options_get_fewer_rollouts() -> None:
    effort = SearchSettings(rollouts_per_round=2, rounds=0, max_rollouts=300)
    arms = MonteCarloPlayer("test", load_weights().network, effort, 1).search(reroll_position())
    assert arms[0].rollouts == max(arm.rollouts for arm in arms) > min(arm.rollouts for arm in arms) >= 4
    assert sum(arm.rollouts for arm in arms) < 300 + 2 * len(arms)


class ConstantEvaluator:
    """Evaluator that gives every position the same value."""

    def evaluate(self, s: State) -> float:
        return 0.25


def test_search_stops_if_rollouts_do_not_differ() -> None:
    arms = MonteCarloPlayer(
        "test", ConstantEvaluator(), SearchSettings(rollouts_per_round=2, rounds=0, max_rollouts=10_000), 1
    ).search(reroll_position())
    assert {arm.rollouts for arm in arms} == {2}


class CountingPlayer(MonteCarloPlayer):
    """Search player that counts its searches."""

    searches = 0

    def search(self, state: State) -> list[SearchArm]:
        self.searches += 1
        return [SearchArm(0, HEURISTIC_PLAN)]


@pytest.mark.parametrize(("hasty", "least", "most"), [(0, 1.0, 1.0), (50, 0.3, 0.7), (100, 0.0, 0.0)])
def test_heuristic_percent_sets_the_share_of_unsearched_choices(hasty: int, least: float, most: float) -> None:
    player = CountingPlayer("test", ConstantEvaluator(), SearchSettings(heuristic_percent=hasty), 1)
    choices = decisions(3, 40)
    for state in choices:
        player.choose(state)
    assert least <= player.searches / len(choices) <= most


def test_search_stops_on_request() -> None:
    state = max(decisions(3, 40), key=lambda s: len(s.options))
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) >= 3

    player = level5(1, TIMED_SEARCH, seconds=60.0, stop=stop)
    assert 0 <= player.choose(state) < len(state.options)
    assert len(calls) == 3


class LifeEvaluator:
    """Evaluator that prefers more life."""

    def evaluate(self, s: State) -> float:
        side = s.active % 2
        return s.life[side] / (s.life[0] + s.life[1])


def test_search_takes_the_winning_attack() -> None:
    game = Game.from_text(WINNING)
    player = MonteCarloPlayer("test", LifeEvaluator(), SearchSettings(plans=2), 1)
    while game.result is None and game.state.turn == 9:
        game.play(player.choose(game.state))
    assert game.result is not None
    assert game.result.winner == "A"


def test_network_without_hidden_units_is_linear() -> None:
    straight = [0.0] * LENGTH
    straight[0] = 1.0
    value = ValueModel(ValueNetwork([], [], [], straight, -20.0), {})
    s = loop.new_state(random_tournament_spec(1), 1, 0)
    assert value.network.evaluate(s) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("level6", "there is no player 'level6'"),
        ("level4@1s", "only level5 accepts a time"),
        ("level5@soon", "write a time as in level5@200ms"),
        ("level5@0s", "write a time as in"),
        ("level5@700s", "at most 600s"),
    ],
)
def test_invalid_player_name_is_refused_with_a_reason(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make_player(name, 0)


def test_options_keep_their_order_through_the_position_text() -> None:
    for at in decisions(3, 8):
        again = Game.from_text(Game(at).to_text()).state
        assert describe.option_texts(again) == describe.option_texts(at)


def test_worker_searches_in_parallel_and_stops_on_request() -> None:
    state = reroll_position()
    text = Game(state).to_text()
    pool = WorkerPool(1)
    try:
        for stopped in (False, True):
            pool.submit(search_in_worker, text, [0, 1], lambda: 5, 36_000.0)
            while not stopped and not pool.all_started:
                sleep(0.01)
            began = perf_counter()
            rounds = pool.collect(stopped=stopped)
            assert perf_counter() - began < 600, "the worker kept searching"
            assert all(len(row) == 2 and 0 <= min(row) <= max(row) <= 1 for row in rounds)
    finally:
        pool.close()


class OneRound(WorkerPool):
    """Worker pool that finds the last option best."""

    def submit(
        self, search: SearchFunction, text: str, options: list[int], seeds: Callable[[], int], seconds: float
    ) -> None:
        self.number = len(options)

    def collect(self, stopped: bool) -> Rounds:
        return [[0.0] * (self.number - 1) + [1.0]] * 1000


def test_results_of_workers_decide_the_choice() -> None:
    effort = SearchSettings(refine_finalists=True)
    player = MonteCarloPlayer("test", load_weights().network, effort, 1, seconds=0.2, workers=OneRound(1))
    budget = _RolloutBudget(effort, 0.2, 0.0, None)
    state = reroll_position()
    assert player._search_deeper(state, [SearchArm(0, HEURISTIC_PLAN), SearchArm(1, HEURISTIC_PLAN)], budget) == 1
    assert player._search_deeper(state, [SearchArm(1, HEURISTIC_PLAN), SearchArm(0, HEURISTIC_PLAN)], budget) == 0
