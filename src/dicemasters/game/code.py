"""From sentences to something that runs: descriptions become tests, effects become a list of operations.

What is made here belongs to the table, not to the state; a state only remembers how far a list has been carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from dicemasters.cards import words as w
from dicemasters.game import look
from dicemasters.game.look import Running
from dicemasters.game.state import (
    ACTIONS,
    ATTACK,
    ATTACKING,
    BAG,
    BLOCKED,
    FACTS,
    FIELD,
    FIELDED_NOW,
    FIELDINGS,
    HAND,
    NOBODY,
    OWN_KOS,
    PLAYER,
    PREP,
    RESERVE,
    USED,
    State,
)

Test = Callable[[State, int, Running], bool]
Value = Callable[[State, Running], int]
Check = Callable[[State, Running], bool]
References = Callable[[State, Running], list[int]]

PLACES = {w.BAG: BAG, w.PREP: PREP, w.RESERVE: RESERVE, w.FIELD: FIELD, w.USED: USED, w.HAND: HAND}
DOWN = 512  # added to a die that was chosen to be spun down, where either direction may be chosen


class Group:
    """Compiled description: where to look and what to test, or a direct reference."""

    __slots__ = ("any_die", "depends", "places", "players", "refs", "test")

    def __init__(self, where: w.Where) -> None:
        self.test: Test = test_of(where)
        self.refs: References | None = reference(where)
        ops = _ops(where)
        places = {PLACES[cast(str, p)] for op, args in ops if op == "in" for p in args}
        if "drawn" in {op for op, _ in ops}:
            places.add(HAND)
        self.places: tuple[int, ...] = tuple(sorted(places)) or (FIELD,)
        self.players: bool = any(op in ("you", "opponent", "each player") for op, _ in ops)
        self.depends: bool = _mentions(where, "chosen", "drawn", "just moved")  # on what happens earlier
        self.any_die: bool = any(op in ("any", "action die") for op, _ in ops)


class Choice:
    """Compiled selection."""

    __slots__ = ("by", "group", "least", "most", "register", "spins", "target")

    def __init__(self, select: w.Select, register: int, spins: int | None = None) -> None:
        where = select.where if spins is None else select.where & w.Where("can spin", (spins,))
        self.group = Group(where)
        self.least: int = select.least
        self.most: int = select.most
        self.target: bool = select.target
        self.by: str = select.by
        self.register: int = register
        self.spins: bool = spins == 0  # choosing a die to spin either way chooses the way too


class Op:
    """One operation of a program."""

    __slots__ = (
        "amount",
        "amount2",
        "check",
        "choice",
        "group",
        "group2",
        "jump",
        "name",
        "need",
        "node",
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
        self.parts: list[tuple[Group, Value, Group | None]] = []  # of damage: to whom, how much, from whom
        self.amount: Value = _zero
        self.amount2: Value = _zero
        self.check: Check = _true
        self.rule: int = -1
        self.jump: int = 0
        self.need: Need = NO_NEED


class Need:
    """What a cost asks for: energy by type, any energy, and choices that must have candidates."""

    __slots__ = ("choices", "energy", "life", "price")

    def __init__(self, cost: w.Cost | None) -> None:
        self.price: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # by type, and in all
        self.energy: int = 0
        self.life: int = 0
        self.choices: list[Choice] = []
        if cost is not None:
            n = [0, 0, 0, 0]
            for symbol in cost.energy:
                if symbol.isdigit():
                    self.energy += int(symbol)
                else:
                    n[w.TYPES.index(symbol)] += 1
                    self.energy += 1
            self.price = (n[0], n[1], n[2], n[3], self.energy)
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

    __slots__ = ("needs", "ops", "optional", "possible", "registers")

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.registers: int = 0
        self.needs: list[Choice] = []  # each must have something to choose (rules 5.3c)
        self.possible: list[Group] = []  # without choices: one of these must reach something
        self.optional: bool = False


class Sentence:
    """A compiled ability of a card at this table."""

    __slots__ = (
        "ability",
        "card",
        "condition",
        "event",
        "index",
        "keyword",
        "kind",
        "limit",
        "need",
        "other",
        "own_turn",
        "position",
        "programs",
        "rules",
        "scope",
        "self_only",
        "who",
    )

    def __init__(self, index: int, card: int, position: int, ability: w.Ability, rules: list[StandingRule]) -> None:
        self.index = index
        self.card = card
        self.position = position
        self.ability = ability
        self.kind: str = ability.kind
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
        self.condition: Check | None = None if ability.condition is None else check_of(ability.condition)
        self.need: Need = Need(ability.cost)
        self.programs: tuple[Program, ...] = tuple(_program(self, b, rules) for b in (0, 1, 2))
        self.rules: tuple[list[StandingRule], ...] = tuple(_standing(ability, b, rules) for b in (0, 1, 2))


def _zero(s: State, c: Running) -> int:
    return 0


def _true(s: State, c: Running) -> bool:
    return True


def _always(s: State, x: int, c: Running) -> bool:
    return True


NO_NEED = Need(None)

# --- descriptions --------------------------------------------------------------------------------------------------


def _mentions(where: w.Where, *ops: str) -> bool:
    return where.op in ops or any(isinstance(arg, w.Where) and _mentions(arg, *ops) for arg in where.args)


def _ops(where: w.Where) -> list[tuple[str, tuple[object, ...]]]:
    out = [(where.op, where.args)]
    for arg in where.args:
        if isinstance(arg, w.Where) and where.op != "not":
            out += _ops(arg)
    return out


def reference(where: w.Where) -> References | None:
    """Give a function that looks the dice up directly, if the description just points at them."""
    match where.op, where.args:
        case "this", ():
            return lambda s, c: [c.this]
        case "that", ():
            return lambda s, c: [c.event.die]
        case "the other", ():
            return lambda s, c: [c.event.other]
        case "partner", ():
            return lambda s, c: [look.partner_of(s, c.this)]
        case "just moved", ():
            return lambda s, c: list(s.done)
        case "chosen", (int(register),):
            n = register
            return lambda s, c: [x & (DOWN - 1) for x in c.chosen[n]] if n < len(c.chosen) else []
        case "or", (w.Where() as a, w.Where() as b):
            first, second = reference(a), reference(b)
            if first is not None and second is not None:
                one, two = first, second
                return lambda s, c: [*one(s, c), *(x for x in two(s, c) if x not in one(s, c))]
    return None


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda x, y: x == y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}

_DIE_NUMBERS: dict[str, Callable[[State, int], int]] = {
    "level": look.level,
    "cost": look.printed_cost,
    "fielding": look.fielding_cost,
    "d": lambda s, x: look.stats(s, x)[1],
}

_PLAIN: dict[str, Test] = {
    "any": lambda s, x, c: x < PLAYER,
    "character": lambda s, x, c: x < PLAYER and look.is_character(s, x),
    "own": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.you,
    "opposing": lambda s, x, c: x < PLAYER and (s.place[x] ^ c.you) & 1 == 1,
    "payer": lambda s, x, c: x == PLAYER + (c.payer & 1),
    "payer's": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.payer,
    "this": lambda s, x, c: x == c.this,
    "this card": lambda s, x, c: (
        x < PLAYER and s.table.sentences[c.ability].card in look.texts(s, x) and s.place[x] & 3 == c.you
    ),
    "that": lambda s, x, c: x == c.event.die,
    "the other": lambda s, x, c: x == c.event.other,
    "partner": lambda s, x, c: x < PLAYER and c.this != NOBODY and x == look.partner_of(s, c.this),
    "just moved": lambda s, x, c: x in s.done,
    "sidekick": lambda s, x, c: x < PLAYER and look.is_sidekick(s, x),
    "action die": lambda s, x, c: x < PLAYER and not s.table.is_character_die[x],
    "attacking": lambda s, x, c: x < PLAYER and s.flags[x] & ATTACKING != 0,
    "blocking": lambda s, x, c: any(b == x for b, _ in s.blocks),
    "blocked": lambda s, x, c: x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING | BLOCKED,
    "unblocked": lambda s, x, c: x < PLAYER and s.flags[x] & (ATTACKING | BLOCKED) == ATTACKING,
    "engaged": lambda s, x, c: look.is_engaged(s, x),
    "engaged with this": lambda s, x, c: (x, c.this) in s.blocks or (c.this, x) in s.blocks,
    "blocking this": lambda s, x, c: (x, c.this) in s.blocks,
    "blocked by this": lambda s, x, c: (c.this, x) in s.blocks,
    "fielded this turn": lambda s, x, c: x < PLAYER and s.flags[x] & FIELDED_NOW != 0,
    "damaged": lambda s, x, c: x < PLAYER and s.damage[x] > 0,
    "drawn": lambda s, x, c: x < PLAYER and s.place[x] == HAND * 4 + c.you,
    "showing character": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.CHARACTER,
    "showing action": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.ACTION,
    "showing energy": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.ENERGY,
    "paying": lambda s, x, c: x in c.event.known if c.event.word == "fielded" else x in c.paid,
    "you": lambda s, x, c: x == PLAYER + (c.you & 1),
    "opponent": lambda s, x, c: x == PLAYER + 1 - (c.you & 1),
    "each player": lambda s, x, c: x >= PLAYER and x != NOBODY,
    "of named type": lambda s, x, c: x < PLAYER and _named(s, c) in s.table.cards[look.identity(s, x)].energy,
}


def _named(s: State, c: Running) -> str:
    for ability, name in s.named:
        if ability == c.ability:
            return name
    return "-"


def test_of(where: w.Where) -> Test:
    """Compile a description into a test."""
    plain = _PLAIN.get(where.op)
    if plain is not None:
        return plain
    match where.op, where.args:
        case "and", (w.Where() as a, w.Where() as b):
            t1, t2 = test_of(a), test_of(b)
            return lambda s, x, c: t1(s, x, c) and t2(s, x, c)
        case "or", (w.Where() as a, w.Where() as b):
            t1, t2 = test_of(a), test_of(b)
            return lambda s, x, c: t1(s, x, c) or t2(s, x, c)
        case "not", (w.Where() as a,):
            t1 = test_of(a)
            return lambda s, x, c: not t1(s, x, c)
        case "type", types:
            letters = cast(tuple[str, ...], types)
            return lambda s, x, c: x < PLAYER and any(e in s.table.cards[look.identity(s, x)].energy for e in letters)
        case "affiliation", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and any(look.has_affiliation(s, x, n) for n in wanted)
        case "keyword", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and any(look.has_keyword(s, x, n) for n in wanted)
        case "title", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and s.table.cards[look.identity(s, x)].title in wanted
        case ("level" | "cost" | "fielding" | "d") as op, (str(how), n):
            compare, value, number = _COMPARE[how], value_of(cast(w.Amount, n)), _DIE_NUMBERS[op]
            return lambda s, x, c: x < PLAYER and compare(number(s, x), value(s, c))
        case "in", places:
            wanted_places = tuple(PLACES[cast(str, p)] for p in places)
            return lambda s, x, c: x < PLAYER and s.place[x] >> 2 in wanted_places
        case "chosen", (int(register),):
            k = register
            return lambda s, x, c: k < len(c.chosen) and (x in c.chosen[k] or x | DOWN in c.chosen[k])
        case "can spin", (int(levels),):
            way = levels
            return lambda s, x, c: can_spin(s, x, way)
    raise ValueError(f"the card language has no description '{where.op}'")


def can_spin(s: State, d: int, levels: int) -> bool:
    """Tell whether the die can be spun that way at all; 0 asks for either way (rules 5.12)."""
    if d >= PLAYER or s.table.is_token[d]:
        return False
    at, top = look.level(s, d), look.top_level(s, d)
    if levels == 0:
        return top > 1
    return at < top if levels > 0 else at > 1


# --- numbers and conditions ----------------------------------------------------------------------------------------


def value_of(amount: w.Amount) -> Value:
    """Compile an amount."""
    if isinstance(amount, int):
        fixed = amount
        return lambda s, c: fixed
    match amount.op, amount.args:
        case "count", (w.Where() as what, bool(by_dice)):
            group = Group(what)
            return lambda s, c: count(s, group, c, by_dice)
        case "attack", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: _known(s, c, group, 0)
        case "defence", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: _known(s, c, group, 1)
        case "level", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: _known(s, c, group, 2)
        case "half", (of,):
            inner = value_of(cast(w.Amount, of))
            return lambda s, c: inner(s, c) // 2
        case "times", (int(n), of):
            factor, inner = n, value_of(cast(w.Amount, of))
            return lambda s, c: factor * inner(s, c)
        case "affected", ():
            return lambda s, c: len(s.done)
        case "paid", ():
            return lambda s, c: c.given
        case "event", ():
            return lambda s, c: c.event.amount
    raise ValueError(f"the card language has no number '{amount.op}'")


def _known(s: State, c: Running, group: Group, which: int) -> int:
    """Give A, D or level of the dice meant, as last known if the event says it was KO'd."""
    total = 0
    for d in gather(s, group, c):
        if c.event.word == "KO'd" and d == c.event.die:
            total += c.event.known[which]
        elif which == 2:
            total += look.level(s, d)
        else:
            total += look.stats(s, d)[which]
    return total


