"""Layout: zones keep their places and nothing important is cut off, measured at every size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.scenes import SCENES, SMALL_GAME, TWO_ON_ONE
from tests.e2e.support.full_boards import BLOCKS, DECLARE, FOUR_BLOCKS, FOUR_MAIN, MAIN
from tests.e2e.support.page_driver import expect
from tests.e2e.support.page_driver import is_small as is_small_window
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

SIZES = [(1280, 720), (1366, 768), (1440, 900), (1920, 1080), (820, 1180), (1180, 820), (390, 844), (844, 390)]
# an older tablet in both orientations, the viewport of a small laptop, a small window
OTHER_SIZES = [(1024, 768), (768, 1024), (1366, 625), (800, 600)]
SEATS: list[dict[str, Any]] = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}]
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

ZONES = """
() => Object.fromEntries([...document.querySelectorAll('.bar, .stage, .sides, .life, .reserve, .field, .log, .deck, .globals, .track')]
  .filter(e => e.getClientRects().length)
  .map((e, n) => {
    const r = e.getBoundingClientRect();
    return [`${e.className.replace(/ (mine|turn|lit|picked|hurt|half)\\b/g, '')} ${e.closest('.sides')?.className ?? ''} ${e.dataset.pile ?? ''}`, [r.x, r.y, r.width, r.height].map(Math.round)];
  }))
"""

# elements that are cut off by the window or by a clipping container
CUT = """
(selector) => [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length).flatMap(e => {
  const r = e.getBoundingClientRect();
  let box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let p = e.parentElement; p; p = p.parentElement) {
    const style = getComputedStyle(p);
    if (style.overflow === 'visible' || p === document.documentElement) continue;
    const b = p.getBoundingClientRect();
    box = { left: Math.max(box.left, b.left), top: Math.max(box.top, b.top), right: Math.min(box.right, b.right), bottom: Math.min(box.bottom, b.bottom) };
  }
  const cut = Math.max(box.left - r.left, box.top - r.top, r.right - box.right, r.bottom - box.bottom);
  return cut > 1 ? [`${e.className} ${e.querySelector('.hidden')?.textContent ?? e.textContent.trim().slice(0, 20)}: ${Math.round(cut)} px`] : [];
})
"""

# elements whose centre is covered by another element
COVERED = """
(selector) => [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length).flatMap(e => {
  const r = e.getBoundingClientRect();
  const found = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
  return found && (e.contains(found) || found.contains(e)) ? [] : [`${e.className} ${e.querySelector('.hidden')?.textContent ?? ''} lies under ${found?.className}`];
})
"""

OVERFLOWING = """
() => [...document.querySelectorAll('.bar .question, .bar .button, .deck .tt, .deck.mine .tx')].filter(e => e.getClientRects().length)
  .filter(e => e.scrollHeight > e.clientHeight + 2 && e.clientHeight).map(e => `${e.className}: ${e.textContent.trim()} ${e.scrollHeight} > ${e.clientHeight}`)
"""

# boxes beside the table that need horizontal scrolling
SIDEWAYS = """
() => [...document.querySelectorAll('.insp .ib, .globals ul, .effects ul, .log .lines')].filter(e => e.getClientRects().length)
  .filter(e => e.scrollWidth > e.clientWidth).map(e => `${e.className} ${e.scrollWidth} > ${e.clientWidth}`)
"""

# short texts that are visible but truncated
SHORTENED = """
(selector) => [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length)
  .filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2).map(e => e.textContent)
