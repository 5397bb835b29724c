"""Texts as whoever judges them reads them: the one that asks, its operations, and whom each of them would reach.

Nothing is tried out here, so nothing is known of dice to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS
from dicemasters.cards.language.semantics import walk
from dicemasters.game.abilities.compiler import mentions_any as speaks_in
from dicemasters.game.abilities.program import CONTROL_OPS, CompiledCost
from dicemasters.game.abilities.program import Instruction as Instruction
from dicemasters.game.abilities.program import SelectionSpec as SelectionSpec
from dicemasters.game.abilities.selectors import Selector, select
from dicemasters.game.effects.feasibility import copied_action_abilities
from dicemasters.game.effects.feasibility import legal_targets as legal_targets
from dicemasters.game.effects.operands import current_instruction as current_instruction
from dicemasters.game.effects.targeting import choosing_seat
from dicemasters.game.queries import die_identity, static_rules
from dicemasters.game.state.constants import PLAYER, RESERVE
from dicemasters.game.state.frames import AbilityFrame, RetargetFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN

AbilityText = AbilityFrame  # an ability at work: which one, for whom, of which die, how far it has come


def text_of(ability: int, you: int, this: int = NOBODY, burst: int = 0) -> AbilityText:
    """Give an ability ready to be judged: for whom, of which die, with how many bursts."""
    return static_rules.ability_context(ability, you, this, burst=burst)


def texts_of_use(s: State, d: int, you: int) -> list[AbilityText]:
    """List the texts that using an action die carries out now; what waits for an event is none of them."""
    shown = static_rules.burst(s, d)
    uses = s.spec.uses[s.spec.card_of[d]]
    return [static_rules.ability_context(x.index, you, d, burst=shown) for x in uses if not x.event]


def texts_inside(s: State, text: AbilityText, op: Instruction) -> list[AbilityText]:
    """List the texts an operation carries out or leaves for later: parts of its own, or that of an action die."""
    if op.part >= 0:
        seats = range(s.spec.n_seats) if op.name == "each player" else (text.you,)
        return [text.subprogram_for(op.part, you) for you in seats]
    if op.name == "use copy":
        return copied_action_abilities(s, text)
    if op.name == "use":
        dice = [d for aim in aims(s, text, op) for d in aim.who]
        used = [
            static_rules.ability_context(x.index, text.you, d) for d in dice for x in s.spec.uses[s.spec.card_of[d]]
        ]
        return [x for x in used if all(inner.name != "use" for inner in operations(s, x))]  # not round and round
    return []


def text_to_aim_anew(s: State) -> tuple[AbilityText, int] | None:
    """Give the text whose target may be changed now, and the number of that choice."""
    for chooser, above in zip(s.stack, s.stack[1:], strict=False):
        if isinstance(above, RetargetFrame):
            assert isinstance(chooser, AbilityFrame)
            return chooser, above.register
    return None


def operations(s: State, text: AbilityText) -> list[Instruction]:
    """List all that a text does, in order."""
    return s.spec.abilities[text.ability].programs[text.burst].ops


def is_question(op: Instruction) -> bool:
    """Tell whether an operation only asks or decides what comes next."""
    return op.name in CONTROL_OPS


def lasting_abilities(s: State, card: int) -> Iterator[tuple[w.Ability, list[Instruction]]]:
    """Give what an action die of a card does while it lies somewhere: each ability with its operations."""
    for sentence in s.spec.abilities:
        if sentence.card == card and sentence.scope == "field":
            yield sentence.ability, [op for program in sentence.programs[:1] for op in program.ops]


def text_interrupted(s: State) -> AbilityText | None:
    """Give the text that is held up while the one under way asks whether somebody is spared."""
    below = s.stack[-2] if len(s.stack) > 1 else None
    return below if isinstance(below, AbilityFrame) else None


def brings_attacker(s: State, d: int) -> bool:
    """Tell whether using an action die takes control of somebody, who can then attack."""
    uses = s.spec.uses[s.spec.card_of[d]]
    return any(isinstance(effect, w.TakeControl) for x in uses for effect in x.ability.effects)


def is_attached_against_opponent(s: State, card: int) -> bool:
    """Tell whether an action die that lies on a card speaks there of the opponent's dice of that card."""
    found = [part for ability, _ in lasting_abilities(s, card) for part in walk(ability) if isinstance(part, w.Where)]
    return any(
        where.op == "and" and speaks_in(where, "of its card") and speaks_in(where, "opposing") for where in found
    )


