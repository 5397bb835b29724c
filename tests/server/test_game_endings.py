"""Undo around payments, and conceding."""

from __future__ import annotations

from tests.support.live_server import LiveClient, LiveServer

SHOP = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A reserve: F, F, F, B
turn: 3, A, main
"""
PEOPLE = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}]


def join_both(server: LiveServer, position: str) -> tuple[LiveClient, LiveClient]:
    opened = server.open(seats=PEOPLE, position=position)
    return opened.join("A"), opened.join("B")


def option(person: LiveClient, text: str) -> int:
    found: int = next(o["number"] for o in person.view["decision"]["options"] if o["text"].startswith(text))
    return found


def test_undo_before_payment_needs_no_consent(server: LiveServer) -> None:
    ann, mira = join_both(server, SHOP)
    before = ann.view["decision"]["kind"]
    ann.send(type="play", version=ann.view["version"], choice={"option": option(ann, "buy Take Cover")})
    ann.receive("view")
    assert ann.view["decision"]["kind"] == "pay"
    assert ann.view["decision"]["cancel"]
    ann.send(type="undo")
    ann.receive("view")
    assert ann.view["decision"]["kind"] == before == "main"
    mira.receive("view")
    mira.receive("view")
    assert mira.meta["offer"] is None
    assert mira.view["move"] == 0


def test_undo_after_payment_needs_consent(server: LiveServer) -> None:
    ann, mira = join_both(server, SHOP)
    ann.send(type="play", version=ann.view["version"], choice={"option": option(ann, "buy Take Cover")})
    ann.receive("view")
    spend = [[o["dice"][0], 1] for o in ann.view["decision"]["options"][: ann.view["decision"]["total"]]]
    ann.send(type="play", version=ann.view["version"], choice={"spend": spend})
    ann.receive("view")
    ann.send(type="undo")
    while mira.meta["offer"] is None:
        mira.receive("meta")
    assert mira.meta["offer"]["by"] == "A"
    mira.send(type="answer", yes=False)
    while ann.meta["offer"] is not None or not ann.received_types >= {"meta"}:
        ann.receive("meta")
    assert ann.view["move"] > 0


def test_conceding_loses_the_game_and_both_players_see_the_reason(server: LiveServer) -> None:
    ann, mira = join_both(server, SHOP)
    ann.send(type="concede", seat="A")
    for person in (ann, mira):
        while person.view["result"] is None:
            person.receive("view")
        assert person.view["result"] == {"winner": "B", "text": "B wins: A conceded"}
        assert person.view["decision"] is None
        assert person.view["news"][-1]["text"] == "A conceded"
        assert person.view["news"][-1]["seat"] == "A"
