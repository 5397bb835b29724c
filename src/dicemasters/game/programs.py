"""Sentences as programs: effects become a list of operations, carried out one after the other.

What is made here belongs to the table, not to the state; a state only remembers how far a list has been carried out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from dicemasters.cards import words as w
from dicemasters.cards.rows import DESCRIPTIONS
from dicemasters.game.code import (
    Check,
    Group,
    Test,
    Value,
    check_of,
    reads_late,
    reference,
    speaks_of,
    test_of,
    value_of,
    words_in,
)
from dicemasters.game.frames import Running
from dicemasters.game.state import BAG, CARD, FIELD, OUT, PREP, RESERVE, USED, State


class Choice:
    """Compiled selection."""

    __slots__ = (
        "breaks_tie",
        "by",
        "fields",
        "group",
        "least",
        "most",
        "redirects",
        "register",
        "retargets",
        "special",
        "spins",
        "target",
        "uses",
        "within",
    )

    def __init__(self, select: w.Select, register: int, spins: int | None = None) -> None:
        where = select.where if spins is None else select.where & w.Where("can spin", (spins,))
        if select.within:
            where &= w.printed_fielding_cost(select.within, "<=")
        self.within: int = select.within
        self.group = Group(where)
        self.least: int = select.least
        self.most: int = select.most
        self.target: bool = select.target
        self.breaks_tie: bool = select.where.op == "cheapest"  # the text names the die, so nobody is targeted
        self.by: str = select.by
        self.register: int = register
        self.spins: bool = spins == 0  # choosing a die to spin either way chooses the way too
        self.redirects: bool = False  # the damage asked about must be able to go there
        self.retargets: bool = False  # it becomes the target of the effect asked about
        self.uses: bool = False  # an action die to be used must be able to do something
        self.fields: bool = False  # a die to be fielded must be able to be
        self.special: bool = USED in self.group.places  # what fits is not all that it needs to be chosen


class Op:
    """One operation of a program."""

    __slots__ = (
        "aims",
        "amount",
        "amount2",
        "check",
        "choice",
        "follows",
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
        "registers",
        "rule",
    )

    def __init__(self, name: str, node: object = None) -> None:
        self.name: str = name
        self.node: object = node
        self.group: Group | None = None
        self.group2: Group | None = None
        self.choice: Choice | None = None
        self.registers: tuple[int, ...] = ()  # of an "unless": the choices it waits for
        self.part: int = -1  # a sentence of its own that this operation starts or leaves for later
        self.part_of: w.Ability | None = None
        self.parts: list[tuple[Group, Value, Group | None]] = []  # of damage: to whom, how much, from whom
        self.amount: Value = _zero
        self.amount2: Value = _zero
        self.check: Check = _true
        self.rule: int = -1
        self.is_cost: bool = False  # a part of paying: cannot be avoided or redirected (rules 5.1)
        self.aims: list[Group] = []  # whom it could do something to
        self.follows: bool = False  # it is about what something before it draws, moves or does
        self.jump: int = 0
        self.need: Need = NO_NEED


class Need:
    """What a cost asks for: energy by type, any energy, and choices that must have candidates."""

    __slots__ = ("choices", "copies", "deeds", "energy", "life", "price", "reach", "steps")

    def __init__(self, cost: w.Cost | None) -> None:
        self.price: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # by type, and in all
        self.energy: int = 0
        self.life: int = 0
        self.choices: list[Choice] = []
        self.reach: list[Group] = []  # each must mean somebody, where nothing is chosen
        self.deeds: list[Op] = []  # of what may be done: one must be able to do something (rules 5.3c)
        self.copies: bool = False  # what may be done is a copy of an action just used
        self.steps: list[tuple[int, int, int, int, int]] = []  # of "up to": the prices there are to choose from
        if cost is not None:
            n = [0, 0, 0, 0]
            for symbol in cost.energy:
                if symbol.isdigit():
                    self.energy += int(symbol)
                else:
                    n[w.TYPES.index(symbol)] += 1
                    self.energy += 1
            self.price = (n[0], n[1], n[2], n[3], self.energy)
            if cost.up_to:
                self.steps = [Need(w.Cost(cost.energy[: i + 1])).price for i in range(len(cost.energy))]
                self.price, self.energy = self.steps[0], 1
            for effect in cost.effects:
                if isinstance(effect, w.Life) and isinstance(effect.amount, int):
                    self.life -= effect.amount


@dataclass(frozen=True, slots=True)
class StandingRule:
    """A rule of a card, ready to be asked."""

    word: str
    who: Test
    a: Value
    d: Value
    by: Test | None
    text: str
    index: int


class Program:
    """What a sentence does: its operations, and what must be there for it to be started by choice."""

    __slots__ = ("needs", "ops", "optional", "plain", "possible", "registers", "takes")

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.registers: int = 0
        self.needs: list[Choice] = []  # each must have something to choose (rules 5.3c)
        self.possible: list[Op] = []  # without choices: one of these must be able to do something
        self.optional: bool = False
        self.plain: bool = False  # one choice is all it needs
        # choices of dice that are not there for a second use: they go "away", out of the "attack", or "up" or "down" a level
        self.takes: list[tuple[Choice, str]] = []


class Sentence:
    """A compiled ability of a card at this table."""

    __slots__ = (
        "ability",
        "card",
        "condition",
        "crosses",
        "event",
        "fights",
        "first",
        "index",
        "keyword",
        "kind",
        "lift",
        "limit",
        "need",
        "origin",
        "other",
        "own_turn",
        "position",
        "programs",
        "reads_late",
        "rules",
        "scope",
        "self_only",
        "tells_apart",
        "who",
        "whole",
        "whole_source",
    )

    def __init__(self, index: int, card: int, position: int, ability: w.Ability, rules: list[StandingRule]) -> None:
        self.index = index
        self.card = card
        self.position = position
        self.ability = ability
        self.kind: str = ability.kind
        self.origin: str = ability.kind  # of a part of another sentence: that one's kind
        self.whole: w.Ability = ability  # of a part: the ability it belongs to
        self.scope: str = ability.scope
        self.keyword: str = ability.keyword
        self.limit: str = ability.limit
        self.own_turn: bool = ability.own_turn
        self.event: str = "" if ability.event is None else ability.event.word
        self.who: Test = _always if ability.event is None else test_of(ability.event.who)
        self.other: Test | None = None
        if ability.event is not None and ability.event.other is not None:
            self.other = test_of(ability.event.other)
        self.self_only: bool = ability.event is not None and ability.event.who == w.this
        # it speaks of whom the damage went to, so it is set off for each of them
        whom = w.that if self.event == "damaged" else w.the_other
        self.tells_apart: bool = repr(whom) in repr(ability.effects)
        self.condition: Check | None = None if ability.condition is None else check_of(ability.condition)
        if ability.asked_by_keyword and self.condition is not None:
            self.condition = _if_keyword_asks(self.condition)
        self.reads_late: bool = reads_late(ability.condition)
        self.need: Need = Need(ability.cost)
        self.lift: Need | None = None if ability.lifted_by is None else Need(ability.lifted_by)
        self.programs: tuple[Program, ...] = tuple(_program(self, b, rules) for b in (0, 1, 2))
        self.rules: tuple[list[StandingRule], ...] = tuple(_standing(ability, b, rules) for b in (0, 1, 2))
        self.crosses: bool = self.event == "would be damaged" and _crosses(
            self
        )  # redirects from players to dice or back
        self.whole_source: bool = "whole_source=True" in repr(ability.effects)  # asked once for each source of damage
        self.fights: bool = _fights(ability)  # about attacking, blocking or being blocked
        self.first: int = _first_of(self)  # it speaks of the first so much damage of the turn


_FIGHTING = frozenset(("attacks", "blocks", "is blocked", "engaged", "not blocked", "cannot attack", "must attack"))
_FIGHTING |= {"cannot block", "must block", "blocks more", "cannot be blocked", "must be blocked", "blocked last"}
_FIGHTING |= {"blocked by at least", "full damage to each", "excess goes through", "deals twice"}


def _fights(ability: w.Ability) -> bool:
    """Tell whether an ability of a die is one for the combat: set off by it, or a rule about it."""
    if ability.scope != "die" or ability.keyword:
        return False
    if ability.event is not None:
        return ability.event.who == w.this and ability.event.word in _FIGHTING
    rules = (*ability.rules, *(rule for burst in ability.bursts for rule in burst.rules))
    return ability.kind == "always" and bool(rules) and all(rule.word in _FIGHTING for rule in rules)


def _first_of(sentence: Sentence) -> int:
    for program in sentence.programs:
        for op in program.ops:
            if isinstance(op.node, w.Prevent | w.Redirect) and isinstance(op.node.amount, w.Number):
                if op.node.amount.op == "first":
                    return cast(int, op.node.amount.args[0])
    return 0


_PLAYERS_AND_JOINS = frozenset(("and", "or", "you", "opponent", "each player"))


def _crosses(sentence: Sentence) -> bool:
    event = sentence.ability.event
    redirects = [op.node for program in sentence.programs for op in program.ops if isinstance(op.node, w.Redirect)]
    aims = [Group(r.to.where if isinstance(r.to, w.Select) else r.to) for r in redirects]
    if event is None or not aims:
        return False
    if any(op not in _PLAYERS_AND_JOINS for op, _ in words_in(event.who)):
        if Group(event.who).players:  # of players and dice: the text sends both to dice
            return all(not aim.players for aim in aims)
        return all(aim.players for aim in aims)
    return any(not aim.players for aim in aims)


def _if_keyword_asks(check: Check) -> Check:
    """Give a condition that only a keyword asks for, where it is more than a label (rules 6.14)."""
    return lambda s, c: not s.table.edition.resistance_asks_for_ko or check(s, c)


def _zero(s: State, c: Running) -> int:
    return 0


def _true(s: State, c: Running) -> bool:
    return True


def _always(s: State, x: int, c: Running) -> bool:
    return True


NO_NEED = Need(None)


def _standing(ability: w.Ability, burst: int, rules: list[StandingRule]) -> list[StandingRule]:
    mine = ability.rules
    for b in ability.bursts:
        if burst in b.on and b.rules:
            mine = b.rules if b.instead else (*mine, *b.rules)
    return [compile_rule(r, rules) for r in mine if not (r.word == "has keyword" and r.text == ability.keyword)]


def compile_rule(rule: w.Rule, rules: list[StandingRule]) -> StandingRule:
    """Compile a rule and enter it in the table's list, so that a record can refer to it by number."""
    where = rule.who if isinstance(rule.who, w.Where) else rule.who.where
    made = StandingRule(
        rule.word,
        test_of(where),
        value_of(rule.a),
        value_of(rule.d),
        None if rule.by is None else test_of(rule.by),
        rule.text,
        len(rules),
    )
    rules.append(made)
    return made


