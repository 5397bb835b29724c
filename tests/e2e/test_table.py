"""Games in the browser, from the first visit to the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.support.full_boards import MAIN
from tests.e2e.support.page_driver import DECIDES, PAGE_STATE, expect, play_each_other
from tests.support.live_server import LiveServer

from dicemasters.rules.document import rules_document

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

PERSON: dict[str, Any] = {"kind": "person"}
SIMPLE: dict[str, Any] = {"kind": "player", "player": "simple"}

ENDS = ("you win!", "you lose", "a tie")
FIGHT = """
edition: avx
basics: Force Beam; Smash!
team A: Hulk: Jade Giant; Iron Man: Playboy
team B: Thor: Lord of Asgard; Storm: 'Ro
A field: Iron Man@2, Iron Man@1
B field: Thor@2 (attacking), Storm@1 (attacking)
turn: 8, B, block
"""
LOG_EQUALS = (
    "(log_lines) => [...document.querySelectorAll('.log p')].map((e) => e.innerText).join() === log_lines.join()"
)
MAIN_STEP = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A reserve: F, F, F, B
A field: Black Widow@2, Sidekick
B field: Arnim Zola@2
turn: 3, A, main
"""
DUEL = """
edition: avx
basics: Force Beam; Smash!
team A: Hulk: Jade Giant; Iron Man: Playboy
team B: Thor: Lord of Asgard; Storm: 'Ro
A field: Hulk@3, Sidekick
B field: Storm@3 (attacking)
turn: 8, B, block
"""


def test_first_visit_leads_to_a_finished_game_with_verified_dice(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Play now").click()
    assert you.play_out().lower() in ENDS
    you.button("Fair dice").click()
    you.button("Check every throw so far").click()
    you.page.get_by_text("Everything that was checked fits.").wait_for()
    you.page.keyboard.press("Escape")
    you.button("See the table").click()
    you.page.locator(".bar").get_by_role("button", name="See the result").click()
    you.button("Rematch").click()  # a bot accepts immediately
    you.page.locator(".finale").wait_for(state="detached")
    you.wait()
    assert not you.is_over


def test_first_visit_leads_to_a_finished_solitaire_game_with_cited_rules(visit: Visit) -> None:
    you = visit()
    you.go("/new")
    you.page.get_by_label("Solitaire").check()
    you.button("Open the table").click()
    rule = you.page.locator(".log p.why").first
    for _ in range(40):
        you.wait()
        if rule.count():
            break
        you.decide()
    expect(rule).to_have_text(re.compile(r"[a-z)] \(S\d+\)\s*$"))
    log_lines = you.page.locator(".log p.why").all_inner_texts()
    assert not [line for line in log_lines if re.search(r"@\d|: [FBMS?]+ |:[FBMS]|\bB's ", line)]
    assert you.play_out().lower() in ENDS


def test_two_friends_finish_a_game_by_link(visit: Visit) -> None:
    kim, lee = visit(), visit()
    kim.go("/new#link")
    kim.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    kim.page.get_by_label("Life").fill("1")
    kim.button("Open the table").click()
    shown = kim.page.get_by_role("textbox", name="Send this link to your friend").input_value()
    kim.button("Copied").wait_for()
    link = kim.page.evaluate("() => navigator.clipboard.readText()")
    assert link == shown
    kim.button("Go to the table").click()
    kim.page.locator(".stage .caption", has_text="Waiting for your friend").wait_for()
    lee.page.add_init_script("localStorage['dicemasters settings'] = JSON.stringify({speed: 'at once', hurry: true})")
    lee.page.goto(link)
    lee.page.get_by_role("heading", name="Ann invites you to a game").wait_for()
    lee.page.get_by_label("Your name").fill("Lee")
    lee.button("Sit down").click()
    lee.page.wait_for_selector(".bar")
    kim.page.get_by_text("Lee").first.wait_for()
    watcher = visit()
    watcher.page.goto(link.partition("#")[0])
    watcher.page.wait_for_selector(".bar")
    play_each_other(kim, lee)
    shouts = sorted(player.page.locator(".finale .shout").inner_text().lower() for player in (kim, lee))
    assert shouts in (["you lose", "you win!"], ["a tie", "a tie"])
    watcher.page.wait_for_selector(".finale")
    expect(watcher.page.locator(DECIDES)).to_have_count(0)


def test_undo_against_a_bot_reverts_the_last_choice(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, SIMPLE], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    question, before = you.question, game.view["move"]
    you.page.locator(".log p", has_text="turn 1").wait_for()
    log_lines = you.page.locator(".log p").all_inner_texts()
    you.decide_and_wait()
    you.page.wait_for_function(f"(log_lines) => !({LOG_EQUALS})(log_lines)", arg=log_lines)
    later = you.version
    you.page.keyboard.press("u")
    you.page.wait_for_selector(f".table:not([data-version='{later}'])")
    you.wait()
    expect(you.page.locator(".question")).to_have_text(question)
    assert game.view["move"] == before
    you.page.wait_for_function(LOG_EQUALS, arg=log_lines)  # without a trace of the choice
    you.page.reload()
    you.wait()
    you.page.wait_for_function(LOG_EQUALS, arg=log_lines)


def test_undo_against_a_person_needs_consent(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON | {"name": "Lee"}], seed=3, first="A")
    kim, lee = visit(), visit()
    kim.join(game.game, game.seats["A"])
    lee.join(game.game, game.seats["B"])
    kim.wait()
    question = kim.question
    kim.decide_and_wait()
    kim.keep_notes_visible()
    kim.button("Undo").click()
    for width, height in ((390, 664), (844, 390), (1280, 800)):
        lee.resize(width, height)
        lee.page.get_by_role("button", name="No", exact=True).click(trial=True)  # fully visible
        stage, box = (
            lee.page.locator(".stage").bounding_box(),
            lee.page.get_by_role("button", name="No", exact=True).bounding_box(),
        )
        assert stage is not None
        assert box is not None
        assert stage["y"] <= box["y"]
        assert box["y"] + box["height"] <= stage["y"] + stage["height"]
    lee.page.get_by_role("button", name="No", exact=True).click()
    kim.page.get_by_text("Lee would rather not take it back.").wait_for()
    kim.button("Undo").click()
    lee.button("Allow it").click()
    kim.page.locator(f"{DECIDES} .question", has_text=question).wait_for()


