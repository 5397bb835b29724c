"""Every kind of decision the game asks for, and every kind of option it offers (docs/notation.md)."""

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


class Offered(NamedTuple):
    """What the two numbers of an option of this kind are ("" for nothing that is told), and a sentence about it."""

    x: str  # die, thing (a die or a player), card, ability, amount
    y: str
    about: str


OPTIONS: dict[str, Offered] = {
    "first": Offered("", "", "Go first."),
    "second": Offered("", "", "Go second."),
    "reroll": Offered("die", "", "Put a die back to be rolled once more."),
    "buy": Offered("card", "", "Buy a die of a card."),
    "field": Offered("die", "", "Field a character die."),
    "use": Offered("die", "", "Use an action die."),
    "global": Offered("ability", "", "Use a Global."),
    "ability": Offered("ability", "thing", "Use an ability that is paid for, of a die if it is a die's."),
    "lift": Offered("ability", "", "Pay to be rid of a ban or a surcharge for the turn."),
    "together": Offered("", "", "Pay for several things in one go."),
    "pay now": Offered("", "", "Pay for what was named."),
    "pass": Offered("", "", "Do nothing more, or nothing now."),
    "pay": Offered("thing", "amount", "Spend so much energy of a die, or 1 that is left over."),
    "attack": Offered("die", "", "Declare an attacker."),
    "block": Offered("die", "die", "Declare a blocker, and whom it blocks."),
    "choose": Offered("thing", "", "Choose a die or a player."),
    "up": Offered("thing", "", "Spin a die up."),
    "down": Offered("thing", "", "Spin a die down."),
    "amount": Offered("thing", "amount", "Give a die or a player so much of some damage."),
    "spend": Offered("amount", "", "Pay so much of a price that says up to."),
    "damage": Offered("", "", "Take this damage of several."),
    "end": Offered("die", "thing", "End the effect of an action die, on a die if it lies on one."),
    "yes": Offered("", "", "Do it."),
    "no": Offered("", "", "Do it not."),
    "mode": Offered("", "", "Take one of the things a text offers."),
    "type": Offered("", "", "Name an energy type."),
    "card": Offered("card", "", "Name a card."),
    "name": Offered("", "", "Name an affiliation."),
    "resolve": Offered("ability", "", "Let this reaction come first."),
    "would": Offered("ability", "", "Let this ability come first, before something happens."),
    "done": Offered("", "", "Choose nothing more."),
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


def options_table() -> list[str]:
    """Write the table of the options in docs/notation.md."""
    return ["| option | about |", "|---|---|", *(f"| `{name}` | {option.about} |" for name, option in OPTIONS.items())]
