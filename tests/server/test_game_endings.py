"""What the table itself decides: a choice taken back while it is not paid for, a game that somebody gives up."""

from __future__ import annotations

from tests.support.live_server import Person, Running

SHOP = """
edition: ai
basics: Take Cover [ai]
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A reserve: F, F, F, B
turn: 3, A, main
"""
PEOPLE = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Mira"}]


def sat(server: Running, position: str) -> tuple[Person, Person]:
    opened = server.open(seats=PEOPLE, position=position)
    return opened.sit("A"), opened.sit("B")


def option(person: Person, text: str) -> int:
    found: int = next(o["number"] for o in person.view["decision"]["options"] if o["text"].startswith(text))
    return found


def test_what_is_not_paid_for_is_taken_back_without_asking(server: Running) -> None:
    ann, mira = sat(server, SHOP)
    before = ann.view["decision"]["kind"]
    ann.say(type="play", version=ann.view["version"], choice={"option": option(ann, "buy Take Cover")})
    ann.hear("view")
    assert ann.view["decision"]["kind"] == "pay"
    assert ann.view["decision"]["cancel"]
    ann.say(type="undo")
    ann.hear("view")
    assert ann.view["decision"]["kind"] == before == "main"
    mira.hear("view")
    mira.hear("view")
    assert mira.meta["offer"] is None
    assert mira.view["move"] == 0


def test_what_is_paid_for_is_taken_back_only_if_the_other_agrees(server: Running) -> None:
    ann, mira = sat(server, SHOP)
    ann.say(type="play", version=ann.view["version"], choice={"option": option(ann, "buy Take Cover")})
    ann.hear("view")
    spend = [[o["dice"][0], 1] for o in ann.view["decision"]["options"][: ann.view["decision"]["total"]]]
    ann.say(type="play", version=ann.view["version"], choice={"spend": spend})
    ann.hear("view")
    ann.say(type="undo")
    while mira.meta["offer"] is None:
        mira.hear("meta")
    assert mira.meta["offer"]["by"] == "A"
    mira.say(type="answer", yes=False)
    while ann.meta["offer"] is not None or not ann.heard >= {"meta"}:
        ann.hear("meta")
    assert ann.view["move"] > 0


def test_who_gives_up_has_lost_and_everybody_hears_why(server: Running) -> None:
    ann, mira = sat(server, SHOP)
    ann.say(type="concede", seat="A")
    for person in (ann, mira):
        while person.view["result"] is None:
            person.hear("view")
        assert person.view["result"] == {"winner": "B", "text": "B wins: A conceded"}
        assert person.view["decision"] is None
        assert person.view["news"][-1]["text"] == "A conceded"
        assert person.view["news"][-1]["seat"] == "A"