def _program(sentence: Sentence, burst: int, rules: list[StandingRule]) -> Program:
    ability = sentence.ability
    effects = ability.effects
    extra: tuple[w.Effect, ...] = ()
    for b in ability.bursts:
        if burst in b.on and b.effects:
            if b.instead:
                effects = b.effects
            else:
                extra = (*extra, *b.effects)
    program = Program()
    writer = _Writer(program, rules)
    cost = ability.cost
    if ability.kind == "global" and ability.event is not None and cost is not None:
        effects = (w.May(effects, cost),)  # a reactive Global is offered, paid and done at once (rules 5.10)
        cost = None
    checks = writer.cost(cost, sentence.need if burst == 0 else Need(cost))
    if sentence.lift is not None:
        writer.cost(ability.lifted_by, sentence.lift if burst == 0 else Need(None))
    writer.block(effects, program.needs)
    if extra:
        writer.block(extra, [])
    writer.land(checks)
    for op in program.ops:
        op.aims = _reach(op)
    if all(isinstance(e, w.Choose) or not any(select.least for _, select, _ in _selections(e)) for e in effects):
        program.possible = deeds_of(program.ops)
        required = {choice.register for choice in program.needs}
        if any(required & set(group.registers) for op in program.possible for group in op.aims):
            program.possible = []  # what has to be chosen first will be affected
    choices = [op.choice for op in program.ops if op.choice is not None and not op.is_cost]
    for op in program.ops:
        if way := _takes(op):
            program.takes += [(choice, way) for choice in choices if choice.register in _registers_of(op)]
    program.optional = bool(effects) and isinstance(effects[0], w.May)
    program.plain = len(program.needs) == 1 and not program.possible and not program.needs[0].group.registers
    program.plain = program.plain and not any(op.name == "name affiliation" for op in program.ops)
    return program


