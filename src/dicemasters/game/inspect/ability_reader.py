"""Static analysis of abilities for bots: their instructions, and the dice and players each would affect.

Nothing is simulated, so nothing is revealed about future dice.
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

AbilityText = AbilityFrame  # an ability with its controller, its die and its progress


def text_of(ability: int, you: int, this: int = NOBODY, burst: int = 0) -> AbilityText:
    """Return an ability with a controller, die and burst, ready to be analysed."""
    return static_rules.ability_context(ability, you, this, burst=burst)


def texts_of_use(s: State, d: int, you: int) -> list[AbilityText]:
    """Return the abilities that using an action die would run now, without those that wait for an event."""
    burst = static_rules.burst(s, d)
    uses = s.spec.uses[s.spec.card_of[d]]
    return [static_rules.ability_context(x.index, you, d, burst=burst) for x in uses if not x.event]


def nested_texts(s: State, text: AbilityText, op: Instruction) -> list[AbilityText]:
    """Return the abilities that an instruction runs or defers: its own parts, or those of an action die it uses."""
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
        # excludes texts that use action dice again, which could recurse forever
        return [x for x in texts if all(inner.name != "use" for inner in operations(s, x))]
    return []


def retargetable_text(s: State) -> tuple[AbilityText, int] | None:
    """Return the ability whose target may be changed now, and the register of that choice, or None."""
    for frame, above in zip(s.stack, s.stack[1:], strict=False):
        if isinstance(above, RetargetFrame):
            assert isinstance(frame, AbilityFrame)
            return frame, above.register
    return None


def operations(s: State, text: AbilityText) -> list[Instruction]:
    """Return the instructions of an ability, in order."""
    return s.spec.abilities[text.ability].programs[text.burst].ops


def is_question(op: Instruction) -> bool:
    """Return whether an instruction only asks a question or controls the flow."""
    return op.name in CONTROL_OPS


def lasting_abilities(s: State, card: int) -> Iterator[tuple[w.Ability, list[Instruction]]]:
    """Yield the abilities an action die of the card has while it is in play, each with its instructions."""
    for compiled in s.spec.abilities:
        if compiled.card == card and compiled.scope == "field":
            yield compiled.ability, [op for program in compiled.programs[:1] for op in program.ops]


def interrupted_text(s: State) -> AbilityText | None:
    """Return the ability interrupted by the current one, which asks whether a die is exempt from it, or None."""
    interrupted = s.stack[-2] if len(s.stack) > 1 else None
    return interrupted if isinstance(interrupted, AbilityFrame) else None


def takes_control_on_use(s: State, d: int) -> bool:
    """Return whether using an action die takes control of a die, which could then attack."""
    uses = s.spec.uses[s.spec.card_of[d]]
    return any(isinstance(effect, w.TakeControl) for x in uses for effect in x.ability.effects)


def is_attached_against_opponent(s: State, card: int) -> bool:
    """Return whether an action die attached to a card affects the opponent's dice of that card."""
    wheres = [part for ability, _ in lasting_abilities(s, card) for part in walk(ability) if isinstance(part, w.Where)]
    return any(
        where.op == "and" and mentions_any(where, "of its card") and mentions_any(where, "opposing") for where in wheres
    )


def texts_that_name(s: State, text: AbilityText, word: str) -> list[AbilityText]:
    """Return the abilities of a text's card that contain a word about the named type, affiliation or card."""
    card = s.spec.abilities[text.ability].card
    abilities = [x for x in s.spec.abilities if x.card == card and word in repr(x.ability)]
    return [static_rules.ability_context(x.index, text.you, text.this) for x in abilities]


def global_prices(s: State) -> list[tuple[int, int, int, int, int]]:
    """Return all prices of Globals in the game, for using them and within their effects."""
    abilities = [x for x in s.spec.abilities if x.origin == "global"]
    return [x.need.price for x in abilities] + [op.need.price for x in abilities for op in x.programs[0].ops]


def energy_cost_of(s: State, ability: int) -> int:
    """Return the energy it costs to use an ability."""
    return s.spec.abilities[ability].need.energy


# --- costs -----------------------------------------------------------------------------------------------------------


def unavoidable_life_loss(s: State, text: AbilityText, seat: int) -> int:
    """Return the life that an ability takes from a seat's side without any choice, including its cost."""
    ctx, player, loss = text.with_payer(seat), PLAYER + (seat & 1), 0
    for op in operations(s, text):
        if isinstance(op.node, w.Life) and player in selected_now(s, ctx, op):
            loss -= min(0, op.amount.evaluate(s, ctx))
        for selector, amount, _ in op.parts:
            if not selector.registers and player in select(s, selector, ctx):
                loss += amount.evaluate(s, ctx)
    return loss


def dice_for_cost(s: State, text: AbilityText, cost: CompiledCost, seat: int) -> list[int]:
    """Return the dice a seat could give up for a cost."""
    ctx = text.with_payer(seat)
    return [d for choice in cost.choices for d in legal_targets(s, ctx, choice)]


def dice_to_lift(s: State, ability: int, owner: int, seat: int) -> list[int]:
    """Return the dice a seat could give up to lift a player's ban."""
    cost = s.spec.abilities[ability].lift
    return [] if cost is None else dice_for_cost(s, text_of(ability, owner), cost, seat)


def ban_affects(s: State, ability: int, owner: int, seat: int) -> bool:
    """Return whether a player's ban affects a seat now, either its player or a character in its reserve."""
    spec, text = s.spec, text_of(ability, owner)
    dice = [d for d in s.dice_in(RESERVE, seat) if spec.kinds[spec.face_base[d] + s.face[d]] == die_identity.CHARACTER]
    return any(
        rule.who.matches(s, x, text) for rule in spec.abilities[ability].rules[0] for x in (*dice, PLAYER + (seat & 1))
    )


