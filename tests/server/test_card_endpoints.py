"""Card endpoints: catalogue, card pages and search, with valid and hostile requests."""

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

catalogue_module = importlib.import_module("dicemasters.cards.catalogue")  # in the package this name is the function
NURSE = '[[card]]\ntitle = "Night Nurse"\nsubtitle = "Claire"\ncost = 3\nenergy = "shield"\ndie = "waspcw"\n'
PAGE: TypeAdapter[card_schema.CardDetails] = TypeAdapter(card_schema.CardDetails)


def test_catalogue_lists_all_cards_with_their_dice() -> None:
    listing = TypeAdapter(card_schema.CardCatalog).validate_python(build_card_catalog())
    assert [card["key"] for card in listing["cards"]] == [card.key for card in catalogue()]
    assert {card["die"] for card in listing["cards"]} == set(listing["dice"])
    hulk = next(card for card in listing["cards"] if card["key"] == "avx9")
    assert (hulk["title"], hulk["cost"], hulk["energy"], hulk["rarity"]) == ("Hulk", 6, "F", "starter")
    with_global = next(card for card in listing["cards"] if card["key"] == "avx13")
    assert with_global["globals"][0]["cost"] == "[S]"
    assert all(not text.startswith("Global") for text in with_global["text"])


def test_every_card_page_cites_existing_rules() -> None:
    numbers = rules_document().numbers
    keys = {card.key for card in catalogue()}
    for key in sorted(keys):
        page = PAGE.validate_python(card_details(key))
        cited = [one["number"] for one in (*page["rules"], *page["answers"])]
        cited += [number for one in page["rulings"] for number in one["rules"]]
        assert set(cited) <= numbers, key
        beside = {*page["versions"], *page["names"], *page["named_by"], *(k for s in page["sides"] for k in s["keys"])}
        assert beside <= keys - {key}, key


def test_card_page_lists_rules_rulings_teams_and_versions() -> None:
    page = card_details("uxm3")  # Angel: Superhero
    assert "6.8" in [one["number"] for one in page["rules"]]  # Heroic
    assert [one["question"] for one in page["rulings"]] == ["Who may pay, how often?"]
    assert "heroes-for-a-day" in [one["key"] for one in page["teams"]]
    assert "avx35" in page["versions"]
    assert "#13" in [one["number"] for one in card_details("avx13")["answers"]]  # ruling shown with Inventor


def test_cards_named_by_others_link_back() -> None:
    pages = {card.key: card_details(card.key) for card in catalogue()}
    assert pages["cw80"]["figures"] is not None
    assert (pages["cw80"]["figures"]["place"], pages["cw80"]["figures"]["verdict"]) == (1, "above")
    named = [(key, other) for key, page in pages.items() for other in page["names"]]
    assert named
    assert all(key in pages[other]["named_by"] for key, other in named)


def test_home_made_cards_appear_in_the_catalogue() -> None:
    own = read_cards(NURSE)
    known = catalogue().with_cards(own)
    listing = build_card_catalog(known)
    assert listing["cards"][-1]["title"] == "Night Nurse"
    assert listing["sets"][-1]["name"] == "Home-made"
    assert search_cards("nurse", known)["keys"] == [own[0].key]
    page = card_details(own[0].key, known)
    assert page["key"] == own[0].key
    assert page["figures"] is None  # no simulation figures


@pytest.fixture
def card_file(tmp_path: Path) -> Iterator[Path]:
    """Yield a file of home-made cards; unregister its cards afterwards."""
    file = tmp_path / "nurse.toml"
    file.write_text(NURSE, encoding="utf-8")
    yield file
    catalogue_module._REGISTERED_CARDS.clear()
    catalogue.cache_clear()


def test_registered_card_file_extends_the_catalogue(card_file: Path) -> None:
    register_files(str(card_file))
    assert search_cards("nurse")["keys"] == ["own1"]
    assert build_card_catalog()["cards"][-1]["key"] == "own1"
    with pytest.raises(ValueError, match="Night Nurse: Claire has the number 1 of another home-made card"):
        register_files(str(card_file))


def test_server_with_home_made_cards_shows_checks_and_plays_them(card_file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dicemasters", "serve", "--no-browser", "--port", "0", "--load", str(card_file)]
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


def test_missing_card_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-browser", "--load", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_unknown_card_raises_card_not_found() -> None:
    with pytest.raises(CardNotFoundError, match="there is no card 'avx999'"):
        card_details("avx999")


# --- over HTTP ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Yield a server with the default time limit for one piece of work."""
    limits = replace(GENEROUS_LIMITS, work_seconds=5.0)
    with run_server(f"sqlite:///{tmp_path_factory.mktemp('cards') / 'games.sqlite'}", limits=limits) as started:
        yield started


def test_search_endpoint_matches_the_search_function(server: LiveServer) -> None:
    for query in ("", "hulk", "energy:bolt cost<=3", "(keyword:fast or is:global) sort:-cost", "/draws? (two|2)/"):
        found = server.get(f"/api/cards/found?q={quote(query)}")["keys"]
        assert found == [card.key for card in search(catalogue(), query)]
    assert server.get("/api/cards/avx9")["key"] == "avx9"
    assert len(server.get("/api/cards")["cards"]) == len(catalogue())


@pytest.mark.parametrize(
    ("query", "problem"),
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
def test_invalid_search_says_what_is_allowed(server: LiveServer, query: str, problem: str) -> None:
    found = server.get(f"/api/cards/found?q={quote(query)}")
    assert found["keys"] == []
    assert problem in found["problem"]


def test_expensive_search_is_stopped(strict_server: LiveServer) -> None:
    assert strict_server.http.get(f"/api/cards/found?q={'x' * (MAX_QUERY_LENGTH + 1)}").status_code == 422
    for query in (" ".join(["-/.*.*.*.*.*q/"] * 20), " ".join(["/(a|b|c|d|e|f|g)*x/"] * 15)):
        answer = strict_server.http.get(f"/api/cards/found?q={quote(query)}")
        assert answer.status_code in (200, 400)
        assert answer.status_code == 200 or answer.json()["error"] == "this takes too long"
    assert strict_server.get("/api/cards/found?q=hulk")["keys"]  # other requests are still served


@pytest.mark.parametrize("key", ["avx999", "..%2f..%2fetc", "%00", "x" * 40, "AVX9", "<script>"])
def test_invalid_card_key_returns_404_with_an_error(server: LiveServer, key: str) -> None:
    answer = server.http.get(f"/api/cards/{key}")
    assert answer.status_code == 404
    assert json.loads(answer.text)["error"]


def test_card_urls_serve_the_page(server: LiveServer) -> None:
    if not (resources.files("dicemasters.server") / "static" / "index.html").is_file():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    for path in ("/cards", "/cards?q=hulk", "/cards/avx9"):
        assert "text/html" in server.http.get(path).headers["content-type"]
