"""Every page, dialog and state of the page, with the way to it: for screenshots, axe and zoom tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.e2e.support.draft_client import draft_until, open_draft
from tests.e2e.support.full_boards import BLOCKS, DECLARE, FOUR_BLOCKS, FOUR_MAIN, MAIN
from tests.e2e.support.stored_game import store_game

from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_code import encode_team

if TYPE_CHECKING:
    from tests.e2e.support.page_driver import Visitor
    from tests.support.live_server import LiveServer, OpenedGame

Scene = Callable[["Visitor", "LiveServer"], None]

SEATS: list[dict[str, Any]] = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}]
FOUR: list[dict[str, Any]] = [{"kind": "person", "name": name} for name in ("Ann", "Rolf", "Mira", "Zoe")]
AGAINST_SIMPLE: list[dict[str, Any]] = [{"kind": "person", "name": "Ann"}, {"kind": "player", "player": "simple"}]
SMALL_GAME = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
"""
SHOP = f"{SMALL_GAME}A reserve: F, F, F, B\nB field: Arnim Zola@2\nturn: 3, A, main\n"
ANSWER = f"{SMALL_GAME}A reserve: F, S, S\nA field: Black Widow@2\nB field: Arnim Zola@2\nturn: 4, B, main, respond\n"
TWO_ON_ONE = """
edition: ai
team A: Colossus: Piotr Rasputin; Hulk: Jade Giant
team B: Beast: Big Boy Blue; Thor: Lord of Asgard
A field: Colossus@1 (attacking, blocked), Hulk@1 (attacking)
B field: Beast@2 (blocking Colossus), Thor@2 (blocking Colossus), Sidekick
turn: 3, A, fight
"""
TEAM = encode_team(ready_teams()["green-rage"])
# two effects of one attacker wait for their order; the attacker is chosen on the stage
ORDER = """
edition: avx
basics: Force Beam; Smash!
team A: Hulk: Jade Giant; Iron Man: Playboy
team B: Thor: Lord of Asgard; Storm: 'Ro
A field: Hulk@3 (attacking, blocked), Iron Man@1
B field: Thor@1 (blocking Hulk), Storm@2 (blocking Hulk)
turn: 8, A, fight
"""


def at_path(path: str, seen: str = "h1") -> Scene:
    """Return the scene of a page by its path."""

    def scene(you: Visitor, _: LiveServer) -> None:
        you.go(path)
        you.page.locator(seen).first.wait_for()

    return scene


def join_at_position(you: Visitor, server: LiveServer, position: str, seats: str = "A") -> OpenedGame:
    """Join a game from a position."""
    game = server.open(seats=FOUR if "team C" in position else SEATS, position=position)
    you.join(game.game, ",".join(game.seats[seat] for seat in seats))
    you.wait()
    return game


def at_position(position: str, *actions: Callable[[Visitor], None], seats: str = "A") -> Scene:
    """Return the scene of a table: a position and the actions taken there."""

    def scene(you: Visitor, server: LiveServer) -> None:
        join_at_position(you, server, position, seats)
        for action in actions:
            action(you)

    return scene


def table_dialog(name: str, *, menu: bool = True) -> Scene:
    """Return the scene of a dialog over the table."""

    def scene(you: Visitor, server: LiveServer) -> None:
        game = server.open(seats=AGAINST_SIMPLE, first="A")
        you.join(game.game, game.seats["A"])
        you.wait()
        if menu:
            you.button("Menu").click()
        if name != "Menu":
            you.button(name).click()
        you.page.locator("dialog[open]").wait_for()

    return scene


def start_dialog(name: str) -> Scene:
    """Return the scene of a dialog of the start page."""

    def scene(you: Visitor, _: LiveServer) -> None:
        you.go()
        you.button(name).click()
        you.page.locator("dialog[open]").wait_for()

    return scene


def click(selector: str, then: str) -> Callable[[Visitor], None]:
    def action(you: Visitor) -> None:
        you.page.locator(selector).first.click()
        you.page.locator(then).first.wait_for()

    return action


def attack(you: Visitor) -> None:
    for n in range(1, 5):
        you.page.locator(".near .field [data-lit]").first.click()
        you.page.locator(".fight .spot").nth(n - 1).wait_for()


def block(you: Visitor) -> None:
    for n in range(3):
        you.page.locator(".near .field [data-lit]").first.click()
        you.page.locator(".fight .attacker [data-lit]").nth(n).click()
    you.page.locator(".fight .koflag").first.wait_for()


