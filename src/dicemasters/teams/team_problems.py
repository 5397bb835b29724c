"""What is wrong with a team: each thing for itself, so that all of them can be told at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """One thing that is wrong: what, by which rule, and where."""

    text: str
    rule: str = ""  # of the digest, as in "7.1"; docs/formats.md lists them
    line: int = 0  # of the team's file, 0 where unknown
    team: str = ""  # its name or file, where several are looked at

    def __str__(self) -> str:
        """Say it in one line.

        >>> str(TeamProblem("the basic action Smash! is there twice", "7.1", line=9))
        'line 9: the basic action Smash! is there twice (rules 7.1)'
        """
        location = ", ".join(part for part in (self.team, f"line {self.line}" if self.line else "") if part)
        message = f"{location}: " * bool(location) + self.text + f" (rules {self.rule})" * bool(self.rule)
        return message.encode("utf-8", "replace").decode()  # a stranger's text may hold what no screen can show


class TeamError(ValueError):
    """A team cannot be read or is not legal; `problems` holds everything that is wrong."""

    def __init__(self, problems: Sequence[TeamProblem]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def with_team(problems: Sequence[TeamProblem], team: str) -> list[TeamProblem]:
    """Give the problems with the team they are about."""
    return [replace(problem, team=team) for problem in problems]
