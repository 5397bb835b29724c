"""Drafts over HTTP: concurrent drafters, hidden information, clocks, reconnecting, matches, hostile clients."""

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


class Drafter:
    """A client in a chair of a draft."""

    def __init__(self, server: LiveServer, draft: str, chair: str, secret: str) -> None:
        self.server, self.draft, self.chair, self.secret = server, draft, chair, secret
        self.seen: list[DraftView] = []

    def post(self, what: str, **fields: Any) -> Any:
        return self.server.http.post(f"/api/drafts/{self.draft}/{what}", json={"secret": self.secret, **fields})

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
        """Poll and pick until the draft is over."""
        chance, view = random.Random(seed), self.look()
        while view["stage"] != "over":
            view = self.pick(chance) if view["ask"] is not None else self.look(view["version"])


def open_draft(server: LiveServer, **wanted: Any) -> list[Drafter]:
    answer = server.http.post("/api/drafts", json=wanted)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return [Drafter(server, made["draft"], chair, secret) for chair, secret in made["chairs"].items()]


def test_eight_people_draft_concurrently_and_see_only_their_own_cards(server: LiveServer) -> None:
    drafters = open_draft(server, kind="rainbow", players=8, people=8, sets=["avx", "uxm"], name="Ann")
    threads = [threading.Thread(target=drafter.play, args=(n,)) for n, drafter in enumerate(drafters)]
    for thread in threads:
        thread.start()
    for thread in threads:
        join_threads(thread)
    ends = [drafter.seen[-1] for drafter in drafters]
    assert [end["stage"] for end in ends] == ["over"] * 8
    teams = ends[0]["teams"]
    assert [team["chair"] for team in teams] == list(CHAIRS)
    for end in ends:
        assert end["teams"] == teams  # all teams are public at the end
        assert len(end["drafted"]) == 24
    for team in teams:
        assert check_team(decode_team(team["code"])) == []
    _check_that_views_leak_nothing(drafters)
    assert len(ends[0]["matches"]) == 28


def _check_that_views_leak_nothing(drafters: list[Drafter]) -> None:
    """Check every view sent to a drafter: no team, hand or pick of another, and no seed."""
    for drafter in drafters:
        for view in drafter.seen:
            text = json.dumps(view)
            assert "seed" not in text
            assert "hash" not in text
            if view["stage"] == "over":
                continue
            assert {team["chair"] for team in view["teams"]} <= {drafter.chair}
            mine = {*view["hand"], *view["drafted"]}
            mine |= {one["card"] for team in view["teams"] for one in team["cards"]}
            mine |= {key for team in view["teams"] for key in team["basics"]}
            mine |= {key for pick in (view["ask"] or {"picks": []})["picks"] for key in pick["cards"]}
            assert _card_keys_in(view) == mine
            assert len(view["hand"]) <= 12
            assert view["matches"] == []


def _card_keys_in(value: object) -> set[str]:
    """Return all card keys in a nested value."""
    if isinstance(value, dict):
        return {key for one in value.values() for key in _card_keys_in(one)}
    if isinstance(value, list):
        return {key for one in value for key in _card_keys_in(one)}
    return {value} & KEYS if isinstance(value, str) else set()


def test_hands_pass_right_once_every_drafter_has_picked(server: LiveServer) -> None:
    a, b, c = open_draft(server, players=3, people=3)
    for drafter in (a, b, c):
        drafter.look()
    hands = [set(drafter.look()["hand"]) for drafter in (a, b, c)]
    picked = c.pick()  # before the others
    assert picked["ask"] is None
    assert (len(picked["hand"]), len(picked["drafted"])) == (11, 1)
    assert [one["awaited"] for one in a.look()["drafters"]] == [True, True, False]
    a.pick()
    assert len(a.look()["hand"]) == 11
    b.pick()
    after = [set(drafter.look()["hand"]) for drafter in (a, b, c)]
    assert all(
        new <= old for new, old in zip(after, [hands[1], hands[2], hands[0]], strict=True)
    )  # hands pass to the right


def test_bots_fill_empty_chairs_in_a_draft_for_one_person(server: LiveServer) -> None:
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


