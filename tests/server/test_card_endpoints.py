"""Cards as the page asks for them, by people who look for one and by people who mean ill."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from pydantic import TypeAdapter
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, LiveServer, run_server

from dicemasters.cards import catalogue
from dicemasters.cards.query import MAX_QUERY_LENGTH, search
from dicemasters.cards.toml_loader import read_cards, register_files
from dicemasters.cli.main import main
from dicemasters.rules.document import rules_document
from dicemasters.service.catalog.card_catalog import CardNotFoundError, build_card_catalog, card_details, search_cards
from dicemasters.service.protocol import card_schema

catalogue_module = importlib.import_module("dicemasters.cards.catalogue")  # its name in the package is the function's
NURSE = '[[card]]\ntitle = "Night Nurse"\nsubtitle = "Claire"\ncost = 3\nenergy = "shield"\ndie = "waspcw"\n'
PAGE: TypeAdapter[card_schema.CardDetails] = TypeAdapter(card_schema.CardDetails)


def test_all_cards_are_there_with_their_dice() -> None:
    shelf = TypeAdapter(card_schema.CardCatalog).validate_python(build_card_catalog())
    assert [card["key"] for card in shelf["cards"]] == [card.key for card in catalogue()]
    assert {card["die"] for card in shelf["cards"]} == set(shelf["dice"])
    hulk = next(card for card in shelf["cards"] if card["key"] == "avx9")
    assert (hulk["title"], hulk["cost"], hulk["energy"], hulk["rarity"]) == ("Hulk", 6, "F", "starter")
    with_global = next(card for card in shelf["cards"] if card["key"] == "avx13")
    assert with_global["globals"][0]["cost"] == "[S]"
    assert all(not text.startswith("Global") for text in with_global["text"])


def test_every_card_has_a_page_whose_numbers_are_rules() -> None:
    numbers = rules_document().numbers
    keys = {card.key for card in catalogue()}
    for key in sorted(keys):
        page = PAGE.validate_python(card_details(key))
        cited = [one["number"] for one in (*page["rules"], *page["answers"])]
        cited += [number for one in page["rulings"] for number in one["rules"]]
        assert set(cited) <= numbers, key
        beside = {*page["versions"], *page["names"], *page["named_by"], *(k for s in page["sides"] for k in s["keys"])}
        assert beside <= keys - {key}, key


def test_a_page_tells_what_belongs_to_the_card() -> None:
    page = card_details("uxm3")  # Angel: Superhero
    assert "6.8" in [one["number"] for one in page["rules"]]  # Heroic
    assert [one["question"] for one in page["rulings"]] == ["Who may pay, how often?"]
    assert "heroes-for-a-day" in [one["key"] for one in page["teams"]]
    assert "avx35" in page["versions"]
    assert "#13" in [one["number"] for one in card_details("avx13")["answers"]]  # shown with Inventor


def test_who_is_named_knows_it() -> None:
    pages = {card.key: card_details(card.key) for card in catalogue()}
    assert pages["cw80"]["figures"] is not None
    assert (pages["cw80"]["figures"]["place"], pages["cw80"]["figures"]["verdict"]) == (1, "above")
    named = [(key, other) for key, page in pages.items() for other in page["names"]]
    assert named
    assert all(key in pages[other]["named_by"] for key, other in named)


def test_home_made_cards_lie_beside_the_others() -> None:
    own = read_cards(NURSE)
    known = catalogue().with_cards(own)
    shelf = build_card_catalog(known)
    assert shelf["cards"][-1]["title"] == "Night Nurse"
    assert shelf["sets"][-1]["name"] == "Home-made"
    assert search_cards("nurse", known)["keys"] == [own[0].key]
    page = card_details(own[0].key, known)
    assert page["key"] == own[0].key
    assert page["figures"] is None  # nobody has played with it


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Path]:
    """Give a file of home-made cards; whoever knows them forgets them again."""
    file = tmp_path / "nurse.toml"
    file.write_text(NURSE, encoding="utf-8")
    yield file
    catalogue_module._REGISTERED_CARDS.clear()
    catalogue.cache_clear()


def test_everybody_knows_the_keepers_cards(house: Path) -> None:
    register_files(str(house))
    assert search_cards("nurse")["keys"] == ["own1"]
    assert build_card_catalog()["cards"][-1]["key"] == "own1"
    with pytest.raises(ValueError, match="Night Nurse: Claire has the number 1 of another home-made card"):
        register_files(str(house))


def test_a_server_with_home_made_cards_shows_checks_and_plays_them(house: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dicemasters", "serve", "--no-browser", "--port", "0", "--load", str(house)]
    with subprocess.Popen(
        [*command, "--db", f"sqlite:///{tmp_path / 'games.sqlite'}"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[2].replace("localhost", "127.0.0.1")
            with httpx.Client(base_url=address, timeout=TIMEOUT, trust_env=False) as http:
                assert http.get("/api/cards/found?q=/nurse/").json()["keys"] == ["own1"]
                team = "4x own1\nbasic: Smash! [avx]\nbasic: Force Beam [avx]\n"
                checked = http.post("/api/teams/check", json={"text": team}).json()
                assert (checked["problems"], checked["team"]["code"]) == ([], "")
                opened = http.post("/api/games", json={"format": "tournament", "teams": [team, "random"], "seed": 1})
                assert opened.status_code == 201, opened.text
                table = http.get(f"/api/games/{opened.json()['game']}").json()["table"]
                assert "Night Nurse" in [card["title"] for card in table["cards"]]
        finally:
            server.terminate()


def test_a_file_of_cards_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-browser", "--load", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_there_is_no_such_card() -> None:
    with pytest.raises(CardNotFoundError, match="there is no card 'avx999'"):
        card_details("avx999")


# --- over the wire -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Give a server that lets a piece of work take as long as usual."""
    limits = replace(GENEROUS_LIMITS, work_seconds=5.0)
    with run_server(f"sqlite:///{tmp_path_factory.mktemp('cards') / 'games.sqlite'}", limits=limits) as started:
        yield started


