"""Game reviews in the browser, playing on from a position, and hints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.page_driver import expect
from tests.e2e.support.stored_game import store_game

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor
    from tests.support.live_server import LiveServer

    Visit = Callable[..., Visitor]


def test_review_shows_turning_points_and_better_options(visit: Visit, server: LiveServer) -> None:
    game = store_game(server)
    you = visit()
    you.go(f"/r/{game}?back")
    page = you.page
    panel = page.get_by_role("complementary", name="Looking back")
    panel.locator("svg .line").wait_for()
    panel.locator("progress").wait_for(state="detached", timeout=600_000)
    turning = panel.locator(".turning button")
    turning.first.wait_for()
    assert turning.count() <= 5
    turning.first.click()
    page.wait_for_function("() => document.querySelector('.turning button').getAttribute('aria-current') === 'step'")
    options = panel.locator(".options li")
    options.first.wait_for()
    expect(panel.locator(".why")).to_have_text(re.compile("^Why: "))
    expect(options.filter(has_text="played")).to_have_count(1)
    chances = [int(text.split()[0]) for text in options.locator("b").all_inner_texts()]
    assert chances == sorted(chances, reverse=True)
    panel.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/g/*")
    you.wait()


def test_hint_is_offered_against_a_bot(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[{"kind": "person"}, {"kind": "player", "player": "simple"}], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.button("Menu").click()
    you.button("Hint").click()
    box = you.page.get_by_role("dialog", name="What a strong player would do")
    box.locator(".options li").first.wait_for()
    expect(box.locator(".options .best")).to_have_count(1)


def test_hint_is_not_offered_between_people(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[{"kind": "person"}, {"kind": "person"}], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.button("Menu").click()
    you.page.get_by_role("dialog", name="Menu").wait_for()
    you.button("Concede").wait_for()  # an entry of the same menu
    expect(you.page.get_by_role("button", name="Hint")).to_have_count(0)


def test_review_panel_stays_beside_the_table_when_resized(visit: Visit, server: LiveServer) -> None:
    you = visit(1280, 720)
    you.go(f"/r/{store_game(server)}?back")
    you.page.locator("aside.beside svg").wait_for()
    you.page.locator(".table .bar").wait_for()  # the table is laid out
    for width, height in ((1280, 720), (1920, 1080), (1366, 768)):
        you.resize(width, height)
        left = you.page.evaluate("() => document.querySelector('aside.beside').getBoundingClientRect().left")
        right = you.page.evaluate("() => document.querySelector('.sides.near').getBoundingClientRect().right")
        assert left >= right, (width, left, right)