def test_team_draft_from_open_stacks_leads_to_a_match(server: LiveServer) -> None:
    a, b = open_draft(server, kind="team", people=2, life=10)
    a.look()
    seen = b.look()
    assert len(seen["stacks"]) == 10
    assert a.look()["stacks"] == seen["stacks"]
    chance = random.Random(5)
    while (views := [a.look(), b.look()])[0]["stage"] != "over":
        deciding = [drafter for drafter, view in zip((a, b), views, strict=True) if view["ask"]]
        assert len(deciding) == 1  # drafters take turns
        deciding[0].pick(chance)
    opened = a.post("wish", match="AB").json()["matches"][0]["game"]
    assert b.post("wish", match="AB").json()["matches"][0]["game"] == opened
    shown = server.get(f"/api/games/{opened}")
    assert shown["table"]["life"] == 10
    table = OpenedGame(server, opened, {"A": a.secret, "B": b.secret})
    one, other = table.join("A"), table.join("B")  # draft secrets open the seats
    assert (one.seats, other.seats) == (["A"], ["B"])
    one.leave()
    other.leave()


def test_draft_waits_for_all_drafters_unless_started_early(server: LiveServer) -> None:
    a, b, c = open_draft(server, players=3, people=3)
    assert a.look()["stage"] == "waiting"
    assert a.look()["hand"] == []
    assert b.look()["stage"] == "waiting"
    assert b.post("wish", begin=True).status_code == 409
    begun = a.post("wish", begin=True).json()
    assert begun["stage"] == "draft"
    assert [one["bot"] for one in begun["drafters"]] == [False, False, True]
    assert c.post("pick", number=0, pick="x").status_code == 409  # a bot has the chair now
    assert (c.look()["you"], _card_keys_in(c.look())) == (None, set())


def test_waiting_poll_returns_on_the_next_change(server: LiveServer) -> None:
    a, b = open_draft(server, players=2, people=2)
    a.look()
    version = b.look()["version"]
    views: list[DraftView] = []
    thread = threading.Thread(target=lambda: views.append(b.look(version)))
    thread.start()
    a.look()
    a.pick()
    join_threads(thread)
    assert views[0]["version"] > version


def test_alarm_picks_for_late_drafters_until_the_draft_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RELOAD_GRACE", timedelta(0))

    async def play() -> None:
        table = Table()
        drafts = DraftRegistry(table.memory, table.rooms.limits, table.rooms)
        setup = deal_draft(NewDraftRequest(players=3, people=2), 5, [hash_secret(key) for key in ("a", "b", "c")])
        setup = replace(setup, clock=0.01)
        stored = StoredGame(new_id(), utc_now(), "", json.dumps(to_jsonable(setup)), "")
        await table.memory.create(stored)
        room = await drafts.get(stored.game)
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


def test_overdue_chairs_get_suggested_picks_until_teams_are_built() -> None:
    setup = deal_draft(NewDraftRequest(players=2, people=2, clock=10.0), 5, ["a", "b"])
    drafting, at = DraftSession(setup), datetime.now(UTC)

    def apply_event(kind: str, **data: Any) -> None:
        drafting.apply(StoredEvent(drafting.version + 1, kind, at.isoformat(), json.dumps(data)))

    apply_event("begin", bots=[])
    assert drafting.overdue_seats(at) == []
    assert drafting.overdue_seats(at + timedelta(seconds=10)) == ["A", "B"]
    at += timedelta(seconds=4)
    apply_event("pick", chair="B", text=drafting.suggest_pick("B"))
    assert drafting.overdue_seats(at + timedelta(seconds=7)) == ["A"]
    apply_event("pick", chair="A", text=drafting.suggest_pick("A"))
    assert drafting.overdue_seats(at + timedelta(seconds=7)) == []  # a new hand restarts both clocks
    while not drafting.is_over:
        late = drafting.overdue_seats(at + timedelta(seconds=11))
        apply_event("pick", chair=late[0], text=drafting.suggest_pick(late[0]))
    assert all(team.dice for team in drafting.draft.teams)


