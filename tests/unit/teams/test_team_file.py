"""Team files: lenient to read, exact to write, with the line of every problem."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicemasters.cards import Card, catalogue
from dicemasters.cards.catalogue import basic, card
from dicemasters.cards.textio import decode
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_file import MAX_BYTES, ParsedTeam, load_team, read_team, require_legal, write_team
from dicemasters.teams.team_problems import TeamError

CARDS = [c for c in catalogue() if c.kind != "basic"]
BASICS = [c for c in catalogue() if c.kind == "basic"]
GREEN_RAGE = Team(
    ((catalogue().find("avx9"), 4), (catalogue().find("avx23"), 2)),
    (catalogue().find("avx27"), catalogue().find("avx32")),
    "Green Rage",
    "tournament",
    "Hulk keeps the field empty until nobody blocks.",
)


def one_line() -> st.SearchStrategy[str]:
    """Return a strategy for texts of one line with single spaces."""
    return st.text(max_size=60).map(lambda text: " ".join(text.split()))


def teams() -> st.SearchStrategy[Team]:
    """Return a strategy for teams of any cards, legal or not."""
    return st.builds(
        Team,
        st.lists(st.tuples(st.sampled_from(CARDS), st.integers(0, 15)), max_size=12).map(tuple),
        st.lists(st.sampled_from(BASICS), max_size=4).map(tuple),
        one_line(),
        st.sampled_from([*FORMATS, "draft 8", "draft 20"]),
        one_line(),
    ).filter(lambda team: bool(team.cards or team.basics))


def read_single_card(line: str) -> tuple[Card, int]:
    reading = read_team(line)
    assert reading.problems == ()
    assert reading.team.basics == ()
    (found,) = reading.team.cards
    return found


@pytest.mark.soak
@given(teams())
def test_team_file_round_trips(team: Team) -> None:
    reading = read_team(write_team(team))
    assert reading.problems == ()
    assert reading.team == team


@pytest.mark.soak
@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert isinstance(read_team(text), ParsedTeam)


@pytest.mark.soak
@given(
    st.lists(st.sampled_from(["4x", "Hulk", ":", "basic", "format", "\r\n", " ", "#", "[avx]", "x", "-", "Jade Giant"]))
)
def test_any_mixture_of_team_file_words_is_read_without_an_error(words: list[str]) -> None:
    reading = read_team("".join(words))
    assert len(reading.lines) == len(reading.team.cards) + len(reading.team.basics)
    for problem in reading.check():
        assert str(problem)


@pytest.mark.soak
@given(st.binary())
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert "\0" not in decode(data, "my.team")


def test_team_file_and_code_in_the_docs_are_correct() -> None:
    text = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```team\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert require_legal(read_team(example)) == GREEN_RAGE
    assert f"`{encode_team(GREEN_RAGE)}` is the team above" in text


@pytest.mark.parametrize(
    "line",
    [
        "4x Hulk: Jade Giant [avx]",
        "4x Hulk: Jade Giant",
        "4 x hulk: jade giant",
        "x4 Hulk: Jade Giant",
        "X 4 HULK: JADE GIANT",
        "4 Hulk: Jade Giant",
        "4×Hulk: Jade Giant",
        "4* Hulk: Jade Giant",
        "Hulk: Jade Giant x4",
        "Hulk: Jade Giant (4 dice)",
        "Hulk: Jade Giant",
        "- 4x Hulk: Jade Giant",
        "• 4x Hulk – Jade Giant",
        "> * 4x Hulk: Jade Giant",
        "1. 4x Hulk: Jade Giant",
        '4x "Hulk": “Jade Giant”',
        "4x Hulk: Jade Giant (avx)",
        "4x Hulk: Jade Giant [avx9]",
        "4x avx9",
        "AVX9",
        "\t4x  Hulk:   Jade Giant \t",
        "4x Hulk: Jade Giant,",
        "4x Hulk: Jade Giant  # the king",
        "\ufeff4x Hulk: Jade Giant\r\n",
    ],
)
def test_card_line_is_read_in_any_spelling(line: str) -> None:
    assert read_single_card(line) == (catalogue().find("avx9"), 4)


@pytest.mark.parametrize(
    ("line", "key", "dice"),
    [
        ("2x X-23: Assassin", "uxm93", 2),
        ("2 X-23: Assassin", "uxm93", 2),
        ("X-23: Assassin", "uxm93", 4),
        ("x2 X23 Assassin", "uxm93", 2),
        ("3x Beast: Mutate #666", "avx3", 3),
        ("3x Beast: Mutate 666  # the number of the beast", "avx3", 3),
        ("2x Storm: ro", "avx21", 2),
        ("2x Storm: ’Ro", "avx21", 2),
        ("1x Mystique: Raven Darkholme", "uxm79", 1),
        ("1x Tony Stark: Sorcerer Supreme of Earth 9810", "cw142", 1),
        ("Natalia Romanova", "cw139", catalogue().find("cw139").max),
    ],
)
def test_names_with_numbers_symbols_and_accents_are_read(line: str, key: str, dice: int) -> None:
    found, n = read_single_card(line)
    assert (found.name, n) == (catalogue().find(key).name, dice)


@pytest.mark.parametrize(
    "line",
    ["basic: Smash!", "Basic : smash", "smash", "1x Smash!", "3x Smash! [avx]", "- Smash!", "avx32", "basics: Smash!;"],
)
def test_basic_action_is_recognised_in_any_spelling(line: str) -> None:
    reading = read_team(line)
    assert reading.problems == ()
    assert reading.team.basics == (catalogue().find("avx32"),)


@pytest.mark.parametrize(
    "line", ["**Name:** Green Rage", "- __name__: Green Rage", "*name: Green Rage*", "NAME : Green Rage"]
)
def test_heading_with_chat_formatting_is_read(line: str) -> None:
    assert read_team(line).team.name == "Green Rage"


def test_line_can_contain_several_basic_actions() -> None:
    assert read_team("basics: Smash!; Take That, Villain!").team.basics == (
        catalogue().find("avx32"),
        catalogue().find("uxm33"),
    )


def test_dice_count_of_a_basic_action_is_reported_as_a_problem() -> None:
    (problem,) = read_team("2x Smash!").problems
    assert str(problem) == "line 1: Smash! is a basic action, whose dice are not counted; write 'basic: Smash!'"


def test_every_problem_is_reported_with_its_line() -> None:
    text = """\
