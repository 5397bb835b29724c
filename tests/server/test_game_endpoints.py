"""Game endpoints: open, play, undo, concede, rejoin, replay, house rules."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests.support.live_server import LiveClient, LiveServer, OpenedGame
from tools.load.random_guest import random_choice

from dicemasters import Game
from dicemasters.client.game_client import GameClient
from dicemasters.game.rulesets.editions import EDITIONS, SWITCHES, parse_edition
from dicemasters.game.rulesets.solitaire import SCRIPT_VARIANTS
from dicemasters.players.rng import SplitMix64
from dicemasters.rules.document import rules_document
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_file import write_team

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def play_out(person: LiveClient, seed: int = 1) -> None:
    """Make random choices for the client's seats until the game is over."""
    chance = SplitMix64(seed)
    person.wait_for_own_decision()
    while person.view["result"] is None:
        person.choose(chance.below(1000))
        person.wait_for_own_decision()


def two_people(server: LiveServer, **wanted: Any) -> tuple[OpenedGame, LiveClient, LiveClient]:
    opened = server.open(seats=PEOPLE, **wanted)
    a, b = opened.join("A"), opened.join("B")
    if a.view["decision"] is None:
        a.receive("view")
    return opened, a, b


def split_by_decider(*people: LiveClient) -> tuple[LiveClient, LiveClient]:
    """Return the deciding client and the other one."""
    a, b = people
    return (a, b) if a.view["decision"]["seat"] in a.seats else (b, a)


def test_game_against_a_bot_is_played_to_its_end(server: LiveServer) -> None:
    opened = server.open()
    assert list(opened.seats) == ["A"]
    person = opened.join("A")
    play_out(person)
    assert person.view["result"]["winner"] in "AB"
    assert person.view["decision"] is None


def test_game_opens_from_an_empty_request(server: LiveServer) -> None:
    answer = server.http.post("/api/games", json={})
    assert answer.status_code == 201


def test_watchers_see_what_the_players_see(server: LiveServer) -> None:
    opened, a, b = two_people(server)
    watcher = opened.join()
    first, second = split_by_decider(a, b)
    first.choose()
    second.receive("view")
    watcher.receive("view")
    assert first.view == second.view == watcher.view


def test_two_player_game_starts_when_both_have_joined(server: LiveServer) -> None:
    opened = server.open(seats=PEOPLE)
    a = opened.join("A")
    assert a.meta["waiting"] == ["B"]
    assert a.welcome["view"]["decision"] is None
    assert {die["zone"] for die in a.view["dice"]} <= {"card", "bag"}
    b = opened.join("B")
    a.receive("view")
    assert a.view["decision"] is not None
    assert a.view == b.view


def test_one_client_may_hold_both_seats(server: LiveServer) -> None:
    opened = server.open(seats=PEOPLE)
    both = opened.join("A", "B")
    play_out(both)
    assert both.view["result"] is not None


def test_games_with_equal_seeds_are_equal(server: LiveServer) -> None:
    views = [server.open(seed=5, seats=PEOPLE).join("A", "B").view for _ in range(2)]
    assert views[0] == views[1]


def test_rejoining_player_finds_the_game_unchanged(server: LiveServer) -> None:
    opened = server.open()
    person = opened.join("A")
    person.wait_for_own_decision()
    person.choose()
    person.wait_for_own_decision()
    person.leave()
    again = opened.join("A")
    assert again.view == person.view
    assert again.welcome["table"] == person.welcome["table"]


def test_undo_against_a_bot_returns_to_the_persons_last_choice(server: LiveServer) -> None:
    person = server.open(seed=3, first="A").join("A")
    person.wait_for_own_decision()
    before = person.view
    person.choose(-1)
    person.wait_for_own_decision()
    person.send(type="undo")
    while person.view["move"] != before["move"]:
        person.receive("view")
    changing = ("version", "news", "why")
    assert {k: v for k, v in person.view.items() if k not in changing} == {
        k: v for k, v in before.items() if k not in changing
    }


