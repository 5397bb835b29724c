"""Compiler from the card language to programs.

Descriptions, amounts and conditions become the objects of `expressions.py`, effects a list of instructions. The result
belongs to the game specification; a state only stores how far a program has run.
"""

from __future__ import annotations

from typing import Final, cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import (
    CONDITIONS,
    DESCRIPTIONS,
    EFFECTS,
    KEYWORDS,
    NUMBERS,
    PLAYERS,
    RULES,
    event_metadata,
)
from dicemasters.cards.language.semantics import walk
from dicemasters.game.abilities.amounts import QUANTITIES, ConstantAmount, is_count
from dicemasters.game.abilities.conditions import CONDITION_EXPRS, KeywordRequirement
from dicemasters.game.abilities.each_player import joint_effects, player_selections
from dicemasters.game.abilities.expressions import ConditionExpr, Predicate, Quantity, Reference
from dicemasters.game.abilities.predicates import PLACES, PREDICATES, REFERENCES, AllOf, And, Not, Or, UnionReference
from dicemasters.game.abilities.program import (
    CompiledAbility,
    CompiledCost,
    Instruction,
    Program,
    SelectionSpec,
    StaticRule,
)
from dicemasters.game.abilities.selectors import Selector
from dicemasters.game.state.constants import BAG, CARD, FIELD, HELD, OUT_OF_PLAY, PREP, RESERVE, USED

# --- descriptions, amounts, conditions -----------------------------------------------------------------------------

_ZONES: Final = {**PLACES, "card": CARD, "held": HELD}


def compile_predicate(where: w.Where) -> Predicate:
    """Compile a description into a predicate."""
    match where.op, where.args:
        case "and", _:
            joined = [compile_predicate(part) for part in _conjuncts(where)]
            return And(joined[0], joined[1]) if len(joined) == 2 else AllOf(joined)
        case "or", (w.Where() as a, w.Where() as b):
            return Or(compile_predicate(a), compile_predicate(b))
        case "not", (w.Where() as a,):
            return Not(compile_predicate(a))
        case ("cheapest" | "same type") as op, (w.Where() as inner,):
            return PREDICATES[op](compile_selector(inner))
        case ("level" | "cost" | "fielding" | "printed fielding" | "d") as op, (str(how), int() | w.Number() as n):
            return PREDICATES[op](how, compile_quantity(n))
    if where.op not in PREDICATES:
        raise ValueError(f"the card language has no description '{where.op}'")
    return PREDICATES[where.op](*where.args)


def _conjuncts(where: w.Where) -> list[w.Where]:
    """Return the operands of nested `&` in their order."""
    if where.op != "and":
        return [where]
    return [part for arg in where.args if isinstance(arg, w.Where) for part in _conjuncts(arg)]


def compile_reference(where: w.Where) -> Reference | None:
    """Compile a description that names dice directly; return None for any other."""
    if where.op in REFERENCES:
        return REFERENCES[where.op](*where.args)
    match where.op, where.args:
        case "or", (w.Where() as a, w.Where() as b):
            first, second = compile_reference(a), compile_reference(b)
            if first is not None and second is not None:
                return UnionReference(first, second)
    return None


def compile_selector(where: w.Where) -> Selector:
    """Compile a description into a selector."""
    words = required_words(where)
    rows = [DESCRIPTIONS[op] for op, _ in words if op in DESCRIPTIONS]
    places = {PLACES[p] for op, args in words if op == "in" for p in args if isinstance(p, str)}
    places |= {_ZONES[row.place] for row in rows if row.place}
    return Selector(
        compile_predicate(where),
        compile_reference(where),
        tuple(sorted(places)) or (FIELD,),
        players=any(row.about is PLAYERS for row in rows),
        depends=is_deferred_choice(where),
        registers=tuple(_chosen_registers(where)),
        any_die=any(op == "any" for op, _ in words),
        action_dice=any(op == "action die" for op, _ in words),
    )


def mentions_any(where: w.Where, *ops: str) -> bool:
    """Return whether a description contains one of these words."""
    return where.op in ops or any(isinstance(arg, w.Where) and mentions_any(arg, *ops) for arg in where.args)


def is_deferred_choice(where: w.Where) -> bool:
    """Return whether a choice has to wait until the effects before it have been applied."""
    return mentions_any(where, *(op for op, row in DESCRIPTIONS.items() if row.is_deferred))


def _chosen_registers(where: w.Where) -> list[int]:
    if where.op == "chosen":
        return [n for n in where.args if isinstance(n, int)]
    return [n for arg in where.args if isinstance(arg, w.Where) for n in _chosen_registers(arg)]


def required_words(where: w.Where) -> list[tuple[str, tuple[object, ...]]]:
    """Return the words of a description with their arguments, leaving out the operands of `not`."""
    words = [(where.op, where.args)]
    for arg in where.args:
        if isinstance(arg, w.Where) and where.op != "not":
            words += required_words(arg)
    return words


def compile_quantity(amount: w.Amount) -> Quantity:
    """Compile an amount."""
    if isinstance(amount, int):
        return ConstantAmount(amount)
    if amount.op not in QUANTITIES:
        raise ValueError(f"the card language has no number '{amount.op}'")
    return QUANTITIES[amount.op](*(_compile_amount_argument(amount, arg) for arg in amount.args))