def show_damage_order(you: Visitor) -> None:
    you.proceed()
    you.page.locator(".choices .spot").first.wait_for()


def wait_for_split(you: Visitor) -> None:
    you.page.locator(".duel.sel").wait_for()


def inspect(you: Visitor) -> None:
    """Inspect a card with a long text: beside the table, or over it in a small window."""
    card = you.page.locator(".deck.mine .tile").first
    if you.is_small:
        card.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
        you.page.locator(".insp.sheet").wait_for()
        card.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
    else:
        card.hover()
        you.page.locator(".insp .ih").wait_for()


def roll(you: Visitor, server: LiveServer) -> None:
    game = server.open(seats=AGAINST_SIMPLE, seed=3, first="A")
    you.join(game.game, game.seats["A"])
    you.wait()
    you.page.locator(".rolled .spot").first.click()


def coach(you: Visitor, server: LiveServer) -> None:
    roll(you, server)
    you.button("Coach").click()
    you.page.locator(".hints li:visible").first.wait_for()


def waiting(you: Visitor, server: LiveServer) -> None:
    game = server.open(seats=SEATS)
    you.join(game.game, game.seats["A"])
    you.page.locator(".stage .caption").wait_for()


def guest_waiting(you: Visitor, server: LiveServer) -> None:
    """Open a friend's link before the friend has joined."""
    game = server.open(seats=[SEATS[0], {"kind": "person"}])
    you.join(game.game, game.seats["B"])
    you.page.locator(".stage", has_text="You are here").wait_for()


def waiting_for_three(you: Visitor, _: LiveServer) -> None:
    """Open a doubles game for friends, and go to its table."""
    new_doubles(you, _)
    for seat in ("A rival", "Another rival"):
        you.page.get_by_label(seat, exact=True).select_option("link")
    you.button("Open the table").click()
    you.page.get_by_role("textbox", name="The link for Your partner").wait_for()
    you.button("Go to the table").click()
    you.page.locator(".stage .link input").nth(2).wait_for()


def new_doubles(you: Visitor, _: LiveServer) -> None:
    you.go("/new#doubles")
    you.page.get_by_label("Your partner", exact=True).wait_for()


def draft(stage: str, picks: int = 1000, **wanted: Any) -> Scene:
    """Return the scene of a draft at a stage."""

    def scene(you: Visitor, server: LiveServer) -> None:
        name, chairs = open_draft(server, name="Ann", **wanted)
        secrets = [*chairs.values()]
        if stage != "waiting":
            draft_until(server, name, secrets, stage, picks)
        you.go(f"/draft/{name}#{secrets[0]}")
        you.page.locator("main h1").wait_for()
        if stage == "nothing":
            you.page.locator("button.tile").nth(1).click()
            you.page.locator(".lcard").first.wait_for()

    return scene


def draft_waiting(you: Visitor, _: LiveServer) -> None:
    """Open a draft for friends on the page."""
    you.go("/draft")
    you.page.get_by_label("Friends by link").select_option("2")
    you.button("Open the draft").click()
    you.page.locator(".invite input").nth(1).wait_for()


def four_watched(you: Visitor, server: LiveServer) -> None:
    game = server.open(seats=FOUR, position=FOUR_MAIN)
    you.go(f"/g/{game.game}")
    you.page.locator(".stage .told").wait_for()


def four_won(you: Visitor, server: LiveServer) -> None:
    game = join_at_position(you, server, FOUR_MAIN.replace("A life: 22", "A life: 1"))
    rival = game.join("B")
    rival.send(type="concede", seat="B")
    you.page.locator(".finale .chart svg").wait_for()
    rival.leave()


def games_to_continue(you: Visitor, server: LiveServer) -> None:
    """Return to the start page with unfinished games."""
    for first in ("A", "B"):
        game = server.open(seats=AGAINST_SIMPLE, seed=3, first=first)
        you.join(game.game, game.seats["A"])
        you.wait()
    you.go()
    you.page.locator("a.game .lives").nth(1).wait_for()


def friend_link(you: Visitor, _: LiveServer) -> None:
    you.go()
    you.button("Play a friend").click()
    you.page.get_by_role("dialog").get_by_role("button", name="Send a link").click()
    you.page.get_by_role("textbox", name="Send this link to your friend").wait_for()


