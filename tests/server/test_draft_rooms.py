"""Drafts over the network: eight people at once, secrets that stay secrets, clocks, coming back, matches, hostile clients."""

from __future__ import annotations

import asyncio
import json
import queue
import random
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.in_memory_rooms import Table
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, LiveServer, OpenedGame, join_threads, run_server

from dicemasters.cards import catalogue
from dicemasters.server.storage.backup import restore_backup, write_backup
from dicemasters.service.drafts import draft_room as module
from dicemasters.service.drafts.draft_room import DraftPoll, DraftRegistry
from dicemasters.service.drafts.draft_session import DraftSession, NewDraftRequest, StoredDraftSetup, deal_draft
from dicemasters.service.games.stored_events import StoredEvent, StoredGame
from dicemasters.service.ids import hash_secret, new_id, utc_now
from dicemasters.service.protocol.draft_schema import Chair, DraftView
from dicemasters.service.protocol.validation import to_jsonable
from dicemasters.teams.formats import check_team
from dicemasters.teams.team_code import decode_team

CHAIRS = "ABCDEFGH"
KEYS = {card.key for card in catalogue()}


class Guest:
    """Somebody in a chair of a draft."""

    def __init__(self, server: LiveServer, draft: str, chair: str, secret: str) -> None:
        self.server, self.draft, self.chair, self.secret = server, draft, chair, secret
        self.seen: list[DraftView] = []

    def post(self, what: str, **said: Any) -> Any:
        return self.server.http.post(f"/api/drafts/{self.draft}/{what}", json={"secret": self.secret, **said})

    def look(self, since: int = -1) -> DraftView:
        answer = self.post("look", since=since)
        assert answer.status_code == 200, answer.text
        self.seen.append(answer.json())
        return self.seen[-1]

    def pick(self, choice: random.Random | None = None) -> DraftView:
        ask = self.seen[-1]["ask"]
        assert ask is not None
        pick = (choice.choice(ask["picks"]) if choice else ask["picks"][0])["text"]
        answer = self.post("pick", number=ask["number"], pick=pick)
        assert answer.status_code == 200, answer.text
        self.seen.append(answer.json())
        return self.seen[-1]

    def play(self, seed: int) -> None:
        """Wait and pick until the draft is over."""
        chance, view = random.Random(seed), self.look()
        while view["stage"] != "over":
            view = self.pick(chance) if view["ask"] is not None else self.look(view["version"])


def open_draft(server: LiveServer, **wanted: Any) -> list[Guest]:
    answer = server.http.post("/api/drafts", json=wanted)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return [Guest(server, made["draft"], chair, secret) for chair, secret in made["chairs"].items()]


def test_eight_people_draft_at_once_and_see_only_their_own(server: LiveServer) -> None:
    guests = open_draft(server, kind="rainbow", players=8, people=8, sets=["avx", "uxm"], name="Ann")
    threads = [threading.Thread(target=guest.play, args=(n,)) for n, guest in enumerate(guests)]
    for thread in threads:
        thread.start()
    for thread in threads:
        join_threads(thread)
    ends = [guest.seen[-1] for guest in guests]
    assert [end["stage"] for end in ends] == ["over"] * 8
    teams = ends[0]["teams"]
    assert [team["chair"] for team in teams] == list(CHAIRS)
    for end in ends:
        assert end["teams"] == teams  # now all teams are shown
        assert len(end["drafted"]) == 24
    for team in teams:
        assert check_team(decode_team(team["code"])) == []
    _nobody_saw_too_much(guests)
    assert len(ends[0]["matches"]) == 28


def _nobody_saw_too_much(guests: list[Guest]) -> None:
    """Look through everything that was sent: no team, hand or pick of another, and nothing of what was dealt."""
    for guest in guests:
        for view in guest.seen:
            text = json.dumps(view)
            assert "seed" not in text
            assert "hash" not in text
            if view["stage"] == "over":
                continue
            assert {team["chair"] for team in view["teams"]} <= {guest.chair}
            mine = {*view["hand"], *view["drafted"]}
            mine |= {one["card"] for team in view["teams"] for one in team["cards"]}
            mine |= {key for team in view["teams"] for key in team["basics"]}
            mine |= {key for pick in (view["ask"] or {"picks": []})["picks"] for key in pick["cards"]}
            assert _keys_in(view) == mine
            assert len(view["hand"]) <= 12
            assert view["matches"] == []


