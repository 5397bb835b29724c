"""Formats: legal teams, and the problems reported for others."""

from __future__ import annotations

import re

import pytest

from dicemasters.cards import Card, catalogue
from dicemasters.teams.formats import (
    DEFAULT_FORMAT,
    FORMATS,
    Format,
    check_matchup,
    check_partners,
    check_team,
    draft_format,
    find_format,
    key_without_edition,
)
from dicemasters.teams.matchup import resolve_edition, start_team_game
from dicemasters.teams.starter_teams import STARTER_GAMES, starter_format, starter_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import decode_team, encode_team
from dicemasters.teams.team_file import read_team, write_team

EIGHT = ("avx9", "avx23", "avx1", "avx19", "avx13", "avx16", "avx10", "avx4")


def card_by_key(key: str) -> Card:
    return catalogue().find(key)


def team(*keys: str, dice: int = 2, basics: tuple[str, ...] = ("avx27", "avx32"), format: str = "tournament") -> Team:
    return Team(
        tuple((card_by_key(key), dice) for key in keys), tuple(card_by_key(key) for key in basics), format=format
    )


def problem_texts(team: Team, format: Format | None = None) -> list[str]:
    return [str(problem) for problem in check_team(team, format)]


@pytest.mark.parametrize(
    ("key", "life", "cards", "dice", "basics"),
    [
        ("basic", 15, 6, 15, 2),
        ("tournament", 20, 8, 20, 2),
        ("short", 15, 8, 15, 2),
        ("draft", 12, 12, 12, 0),
        ("rainbow", 20, 8, 20, 2),
        ("doubles", 30, 4, 20, 1),
        ("first-avx", 10, 2, 4, 0),
        ("first-ai", 10, 2, 4, 0),
    ],
)
def test_formats_have_the_limits_of_the_rulebooks(key: str, life: int, cards: int, dice: int, basics: int) -> None:
    format = FORMATS[key]
    assert (format.life, format.cards, format.dice, format.basics) == (life, cards, dice, basics)


def test_full_tournament_team_is_legal() -> None:
    assert problem_texts(team(*EIGHT)) == []
    assert problem_texts(team("avx9", dice=1)) == []


def test_oversized_team_reports_the_limits_of_its_format() -> None:
    assert problem_texts(team(*EIGHT, "avx36", dice=3)) == [
        "9 cards; a Tournament team has at most 8 (rules 7)",
        "27 dice; a Tournament team has at most 20 (rules 7)",
    ]
    assert problem_texts(team(*EIGHT), FORMATS["short"]) == [
        "16 dice; a Tournament team, short has at most 15 (rules 7)"
    ]
    assert problem_texts(team(*EIGHT[:7]), FORMATS["basic"]) == ["7 cards; a Basic team has at most 6 (rules 7)"]


def test_title_can_be_on_a_team_only_once_across_sets() -> None:
    assert problem_texts(team("avx9", "ai25")) == [
        "Hulk is on the team twice, as Jade Giant and as Primal Fury (rules 1.3)"
    ]
    assert problem_texts(team("avx9", "avx9")) == ["Hulk is on the team twice (rules 1.3)"]


def test_card_needs_at_least_one_die_and_at_most_its_limit() -> None:
    assert problem_texts(team("avx9", dice=0)) == [
        "Hulk: Jade Giant has no dice; a card needs at least one (rules 7.1)"
    ]
    assert problem_texts(team("avx9", dice=5)) == ["Hulk: Jade Giant has 5 dice; it may have 4 (rules 7.1)"]


def test_team_without_cards_is_illegal() -> None:
    assert problem_texts(team()) == ["the team has no cards (rules 7.1)"]


def test_team_needs_two_different_basic_actions() -> None:
    assert problem_texts(team("avx9", basics=("avx27",))) == ["1 basic action; a Tournament team brings 2 (rules 7)"]
    assert problem_texts(team("avx9", basics=("avx27", "avx27"))) == [
        "the basic action Force Beam is there twice (rules 7.1)"
    ]
    assert problem_texts(team("avx9", basics=("avx33", "ai56"))) == [
        "the basic action Take Cover is there twice (rules 7.1)"
    ]
    assert problem_texts(team("avx9", basics=("avx27", "avx32", "avx33"))) == [
        "3 basic actions; a Tournament team brings 2 (rules 7)"
    ]


