"""Settings for all tests: tiers, effort of property tests, output."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.support.scenario_observers import ScenarioTotals

# Tiers other than the default one, which plain `pytest` and `make test` run.
SEPARATE_TIERS = ("server", "e2e")

# the doctest collector names a source file but may import the module compiled from it
os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"

# background processes of a shell ignore SIGINT, and programs started and interrupted by tests would inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Property tests draw the same examples every time, without a deadline. `tests.support.effort` scales the number
# of games with the profile.
for profile, most in (("quick", 20), ("thorough", 100)):
    settings.register_profile(
        profile,
        max_examples=most,
        derandomize=True,
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.markexpr and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.option.markexpr = " and ".join(f"not {tier}" for tier in SEPARATE_TIERS)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(ScenarioTotals())


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a tier's folder with that tier."""
    here = Path(__file__).parent
    for item in items:
        for tier in SEPARATE_TIERS:
            if item.path.is_relative_to(here / tier):
                item.add_marker(tier)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use one worker more than there are cores, because server and browser tests spend half of their time waiting."""
    return (os.cpu_count() or 1) + 1


def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    """Print nothing for passed tests unless the output is a terminal."""
    if report.passed and report.when == "call" and not sys.stdout.isatty():
        return "passed", "", ""
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the command that runs each failed test alone."""
    failed = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    if not failed:
        return
    profile = settings.get_current_profile_name()
    extra = f" --hypothesis-profile={profile}" if profile != "quick" else ""
    terminalreporter.section("run one test alone")
    for nodeid in dict.fromkeys(report.nodeid for report in failed):
        terminalreporter.line(f".venv/bin/python -m pytest -n 0{extra} {shlex.quote(nodeid)}")
    terminalreporter.line("docs/testing.md explains the tiers of tests.")