name: Five mistakes
format: tournamnt

5x Hulk: Jade Giant
2x Thor: Lord of Asgrad
0x Beast: Genetic Expert
2x Storm: Wind-Rider
2x Storm: 'Ro
basic: Iron Man: Inventor
basic: Smash!
"""
    assert [str(problem) for problem in read_team(text).check()] == [
        "line 2: there is no format 'tournamnt'; did you mean 'tournament'?",
        "line 4: Hulk: Jade Giant has 5 dice; it may have 4 (rules 7.1)",
        "line 5: no card is called 'Thor: Lord of Asgrad'; did you mean 'Thor: Lord of Asgard'?",
        "line 6: Beast: Genetic Expert has no dice; a card needs at least one (rules 7.1)",
        "line 8: Storm is on the team twice, as Wind-Rider and as 'Ro (rules 1.3)",
        "line 9: Iron Man: Inventor is no basic action (rules 1.3)",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the team has no cards"),
        ("name: Empty", "the team has no cards"),
        ("fromat: short", "line 1: 'fromat:' is not a heading; did you mean 'format:'?"),
        ("name: x\nname: y", "line 2: 'name:' appears twice"),
        ("Jade Giant", "line 1: no card is called 'Jade Giant'; did you mean 'Hulk: Jade Giant'?"),
        ("2x Hulk: Jade Giant [cw]", "line 1: no card is called 'Hulk: Jade Giant [cw]'; 'Hulk' is in avx"),
        ("a" * 2000, "line 1: longer than 1000 characters"),
    ],
)
def test_first_problem_is_reported_in_a_sentence(text: str, problem: str) -> None:
    assert str(read_team(text).problems[0]) == problem


def test_ambiguous_title_lists_the_matching_cards() -> None:
    (problem,) = read_team("basic: Take Cover").problems
    assert str(problem) == "line 1: 'Take Cover' could be any of Take Cover [avx], Take Cover [ai]"


def test_reading_stops_after_thirty_unreadable_lines() -> None:
    problems = read_team("call me ishmael\n" * 1000).problems
    assert len(problems) == 31
    assert str(problems[-1]).startswith("line 31: the rest was not read")


def test_unreadable_line_is_not_also_reported_as_missing() -> None:
    problems = read_team("4x Hulk: Jade Giant\nbasic: Smash!\nbasic: Foce Bem").check()
    assert len(problems) == 1


def test_home_made_cards_round_trip_with_their_catalogue() -> None:
    nurse = card("own", 1, "Nurse", "Night Shift", cost=2, die="beast", energy="M")
    tea = basic("own", 2, "Tea Time", cost=2)
    known = catalogue().with_cards([nurse, tea])
    team = Team(((nurse, 2),), (tea,), "Hospital")
    assert read_team(write_team(team), known).team == team
    assert len(read_team(write_team(team)).problems) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_file_is_read_in_the_encodings_of_common_editors(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "my.team"
    path.write_bytes("name: Zoë\r\n2x Mystique: Raven Darkhölme\r\n".encode(encoding))
    reading = load_team(path)
    assert (reading.team.name, reading.problems) == ("Zoë", ())


@pytest.mark.parametrize("data", [b"\xff\x00\xff", b"a\0b", b"\x80", b"a" * (MAX_BYTES + 1), b"\xff\xfea"])
def test_binary_or_oversized_file_is_refused_by_name(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "my.team"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(f"{path}: ")):
        load_team(path)


def test_illegal_team_is_refused_with_all_its_problems() -> None:
    with pytest.raises(TeamError) as refused:
        require_legal(read_team("5x Hulk: Jade Giant"))
    assert len(refused.value.problems) == 2
