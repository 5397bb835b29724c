"""Compiled abilities: programs, instructions, selections, costs and static rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.each_player import choosing_position
from dicemasters.game.abilities.expressions import ALWAYS, ANYTHING, ZERO, ConditionExpr, Predicate, Quantity
from dicemasters.game.abilities.selectors import Selector
from dicemasters.game.state.constants import USED


class SelectionSpec:
    """Compiled choice of dice or players."""

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
        self.breaks_tie: bool = select.where.op == "cheapest"  # the text determines the die, so nothing is targeted
        self.by: str = select.by
        self.by_turn: int = choosing_position(select.by)
        self.register: int = register
        self.spins: bool = spins == 0  # either direction is allowed, so it is chosen with the die
        self.is_reference_only: bool = False  # read or copied, but not affected (rules 5.3b)
        self.symbol: str = ""  # energy to spin to: the die must have such a face
        self.redirects: bool = False  # the pending damage is redirected to it, so that must be possible
        self.retargets: bool = False  # it becomes the target of the pending effect
        self.uses: bool = False  # the action die is used, so it must be usable
        self.fields: bool = False  # the die is fielded, so fielding it must be possible
        self.assigns_blocker: bool = False  # the die is assigned to block, so it must be able to
        self.spin_level: Quantity | None = None  # level of a spin that is a cost: the die must not be there yet
        self.records_controller: bool = False  # its controller makes a later choice
        self.by_controller: bool = False  # made by the controller recorded earlier
        self.is_captor: bool = False  # it will hold the captured or controlled die
        self.has_extra_requirements: bool = USED in self.group.places  # more than a match is needed


class Instruction:
    """One instruction of a program."""

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
        # unless: choices it depends on; capture and control: the captor; one of: first instruction of each mode;
        # turn rule: a rule for each energy type
        self.registers: tuple[int, ...] = ()
        self.part: int = -1  # index of the ability it starts or delays
        self.part_of: w.Ability | None = None
        self.parts: list[tuple[Selector, Quantity, Selector | None]] = []  # for damage: recipients, amount, sources
        self.amount: Quantity = ZERO
        self.amount2: Quantity = ZERO
        self.condition: ConditionExpr = ALWAYS
        self.rule: int = -1
        self.is_cost: bool = False  # part of a cost: cannot be avoided or redirected (rules 5.1b)
        self.affectable: list[Selector] = []  # dice and players it could affect
        self.player_choices: list[SelectionSpec] = []  # choices of all players: it affects these dice or the others
        self.depends_on_previous: bool = False  # it needs the result of an earlier instruction
        self.jump: int = 0
        self.need: CompiledCost = NO_NEED


class CompiledCost:
    """Compiled cost: energy by type, total energy, life, and choices that need candidates."""

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
        self.price: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # by type, then the total
        self.energy: int = 0
        self.life: int = 0
        self.choices: list[SelectionSpec] = []
        self.affectable: list[Selector] = []  # without a choice: each must match something
        self.effect_instructions: list[Instruction] = []  # the offer's effects: one must be possible (rules 5.3c1)
        self.otherwise: list[Instruction] = []  # applied if an "unless" is paid
        self.copies_action: bool = False  # the offer is a copy of the action just used
        self.price_options: list[tuple[int, int, int, int, int]] = []  # prices to choose from, for "up to"
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
    """Compiled rule of a card: part of a static ability, or granted by an effect."""

    word: str
    who: Predicate
    a: Quantity
    d: Quantity
    by: Predicate | None
    text: str
    index: int
    is_about_itself: bool  # applies to no die but its own


class Program:
    """Instructions of an ability, and the requirements for activating it."""

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
        self.required_choices: list[SelectionSpec] = []  # each needs a candidate (rules 5.3c1)
        self.effect_instructions: list[Instruction] = []  # effects without choices; one must be able to do something
        self.optional: bool = False
        self.is_single_choice: bool = False  # a candidate for its choice is the only requirement
        self.by_die: bool = False  # does nothing once its die has left
        self.is_discount_only: bool = False  # only lowers costs, so it is useless on the opponent's turn
        self.decisive_quantities: list[Quantity] = []  # if there are any and all are 0, the program does nothing
        # choices whose dice a second use cannot take: they go "away", out of the "attack", "up" or "down" a level
        self.consumed: list[tuple[SelectionSpec, str]] = []


class CompiledAbility:
    """Compiled ability of a card in this game."""

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
        self.origin: str = ability.kind  # for a part: the kind of the enclosing ability
        self.parent: w.Ability = ability  # for a part: the enclosing ability
        self.scope: str = ability.scope
        self.keyword: str = ability.keyword
        self.limit: str = ability.limit
        self.own_turn: bool = ability.own_turn
        self.event: str = "" if ability.event is None else ability.event.word
        self.who: Predicate = ANYTHING
        self.other: Predicate | None = None
        # its event is about its own die or card
        self.of_itself: bool = ability.event is not None and ability.event.who in (w.this, w.this_card)
        self.self_only: bool = ability.event is not None and ability.event.who == w.this
        self.is_per_recipient: bool = False  # refers to the damaged recipient, so it triggers once per recipient
        self.condition: ConditionExpr | None = None
        self.has_deferred_condition: bool = False
        self.reads_itself: bool = False  # reads its own A or D, maybe after its die has left
        self.reads_numbers: bool = False  # reads A, D or level of some die
        self.names_other: bool = False  # refers to the event's other die
        self.names_met: bool = False  # refers to dice its die was engaged with this turn
        self.need: CompiledCost = CompiledCost(ability.cost)
        self.lift: CompiledCost | None = None if ability.lifted_by is None else CompiledCost(ability.lifted_by)
        self.programs: tuple[Program, ...] = ()
        self.rules: tuple[list[StaticRule], ...] = ()
        self.crosses: bool = False  # redirects between players and dice
        self.whole_source: bool = False  # acts on all damage of one source
        self.spreads: bool = False  # prevents the amount paid for across all sources
        self.fights: bool = False  # combat ability
        self.first: int = 0  # n, for an ability about the first n damage of the turn


NO_NEED: Final = CompiledCost(None)
# instructions that only ask or decide how to continue
CONTROL_OPS: Final = frozenset(("choose", "may", "unless", "if", "jump", "done", "one of"))