_TAKING = frozenset(("KO", "move", "field", "return", "buy", "capture", "set aside", "spin to energy"))


def _takes(op: Op) -> str:
    """Tell what becomes of the dice an operation reaches, if a second one would find nothing to do to them."""
    if op.name in _TAKING:
        return "away"
    if isinstance(op.node, w.Spin) and op.node.levels:
        return "up" if op.node.levels > 0 else "down"
    return "attack" if op.name == "leave combat" else ""


def _registers_of(op: Op) -> tuple[int, ...]:
    return () if op.group is None else op.group.registers


def _of_each(op: Op) -> list[Group]:
    """List whom each player has to choose among, of both sides; nobody if there is anything else to do."""
    if not isinstance(op.node, w.EachPlayer):
        return []
    choices = [[select for _, select, _ in _selections(e)] for e in op.node.effects]
    if not all(choices):
        return []
    return [Group(_of_anybody(select.where)) for some in choices for select in some]


def _of_anybody(where: w.Where) -> w.Where:
    """Leave out whose dice they are."""
    if where.op in ("own", "opposing"):
        return w.own | w.opposing
    return w.Where(where.op, tuple(_of_anybody(x) if isinstance(x, w.Where) else x for x in where.args))


def _reach(op: Op) -> list[Group]:
    """List whom an operation could do something to (rules 5.3c)."""
    if op.name == "each player":
        return _of_each(op)
    if op.choice is not None:
        return [] if op.choice.least else [op.choice.group]
    if op.parts:
        return [group for group, _, _ in op.parts]
    if isinstance(op.node, w.Spin) and isinstance(op.node.what, w.Where):
        return [Group(op.node.what & w.Where("can spin", (op.node.levels,)))]
    if isinstance(op.node, w.SpinTo) and isinstance(op.node.what, w.Where):
        return [Group(op.node.what & w.Where("can spin", (0,)) & ~w.level(op.node.level))]
    return [] if op.group is None else [op.group]