def _compile_amount_argument(amount: w.Number, arg: object) -> object:
    if isinstance(arg, w.Where):
        return compile_selector(arg & w.each_player if amount.op == "life" else arg)
    if isinstance(arg, w.Number) or (isinstance(arg, int) and _is_literal_amount(amount, arg)):
        return compile_quantity(arg)
    return arg


def _is_literal_amount(amount: w.Number, arg: int) -> bool:
    """Return whether a plain number is an amount here, as in half(3), or the 3 in times(2, 3)."""
    return amount.op == "half" or (amount.op == "times" and arg is amount.args[1])


def compile_condition(condition: w.Condition) -> ConditionExpr:
    """Compile a condition."""
    if condition.op not in CONDITION_EXPRS:
        raise ValueError(f"the card language has no condition '{condition.op}'")
    match condition.op, condition.args:
        case "compare", (int() | w.Number() as a, str(how), int() | w.Number() as b):
            return CONDITION_EXPRS["compare"](compile_quantity(a), how, compile_quantity(b))
        case "is", (w.Where() as which, w.Where() as what):
            return CONDITION_EXPRS["is"](compile_selector(which), compile_predicate(what))
    return CONDITION_EXPRS[condition.op](*(_compile_condition_argument(arg) for arg in condition.args))


def _compile_condition_argument(arg: object) -> object:
    if isinstance(arg, w.Condition):
        return compile_condition(arg)
    return compile_selector(arg) if isinstance(arg, w.Where) else arg


def mentions(condition: w.Condition | None, op: str) -> bool:
    """Return whether a condition contains this word."""
    return any(isinstance(part, w.Condition) and part.op == op for part in walk(condition))


def depends_off_field(ability: w.Ability) -> bool:
    """Return whether an ability depends on more than the dice in the field: other zones, life or past events."""
    for part in walk(ability):
        match part:
            case w.Where(op="in") | w.Number(op="life" | "symbols" | "types"):
                return True
            case w.Condition() if part.op not in _FIELD_CONDITIONS:
                return True
    return False


_FIELD_CONDITIONS = frozenset(("count", "is", "and", "or", "not", "alone", "attacks alone", "paired"))


def is_deferred_condition(condition: w.Condition | None) -> bool:
    """Return whether a condition is about the current state, so that it is read on resolving (rules 5.7a6).

    A Sidekick KO is checked at the event: uxm 106 needs one before its own KO or together with it; later ones do not
    count.
    """
    if condition is None or not CONDITIONS[condition.op].is_checked_on_resolution:
        return False
    for part in condition.args:
        if isinstance(part, w.Condition) and not is_deferred_condition(part):
            return False
        if isinstance(part, w.Where) and any(DESCRIPTIONS[x].is_event_bound for x in _description_words(part)):
            return False
        if isinstance(part, w.Number) and NUMBERS[part.op].is_event_bound:
            return False
    return True


def _description_words(where: w.Where) -> list[str]:
    inner = [op for arg in where.args if isinstance(arg, w.Where) for op in _description_words(arg)]
    return inner if where.op in ("and", "or", "not") else [where.op, *inner]


# --- abilities -----------------------------------------------------------------------------------------------------


_DIE_NUMBERS = ("attack", "defence", "level")


def compile_ability(
    index: int, card: int, position: int, ability: w.Ability, rules: list[StaticRule]
) -> CompiledAbility:
    """Compile an ability of a card and append its static rules to `rules`."""
    compiled = CompiledAbility(index, card, position, ability)
    if ability.event is not None:
        compiled.who = compile_predicate(ability.event.who)
        if ability.event.other is not None:
            compiled.other = compile_predicate(ability.event.other)
    recipient = w.that if compiled.event == "damaged" else w.the_other
    compiled.is_per_recipient = any(part == recipient for part in walk(ability.effects))
    if ability.condition is not None:
        condition = compile_condition(ability.condition)
        compiled.condition = KeywordRequirement(condition) if ability.asked_by_keyword else condition
    compiled.has_deferred_condition = is_deferred_condition(ability.condition)
    nodes = list(walk(ability.effects))
    compiled.reads_numbers = any(isinstance(part, w.Number) and part.op in _DIE_NUMBERS for part in nodes)
    compiled.names_other = w.the_other in nodes
    compiled.names_met = w.met_this in nodes or w.has_blocked_this in nodes
    compiled.reads_itself = any(part in (w.attack_of(w.this), w.defence_of(w.this)) for part in walk(ability.effects))
    compiled.programs = tuple([_compile_program(compiled, burst, rules) for burst in (0, 1, 2)])
    compiled.rules = tuple([_compile_static_rules(ability, burst, rules) for burst in (0, 1, 2)])
    compiled.crosses = compiled.event == "would be damaged" and _redirects_across(compiled)
    redirects = [part for part in walk(ability.effects) if isinstance(part, w.Redirect)]
    compiled.whole_source = any(redirect.whole_source for redirect in redirects)
    prevents = [part for part in walk(ability.effects) if isinstance(part, w.Prevent)]
    compiled.spreads = any(part == w.PAID for prevent in prevents for part in walk(prevent))
    compiled.fights = _is_combat_ability(ability)
    compiled.first = _first_damage_limit(compiled)
    return compiled


