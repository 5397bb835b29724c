"""Growth of the engine's cost with processes, cards, dice and the length of a game, and the memory of a state."""

from __future__ import annotations

import multiprocessing
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor

from dicemasters.cards.catalogue import catalogue
from dicemasters.game.game import make_game_spec
from dicemasters.game.inspect.view import UNDECIDED, GameSpec, State
from dicemasters.game.rulesets.editions import DEFAULT_EDITION
from dicemasters.game.turn import loop
from dicemasters.lab.benchmark.random_play import FastRng, play_random
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.random_teams import draw_cards
from dicemasters.teams.tournament_table import random_tournament_spec

TABLES = 12
ROUNDS = 3
STRETCH_STARTS = (1, 11, 21, 41)  # first turn of each stretch of a game


def report(seconds: float, edition: str | None) -> None:
    """Measure and print everything; `seconds` is the time per line."""
    print()
    single, paired = measure_two_processes(seconds, edition)
    print(f"two processes together play {paired / single:.2f} times as many decisions in a second as one")
    small, large = (measure_state_bytes(random_spec(cards, 4, 1, edition)) for cards in (2, 8))
    print(f"a state takes {small / 1000:.1f} kB with 2 cards of 4 dice a side, {large / 1000:.1f} kB with 8")
    print(f"\n{'cost of a decision':40}{'us':>8}")
    for cards in (0, 2, 4, 8):
        print(
            f"{f'{cards} cards a side, 2 dice of each':40}{measure_decision_cost([random_spec(cards, 2, i, edition) for i in range(TABLES)], seconds):8.1f}"
        )
    for dice in (1, 2, 4):
        print(
            f"{f'8 cards a side, up to {dice} dice of each':40}{measure_decision_cost([random_spec(8, dice, i, edition) for i in range(TABLES)], seconds):8.1f}"
        )
    for first, (spent, decisions) in measure_by_turn(seconds, edition).items():
        print(f"{f'tournament teams, from turn {first} on':40}{spent / max(1, decisions) * 1e6:8.1f}")


def random_spec(cards: int, dice: int, seed: int, edition: str | None) -> GameSpec:
    """Return a game between random teams of this many cards, at most this many dice each, and four basic actions."""
    rng = SplitMix64(seed)
    pool = [card for card in catalogue() if card.kind != "basic"]
    teams = [[(c, min(dice, c.max)) for c in draw_cards(pool, cards, rng)] for _ in range(2)]
    basics = draw_cards([card for card in catalogue() if card.kind == "basic"], 4, rng)
    return make_game_spec(edition or DEFAULT_EDITION, teams=teams, basics=basics, life=20)


def measure_decision_cost(specs: list[GameSpec], seconds: float) -> float:
    """Return the microseconds per decision, the best of several periods."""
    return min(1e6 / play_random(specs, seconds / ROUNDS).per_second for _ in range(ROUNDS))


def measure_by_turn(seconds: float, edition: str | None) -> dict[int, tuple[float, int]]:
    """Return the time and the decisions in each stretch of turns."""
    specs = [random_tournament_spec(seed, edition=edition) for seed in range(TABLES)]
    totals = dict.fromkeys(STRETCH_STARTS, (0.0, 0))
    pick = FastRng(1).below
    begin = time.process_time()
    games = 0
    while time.process_time() - begin < seconds:
        s = loop.new_state(specs[games % TABLES], games)
        loop.advance(s)
        for first, next_first in zip(STRETCH_STARTS, (*STRETCH_STARTS[1:], 10**6), strict=True):
            decisions = 0
            start = time.process_time()
            while s.result == UNDECIDED and s.turn < next_first:
                n = len(s.options)
                decisions += n > 1
                loop.apply(s, s.options[pick(n)])
            spent, before = totals[first]
            totals[first] = (spent + time.process_time() - start, before + decisions)
        games += 1
    return totals


def measure_state_bytes(spec: GameSpec, copies: int = 500) -> float:
    """Return the bytes per copy of a state in the middle of a game."""
    s = _in_the_middle(spec)
    states: list[State] = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    states.extend(s.copy() for _ in range(copies))
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / len(states)


def _in_the_middle(spec: GameSpec) -> State:
    """Return a state about a hundred decisions into a game, or the last one before the game ends."""
    pick = FastRng(1).below
    s = loop.new_state(spec, 1)
    loop.advance(s)
    for _ in range(100):
        before = s.copy()
        loop.apply(s, s.options[pick(len(s.options))])
        if s.result != UNDECIDED:
            return before
    return s


def measure_two_processes(seconds: float, edition: str | None) -> tuple[float, float]:
    """Return the decisions per CPU second of one process alone, and the total of two at the same time."""
    single = paired = 0.0
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        list(processes.map(_play, (0.1, 0.1), (edition, edition)))  # starts both processes, and fills their caches
        for _ in range(ROUNDS):
            single = max(single, processes.submit(_play, seconds / ROUNDS, edition).result())
            round_seconds = seconds / ROUNDS
            paired = max(paired, sum(processes.map(_play, (round_seconds, round_seconds), (edition, edition))))
    return single, paired


def _play(seconds: float, edition: str | None) -> float:
    return play_random([random_tournament_spec(seed, edition=edition) for seed in range(TABLES)], seconds).per_second
