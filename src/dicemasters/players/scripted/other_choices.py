"""The script's other choices: offers, dice, numbers, names and the order of effects (S33 to S39)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.inspect import view
from dicemasters.game.inspect.ability_reader import (
    AbilityText,
    Instruction,
    SelectionSpec,
    current_instruction,
    dice_for_cost,
    is_attached_against_opponent,
    legal_targets,
    selected_now,
    texts_that_name,
)
from dicemasters.game.inspect.view import NOBODY, State, canonical_order, equivalence_key
from dicemasters.game.text import describe
from dicemasters.players.scripted.combat_choices import split_damage
from dicemasters.players.scripted.explained_choice import ExplainedChoice, find_option
from dicemasters.players.scripted.ranking import is_own, is_sidekick, row_rank, row_ranks, strength_key
from dicemasters.players.scripted.text_evaluation import (
    HELPS,
    HURTS,
    NEITHER,
    causes_reroll,
    evaluate_ability,
    is_non_energy_face,
    sign_of_choice,
)


def _card(s: State) -> str:
    return describe.ability_name(s, s.decision.about)


# --- offers --------------------------------------------------------------------------------------------------------


def answer_may(s: State) -> ExplainedChoice:
    """Accept, unless it only hurts the script (S33); an opponent's offer that costs dice or life is decided by S39."""
    frame, op = current_instruction(s)
    seat, node = s.decision.seat, op.node
    assert isinstance(node, w.May)
    spends = [i for i, o in enumerate(s.options) if o[0] == "spend"]
    yes = spends[-1] if spends else find_option(s, "yes")
    if not view.is_ally(frame.you, seat) and node.cost is not None and node.cost.effects:
        return _answer_offered_cost(s, node.cost, op, yes)
    kind = view.ability_kind(s.spec, frame.ability)
    rule = "S38" if kind == "global" or (kind == "would" and node.cost is not None) else "S33"
    if op.need.life >= view.life(s, seat):
        return ExplainedChoice(find_option(s, "no"), "S33", f"does not give its last life for {_card(s)}")
    verdict = evaluate_ability(s, frame, seat, frame.pc + 1, op.jump)
    if node.cost is not None and node.cost.effects and not verdict.good:
        return ExplainedChoice(find_option(s, "no"), rule, f"gives nothing for {_card(s)}, which does it no good")
    if verdict.only_hurts:
        return ExplainedChoice(
            find_option(s, "no"), rule, f"declines, as {_card(s)} would only hurt itself or help the player"
        )
    return ExplainedChoice(yes, rule, f"uses {_card(s)}, as it can{' and pays the most' if spends else ''}")


def answer_unless(s: State) -> ExplainedChoice:
    """Pay energy or give up a Sidekick to avert the effect, but nothing else (S38, S39)."""
    _, op = current_instruction(s)
    node = op.node
    assert isinstance(node, w.Unless)
    if node.cost.effects:
        return _answer_offered_cost(s, node.cost, op, find_option(s, "yes"))
    return ExplainedChoice(find_option(s, "yes"), "S38", f"pays energy to stop {_card(s)}")


def _answer_offered_cost(s: State, cost: w.Cost, op: Instruction, yes: int) -> ExplainedChoice:
    frame, _ = current_instruction(s)
    if accepts_cost(s, cost, dice_for_cost(s, frame, op.need, s.decision.seat)):
        return ExplainedChoice(yes, "S39", f"gives a Sidekick for {_card(s)}")
    refusal = "pays no life" if op.need.life else "gives up no character"
    return ExplainedChoice(find_option(s, "no"), "S39", f"{refusal} for {_card(s)}")


def accepts_cost(s: State, cost: w.Cost, dice: list[int]) -> bool:
    """Return True if the script pays a cost that the opponent sets: energy, or the KO of a Sidekick (S39)."""
    kos = all(isinstance(effect, w.Ko) for effect in cost.effects)
    return not cost.effects or (kos and any(is_sidekick(s, d) for d in dice))


def answer_toll(s: State) -> ExplainedChoice:
    """Decline; the script never pays life (S39)."""
    return ExplainedChoice(find_option(s, "no"), "S39", f"never pays life, so {_card(s)} does nothing")


def answer_field_price(s: State) -> ExplainedChoice:
    """Accept; the script fields whatever it can pay for (S18)."""
    return ExplainedChoice(find_option(s, "yes"), "S18", "fields all it can pay for")


def answer_copy_burst(s: State) -> ExplainedChoice:
    """Accept; the burst is also copied (S33)."""
    return ExplainedChoice(find_option(s, "yes"), "S33", f"lets {_card(s)} copy the burst too")


# --- dice and players ----------------------------------------------------------------------------------------------


