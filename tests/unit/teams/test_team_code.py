"""Team codes: short, exact and protected against typing mistakes."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicemasters.cards import catalogue
from dicemasters.cards.catalogue import basic
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import _checksum, decode_team, encode_team, is_team_code
from dicemasters.teams.team_problems import TeamError

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
CARDS = [c for c in catalogue() if c.kind != "basic"]
BASICS = [c for c in catalogue() if c.kind == "basic"]
TEAM = Team(
    tuple((catalogue().find(key), 2) for key in ("avx9", "avx23", "uxm1", "cw142", "ai48")),
    (catalogue().find("avx27"), catalogue().find("cw24")),
    format="short",
)


@pytest.mark.soak
@given(
    st.lists(st.tuples(st.sampled_from(CARDS), st.integers(0, 15)), max_size=20).map(tuple),
    st.lists(st.sampled_from(BASICS), max_size=4).map(tuple),
    st.sampled_from([*FORMATS, "draft 8", "draft 20"]),
)
def test_team_code_round_trips(cards: object, basics: object, format: str) -> None:
    team = Team(cards, basics, format=format)  # type: ignore[arg-type]
    code = encode_team(team)
    assert is_team_code(code)
    assert decode_team(code) == team
    assert encode_team(decode_team(code)) == code


def test_code_of_a_full_tournament_team_has_35_letters() -> None:
    full = Team(tuple((card, 2) for card in CARDS[:8]), tuple(BASICS[:2]))
    assert len(encode_team(full)) == 35


def test_code_ignores_case_dashes_spaces_and_misread_letters() -> None:
    code = encode_team(TEAM)
    assert decode_team(f" {code[:3].upper()}-{code[3:9]} {code[9:].upper()}\n") == TEAM
    assert "0" in code[3:]
    assert "1" in code[3:]
    assert decode_team(code[:3] + code[3:].replace("0", "O").replace("1", "l")) == TEAM


def test_every_wrong_letter_is_detected() -> None:
    code = encode_team(TEAM)
    for at in range(3, len(code)):
        for letter in LETTERS:
            if letter != code[at]:
                with pytest.raises(TeamError, match="contains a mistake"):
                    decode_team(code[:at] + letter + code[at + 1 :])


def test_every_swap_of_neighbouring_letters_is_detected() -> None:
    code = encode_team(TEAM)
    for at in range(3, len(code) - 1):
        if code[at] != code[at + 1]:
            with pytest.raises(TeamError, match="contains a mistake"):
                decode_team(code[:at] + code[at + 1] + code[at] + code[at + 2 :])


@pytest.mark.soak
@given(st.text(max_size=40))
def test_any_text_is_decoded_or_refused(text: str) -> None:
    for code in (text, f"dm1{text}"):
        with contextlib.suppress(TeamError):
            assert encode_team(decode_team(code)).startswith("dm1")


@pytest.mark.soak
@given(st.text(LETTERS, min_size=3, max_size=60))
def test_code_with_a_valid_checksum_round_trips_or_is_refused(word: str) -> None:
    code = f"dm1{word}{_checksum(word)}"
    with contextlib.suppress(TeamError):
        assert encode_team(decode_team(code)) == code


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("", "begins with dm1"),
        ("dm2abcdef", "begins with dm1"),
        ("dm1", "too short"),
        ("dm1abcuuu", "'u' cannot occur in one"),
        ("dm1000000", "contains a mistake"),
    ],
)
def test_invalid_code_is_refused_with_a_reason(code: str, why: str) -> None:
    with pytest.raises(TeamError, match=why):
        decode_team(code)


def test_code_cannot_contain_home_made_cards() -> None:
    tea = basic("own", 1, "Tea Time", cost=2)
    with pytest.raises(TeamError, match="cannot hold the home-made card Tea Time; give the team file"):
        encode_team(Team(TEAM.cards, (tea,)))


def test_code_cannot_contain_an_oversized_team() -> None:
    with pytest.raises(TeamError, match="cannot hold 40 cards; a code cannot hold 99 dice of"):
        encode_team(Team(((CARDS[0], 99), *((card, 1) for card in CARDS[1:40]))))