# --- targets of an instruction ---------------------------------------------------------------------------------------


class EffectTargets(NamedTuple):
    """Targets of an instruction, or candidates if `chooser` ("you" or "opponent") picks some of them."""

    targets: list[int]
    chooser: str


def effect_targets(s: State, text: AbilityText, op: Instruction) -> Iterator[EffectTargets]:
    """Yield the dice and players an instruction would affect, one part at a time."""
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
        elif selector.registers:  # the dice that remain after others have been chosen
            yield EffectTargets(
                _unique(
                    x for ctx in _hypothetical_choices(s, text, selector.registers) for x in select(s, selector, ctx)
                ),
                "you",
            )
        else:
            yield EffectTargets(select(s, selector, text), "")


def _implicit_targets(op: Instruction) -> str:
    """Return the implicit targets of an instruction that names none, as declared by the metadata of its word."""
    row = EFFECTS.get(type(op.node).__name__)
    return row.implicit_recipient if row is not None else ""


def _selectors(op: Instruction) -> list[Selector]:
    """Return the selectors of an instruction."""
    if op.parts:
        return [selector for selector, _, _ in op.parts]
    return [selector for selector in (op.group, op.group2) if selector is not None]


def _targets_of_turn_rule(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """Return the dice and players that a rule for the turn would apply to."""
    rule = s.spec.rules[op.registers[0] if op.registers else op.rule]
    dice = [d for d in range(s.spec.n_dice) if s.owner[d] != NOBODY]
    return [x for x in (*dice, PLAYER, PLAYER + 1) if rule.who.matches(s, x, text)]


def _chosen_targets(s: State, text: AbilityText, n: int) -> Iterator[EffectTargets]:
    """Yield the targets of a choice: the chosen ones, or the candidates if it has not been made yet."""
    if n < len(text.chosen):
        yield EffectTargets([x & (SPIN_DOWN - 1) for x in text.chosen[n]], "")
        return
    for choice, dice in _selections(s, text, n):
        yield EffectTargets(
            _candidates(s, text, choice, dice), "opponent" if _is_opponents_choice(s, text, choice) else "you"
        )


def _is_opponents_choice(s: State, text: AbilityText, choice: SelectionSpec) -> bool:
    """Return whether a player of the other side makes the choice."""
    if choice.by_turn >= 0:
        return (choosing_seat(s, text, choice) ^ text.you) & 1 == 1
    return choice.by == "opponent"


def _selections(s: State, text: AbilityText, n: int) -> list[tuple[SelectionSpec, w.Select]]:
    """Return the choices of a text that fill this register, each with its words."""
    choices = [(op.choice, op.node) for op in operations(s, text)]
    return [
        (choice, node) for choice, node in choices if isinstance(node, w.Select) and choice and choice.register == n
    ]


def _candidates(s: State, text: AbilityText, choice: SelectionSpec, select: w.Select) -> list[int]:
    """Return everything that might be chosen, whatever earlier choices are made.

    Dice yet to be drawn are represented by the ability's player.
    """
    if mentions_any(select.where, "drawn", "just moved"):
        return [PLAYER + (text.you & 1)]
    return _unique(
        x for ctx in _hypothetical_choices(s, text, choice.group.registers) for x in legal_targets(s, ctx, choice)
    )


def _hypothetical_choices(s: State, text: AbilityText, registers: tuple[int, ...]) -> Iterator[AbilityText]:
    """Yield a text with these registers filled, once for every way of choosing one die or player each."""
    n = len(text.chosen)
    if all(register < n for register in registers):
        yield text
        return
    candidates = [x for choice, select in _selections(s, text, n) for x in _candidates(s, text, choice, select)]
    picks: list[tuple[int, ...]] = [(x,) for x in candidates] or [()]
    for picked in picks:
        yield from _hypothetical_choices(s, text.with_chosen((*text.chosen, picked)), registers)


def _unique(numbers: Iterable[int]) -> list[int]:
    """Return the numbers without duplicates, in order of first occurrence."""
    return list(dict.fromkeys(numbers))


def has_no_selector(op: Instruction) -> bool:
    """Return whether an instruction names no dice or players."""
    return _implicit_targets(op) == "user" or not _selectors(op)


def is_about_choice(op: Instruction, register: int) -> bool:
    """Return whether an instruction refers to the result of this choice of its text."""
    return any(selector.refs is not None and register in selector.registers for selector in _selectors(op))


def selected_now(s: State, text: AbilityText, op: Instruction) -> list[int]:
    """Return the dice and players an instruction selects now."""
    return select(s, op.group, text) if op.group is not None else []


def amounts(s: State, text: AbilityText, op: Instruction) -> tuple[int, int]:
    """Return both current amounts of an instruction: a single amount first, or A and D."""
    return op.amount.evaluate(s, text), op.amount2.evaluate(s, text)


def zones(s: State, text: AbilityText, op: Instruction) -> tuple[int, ...]:
    """Return the zones of the dice that an instruction moves or turns."""
    selector = op.group
    if selector is None:
        return ()
    for other in operations(s, text):
        if other.choice is not None and other.choice.register in selector.registers:
            return other.choice.group.places
    if selector.refs is not None:
        return tuple(s.place[d] >> 2 for d in selector.refs.resolve(s, text) if d < PLAYER)
    return selector.places