def _is_combat_ability(ability: w.Ability) -> bool:
    """Return whether an ability of a die is a combat ability: triggered by combat, or a rule about or during combat.

    A keyword ability is not, unless the keyword only labels it (docs/rulings.md).
    """
    if ability.scope != "die" or (ability.keyword and not KEYWORDS[ability.keyword].is_label):
        return False
    if ability.event is not None:
        row = event_metadata(ability.event.word)
        if row is None or not row.is_combat:
            return ability.event.word in _COMBAT_STEP_EVENTS and _refers_to_engagement(ability)
        return ability.event.who == w.this or _refers_to_engagement(ability)
    rules = (*ability.rules, *(rule for burst in ability.bursts for rule in burst.rules))
    if ability.kind != "always" or not rules:
        return False
    return _refers_to_engagement(ability) or all(RULES[rule.word].is_combat for rule in rules)


_COMBAT_STEP_EVENTS: Final = frozenset(("blockers declared", "attack step ends"))
_MEETINGS: Final = frozenset(("engaged with this", "blocking this", "blocked by this", "has blocked this"))


def _refers_to_engagement(ability: w.Ability) -> bool:
    """Return whether an ability refers to dice engaged with its die, or asks whether its die is in combat."""
    questions = [w.it_is(w.this, how) for how in (w.attacking, w.blocking, w.blocked)]
    for part in walk((ability.condition, ability.rules, ability.effects, ability.bursts)):
        if part in questions or (isinstance(part, w.Where) and part.op in _MEETINGS):
            return True
    return False


def _first_damage_limit(compiled: CompiledAbility) -> int:
    """Return n of an ability about the first n damage of the turn, or 0 for any other ability."""
    for program in compiled.programs:
        for op in program.ops:
            if isinstance(op.node, w.Prevent | w.Redirect):
                match op.node.amount:
                    case w.Number("first", (int(n),)):
                        return n
    return 0


def _redirects_across(compiled: CompiledAbility) -> bool:
    event = compiled.ability.event
    redirects = [op.node for program in compiled.programs for op in program.ops if isinstance(op.node, w.Redirect)]
    destinations = [compile_selector(_description_of(redirect.to)) for redirect in redirects]
    if event is None or not destinations:
        return False
    words = [op for op, _ in required_words(event.who) if op not in ("and", "or")]
    if any(op not in DESCRIPTIONS or DESCRIPTIONS[op].about is not PLAYERS for op in words):
        if compile_selector(event.who).players:  # damage to players and dice: both go to dice
            return all(not destination.players for destination in destinations)
        return all(destination.players for destination in destinations)
    return any(not destination.players for destination in destinations)


def _compile_static_rules(ability: w.Ability, burst: int, rules: list[StaticRule]) -> list[StaticRule]:
    own_rules = ability.rules
    for text in ability.bursts:
        if burst in text.on and text.rules:
            own_rules = text.rules if text.instead else (*own_rules, *text.rules)
    added = [rule for rule in own_rules if rule.word != "has keyword" or rule.text != ability.keyword]
    return [compile_rule(rule, rules) for rule in added]


def compile_rule(rule: w.Rule, rules: list[StaticRule]) -> StaticRule:
    """Compile a rule and append it to `rules`, so that active effects can refer to it by index."""
    who = _description_of(rule.who)
    compiled = StaticRule(
        rule.word,
        compile_predicate(_for_fielding(who) if rule.word in FIELDING else who),
        compile_quantity(rule.a),
        compile_quantity(rule.d),
        None if rule.by is None else compile_predicate(rule.by),
        rule.text,
        len(rules),
        who.op == "this",
    )
    rules.append(compiled)
    return compiled


FIELDING: Final = frozenset(word for word, row in RULES.items() if row.affects_fielding)


def _for_fielding(where: w.Where) -> w.Where:
    """Return a description for fielding rules, which includes dice that become characters (rules 1.2c, 1.2d)."""
    if where == w.character:
        return w.Where("can be a character")
    return w.Where(where.op, tuple(_for_fielding(x) if isinstance(x, w.Where) else x for x in where.args))


