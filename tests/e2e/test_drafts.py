"""Drafts in browsers: friends by links, picks at one moment, coming back after a reload, and the match at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.draft_client import draft_until, open_draft
from tests.e2e.support.page_driver import expect
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]


def take(one: Visitor, n: int) -> str:
    """Take the n-th card that is offered; give its title."""
    tile = one.page.locator("button.tile").nth(n)
    title = tile.locator(".tt b").inner_text()
    tile.click()
    one.page.locator(".deed .button.main").click()
    return title


def test_three_friends_draft_by_links_and_pick_at_one_moment(visit: Visit) -> None:
    ann = visit()
    ann.go("/draft")
    ann.page.get_by_label("Drafters").select_option("3")
    ann.page.get_by_label("Friends by link").select_option("2")
    ann.button("Open the draft").click()
    links = ann.page.locator(".invite input")
    links.nth(1).wait_for()
    people = [ann]
    for link in [links.nth(n).input_value() for n in range(2)]:
        people.append(visit())
        people[-1].go(f"/draft/{link.split('/draft/')[1]}")
    for one in people:
        one.page.locator("button.tile").nth(3).wait_for()  # of twelve cards some may be alike
        expect(one.page.locator(".line")).to_contain_text("Pile 1 of 2 · 12 cards in hand", use_inner_text=True)
        expect(one.page.locator(".round .you")).to_have_text("You pick", use_inner_text=True)
    mira = people[2]
    title = take(mira, 3)  # before anybody else
    mira.page.get_by_text("You have picked").wait_for()
    expect(mira.page.locator("section", has_text="Your cards · 1")).to_contain_text(title)
    # nothing of it is seen elsewhere, but that she is ready
    ann.page.locator(".round li", has_text="ready").wait_for()
    expect(ann.page.locator("main")).to_contain_text("Your cards · 0")
    mira.page.reload()
    mira.page.get_by_text("You have picked").wait_for()
    for one in people[:2]:
        take(one, 0)
    for one in people:
        one.page.get_by_text("11 cards in hand").wait_for()


def test_the_drafters_play_their_match_with_what_they_have_drafted(visit: Visit, server: LiveServer) -> None:
    draft, chairs = open_draft(server, players=3, people=2, name="Ann")
    secrets = [*chairs.values()]
    draft_until(server, draft, secrets, "over")
    ann, rolf = visit(), visit()
    ann.go(f"/draft/{draft}#{secrets[0]}")
    rolf.go(f"/draft/{draft}#{secrets[1]}")
    rolf.page.locator(".matches li").first.wait_for()
    ann.page.locator(".matches li", has_text="against").first.get_by_role("button").click()
    ann.page.wait_for_selector(".bar")
    rolf.page.get_by_role("button", name="To the game").click()
    rolf.page.wait_for_selector(".bar")
    assert ann.page.url.split("#")[0] == rolf.page.url.split("#")[0]
    for one in (ann, rolf):
        one.page.wait_for_function("() => document.querySelector('.table')?.dataset.version > 1")
    ann.page.locator(".deck.mine .tile").first.wait_for()


def test_who_opens_a_draft_says_a_name_and_is_not_greeted_as_a_guest(visit: Visit) -> None:
    you = visit()
    you.go("/draft")
    you.page.get_by_label("Your name").fill("")
    you.page.get_by_label("Your name").blur()
    you.button("Open the draft").click()
    expect(you.page.locator("input:invalid")).to_have_count(1)
    assert you.page.url.endswith("/draft")
    you.page.get_by_label("Your name").fill("Eve")
    you.button("Open the draft").click()
    you.page.locator("button.tile").first.wait_for()


def test_a_whole_draft_with_bots_on_a_phone(visit: Visit) -> None:
    from playwright.sync_api import TimeoutError as TooLateError

    you = visit(390, 844, touch=True)
    you.go("/draft")
    you.page.get_by_label("Drafters").select_option("2")
    you.button("Open the draft").click()
    patience = 5_000  # milliseconds
    for _ in range(120):
        you.page.wait_for_selector("button.tile, .deed .button, .matches")
        if you.page.locator(".matches").count():
            break
        tiles = you.page.locator("button.tile")
        try:
            number = you.page.locator("section h2", has_text="Your cards").inner_text(timeout=patience)
            before = number + you.page.locator("h1").inner_text() + you.page.locator("main").inner_text()
            if tiles.count():
                tiles.first.click(timeout=patience)
                you.page.locator(".deed .button.main:enabled").last.click(timeout=patience)
            else:
                you.page.locator(".deed .button").first.click(timeout=patience)
        except TooLateError:
            # what was there has gone meanwhile, for bots pick too; or the machine is slow
            patience *= 2
            assert patience <= 80_000, "nothing can be picked"
            continue
        patience = 5_000
        you.page.wait_for_function(
            "b => { const q = (s) => document.querySelector(s)?.innerText ?? ''; "
            "return document.querySelector('.matches') || [...document.querySelectorAll('section h2')]"
            ".map(e => e.innerText).find(t => t.includes('Your cards')) + q('h1') + q('main') !== b }",
            arg=before,
        )
    you.page.locator(".matches").wait_for()
    expect(you.page.locator("main section h2", has_text="Your team")).to_have_count(1)
