"""Study cards, going first, or the ready teams in many games, with tables and plots for docs/studies.

python -m dicemasters.lab.studies.card_studies cards --tables 10000 --write docs/studies

Each study writes its plots into the folder, and its table between two marks in the page with the study's name.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from dicemasters.cards import Card, catalogue
from dicemasters.errors import error_line
from dicemasters.game.inspect.view import CARD, TIE, State, dice_of, owner, zone
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.lab.io.output_path import check_output_path
from dicemasters.lab.parallel.process_pool import map_ordered, progress
from dicemasters.lab.simulation.aggregate import Z, summarize
from dicemasters.lab.simulation.simulate import make_pairings, make_tasks, run
from dicemasters.lab.studies.plots import plot_cards, plot_matrix, plot_shares
from dicemasters.players.player import make_player
from dicemasters.teams.card_stats import write_card_stats
from dicemasters.teams.formats import DEFAULT_FORMAT
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.tournament_table import random_tournament_spec

SEED_OFFSET = 2_000_000  # keeps these tables apart from those of other uses
SEEDS_PER_TABLE = 2  # seeds for the dice per table, each used twice, so that each side begins once
CARDS_PER_PLOT_END = 20  # cards at each end of the plot
BEGIN, END = "<!-- written by: python -m dicemasters.lab.studies.card_studies {} -->", "<!-- end -->"


@dataclass(frozen=True, slots=True)
class MeanShare:
    """A mean share of points with its 95 % interval over tables, as games at one table are not independent."""

    share: float
    margin: float
    tables: int

    @property
    def low(self) -> float:
        return max(0.0, self.share - self.margin)

    @property
    def high(self) -> float:
        return min(1.0, self.share + self.margin)

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"


def mean_of(shares: Sequence[float]) -> MeanShare:
    """Return the mean of shares, one for each table; at least two are needed.

    >>> str(mean_of([0.5, 0.75, 0.25, 0.5]))
    '50.0% (30.0% to 70.0%)'
    """
    n = len(shares)
    mean = sum(shares) / n
    return MeanShare(mean, Z * sqrt(sum((x - mean) ** 2 for x in shares) / (n - 1) / n), n)


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table with two random tournament teams, and the bot that plays both."""

    number: int
    player: str


@dataclass(frozen=True, slots=True)
class TableResult:
    """The results at a table: the share of points of the first seat, that of the first player, and the purchases."""

    edition: str
    share: float
    began: float
    teams: tuple[tuple[str, ...], tuple[str, ...]]
    bought: tuple[tuple[int, ...], tuple[int, ...]]  # number of games with a purchase, for each card of the team


def play_table(study_table: StudyTable) -> TableResult:
    """Play the games at a table."""
    number = SEED_OFFSET + study_table.number
    spec = random_tournament_spec(number)
    teams = [random_team(DEFAULT_FORMAT, 2 * number + seat) for seat in range(2)]  # the teams of `spec`
    keys = [tuple(card.key for card in (*(card for card, _ in team.cards), *team.basics)) for team in teams]
    bought = [[0] * len(team_keys) for team_keys in keys]
    shares: list[float] = []
    began: list[float] = []
    for dice_seed in range(SEEDS_PER_TABLE):
        for first in range(2):
            players = [make_player(study_table.player, 4 * number + 2 * dice_seed + seat) for seat in range(2)]
            final_state = play_bot_game(spec, SEEDS_PER_TABLE * number + dice_seed, players, first=first)
            share = 0.5 if final_state.result == TIE else float(final_state.result == 0)
            shares.append(share)
            began.append(1 - share if first else share)
            for seat in range(2):
                owned = _owned(final_state, seat)
                for n, key in enumerate(keys[seat]):
                    bought[seat][n] += key in owned
    games = len(shares)
    return TableResult(
        spec.edition.key,
        sum(shares) / games,
        sum(began) / games,
        (keys[0], keys[1]),
        (tuple(bought[0]), tuple(bought[1])),
    )


def _owned(final_state: State, seat: int) -> set[str]:
    """Return the keys of the cards that a seat has bought."""
    spec = final_state.spec
    return {
        spec.cards[c].key
        for c in range(spec.n_real_cards)
        if any(zone(final_state, d) != CARD and owner(final_state, d) == seat for d in dice_of(spec, c))
    }


