"""Doubles in browsers: joining by link, partners at one screen, consent, conceding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.full_boards import FOUR_MAIN
from tests.e2e.support.page_driver import expect, next_to_decide
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

# records whether these words appeared on the page, even briefly
RECORD_WORDS = """
(words) => {
  window.seen = false;
  const look = () => { window.seen ||= document.body.textContent.includes(words); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}
"""
NAMES = {"A": "Ann", "B": "Rolf", "C": "Mira", "D": "Zoe"}


def test_four_people_join_by_link_and_play(visit: Visit) -> None:
    ann = visit()
    ann.go("/new#doubles")
    ann.page.get_by_label("Your partner", exact=True).wait_for()
    for seat in ("A rival", "Another rival"):
        ann.page.get_by_label(seat, exact=True).select_option("link")
    ann.button("Open the table").click()
    links = {
        seat: ann.page.get_by_role("textbox", name=f"The link for {seat}").input_value()
        for seat in ("Your partner", "A rival", "Another rival")
    }
    assert len(set(links.values())) == 3
    ann.button("Go to the table").click()
    ann.page.locator(".stage .link input").nth(2).wait_for()
    expect(ann.page.locator(".stage .caption")).to_have_text("Waiting for your rivals and your partner")
    people = [ann]
    for link in links.values():
        one = visit()
        one.go(link.split("/", 3)[-1].join(("/", "")))
        one.page.wait_for_selector(".bar, #name")
        if one.page.locator("#name").count():
            one.page.locator("#name").fill(f"P{len(people)}")
            one.button("Sit down").click()
            one.page.wait_for_selector(".bar")
        people.append(one)
    # the game starts once all four browsers have contributed; play some choices
    for _ in range(12):
        player = next_to_decide(people)
        assert player is not None, "the game is over"
        player.decide()
    for one in people:
        expect(one.page.locator(".table")).to_have_attribute("data-version", re.compile(r"^[1-9]"))


def join_four(visit: Visit, server: LiveServer, seats: tuple[str, ...]) -> dict[str, Visitor]:
    game = server.open(
        seats=[{"kind": "person", "name": NAMES[seat]} for seat in "ABCD"],
        position=FOUR_MAIN,
    )
    people = {}
    for group in seats:
        people[group] = visit()
        people[group].join(game.game, ",".join(game.seats[seat] for seat in group))
    return people


def test_partners_concede_together_and_rivals_see_the_result(visit: Visit, server: LiveServer) -> None:
    people = join_four(visit, server, ("A", "C", "B"))
    ann, mira, rolf = people["A"], people["C"], people["B"]
    ann.page.locator(".plate", has_text="Mira").filter(has_not_text="away").wait_for()

    def concede(one: Visitor) -> None:
        one.button("Menu").click()
        one.button("Concede").click()
        one.page.get_by_text("Mira is asked").wait_for()
        one.page.get_by_role("dialog").get_by_role("button", name="Concede").click()

    for one in (mira, rolf):
        one.page.evaluate(RECORD_WORDS, "would concede")
    concede(ann)
    mira.page.get_by_text("Ann would concede").wait_for()
    mira.button("Play on").click()
    ann.page.locator(".stage .opts").wait_for()
    concede(ann)
    mira.page.locator(".stage").get_by_role("button", name="Concede").click()
    for one, shout in ((ann, "You lose"), (mira, "You lose"), (rolf, "You win!")):
        expect(one.page.locator(".finale .shout")).to_have_text(shout, ignore_case=True)
    assert mira.page.evaluate("() => window.seen")
    assert not rolf.page.evaluate("() => window.seen")


def test_undo_asks_all_other_players(visit: Visit, server: LiveServer) -> None:
    people = join_four(visit, server, ("A", "BD", "C"))
    ann, rivals, mira = people["A"], people["BD"], people["C"]
    ann.page.locator("[data-spot^=option]").first.click()
    ann.page.locator(".stage .pay").wait_for()
    ann.confirm()
    ann.page.locator(".stage .opts").wait_for()
    before = ann.page.locator(".near .reserve .spot").count()
    ann.button("Undo").first.click()
    ann.page.get_by_text("the answer is awaited").wait_for()
    mira.button("Allow it").click()
    mira.page.get_by_text("You agreed").wait_for()
    rivals.button("Allow it").click()
    ann.page.wait_for_function("n => document.querySelectorAll('.near .reserve .spot').length > n", arg=before)


def test_partners_at_one_screen_are_both_on_the_near_side(visit: Visit, server: LiveServer) -> None:
    you = join_four(visit, server, ("AC",))["AC"]
    you.wait()
    expect(you.page.locator(".near .plate").first).to_have_text(re.compile(r"^\s*Ann\b"))
    you.button("Attack →").click()
    you.page.locator(".plate.decides", has_text="Mira").wait_for()
    expect(you.page.locator(".near .plate b", has_text="Mira")).to_have_count(1)
    expect(you.page.locator(".near .plate").first).to_have_text(re.compile(r"^\s*Ann\b"))