_ALWAYS_POSSIBLE = frozenset(
    (
        "life",
        "token",
        "counter",
        "turn rule",
        "name type",
        "name card",
        "copy named card",
        "later",
        "prevent",
        "increase",
    )
)
_ALWAYS_POSSIBLE |= {"place on card"}
NO_DEEDS = frozenset(
    ("may", "unless", "if", "jump", "done", "one of", "name affiliation", "affiliation named", "instead")
)


def deeds_of(ops: list[Op]) -> list[Op]:
    """List the operations of which one must be able to do something; none if one always can (rules 5.3c)."""
    deeds = [op for op in ops if op.name not in NO_DEEDS and not op.is_cost and not op.follows]
    deeds = [op for op in deeds if op.choice is None or not op.choice.least]
    if any(op.name in _ALWAYS_POSSIBLE or (op.name == "each player" and not _of_each(op)) for op in deeds):
        return []
    return deeds


def _follows(effect: w.Effect) -> bool:
    """Tell whether an effect has only what an effect before it has brought: dice drawn or moved, a number, success."""
    said = repr(effect)
    return any(f"op='{word}'" in said for word in ("drawn", "just moved", "affected", "done"))


class _Writer:
    """Writes the operations of a program."""

    def __init__(self, program: Program, rules: list[StandingRule]) -> None:
        self.program = program
        self.rules = rules

    def emit(self, name: str, node: object = None) -> Op:
        op = Op(name, node)
        self.program.ops.append(op)
        return op

    def block(self, effects: tuple[w.Effect, ...], needs: list[Choice] | None = None) -> list[Choice]:
        """Write effects: first their choices, so that all targets are known before anything happens, then the deeds."""
        mine: list[Choice] = [] if needs is None else needs
        ready: dict[int, Group] = {}
        for effect in effects:
            for key, select, spins in _selections(effect):
                if not _is_late(select.where):
                    ready[key] = self.choose(select, spins, mine)
        check: Op | None = None
        for i, effect in enumerate(effects):
            before = len(self.program.ops)
            self.effect(effect, ready, mine)
            for op in self.program.ops[before:] if i and _follows(effect) else ():
                op.follows = True
            if i == 0 and len(effects) > 1 and _is_first_of_two(effect, effects[1]):
                check = self.emit("done", effect)
                check.is_cost = hurts_user(effect)
        if check is not None:
            check.jump = len(self.program.ops)
        return mine

    def choose(self, select: w.Select, spins: int | None, needs: list[Choice]) -> Group:
        choice = Choice(select, self.program.registers, spins)
        self.program.registers += 1
        self.emit("choose", select).choice = choice
        if select.least > 0:
            needs.append(choice)
        return Group(w.chosen(choice.register))

    def group(self, what: w.What, ready: dict[int, Group], needs: list[Choice], spins: int | None = None) -> Group:
        if isinstance(what, w.Where):
            return Group(what)
        return ready[id(what)] if id(what) in ready else self.choose(what, spins, needs)

    def effect(self, effect: w.Effect, ready: dict[int, Group], needs: list[Choice]) -> None:
        match effect:
            case w.Damage() | w.Together():
                parts = effect.parts if isinstance(effect, w.Together) else (effect,)
                groups = [self.group(part.to, ready, needs) for part in parts]
                op = self.emit("damage", effect)
                for part, group in zip(parts, groups, strict=True):
                    source = None if part.source is None else Group(part.source)
                    op.parts.append((group, value_of(part.amount), source))
                op.group = groups[0]
            case w.Life():
                op = self.emit("life", effect)
                op.group, op.amount = Group(effect.who & w.each_player), value_of(effect.amount)
            case w.Give():
                self.give(effect, ready, needs)
            case w.Spin():
                group = self.group(effect.what, ready, needs, effect.levels)
                op = self.emit("spin", effect)
                op.group, op.amount = group, value_of(effect.levels)
            case w.SpinTo():
                group = self.group(effect.what, ready, needs)
                op = self.emit("spin to", effect)
                op.group, op.amount = group, value_of(effect.level)
            case w.Draw():
                op = self.emit("draw", effect)
                op.amount = value_of(effect.amount)
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
                self.emit("prevent", effect).amount = value_of(effect.amount)
            case w.Redirect():
                group = self.group(effect.to, ready, needs)
                for chosen in self.program.ops:
                    if chosen.choice is not None and chosen.node is effect.to:
                        chosen.choice.redirects = chosen.choice.special = True
                op = self.emit("redirect", effect)
                op.group, op.amount = group, value_of(effect.amount)
            case w.NewTarget():
                group = self.group(effect.what, ready, needs)
                for chosen in self.program.ops:
                    if chosen.choice is not None and chosen.node is effect.what:
                        chosen.choice.retargets = True
                self.emit("new target", effect).group = group
            case w.PlaceOnCard():
                group = Group(effect.among)
                group.places = (CARD, BAG, PREP, RESERVE, FIELD, USED, OUT)  # wherever its dice are, the card is there
                self.emit("place on card", effect).group = group
            case w.Instead():
                self.emit("instead", effect)
            case w.SetLife():
                self.emit("set life", effect).group = Group(effect.who & w.each_player)
            case w.EachPlayer():
                self.emit("each player", effect).part_of = w.Ability("part", effects=effect.effects)
            case w.OneOf():
                self.one_of(effect)
            case w.Later():
                about = None if effect.about is None else self.group(effect.about, ready, needs)
                op = self.emit("later", effect)
                op.group = about
                op.part_of = w.Ability("part", effect.event, effect.effects)
            case w.Divide():
                op = self.emit("divide", effect)
                op.group, op.amount = Group(effect.among), value_of(effect.amount)
            case w.Increase():
                self.emit("increase", effect).amount = value_of(effect.amount)
            case w.NameAffiliation():
                if id(effect) not in ready:
                    self.name_affiliation(effect)
                self.emit("affiliation named", effect)
            case w.Choose():
                self.group(effect.what, ready, needs)
            case w.SendHome():
                self.emit("send home", effect)
            case w.Swap() | w.SwapAttack() | w.SwapControl():
                first, second = self.group(effect.first, ready, needs), self.group(effect.second, ready, needs)
                op = self.emit(_SWAPS[type(effect)], effect)
                op.group, op.group2 = first, second
            case w.May():
                op = self.emit("may", effect)
                op.need = Need(effect.cost)
                checks = self.cost(effect.cost, op.need)
                before = len(self.program.ops)
                op.need.choices += self.block(effect.effects)
                inside = self.program.ops[before:]
                op.need.copies = any(x.name == "use copy" for x in inside)
                if not any(x.choice is not None and x.choice.least for x in inside):
                    op.need.deeds = deeds_of(inside)
                self.land([op, *checks])
            case w.Unless():
                op = self.emit("unless", effect)
                op.need = Need(effect.cost)
                # what the effect will reach is chosen before the other player decides (card-language: unless)
                self.program.ops.pop()
                inner: dict[int, Group] = {}
                before = self.program.registers
                for e in effect.effects:
                    for key, select, spins in _selections(e):
                        inner[key] = self.choose(select, spins, needs)
                    if isinstance(e, w.NameAffiliation):
                        self.name_affiliation(e)
                        inner[id(e)] = Group(w.this)
                op.registers = tuple(range(before, self.program.registers))
                self.program.ops.append(op)
                checks = self.cost(effect.cost, op.need)
                for e in effect.otherwise:
                    self.effect(e, {}, [])
                leave = self.emit("jump")
                self.land([op, *checks])
                before = len(self.program.ops)
                for e in effect.effects:
                    self.effect(e, inner, needs)
                op.need.deeds = deeds_of(self.program.ops[before:])
                leave.jump = len(self.program.ops)
            case w.Do():
                op = self.emit("if", effect)
                op.check = check_of(effect.condition)
                self.block(effect.effects)
                leave = self.emit("jump")
                op.jump = len(self.program.ops)
                self.block(effect.otherwise)
                leave.jump = len(self.program.ops)
            case _:
                name, what = (
                    _DEEDS[type(effect)],
                    cast(w.What, getattr(effect, "of" if isinstance(effect, w.Copy) else "what")),
                )
                group = self.group(what, ready, needs)
                op = self.emit(name, effect)
                op.group = group
                if isinstance(effect, w.ReturnToField):
                    op.amount = value_of(effect.level)
                if isinstance(effect, w.Copy):
                    op.group2 = Group(effect.who)
                    if reference(effect.who) is None:
                        op.rule = compile_rule(w.Rule("copy stats", effect.who), self.rules).index
                for made in self.program.ops if isinstance(effect, w.Use | w.Field) else ():
                    if made.choice is not None and made.node is what:
                        made.choice.uses = isinstance(effect, w.Use)
                        made.choice.fields = isinstance(effect, w.Field)
                        made.choice.special |= made.choice.uses or made.choice.fields

    def name_affiliation(self, effect: w.NameAffiliation) -> None:
        self.emit("name affiliation", effect).group = None if effect.among is None else Group(effect.among)

    def one_of(self, effect: w.OneOf) -> None:
        op = self.emit("one of", effect)
        starts: list[int] = []
        leaves: list[Op] = []
        for choice in effect.choices:
            starts.append(len(self.program.ops))
            self.block(choice)
            leaves.append(self.emit("jump"))
        op.registers = tuple(starts)
        for leave in leaves:
            leave.jump = len(self.program.ops)

    def cost(self, cost: w.Cost | None, need: Need) -> list[Op]:
        """Write what is done to pay; gives the checks that have to jump if it could not be done (rules 5.1)."""
        checks: list[Op] = []
        if cost is not None:
            for effect in cost.effects:
                before = len(self.program.ops)
                self.block((effect,))
                for op in self.program.ops[before:]:
                    op.is_cost = True
                    if op.choice is None and isinstance(effect, w.Spin) and isinstance(effect.what, w.Where):
                        need.reach += _reach(op)
                    if op.choice is not None:
                        if op.choice.by == "you":
                            op.choice.by = "payer"  # choosing among one's own for a cost is no targeting (5.3b)
                        need.choices.append(op.choice)  # "any number" of nothing is no payment either
                if isinstance(effect, w.Ko | w.Move | w.Spin):
                    checks.append(self.emit("done", effect))
                    checks[-1].is_cost = True
        return checks

    def land(self, checks: list[Op]) -> None:
        """Let these operations jump to what is written next."""
        for check in checks:
            check.jump = len(self.program.ops)

    def give(self, effect: w.Give, ready: dict[int, Group], needs: list[Choice]) -> None:
        rule = effect.rule
        compiled = compile_rule(rule, self.rules)
        if isinstance(rule.who, w.Where) and speaks_of(rule.who, "of named type"):
            op = self.emit("turn rule", effect)  # a rule for each type that may be named, so that a later naming
            typed = [compile_rule(replace(rule, who=_of_type(rule.who, t)), self.rules) for t in w.TYPES]
            op.registers = tuple(r.index for r in typed)  # does not change it
        elif isinstance(rule.who, w.Where) and reference(rule.who) is None and _is_for_later(effect):
            op = self.emit("turn rule", effect)  # concerns dice yet to come too: a rule with a description
        else:
            group = self.group(rule.who, ready, needs)
            op = self.emit("give", effect)
            op.group = group
        op.rule, op.amount, op.amount2 = compiled.index, compiled.a, compiled.d


