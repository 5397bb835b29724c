"""`dicemasters analyse`: rate the options in a position, or review a recorded game."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from rich.console import Console
from rich.table import Table as Grid

from dicemasters.cards.textio import read_text
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game import Game
from dicemasters.game.notation.record import HEADING
from dicemasters.lab.parallel.process_pool import progress
from dicemasters.lab.studies.plots import check_plot, plot_win_chances
from dicemasters.players.analysis import NOT_ENDED, Analysis, GameReview, analyse, analyse_game
from dicemasters.players.analysis_defaults import ROLLOUTS, ROLLOUTS_PER_GAME
from dicemasters.terminal.savegames import read_position, read_record

MEANING = (
    "The win chance is the learned evaluation at the end of this turn, averaged over rollouts with fresh dice;\n"
    "± is the 95 % interval of the mean."
)
MAX_TRIES = 1_000_000


def main(args: argparse.Namespace) -> int:
    """Analyse the file and print the result. Return the exit code."""
    cards = catalogue_with_files(args.load)
    plot = check_plot(args.plot) if args.plot else None
    if args.tries is not None and not 2 <= args.tries <= MAX_TRIES:
        raise ValueError(f"--tries {args.tries}: give a number from 2 to {MAX_TRIES:,}")
    if args.top < 1:
        raise ValueError(f"--top {args.top}: give at least 1")
    text = read_text(args.file)
    console = Console(highlight=False)
    is_record = text.lstrip().startswith(HEADING)
    if is_record and args.move is None:
        review = _analyse_with_progress(read_record(args.file, cards), args)
        if plot:
            plot_win_chances(review, plot, f"{args.file}: {review.result}")
        print(json.dumps(asdict(review), indent=1)) if args.json else print_review(console, review)
        return 0
    if plot:
        raise ValueError("--plot needs a whole game; this is one position")
    if is_record:
        game = read_record(args.file, cards)
        if not 1 <= args.move <= len(game.moves):
            raise ValueError(f"--move {args.move}: the game has choices 1 to {len(game.moves)}")
        game.undo(len(game.moves) - args.move + 1)
    elif args.move is not None:
        raise ValueError("--move needs a game record; this is one position")
    else:
        game = read_position(args.file, text, cards)
    analysis = analyse(game, tries=args.tries or ROLLOUTS, seed=args.seed)
    print(json.dumps(asdict(analysis), indent=1)) if args.json else print_analysis(console, analysis, args.top)
    return 0


def _analyse_with_progress(game: Game, args: argparse.Namespace) -> GameReview:
    if not game.moves:
        raise ValueError(f"{args.file}: no choice has been made in this game")
    with progress() as bar:
        task = bar.add_task("choices", total=len(game.moves))
        return analyse_game(
            game,
            tries=args.tries or ROLLOUTS_PER_GAME,
            seed=args.seed,
            told=lambda done, _: bar.update(task, completed=done),
        )


def print_analysis(console: Console, analysis: Analysis, top: int) -> None:
    """Print the options with their win chances, the reason for the best one, and the main line."""
    console.print(f"Turn {analysis.turn}, {analysis.player} decides: {analysis.question}", markup=False)
    grid = Grid("win chance", "±", "tries", "option", box=None)
    for rated in analysis.options[:top]:
        grid.add_row(f"{rated.chance:.1%}", f"{rated.margin:.1%}", str(rated.tries), rated.text)
    console.print(grid)
    if len(analysis.options) > top:
        console.print(f"and {len(analysis.options) - top} more")
    console.print(f"Why: {analysis.why}", markup=False)
    if analysis.line:
        console.print(f"Main line: {'; '.join(analysis.line)}", markup=False)
    console.print(MEANING, style="dim")


def print_review(console: Console, review: GameReview) -> None:
    """Print the win chance turn by turn and the turning points."""
    turns = {point.turn: point for point in reversed(review.points)}
    grid = Grid("turn", "A's win chance", box=None)
    for turn in sorted(turns):
        chance = turns[turn].chance
        grid.add_row(str(turn), f"{'█' * round(chance * 30):30} {chance:.0%}")
    console.print(grid)
    console.print(
        "The game has not ended." if review.result == NOT_ENDED else f"It ended: {review.result}", markup=False
    )
    if review.mistakes:
        console.print("Costliest mistakes:")
    for point in review.mistakes:
        console.print(
            f"  {point.move}. turn {point.turn}, {point.player}: {point.text} (lost {point.loss:.0%};"
            f" better: {point.best})",
            markup=False,
            soft_wrap=True,
        )
    if review.luck_swings:
        console.print("Biggest swings by dice:")
    for before, after in review.luck_swings:
        console.print(
            f"  after {before.move}. {before.player}: {before.text} (turn {before.turn}): A from {before.chosen:.0%} to"
            f" {after.chance:.0%}",
            markup=False,
            soft_wrap=True,
        )
    console.print(MEANING, style="dim")
