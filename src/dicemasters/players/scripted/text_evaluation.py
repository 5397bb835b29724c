"""Evaluation of ability texts: whether they help or hurt, and which side, judging by their words (S15, S17, S33, S34).

The script reads texts as a person would, from the position on the table. It simulates nothing, so it cannot know what
the dice will show.
"""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS, RULES, Valence
from dicemasters.game.inspect import ability_reader, hypotheticals, view
from dicemasters.game.inspect.ability_reader import AbilityText, Instruction
from dicemasters.game.inspect.view import BAG, ENERGY, FIELD, HAND, NOBODY, PREP, RESERVE, State
from dicemasters.players.scripted.ranking import is_own

HELPS, HURTS, NEITHER = 1, -1, 0
_SIGN = {Valence.GOOD: HELPS, Valence.BAD: HURTS, Valence.NEITHER: NEITHER, Valence.DEPENDS: NEITHER}

_DESTINATION_VALUE = {w.USED: 0, w.BAG: 1, w.HAND: 1, w.PREP: 2, w.RESERVE: 3, w.FIELD: 4}  # ordered by usefulness


class AbilityVerdict(NamedTuple):
    """The effect of a text on the script's side: good (helps it or hurts the player), bad (the reverse), or both."""

    good: bool
    bad: bool

    @property
    def only_hurts(self) -> bool:
        return self.bad and not self.good


# --- one operation -------------------------------------------------------------------------------------------------


def rule_sign(rule: w.Rule, a: int, d: int) -> int:
    """Return whether a rule with these numbers helps or hurts the dice it applies to."""
    match rule.word:
        case "gets":
            return _sign(a + d)
        case "costs to buy" | "costs to field":
            return _sign(-a)
        case "sets A":
            return HELPS if a else HURTS
        case "counts as level":
            return HELPS if a > 1 else HURTS
    return _SIGN[RULES[rule.word].valence]


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)


def effect_sign(s: State, text: AbilityText, op: Instruction) -> int:
    """Return whether an instruction helps or hurts what it affects."""
    node = op.node
    zones = ability_reader.zones(s, text, op)
    match node:
        case w.Give():
            a, d = ability_reader.amounts(s, text, op)
            if node.rule.word == "gets" and not a + d:
                a = _amount_sign(node.rule.a) + _amount_sign(node.rule.d)
            return rule_sign(node.rule, a, d)
        case w.Life():
            return _sign(ability_reader.amounts(s, text, op)[0]) or _amount_sign(node.amount)
        case w.SetLife():
            players = [view.player_seat(x) for x in ability_reader.selected_now(s, text, op)]
            return HURTS if all(view.life(s, x) > node.amount for x in players) else HELPS
        case w.Spin():
            return _sign(node.levels)
        case w.SpinTo():
            return HURTS if node.level == 1 else HELPS
        case w.Reroll() if FIELD not in zones:
            return HURTS if any(_is_opposing_non_energy(s, text, x) for x in _reachable(s, text, op)) else HELPS
        case w.SpinToEnergy() | w.Reroll() | w.RollUntil():
            return HURTS if FIELD in zones else HELPS
        case w.Move():
            return _sign(_DESTINATION_VALUE[node.to] - max((_ZONE_VALUE.get(zone, 0) for zone in zones), default=0))
        case w.Attach():
            return card_sign(s, text)
        case w.SendHome() | w.EndEffect():
            return HURTS  # it hurts the controller of the dice
        case w.NewTarget():
            retargeted = ability_reader.retargetable_text(s)
            return sign_of_choice(s, *retargeted) if retargeted is not None else NEITHER
        case w.Instead():
            return _prevention_sign(s, text)
    metadata = EFFECTS.get(type(node).__name__)
    return _SIGN[metadata.valence] if metadata is not None else NEITHER


