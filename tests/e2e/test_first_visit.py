"""The first visit: start page, lessons, coach and a first game, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.e2e.support.page_driver import RECORD_RESPONSES, HeldRequest, Visitor, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Visit = Callable[..., Visitor]
LESSONS = ("first-game", "keywords", "globals", "pairing", "scripted-opponent")


# text of the coach and version of the table
COACH_STATE = "(document.querySelector('.bubble')?.innerText ?? '') + document.querySelector('.table')?.dataset.version"

# position of the bubble: inside the window, over its target, over the bar
BUBBLE_POSITION = """() => {
    const b = document.querySelector('.bubble').getBoundingClientRect();
    const over = (r) => Math.max(0, Math.min(b.right, r.right) - Math.max(b.left, r.left)) *
        Math.max(0, Math.min(b.bottom, r.bottom) - Math.max(b.top, r.top));
    const rings = [...document.querySelectorAll('.veil .ring')].map((e) => e.getBoundingClientRect());
    const bar = document.querySelector('.table .bar').getBoundingClientRect();
    return {inside: b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight,
        rings: rings.length, on: rings.map(over).reduce((x, y) => x + y, 0), bar: over(bar)};
}"""


# records the bubble's visibility and the number of veils when the coach starts waiting, since the state passes quickly
RECORD_WAITING = """() => {
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


def bubble_text(you: Visitor) -> Locator:
    return you.page.locator(".bubble .text")


def test_newcomer_finishes_the_lesson_and_a_first_game(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go()
    you.page.get_by_role("link", name="Learn in 5 minutes").click()
    expect(you.page.locator(".bubble h2")).to_have_text("Four dice a turn")
    you.button("Keep all").click()  # a wrong answer
    you.page.locator(".bubble.wrong").wait_for()
    expect(bubble_text(you)).to_contain_text("buy nothing here")
    expect(you.page.locator(".bubble .task")).to_contain_text("Pick the mask and the bolt")
    for sign in ("mask", "bolt"):
        you.page.get_by_role("button", name=re.compile(f"Sidekick, 1 {sign}|{sign}")).first.click()
    you.button("Reroll 2").click()
    you.page.locator(".bubble.praise").wait_for()
    you.button("Next").click()
    you.page.get_by_role("heading", name="Energy is money").wait_for()
    you.page.locator(".deck.mine .tile", has_text="Black Widow").click()
    you.page.get_by_role(
        "button", name=re.compile("Buy for 2")
    ).first.click()  # a menu opens, since the card has a Global too
    you.page.get_by_role("heading", name="Pay", exact=True).wait_for()
    you.page.wait_for_url("**/learn/first-game#3")
    you.page.reload()  # the lesson can be left and resumed
    you.page.get_by_role("heading", name="Pay", exact=True).wait_for()
    you.finish_lesson()
    you.button("Play your first game").click()
    you.page.wait_for_url(re.compile("/g/"))
    assert you.play_out()


def test_coach_points_at_the_right_tab_on_a_phone(visit: Visit) -> None:
    you = visit(390, 844, touch=True)
    you.go("/learn/first-game#8")
    you.page.locator(".bubble .text", has_text="Under Globals").wait_for()
    you.page.wait_for_function(RINGS_THE_TAB, arg="Globals")  # repeated until the tabs are laid out


def test_lesson_advances_with_each_choice_of_a_step(visit: Visit) -> None:
    you = visit()
    you.go("/learn/first-game#6")
    you.page.locator(".bubble .text", has_text="Go on to the attack").wait_for()
    you.proceed()
    you.page.locator(".bubble .text", has_text="Choose Black Widow and the Sidekick").wait_for()
    for _ in range(2):
        you.page.locator(".near .field [data-lit]").first.click()
    you.button("Attack with 2").click()
    you.page.locator(".bubble .text", has_text="Let the damage happen").wait_for()
    you.proceed()
    you.page.locator(".bubble.praise").wait_for()


def test_coach_waits_while_a_move_is_shown(visit: Visit) -> None:
    you = visit()
    you.go("/learn")
    you.page.evaluate("localStorage['dicemasters settings'] = JSON.stringify({speed: 'slow', name: 'Ann'})")
    you.go("/learn/keywords#5")
    you.page.locator(".bubble .text", has_text="let her block").wait_for()
    you.page.evaluate(RECORD_WAITING)
    you.button("Show me").click()
    you.page.locator(".bubble.praise").wait_for()
    assert you.page.evaluate("() => window.waits") == ["hidden", 0]
    expect(you.page.locator(".bubble.waits")).to_have_count(0)


def test_log_of_the_scripted_opponent_lesson_cites_the_rule(visit: Visit) -> None:
    you = visit()
    you.go("/learn/scripted-opponent#4")
    you.page.get_by_role("heading", name="It always says why").wait_for()
    you.page.locator(".log p.why", has_text="(S23)").wait_for()


def test_late_answer_does_not_return_to_a_step_that_was_left(visit: Visit) -> None:
    you = visit()
    you.page.add_init_script(RECORD_RESPONSES)
    you.go("/learn/first-game#6")
    you.page.locator(".bubble .text", has_text="Go on to the attack").wait_for()
    choice = HeldRequest(you, "/api/lessons/first-game/5/0")
    you.proceed()
    you.page.locator(".bar:not(.mine)").wait_for()
    choice.wait()
    you.button("Back").click()
    you.page.locator(".bubble", has_text="5 of").wait_for()
    version = you.version
    choice.release_and_wait()  # the late answer would be shown now
    assert you.version == version
    expect(you.page.locator(".bubble:not(.waits)")).to_contain_text("5 of")


def test_abandoned_lesson_resumes_at_its_step(visit: Visit) -> None:
    you = visit()
    you.go("/learn/first-game#4")
    you.page.get_by_role("heading", name="Send a Sidekick into the field").wait_for()
    you.page.get_by_role("link", name="Leave the lesson").click()
    you.page.get_by_role("link", name="Go on: 4 of 11: Your first game").wait_for()
    you.go()
    you.page.get_by_role("link", name="Go on with the lesson, step 4").click()
    you.page.get_by_role("heading", name="Send a Sidekick into the field").wait_for()


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_can_be_finished(visit: Visit, lesson: str) -> None:
    you = visit(1280, 720)
    you.go(f"/learn/{lesson}")
    you.finish_lesson()
    you.page.get_by_role("heading", name="You have done it").wait_for()
    you.go("/learn")
    you.page.get_by_text("done").wait_for()


@pytest.mark.parametrize("steps", [range(1, 4), range(4, 7), range(7, 10), range(10, 12)], ids=str)
def test_bubble_is_visible_and_covers_neither_its_target_nor_the_bar(visit: Visit, steps: range) -> None:
    you = visit()
    for step in steps:
        you.go(f"/learn/first-game#{step}")
        if step > steps[0]:
            you.page.reload()  # only the hash has changed
        you.page.locator(".bubble", has_text=re.compile(rf"\b{step} of 11", re.IGNORECASE)).wait_for()
        you.page.locator(".veil .ring").first.wait_for()
        for width, height in [(1280, 720), (820, 1180), (390, 844), (844, 390)]:
            you.resize(width, height)
            seen = you.page.evaluate(BUBBLE_POSITION)
            assert seen["inside"], (step, width)
            assert seen["rings"] > 0, (step, width)
            assert seen["on"] < 0.1 * width * height, (step, width, seen)
            assert seen["bar"] == 0, (step, width, seen)


def test_lesson_can_be_finished_by_keyboard(visit: Visit) -> None:
    you = visit(1280, 720)
    you.go("/learn/first-game#6")
    you.page.get_by_role("heading", name="Attack", exact=True).wait_for()
    you.page.wait_for_function(
        "() => document.activeElement.className.startsWith('bubble')"
    )  # focused, so that it is read first
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("a")  # Attack
    you.page.locator(".bar .question", has_text="Who attacks?").wait_for()
    for _ in range(300):
        if you.page.locator("main.over").count():
            break
        label, before = you.page.evaluate(f"[document.activeElement.textContent.trim(), {COACH_STATE}]")
        if label in ("Show me", "Next", "Got it", "Deal damage"):
            you.page.keyboard.press("Enter")
            you.page.wait_for_function(
                f"(before) => document.querySelector('main.over') || {COACH_STATE} !== before", arg=before
            )
        else:
            you.page.keyboard.press("Tab")
    you.page.get_by_role("heading", name="You have done it").wait_for()


DICE_UNCOVERED = """() => {
  const at = document.querySelector('.hints')?.getBoundingClientRect();
  const dice = [...document.querySelectorAll('.near [data-die]')];
  return at && dice.length && dice.every((e) => {
    const r = e.getBoundingClientRect();
    return r.right <= at.left || r.left >= at.right || r.bottom <= at.top || r.top >= at.bottom;
  });
}"""


def test_coach_explains_the_step_in_a_game_and_can_be_turned_off(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go()
    you.button("Play now").click()
    you.wait()
    hints = you.page.locator(".hints")  # the coach is on in the first game
    hints.locator("li.step").first.wait_for()
    expect(hints.locator("li.step")).to_have_count(1)
    you.button("Keep all").or_(you.button("Go first")).click()
    you.page.wait_for_function(DICE_UNCOVERED)
    you.button("Turn the coach off").click()
    hints.wait_for(state="detached")
    you.button("Coach").click()
    hints.locator("li.step").first.wait_for()


def test_how_to_play_prints_on_one_page(visit: Visit) -> None:
    you = visit()
    you.go("/how-to-play")
    you.page.locator(".tile").wait_for()
    for paper in ("A4", "Letter"):
        page = you.page.pdf(format=paper, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", page)) == 1