def test_undo_between_people_needs_consent(server: LiveServer) -> None:
    _, a, b = two_people(server)
    first, second = split_by_decider(a, b)
    before = first.view["move"]
    first.choose()
    second.receive("view")
    first.send(type="undo")
    second.receive("meta")
    assert second.meta["offer"] == {"what": "undo", "by": first.seats[0], "awaits": [*second.seats]}
    second.send(type="answer", yes=True)
    first.receive("view")
    assert first.view["move"] == before
    first.receive("meta")
    assert first.meta["offer"] is None


def test_declined_undo_changes_nothing(server: LiveServer) -> None:
    _, a, b = two_people(server)
    first, second = split_by_decider(a, b)
    first.choose()
    second.receive("view")
    after = second.view
    first.send(type="undo")
    second.receive("meta")
    second.send(type="answer", yes=False)
    second.receive("meta")
    assert second.meta["offer"] is None
    assert second.view == after


def test_player_cannot_answer_their_own_undo_offer(server: LiveServer) -> None:
    _, a, b = two_people(server)
    first, _ = split_by_decider(a, b)
    first.choose()
    first.send(type="undo")
    first.send(type="answer", yes=True)
    assert first.receive("refused")["reason"] == "another player has to answer"


def test_conceding_ends_the_game(server: LiveServer) -> None:
    _, a, b = two_people(server)
    a.send(type="concede", seat="A")
    b.receive("view")
    assert b.view["result"] == {"winner": "B", "text": "B wins: A conceded"}
    b.send(type="play", version=b.view["version"], choice={"option": 0})
    assert b.receive("refused")["reason"] == "the game is over"


def test_rematch_keeps_seats_and_names_and_swaps_the_first_player(server: LiveServer) -> None:
    opened, a, b = two_people(server, first="A")
    a.send(type="name", seat="A", name="Kim")
    a.send(type="concede", seat="A")
    b.receive("view")
    b.send(type="rematch")
    while not b.meta["rematch"]:
        b.receive("meta")
    again = OpenedGame(server, b.meta["rematch"], opened.seats)
    both = again.join("A", "B")
    assert both.seats == ["A", "B"]
    assert both.meta["names"]["A"] == "Kim"
    assert both.view["active"] == "B"


def test_finished_game_is_replayed_view_by_view(server: LiveServer) -> None:
    opened = server.open(seed=8)
    person = opened.join("A")
    play_out(person)
    total = server.get(f"/api/games/{opened.game}/views?count=1")["total"]
    views = [
        view
        for start in range(0, total, 100)
        for view in server.get(f"/api/games/{opened.game}/views?start={start}&count=100")["views"]
    ]
    assert [view["version"] for view in views] == list(range(total))
    assert views[0]["turn"] <= 1
    assert views[-1]["result"] == person.view["result"]
    assert views[-1]["dice"] == person.view["dice"]


def test_uploaded_record_shows_the_same_game(server: LiveServer) -> None:
    opened = server.open(seed=9)
    play_out(opened.join("A"))
    record = server.http.get(f"/api/games/{opened.game}/record").text
    uploaded = server.http.post("/api/records", json={"text": record})
    assert uploaded.status_code == 201
    copy = OpenedGame(server, uploaded.json()["game"], {})
    assert copy.view["dice"] == opened.view["dice"]
    assert copy.view["result"] == opened.view["result"]
    game = Game.from_record(record)
    assert server.get(f"/api/games/{copy.game}/views")["total"] == len(game.moves) + 1


def test_position_can_be_shared_and_played_on(server: LiveServer) -> None:
    opened = server.open(seed=4, seats=PEOPLE)
    position = server.http.get(f"/api/games/{opened.game}/position").text
    shown = server.http.post("/api/positions", json={"text": position}).json()
    assert shown["view"]["dice"] == opened.view["dice"]
    both = server.open(position=position, seats=PEOPLE).join("A", "B")
    assert both.view["dice"] == opened.view["dice"]
    both.choose()


