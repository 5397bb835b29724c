"""All kinds of decisions and options (docs/notation.md)."""

from __future__ import annotations

from typing import NamedTuple


class DecisionKind(NamedTuple):
    """The form of answer that decisions of a kind take, and a one-sentence description."""

    mode: str  # one option, many dice, pairs of blocks, energy to spend, or a split of amounts
    about: str


DECISION_KINDS: dict[str, DecisionKind] = {
    "order": DecisionKind("one", "Who won the toss says who goes first."),
    "reroll": DecisionKind("many", "Which dice of the roll are rolled once more."),
    "main": DecisionKind("one", "The active player acts in the main step, or passes."),
    "respond": DecisionKind("one", "The other player has priority after a pass: a Global, an ability, or pass."),
    "fight": DecisionKind("one", "The active player acts in the attack step, after blockers were declared, or passes."),
    "attack": DecisionKind("many", "Who attacks."),
    "block": DecisionKind("blocks", "Who blocks whom."),
    "pay": DecisionKind("spend", "With which energy a price is paid; not asked where there is one way."),
    "split": DecisionKind("split", "How a die's combat damage is split among those it fights, one after another."),
    "divide": DecisionKind("split", "How an effect's damage is divided among dice and players, one after another."),
    "choose": DecisionKind(
        "many", "Which dice or players an effect is about, whose effect ends, or which way a die is spun."
    ),
    "together": DecisionKind("one", "What is paid for in one go; then `pay now`."),
    "resolve": DecisionKind("one", "Which of several effects that wait comes first."),
    "may": DecisionKind("one", 'Whether an ability that says "may" is used.'),
    "unless": DecisionKind("one", "Whether a price is paid to stop an effect."),
    "toll": DecisionKind("one", "Whether life is paid to use an ability that costs life."),
    "field price": DecisionKind("one", "Whether a price that cannot be less is paid for a die that an effect fields."),
    "copy burst": DecisionKind("one", "Whether the burst of a copied die is copied too."),
    "one of": DecisionKind("one", "Which of the things a text offers happens."),
    "which damage": DecisionKind("one", "Which of several damages an ability changes."),
    "how much": DecisionKind("one", "How much of some damage an ability changes."),
    "name type": DecisionKind("one", "An energy type is named."),
    "name card": DecisionKind("one", "A card is named."),
    "name affiliation": DecisionKind("one", "An affiliation is named."),
}


class OptionKind(NamedTuple):
    """The meaning of both numbers of an option ("" if unused), and a one-sentence description."""

    x: str  # die, thing (die or player), card, ability or amount
    y: str
    about: str


OPTION_KINDS: dict[str, OptionKind] = {
    "first": OptionKind("", "", "Go first."),
    "second": OptionKind("", "", "Go second."),
    "reroll": OptionKind("die", "", "Put a die back to be rolled once more."),
    "buy": OptionKind("card", "", "Buy a die of a card."),
    "field": OptionKind("die", "", "Field a character die."),
    "use": OptionKind("die", "", "Use an action die."),
    "global": OptionKind("ability", "", "Use a Global."),
    "ability": OptionKind("ability", "thing", "Use an ability that is paid for, of a die if it is a die's."),
    "lift": OptionKind("ability", "", "Pay to be rid of a ban or a surcharge for the turn."),
    "together": OptionKind("", "", "Pay for several things in one go."),
    "pay now": OptionKind("", "", "Pay for what was named."),
    "pass": OptionKind("", "", "Do nothing more, or nothing now."),
    "pay": OptionKind("thing", "amount", "Spend so much energy of a die, or 1 that is left over."),
    "attack": OptionKind("die", "", "Declare an attacker."),
    "block": OptionKind("die", "die", "Declare a blocker, and whom it blocks."),
    "choose": OptionKind("thing", "", "Choose a die or a player."),
    "up": OptionKind("thing", "", "Spin a die up."),
    "down": OptionKind("thing", "", "Spin a die down."),
    "amount": OptionKind("thing", "amount", "Give a die or a player so much of some damage."),
    "spend": OptionKind("amount", "", "Pay so much of a price that says up to."),
    "damage": OptionKind("", "", "Take this damage of several."),
    "end": OptionKind("die", "thing", "End the effect of an action die, on a die if it lies on one."),
    "yes": OptionKind("", "", "Do it."),
    "no": OptionKind("", "", "Do it not."),
    "mode": OptionKind("", "", "Take one of the things a text offers."),
    "type": OptionKind("", "", "Name an energy type."),
    "card": OptionKind("card", "", "Name a card."),
    "name": OptionKind("", "", "Name an affiliation."),
    "resolve": OptionKind("ability", "", "Let this reaction come first."),
    "would": OptionKind("ability", "", "Let this ability come first, before something happens."),
    "done": OptionKind("", "", "Choose nothing more."),
}

_MODES = {
    "one": "one option",
    "many": "dice, in any order",
    "blocks": "blocks, in any order",
    "spend": "energy, in any order",
    "split": "amounts, in any order",
}


def kinds_table() -> list[str]:
    """Return the lines of the table of decisions in docs/notation.md."""
    rows = [f"| `{name}` | {_MODES[kind.mode]} | {kind.about} |" for name, kind in DECISION_KINDS.items()]
    return ["| kind | answered by | about |", "|---|---|---|", *rows]


def options_table() -> list[str]:
    """Return the lines of the table of options in docs/notation.md."""
    return [
        "| option | about |",
        "|---|---|",
        *(f"| `{name}` | {option.about} |" for name, option in OPTION_KINDS.items()),
    ]