def test_cards_and_basic_actions_cannot_replace_each_other() -> None:
    assert problem_texts(team("avx9", "avx28")) == [
        "Gearing Up is a basic action and cannot be one of the cards (rules 1.3)"
    ]
    assert problem_texts(team("avx9", basics=("avx27", "avx23"))) == [
        "Thor: Lord of Asgard is no basic action (rules 1.3)"
    ]


def test_draft_team_has_as_many_dice_as_life_and_shared_basic_actions() -> None:
    assert problem_texts(team(*EIGHT, basics=(), format="draft 16")) == []
    assert problem_texts(team(*EIGHT, basics=(), format="draft 15")) == [
        "16 dice; a Draft team with 15 dice has at most 15 (rules 7)"
    ]
    assert problem_texts(team("avx9", basics=("avx27",), format="draft")) == [
        "1 basic action; a Draft team shares 3 or 4 with the other (rules 7)"
    ]
    assert problem_texts(team("avx9", basics=("avx27", "avx29", "avx34"), format="draft")) == []


def test_opposing_draft_teams_name_the_same_basic_actions_or_none() -> None:
    mine = team("avx9", basics=("avx27", "avx29", "avx34"), format="draft")
    same = team("avx3", basics=("avx34", "avx27", "avx29"), format="draft")
    other = team("avx3", basics=("avx27", "avx29", "avx33"), format="draft")
    bare = team("avx3", basics=(), format="draft")
    assert check_matchup([mine, same], FORMATS["draft"]) == check_matchup([mine, bare], FORMATS["draft"]) == []
    assert [str(problem) for problem in check_matchup([mine, other], FORMATS["draft"])] == [
        "the teams name different basic actions; in Draft team they share them (rules 7)"
    ]


@pytest.mark.parametrize("size", [7, 21])
def test_draft_needs_8_to_20_life(size: int) -> None:
    with pytest.raises(ValueError, match=f"8 to 20 life and dice, not {size}"):
        draft_format(size)


def test_unknown_format_is_the_only_reported_problem() -> None:
    assert problem_texts(team("avx9", dice=9, format="qqqq")) == [
        f"there is no format 'qqqq'; there are {', '.join(FORMATS)} (rules 7)"
    ]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("tournament", "tournament"),
        ("TOURNAMENT TEAM", "tournament"),
        ("Tournament team, short", "short"),
        ("basic", "basic"),
        ("Rainbow Draft", "rainbow"),
        ("rainbow-draft", "rainbow"),
        ("first avx", "first-avx"),
        ("draft", "draft"),
        ("Draft team 9", "draft 9"),
        ("draft 20", "draft 20"),
        ("Doubles", "doubles"),
    ],
)
def test_format_is_found_by_any_spelling_of_its_name(name: str, key: str) -> None:
    assert find_format(name).key == key


@pytest.mark.parametrize("key", STARTER_GAMES)
def test_cast_is_a_format_with_both_teams_fixed(key: str) -> None:
    format = FORMATS[starter_format(key)]
    mine, yours = starter_teams(key)
    assert check_team(mine) == check_team(yours) == check_matchup([mine, yours], format) == []
    assert problem_texts(team("avx36"), format)[0].startswith(
        f"the teams of '{STARTER_GAMES[key].name}' are fixed: 2x "
    )
    assert "both players have the same team" in str(check_matchup([mine, mine], format)[0])


def test_opponents_can_bring_the_same_cards() -> None:
    assert check_matchup([team(*EIGHT), team(*EIGHT)], FORMATS["tournament"]) == []


def test_matchup_checks_and_names_every_team() -> None:
    named = Team(((card_by_key("avx9"), 5),), (card_by_key("avx27"), card_by_key("avx32")), "Too angry")
    assert [str(p) for p in check_matchup([team(), named], FORMATS["tournament"])] == [
        "team A: the team has no cards (rules 7.1)",
        "Too angry: Hulk: Jade Giant has 5 dice; it may have 4 (rules 7.1)",
    ]


