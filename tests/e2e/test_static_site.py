"""The whole game without a server, in a real browser: from a plain server of files, then with the network cut."""

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
from tests.e2e.support.static_host import BELOW, Host, serving
from tests.e2e.test_layout import findings

from dicemasters.webworker.static_export import PYODIDE_DIR, export_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ALL_HERE = "It is all here now, and works without a network."
TIMEOUT = 300  # seconds: to start Python is some work, and a machine may have much else to do
SIZES = [(1440, 900), (820, 1180), (390, 844)]


@pytest.fixture(scope="module")
def folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder above the site, which is written once."""
    if not PYODIDE_DIR.is_dir():
        pytest.skip("Python for browsers is not there: npm ci and npm run build in web/")
    above = tmp_path_factory.mktemp("host")
    export_site(above / BELOW)
    return above


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Host]:
    with serving(folder) as host:
        yield host


@contextmanager
def visiting(browser: Browser, host: Host) -> Iterator[Visitor]:
    """Let somebody come who has never been here; nothing may go wrong in their browser."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    visitor = Visitor(context, host.home, patience=TIMEOUT)
    yield visitor
    context.close()
    assert visitor.problems == []
    assert visitor.strangers == []


@pytest.fixture(scope="module")
def resident(browser: Browser, host: Host) -> Iterator[Visitor]:
    """Yield somebody who stays: Python starts once for all tests, which only go from page to page."""
    with visiting(browser, host) as visitor:
        visitor.go("/")
        visitor.page.get_by_text(ALL_HERE).wait_for()
        yield visitor


@pytest.fixture
def you(resident: Visitor) -> Visitor:
    """Return them at the start page."""
    resident.page.set_viewport_size({"width": 1280, "height": 800})
    resident.go("/#/")  # without loading it again
    resident.button("Play now").wait_for()
    return resident


def test_a_game_is_played_to_its_end_with_the_network_cut(browser: Browser, folder: Path) -> None:
    """One visit, without playing; then nothing can be fetched any more, and everything is there."""
    with serving(folder) as host, visiting(browser, host) as you:
        _play_without_a_network(host, you)


def _play_without_a_network(host: Host, you: Visitor) -> None:
    you.go("/")
    you.page.get_by_text(ALL_HERE).wait_for()
    host.cut()
    you.page.reload()
    you.button("Play now").click()
    you.page.wait_for_selector(".bar")
    you.play_out()
    game = re.search(r"#/g/([a-z0-9]+)#", you.page.url)
    assert game is not None
    # the game is kept: a replay, its record as a file, and that file read by another visit
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


def test_records_go_out_and_come_in(you: Visitor) -> None:
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


def test_a_strong_player_thinks_and_can_be_interrupted(you: Visitor) -> None:
    you.go("/#/new")
    you.page.locator("label", has_text="Opponent").locator("select").select_option("level5")
    you.page.get_by_label("Who begins").select_option("B")
    you.button("Open the table").click()
    you.page.wait_for_selector(".bar")
    you.wait()  # it has thought and acted
    you.button("Menu").click()
    you.button("Concede").click()
    you.page.locator("dialog").get_by_role("button", name="Concede").click()
    you.page.wait_for_selector(".finale")


def test_links_lead_to_pages_of_this_site_wherever_it_lies(host: Host, you: Visitor) -> None:
    links = you.page.locator("a[href]").evaluate_all("(all) => all.map((a) => a.href)")
    assert len(links) > 6
    assert [link for link in links if not link.startswith(f"{host.home}/#/")] == []
    you.page.get_by_role("link", name="Rules").first.click()
    you.page.wait_for_url(f"{host.home}/#/rules")
    you.page.locator("main .item").first.wait_for()
    you.page.go_back()
    you.button("Play now").wait_for()


def test_it_can_be_installed(you: Visitor) -> None:
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
        [{"errorId": "in-incognito", "errorArguments": []}],  # as every browser of a test is
    )


def test_axe_finds_nothing_on_the_start_page(you: Visitor) -> None:
    assert findings(you) == []
    you.page.evaluate("() => document.documentElement.dataset.theme = 'light'")
    for width, height in SIZES:
        you.resize(width, height)
        assert findings(you) == []
        assert you.page.evaluate("() => document.documentElement.scrollWidth") <= width