def test_reload_during_a_decision_returns_to_it(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=FIGHT)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.lit()[0].click()  # picks a blocker
    you.page.reload()
    you.wait()
    expect(you.page.locator(".question")).to_have_text("Who blocks whom?")
    you.go()
    you.page.locator("a.game").click()  # the start page lists the game
    you.wait()
    expect(you.page.locator(".question")).to_have_text("Who blocks whom?")


def test_blocks_are_declared_on_the_table_and_confirmed_once(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=FIGHT)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    blockers = you.page.locator(".near .field [data-lit]")
    for n in range(2):
        blockers.first.click()
        you.page.locator(".fight .attacker [data-lit]").nth(n).click()
    expect(you.button("Block with 2")).to_be_enabled()
    you.proceed()
    you.page.locator(".log p", has_text="You block Storm with Iron Man.").wait_for()
    you.page.locator(".log p", has_text="You block Thor with Iron Man.").wait_for()


@pytest.mark.parametrize("attempt", ["double click", "second click after the answer", "held key"])
def test_second_click_or_held_key_does_not_answer_the_next_question(
    visit: Visit, server: LiveServer, attempt: str
) -> None:
    game = server.open(seats=[PERSON, PERSON], position=MAIN_STEP)
    you = visit()
    you.page.add_init_script(
        "const now = performance.now.bind(performance); performance.now = () => window.stopped ?? now();"
    )
    you.join(game.game, game.seats["A"])
    you.wait()
    on = you.page.locator(".flow .last .button")  # "Attack", and then "No attack" in the same place
    asks = you.page.locator(".question", has_text="Who attacks?")
    # A second click counts only some time after the next question has appeared. With a stopped clock it never counts.
    you.page.evaluate("() => { window.stopped = performance.now(); }")
    mouse, keys = you.page.mouse, you.page.keyboard
    if attempt == "double click":
        on.dblclick()
    elif attempt == "second click after the answer":
        on.hover()
        mouse.down(click_count=1)
        mouse.up(click_count=1)
        asks.wait_for()
        mouse.down(click_count=2)
        mouse.up(click_count=2)
    else:
        on.focus()
        for _ in range(4):
            keys.down("Enter")
        asks.wait_for()
        for _ in range(4):
            keys.down("Enter")
        keys.up("Enter")
    asks.wait_for()
    you.point_at_unlit_card()
    expect(you.page.locator(".question")).to_have_text("Who attacks?")
    assert game.view["decision"]["kind"] == "attack"
    you.page.evaluate("() => { window.stopped = undefined; }")
    you.wait()
    on.click()
    you.page.locator(".question", has_text="looks at the dice").wait_for()


