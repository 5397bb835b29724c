"""The project's rulings (docs/rulings.md), each with the cards and rules it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dicemasters.rules.bundled import RULINGS, document_text

_SETS = "avx|uxm|cw|ai"
_CARDS = re.compile(rf"\b({_SETS}) (\d+(?:, \d+)*)\b")
_RULES = re.compile(r"(?<![\w.#])(?:\d+\.\d+(?:[a-z](?:\d+[a-z]?)?)?|S\d+|#\d+)(?!\w)")
_HEAD = "rule or card"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question that the rulebooks leave open, and the project's decision."""

    about: str  # a rule or cards, as in "Angel: Superhero (uxm 3)"
    question: str
    decision: str
    reason: str

    @property
    def cards(self) -> tuple[str, ...]:
        """The keys of the cards that the ruling is about, such as `uxm3`."""
        return tuple(f"{match[1]}{number}" for match in _CARDS.finditer(self.about) for number in match[2].split(", "))

    @property
    def rules(self) -> tuple[str, ...]:
        """The numbers of the rules that the ruling names, in the order of mention."""
        text = f"{self.about} {self.question} {self.decision} {self.reason}"
        return tuple(dict.fromkeys(_RULES.findall(text)))


def read_rulings(text: str) -> tuple[Ruling, ...]:
    r"""Return the rulings in the document's tables about rules and cards.

    >>> found, = read_rulings("| rule or card | question | decision | reason |\n|---|---|---|---|\n| Hulk (avx 9) | When? | Now. | 5.7a. |")
    >>> found.cards, found.rules
    (('avx9',), ('5.7a',))
    """
    rulings: list[Ruling] = []
    in_table = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("|"):
            in_table = False
        elif cells[0] == _HEAD:
            in_table = True
        elif in_table and len(cells) == 4:
            rulings.append(Ruling(*cells))
    return tuple(rulings)


@cache
def load_rulings() -> tuple[Ruling, ...]:
    """Return the rulings of docs/rulings.md."""
    return read_rulings(document_text(RULINGS))
