"""A real browser at a real server. Skipped, with a word why, where there is no browser or no built page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.visitor import Visitor
from tests.lots import same_lots
from tests.server.running import Running, everybody_leaves, running

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
    "--font-render-hinting=none",  # texts are as wide on every machine
)


def the_browser() -> str | None:
    """Give where a browser of this system is."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(autouse=True)
def _same_lots() -> Iterator[None]:
    with same_lots():
        yield
        everybody_leaves()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a browser, closed behind each file of tests: while it runs no other test of the process can use asyncio."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = the_browser()
    if found is None:
        pytest.skip(f"there is no browser here: none of {', '.join(BROWSERS)}")
    if not (resources.files("dicemasters.table.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    file: Path = tmp_path_factory.mktemp("games") / "games.sqlite"
    with running(f"sqlite:///{file}") as server:
        yield server


@pytest.fixture
def visit(browser: Browser, server: Running) -> Iterator[Callable[..., Visitor]]:
    """Give a way to bring people to the server, each with a browser of their own; nothing may go wrong in it."""
    come: list[Visitor] = []

    def visit(width: int = 1280, height: int = 800, touch: bool = False, address: str = server.address) -> Visitor:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch)
        come.append(Visitor(context, f"http://{address}", number=len(come)))
        return come[-1]

    yield visit
    for visitor in come:
        visitor.context.close()
        assert visitor.problems == []
        assert visitor.strangers == []