def count(s: State, group: Group, c: Running, by_dice: bool) -> int:
    """Count characters: cards of each player, every Sidekick for itself, or single dice (rules 5.5)."""
    dice = gather(s, group, c)
    if by_dice:
        return len(dice)
    t = s.table
    sidekicks = [d for d in dice if t.card_of[d] < t.n_seats]
    cards = {(look.identity(s, d), s.place[d] & 3) for d in dice if t.card_of[d] >= t.n_seats}
    return len(sidekicks) + len(cards)


def check_of(condition: w.Condition) -> Check:
    """Compile a condition."""
    match condition.op, condition.args:
        case "and", (w.Condition() as a, w.Condition() as b):
            c1, c2 = check_of(a), check_of(b)
            return lambda s, c: c1(s, c) and c2(s, c)
        case "not", (w.Condition() as a,):
            c1 = check_of(a)
            return lambda s, c: not c1(s, c)
        case "count", (str(how), int(n), w.Where() as what):
            compare, number, group = _COMPARE[how], n, Group(what)
            return lambda s, c: compare(len(gather(s, group, c)), number)
        case "is", (w.Where() as which, w.Where() as what):
            group, test = Group(which), test_of(what)
            return lambda s, c: any(test(s, x, c) for x in gather(s, group, c))
        case "first fielding", ():
            return lambda s, c: s.facts[(c.you & 1) * FACTS + FIELDINGS] == 1
        case "own KO this turn", ():
            return lambda s, c: s.facts[(c.you & 1) * FACTS + OWN_KOS] > 0
        case "opposing KO this turn", ():
            return lambda s, c: s.facts[(1 - (c.you & 1)) * FACTS + OWN_KOS] > 0
        case "action used this turn", ():
            return lambda s, c: s.facts[(c.you & 1) * FACTS + ACTIONS] > 0
        case "in attack step", ():
            return lambda s, c: s.step == ATTACK
        case "by combat", ():
            return lambda s, c: c.event.kind == "combat"
        case "attacks alone", ():
            return lambda s, c: len(look.attackers(s)) == 1
        case "paired", ():
            return lambda s, c: look.partner_of(s, c.this) != NOBODY
    raise ValueError(f"the card language has no condition '{condition.op}'")