def test_matchup_needs_one_team_per_player() -> None:
    (problem,) = check_matchup([team("avx9")] * 3, FORMATS["tournament"])
    assert str(problem) == "Tournament team is played with 2 teams, not 3 (rules 7)"


def test_partners_cannot_share_titles_but_opponents_can() -> None:
    hulk = team("avx9", basics=("avx27",))
    thor = team("avx23", basics=("avx32",))
    other_hulk = team("ai25", "avx1", basics=("avx27",))
    assert [str(p) for p in check_partners(hulk, other_hulk)] == [
        "both partners bring Hulk (rules 7)",
        "both partners bring Force Beam (rules 7)",
    ]
    assert check_matchup([hulk, hulk, thor, thor], FORMATS["doubles"]) == []
    assert len(check_matchup([hulk, thor, other_hulk, hulk], FORMATS["doubles"])) == 2


def test_doubles_team_can_use_all_dice_of_its_four_cards() -> None:
    full = Team(
        tuple((card_by_key(key), card_by_key(key).max) for key in EIGHT[:4]), (card_by_key("avx27"),), format="doubles"
    )
    assert problem_texts(full) == []
    assert len(problem_texts(team(*EIGHT[:5], basics=("avx27",), format="doubles"))) == 1


# --- formats with rules --------------------------------------------------------------------------------------------

HOUSE = "avx, unblocked stay until cleanup"


def test_format_can_name_its_edition_and_house_rules() -> None:
    for written in (f"Basic team, {HOUSE}", f"basic,{HOUSE}", "BASIC, AVX, Unblocked stay until cleanup"):
        found = find_format(written)
        assert (found.key, found.edition, found.life) == (f"basic, {HOUSE}", HOUSE, 15)
        assert find_format(found.key) == found
        assert key_without_edition(found) == "basic"
    assert find_format("Tournament team, short, cw").key == "short, cw"
    assert find_format("draft 15, ai, ties").dice == 15
    assert FORMATS["basic"].edition == ""


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "basic, avx, unblocked",
            "there is no house rule 'unblocked'; did you mean 'unblocked leave with the damage' or",
        ),
        ("basik, avx", "there is no format 'basik'; did you mean 'basic'?"),
        ("basic, axv", "there is no edition 'axv'; there are avx, uxm, cw, ai"),
    ],
)
def test_invalid_rules_of_a_format_are_refused_with_a_suggestion(written: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        find_format(written)


def test_team_with_rules_in_its_format_is_checked_and_round_trips() -> None:
    mine = team(*EIGHT, dice=1, format=f"tournament, {HOUSE}")
    assert problem_texts(mine) == []
    reading = read_team(write_team(mine))
    assert reading.team == mine
    assert reading.problems == ()
    assert decode_team(encode_team(mine)).format == "tournament"
    wrong = read_team("format: tournament, avx, unblocked stays until cleanup\n2x Hulk: Jade Giant")
    (problem,) = wrong.problems
    assert problem.line == 1
    assert problem.text.startswith(
        "there is no house rule 'unblocked stays until cleanup'; did you mean 'unblocked stay "
    )


def test_given_rules_precede_those_of_the_format_and_those_of_the_teams() -> None:
    plain = team(*EIGHT, dice=1)
    mine = team(*EIGHT, dice=1, format=f"tournament, {HOUSE}")
    yours = team(*EIGHT, dice=1, format="tournament, cw")
    assert resolve_edition(DEFAULT_FORMAT, [plain, plain]) == "ai"
    assert resolve_edition(DEFAULT_FORMAT, [plain, plain], is_solitaire=True) == "avx"
    assert resolve_edition(DEFAULT_FORMAT, [mine, plain]) == resolve_edition(DEFAULT_FORMAT, [mine, mine]) == HOUSE
    assert resolve_edition(find_format("tournament, uxm"), [mine, yours]) == "uxm"
    assert resolve_edition(find_format("tournament, uxm"), [mine, yours], "ai, no ties") == "ai, no ties"
    with pytest.raises(
        ValueError, match="the teams name different rules, 'avx, unblocked stay until cleanup' and 'cw'"
    ):
        resolve_edition(DEFAULT_FORMAT, [mine, yours])
    assert start_team_game([mine, plain]).table.edition.text == HOUSE
