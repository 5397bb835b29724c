"""Fair dice in browsers: two friends verify every throw, and one throws while the other is away."""

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


def verify_dice(player: Visitor, *, is_over: bool) -> str:
    """Verify every throw on the page; return the report."""
    if is_over:
        player.page.locator(OVER).wait_for()
    else:
        player.button("Menu").click()
    player.button("Fair dice").click()
    player.button("Check every throw so far").click()
    player.page.get_by_role("status").filter(has_text="throws follow from the parts").wait_for()
    text = player.page.get_by_role("dialog").inner_text()
    player.page.keyboard.press("Escape")
    return text


def test_two_friends_verify_every_throw_and_a_watcher_saw_none(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=PEOPLE, life=1)
    kim, lee = visit(), visit()
    kim.join(game.game, game.seats["A"])
    lee.join(game.game, game.seats["B"])
    play_each_other(kim, lee)
    for player in (kim, lee):
        text = verify_dice(player, is_over=True)
        assert "were shown to this browser, and they are the same." in text
        assert "A had a part of its own, from one browser." in text
        assert "Everything that was checked fits." in text
        assert "✗" not in text
    watcher = visit()
    watcher.go(f"/g/{game.game}")
    watcher.page.wait_for_selector(".table[data-version]")
    assert "This browser saw none of them being thrown" in verify_dice(watcher, is_over=True)


def test_player_can_throw_without_an_absent_friend_who_is_informed(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=PEOPLE, first="A")
    kim, lee = visit(), visit()
    lee.join(game.game, game.seats["B"])
    kim.join(game.game, game.seats["A"])
    kim.wait()
    lee.go("/")  # leaves the table
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
    text = verify_dice(lee, is_over=False)
    assert "B’s part is missing in 1 throws" in text
    assert "B had a new chain" in text
    assert "Everything that was checked fits." in text
