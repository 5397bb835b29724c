"""A real browser at a real server. Skipped, with a word why, where there is no browser or no built page."""

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

# the first is Chromium without its windows: a new page takes a third of the processor time
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as with windows, where they are not drawn to whole pixels
    "--process-per-site",  # so that what is compiled for one page serves the next
)


def the_browser() -> str | None:
    """Give where a browser of this system is."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(autouse=True)
def _seeded_secrets() -> Iterator[None]:
    with seeded_secrets():
        yield
        close_all_clients()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a browser, closed behind each file of tests: while it runs no other test of the process can use asyncio."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = the_browser()
    if found is None:
        pytest.skip(f"there is no browser here: none of {', '.join(BROWSERS)}")
    if not (resources.files("dicemasters.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    file: Path = tmp_path_factory.mktemp("games") / "games.sqlite"
    with run_server(f"sqlite:///{file}") as server:
        yield server


class Device:
    """A browser that one test after the other is given with nothing in it but a window that stays open.

    Behind that window is the process in which the page is fetched and compiled already; to start one costs more than most tests.
    """

    def __init__(self, browser: Browser, home: str, touch: bool) -> None:
        self.context = browser.new_context(has_touch=touch)
        self._stays = self.context.new_page()
        self._stays.goto(f"{home}/api/alive")
        self._origin = home
        self._tools = self.context.new_cdp_session(self._stays)

    def empty(self) -> None:
        """Close every other window, and forget what was kept or allowed."""
        for page in self.context.pages:
            if page is not self._stays:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self._stays.evaluate("() => localStorage.clear()")  # the same process sees it at once
        kept = {"origin": self._origin, "storageTypes": "indexeddb,cache_storage,service_workers"}
        self._tools.send("Storage.clearDataForOrigin", kept)


@pytest.fixture(scope="module")
def devices() -> dict[tuple[int, bool], Device]:
    """Give those of this browser: of the first, second, third visitor of a test, each with and without touch."""
    return {}


@pytest.fixture
def visit(
    browser: Browser, server: LiveServer, devices: dict[tuple[int, bool], Device]
) -> Iterator[Callable[..., Visitor]]:
    """Give a way to bring people to the server, each with a browser of their own; nothing may go wrong in it."""
    come: list[Visitor] = []
    home = f"http://{server.address}"

    def visit(width: int = 1280, height: int = 800, touch: bool = False) -> Visitor:
        which = len(come), touch
        if which not in devices:
            devices[which] = Device(browser, home, touch)
        devices[which].empty()
        visitor = Visitor(devices[which].context, home, number=len(come))
        visitor.page.set_viewport_size({"width": width, "height": height})
        come.append(visitor)
        return visitor

    yield visit
    for visitor in come:
        visitor.page.close()
        assert visitor.problems == []
        assert visitor.strangers == []
