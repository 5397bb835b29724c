"""Texts as whoever judges them reads them: the one that asks, its operations, and whom each of them would reach.

Nothing is tried out here, so nothing is known of dice to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS
from dicemasters.cards.language.semantics import walk
from dicemasters.game.abilities.compiler import mentions_any
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
    burst = static_rules.burst(s, d)
    uses = s.spec.uses[s.spec.card_of[d]]
    return [static_rules.ability_context(x.index, you, d, burst=burst) for x in uses if not x.event]


def nested_texts(s: State, text: AbilityText, op: Instruction) -> list[AbilityText]:
    """List the texts an operation carries out or leaves for later: parts of its own, or that of an action die."""
    if op.part >= 0:
        seats = range(s.spec.n_seats) if op.name == "each player" else (text.you,)
        return [text.subprogram_for(op.part, you) for you in seats]
    if op.name == "use copy":
        return copied_action_abilities(s, text)
    if op.name == "use":
        dice = [d for aim in effect_targets(s, text, op) for d in aim.targets]
        texts = [
            static_rules.ability_context(x.index, text.you, d) for d in dice for x in s.spec.uses[s.spec.card_of[d]]
        ]
        return [x for x in texts if all(inner.name != "use" for inner in operations(s, x))]  # not round and round
    return []


def retargetable_text(s: State) -> tuple[AbilityText, int] | None:
    """Give the text whose target may be changed now, and the number of that choice."""
    for frame, above in zip(s.stack, s.stack[1:], strict=False):
        if isinstance(above, RetargetFrame):
            assert isinstance(frame, AbilityFrame)
            return frame, above.register
    return None


def operations(s: State, text: AbilityText) -> list[Instruction]:
    """List all that a text does, in order."""
    return s.spec.abilities[text.ability].programs[text.burst].ops


def is_question(op: Instruction) -> bool:
    """Tell whether an operation only asks or decides what comes next."""
    return op.name in CONTROL_OPS


def lasting_abilities(s: State, card: int) -> Iterator[tuple[w.Ability, list[Instruction]]]:
    """Give what an action die of a card does while it lies somewhere: each ability with its operations."""
    for compiled in s.spec.abilities:
        if compiled.card == card and compiled.scope == "field":
            yield compiled.ability, [op for program in compiled.programs[:1] for op in program.ops]


def interrupted_text(s: State) -> AbilityText | None:
    """Give the text that is held up while the one under way asks whether somebody is spared."""
    interrupted = s.stack[-2] if len(s.stack) > 1 else None
    return interrupted if isinstance(interrupted, AbilityFrame) else None


def takes_control_on_use(s: State, d: int) -> bool:
    """Tell whether using an action die takes control of somebody, who can then attack."""
    uses = s.spec.uses[s.spec.card_of[d]]
    return any(isinstance(effect, w.TakeControl) for x in uses for effect in x.ability.effects)


def is_attached_against_opponent(s: State, card: int) -> bool:
    """Tell whether an action die that lies on a card speaks there of the opponent's dice of that card."""
    wheres = [part for ability, _ in lasting_abilities(s, card) for part in walk(ability) if isinstance(part, w.Where)]
    return any(
        where.op == "and" and mentions_any(where, "of its card") and mentions_any(where, "opposing") for where in wheres
    )


def texts_that_name(s: State, text: AbilityText, word: str) -> list[AbilityText]:
    """List the abilities of a text's card that speak of what a card has named."""
    card = s.spec.abilities[text.ability].card
    abilities = [x for x in s.spec.abilities if x.card == card and word in repr(x.ability)]
    return [static_rules.ability_context(x.index, text.you, text.this) for x in abilities]


def global_prices(s: State) -> list[tuple[int, int, int, int, int]]:
    """List all that Globals at the table ask for, to be used and on the way."""
    abilities = [x for x in s.spec.abilities if x.origin == "global"]
    return [x.need.price for x in abilities] + [op.need.price for x in abilities for op in x.programs[0].ops]


def energy_cost_of(s: State, ability: int) -> int:
    """Give how much energy using an ability costs."""
    return s.spec.abilities[ability].need.energy


# --- what it takes from whom it is asked of ----------------------------------------------------------------------------


def unavoidable_life_loss(s: State, text: AbilityText, seat: int) -> int:
    """Give how much life a text takes from a seat's side with nothing to choose, its price included."""
    ctx, player, loss = text.with_payer(seat), PLAYER + (seat & 1), 0
    for op in operations(s, text):
        if isinstance(op.node, w.Life) and player in selected_now(s, ctx, op):
            loss -= min(0, op.amount.evaluate(s, ctx))
        for selector, amount, _ in op.parts:
            if not selector.registers and player in select(s, selector, ctx):
                loss += amount.evaluate(s, ctx)
    return loss


def dice_for_cost(s: State, text: AbilityText, cost: CompiledCost, seat: int) -> list[int]:
    """List the dice a seat could give for a price."""
    ctx = text.with_payer(seat)
    return [d for choice in cost.choices for d in legal_targets(s, ctx, choice)]


def dice_to_lift(s: State, ability: int, owner: int, seat: int) -> list[int]:
    """List the dice a seat could give to lift a player's ban."""
    cost = s.spec.abilities[ability].lift
    return [] if cost is None else dice_for_cost(s, text_of(ability, owner), cost, seat)


def ban_affects(s: State, ability: int, owner: int, seat: int) -> bool:
    """Tell whether a player's ban bears on a seat now: on whoever sits there, or on a character in the Reserve Pool."""
    spec, text = s.spec, text_of(ability, owner)
    dice = [d for d in s.dice_in(RESERVE, seat) if spec.kinds[spec.face_base[d] + s.face[d]] == die_identity.CHARACTER]
    return any(
        rule.who.matches(s, x, text) for rule in spec.abilities[ability].rules[0] for x in (*dice, PLAYER + (seat & 1))
    )


