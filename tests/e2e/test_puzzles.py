"""Puzzles in a browser: solved with the mouse and by keyboard, failed and taken back, hinted at, shown, day after day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest
from tests.e2e.scenes import ANGEL, BUY, at_puzzle, fail, of_puzzle, solve_angel
from tests.e2e.support.page_driver import HEARD, HeldBack, Visitor, expect
from tests.support.live_server import LiveServer

from dicemasters.puzzles.puzzle import collection, puzzle_of_day
from dicemasters.puzzles.solver import PuzzleGoal

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Visit = Callable[..., Visitor]

BESIDE = """
() => {
  const [task, ...played] = ['.bubble', '.stage', '.bar'].map((one) => document.querySelector(one).getBoundingClientRect());
  return played.every((one) => task.left >= one.right || task.right <= one.left || task.top >= one.bottom || task.bottom <= one.top);
}
"""


# the focus is on the bubble, so that what it says is read first
FOCUSED = "(is) => document.activeElement.className.startsWith(is)"


def says(you: Visitor) -> Locator:
    return you.page.locator(".bubble .text")


def test_a_puzzle_is_solved_with_the_mouse_and_leads_to_the_next(visit: Visit, server: LiveServer) -> None:
    you = visit(1440, 900)
    you.go()
    you.page.get_by_role("link", name="Puzzles One a day").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy", exact=True).click()
    you.wait()
    expect(says(you)).to_have_text(re.compile("^Exactly one way wins this turn"))
    solve_angel(you)
    expect(you.page.locator("main.over").get_by_text("At the first try.")).to_have_count(1)
    you.page.get_by_role("link", name="Next puzzle").click()
    you.page.wait_for_url(re.compile(rf"/puzzles/(?!{ANGEL}$)\d+$"))
    you.wait()
    you.page.get_by_role("link", name="All puzzles").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy, solved", exact=True).wait_for()
    you.page.get_by_text("1 of 260 solved").wait_for()


def test_tries_are_counted_over_visits(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    fail(you)
    you.page.reload()
    you.wait()
    solve_angel(you)
    expect(you.page.locator("main.over")).to_contain_text("At the second try.")


def test_a_puzzle_is_solved_by_keyboard_alone(visit: Visit) -> None:
    you = visit(1280, 720)
    keys = you.page.keyboard
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(FOCUSED, arg="bubble")  # the task is read first

    def focus(name: str) -> None:
        for _ in range(20):
            keys.press("n")  # to the next thing that is lit
            if name in you.page.evaluate("document.activeElement.textContent"):
                return
        raise AssertionError(f"{name} is not lit")

    focus("Angel")
    keys.press("Enter")
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    keys.press("a")
    you.page.locator(".bar .question", has_text="Who attacks?").wait_for()
    focus("Angel")
    keys.press("Enter")
    you.page.locator(".bar .button.main:enabled", has_text="Attack with 1").wait_for()
    for _ in range(40):
        if you.page.evaluate("document.activeElement.textContent").strip().startswith("Attack with 1"):
            break
        keys.press("Tab")
    keys.press("Enter")
    for _ in range(5):
        you.page.wait_for_selector("main.over, .bar.mine")
        if you.page.locator("main.over").count():
            break
        you.page.locator(".bar.mine").focus()
        keys.press("Enter")
        you.page.wait_for_selector("main.over, .bar:not(.mine)")
    you.page.get_by_role("heading", name="Solved").wait_for()


def test_a_wrong_try_is_told_why_and_taken_back_or_begun_again(visit: Visit, server: LiveServer) -> None:
    you = visit()
    at_puzzle(ANGEL, fail)(you, server)
    expect(says(you)).to_contain_text("your opponent has 2 life left")
    expect(you.page.locator("[data-lit]")).to_have_count(0)  # the try is over
    you.page.wait_for_function(FOCUSED, arg="bubble wrong")
    of_puzzle("Take back", "Exactly one way")(you)
    expect(you.page.locator(".question")).to_have_text("Your main step")
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("e")  # end the turn, though Angel could attack
    you.page.locator(".bubble.wrong").wait_for()
    of_puzzle("Begin again", "Exactly one way")(you)
    expect(you.page.locator(".near .field [data-die]")).to_have_count(0)
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("u")  # what does no harm can be taken back too
    you.page.locator(".near .field [data-die]").wait_for(state="detached")
    solve_angel(you)
    you.page.get_by_text("At the third try.").wait_for()


def test_a_puzzle_begun_again_while_a_choice_is_on_its_way_stays_begun_again(visit: Visit, server: LiveServer) -> None:
    you = visit()
    you.page.add_init_script(HEARD)
    at_puzzle(ANGEL)(you, server)
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    choice = HeldBack(you, f"/api/puzzles/{ANGEL}")
    you.go_on()
    you.page.locator(".bar:not(.mine)").wait_for()
    choice.wait()
    you.page.locator(".top").get_by_role("button", name="Begin again").click()
    you.page.locator(".near .field [data-die]").wait_for(state="detached")
    you.wait()
    version = you.version
    choice.let_go_and_wait()  # what came of it would be shown at this moment
    assert (you.question, you.version) == ("Your main step", version)
    solve_angel(you)


def test_hints_tell_more_and_the_solution_is_gone_through_and_then_does_not_count(visit: Visit) -> None:
    you = visit()
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    of_puzzle("Hint", "2 things have to be done")(you)
    of_puzzle("Hint", "Field Angel")(you)
    of_puzzle("Solution", "does not count as solved")(you)
    of_puzzle("Not yet", "Exactly one way")(you)
    you.wait()
    of_puzzle("Solution", "does not count as solved")(you)
    of_puzzle("Look", "What has to be done: Field Angel")(you)
    of_puzzle("Next move", "You: Field Angel")(you)
    you.page.locator(".near .field [data-die]").wait_for()
    steps = len(collection()[ANGEL].line)
    for _ in range(steps - 1):
        you.page.keyboard.press("ArrowRight")
    you.page.locator(".bubble .cap", has_text=f"move {steps} of {steps}").wait_for()
    you.page.keyboard.press("ArrowLeft")
    you.page.locator(".bubble .cap", has_text=f"move {steps - 1} of {steps}").wait_for()
    of_puzzle("Try it yourself", "Exactly one way")(you)
    solve_angel(you)
    you.page.get_by_text("You had seen the solution").wait_for()
    you.page.get_by_role("link", name="All puzzles").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy, solution seen", exact=True).wait_for()


def test_the_wrong_buy_does_not_tell_the_right_one_which_is_then_shown_beside_all_others(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{BUY}")
    you.wait()
    best = collection()[BUY].way[0].removeprefix("buy ")
    you.page.locator(".deck .tile.lit").filter(has_not_text=best).first.click()
    you.page.locator(".bubble.wrong, .stage .menu").first.wait_for()
    if you.page.locator(".stage .menu").count():
        you.page.locator(".stage .menu .button").first.click()
    you.page.locator(".bubble.wrong").wait_for()
    expect(says(you)).to_contain_text("of 600 games")
    expect(says(you)).not_to_contain_text(best)
    of_puzzle("Take back", "One die is better")(you)
    you.page.locator(".deck .tile.lit").filter(has_text=best).first.click()
    you.page.locator("main.over table").wait_for()
    rows = you.page.locator("main.over tr")
    expect(rows).to_have_count(len(collection()[BUY].line))
    expect(rows.first).to_contain_text(best)


def solve_buy_of(you: Visitor, server: LiveServer, number: int) -> None:
    """Solve a puzzle that asks what to buy."""
    options = server.get(f"/api/puzzles/{number}")["view"]["decision"]["options"]
    (best,) = [option["number"] for option in options if option["text"] == collection()[number].way[0]]
    you.page.locator(f"[data-spot=option{best}]").click()
    you.page.get_by_role("heading", name="Solved").wait_for()


def test_the_days_puzzle_makes_a_row_of_days(visit: Visit, server: LiveServer) -> None:
    """Two days whose puzzles take one choice each: the second begins where the first has ended."""
    begin = datetime(2026, 11, 16, 12, tzinfo=UTC)
    day = next(
        day
        for day in count(begin.toordinal())
        if all(puzzle_of_day(one).goal is PuzzleGoal.BUY for one in (day, day + 1))
        and puzzle_of_day(day) is not puzzle_of_day(day + 1)
    )
    first = begin + timedelta(days=day - begin.toordinal())
    you = visit()
    for n in range(2):
        at = first + timedelta(days=n)
        number = puzzle_of_day(at.toordinal()).number
        you.page.clock.set_fixed_time(at)
        you.go("/puzzles")
        you.page.get_by_text(f"{at:%B} {at.day}").wait_for()
        expect(you.page.get_by_role("link", name="Solve it")).to_be_visible()
        expect(you.page.get_by_text("1 day in a row")).to_have_count(n)
        you.page.get_by_role("link", name="Solve it").click()
        you.page.wait_for_url(f"**/puzzles/{number}")
        you.wait()
        solve_buy_of(you, server, number)
        you.page.locator("main.over", has_text="1 day in a row" if n == 0 else "2 days in a row").wait_for()
    you.page.clock.set_fixed_time(first + timedelta(days=3))  # a day is left out
    you.go("/puzzles")
    you.page.get_by_text("Solve it to start a streak.").wait_for()
    you.page.get_by_text("longest: 2").wait_for()


def test_what_cannot_be_done_is_told_with_its_rule(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.keep_notes()
    you.page.locator(".deck.mine .tile:not([data-lit])").first.click()
    you.page.locator(".note.on .rule").wait_for()
    expect(you.page.locator(".note.on")).not_to_contain_text("That cannot be done now.")


def test_what_is_no_puzzle_is_said(visit: Visit) -> None:
    you = visit()
    you.go("/puzzles/99999")
    you.page.get_by_text("there is no puzzle 99999").wait_for()
    you.problems.clear()  # the browser tells a refusal as an error


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1180, 820), (1440, 900), (1920, 1080), (820, 1180)])
def test_the_task_lies_beside_what_is_played(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(BESIDE)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_task_makes_room_when_somebody_goes_to_work(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size, touch=True)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(BESIDE)  # what is played is in sight
    you.page.locator(".near .field").tap(position={"x": 60, "y": 10})
    you.page.get_by_role("button", name="Puzzle", exact=True).wait_for()
    expect(you.page.locator(".bubble .text")).to_have_count(0)
    you.page.get_by_role("button", name="Puzzle", exact=True).click()
    expect(says(you)).to_have_text(re.compile("^Exactly one way"))
    you.page.reload()
    you.wait()
    solve_angel(you)