def _where(what: w.What) -> w.Where:
    return what.where if isinstance(what, w.Select) else what


def _is_for_later(effect: w.Give) -> bool:
    if any(row.changes and speaks_of(_where(effect.rule.who), op) for op, row in DESCRIPTIONS.items()):
        return True
    if effect.rule.word == "has keyword" and effect.rule.text in _ON_FIELDING:
        return True
    return effect.until == w.NEXT_ONE or effect.rule.word in _FUTURE_WORDS


_SWAPS: dict[type, str] = {w.Swap: "swap", w.SwapAttack: "swap attack", w.SwapControl: "swap control"}


def _of_type(where: w.Where, letter: w.Symbol) -> w.Where:
    """Put an energy type in the place of the named one."""
    if where.op == "of named type":
        return w.energy_type(letter)
    return w.Where(where.op, tuple(_of_type(x, letter) if isinstance(x, w.Where) else x for x in where.args))


_ON_FIELDING = ("Intimidate",)  # keywords that act when a die is fielded: given to a group they are for dice to come
_FUTURE_WORDS = frozenset(("costs to buy", "costs to field", "fields free"))

_DEEDS: dict[type, str] = {
    w.Ko: "KO",
    w.SpinToEnergy: "spin to energy",
    w.Roll: "roll",
    w.Reroll: "reroll",
    w.Move: "move",
    w.Field: "field",
    w.ReturnToField: "return",
    w.Buy: "buy",
    w.LeaveCombat: "leave combat",
    w.JoinAttack: "join attack",
    w.RollUntil: "roll until",
    w.ClearDamage: "clear damage",
    w.Capture: "capture",
    w.Attach: "attach",
    w.Use: "use",
    w.UseCopy: "use copy",
    w.SetAside: "set aside",
    w.TakeControl: "control",
    w.Copy: "copy",
    w.EndEffect: "end effect",
    w.PairUp: "pair up",
}


