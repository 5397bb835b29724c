"""The query language for searching cards."""

import json
import re
from functools import partial

import pytest
from tests.support.steps import count_steps

from dicemasters.cards import catalogue
from dicemasters.cards.query import SearchError, card_as_json, parse_query, search, table_cells
from dicemasters.cards.safe_regex import PatternError, matcher
from dicemasters.cli.main import main


def keys(query: str) -> set[str]:
    return {card.key for card in search(catalogue(), query)}


def test_card_must_match_all_words() -> None:
    found = search(catalogue(), "energy:bolt cost<=3")
    assert found
    assert all("B" in card.energy and card.cost <= 3 for card in found)
    assert "avx12" in {card.key for card in found}


def test_values_with_spaces_are_quoted() -> None:
    assert keys('name:"jade giant"') == {"avx9"}


def test_plain_word_is_searched_in_name_and_text() -> None:
    assert "avx9" in keys("jade")
    assert "avx27" in keys("damage set:avx kind:basic")


def test_search_by_set_keyword_rarity_and_affiliation() -> None:
    assert "cw14" in keys("keyword:intimidate set:cw")
    assert keys("set:ai rarity:super-rare") == set()
    assert "avx9" in keys("affiliation:avengers set:avx")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("keyword:flying", "there is no keyword 'flying'; there are Ally"),
        ("colour:red", "a card has no 'colour'; its fields are name"),
        ("cost:three", "cost is compared with a number from 0 to 9999, not 'three'"),
        ("set:xyz", "there is no set 'xyz'; there are avx"),
        ("name<3", "'name' cannot be compared with <"),
    ],
)
def test_invalid_value_lists_the_valid_ones(query: str, message: str) -> None:
    with pytest.raises(SearchError) as error:
        search(catalogue(), query)
    assert str(error.value).startswith(message)


def test_all_cards_have_the_same_json_fields() -> None:
    data = [card_as_json(card) for card in catalogue()]
    assert len({tuple(entry) for entry in data}) == 1
    assert json.loads(json.dumps(data)) == data
    hulk = next(entry for entry in data if entry["key"] == "avx9")
    assert hulk["energy"] == ["fist"]
    die = hulk["die"]
    assert isinstance(die, dict)
    assert die["faces"][3] == {"level": 1, "field": 1, "a": 6, "d": 5, "burst": 1}


ALL = {card.key: card for card in catalogue()}


def test_search_combines_not_or_and_brackets() -> None:
    bolt, fist = keys("energy:bolt"), keys("energy:fist")
    assert keys("energy:bolt or energy:fist") == bolt | fist
    assert keys("-energy:bolt") == set(ALL) - bolt == keys("NOT energy:bolt") == keys("energy!=bolt")
    assert keys("(energy:bolt or energy:fist) cost!=2") == {key for key in bolt | fist if ALL[key].cost != 2}
    assert keys("-(energy:bolt or energy:fist)") == set(ALL) - bolt - fist
    assert keys("energy:bolt energy:fist or set:ai") == (bolt & fist) | keys("set:ai")


def test_die_numbers_match_any_face() -> None:
    assert "avx9" in keys("a>=6 d<=5 fielding=1 level=1 bursts=1 title:hulk")
    assert keys("a>=8") == {k for k, c in ALL.items() if any(face.a >= 8 for face in c.die.faces if face.level)}
    assert keys("kind:basic a>=0") == set()


def test_search_by_property_phrase_and_pattern() -> None:
    assert keys("is:global") == {key for key, card in ALL.items() if any(a.kind == "global" for a in card.abilities)}
    assert keys("is:basic") == keys("kind:basic")
    assert keys('"jade giant"') == {"avx9"}
    assert keys("/jade g.ant$/") == {"avx9"}
    assert keys("text:/^global/") <= keys("is:global")