def test_teams_are_chosen_by_key_or_at_random(server: LiveServer) -> None:
    team = server.get("/api/start")["teams"][0]
    opened = server.open(format="tournament", teams=[team["key"], "random"])
    table = server.get(f"/api/games/{opened.game}")["table"]
    assert table["life"] == 20
    assert {card["owner"] for card in table["cards"]} == {"A", "B", None}


def test_illegal_team_is_refused_with_every_problem(server: LiveServer) -> None:
    answer = server.http.post("/api/games", json={"format": "tournament", "teams": ["9x avx9\nnonsense", "random"]})
    assert answer.status_code == 400
    assert "team A, line 1" in answer.json()["error"]
    assert "team A, line 2" in answer.json()["error"]


def test_team_is_never_read_as_a_path_on_the_server(server: LiveServer) -> None:
    answer = server.http.post("/api/games", json={"teams": ["/etc/passwd", "../pyproject.toml"]})
    assert answer.status_code == 400
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"edition": "cw"}, "the position is played by 'avx' and not by 'cw'; leave out 'edition'"),
        ({"teams": ["random", "random"]}, "a position already determines the game; leave out 'teams'"),
        ({"life": 15}, "a position already determines the game; leave out 'life'"),
    ],
)
def test_options_that_conflict_with_a_position_are_refused(
    server: LiveServer, options: dict[str, object], problem: str
) -> None:
    position = "edition: avx\nA field: Sidekick\nturn: 3, A, main"
    answer = server.http.post("/api/games", json={"position": position, **options})
    assert answer.status_code == 400
    assert problem in answer.json()["error"]
    assert server.http.post("/api/games", json={"position": position, "edition": "avx"}).status_code == 201


@pytest.mark.parametrize("player", ["simple", "random"])
def test_game_between_bots_can_be_watched(server: LiveServer, player: str) -> None:
    seats = [{"kind": "player", "player": player}, {"kind": "player", "player": player}]
    watcher = server.open(seats=seats).join()
    watcher.wait_for_own_decision()
    assert watcher.view["result"] is not None


def test_clients_are_notified_who_is_present(server: LiveServer) -> None:
    opened, a, b = two_people(server)
    while a.meta["present"] != ["A", "B"]:
        a.receive("meta")
    b.leave()
    while a.meta["present"] != ["A"]:
        a.receive("meta")
    watcher = opened.join()
    assert watcher.meta["watchers"] == 1


def test_why_not_and_look_requests_are_answered(server: LiveServer) -> None:
    person = server.open().join("A")
    person.send(type="why not", thing={"die": 0}, want="")
    answer = person.receive("why not")
    assert answer["text"]
    assert answer["rule"] in rules_document().numbers
    person.send(type="look", die=0)
    assert person.receive("look")["die"] == 0


def test_rules_are_served_item_by_item(server: LiveServer) -> None:
    items = server.get("/api/rules")["items"]
    assert {item["number"] for item in items if item["number"]} == rules_document().numbers
    (overcrush,) = [item for item in items if item["number"] == "6.12"]
    assert (overcrush["title"], overcrush["level"], overcrush["defines"]) == ("Overcrush", 3, ["Overcrush"])


def test_glossary_terms_are_served_with_their_rules(server: LiveServer) -> None:
    rules = {term["term"]: term["rule"] for term in server.get("/api/terms")["terms"]}
    assert rules["Overcrush"] == "6.12"


def test_scripted_opponent_cites_a_rule_for_each_move(server: LiveServer) -> None:
    opened = server.open(solitaire={"difficulty": "easy"}, format="tournament", seed=2)
    person = opened.join("A")
    assert person.welcome["table"]["scripted"] == "B"
    assert person.view["life"] == {"A": 20, "B": 10}
    assert person.view["active"] == "A"
    while person.view["turn"] < 3:
        person.wait_for_own_decision()
        person.choose(-1)
    views = server.get(f"/api/games/{opened.game}/views?count=100")["views"]
    reasons = [view["why"] for view in views if view["news"][0]["text"].startswith("B: ")]
    assert reasons
    assert all(reason["rule"].startswith("S") for reason in reasons)


