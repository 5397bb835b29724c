"""Every word of the card language has complete metadata, an implementation, English text and an example card."""

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


def test_every_word_of_the_language_has_metadata() -> None:
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


def test_arguments_of_every_word_have_a_type_and_a_usage_text() -> None:
    for word in VOCABULARY:
        value = VOCABULARY[word]
        if callable(value):
            signature = WordSignature(value)
            assert all(kind.expected_text for kind in signature.kinds.values()), word
            assert signature.usage.startswith(f"{word}("), word


def test_every_description_has_a_predicate_and_every_place_an_implementation() -> None:
    assert set(PREDICATES) == set(metadata.DESCRIPTIONS)
    assert set(REFERENCES) == {op for op, row in metadata.DESCRIPTIONS.items() if row.is_reference}
    assert set(PLACES) == set(metadata.PLACES)


def test_every_number_and_condition_is_implemented() -> None:
    assert set(QUANTITIES) == set(metadata.NUMBERS)
    assert set(CONDITION_EXPRS) == set(metadata.CONDITIONS)


def test_every_effect_has_an_operation() -> None:
    assert {row.op for row in metadata.EFFECTS.values()} <= {*OPS, *DIE_OPS}


def test_effects_sharing_an_operation_agree_on_requires_field() -> None:
    for op in {row.op for row in metadata.EFFECTS.values()}:
        assert len({row.requires_field for row in metadata.EFFECTS.values() if row.op == op}) == 1


def test_effects_that_require_the_field_accept_dice_in_the_field() -> None:
    for name, row in metadata.EFFECTS.items():
        assert not row.requires_field or not row.places or "field" in row.places, name


@pytest.mark.parametrize("sort", [metadata.EffectMetadata, metadata.RuleMetadata])
def test_metadata_without_valence_is_refused(sort: type) -> None:
    with pytest.raises(TypeError, match="valence"):
        sort("something new")


def test_every_rule_is_read_by_the_engine() -> None:
    for word in metadata.RULES:
        engine = Path(game_spec.__file__).parent
        readers = [path.name for path in engine.rglob("*.py") if f'"{word}"' in path.read_text(encoding="utf-8")]
        assert readers, word


def all_abilities() -> list[Ability]:
    cards = [*catalogue(), *CARDS, *example_cards().values()]
    return [ability for card in cards for ability in card.abilities]


def words_used_by_cards() -> dict[str, set[str]]:
    """Return the words that cards use, by kind of metadata."""
    found: dict[str, set[str]] = {
        "description": set(),
        "number": set(),
        "condition": set(),
        "event": set(),
        "rule": set(),
        "effect": set(),
    }
    for part in walk(tuple(all_abilities())):
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


def test_every_word_is_used_by_a_card_of_the_sets_the_tests_or_the_docs() -> None:
    """Scenarios cover every ability of the sets (test_ability_coverage); random games play the other cards."""
    used = words_used_by_cards()
    inner = {"can be a character", "can spin", "can reroll", "can be KO'd", "of player"}  # used only inside the engine
    assert set(metadata.DESCRIPTIONS) - inner <= used["description"]
    assert set(metadata.NUMBERS) <= used["number"]
    assert set(metadata.CONDITIONS) <= used["condition"]
    assert set(metadata.EVENTS) <= used["event"]
    assert set(metadata.RULES) <= used["rule"]
    assert set(metadata.EFFECTS) <= used["effect"]


def test_keywords_durations_symbols_and_places_have_english_names() -> None:
    for row in metadata.KEYWORDS.values():
        assert row.is_label or row.reminder or metadata.word_of(row) in VOCABULARY
    assert {row.until for row in metadata.DURATIONS.values() if row.text}
    assert all(symbol.name for symbol in metadata.SYMBOLS.values())
    assert all(place.name for place in metadata.PLACES.values())


def test_state_lists_the_order_dependent_rules() -> None:
    """The state module cannot import the metadata, so it keeps its own list."""
    assert {word for word, row in metadata.RULES.items() if row.is_order_dependent} == {
        x for x in IN_ORDER if not x.startswith("copy ")
    }


def test_word_cannot_be_registered_twice() -> None:
    with pytest.raises(ValueError, match="the word 'character' is registered twice"):
        metadata.register("character", metadata.DescriptionMetadata("character"))
