"""`dicemasters simulate`: many games between teams. Results depend on the seed, but not on the number of workers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from dicemasters import __version__
from dicemasters.cards import Catalogue
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game.rulesets.editions import EDITIONS, parse_edition
from dicemasters.lab.defaults import ALL
from dicemasters.lab.io.checkpoint import Checkpoint, CompactRows, to_json_line
from dicemasters.lab.io.output_path import check_output_path, naming_file
from dicemasters.lab.parallel.process_pool import imap_unordered, progress
from dicemasters.lab.parallel.ray_backend import check_cluster, ray_imap_unordered
from dicemasters.lab.simulation.aggregate import MIN_GAMES, PairingSummary, summarize
from dicemasters.lab.simulation.game_stats import (
    BOUGHT,
    FIELDED,
    TO_DICE,
    TO_PLAYER,
    USED,
    Data,
    SimulationTask,
    is_game_row,
    simulate_game,
)
from dicemasters.lab.simulation.parquet import write_parquet
from dicemasters.players.player_argument import bot_argument
from dicemasters.teams.formats import DEFAULT_FORMAT, find_format
from dicemasters.teams.matchup import resolve_edition, start_team_game
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_file import write_team
from dicemasters.teams.team_lookup import find_team
from dicemasters.teams.team_problems import TeamError, with_team

MAX_CARDS_SHOWN = 8  # cards per team in the table
MAX_GAMES = 10_000_000  # per run; their results take about 8 GB


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two teams that meet, and the rules they play by."""

    names: tuple[str, str]
    teams: tuple[Team, Team]
    format: str
    edition: str

    def title(self) -> str:
        """Return the names of both teams."""
        return f"{self.names[0]} - {self.names[1]}"


def make_pairings(
    references: Sequence[str], editions: Sequence[str | None], cards: Catalogue | None = None, *, seed: int = 0
) -> list[Pairing]:
    """Return all pairings of two teams in every edition. Raise `TeamError` or `ValueError` for an invalid one."""
    named_teams: list[tuple[str, Team]] = []
    for n, reference in enumerate(references):
        reading = find_team(reference, cards, seed=seed + n)
        if reading.problems:
            raise TeamError(with_team(reading.problems, reference))
        named_teams.append(
            (_unique_name(reading.team.name or reference, [name for name, _ in named_teams]), reading.team)
        )
    pairings: list[Pairing] = []
    for (name_a, a), (name_b, b) in combinations(named_teams, 2):
        format = find_format(a.format) if a.format == b.format else DEFAULT_FORMAT
        for edition in editions:
            rules = resolve_edition(format, (a, b), edition)
            start_team_game((a, b), format, rules, cards=cards)  # fails early for illegal teams
            pairings.append(Pairing((name_a, name_b), (a, b), format.key, rules))
    return pairings


def _unique_name(name: str, others: Sequence[str]) -> str:
    """Return a name that no other team has."""
    n = 1
    unique = name
    while unique in others:
        n += 1
        unique = f"{name} ({n})"
    return unique


def make_tasks(pairings: Sequence[Pairing], games: int, players: tuple[str, str], seed: int) -> list[SimulationTask]:
    """Return the games to play: the same number for every pairing, two with each seed."""
    return [
        SimulationTask(n, i, pairing.teams, pairing.format, pairing.edition, players, seed)
        for i, pairing in enumerate(pairings)
        for n in range(games)
    ]


def run(
    tasks: Sequence[SimulationTask],
    *,
    workers: int = 0,
    checkpoint: Checkpoint | None = None,
    address: str = "",
    on_progress: Callable[[int], None] | None = None,
) -> CompactRows:
    """Play the games that are not in the checkpoint, here or on a cluster. Return all results in order of tasks."""
    lines = [b""] * len(tasks)
    if checkpoint is not None and checkpoint.results:
        indices = {(task.pairing, task.number): index for index, task in enumerate(tasks)}
        for row in checkpoint.results:
            index = indices.get((row["pairing"], row["number"]))
            if index is not None:
                lines[index] = to_json_line(row)
    pending = [index for index, line in enumerate(lines) if not line]
    if on_progress is not None:
        on_progress(len(tasks) - len(pending))
    jobs = [tasks[index] for index in pending]
    played = (
        ray_imap_unordered(jobs, simulate_game, address)
        if address
        else imap_unordered(jobs, simulate_game, workers=workers)
    )
    for number, row in played:
        lines[pending[number]] = to_json_line(row)
        if checkpoint is not None:
            checkpoint.write([row])
        if on_progress is not None:
            on_progress(1)
    return CompactRows(lines)


# --- the command ---------------------------------------------------------------------------------------------------


def main(args: argparse.Namespace) -> int:
    """Simulate games, print the result, and write the requested files."""
    _check(args)
    cards = catalogue_with_files(args.load)
    editions = [parse_edition(e).text for e in EDITIONS] if args.edition == ALL else [args.edition]
    pairings = make_pairings(args.teams, editions, cards, seed=args.seed)
    players = _check_player(args.player), _check_player(args.against or args.player)
    if args.games * len(pairings) > MAX_GAMES:
        raise ValueError(f"these are too many games; there can be at most {MAX_GAMES:,} in one run")
    tasks = make_tasks(pairings, args.games, players, args.seed)
    run_identity: Data = {
        "version": __version__,
        "teams": [[_team_identity(team) for team in pairing.teams] for pairing in pairings],
        "editions": [pairing.edition for pairing in pairings],
        "players": players,
        "games": args.games,
        "seed": args.seed,
    }
    checkpoint = Checkpoint(Path(args.keep), run_identity, is_game_row) if args.keep else None
    with progress() as bar:
        task = bar.add_task("games", total=len(tasks))
        rows = run(
            tasks,
            workers=args.workers,
            checkpoint=checkpoint,
            address=args.on,
            on_progress=lambda n: bar.advance(task, n),
        )
    summaries = [summarize(rows[i * args.games : (i + 1) * args.games]) for i in range(len(pairings))]
    if args.json != "-":
        _print(Console(highlight=False), pairings, summaries)
    _write(args, pairings, players, summaries)
    if args.parquet:
        with naming_file(Path(args.parquet)):
            write_parquet(Path(args.parquet), pairings, players, rows)
    return 0


