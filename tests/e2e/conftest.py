"""Fixtures: a real browser and a real server. Tests are skipped, with a reason, without a browser or a built page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.support.page_driver import Visitor
from tests.support.live_server import LiveServer, close_all_clients, run_server
from tests.support.seeded_secrets import seeded_secrets

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The first is headless Chromium: a new page takes a third of the CPU time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # glyph widths as in a window, not rounded to whole pixels
    "--process-per-site",  # pages share compiled code
)


def find_browser() -> str | None:
    """Return the path of an installed browser."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(autouse=True)
def _seeded_secrets() -> Iterator[None]:
    with seeded_secrets():
        yield
        close_all_clients()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a browser, closed after each test file: while it runs, no other test of the process can use asyncio."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = find_browser()
    if found is None:
        pytest.skip(f"there is no browser here: none of {', '.join(BROWSERS)}")
    if not (resources.files("dicemasters.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(BROWSER_ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    file: Path = tmp_path_factory.mktemp("games") / "games.sqlite"
    with run_server(f"sqlite:///{file}") as server:
        yield server


class Device:
    """A browser context that tests reuse, emptied between them except for one page that stays open.

    That page keeps the renderer process, with the page's code loaded and compiled; starting one costs more than most tests.
    """

    def __init__(self, browser: Browser, home: str, touch: bool) -> None:
        self.context = browser.new_context(has_touch=touch)
        self._keeper = self.context.new_page()
        self._keeper.goto(f"{home}/api/alive")
        self._origin = home
        self._tools = self.context.new_cdp_session(self._keeper)

    def reset(self) -> None:
        """Close the other pages and clear storage, cookies and permissions."""
        for page in self.context.pages:
            if page is not self._keeper:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self._keeper.evaluate("() => localStorage.clear()")  # visible at once, since the process is shared
        storage = {"origin": self._origin, "storageTypes": "indexeddb,cache_storage,service_workers"}
        self._tools.send("Storage.clearDataForOrigin", storage)


@pytest.fixture(scope="module")
def devices() -> dict[tuple[int, bool], Device]:
    """Return this browser's devices by visitor number and touch."""
    return {}


@pytest.fixture
def visit(
    browser: Browser, server: LiveServer, devices: dict[tuple[int, bool], Device]
) -> Iterator[Callable[..., Visitor]]:
    """Yield a function that opens a page on the server with its own device; fail on browser errors and foreign requests."""
    visitors: list[Visitor] = []
    home = f"http://{server.address}"

    def visit(width: int = 1280, height: int = 800, touch: bool = False) -> Visitor:
        key = len(visitors), touch
        if key not in devices:
            devices[key] = Device(browser, home, touch)
        devices[key].reset()
        visitor = Visitor(devices[key].context, home, number=len(visitors))
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitors.append(visitor)
        return visitor

    yield visit
    for visitor in visitors:
        visitor.page.close()
        assert visitor.problems == []
        assert visitor.foreign_requests == []
