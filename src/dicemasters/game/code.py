"""Descriptions, amounts and conditions of the card language as functions of a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from dicemasters.cards import words as w
from dicemasters.game import look
from dicemasters.game.frames import Damaging, Happening, Running
from dicemasters.game.state import (
    ACTIONS,
    ATTACK,
    ATTACKING,
    BAG,
    BLOCKED,
    BY_BLOCKING,
    CARD,
    EARLIER,
    FACTS,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    FIELDINGS,
    HALF_SPENT,
    HAND,
    HELD,
    HURT,
    LEFT,
    MAIN,
    NOBODY,
    OWN_KOS,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    SIDEKICK_KOS,
    USED,
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
        ops = words_in(where)
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
        self.depends: bool = speaks_of(where, "drawn", "just moved", "of named type", "of named affiliation")
        self.registers: tuple[int, ...] = tuple(_registers(where))  # on what is chosen earlier
        self.any_die: bool = any(op == "any" for op, _ in ops)
        self.action_dice: bool = any(op == "action die" for op, _ in ops)


def speaks_of(where: w.Where, *ops: str) -> bool:
    """Tell whether one of these words is anywhere in a description."""
    return where.op in ops or any(isinstance(arg, w.Where) and speaks_of(arg, *ops) for arg in where.args)


def _registers(where: w.Where) -> list[int]:
    if where.op == "chosen":
        return [n for n in where.args if isinstance(n, int)]
    return [n for arg in where.args if isinstance(arg, w.Where) for n in _registers(arg)]


def words_in(where: w.Where) -> list[tuple[str, tuple[object, ...]]]:
    """List the words of a description that must hold, each with what belongs to it."""
    out = [(where.op, where.args)]
    for arg in where.args:
        if isinstance(arg, w.Where) and where.op != "not":
            out += words_in(arg)
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
    "printed fielding": lambda s, x: look.numbers(s, x)[0],
    "d": lambda s, x: look.stats(s, x)[1],
}

_PLAIN: dict[str, Test] = {
    "of named affiliation": lambda s, x, c: x < PLAYER and look.has_affiliation(s, x, named(s, c)),
    "any": lambda s, x, c: x < PLAYER,
    "character": lambda s, x, c: x < PLAYER and look.is_character(s, x),
    "own": lambda s, x, c: x < PLAYER and s.place[x] & 3 == c.you,
    "opposing": lambda s, x, c: (
        x < PLAYER and ((s.place[x] ^ c.you) & 1 == 1 or (bool(s.holdings) and _belongs_to_other(s, x, c)))
    ),
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
    "met this": lambda s, x, c: any(d == x and other == c.this and not how & LEFT for d, other, how in s.met),
    "has blocked this": lambda s, x, c: any(
        d == x and other == c.this and how & (BY_BLOCKING | EARLIER | LEFT) == BY_BLOCKING for d, other, how in s.met
    ),
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


def _belongs_to_other(s: State, x: int, c: Running) -> bool:
    """Tell whether the die is opposing by its owner alone, where an edition reads it so (rules 5.2)."""
    return not s.table.edition.opposing_is_controlled and s.owner[x] != NOBODY and (s.owner[x] ^ c.you) & 1 == 1


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
        if isinstance(f, Damaging):
            coming = sum(p.amount for p in f.packets if p.to == c.this)
            return bool(coming and s.damage[c.this] + coming >= look.stats(s, c.this)[1])
    return False


def mentions(condition: w.Condition | None, op: str) -> bool:
    """Tell whether a condition has this word in it."""
    if condition is None:
        return False
    return condition.op == op or any(isinstance(x, w.Condition) and mentions(x, op) for x in condition.args)


# conditions that ask how things stand, and words that make one a part of what happened instead; a Sidekick's KO is not
# among them: uxm 106 asks for one before his own or with it, and what comes later must not count
_STANDING = frozenset(("compare", "count", "own KO this turn", "opposing KO this turn"))
_STANDING |= {"action used this turn", "paired", "and", "or", "not"}
_MOMENT = frozenset(("attacking", "blocking", "blocked", "engaged", "engaged with this", "blocking this"))
_MOMENT |= {"blocked by this", "that", "the other", "drawn", "just rolled", "just moved"}


def reads_late(condition: w.Condition | None) -> bool:
    """Tell whether a condition asks how things stand, so that it is read when the effect is carried out (rules 5.7a)."""
    if condition is None or condition.op not in _STANDING:
        return False
    for arg in condition.args:
        if isinstance(arg, w.Condition) and not reads_late(arg):
            return False
        if isinstance(arg, w.Where) and speaks_of(arg, *_MOMENT):
            return False
        if isinstance(arg, w.Number) and (arg.op.startswith("event") or arg.op in ("affected", "paid", "KOs")):
            return False
    return True


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
