"""Fuzz every reader with broken text: python -m tools.verify.fuzz --inputs 100000.

An input is a text from the corpus or one that the program writes, mutated at random. The reader has to return a usable object or
raise one of the expected errors, within limits on time and memory.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from dicemasters.cards.catalogue import catalogue
from dicemasters.cards.toml_loader import CardFileError, read_cards
from dicemasters.game.decision import FairDiceNeededError, IllegalChoiceError
from dicemasters.game.game import Game, ScriptedDiceError
from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.notation import NotationError
from dicemasters.game.scenarios import scenario
from dicemasters.game.scenarios.scenario import ExpectationError
from dicemasters.lessons import lesson_session
from dicemasters.lessons.lesson_file import lesson_texts, read_lesson
from dicemasters.service.games.explanations import build_die_explanation
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.teams.draft import Draft, IllegalPickError
from dicemasters.teams.draft_notation import read_draft, write_draft
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.team_code import decode_team, encode_team
from dicemasters.teams.team_file import read_team, write_team
from dicemasters.teams.team_problems import TeamError
from tools.verify.random_abilities import card_file
from tools.verify.random_games import random_doubles, random_game

CORPUS = Path("tests/tools/fuzz_corpus")
EXPECTED_ERRORS = (
    NotationError,
    ExpectationError,
    CardFileError,
    TeamError,
    IllegalChoiceError,
    IllegalPickError,
    ScriptedDiceError,
)
MAX_SECONDS = 1.0
MAX_MEGABYTES = 100
TIMEOUT_SECONDS = 10.0  # CPU seconds after which an input is aborted
CHOICES_PER_GAME = 12  # choices played in the game that an input yields
CHUNK = 500  # inputs per worker task
NASTY_STRINGS = (
    *("0", "-1", "1", "2", "255", "256", "512", "99999", "4294967296", "9" * 30, "9" * 5000, "1e999", "²", "٣", "NaN"),
    *(
        "null",
        "true",
        "[]",
        "{}",
        '""',
        "[[[[",
        "((((",
        "A",
        "B",
        "C",
        "D",
        "x",
        "#",
        "#0",
        ":",
        ";",
        ",",
        "@",
        "!",
        "*",
    ),
    *("'", '"', "\\", "\0", "\ud800", "\u2028", "﷽", "\t", " " * 50, "a" * 300, "- " * 50, "nothing", "exactly "),
)


class FuzzTimeoutError(BaseException):
    """An input takes too long. A `BaseException`, so that no reader catches it."""


class FuzzFailure(NamedTuple):
    """An input that a reader handled wrongly."""

    kind: str  # name of the reader
    problem: str  # equal for inputs that fail in the same way
    text: str
    details: str


# --- readers -------------------------------------------------------------------------------------------------------


def _play(game: Game, chance: random.Random) -> None:
    """Build all views of a game, and play on."""
    build_table(game.table)
    for _ in range(CHOICES_PER_GAME):
        build_view(game)
        game.to_text()
        if game.state.result != UNDECIDED:
            return
        build_die_explanation(game, chance.randrange(game.table.n_dice))
        game.play(chance.randrange(len(game.state.options)))


def _position(text: str, chance: random.Random) -> None:
    _play(Game.from_text(text), chance)


def _record(text: str, chance: random.Random) -> None:
    with contextlib.suppress(FairDiceNeededError):  # with fair dice a game continues only with contributions
        _play(Game.from_record(text), chance)


def _scenario(text: str, chance: random.Random) -> None:
    scenario.check(text)


def _lesson(text: str, chance: random.Random) -> None:
    lesson_session.check_lesson(read_lesson(text))


def _team(text: str, chance: random.Random) -> None:
    reading = read_team(text)
    _ = [str(problem) for problem in reading.check()], write_team(reading.team)


def _code(text: str, chance: random.Random) -> None:
    encode_team(decode_team(text))


def _draft(text: str, chance: random.Random) -> None:
    draft = read_draft(text, catalogue())
    if draft.decision is not None:
        draft.pick(chance.randrange(len(draft.decision)))
    write_draft(draft)


def _cards(text: str, chance: random.Random) -> None:
    own = read_cards(text)
    card = own[0]
    team = [[(card, 2)] if card.kind != "basic" else [], []]
    edition = chance.choice(("avx", "uxm", "cw", "ai"))
    known = catalogue().with_cards(own)
    basics = [card] if card.kind == "basic" else []
    game = Game.new(edition, teams=team, basics=basics, cards=known, seed=chance.randrange(1000), first="A")
    lines = [line for line in game.to_text().splitlines() if not line.startswith(("A bag", "chance", "also", "turn"))]
    place, face = ("field", "@1") if card.die.is_character else ("reserve", "!")
    lines += [f"A {place}: 2 {card.title}{face}", "A bag: 4 Sidekick", "A reserve: F, B, M, S", "turn: 5, A, main"]
    _play(game, chance)
    _play(Game.from_text("\n".join(lines), known), chance)


READERS: dict[str, Callable[[str, random.Random], None]] = {
    "position": _position,
    "record": _record,
    "scenario": _scenario,
    "lesson": _lesson,
    "team": _team,
    "code": _code,
    "draft": _draft,
    "cards": _cards,
}


# --- inputs --------------------------------------------------------------------------------------------------------


def load_corpus(folder: Path) -> dict[str, list[str]]:
    """Return the texts of the corpus by reader. A file name begins with the reader's name."""
    found: dict[str, list[str]] = {kind: [] for kind in READERS}
    for path in sorted(folder.glob("*.txt")):
        kind = path.name.partition("-")[0]
        if kind in found:
            found[kind].append(path.read_bytes().decode("utf-8", "surrogatepass"))
    return found