def _compile_program(compiled: CompiledAbility, burst: int, rules: list[StaticRule]) -> Program:
    ability = compiled.ability
    effects = ability.effects
    extra: tuple[w.Effect, ...] = ()
    for text in ability.bursts:
        if burst in text.on and text.effects:
            if text.instead:  # rules 5.9b
                effects = text.effects
            else:
                extra = (*extra, *text.effects)
    program = Program()
    builder = _ProgramBuilder(program, rules, ability.scope == "active")
    cost = ability.cost
    if ability.kind == "global" and ability.event is not None and cost is not None:
        effects = (w.May(effects, cost),)  # a reactive Global is offered, paid and resolved at once (rules 5.10c)
        cost = None
    checks = builder.cost(cost, compiled.need if burst == 0 else CompiledCost(cost))
    if compiled.lift is not None:
        builder.cost(ability.lifted_by, compiled.lift if burst == 0 else CompiledCost(None))
    builder.block(effects, program.required_choices)
    if extra:
        builder.block(extra, [])
    builder.patch_jumps(checks)
    for op in program.ops:
        op.affectable = _affectable_selectors(op)
    if all(
        isinstance(effect, w.Choose) or not any(select.least for _, select, _ in _selections(effect))
        for effect in effects
    ):
        program.effect_instructions = effect_instructions(program.ops)
        required = {choice.register for choice in program.required_choices}
        if any(required & set(group.registers) for op in program.effect_instructions for group in op.affectable):
            program.effect_instructions = []  # a required choice is affected anyway
    choices = [op.choice for op in program.ops if op.choice is not None and not op.is_cost]
    for op in program.ops:
        if change := _consumption_of(op):
            program.consumed += [(choice, change) for choice in choices if choice.register in _selector_registers(op)]
    affected = {register for op in program.ops for register in _affected_registers(op)}
    for choice in choices:
        choice.is_reference_only = choice.register not in affected
    program.optional = bool(effects) and isinstance(effects[0], w.May)
    program.is_single_choice = (
        len(program.required_choices) == 1
        and not program.effect_instructions
        and not program.required_choices[0].group.registers
    )
    program.is_single_choice = program.is_single_choice and not any(op.name == "name affiliation" for op in program.ops)
    program.decisive_quantities = _decisive_quantities(program.ops)
    effect_names = [
        op.name for op in program.ops if op.name not in BOOKKEEPING_OPS and op.choice is None and not op.is_cost
    ]
    program.by_die = bool(SOURCE_BOUND_OPS.intersection(effect_names)) and _SOURCE_RELATED_OPS.issuperset(effect_names)
    program.is_single_choice = program.is_single_choice and not program.decisive_quantities
    granted = [op.node.rule.word for op in program.ops if isinstance(op.node, w.Give)]
    program.is_discount_only = len(granted) == len(effect_names) > 0 and {"costs to buy"} <= set(granted) <= {
        "costs to buy",
        "fields free",
    }
    return program


def _consumption_of(op: Instruction) -> str:
    """Return how an instruction makes its dice unusable for a second one: "away", "up", "down", "attack", or ""."""
    if op.name in _CONSUMING_OPS:
        return "away"
    if isinstance(op.node, w.Spin) and op.node.levels:
        return "up" if op.node.levels > 0 else "down"
    return "attack" if op.name == "leave combat" else ""


def _affected_registers(op: Instruction) -> list[int]:
    """Return the registers of chosen dice that an instruction affects or acts through; a copied die is not affected."""
    groups = [op.group2, None if op.name == "copy" else op.group]
    for to, _, source in op.parts:
        groups += [to, source]
    return [register for group in groups if group is not None for register in group.registers]


def _selector_registers(op: Instruction) -> tuple[int, ...]:
    return () if op.group is None else op.group.registers


def _affectable_selectors(op: Instruction) -> list[Selector]:
    """Return the selectors of the dice and players that an instruction could affect (rules 5.3c1)."""
    if op.choice is not None:
        return [] if op.choice.least else [op.choice.group]
    if op.parts:
        return [group for group, _, _ in op.parts]
    if isinstance(op.node, w.Spin) and isinstance(op.node.what, w.Where):
        return [compile_selector(op.node.what & w.Where("can spin", (op.node.levels,)))]
    if isinstance(op.node, w.SpinTo) and isinstance(op.node.what, w.Where):
        return [compile_selector(op.node.what & w.Where("can spin", (0,)) & ~w.level(op.node.level))]
    return [] if op.group is None else [op.group]


_CONSUMING_OPS: Final = frozenset(row.op for row in EFFECTS.values() if row.consumes)
_ALWAYS_POSSIBLE_OPS: Final = frozenset(("turn rule", *(row.op for row in EFFECTS.values() if row.always_possible)))
SOURCE_BOUND_OPS: Final = frozenset(row.op for row in EFFECTS.values() if row.requires_own_die)
_SOURCE_RELATED_OPS: Final = SOURCE_BOUND_OPS | {"copy", "later"}  # the other two refer to the held die
# instructions that decide or name something and affect nothing
BOOKKEEPING_OPS: Final = frozenset(
    ("jump", "done", "name affiliation", *(row.op for row in EFFECTS.values() if row.is_bookkeeping))
)


def effect_instructions(ops: list[Instruction]) -> list[Instruction]:
    """Return the instructions, one of which must be able to affect something; empty if one always can (rules 5.3c1)."""
    effects = [op for op in ops if op.name not in BOOKKEEPING_OPS and not op.is_cost and not op.depends_on_previous]
    effects = [op for op in effects if op.choice is None or not op.choice.least]
    if any(op.name in _ALWAYS_POSSIBLE_OPS for op in effects):
        return []
    return effects