def test_duel_survivor_is_marked_as_good_only_if_it_is_yours(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=DUEL)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    for blocker, tone in (("Sidekick", "hit"), ("Hulk", "ok")):
        you.page.locator(".near .field [data-lit]", has_text=blocker).click()
        you.page.locator(f".fight .tag.{tone}", has_text="lives").wait_for()
        you.button("Start anew").click()


def test_clicking_an_unlit_card_explains_why_not(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, SIMPLE], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.keep_notes_visible()
    you.page.locator(".deck.rival .tile").first.click()
    log_lines, rule = you.page.wait_for_function(
        "() => { const rule = document.querySelector('.note.on .rule'); return rule && [rule.parentElement.innerText, rule.innerText]; }"
    ).json_value()
    assert rule in rules_document().numbers
    assert f". {rule}" in log_lines


def test_replay_steps_and_jumps_through_a_game(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, SIMPLE], seed=5, life=3)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.play_out()
    expect(you.page.locator(".bar .question")).to_have_text(re.compile(r":\s*\S"))
    you.page.get_by_role("link", name="Replay").click()
    count = you.page.locator(".count")
    expect(count).to_have_text(re.compile(r"^\s*0 of "))
    expect(you.page.get_by_role("region", name="Your team")).to_have_count(1)  # the region names its owner
    you.button("Step on").click()
    you.page.locator(".count", has_text="1 of ").wait_for()
    you.page.keyboard.press("ArrowRight")
    you.page.locator(".count", has_text="2 of ").wait_for()
    last = count.inner_text().split()[-1]
    you.page.locator(".slide input").fill(last)
    you.page.locator(".said", has_text="win").or_(you.page.locator(".said", has_text="tie")).wait_for()


def test_position_link_can_be_shared_and_played_on(visit: Visit) -> None:
    you = visit()
    you.go()
    you.button("Watch").click()
    you.page.get_by_placeholder("Paste a record or a position here").fill(FIGHT)
    you.button("Look at it").click()
    you.page.locator(".question", has_text="A chooses blockers").wait_for()
    other = visit()
    other.page.goto(you.page.url)
    other.button("Play both seats").click()
    other.wait()
    expect(other.page.locator(".question").first).to_contain_text("Who blocks whom?")


def test_turns_can_be_played_by_keyboard(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, SIMPLE], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    keys = you.page.keyboard
    bought = False
    for _ in range(40):
        you.wait()
        question = you.question
        if question.startswith("Your main") and not bought:
            bought = True
            keys.press("n")  # to a lit element
            you.page.wait_for_function("() => document.activeElement.textContent.includes('can be chosen')")
            version = you.version
            keys.press("Enter")
            you.wait_for_answer(version)
            if you.page.locator(".stage .menu").count():
                keys.press("1")
        else:
            before = you.page.evaluate(PAGE_STATE)
            if you.page.locator(".bar .button:is(.main, .hit):enabled").count():
                you.page.locator(".bar").focus()
                keys.press("Enter")
            else:
                keys.press("1")
            you.page.wait_for_function(f"(before) => ({PAGE_STATE})() !== before", arg=before)
        if game.view["turn"] >= 3:
            break
    assert game.view["turn"] >= 3
    you.page.locator(".deck.mine [data-spot][tabindex='0']").focus()
    at = you.page.evaluate("() => document.activeElement.dataset.spot")
    keys.press("ArrowRight" if at.endswith("2") else "ArrowLeft")
    you.page.wait_for_function("(at) => document.activeElement.dataset.spot !== at", arg=at)


def test_enter_confirms_the_selection_wherever_the_focus_is(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, SIMPLE], seed=3, first="A")
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    keys = you.page.keyboard
    keys.press("n")
    keys.press("Space")
    you.page.get_by_role("button", name="Reroll 1").wait_for()
    version = you.version
    keys.press("Enter")  # while the die has the focus
    you.wait_for_answer(version)
    you.wait()
    expect(you.page.locator(".question")).to_have_text(re.compile("^Your main"))


