"""Play many random games and check all invariants: python -m tools.verify.soak --games 20000."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from rich.console import Console

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game import notation
from dicemasters.game.game import Game
from dicemasters.game.inspect.invariants import InvariantError, check_invariants, check_relabeling, ensure
from dicemasters.game.inspect.view import UNDECIDED, State
from dicemasters.game.text import describe
from dicemasters.game.turn import loop
from dicemasters.lab.io.progress import progress_line
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument
from tools.verify.random_games import MAX_DECISIONS, MixedPlayer, random_doubles, random_game, random_rules

CHUNK = 20  # games per worker task


# --- a position ----------------------------------------------------------------------------------------------------


def check_options(s: State) -> None:
    """Check that every option can be played and leads to a decision or the end."""
    before = s.key()
    for option in s.options:
        after = s.copy()
        loop.apply(after, option)
        check_invariants(after)
    ensure(s.key() == before, "playing on a copy changed the original")


def check_text(s: State, cards: Catalogue | None = None) -> State:
    """Check that state and text round-trip. Return the state that was read."""
    text = notation.write_position(s)
    again = notation.read_position(text, cards)
    ensure(again == s and hash(again) == hash(s), f"the text gives another state:\n{text}")
    ensure(notation.write_position(again) == text, f"the state gives another text:\n{text}")
    ensure(describe.option_texts(again) == describe.option_texts(s), f"the text gives other options:\n{text}")
    return again


def check_record(game: Game, cards: Catalogue | None = None) -> None:
    """Check that the record replays to the same game and the same record."""
    again = Game.from_record(game.record, cards)
    ensure(again.state == game.state, "the record gives another game")
    ensure(again.record == game.record, "the game gives another record")


def check_undo(game: Game, steps: int) -> None:
    """Check that undoing choices and making them again restores state and log."""
    there, log, moves = game.state.copy(), game.log, game.moves[:]
    steps = min(steps, len(moves))
    if not steps:
        return
    ensure(game.undo(steps), "nothing to take back")
    ensure(len(game.moves) == len(moves) - steps, "the wrong number of choices was taken back")
    for move in moves[-steps:]:
        game.play(move.text)
    ensure(game.state.key() == there.key(), "undone and done again is another state")
    ensure(game.log == log and game.moves == moves, "undone and done again is another log")


MAX_TWIN_DECISIONS = 12  # mean number of decisions for which a twin is compared


def play_checked(game: Game, seed: int, cards: Catalogue | None = None, rarely: int = 12) -> None:
    """Play a random game to its end and check all invariants, expensive ones once in about `rarely` decisions."""
    choosing, chance, numbers = MixedPlayer(seed), SplitMix64(seed ^ 0x50AC), SplitMix64(seed ^ 0x2E5)
    twin: State | None = None  # a copy, or a state read from text, that must play on identically
    read = False
    check_invariants(game.state)
    for _ in range(MAX_DECISIONS):
        s = game.state
        if s.result != UNDECIDED:
            break
        match chance.below(4 * rarely):
            case 0 | 1 | 2 | 3:
                check_options(s)
            case 4 | 5:
                twin, read = check_text(s, cards), True
                check_relabeling(s, numbers.below)
            case 6:
                twin, read = s.copy(), False
            case 7:
                check_undo(game, 1 + chance.below(5))
        index = choosing.choose(game.state)
        game.play(index)
        check_invariants(game.state)
        if twin is not None:
            loop.apply(twin, twin.options[index])
            if read:
                ensure(twin == game.state, "the state read from text plays on differently")
            else:
                ensure(twin.key() == game.state.key(), "the copy plays on differently")
            ensure(describe.option_texts(twin) == describe.option_texts(game.state), "the copy has other options")
            if chance.below(min(rarely, MAX_TWIN_DECISIONS)) == 0:
                twin = None
    ensure(game.result is not None, f"no end after {MAX_DECISIONS} decisions")
    check_text(game.state, cards)
    check_record(game, cards)


def play_unlogged(game: Game, seed: int, cards: Catalogue | None = None, rarely: int = 12) -> int:
    """Play a random game to its end without log and record. Check invariants once in `rarely` decisions. Return the decisions."""
    chance, numbers = SplitMix64(seed ^ 0x50AC), SplitMix64(seed ^ 0x2E5)
    s = game.state
    for made in range(MAX_DECISIONS):
        if s.result != UNDECIDED:
            check_invariants(s)
            return made
        index = chance.below(len(s.options))
        twin = check_text(s, cards) if chance.below(rarely) == 0 else None
        loop.apply(s, s.options[index])
        if twin is not None:
            loop.apply(twin, twin.options[index])
            ensure(twin == s, "the state read from text plays on differently")
            check_invariants(s)
            check_relabeling(s, numbers.below)
    raise InvariantError(f"no end after {MAX_DECISIONS} decisions")


@dataclass(frozen=True, slots=True)
class InvariantFailure:
    """A game that violated an invariant."""

    seed: int
    edition: str
    problem: str
    record: str


def soak_game(
    seed: int,
    cards: Catalogue | None = None,
    rarely: int = 12,
    doubles: bool = False,
    edition: str | None = None,
    house: bool = False,
    light: bool = False,
) -> InvariantFailure | int:
    """Play one game. Return the number of its choices, or the failure."""
    rules = random_rules(seed, edition) if house else edition
    game = random_doubles(seed, cards, rules) if doubles else random_game(seed, cards, rules)
    try:
        if light:
            return play_unlogged(game, seed, cards, rarely)
        play_checked(game, seed, cards, rarely)
    except Exception as error:
        problem = "".join(traceback.format_exception(error))
        return InvariantFailure(seed, game.table.edition.text, problem, game.record)
    return len(game.moves)


def _soak_chunk(
    seeds: list[int], rarely: int, doubles: bool, edition: str | None, house: bool, light: bool
) -> list[InvariantFailure | int]:
    found: list[InvariantFailure | int] = []
    for seed in seeds:
        found.append(soak_game(seed, None, rarely, doubles, edition, house, light))
        if isinstance(found[-1], InvariantFailure):
            break
    return found


def main(argv: list[str] | None = None) -> int:
    """Play the games. Return 1 after printing the first failure, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="number of games (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (%(default)s)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="parallel processes, 0 for none (%(default)s)"
    )
    parser.add_argument(
        "--rarely", type=int, default=12, help="check expensive invariants once in this many decisions (%(default)s)"
    )
    parser.add_argument("--doubles", action="store_true", help="play games for four (docs/doubles.md)")
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (each in turn)")
    parser.add_argument("--house", action="store_true", help="use random house rules in each game")
    parser.add_argument("--light", action="store_true", help="keep no log, and check only positions and texts")
    given = parser.parse_args(argv)
    seeds = list(range(given.seed, given.seed + given.games))
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    console = Console(stderr=True)
    games = decisions = 0
    with ExitStack() as open_:
        asked = {name: getattr(given, name) for name in ("rarely", "doubles", "edition", "house", "light")}
        some = partial(_soak_chunk, **asked)
        pool = open_.enter_context(ProcessPoolExecutor(given.jobs)) if given.jobs else None
        progress = open_.enter_context(progress_line(console))
        task = progress.add_task("games", total=len(seeds))
        for found in pool.map(some, chunks) if pool else map(some, chunks):
            for one in found:
                if isinstance(one, InvariantFailure):
                    if pool:
                        pool.shutdown(wait=False, cancel_futures=True)
                    progress.stop()
                    print(f"seed {one.seed}, edition {one.edition}\n{one.problem}\n{one.record}")
                    return 1
                games += 1
                decisions += one
            progress.update(task, completed=games)
            if not console.is_terminal and games % 1000 == 0:
                print(f"{games} games", file=sys.stderr, flush=True)
    print(f"{games} games, {decisions} decisions, all invariants hold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