def play_tables(n: int, player: str, workers: int) -> list[TableResult]:
    """Play at n tables, in each edition in turn."""
    return map_ordered(
        [StudyTable(i, player) for i in range(n)], play_table, workers=workers, label=f"tables of {player}"
    )


# --- which cards win -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardResult:
    """The win rate of teams with a card, and the share of games in which they bought it."""

    card: Card
    won: MeanShare
    bought: float


def card_results(tables: Iterable[TableResult]) -> list[CardResult]:
    """Return the result of each card that was at two tables or more, best first."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    bought: defaultdict[str, int] = defaultdict(int)
    for result in tables:
        for seat in range(2):
            for n, key in enumerate(result.teams[seat]):
                shares[key].append(1 - result.share if seat else result.share)
                bought[key] += result.bought[seat][n]
    cards_by_key = {card.key: card for card in catalogue()}
    results = [
        CardResult(cards_by_key[key], mean_of(card_shares), bought[key] / (2 * SEEDS_PER_TABLE * len(card_shares)))
        for key, card_shares in shares.items()
        if len(card_shares) > 1
    ]
    return sorted(results, key=lambda result: (-result.won.share, result.card.key))


def study_cards(args: argparse.Namespace, folder: Path) -> list[str]:
    """Plot the win rates of the cards. Return the table of all cards."""
    results = card_results(play_tables(args.tables, args.player, args.workers))
    sample_text = f"{2 * SEEDS_PER_TABLE * args.tables:,} games of {args.player} with random teams"
    rows = [(_name(result.card), result.won.share, result.won.low, result.won.high) for result in results]
    plot_cards(rows, CARDS_PER_PLOT_END, folder / "cards.svg", f"Games won with the card, {sample_text}")
    if args.figures:
        shares = [
            (result.card.key, result.won.share, result.won.low, result.won.high, result.won.tables, result.bought)
            for result in results
        ]
        Path(args.figures).write_text(write_card_stats(shares, sample_text), encoding="utf-8")
    kinds = {"basic": "basic actions", "action": "actions"}
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for result in results:
        groups[kinds.get(result.card.kind, f"characters of cost {result.card.cost}")].append(result.won.share)
    means = [(name, mean_of(group)) for name, group in sorted(groups.items()) if len(group) > 1]
    plot_shares(
        [(name, mean.share, mean.low, mean.high) for name, mean in means],
        folder / "costs.svg",
        "Mean of the cards by kind and cost, with the interval over cards",
    )
    lines = ["| card | cost | tables | won by teams with it | bought in |", "|---|---|---|---|---|"]
    for result in results:
        name = _name(result.card).replace("|", "/")
        lines.append(f"| {name} | {result.card.cost} | {result.won.tables} | {result.won} | {result.bought:.0%} |")
    return lines


def _name(card: Card) -> str:
    return f"{card.title} [{card.set}]" if card.kind == "basic" else f"{card.title}: {card.subtitle} [{card.set}]"


# --- what going first is worth -------------------------------------------------------------------------------------


def study_first(args: argparse.Namespace, folder: Path) -> list[str]:
    """Plot the win rate of the first player in each edition. Return the table."""
    tables = play_tables(args.tables, args.player, args.workers)
    rows: list[tuple[str, MeanShare]] = []
    for key in EDITIONS:
        shares = [table.began for table in tables if table.edition == key]
        if len(shares) > 1:
            rows.append((key, mean_of(shares)))
    plot_shares(
        [(name, mean.share, mean.low, mean.high) for name, mean in rows],
        folder / f"first-{args.player}.svg",
        f"Games won by the first player, {args.player} on both sides",
    )
    lines = ["| edition | games | won by the first player |", "|---|---|---|"]
    return lines + [f"| {name} | {2 * SEEDS_PER_TABLE * mean.tables:,} | {mean} |" for name, mean in rows]


# --- how the ready teams do ----------------------------------------------------------------------------------------


def study_teams(args: argparse.Namespace, folder: Path) -> list[str]:
    """Plot the matrix of the ready teams. Return the table of their results against all others."""
    names = list(ready_teams())
    pairings = make_pairings(names, [None])
    tasks = make_tasks(pairings, args.games, (args.player, args.player), args.seed)
    with progress() as bar:
        task = bar.add_task(f"games of {args.player}", total=len(tasks))
        rows = run(tasks, workers=args.workers, on_progress=lambda n: bar.advance(task, n))
    win_shares = [summarize(rows[i * args.games : (i + 1) * args.games]).won.share for i in range(len(pairings))]
    titles = [ready_teams()[name].name for name in names]
    shares = [[0.5] * len(titles) for _ in titles]
    for pairing, share in zip(pairings, win_shares, strict=True):
        a, b = (titles.index(name) for name in pairing.names)
        shares[a][b], shares[b][a] = share, 1 - share
    order = sorted(range(len(titles)), key=lambda a: -sum(shares[a]))
    plot_matrix(
        [titles[a] for a in order],
        [[shares[a][b] for b in order] for a in order],
        folder / f"teams-{args.player}.svg",
        f"Games won by the team on the left, {args.games} games of {args.player} per pair",
    )
    lines = ["| team | won against the others | best against | worst against |", "|---|---|---|---|"]
    for a in order:
        others = [b for b in order if b != a]
        games = args.games * len(others)
        mean = sum(shares[a][b] for b in others) / len(others)
        margin = Z * sqrt(mean * (1 - mean) / games)
        best, worst = (pick(others, key=lambda b: shares[a][b]) for pick in (max, min))
        lines.append(
            f"| {titles[a]} | {MeanShare(mean, margin, games)} | {titles[best]}, {shares[a][best]:.0%} "
            f"| {titles[worst]}, {shares[a][worst]:.0%} |"
        )
    return lines


# --- the command ---------------------------------------------------------------------------------------------------

STUDIES: dict[str, Callable[[argparse.Namespace, Path], list[str]]] = {
    "cards": study_cards,
    "first": study_first,
    "teams": study_teams,
}


def replace_section(page: str, command: str, lines: Sequence[str]) -> str:
    """Return the page with new lines between the marks of a command. Raise `ValueError` if it has no such marks."""
    begin = BEGIN.format(command)
    before, opening_mark, after = page.partition(begin)
    _, closing_mark, tail = after.partition(END)
    if not opening_mark or not closing_mark:
        raise ValueError(f"the page lacks the marks for the table: {begin} ... {END}")
    return "\n".join([before + begin, "", *lines, "", END + tail])


def main(argv: list[str] | None = None) -> int:
    """Run a study: play, plot, and write."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m dicemasters.lab.studies.card_studies", description=__doc__)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument(
        "--tables", type=int, default=400, help="number of tables with two random teams, four games each (%(default)s)"
    )
    parser.add_argument("--games", type=int, default=100, help="number of games per pair of ready teams (%(default)s)")
    parser.add_argument("--player", default="level2", help="the bot on both sides (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the ready teams' games (%(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes side by side; by default one for each core")
    parser.add_argument(
        "--write", metavar="FOLDER", required=True, help="folder with the page, to which the plots are written"
    )
    parser.add_argument("--figures", metavar="FILE", help="file for the card figures that the program shows")
    args = parser.parse_args(arguments)
    folder = Path(args.write)
    page = folder / f"{args.study}.md"
    command = " ".join(_without_option(_without_option(arguments, "--workers"), "--figures"))
    try:  # fail before anything is played
        make_player(args.player, 0)
        text = page.read_text(encoding="utf-8")
        replace_section(text, command, [])
        if args.figures:
            check_output_path(args.figures)
    except (ValueError, OSError) as error:
        parser.error(error_line(error))
    if args.games < 1 or args.tables < 2:
        parser.error("choose at least two tables, and at least one game per pair of teams")
    lines = STUDIES[args.study](args, folder)
    page.write_text(replace_section(text, command, lines), encoding="utf-8")
    print("\n".join(lines[:12]))
    return 0


def _without_option(arguments: Sequence[str], name: str) -> list[str]:
    """Return the arguments without an option that does not affect the result."""
    remaining = list(arguments)
    if name in remaining:
        index = remaining.index(name)
        del remaining[index : index + 2]
    return remaining


if __name__ == "__main__":
    sys.exit(main())
