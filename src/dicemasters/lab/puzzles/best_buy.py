"""Search for buys that are best by a wide margin: after each buy, level 2 plays on many times for both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dicemasters.game.inspect.view import TIE, UNDECIDED, State, side_of
from dicemasters.game.text import describe
from dicemasters.game.turn import loop
from dicemasters.lab.simulation.aggregate import WinRate, win_rate
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.monte_carlo import HEURISTIC_PLAN, rollout_value
from dicemasters.players.player import make_player
from dicemasters.players.value_weights import load_weights

MIN_BUYS: Final = 3  # minimum number of cards that can be bought
PREVIEW_ROLLOUTS: Final = 12  # rollouts per buy, before the value network decides whether measuring is worthwhile
MIN_VALUE_LEAD: Final = 0.05  # minimum lead of the best buy over the next in win chance, by the value network
ROUNDS: Final = (60, 200, 600)  # games per buy; after each round the lead must justify another one
MIN_WIN_LEAD: Final = 0.06  # lead over the next buy that justifies another round
SEEDS_PER_LEVEL: Final = 4
MAX_TURNS: Final = 50  # turns played on; an unfinished game counts half


@dataclass(frozen=True, slots=True)
class BuyRanking:
    """The buys with their win rates, best first, and the levels that missed the best one."""

    win_rates: tuple[tuple[str, WinRate], ...]
    missed_by: tuple[str, ...]

    @property
    def answer(self) -> str:
        return self.win_rates[0][0]


def buy_options(s: State) -> list[int]:
    """Return the options of a main step that buy a die."""
    return [i for i, option in enumerate(s.options) if option[0] == "buy"] if s.decision.kind == "main" else []


def value_lead(s: State) -> float:
    """Return the lead of the best buy over the next, by the value network."""
    network = load_weights().network
    means = [
        sum(rollout_value(s, i, HEURISTIC_PLAN, dice_seed, network)[0] for dice_seed in range(PREVIEW_ROLLOUTS))
        / PREVIEW_ROLLOUTS
        for i in buy_options(s)
    ]
    best, runner_up = sorted(means, reverse=True)[:2]
    return best - runner_up


def measure_buys(s: State, levels: tuple[str, ...]) -> BuyRanking | None:
    """Play on after each buy. Return the ranking if the best buy's interval is above those of all others, else None."""
    points = dict.fromkeys(buy_options(s), 0.0)
    games = 0
    for target_games in ROUNDS:
        for i in points:
            points[i] += sum(_play_out(s, i, dice_seed) for dice_seed in range(games, target_games))
        games = target_games
        best, runner_up = sorted(points.values(), reverse=True)[:2]
        if best - runner_up < MIN_WIN_LEAD * games:
            return None
    texts = describe.option_texts(s)
    shares = sorted(((texts[i], win_rate(n, games)) for i, n in points.items()), key=lambda entry: -entry[1].share)
    chosen = max(points, key=lambda i: points[i])
    if shares[0][1].low <= max(share.high for _, share in shares[1:]):
        return None
    missed_by = tuple(name for name in levels if any(_first_buy(s, name, n) != chosen for n in range(SEEDS_PER_LEVEL)))
    return BuyRanking(tuple(shares), missed_by)


def best_by_value(s: State) -> str:
    """Return the buy that the value network prefers."""
    network = load_weights().network
    best = max(
        buy_options(s),
        key=lambda i: sum(
            rollout_value(s, i, HEURISTIC_PLAN, dice_seed, network)[0] for dice_seed in range(PREVIEW_ROLLOUTS)
        ),
    )
    return describe.option_texts(s)[best]


def _play_out(state: State, option: int, dice_seed: int) -> float:
    """Play a game on after an option. Return 1 if the deciding side has won, 0.5 if nobody has."""
    side = side_of(state.decision.seat)
    s = loop.determinize(state, dice_seed)
    player = HeuristicPlayer(dice_seed)
    loop.apply(s, s.options[option])
    while s.result == UNDECIDED and s.turn < state.turn + MAX_TURNS:
        loop.apply(s, s.options[player.choose(s)])
    return 0.5 if s.result in (TIE, UNDECIDED) else float(s.result == side)


def _first_buy(state: State, name: str, seed: int) -> int:
    """Return the option that a bot buys first in this turn, or -1 if it buys nothing."""
    s = loop.determinize(state, seed)
    player = make_player(name, seed)
    while s.result == UNDECIDED and s.turn == state.turn:
        option = s.options[player.choose(s)]
        if option[0] == "buy":
            return state.options.index(option) if option in state.options else -1
        loop.apply(s, option)
    return -1