def _decisive_quantities(ops: list[Instruction]) -> list[Quantity]:
    """Return the counts that make a program pointless if all are 0; empty if it has effects without a count."""
    decisive: list[Quantity] = []
    for op in ops:
        if op.choice is not None or op.is_cost or op.depends_on_previous or op.name in BOOKKEEPING_OPS:
            continue
        if op.name == "damage":
            amounts = [amount for _, amount, _ in op.parts]
        elif op.name == "give" and isinstance(op.node, w.Give) and op.node.rule.word == "gets":
            amounts = [
                amount for amount in (op.amount, op.amount2) if not isinstance(amount, ConstantAmount) or amount.n
            ]
        elif op.name == "life":
            amounts = [op.amount]
        else:
            return []
        if not amounts or not all(is_count(amount) for amount in amounts):
            return []
        decisive += amounts
    return decisive


def _depends_on_previous_effect(effect: w.Effect) -> bool:
    """Return whether an effect needs the result of an earlier one: dice drawn or moved, a number, or its success."""
    for part in walk(effect):
        match part:
            case w.Where(op) if op in DESCRIPTIONS and DESCRIPTIONS[op].needs_previous_effect:
                return True
            case w.Number(op) if NUMBERS[op].needs_previous_effect:
                return True
            case w.Condition(op) if CONDITIONS[op].needs_previous_effect:
                return True
    return False