def texts_that_name(s: State, text: AbilityText, word: str) -> list[AbilityText]:
    """List the abilities of a text's card that speak of what a card has named."""
    card = s.spec.abilities[text.ability].card
    found = [x for x in s.spec.abilities if x.card == card and word in repr(x.ability)]
    return [static_rules.ability_context(x.index, text.you, text.this) for x in found]


def global_prices(s: State) -> list[tuple[int, int, int, int, int]]:
    """List all that Globals at the table ask for, to be used and on the way."""
    found = [x for x in s.spec.abilities if x.origin == "global"]
    return [x.need.price for x in found] + [op.need.price for x in found for op in x.programs[0].ops]


def energy_cost_of(s: State, ability: int) -> int:
    """Give how much energy using an ability costs."""
    return s.spec.abilities[ability].need.energy


# --- what it takes from whom it is asked of ----------------------------------------------------------------------------


def unavoidable_life_loss(s: State, text: AbilityText, seat: int) -> int:
    """Give how much life a text takes from a seat's side with nothing to choose, its price included."""
    paying, mine, taken = text.with_payer(seat), PLAYER + (seat & 1), 0
    for op in operations(s, text):
        if isinstance(op.node, w.Life) and mine in selected_now(s, paying, op):
            taken -= min(0, op.amount.evaluate(s, paying))
        for group, amount, _ in op.parts:
            if not group.registers and mine in select(s, group, paying):
                taken += amount.evaluate(s, paying)
    return taken


def dice_for_cost(s: State, text: AbilityText, need: CompiledCost, seat: int) -> list[int]:
    """List the dice a seat could give for a price."""
    paying = text.with_payer(seat)
    return [d for choice in need.choices for d in legal_targets(s, paying, choice)]


def dice_to_lift(s: State, ability: int, of: int, seat: int) -> list[int]:
    """List the dice a seat could give to lift a player's ban."""
    need = s.spec.abilities[ability].lift
    return [] if need is None else dice_for_cost(s, text_of(ability, of), need, seat)


def ban_bears_on(s: State, ability: int, of: int, seat: int) -> bool:
    """Tell whether a player's ban bears on a seat now: on whoever sits there, or on a character in the Reserve Pool."""
    t, text = s.spec, text_of(ability, of)
    dice = [d for d in s.dice_in(RESERVE, seat) if t.kinds[t.face_base[d] + s.face[d]] == die_identity.CHARACTER]
    return any(
        rule.who.matches(s, x, text) for rule in t.abilities[ability].rules[0] for x in (*dice, PLAYER + (seat & 1))
    )


# --- whom an operation reaches ---------------------------------------------------------------------------------------


class EffectTargets(NamedTuple):
    """Whom an operation reaches, or those of whom it reaches some, and who chooses ("" for all of them)."""

    who: list[int]
    by: str


def aims(s: State, text: AbilityText, op: Instruction) -> Iterator[EffectTargets]:
    """Give whom an operation would reach, part by part."""
    whom = _reaches(op)
    if whom == "event":
        yield EffectTargets([text.event.die] if text.event.die != NOBODY else [], "")
        return
    if whom == "user":
        yield EffectTargets([PLAYER + (text.you & 1)], "")
        return
    if whom == "controlled":
        yield EffectTargets([h.die for h in s.holdings if h.kind == "control"], "")
        return
    if op.name == "turn rule":
        yield EffectTargets(_ruled(s, text, op), "")
        return
    for group in _groups(op):
        if group.refs is not None and group.registers:
            for n in group.registers:
                yield from _chosen(s, text, n)
        elif group.depends:
            yield EffectTargets([PLAYER + (text.you & 1)], "")
        elif group.registers:  # those that are left when others have been chosen
            yield EffectTargets(
                _each(x for made in _supposed(s, text, group.registers) for x in select(s, group, made)), "you"
            )
        else:
            yield EffectTargets(select(s, group, text), "")


