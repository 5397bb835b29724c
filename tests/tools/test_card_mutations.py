"""Mutated cards: every mistake gives a clear error, none a Python error or silence."""

from __future__ import annotations

import re

import pytest
from tools.verify.card_mutations import MISTAKES, CardMutation, card_file, mutate_card, play, valid_sentences

from dicemasters.cards.catalogue import Card, card, catalogue
from dicemasters.cards.language.semantics import check_ability
from dicemasters.cards.language.signatures import WordError
from dicemasters.cards.language.vocabulary import (
    FIST,
    PREP,
    Damage,
    always,
    costs_to_buy,
    fielded,
    target,
    this_card,
    when,
)
from dicemasters.cards.text import card_text
from dicemasters.cards.toml_loader import CardFileError, read_cards

HUNDREDS = 1
ACTION = "mjolnir"

# an invalid sentence, the die of its card, the expected message
FOUND = [
    ("when(fielded(), Damage('two', target()))", "hulk", "'Damage' takes a number from 1 to 99 or an amount, such as count(character & own) as its 'amount', not the text 'two'"),
    ("when(fielded(), Damage(target(), 2))", "hulk", "not a choice; are they the wrong way round? It is written Damage(amount, to, source)"),
    ("when(fielded, Life(1))", "hulk", "'when' takes an event, such as fielded() as its 'event', not the word 'fielded' without its brackets; write fielded(...)"),
    ("when(fielded(), Life(1), Life)", "hulk", "not the word 'Life' without its brackets; write Life(...)"),
    ("always(gets(this, 1), condition=level('2'))", "hulk", "'level' takes a number from 1 to 3 or an amount"),
    ("while_active(gets(own & sidekick, 1))", "hulk", "not a static rule; write always(...) around the rule"),
    ("when(fielded(), gets(this, 1))", "hulk", "not a static rule; write Give(...) around the rule"),
    ("always(Life(1))", "hulk", "not an effect; an effect needs an event: when(fielded(), ...)"),
    ("use(Life(1))", "hulk", "'use' is for an action die, not for a character; write when(fielded(), ...)"),
    ("when(fielded(), Life(1))", ACTION, "'when' cannot be the text of an action die; write use(...)"),
    ("always(has_keyword(this, 'Flying'))", "hulk", "'has_keyword' takes one of \"Ally\", \"Amplify\""),
    ("always(has_keyword(character & own, 'fast'))", "hulk", "not the text 'fast'; did you mean 'Fast'?"),
    ("while_active(always(has_keyword(character & own, 'Attune')))", "hulk", "'has_keyword' cannot grant Attune; it can grant Fast, Overcrush"),
    ("always(costs_to_buy(this_card, -1))", "hulk", "write of_card(always(costs_to_buy(this_card, ...)))"),
    ("of_card(always(costs_to_buy(this, -1)))", "hulk", "'this'"),
    ("always(costs_to_field(character & own, -1))", "hulk", "write while_active(always(costs_to_field(...)))"),
    ("when(is_damaged(), may(title(1, PREP)))", "hulk", "'title' takes the name of a card in quotes, not the number 1"),
    ("when(fielded(), Damage(1, target(title('Hulc'))))", "hulk", "none is called 'Hulc'; did you mean 'Hulk'?"),
    ("always(gets(affiliation('Avenger'), 1))", "hulk", "none is called 'Avenger'; did you mean 'Avengers'?"),
    ("always(gets(target(), 1))", "hulk", "'gets' is permanent, so it takes no choice"),
    ("always(halves(this))", "hulk", "'halves' holds for a time, not always; write when(..., Give(halves(...)))"),
    ("when(fielded(), Give(gets(this, 1), END_OF_THEIR_TURN))", "hulk", "not the text 'end of their turn'"),
    ("when(fielded(), Give(gets(this, 1), NEXT_ONE))", "hulk", "'gets' cannot be for the NEXT_ONE alone; fields_free, costs_to_buy, costs_to_field can"),
    ("when(would_be_damaged(), Prevent(1))", "hulk", "'would_be_damaged' has not happened yet; write would(would_be_damaged(...), ...)"),
    ("would(is_damaged(), Life(1))", "hulk", "'is_damaged' cannot be replaced; write when(is_damaged(...), ...)"),
    ("when(fielded(), Prevent(1))", "hulk", "'Prevent' is allowed only in would(would_be_damaged(...), ...)"),
    ("when(fielded(), Life(EVENT_AMOUNT))", "hulk", "'EVENT_AMOUNT' refers to an amount, so it needs an event that provides it, such as draws"),
    ("when(fielded(), Ko(the_other))", "hulk", "'the_other' refers to an event, so it needs an event that provides it, such as blocks"),
    ("always(gets(this, AFFECTED))", "hulk", "'AFFECTED' refers to a previous effect"),
    ("when(fielded(), Ko(chosen(0)))", "hulk", "'chosen(0)' has nothing to refer to; no choice before it"),
    ("when(fielded(), Life(1), bursts=burst_also(Life(1), on=2))", "ai_loki", "needs a face with **"),
    ("when(turn_starts(this), Life(1))", "hulk", "'turn_starts' is about players, not about dice; write you, opponent or each_player"),
    ("when(fielded(), Life(1, character))", "hulk", "'Life' is about players, not about dice"),
    ("when(fielded(), Ko(you))", "hulk", "'Ko' is about dice, not about players"),
    ("when(fielded(), Ko(one(character & own & in_(USED))))", "hulk", "'Ko' reaches dice in the field, not in the used"),
    ("when(fielded(), Move(target(), FIELD))", "hulk", "'Move' takes one of \"bag\", \"prep\", \"reserve\", \"used\" as its 'to', not the text 'field'"),
    ("while_active(of_card(when(turn_ends(), Life(1))))", "hulk", "'while_active' cannot wrap an ability that already has a scope"),
    ("while_active(global_ability(FIST, Life(1)))", "hulk", "'while_active' cannot wrap 'global_ability'"),
    ("while_active(always(gets(this, 1)))", "hulk", "'this' needs a die, but 'while_active' belongs to the card; write this_card"),
    ("global_ability('', Life(1))", "hulk", "'global_ability' costs nothing"),
    ("global_ability('Q', Life(1))", "hulk", "'global_ability' takes energy such as \"F\", \"BB\" or \"2\" as its 'energy', not the text 'Q'"),
    ("when(fielded(), Life(1), limit='week')", "hulk", "not the text 'week'"),
    ("while_active(when(turn_ends(), Life(1), limit='die'))", "hulk", "limit 'die' counts per die"),
    ("unprinted('level', when(fielded(), Life(1)))", "hulk", "the ability brings no die to the field"),
    ("unprinted('source', would(would_be_damaged(), Prevent(1)))", "hulk", "no amount uses up_to_that(...)"),
    ("unprinted('moment', when(fielded(), Life(1)))", "hulk", "the moment to stop it, but nothing can be stopped"),
    ("unprinted('burst', when(fielded(), Life(1)))", "hulk", "a burst, but none lasts until end of turn"),
    ("unprinted('copy', when(fielded(), Life(1)))", "hulk", "a copy, but the ability makes none"),
    ("unprinted('when', always(gets(this, 1)))", "hulk", "when it works, but the ability has no such moment"),
    ("unprinted('keyword', when(fielded(), Life(1)))", "hulk", "a keyword, but the ability has none"),
    ("when(fielded())", "hulk", "'when' is empty; write what it does"),
    ("when(fielded(), may())", "hulk", "'may' is empty"),
    ("continuous()", "hulk", "'in_field' cannot wrap 'always' on a character card"),
    ("fast()", ACTION, "cannot be the text of an action die"),
    ("always(gets(character and own, 1))", "hulk", "'and' has no meaning in the card language; write &"),
    ("always(gets([character], 1))", "hulk", "several things are written in round brackets"),
    ("when(fielded(), Life(1), Life(1), limit='turn', limit='die')", "hulk", "'when' is given its 'limit' twice"),
    ("when(fielded(), Where('purple'))", "hulk", "the card language has no word 'Where'"),
    ("when(fielded(), Do(by_combat, Life(1)))", "hulk", "'by_combat' refers to damage or a KO, so it needs an event that provides it, such as kos"),
    ("always(gets(you & character, 1))", "hulk", "matches nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "die", "message"), FOUND, ids=[sentence for sentence, _, _ in FOUND])
def test_card_error_names_the_line_the_word_and_what_is_allowed(sentence: str, die: str, message: str) -> None:
    with pytest.raises(CardFileError, match=r"^line 7: ") as error:
        read_cards(card_file(sentence, die))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("sentence", "die"),
    [
        ("when(fielded(), Life(1), bursts=burst_also(Life(1), on=1))", "hulk"),
        ("when(fielded(), Do(there_is(sidekick & own), Life(1), Draw(1, PREP)))", "hulk"),
        ("when(fielded(), EachPlayer(Ko(one(character & own))))", "hulk"),
        ("when(fielded(), OneOf((Life(1), Draw(1, PREP))))", "hulk"),
        ("when(attacks(), Later(is_kod(), Life(1)))", "hulk"),
        ("global_ability(FIST, Life(1), cost=Ko(one(sidekick & own)))", "hulk"),
        ("when(attacks(), may(Life(1), cost=BOLT + BOLT))", "hulk"),
    ],
)
def test_single_item_stands_for_a_list_of_one(sentence: str, die: str) -> None:
    (made,) = read_cards(card_file(sentence, die))
    assert card_text(made)
    play(made, 1)


def check_mutation(wrong: CardMutation) -> None:
    if wrong.card is None:
        assert re.match(r"line [67]: ", wrong.message), wrong
        assert "'" in wrong.message or "joins" in wrong.message, wrong
        assert re.search(r"; |such as| takes | belongs | needs | lacks |joins", wrong.message), wrong
        assert "cannot be played" not in wrong.message, wrong
    else:
        assert card_text(wrong.card)
        play(wrong.card, 0)


@pytest.mark.parametrize("hundred", range(HUNDREDS))
def test_mutated_cards_are_refused_with_a_clear_message_or_are_playable(hundred: int) -> None:
    wrong = [mutate_card(number) for number in range(100 * hundred, 100 * hundred + 100)]
    assert {w.mistake for w in wrong} == set(MISTAKES)
    assert sum(w.card is None for w in wrong) > 60
    for each in wrong:
        check_mutation(each)


def test_cards_with_equal_text_have_equal_abilities() -> None:
    """Text and behaviour cannot differ: no mutation keeps the text and changes the abilities."""
    texts: dict[str, object] = {}
    cards = [
        read_cards(card_file(good.sentence, good.die))[0]
        for good in valid_sentences()[::5]
        if "this" not in good.sentence
    ]
    for made in [*cards, *(w.card for n in range(200) if (w := mutate_card(n)).card is not None)]:
        assert made is not None
        assert texts.setdefault(card_text(made), made.abilities) == made.abilities, card_text(made)


def test_invalid_card_of_a_set_is_refused_with_file_and_line() -> None:
    with pytest.raises(WordError, match=r"^test_card_mutations\.py, line \d+: 'when' takes an effect"):
        when(fielded(), PREP)  # type: ignore[arg-type]
    with pytest.raises(WordError, match=r"'Wrong' takes abilities, not an effect"):
        card("home", 1, "Wrong", "Sentence", Damage(1, target()), cost=3, energy=FIST, die="hulk")  # type: ignore[arg-type]
    with pytest.raises(WordError, match=r"'Wrong' has no die 'hulc'; did you mean 'hulk'\?"):
        card("home", 1, "Wrong", "Die", cost=3, energy=FIST, die="hulc")


def check_card_semantics(made: Card) -> None:
    for sentence in made.abilities:
        check_ability(sentence, made.kind, made.die, made.abilities)


def test_every_card_of_the_sets_passes_the_semantic_check() -> None:
    """Checked here rather than by every command that reads the sets."""
    for made in catalogue():
        check_card_semantics(made)


def test_semantic_check_finds_an_invalid_card() -> None:
    wrong = card("home", 1, "Wrong", "Price", always(costs_to_buy(this_card, -1)), cost=3, energy=FIST, die="hulk")
    with pytest.raises(WordError, match="'costs_to_buy' applies to dice outside the field"):
        check_card_semantics(wrong)


def test_face_shows_one_type_of_energy() -> None:
    text = card_file("fast()", "hulk").replace(
        'die = "hulk"', 'die = { energy = "F B FB", faces = "0/1/1 1/2/2 1/3/3" }'
    )
    with pytest.raises(CardFileError, match=r"line 5: .*'FB'; valid are F B M S \?, one of them twice"):
        read_cards(text)


def test_cards_of_a_file_need_distinct_numbers_and_names() -> None:
    once = card_file("fast()", "hulk")
    with pytest.raises(CardFileError, match="two cards of the file have the same"):
        read_cards(once + once)
    with pytest.raises(CardFileError, match="the same number"):
        read_cards(
            once.replace("cost", "number = 3\ncost")
            + once.replace("Nobody", "Other").replace("cost", "number = 3\ncost")
        )
