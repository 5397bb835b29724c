"""The rules in the browser: anchors, search, printing, and rule dialogs over the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.page_driver import expect

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]


def test_url_leads_to_its_rule_and_search_finds_rules(visit: Visit) -> None:
    you = visit()
    you.go("/rules#3.4d1c")
    rule = you.page.locator("[id='3.4d1c']")
    rule.wait_for()
    expect(rule).to_contain_text("divided among its blockers")
    you.page.wait_for_function("() => document.activeElement?.id === '3.4d1c'")
    you.page.locator("main:not(.partial)").wait_for()
    you.settle()
    top = rule.bounding_box()
    assert top
    assert 0 <= top["y"] < 400
    you.page.keyboard.press("/")
    you.page.keyboard.type("overcrush")
    you.page.wait_for_function("() => document.querySelector('h3')?.innerText === '6.12 Overcrush'")
    expect(you.page.get_by_role("status").first).to_contain_text("rules")
    you.page.keyboard.press("Escape")
    you.page.get_by_role("navigation", name="Contents").get_by_text("6.12 Overcrush").click()
    you.page.wait_for_function("() => document.activeElement?.id === '6.12'")
    you.page.wait_for_url("**/rules#6.12")


def test_rules_page_hides_notes_for_programmers_and_prints_without_navigation(visit: Visit) -> None:
    you = visit()
    you.go("/rules")
    you.page.locator("main:not(.partial) .item").first.wait_for()
    programs = you.page.get_by_text("For programmers.")
    expect(programs).to_be_hidden()
    you.page.get_by_text("Editions, marks, and for programmers").click()
    expect(programs).to_be_visible()
    you.page.emulate_media(media="print")
    for screen in (".nav", "search", "nav[aria-label=Contents]"):
        expect(you.page.locator(screen).first).to_be_hidden()
    expect(you.page.locator("main .item").first).to_be_visible()
    you.page.emulate_media(media="screen")


def test_rules_render_in_parts_and_completely_when_printed(visit: Visit) -> None:
    you = visit()
    you.go("/rules")
    you.page.locator("main .item").first.wait_for()
    printed = you.page.evaluate(
        "() => { dispatchEvent(new Event('beforeprint')); return document.querySelectorAll('main .item').length; }"
    )
    you.page.reload()
    you.page.locator("main:not(.partial) .item").first.wait_for()
    assert printed > 400
    items = you.page.locator("main .item")
    expect(items).to_have_count(printed)
    you.page.get_by_role("searchbox").fill("the")
    you.page.locator("main:not(.partial) > h1").wait_for()
    expect(you.page.get_by_role("status").first).to_contain_text(str(items.count()))
    you.page.keyboard.press("Escape")
    you.page.locator("main:not(.partial):not(:has(> h1))").wait_for()
    expect(items).to_have_count(printed)


def test_ruling_has_its_own_url(visit: Visit) -> None:
    you = visit()
    you.go("/rules##7")
    you.page.wait_for_function("() => document.activeElement?.id === '#7'")


def test_rule_of_a_why_not_note_opens_over_the_game_by_key_and_click(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Play now").click()
    you.page.wait_for_selector(".bar")
    you.wait()
    dark = you.page.locator(".deck.rival .tile").first
    you.keep_notes_visible()
    dark.click(force=True)
    number = str(you.page.wait_for_function("() => document.querySelector('.note .rule')?.innerText").json_value())
    you.page.keyboard.press("r")
    box = you.page.get_by_role("dialog", name=f"Rule {number}")
    expect(box).to_contain_text(number)
    you.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    dark.click(force=True)
    you.page.wait_for_function(
        "() => { const rule = document.querySelector('.note.on .rule'); rule?.click(); return rule !== null; }"
    )
    box.wait_for()
    assert "/g/" in you.page.url


def test_term_links_to_its_rule(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Play now").click()
    you.page.wait_for_selector(".bar")
    you.wait()
    you.page.locator(".insp button.term").first.click()
    you.page.locator(".bubble .rule").click()
    you.page.get_by_role("dialog", name="Rule ").wait_for()