@cache
def _generate_text(kind: str, number: int) -> str:
    """Return a text that the program writes."""
    chance = random.Random(number)
    match kind:
        case "position" | "record":
            game = (random_doubles if number % 5 == 0 else random_game)(number)
            for _ in range(chance.randrange(120)):
                if game.state.result != UNDECIDED:
                    break
                game.play(chance.randrange(len(game.state.options)))
            return game.to_text() if kind == "position" else game.record
        case "team" | "code":
            team = random_team(FORMATS["tournament"], number)
            return write_team(team) if kind == "team" else encode_team(team)
        case "draft":
            return write_draft(_random_draft(number, chance))
        case "lesson":
            return chance.choice(list(lesson_texts().values()))
    return ""


def _random_draft(number: int, chance: random.Random) -> Draft:
    draft = Draft.team(seed=number) if number % 2 else Draft.rainbow(players=2, seed=number)
    for _ in range(chance.randrange(10)):
        if draft.decision is None:
            break
        draft.pick(chance.randrange(len(draft.decision)))
    return draft


def make_input(kind: str, kept: dict[str, list[str]], chance: random.Random) -> str:
    """Return a random input for a reader."""
    written = 0.5 if kept[kind] else 1.0
    if kind == "cards" and chance.random() < 0.7:
        text = card_file(chance)
        if chance.random() < 0.5:
            return text
    elif kind == "scenario" or chance.random() > written:
        text = chance.choice(kept[kind])
    else:
        text = _generate_text(kind, chance.randrange(60))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        text = chance.choice(MUTATIONS)(text, chance, kept[kind])
    return text


def _mutate_number(text: str, chance: random.Random, _: list[str]) -> str:
    found = list(re.finditer(r"-?\d+", text))
    if not found:
        return text
    at = chance.choice(found)
    new = chance.choice(NASTY_STRINGS[:15]) if chance.random() < 0.5 else str(chance.randrange(-5, 300))
    return text[: at.start()] + new + text[at.end() :]


