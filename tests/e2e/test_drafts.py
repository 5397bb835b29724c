"""Drafts in browsers: joining by link, simultaneous picks, reload, and the match at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.draft_client import draft_until, open_draft
from tests.e2e.support.page_driver import expect
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]


def pick_card(one: Visitor, n: int) -> str:
    """Pick the n-th offered card; return its title."""
    tile = one.page.locator("button.tile").nth(n)
    title = tile.locator(".tt b").inner_text()
    tile.click()
    one.page.locator(".deed .button.main").click()
    return title


def test_three_friends_draft_by_link_and_pick_simultaneously(visit: Visit) -> None:
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
        one.page.locator("button.tile").nth(3).wait_for()  # some of the twelve cards may be equal
        expect(one.page.locator(".line")).to_contain_text("Pile 1 of 2 · 12 cards in hand", use_inner_text=True)
        expect(one.page.locator(".round .you")).to_have_text("You pick", use_inner_text=True)
    mira = people[2]
    title = pick_card(mira, 3)  # before the others
    mira.page.get_by_text("You have picked").wait_for()
    expect(mira.page.locator("section", has_text="Your cards · 1")).to_contain_text(title)
    # the others see only that she is ready
    ann.page.locator(".round li", has_text="ready").wait_for()
    expect(ann.page.locator("main")).to_contain_text("Your cards · 0")
    mira.page.reload()
    mira.page.get_by_text("You have picked").wait_for()
    for one in people[:2]:
        pick_card(one, 0)
    for one in people:
        one.page.get_by_text("11 cards in hand").wait_for()


def test_drafters_play_their_match_after_the_draft(visit: Visit, server: LiveServer) -> None:
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


def test_draft_host_must_enter_a_name_and_is_not_treated_as_a_guest(visit: Visit) -> None:
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


def test_draft_with_bots_can_be_finished_on_a_phone(visit: Visit) -> None:
    from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

    you = visit(390, 844, touch=True)
    you.go("/draft")
    you.page.get_by_label("Drafters").select_option("2")
    you.button("Open the draft").click()
    timeout = 5_000  # milliseconds
    for _ in range(120):
        you.page.wait_for_selector("button.tile, .deed .button, .matches")
        if you.page.locator(".matches").count():
            break
        tiles = you.page.locator("button.tile")
        try:
            number = you.page.locator("section h2", has_text="Your cards").inner_text(timeout=timeout)
            before = number + you.page.locator("h1").inner_text() + you.page.locator("main").inner_text()
            if tiles.count():
                tiles.first.click(timeout=timeout)
                you.page.locator(".deed .button.main:enabled").last.click(timeout=timeout)
            else:
                you.page.locator(".deed .button").first.click(timeout=timeout)
        except PlaywrightTimeoutError:
            # the element has gone, since bots pick too, or the machine is slow
            timeout *= 2
            assert timeout <= 80_000, "nothing can be picked"
            continue
        timeout = 5_000
        you.page.wait_for_function(
            "b => { const q = (s) => document.querySelector(s)?.innerText ?? ''; "
            "return document.querySelector('.matches') || [...document.querySelectorAll('section h2')]"
            ".map(e => e.innerText).find(t => t.includes('Your cards')) + q('h1') + q('main') !== b }",
            arg=before,
        )
    you.page.locator(".matches").wait_for()
    expect(you.page.locator("main section h2", has_text="Your team")).to_have_count(1)
