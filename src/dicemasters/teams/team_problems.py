"""Problems of a team, collected so that all of them can be reported at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """One problem of a team: its text, the rule, and the place."""

    text: str
    rule: str = ""  # number in docs/rules.md, as in "7.1"; docs/formats.md lists them
    line: int = 0  # line in the team's file, or 0 if unknown
    team: str = ""  # name or file of the team, if several teams are checked

    def __str__(self) -> str:
        """Return the problem in one line.

        >>> str(TeamProblem("the basic action Smash! is there twice", "7.1", line=9))
        'line 9: the basic action Smash! is there twice (rules 7.1)'
        """
        location = ", ".join(part for part in (self.team, f"line {self.line}" if self.line else "") if part)
        message = f"{location}: " * bool(location) + self.text + f" (rules {self.rule})" * bool(self.rule)
        return message.encode("utf-8", "replace").decode()  # untrusted text may contain lone surrogates


class TeamError(ValueError):
    """A team cannot be read or is not legal; `problems` lists everything that is wrong."""

    def __init__(self, problems: Sequence[TeamProblem]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def with_team(problems: Sequence[TeamProblem], team: str) -> list[TeamProblem]:
    """Return the problems with the name of their team."""
    return [replace(problem, team=team) for problem in problems]
