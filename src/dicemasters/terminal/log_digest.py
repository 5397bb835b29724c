"""The log in few words, for a person at a terminal."""

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
    """Give the log in fewer lines: draws and rolls joined, choices left out where the next line says what came of it."""
    told: list[str] = []
    joined: tuple[str, list[str]] = ("", [])
    marks: list[str] = []  # rules of the script behind choices that are left out: they go to what came of them

    def join(key: str, item: str) -> None:
        nonlocal joined
        if joined[0] != key:
            close()
            joined = (key, [])
        joined[1].append(item)

    def close() -> None:
        nonlocal joined
        if joined[0]:
            told.append(joined[0] + ", ".join(_with_counts(joined[1])))
            if " rerolls " in joined[0]:
                told[-1] += marked()
        joined = ("", [])

    def marked() -> str:
        rules = list(dict.fromkeys(marks))
        marks.clear()
        return f" [{', '.join(rules)}]" if rules else ""

    for line in lines:
        if found := _MARKED.fullmatch(line):
            line = found[1]
            if not _REROLLS.fullmatch(line):
                close()
            if _PASSIVE_CHOICE.fullmatch(line):
                told.append(f"{line} [{found[2]}]")
                marks.clear()
                continue
            if not line.endswith(": reroll these"):  # which only ends the rerolls just told
                marks.append(found[2])
        if line.endswith(" (the only option)"):
            close()
            told.append(line)
        elif found := _DRAWS.fullmatch(line):
            join(f"{found[1]} draws ", found[2])
        elif found := _SHOWS.fullmatch(line):
            whose = f"{found[1]}'s" if found[1] else "the"
            energy = found[2] == "Sidekick" and found[3] != "@1"
            join(f"{whose} dice show ", found[3] if energy else _face(found[2], found[3]))
        elif found := _REROLLS.fullmatch(line):
            join(f"{found[1]} rerolls ", found[2])
        elif not _SELF_EVIDENT.match(line):
            close()
            told.append(line.strip() + marked())
    close()
    return told


def _face(title: str, face: str) -> str:
    if title == "Sidekick":
        return title
    return title + face if face[0] in "@!" else f"{title}:{face}"


def _with_counts(items: list[str]) -> list[str]:
    return [f"{item} ×{items.count(item)}" if items.count(item) > 1 else item for item in dict.fromkeys(items)]
