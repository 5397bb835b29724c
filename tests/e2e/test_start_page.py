"""The start page and the pages around the table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.support.page_driver import Visitor, expect

from dicemasters.game import Game

Visit = Callable[..., Visitor]
SIZES = [(1280, 720), (1440, 900), (1920, 1080), (820, 1180), (844, 390), (390, 844), (640, 360)]


# pages, with an element that appears last
PAGES = {
    "/": "text=Play now",
    "/new": "option[value=tournament]",
    "/puzzles": "main li a",
    "/draft": "main [type=checkbox]",
}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_page_fits_the_window(visit: Visit, path: str, width: int, height: int) -> None:
    you = visit(width, height)
    you.go(path)
    you.page.wait_for_selector(PAGES[path], state="attached")
    you.settle()
    assert you.page.evaluate("document.documentElement.scrollWidth") <= width
    small = you.page.evaluate(
        """() => [...document.querySelectorAll('button, a.button, input:not([type=checkbox]):not([type=radio]), select')]
            .filter((e) => e.offsetParent).map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
            .filter(([, r]) => r.height < 26).map(([t]) => t)"""
    )
    assert small == []


def test_play_now_is_visible_and_starts_a_game(visit: Visit) -> None:
    for width, height in SIZES[:5]:
        you = visit(width, height)
        you.go()
        you.button("Play now").wait_for()
        you.settle()
        box = you.button("Play now").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < height
    you.button("Play now").click()
    you.page.wait_for_url(re.compile(r"/g/"))
    you.page.wait_for_selector(".bar")


def test_unfinished_game_comes_first_with_its_state(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Play now").click()
    you.page.wait_for_selector(".bar")
    you.go()
    game = you.page.locator("a.game")
    game.get_by_text("Ada", exact=True).wait_for()
    expect(game.locator(".lives")).to_have_text(re.compile(r"^\d+:\d+$"))
    # the winner of the toss begins; the bot's dice wait for this browser's part
    thinking = game.locator(".line").inner_text() == "Ada is thinking"
    expect(game.locator(".chip")).to_have_text("Resume" if thinking else "Your move")
    for width, height in SIZES[:3]:  # everything fits beside it without scrolling
        you.resize(width, height)
        assert you.page.evaluate("document.documentElement.scrollHeight") <= height, (width, height)
    game.click()
    you.page.wait_for_selector(".bar")


def test_form_error_is_visible_beside_its_field(visit: Visit) -> None:
    you = visit(1280, 720)
    you.go("/new")
    you.page.get_by_label("Format").select_option("tournament")
    you.page.get_by_label("The other team").select_option("paste")
    you.page.get_by_label("The other team as text or code").fill("Hulk: Nobody")
    you.button("Open the table").click()
    error = you.page.get_by_role("alert").filter(has_text="Line 1: no card is called")
    error.wait_for()
    you.settle()
    box, field = error.bounding_box(), you.page.get_by_label("The other team as text or code").bounding_box()
    assert box is not None
    assert field is not None
    assert 0 <= box["y"] < 720
    assert 0 <= box["y"] - (field["y"] + field["height"]) < 30
    assert [p for p in you.problems if "400" not in p] == []
    you.problems.clear()  # the browser logs the refusal as an error


def test_clock_settings_are_sent_with_a_new_game(visit: Visit) -> None:
    you = visit()
    you.go("/new")
    you.page.get_by_label("Clock").select_option("both")
    you.page.get_by_label("Minutes for the game").fill("20")
    you.page.get_by_label("Seconds for each move").fill("90")
    with you.page.expect_request(re.compile(r"/api/games$")) as request:
        you.button("Open the table").click()
    assert request.value.post_data is not None
    assert json.loads(request.value.post_data)["clock"] == {"minutes": 20, "increment": 10, "choice": 90}
    you.page.wait_for_selector(".bar")


def test_formats_that_need_a_draft_are_not_offered(visit: Visit) -> None:
    you = visit()
    you.go("/new")
    you.page.wait_for_selector("option[value=tournament]", state="attached")
    offered = you.page.get_by_label("Format").locator("option").all_inner_texts()
    assert not [name for name in offered if "Draft" in name]


def test_solitaire_and_one_screen_are_two_clicks_away(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Solitaire").click()
    you.button("Normal").click()
    you.page.wait_for_selector(".bar")
    you.go()
    you.button("Play a friend").click()
    you.button("On this screen").click()
    you.page.wait_for_selector(".bar")


def test_record_opens_from_a_file_and_an_overlong_file_is_refused(visit: Visit, tmp_path: Path) -> None:
    game = Game.new("ai", seed=3)
    for _ in range(10):
        game.play(0)
    record, other = tmp_path / "game.txt", tmp_path / "other.txt"
    record.write_text(game.record, encoding="utf-8")
    other.write_text("x" * 1_000_001, encoding="utf-8")
    you = visit()
    you.go()
    you.button("Watch").click()
    you.page.get_by_label("Or open a file").set_input_files(other)
    you.page.get_by_role("alert").filter(has_text="too long").wait_for()
    you.page.get_by_label("Or open a file").set_input_files(record)
    you.page.wait_for_url(re.compile(r"/r/"))
    you.page.locator(".count", has_text="of 10").wait_for()


def test_puzzles_and_drafts_are_one_click_away(visit: Visit) -> None:
    you = visit()
    for name, path in (("Puzzles", "/puzzles"), ("Draft", "/draft")):
        you.go()
        you.page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        you.page.wait_for_url(re.compile(rf"{path}$"))
        you.page.get_by_role("heading", level=1, name=name).wait_for()
        you.page.go_back()
        you.page.locator(f"a.way[href='{path}']").click()
        you.page.wait_for_url(re.compile(rf"{path}$"))