def _keys_in(said: object) -> set[str]:
    """List all keys of cards, wherever they stand."""
    if isinstance(said, dict):
        return {key for one in said.values() for key in _keys_in(one)}
    if isinstance(said, list):
        return {key for one in said for key in _keys_in(one)}
    return {said} & KEYS if isinstance(said, str) else set()


def test_picks_are_made_at_once_and_hands_go_on_when_all_have_picked(server: LiveServer) -> None:
    a, b, c = open_draft(server, players=3, people=3)
    for guest in (a, b, c):
        guest.look()
    hands = [set(guest.look()["hand"]) for guest in (a, b, c)]
    picked = c.pick()  # before anybody else
    assert picked["ask"] is None
    assert (len(picked["hand"]), len(picked["drafted"])) == (11, 1)
    assert [one["awaited"] for one in a.look()["drafters"]] == [True, True, False]
    a.pick()
    assert len(a.look()["hand"]) == 11
    b.pick()
    after = [set(guest.look()["hand"]) for guest in (a, b, c)]
    assert all(new <= old for new, old in zip(after, [hands[1], hands[2], hands[0]], strict=True))  # to the right


def test_bots_sit_in_the_empty_chairs_and_a_draft_of_one_goes_through(server: LiveServer) -> None:
    (you,) = open_draft(server, players=4, people=1)
    you.play(3)
    end = you.seen[-1]
    assert [one["bot"] for one in end["drafters"]] == [False, True, True, True]
    answer = you.post("wish", match="AC")
    game = next(match["game"] for match in answer.json()["matches"] if match["chairs"] == "AC")
    shown = server.get(f"/api/games/{game}")
    assert shown["meta"]["kinds"] == {"A": "person", "B": "simple"}
    titles = {card["key"] for card in shown["table"]["cards"] if card["owner"] == "A" and card["kind"] != "sidekick"}
    assert titles == {one["card"] for one in end["teams"][0]["cards"]}


def test_two_draft_a_team_from_open_stacks_and_play(server: LiveServer) -> None:
    a, b = open_draft(server, kind="team", people=2, life=10)
    a.look()
    seen = b.look()
    assert len(seen["stacks"]) == 10
    assert a.look()["stacks"] == seen["stacks"]
    chance = random.Random(5)
    while (views := [a.look(), b.look()])[0]["stage"] != "over":
        asked = [guest for guest, view in zip((a, b), views, strict=True) if view["ask"]]
        assert len(asked) == 1  # turns are taken
        asked[0].pick(chance)
    opened = a.post("wish", match="AB").json()["matches"][0]["game"]
    assert b.post("wish", match="AB").json()["matches"][0]["game"] == opened
    shown = server.get(f"/api/games/{opened}")
    assert shown["table"]["life"] == 10
    table = OpenedGame(server, opened, {"A": a.secret, "B": b.secret})
    one, other = table.join("A"), table.join("B")  # the secrets of the draft open the seats
    assert (one.seats, other.seats) == (["A"], ["B"])
    one.leave()
    other.leave()


def test_a_draft_waits_for_everybody_or_begins_without_them(server: LiveServer) -> None:
    a, b, c = open_draft(server, players=3, people=3)
    assert a.look()["stage"] == "waiting"
    assert a.look()["hand"] == []
    assert b.look()["stage"] == "waiting"
    assert b.post("wish", begin=True).status_code == 409
    begun = a.post("wish", begin=True).json()
    assert begun["stage"] == "draft"
    assert [one["bot"] for one in begun["drafters"]] == [False, False, True]
    assert c.post("pick", number=0, pick="x").status_code == 409  # the chair is a bot's now
    assert (c.look()["you"], _keys_in(c.look())) == (None, set())


def test_somebody_who_waits_is_told_at_once(server: LiveServer) -> None:
    a, b = open_draft(server, players=2, people=2)
    a.look()
    version = b.look()["version"]
    told: list[DraftView] = []
    thread = threading.Thread(target=lambda: told.append(b.look(version)))
    thread.start()
    a.look()
    a.pick()
    join_threads(thread)
    assert told[0]["version"] > version


