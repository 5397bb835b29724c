"""Actions at the table: choices, payments, the inspector, conceding, automatic turn ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.e2e.scenes import ANSWER, SCENES, SMALL_GAME
from tests.e2e.support.full_boards import MAIN
from tests.e2e.support.page_driver import TIMEOUT, expect
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

SEATS: list[dict[str, Any]] = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}]
SHOP = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A reserve: F, F, F, B
B field: Arnim Zola@2
turn: 3, A, main
"""
LAST = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A reserve: F, B
turn: 3, A, main
"""


def join_at_position(visit: Visit, server: LiveServer, position: str, **how: Any) -> tuple[Visitor, Any]:
    game = server.open(seats=SEATS, position=position)
    you = visit(**how)
    you.join(game.game, game.seats["A"])
    you.wait()
    return you, game


def test_card_with_an_affordable_global_opens_a_menu_and_can_be_bought(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    you.page.locator(".deck.mine .tile").click()
    options = you.page.locator(".stage .menu .button")
    expect(options).to_have_text([re.compile("^Buy for 2"), re.compile("^Use for")])
    assert game.view["move"] == 0  # nothing has been played yet
    options.first.click()
    you.page.locator(".stage .pay").wait_for()
    you.button("Buy for 2").click()
    you.page.locator(".log p", has_text="You buy Black Widow.").wait_for()


def test_rivals_turn_offers_only_what_is_legal_then(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, ANSWER)
    expect(you.page.locator(".stage .opt .h")).to_have_text(["Global 2"])
    expect(you.page.locator(".bar .about")).to_have_text("Mira goes on. You may use a Global first.")


def test_global_has_a_separate_button(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    you.page.locator(".gb.lit", has_text="Black Widow").get_by_role("button", name="Use").click()
    you.page.locator(".log p", has_text="You use Black Widow’s Global.").wait_for()
    assert game.view["move"] > 0


def test_unusable_global_explains_why_when_clicked(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    you.keep_notes_visible()
    you.page.locator(".gb", has_text="Take Cover").get_by_role("button", name="no shield energy").click()
    you.page.get_by_text("It needs one shield").first.wait_for()
    assert game.view["move"] == 0


def test_payment_is_cancelled_without_consent(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    you.page.locator(".deck.basics .tile").click()
    you.page.locator(".stage .pay").wait_for()
    assert game.view["decision"]["kind"] == "pay"
    you.page.keyboard.press("Escape")
    you.page.locator(".stage .opts").wait_for()
    assert game.view["decision"]["kind"] == "main"
    assert game.view["move"] == 0


def test_hovering_announces_what_a_click_will_do(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, SHOP)
    you.page.locator(".deck.basics .tile").hover()
    expect(you.page.locator(".bar .about")).to_have_text("Buy Take Cover for 3")
    you.page.locator(".deck.mine .tile").hover()  # a click would open a menu
    expect(you.page.locator(".bar .about")).to_have_text("Buy Black Widow for 2 · Use Black Widow’s Global")
    of_card = you.page.locator(".stage .opt .spot", has_text="Black Widow")
    expect(of_card).to_have_count(2)
    for spot, action in zip(of_card.all(), ["Buy Black Widow for 2", "Use Black Widow’s Global"], strict=True):
        spot.hover()  # a click does exactly this
        expect(you.page.locator(".bar .about")).to_have_text(action)


FIELDED = f"{SMALL_GAME}A reserve: F, S, Black Widow@3\nB field: Sidekick\nturn: 3, A, main\n"
FITS = """() => {
  const inside = (a, b) => a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const of = (s) => document.querySelector(s).getBoundingClientRect();
  return inside(of('.bar .q'), of('.bar')) && inside(of('.insp .faces'), of('.insp'));
}"""


def fits(you: Visitor) -> bool:
    """Return whether the question fits the bar and the card fits the inspector, once the layout has settled."""
    you.settle()
    return bool(you.page.evaluate(FITS))


def test_question_about_a_card_and_the_card_fit_their_boxes(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, FIELDED, width=1280, height=720)
    you.page.locator(".deck.mine .tile").hover()
    you.page.locator(".insp", has_text="Black Widow").wait_for()
    assert fits(you)
    you.page.locator(".deck.basics .tile").click()  # only its Global can be used
    expect(you.page.locator(".question")).to_have_text("Use Take Cover’s Global?")
    assert fits(you)
    you.page.keyboard.press("Escape")
    expect(you.page.locator(".question")).not_to_have_text("Use Take Cover’s Global?")
    you.page.locator(".near .reserve [data-lit]").click()
    you.button("Field for 1").click()
    you.page.locator(".bar .question", has_text="Use Black Widow’s ability?").wait_for()
    assert fits(you)  # shows the fielded die
    you.page.locator(".deck.mine .tile").hover()
    you.page.locator(".insp .now").wait_for(state="detached")
    assert fits(you)
    you.button("Yes").click()
    you.page.locator(".log p", has_text="Mira’s Sidekick is KO’d.").wait_for()
    expect(you.page.locator(".log p", has_text="yes")).to_have_count(0)


def test_inspector_keeps_its_card_while_the_mouse_passes_others(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=SEATS, position=FIELDED)
    you = visit(1280, 720)
    you.page.clock.install()  # so that no time passes while the mouse moves
    you.join(game.game, game.seats["A"])
    you.wait()
    you.page.locator(".deck.mine .tile").hover()
    read = you.page.locator(".insp")
    expect(read).to_contain_text("Black Widow")
    you.settle()
    mouse, spots = you.page.mouse, you.page.locator(".far .field [data-spot]")
    box, away = spots.first.bounding_box(), read.bounding_box()
    assert box is not None
    assert away is not None
    you.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.move(away["x"] + 40, away["y"] + 40)
    you.page.clock.run_for(2000)  # all running timers fire
    expect(read).to_contain_text("Black Widow")
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # the mouse stays there
    expect(read).to_contain_text("Black Widow")
    you.page.clock.run_for(2000)
    expect(read).to_contain_text("Sidekick")
    you.page.clock.resume()


def test_reading_by_touch_never_acts(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP, width=390, height=844, touch=True)
    card = you.page.locator(".deck.mine .tile")
    card.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    you.page.locator(".insp.sheet").wait_for()
    card.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
    card.dispatch_event("click", {"pointerType": "touch", "bubbles": True})
    you.page.locator(".insp").get_by_role("button", name="Close").click()
    expect(you.page.locator(".insp.sheet")).to_have_count(0)  # anything opened by the touch would be visible by now
    expect(you.page.locator(".stage .menu")).to_have_count(0)
    assert game.view["move"] == 0
    card.tap()  # a short touch shows the options; the button acts
    expect(you.page.locator(".stage .menu .button")).to_have_count(2)
    assert game.view["move"] == 0


def test_bar_buttons_do_not_overlap_on_a_phone(visit: Visit, server: LiveServer) -> None:
    free = f"{SMALL_GAME}A reserve: F, S, Black Widow@1\nturn: 3, A, main\n"
    you, _ = join_at_position(visit, server, free, width=390, height=844, touch=True)
    you.page.locator(".near .reserve [data-lit]").tap()
    you.page.locator(".bar .button", has_text="Field free").wait_for()
    expect(you.page.locator(".bar .button")).to_have_count(4)
    you.settle()
    boxes = you.page.locator(".bar .button").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(r => [r.left, r.right])"
    )
    assert len(boxes) == 4
    assert all(right <= left for (_, right), (left, _) in zip(sorted(boxes), sorted(boxes)[1:], strict=False))


def test_conceding_asks_for_confirmation_and_is_reported_everywhere(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    other = visit()
    other.join(game.game, game.seats["B"])
    you.button("Menu").click()
    you.button("Concede").click()
    box = you.page.get_by_role("dialog", name="Give this game up?")
    box.wait_for()
    assert you.page.evaluate("() => document.querySelector('dialog[open]').matches(':modal')")
    expect(box).to_contain_text("Mira wins at once.")
    you.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    you.button("Menu").click()
    you.button("Concede").click()
    box.get_by_role("button", name="Concede").click()
    you.page.locator(".finale .shout", has_text="You lose").wait_for()
    expect(you.page.locator(".finale .how")).to_have_text("You conceded")
    other.page.locator(".finale .shout", has_text="You win!").wait_for()
    expect(other.page.locator(".finale .how")).to_have_text("Ann conceded")
    you.page.wait_for_function("() => document.title === 'The game is over'")
    you.button("See the table").click()
    expect(you.page.locator(".log p").last).to_have_text("You conceded.")
    record = httpx.get(f"http://{server.address}/api/games/{game.game}/record", trust_env=False).text
    assert record.splitlines()[-1] == "result: B wins: A conceded"
    uploaded = httpx.post(f"http://{server.address}/api/records", json={"text": record}, trust_env=False)
    assert uploaded.status_code == 201


def test_automatic_turn_end_is_shown_first(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=SEATS, position=LAST)
    you = visit()
    you.page.add_init_script("localStorage['dicemasters settings'] = JSON.stringify({speed: 'at once', name: 'Ann'})")
    you.join(game.game, game.seats["A"])
    you.wait()
    you.page.locator(".deck.mine .tile").click()  # all energy is needed, so no choice is left
    you.page.locator(".stage .caption", has_text="Nothing left to do").wait_for()
    expect(you.page.locator(".question")).to_have_text("Your turn is over")
    you.page.locator(".log p", has_text="You buy").first.wait_for()  # the table shows the purchase
    expect(you.page.locator(".stage .say p").first).to_have_text(
        re.compile("^You buy ")
    )  # the purchase is reported first
    you.page.keyboard.press("Enter")
    you.page.locator("h1", has_text="Mira’s turn 4").wait_for()


def test_toss_winner_proceeds_directly_to_the_first_roll(visit: Visit, server: LiveServer) -> None:
    you = visit()
    you.page.add_init_script("localStorage['dicemasters settings'] = JSON.stringify({speed: 'at once', name: 'Ann'})")
    game = server.open(seats=[SEATS[0], {"kind": "player", "player": "simple"}], seed=1)
    you.join(game.game, game.seats["A"])
    you.wait()
    expect(you.page.locator(".question")).to_have_text("You won the toss: go first or second?")
    expect(you.page.locator(".stage .asks")).to_contain_text("first turn")
    you.button("Go first").click()
    you.page.locator(".stage .rolled .spot").first.wait_for()  # not "nothing left to do"


def test_price_includes_the_part_that_was_paid_automatically(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, SHOP)
    you.page.locator(".deck.mine .tile").click()
    you.button("Buy for 2").first.click()
    you.page.locator(".stage .pay").wait_for()
    you.page.reload()  # the reloaded page has not seen the first part of the payment
    you.page.locator(".stage .pay").wait_for()
    expect(you.page.locator(".stage .caption")).to_have_text("Buy Black Widow for 2")
    expect(you.button("Buy for 2")).to_be_enabled()
    paid = you.page.locator(".stage .pay .cap").first
    expect(paid).to_have_text("you pay · 2 of 2, 1 already paid", ignore_case=True)


def test_refused_undo_is_reported(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, SHOP)
    other = visit()
    other.join(game.game, game.seats["B"])
    you.page.locator(".deck.basics .tile").click()
    you.button("Buy for 3").click()
    you.page.locator(".stage .opts, .stage .told, .stage .rolled").first.wait_for()
    you.keep_notes_visible()
    you.button("Undo").click()
    other.page.get_by_role("button", name="No", exact=True).click()
    you.page.locator(".note.on", has_text="would rather not take it back").wait_for()


def test_attacker_in_question_can_be_chosen_on_the_stage(visit: Visit, server: LiveServer) -> None:
    you = visit()
    SCENES["order"](you, server)
    you.page.locator(".choices .spot").click()
    answers = you.page.locator(".stage .menu .button")
    answers.nth(1).wait_for()  # both effects belong to Hulk
    answers.first.click()
    you.page.locator(".stage .menu").wait_for(state="detached")


def test_piles_and_rare_actions_are_reachable_on_a_phone(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, MAIN, width=390, height=844, touch=True)
    you.page.locator(".near [data-pile^=used]").tap()
    you.page.locator(".stage .caption", has_text="Your used").wait_for()
    you.page.locator(".stage button.shut").tap()
    version = you.version
    you.page.get_by_role("button", name="Several").tap()
    you.page.wait_for_selector(f".table:not([data-version='{version}'])")
    assert game.view["decision"]["kind"] != "main"


def test_click_finishes_animations_and_shows_queued_views(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[SEATS[0], {"kind": "player", "player": "simple"}], seed=3, first="A")
    you = visit()
    you.page.add_init_script(
        "localStorage['dicemasters settings'] = JSON.stringify({speed: 'slow', hurry: true, name: 'Ann'});"
        # once `still` is set, long timers never fire
        "const wait = window.setTimeout;"
        "window.setTimeout = (act, ms, ...more) => wait(act, window.still && ms >= 200 ? 1e9 : ms, ...more);"
    )
    you.join(game.game, game.seats["A"])
    you.wait()
    you.confirm()  # keep all
    you.page.locator(".question", has_text="Your main step").wait_for()
    you.page.evaluate("() => { window.still = true; }")
    you.button("End turn").click()
    end = monotonic() + TIMEOUT
    while (view := game.view)["turn"] == 1 or view["decision"] is None or view["decision"]["seat"] != "A":
        assert monotonic() < end, "the opponent's turn does not end"
        you.page.wait_for_timeout(50)
    assert you.version < view["version"]
    you.page.wait_for_function(
        "(version) => {"
        "  document.querySelector('.stage').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));"
        "  return document.querySelector('.table').dataset.version === String(version);"
        "}",
        arg=view["version"],
    )
    # flights would start in the next frame
    flights = you.page.evaluate(
        "async () => {"
        "  for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);"
        "  return document.getAnimations().filter(a => a.id === 'flight' && a.playState === 'running').length;"
        "}"
    )
    assert flights == 0


def test_reduced_motion_disables_animations(visit: Visit, server: LiveServer) -> None:
    you = visit()
    you.page.emulate_media(reduced_motion="reduce")
    game = server.open(seats=SEATS, position=SHOP)
    you.join(game.game, game.seats["A"])
    you.wait()
    moving = you.page.evaluate(
        "async () => {"
        "  let most = 0;"
        "  for (let n = 0; n < 5; n++) {"
        "    most = Math.max(most, document.getAnimations().filter(a => a.playState === 'running').length);"
        "    await new Promise(requestAnimationFrame);"
        "  }"
        "  return most;"
        "}"
    )
    assert moving == 0
    assert you.page.evaluate("() => document.documentElement.dataset.calm") == "yes"


TEAMS = "edition: ai\nbasics: Take Cover [ai]\nteam A: Black Widow: Red Alert\nteam B: Arnim Zola: Scientist Supreme\n"


def test_bar_says_whether_attackers_can_be_blocked(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, f"{TEAMS}A field: Sidekick\nturn: 3, A, declare")
    expect(you.page.locator(".bar .about")).to_have_text("Nobody can block them.")
    you, _ = join_at_position(visit, server, f"{TEAMS}A field: Sidekick\nB field: Sidekick\nturn: 3, A, declare")
    expect(you.page.locator(".bar .about")).to_have_text("Each attacker can be blocked.")


def test_bar_warns_of_a_lethal_hit(visit: Visit, server: LiveServer) -> None:
    fight = f"{TEAMS}A reserve: S\nA field: Sidekick\nB field: Arnim Zola@3 (attacking)\nturn: 4, B, fight, respond\n"
    you, _ = join_at_position(visit, server, f"{fight}A life: 1")
    expect(you.page.locator(".bar .about")).to_have_text("You would lose. Mira goes on. You may use a Global first.")
    you, _ = join_at_position(visit, server, f"{fight}A life: 20")
    expect(you.page.locator(".bar .about")).to_have_text("Mira goes on. You may use a Global first.")


def test_bar_warns_when_only_own_dice_can_be_targeted(visit: Visit, server: LiveServer) -> None:
    you, _ = join_at_position(visit, server, f"{TEAMS}A reserve: Black Widow@1, F\nA field: Sidekick\nturn: 3, A, main")
    you.page.locator(".near .reserve [data-lit]", has_text="").first.click()
    you.page.locator(".bar .question", has_text="Use Black Widow’s ability?").wait_for()
    expect(you.page.locator(".bar .about")).to_have_text(re.compile("^There is only your own Sidekick."))
    expect(you.button("Not again this turn")).to_have_attribute("title", re.compile("does not ask you again"))


NO_ATTACKERS = f"""
{SMALL_GAME.replace("[ai]", "[ai]; Crowd Fighting [ai]")}A reserve: F, S, Crowd Fighting
B reserve: B
turn: 5, A, main
"""
CANNOT_ATTACK = """
edition: cw
basics: Possession
team A: Maria Hill: On the Hunt
team B: Thor: Lord of Asgard
A reserve: F, S
A field: Maria Hill@3
B field: Thor@1
turn: 5, A, main
"""


def test_attack_is_offered_only_when_possible(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, NO_ATTACKERS)
    attack = you.button("Attack →")
    expect(attack).to_be_disabled()
    expect(attack).to_have_attribute("title", "You have nobody to attack with.")
    expect(you.page.locator(".stage .opt", has_text="Action")).to_have_text(re.compile("Yours would do nothing now.$"))
    you.page.keyboard.press("a")
    you.point_at_unlit_card()
    assert game.view["turn"] == 5
    you.page.keyboard.press("e")
    you.page.locator("h1", has_text="Mira’s turn 6").wait_for()
    you, _ = join_at_position(visit, server, CANNOT_ATTACK)
    expect(you.button("Attack →")).to_be_disabled()
    # an action at the start of the attack step provides an attacker
    you, _ = join_at_position(visit, server, CANNOT_ATTACK.replace("F, S", "F, S, Possession"))
    you.button("Attack →").click()
    you.page.locator(".bar .acts .button", has_text="Use").click()


def test_paying_for_several_is_explained_and_can_be_cancelled(visit: Visit, server: LiveServer) -> None:
    you, game = join_at_position(visit, server, MAIN)
    for by_key in (True, False):
        you.button("Pay for several at once").click()
        you.page.locator(".stage .asks", has_text="Choose what you pay for together, then pay.").wait_for()
        if by_key:
            you.page.keyboard.press("Escape")
        else:
            you.button("Cancel").click()
        you.page.locator(".stage .opts").wait_for()
        assert game.view["move"] == 0


ENDS_IN_SIGHT = """
edition: ai
basics: Take Cover [ai]
team A: Colossus: Piotr Rasputin; Black Widow: Red Alert
team B: Beast: Big Boy Blue; Thor: Lord of Asgard
A field: Colossus@1 (attacking, blocked), Black Widow@1 (attacking, blocked), Sidekick (attacking)
A reserve: S
B field: Beast@2 (blocking Colossus), Thor@2 (blocking Black Widow), Sidekick
turn: 3, A, fight
"""


# Records, by the page's clock, when two KOs are visible and when the next roll is. With `click`, clicks in between and
# disables long timers, so that the roll can only follow from the click, however slow the machine is.
FIGHT_ENDS = """
(click) => {
  window.seen = {};
  const wait = window.setTimeout;
  if (click) window.setTimeout = (act, ms, ...more) => wait(act, ms >= 200 ? 1e9 : ms, ...more);
  const look = () => {
    const [ko, rolled] = [document.querySelectorAll('.fight .die.ko').length > 1, document.querySelector('.stage .rolled')];
    if (ko && seen.ko === undefined) {
      Object.assign(seen, { ko: performance.now(), rolledThen: !!rolled, life: document.querySelector('.far .life b').textContent,
        line: [...document.querySelectorAll('.log p')].at(-1).textContent.trim() });
      if (click) document.querySelector('.stage').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      if (click) document.querySelector('.stage').click();
    }
    if (rolled && seen.ko !== undefined) seen.rolled ??= performance.now();
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
}
"""


@pytest.mark.parametrize("click", [False, True])
def test_end_of_a_fight_is_shown_before_the_next_roll_unless_clicked(
    visit: Visit, server: LiveServer, click: bool
) -> None:
    game = server.open(seats=SEATS, position=ENDS_IN_SIGHT)
    you = visit()
    you.page.add_init_script("localStorage['dicemasters settings'] = JSON.stringify({speed: 'normal', name: 'Ann'})")
    you.join(game.game, game.seats["A"])
    you.wait()
    you.page.evaluate(FIGHT_ENDS, click)
    you.proceed()
    you.page.wait_for_function("() => seen.rolled !== undefined")
    seen = you.page.evaluate("() => seen")
    assert not seen["rolledThen"]
    assert seen["life"] == "19"
    assert seen["line"].endswith("is KO’d.")
    if not click:
        assert seen["rolled"] - seen["ko"] > 1000
    expect(you.page.locator(".log p", has_text="is KO’d")).to_have_count(2)  # reported once each
