"""Card files of home-made cards, and the errors for invalid ones."""

import warnings
from pathlib import Path

import pytest

from dicemasters import Game
from dicemasters.cards import catalogue
from dicemasters.cards.text import card_text
from dicemasters.cards.toml_loader import CardFileError, load_cards, read_cards

NURSE = """
[[card]]
title = "Night Nurse"
subtitle = "Claire"
cost = 3
energy = "shield"
affiliations = ["Avengers"]
die = { energy = "S SS SS", faces = "0/1/3 1/2/4 1/3/5*" }
abilities = [
  "when(fielded(), Life(2), bursts=(burst_also(Draw(1, PREP)),))",
  "while_active(always(gets(own & sidekick, 0, 1)))",
]
"""


def with_ability(line: str) -> str:
    return NURSE.replace('"when(fielded(), Life(2), bursts=(burst_also(Draw(1, PREP)),))"', line)


def test_home_made_card_is_read_with_its_facts_text_and_die() -> None:
    (nurse,) = read_cards(NURSE)
    assert (nurse.name, nurse.kind, nurse.cost, nurse.energy, nurse.max) == (
        "Night Nurse: Claire",
        "character",
        3,
        "S",
        4,
    )
    assert "gain 2 life" in card_text(nurse)
    assert nurse.die.faces[5].burst == 1


def test_home_made_card_can_be_played() -> None:
    cards = catalogue().with_cards(read_cards(NURSE))
    game = Game.from_text(
        """
        edition: ai
        team A: Night Nurse: Claire
        A life: 5
        A reserve: Night Nurse@1
        A field: Sidekick
        turn: 3, A, main
        """,
        cards,
    )
    game.play("field Night Nurse")
    assert game.state.life[0] == 7
    assert "Sidekick" in game.to_text()


def test_card_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(NURSE, encoding="utf-8")
    assert load_cards(path)[0].title == "Night Nurse"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"when(feilded(), Life(2))"', "line 10: the card language has no word 'feilded'; did you mean 'fielded'?"),
        ('"Life(2)"', "line 10: 'Life(2)' is not an ability; begin with when"),
        ('"when(fielded("', "line 10: 'when(fielded(' is not an ability: '(' was never closed"),
        ('"when(fielded(), Life(2), often=3)"', "line 10: 'when' has no 'often'"),
        ("\"__import__('os')\"", "line 10: the card language has no word '__import__'"),
        ('"fielded.__class__"', "line 10: 'fielded.__class__' has no meaning in the card language"),
        ('"always(gets(own & 3, 1))"', "line 10: & joins descriptions of dice"),
        ('"own(3)"', "line 10: 'own' takes no brackets"),
    ],
)
def test_error_in_an_ability_names_its_line_and_word(line: str, message: str) -> None:
    with pytest.raises(CardFileError) as error:
        read_cards(with_ability(line))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cost = 3", "cots = 3", "line 5: a card has no 'cots'; did you mean 'cost'?"),
        ("cost = 3", 'cost = "three"', "line 5: a card needs a cost from 0 to 99"),
        ('"shield"', '"fire"', "line 6: energy 'fire' is not one of fist, bolt, mask, shield"),
        ('"S SS SS"', '"S SX SS"', "line 8:"),
        (
            'die = { energy = "S SS SS", faces = "0/1/3 1/2/4 1/3/5*" }',
            'die = "hulc"',
            "line 8: there is no die 'hulc'",
        ),
        ("[[card]]", "[[karte]]", "a card file holds [[card]] entries and nothing else"),
        ("[[card]]", "[[card", "it is not TOML"),
    ],
)
def test_error_in_card_facts_is_one_line(old: str, new: str, message: str) -> None:
    with pytest.raises(CardFileError) as error:
        read_cards(NURSE.replace(old, new))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_card_file_in_the_docs_is_valid() -> None:
    text = (Path(__file__).parents[3] / "docs" / "card-language.md").read_text(encoding="utf-8")
    block = text.split("```toml\n")[1].split("```")[0]
    (nurse,) = read_cards(block)
    assert nurse.name == "Night Nurse: Open Late"
    assert len(nurse.abilities) == 2


def test_invalid_ability_raises_no_python_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(CardFileError):
            read_cards(with_ability('"1if Damage(1) else 2"'))
    assert not caught