# --- what is there -------------------------------------------------------------------------------------------------


def gather(s: State, group: Group, c: Running) -> list[int]:
    """List the dice and players a description means now."""
    if group.refs is not None:
        return [x for x in group.refs(s, c) if x != NOBODY]
    t = s.table
    test = group.test
    out: list[int] = []
    for place in group.places:
        for seat in range(t.n_seats):
            for d in s.dice_in(place, seat):
                # only characters are reached in the field unless a text says dice and the edition allows (5.3a)
                if place == FIELD and t.kinds[t.m6[d] + s.face[d]] != look.CHARACTER:
                    if not (group.any_die and t.edition.targets_any_die):
                        continue
                if test(s, d, c):
                    out.append(d)
    if group.players:
        for side in (0, 1):
            if test(s, PLAYER + side, c):
                out.append(PLAYER + side)
    return out


# --- effects -------------------------------------------------------------------------------------------------------


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
    if cost is not None:
        for effect in cost.effects:
            writer.block((effect,), sentence.need.choices)
    writer.block(effects, program.needs)
    if extra:
        writer.block(extra, [])
    if all(isinstance(e, w.Choose) or not _selections(e) for e in effects):
        program.possible = [op.group for op in program.ops if op.group is not None and op.choice is None]
        if any(op.name in _ALWAYS_POSSIBLE for op in program.ops):
            program.possible = []
    program.optional = bool(effects) and isinstance(effects[0], w.May)
    return program