def invited(you: Visitor, server: LiveServer) -> None:
    game = server.open(seats=[SEATS[0], {"kind": "person"}])
    you.page.add_init_script(
        "const kept = JSON.parse(localStorage['dicemasters settings']); kept.name = '';"
        "localStorage['dicemasters settings'] = JSON.stringify(kept);"
    )
    you.go(f"/g/{game.game}#{game.seats['B']}")
    you.page.locator("#name").wait_for()


def wrong_link(you: Visitor, server: LiveServer) -> None:
    you.go(f"/g/{server.open(seats=SEATS).game}#wrong")
    you.page.get_by_text("This link opens no seat").wait_for()


def no_page(you: Visitor, _: LiveServer) -> None:
    you.go("/nonsense")
    you.page.locator("h1").wait_for()
    you.problems.clear()  # the browser logs the 404 as an error


def wrong_form(you: Visitor, _: LiveServer) -> None:
    you.go("/new")
    you.page.get_by_label("Format").select_option("tournament")
    you.page.get_by_label("The other team").select_option("paste")
    you.page.get_by_label("The other team as text or code").fill("Hulk: Nobody")
    you.button("Open the table").click()
    you.page.get_by_role("alert").filter(has_text="Line 1: no card is called").wait_for()
    you.problems.clear()  # the browser logs the refusal as an error


def wrong_try(you: Visitor, _: LiveServer) -> None:
    you.go("/learn/first-game")
    you.page.locator(".bubble").wait_for()
    you.button("Keep all").click()
    you.page.locator(".bubble.wrong").wait_for()


def lesson_end(you: Visitor, _: LiveServer) -> None:
    you.go("/learn/first-game#11")
    you.page.locator(".bubble").wait_for()
    you.finish_lesson()


def win_game(you: Visitor, server: LiveServer) -> None:
    """Win a short game."""
    game = join_at_position(
        you, server, f"{SMALL_GAME}A life: 4\nB life: 2\nA field: Black Widow@2, Sidekick\nturn: 7, A, declare\n"
    )
    del game
    for _ in range(2):
        you.page.locator(".near .field [data-lit]").first.click()
    you.proceed()
    you.play_out()
    you.page.locator(".finale .chart svg").wait_for()


def lose_game(you: Visitor, server: LiveServer) -> None:
    join_at_position(you, server, SHOP)
    you.button("Menu").click()
    you.button("Concede").click()
    you.page.get_by_role("dialog").get_by_role("button", name="Concede").click()
    you.page.locator(".finale .chart svg").wait_for()


def replay(you: Visitor, server: LiveServer) -> None:
    game = server.open(seats=AGAINST_SIMPLE, seed=5, first="A")
    you.join(game.game, game.seats["A"])
    for _ in range(12):
        you.wait()
        you.decide()
    you.go(f"/r/{game.game}")
    you.page.locator(".count").wait_for()
    you.button("Next turn").click()
    you.button("Next turn").click()
    you.page.locator(".count:not(:text('0 of'))").wait_for()


def review(you: Visitor, server: LiveServer) -> None:
    you.go(f"/r/{store_game(server)}?back")
    you.page.locator("svg .line").wait_for(timeout=600_000)
    you.page.locator("progress").wait_for(state="detached", timeout=600_000)
    you.page.locator(".turning button").first.click()
    you.page.locator("p.why").wait_for(timeout=600_000)


def position(you: Visitor, _: LiveServer) -> None:
    you.go()
    you.button("Watch").click()
    you.page.get_by_placeholder("Paste a record or a position here").fill(MAIN)
    you.button("Look at it").click()
    you.button("Play A against Level 2").wait_for()


def rule_dialog(you: Visitor, server: LiveServer) -> None:
    join_at_position(you, server, SHOP)
    you.keep_notes_visible()
    you.page.locator(".deck.rival .tile").first.dispatch_event("click")
    you.page.wait_for_function(
        "() => { const rule = document.querySelector('.note.on .rule'); rule?.click(); return rule !== null; }"
    )
    you.page.locator("dialog[open]").wait_for()


def search_help(you: Visitor, _: LiveServer) -> None:
    you.go("/cards")
    you.button("How to search").click()
    you.page.locator(".examples").wait_for()
    you.page.locator(".tiles a").first.wait_for()


def wrong_search(you: Visitor, _: LiveServer) -> None:
    you.go("/cards?q=colour:red")
    you.page.locator("#search-problem").filter(has_text="its fields are").wait_for()


