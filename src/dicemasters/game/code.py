"""From sentences to something that runs: descriptions become tests, effects become a list of operations.

What is made here belongs to the table, not to the state; a state only remembers how far a list has been carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    CARD,
    FACTS,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    FIELDINGS,
    HALF_SPENT,
    HAND,
    HELD,
    HURT,
    MAIN,
    NOBODY,
    OUT,
    OWN_KOS,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    SIDEKICK_KOS,
    USED,
    Happening,
    State,
)

Test = Callable[[State, int, Running], bool]
Value = Callable[[State, Running], int]
Check = Callable[[State, Running], bool]
References = Callable[[State, Running], list[int]]

PLACES = {w.BAG: BAG, w.PREP: PREP, w.RESERVE: RESERVE, w.FIELD: FIELD, w.USED: USED, w.HAND: HAND}
ENGAGED = 256  # beside the flags of a KO'd die: it was blocking or being blocked
DOWN = 512  # added to a die that was chosen to be spun down, where either direction may be chosen


class Group:
    """Compiled description: where to look and what to test, or a direct reference."""

    __slots__ = ("action_dice", "any_die", "depends", "places", "players", "refs", "registers", "test")

    def __init__(self, where: w.Where) -> None:
        self.test: Test = test_of(where)
        self.refs: References | None = reference(where)
        ops = _ops(where)
        places = {PLACES[cast(str, p)] for op, args in ops if op == "in" for p in args}
        if "drawn" in {op for op, _ in ops}:
            places.add(HAND)
        if "captured by this" in {op for op, _ in ops}:
            places.add(HELD)
        if "on sale" in {op for op, _ in ops}:
            places.add(CARD)
        if "just rolled" in {op for op, _ in ops}:
            places.add(PREP)
        self.places: tuple[int, ...] = tuple(sorted(places)) or (FIELD,)
        self.players: bool = any(op in ("you", "opponent", "each player") for op, _ in ops)
        # on what happens earlier
        self.depends: bool = _mentions(where, "drawn", "just moved", "of named type", "of named affiliation")
        self.registers: tuple[int, ...] = tuple(_registers(where))  # on what is chosen earlier
        self.any_die: bool = any(op == "any" for op, _ in ops)
        self.action_dice: bool = any(op == "action die" for op, _ in ops)


class Choice:
    """Compiled selection."""

    __slots__ = (
        "breaks_tie",
        "by",
        "group",
        "least",
        "most",
        "redirects",
        "register",
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
        self.uses: bool = False  # an action die to be used must be able to do something


class Op:
    """One operation of a program."""

    __slots__ = (
        "amount",
        "amount2",
        "check",
        "choice",
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
        self.jump: int = 0
        self.need: Need = NO_NEED


class Need:
    """What a cost asks for: energy by type, any energy, and choices that must have candidates."""

    __slots__ = ("aims", "choices", "copies", "energy", "life", "price", "reach", "steps")

    def __init__(self, cost: w.Cost | None) -> None:
        self.price: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # by type, and in all
        self.energy: int = 0
        self.life: int = 0
        self.choices: list[Choice] = []
        self.reach: list[Group] = []  # each must mean somebody, where nothing is chosen
        self.aims: list[Group] = []  # of what may be done: one must mean somebody (rules 5.3c)
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

    __slots__ = ("needs", "ops", "optional", "plain", "possible", "registers")

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.registers: int = 0
        self.needs: list[Choice] = []  # each must have something to choose (rules 5.3c)
        self.possible: list[Group] = []  # without choices: one of these must reach something
        self.optional: bool = False
        self.plain: bool = False  # one choice is all it needs


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


_PLAYER_WORDS = ("you", "opponent", "each player")


def _crosses(sentence: Sentence) -> bool:
    event = sentence.ability.event
    redirects = [op.node for program in sentence.programs for op in program.ops if isinstance(op.node, w.Redirect)]
    aims = [Group(r.to.where if isinstance(r.to, w.Select) else r.to) for r in redirects]
    if event is None or not aims:
        return False
    if any(op not in ("and", "or", *_PLAYER_WORDS) for op, _ in _ops(event.who)):
        if Group(event.who).players:  # of players and dice: the text sends both to dice
            return all(not aim.players for aim in aims)
        return all(aim.players for aim in aims)
    return any(not aim.players for aim in aims)


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


def _registers(where: w.Where) -> list[int]:
    if where.op == "chosen":
        return [n for n in where.args if isinstance(n, int)]
    return [n for arg in where.args if isinstance(arg, w.Where) for n in _registers(arg)]


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
        case "touched", ():
            return lambda s, c: look.touched_by(s, c.this)
        case "in force", ():
            return lambda s, c: look.in_force(s)
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
    "printed fielding": lambda s, x: s.table.costs[look.face_of(s, x)],
    "d": lambda s, x: look.stats(s, x)[1],
}

_PLAIN: dict[str, Test] = {
    "of named affiliation": lambda s, x, c: x < PLAYER and look.has_affiliation(s, x, named(s, c)),
    "any": lambda s, x, c: x < PLAYER,
    "character": lambda s, x, c: x < PLAYER and look.is_character(s, x),
    "own": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.you,
    "opposing": lambda s, x, c: x < PLAYER and (s.place[x] ^ c.you) & 1 == 1,
    "active player's": lambda s, x, c: x < PLAYER and s.place[x] & 1 == s.active & 1,
    "payer": lambda s, x, c: x == PLAYER + (c.payer & 1),
    "payer's": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.payer,
    "this": lambda s, x, c: x == c.this,
    "this card": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.you and _is_of_this_card(s, x, c),
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
    "touched": lambda s, x, c: x in look.touched_by(s, c.this),
    "captured by this": lambda s, x, c: any(
        h.kind == "capture" and (h.die, h.holder) == (x, c.this) for h in s.holdings
    ),
    "met this": lambda s, x, c: any(d == x and other == c.this for d, other, _ in s.met),
    "has blocked this": lambda s, x, c: any(d == x and other == c.this and how & 2 for d, other, how in s.met),
    "fielded this turn": lambda s, x, c: x < PLAYER and s.flags[x] & FIELDED_NOW != 0,
    "fielded last turn": lambda s, x, c: x < PLAYER and s.flags[x] & FIELDED_BEFORE != 0,
    "in force": lambda s, x, c: x in look.in_force(s),
    "just rolled": lambda s, x, c: x < PLAYER and s.place[x] >> 2 == PREP and s.flags[x] & ROLLED != 0,
    "damaged": lambda s, x, c: x < PLAYER and s.damage[x] > 0,
    "damaged this turn": lambda s, x, c: x < PLAYER and s.flags[x] & HURT != 0,
    "drawn": lambda s, x, c: x < PLAYER and s.place[x] == HAND * 4 + c.you,
    "on sale": lambda s, x, c: x < PLAYER and s.place[x] >> 2 == CARD and s.table.card_of[x] in s.table.buyable[c.you],
    "showing character": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.CHARACTER,
    "showing action": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.ACTION,
    "showing energy": lambda s, x, c: s.table.kinds[s.table.m6[x] + s.face[x]] == look.ENERGY,
    "can reroll": lambda s, x, c: x < PLAYER and can_reroll(s, x),
    "paying": lambda s, x, c: x in (c.event.known[: c.event.amount] if c.event.word == "fielded" else c.paid),
    "you": lambda s, x, c: x == PLAYER + (c.you & 1) or x == PERSON + c.you,
    "opponent": lambda s, x, c: x == PLAYER + 1 - (c.you & 1) or (PERSON <= x < NOBODY and (x ^ c.you) & 1 == 1),
    "each player": lambda s, x, c: x >= PLAYER and x != NOBODY,
    "of named type": lambda s, x, c: x < PLAYER and named(s, c) in s.table.cards[look.identity(s, x)].energy,
    "of its card": lambda s, x, c: x < PLAYER and look.lies_on(s, c.this) == look.identity(s, x),
    "of named card": lambda s, x, c: x < PLAYER and s.table.cards[look.identity(s, x)].key == named(s, c),
}


def named(s: State, c: Running) -> str:
    """Give what this card has named: a type, an affiliation or a card."""
    return look.named_by(s, s.table.sentences[c.ability].card)


def _is_of_this_card(s: State, x: int, c: Running) -> bool:
    """Tell whether the die is one of the card whose text it is; in copied text the copier's name stands (5.13c)."""
    card = s.table.sentences[c.ability].card
    if c.this < PLAYER and look.identity(s, c.this) != card:
        return look.identity(s, x) == look.identity(s, c.this)
    return card in look.texts(s, x)


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
        case "showing symbol", (str(symbol),):
            kind = w.TYPES.index(symbol)
            return lambda s, x, c: x < PLAYER and _pips(s, x, kind) > 0
        case "affiliation", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and any(look.has_affiliation(s, x, n) for n in wanted)
        case "keyword", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and any(look.has_keyword(s, x, n) for n in wanted)
        case "title", names:
            wanted = cast(tuple[str, ...], names)
            return lambda s, x, c: x < PLAYER and s.table.cards[look.identity(s, x)].title in wanted
        case ("level" | "cost" | "fielding" | "printed fielding" | "d") as op, (str(how), n):
            compare, value, number = _COMPARE[how], value_of(cast(w.Amount, n)), _DIE_NUMBERS[op]
            return lambda s, x, c: x < PLAYER and compare(number(s, x), value(s, c))
        case "in", places:
            wanted_places = tuple(PLACES[cast(str, p)] for p in places)
            return lambda s, x, c: x < PLAYER and s.place[x] >> 2 in wanted_places
        case "showing burst", (int(n),):
            stars = n
            return lambda s, x, c: x < PLAYER and look.burst(s, x) == stars
        case "cheapest", (w.Where() as what,):
            group = Group(what)
            return lambda s, x, c: x in _cheapest(s, group, c)
        case "same type", (w.Where() as which,):
            like = Group(which)
            return lambda s, x, c: x < PLAYER and any(look.shares_type(s, x, d) for d in gather(s, like, c))
        case "chosen", (int(register),):
            k = register
            return lambda s, x, c: k < len(c.chosen) and (x in c.chosen[k] or x | DOWN in c.chosen[k])
        case "can spin", (int(levels),):
            way = levels
            return lambda s, x, c: can_spin(s, x, way)
    raise ValueError(f"the card language has no description '{where.op}'")