def _team_identity(team: Team) -> str:
    """Return a text that identifies a team: its code, or the full team if a card is home-made."""
    try:
        return encode_team(team)
    except TeamError:
        cards = [*(card for card, _ in team.cards), *team.basics]
        return "\n".join([write_team(team), *(f"{card.cost} {card.energy} {card.die} {card.text}" for card in cards)])


def _check_player(name: str) -> str:
    """Return the name of a player in the form that workers use. Raise `ValueError` if there is no such player."""
    try:
        return bot_argument(name)
    except argparse.ArgumentTypeError as error:
        raise ValueError(str(error)) from None


def _check(args: argparse.Namespace) -> None:
    from dicemasters.extras import require_package

    if len(args.teams) < 2:
        raise ValueError("a simulation needs two teams")
    if len(args.teams) > 2 and not args.matrix:
        raise ValueError(f"{len(args.teams)} teams: name two, or add --matrix to play every pair")
    if args.games < 1:
        raise ValueError(f"{args.games} games: there must be at least one")
    if args.edition and args.edition != ALL:
        parse_edition(args.edition)
    if args.report and not args.report.endswith(".html"):
        raise ValueError(f"{args.report}: a report's name must end with .html")
    if args.report:
        require_package("matplotlib")
    if args.parquet:
        require_package("pyarrow")
    if args.on:
        check_cluster(args.on)
    for file in (args.report, args.parquet, args.json if args.json != "-" else None):
        if file:
            check_output_path(file)


def _print(console: Console, pairings: Sequence[Pairing], summaries: Sequence[PairingSummary]) -> None:
    if len(pairings) > 1:
        grid = Grid("teams", "edition", "games", "won by the first team", "turns", box=None)
        for pairing, summary in zip(pairings, summaries, strict=True):
            grid.add_row(
                pairing.title(), pairing.edition, f"{summary.games:,}", str(summary.won), f"{summary.turns[0]:.1f}"
            )
        console.print(grid)
        return
    pairing, summary = pairings[0], summaries[0]
    mean, median, maximum = summary.turns
    grid = Grid(show_header=False, box=None)
    grid.add_row("games", f"{summary.games:,}, edition {pairing.edition}; ties {summary.ties}")
    grid.add_row(f"won by {pairing.names[0]}", str(summary.won))
    grid.add_row("won by the first player", str(summary.first_won))
    grid.add_row("turns", f"{mean:.1f} (median {median:g}, most {maximum})")
    grid.add_row("ended by", ", ".join(f"{word} {n / summary.games:.0%}" for word, n in summary.how.items()))
    console.print(grid)
    for seat, name in zip("AB", pairing.names, strict=True):
        _print_cards(console, name, pairing, summary, seat)


def _print_cards(console: Console, name: str, pairing: Pairing, summary: PairingSummary, seat: str) -> None:
    """Print the statistics of a team's cards per game."""
    names = card_names(pairing)
    grid = Grid(f"{name}, a game", "bought", "fielded", "used", "damage", "won when bought", box=None)
    for card in summary.cards[seat][:MAX_CARDS_SHOWN]:
        share = card.won_when_bought
        win_rate_text = (
            f"{share.share:.0%} ({share.low:.0%} to {share.high:.0%})"
            if share.games >= MIN_GAMES
            else f"{share.games} game{'s' * (share.games != 1)}"
        )
        damage = card.deeds[TO_PLAYER] + card.deeds[TO_DICE]
        numbers = [card.deeds[BOUGHT], card.deeds[FIELDED], card.deeds[USED], damage]
        grid.add_row(names[card.key], *(f"{n:.2f}" for n in numbers), win_rate_text)
    console.print()
    console.print(grid)


def card_names(pairing: Pairing) -> dict[str, str]:
    """Return the names of the cards at a table by their keys."""
    cards = [card for team in pairing.teams for card in (*(card for card, _ in team.cards), *team.basics)]
    return {card.key: card.title if card.kind == "basic" else f"{card.title}: {card.subtitle}" for card in cards}


def _write(
    args: argparse.Namespace,
    pairings: Sequence[Pairing],
    players: tuple[str, str],
    summaries: Sequence[PairingSummary],
) -> None:
    if args.json:
        data = [
            {
                "teams": pairing.names,
                "edition": pairing.edition,
                "players": players,
                "seed": args.seed,
                **summary.data(),
            }
            for pairing, summary in zip(pairings, summaries, strict=True)
        ]
        text = json.dumps(data, indent=1) + "\n"
        if args.json == "-":
            print(text, end="")
        else:
            with naming_file(Path(args.json)):
                Path(args.json).write_text(text, encoding="utf-8")
    if args.report:
        from dicemasters.lab.simulation.html_report import render_page

        with naming_file(Path(args.report)):
            Path(args.report).write_text(render_page(pairings, players, summaries), encoding="utf-8")