class _ProgramBuilder:
    """Builder that emits the instructions of a program."""

    def __init__(self, program: Program, rules: list[StaticRule], is_while_active: bool) -> None:
        self.program = program
        self.rules = rules
        self.is_while_active = is_while_active  # the ability belongs to its card, not to a die

    def emit(self, name: str, node: object = None) -> Instruction:
        op = Instruction(name, node)
        self.program.ops.append(op)
        return op

    def block(
        self,
        effects: tuple[w.Effect, ...],
        required: list[SelectionSpec] | None = None,
        premade: dict[int, Selector] | None = None,
    ) -> list[SelectionSpec]:
        """Emit all choices first, so that every target is known before anything happens, then the effects.

        Return the required choices. `premade` holds the selectors of choices emitted before.
        """
        choices: list[SelectionSpec] = [] if required is None else required
        selectors: dict[int, Selector] = {} if premade is None else premade
        start = len(self.program.ops)
        for effect in effects:
            for key, select, spins in _selections(effect):
                if key not in selectors and not is_deferred_choice(select.where):
                    selectors[key] = self.choose(select, spins, choices)
        check: Instruction | None = None
        for i, effect in enumerate(effects):
            before = len(self.program.ops)
            self.effect(effect, selectors, choices)
            for op in self.program.ops[before:] if i and _depends_on_previous_effect(effect) else ():
                op.depends_on_previous = True
            if i == 0 and len(effects) > 1 and _is_cost_of_next(effect, effects[1]):
                check = self.emit("done", effect)
                check.is_cost = hurts_user(effect)
                if isinstance(effect, w.SpinTo):
                    for earlier in self.program.ops[start:]:
                        if earlier.choice is not None and earlier.node is effect.what:
                            earlier.choice.spin_level = compile_quantity(effect.level)
                            earlier.choice.has_extra_requirements = True
        if check is not None:
            check.jump = len(self.program.ops)
        return choices

    def choose(self, select: w.Select, spins: int | None, required: list[SelectionSpec]) -> Selector:
        where = select.where if spins is None else select.where & w.Where("can spin", (spins,))
        if select.within:
            where &= w.printed_fielding_cost(select.within, "<=")
        choice = SelectionSpec(select, compile_selector(where), self.program.registers, spins)
        self.program.registers += 1
        self.emit("choose", select).choice = choice
        if select.least > 0:
            required.append(choice)
        return compile_selector(w.chosen(choice.register))

    def selector_for(
        self, what: w.Operand, selectors: dict[int, Selector], required: list[SelectionSpec], spins: int | None = None
    ) -> Selector:
        if isinstance(what, w.Where):
            return compile_selector(what)
        return selectors[id(what)] if id(what) in selectors else self.choose(what, spins, required)

    def effect(self, effect: w.Effect, selectors: dict[int, Selector], required: list[SelectionSpec]) -> None:
        match effect:
            case w.Damage() | w.Together():
                parts = effect.parts if isinstance(effect, w.Together) else (effect,)
                groups = [self.selector_for(part.to, selectors, required) for part in parts]
                op = self.emit("damage", effect)
                for part, group in zip(parts, groups, strict=True):
                    source = None if part.source is None else compile_selector(part.source)
                    op.parts.append((group, compile_quantity(part.amount), source))
                op.group = groups[0]
            case w.Life():
                op = self.emit("life", effect)
                op.group, op.amount = compile_selector(effect.who & w.each_player), compile_quantity(effect.amount)
            case w.Give():
                self.give(effect, selectors, required)
            case w.Spin():
                group = self.selector_for(effect.what, selectors, required, effect.levels)
                op = self.emit("spin", effect)
                op.group, op.amount = group, compile_quantity(effect.levels)
            case w.SpinTo():
                group = self.selector_for(effect.what, selectors, required)
                op = self.emit("spin to", effect)
                op.group, op.amount = group, compile_quantity(effect.level)
            case w.Draw():
                op = self.emit("draw", effect)
                op.amount = compile_quantity(effect.amount)
            case w.MakeToken():
                self.emit("token", effect)
            case w.PutCounter():
                self.emit("counter", effect)
            case w.RemoveCounters():
                self.emit("remove counters", effect)
            case w.NameType():
                self.emit("name type", effect)
            case w.NameCard() | w.CopyNamedCard():
                self.emit("name card" if isinstance(effect, w.NameCard) else "copy named card", effect)
            case w.Prevent():
                self.emit("prevent", effect).amount = compile_quantity(effect.amount)
            case w.Redirect():
                group = self.selector_for(effect.to, selectors, required)
                for earlier in self.program.ops:
                    if earlier.choice is not None and earlier.node is effect.to:
                        earlier.choice.redirects = earlier.choice.has_extra_requirements = True
                op = self.emit("redirect", effect)
                op.group, op.amount = group, compile_quantity(effect.amount)
            case w.NewTarget():
                group = self.selector_for(effect.what, selectors, required)
                for earlier in self.program.ops:
                    if earlier.choice is not None and earlier.node is effect.what:
                        earlier.choice.retargets = True
                self.emit("new target", effect).group = group
            case w.PlaceOnCard():
                group = compile_selector(effect.among)
                # a card can be chosen wherever its dice are
                group.places = (CARD, BAG, PREP, RESERVE, FIELD, USED, OUT_OF_PLAY)
                self.emit("place on card", effect).group = group
            case w.Instead():
                self.emit("instead", effect)
            case w.SetLife():
                self.emit("set life", effect).group = compile_selector(effect.who & w.each_player)
            case w.EachPlayer():
                self.each_player(effect)
            case w.OneOf():
                self.one_of(effect)
            case w.Later():
                about = None if effect.about is None else self.selector_for(effect.about, selectors, required)
                op = self.emit("later", effect)
                op.group = about
                op.part_of = w.Ability("part", effect.event, effect.effects)
            case w.Divide():
                op = self.emit("divide", effect)
                op.group, op.amount = compile_selector(effect.among), compile_quantity(effect.amount)
            case w.Increase():
                self.emit("increase", effect).amount = compile_quantity(effect.amount)
            case w.NameAffiliation():
                if id(effect) not in selectors:
                    self.name_affiliation(effect)
                self.emit("affiliation named", effect)
            case w.Choose():
                self.selector_for(effect.what, selectors, required)
            case w.SendHome():
                self.emit("send home", effect)
            case w.Swap() | w.SwapAttack() | w.SwapControl():
                first = self.selector_for(effect.first, selectors, required)
                second = self.selector_for(effect.second, selectors, required)
                op = self.emit(_op_name(effect), effect)
                op.group, op.group2 = first, second
            case w.May():
                op = self.emit("may", effect)
                op.need = CompiledCost(effect.cost)
                premade = self.choose_before_cost(effect, op.need.choices)
                checks = self.cost(effect.cost, op.need)
                before = len(self.program.ops)
                inner_choices = self.block(effect.effects, premade=premade)
                op.need.choices += inner_choices
                if effect.who == "its controller":
                    self.delegate_to_controller(inner_choices)
                inner_ops = self.program.ops[before:]
                op.need.copies_action = any(x.name == "use copy" for x in inner_ops)
                if not any(x.choice is not None and x.choice.least and not x.choice.is_captor for x in inner_ops):
                    op.need.effect_instructions = effect_instructions(inner_ops)
                self.patch_jumps([op, *checks])
            case w.Unless():
                op = self.emit("unless", effect)
                op.need = CompiledCost(effect.cost)
                # targets are chosen before the other player decides (docs/card-language.md, unless)
                self.program.ops.pop()
                inner_selectors: dict[int, Selector] = {}
                before = self.program.registers
                for inner_effect in effect.effects:
                    for key, select, spins in _selections(inner_effect):
                        inner_selectors[key] = self.choose(select, spins, required)
                    if isinstance(inner_effect, w.NameAffiliation):
                        self.name_affiliation(inner_effect)
                        inner_selectors[id(inner_effect)] = compile_selector(w.this)
                op.registers = tuple(range(before, self.program.registers))
                self.program.ops.append(op)
                checks = self.cost(effect.cost, op.need)
                before = len(self.program.ops)
                for inner_effect in effect.otherwise:
                    self.effect(inner_effect, {}, [])
                op.need.otherwise = self.program.ops[before:]
                exit_jump = self.emit("jump")
                self.patch_jumps([op, *checks])
                before = len(self.program.ops)
                for inner_effect in effect.effects:
                    self.effect(inner_effect, inner_selectors, required)
                op.need.effect_instructions = effect_instructions(self.program.ops[before:])
                exit_jump.jump = len(self.program.ops)
            case w.Do():
                op = self.emit("if", effect)
                op.condition = compile_condition(effect.condition)
                self.block(effect.effects)
                exit_jump = self.emit("jump")
                op.jump = len(self.program.ops)
                self.block(effect.otherwise)
                exit_jump.jump = len(self.program.ops)
            case _:
                what = cast(w.Operand, getattr(effect, "of" if isinstance(effect, w.Copy) else "what"))
                group = self.selector_for(what, selectors, required)
                has_captor = self.is_while_active and isinstance(effect, w.Capture | w.TakeControl)
                registers = self.choose_captor() if has_captor else ()
                op = self.emit(_op_name(effect), effect)
                op.group, op.registers = group, registers
                if isinstance(effect, w.ReturnToField):
                    op.amount = compile_quantity(effect.level)
                if isinstance(effect, w.Copy):
                    op.group2 = compile_selector(effect.who)
                    if compile_reference(effect.who) is None:
                        op.rule = compile_rule(w.Rule("copy stats", effect.who), self.rules).index
                if isinstance(effect, w.SpinToEnergy):
                    for earlier in self.program.ops:
                        if earlier.choice is not None and earlier.choice.register in group.registers:
                            earlier.choice.symbol, earlier.choice.has_extra_requirements = effect.symbol, True
                for earlier in self.program.ops if isinstance(effect, w.Use | w.Field) else ():
                    if earlier.choice is not None and earlier.node is what:
                        earlier.choice.uses = isinstance(effect, w.Use)
                        earlier.choice.fields = isinstance(effect, w.Field)
                        earlier.choice.has_extra_requirements |= earlier.choice.uses or earlier.choice.fields

    def choose_before_cost(self, effect: w.May, required: list[SelectionSpec]) -> dict[int, Selector]:
        """Emit choices that depend on the card under the die before the cost, which may move the die."""
        premade: dict[int, Selector] = {}
        for part in effect.effects if effect.cost is not None else ():
            for key, select, spins in _selections(part):
                if mentions_any(select.where, "of its card"):
                    premade[key] = self.choose(select, spins, required)
        return premade

    def delegate_to_controller(self, choices: list[SelectionSpec]) -> None:
        """Assign the opponent's choices among these to the controller of the die that was chosen first."""
        for op in self.program.ops:
            if op.choice is not None and op.choice.register == 0 and op.choice not in choices:
                op.choice.records_controller = True
                for choice in choices:
                    choice.by_controller = choice.by == "opponent"

    def choose_captor(self) -> tuple[int, ...]:
        """Emit the choice of the die that will hold the captured or controlled die until it leaves."""
        self.choose(w.one(w.this_card), None, [])
        choice = self.program.ops[-1].choice
        assert choice is not None
        choice.is_captor = True
        return (choice.register,)

    def name_affiliation(self, effect: w.NameAffiliation) -> None:
        self.emit("name affiliation", effect).group = None if effect.among is None else compile_selector(effect.among)

    def each_player(self, effect: w.EachPlayer) -> None:
        """Emit the choices of all players, then the joint effects; without choices, start a part for each player."""
        before = self.program.registers
        for select in player_selections(effect):
            self.choose(select, None, [])
        registers = list(range(before, self.program.registers))
        if not registers:
            self.emit("each player", effect).part_of = w.Ability("part", effects=effect.effects)
            return
        choices = [op.choice for op in self.program.ops if op.choice is not None and op.choice.register in registers]
        start = len(self.program.ops)
        for joint_effect in joint_effects(effect, registers):
            self.effect(joint_effect, {}, [])
        for op in self.program.ops[start:]:
            op.player_choices = choices

    def one_of(self, effect: w.OneOf) -> None:
        op = self.emit("one of", effect)
        starts: list[int] = []
        exit_jumps: list[Instruction] = []
        for choice in effect.choices:
            starts.append(len(self.program.ops))
            self.block(choice)
            exit_jumps.append(self.emit("jump"))
        op.registers = tuple(starts)
        for exit_jump in exit_jumps:
            exit_jump.jump = len(self.program.ops)

    def cost(self, cost: w.Cost | None, compiled: CompiledCost) -> list[Instruction]:
        """Emit the effects of a cost; return the checks that jump if it could not be paid (rules 5.1b)."""
        checks: list[Instruction] = []
        if cost is not None:
            for effect in cost.effects:
                before = len(self.program.ops)
                self.block((effect,))
                for op in self.program.ops[before:]:
                    op.is_cost = True
                    if op.choice is None and isinstance(effect, w.Spin) and isinstance(effect.what, w.Where):
                        compiled.affectable += _affectable_selectors(op)
                    if op.choice is not None:
                        if op.choice.by == "you":
                            op.choice.by = "payer"  # choosing one's own dice for a cost is not targeting (rules 5.3b)
                        compiled.choices.append(op.choice)  # even "any number" needs a candidate
                if isinstance(effect, w.Ko | w.Move | w.Spin):
                    checks.append(self.emit("done", effect))
                    checks[-1].is_cost = True
        return checks

    def patch_jumps(self, checks: list[Instruction]) -> None:
        """Set the jump target of these instructions to the next one emitted."""
        for check in checks:
            check.jump = len(self.program.ops)

    def give(self, effect: w.Give, selectors: dict[int, Selector], required: list[SelectionSpec]) -> None:
        rule = effect.rule
        compiled = compile_rule(rule, self.rules)
        if isinstance(rule.who, w.Where) and mentions_any(rule.who, "of named type"):
            # one rule per type, so that naming another type later does not change this effect
            op = self.emit("turn rule", effect)
            typed = [compile_rule(rule.replace(who=_substitute_type(rule.who, t)), self.rules) for t in w.TYPES]
            op.registers = tuple(r.index for r in typed)
        elif isinstance(rule.who, w.Where) and compile_reference(rule.who) is None and _covers_future_dice(effect):
            op = self.emit("turn rule", effect)  # matched by description, so future dice are included
        else:
            group = self.selector_for(rule.who, selectors, required)
            if rule.word == "must block this":
                for earlier in self.program.ops:
                    if earlier.choice is not None and earlier.node is rule.who and not earlier.choice.target:
                        earlier.choice.assigns_blocker = earlier.choice.has_extra_requirements = True
            op = self.emit("give", effect)
            op.group = group
        op.rule, op.amount, op.amount2 = compiled.index, compiled.a, compiled.d


