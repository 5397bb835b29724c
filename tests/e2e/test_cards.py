"""Cards in the browser: search while typing, filters, card pages."""

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


GREEN_RAGE = encode_team(ready_teams()["green-rage"])


def wait_for_count(you: Visitor, query: str) -> None:
    """Wait until the page shows the number of cards that the search finds."""
    number = len(search(catalogue(), query))
    you.page.get_by_role("status").filter(has_text=re.compile(rf"\b{number} card")).wait_for()


def test_search_updates_while_typing_and_its_url_can_be_shared(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    wait_for_count(you, "")
    you.page.keyboard.press("/")
    you.page.keyboard.type("energy:bolt cost<=3 sort:-cost")
    wait_for_count(you, "energy:bolt cost<=3")
    first = search(catalogue(), "energy:bolt cost<=3 sort:-cost")[0]
    you.page.wait_for_function(
        "(href) => document.querySelector('.tiles a')?.getAttribute('href') === href", arg=f"/cards/{first.key}"
    )
    you.page.wait_for_function("() => location.search.includes('energy')")
    friend = visit()
    friend.page.goto(you.page.url)
    wait_for_count(friend, "energy:bolt cost<=3")
    expect(friend.page.get_by_role("searchbox")).to_have_value("energy:bolt cost<=3 sort:-cost")


def test_invalid_search_is_explained_beside_the_field(visit: Visit) -> None:
    you = visit()
    you.go(f"/cards?q={quote('energy:water')}")
    problem = you.page.locator("#search-problem")
    problem.filter(has_text="there are fist, bolt, mask, shield").wait_for()
    you.button("How to search").click()
    you.button("Search for keyword:fast or is:global").click()
    wait_for_count(you, "keyword:fast or is:global")
    you.page.wait_for_function("() => document.querySelector('#search-problem').innerText === ''")


def test_filters_write_into_the_search(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    wait_for_count(you, "")
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
        wait_for_count(you, query)
    you.page.get_by_label("Sort").select_option("sort:-a")
    expect(box).to_have_value(re.compile("is:global sort:-a$"))
    box.press("Escape")
    wait_for_count(you, "")


def test_card_page_links_to_rules_and_other_versions(visit: Visit) -> None:
    you = visit()
    you.go("/cards?q=subtitle:superhero title:angel")
    you.page.locator(".tiles a").click()
    you.page.get_by_role("heading", level=1, name="Angel", exact=True).wait_for()
    you.page.wait_for_url("**/cards/uxm3")
    faces = you.page.get_by_role("list", name="The six faces of its die").locator("li")
    expect(faces).to_have_count(6)
    you.page.locator(".ruling").filter(has_text="once per turn for each paired Angel die").get_by_role(
        "link", name="5.7b"
    ).click()
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
    wait_for_count(you, "subtitle:superhero title:angel")


def test_unknown_card_shows_an_error(visit: Visit) -> None:
    you = visit()
    you.go("/cards/avx999")
    you.page.get_by_role("status").filter(has_text="there is no card 'avx999'").wait_for()
    you.problems.clear()  # the browser logs the refusal as an error


def test_long_list_is_rendered_while_scrolling(visit: Visit) -> None:
    you = visit()
    you.go("/cards")
    wait_for_count(you, "")
    drawn = you.page.locator(".tiles li")
    you.settle()  # more is drawn only when scrolling near it
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


def test_every_burst_of_a_card_has_a_separate_paragraph(visit: Visit) -> None:
    you = visit()
    you.go("/cards/avx27")  # a card with two bursts
    bursts = you.page.locator(".lcard .bursts")
    expect(bursts).to_contain_text(["damage", "damage"])
    expect(bursts).to_have_count(2)


@pytest.mark.parametrize("width", [390, 820, 1180, 1440])
def test_die_faces_of_a_large_card_do_not_overlap(visit: Visit, width: int) -> None:
    you = visit(width, 820)
    for path, card in (("/cards/uxm3", ".lcard"), (f"/team#{GREEN_RAGE}", "dialog .lcard")):
        you.go(path)
        if "dialog" in card:
            look_buttons = you.button("Look at Hulk").locator("visible=true").last
            look_buttons.wait_for()
            you.settle()  # a click sticks to the button it found, and one of the two is hidden at this width
            look_buttons.click()
        you.page.locator(f"{card} .faces .die").nth(5).wait_for()
        you.settle()
        faces = you.page.evaluate(
            "(faces) => [...document.querySelectorAll(faces)].map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.right])",
            f"{card} .faces .die",
        )
        assert all(right + 2 < left for (_, right), (left, _) in pairwise(faces)), faces