def _reachable(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """Return everything that an instruction could affect, whatever is chosen."""
    return [x for aim in ability_reader.effect_targets(s, text, op) for x in aim.targets]


def _is_opposing_non_energy(s: State, text: AbilityText, x: int) -> bool:
    """Return True for an opposing die with a character or an action, which its owner would rather keep (S12)."""
    return not view.is_player(x) and not is_own(s, x, text.you) and is_non_energy_face(s, x)


def is_non_energy_face(s: State, d: int) -> bool:
    """Return True if a die shows what the script would not reroll: a character or an action (S12)."""
    return view.shows_face(s, d) and view.kind(s, d) != ENERGY


def _prevention_sign(s: State, text: AbilityText) -> int:
    """Return whether being spared helps or hurts a die: it helps if the effect would hurt the die."""
    interrupted = ability_reader.interrupted_text(s) if text.event.word == "would be affected" else None
    if interrupted is None:
        return HELPS
    for op in ability_reader.operations(s, interrupted)[interrupted.pc :]:
        if op.is_cost or ability_reader.is_question(op):
            continue
        if any(
            text.event.die in aim.targets and not aim.chooser
            for aim in ability_reader.effect_targets(s, interrupted, op)
        ) and effect_sign(s, interrupted, op):
            return -effect_sign(s, interrupted, op)
    # a neutral effect is worth preventing only if it is the opponent's
    return HURTS if view.is_ally(interrupted.you, text.you) else HELPS


_ZONE_VALUE = {BAG: 1, HAND: 1, PREP: 2, RESERVE: 3, FIELD: 4}  # as in `_DESTINATION_VALUE`; 0 for all other zones


def _amount_sign(amount: w.Amount) -> int:
    """Return the sign of an amount; one that is computed later counts as positive."""
    return _sign(amount) if isinstance(amount, int) else HELPS


def card_sign(s: State, text: AbilityText) -> int:
    """Return whether an action die of the card helps or hurts what it is attached to."""
    for ability, ops in ability_reader.lasting_abilities(s, view.ability_card(s.spec, text.ability)):
        for rule in ability.rules:
            numbers = [n if isinstance(n, int) else 1 for n in (rule.a, rule.d)]
            if rule_sign(rule, *numbers):
                return rule_sign(rule, *numbers)
        for op in ops:
            if not ability_reader.is_question(op) and effect_sign(s, text, op):
                return effect_sign(s, text, op)
    return NEITHER


# --- a whole text --------------------------------------------------------------------------------------------------


def evaluate_ability(s: State, text: AbilityText, seat: int, start: int = 0, end: int = -1) -> AbilityVerdict:
    """Return what a text, or a part of it, does for a seat if every choice follows S34. Costs do not count."""
    ops = ability_reader.operations(s, text)
    good = bad = False
    if not start:
        s = hypotheticals.after_naming(s, text)
    for op in ops[start : len(ops) if end < 0 else end]:
        if op.is_cost or ability_reader.is_question(op):
            continue
        for part in ability_reader.nested_texts(s, text, op):
            inner = evaluate_ability(s, part, seat)
            good, bad = good or inner.good, bad or inner.bad
        evaluate = _evaluate_new_target if isinstance(op.node, w.NewTarget) else _evaluate_operation
        verdict = evaluate(s, text, op, seat)
        good, bad = good or verdict.good, bad or verdict.bad
    return AbilityVerdict(good, bad)


def _evaluate_operation(s: State, text: AbilityText, op: Instruction, seat: int) -> AbilityVerdict:
    """Return what one instruction does for a seat, considering what it could affect and who chooses."""
    good = bad = False
    sign = effect_sign(s, text, op)
    for aim in ability_reader.effect_targets(s, text, op) if sign else ():
        own = any(is_own(s, x, seat) for x in aim.targets)
        opposing = any(not is_own(s, x, seat) for x in aim.targets)
        gains, loses = (own, opposing) if sign == HELPS else (opposing, own)
        if aim.chooser:
            chooser = text.you if aim.chooser == "you" else view.opponent_of(text.you)
            if view.is_ally(chooser, seat):
                loses = loses and not gains
            else:
                gains = gains and not loses
        good, bad = good or gains, bad or loses
    if isinstance(op.node, w.Give) and op.node.rule.word in ("blocks more", "blocks also"):
        good = False  # each die of the script blocks only one attacker (S31)
    if isinstance(op.node, w.Redirect) and text.event.die != NOBODY:  # the original recipient is spared
        spares_own = is_own(s, text.event.die, seat)
        good, bad = good or spares_own, bad or not spares_own
    return AbilityVerdict(good, bad)


def _evaluate_new_target(s: State, text: AbilityText, op: Instruction, seat: int) -> AbilityVerdict:
    """Return what a new target does for a seat: moving harm off its side or help onto it is good (S38)."""
    sign, own = effect_sign(s, text, op), is_own(s, text.event.die, seat)
    changes_side = any(
        is_own(s, x, seat) != own for aim in ability_reader.effect_targets(s, text, op) for x in aim.targets
    )
    good = changes_side and sign == (HURTS if own else HELPS)
    return AbilityVerdict(good, sign != NEITHER and not good)


def has_immediate_effect(s: State, text: AbilityText) -> bool:
    """Return True if a text does something now other than change A, D or combat abilities until end of turn (S15)."""
    for op in ability_reader.operations(s, text):
        if op.is_cost or ability_reader.is_question(op) or _is_for_later(op.node):
            continue
        if op.part >= 0 or ability_reader.has_no_selector(op):
            return True
        if any(aim.targets for aim in ability_reader.effect_targets(s, text, op)):
            return True
    return False


def _is_for_later(node: object) -> bool:
    """Return True if a word only matters in combat, for purchases this turn, or as a named choice.

    The script buys nothing on its own turn (S10).
    """
    if isinstance(node, w.NameType | w.NameAffiliation | w.NameCard):
        return True
    if isinstance(node, w.Give):
        is_combat_only = node.until == w.END_OF_TURN and RULES[node.rule.word].is_useful_only_in_combat
        return is_combat_only or (node.until in (w.END_OF_TURN, w.NEXT_ONE) and node.rule.word == "costs to buy")
    if isinstance(node, w.Copy):
        return node.until == w.END_OF_TURN and node.part != "die"
    metadata = EFFECTS.get(type(node).__name__)
    return metadata is not None and metadata.is_useful_only_in_combat


def causes_reroll(s: State, text: AbilityText, register: int, start: int = 0) -> bool:
    """Return True if a text rerolls the chosen dice outside the field."""
    relevant = [op for op in ability_reader.operations(s, text)[start:] if ability_reader.is_about_choice(op, register)]
    return any(isinstance(op.node, w.Reroll) and FIELD not in ability_reader.zones(s, text, op) for op in relevant)


def sign_of_choice(s: State, text: AbilityText, register: int, start: int = 0) -> int:
    """Return whether being chosen helps or hurts, by the first non-neutral instruction on the chosen die or player."""
    for op in ability_reader.operations(s, text)[start:]:
        if ability_reader.is_question(op) or not ability_reader.is_about_choice(op, register):
            continue
        if op.part >= 0:  # a delayed effect, in which the chosen object is in register 0
            sign = sign_of_choice(s, text.subprogram_for(op.part, text.you), 0)
        elif isinstance(op.node, w.Swap):
            sign = NEITHER
        else:
            sign = effect_sign(s, text, op)
        if sign:
            return sign
    return NEITHER
