"""Every card in play: many games with random tournament teams, counted card by card.

python -m dicemasters.lab.census --games 50000 --write docs/card-coverage.md
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dicemasters.cards.catalogue import catalogue
from dicemasters.game import turn
from dicemasters.game.editions import EDITIONS
from dicemasters.game.game import make_game_table
from dicemasters.game.look import Coverage
from dicemasters.game.setup import Table
from dicemasters.game.state import CARD, UNDECIDED, State
from dicemasters.lab.soak import Choosing, promise
from dicemasters.teams.formats import USUAL
from dicemasters.teams.random import random_team

CHUNK = 50  # games a worker plays before it reports
Counts = Counter[tuple[str, str]]  # (card key, column)


def tournament_table(seed: int) -> Table:
    """Seat two random tournament teams, in the editions by turns."""
    edition = list(EDITIONS)[seed % len(EDITIONS)]
    teams = [random_team(USUAL, 2 * seed + seat) for seat in range(2)]
    basics = [card for team in teams for card in team.basics]
    return make_game_table(edition, teams=[team.cards for team in teams], basics=basics, life=USUAL.life)


def count_game(seed: int, counts: Counts) -> int:
    """Play one game to its end and count what the cards did; gives the number of decisions."""
    table = tournament_table(seed)
    s = turn.new_state(table, seed)
    choosing = Choosing(seed, most_sense=4)
    turn.advance(s)
    decisions = 0
    while s.result == UNDECIDED:
        option = s.options[choosing.choose(s)]
        _note(s, option, counts)
        turn.play(s, option)
        decisions += 1
    promise(all(len(table.dice_of[seat]) == 8 for seat in range(2)), "not eight Sidekicks")
    unbought = sum(1 for d in range(table.n_dice) if s.place[d] >> 2 == CARD)
    promise(unbought <= table.n_dice - 16, "a Sidekick lies on a card")
    for c in range(2, table.n_real_cards):
        counts[table.cards[c].key, "games"] += 1
    return decisions


def _note(s: State, option: tuple[str, int, int], counts: Counts) -> None:
    what, x, _ = option
    t = s.table
    if what == "buy":
        counts[t.cards[x].key, "bought"] += 1
    elif what in ("field", "use"):
        counts[t.cards[t.card_of[x]].key, "fielded or used"] += 1
    elif what == "global":
        counts[t.cards[t.sentences[x].card].key, "Global"] += 1


def count_games(seeds: list[int]) -> tuple[Counts, set[tuple[str, int]], int, str]:
    """Play games; gives the counts, the abilities that happened, the decisions, and what went wrong if anything did."""
    counts: Counts = Counter()
    happened: set[tuple[str, int]] = set()
    Coverage.happened = happened
    decisions = 0
    for seed in seeds:
        try:
            decisions += count_game(seed, counts)
        except Exception as error:
            return counts, happened, decisions, f"seed {seed}\n{''.join(traceback.format_exception(error))}"
    return counts, happened, decisions, ""


def report(games: int, decisions: int, counts: Counts, happened: set[tuple[str, int]]) -> str:
    """Write the document: one row a card."""
    lines = [
        "# Every card in play",
        "",
        f"Counted over {games:,} games ({decisions:,} decisions) between random legal tournament teams of all sets, in all",
        "four editions, by choices that are mostly random and sometimes sensible. All games ended. Made by",
        f"`python -m dicemasters.lab.census --games {games} --write docs/card-coverage.md`.",
        "",
        "*bought*, *fielded or used* and *Global* count dice and uses; *abilities* says how many of the card's sentences",
        "did something at least once.",
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
    """Play the games; give 0 if all ran clean, else 1 with the first that did not."""
    parser = argparse.ArgumentParser(prog="python -m dicemasters.lab.census", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first; the others follow (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="side by side (%(default)s)")
    parser.add_argument("--write", metavar="FILE", help="write the counts there")
    given = parser.parse_args(argv)
    seeds = list(range(given.seed, given.seed + given.games))
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    counts: Counts = Counter()
    happened: set[tuple[str, int]] = set()
    decisions = 0
    with ProcessPoolExecutor(given.jobs) as pool, _progress() as progress:
        task = progress.add_task("games", total=len(seeds))
        for chunk, (some, did, n, wrong) in zip(chunks, _results(pool, chunks), strict=True):
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
    pool: ProcessPoolExecutor, chunks: list[list[int]]
) -> Iterable[tuple[Counts, set[tuple[str, int]], int, str]]:
    return pool.map(count_games, chunks)


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True))


if __name__ == "__main__":
    sys.exit(main())
