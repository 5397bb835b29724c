"""Every kind of decision the game asks for: how it is answered, and what it is about (docs/notation.md)."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """How a decision of this kind is answered where it has several parts, and a sentence about it."""

    mode: str  # one, many (dice), blocks (pairs), spend (energy), split (amounts)
    about: str


KINDS: dict[str, Kind] = {
    "order": Kind("one", "Who won the toss says who goes first."),
    "reroll": Kind("many", "Which dice of the roll are rolled once more."),
    "main": Kind("one", "The active player acts in the main step, or passes."),
    "respond": Kind("one", "The other player has priority after a pass: a Global, an ability, or pass."),
    "fight": Kind("one", "The active player acts in the attack step, after blockers were declared, or passes."),
    "attack": Kind("many", "Who attacks."),
    "block": Kind("blocks", "Who blocks whom."),
    "pay": Kind("spend", "With which energy a price is paid; not asked where there is one way."),
    "split": Kind("split", "How a die's combat damage is split among those it fights, one after another."),
    "divide": Kind("split", "How an effect's damage is divided among dice and players, one after another."),
    "choose": Kind("many", "Which dice or players an effect is about, whose effect ends, or which way a die is spun."),
    "together": Kind("one", "What is paid for in one go; then `pay now`."),
    "resolve": Kind("one", "Which of several effects that wait comes first."),
    "may": Kind("one", 'Whether an ability that says "may" is used.'),
    "unless": Kind("one", "Whether a price is paid to stop an effect."),
    "toll": Kind("one", "Whether life is paid to use an ability that costs life."),
    "field price": Kind("one", "Whether a price that cannot be less is paid for a die that an effect fields."),
    "copy burst": Kind("one", "Whether the burst of a copied die is copied too."),
    "one of": Kind("one", "Which of the things a text offers happens."),
    "which damage": Kind("one", "Which of several damages an ability changes."),
    "how much": Kind("one", "How much of some damage an ability changes."),
    "name type": Kind("one", "An energy type is named."),
    "name card": Kind("one", "A card is named."),
    "name affiliation": Kind("one", "An affiliation is named."),
}
_MODES = {
    "one": "one option",
    "many": "dice, in any order",
    "blocks": "blocks, in any order",
    "spend": "energy, in any order",
    "split": "amounts, in any order",
}


def kinds_table() -> list[str]:
    """Write the table of docs/notation.md."""
    rows = [f"| `{name}` | {_MODES[kind.mode]} | {kind.about} |" for name, kind in KINDS.items()]
    return ["| kind | answered by | about |", "|---|---|---|", *rows]
