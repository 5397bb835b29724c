"""The static site in a browser: from a plain file server, then offline."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.scenes import ANGEL, solve_angel
from tests.e2e.support.page_driver import Visitor, expect
from tests.e2e.support.static_host import SITE_PATH, Host, serve_folder
from tests.e2e.test_layout import axe_violations

from dicemasters.webworker.static_export import PYODIDE_DIR, export_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

READY_OFFLINE = "It is all here now, and works without a network."
TIMEOUT = 300  # seconds; starting Pyodide is slow, and the machine may be busy
SIZES = [(1440, 900), (820, 1180), (390, 844)]


@pytest.fixture(scope="module")
def folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder above the exported site."""
    if not PYODIDE_DIR.is_dir():
        pytest.skip("Pyodide is not installed: npm ci and npm run build in web/")
    above = tmp_path_factory.mktemp("host")
    export_site(above / SITE_PATH)
    return above


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Host]:
    with serve_folder(folder) as host:
        yield host


@contextmanager
def new_visitor(browser: Browser, host: Host) -> Iterator[Visitor]:
    """Yield a visitor with an empty browser; fail on browser errors and foreign requests."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    visitor = Visitor(context, host.home, timeout=TIMEOUT)
    yield visitor
    context.close()
    assert visitor.problems == []
    assert visitor.foreign_requests == []


@pytest.fixture(scope="module")
def resident(browser: Browser, host: Host) -> Iterator[Visitor]:
    """Yield a visitor shared by all tests, so that Python starts only once."""
    with new_visitor(browser, host) as visitor:
        visitor.go("/")
        visitor.page.get_by_text(READY_OFFLINE).wait_for()
        yield visitor


@pytest.fixture
def you(resident: Visitor) -> Visitor:
    """Return the shared visitor on the start page."""
    resident.page.set_viewport_size({"width": 1280, "height": 800})
    resident.go("/#/")  # without a reload
    resident.button("Play now").wait_for()
    return resident


def test_site_is_playable_offline(browser: Browser, folder: Path) -> None:
    """After one visit, even without a game, everything works offline."""
    with serve_folder(folder) as host, new_visitor(browser, host) as you:
        _play_offline(host, you)


def _play_offline(host: Host, you: Visitor) -> None:
    you.go("/")
    you.page.get_by_text(READY_OFFLINE).wait_for()
    host.cut_network()
    you.page.reload()
    you.button("Play now").click()
    you.page.wait_for_selector(".bar")
    you.play_out()
    game = re.search(r"#/g/([a-z0-9]+)#", you.page.url)
    assert game is not None
    # the game is stored, and the other pages work offline too
    you.go(f"/#/r/{game[1]}")
    you.page.reload()
    you.page.wait_for_selector(".table")
    you.go("/#/learn/first-game")
    you.page.wait_for_selector(".bubble")
    you.go("/#/puzzles")
    you.page.get_by_text("of 260 solved").wait_for()
    you.go(f"/#/puzzles/{ANGEL}")
    you.wait()
    solve_angel(you)
    you.go("/#/rules#3.4")
    you.page.get_by_text("Main step").first.wait_for()
    you.go("/#/dice")
    you.page.wait_for_selector(".die")


def test_record_is_saved_and_reopened(you: Visitor) -> None:
    you.button("Play a friend").click()
    you.page.get_by_text("this page has none").wait_for()
    expect(you.button("Send a link")).to_have_count(0)
    you.button("On this screen").click()
    you.page.wait_for_selector(".bar")
    for _ in range(6):
        you.wait()
        you.decide()
    you.button("Menu").click()
    you.button("Share").click()
    you.button("Save the record as a file").wait_for()
    expect(you.page.get_by_text("Watch", exact=True)).to_have_count(0)
    with you.page.expect_download() as saving:
        you.button("Save the record as a file").click()
    record = Path(saving.value.path()).read_text(encoding="utf-8")
    assert record.startswith("dicemasters record")
    you.go("/#/")
    you.button("Watch").click()
    you.page.get_by_label("Look at a record or a position").fill(record)
    you.button("Look at it").click()
    you.page.wait_for_selector(".table")
    you.page.wait_for_url("**/#/r/*")
    you.go("/#/")
    you.button("Watch").click()
    you.page.get_by_label("Or open a file").set_input_files(saving.value.path())
    you.page.wait_for_selector(".table")
    you.page.wait_for_url("**/#/r/*")


def test_strong_bot_moves_and_the_game_can_be_conceded(you: Visitor) -> None:
    you.go("/#/new")
    you.page.locator("label", has_text="Opponent").locator("select").select_option("level5")
    you.page.get_by_label("Who begins").select_option("B")
    you.button("Open the table").click()
    you.page.wait_for_selector(".bar")
    you.wait()  # the bot has moved
    you.button("Menu").click()
    you.button("Concede").click()
    you.page.locator("dialog").get_by_role("button", name="Concede").click()
    you.page.wait_for_selector(".finale")


def test_links_stay_within_the_site_below_any_path(host: Host, you: Visitor) -> None:
    links = you.page.locator("a[href]").evaluate_all("(all) => all.map((a) => a.href)")
    assert len(links) > 6
    assert [link for link in links if not link.startswith(f"{host.home}/#/")] == []
    you.page.get_by_role("link", name="Rules").first.click()
    you.page.wait_for_url(f"{host.home}/#/rules")
    you.page.locator("main .item").first.wait_for()
    you.page.go_back()
    you.button("Play now").wait_for()


def test_site_can_be_installed(you: Visitor) -> None:
    manifest = json.loads(you.page.evaluate("async () => (await fetch('./manifest.webmanifest')).text()"))
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        size = you.page.evaluate(
            "async (src) => { const i = new Image(); i.src = src; await i.decode(); return `${i.width}x${i.height}`; }",
            icon["src"],
        )
        assert size == icon["sizes"]
    client = you.context.new_cdp_session(you.page)
    assert client.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],  # expected in test browsers
    )


def test_start_page_passes_axe(you: Visitor) -> None:
    assert axe_violations(you) == []
    you.page.evaluate("() => document.documentElement.dataset.theme = 'light'")
    for width, height in SIZES:
        you.resize(width, height)
        assert axe_violations(you) == []
        assert you.page.evaluate("() => document.documentElement.scrollWidth") <= width