def _cheapest(s: State, group: Group, c: Running) -> list[int]:
    dice = gather(s, group, c)
    least = min((look.printed_cost(s, d) for d in dice), default=0)
    return [d for d in dice if look.printed_cost(s, d) == least]


def can_reroll(s: State, d: int) -> bool:
    """Tell whether the die is rolled and, where the edition says so, not half spent (rules 3.3a, 5.11)."""
    rolled = s.place[d] >> 2 in (FIELD, RESERVE) or (s.place[d] >> 2 == PREP and s.flags[d] & ROLLED)
    if not rolled or s.table.is_token[d]:
        return False
    return s.table.edition.half_spent_reroll or not s.flags[d] & HALF_SPENT


def can_spin(s: State, d: int, levels: int) -> bool:
    """Tell whether the die can be spun that way at all; 0 asks for either way (rules 5.12)."""
    if d >= PLAYER or s.table.is_token[d]:
        return False
    at, top = look.face_level(s, d), look.top_level(s, d)
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
        case "life", (w.Where() as what,):
            group = Group(what & w.each_player)
            return lambda s, c: sum(s.life[x - PLAYER] for x in gather(s, group, c))
        case "symbols", (str(symbol), w.Where() as what):
            kind, group = w.TYPES.index(symbol), Group(what)
            return lambda s, c: sum(_pips(s, d, kind) for d in gather(s, group, c))
        case "highest level", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: max((look.level(s, d) for d in gather(s, group, c)), default=0)
        case "lowest defence", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: min((look.stats(s, d)[1] for d in gather(s, group, c)), default=0)
        case "types", (w.Where() as what,):
            group = Group(what)
            return lambda s, c: len({e for d in gather(s, group, c) for e in s.table.cards[look.identity(s, d)].energy})
        case "half", (of,):
            inner = value_of(cast(w.Amount, of))
            return lambda s, c: inner(s, c) // 2
        case "times", (int(n), of):
            factor, inner = n, value_of(cast(w.Amount, of))
            return lambda s, c: factor * inner(s, c)
        case "affected", ():
            return lambda s, c: len(s.done)
        case "KOs", ():
            return lambda s, c: sum(x < PLAYER and s.place[x] >> 2 != FIELD for x in s.done)
        case "paid", ():
            return lambda s, c: c.given
        case "event", ():
            return lambda s, c: c.event.amount
        case "event total", ():
            return lambda s, c: c.event.known[0] if c.event.known else c.event.amount
        case "first", (int(n),):
            first = n
            return lambda s, c: min(max(0, first - look.counted(s, c) + c.event.amount), c.event.amount)
        case "up to", (int(n),):
            most = n
            return lambda s, c: most
        case "own attack", ():
            return own_attack
        case "counters", (str(),):
            return lambda s, c: s.counters[s.table.sentences[c.ability].card]
    raise ValueError(f"the card language has no number '{amount.op}'")


