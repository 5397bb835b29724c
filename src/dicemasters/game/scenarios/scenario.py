"""Scenarios: a position, scripted dice, choices and expected outcomes (docs/notation.md)."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dicemasters.cards.catalogue import Catalogue
from dicemasters.cards.textio import TextFileError, read_text
from dicemasters.game import notation
from dicemasters.game.game import Game
from dicemasters.game.notation import NotationError, UnplayableError
from dicemasters.game.scenarios.runner import ExpectationError as ExpectationError
from dicemasters.game.scenarios.runner import Printer, ScenarioRunner, is_chance, set_chance

MAX_CHARACTERS = 1_000_000
MAX_LINES = 50_000


@dataclass
class Scenario:
    """One scenario of a file: its title, the lines of its position and the lines of its play."""

    title: str
    line: int = 0  # line number of the title
    position: list[tuple[int, str]] = field(default_factory=list)
    play: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_display_only(self) -> bool:
        """Return True if the play only shows the position and checks nothing."""
        return all(is_chance(line) or line.strip().casefold() == "show" for _, line in self.play)


def read_scenarios(text: str) -> list[Scenario]:
    """Return the scenarios of a file."""
    scenarios: list[Scenario] = []
    playing = False
    for line_number, raw in enumerate(notation.lines_of(text, MAX_CHARACTERS, MAX_LINES), 1):
        line = re.split(r"  #| # ", raw, maxsplit=1)[0].rstrip()  # `#666` in a name is no comment: no space follows
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, title = line.partition(":")
        if key.strip().casefold() == "scenario" and colon:
            scenarios.append(Scenario(title.strip(), line_number))
            playing = False
        elif not scenarios:
            raise NotationError("a scenario begins with 'scenario: its title'", line_number)
        elif line.strip().casefold() == "play:":
            if playing:
                raise NotationError(
                    "'play:' is given twice; another scenario begins with 'scenario: its title'", line_number
                )
            playing = True
        elif playing:
            scenarios[-1].play.append((line_number, line))
        else:
            scenarios[-1].position.append((line_number, line))
    if not scenarios:
        raise NotationError("the file contains no scenario")
    return scenarios


def run_scenario(scenario: Scenario, cards: Catalogue | None = None, printer: Printer | None = None) -> Game:
    """Play a scenario, check its expectations and return the game at its end.

    `show` lines go to `printer`. An unmet expectation raises ExpectationError.
    """
    position = [(line_number, line) for line_number, line in scenario.position if not is_chance(line)]
    last_line = max((line_number for line_number, _ in position), default=0)
    state = notation.read_lines(position, cards)
    for line_number, line in scenario.position:
        if is_chance(line):
            set_chance(state, line_number, line)
    if all(is_chance(line) for _, line in scenario.play):
        raise NotationError(
            "the scenario checks nothing; after 'play:' it must choose or expect something", scenario.line
        )
    runner = ScenarioRunner(
        state, last_line, printer, forged=any(notation.has_machine_state(line) for _, line in position)
    )
    for line_number, line in scenario.play:
        try:
            runner.run_line(line_number, line)
        except UnplayableError as error:
            raise NotationError(error.problem, line_number) from error
    runner.finish(scenario.play[-1][0])
    return runner.game


def check(text: str, cards: Catalogue | None = None) -> Game:
    """Run all scenarios of a text and return the last game."""
    game: Game | None = None
    for scenario in read_scenarios(text):
        try:
            game = run_scenario(scenario, cards)
        except ExpectationError as error:
            raise ExpectationError(f"{scenario.title}: {str(error).split(': ', 1)[1]}", error.line) from None
    assert game is not None
    return game


# --- files ---------------------------------------------------------------------------------------------------------


@dataclass
class ScenarioReport:
    """Counts of scenarios that passed, failed, could not be read, or only display a position."""

    passed: int = 0
    failed: int = 0
    unreadable: int = 0
    display_only: int = 0  # scenarios without a check

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        text += f", {self.display_only} only shown" if self.display_only else ""
        return text + (f", {self.unreadable} not readable" if self.unreadable else "")

    def __add__(self, other: ScenarioReport) -> ScenarioReport:
        return ScenarioReport(
            self.passed + other.passed,
            self.failed + other.failed,
            self.unreadable + other.unreadable,
            self.display_only + other.display_only,
        )

    @property
    def exit_code(self) -> int:
        """The exit code of `dicemasters scenario`: 0 all passed, 1 some failed, 2 some could not be read."""
        return 2 if self.unreadable else 1 if self.failed else 0


def run_files(paths: Sequence[str], cards: Catalogue | None = None, *, verbose: bool = False) -> int:
    """Run scenario files and folders, print failures and a summary, and return the exit code.

    It is 0 if all passed, 1 if one failed, 2 if one could not be read.
    """
    total = ScenarioReport()
    for path in scenario_files(paths):
        total += run_file(path, cards, verbose=verbose)
    print(total)
    return total.exit_code


def scenario_files(paths: Sequence[str]) -> list[str]:
    """Return the files to run; a folder stands for all `*.scenario` files below it."""
    files: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            in_folder = [str(file) for file in sorted(Path(path).rglob("*.scenario"))]
            if not in_folder:
                raise NotationError(f"there is no *.scenario file below {path}")
            files += in_folder
        else:
            files.append(path)
    return files


def run_file(path: str, cards: Catalogue | None = None, *, verbose: bool = False) -> ScenarioReport:
    """Run the scenarios of one file, print failures and a summary, and return the counts."""
    report = ScenarioReport()
    try:
        scenarios = read_scenarios(read_text(path))
    except TextFileError as error:
        print(error, file=sys.stderr)
        return ScenarioReport(unreadable=1)
    except (OSError, NotationError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"{path}: {reason}", file=sys.stderr)
        return ScenarioReport(unreadable=1)
    for scenario in scenarios:
        try:
            run_scenario(scenario, cards, print)
        except ExpectationError as error:
            report.failed += 1
            print(f"{path}: {error} [{scenario.title}]")
        except NotationError as error:
            report.unreadable += 1
            print(f"{path}: {error} [{scenario.title}]", file=sys.stderr)
        else:
            report += ScenarioReport(display_only=1) if scenario.is_display_only else ScenarioReport(passed=1)
            if verbose:
                print(f"  {'shown' if scenario.is_display_only else 'passed'}: {scenario.title}")
    print(f"{report} in {path}")
    return report


def watch_files(
    paths: Sequence[str], cards: Catalogue | None = None, *, verbose: bool = False, pause: float = 0.5
) -> int:
    """Run scenario files, and rerun each one whenever it is saved, until interrupted."""
    try:
        run_files(paths, cards, verbose=verbose)
        saved = _modified_times(paths)
        print("Watching for changes; press Ctrl-C to stop.", flush=True)
        while True:
            time.sleep(pause)
            now = _modified_times(paths)
            for path in (path for path in now if now[path] != saved.get(path)):
                print(f"\n{time.strftime('%H:%M:%S')} {path}")
                run_file(path, cards, verbose=verbose)
                sys.stdout.flush()
            saved = now
    except KeyboardInterrupt:
        print()
        return 0


def _modified_times(paths: Sequence[str]) -> dict[str, float]:
    """Return the modification time of each file that currently exists."""
    times: dict[str, float] = {}
    for path in scenario_files(paths):
        with contextlib.suppress(OSError):
            times[path] = Path(path).stat().st_mtime
    return times