def choose(s: State) -> ExplainedChoice:
    """Choose targets: harmful effects for the player's side, helpful ones for its own (rules 8.6a, S34)."""
    if s.options[0][0] == "end":
        return _choose_effect_to_end(s)
    frame, op = current_instruction(s)
    choice = op.choice
    assert choice is not None
    if choice.spins:
        return _choose_spin(s)
    sign = HURTS if op.is_cost else sign_of_choice(s, frame, choice.register, frame.pc)
    targets = _preferred_targets(s, frame, choice, sign, op.is_cost)
    remaining = [equivalence_key(s, x) for x in targets]
    for x in frame.picked:
        if equivalence_key(s, x) in remaining:
            remaining.remove(equivalence_key(s, x))
    for i, (kind, x, _) in enumerate(s.options):
        if kind == "choose" and equivalence_key(s, x) in remaining:
            return ExplainedChoice(i, "S34", _explain_target(s, x, sign, op.is_cost, len(targets) > 1))
    done = find_option(s, "done")
    if done >= 0:
        return ExplainedChoice(done, "S34", f"has chosen all it wants for {_card(s)}")
    return ExplainedChoice(0, "S34", f"has to choose {describe.die_or_player_text(s, s.options[0][1])} for {_card(s)}")


def _explain_target(s: State, x: int, sign: int, as_cost: bool, several: bool) -> str:
    name, own = describe.die_or_player_text(s, x), is_own(s, x, s.decision.seat)
    if as_cost:
        return f"gives what it can miss best: {name}"
    best = f"the best it may, and {name} is one of them" if several else f"the best: {name}"
    if sign == HURTS:
        return f"has only its own to choose from, and takes the weakest: {name}" if own else f"hurts {best}"
    if sign == HELPS:
        return f"helps {best}" if own else f"has only the player's to choose from: {name}"
    return f"chooses the strongest: {name}"


def _preferred_targets(s: State, frame: AbilityText, choice: SelectionSpec, sign: int, as_cost: bool) -> list[int]:
    """Return the targets: as many as allowed of the preferred side, as few as required of the other."""
    seat = s.decision.seat
    legal = canonical_order(s, legal_targets(s, frame, choice), frame.paid)
    own = [x for x in legal if is_own(s, x, seat)]
    opposing = [x for x in legal if x not in own]
    preferred = legal if sign == NEITHER else own if sign == HELPS else opposing
    undesired = [x for x in legal if x not in preferred]
    if sign != NEITHER and causes_reroll(s, frame, choice.register, frame.pc):  # S12 decides what to reroll
        preferred = [x for x in preferred if is_non_energy_face(s, x) == (sign == HURTS)]
    preferred = sorted(preferred, key=lambda x: (0, *strength_key(s, x, seat)) if not view.is_player(x) else (-1,))
    undesired = sorted(undesired, key=lambda x: _sacrifice_order(s, x, seat))
    minimum = max(choice.least, 1) if as_cost else choice.least
    if not choice.within:
        chosen = preferred[: choice.most]
        return chosen + undesired[: max(0, minimum - len(chosen))]
    budget, affordable = choice.within, list[int]()
    for x in preferred:
        cost = view.printed_numbers(s, x)[0]  # printed cost, or the copied one
        if cost <= budget:
            affordable.append(x)
            budget -= cost
    return affordable


def _sacrifice_order(s: State, x: int, seat: int) -> tuple[int, ...]:
    """Return a sort key for dice to give up: Sidekicks first, then the weakest die, a player last."""
    if view.is_player(x):
        return (2,)
    return (0 if is_sidekick(s, x) else 1, *(-n for n in strength_key(s, x, seat)))


def _choose_spin(s: State) -> ExplainedChoice:
    """Spin the player's best die down; otherwise spin its own best die up (S34)."""
    seat = s.decision.seat

    def spin_order(i: int) -> tuple[int, ...]:
        kind, x, _ = s.options[i]
        if kind == "done":
            return (2,)
        own = is_own(s, x, seat)
        if own == (kind == "up"):
            return (1 if own else 0, *strength_key(s, x, seat))
        return (3, *(-n for n in strength_key(s, x, seat)))

    best = min(range(len(s.options)), key=spin_order)
    kind, x, _ = s.options[best]
    if kind == "done":
        return ExplainedChoice(best, "S34", f"spins nobody more with {_card(s)}")
    return ExplainedChoice(best, "S34", f"spins {describe.die_or_player_text(s, x)} {kind}")


def _choose_effect_to_end(s: State) -> ExplainedChoice:
    """End an effect of the player's action dice, in row order; its own only if there is no other (S34)."""
    seat = s.decision.seat

    def end_order(i: int) -> tuple[int, int, int]:
        d = s.options[i][1]
        return (1 if view.is_ally(view.owner(s, d), seat) else 0, row_rank(s, d, seat), i)

    best = min(range(len(s.options)), key=end_order)
    return ExplainedChoice(best, "S34", f"ends {describe.title(s, s.options[best][1])}, the player's before its own")


