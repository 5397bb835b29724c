"""Formats: the size of a team, the life at the start, and the legality of teams (rules 7)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dicemasters.cards import Card
from dicemasters.game.rulesets.editions import EDITIONS, parse_edition
from dicemasters.teams.starter_teams import STARTER_GAMES, StarterGame, starter_format, starter_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_problems import TeamProblem, with_team

DRAFT_SIZES = range(8, 21)  # the players choose N (rules 7.0e)
DEFAULT_DRAFT_SIZE = 12


@dataclass(frozen=True, slots=True)
class Format:
    """The limits of a team and the start of its game."""

    key: str
    name: str
    life: int  # life per side
    cards: int  # maximum number of cards
    dice: int  # maximum number of dice
    basics: int = 2  # basic actions per player
    shared_basics: tuple[int, ...] = ()  # possible numbers of basic actions drawn for all players instead
    basic_dice: int = 3  # dice per basic action that a player brings
    players: tuple[int, ...] = (2,)  # possible numbers of players
    sides: bool = False  # two against two
    cast: str = ""  # the rulebook cast; both teams are fixed
    edition: str = ""  # edition with house rules, as in positions; "" leaves it open
    about: str = ""


def _of_cast(key: str, cast: StarterGame) -> Format:
    dice = max(sum(n for _, n in team) for team in cast.teams)
    cards = max(len(team) for team in cast.teams)
    about = "The two teams and the basic actions of a rulebook."
    return Format(starter_format(key), cast.name, cast.life, cards, dice, basics=0, cast=key, about=about)


def draft_format(size: int) -> Format:
    """Return the Draft team format with N life and N dice (rules 7.0e)."""
    if size not in DRAFT_SIZES:
        raise ValueError(f"a draft is played with {DRAFT_SIZES[0]} to {DRAFT_SIZES[-1]} life and dice, not {size}")
    about = f"Stacks of one title each are picked in turn; {size} life and up to {size} dice."
    return Format(
        f"draft {size}", f"Draft team with {size} dice", size, size, size, basics=0, shared_basics=(3, 4), about=about
    )


_ALL = (
    *(_of_cast(key, cast) for key, cast in STARTER_GAMES.items()),  # rules 7.0a
    # rules 7.0b
    Format("basic", "Basic team", 15, 6, 15, about="Small teams of one's own, as in the two books of 2014."),
    Format("tournament", "Tournament team", 20, 8, 20, about="The usual game."),  # rules 7.0c
    # rules 7.0d
    Format("short", "Tournament team, short", 15, 8, 15, about="The usual teams with fewer dice and less life."),
    replace(draft_format(DEFAULT_DRAFT_SIZE), key="draft", name="Draft team"),  # rules 7.0e
    Format(
        "rainbow", "Rainbow Draft", 20, 8, 20, players=tuple(range(2, 9)),  # rules 7.0f
        about="Packs are opened and passed round; the team comes from what one took.",
    ),
    Format(
        "doubles", "Doubles", 30, 4, 20, basics=1, basic_dice=6, players=(4,), sides=True,  # rules 7.0h, 7.3a, 7.3b
        about="Two against two; partners share their life.",
    ),
)  # fmt: skip
FORMATS: dict[str, Format] = {f.key: f for f in _ALL}
DEFAULT_FORMAT = FORMATS["tournament"]
_WITH_EDITION = re.compile(rf"(?P<format>.*?),\s*(?P<edition>(?:{'|'.join(EDITIONS)})\b.*)", re.IGNORECASE | re.DOTALL)


def find_format(name: str) -> Format:
    """Return a format by its key or name, in any spelling; `draft 15` is a draft with 15 life and dice.

    An edition may follow after a comma, with house rules. Raise `ValueError` if there is no such format.

    >>> find_format("Tournament Team").key, find_format("draft 15").life
    ('tournament', 15)
    >>> find_format("basic, avx, unblocked stay until cleanup").edition
    'avx, unblocked stay until cleanup'
    """
    if match := _WITH_EDITION.fullmatch(name):
        return with_edition(find_format(match["format"]), parse_edition(match["edition"]).text)
    query = " ".join(re.findall(r"[^\W_]+", name.casefold()))
    if sized := re.fullmatch(r"draft(?: team)?(?: with)? ([0-9]{1,3})(?: dice)?", query):
        return draft_format(int(sized[1]))
    names = {" ".join(re.findall(r"[^\W_]+", n.casefold())): f for f in _ALL for n in (f.key, f.name)}
    names |= {f"{key} team": FORMATS[key] for key in FORMATS}
    if query in names:
        return names[query]
    base_name, comma, edition = name.partition(",")
    if comma and " ".join(re.findall(r"[^\W_]+", base_name.casefold())) in names:
        parse_edition(edition)  # its error explains the problem
    close_matches = difflib.get_close_matches(query[:80], names, 1, 0.6)
    hint = f"did you mean '{names[close_matches[0]].key}'?" if close_matches else f"there are {', '.join(FORMATS)}"
    raise ValueError(f"there is no format '{name.strip()[:80]}'; {hint}")


def with_edition(format: Format, edition: str) -> Format:
    """Return the format with the rules of an edition."""
    return replace(format, key=f"{key_without_edition(format)}, {edition}", edition=edition)


def key_without_edition(format: Format) -> str:
    """Return the format's key without its edition."""
    return format.key.removesuffix(f", {format.edition}") if format.edition else format.key