# --- whom an operation reaches ---------------------------------------------------------------------------------------


class EffectTargets(NamedTuple):
    """Whom an operation reaches, or those of whom it reaches some, and who chooses ("" for all of them)."""

    targets: list[int]
    chooser: str


def effect_targets(s: State, text: AbilityText, op: Instruction) -> Iterator[EffectTargets]:
    """Give whom an operation would reach, part by part."""
    reach = _implicit_targets(op)
    if reach == "event":
        yield EffectTargets([text.event.die] if text.event.die != NOBODY else [], "")
        return
    if reach == "user":
        yield EffectTargets([PLAYER + (text.you & 1)], "")
        return
    if reach == "controlled":
        yield EffectTargets([holding.die for holding in s.holdings if holding.kind == "control"], "")
        return
    if op.name == "turn rule":
        yield EffectTargets(_targets_of_turn_rule(s, text, op), "")
        return
    for selector in _selectors(op):
        if selector.refs is not None and selector.registers:
            for n in selector.registers:
                yield from _chosen_targets(s, text, n)
        elif selector.depends:
            yield EffectTargets([PLAYER + (text.you & 1)], "")
        elif selector.registers:  # those that are left when others have been chosen
            yield EffectTargets(
                _unique(
                    x for ctx in _hypothetical_choices(s, text, selector.registers) for x in select(s, selector, ctx)
                ),
                "you",
            )
        else:
            yield EffectTargets(select(s, selector, text), "")


def _implicit_targets(op: Instruction) -> str:
    """Give whom an operation reaches that names nobody, as the row of its word says."""
    row = EFFECTS.get(type(op.node).__name__)
    return row.reaches if row is not None else ""


def _selectors(op: Instruction) -> list[Selector]:
    if op.parts:
        return [selector for selector, _, _ in op.parts]
    return [selector for selector in (op.group, op.group2) if selector is not None]


def _targets_of_turn_rule(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """List whom a rule for dice to come would concern."""
    rule = s.spec.rules[op.registers[0] if op.registers else op.rule]
    dice = [d for d in range(s.spec.n_dice) if s.owner[d] != NOBODY]
    return [x for x in (*dice, PLAYER, PLAYER + 1) if rule.who.matches(s, x, text)]


def _chosen_targets(s: State, text: AbilityText, n: int) -> Iterator[EffectTargets]:
    if n < len(text.chosen):
        yield EffectTargets([x & (SPIN_DOWN - 1) for x in text.chosen[n]], "")
        return
    for choice, dice in _selections(s, text, n):
        yield EffectTargets(
            _candidates(s, text, choice, dice), "opponent" if _is_opponents_choice(s, text, choice) else "you"
        )


def _is_opponents_choice(s: State, text: AbilityText, choice: SelectionSpec) -> bool:
    """Tell whether somebody of the other side makes the choice."""
    if choice.by_turn >= 0:
        return (choosing_seat(s, text, choice) ^ text.you) & 1 == 1
    return choice.by == "opponent"


def _selections(s: State, text: AbilityText, n: int) -> list[tuple[SelectionSpec, w.Select]]:
    """List where a text makes its choice of this number, each with the words for it."""
    choices = [(op.choice, op.node) for op in operations(s, text)]
    return [
        (choice, node) for choice, node in choices if isinstance(node, w.Select) and choice and choice.register == n
    ]


def _candidates(s: State, text: AbilityText, choice: SelectionSpec, select: w.Select) -> list[int]:
    """List all that could come to be chosen, whatever is chosen before it; what is drawn is the player's own."""
    if mentions_any(select.where, "drawn", "just moved"):
        return [PLAYER + (text.you & 1)]
    return _unique(
        x for ctx in _hypothetical_choices(s, text, choice.group.registers) for x in legal_targets(s, ctx, choice)
    )


def _hypothetical_choices(s: State, text: AbilityText, registers: tuple[int, ...]) -> Iterator[AbilityText]:
    """Give a text with these choices made, in every way in which one die each could be chosen."""
    n = len(text.chosen)
    if all(register < n for register in registers):
        yield text
        return
    candidates = [x for choice, select in _selections(s, text, n) for x in _candidates(s, text, choice, select)]
    picks: list[tuple[int, ...]] = [(x,) for x in candidates] or [()]
    for picked in picks:
        yield from _hypothetical_choices(s, text.with_chosen((*text.chosen, picked)), registers)


def _unique(numbers: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(numbers))


def has_no_selector(op: Instruction) -> bool:
    """Tell whether an operation names no dice or players at all."""
    return _implicit_targets(op) == "user" or not _selectors(op)


def is_about_choice(op: Instruction, register: int) -> bool:
    """Tell whether an operation is about what was chosen in this choice of its text."""
    return any(selector.refs is not None and register in selector.registers for selector in _selectors(op))


def selected_now(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """List the dice and players an operation means now."""
    return select(s, op.group, text) if op.group is not None else []


def amounts(s: State, text: AbilityText, op: Instruction) -> tuple[int, int]:
    """Give the two numbers of an operation as they are now: how much, or A and D."""
    return op.amount.evaluate(s, text), op.amount2.evaluate(s, text)


def zones(s: State, text: AbilityText, op: Instruction) -> tuple[int, ...]:
    """Give where the dice lie that an operation moves or turns."""
    selector = op.group
    if selector is None:
        return ()
    for other in operations(s, text):
        if other.choice is not None and other.choice.register in selector.registers:
            return other.choice.group.places
    if selector.refs is not None:
        return tuple(s.place[d] >> 2 for d in selector.refs.resolve(s, text) if d < PLAYER)
    return selector.places