def own_attack(s: State, c: Running) -> int:
    """Stand for the A of each die that deals the damage, which is worked out die by die."""
    return 0


def _pips(s: State, d: int, kind: int) -> int:
    i = s.table.m6[d] + s.face[d]
    return s.table.pips[i] if s.table.energy[i] == kind else 0


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
        case "or", (w.Condition() as a, w.Condition() as b):
            c1, c2 = check_of(a), check_of(b)
            return lambda s, c: c1(s, c) or c2(s, c)
        case "compare", (a, str(how), b):
            compare, v1, v2 = _COMPARE[how], value_of(cast(w.Amount, a)), value_of(cast(w.Amount, b))
            return lambda s, c: compare(v1(s, c), v2(s, c))
        case "was", (str(word),):
            return lambda s, c: was(c.event, word)
        case "by source", kinds:
            wanted = cast(tuple[str, ...], kinds)
            return lambda s, c: any(kind in c.event.kind.split(", ") for kind in wanted)
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
            return lambda s, c: s.facts[c.you * FACTS + FIELDINGS] == 1
        case "own KO this turn", ():
            return lambda s, c: s.facts[c.you * FACTS + OWN_KOS] > 0
        case "own Sidekick KO this turn", ():
            return lambda s, c: s.facts[c.you * FACTS + SIDEKICK_KOS] > 0
        case "by damage", ():
            return lambda s, c: 0 < s.damage[c.event.die] >= look.stats(s, c.event.die)[1]
        case "opposing KO this turn", ():
            return lambda s, c: any(s.facts[x * FACTS + OWN_KOS] for x in s.table.sides[look.opponent_of(c.you)])
        case "action used this turn", ():
            return lambda s, c: s.facts[c.you * FACTS + ACTIONS] > 0
        case "has damaged", (str(whom), bool(combat)):
            to_player, in_combat = int(whom == "opponent"), int(combat)
            bit = 1 << 2 * to_player + in_combat
            return lambda s, c: (
                c.event.known[-1] & bit != 0  # the die itself may have left since
                if c.event.word == "deals damage" and c.event.die == c.this and c.event.known
                else any(
                    r.word == "dealt" and r.subject == c.this and r.a == to_player and r.d >= in_combat
                    for r in s.records
                )
            )
        case "in your main step", ():
            return lambda s, c: s.step == MAIN and (s.active ^ c.you) & 1 == 0
        case "done", ():
            return lambda s, c: bool(s.done)
        case "dealt by you", ():
            return lambda s, c: len(c.event.known) > 1 and c.event.known[1] == c.you
        case "would be KO'd too", ():
            return _would_be_kod_too
        case "in attack step", ():
            return lambda s, c: s.step == ATTACK
        case "by combat", ():
            return lambda s, c: c.event.kind.startswith("combat")
        case "attacks alone", ():
            return lambda s, c: len(look.attackers(s)) == 1
        case "paired", ():
            return lambda s, c: look.partner_of(s, c.this) != NOBODY
    raise ValueError(f"the card language has no condition '{condition.op}'")