def test_the_alarm_picks_for_whoever_is_late_and_the_draft_comes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RELOAD_GRACE", timedelta(0))

    async def play() -> None:
        table = Table()
        drafts = DraftRegistry(table.memory, table.rooms.limits, table.rooms)
        setup = deal_draft(NewDraftRequest(players=3, people=2), 5, [hash_secret(key) for key in ("a", "b", "c")])
        setup = replace(setup, clock=0.01)
        kept = StoredGame(new_id(), utc_now(), "", json.dumps(to_jsonable(setup)), "")
        await table.memory.create(kept)
        room = await drafts.get(kept.game)
        await room.poll(DraftPoll(secret="a"))
        await room.poll(DraftPoll(secret="b"))
        for _ in range(6000):
            if room.session.is_over:
                break
            await asyncio.sleep(0.02)
        assert room.session.is_over
        assert all(check_team(team) == [] for team in room.session.draft.teams)
        drafts.close()

    asyncio.run(play())


def test_a_late_chair_is_picked_for_and_its_team_is_built() -> None:
    setup = deal_draft(NewDraftRequest(players=2, people=2, clock=10.0), 5, ["a", "b"])
    drafting, at = DraftSession(setup), datetime.now(UTC)

    def happen(kind: str, **data: Any) -> None:
        drafting.apply(StoredEvent(drafting.version + 1, kind, at.isoformat(), json.dumps(data)))

    happen("begin", bots=[])
    assert drafting.overdue_seats(at) == []
    assert drafting.overdue_seats(at + timedelta(seconds=10)) == ["A", "B"]
    at += timedelta(seconds=4)
    happen("pick", chair="B", text=drafting.suggest_pick("B"))
    assert drafting.overdue_seats(at + timedelta(seconds=7)) == ["A"]
    happen("pick", chair="A", text=drafting.suggest_pick("A"))
    assert drafting.overdue_seats(at + timedelta(seconds=7)) == []  # a new hand, and a new time for both
    while not drafting.is_over:
        late = drafting.overdue_seats(at + timedelta(seconds=11))
        happen("pick", chair=late[0], text=drafting.suggest_pick(late[0]))
    assert all(team.dice for team in drafting.draft.teams)


def test_a_draft_is_there_again_after_a_restart_and_from_a_backup(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with run_server(url) as server:
        a, b = open_draft(server, players=3, people=2)
        a.look()
        b.look()
        for _ in range(5):
            for guest in (a, b):
                guest.look()
                guest.pick()
        before = {guest.chair: guest.look() for guest in (a, b)}
    rows = write_backup(url, tmp_path / "kept.gz")
    assert rows["games"] == 1
    restore_backup(tmp_path / "kept.gz", f"sqlite:///{tmp_path / 'again.sqlite'}")
    for where in (url, f"sqlite:///{tmp_path / 'again.sqlite'}"):
        with run_server(where) as server:
            for guest in (a, b):
                guest.server = server
                assert guest.look() == before[guest.chair]


# --- hostile clients -----------------------------------------------------------------------------------------------


def test_nobody_sees_or_does_anything_with_anothers_or_a_made_up_secret(server: LiveServer) -> None:
    a, b = open_draft(server, players=3, people=2)
    a.look()
    b.look()
    for secret in ("", "x", a.secret[:-1], a.secret.upper(), "A", "'; drop table games; --", "\u202e" * 50):
        seen = server.http.post(f"/api/drafts/{a.draft}/look", json={"secret": secret})
        assert seen.status_code == 200
        view = seen.json()
        assert (view["you"], view["hand"], view["drafted"], view["teams"], view["ask"]) == (None, [], [], [], None)
        assert _keys_in(view) == set()
        for what, said in (("pick", {"number": 0, "pick": "Hulk"}), ("wish", {"begin": True}), ("wish", {"name": "X"})):
            answer = server.http.post(f"/api/drafts/{a.draft}/{what}", json={"secret": secret, **said})
            assert answer.status_code == 409
    theirs = b.look()["ask"]
    assert theirs is not None
    mine = {pick["text"] for pick in (a.look()["ask"] or {"picks": []})["picks"]}
    other = next(pick["text"] for pick in theirs["picks"] if pick["text"] not in mine)
    assert a.post("pick", number=0, pick=other).status_code == 409  # from another's hand
    assert a.post("pick", number=1, pick=next(iter(mine))).status_code == 409  # a question that has not come
    a.pick()
    assert a.post("pick", number=0, pick=next(iter(mine))).status_code == 409  # twice
    assert a.post("wish", match="AB").status_code == 409  # before the end


def test_a_draft_is_no_game_and_a_game_no_draft(server: LiveServer) -> None:
    (a,) = open_draft(server, players=2, people=1)
    a.look()
    for path in ("", "/views", "/record", "/position", "/summary", "/fair"):
        answer = server.http.get(f"/api/games/{a.draft}{path}")
        assert (answer.status_code, answer.json()) == (404, {"error": "there is no such game"})
    game = server.open().game
    answer = server.http.post(f"/api/drafts/{game}/look", json={})
    assert (answer.status_code, answer.json()) == (404, {"error": "there is no such draft"})
    assert server.http.post("/api/drafts/nonsense/look", json={}).status_code == 404


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "chess"},
        {"players": 1},
        {"players": 9},
        {"players": 3, "people": 4},
        {"kind": "team", "people": 3},
        {"people": 0},
        {"sets": []},
        {"sets": ["nosuch"]},
        {"sets": ["avx"] * 5},
        {"sets": "avx"},
        {"life": 100},
        {"clock": 1},
        {"clock": 10**9},
        {"seed": 5},
        {"name": "x" * 300},
    ],
)
def test_what_is_no_draft_is_refused_in_one_sentence(server: LiveServer, wanted: dict[str, Any]) -> None:
    answer = server.http.post("/api/drafts", json=wanted)
    assert answer.status_code in (400, 422), wanted
    assert set(answer.json()) == {"error"}
    assert "Traceback" not in answer.text
    assert len(answer.json()["error"]) < 400


