"""Players that think: nobody sees the dice to come, a time is kept, a value serves any teams."""

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
    """Give some positions of a game in which there is a choice, spread over kinds of decisions."""
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
def test_no_player_sees_the_dice_to_come(name: str) -> None:
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
        assert len(choices) == 1, f"{name} chose {choices} by the dice to come ({at.decision.kind})"


def test_the_game_can_be_stopped_between_turns_and_goes_on_the_same() -> None:
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


def test_a_blind_copy_has_other_dice_and_nothing_else_is_different() -> None:
    game = Game.new("ai", seed=4, first="A")
    s = loop.determinize(game.state, 77)
    assert s.rng == 77
    s.rng = game.state.rng
    assert s.key() == game.state.key()


def test_features_do_not_depend_on_how_dice_are_numbered() -> None:
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


def test_both_ways_to_work_the_network_out_agree() -> None:
    network = load_weights().network
    s = decisions(3, 40)[-1]
    row = features(s)
    assert network._logit(row) == pytest.approx(network._logit_uncompiled(list(row)))
    assert 0 < network.evaluate(s) < 1


def test_the_value_says_how_it_was_made_and_reads_back() -> None:
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
def test_a_file_of_weights_that_cannot_be_used_is_refused(
    change: dict[str, object], problem: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(json.loads(load_weights().text()) | change), encoding="utf-8")
    with pytest.raises(WeightsFileError, match=problem) as error:
        load_weights(file)
    assert str(file) in str(error.value)


def test_what_is_no_json_is_refused() -> None:
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


def reroll() -> State:
    """Give a position in which much depends on the dice."""
    return next(s for s in decisions(3, 40) if s.decision.kind == "reroll")


def test_a_time_to_think_is_kept() -> None:
    by_processor = MonteCarloPlayer(
        "test", load_weights().network, SearchSettings(rounds=0, stop_when_clear=False), 1, seconds=0.1
    )
    by_clock = MonteCarloPlayer(
        "test", load_weights().network, SearchSettings(rounds=0, stop_when_clear=False), 1, within=0.1
    )
    state = reroll()
    for player, clock in ((by_processor, thread_time), (by_clock, perf_counter)):
        began = clock()
        player.choose(state)  # without a limit this would never return
        assert clock() - began >= 0.1


def test_thinking_ends_when_the_choice_is_clear() -> None:
    game = Game.from_text(WINNING)
    arms = level5(1, TIMED_SEARCH, seconds=60.0).search(game.state)
    assert arms[0].mean == 1
    assert max(arm.rollouts for arm in arms) < 10


def test_what_is_behind_for_sure_gets_fewer_tries() -> None:
    effort = SearchSettings(rollouts_per_round=2, rounds=0, max_rollouts=300)
    arms = MonteCarloPlayer("test", load_weights().network, effort, 1).search(reroll())
    assert arms[0].rollouts == max(arm.rollouts for arm in arms) > min(arm.rollouts for arm in arms) >= 4
    assert sum(arm.rollouts for arm in arms) < 300 + 2 * len(arms)


class Fixed:
    """A judge that finds everything the same."""

    def evaluate(self, s: State) -> float:
        return 0.25


def test_more_tries_are_not_made_where_dice_change_nothing() -> None:
    arms = MonteCarloPlayer(
        "test", Fixed(), SearchSettings(rollouts_per_round=2, rounds=0, max_rollouts=10_000), 1
    ).search(reroll())
    assert {arm.rollouts for arm in arms} == {2}


class Looking(MonteCarloPlayer):
    """Counts the choices it thinks about."""

    looked_at = 0

    def search(self, state: State) -> list[SearchArm]:
        self.looked_at += 1
        return [SearchArm(0, HEURISTIC_PLAN)]


@pytest.mark.parametrize(("hasty", "least", "most"), [(0, 1.0, 1.0), (50, 0.3, 0.7), (100, 0.0, 0.0)])
def test_who_is_hasty_thinks_about_a_share_of_the_choices(hasty: int, least: float, most: float) -> None:
    player = Looking("test", Fixed(), SearchSettings(heuristic_percent=hasty), 1)
    choices = decisions(3, 40)
    for state in choices:
        player.choose(state)
    assert least <= player.looked_at / len(choices) <= most


def test_thinking_stops_at_once() -> None:
    state = max(decisions(3, 40), key=lambda s: len(s.options))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) >= 3

    player = level5(1, TIMED_SEARCH, seconds=60.0, stop=stop)
    assert 0 <= player.choose(state) < len(state.options)
    assert len(asked) == 3


class Liking:
    """A judge that likes whoever has most life."""

    def evaluate(self, s: State) -> float:
        side = s.active % 2
        return s.life[side] / (s.life[0] + s.life[1])


def test_who_thinks_takes_the_winning_attack() -> None:
    game = Game.from_text(WINNING)
    player = MonteCarloPlayer("test", Liking(), SearchSettings(plans=2), 1)
    while game.result is None and game.state.turn == 9:
        game.play(player.choose(game.state))
    assert game.result is not None
    assert game.result.winner == "A"


def test_a_network_without_units_is_a_straight_sum() -> None:
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
def test_a_player_that_cannot_be_made_is_said_in_one_line(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make_player(name, 0)


def test_a_position_has_its_options_in_the_same_order_on_another_core() -> None:
    for at in decisions(3, 8):
        there = Game.from_text(Game(at).to_text()).state
        assert describe.option_texts(there) == describe.option_texts(at)


def test_another_core_thinks_along_and_stops_at_once() -> None:
    state = reroll()
    text = Game(state).to_text()
    cores = WorkerPool(1)
    try:
        for stopped in (False, True):
            cores.submit(search_in_worker, text, [0, 1], lambda: 5, 36_000.0)
            while not stopped and not cores.all_started:
                sleep(0.01)
            began = perf_counter()
            rounds = cores.collect(stopped=stopped)
            assert perf_counter() - began < 600, "it went on thinking"
            assert all(len(row) == 2 and 0 <= min(row) <= max(row) <= 1 for row in rounds)
    finally:
        cores.close()


class OneRound(WorkerPool):
    """Another core that finds the last option best."""

    def submit(
        self, search: SearchFunction, text: str, options: list[int], seeds: Callable[[], int], seconds: float
    ) -> None:
        self.number = len(options)

    def collect(self, stopped: bool) -> Rounds:
        return [[0.0] * (self.number - 1) + [1.0]] * 1000


def test_what_other_cores_find_counts() -> None:
    effort = SearchSettings(refine_finalists=True)
    player = MonteCarloPlayer("test", load_weights().network, effort, 1, seconds=0.2, workers=OneRound(1))
    thought = _RolloutBudget(effort, 0.2, 0.0, None)
    state = reroll()
    assert player._search_deeper(state, [SearchArm(0, HEURISTIC_PLAN), SearchArm(1, HEURISTIC_PLAN)], thought) == 1
    assert player._search_deeper(state, [SearchArm(1, HEURISTIC_PLAN), SearchArm(0, HEURISTIC_PLAN)], thought) == 0