def _would_be_kod_too(s: State, c: Running) -> bool:
    """Tell whether the damage on its way, all of the same moment, would KO this die."""
    for f in reversed(s.stack):
        packets = getattr(f, "packets", None)
        if packets is not None:
            coming = sum(p.amount for p in packets if p.to == c.this)
            return bool(coming and s.damage[c.this] + coming >= look.stats(s, c.this)[1])
    return False


def mentions(condition: w.Condition | None, op: str) -> bool:
    """Tell whether a condition has this word in it."""
    if condition is None:
        return False
    return condition.op == op or any(isinstance(x, w.Condition) and mentions(x, op) for x in condition.args)


def was(event: Happening, word: str) -> bool:
    """Tell what a KO'd die was doing when it went; an event of a KO knows its flags."""
    if event.word != "KO'd":
        return False
    flags = event.known[3]
    if word == "attacking":
        return flags & ATTACKING != 0
    if word == "blocking":
        return flags & ENGAGED != 0 and not flags & ATTACKING
    return flags & ENGAGED != 0


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
                # only characters are reached in the field, unless a text says action dice, or dice in uxm (5.3a)
                if place == FIELD and t.kinds[t.m6[d] + s.face[d]] != look.CHARACTER:
                    if not (group.action_dice or (group.any_die and t.edition.targets_any_die)):
                        continue
                if test(s, d, c):
                    out.append(d)
    if group.players:
        for side in (0, 1):
            if test(s, PLAYER + side, c):
                out.append(PLAYER + side)
    return out


