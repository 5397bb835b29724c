"""Cards in the browser: found as one types, filtered by clicks that write into the search, each with a page of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from tests.e2e.support.page_driver import TIMEOUT, expect

from dicemasters.cards import catalogue
from dicemasters.cards.query import search
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_code import encode_team

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]


GREEN = encode_team(ready_teams()["green-rage"])


def found(you: Visitor, query: str) -> None:
    """Wait until the page counts what the search finds."""
    number = len(search(catalogue(), query))
    you.page.get_by_role("status").filter(has_text=re.compile(rf"\b{number} card")).wait_for()


def test_cards_are_found_as_one_types_and_the_address_can_be_sent(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    found(you, "")
    you.page.keyboard.press("/")
    you.page.keyboard.type("energy:bolt cost<=3 sort:-cost")
    found(you, "energy:bolt cost<=3")
    first = search(catalogue(), "energy:bolt cost<=3 sort:-cost")[0]
    you.page.wait_for_function(
        "(href) => document.querySelector('.tiles a')?.getAttribute('href') === href", arg=f"/cards/{first.key}"
    )
    you.page.wait_for_function("() => location.search.includes('energy')")
    friend = visit()
    friend.page.goto(you.page.url)
    found(friend, "energy:bolt cost<=3")
    expect(friend.page.get_by_role("searchbox")).to_have_value("energy:bolt cost<=3 sort:-cost")


def test_what_is_not_understood_is_said_beside_the_field(visit: Visit) -> None:
    you = visit()
    you.go(f"/cards?q={quote('energy:water')}")
    said = you.page.locator("#search-problem")
    said.filter(has_text="there are fist, bolt, mask, shield").wait_for()
    you.button("How to search").click()
    you.button("Search for keyword:fast or is:global").click()
    found(you, "keyword:fast or is:global")
    you.page.wait_for_function("() => document.querySelector('#search-problem').innerText === ''")


def test_filters_write_into_the_search(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    found(you, "")
    box = you.page.get_by_role("searchbox")
    for name, query in (
        ("Bolt", "energy:bolt"),
        ("Fist", "(energy:bolt or energy:fist)"),
        ("Villains", "(energy:bolt or energy:fist) affiliation:villains"),
        ("Bolt", "energy:fist affiliation:villains"),
        ("Global", "energy:fist affiliation:villains is:global"),
    ):
        you.page.get_by_role("button", name=name, exact=True).click()
        expect(box).to_have_value(query)
        found(you, query)
    you.page.get_by_label("Sort").select_option("sort:-a")
    expect(box).to_have_value(re.compile("is:global sort:-a$"))
    box.press("Escape")
    found(you, "")


def test_a_card_has_a_page_with_its_rules_and_the_way_to_others(visit: Visit) -> None:
    you = visit()
    you.go("/cards?q=subtitle:superhero title:angel")
    you.page.locator(".tiles a").click()
    you.page.get_by_role("heading", level=1, name="Angel", exact=True).wait_for()
    you.page.wait_for_url("**/cards/uxm3")
    faces = you.page.get_by_role("list", name="The six faces of its die").locator("li")
    expect(faces).to_have_count(6)
    you.page.locator(".ruling").filter(has_text="once per turn for each paired Angel die").get_by_text("5.7b").click()
    you.page.get_by_role("dialog", name="Rule 5.7b").wait_for()
    you.page.keyboard.press("Escape")
    you.page.locator("article button.term").first.click()
    you.page.locator(".bubble").wait_for()
    you.page.keyboard.press("Escape")
    you.page.get_by_role("link", name="Angel Air Transport").click()
    you.page.locator(".lcard .sub").filter(has_text="Air Transport").wait_for()
    you.page.go_back()
    you.page.locator(".lcard .sub").filter(has_text="Superhero").wait_for()
    you.page.get_by_role("link", name="All cards").click()
    found(you, "subtitle:superhero title:angel")


def test_there_is_no_such_card(visit: Visit) -> None:
    you = visit()
    you.go("/cards/avx999")
    you.page.get_by_role("status").filter(has_text="there is no card 'avx999'").wait_for()
    you.problems.clear()  # the browser tells a refusal as an error


def test_a_long_list_is_drawn_bit_by_bit(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    found(you, "")
    drawn = you.page.locator(".tiles li")
    you.settle()  # nothing more is drawn unless somebody comes near it
    before = drawn.count()
    assert 0 < before < 100
    end = monotonic() + TIMEOUT
    while before < len(catalogue()):
        you.page.mouse.wheel(0, 4000)
        you.page.wait_for_timeout(30)
        if drawn.count() > before:
            before, end = drawn.count(), monotonic() + TIMEOUT
        assert monotonic() < end, f"after {before} cards the rest is not drawn"
    expect(drawn).to_have_count(len(catalogue()))


def test_every_burst_of_a_card_has_a_paragraph_of_its_own(visit: Visit) -> None:
    you = visit()
    you.go("/cards/avx27")  # one burst, and two
    bursts = you.page.locator(".lcard .bursts")
    expect(bursts).to_contain_text(["damage", "damage"])
    expect(bursts).to_have_count(2)


@pytest.mark.parametrize("width", [390, 820, 1180, 1440])
def test_the_faces_of_a_large_card_lie_beside_each_other(visit: Visit, width: int) -> None:
    you = visit(width, 820)
    for path, card in (("/cards/uxm3", ".lcard"), (f"/team#{GREEN}", "dialog .lcard")):
        you.go(path)
        if "dialog" in card:
            looks = you.button("Look at Hulk").locator("visible=true").last
            looks.wait_for()
            you.settle()  # a click keeps to the button it has found, and one of the two is hidden at this width
            looks.click()
        you.page.locator(f"{card} .faces .die").nth(5).wait_for()
        you.settle()
        faces = you.page.evaluate(
            "(faces) => [...document.querySelectorAll(faces)].map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.right])",
            f"{card} .faces .die",
        )
        assert all(right + 2 < left for (_, right), (left, _) in pairwise(faces)), faces
