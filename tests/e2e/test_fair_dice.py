"""Fair dice in real browsers: two friends check every throw, and one goes on while the other is away."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from tests.e2e.support.page_driver import OVER, TIMEOUT, play_each_other
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

PEOPLE: list[dict[str, Any]] = [{"kind": "person"}, {"kind": "person"}]


def checked(who: Visitor, *, is_over: bool) -> str:
    """Let the page check every throw, and return what it says."""
    if is_over:
        who.page.locator(OVER).wait_for()
    else:
        who.button("Menu").click()
    who.button("Fair dice").click()
    who.button("Check every throw so far").click()
    who.page.get_by_role("status").filter(has_text="throws follow from the parts").wait_for()
    text = who.page.get_by_role("dialog").inner_text()
    who.page.keyboard.press("Escape")
    return text


def test_two_friends_check_every_throw_and_a_watcher_saw_none(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=PEOPLE, life=1)
    kim, lee = visit(), visit()
    kim.join(game.game, game.seats["A"])
    lee.join(game.game, game.seats["B"])
    play_each_other(kim, lee)
    for who in (kim, lee):
        text = checked(who, is_over=True)
        assert "were shown to this browser, and they are the same." in text
        assert "A had a part of its own, from one browser." in text
        assert "Everything that was checked fits." in text
        assert "✗" not in text
    watcher = visit()
    watcher.go(f"/g/{game.game}")
    watcher.page.wait_for_selector(".table[data-version]")
    assert "This browser saw none of them being thrown" in checked(watcher, is_over=True)


def test_who_acts_can_throw_without_a_friend_who_is_away_and_the_friend_is_told(
    visit: Visit, server: LiveServer
) -> None:
    game = server.open(seats=PEOPLE, first="A")
    kim, lee = visit(), visit()
    lee.join(game.game, game.seats["B"])
    kim.join(game.game, game.seats["A"])
    kim.wait()
    lee.go("/")  # away from the table
    throw = kim.button("Throw without it")
    end = monotonic() + TIMEOUT
    while not throw.count():
        if kim.decides:
            kim.decide()
            end = monotonic() + TIMEOUT
        assert monotonic() < end, "nobody's part is missing"
        kim.page.wait_for_timeout(50)
    before = kim.version
    throw.click()
    kim.page.wait_for_selector(f".table:not([data-version='{before}'])")
    lee.join(game.game, game.seats["B"])
    lee.page.wait_for_selector(".table[data-version]")
    text = checked(lee, is_over=False)
    assert "B’s part is missing in 1 throws" in text
    assert "B had a new chain" in text
    assert "Everything that was checked fits." in text
