"""Run each scenario once, with observers for everything that the tests check.

A scenario checks its own expectations. Three observers ride along:

- ability coverage: which abilities took effect;
- the Scripted Opponent: it answers every decision, with a rule;
- read-back: every position round-trips through text and plays on identically.

The first two are summed over all files. Under xdist no single process sees all files, so each test attaches its results
to its report, and `ScenarioTotals` checks the sums in the controller.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.support.homemade_cards import CATALOGUE
from tests.support.script_page import ROWS, RULES

from dicemasters import Game
from dicemasters.cards import catalogue
from dicemasters.game import Choice
from dicemasters.game.inspect.view import COVERAGE, UNDECIDED
from dicemasters.game.mechanics.chance import ScriptedDiceError
from dicemasters.game.notation import NotationError
from dicemasters.game.scenarios import scenario as scenario_module
from dicemasters.game.scenarios.runner import ScenarioRunner
from dicemasters.game.scenarios.scenario import ExpectationError, read_scenarios, run_scenario
from dicemasters.lab.studies.ability_coverage import coverage_report as coverage_report
from dicemasters.lab.studies.ability_coverage import untested
from dicemasters.players.scripted import SCRIPT, explain

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = sorted(SCENARIOS.rglob("*.scenario"))
PROPERTY = "scenario file"


@dataclass
class Observed:
    """Results of the scenarios of one file."""

    problems: list[str] = field(default_factory=list)
    abilities: set[tuple[str, int]] = field(default_factory=set)  # card key, position on the card
    decisions: set[str] = field(default_factory=set)  # kinds the Scripted Opponent was asked about


def run_observed(path: Path, *, read_back: bool) -> Observed:
    """Run all scenarios of a file; collect problems instead of stopping at the first."""
    observed = Observed()
    try:
        scenarios = read_scenarios(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, NotationError) as error:
        observed.problems.append(str(error))
        return observed
    with _observe(observed, read_back):
        for one in scenarios:
            try:
                run_scenario(one, CATALOGUE)
            except (ExpectationError, NotationError) as error:
                observed.problems.append(f"{error} [{one.title}]")
    return observed


@contextmanager
def _observe(observed: Observed, read_back: bool) -> Iterator[None]:
    """Attach the observers to the engine."""
    play = Game.play

    def play_after_explaining(game: Game, choice: Choice | int | str) -> None:
        _explain(game, observed)
        play(game, choice)

    class ReadingBack(ScenarioRunner):
        def choose(self, line_number: int, player: str, value: str) -> None:
            super().choose(line_number, player, value)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Game, "play", play)  # the trial moves below need no explanation
                _read_back(self.game, line_number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(COVERAGE, "recorded", observed.abilities)
        patch.setattr(Game, "play", play_after_explaining)
        if read_back:
            patch.setattr(scenario_module, "ScenarioRunner", ReadingBack)
        yield


def _explain(game: Game, observed: Observed) -> None:
    """Check that the Scripted Opponent answers the pending decision by a documented rule."""
    state = game.state
    if state.result != UNDECIDED:
        return
    reason = explain(state)
    assert 0 <= reason.option < len(state.options)
    assert reason.rule in RULES
    observed.decisions.add(state.decision.kind)
    if state.decision.kind != "together":  # the script uses this kind for characters only
        assert f"`{state.options[reason.option][0]}`" in ROWS[state.decision.kind]


def _read_back(game: Game, line: int) -> None:
    """Check that the position survives a round trip, and that its first and last options play on identically."""
    decision = game.decision
    if decision is None:
        return
    text = game.to_text()
    assert Game.from_text(text, cards=CATALOGUE).to_text() == text
    for n in {0, len(decision.options) - 1}:
        here, there = game.copy(), Game.from_text(text, cards=CATALOGUE)
        try:
            here.play(decision.options[n])
        except ScriptedDiceError:  # the scripted dice belong to another choice
            continue
        assert there.decision is not None
        there.play(there.decision.options[n])
        assert here.to_text() == there.to_text(), f"line {line}, option {n}"


class ScenarioTotals:
    """Pytest plugin that checks the totals of all scenario files once all have passed."""

    def __init__(self) -> None:
        self.files = 0
        self.abilities: set[tuple[str, int]] = set()
        self.decisions: set[str] = set()
        self.problems: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or not report.passed:
            return
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, dict):
                self.files += 1
                self.abilities |= {(key, position) for key, position in value["abilities"]}
                self.decisions |= set(value["decisions"])

    def find_problems(self) -> list[str]:
        """Return missing coverage; an empty list unless every file has run."""
        if self.files < len(FILES):
            return []
        problems: list[str] = []
        if untested(catalogue(), self.abilities):
            problems.append("No scenario uses these abilities; add one to tests/scenarios/cards:")
            problems += coverage_report(catalogue(), self.abilities)
        if kinds := sorted(set(SCRIPT) - self.decisions):
            problems.append(f"No scenario asks for these kinds of decision: {', '.join(kinds)}")
        return problems

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.problems = self.find_problems()
        if self.problems:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.problems:
            terminalreporter.section("scenario totals", red=True, bold=True)
            for line in self.problems:
                terminalreporter.line(line)
