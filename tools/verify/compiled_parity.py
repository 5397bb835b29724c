"""Compare the compiled engine with pure Python, move by move: `python -m tools.verify.compiled_parity --games 1000`.

Each form plays the same games in a separate process with a different hash seed, so a dependence on either shows up. The
digest of a game covers every list of options, the whole journal and the last state. With `--keep FILE` the number of
equal games is saved, and the same command resumes a stopped run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from dicemasters._compiled import PURE, STAMP, build_kind
from dicemasters.game import Game
from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.state.values import StateValue
from dicemasters.game.turn import loop
from tools.verify.random_games import MAX_DECISIONS, MixedPlayer, random_doubles, random_game, random_rules

RUNS = ((True, "1"), (False, "2"))  # whether it is pure Python, and the hash seed
GAMES_PER_TABLE = 4  # games with the same teams, since setting up a table takes about as long as a game
DOUBLES_INTERVAL = 10  # every Nth table has four players
HOUSE_RULES_INTERVAL = 3  # every Nth table has house rules
PROGRESS_INTERVAL = 100  # games between two progress lines


@lru_cache(maxsize=1)
def random_matchup(seed: int) -> Game:
    """Return the game of a seed: for two or four players, with any rules and cards."""
    edition = random_rules(seed) if seed % HOUSE_RULES_INTERVAL == 0 else None
    return (random_doubles if seed % DOUBLES_INTERVAL == 0 else random_game)(seed, edition=edition)


def field_values(value: object) -> object:
    """Return a value as nested tuples of field values, without names of classes or fields.

    Therefore renaming does not change a digest.
    """
    if isinstance(value, StateValue):
        return tuple(field_values(part) for part in value.values())
    if isinstance(value, tuple | list):
        return tuple(field_values(part) for part in value)
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"a digest is made of numbers, texts and state values, not of {value!r:.60}")


def game_digest(seed: int) -> str:
    """Play a game to its end. Return its digest."""
    found = hashlib.sha256()
    s = loop.new_state(random_matchup(seed // GAMES_PER_TABLE).table, seed)
    choosing = MixedPlayer(seed)
    s.journal = []
    loop.advance(s)
    for _ in range(MAX_DECISIONS):
        found.update(repr(field_values((s.decision, s.options, s.journal))).encode())
        if s.result != UNDECIDED:
            break
        option = s.options[choosing.choose(s)]
        if s.turn % 8 == 7:
            s = s.copy()
        s.journal = []
        loop.apply(s, option)
    found.update(repr(field_values(s.key())).encode())
    return found.hexdigest()


class ParityFileError(Exception):
    """The progress file cannot be used for this run."""


@dataclass(frozen=True, slots=True)
class ParityProgress:
    """File with the number of equal games from the first one on, valid for certain sources."""

    path: Path
    first: int
    sources: str

    def load(self) -> int:
        """Return the saved number of games, 0 if there is no file."""
        if not self.path.exists():
            return 0
        try:
            noted = json.loads(self.path.read_text(encoding="utf-8"))
            first, sources, games = noted["first"], noted["sources"], int(noted["games"])
        except (ValueError, TypeError, KeyError) as e:
            raise ParityFileError(f"{self.path} is not a progress file of this tool") from e
        if (first, sources) != (self.first, self.sources):
            raise ParityFileError(f"{self.path} was written for other sources or another first game")
        return games

    def save(self, games: int) -> None:
        """Save the number of games atomically."""
        new = self.path.with_name(f"{self.path.name}.new")
        new.write_text(
            json.dumps({"first": self.first, "sources": self.sources, "games": games}) + "\n", encoding="utf-8"
        )
        new.replace(self.path)


def source_checksum() -> str:
    """Return the checksum of the compiled sources."""
    return hashlib.sha256(STAMP.read_bytes()).hexdigest() if STAMP.exists() else ""


def _start_digests(first: int, games: int, hash_seed: str, pure: bool) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, PURE: "1" if pure else ""}
    command = [
        sys.executable,
        "-m",
        "tools.verify.compiled_parity",
        "--digests",
        "--first",
        str(first),
        "--games",
        str(games),
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    return (line.strip() for line in process.stdout)


def compare(first: int, games: int, kept: ParityProgress | None = None) -> list[str]:
    """Play the games in both forms. Return a sentence for each game that differs and each form that fails.

    While all games are equal, their number is saved in `kept`.
    """
    started = {
        f"{'pure' if pure else 'compiled'}, hash seed {hash_seed}": _start_digests(first, games, hash_seed, pure)
        for pure, hash_seed in RUNS
    }
    forms = {name: next(_lines(process), "nothing") for name, process in started.items()}
    problems = [
        f"{name}: {runs} runs"
        for name, runs in forms.items()
        if runs != ("pure Python" if name.startswith("pure") else "compiled by mypyc")
    ]
    if not problems:
        rows = zip(*(_lines(process) for process in started.values()), strict=False)
        n = 0
        for n, row in enumerate(islice(rows, games), 1):
            if len(set(row)) > 1:
                told = ", ".join(f"{name}: {text[:12]}" for name, text in zip(started, row, strict=True))
                problems.append(f"game {first + n - 1} differs: {told}")
            if n % PROGRESS_INTERVAL == 0 or n == games:
                print(f"{n} games", flush=True)
                if kept is not None and not problems:
                    kept.save(first + n - kept.first)
        if n < games:
            problems.append(f"only {n} of {games} games were played by all")
    for process in started.values():
        if problems:
            process.kill()
        process.communicate()
    return problems


def main(argv: list[str] | None = None) -> int:
    """Compare the two forms, or write one form's digests."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.compiled_parity", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="number of games (default 200)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first game (default 0)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="save progress to this file, and resume from it")
    parser.add_argument("--digests", action="store_true", help="only print the digests of the form that runs")
    args = parser.parse_args(argv)
    seeds = range(args.first, args.first + args.games)
    if args.digests:
        print(build_kind(), flush=True)
        for seed in seeds:
            print(game_digest(seed), flush=True)
        return 0
    kept = ParityProgress(args.keep, args.first, source_checksum()) if args.keep else None
    try:
        done = min(kept.load(), args.games) if kept else 0
    except ParityFileError as e:
        parser.error(str(e))
    problems = compare(args.first + done, args.games - done, kept)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{args.games} games, twice each, under two hash seeds: pure Python and compiled play the same")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