"""
WIDE_SIZES = [
    (1280, 720),
    (1366, 768),
    (1440, 900),
    (1920, 1080),
    (1180, 820),
]  # wide enough for the full text of basic actions

ALWAYS_VISIBLE = ".life, .reserve .spot, .bar .button, .bar .question, .field .spot, .stage .caption, .steps li"


def join_at_position(
    visit: Visit, server: LiveServer, size: tuple[int, int], position: str, theme: str = "dark"
) -> Visitor:
    seats = (
        SEATS if "team C" not in position else [{"kind": "person", "name": x} for x in ("Ann", "Rolf", "Mira", "Zoe")]
    )
    game = server.open(seats=seats, position=position)
    you = visit(*size, touch=is_small(size))
    you.page.add_init_script(
        f"localStorage['dicemasters settings'] = JSON.stringify({{speed: 'at once', name: 'Ann', theme: '{theme}'}})"
    )
    you.join(game.game, game.seats["A"])
    you.wait()
    you.settle()
    return you


def is_small(size: tuple[int, int]) -> bool:
    return is_small_window(*size)


def min_die_size(size: tuple[int, int], usual: int) -> int:
    """Return the minimum size of a die in the field; dice show their numbers from 27 pixels on."""
    return 30 if is_small(size) else usual if size in SIZES else 28


@pytest.mark.parametrize("size", SIZES + OTHER_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_full_table_shows_everything_and_no_zone_moves(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    you = join_at_position(visit, server, size, MAIN)
    places = you.page.evaluate(ZONES)
    outside = [name for name, (x, y, w, h) in places.items() if min(x, y) < 0 or x + w > size[0] or y + h > size[1]]
    assert outside == []
    assert len([name for name in places if name.startswith("life")]) == 2
    assert you.page.evaluate(CUT, ALWAYS_VISIBLE) == []
    assert you.page.evaluate(COVERED, ".life, .reserve .spot, .bar .button, .field .spot") == []
    assert you.page.evaluate(OVERFLOWING) == []
    assert you.page.evaluate(SIDEWAYS) == []
    if size in SIZES:
        assert you.page.evaluate(SHORTENED, ".deck .tt, .deck.mine .tx, .gb .t") == []
    if size in WIDE_SIZES:
        assert you.page.evaluate(SHORTENED, ".deck.basics .tx") == []
    dice = you.page.locator(".field .spot").all()
    edges = {round(box["width"]) for die in dice if (box := die.bounding_box())}
    assert min(edges) >= min_die_size(size, 44), edges
    if not is_small(size):
        assert you.page.evaluate(CUT, ".tile, .opt .spot") == []
        expect(you.page.locator(".deck.mine .tile")).to_have_count(8)
        expect(you.page.locator(".field .spot")).to_have_count(30)
    # paying and cancelling move no zone
    card = you.page.locator(".deck.mine .tile.lit").first
    if is_small(size):
        card.tap()  # by touch, the action has its own button
        you.page.locator(".stage .menu").wait_for()
        you.button("Buy for").first.tap()
    else:
        card.click()
    you.button("Cancel").wait_for()
    you.page.locator(".stage .pay").wait_for()
    you.settle()
    assert you.page.evaluate(ZONES) == places
    assert you.page.evaluate(CUT, f"{ALWAYS_VISIBLE}, .pay .spot") == []
    you.button("Cancel").click()
    you.page.locator(".stage .opts").wait_for()
    you.settle()
    assert you.page.evaluate(ZONES) == places


@pytest.mark.parametrize("size", SIZES + OTHER_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_fight_of_twelve_previews_its_outcome(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    you = join_at_position(visit, server, size, BLOCKS)
    places = you.page.evaluate(ZONES)
    blockers = you.page.locator(".near .field [data-lit]")
    for n in range(5):
        blockers.first.click()
        you.page.locator(".fight .attacker [data-lit]").nth(n).click()
    expect(you.button("Block with 5")).to_be_enabled()
    expect(you.page.locator(".fight .spot")).to_have_count(12)
    you.page.locator(".fight .koflag").first.wait_for()
    for number in (".at", ".df"):  # attackers' numbers are readable on a phone too
        expect(you.page.locator(f".fight .attacker .die {number}:visible")).to_have_count(7)
    expect(you.page.locator(".near .life")).to_contain_text("→")
    expect(you.page.locator(".fight .tick:visible")).to_have_count(0)  # a tick would hide the attack value
    you.settle()
    assert you.page.evaluate(CUT, ALWAYS_VISIBLE) == []
    if not is_small(size):
        assert you.page.evaluate(CUT, ".fight .spot, .fight .tag") == []
    assert you.page.evaluate(ZONES) == places


@pytest.mark.parametrize("size", SIZES + OTHER_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_full_doubles_table_shows_everything_and_no_zone_moves(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    you = join_at_position(visit, server, size, FOUR_MAIN)
    places = you.page.evaluate(ZONES)
    outside = [name for name, (x, y, w, h) in places.items() if min(x, y) < 0 or x + w > size[0] or y + h > size[1]]
    assert outside == []
    always = f"{ALWAYS_VISIBLE}, .plate, .partners .chip"
    assert you.page.evaluate(CUT, always) == []
    assert you.page.evaluate(COVERED, ".life, .reserve .spot, .bar .button, .field .spot, .plate b, .chip") == []
    assert you.page.evaluate(OVERFLOWING) == []
    edges = {
        round(box["width"]) for die in you.page.locator(".field .spot:visible").all() if (box := die.bounding_box())
    }
    assert min(edges) >= min_die_size(size, 36), edges
    if is_small(size):
        expect(you.page.locator(".field .spot:visible")).to_have_count(14)  # two of four fields, equal dice stacked
        partners = you.page.locator(".near .partners .chip")
        partners.nth(1).click()
        you.page.locator(".near .side:not(.behind)[aria-label^='Mira']").wait_for()
        partners.nth(0).click()
        you.page.locator(".near .side.behind[aria-label^='Mira']").wait_for(state="attached")
    else:
        expect(you.page.locator(".field .spot")).to_have_count(30)
        assert you.page.evaluate(CUT, ".tile, .opt .spot, .piles .pile") == []
        expect(you.page.locator(".plate.decides")).to_have_text("You decides", use_inner_text=True)
        for word, count in (("rival", 2), ("partner", 1)):
            expect(you.page.locator(".plate", has_text=word)).to_have_count(count)
    card = you.page.locator(".deck.mine .tile.lit").first
    if is_small(size):
        card.tap()
        you.button("Buy for").first.tap()
    else:
        card.click()
    you.page.locator(".stage .pay").wait_for()
    you.settle()
    assert you.page.evaluate(ZONES) == places
    you.button("Cancel").click()


@pytest.mark.parametrize("size", SIZES + OTHER_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_blocks_of_partners_are_visible_at_every_size(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    you = join_at_position(visit, server, size, FOUR_BLOCKS)
    for n in range(3):
        you.page.locator(".near .side:not(.behind) .field [data-lit]").first.click()
        you.page.locator(".fight .attacker [data-lit]").nth(n).click()
    expect(you.page.locator(".fight .spot")).to_have_count(8)
    you.page.locator(".life.near:visible", has_text="→").first.wait_for()
    you.settle()
    assert you.page.evaluate(CUT, f"{ALWAYS_VISIBLE}, .fight .spot") == []


# phones in both orientations, minus the browser's bars, and a zoomed window; the least important parts need scrolling
LOW_SIZES = [(390, 664), (375, 667), (360, 740), (360, 640), (375, 553), (667, 375), (640, 360)]

# elements that need page scrolling or are covered; boxes inside the stage may scroll
OUT_OF_REACH = """
(selector) => [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length).flatMap(e => {
  const table = document.querySelector('.table');
  e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const scrolled = table.scrollTop;
  table.scrollTop = 0;
  const r = e.getBoundingClientRect();
  const found = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
  const what = `${e.className} ${e.querySelector('.hidden')?.textContent ?? e.textContent.trim().slice(0, 20)}`;
  return scrolled ? [`${what} must be scrolled to`] : found && (e.contains(found) || found.contains(e)) ? [] : [`${what} lies under ${found?.className}`];
})
"""

# pairs of elements that overlap
OVERLAPPING = """
(selector) => {
  const all = [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length).map(e => [e, e.getBoundingClientRect()]);
  return all.flatMap(([a, x], n) => all.slice(n + 1).filter(([b, y]) => !a.contains(b) && !b.contains(a)
    && Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1)
    .map(([b]) => `${a.textContent.trim().slice(0, 30)} / ${b.textContent.trim().slice(0, 30)}`));
}
"""
REACHABLE = ".life, .reserve .spot, .field .spot, .stage .spot, .bar .button"


def check_reachable(you: Visitor, size: tuple[int, int]) -> None:
    """Wait until the layout settles; check that everything playable is visible and tappable, and nothing overlaps the bar."""
    you.settle()
    stage = you.page.locator(".stage").bounding_box()
    assert stage is not None
    assert stage["height"] >= (130 if size[0] < size[1] else 100)
    assert you.page.evaluate(OUT_OF_REACH, REACHABLE) == []
    assert you.page.evaluate(OVERLAPPING, ".bar, .stage, .side:not(.behind) :is(.life, .reserve, .field)") == []
    assert you.page.evaluate(OVERLAPPING, ".bar .button, .bar .question") == []


@pytest.mark.parametrize("size", LOW_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_full_table_is_playable_in_a_low_window(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    you = join_at_position(visit, server, size, MAIN)
    check_reachable(you, size)
    places = you.page.evaluate(ZONES)
    assert you.page.evaluate(OVERLAPPING, ".opt, .stage .caption") == []
    for number in (".at", ".df"):
        expect(you.page.locator(f".field .die {number}:visible")).to_have_count(24)  # equal dice are stacked
    for zone, least in ((".near .reserve", 26), (".far .reserve", 20)):
        assert (
            min(box["width"] for die in you.page.locator(f"{zone} .spot").all() if (box := die.bounding_box())) >= least
        )
    you.page.locator("[data-spot^=option]").first.tap()
    you.page.locator(".stage .pay").wait_for()
    check_reachable(you, size)
    assert you.page.evaluate(ZONES) == places
    assert you.page.evaluate(OVERLAPPING, ".pay .spot, .pay .cap, .stage .caption, .stage .stays") == []
    you.button("Cancel").tap()
    # cards are behind tabs
    you.button("Basic").tap()
    you.page.locator(".deck.basics .tile").first.wait_for()
    you.settle()
    assert you.page.evaluate(COVERED, ".deck.basics .tile:first-child") == []


@pytest.mark.parametrize("size", LOW_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_attackers_and_blockers_can_be_tapped_in_a_low_window(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    you = join_at_position(visit, server, size, DECLARE)
    for n in range(12):
        you.page.locator(".near .field [data-lit]").first.tap()
        you.page.locator(".fight .spot").nth(n).wait_for()
    check_reachable(you, size)
    expect(you.page.locator(".fight .die .at:visible")).to_have_count(12)
    you = join_at_position(visit, server, size, BLOCKS)
    for n in range(5):
        you.page.locator(".near .field [data-lit]").first.tap()
        you.page.locator(".fight .attacker [data-lit]").nth(n).tap()
    expect(you.page.locator(".fight .spot")).to_have_count(12)
    check_reachable(you, size)
    for number in (".at", ".df"):
        expect(you.page.locator(f".fight .die {number}:visible")).to_have_count(12)
        assert you.page.evaluate(OVERLAPPING, f".fight .die :is({number}, .koflag, .dmg), .fight .tag") == []


@pytest.mark.parametrize("size", [(360, 740), (375, 667), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_bar_buttons_do_not_overlap_in_a_narrow_window(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    you = visit(*size)  # without touch
    SCENES["blocks"](you, server)
    you.button("Start anew").wait_for()
    you.settle()
    assert you.page.evaluate(OVERLAPPING, ".bar .button") == []


@pytest.mark.parametrize("size", [(390, 664), (375, 553)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_lesson_target_is_visible_in_a_low_window(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size, touch=True)
    you.go("/learn/first-game")
    you.page.locator(".rolled .spot").first.wait_for()
    you.wait_until_still(".bubble")
    assert you.page.evaluate(OUT_OF_REACH, ".rolled .spot") == []
    you.go("/learn/first-game#2")  # buy this card with that energy
    you.page.reload()
    you.page.locator(".veil .ring").nth(1).wait_for()
    you.settle()
    assert you.page.evaluate(OVERLAPPING, ".veil .ring, .bar") == []
    assert you.page.evaluate(COVERED, ".deck.mine .tile.lit, .near .reserve") == []


def test_long_player_name_overlaps_nothing(visit: Visit, server: LiveServer) -> None:
    name = "Maximilian-Alexander von Hohen"
    game = server.open(seats=[SEATS[0], {"kind": "person", "name": name}], position=MAIN)
    for size in ((1280, 720), (360, 740)):
        you = visit(*size, touch=is_small(size))
        you.join(game.game, game.seats["A"])
        you.wait()
        expect(you.page.locator(".far .nm")).to_have_attribute("title", name)
        you.settle()
        if is_small(size):
            assert you.page.evaluate(CUT, ALWAYS_VISIBLE) == []
            assert you.page.locator(".far .reserve .spot").first.bounding_box()["width"] >= 20  # type: ignore[index]
        else:
            label = you.page.locator(".far .field .zl")
            expect(label).to_have_attribute("title", f"{name}’s field")
            assert (
                label.evaluate("e => getComputedStyle(e).overflow + getComputedStyle(e).textOverflow")
                == "hiddenellipsis"
            )


PHONES = [(360, 740), (390, 844), (412, 915), (430, 932)]


@pytest.mark.parametrize("size", PHONES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_top_line_buttons_are_not_covered(visit: Visit, server: LiveServer, size: tuple[int, int]) -> None:
    buttons = ".top :is(a, button)"
    you = visit(*size, touch=True)
    SCENES["roll"](you, server)
    you.confirm()
    you.page.get_by_role("navigation").get_by_role("button", name="Undo").wait_for()
    expect(you.page.locator(f"{buttons}:visible")).to_have_count(6)
    you.settle()
    assert you.page.evaluate(COVERED, buttons) == []
    you.go("/learn/first-game")
    bubble = you.page.locator(".bubble")
    for _ in range(6):
        bubble.locator(".button:enabled").last.wait_for()
        you.settle()
        assert you.page.evaluate(COVERED, buttons) == [], bubble.locator("h2").inner_text()
        before = bubble.inner_text()
        bubble.locator(".button:enabled").last.click()
        expect(bubble).not_to_have_text(before, use_inner_text=True)


OVER = """
() => { const b = document.querySelector('.bubble').getBoundingClientRect();
  return [...document.querySelectorAll('.table :is([data-lit], .bar .button, .top a, .tabs .chip)')].filter(e => e.getClientRects().length).filter(e => {
    const r = e.getBoundingClientRect();
    return r.right > b.left && r.left < b.right && r.bottom > b.top && r.top < b.bottom;
  }).map(e => e.textContent.trim().slice(0, 30));
}
"""


@pytest.mark.parametrize(
    "size", [(390, 844), (820, 1180), (1024, 768), (1280, 720)], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_puzzle_task_covers_nothing_selectable(visit: Visit, size: tuple[int, int]) -> None:
    you = visit(*size, touch=is_small(size))
    you.go("/puzzles/46")
    you.page.locator(".bubble").wait_for()
    you.wait()
    you.settle()
    assert you.page.evaluate(OVER) == []


def test_end_of_game_buttons_are_visible_at_every_size(visit: Visit, server: LiveServer) -> None:
    you = visit()
    SCENES["won"](you, server)
    expect(you.page.locator(".how")).to_have_text("Mira falls in turn 7. You had 4 life left.")
    for width, height in SIZES + OTHER_SIZES:
        you.resize(width, height)
        for name in ("Rematch", "Replay", "Share", "Home"):
            box = you.page.locator(".finale footer").get_by_text(name, exact=True).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height, (name, width, height)
    for width, height in LOW_SIZES:
        you.resize(width, height)
        assert you.page.evaluate(CUT, ".finale .shout") == [], (width, height)
        assert you.page.evaluate(OVERLAPPING, ".finale :is(.shout, .panel)") == [], (width, height)


def test_newest_log_line_is_visible_at_every_size(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[{"kind": "person"}, {"kind": "player", "player": "simple"}], seed=3, first="A")
    you = visit(*SIZES[0])
    you.join(game.game, game.seats["A"])
    for _ in range(6):
        you.wait()
        you.decide()
    you.wait()
    you.page.locator(".log p").last.wait_for()
    for width, height in SIZES + OTHER_SIZES:
        you.resize(width, height)
        assert you.page.evaluate(CUT, ".log p:last-child") == [], (width, height)


def axe_violations(you: Visitor) -> list[str]:
    """Return axe violations of the current page, with the rule and the first elements; of long rule lists only the start."""
    if you.page.evaluate("() => !window.axe"):
        you.page.evaluate(AXE.read_text())
    found: list[str] = you.page.evaluate(
        "async () => (await axe.run({ exclude: ['.item:nth-child(n + 60)'] }, { resultTypes: ['violations'] })).violations"
        ".map(v => `${v.id} (${v.nodes.length}): ${v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join(' | ')}`)"
    )
    return found


# a fight that ends with a question and five log lines
LONG_END = """
edition: avx
basics: Force Beam
team A: Nova: Bucket Head; Hulk: Jade Giant
team B: Thor: Lord of Asgard; Storm: 'Ro
A field: Nova@1 (attacking, blocked), Hulk@1 (attacking)
B field: Thor@1 (blocking Nova), Storm@2
turn: 8, A, fight
"""


def test_long_summary_of_an_automatic_turn_end_fits_at_every_size(visit: Visit, server: LiveServer) -> None:
    you = join_at_position(visit, server, SIZES[0], LONG_END)
    you.button("Yes").click()
    you.page.locator(".far .field [data-lit]").click()
    on = you.page.locator(".stage .button", has_text="Go on")
    on.wait_for()
    you.page.locator(".stage p").nth(5).wait_for()
    for size in SIZES + OTHER_SIZES + LOW_SIZES:
        you.resize(*size)
        assert you.page.evaluate(CUT, ".stage .button, .stage .caption, .stage .say") == [], size
        assert you.page.evaluate(OUT_OF_REACH, ".stage .button") == [], size
        assert you.page.evaluate(CUT, ".stage .deeds p:last-child") == [], size  # the newest line is visible
        assert you.page.evaluate(OVERLAPPING, ".stage .button, .stage .caption, .stage .deeds") == [], size
    on.click()
    you.page.locator("h1", has_text="Mira’s turn 9").wait_for()


def test_question_in_a_fight_is_fully_visible_beside_its_dice(visit: Visit, server: LiveServer) -> None:
    for sizes in ([x for x in SIZES + OTHER_SIZES if not is_small(x)], [(390, 844), (844, 390), *LOW_SIZES]):
        you = join_at_position(visit, server, sizes[0], LONG_END)
        expect(you.page.locator(".question")).to_contain_text("5 damage to your Nova")
        expect(you.page.locator(".choices figcaption")).to_have_text(["Nova", "Thor"])
        for size in sizes:
            you.resize(*size)
            assert you.page.evaluate(SHORTENED, ".bar .question") == [], size
            assert you.page.evaluate(CUT, ".choices .spot, .stage .caption") == [], size
            assert you.page.evaluate(OVERLAPPING, ".stage .caption, .choices .spot, .choices .asks") == [], size
            assert you.page.evaluate(OVERLAPPING, ".bar .button, .bar .question") == [], size


HANGING = """
() => {
  const of = (selector) => [...document.querySelectorAll(`.duel.sel ${selector}`)].map(e => e.getBoundingClientRect());
  const [die] = of('.attacker .die');
  return { steppers: Math.max(...of('.split').map(r => r.bottom)) <= die.top, flags: of('.attacker :is(.koflag, .dmg)').every(r => r.right <= die.left) };
}
"""


@pytest.mark.parametrize(
    "size", [x for x in [(390, 844), *LOW_SIZES] if x[0] < x[1]], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_attacker_that_splits_damage_is_fully_visible_on_a_phone(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    you = join_at_position(visit, server, size, TWO_ON_ONE)
    you.page.locator(".duel.sel .attacker .koflag").wait_for()
    you.settle()
    assert you.page.evaluate(HANGING) == {"steppers": True, "flags": True}
    assert you.page.evaluate(CUT, ".duel.sel .spot, .duel.sel .split, .duel.sel .koflag") == []


CAPTURE = """
edition: avx
team A: Thor: Odinson
team B: Spider-Man: Webhead
A reserve: Thor@1, 2 F
A field: 2 Sidekick
B field: Spider-Man@1
turn: 5, A, main
"""


def test_captured_die_hides_no_number(visit: Visit, server: LiveServer) -> None:
    you = join_at_position(visit, server, SIZES[0], CAPTURE)
    you.page.locator(".near .reserve [data-lit]").click()
    you.page.locator(".near .field .holds .die").wait_for()
    for size in SIZES:
        you.resize(*size)
        assert you.page.evaluate(OVERLAPPING, ".near .field .holds, .near .field :is(.at, .df)") == [], size


def test_globals_keep_their_places(visit: Visit, server: LiveServer) -> None:
    names = []
    for reserve in ("F, F", "S, S"):
        you = join_at_position(
            visit, server, SIZES[0], f"{SMALL_GAME}A reserve: {reserve}\nA field: Sidekick\nturn: 3, A, main\n"
        )
        expect(you.page.locator(".gb.lit")).to_have_count(1)
        names.append(you.page.locator(".gb b").all_inner_texts())
    assert names[0] == names[1]
