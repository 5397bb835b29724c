"""Searching the rules by words and questions: the answer is among the first results."""

from __future__ import annotations

import pytest

from dicemasters.rules.document import rules_document

FIRST = 5


def rules_found(query: str) -> list[str]:
    return [item.number for item in rules_document().look_up(query)]


@pytest.mark.parametrize(
   ("query", "number"),
    [
        ("discount", "10.8"), ("discount", "#67"), ("pass", "3.3f1"), ("purchase", "3.3b1"), ("double burst", "5.9a"),
        ("assign damage", "3.4d1a"), ("assign damage", "3.4d1d"), ("partially spent", "3.3a6"), ("coin toss", "3.0a"),
        ("simultaneously", "5.7a1"), ("unfielded", "3.3c2"), ("conflict", "5.7a1"), ("unlimited", "3.3e2"),
        ("fielding cost", "3.3c1"), ("die limit", "1.3a"), ("wild energy", "3.3a2"), ("out of play", "2.1b1"),
        ("first turn", "3.1c"), ("prevent damage", "5.8c1"), ("redirect damage", "5.8d1"), ("lethal damage", "5.8a2"),
        ("excess damage", "6.12e"), ("negative attack", "5.8a1"), ("maximum life", "4.3a"), ("minimum price", "3.3b3"),
        ("roll and reroll step", "3.2"), ("swap attack and defense", "5.4f"), ("opposing character die", "5.2d"),
    ],
)  # fmt: skip
def test_word_or_term_finds_its_rule_among_the_first_results(query: str, number: str) -> None:
    assert number in rules_found(query)[:FIRST]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("what is a level", "1.4a"),
        ("do I have to assign all damage", "3.4d1d"),
        ("can my opponent use my globals", "3.3e1"),
        ("what if my attacker's blocker is KO'd", "3.4d1f"),
        ("can I use a global without the die", "3.3e1"),
        ("can I use a global twice", "3.3e2"),
        ("can I block with more than one character", "3.4b1"),
        ("can I block with a sidekick", "3.4b1"),
        ("can one die block two attackers", "3.4d1e"),
        ("can I attack with a character I just fielded", "3.4a1"),
        ("can I buy dice in the attack step", "3.4c1"),
        ("can I buy a die during my opponent's turn", "3.3f2"),
        ("can I use action dice on my opponent's turn", "3.3f2"),
        ("can I look in my opponent's bag", "2.3a"),
        ("can I keep energy", "3.5c"),
        ("can I reroll twice", "3.2b"),
        ("can I choose not to use the burst", "5.9b"),
        ("what if both players reach 0 life", "4.2a"),
        ("what if I don't attack", "3.4g1"),
        ("what if I can't draw four dice", "3.1b1"),
        ("what if the bag runs out", "3.1a4"),
        ("what happens to characters I don't field", "3.3c2"),
        ("what happens to unblocked attackers", "3.4d3b"),
        ("where do KO'd dice go", "5.8a2"),
        ("when is a character KO'd", "5.8a2"),
        ("when does damage go away", "3.5a"),
        ("who goes first", "3.0a"),
        ("who starts", "3.0a"),
        ("who assigns damage first", "3.4d1a"),
        ("who decides the order of effects", "5.7a1"),
        ("how many sidekicks do I have", "1.2a"),
        ("how many dice do I draw", "3.1a2"),
        ("how much life do I start with", "7.0c"),
        ("how many blockers can block one attacker", "3.4b1"),
        ("how long does control last", "5.13b2"),
        ("does wild count as a fist", "3.3a2"),
        ("does spinning remove damage", "5.12c"),
        ("does a blocked attacker damage the player", "3.4d1f"),
        ("is a sidekick a character", "1.2c"),
        ("is losing life damage", "3.1b2"),
    ],
)
def test_question_finds_its_answer_among_the_first_results(query: str, number: str) -> None:
    assert number in rules_found(query)[:FIRST]


@pytest.mark.parametrize(
   ("query", "number"),
    [
        ("overcrsh", "6.12"), ("sidekik", "1.2"), ("prioritiy", "3.3f"), ("blcoker", "3.4b"), ("atack step", "3.4"),
        ("affilation", "1.3a"), ("resistence", "6.14"), ("recieve damage overcrush", "6.12a"), ("overcr", "6.12"),
    ],
)  # fmt: skip
def test_misspelt_or_truncated_word_finds_its_rule(query: str, number: str) -> None:
    assert number in rules_found(query)[:FIRST]


def test_results_for_the_word_come_before_those_of_its_synonyms() -> None:
    assert rules_found("discount") == ["10.8", "#67", "3.3b3", "3.3c1"]