def team(you: Visitor) -> None:
    """Open a ready team in the builder."""
    you.go(f"/team#{TEAM}~Green%20Rage")
    you.page.locator(".legal li i").wait_for()


def team_dialog(name: str) -> Scene:
    """Return the scene of a dialog over the team builder."""

    def scene(you: Visitor, _: LiveServer) -> None:
        team(you)
        you.button(name).last.click()
        you.page.locator("dialog[open]").wait_for()

    return scene


def wrong_team(you: Visitor, _: LiveServer) -> None:
    team(you)
    you.button("Take Iron Man: Inventor out").click()
    you.button("Take Smash! out").click()
    you.page.locator(".legal .bad").wait_for()
    you.page.get_by_text("The first turns").click()


def own_teams(you: Visitor, server: LiveServer) -> None:
    wrong_team(you, server)
    you.page.wait_for_function("() => localStorage['dicemasters teams']")
    you.go("/teams")
    you.page.locator(".out").wait_for()


def trial(you: Visitor, _: LiveServer) -> None:
    team(you)
    you.button("Try it").click()
    pieces = count()
    # games arrive in batches; from the fourth on requests stay unanswered, so that there is something to stop
    you.page.route("**/api/teams/try", lambda route: route.continue_() if next(pieces) < 3 else None)
    you.button("Play 100 games").click()
    you.page.wait_for_function("() => document.querySelector('dialog progress')?.value >= 20")
    you.button("Stop").click()
    you.page.locator("dialog .result").wait_for()


ANGEL = 84  # puzzle: field Angel and attack with him
BUY = 27  # puzzle: which die to buy


def puzzles(you: Visitor, _: LiveServer) -> None:
    """Open the puzzles with some solved and a streak."""
    you.page.add_init_script(
        """const day = Math.floor(Date.now() / 86400000) + 719163;
        localStorage['dicemasters puzzles'] ??= JSON.stringify({
          states: {46: 'solved', 50: 'solved', 60: 'seen', 61: 'solved', 66: 'solved', 9: 'solved', 41: 'solved'},
          days: [day - 1, day - 2, day - 3, day - 5]})"""
    )
    you.go("/puzzles")
    you.page.locator("li a.solved").first.wait_for()


def at_puzzle(number: int, *actions: Callable[[Visitor], None]) -> Scene:
    """Return the scene of a puzzle and the actions taken there."""

    def scene(you: Visitor, _: LiveServer) -> None:
        you.go(f"/puzzles/{number}")
        you.wait()
        for action in actions:
            action(you)

    return scene


def press_in_bubble(button: str, then: str) -> Callable[[Visitor], None]:
    """Return an action that presses a button of the puzzle's bubble."""

    def action(you: Visitor) -> None:
        you.page.locator(".bubble").get_by_role("button", name=button, exact=True).click()
        you.page.locator(".bubble", has_text=then).wait_for()

    return action


def fail_attempt(you: Visitor) -> None:
    you.proceed()  # to the attack, without Angel
    you.page.locator(".bubble.wrong").wait_for()


def solve_angel(you: Visitor) -> None:
    """Solve the Angel puzzle by clicking."""
    you.page.locator(".near .reserve [data-lit]").first.click()
    you.page.wait_for_selector(".near .field [data-die], .stage .menu")
    if you.page.locator(".stage .menu").count():  # a touch has to be confirmed
        you.page.locator(".stage .menu .button, .bar .button.main").first.click()
        you.page.locator(".near .field [data-die]").wait_for()
    you.page.locator(".bar.mine").wait_for()
    you.proceed()
    you.page.locator(".bar .question", has_text="Who attacks?").wait_for()
    you.page.locator(".near .field [data-lit]").first.click()
    you.page.locator(".bar .button.main:enabled", has_text="Attack with 1").wait_for()
    you.proceed()
    for _ in range(5):
        you.page.wait_for_selector("main.over, .bar.mine")
        if you.page.locator("main.over").count():
            break
        you.proceed()
        you.page.wait_for_selector("main.over, .bar:not(.mine)")
    you.page.get_by_role("heading", name="Solved").wait_for()


def solve_buy(you: Visitor) -> None:
    you.page.locator("[data-spot^=option]").first.click()  # options are in the order of the cards
    you.page.locator("main.over table").wait_for()