def test_engine_error_is_reported_and_the_game_continues(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    both = server.open(seed=1, seats=PEOPLE).join("A", "B")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("dicemasters.service.games.room.apply_choice", fail)
        both.send(type="play", version=both.view["version"], choice={"option": 0})
        assert both.receive("refused")["reason"] == "internal server error; nothing was changed"
    both.choose()


# --- house rules ---------------------------------------------------------------------------------------------------

HOUSE = "avx, unblocked stay until cleanup, KO'd dice are silent"


def test_house_rules_appear_in_the_table_data_and_the_record(server: LiveServer) -> None:
    opened = server.open(edition="AVX, KO'd dice are silent, unblocked stay until cleanup", seats=PEOPLE, seed=5)
    both = opened.join("A", "B")
    edition = both.welcome["table"]["edition"]
    assert (edition["key"], edition["name"], edition["text"]) == ("avx", "Avengers vs. X-Men", HOUSE)
    assert edition["house"] == [
        {"words": "unblocked stay until cleanup", "about": SWITCHES["unblocked_leave_with_damage"].off},
        {"words": "KO'd dice are silent", "about": SWITCHES["kod_dice_react"].off},
    ]
    both.choose(0)
    record = server.http.get(f"/api/games/{opened.game}/record").text
    assert f"edition: {HOUSE}\n" in record
    uploaded = server.http.post("/api/records", json={"text": record}).json()["game"]
    assert server.get(f"/api/games/{uploaded}")["table"]["edition"] == edition


def test_format_or_team_may_set_the_edition_and_house_rules(server: LiveServer) -> None:
    by_format = server.open(format=f"basic, {HOUSE}", seed=1)
    assert server.get(f"/api/games/{by_format.game}")["table"]["edition"]["text"] == HOUSE
    team = write_team(replace(ready_teams()["green-rage"], format=f"tournament, {HOUSE}"))
    by_team = server.open(format="tournament", teams=[team, "random"], seed=1)
    assert server.get(f"/api/games/{by_team.game}")["table"]["edition"]["text"] == HOUSE
    by_request = server.open(edition="cw", format="tournament", teams=[team, "random"], seed=1)
    assert server.get(f"/api/games/{by_request.game}")["table"]["edition"]["text"] == "cw"


def test_solitaire_uses_the_2014_rules_by_default(server: LiveServer) -> None:
    opened = server.open(solitaire={"difficulty": "easy", "readings": ["tricks wait"]})
    table = server.get(f"/api/games/{opened.game}")["table"]
    assert table["edition"]["key"] == "avx"
    assert table["readings"] == [
        {"words": one.text, "about": one.about} for one in SCRIPT_VARIANTS if one.text in ("tricks wait", "half life")
    ]
    problem = server.open(solitaire=True, edition="cw")
    assert server.get(f"/api/games/{problem.game}")["table"]["edition"]["key"] == "cw"
    usual = server.open()
    table = server.get(f"/api/games/{usual.game}")["table"]
    assert (table["edition"]["key"], table["edition"]["house"], table["readings"]) == ("ai", [], [])


def test_start_options_list_every_house_rule_and_script_variant(server: LiveServer) -> None:
    offers = server.get("/api/start")
    switches = [one for group in offers["house_rules"] for one in group["switches"]]
    assert {one["name"] for one in switches} == set(SWITCHES)
    assert len({group["subject"] for group in offers["house_rules"]}) == len(offers["house_rules"])
    for one in switches:
        switch = SWITCHES[one["name"]]
        assert (one["on"]["words"], one["off"]["words"]) == (switch.yes, switch.no)
        assert (one["on"]["about"], one["off"]["about"]) == (switch.on, switch.off)
        assert one["editions"] == {key: getattr(edition, one["name"]) for key, edition in EDITIONS.items()}
    assert [one["words"] for one in offers["solitaire"]["readings"]] == [one.text for one in SCRIPT_VARIANTS]
    assert offers["solitaire"]["edition"] == "avx"
    everything = ", ".join(one["off" if one["editions"]["ai"] else "on"]["words"] for one in switches)
    opened = server.open(edition=f"ai, {everything}", seed=1)
    assert (
        server.get(f"/api/games/{opened.game}")["table"]["edition"]["text"] == parse_edition(f"ai, {everything}").text
    )


POSITION_WITH_RESPONSES = """
edition: avx
basics: Take Cover [avx]; Force Beam
A field: Sidekick
A reserve: S, Force Beam!
B field: Sidekick
B reserve: S
turn: 3, A, main
"""


def play_pass(person: LiveClient, **more: Any) -> None:
    """Pass and wait for the resulting view."""
    option = next(o["number"] for o in person.view["decision"]["options"] if o["what"] == "pass")
    person.send(type="play", version=person.view["version"], choice={"option": option}, **more)
    person.receive("view")


def pending_decision(person: LiveClient) -> tuple[str, str]:
    return person.view["decision"]["seat"], person.view["decision"]["kind"]


def test_pass_without_hold_is_final(server: LiveServer) -> None:
    opened = server.open(position=POSITION_WITH_RESPONSES, seats=PEOPLE)
    both = opened.join("A", "B")
    assert both.view["decision"]["hold"]
    play_pass(both)
    assert pending_decision(both) == ("B", "respond")
    play_pass(both)
    assert pending_decision(both) == ("A", "attack")
    record = Game.from_record(server.http.get(f"/api/games/{opened.game}/record").text)
    assert [move.text for move in record.moves] == ["pass", "pass", "pass"]


def test_holding_player_is_asked_again_even_after_rejoining(server: LiveServer) -> None:
    opened = server.open(position=POSITION_WITH_RESPONSES, seats=PEOPLE)
    both = opened.join("A", "B")
    play_pass(both, hold=True)
    play_pass(both)
    assert pending_decision(both) == ("A", "main")
    assert both.view["decision"]["question"] == "Your opponent adds nothing: do you do anything else?"
    assert not both.view["decision"]["hold"]
    both.leave()
    again = opened.join("A", "B")
    assert pending_decision(again) == ("A", "main")
    play_pass(again)
    assert pending_decision(again) == ("A", "attack")


def test_client_can_request_the_full_view(server: LiveServer) -> None:
    opened = server.open(seats=PEOPLE)
    both = opened.join("A", "B")
    both.choose()
    known = both.view
    both.view = {}
    both.send(type="view")
    both.receive("view")
    assert {**both.view, "news": []} == {**known, "news": []}
    assert both.view == opened.view


def test_deltas_are_small_and_compression_is_optional(server: LiveServer) -> None:
    opened = server.open(format="tournament", seed=5, seats=[{"kind": "person"}, {"kind": "person"}])
    sizes: dict[bool, list[int]] = {}

    async def play(compress: bool) -> None:
        guest = GameClient(server.address, opened.game, list(opened.seats.values()), compress=compress)
        view = await guest.connect()
        sizes[compress] = [guest.received_bytes]
        chance = SplitMix64(1)
        for _ in range(20):
            before = guest.received_bytes
            await guest.send(random_choice(view, chance))
            view = await guest.next_view()
            sizes[compress].append(guest.received_bytes - before)
        await guest.close()

    for compress in (True, False):
        asyncio.run(play(compress))
    whole, *changes = sizes[False]
    assert sum(changes) / len(changes) < whole / 10
    packed, *packed_changes = sizes[True]
    assert packed < whole / 3
    assert sum(packed_changes) < sum(changes) * 0.7
