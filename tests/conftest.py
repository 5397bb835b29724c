"""Settings of all tests: property tests draw the same examples every time, and take the time they need."""

import os

from hypothesis import HealthCheck, settings

# the doctests' collector names a source file and may get the module compiled from it
os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")