def test_messages_that_are_none_are_refused(server: LiveServer) -> None:
    (a,) = open_draft(server, players=2, people=1)
    a.look()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("look", {"since": "soon"}),
        ("look", {"since": 10**12}),
        ("look", {"more": 1}),
        ("pick", {"number": -1, "pick": "x"}),
        ("pick", {"number": 0}),
        ("pick", {"number": 0, "pick": ["x"]}),
        ("pick", {"number": 0, "pick": "x" * 500}),
        ("wish", {"match": "ABC"}),
        ("wish", {"name": "x" * 500}),
        ("wish", {"begin": "yes"}),
    ]
    for what, said in wrong:
        assert a.post(what, **said).status_code == 422, (what, said)
    assert server.http.post(f"/api/drafts/{a.draft}/look", content=b"{").status_code == 422
    assert server.http.get(f"/api/drafts/{a.draft}/look").status_code == 404
    assert a.post("wish", name="<b>\u202eAnn\x00").json()["drafters"][0]["name"] == "<b>Ann"


def test_names_cannot_be_said_for_ever(server: LiveServer) -> None:
    (a,) = open_draft(server, players=2, people=1)
    a.look()
    codes = {a.post("wish", name=f"n{n}").status_code for n in range(300)}
    assert codes == {200, 409}


def test_packs_tell_nothing_about_other_packs() -> None:
    """Two drafts of the same seed are dealt different packs: what is dealt does not follow from it."""
    one, other = (deal_draft(NewDraftRequest(players=2, people=2), 5, ["a", "b"]).draft for _ in range(2))
    assert one.split("picks:")[0] != other.split("picks:")[0]
    assert isinstance(StoredDraftSetup(draft=one, hashes=["a", "b"]), StoredDraftSetup)


def test_an_address_waits_for_news_only_so_often_and_the_others_still_draft(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, sockets_per_address=5)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        a, b = open_draft(server, players=2, people=2)
        version = a.look()["version"]
        answers: queue.SimpleQueue[int] = queue.SimpleQueue()

        def poll() -> None:
            said = {"secret": "x" * 32, "since": version}
            answers.put(server.http.post(f"/api/drafts/{a.draft}/look", json=said).status_code)

        waiting = [threading.Thread(target=poll) for _ in range(30)]
        for thread in waiting:
            thread.start()
        refused = [answers.get(timeout=TIMEOUT) for _ in range(25)]
        assert set(refused) == {429}
        assert b.post("wish", name="B").status_code == 200  # picking and wishing need no place
        for thread in waiting:
            join_threads(thread)
        assert {answers.get(timeout=TIMEOUT) for _ in range(5)} == {200}
        b.look()
        assert a.look()["stage"] == "draft"


def test_bots_build_their_teams_beside_the_games(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    suggestion = DraftSession.suggest_pick

    def noted(drafting: DraftSession, chair: Chair) -> str:
        threads.add(threading.current_thread().name)
        return suggestion(drafting, chair)

    monkeypatch.setattr(DraftSession, "suggest_pick", noted)
    (a,) = open_draft(server, players=8, people=1)
    a.play(7)
    assert threads
    assert all(name.startswith("strangers") for name in threads)
