"""Every word of the card language has one row, and each of its parts: a meaning, English, a check, an example."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.homemade_cards import CARDS
from tests.unit.test_docs import example_cards

from dicemasters import catalogue
from dicemasters.cards.language import metadata, vocabulary
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.signatures import WordSignature
from dicemasters.cards.language.vocabulary import VOCABULARY, Ability, Condition, Event, Number, Rule, Where
from dicemasters.game import game_spec
from dicemasters.game.abilities.amounts import QUANTITIES
from dicemasters.game.abilities.conditions import CONDITION_EXPRS
from dicemasters.game.abilities.predicates import PLACES, PREDICATES, REFERENCES
from dicemasters.game.effects.interpreter import DIE_OPS, OPS
from dicemasters.game.state.state import IN_ORDER

JOINTS = {"and", "or", "not"}
PLUMBING = {"Where", "Number", "Select", "Condition", "Event", "Rule", "Burst", "Ability"}
PLUMBING |= {"register_word", "register_effect", "as_tuple", "plain_number", "plain_description", "plain_condition"}
PLUMBING |= {"register_word", "register_effect", "as_tuple", "plain_number", "plain_description", "plain_condition"}


def test_every_name_of_the_language_has_a_row() -> None:
    language = {
        name
        for name, value in vars(vocabulary).items()
        if not name.startswith("_")
        and (
            isinstance(value, Where | Number | Condition)
            or (callable(value) and value.__module__.endswith(("_words", ".node_types")))
            or (name.isupper() and isinstance(value, str | int) and name not in ("CHARACTER",))
        )
    }
    assert language - PLUMBING <= set(metadata.WORDS)
    assert set(VOCABULARY) == {
        name for name in language - PLUMBING if not getattr(metadata.WORDS[name], "is_internal", False)
    }


def test_what_a_word_takes_can_be_checked_and_said() -> None:
    for word in VOCABULARY:
        value = VOCABULARY[word]
        if callable(value):
            known = WordSignature(value)
            assert all(kind.expected_text for kind in known.kinds.values()), word
            assert known.usage.startswith(f"{word}("), word


def test_every_description_has_a_meaning() -> None:
    assert set(PREDICATES) == set(metadata.DESCRIPTIONS)
    assert set(REFERENCES) == {op for op, row in metadata.DESCRIPTIONS.items() if row.is_reference}
    assert set(PLACES) == set(metadata.PLACES)


def test_every_number_and_every_condition_has_a_meaning() -> None:
    assert set(QUANTITIES) == set(metadata.NUMBERS)
    assert set(CONDITION_EXPRS) == set(metadata.CONDITIONS)


def test_every_effect_has_an_operation() -> None:
    assert {row.op for row in metadata.EFFECTS.values()} <= {*OPS, *DIE_OPS}


def test_words_of_one_operation_agree_on_where_it_does_something() -> None:
    for op in {row.op for row in metadata.EFFECTS.values()}:
        assert len({row.requires_field for row in metadata.EFFECTS.values() if row.op == op}) == 1


def test_what_does_something_only_in_the_field_takes_dice_from_there() -> None:
    for name, row in metadata.EFFECTS.items():
        assert not row.requires_field or not row.places or "field" in row.places, name


@pytest.mark.parametrize("sort", [metadata.EffectMetadata, metadata.RuleMetadata])
def test_a_word_without_a_verdict_is_no_row(sort: type) -> None:
    with pytest.raises(TypeError, match="valence"):
        sort("something new")


def test_every_rule_is_asked_for_by_the_engine() -> None:
    for word in metadata.RULES:
        engine = Path(game_spec.__file__).parent
        asked = [path.name for path in engine.rglob("*.py") if f'"{word}"' in path.read_text(encoding="utf-8")]
        assert asked, word


def all_cards() -> list[Ability]:
    cards = [*catalogue(), *CARDS, *example_cards().values()]
    return [ability for card in cards for ability in card.abilities]


def said_by_cards() -> dict[str, set[str]]:
    """Give the words that cards say, by the sort of row."""
    found: dict[str, set[str]] = {
        "description": set(),
        "number": set(),
        "condition": set(),
        "event": set(),
        "rule": set(),
        "effect": set(),
    }
    for part in walk(tuple(all_cards())):
        match part:
            case Where(op):
                found["description"].add(op)
            case Number(op):
                found["number"].add(op)
            case Condition(op):
                found["condition"].add(op)
            case Event(word):
                found["event"].add("uses" if word.startswith("uses ") else word)
            case Rule(word):
                found["rule"].add(word)
            case _ if isinstance(part, Node):
                found["effect"].add(type(part).__name__)
    return found


def test_every_word_is_played_by_a_card_of_the_sets_the_tests_or_the_documents() -> None:
    """Every ability of the sets happens in a scenario (test_coverage); the others are played in random games."""
    said = said_by_cards()
    inner = {"can be a character", "can spin", "can reroll", "can be KO'd", "of player"}  # the engine's own
    assert set(metadata.DESCRIPTIONS) - inner <= said["description"]
    assert set(metadata.NUMBERS) <= said["number"]
    assert set(metadata.CONDITIONS) <= said["condition"]
    assert set(metadata.EVENTS) <= said["event"]
    assert set(metadata.RULES) <= said["rule"]
    assert set(metadata.EFFECTS) <= said["effect"]


def test_every_keyword_and_duration_has_english() -> None:
    for row in metadata.KEYWORDS.values():
        assert row.is_label or row.reminder or metadata.word_of(row) in VOCABULARY
    assert {row.until for row in metadata.DURATIONS.values() if row.text}
    assert all(symbol.name for symbol in metadata.SYMBOLS.values())
    assert all(place.name for place in metadata.PLACES.values())


def test_the_state_knows_which_rules_depend_on_their_order() -> None:
    """The state stands below the cards' rows, so it keeps the list itself."""
    assert {word for word, row in metadata.RULES.items() if row.is_order_dependent} == {
        x for x in IN_ORDER if not x.startswith("copy ")
    }


def test_a_word_has_one_row() -> None:
    with pytest.raises(ValueError, match="the word 'character' is registered twice"):
        metadata.register("character", metadata.DescriptionMetadata("character"))