def _selections(effect: w.Effect) -> list[tuple[int, w.Select, int | None]]:
    """List the choices an effect itself makes, with how a chosen die must be able to spin."""
    if isinstance(effect, w.Together):
        return [x for part in effect.parts for x in _selections(part)]
    if isinstance(effect, w.Give):
        return [(id(effect.rule.who), effect.rule.who, None)] if isinstance(effect.rule.who, w.Select) else []
    if isinstance(effect, w.Swap | w.SwapAttack | w.SwapControl):
        return [(id(x), x, None) for x in (effect.first, effect.second) if isinstance(x, w.Select)]
    if isinstance(effect, w.Spin):
        return [(id(effect.what), effect.what, effect.levels)] if isinstance(effect.what, w.Select) else []
    if isinstance(effect, w.Reroll) and isinstance(effect.what, w.Select):
        able = replace(effect.what, where=effect.what.where & w.Where("can reroll"))
        return [(id(effect.what), able, None)]
    if isinstance(effect, w.SpinToEnergy) and isinstance(effect.what, w.Select) and effect.symbol in w.TYPES:
        others = replace(effect.what, where=effect.what.where & ~w.Where("showing symbol", (effect.symbol,)))
        return [(id(effect.what), others, None)]
    for name in ("what", "to", "of"):
        value = getattr(effect, name, None)
        if isinstance(value, w.Select):
            return [(id(value), value, None)]
    return []