_ALWAYS_POSSIBLE = frozenset(("draw", "life", "token", "counter", "turn rule", "name type"))


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
        for effect in effects:
            self.effect(effect, ready, mine)
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
            case w.NameType():
                self.emit("name type", effect)
            case w.Prevent():
                self.emit("prevent", effect).amount = value_of(effect.amount)
            case w.Redirect():
                group = self.group(effect.to, ready, needs)
                op = self.emit("redirect", effect)
                op.group, op.amount = group, value_of(effect.amount)
            case w.Instead():
                self.emit("instead", effect)
            case w.Choose():
                self.group(effect.what, ready, needs)
            case w.Swap():
                first, second = self.group(effect.first, ready, needs), self.group(effect.second, ready, needs)
                op = self.emit("swap", effect)
                op.group, op.group2 = first, second
            case w.May():
                op = self.emit("may", effect)
                op.need = Need(effect.cost)
                self.cost(effect.cost, op.need)
                op.need.choices += self.block(effect.effects)
                op.jump = len(self.program.ops)
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
                op.registers = tuple(range(before, self.program.registers))
                self.program.ops.append(op)
                self.cost(effect.cost, op.need)
                for e in effect.otherwise:
                    self.effect(e, {}, [])
                leave = self.emit("jump")
                op.jump = len(self.program.ops)
                for e in effect.effects:
                    self.effect(e, inner, needs)
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
                name, what = _DEEDS[type(effect)], cast(w.What, getattr(effect, "of" if isinstance(effect, w.Copy) else "what"))
                group = self.group(what, ready, needs)
                self.emit(name, effect).group = group

    def cost(self, cost: w.Cost | None, need: Need) -> None:
        if cost is not None:
            for effect in cost.effects:
                need.choices += self.block((effect,))

    def give(self, effect: w.Give, ready: dict[int, Group], needs: list[Choice]) -> None:
        rule = effect.rule
        compiled = compile_rule(rule, self.rules)
        if isinstance(rule.who, w.Where) and rule.word in _FUTURE_WORDS and reference(rule.who) is None:
            op = self.emit("turn rule", effect)  # concerns dice yet to come too: a rule with a description
        else:
            group = self.group(rule.who, ready, needs)
            op = self.emit("give", effect)
            op.group = group
        op.rule, op.amount, op.amount2 = compiled.index, compiled.a, compiled.d


