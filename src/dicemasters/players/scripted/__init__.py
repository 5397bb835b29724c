"""The Scripted Opponent: plays by a published script and says by which rule (docs/scripted-opponent.md)."""

from __future__ import annotations

from dicemasters.game.view import State
from dicemasters.players.scripted import acts, combat, golden
from dicemasters.players.scripted.reason import Reason, Rule

SCRIPT: dict[str, Rule] = {
    "order": acts.order,
    "reroll": acts.reroll,
    "main": acts.main,
    "respond": acts.respond,
    "fight": acts.fight,
    "together": acts.together,
    "pay": acts.pay,
    "attack": acts.attack,
    "block": combat.block,
    "split": combat.split,
    "may": golden.may,
    "unless": golden.unless,
    "toll": golden.toll,
    "field price": golden.field_price,
    "copy burst": golden.copy_burst,
    "choose": golden.choose,
    "how much": golden.how_much,
    "divide": golden.divide,
    "which damage": golden.which_damage,
    "one of": golden.one_of,
    "name type": golden.name_type,
    "name card": golden.name_card,
    "name affiliation": golden.name_affiliation,
    "resolve": golden.resolve,
}


def explain(s: State) -> Reason:
    """Give what the script does now, by which rule and why."""
    return SCRIPT[s.ask.kind](s)


class ScriptedPlayer:
    """Follows the script to the letter: the same position gives the same act."""

    name = "scripted"

    def __init__(self, seed: int = 0) -> None:
        """Take a seed like every player, and make no use of it."""

    def choose(self, state: State) -> int:
        return explain(state).option

    def explain(self, state: State) -> Reason:
        """Give the choice with the rule that makes it."""
        return explain(state)