# --- one team ------------------------------------------------------------------------------------------------------


def check_team(
    team: Team, format: Format | None = None, *, lines: Sequence[int] = (), unread: bool = False
) -> list[TeamProblem]:
    """Return all problems of a team in a format, by default its own. A legal team has none.

    `lines` are the line numbers of its cards and then of its basic actions in a file. `unread` says that some lines
    could not be read, in which case nothing is reported as missing.
    """
    try:
        format = format or find_format(team.format)
    except ValueError as error:
        return [TeamProblem(str(error), "7")]
    if format.cast:
        return _check_cast(team, format)
    line_numbers = (
        list(lines) if len(lines) == len(team.cards) + len(team.basics) else [0] * (len(team.cards) + len(team.basics))
    )
    card_lines, basic_lines = line_numbers[: len(team.cards)], line_numbers[len(team.cards) :]
    problems = _check_cards(team, card_lines)
    problems += _check_numbers(team, format, card_lines, unread)
    problems += _check_basics(team, format, basic_lines, unread)
    return sorted(problems, key=lambda problem: problem.line or len(team.cards) + 10**6)


def _check_cards(team: Team, lines: Sequence[int]) -> list[TeamProblem]:
    """Return the problems of single cards: basic actions, repeated titles and numbers of dice (rules 1.3b, 7.1a)."""
    problems: list[TeamProblem] = []
    titles: dict[str, Card] = {}
    for (card, dice), line in zip(team.cards, lines, strict=True):
        if card.kind == "basic":
            problems.append(TeamProblem(f"{card.name} is a basic action and cannot be one of the cards", "1.3", line))
            continue
        title = card.title.casefold()
        if title in titles:  # rules 7.1b
            other = "" if titles[title] == card else f", as {titles[title].subtitle} and as {card.subtitle}"
            problems.append(TeamProblem(f"{card.title} is on the team twice{other}", "1.3", line))
        titles.setdefault(title, card)
        if dice < 1:
            problems.append(TeamProblem(f"{card.name} has no dice; a card needs at least one", "7.1", line))
        elif dice > card.max:
            problems.append(TeamProblem(f"{card.name} has {dice} dice; it may have {card.max}", "7.1", line))
    return problems


def _check_numbers(team: Team, format: Format, lines: Sequence[int], unread: bool) -> list[TeamProblem]:
    """Return the problems with the numbers of cards and dice, with the line of the first card too many (rules 7.1c)."""
    problems: list[TeamProblem] = []
    if len(team.cards) > format.cards:
        text = f"{len(team.cards)} cards; {_a_team(format)} has at most {format.cards}"
        problems.append(TeamProblem(text, "7", lines[format.cards]))
    if not team.cards and not unread:
        problems.append(TeamProblem("the team has no cards", "7.1"))
    if team.dice > format.dice:
        problems.append(TeamProblem(f"{team.dice} dice; {_a_team(format)} has at most {format.dice}", "7"))
    return problems