def test_enter_pays_while_the_focus_is_on_the_card(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=MAIN)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    card = you.page.locator(".deck.mine [data-spot^=card][data-lit]", has_text="Black Widow")
    card.focus()
    you.page.keyboard.press("Space")
    you.page.locator(".stage .pay").wait_for()
    you.page.keyboard.press("Enter")
    you.page.locator(".log p", has_text="You buy Black Widow").wait_for()
    you.page.locator(".stage .pay").wait_for(state="detached")
    assert "A buys Black Widow" in [line["text"] for line in game.view["news"]]


def test_other_energy_replaces_a_proposed_one(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=MAIN)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    you.page.locator(".deck.mine [data-spot^=card][data-lit]", has_text="Black Widow").click()
    you.page.locator(".stage .pay").wait_for()
    other = you.page.locator(".near .reserve [data-lit]:not(.picked)").first
    die = other.get_attribute("data-die")
    other.click()
    you.page.locator(f".near .reserve .picked[data-die='{die}']").wait_for()
    you.page.locator(".bar .flow .last .button:enabled, .bar .acts .main:enabled").first.wait_for()


def test_every_interactive_element_has_an_accessible_name(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=[PERSON, PERSON], position=FIGHT)
    you = visit()
    you.join(game.game, game.seats["A"])
    you.wait()
    nameless = you.page.evaluate(
        "() => [...document.querySelectorAll('button, a, input')]"
        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert nameless == []
    expect(you.page.locator(".fight [data-spot] .hidden")).to_have_text(
        ["Thor, level 2, 6 attack, 8 defence, attacking", "Storm, level 1, 2 attack, 1 defence, attacking"]
    )


@pytest.mark.parametrize("path", ["/", "game"])
def test_phone_layout_needs_no_horizontal_scrolling(visit: Visit, server: LiveServer, path: str) -> None:
    you = visit(390, 844, touch=True)
    if path == "/":
        you.go()
        you.page.wait_for_selector("text=Play now")
    else:
        game = server.open(seats=[PERSON, SIMPLE], format="tournament", teams=["green-rage", "fast-lane"], seed=3)
        you.join(game.game, game.seats["A"])
        for _ in range(12):
            you.wait()
            you.decide()
        you.wait()
    you.settle()
    width = you.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390


def test_house_rules_are_chosen_by_keyboard_and_shown_in_the_game(visit: Visit) -> None:
    you = visit()
    you.go("/new")
    you.page.get_by_label("Edition of the rules").select_option("cw")
    house = you.page.locator("summary", has_text="House rules")
    house.focus()
    you.page.keyboard.press("Enter")
    stay = you.page.get_by_label("unblocked stay until cleanup")
    stay.focus()
    you.page.keyboard.press("Space")
    expect(stay).to_be_checked()
    description = you.page.locator(f"#{stay.get_attribute('aria-describedby')}")
    expect(description).to_have_text(re.compile(r"^\s*Unblocked attackers stay in the field until cleanup\."))
    you.page.get_by_label("no ties", exact=True).check()
    expect(house).to_have_text("House rules: 2 chosen")
    you.page.get_by_label("Edition of the rules").select_option("avx")  # this edition has no ties anyway
    expect(house).to_have_text("House rules: 1 chosen")
    you.page.get_by_text("By the rules of Avengers vs. X-Men (2014), with 1 house rule.").wait_for()
    you.button("Open the table").click()
    you.page.wait_for_selector(".bar")
    you.button("Menu").click()
    rules = you.page.locator(".rules summary")
    expect(rules).to_have_text("Avengers vs. X-Men with 1 house rule")
    rules.focus()
    you.page.keyboard.press("Enter")
    rule = you.page.locator(".rules li")
    text = "unblocked stay until cleanup Unblocked attackers stay in the field until cleanup."
    expect(rule).to_have_text(text, use_inner_text=True)


def test_solitaire_shows_its_edition_and_script_variants(visit: Visit) -> None:
    you = visit()
    you.go("/new")
    you.page.get_by_label("Solitaire").check()
    you.page.get_by_text("By the rules of Avengers vs. X-Men (2014).").wait_for()
    you.page.locator("summary", has_text="How its script is read").click()
    you.page.get_by_label("tricks wait").check()
    you.button("Open the table").click()
    you.page.wait_for_selector(".bar")
    you.button("Menu").click()
    expect(you.page.locator(".rules summary")).to_have_text("Avengers vs. X-Men")
    you.page.locator(".rules summary").click()
    expect(you.page.locator(".rules li")).to_contain_text("tricks wait")