def _mutate_word(text: str, chance: random.Random, kept: list[str]) -> str:
    found = list(re.finditer(r"[\w']+", text))
    if not found:
        return text
    at = chance.choice(found)
    other: str = (
        chance.choice(found)[0] if chance.random() < 0.6 or not kept else _random_word(chance.choice(kept), chance)
    )
    return text[: at.start()] + other + text[at.end() :]


def _random_word(text: str, chance: random.Random) -> str:
    words: list[str] = re.findall(r"[\w']+", text)
    return chance.choice(words or ["x"])


def _mutate_letter(text: str, chance: random.Random, _: list[str]) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(NASTY_STRINGS) + text[at + chance.randrange(2) :]


def _delete_span(text: str, chance: random.Random, _: list[str]) -> str:
    a, b = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    b = min(b, a + chance.choice((1, 5, 40, 400)))
    return text[:a] + text[b:]


def _repeat_span(text: str, chance: random.Random, _: list[str]) -> str:
    a = chance.randrange(len(text) + 1)
    b = min(len(text), a + chance.choice((1, 3, 20, 200)))
    return text[:b] + text[a:b] * chance.choice((1, 2, 50, 1000)) + text[b:]


def _mutate_line(text: str, chance: random.Random, kept: list[str]) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3 if kept:
            lines[at] = chance.choice(chance.choice(kept).split("\n"))
    return "\n".join(lines)


def _mutate_json(text: str, chance: random.Random, kept: list[str]) -> str:
    """Change a value in the JSON of an `also` line."""
    found = re.search(r"^\s*also: (.*)$", text, re.MULTILINE)
    if found is None:
        return text + "\nalso: " + _random_also_value(chance, kept)
    try:
        data = json.loads(found[1])
    except (ValueError, RecursionError):
        return text
    places = list(_json_slots(data))
    if not places:
        return text
    holder, key = chance.choice(places)
    match chance.randrange(4):
        case 0:
            holder[key] = chance.choice(
                (0, -1, 1, 2, 7, 100, 248, 255, 512, 1000, 3.5, 10**15, "x", None, [], {}, [[]])
            )
        case 1 if isinstance(holder[key], int):
            holder[key] += chance.choice((-1, 1, 4, 10))
        case 2:
            holder[key] = json.loads(json.dumps(chance.choice([h[k] for h, k in places])))
        case _:
            if isinstance(holder, list):
                holder.insert(key, holder[chance.randrange(len(holder))])
            else:
                del holder[key]
    return text[: found.start(1)] + json.dumps(data) + text[found.end(1) :]


def _random_also_value(chance: random.Random, kept: list[str]) -> str:
    lines = [line for text in kept for line in text.split("\n") if line.strip().startswith("also: ")]
    lines += [
        line for n in range(20) for line in _generate_text("position", n).split("\n") if line.startswith("also: ")
    ]
    return chance.choice(lines).strip().removeprefix("also: ") if lines else "{}"


def _json_slots(data: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield data, key
        yield from _json_slots(data[key])


MUTATIONS: tuple[Callable[[str, random.Random, list[str]], str], ...] = (
    _mutate_number,
    _mutate_number,
    _mutate_word,
    _mutate_word,
    _mutate_letter,
    _delete_span,
    _repeat_span,
    _mutate_line,
    _mutate_line,
    _mutate_json,
    _mutate_json,
)


# --- trying --------------------------------------------------------------------------------------------------------


def try_input(kind: str, text: str, seed: int = 0) -> FuzzFailure | None:
    """Run a reader on an input. Return the failure, or None if it was handled correctly."""
    before = _megabytes()
    started = time.thread_time()  # CPU time of this thread, since others may run
    try:
        with _stopwatch():
            READERS[kind](text, random.Random(seed))
    except EXPECTED_ERRORS as error:
        if str(error) != str(error).encode("utf-8", "replace").decode():
            return FuzzFailure(kind, "an error that cannot be shown", text, repr(error))
    except FuzzTimeoutError:
        where = traceback.format_exc().splitlines()
        return FuzzFailure(kind, "does not end", text, "\n".join(where[-30:]))
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        at = next((f for f in reversed(frames) if "dicemasters" in f.filename), frames[-1])
        problem = f"{type(error).__name__} in {Path(at.filename).name} {at.name}"
        return FuzzFailure(kind, problem, text, traceback.format_exc(limit=-12))
    took, grown = time.thread_time() - started, _megabytes() - before
    if took > MAX_SECONDS:
        return FuzzFailure(kind, f"more than {MAX_SECONDS:g} s", text, f"{took:.2f} s")
    if grown > MAX_MEGABYTES:
        return FuzzFailure(kind, f"more than {MAX_MEGABYTES} MB", text, f"{grown:.0f} MB")
    return None


@contextmanager
def _stopwatch() -> Iterator[None]:
    def stop(_: int, __: object) -> None:
        raise FuzzTimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, TIMEOUT_SECONDS)  # CPU time, since other processes may run
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _megabytes() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


