"""Team files: teams written by hand or pasted from a chat (docs/formats.md)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.cards.textio import decode
from dicemasters.teams.formats import DEFAULT_FORMAT, Format, check_team, find_format
from dicemasters.teams.team import Team
from dicemasters.teams.team_problems import TeamError, TeamProblem

ENDING = ".team"
MAX_BYTES = 100_000  # no real team file is longer
MAX_LINE_LENGTH = 1000
MAX_PROBLEMS = 30  # a text with more is not a team
MAX_HINTS = 5  # suggested corrections, which are slow to find
MAX_CARDS = 200
_HEADINGS = ("name", "format", "about", "basic", "basics")
_BULLET = re.compile(r"(?:[-*•·‣–—>+]|[0-9]{1,2}[.)])\s+")
_COUNTS = (
    re.compile(r"(?P<n>[0-9]{1,3})\s*[x×*](?!-)\s*(?P<name>\S.*)", re.IGNORECASE),  # 4x Hulk, 4 × Hulk
    re.compile(r"[x×]\s*(?P<n>[0-9]{1,3})\s+(?P<name>.*)", re.IGNORECASE),  # x4 Hulk
    re.compile(r"(?P<n>[0-9]{1,3})\s+(?P<name>.*)"),  # 4 Hulk
    re.compile(r"(?P<name>.*\S)\s+[x×*]\s*(?P<n>[0-9]{1,3})", re.IGNORECASE),  # Hulk x4
    re.compile(r"(?P<name>.*\S)\s+\(?(?P<n>[0-9]{1,3})\s*(?:[x×]|dice)\)?", re.IGNORECASE),  # Hulk (4 dice)
)
_BASIC_COUNTS = (1, 3, 6)  # plausible counts: one card, or the dice on it


@dataclass(frozen=True, slots=True)
class ParsedTeam:
    """A team as far as it could be read, and the problems found while reading."""

    team: Team
    problems: tuple[TeamProblem, ...] = ()
    lines: tuple[int, ...] = ()  # line numbers of its cards, then of its basic actions

    def check(self, format: Format | None = None) -> list[TeamProblem]:
        """Return all problems, of reading and of legality in a format, in line order.

        Without a format, the team's own applies.
        """
        illegal = check_team(self.team, format, lines=self.lines, unread=bool(self.problems))
        return sorted((*self.problems, *illegal), key=lambda problem: problem.line or MAX_BYTES)


def read_team(text: str, cards: Catalogue | None = None) -> ParsedTeam:
    r"""Read a team. Mistakes do not stop the reader; the result lists all of them.

    >>> reading = read_team("name: Two friends\n2x hulk - jade giant\nx4 Thor: Lord of Asgard\nSmash!\nForce Beem")
    >>> [(card.name, dice) for card, dice in reading.team.cards]
    [('Hulk: Jade Giant', 2), ('Thor: Lord of Asgard', 4)]
    >>> [str(problem) for problem in reading.problems]
    ["line 5: no card is called 'Force Beem'; did you mean 'Force Beam'?"]
    """
    return _Reader(cards or catalogue()).read(text)


def load_team(path: str | Path, cards: Catalogue | None = None) -> ParsedTeam:
    """Read a team file. Raise `OSError` or `ValueError` if it is not text."""
    return read_bytes(Path(path).read_bytes(), str(path), cards)


def read_bytes(data: bytes, name: str, cards: Catalogue | None = None) -> ParsedTeam:
    """Read a team from the bytes of a file. Raise `ValueError` with the file's name if it is too long or not text."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"{name}: too long for a team ({len(data):,} bytes)")
    return read_team(decode(data, name), cards)


def write_team(team: Team) -> str:
    """Return a team as text, which `read_team` reads back."""
    lines = [f"name: {_normalize_spaces(team.name)}"] if _normalize_spaces(team.name) else []
    lines.append(f"format: {team.format}")
    lines += [f"about: {_normalize_spaces(team.about)}"] if _normalize_spaces(team.about) else []
    lines += [f"{dice}x {_normalize_spaces(card.name)} [{card.set}]" for card, dice in team.cards]
    lines += [f"basic: {_normalize_spaces(card.name)} [{card.set}]" for card in team.basics]
    return "\n".join(lines) + "\n"


def require_legal(reading: ParsedTeam, format: Format | None = None) -> Team:
    """Return the team that was read. Raise `TeamError` with all problems if it has any."""
    problems = reading.check(format)
    if problems:
        raise TeamError(problems)
    return reading.team


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())


