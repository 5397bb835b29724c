"""A compiled sentence: what the engine keeps of an ability while it is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.each_player import choosing_position
from dicemasters.game.abilities.expressions import ALWAYS, ANYTHING, ZERO, ConditionExpr, Predicate, Quantity
from dicemasters.game.abilities.selectors import Selector
from dicemasters.game.state.constants import USED


class SelectionSpec:
    """Compiled selection."""

    __slots__ = (
        "assigns_blocker",
        "breaks_tie",
        "by",
        "by_controller",
        "by_turn",
        "fields",
        "group",
        "has_extra_requirements",
        "is_captor",
        "is_reference_only",
        "least",
        "most",
        "records_controller",
        "redirects",
        "register",
        "retargets",
        "spin_level",
        "spins",
        "symbol",
        "target",
        "uses",
        "within",
    )

    def __init__(self, select: w.Select, group: Selector, register: int, spins: int | None = None) -> None:
        self.within: int = select.within
        self.group = group
        self.least: int = select.least
        self.most: int = select.most
        self.target: bool = select.target
        self.breaks_tie: bool = select.where.op == "cheapest"  # the text names the die, so nobody is targeted
        self.by: str = select.by
        self.by_turn: int = choosing_position(select.by)
        self.register: int = register
        self.spins: bool = spins == 0  # choosing a die to spin either way chooses the way too
        self.is_reference_only: bool = False  # nothing is done to it: the text looks at it, or copies it
        self.symbol: str = ""  # the energy it will be spun to: it must have such a face
        self.redirects: bool = False  # the damage asked about must be able to go there
        self.retargets: bool = False  # it becomes the target of the effect asked about
        self.uses: bool = False  # an action die to be used must be able to do something
        self.fields: bool = False  # a die to be fielded must be able to be
        self.assigns_blocker: bool = False  # a die that is assigned to block must be able to
        self.spin_level: Quantity | None = None  # where the first effect is a cost: it must not be on this level yet
        self.records_controller: bool = False  # whoever controls what is chosen is asked later
        self.by_controller: bool = False  # whoever was asked so chooses
        self.is_captor: bool = False  # it will hold what the text captures or takes control of
        self.has_extra_requirements: bool = USED in self.group.places  # what fits is not all that it needs to be chosen


class Instruction:
    """One operation of a program."""

    __slots__ = (
        "affectable",
        "amount",
        "amount2",
        "choice",
        "condition",
        "depends_on_previous",
        "group",
        "group2",
        "is_cost",
        "jump",
        "name",
        "need",
        "node",
        "part",
        "part_of",
        "parts",
        "player_choices",
        "registers",
        "rule",
    )

    def __init__(self, name: str, node: object = None) -> None:
        self.name: str = name
        self.node: object = node
        self.group: Selector | None = None
        self.group2: Selector | None = None
        self.choice: SelectionSpec | None = None
        self.registers: tuple[int, ...] = ()  # of an "unless": the choices it waits for; of a capture: the captor's
        self.part: int = -1  # a sentence of its own that this operation starts or leaves for later
        self.part_of: w.Ability | None = None
        self.parts: list[tuple[Selector, Quantity, Selector | None]] = []  # of damage: to whom, how much, from whom
        self.amount: Quantity = ZERO
        self.amount2: Quantity = ZERO
        self.condition: ConditionExpr = ALWAYS
        self.rule: int = -1
        self.is_cost: bool = False  # a part of paying: cannot be avoided or redirected (rules 5.1)
        self.affectable: list[Selector] = []  # whom it could do something to
        self.player_choices: list[
            SelectionSpec
        ] = []  # it is done to what each player has chosen, or to all others: their choices
        self.depends_on_previous: bool = False  # it is about what something before it draws, moves or does
        self.jump: int = 0
        self.need: CompiledCost = NO_NEED


class CompiledCost:
    """What a cost asks for: energy by type, any energy, and choices that must have candidates."""

    __slots__ = (
        "affectable",
        "choices",
        "copies_action",
        "effect_instructions",
        "energy",
        "life",
        "otherwise",
        "price",
        "price_options",
    )

    def __init__(self, cost: w.Cost | None) -> None:
        self.price: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # by type, and in all
        self.energy: int = 0
        self.life: int = 0
        self.choices: list[SelectionSpec] = []
        self.affectable: list[Selector] = []  # each must mean somebody, where nothing is chosen
        self.effect_instructions: list[
            Instruction
        ] = []  # of what may be done: one must be able to do something (rules 5.3c)
        self.otherwise: list[Instruction] = []  # what happens if an "unless" is paid
        self.copies_action: bool = False  # what may be done is a copy of an action just used
        self.price_options: list[tuple[int, int, int, int, int]] = []  # of "up to": the prices there are to choose from
        if cost is not None:
            counts = [0, 0, 0, 0]
            for symbol in cost.energy:
                if symbol.isdigit():
                    self.energy += int(symbol)
                else:
                    counts[w.TYPES.index(symbol)] += 1
                    self.energy += 1
            self.price = (counts[0], counts[1], counts[2], counts[3], self.energy)
            if cost.up_to:
                self.price_options = [CompiledCost(w.Cost(cost.energy[: i + 1])).price for i in range(len(cost.energy))]
                self.price, self.energy = self.price_options[0], 1
            for effect in cost.effects:
                if isinstance(effect, w.Life) and isinstance(effect.amount, int):
                    self.life -= effect.amount


@dataclass(frozen=True, slots=True)
class StaticRule:
    """A rule of a card, ready to be asked."""

    word: str
    who: Predicate
    a: Quantity
    d: Quantity
    by: Predicate | None
    text: str
    index: int


class Program:
    """What a sentence does: its operations, and what must be there for it to be started by choice."""

    __slots__ = (
        "by_die",
        "consumed",
        "decisive_quantities",
        "effect_instructions",
        "is_discount_only",
        "is_single_choice",
        "ops",
        "optional",
        "registers",
        "required_choices",
    )

    def __init__(self) -> None:
        self.ops: list[Instruction] = []
        self.registers: int = 0
        self.required_choices: list[SelectionSpec] = []  # each must have something to choose (rules 5.3c)
        self.effect_instructions: list[Instruction] = []  # without choices: one of these must be able to do something
        self.optional: bool = False
        self.is_single_choice: bool = False  # one choice is all it needs
        self.by_die: bool = False  # all it does needs the die whose text it is: gone, it does nothing
        self.is_discount_only: bool = (
            False  # all it does is to make dice cheaper to buy, or to field, which one does on one's own turn
        )
        self.decisive_quantities: list[
            Quantity
        ] = []  # all it does is so much of something: with every count at 0 it does nothing
        # choices of dice that are not there for a second use: they go "away", out of the "attack", or "up" or "down" a level
        self.consumed: list[tuple[SelectionSpec, str]] = []


class CompiledAbility:
    """A compiled ability of a card at this table."""

    __slots__ = (
        "ability",
        "card",
        "condition",
        "crosses",
        "event",
        "fights",
        "first",
        "has_deferred_condition",
        "index",
        "is_per_recipient",
        "keyword",
        "kind",
        "lift",
        "limit",
        "names_met",
        "names_other",
        "need",
        "of_itself",
        "origin",
        "other",
        "own_turn",
        "parent",
        "position",
        "programs",
        "reads_itself",
        "reads_numbers",
        "rules",
        "scope",
        "self_only",
        "spreads",
        "who",
        "whole_source",
    )

    def __init__(self, index: int, card: int, position: int, ability: w.Ability) -> None:
        self.index = index
        self.card = card
        self.position = position
        self.ability = ability
        self.kind: str = ability.kind
        self.origin: str = ability.kind  # of a part of another sentence: that one's kind
        self.parent: w.Ability = ability  # of a part: the ability it belongs to
        self.scope: str = ability.scope
        self.keyword: str = ability.keyword
        self.limit: str = ability.limit
        self.own_turn: bool = ability.own_turn
        self.event: str = "" if ability.event is None else ability.event.word
        self.who: Predicate = ANYTHING
        self.other: Predicate | None = None
        # what it waits for is about its own dice
        self.of_itself: bool = ability.event is not None and ability.event.who in (w.this, w.this_card)
        self.self_only: bool = ability.event is not None and ability.event.who == w.this
        self.is_per_recipient: bool = False  # it speaks of whom the damage went to, so it is set off for each of them
        self.condition: ConditionExpr | None = None
        self.has_deferred_condition: bool = False
        self.reads_itself: bool = False  # it speaks of A or D of its own die, which may have left when its turn comes
        self.reads_numbers: bool = False  # it speaks of A, D or level of some die
        self.names_other: bool = False  # it speaks of the event's other die
        self.names_met: bool = False  # it speaks of those its die has met
        self.need: CompiledCost = CompiledCost(ability.cost)
        self.lift: CompiledCost | None = None if ability.lifted_by is None else CompiledCost(ability.lifted_by)
        self.programs: tuple[Program, ...] = ()
        self.rules: tuple[list[StaticRule], ...] = ()
        self.crosses: bool = False  # redirects from players to dice or back
        self.whole_source: bool = False  # asked once for each source of damage
        self.spreads: bool = False  # prevents what was paid for, from whatever source it comes
        self.fights: bool = False  # about attacking, blocking or being blocked
        self.first: int = 0  # it speaks of the first so much damage of the turn


NO_NEED: Final = CompiledCost(None)
# operations that only ask or decide what comes next
CONTROL_OPS: Final = frozenset(("choose", "may", "unless", "if", "jump", "done", "one of"))
