"""Entry points: the first load, valid and invalid links, names and notifications."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.e2e.support.page_driver import Visitor, expect
from tests.support.live_server import LiveServer

Visit = Callable[..., Visitor]
PERSON = {"kind": "person"}
NAMELESS = "localStorage['dicemasters settings'] = JSON.stringify({speed: 'at once', hurry: true})"


def nameless_visitor(visit: Visit) -> Visitor:
    """Open a page in a browser without a stored name."""
    you = visit()
    you.page.add_init_script(NAMELESS)
    return you


def test_failed_script_download_is_reported_and_can_be_retried(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], seed=3)
    you = visit()
    you.page.route(re.compile(r"/assets/narration-.*js$"), lambda route: route.abort())
    you.go(f"/g/{game.game}#{game.seats['A']}")
    # triggered by the failed request, not only by a timeout
    you.page.locator(".late.now", has_text="Not all of this page has come yet.").wait_for()
    you.page.unroute_all()
    you.button("Try again").click()
    you.page.wait_for_selector(".bar")  # the seat is still known
    expect(you.page.get_by_text("Not all of this page")).to_have_count(0)
    you.page.route(re.compile(r"/assets/CardsPage-.*js$"), lambda route: route.abort())
    you.go("/cards")
    you.page.get_by_role("alert").filter(has_text="This page has not come").wait_for()
    you.problems.clear()  # the browser logs failed requests as errors


def test_unknown_address_links_to_the_start_page(visit: Visit) -> None:
    you = visit(390, 664)
    answer = you.page.goto(f"{you.home}/nonsense")
    assert answer is not None
    assert answer.status == 404
    you.page.get_by_role("heading", name="There is no such page").wait_for()
    you.page.get_by_role("link", name="To the start page").click()
    you.button("Play now").wait_for()
    you.problems.clear()  # the browser logs the 404 as an error


def test_link_is_checked_before_a_name_is_requested(visit: Visit, server: LiveServer) -> None:
    you = nameless_visitor(visit)
    you.go("/g/nosuchgame#secret")
    you.page.get_by_text("There is no such game").wait_for()
    expect(you.page.locator("#name")).to_have_count(0)
    you.go("/draft/nosuchdraft#secret")
    you.page.get_by_text("there is no such draft").wait_for()
    expect(you.page.locator("#name")).to_have_count(0)
    you.problems.clear()  # the browser logs the refusal as an error


def test_link_with_an_invalid_seat_secret_offers_watching(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}], seed=3)
    for you in (nameless_visitor(visit), visit()):
        you.go(f"/g/{game.game}#wrong")
        you.page.get_by_role("heading", name="This link opens no seat").wait_for()
        expect(you.page.locator("#name, .bar")).to_have_count(0)
        you.button("Watch").click()
        you.page.get_by_text("You are watching").first.wait_for()
        you.page.wait_for_url(f"**/g/{game.game}")


def test_host_and_guest_see_each_others_names(visit: Visit) -> None:
    host, guest = nameless_visitor(visit), nameless_visitor(visit)
    host.go()
    host.button("Play a friend").click()
    host.page.get_by_label("Your name").fill("Mia")
    host.page.locator("dialog").get_by_role("button", name="Send a link").click()
    link = host.page.get_by_role("textbox", name="Send this link to your friend").input_value()
    status = host.page.locator("dialog").get_by_role("status")
    status.filter(has_text="Nobody has opened it yet").wait_for()
    guest.page.goto(link)
    guest.page.get_by_role("heading", name="Mia invites you to a game").wait_for()
    status.filter(has_text="Somebody is here").wait_for()
    guest.page.get_by_label("Your name").fill("Lee")
    guest.button("Sit down").click()
    guest.page.locator(".stage", has_text="You are here. The game begins when Mia comes to the table.").wait_for()
    status.filter(has_text="Lee is here").wait_for()
    guest.keep_notes_visible()
    host.button("Go to the table").click()
    guest.page.get_by_text("Mia has come.").wait_for()
    host.page.get_by_text("Lee").first.wait_for()


def test_host_at_the_table_is_notified_of_the_guest(visit: Visit, server: LiveServer) -> None:
    host, guest = visit(), nameless_visitor(visit)
    host.go()
    host.button("Play a friend").click()
    expect(host.page.get_by_label("Your name")).to_have_value("Ann")
    host.page.locator("dialog").get_by_role("button", name="Send a link").click()
    link = host.page.get_by_role("textbox", name="Send this link to your friend").input_value()
    host.button("Go to the table").click()
    host.page.locator(".stage", has_text="when your friend has opened the link").wait_for()
    for width, height in ((390, 664), (844, 390), (1280, 800)):
        host.resize(width, height)
        stage = host.page.locator(".stage").bounding_box()
        for part in (".say > p", ".say .button"):
            box = host.page.locator(f".stage {part}").bounding_box()
            assert stage is not None
            assert box is not None
            assert stage["y"] <= box["y"]
            assert box["y"] + box["height"] <= stage["y"] + stage["height"]
    guest.page.goto(link)
    host.page.get_by_text("Somebody has opened your link and is about to sit down.").wait_for()
    guest.page.get_by_label("Your name").fill("Lee")
    host.keep_notes_visible()
    guest.button("Sit down").click()
    host.page.get_by_text("Lee has come.").wait_for()


def test_two_players_at_one_screen_have_names(visit: Visit) -> None:
    you = nameless_visitor(visit)
    you.go()
    you.button("Play a friend").click()
    you.button("On this screen").click()
    you.wait()
    expect(you.page.locator(".question")).to_have_text(re.compile("^Player [12]: "))
    you.page.locator(".log", has_text="Player ").wait_for()
    you.go()
    you.page.locator("a.game b", has_text="Player 1 against Player 2").wait_for()
    you.page.locator("a.game .line", has_text="Before the first turn").wait_for()
    you.page.locator("a.game").click()
    you.wait()
    you.decide_and_wait()
    you.go()
    you.page.locator("a.game .line", has_text=re.compile("Player [12]’s turn 1")).wait_for()
    you.button("Play a friend").click()
    you.page.get_by_label("Your name").fill("Kim")
    you.page.get_by_label("The other player’s name").fill("Lee")
    you.button("On this screen").click()
    you.wait()
    expect(you.page.locator(".question")).to_have_text(re.compile("^(Kim|Lee): "))
    you.go("/new#screen")
    you.page.get_by_label("The other player’s name").fill("Zoe")
    you.button("Open the table").click()
    you.wait()
    you.page.get_by_text("Zoe").first.wait_for(state="attached")


def test_adjacent_words_are_separated_by_a_space(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, {"kind": "player"}], seed=3)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.button("Menu").click()
    you.button("Concede").click()
    you.page.locator("dialog").get_by_role("button", name="Concede").last.click()
    you.page.locator(".finale").wait_for()
    you.go()
    expect(you.page.locator("footer")).to_contain_text("device · Unofficial", use_inner_text=True)
    you.button("Play a friend").click()
    expect(you.page.locator("dialog")).to_contain_text("two… · Draft", use_inner_text=True)
