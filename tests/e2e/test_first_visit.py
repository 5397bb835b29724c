"""Somebody who has never seen the game: start, the lesson to its end, the first game to its end; by keyboard too."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.e2e.support.page_driver import HEARD, HeldBack, Visitor, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Visit = Callable[..., Visitor]
LESSONS = ("first-game", "keywords", "globals", "pairing", "scripted-opponent")


# what the coach says and the table shows
STANDS = "(document.querySelector('.bubble')?.innerText ?? '') + document.querySelector('.table')?.dataset.version"

# where the bubble lies: in the window, over what it points at, over the bar
BESIDE = """() => {
    const b = document.querySelector('.bubble').getBoundingClientRect();
    const over = (r) => Math.max(0, Math.min(b.right, r.right) - Math.max(b.left, r.left)) *
        Math.max(0, Math.min(b.bottom, r.bottom) - Math.max(b.top, r.top));
    const rings = [...document.querySelectorAll('.veil .ring')].map((e) => e.getBoundingClientRect());
    const bar = document.querySelector('.table .bar').getBoundingClientRect();
    return {inside: b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight,
        rings: rings.length, on: rings.map(over).reduce((x, y) => x + y, 0), bar: over(bar)};
}"""


# notes whether the bubble was seen, and how many veils there were, when the coach began to wait: it goes by itself
WAITS = """() => {
    new MutationObserver(() => {
        const bubble = document.querySelector('.bubble.waits');
        if (bubble) window.waits ??= [getComputedStyle(bubble).visibility, document.querySelectorAll('.veil').length];
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""


RINGS_THE_TAB = """name => {
    const rings = [...document.querySelectorAll('.veil .ring')].map(r => r.getBoundingClientRect());
    const ringed = [...document.querySelectorAll('.tabs .chip')].filter(tab => {
        const t = tab.getBoundingClientRect(), x = t.x + t.width / 2, y = t.y + t.height / 2;
        return rings.some(r => r.left < x && x < r.right && r.top < y && y < r.bottom);
    });
    return ringed.length === 1 && ringed[0].textContent.startsWith(name);
}"""


def said(you: Visitor) -> Locator:
    return you.page.locator(".bubble .text")


def test_a_newcomer_learns_and_plays_the_first_game_to_its_end(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go()
    you.page.get_by_role("link", name="Learn in 5 minutes").click()
    expect(you.page.locator(".bubble h2")).to_have_text("Four dice a turn")
    you.button("Keep all").click()  # a wrong try
    you.page.locator(".bubble.wrong").wait_for()
    expect(said(you)).to_contain_text("buy nothing here")
    expect(you.page.locator(".bubble .task")).to_contain_text("Pick the mask and the bolt")
    for sign in ("mask", "bolt"):
        you.page.get_by_role("button", name=re.compile(f"Sidekick, 1 {sign}|{sign}")).first.click()
    you.button("Reroll 2").click()
    you.page.locator(".bubble.praise").wait_for()
    you.button("Next").click()
    you.page.get_by_role("heading", name="Energy is money").wait_for()
    you.page.locator(".deck.mine .tile", has_text="Black Widow").click()
    you.page.get_by_role("button", name=re.compile("Buy for 2")).first.click()  # it has a Global too: a choice opens
    you.page.get_by_role("heading", name="Pay", exact=True).wait_for()
    you.page.wait_for_url("**/learn/first-game#3")
    you.page.reload()  # it can be left, and is resumed
    you.page.get_by_role("heading", name="Pay", exact=True).wait_for()
    you.show_me_to_the_end()
    you.button("Play your first game").click()
    you.page.wait_for_url(re.compile("/g/"))
    assert you.play_out()


def test_on_a_phone_the_coach_points_at_the_tab_he_speaks_of(visit: Visit) -> None:
    you = visit(390, 844, touch=True)
    you.go("/learn/first-game#8")
    you.page.locator(".bubble .text", has_text="Under Globals").wait_for()
    you.page.wait_for_function(RINGS_THE_TAB, arg="Globals")  # measured again until the tabs are laid


def test_the_coach_goes_on_with_each_choice_of_a_step(visit: Visit) -> None:
    you = visit()
    you.go("/learn/first-game#6")
    you.page.locator(".bubble .text", has_text="Go on to the attack").wait_for()
    you.go_on()
    you.page.locator(".bubble .text", has_text="Choose Black Widow and the Sidekick").wait_for()
    for _ in range(2):
        you.page.locator(".near .field [data-lit]").first.click()
    you.button("Attack with 2").click()
    you.page.locator(".bubble .text", has_text="Let the damage happen").wait_for()
    you.go_on()
    you.page.locator(".bubble.praise").wait_for()


def test_the_coach_waits_while_what_was_done_is_shown(visit: Visit) -> None:
    you = visit()
    you.go("/learn")
    you.page.evaluate("localStorage['dicemasters settings'] = JSON.stringify({speed: 'slow', name: 'Ann'})")
    you.go("/learn/keywords#5")
    you.page.locator(".bubble .text", has_text="let her block").wait_for()
    you.page.evaluate(WAITS)
    you.button("Show me").click()
    you.page.locator(".bubble.praise").wait_for()
    assert you.page.evaluate("() => window.waits") == ["hidden", 0]
    expect(you.page.locator(".bubble.waits")).to_have_count(0)


def test_the_log_of_a_lesson_about_the_script_shows_its_rule(visit: Visit) -> None:
    you = visit()
    you.go("/learn/scripted-opponent#4")
    you.page.get_by_role("heading", name="It always says why").wait_for()
    you.page.locator(".log p.why", has_text="(S23)").wait_for()


def test_a_step_that_was_left_while_a_choice_was_on_its_way_stays_left(visit: Visit) -> None:
    you = visit()
    you.page.add_init_script(HEARD)
    you.go("/learn/first-game#6")
    you.page.locator(".bubble .text", has_text="Go on to the attack").wait_for()
    choice = HeldBack(you, "/api/lessons/first-game/5/0")
    you.go_on()
    you.page.locator(".bar:not(.mine)").wait_for()
    choice.wait()
    you.button("Back").click()
    you.page.locator(".bubble", has_text="5 of").wait_for()
    version = you.version
    choice.let_go_and_wait()  # what came of it would be shown at this moment
    assert you.version == version
    expect(you.page.locator(".bubble:not(.waits)")).to_contain_text("5 of")


def test_a_lesson_that_was_left_is_offered_again_where_it_was_left(visit: Visit) -> None:
    you = visit()
    you.go("/learn/first-game#4")
    you.page.get_by_role("heading", name="Send a Sidekick into the field").wait_for()
    you.page.get_by_role("link", name="Leave the lesson").click()
    you.page.get_by_role("link", name="Go on: 4 of 11: Your first game").wait_for()
    you.go()
    you.page.get_by_role("link", name="Go on with the lesson, step 4").click()
    you.page.get_by_role("heading", name="Send a Sidekick into the field").wait_for()


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_gone_through_to_its_end(visit: Visit, lesson: str) -> None:
    you = visit(1280, 720)
    you.go(f"/learn/{lesson}")
    you.show_me_to_the_end()
    you.page.get_by_role("heading", name="You have done it").wait_for()
    you.go("/learn")
    you.page.get_by_text("done").wait_for()


@pytest.mark.parametrize("steps", [range(1, 4), range(4, 7), range(7, 10), range(10, 12)], ids=str)
def test_the_bubble_is_in_sight_and_covers_neither_what_it_points_at_nor_the_bar(visit: Visit, steps: range) -> None:
    you = visit()
    for step in steps:
        you.go(f"/learn/first-game#{step}")
        if step > steps[0]:
            you.page.reload()  # the same page with another step
        you.page.locator(".bubble", has_text=re.compile(rf"\b{step} of 11", re.IGNORECASE)).wait_for()
        you.page.locator(".veil .ring").first.wait_for()
        for width, height in [(1280, 720), (820, 1180), (390, 844), (844, 390)]:
            you.resize(width, height)
            seen = you.page.evaluate(BESIDE)
            assert seen["inside"], (step, width)
            assert seen["rings"] > 0, (step, width)
            assert seen["on"] < 0.1 * width * height, (step, width, seen)
            assert seen["bar"] == 0, (step, width, seen)


def test_a_lesson_goes_by_keyboard_alone(visit: Visit) -> None:
    you = visit(1280, 720)
    you.go("/learn/first-game#6")
    you.page.get_by_role("heading", name="Attack", exact=True).wait_for()
    you.page.wait_for_function(
        "() => document.activeElement.className.startsWith('bubble')"
    )  # what is said is read first
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("a")  # Attack
    you.page.locator(".bar .question", has_text="Who attacks?").wait_for()
    for _ in range(300):
        if you.page.locator("main.over").count():
            break
        label, before = you.page.evaluate(f"[document.activeElement.textContent.trim(), {STANDS}]")
        if label in ("Show me", "Next", "Got it", "Deal damage"):
            you.page.keyboard.press("Enter")
            you.page.wait_for_function(
                f"(before) => document.querySelector('main.over') || {STANDS} !== before", arg=before
            )
        else:
            you.page.keyboard.press("Tab")
    you.page.get_by_role("heading", name="You have done it").wait_for()


CLEAR = """() => {
  const at = document.querySelector('.hints')?.getBoundingClientRect();
  const dice = [...document.querySelectorAll('.near [data-die]')];
  return at && dice.length && dice.every((e) => {
    const r = e.getBoundingClientRect();
    return r.right <= at.left || r.left >= at.right || r.bottom <= at.top || r.top >= at.bottom;
  });
}"""


def test_the_coach_in_a_game_says_what_the_step_is_for_and_is_turned_off(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go()
    you.button("Play now").click()
    you.wait()
    hints = you.page.locator(".hints")  # in the first game here he speaks unasked
    hints.locator("li.step").first.wait_for()
    expect(hints.locator("li.step")).to_have_count(1)
    you.button("Keep all").or_(you.button("Go first")).click()
    you.page.wait_for_function(CLEAR)
    you.button("Turn the coach off").click()
    hints.wait_for(state="detached")
    you.button("Coach").click()
    hints.locator("li.step").first.wait_for()


def test_how_to_play_is_printed_on_one_page(visit: Visit) -> None:
    you = visit()
    you.go("/how-to-play")
    you.page.locator(".tile").wait_for()
    for paper in ("A4", "Letter"):
        page = you.page.pdf(format=paper, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", page)) == 1
