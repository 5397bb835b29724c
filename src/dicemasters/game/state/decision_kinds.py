"""All kinds of decisions and options (docs/notation.md)."""

from __future__ import annotations

from typing import NamedTuple


class DecisionKind(NamedTuple):
    """The form of answer that decisions of a kind take, and a one-sentence description."""

    mode: str  # one option, many dice, pairs of blocks, energy to spend, or a split of amounts
    about: str


#: The kinds of decisions, as in `Decision.kind`.
DECISION_KINDS: dict[str, DecisionKind] = {
    "order": DecisionKind("one", "The winner of the toss chooses who goes first."),
    "reroll": DecisionKind("many", "Choose the dice of the roll to reroll."),
    "main": DecisionKind("one", "The active player acts in the main step or passes."),
    "respond": DecisionKind("one", "After a pass, the opponent may use a Global or an ability, or passes too."),
    "fight": DecisionKind("one", "The active player acts in the attack step after blockers are declared, or passes."),
    "attack": DecisionKind("many", "Declare attackers."),
    "block": DecisionKind("blocks", "Declare blockers and the attackers they block."),
    "pay": DecisionKind("spend", "Choose the energy that pays a price; skipped if there is only one way."),
    "split": DecisionKind("split", "Split a die's combat damage among its opponents, one after another."),
    "divide": DecisionKind("split", "Divide an effect's damage among dice and players, one after another."),
    "choose": DecisionKind(
        "many", "Choose the dice or players of an effect, the effect to end, or the direction of a spin."
    ),
    "together": DecisionKind("one", "Choose the actions to pay for in one go, then `pay now`."),
    "resolve": DecisionKind("one", "Choose which of several waiting effects resolves first."),
    "may": DecisionKind("one", 'Choose whether to use an ability that says "may".'),
    "unless": DecisionKind("one", "Choose whether to pay a price to stop an effect."),
    "toll": DecisionKind("one", "Choose whether to pay life for an ability that costs life."),
    "field price": DecisionKind(
        "one", "Choose whether to pay the minimum fielding cost of a die that an effect fields."
    ),
    "copy burst": DecisionKind("one", "Choose whether to copy the burst of a copied die too."),
    "one of": DecisionKind("one", "Choose one of the alternatives of a text."),
    "which damage": DecisionKind("one", "Choose which of several instances of damage an ability modifies."),
    "how much": DecisionKind("one", "Choose the amount of damage that an ability modifies."),
    "name type": DecisionKind("one", "Name an energy type."),
    "name card": DecisionKind("one", "Name a card."),
    "name affiliation": DecisionKind("one", "Name an affiliation."),
}


class OptionKind(NamedTuple):
    """The meaning of both numbers of an option ("" if unused), and a one-sentence description."""

    x: str  # die, thing (die or player), card, ability or amount
    y: str
    about: str


#: The kinds of options, as in `Choice.what`.
OPTION_KINDS: dict[str, OptionKind] = {
    "first": OptionKind("", "", "Go first."),
    "second": OptionKind("", "", "Go second."),
    "reroll": OptionKind("die", "", "Reroll a die."),
    "buy": OptionKind("card", "", "Buy a die of a card."),
    "field": OptionKind("die", "", "Field a character die."),
    "use": OptionKind("die", "", "Use an action die."),
    "global": OptionKind("ability", "", "Use a Global."),
    "ability": OptionKind("ability", "thing", "Use a paid ability; the die is named if it belongs to one."),
    "lift": OptionKind("ability", "", "Pay to lift a ban or a surcharge for the turn."),
    "together": OptionKind("", "", "Pay for several actions in one go."),
    "pay now": OptionKind("", "", "Pay for the chosen actions."),
    "pass": OptionKind("", "", "Do nothing now."),
    "pay": OptionKind("thing", "amount", "Spend this much energy of a die, or 1 virtual energy."),
    "attack": OptionKind("die", "", "Declare an attacker."),
    "block": OptionKind("die", "die", "Declare a blocker and the attacker it blocks."),
    "choose": OptionKind("thing", "", "Choose a die or a player."),
    "up": OptionKind("thing", "", "Spin a die up."),
    "down": OptionKind("thing", "", "Spin a die down."),
    "amount": OptionKind("thing", "amount", "Assign this much damage to a die or player."),
    "spend": OptionKind("amount", "", 'Pay this much of a price that says "up to".'),
    "damage": OptionKind("", "", "Choose this instance of damage."),
    "end": OptionKind("die", "thing", "End the effect of an action die; the die it is attached to is named, if any."),
    "yes": OptionKind("", "", "Accept."),
    "no": OptionKind("", "", "Decline."),
    "mode": OptionKind("", "", "Choose one of the alternatives of a text."),
    "type": OptionKind("", "", "Name an energy type."),
    "card": OptionKind("card", "", "Name a card."),
    "name": OptionKind("", "", "Name an affiliation."),
    "resolve": OptionKind("ability", "", "Resolve this triggered ability first."),
    "would": OptionKind("ability", "", "Apply this replacement effect first."),
    "done": OptionKind("", "", "Choose nothing more."),
}

_MODES = {
    "one": "one option",
    "many": "several dice",
    "blocks": "several blocks",
    "spend": "several pieces of energy",
    "split": "several amounts",
}


def kinds_table() -> list[str]:
    """Return the lines of the table of decisions in docs/notation.md."""
    rows = [f"| `{name}` | {_MODES[kind.mode]} | {kind.about} |" for name, kind in DECISION_KINDS.items()]
    return ["| kind | answer | decision |", "|---|---|---|", *rows]


def options_table() -> list[str]:
    """Return the lines of the table of options in docs/notation.md."""
    return [
        "| option | meaning |",
        "|---|---|",
        *(f"| `{name}` | {option.about} |" for name, option in OPTION_KINDS.items()),
    ]
