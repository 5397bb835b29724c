"""The Scripted Opponent: plays by a published script and names the rule of each choice (docs/scripted-opponent.md)."""

from __future__ import annotations

from dicemasters.game.inspect.view import State
from dicemasters.players.scripted import combat_choices, main_step, other_choices
from dicemasters.players.scripted.explained_choice import ExplainedChoice, Rule

SCRIPT: dict[str, Rule] = {
    "order": main_step.order,
    "reroll": main_step.reroll,
    "main": main_step.main_step,
    "respond": main_step.respond,
    "fight": main_step.after_blocks,
    "together": main_step.pay_batch,
    "pay": main_step.pay,
    "attack": main_step.attack,
    "block": combat_choices.block,
    "split": combat_choices.split,
    "may": other_choices.answer_may,
    "unless": other_choices.answer_unless,
    "toll": other_choices.answer_toll,
    "field price": other_choices.answer_field_price,
    "copy burst": other_choices.answer_copy_burst,
    "choose": other_choices.choose,
    "how much": other_choices.choose_amount,
    "divide": other_choices.divide_damage,
    "which damage": other_choices.choose_damage,
    "one of": other_choices.choose_mode,
    "name type": other_choices.name_type,
    "name card": other_choices.name_card,
    "name affiliation": other_choices.name_affiliation,
    "resolve": other_choices.resolve,
}


def explain(s: State) -> ExplainedChoice:
    """Return the script's choice in this position, with its rule and reason."""
    return SCRIPT[s.decision.kind](s)


class ScriptedPlayer:
    """Bot that follows the script to the letter: the same position gives the same choice."""

    name = "scripted"

    def __init__(self, seed: int = 0) -> None:
        """Accept a seed like every bot; the script does not use it."""

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        return explain(state).option

    def explain(self, state: State) -> ExplainedChoice:
        """Return the choice with its rule and reason."""
        return explain(state)