def _description_of(what: w.Operand) -> w.Where:
    return what.where if isinstance(what, w.Select) else what


def _covers_future_dice(effect: w.Give) -> bool:
    who = _description_of(effect.rule.who)
    if _is_this_die(who) and mentions_any(who, "attacking", "blocking"):
        return True  # whenever it attacks or blocks
    if any(row.depends_on_face and mentions_any(who, op) for op, row in DESCRIPTIONS.items()):
        return True
    if effect.rule.word == "has keyword" and KEYWORDS[effect.rule.text].acts_on_fielding:
        return True
    return effect.until == w.NEXT_ONE or RULES[effect.rule.word].includes_future_dice


def _is_this_die(where: w.Where) -> bool:
    """Return whether a description means only the ability's own die."""
    return where == w.this or (
        where.op == "and" and any(isinstance(x, w.Where) and _is_this_die(x) for x in where.args)
    )


def _op_name(effect: w.Effect) -> str:
    return EFFECTS[type(effect).__name__].op


def _substitute_type(where: w.Where, letter: w.Symbol) -> w.Where:
    """Return the description with a fixed energy type in place of the named one."""
    if where.op == "of named type":
        return w.energy_type(letter)
    return w.Where(where.op, tuple(_substitute_type(x, letter) if isinstance(x, w.Where) else x for x in where.args))


