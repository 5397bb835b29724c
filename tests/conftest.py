"""Settings of all tests: property tests draw the same examples every time, and take the time they need."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# the doctests' collector names a source file and may get the module compiled from it
os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"

# a shell lets what it starts in the background ignore this, and so would every program the tests start and interrupt
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are cores: the tests of servers and of the page wait half of their time."""
    return (os.cpu_count() or 1) + 1
