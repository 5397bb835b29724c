"""Short hints about options."""

from __future__ import annotations

from collections.abc import Mapping

from dicemasters.game import Decision
from dicemasters.game.inspect import ability_reader, view
from dicemasters.game.inspect.view import Option, State
from dicemasters.game.text import describe, explain
from dicemasters.players.heuristic import is_harmful


def option_hint(s: State, option: Option, stats: Mapping[int, tuple[int, int]] | None = None) -> str:
    """Return what a player would look up before choosing the option: cost, A/D, or the text of the ability.

    `stats` holds A and D of dice for which they have been computed.
    """
    kind, x, y = option
    spec = s.spec
    match kind:
        case "buy":
            return f"{view.purchase_cost(s, x, s.decision.seat)}{spec.cards[x].energy}, {view.dice_left(s, x)} left"
        case "field":
            a, d = view.current_stats(s, x)
            cost = view.fielding_cost(s, x)
            return f"{a}/{d}, {f'costs {cost}' if cost else 'free'}"
        case "use":
            return " ".join(explain.compiled_ability_text(spec, n) for n in view.uses_of(spec, view.card_of(s, x)))
        case "global" | "ability" | "resolve" | "would":
            return explain.compiled_ability_text(spec, x)
        case "attack":
            return _stats_text(s, x, stats)
        case "block":
            return f"{_stats_text(s, x, stats)} against {_stats_text(s, y, stats)}"
        case "pass":
            return _pass_hint(s)
    return ""


def _stats_text(s: State, d: int, stats: Mapping[int, tuple[int, int]] | None) -> str:
    a, defence = stats[d] if stats is not None and d in stats else view.current_stats(s, d)
    return f"{a}/{defence}"


def _pass_hint(s: State) -> str:
    if s.spec.n_seats > 2 and not view.has_passed(s, view.partner_of(s.decision.seat)):
        return "on to your partner"
    consequence = {"main": "on to the attack step", "fight": "on to the damage"}.get(s.decision.kind, "")
    return f"{consequence}, unless your opponent does something" if view.can_hold_priority(s) else consequence


_ABILITY_DECISIONS = frozenset(
    (
        "may", "unless", "choose", "name type", "name affiliation", "name card",
        "how much", "which damage", "one of", "divide", "toll", "field price",
    )
)  # fmt: skip


def decision_context(s: State) -> str:
    """Return the text of the ability a decision belongs to, or what a payment is for; "" if there is neither."""
    if s.decision.kind in _ABILITY_DECISIONS and s.decision.about >= 0:
        return _own_targets_warning(s) + explain.compiled_ability_text(s.spec, s.decision.about)
    if s.decision.kind == "pay":
        options = view.paid_for(s)
        return f"to {', '.join(describe.option_text(s, option) for option in options)}" if options else ""
    return ""


def _own_targets_warning(s: State) -> str:
    """Return a warning if an optional harmful ability can only target the player's own dice, otherwise ""."""
    if s.decision.kind != "may" or not is_harmful(view.ability(s.spec, s.decision.about)):
        return ""
    ability, current = ability_reader.current_instruction(s)
    instructions = ability_reader.operations(s, ability)
    choice = next(
        (
            instruction.choice
            for instruction in instructions[instructions.index(current) :]
            if instruction.choice is not None
        ),
        None,
    )
    targets = ability_reader.legal_targets(s, ability, choice) if choice is not None and choice.by == "you" else []
    if not targets or any(view.side_of_target(s, x) != view.side_of(s.decision.seat) for x in targets):
        return ""
    titles = {describe.title(s, x) for x in targets if not view.is_player(x)}
    return f"There is only your own {titles.pop()}. " if len(titles) == 1 else "There are only your own. "


def decision_heading(s: State, decision: Decision, names: list[str]) -> str:
    """Return a heading that names the deciding player, the turn and the step."""
    moment = (
        "before the first turn"
        if not s.turn
        else f"turn {s.turn}, {describe.side_name(s, s.active)}'s {describe.step_text(s)}"
    )
    name = names[describe.SEATS.index(decision.player)]
    return f"{decision.player} ({name}) decides · {moment}"