def _selections(effect: w.Effect) -> list[tuple[int, w.Select, int | None]]:
    """Return the selections an effect makes itself: key, narrowed selection, and the spin its dice must allow."""
    if isinstance(effect, w.Together):
        return [x for part in effect.parts for x in _selections(part)]
    if isinstance(effect, w.Give):
        return [(id(effect.rule.who), effect.rule.who, None)] if isinstance(effect.rule.who, w.Select) else []
    if isinstance(effect, w.Swap | w.SwapAttack | w.SwapControl):
        return [(id(x), x, None) for x in (effect.first, effect.second) if isinstance(x, w.Select)]
    if isinstance(effect, w.Spin):
        return [(id(effect.what), effect.what, effect.levels)] if isinstance(effect.what, w.Select) else []
    if isinstance(effect, w.Reroll) and isinstance(effect.what, w.Select):
        narrowed = effect.what.replace(where=effect.what.where & w.Where("can reroll"))
        return [(id(effect.what), narrowed, None)]
    if isinstance(effect, w.Ko) and isinstance(effect.what, w.Select):  # only a die that can be KO'd (rules 5.1e)
        narrowed = effect.what.replace(where=effect.what.where & w.Where("can be KO'd"))
        return [(id(effect.what), narrowed, None)]
    if isinstance(effect, w.SpinToEnergy) and isinstance(effect.what, w.Select) and effect.symbol in w.TYPES:
        narrowed = effect.what.replace(where=effect.what.where & ~w.Where("showing symbol", (effect.symbol,)))
        return [(id(effect.what), narrowed, None)]
    for name in ("what", "to", "of"):
        value = getattr(effect, name, None)
        if isinstance(value, w.Select):
            return [(id(value), value, None)]
    return []


def _is_cost_of_next(first: w.Effect, second: w.Effect) -> bool:
    """Return whether the first of two different effects may be a cost of the second (rules 5.1d).

    A rule for the turn cannot fail, and a second effect that refers to the first handles its failure itself.
    """
    counts_kos = any(isinstance(part, w.Number) and part.op == "KOs" for part in walk(second))
    if (isinstance(first, w.Give) and _covers_future_dice(first)) or _depends_on_previous_effect(second) or counts_kos:
        return False
    damage_types = (w.Damage, w.Together)
    same_kind = type(first) is type(second) or (isinstance(first, damage_types) and isinstance(second, damage_types))
    return EFFECTS[type(first).__name__].can_fail and not same_kind


def hurts_user(effect: w.Effect) -> bool:
    """Return whether an effect hurts its user: a KO, leaving the field or Prep Area, or spinning down (rules 5.1c)."""
    if not isinstance(effect, w.Ko | w.Move | w.Spin):
        return False
    where = effect.what.where if isinstance(effect.what, w.Select) else effect.what
    required = required_words(where)
    words = {op for op, _ in required}
    places = {p for op, args in required if op == "in" for p in args} or {w.FIELD}
    if not words & {"own", "this", "this card"} or "opposing" in words:
        return False
    if isinstance(effect, w.Spin):
        return effect.levels < 0
    return isinstance(effect, w.Ko) or bool(places & {w.FIELD, w.PREP})