def test_draft_survives_a_restart_and_a_backup(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with run_server(url) as server:
        a, b = open_draft(server, players=3, people=2)
        a.look()
        b.look()
        for _ in range(5):
            for drafter in (a, b):
                drafter.look()
                drafter.pick()
        before = {drafter.chair: drafter.look() for drafter in (a, b)}
    rows = write_backup(url, tmp_path / "stored.gz")
    assert rows["games"] == 1
    restore_backup(tmp_path / "stored.gz", f"sqlite:///{tmp_path / 'again.sqlite'}")
    for where in (url, f"sqlite:///{tmp_path / 'again.sqlite'}"):
        with run_server(where) as server:
            for drafter in (a, b):
                drafter.server = server
                assert drafter.look() == before[drafter.chair]


# --- hostile clients -----------------------------------------------------------------------------------------------


def test_invalid_secret_reveals_and_permits_nothing(server: LiveServer) -> None:
    a, b = open_draft(server, players=3, people=2)
    a.look()
    b.look()
    for secret in ("", "x", a.secret[:-1], a.secret.upper(), "A", "'; drop table games; --", "\u202e" * 50):
        seen = server.http.post(f"/api/drafts/{a.draft}/look", json={"secret": secret})
        assert seen.status_code == 200
        view = seen.json()
        assert (view["you"], view["hand"], view["drafted"], view["teams"], view["ask"]) == (None, [], [], [], None)
        assert _card_keys_in(view) == set()
        for what, fields in (
            ("pick", {"number": 0, "pick": "Hulk"}),
            ("wish", {"begin": True}),
            ("wish", {"name": "X"}),
        ):
            answer = server.http.post(f"/api/drafts/{a.draft}/{what}", json={"secret": secret, **fields})
            assert answer.status_code == 409
    their_ask = b.look()["ask"]
    assert their_ask is not None
    mine = {pick["text"] for pick in (a.look()["ask"] or {"picks": []})["picks"]}
    other = next(pick["text"] for pick in their_ask["picks"] if pick["text"] not in mine)
    assert a.post("pick", number=0, pick=other).status_code == 409  # from another hand
    assert a.post("pick", number=1, pick=next(iter(mine))).status_code == 409  # a future pick
    a.pick()
    assert a.post("pick", number=0, pick=next(iter(mine))).status_code == 409  # a second time
    assert a.post("wish", match="AB").status_code == 409  # before the end


def test_draft_ids_and_game_ids_are_not_interchangeable(server: LiveServer) -> None:
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
def test_invalid_draft_request_is_refused_with_one_error(server: LiveServer, wanted: dict[str, Any]) -> None:
    answer = server.http.post("/api/drafts", json=wanted)
    assert answer.status_code in (400, 422), wanted
    assert set(answer.json()) == {"error"}
    assert "Traceback" not in answer.text
    assert len(answer.json()["error"]) < 400


def test_invalid_draft_messages_are_refused(server: LiveServer) -> None:
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
    for what, fields in wrong:
        assert a.post(what, **fields).status_code == 422, (what, fields)
    assert server.http.post(f"/api/drafts/{a.draft}/look", content=b"{").status_code == 422
    assert server.http.get(f"/api/drafts/{a.draft}/look").status_code == 404
    assert a.post("wish", name="<b>\u202eAnn\x00").json()["drafters"][0]["name"] == "<b>Ann"


def test_name_changes_are_limited(server: LiveServer) -> None:
    (a,) = open_draft(server, players=2, people=1)
    a.look()
    codes = {a.post("wish", name=f"n{n}").status_code for n in range(300)}
    assert codes == {200, 409}


def test_drafts_with_equal_seeds_get_different_packs() -> None:
    """The packs do not follow from the seed, so knowing it reveals nothing."""
    one, other = (deal_draft(NewDraftRequest(players=2, people=2), 5, ["a", "b"]).draft for _ in range(2))
    assert one.split("picks:")[0] != other.split("picks:")[0]
    assert isinstance(StoredDraftSetup(draft=one, hashes=["a", "b"]), StoredDraftSetup)


def test_waiting_polls_per_address_are_limited_while_drafting_continues(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, sockets_per_address=5)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        a, b = open_draft(server, players=2, people=2)
        version = a.look()["version"]
        answers: queue.SimpleQueue[int] = queue.SimpleQueue()

        def poll() -> None:
            body = {"secret": "x" * 32, "since": version}
            answers.put(server.http.post(f"/api/drafts/{a.draft}/look", json=body).status_code)

        waiting = [threading.Thread(target=poll) for _ in range(30)]
        for thread in waiting:
            thread.start()
        refused = [answers.get(timeout=TIMEOUT) for _ in range(25)]
        assert set(refused) == {429}
        assert b.post("wish", name="B").status_code == 200  # other messages need no polling slot
        for thread in waiting:
            join_threads(thread)
        assert {answers.get(timeout=TIMEOUT) for _ in range(5)} == {200}
        b.look()
        assert a.look()["stage"] == "draft"


def test_bots_build_teams_in_background_threads(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    suggest_pick = DraftSession.suggest_pick

    def suggest_and_note(drafting: DraftSession, chair: Chair) -> str:
        threads.add(threading.current_thread().name)
        return suggest_pick(drafting, chair)

    monkeypatch.setattr(DraftSession, "suggest_pick", suggest_and_note)
    (a,) = open_draft(server, players=8, people=1)
    a.play(7)
    assert threads
    assert all(name.startswith("strangers") for name in threads)
