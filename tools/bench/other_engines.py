"""Random play with other engines, each driven from Python as in its own examples.

`pip install --group peers` installs them; a missing one is skipped with a message.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from dicemasters.lab.benchmark.random_play import FastRng, Throughput, play_for
from dicemasters.lab.benchmark.yardstick import OtherEngine


def _open_spiel(name: str) -> Callable[[Any, float], Throughput]:
    """Return random play for an OpenSpiel game (C++), through `legal_actions` and `apply_action`. Chance is drawn in Python."""

    def play(pyspiel: Any, seconds: float) -> Throughput:
        game = pyspiel.load_game(name)
        pick = FastRng(1).below

        def play_one(_: int) -> tuple[int, int]:
            state = game.new_initial_state()
            decisions = forced = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[pick(len(outcomes))][0])
                    continue
                actions = state.legal_actions()
                decisions += len(actions) > 1
                forced += len(actions) == 1
                state.apply_action(actions[pick(len(actions))])
            return decisions, forced

        return play_for(seconds, play_one, game.new_initial_state().clone)

    return play


def _catanatron(catanatron: Any, seconds: float) -> Throughput:
    """Play Catan for two at random, through `playable_actions` and `execute`."""
    pick = FastRng(1).below
    colors = catanatron.Color

    def new() -> Any:
        return catanatron.Game([catanatron.RandomPlayer(colors.RED), catanatron.RandomPlayer(colors.BLUE)])

    def play_one(_: int) -> tuple[int, int]:
        game = new()
        decisions = forced = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            actions = game.state.playable_actions
            decisions += len(actions) > 1
            forced += len(actions) == 1
            game.execute(actions[pick(len(actions))])
        return decisions, forced

    return play_for(seconds, play_one, new().copy)


def _rlcard(name: str) -> Callable[[Any, float], Throughput]:
    """Return random play for an RLCard environment, with the legal actions of its states."""

    def play(rlcard: Any, seconds: float) -> Throughput:
        environment = rlcard.make(name)
        pick = FastRng(1).below

        def play_one(_: int) -> tuple[int, int]:
            state, _player = environment.reset()
            decisions = forced = 0
            while not environment.is_over():
                actions = list(state["legal_actions"])
                decisions += len(actions) > 1
                forced += len(actions) == 1
                state, _player = environment.step(actions[pick(len(actions))])
            return decisions, forced

        return play_for(seconds, play_one, None)

    return play


def _pyminion(pyminion: Any, seconds: float) -> Throughput:
    """Play Dominion for two with the base cards: random actions and purchases; its own bot makes all other choices."""
    bots: Any = import_module("pyminion.bots.bot")
    base = import_module("pyminion.expansions.base")
    games = import_module("pyminion.game")
    pick = FastRng(1).below
    count = [0, 0]

    def any_card(cards: list[Any]) -> Any:
        count[0 if cards else 1] += 1
        at = pick(len(cards) + 1)  # the last index means no card
        return cards[at] if at < len(cards) else None

    def any_action(decider: Any, valid_actions: list[Any], player: Any, game: Any) -> Any:
        return any_card(valid_actions)

    def any_purchase(decider: Any, valid_cards: list[Any], player: Any, game: Any) -> Any:
        return any_card(valid_cards)

    answers = {"action_phase_decision": any_action, "buy_phase_decision": any_purchase}
    decider: Any = type("AnyCard", (bots.BotDecider,), answers)

    def play_one(_: int) -> tuple[int, int]:
        count[0] = count[1] = 0
        players = [bots.Bot(decider=decider(), player_id=name) for name in ("A", "B")]
        games.Game(players=players, expansions=[base.base_set], log_stdout=False).play()
        return count[0], count[1]

    return play_for(seconds, play_one, None)


def _pettingzoo(connect_four: Any, seconds: float) -> Throughput:
    """Play PettingZoo's connect four at random, through `last`, with its action mask, and `step`."""
    environment = connect_four.env()
    pick = FastRng(1).below

    def play_one(_: int) -> tuple[int, int]:
        environment.reset()
        decisions = forced = 0
        for _agent in environment.agent_iter():
            seen, _reward, over, cut, _info = environment.last()
            if over or cut:
                environment.step(None)
                continue
            actions = [i for i, legal in enumerate(seen["action_mask"]) if legal]
            decisions += len(actions) > 1
            forced += len(actions) == 1
            environment.step(actions[pick(len(actions))])
        return decisions, forced

    return play_for(seconds, play_one, None)


OTHER_ENGINES: tuple[OtherEngine, ...] = (
    OtherEngine("OpenSpiel chess, C++", "open_spiel", "pyspiel", _open_spiel("chess")),
    OtherEngine("OpenSpiel backgammon, C++", "open_spiel", "pyspiel", _open_spiel("backgammon")),
    OtherEngine("OpenSpiel gin rummy, C++", "open_spiel", "pyspiel", _open_spiel("gin_rummy")),
    OtherEngine("catanatron, Catan", "catanatron", "catanatron", _catanatron),
    OtherEngine("pyminion, Dominion", "pyminion", "pyminion", _pyminion),
    OtherEngine("PettingZoo connect four", "pettingzoo[classic]", "pettingzoo.classic.connect_four_v3", _pettingzoo),
    OtherEngine("RLCard uno", "rlcard", "rlcard", _rlcard("uno")),
    OtherEngine("RLCard gin rummy", "rlcard", "rlcard", _rlcard("gin-rummy")),
)