def test_search_sorts_cards_and_selects_columns() -> None:
    query = parse_query("set:avx sort:-cost,name columns:name,cost")
    found = query.of(catalogue())
    assert [card.cost for card in found] == sorted((card.cost for card in found), reverse=True)
    most_expensive = [card.name.casefold() for card in found if card.cost == found[0].cost]
    assert most_expensive == sorted(most_expensive)
    assert query.columns == ("name", "cost")
    assert list(table_cells(ALL["avx9"], query.columns)) == ["Hulk: Jade Giant", "6 F"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("energy:zzz", "there is no energy 'zzz'; there are fist, bolt, mask, shield"),
        ("rarity:golden", "there is no rarity 'golden'; there are starter"),
        ("is:red", "a card cannot be 'red'; it can be global"),
        ("sort:colour", "'sort:' does not accept 'colour'; it accepts name"),
        ("columns:art", "'columns:' does not accept 'art'; it accepts key"),
        ("(hulk", "there is a '(' without a ')'"),
        ("(", "there is a '(' without a ')'"),
        (")", "there is a ')' without a '('"),
        ("not", "something is missing after 'not'"),
        ("!=", "a field is missing before '!=', as in cost!=3"),
        ("=3", "a field is missing before '=3', as in cost=3"),
        ("a>=99999", "a is compared with a number from 0 to 9999, not '99999'"),
        ("hulk)", "there is a ')' without a '('"),
        ("hulk or", "a word is missing beside 'or'"),
        ("()", "there is nothing between '(' and ')'"),
        ("-", "something is missing after '-'"),
        ("cost:", "something is missing after 'cost:'"),
        ('"hulk', "a quotation mark is not closed"),
        ("/[a/", "the pattern /[a/ has a '['"),
        ("/(a/", "the pattern /(a/ has a '('"),
        ("/*/", "the pattern /*/ has nothing before '*'"),
        ("-sort:cost", "sort: and columns: cannot be negated"),
        ("x" * 500, "a search has at most 400 characters"),
        ("a " * 60, "a search has at most 40 words"),
        ("(" * 30, "brackets can be nested at most 10 deep"),
    ],
)
def test_invalid_query_is_refused_with_a_reason(query: str, message: str) -> None:
    with pytest.raises(SearchError) as error:
        search(catalogue(), query)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "pattern",
    [
        "a.c",
        "ab*",
        "(a|b)+c",
        "^a?b$",
        "[a-b]c",
        "[^a]",
        "a|bc|",
        r"\bb",
        r"\w+ \d",
        "(a*)*",
        r"\W",
        r"b\S",
        r"[\d ]",
        r"[]a]",
        "[a-]",
        "[^-b]$",
        r"\.",
    ],
)
@pytest.mark.parametrize("text", ["", "a", "abc", "cab", "bb c", "a 1", "x\nab", "aac"])
def test_pattern_matches_as_in_python(pattern: str, text: str) -> None:
    assert matcher(pattern)(text) == bool(re.search(pattern, text, re.MULTILINE))


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a{2}", "has a '{', which is not supported"),
        (r"\B", "has a '\\B', which is not supported"),
        ("[b-a]", "has an invalid range in [ ]"),
        ("[a", "has a '[' without a ']'"),
        ("[]", "has a '[' without a ']'"),
        ("a\\", "ends with a backslash"),
    ],
)
def test_unsupported_pattern_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(PatternError, match=re.escape(message)):
        matcher(pattern)


def test_patterns_ignore_case() -> None:
    assert matcher("HULK[A-C]?")("the hulk")
    assert matcher("straße")("STRASSE")


def test_matching_time_is_linear_in_the_text_length() -> None:
    matches = matcher("(a*)*(a*)*(a|aa)+$b")
    assert not matches("a" * 2000)
    short, long = (count_steps(partial(matches, "a" * n)) for n in (1000, 2000))
    assert long <= 3 * short


def test_cards_written_to_a_pipe_are_tab_separated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "set:avx", "-is:global", "title:hulk", "columns:key,name"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "key\tname"
    assert "avx9\tHulk: Jade Giant" in lines


def test_cards_rules_and_results_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "title:hulk", "--json"]) == 0
    assert {entry["title"] for entry in json.loads(capsys.readouterr().out)} >= {"Hulk"}
    assert main(["show", "avx9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["subtitle"] == "Jade Giant"
    assert main(["rules", "3.4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["number"] == "3.4"
    assert main(["play", "--a", "simple", "--b", "random", "--seed", "3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["winner"] in ("A", "B", "")
    assert result["players"] == ["simple", "random"]
