import pytest

from dicemasters.cards import Catalogue, UnknownCardError, catalogue
from dicemasters.cards.catalogue import SETS, basic


def test_card_is_found_by_its_key() -> None:
    assert catalogue().find("avx9").name == "Hulk: Jade Giant"
    assert catalogue().find(" AVX9 ").name == "Hulk: Jade Giant"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Hulk: Jade Giant", "avx9"),
        ("hulk:jade giant", "avx9"),
        ('Spider-Man: "Tiger"', "avx16"),
        ("Spider-Man: Tiger", "avx16"),
        ("spider man: “tiger”", "avx16"),
        ("Storm: 'Ro", "avx21"),
        ("Storm: ’Ro", "avx21"),
        ("Beast: Mutate #666", "avx3"),
        ("Red Skull: Cut off One Head", "ai34"),
        ("Smash", "avx32"),
        ("Hulk - Jade Giant", "avx9"),
        ("hulk – jade giant", "avx9"),
        ("HULK JADE GIANT", "avx9"),
        ("Mystique: Raven Darkholme", "uxm79"),
        ("Hulk: Jade Giant [avx9]", "avx9"),
        ("Take Cover (ai)", "ai56"),
        ("Force Beam: Basic Action Card", "avx27"),
    ],
)
def test_card_is_found_by_any_spelling_of_its_name(name: str, key: str) -> None:
    assert catalogue().find(name).key == key


def test_unique_title_finds_its_card() -> None:
    assert catalogue().find("Gearing Up").key == "avx28"


def test_ambiguous_title_lists_the_matching_cards() -> None:
    with pytest.raises(UnknownCardError, match=r"'Take Cover' could be any of Take Cover \[avx\], Take Cover \[ai\]"):
        catalogue().find("Take Cover")


def test_set_distinguishes_cards_with_the_same_name() -> None:
    assert catalogue().find("Take Cover [avx]").key == "avx33"
    assert catalogue().find("take cover [ AI ]").key == "ai56"


def test_title_with_the_wrong_set_is_not_found() -> None:
    with pytest.raises(UnknownCardError, match=r"no card is called 'Hulk \[cw\]'"):
        catalogue().find("Hulk [cw]")


def test_misspelt_name_suggests_the_nearest_card() -> None:
    with pytest.raises(UnknownCardError, match=r"'Hulk: Jade Gaint'; did you mean 'Hulk: Jade Giant'\?$"):
        catalogue().find("Hulk: Jade Gaint")


def test_name_with_the_wrong_set_names_the_right_set() -> None:
    with pytest.raises(UnknownCardError, match=r"'Hulk: Jade Giant \[cw\]'; 'Hulk' is in avx$"):
        catalogue().find("Hulk: Jade Giant [cw]")


def test_subtitle_alone_suggests_its_card() -> None:
    with pytest.raises(UnknownCardError, match=r"'Jade Giant'; did you mean 'Hulk: Jade Giant'\?$"):
        catalogue().find("Jade Giant")


def test_misspelt_title_of_several_cards_suggests_that_title() -> None:
    with pytest.raises(UnknownCardError, match=r"'Wolverin'; did you mean 'Wolverine'\?$"):
        catalogue().find("Wolverin")


def test_later_word_of_a_title_suggests_the_title() -> None:
    with pytest.raises(UnknownCardError, match=r"'torch'; did you mean 'Human Torch'\?$"):
        catalogue().find("torch")


def test_long_name_is_cut_in_the_message() -> None:
    with pytest.raises(UnknownCardError, match=r"^no card is called 'x{80}\.\.\.'$"):
        catalogue().find("x" * 5000)


def test_name_unlike_any_card_gets_no_suggestion() -> None:
    with pytest.raises(UnknownCardError, match=r"^no card is called 'qqqqq'$"):
        catalogue().find("qqqqq")


def test_with_cards_extends_a_copy_of_the_catalogue() -> None:
    own = basic("home", 1, "Tea Time", cost=2)
    larger = catalogue().with_cards([own])
    assert larger.find("tea time") is own
    assert len(larger) == len(catalogue()) + 1
    with pytest.raises(UnknownCardError):
        catalogue().find("Tea Time")


def test_keys_are_unique_and_in_order_of_collector_number() -> None:
    cards = list(catalogue())
    assert len({c.key for c in cards}) == len(cards)
    for set_ in SETS:
        numbers = [c.number for c in cards if c.set == set_]
        assert numbers == sorted(numbers)


def test_no_two_cards_of_a_set_have_the_same_name() -> None:
    names = [(c.set, c.name) for c in catalogue()]
    assert len(set(names)) == len(names)


def test_card_facts_fit_their_kind() -> None:
    for c in catalogue():
        assert c.set in SETS, c.name
        if c.kind == "basic":
            assert (c.energy, c.affiliations, c.max, c.subtitle) == ("", (), 3, "Basic Action Card"), c.name
            assert c.die.key == "basic", c.name
        else:
            assert c.kind == ("character" if c.die.is_character else "action"), c.name
            assert set(c.energy) <= {face.energy[:1] for face in c.die.faces if face.energy}, c.name
        if c.kind == "character":
            assert c.die.name == c.title, c.name


def test_keywords_of_a_card_are_the_printed_ones() -> None:
    assert catalogue().find("cw14").keywords == {"Intimidate"}
    assert catalogue().find("cw31").keywords == {"Enlistment"}
    assert catalogue().find("avx9").keywords == frozenset()


def test_empty_catalogue_finds_nothing() -> None:
    with pytest.raises(UnknownCardError, match="no card is called"):
        Catalogue([]).find("Hulk")
