"""The documents are true: their examples run and their tables are complete."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from tests.support.digest import without_version
from tests.support.effort import examples
from tools.verify.card_mutations import card_file
from tools.verify.random_games import random_game
from tools.verify.soak import play_checked

from dicemasters import Card, Catalogue, Game, catalogue
from dicemasters.cards.language.signatures import WordSignature
from dicemasters.cards.language.vocabulary import VOCABULARY
from dicemasters.cards.text import card_text
from dicemasters.cards.toml_loader import CardFileError, read_cards
from dicemasters.game import notation
from dicemasters.game.scenarios import scenario
from dicemasters.game.state.decision_kinds import kinds_table, options_table
from dicemasters.lessons import lesson_session
from dicemasters.lessons.lesson_file import read_lesson
from dicemasters.teams.draft import Draft
from dicemasters.teams.packs import ODDS

ROOT = Path(__file__).parents[2]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ALL_CARDS = 458  # in the four sets


def blocks(path: Path, kind: str) -> list[str]:
    """Return the fenced blocks of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def marked_blocks(kind: str) -> list[object]:
    return [
        pytest.param(text, id=f"{path.stem}-{number}")
        for path in DOCS
        for number, text in enumerate(blocks(path, kind), 1)
    ]


def example_cards() -> dict[str, Card]:
    """Return the cards defined on docs/card-language.md by title."""
    namespace: dict[str, object] = {}
    for text in blocks(ROOT / "docs" / "card-language.md", "python"):
        exec(text, namespace)
    cards = [card for text in blocks(ROOT / "docs" / "card-language.md", "toml") for card in read_cards(text)]
    return {card.title: card for card in (*cards, *namespace.values()) if isinstance(card, Card)}


@cache
def with_examples() -> Catalogue:
    return catalogue().with_cards(example_cards().values())


@pytest.mark.parametrize("text", marked_blocks("position"))
def test_position_in_the_docs_round_trips(text: str) -> None:
    game = Game.from_text(text)
    assert game.decision is not None
    assert Game.from_text(game.to_text()) == game


@pytest.mark.parametrize("text", marked_blocks("record"))
def test_record_in_the_docs_replays(text: str) -> None:
    assert without_version(Game.from_record(text).record) == without_version(text)


@pytest.mark.parametrize("text", marked_blocks("scenario"))
def test_scenario_in_the_docs_passes(text: str) -> None:
    scenario.check(text, with_examples())


@pytest.mark.parametrize("text", marked_blocks("lesson"))
def test_lesson_in_the_docs_is_playable(text: str) -> None:
    lesson_session.check_lesson(read_lesson(text))


@pytest.mark.parametrize("text", marked_blocks("draft"))
def test_draft_in_the_docs_round_trips(text: str) -> None:
    assert Draft.from_text(text).to_text() == text


def test_drafts_page_runs_and_lists_the_pack_odds() -> None:
    page = ROOT / "docs" / "drafts.md"
    (example,) = blocks(page, "python")
    namespace: dict[str, object] = {}
    exec(example, namespace)
    assert isinstance(namespace["draft"], Draft)
    odds = re.findall(r"^\| ([a-z-]+) \| ([0-9]+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {rarity: int(number) for rarity, number in odds} == ODDS


def test_notation_page_has_an_example_of_each_kind() -> None:
    page = ROOT / "docs" / "notation.md"
    assert all(blocks(page, kind) for kind in ("position", "record", "scenario"))


def test_notation_page_names_every_step() -> None:
    for step in notation.STEPS:
        assert f"`{step}`" in (ROOT / "docs" / "notation.md").read_text(encoding="utf-8"), step


def test_notation_page_names_every_place() -> None:
    for place in notation.PLACES:
        assert f"`{place}`" in (ROOT / "docs" / "notation.md").read_text(encoding="utf-8"), place


def test_notation_page_lists_the_decision_kinds_of_the_code() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8").splitlines()
    begin = page.index(kinds_table()[0])
    assert page[begin : begin + len(kinds_table()) + 1] == [*kinds_table(), ""]


def test_notation_page_lists_the_option_kinds_of_the_code() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8").splitlines()
    begin = page.index(options_table()[0])
    assert page[begin : begin + len(options_table()) + 1] == [*options_table(), ""]


@cache
def rows_of_the_page() -> dict[str, str]:
    """Return the usage of each word on the page, by word."""
    page = (ROOT / "docs" / "card-language.md").read_text(encoding="utf-8")
    written = [
        text
        for cells in re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", page, re.MULTILINE)
        for text in re.findall(r"`([^`]+)`", cells)
    ]
    return {text.partition("(")[0]: text for text in written}


def test_language_page_explains_every_word_with_its_arguments() -> None:
    for word in VOCABULARY:
        value = VOCABULARY[word]
        usage = WordSignature(value).usage if callable(value) else word
        assert rows_of_the_page().get(word) == usage, word


def test_language_page_explains_only_existing_words() -> None:
    assert set(rows_of_the_page()) <= set(VOCABULARY)


def mistakes_of_the_page() -> list[tuple[str, str]]:
    page = (ROOT / "docs" / "card-language.md").read_text(encoding="utf-8")
    table = page.split("| mistake | message |\n|---|---|\n")[1].split("\n\n")[0]
    return re.findall(r"^\| `([^`]+)` \| (.+) \|$", table, re.MULTILINE)


@pytest.mark.parametrize(("sentence", "answer"), mistakes_of_the_page())
def test_language_page_shows_the_message_for_each_mistake(sentence: str, answer: str) -> None:
    with pytest.raises(CardFileError) as error:
        read_cards(card_file(sentence, "hulk"))
    assert answer in str(error.value)


def test_card_tutorial_shows_the_text_and_the_error_of_its_card() -> None:
    page = (ROOT / "docs" / "card-language.md").read_text(encoding="utf-8")
    assert card_text(example_cards()["Night Nurse"]) in page
    (file,) = blocks(ROOT / "docs" / "card-language.md", "toml")
    with pytest.raises(CardFileError) as error:
        read_cards(file.replace("fielded", "feilded"))
    assert f"dicemasters: my.toml: {error.value}\n" in page


def test_every_example_card_can_be_rendered_as_text() -> None:
    for card in example_cards().values():
        assert card_text(card) or not card.abilities


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(examples(quick=8, thorough=24)))
def test_games_with_the_example_cards_hold_every_invariant(seed: int) -> None:
    play_checked(random_game(seed, with_examples()), seed, with_examples())


def test_architecture_page_names_existing_files_and_functions() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = set(re.findall(r"[\w/.-]*\w\.(?:py|svelte|ts)\b", page)) | set(re.findall(r"`([a-z]+(?:/\w+)+/?)`", page))
    assert len(files) > 30
    tracked = [
        path.relative_to(ROOT) for top in ("src", "tests", "tools", "web/src") for path in (ROOT / top).rglob("*")
    ]
    paths = "\n".join(f"/{path.as_posix()}/" for path in tracked)
    assert [name for name in files if f"/{name.strip('./')}/" not in paths] == []
    functions = re.findall(r"^  (turn\.loop)\.(\w+)", page, re.MULTILINE)
    assert functions
    for module, function in functions:
        assert hasattr(import_module(f"dicemasters.game.{module}"), function)


def test_readme_is_short_and_states_the_number_of_cards() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert f"{len(catalogue())} cards" in text
    assert len(catalogue()) == ALL_CARDS
