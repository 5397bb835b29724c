"""Random teams: legal in every format, reproducible by seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicemasters.cards import Catalogue, catalogue
from dicemasters.teams.formats import FORMATS, check_matchup, check_partners, check_team, draft_format, find_format
from dicemasters.teams.matchup import draw_basic_actions
from dicemasters.teams.random_teams import random_team

SEEDS = st.integers(0, 2**64)


@pytest.mark.soak
@given(st.sampled_from([*FORMATS, *(f"draft {n}" for n in range(8, 21))]), SEEDS)
def test_random_team_is_legal_in_its_format_and_reproducible(key: str, seed: int) -> None:
    format = find_format(key)
    team = random_team(format, seed)
    assert check_team(team, format) == check_team(team) == []
    assert random_team(format, seed) == team


@pytest.mark.parametrize(("key", "cards", "dice"), [("tournament", 8, 20), ("basic", 6, 15), ("short", 6, 15)])
def test_random_team_uses_all_cards_and_dice_of_its_format(key: str, cards: int, dice: int) -> None:
    for seed in range(20):
        team = random_team(FORMATS[key], seed)
        assert (len(team.cards), team.dice) == (cards, dice)


@pytest.mark.soak
@given(SEEDS)
def test_random_partners_share_no_title(seed: int) -> None:
    format = FORMATS["doubles"]
    mine, foe = random_team(format, seed), random_team(format, seed + 1)
    partner = random_team(format, seed + 2, partners=[mine])
    assert check_partners(mine, partner) == []
    assert check_matchup([mine, foe, partner, random_team(format, seed + 3, partners=[foe])], format) == []


def test_every_card_occurs_in_random_teams() -> None:
    found: set[str] = set()
    for seed in range(600):
        team = random_team(FORMATS["tournament"], seed)
        found.update(card.key for card in (*(card for card, _ in team.cards), *team.basics))
    assert len(found) == len(catalogue())


def test_small_collection_gives_a_small_team() -> None:
    few = Catalogue([catalogue().find(key) for key in ("avx9", "avx7", "avx23", "avx27", "avx32")])
    team = random_team(FORMATS["tournament"], 3, few)
    assert sorted(card.title for card, _ in team.cards) == ["Hulk", "Thor"]
    assert check_team(team) == []


@pytest.mark.soak
@given(SEEDS)
def test_three_or_four_basic_actions_are_drawn_for_a_draft(seed: int) -> None:
    basics = draw_basic_actions(draft_format(12), seed)
    assert len({card.title for card in basics}) == len(basics)
    assert len(basics) in (3, 4)
    assert all(card.kind == "basic" for card in basics)