def _reaches(op: Instruction) -> str:
    """Give whom an operation reaches that names nobody, as the row of its word says."""
    row = EFFECTS.get(type(op.node).__name__)
    return row.reaches if row is not None else ""


def _groups(op: Instruction) -> list[Selector]:
    if op.parts:
        return [group for group, _, _ in op.parts]
    return [group for group in (op.group, op.group2) if group is not None]


def _ruled(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """List whom a rule for dice to come would concern."""
    rule = s.spec.rules[op.registers[0] if op.registers else op.rule]
    things = [d for d in range(s.spec.n_dice) if s.owner[d] != NOBODY]
    return [x for x in (*things, PLAYER, PLAYER + 1) if rule.who.matches(s, x, text)]


def _chosen(s: State, text: AbilityText, n: int) -> Iterator[EffectTargets]:
    if n < len(text.chosen):
        yield EffectTargets([x & (SPIN_DOWN - 1) for x in text.chosen[n]], "")
        return
    for choice, dice in _choices(s, text, n):
        yield EffectTargets(_choosable(s, text, choice, dice), "opponent" if _is_across(s, text, choice) else "you")


def _is_across(s: State, text: AbilityText, choice: SelectionSpec) -> bool:
    """Tell whether somebody of the other side makes the choice."""
    if choice.by_turn >= 0:
        return (choosing_seat(s, text, choice) ^ text.you) & 1 == 1
    return choice.by == "opponent"


def _choices(s: State, text: AbilityText, n: int) -> list[tuple[SelectionSpec, w.Select]]:
    """List where a text makes its choice of this number, each with the words for it."""
    found = [(op.choice, op.node) for op in operations(s, text)]
    return [(choice, node) for choice, node in found if isinstance(node, w.Select) and choice and choice.register == n]


def _choosable(s: State, text: AbilityText, choice: SelectionSpec, select: w.Select) -> list[int]:
    """List all that could come to be chosen, whatever is chosen before it; what is drawn is the player's own."""
    if speaks_in(select.where, "drawn", "just moved"):
        return [PLAYER + (text.you & 1)]
    return _each(x for made in _supposed(s, text, choice.group.registers) for x in legal_targets(s, made, choice))


def _supposed(s: State, text: AbilityText, registers: tuple[int, ...]) -> Iterator[AbilityText]:
    """Give a text with these choices made, in every way in which one die each could be chosen."""
    n = len(text.chosen)
    if all(register < n for register in registers):
        yield text
        return
    who = [x for choice, select in _choices(s, text, n) for x in _choosable(s, text, choice, select)]
    ways: list[tuple[int, ...]] = [(x,) for x in who] or [()]
    for picked in ways:
        yield from _supposed(s, text.with_chosen((*text.chosen, picked)), registers)


def _each(found: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(found))


def has_no_selector(op: Instruction) -> bool:
    """Tell whether an operation names no dice or players at all."""
    return _reaches(op) == "user" or not _groups(op)


def is_about_choice(op: Instruction, register: int) -> bool:
    """Tell whether an operation is about what was chosen in this choice of its text."""
    return any(group.refs is not None and register in group.registers for group in _groups(op))


def selected_now(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """List the dice and players an operation means now."""
    return select(s, op.group, text) if op.group is not None else []


def amounts(s: State, text: AbilityText, op: Instruction) -> tuple[int, int]:
    """Give the two numbers of an operation as they are now: how much, or A and D."""
    return op.amount.evaluate(s, text), op.amount2.evaluate(s, text)


def zones(s: State, text: AbilityText, op: Instruction) -> tuple[int, ...]:
    """Give where the dice lie that an operation moves or turns."""
    group = op.group
    if group is None:
        return ()
    for made in operations(s, text):
        if made.choice is not None and made.choice.register in group.registers:
            return made.choice.group.places
    if group.refs is not None:
        return tuple(s.place[d] >> 2 for d in group.refs.resolve(s, text) if d < PLAYER)
    return group.places