class _Reader:
    """Reads a team line by line and collects its cards, headings and problems."""

    def __init__(self, cards: Catalogue) -> None:
        self.catalogue = cards
        self.card_entries: list[tuple[int, Card, int]] = []
        self.basic_entries: list[tuple[int, Card]] = []
        self.headings: dict[str, str] = {}
        self.problems: list[TeamProblem] = []

    def read(self, text: str) -> ParsedTeam:
        if len(text) > MAX_BYTES:
            self.problems.append(TeamProblem(f"too long for a team ({len(text):,} characters)"))
            text = ""
        for number, raw_line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            if len(self.problems) >= MAX_PROBLEMS or len(self.card_entries) + len(self.basic_entries) > MAX_CARDS:
                self.problems.append(
                    TeamProblem("the rest was not read: too many lines are not part of a team", line=number)
                )
                break
            if len(raw_line) > MAX_LINE_LENGTH:
                self.problems.append(TeamProblem(f"longer than {MAX_LINE_LENGTH} characters", line=number))
            else:
                self.read_line(number, _normalize_spaces(raw_line.encode("utf-8", "replace").decode()))
        team = Team(
            tuple((card, dice) for _, card, dice in self.card_entries),
            tuple(card for _, card in self.basic_entries),
            self.headings.get("name", ""),
            self.headings.get("format", DEFAULT_FORMAT.key),
            self.headings.get("about", ""),
        )
        if not self.card_entries and not self.basic_entries and not self.problems:
            self.problems.append(TeamProblem("the team has no cards"))
        lines = (*(number for number, _, _ in self.card_entries), *(number for number, _ in self.basic_entries))
        return ParsedTeam(team, tuple(self.problems), lines)

    def read_line(self, number: int, line: str) -> None:
        if not line or line.startswith(("#", "```")):
            return
        while bullet := _BULLET.match(line):
            line = line[bullet.end() :]
        heading, colon, value = line.partition(":")
        is_bold = heading.startswith(("*", "_"))  # bold in chats: **name:** Green Rage
        heading = heading.strip("\"'*_ ").casefold()
        if colon and heading in _HEADINGS:
            self.read_heading(number, heading, value.strip("*_ ") if is_bold else value.strip())
            return
        line = re.sub(r"\s#(\s.*)?$", "", line).rstrip(" ,;")  # not a comment: `Mutate #666`
        if line:
            self.read_card(number, line, heading if colon else "")

    def read_heading(self, number: int, heading: str, value: str) -> None:
        if heading.startswith("basic"):
            value = re.sub(r"\s#(\s.*)?$", "", value)
            for part in filter(None, (part.strip() for part in value.split(";"))):
                self.read_card(number, part, "", basic=True)
            return
        if heading in self.headings:
            self.problems.append(TeamProblem(f"'{heading}:' appears twice", line=number))
            return
        self.headings[heading] = _normalize_spaces(value)
        if heading == "format":
            try:
                self.headings["format"] = find_format(value).key
            except ValueError as error:
                self.headings["format"] = DEFAULT_FORMAT.key
                self.problems.append(TeamProblem(str(error), line=number))

    def read_card(self, number: int, line: str, heading: str, basic: bool = False) -> None:
        """Read a line as a card, with or without a number of dice before or after its name."""
        if len(self.problems) >= MAX_PROBLEMS:
            return
        first_error: UnknownCardError | None = None
        for count, name in _parse_counts(line):
            try:
                card = self.catalogue.find(name, hint=first_error is None and len(self.problems) < MAX_HINTS)
            except UnknownCardError as error:
                first_error = first_error or error
                continue
            self.add_card(number, card, count, basic)
            return
        close_matches = difflib.get_close_matches(heading, _HEADINGS, 1, 0.75)
        if close_matches:
            self.problems.append(
                TeamProblem(f"'{heading}:' is not a heading; did you mean '{close_matches[0]}:'?", line=number)
            )
        else:
            self.problems.append(TeamProblem(str(first_error), line=number))

    def add_card(self, number: int, card: Card, count: int | None, basic: bool) -> None:
        if card.kind != "basic" and not basic:
            self.card_entries.append((number, card, card.max if count is None else count))
            return
        self.basic_entries.append((number, card))
        if count is not None and count not in _BASIC_COUNTS:
            text = f"{card.name} is a basic action, whose dice are not counted; write 'basic: {card.name}'"
            self.problems.append(TeamProblem(text, line=number))


def _parse_counts(line: str) -> Sequence[tuple[int | None, str]]:
    """Return the ways to read a line as a number of dice and a name, likeliest first."""
    readings: list[tuple[int | None, str]] = []
    for pattern in _COUNTS:
        if match := pattern.fullmatch(line):
            readings.append((int(match["n"]), match["name"]))
    return [*readings, (None, line)]
