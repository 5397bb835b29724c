"""Team codes: a team in one word, for links and chats.

A code is `dm1` followed by letters and digits that stand for five bits each. The bits are: format (4), for a sized
draft its size less 8 (4), number of cards (5), number of basic actions (3); for each card its set (2), number (8) and
dice (4); for each basic action its set and number. Zeros pad the last letter. The last three letters are a checksum of
the others, weighted by position: it detects every single wrong letter, and all but one in thousands of other errors.
"""

from __future__ import annotations

import re

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.teams.formats import DRAFT_SIZES, draft_format, find_format, key_without_edition
from dicemasters.teams.team import Team
from dicemasters.teams.team_problems import TeamError, TeamProblem

VERSION = "dm1"
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o and u, which are easily misread
_MISREAD = str.maketrans("ilo", "110")
# Both orders are part of the format: a change needs a new version.
_SETS = ("avx", "uxm", "cw", "ai")
_FORMATS = (
    "tournament", "short", "basic", "rainbow", "doubles", "draft", "sized draft",
    "first-avx", "first-uxm", "first-cw", "first-ai", "avx-fight", "uxm-fight",
)  # fmt: skip
MAX_LETTERS = 200  # per code; the longest has 110
_MOD, _WEIGHT = 32_749, 37  # the largest prime below 32 ** 3, and the base of the positional weights


def encode_team(team: Team) -> str:
    r"""Return the code of a team, which omits its name and its format's edition.

    Raise `TeamError` if a code cannot hold the team.

    >>> from dicemasters.teams.team_file import read_team
    >>> encode_team(read_team("4x Hulk: Jade Giant\n2x Thor: Lord of Asgard\nbasic: Smash!\nbasic: Force Beam").team)
    'dm104g2a0bj100v5xq'
    """
    format = find_format(team.format)
    key = key_without_edition(format)
    is_sized_draft = key.startswith("draft ")
    bits = _BitString()
    bits.add(_FORMATS.index("sized draft" if is_sized_draft else key), 4)
    if is_sized_draft:
        bits.add(format.dice - DRAFT_SIZES[0], 4)
    problems: list[TeamProblem] = []
    for number, size, noun in ((len(team.cards), 5, "cards"), (len(team.basics), 3, "basic actions")):
        if number >= 1 << size:
            problems.append(TeamProblem(f"a code cannot hold {number} {noun}"))
    homemade = [card for card in (*(card for card, _ in team.cards), *team.basics) if card.set not in _SETS]
    problems += [
        TeamProblem(f"a code cannot hold the home-made card {card.name}; give the team file and the card file instead")
        for card in homemade
    ]
    problems += [TeamProblem(f"a code cannot hold {n} dice of {c.name}") for c, n in team.cards if not 0 <= n < 16]
    if problems:
        raise TeamError(problems)
    bits.add(len(team.cards), 5)
    bits.add(len(team.basics), 3)
    for card, dice in team.cards:
        _add_card(bits, card)
        bits.add(dice, 4)
    for card in team.basics:
        _add_card(bits, card)
    payload = bits.letters()
    return VERSION + payload + _checksum(payload)


def is_team_code(text: str) -> bool:
    """Return True if a text looks like a team code."""
    return len(text) <= 2 * MAX_LETTERS and re.fullmatch(r"dm[0-9][0-9a-z]{6,}", _normalize(text)) is not None


def decode_team(code: str, cards: Catalogue | None = None) -> Team:
    """Return the team of a code. Dashes, spaces and case do not matter. Raise `TeamError` if the code is invalid."""
    normalized = _normalize(code[: 2 * MAX_LETTERS])
    if len(code) > 2 * MAX_LETTERS:
        raise TeamError([TeamProblem("this is not a team code: it is too long")])
    if not normalized.startswith(VERSION):
        raise TeamError([TeamProblem(f"a team code begins with {VERSION}")])
    payload = normalized[len(VERSION) :].translate(_MISREAD)
    invalid = sorted(set(payload) - set(_LETTERS))
    if invalid or len(payload) < 6:
        why = f"'{invalid[0]}' cannot occur in one" if invalid else "it is too short"
        raise TeamError([TeamProblem(f"this is not a team code: {why}")])
    payload, checksum = payload[:-3], payload[-3:]
    if _checksum(payload) != checksum:
        raise TeamError([TeamProblem("the team code contains a mistake: its checksum does not match")])
    try:
        return _read_team(_BitString(payload), cards or catalogue())
    except (ValueError, IndexError):
        raise TeamError([TeamProblem("the team code does not describe a team")]) from None


def _read_team(bits: _BitString, all_cards: Catalogue) -> Team:
    key = _FORMATS[bits.read(4)]
    if key == "sized draft":
        key = draft_format(bits.read(4) + DRAFT_SIZES[0]).key
    n_cards, n_basics = bits.read(5), bits.read(3)
    cards: list[tuple[Card, int]] = []
    for _ in range(n_cards):
        card = _read_card(bits, all_cards)
        cards.append((card, bits.read(4)))
    basics = [_read_card(bits, all_cards) for _ in range(n_basics)]
    if not bits.is_exhausted():
        raise ValueError("unused bits at the end")
    return Team(tuple(cards), tuple(basics), format=key)


def _add_card(bits: _BitString, card: Card) -> None:
    bits.add(_SETS.index(card.set), 2)
    bits.add(card.number, 8)


def _read_card(bits: _BitString, all_cards: Catalogue) -> Card:
    set_key = _SETS[bits.read(2)]
    return all_cards.find(f"{set_key}{bits.read(8)}")


class _BitString:
    """A sequence of numbers of given sizes in bits, written in letters of five bits."""

    def __init__(self, payload: str = "") -> None:
        self._bits = "".join(f"{_LETTERS.index(letter):05b}" for letter in payload)

    def add(self, number: int, size: int) -> None:
        self._bits += f"{number:0{size}b}"

    def read(self, size: int) -> int:
        digits, self._bits = self._bits[:size], self._bits[size:]
        if len(digits) < size:
            raise ValueError("too short")
        return int(digits, 2)

    def is_exhausted(self) -> bool:
        """Return True if only the zeros that pad the last letter remain."""
        return len(self._bits) < 5 and "1" not in self._bits

    def letters(self) -> str:
        padded = self._bits + "0" * (-len(self._bits) % 5)
        return "".join(_LETTERS[int(padded[i : i + 5], 2)] for i in range(0, len(padded), 5))


def _checksum(payload: str) -> str:
    total = 0
    for letter in payload:
        total = (total * _WEIGHT + _LETTERS.index(letter) + 1) % _MOD
    return "".join(_LETTERS[total >> shift & 31] for shift in (10, 5, 0))


def _normalize(code: str) -> str:
    return re.sub(r"[\s-]", "", code).casefold()
