"""Count how often each card acts, over many games with random tournament teams.

python -m tools.verify.card_usage --games 50000 --write docs/card-coverage.md
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rich.console import Console

from dicemasters.cards.catalogue import catalogue
from dicemasters.game.inspect import view
from dicemasters.game.inspect.invariants import ensure
from dicemasters.game.inspect.view import CARD, COVERAGE, ENERGY, SIDEKICKS, UNDECIDED, GameSpec, State
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.turn import loop
from dicemasters.lab.io.progress import progress_line
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument
from dicemasters.teams.tournament_table import random_tournament_spec
from tools.verify.random_games import MixedPlayer

PEACEFUL_TURNS = 16  # turns during which a card-seeking player seldom attacks
CHUNK = 50  # games per worker task
Counts = Counter[tuple[str, str]]  # (card key, column)


class CardSeekingPlayer:
    """Mixed player that prefers one card of each team: buys it when possible, fields it and attacks with it.

    Without such a preference the most expensive cards would hardly ever come into play.
    """

    def __init__(self, seed: int, table: GameSpec) -> None:
        self._chance = SplitMix64(seed ^ 0x315)
        self._other = MixedPlayer(seed, most_sense=4)
        self._wanted_cards = set()
        for seat in range(table.n_seats):
            own = [
                c
                for c in range(table.n_real_cards)
                if view.card_owner(table, c) == seat and not view.is_sidekick_card(table, c)
            ]
            self._wanted_cards.add(own[self._chance.below(len(own))])

    def choose(self, s: State) -> int:
        for i, (what, x, _) in enumerate(s.options):
            if what == "buy" and x in self._wanted_cards:
                return i
            if (
                what in ("field", "use", "attack")
                and view.card_of(s, x) in self._wanted_cards
                and self._chance.below(4)
            ):
                return i
        chosen = self._other.choose(s)
        what, x, _ = s.options[chosen]
        mistaken = what == "reroll" and self._is_wanted(s, x)
        if mistaken or (what == "attack" and s.turn < PEACEFUL_TURNS and self._chance.below(4)):
            return len(s.options) - 1  # done
        return chosen

    def _is_wanted(self, s: State, d: int) -> bool:
        return view.card_of(s, d) in self._wanted_cards and view.kind(s, d) != ENERGY


def count_game(seed: int, counts: Counts, edition: str | None = None) -> int:
    """Play one game to its end and count what the cards did. Return the number of decisions.

    Every second game has card-seeking players; in every fourth of these, each team is of one set.
    """
    wish = seed // len(EDITIONS) % 2 == 1
    table = random_tournament_spec(seed, wish and seed // (2 * len(EDITIONS)) % 4 == 3, edition)
    s = loop.new_state(table, seed)
    choosing = CardSeekingPlayer(seed, table) if wish else MixedPlayer(seed, most_sense=4)
    loop.advance(s)
    decisions = 0
    while s.result == UNDECIDED:
        option = s.options[choosing.choose(s)]
        _count_option(s, option, counts)
        loop.apply(s, option)
        decisions += 1
    ensure(all(len(view.dice_of(table, seat)) == SIDEKICKS for seat in range(2)), "not eight Sidekicks")
    unbought = sum(1 for d in range(table.n_dice) if view.zone(s, d) == CARD)
    ensure(unbought <= table.n_dice - 2 * SIDEKICKS, "a Sidekick lies on a card")
    for c in range(2, table.n_real_cards):
        counts[table.cards[c].key, "games"] += 1
    return decisions


def _count_option(s: State, option: tuple[str, int, int], counts: Counts) -> None:
    what, x, _ = option
    t = s.spec
    if what == "buy":
        counts[t.cards[x].key, "bought"] += 1
    elif what in ("field", "use"):
        counts[t.cards[view.card_of(s, x)].key, "fielded or used"] += 1
    elif what == "global":
        counts[t.cards[view.ability_card(t, x)].key, "Global"] += 1
    elif s.decision.kind == "may" and what != "no" and view.ability_kind(t, s.decision.about) == "global":
        counts[t.cards[view.ability_card(t, s.decision.about)].key, "Global"] += 1  # a Global that reacts to an event


def count_games(seeds: list[int], edition: str | None = None) -> tuple[Counts, set[tuple[str, int]], int, str]:
    """Play games. Return the counts, the abilities that took effect, the number of decisions, and an error text or ""."""
    counts: Counts = Counter()
    happened: set[tuple[str, int]] = set()
    COVERAGE.recorded = happened
    decisions = 0
    for seed in seeds:
        try:
            decisions += count_game(seed, counts, edition)
        except Exception as error:
            return counts, happened, decisions, f"seed {seed}\n{''.join(traceback.format_exception(error))}"
    return counts, happened, decisions, ""


def report(games: int, decisions: int, counts: Counts, happened: set[tuple[str, int]]) -> str:
    """Return the page docs/card-coverage.md, with one row per card."""
    lines = [
        "# Every card in play",
        "",
        "This table counts how often each card was played in random games. It is for contributors who want to know how",
        "thoroughly these games test a card.",
        "",
        f"Counted over {games:,} games ({decisions:,} decisions) between random legal tournament teams of all sets, in all",
        "four editions. The bots choose mostly at random and sometimes sensibly. In every second game each bot prefers",
        "one card of its team. A few of these games are between teams of one set each. All games ended.",
        f"Made by `python -m tools.verify.card_usage --games {games} --write docs/card-coverage.md`.",
        "",
        "*bought*, *fielded or used* and *Global* count dice and uses. *abilities* is the number of the card's abilities",
        "that did something at least once.",
        "",
        "| card | games | bought | fielded or used | Global | abilities |",
        "|---|---|---|---|---|---|",
    ]
    for card in catalogue():
        done = sum(1 for i in range(len(card.abilities)) if (card.key, i) in happened)
        has_global = any(a.kind == "global" for a in card.abilities)
        numbers = [str(counts[card.key, column]) for column in ("games", "bought", "fielded or used")]
        numbers.append(str(counts[card.key, "Global"]) if has_global else "-")
        lines.append(f"| {card.key} {card.name} | {' | '.join(numbers)} | {done} of {len(card.abilities)} |")
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Play the games. Return 1 after printing the first error, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.card_usage", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="number of games (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel processes (%(default)s)")
    parser.add_argument("--write", metavar="FILE", help="write the page to this file")
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (each in turn)")
    given = parser.parse_args(argv)
    seeds = list(range(given.seed, given.seed + given.games))
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    counts: Counts = Counter()
    happened: set[tuple[str, int]] = set()
    decisions = 0
    with ProcessPoolExecutor(given.jobs) as pool, progress_line(Console(stderr=True)) as progress:
        task = progress.add_task("games", total=len(seeds))
        for chunk, (some, did, n, wrong) in zip(chunks, _results(pool, chunks, given.edition), strict=True):
            if wrong:
                progress.stop()
                pool.shutdown(wait=False, cancel_futures=True)
                print(wrong)
                return 1
            counts += some
            happened |= did
            decisions += n
            progress.advance(task, len(chunk))
    silent = [c.key for c in catalogue() if not counts[c.key, "fielded or used"]]
    print(
        f"{given.games} games, {decisions} decisions, all clean; cards never fielded or used: {', '.join(silent) or 'none'}"
    )
    if given.write:
        Path(given.write).write_text(report(given.games, decisions, counts, happened), encoding="utf-8")
    return 0


def _results(
    pool: ProcessPoolExecutor, chunks: list[list[int]], edition: str | None
) -> Iterable[tuple[Counts, set[tuple[str, int]], int, str]]:
    return pool.map(partial(count_games, edition=edition), chunks)


if __name__ == "__main__":
    sys.exit(main())