@dataclass
class FuzzReport:
    """Number of inputs by reader, and the shortest failing input of each kind."""

    inputs: Counter[str] = field(default_factory=Counter)
    failures: dict[tuple[str, str], FuzzFailure] = field(default_factory=dict)
    failure_counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, kind: str, failure: FuzzFailure | None) -> None:
        self.inputs[kind] += 1
        if failure is not None:
            key = (failure.kind, failure.problem)
            self.failure_counts[key] += 1
            kept = self.failures.get(key)
            if kept is None or len(failure.text) < len(kept.text):
                self.failures[key] = failure

    def merge(self, other: FuzzReport) -> None:
        self.inputs += other.inputs
        self.failure_counts += other.failure_counts
        for key, failure in other.failures.items():
            if key not in self.failures or len(failure.text) < len(self.failures[key].text):
                self.failures[key] = failure

    def __str__(self) -> str:
        counts = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.inputs.items()))
        return f"{self.inputs.total():,} inputs ({counts}): {self.failure_counts.total()} failed, in {len(self.failures)} ways"


def fuzz(seed: int, inputs: int, kinds: tuple[str, ...], folder: Path) -> FuzzReport:
    """Try the inputs of a seed."""
    kept = load_corpus(folder)
    report = FuzzReport()
    chance = random.Random(seed)
    for i in range(inputs):
        kind = kinds[i % len(kinds)]
        report.add(kind, try_input(kind, make_input(kind, kept, chance), seed + i))
    return report


def main(argv: list[str] | None = None) -> int:
    """Fuzz the readers. Return 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--reader", choices=tuple(READERS), action="append", help="only this reader (repeatable)")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help=f"folder of initial texts ({CORPUS})")
    parser.add_argument("--keep", type=Path, help="folder for failing inputs")
    args = parser.parse_args(argv)
    kinds = tuple(args.reader or READERS)
    report = FuzzReport()
    for kind, texts in load_corpus(args.corpus).items():
        for text in texts if kind in kinds else ():
            report.add(kind, try_input(kind, text))
    seeds = [args.seed * 1_000_003 + i * CHUNK for i in range(-(-args.inputs // CHUNK))]
    one = partial(fuzz, inputs=min(CHUNK, args.inputs), kinds=kinds, folder=args.corpus)
    with ProcessPoolExecutor(args.workers) as pool:
        for part in pool.map(one, seeds):
            report.merge(part)
    for failure in report.failures.values():
        print(f"{failure.kind}: {failure.problem} ({report.failure_counts[failure.kind, failure.problem]} times)")
        print("  " + failure.details.replace("\n", "\n  "))
        if args.keep is not None:
            args.keep.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"\W+", "-", failure.problem)[:60]
            data = failure.text.encode("utf-8", "surrogatepass")
            (args.keep / f"{failure.kind}-{name}.txt").write_bytes(data)
    print(report)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
