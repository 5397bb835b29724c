"""Puzzles in a browser: solving by mouse and keyboard, undo, hints, solutions, daily puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest
from tests.e2e.scenes import ANGEL, BUY, at_puzzle, fail_attempt, press_in_bubble, solve_angel
from tests.e2e.support.page_driver import RECORD_RESPONSES, HeldRequest, Visitor, expect
from tests.support.live_server import LiveServer

from dicemasters.puzzles.puzzle import collection, puzzle_of_day
from dicemasters.puzzles.solver import PuzzleGoal

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Visit = Callable[..., Visitor]

TASK_BESIDE_TABLE = """
() => {
  const [task, ...played] = ['.bubble', '.stage', '.bar'].map((one) => document.querySelector(one).getBoundingClientRect());
  return played.every((one) => task.left >= one.right || task.right <= one.left || task.top >= one.bottom || task.bottom <= one.top);
}
"""


# the bubble has the focus, so that it is read first
FOCUSED = "(is) => document.activeElement.className.startsWith(is)"


def bubble_text(you: Visitor) -> Locator:
    return you.page.locator(".bubble .text")


def test_puzzle_is_solved_with_the_mouse_and_leads_to_the_next(visit: Visit, server: LiveServer) -> None:
    you = visit(1440, 900)
    you.go()
    you.page.get_by_role("link", name="Puzzles One a day").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy", exact=True).click()
    you.wait()
    expect(bubble_text(you)).to_have_text(re.compile("^Exactly one way wins this turn"))
    solve_angel(you)
    expect(you.page.locator("main.over").get_by_text("At the first try.")).to_have_count(1)
    you.page.get_by_role("link", name="Next puzzle").click()
    you.page.wait_for_url(re.compile(rf"/puzzles/(?!{ANGEL}$)\d+$"))
    you.wait()
    you.page.get_by_role("link", name="All puzzles").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy, solved", exact=True).wait_for()
    you.page.get_by_text("1 of 260 solved").wait_for()


def test_attempts_are_counted_across_visits(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    fail_attempt(you)
    you.page.reload()
    you.wait()
    solve_angel(you)
    expect(you.page.locator("main.over")).to_contain_text("At the second try.")


def test_puzzle_can_be_solved_by_keyboard(visit: Visit) -> None:
    you = visit(1280, 720)
    keys = you.page.keyboard
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(FOCUSED, arg="bubble")  # the task is read first

    def focus(name: str) -> None:
        for _ in range(20):
            keys.press("n")  # to the next lit element
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


def test_failed_attempt_is_explained_and_can_be_undone_or_restarted(visit: Visit, server: LiveServer) -> None:
    you = visit()
    at_puzzle(ANGEL, fail_attempt)(you, server)
    expect(bubble_text(you)).to_contain_text("your opponent has 2 life left")
    expect(you.page.locator("[data-lit]")).to_have_count(0)  # the attempt is over
    you.page.wait_for_function(FOCUSED, arg="bubble wrong")
    press_in_bubble("Take back", "Exactly one way")(you)
    expect(you.page.locator(".question")).to_have_text("Your main step")
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("e")  # end the turn, though Angel could attack
    you.page.locator(".bubble.wrong").wait_for()
    press_in_bubble("Begin again", "Exactly one way")(you)
    expect(you.page.locator(".near .field [data-die]")).to_have_count(0)
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    you.page.keyboard.press("u")  # harmless moves can be undone too
    you.page.locator(".near .field [data-die]").wait_for(state="detached")
    solve_angel(you)
    you.page.get_by_text("At the third try.").wait_for()


def test_late_answer_does_not_revert_a_puzzle_restart(visit: Visit, server: LiveServer) -> None:
    you = visit()
    you.page.add_init_script(RECORD_RESPONSES)
    at_puzzle(ANGEL)(you, server)
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    choice = HeldRequest(you, f"/api/puzzles/{ANGEL}")
    you.proceed()
    you.page.locator(".bar:not(.mine)").wait_for()
    choice.wait()
    you.page.locator(".top").get_by_role("button", name="Begin again").click()
    you.page.locator(".near .field [data-die]").wait_for(state="detached")
    you.wait()
    version = you.version
    choice.release_and_wait()  # the late answer would be shown now
    assert (you.question, you.version) == ("Your main step", version)
    solve_angel(you)


def test_puzzle_does_not_count_once_its_solution_was_shown(visit: Visit) -> None:
    you = visit()
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    press_in_bubble("Hint", "2 things have to be done")(you)
    press_in_bubble("Hint", "Field Angel")(you)
    press_in_bubble("Solution", "does not count as solved")(you)
    press_in_bubble("Not yet", "Exactly one way")(you)
    you.wait()
    press_in_bubble("Solution", "does not count as solved")(you)
    press_in_bubble("Look", "What has to be done: Field Angel")(you)
    press_in_bubble("Next move", "You: Field Angel")(you)
    you.page.locator(".near .field [data-die]").wait_for()
    steps = len(collection()[ANGEL].line)
    for _ in range(steps - 1):
        you.page.keyboard.press("ArrowRight")
    you.page.locator(".bubble .cap", has_text=f"move {steps} of {steps}").wait_for()
    you.page.keyboard.press("ArrowLeft")
    you.page.locator(".bubble .cap", has_text=f"move {steps - 1} of {steps}").wait_for()
    press_in_bubble("Try it yourself", "Exactly one way")(you)
    solve_angel(you)
    you.page.get_by_text("You had seen the solution").wait_for()
    you.page.get_by_role("link", name="All puzzles").click()
    you.page.get_by_role("link", name=f"Puzzle {ANGEL}, Grade 1 of 5: easy, solution seen", exact=True).wait_for()


def test_wrong_buy_does_not_reveal_the_best_one(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{BUY}")
    you.wait()
    best = collection()[BUY].way[0].removeprefix("buy ")
    you.page.locator(".deck .tile.lit").filter(has_not_text=best).first.click()
    you.page.locator(".bubble.wrong, .stage .menu").first.wait_for()
    if you.page.locator(".stage .menu").count():
        you.page.locator(".stage .menu .button").first.click()
    you.page.locator(".bubble.wrong").wait_for()
    expect(bubble_text(you)).to_contain_text("of 600 games")
    expect(bubble_text(you)).not_to_contain_text(best)
    press_in_bubble("Take back", "One die is better")(you)
    you.page.locator(".deck .tile.lit").filter(has_text=best).first.click()
    you.page.locator("main.over table").wait_for()
    rows = you.page.locator("main.over tr")
    expect(rows).to_have_count(len(collection()[BUY].line))
    expect(rows.first).to_contain_text(best)


def solve_buy_puzzle(you: Visitor, server: LiveServer, number: int) -> None:
    """Solve a puzzle about what to buy."""
    options = server.get(f"/api/puzzles/{number}")["view"]["decision"]["options"]
    (best,) = [option["number"] for option in options if option["text"] == collection()[number].way[0]]
    you.page.locator(f"[data-spot=option{best}]").click()
    you.page.get_by_role("heading", name="Solved").wait_for()


def test_daily_puzzles_build_a_streak(visit: Visit, server: LiveServer) -> None:
    """Use two consecutive days whose puzzles take one choice each."""
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
        solve_buy_puzzle(you, server, number)
        you.page.locator("main.over", has_text="1 day in a row" if n == 0 else "2 days in a row").wait_for()
    you.page.clock.set_fixed_time(first + timedelta(days=3))  # skips a day
    you.go("/puzzles")
    you.page.get_by_text("Solve it to start a streak.").wait_for()
    you.page.get_by_text("longest: 2").wait_for()


def test_illegal_action_is_explained_with_its_rule(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.keep_notes_visible()
    you.page.locator(".deck.mine .tile:not([data-lit])").first.click()
    you.page.locator(".note.on .rule").wait_for()
    expect(you.page.locator(".note.on")).not_to_contain_text("That cannot be done now.")


def test_unknown_puzzle_shows_an_error(visit: Visit) -> None:
    you = visit()
    you.go("/puzzles/99999")
    you.page.get_by_text("there is no puzzle 99999").wait_for()
    you.problems.clear()  # the browser logs the refusal as an error


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1180, 820), (1440, 900), (1920, 1080), (820, 1180)])
def test_task_does_not_cover_the_table(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(TASK_BESIDE_TABLE)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_task_collapses_on_a_phone_when_play_starts(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size, touch=True)
    you.go(f"/puzzles/{ANGEL}")
    you.wait()
    you.page.wait_for_function(TASK_BESIDE_TABLE)  # the table is visible
    you.page.locator(".near .field").tap(position={"x": 60, "y": 10})
    you.page.get_by_role("button", name="Puzzle", exact=True).wait_for()
    expect(you.page.locator(".bubble .text")).to_have_count(0)
    you.page.get_by_role("button", name="Puzzle", exact=True).click()
    expect(bubble_text(you)).to_have_text(re.compile("^Exactly one way"))
    you.page.reload()
    you.wait()
    solve_angel(you)
