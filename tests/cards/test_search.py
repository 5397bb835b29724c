"""Finding cards by their words."""

import json

import pytest

from dicemasters.cards import catalogue
from dicemasters.cards.search import SearchError, card_data, search


def keys(query: str) -> set[str]:
    return {card.key for card in search(catalogue(), query)}


def test_all_words_must_fit() -> None:
    found = search(catalogue(), "energy:bolt cost<=3")
    assert found
    assert all("B" in card.energy and card.cost <= 3 for card in found)
    assert "avx12" in {card.key for card in found}


def test_values_with_spaces_stand_in_quotes() -> None:
    assert keys('name:"jade giant"') == {"avx9"}


def test_a_plain_word_is_looked_for_in_name_and_text() -> None:
    assert "avx9" in keys("jade")
    assert "avx27" in keys("damage set:avx kind:basic")


def test_sets_keywords_rarities_and_affiliations() -> None:
    assert "cw14" in keys("keyword:intimidate set:cw")
    assert keys("set:ai rarity:super-rare") == set()
    assert "avx9" in keys("affiliation:avengers set:avx")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("keyword:flying", "there is no keyword 'flying'; there are Ally"),
        ("colour:red", "a card has no 'colour'; look for name"),
        ("cost:three", "cost is compared with a number, not 'three'"),
        ("set:xyz", "there is no set 'xyz'; there are avx"),
        ("name<3", "'name' cannot be compared with <"),
    ],
)
def test_a_wrong_search_says_what_is_possible(query: str, message: str) -> None:
    with pytest.raises(SearchError) as error:
        search(catalogue(), query)
    assert str(error.value).startswith(message)


def test_every_card_goes_into_json_with_the_same_fields() -> None:
    data = [card_data(card) for card in catalogue()]
    assert len({tuple(entry) for entry in data}) == 1
    assert json.loads(json.dumps(data)) == data
    hulk = next(entry for entry in data if entry["key"] == "avx9")
    assert hulk["energy"] == ["fist"]
    die = hulk["die"]
    assert isinstance(die, dict)
    assert die["faces"][3] == {"level": 1, "field": 1, "a": 6, "d": 5, "burst": 1}
