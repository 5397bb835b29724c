"""The team builder: editing by click, keyboard and drag, legality, links, files, trials."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.support.page_driver import TIMEOUT, HeldRequest, expect

from dicemasters.teams.formats import check_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_code import decode_team, encode_team
from dicemasters.teams.team_file import read_team

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from tests.e2e.support.page_driver import Visitor

    Visit = Callable[..., Visitor]

RAGE = encode_team(ready_teams()["green-rage"])


def legality(you: Visitor) -> Locator:
    return you.page.get_by_role("region", name="Legal?")


def slots(you: Visitor) -> Locator:
    return you.page.get_by_role("list", name="Cards of the team").locator("li[data-card]")


def code(you: Visitor) -> str:
    return you.page.get_by_label("Code of the team").input_value()


def wait_for_code(you: Visitor, fits: Callable[[str], bool]) -> None:
    """Wait until the team's code, which arrives with the server's answer, satisfies `fits`."""
    until = time.monotonic() + TIMEOUT
    while not ((text := code(you)).startswith("dm") and fits(text)):
        assert time.monotonic() < until, f"the code does not become the one expected: {text}"
        you.page.wait_for_timeout(100)


def find(you: Visitor, query: str) -> None:
    """Type a search and wait for its only result."""
    you.page.get_by_role("searchbox").fill(query)
    expect(you.page.locator(".tiles > li")).to_have_count(1)


def test_legal_team_can_be_built_by_keyboard(visit: Visit) -> None:
    you = visit()
    you.go("/team")
    you.page.locator(".tiles .add").first.wait_for()
    keys = you.page.keyboard

    def add(query: str, name: str, times: int) -> None:
        keys.press("/")
        expect(you.page.get_by_role("searchbox")).to_be_focused()
        keys.press("Control+a")
        keys.type(query)
        expect(you.page.locator(".tiles > li")).to_have_count(1)  # wait for the new list
        expect(you.page.locator(".tiles > li")).to_contain_text(name.partition(":")[0])
        you.button(f"Add {name}").focus()
        for _ in range(times):
            keys.press("Enter")

    add("title:hulk subtitle:jade", "Hulk: Jade Giant", 2)
    add("title:thor subtitle:odinson", "Thor: Odinson", 2)
    add("title:beast subtitle:expert", "Beast: Genetic Expert", 2)
    expect(slots(you)).to_have_count(3)
    legality(you).get_by_text("0 basic actions; a Tournament team brings 2").wait_for()
    add("kind:basic title:smash set:avx", "Smash!", 1)
    add('kind:basic title:"force beam" set:avx', "Force Beam", 1)
    legality(you).get_by_text("Legal: Tournament team").wait_for()
    slots(you).first.get_by_role("button", name="Look at").focus()
    keys.press("+")
    keys.press("-")
    keys.press("+")
    you.page.wait_for_function("() => document.querySelector('.tot').innerText.includes('10')")
    legality(you).get_by_text("10 of 20 dice").wait_for()
    wanted = [("avx9", 4), ("avx24", 3), ("avx2", 3)]
    wait_for_code(you, lambda text: [(card.key, dice) for card, dice in decode_team(text).cards] == wanted)
    assert check_team(decode_team(code(you))) == []


def test_team_problems_cite_rules_and_changes_can_be_undone(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE}~Green%20Rage")
    legality(you).get_by_text("Legal: Tournament team").wait_for()
    expect(you.page.get_by_label("Name of the team")).to_have_value("Green Rage")
    find(you, "title:hulk subtitle:jade")
    you.button("Add Hulk: Jade Giant").click()
    wrong = legality(you).locator("li").filter(has_text="Hulk is on the team twice, as Green Goliath and as Jade Giant")
    wrong.wait_for()
    legality(you).get_by_text("9 cards; a Tournament team has at most 8").wait_for()
    wrong.get_by_text("1.3").click()
    you.page.get_by_role("dialog", name="Rule 1.3").wait_for()
    you.page.keyboard.press("Escape")
    expect(you.button("Try it")).to_be_disabled()
    you.button("One die of Hulk: Jade Giant less").click()
    you.button("Take Hulk: Jade Giant out").click()
    you.page.get_by_role("status").filter(has_text="Hulk: Jade Giant is out.").get_by_role(
        "button", name="Undo"
    ).click()
    expect(slots(you)).to_have_count(9)
    you.page.get_by_label("Code of the team").blur()
    you.page.keyboard.press("u")
    you.page.keyboard.press("u")
    legality(you).get_by_text("Legal: Tournament team").wait_for()


def test_team_is_saved_locally_and_opened_elsewhere_by_link(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE}")
    legality(you).get_by_text("Legal: ").wait_for()
    you.button("One die of Hulk: Green Goliath less").click()
    you.page.get_by_label("Name of the team").fill("Night School")
    you.page.get_by_label("Name of the team").press("Enter")
    wait_for_code(you, lambda text: decode_team(text).dice == decode_team(RAGE).dice - 1)
    you.page.wait_for_function(
        "(code) => location.hash.includes('Night') && location.hash.includes(code)", arg=code(you)
    )
    link = you.page.url
    friend = visit(390, 844, touch=True)
    friend.page.goto(link)
    legality(friend).get_by_text("Legal: ").wait_for()
    expect(friend.page.get_by_label("Name of the team")).to_have_value("Night School")
    wait_for_code(friend, lambda text: text == code(you))
    you.page.get_by_role("navigation", name="Pages").get_by_text("Teams").click()
    mine = you.page.get_by_role("region", name="Your teams")
    mine.get_by_role("link", name=re.compile("Night School")).wait_for()
    mine.get_by_role("button", name="Throw Night School away").click()
    mine.get_by_text("None yet").wait_for()
    mine.get_by_role("button", name="Bring it back").click()
    mine.get_by_role("link", name=re.compile("Night School")).click()
    legality(you).get_by_text("Legal: ").wait_for()
    friend.page.get_by_role("navigation", name="Pages").get_by_text("Teams").click()
    friend.page.get_by_text("None yet").wait_for()  # viewing a team does not save it


def test_team_is_pasted_saved_to_a_file_and_printed(visit: Visit) -> None:
    you = visit()
    you.go("/team")
    you.button("Paste or open").click()
    box = you.page.get_by_label("A team as text or code")
    box.fill("nonsense that is no card")
    you.button("Take it").click()
    you.page.get_by_role("alert").filter(has_text="line 1: no card is called").wait_for()
    box.fill("name: Pasted\n4x Hulk: Jade Giant\n2x Thor: Odinson\nbasic: Smash! [avx]\nbasic: Force Beam [avx]\n")
    you.button("Take it").click()
    legality(you).get_by_text("Legal: Tournament team").wait_for()
    with you.page.expect_download() as got:
        you.button("Save as file").click()
    assert got.value.suggested_filename == "pasted.team"
    team = read_team(got.value.path().read_text(encoding="utf-8")).team
    assert (team.name, team.dice) == ("Pasted", 6)
    you.page.get_by_role("link", name="Print").click()
    paper = you.page.locator(".paper")
    paper.get_by_text("□□□□").wait_for()
    expect(paper).to_contain_text("Event and date")


def test_card_is_dragged_in_and_out(visit: Visit) -> None:
    you = visit(1440, 900)
    you.go("/team")
    find(you, "title:hulk subtitle:jade")
    you.page.locator(".tiles .tile").drag_to(you.page.locator(".bench"))
    slots(you).first.wait_for()
    slots(you).first.drag_to(you.page.locator(".finds"))
    you.page.get_by_role("status").filter(has_text="Hulk: Jade Giant is out.").wait_for()
    expect(slots(you)).to_have_count(0)


def test_first_turn_probabilities_are_shown(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE}")
    you.page.get_by_text("The first turns").click()
    row = you.page.get_by_role("row").filter(has_text="Iron Man")
    expect(row.get_by_role("cell")).to_have_text(["82 %", "97 %", "33 %"])


def test_team_is_tried_in_100_games_and_at_the_table(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE}")
    legality(you).get_by_text("Legal: ").wait_for()
    you.button("Try it").click()
    box = you.page.get_by_role("dialog", name="Try the team")
    box.get_by_label("Against").select_option("flame-on")
    games = HeldRequest(you, "/api/teams/try")
    box.get_by_role("button", name="Play 100 games").click()
    box.get_by_role("button", name="Stop").wait_for()
    games.release()
    box.get_by_role("status").filter(has_text="100 of 100 games").wait_for()
    numbers = [int(n) for n in re.findall(r"(\d+) (?:won|tied|lost)", box.locator(".legend").inner_text())]
    assert sum(numbers) == 100
    box.get_by_text(re.compile(r"Won \d+ % of them; by chance it could be \d+ to \d+ %")).wait_for()
    games = HeldRequest(you, "/api/teams/try")
    box.get_by_role("button", name="Play 100 games").click()
    box.get_by_role("button", name="Stop").click()
    games.release()
    box.get_by_role("button", name="Play now").click()
    you.page.wait_for_selector(".bar")
    you.wait()
    assert "/g/" in you.page.url
    you.page.locator(".deck.mine").get_by_text("Hulk").first.wait_for()


def test_own_team_can_be_chosen_for_a_new_game(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE}~Mine")
    legality(you).get_by_text("Legal: ").wait_for()
    you.button("One die of Hulk: Green Goliath less").click()
    you.page.wait_for_function("() => localStorage['dicemasters teams']?.includes('Mine')")
    you.go("/new")
    you.page.get_by_label("Format").select_option("tournament")
    you.page.get_by_label("Your team").first.select_option(label="Mine")
    you.button("Open the table").click()
    you.page.wait_for_selector(".bar")
    you.wait()
    you.page.locator(".deck.mine").get_by_text("Hulk").first.wait_for()


def test_mistyped_team_code_is_reported(visit: Visit) -> None:
    you = visit()
    you.go(f"/team#{RAGE[:-1]}0")
    legality(you).get_by_text("the team code contains a mistake").wait_for()
    you.problems.clear()  # the browser logs the refusal as an error