def exists(s: State, group: Group, c: Running) -> bool:
    """Tell whether a description means anything now."""
    if group.refs is not None or group.players:
        return bool(gather(s, group, c))
    t = s.table
    where, test = s.place, group.test
    for place in group.places:
        for seat in range(t.n_seats):
            byte = place * 4 + seat
            d = where.find(byte)
            while d >= 0:
                if (
                    place != FIELD
                    or t.kinds[t.m6[d] + s.face[d]] == look.CHARACTER
                    or group.action_dice
                    or (group.any_die and t.edition.targets_any_die)
                ):
                    if test(s, d, c):
                        return True
                d = where.find(byte, d + 1)
    return False


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
    checks = writer.cost(cost, sentence.need if burst == 0 else Need(cost))
    if sentence.lift is not None:
        writer.cost(ability.lifted_by, sentence.lift if burst == 0 else Need(None))
    writer.block(effects, program.needs)
    if extra:
        writer.block(extra, [])
    writer.land(checks)
    if all(isinstance(e, w.Choose) or not any(select.least for _, select, _ in _selections(e)) for e in effects):
        program.possible = [group for op in program.ops for group in _reach(op)]
        if any(op.name in _ALWAYS_POSSIBLE and not _of_each(op) for op in program.ops):
            program.possible = []
        required = {choice.register for choice in program.needs}
        if any(required & set(group.registers) for group in program.possible):
            program.possible = []  # what has to be chosen first will be affected
    program.optional = bool(effects) and isinstance(effects[0], w.May)
    program.plain = len(program.needs) == 1 and not program.possible and not program.needs[0].group.registers
    program.plain = program.plain and not any(op.name == "name affiliation" for op in program.ops)
    return program


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
        "draw",
        "life",
        "set life",
        "token",
        "counter",
        "send home",
        "new target",
        "turn rule",
        "name type",
        "name card",
        "copy named card",
        "each player",
        "later",
    )
)


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
            self.effect(effect, ready, mine)
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
                        chosen.choice.redirects = True
                op = self.emit("redirect", effect)
                op.group, op.amount = group, value_of(effect.amount)
            case w.NewTarget():
                group = self.group(effect.what, ready, needs)
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
                deeds = self.program.ops[before:]
                op.need.copies = any(x.name == "use copy" for x in deeds)
                if not any(x.choice is not None or x.name in _ALWAYS_POSSIBLE for x in deeds):
                    op.need.aims = [group for x in deeds for group in _reach(x) if not group.depends]
                    if any(group.depends for x in deeds for group in _reach(x)):
                        op.need.aims = []
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
                if isinstance(effect, w.Use):
                    for made in self.program.ops:
                        if made.choice is not None and made.node is effect.what:
                            made.choice.uses = True

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
        if isinstance(rule.who, w.Where) and _mentions(rule.who, "of named type"):
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


def _is_for_later(effect: w.Give) -> bool:
    if effect.rule.word == "has keyword" and effect.rule.text in _ON_FIELDING:
        return True
    return effect.until == w.NEXT_ONE or effect.rule.word in _FUTURE_WORDS


_SWAPS: dict[type, str] = {w.Swap: "swap", w.SwapAttack: "swap attack", w.SwapControl: "swap control"}


def _of_type(where: w.Where, letter: str) -> w.Where:
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
    ops = _ops(where)
    words = {op for op, _ in ops}
    places = {p for op, args in ops if op == "in" for p in args} or {w.FIELD}
    if not words & {"own", "this", "this card"} or "opposing" in words:
        return False
    if isinstance(effect, w.Spin):
        return effect.levels < 0
    return isinstance(effect, w.Ko) or bool(places & {w.FIELD, w.PREP})


def _is_late(where: w.Where) -> bool:
    """Tell whether a choice can only be made when the effects before it have happened."""
    return _mentions(where, "drawn", "just moved", "of named type", "of named affiliation")
