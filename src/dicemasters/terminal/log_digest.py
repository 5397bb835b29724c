"""Shortened log for people at a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DRAWS = re.compile(r"  (\w) draws (.+)")
_SHOWS = re.compile(r"  (?:([A-D])'s )?(.+) shows (.+)")
_REROLLS = re.compile(r"(\w): reroll (?!these)(.+)")
_SELF_EVIDENT = re.compile(
    r"\w: (buy|field|use|pay|pass|keep all|reroll these|attack|block|done|no|Global of|ability of)\b"
)
_PASSIVE_CHOICE = re.compile(r"\w: (pass|keep all|no|no attack|no block|done blocking|none)")
_MARKED = re.compile(r"(.+) \[(S\d+)\]")


def digest_log(lines: Iterable[str]) -> list[str]:
    """Shorten a log: group draws and rolls, and omit choices whose result is in the next line."""
    digest: list[str] = []
    group: tuple[str, list[str]] = ("", [])
    marks: list[str] = []  # script rules of omitted choices, appended to their results

    def join(key: str, item: str) -> None:
        nonlocal group
        if group[0] != key:
            flush()
            group = (key, [])
        group[1].append(item)

    def flush() -> None:
        nonlocal group
        if group[0]:
            digest.append(group[0] + ", ".join(_with_counts(group[1])))
            if " rerolls " in group[0]:
                digest[-1] += take_marks()
        group = ("", [])

    def take_marks() -> str:
        rules = list(dict.fromkeys(marks))
        marks.clear()
        return f" [{', '.join(rules)}]" if rules else ""

    for line in lines:
        if match := _MARKED.fullmatch(line):
            line = match[1]
            if not _REROLLS.fullmatch(line):
                flush()
            if _PASSIVE_CHOICE.fullmatch(line):
                digest.append(f"{line} [{match[2]}]")
                marks.clear()
                continue
            if not line.endswith(": reroll these"):  # only ends the rerolls already reported
                marks.append(match[2])
        if line.endswith(" (the only option)"):
            flush()
            digest.append(line)
        elif match := _DRAWS.fullmatch(line):
            join(f"{match[1]} draws ", match[2])
        elif match := _SHOWS.fullmatch(line):
            owner = f"{match[1]}'s" if match[1] else "the"
            shows_energy = match[2] == "Sidekick" and match[3] != "@1"
            join(f"{owner} dice show ", match[3] if shows_energy else _face(match[2], match[3]))
        elif match := _REROLLS.fullmatch(line):
            join(f"{match[1]} rerolls ", match[2])
        elif not _SELF_EVIDENT.match(line):
            flush()
            digest.append(line.strip() + take_marks())
    flush()
    return digest


def _face(title: str, face: str) -> str:
    if title == "Sidekick":
        return title
    return title + face if face[0] in "@!" else f"{title}:{face}"


def _with_counts(items: list[str]) -> list[str]:
    return [f"{item} ×{items.count(item)}" if items.count(item) > 1 else item for item in dict.fromkeys(items)]