def test_a_search_finds_what_the_command_finds(server: LiveServer) -> None:
    for query in ("", "hulk", "energy:bolt cost<=3", "(keyword:fast or is:global) sort:-cost", "/draws? (two|2)/"):
        found = server.get(f"/api/cards/found?q={quote(query)}")["keys"]
        assert found == [card.key for card in search(catalogue(), query)]
    assert server.get("/api/cards/avx9")["key"] == "avx9"
    assert len(server.get("/api/cards")["cards"]) == len(catalogue())


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("colour:red", "a card has no 'colour'; its fields are"),
        ("energy:water", "there are fist, bolt, mask, shield"),
        ("cost<cheap", "compared with a number"),
        ("(hulk", "there is a '(' without a ')'"),
        ('"hulk', "quotation mark"),
        ("/(/", ""),
        (" ".join(["x"] * 90), "at most 40 words"),
        ("(" * 30, "brackets"),
        ("\0", ""),
        ("name:\ud800".encode("utf-8", "replace").decode(), ""),
    ],
)
def test_a_search_that_means_nothing_says_what_is_allowed(server: LiveServer, query: str, says: str) -> None:
    found = server.get(f"/api/cards/found?q={quote(query)}")
    assert found["keys"] == []
    assert says in found["problem"]


def test_a_search_has_an_end(strict: LiveServer) -> None:
    assert strict.http.get(f"/api/cards/found?q={'x' * (MAX_QUERY_LENGTH + 1)}").status_code == 422
    for query in (" ".join(["-/.*.*.*.*.*q/"] * 20), " ".join(["/(a|b|c|d|e|f|g)*x/"] * 15)):
        answer = strict.http.get(f"/api/cards/found?q={quote(query)}")
        assert answer.status_code in (200, 400)
        assert answer.status_code == 200 or answer.json()["error"] == "this takes too long"
    assert strict.get("/api/cards/found?q=hulk")["keys"]  # and others are served


@pytest.mark.parametrize("key", ["avx999", "..%2f..%2fetc", "%00", "x" * 40, "AVX9", "<script>"])
def test_a_card_that_is_none_is_answered_with_a_sentence(server: LiveServer, key: str) -> None:
    answer = server.http.get(f"/api/cards/{key}")
    assert answer.status_code == 404
    assert json.loads(answer.text)["error"]


def test_addresses_of_cards_show_the_page(server: LiveServer) -> None:
    if not (resources.files("dicemasters.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    for path in ("/cards", "/cards?q=hulk", "/cards/avx9"):
        assert "text/html" in server.http.get(path).headers["content-type"]