def _check_basics(team: Team, format: Format, lines: Sequence[int], unread: bool) -> list[TeamProblem]:
    problems: list[TeamProblem] = []
    for i, (card, line) in enumerate(zip(team.basics, lines, strict=True)):
        if card.kind != "basic":
            problems.append(TeamProblem(f"{card.name} is no basic action", "1.3", line))
        elif any(card.title.casefold() == other.title.casefold() for other in team.basics[:i]):  # rules 7.1b
            problems.append(TeamProblem(f"the basic action {card.title} is there twice", "7.1", line))
    if format.shared_basics:  # a drafted team may name its basic actions; otherwise they are drawn later
        if team.basics and len(team.basics) not in format.shared_basics and not unread:
            shared = " or ".join(str(n) for n in format.shared_basics)
            text = f"{_basics(len(team.basics))}; {_a_team(format)} shares {shared} with the other"
            problems.append(TeamProblem(text, "7", lines[-1]))
    elif len(team.basics) > format.basics:
        text = f"{_basics(len(team.basics))}; {_a_team(format)} brings {format.basics}"
        problems.append(TeamProblem(text, "7", lines[format.basics]))
    elif len(team.basics) < format.basics and not unread:
        problems.append(TeamProblem(f"{_basics(len(team.basics))}; {_a_team(format)} brings {format.basics}", "7"))
    return problems


def _basics(n: int) -> str:
    return f"{n} basic action{'' if n == 1 else 's'}"


def _a_team(format: Format) -> str:
    """Return the format's team with its article, as in "a Tournament team"."""
    return f"a {format.name}" if "team" in format.name else f"a team for {format.name}"


def _check_cast(team: Team, format: Format) -> list[TeamProblem]:
    cast_teams = starter_teams(format.cast)
    if any(set(team.cards) == set(cast_team.cards) for cast_team in cast_teams) and not team.basics:
        return []
    teams = " or ".join(", ".join(f"{n}x {card.name}" for card, n in cast_team.cards) for cast_team in cast_teams)
    return [TeamProblem(f"the teams of '{format.name}' are fixed: {teams}", "7")]


# --- teams that meet -----------------------------------------------------------------------------------------------


def check_matchup(teams: Sequence[Team], format: Format, names: Sequence[str] = ()) -> list[TeamProblem]:
    """Return all problems of teams that are to play each other, in the order of their seats.

    Opponents may bring the same cards and basic actions (rules 7.1d); partners, in seats 0 and 2 or 1 and 3, may not.
    """
    team_names = list(names) or [team.name or f"team {'ABCD'[seat]}" for seat, team in enumerate(teams)]
    problems: list[TeamProblem] = []
    if len(teams) not in format.players:
        player_count = (
            f"{format.players[0]} to {format.players[-1]}" if len(format.players) > 1 else f"{format.players[0]}"
        )
        problems.append(TeamProblem(f"{format.name} is played with {player_count} teams, not {len(teams)}", "7"))
    for team, name in zip(teams, team_names, strict=True):
        problems += with_team(check_team(team, format), name)
    if format.shared_basics and len({frozenset(team.basics) for team in teams if team.basics}) > 1:
        problems.append(TeamProblem(f"the teams name different basic actions; in {format.name} they share them", "7"))
    if format.sides:
        for seat in range(2, len(teams)):
            pair = f"{team_names[seat - 2]} and {team_names[seat]}"
            problems += with_team(check_partners(teams[seat - 2], teams[seat]), pair)
    elif format.cast and not problems:
        if {frozenset(team.cards) for team in teams} != {frozenset(team.cards) for team in starter_teams(format.cast)}:
            problems.append(TeamProblem(f"both players have the same team; '{format.name}' has one for each", "7"))
    return problems


def check_partners(team: Team, partner: Team) -> list[TeamProblem]:
    """Return a problem for each title that two partners in Doubles both bring, basic actions included (rules 7.3b)."""
    titles = {card.title.casefold() for card in (*(c for c, _ in team.cards), *team.basics)}
    return [
        TeamProblem(f"both partners bring {card.title}", "7")
        for card in (*(c for c, _ in partner.cards), *partner.basics)
        if card.title.casefold() in titles
    ]