# --- numbers, modes, names -----------------------------------------------------------------------------------------


def choose_amount(s: State) -> ExplainedChoice:
    """Choose the largest amount (S34)."""
    best = max(range(len(s.options)), key=lambda i: s.options[i][2])
    return ExplainedChoice(best, "S34", f"takes the most {_card(s)} allows: {s.options[best][2]}")


def divide_damage(s: State) -> ExplainedChoice:
    """Divide an effect's damage like combat damage, sparing the script's own dice if possible (S36)."""
    frame, op = current_instruction(s)
    seat, target = s.decision.seat, s.options[0][1]
    foes = selected_now(s, frame, op)
    opposing = [d for d in foes if not is_own(s, d, seat)]
    assigned = split_damage(s, s.decision.number + sum(frame.shares), opposing or foes, seat)
    return nearest_amount(s, assigned.get(target, 0), f"to {describe.die_or_player_text(s, target)}")


def nearest_amount(s: State, amount: int, recipient: str) -> ExplainedChoice:
    """Choose the desired amount of damage, or the nearest one on offer."""
    best = min(range(len(s.options)), key=lambda i: (abs(s.options[i][2] - amount), i))
    return ExplainedChoice(
        best, "S36", f"deals {s.options[best][2]} {recipient}: KOs the dearest it can, then the next"
    )


def choose_damage(s: State) -> ExplainedChoice:
    """Choose the largest damage (S34)."""
    best = max(range(len(s.options)), key=lambda i: (view.packet_amount(s, s.options[i][1]), -i))
    return ExplainedChoice(best, "S34", f"lets {_card(s)} meet the most damage")


def choose_mode(s: State) -> ExplainedChoice:
    """Choose the first mode (S34)."""
    return ExplainedChoice(0, "S34", f"takes the first thing {_card(s)} offers")


def name_type(s: State) -> ExplainedChoice:
    """Name fist, the first energy type (S34)."""
    return ExplainedChoice(0, "S34", "names fist: the types come in the order fist, bolt, mask, shield")


def name_card(s: State) -> ExplainedChoice:
    """Name the first card in row order (S34).

    The player's row comes first if the action die that is attached to the card refers to the player's dice.
    """
    frame, _ = current_instruction(s)
    seat = s.decision.seat
    ranks = row_ranks(
        s.spec, 1 - seat if is_attached_against_opponent(s, view.ability_card(s.spec, frame.ability)) else seat
    )
    best = min(range(len(s.options)), key=lambda i: ranks[s.options[i][1]])
    return ExplainedChoice(best, "S34", f"names the first in row order: {s.spec.cards[s.options[best][1]].name}")


def name_affiliation(s: State) -> ExplainedChoice:
    """Name the first affiliation in row order; the player's row comes first if the text is harmful (S34)."""
    spec = s.spec
    seat = 1 - s.decision.seat if _names_to_hurt(s) else s.decision.seat
    ranks = row_ranks(spec, seat)
    cards = sorted(range(spec.n_real_cards), key=lambda c: ranks[c])

    def first_rank(i: int) -> tuple[int, int]:
        name = spec.affiliations[s.options[i][1]]
        return next((n for n, c in enumerate(cards) if name in spec.cards[c].affiliations), len(cards)), i

    best = min(range(len(s.options)), key=first_rank)
    return ExplainedChoice(
        best, "S34", f"names the first affiliation in row order: {spec.affiliations[s.options[best][1]]}"
    )


def _names_to_hurt(s: State) -> bool:
    """Return True if a card uses the named affiliation against its members."""
    frame, _ = current_instruction(s)
    for text in texts_that_name(s, frame, "of named affiliation"):
        if any(rule.word == "text ignored" for rule in view.ability(s.spec, text.ability).rules):
            return True
        if evaluate_ability(s, text, frame.you).only_hurts:
            return True
    return False


# --- the order of effects ------------------------------------------------------------------------------------------


def resolve(s: State) -> ExplainedChoice:
    """Resolve effects in row order, then the highest level first (S35)."""
    seat = s.decision.seat
    ranks = row_ranks(s.spec, seat)

    def resolve_order(i: int) -> tuple[int, int, int]:
        kind, ability, trigger = s.options[i]
        source = view.reacting_die(s, trigger) if kind == "resolve" else NOBODY
        level = view.level(s, source) if source != NOBODY and not view.is_player(source) else 0
        return ranks[view.ability_card(s.spec, ability)], -level, i

    best = min(range(len(s.options)), key=resolve_order)
    return ExplainedChoice(best, "S35", f"row order: {describe.ability_name(s, s.options[best][1])} comes first")