_FUTURE_WORDS = frozenset(("costs to buy", "costs to field"))

_DEEDS: dict[type, str] = {
    w.Ko: "KO",
    w.SpinToEnergy: "spin to energy",
    w.Roll: "roll",
    w.Reroll: "reroll",
    w.Move: "move",
    w.Field: "field",
    w.ReturnToField: "return",
    w.LeaveCombat: "leave combat",
    w.ClearDamage: "clear damage",
    w.Capture: "capture",
    w.SetAside: "set aside",
    w.TakeControl: "control",
    w.Copy: "copy",
    w.PairUp: "pair up",
}


def _selections(effect: w.Effect) -> list[tuple[int, w.Select, int | None]]:
    """List the choices an effect itself makes, with how a chosen die must be able to spin."""
    if isinstance(effect, w.Together):
        return [x for part in effect.parts for x in _selections(part)]
    if isinstance(effect, w.Give):
        return [(id(effect.rule.who), effect.rule.who, None)] if isinstance(effect.rule.who, w.Select) else []
    if isinstance(effect, w.Swap):
        return [(id(x), x, None) for x in (effect.first, effect.second) if isinstance(x, w.Select)]
    if isinstance(effect, w.Spin):
        return [(id(effect.what), effect.what, effect.levels)] if isinstance(effect.what, w.Select) else []
    for name in ("what", "to", "of"):
        value = getattr(effect, name, None)
        if isinstance(value, w.Select):
            return [(id(value), value, None)]
    return []


def _is_late(where: w.Where) -> bool:
    """Tell whether a choice can only be made when the effects before it have happened."""
    return _mentions(where, "drawn", "just moved")