_CAN_FAIL: tuple[type, ...] = (w.Damage, w.Together, w.Ko, w.Give, w.Spin, w.SpinTo, w.SpinToEnergy, w.Roll, w.Reroll)
_CAN_FAIL += (w.Move, w.Field, w.ReturnToField, w.LeaveCombat, w.ClearDamage, w.Capture, w.SetAside, w.TakeControl)


def _is_first_of_two(first: w.Effect, second: w.Effect) -> bool:
    """Tell whether the first of two effects of different kinds may be a cost of the second (rules 5.1)."""
    damage = (w.Damage, w.Together)
    same = type(first) is type(second) or (isinstance(first, damage) and isinstance(second, damage))
    return isinstance(first, _CAN_FAIL) and not same


def hurts_user(effect: w.Effect) -> bool:
    """Tell whether an effect would hurt whoever uses it: KO, move out of field or Prep, spin down (rules 5.1)."""
    if not isinstance(effect, w.Ko | w.Move | w.Spin):
        return False
    where = effect.what.where if isinstance(effect.what, w.Select) else effect.what
    ops = words_in(where)
    words = {op for op, _ in ops}
    places = {p for op, args in ops if op == "in" for p in args} or {w.FIELD}
    if not words & {"own", "this", "this card"} or "opposing" in words:
        return False
    if isinstance(effect, w.Spin):
        return effect.levels < 0
    return isinstance(effect, w.Ko) or bool(places & {w.FIELD, w.PREP})


def _is_late(where: w.Where) -> bool:
    """Tell whether a choice can only be made when the effects before it have happened."""
    return speaks_of(where, "drawn", "just moved", "of named type", "of named affiliation")
