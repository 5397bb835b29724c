import re

import pytest

from dicemasters.cards.dice import BASIC_COLORS, DICE, Die, Face, parse_die


def home_made(
    key: str = "zed",
    name: str = "Zed",
    energy: str = "F FF FF",
    others: str = "0/1/1 1/2/2 2/3/3",
    color: str = "#102030",
    ink: str = "#ffffff",
) -> Die:
    return parse_die(key, name, energy, others, color, ink)


def test_dice_are_complete_and_keyed_by_their_own_key() -> None:
    assert len(DICE) == 134 + 2  # the dice of the four sets, Basic Action and Sidekick
    assert all(key == die.key for key, die in DICE.items())


def test_die_has_six_faces_with_energy_first() -> None:
    for die in DICE.values():
        assert len(die.faces) == 6, die.key
        assert die.is_character != die.is_action, die.key
        count = 5 if die.key == "sidekick" else 3
        assert all(face.energy or face.generic for face in die.faces[:count]), die.key
        rest = die.faces[count:]
        assert not any(face.energy or face.generic for face in rest), die.key
        assert [face.level for face in rest] == ([0, 0, 0] if die.is_action else list(range(1, die.levels + 1))), (
            die.key
        )
        assert all(face.action == die.is_action for face in rest), die.key


def test_faces_of_the_sidekick() -> None:
    die = DICE["sidekick"]
    assert [face.energy for face in die.faces[:5]] == ["F", "B", "M", "S", "?"]
    assert die.faces[5] == Face(level=1, field=0, a=1, d=1)
    assert die.levels == 1


def test_faces_and_colours_of_the_basic_action() -> None:
    die = DICE["basic"]
    assert die.faces[:3] == (Face(generic=2),) * 3
    assert die.faces[3:] == tuple(Face(action=True, burst=burst) for burst in (0, 1, 2))
    assert die.levels == 0
    assert (die.color, die.ink) == BASIC_COLORS[0]
    assert len(set(BASIC_COLORS)) == 4


def test_faces_of_beast() -> None:
    assert DICE["beast"] == Die(
        key="beast",
        name="Beast",
        faces=(
            Face(energy="M"),
            Face(energy="MM"),
            Face(energy="MM"),
            Face(level=1, field=0, a=1, d=2, burst=1),
            Face(level=2, field=0, a=2, d=3),
            Face(level=3, field=1, a=2, d=4),
        ),
        color="#08aceb",
        ink="#1b3970",
    )


def test_cerebro_shows_two_masks_on_each_energy_face() -> None:
    assert [face.energy for face in DICE["cerebro"].faces[:3]] == ["MM", "MM", "MM"]


@pytest.mark.parametrize("key", ["mystiqueavx", "mystiqueux"])
def test_mystique_is_cheaper_to_field_at_level_2_than_at_level_1(key: str) -> None:
    assert [face.field for face in DICE[key].faces[3:]] == [1, 0, 2]


def test_die_can_show_one_generic_two_wild_and_large_numbers() -> None:
    die = home_made(energy="BB 1 ??", others="0/10/12** 1/2/2 3/0/3")
    assert die.faces[:3] == (Face(energy="BB"), Face(generic=1), Face(energy="??"))
    assert die.faces[3] == Face(level=1, field=0, a=10, d=12, burst=2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"key": "Zed X"}, "The die key 'Zed X' must contain only lower-case letters a to z, digits and _."),
        ({"name": " "}, "The die 'zed' has no name."),
        ({"color": "red"}, "The die 'zed' has the colour 'red'; a colour is written like #1b3970."),
        ({"ink": "#12345"}, "The die 'zed' has the colour '#12345'; a colour is written like #1b3970."),
        (
            {"energy": "F FX FF"},
            "The die 'zed' has the energy face 'FX'; valid are F B M S ?, one of them twice, 1 and 2.",
        ),
        (
            {"energy": "F FF 3"},
            "The die 'zed' has the energy face '3'; valid are F B M S ?, one of them twice, 1 and 2.",
        ),
        (
            {"others": "0/1/1 1/2 2/3/3"},
            "The die 'zed' has the level 2 face '1/2'; valid is field/A/D such as 1/3/4 or 0/1/2*.",
        ),
        (
            {"others": "0/1/1 1/2/2*** 2/3/3"},
            "The die 'zed' has the level 2 face '1/2/2***'; valid is field/A/D such as 1/3/4 or 0/1/2*.",
        ),
        (
            {"others": "0/1/1 1/2/2 !"},
            "The die 'zed' has the level 3 face '!'; valid is field/A/D such as 1/3/4 or 0/1/2*.",
        ),
        ({"others": "! 1/2/2 !*"}, "The die 'zed' has the action face '1/2/2'; valid are !, !* and !**."),
        (
            {"others": "0/1/1 1/2/2"},
            "The die 'zed' has 5 faces, 'F FF FF' and '0/1/1 1/2/2'; a die has 6.",
        ),
        (
            {"energy": "F F", "others": "! ! ! !"},
            "The die 'zed' has 4 character or action faces, '! ! ! !', instead of 1 to 3.",
        ),
        (
            {"energy": "F F F F F F", "others": ""},
            "The die 'zed' has 0 character or action faces, '', instead of 1 to 3.",
        ),
    ],
)
def test_invalid_die_is_refused_with_one_sentence(change: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        home_made(**change)