MENU = click(".deck.mine .tile.lit", ".stage .menu")
PAY = click("[data-spot^=option]", ".stage .pay")
PILE = click(".near [data-pile^=used]", ".stage .caption")

SCENES: dict[str, Scene] = {
    "start": at_path("/"),
    "continue": games_to_continue,
    "friend": start_dialog("Play a friend"),
    "friend-link": friend_link,
    "solitaire": start_dialog("Solitaire"),
    "watch": start_dialog("Watch"),
    "invited": invited,
    "wrong-link": wrong_link,
    "no-page": no_page,
    "new": at_path("/new"),
    "new-wrong": wrong_form,
    "learn": at_path("/learn"),
    "lesson-start": at_path("/learn/first-game", ".bubble"),
    "lesson-wrong": wrong_try,
    "lesson-middle": at_path("/learn/first-game#6", ".bubble"),
    "lesson-block": at_path("/learn/first-game#7", ".bubble"),
    "lesson-end": lesson_end,
    "how-to-play": at_path("/how-to-play", ".tile"),
    "rules": at_path("/rules#3.4d", "[id='3.4d']"),
    "dice": at_path("/dice", ".all li"),
    "cards": at_path("/cards", ".tiles a"),
    "cards-help": search_help,
    "cards-wrong": wrong_search,
    "card-page": at_path("/cards/uxm3", ".ruling"),
    "card-basic": at_path("/cards/avx27", ".lcard"),
    "teams": own_teams,
    "team": at_path(f"/team#{TEAM}~Green%20Rage", ".legal li i"),
    "team-new": at_path("/team", ".tiles .add"),
    "team-wrong": wrong_team,
    "team-card": team_dialog("Look at Hulk"),
    "team-paste": team_dialog("Paste or open"),
    "team-try": trial,
    "sheet": at_path(f"/sheet#{TEAM}~Green%20Rage", ".paper section"),
    "waiting": waiting,
    "guest-waiting": guest_waiting,
    "roll": roll,
    "coach": coach,
    "main": at_position(MAIN),
    "few": at_position(SHOP),
    "choice": at_position(SHOP, MENU),
    "pay": at_position(MAIN, PAY),
    "attack": at_position(DECLARE, attack),
    "blocks": at_position(BLOCKS, block),
    "damage": at_position(TWO_ON_ONE, wait_for_split),
    "order": at_position(ORDER, show_damage_order, seats="AB"),
    "global": at_position(ANSWER),
    "pile": at_position(MAIN, PILE),
    "card": at_position(MAIN, inspect),
    "new-doubles": new_doubles,
    "four-waiting": waiting_for_three,
    "four": at_position(FOUR_MAIN),
    "four-pay": at_position(FOUR_MAIN, PAY),
    "four-blocks": at_position(FOUR_BLOCKS, block),
    "four-one-screen": at_position(FOUR_MAIN, seats="AC"),
    "four-watched": four_watched,
    "four-won": four_won,
    "draft-new": at_path("/draft", "input[type=checkbox]"),
    "draft-waiting": draft_waiting,
    "draft-pick": draft("nothing", 7, players=4, people=1),
    "draft-build": draft("build", players=3, people=1),
    "draft-over": draft("over", players=3, people=2),
    "draft-team": draft("nothing", 4, kind="team", people=1),
    "puzzles": puzzles,
    "puzzle": at_puzzle(ANGEL),
    "puzzle-survive": at_puzzle(75),
    "puzzle-buy": at_puzzle(BUY),
    "puzzle-wrong": at_puzzle(ANGEL, fail_attempt),
    "puzzle-hint": at_puzzle(ANGEL, press_in_bubble("Hint", "Hint 1 of"), press_in_bubble("Hint", "Hint 2 of")),
    "puzzle-solution": at_puzzle(
        ANGEL, press_in_bubble("Solution", "If you look"), press_in_bubble("Look", "What has to be done")
    ),
    "puzzle-solved": at_puzzle(ANGEL, solve_angel),
    "puzzle-bought": at_puzzle(BUY, solve_buy),
    "menu": table_dialog("Menu"),
    "share": table_dialog("Share"),
    "settings": table_dialog("Settings"),
    "fair": table_dialog("Fair dice"),
    "help": table_dialog("Help", menu=False),
    "concede": table_dialog("Concede"),
    "rule": rule_dialog,
    "position": position,
    "replay": replay,
    "looking-back": review,
    "won": win_game,
    "lost": lose_game,
}
