"""Carrying out a sentence, operation by operation (rules 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from dicemasters.cards import words as w
from dicemasters.game import damage, energy, look, moves
from dicemasters.game.code import DOWN, PLACES, Choice, Need, Op, can_spin, gather
from dicemasters.game.damage import Damaging, Koing, Packet
from dicemasters.game.decide import ask, distinct, in_order
from dicemasters.game.look import CHARACTER, Running
from dicemasters.game.state import (
    FACTS,
    FIELD,
    FIELDED_NOW,
    FIELDINGS,
    GONE,
    HALF_SPENT,
    HAND,
    NOBODY,
    PLAYER,
    RESERVE,
    USED,
    Happening,
    Option,
    Record,
    State,
)
from dicemasters.game.triggers import spend, tell


def run(s: State, f: Running) -> None:
    """Carry out the next operation of the sentence."""
    ops = s.table.sentences[f.ability].programs[f.burst].ops
    if f.pc >= len(ops):
        s.stack.pop()
        return
    op = ops[f.pc]
    OPS[op.name](s, f, op)


def _next(s: State, f: Running) -> None:
    s.stack[-1] = f._replace(pc=f.pc + 1)


def source_kind(s: State, f: Running) -> str:
    """Tell what the damage and the targeting of a sentence count as (rules 5.8e)."""
    kind = s.table.sentences[f.ability].kind
    return "action" if kind == "use" else "global" if kind == "global" else "ability"


# --- choosing ------------------------------------------------------------------------------------------------------


def candidates(s: State, f: Running, choice: Choice) -> list[int]:
    """List what may be chosen: it fits, can be targeted, and did not pay for this very use (rules 2.1, 5.3)."""
    found = gather(s, choice.group, f)
    t = s.table
    if found and USED in choice.group.places:
        sentence = t.sentences[f.ability]
        barred: tuple[int, ...] = ()
        if f.event.word == "fielded" and t.edition.fielding_takes_older_dice:
            barred = f.event.known
        elif sentence.kind == "global" and not t.edition.global_fetches_payment:
            barred = f.paid
        if barred:
            found = [d for d in found if d not in barred]
    targets = choice.target or (t.edition.bare_choice_targets and choice.by != "payer")
    if found and targets and (s.records or "cannot be targeted" in t.standing):
        found = [x for x in found if _targetable(s, f, x)]
    return found


def _targetable(s: State, f: Running, x: int) -> bool:
    if x >= PLAYER:
        return True
    kind = source_kind(s, f)
    for rule, _, _, _ in look.rules_about(s, "cannot be targeted", x):
        if rule is not None and (not rule.text or kind in rule.text.split()):
            return False
    return True


def chooser_of(f: Running, choice: Choice) -> int:
    if choice.by == "payer":
        return f.payer
    return 1 - f.you if choice.by == "opponent" else f.you


def _choose(s: State, f: Running, op: Op) -> None:
    choice = op.choice
    assert choice is not None
    picked = f.picked
    if f.waiting:
        what, x, _ = s.answer
        if what == "done":
            _chosen(s, f, choice, picked)
            return
        picked = (*picked, x | DOWN if what == "down" else x)
    found = in_order(s, candidates(s, f, choice))
    if choice.least == choice.most and len(found) <= choice.least and not choice.spins:
        _chosen(s, f, choice, tuple(found))
        return
    last = picked[-1] & (DOWN - 1) if picked else NOBODY
    left = found[found.index(last) + 1 :] if last in found else found
    if len(picked) >= choice.most or not left:
        _chosen(s, f, choice, picked)
        return
    enough = len(picked) >= choice.least
    if not enough and choice.least > 1:
        # dice are picked in their order: keep enough of them for the rest
        room = len(left) - (choice.least - len(picked))
        first = {x for x in left[: room + 1]}
        options: list[Option] = [("choose", x, 0) for x in distinct(s, left) if x in first]
    elif choice.spins:
        options = []
        for x in distinct(s, left):
            if can_spin(s, x, 1):
                options.append(("up", x, 0))
            if can_spin(s, x, -1):
                options.append(("down", x, 0))
    else:
        options = [("choose", x, 0) for x in distinct(s, left)]
    if enough:
        options.append(("done", len(picked), 0))
    if len(options) == 1:
        what, x, _ = options[0]
        f = f._replace(picked=(*picked, x | DOWN if what == "down" else x), waiting=0)
        s.stack[-1] = f
        if len(f.picked) >= choice.most:
            _chosen(s, f, choice, f.picked)
        return
    s.stack[-1] = f._replace(picked=picked, waiting=1)
    ask(s, chooser_of(f, choice), "choose", options, about=f.ability)


def _chosen(s: State, f: Running, choice: Choice, picked: tuple[int, ...]) -> None:
    registers = list(f.chosen)
    while len(registers) <= choice.register:
        registers.append(())
    registers[choice.register] = picked
    s.stack[-1] = f._replace(pc=f.pc + 1, chosen=tuple(registers), picked=(), waiting=0)


def can_start(s: State, ctx: Running) -> bool:
    """Tell whether a sentence may be started by choice: there is a target, or something to affect (rules 5.3c)."""
    sentence = s.table.sentences[ctx.ability]
    program = sentence.programs[ctx.burst]
    for choice in program.needs:
        if not _has_candidates(s, ctx, choice):
            return False
    if not program.possible:
        return True
    return any(gather(s, group, ctx) for group in program.possible)


def _has_candidates(s: State, ctx: Running, choice: Choice) -> bool:
    if choice.group.depends:
        return True  # on what is chosen or drawn before it
    return bool(candidates(s, ctx, choice))


def can_afford(s: State, seat: int, need: Need, ctx: Running, have: list[int] | None = None) -> bool:
    """Tell whether a player can pay a cost: its energy, its life, and something for each choice it asks for."""
    if need.energy:
        if not energy.can_pay(have if have is not None else energy.pool(s, seat), need.price):
            return False
    if need.life and s.life[seat & 1] < need.life:
        return False
    paying = ctx._replace(payer=seat)
    return all(_has_candidates(s, paying, choice) for choice in need.choices)


# --- may, unless, if -----------------------------------------------------------------------------------------------


def _may(s: State, f: Running, op: Op) -> None:
    node = cast(w.May, op.node)
    who = f.you if node.who == "you" else 1 - f.you
    if f.waiting:
        if s.answer[0] != "yes":
            s.stack[-1] = f._replace(pc=op.jump, waiting=0)
            return
        spend(s, f)
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0, payer=who)
        energy.pay(s, who, op.need.price)
        return
    if can_afford(s, who, op.need, f):
        s.stack[-1] = f._replace(waiting=1)
        ask(s, who, "may", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
    else:
        s.stack[-1] = f._replace(pc=op.jump)


def _unless(s: State, f: Running, op: Op) -> None:
    who = 1 - f.you
    if f.waiting:
        if s.answer[0] != "yes":
            s.stack[-1] = f._replace(pc=op.jump, waiting=0)
            return
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0, payer=who)
        energy.pay(s, who, op.need.price)
        return
    nothing = op.registers and not any(f.chosen[r] for r in op.registers if r < len(f.chosen))
    if not nothing and can_afford(s, who, op.need, f):
        s.stack[-1] = f._replace(waiting=1)
        ask(s, who, "unless", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
    else:
        s.stack[-1] = f._replace(pc=op.jump)


def _if(s: State, f: Running, op: Op) -> None:
    s.stack[-1] = f._replace(pc=f.pc + 1 if op.check(s, f) else op.jump)


def _jump(s: State, f: Running, op: Op) -> None:
    s.stack[-1] = f._replace(pc=op.jump)


# --- whom it reaches -----------------------------------------------------------------------------------------------


def _reached(s: State, f: Running, dice: list[int], hits: bool = False) -> list[int] | None:
    """Leave out what is spared; None while somebody is being asked whether to pay for that (avx 16)."""
    if "would be affected" not in s.table.woulds:
        return dice
    for d in dice:
        if d >= PLAYER or d in f.asked or d == f.this:
            continue
        if hits and ((d, f.this) in s.blocks or (f.this, d) in s.blocks):
            continue
        h = Happening("would be affected", d, f.this)
        for sentence in s.table.woulds["would be affected"]:
            for ctx in damage.would_contexts(s, sentence, h):
                s.stack[-1] = f._replace(asked=(*f.asked, d))
                s.stack.append(ctx)
                return None
    return [d for d in dice if d not in f.spared]


def _all(s: State, f: Running, op: Op) -> list[int] | None:
    assert op.group is not None
    return _reached(s, f, gather(s, op.group, f))


# --- the deeds -----------------------------------------------------------------------------------------------------


def _damage(s: State, f: Running, op: Op) -> None:
    packets: list[Packet] = []
    everybody: list[int] = []
    for group, amount, source in op.parts:
        dealers = [f.this] if source is None else gather(s, source, f)
        if source is None and source_kind(s, f) == "global":
            dealers = [NOBODY]  # a Global's damage comes from the player who paid (rules 10.2)
        n = amount(s, f)
        for x in gather(s, group, f):
            everybody.append(x)
            packets += [Packet(dealer, x, n) for dealer in dealers]
    reached = _reached(s, f, everybody, hits=True)
    if reached is None:
        return
    _next(s, f)
    damage.deal(s, [p for p in packets if p.to in reached and p.amount > 0], source_kind(s, f), f.you)


def _life(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    _next(s, f)
    n = op.amount(s, f)
    for x in gather(s, op.group, f):
        if n < 0:
            damage.lose_life(s, x - PLAYER, -n)
        else:
            damage.gain_life(s, x - PLAYER, n)


def _ko(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    s.stack[-1] = f._replace(pc=f.pc + 1, given=len(dice))
    damage.ko(s, dice, source_kind(s, f), f.this)


def _give(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    node = cast(w.Give, op.node)
    a, d = op.amount(s, f), op.amount2(s, f)
    for x in dice:
        s.records.append(Record(node.rule.word, x, a, d, op.rule, node.until, f.you, f.this, f.ability))
    s.done = tuple(dice)
    s.dirty = True


def _turn_rule(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    node = cast(w.Give, op.node)
    a, d = op.amount(s, f), op.amount2(s, f)
    s.records.append(Record(node.rule.word, NOBODY, a, d, op.rule, node.until, f.you, f.this, f.ability))


def _spin(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    levels = op.amount(s, f)
    down = {x for register in f.chosen for x in register if x & DOWN}
    spun: list[int] = []
    for d in dice:
        way = levels or (-1 if d | DOWN in down else 1)
        at = look.level(s, d)
        to = min(max(at + way, 1), look.top_level(s, d))
        if at and to != at and not s.table.is_token[d]:
            moves.set_level(s, d, to)
            spun.append(d)
    s.done = tuple(spun)


def _spin_to(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    to = op.amount(s, f)
    spun = [d for d in dice if look.level(s, d) not in (0, min(to, look.top_level(s, d)))]
    for d in spun:
        moves.set_level(s, d, to)
    s.done = tuple(spun)


def _spin_to_energy(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    t = s.table
    wanted = w.TYPES.index(cast(w.SpinToEnergy, op.node).symbol)
    for d in dice:
        for face in range(6):
            if t.energy[t.m6[d] + face] == wanted and t.pips[t.m6[d] + face] == 1:
                s.face[d] = face
                if s.place[d] >> 2 == FIELD:
                    moves.into_reserve(s, d)
                break
    s.done = tuple(dice)


def _draw(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    to = cast(w.Draw, op.node).to
    dice = moves.draw(s, f.you, op.amount(s, f))
    for d in dice:
        if to == w.RESERVE:
            moves.roll(s, d)
            moves.into_reserve(s, d)
        elif to != w.HAND:
            moves.put(s, d, PLACES[to], f.you)
    s.done = tuple(dice)
    if dice:
        tell(s, "drawn", PLAYER + (f.you & 1), NOBODY, len(dice))


def _roll(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    to = cast(w.Roll, op.node).to
    for d in dice:
        moves.roll(s, d)
        if to == w.RESERVE:
            moves.into_reserve(s, d)
        else:
            moves.put(s, d, HAND, f.you)
    s.done = tuple(dice)


def _reroll(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    t = s.table
    otherwise = cast(w.Reroll, op.node).otherwise
    rolled: list[int] = []
    for d in dice:
        place = s.place[d] >> 2
        if place not in (FIELD, RESERVE) or t.is_token[d]:
            continue
        if s.flags[d] & HALF_SPENT and not t.edition.half_spent_reroll:
            continue
        moves.roll(s, d)
        rolled.append(d)
        s.dirty = True
        if t.kinds[t.m6[d] + s.face[d]] != CHARACTER:
            if otherwise == w.USED:
                moves.send_to_used(s, d)
            elif otherwise:
                moves.put(s, d, PLACES[otherwise], s.owner[d])
            elif place == FIELD:
                moves.into_reserve(s, d)
        elif place == RESERVE:
            moves.into_reserve(s, d)
    s.done = tuple(rolled)


def _move(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    to = cast(w.Move, op.node).to
    for d in dice:
        if to == w.USED:
            moves.send_to_used(s, d)
        elif to == w.RESERVE:
            moves.into_reserve(s, d)
        elif to != w.FIELD:
            moves.put(s, d, PLACES[to], s.owner[d])
    s.done = tuple(dice)
    s.stack[-1] = f._replace(pc=f.pc + 1, given=len(dice))


def _field(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    level = cast(w.Field, op.node).level
    for d in dice:
        if level:
            moves.set_level(s, d, level)
        field_die(s, d, f.you, ())
    s.done = tuple(dice)


def field_die(s: State, d: int, seat: int, paid: tuple[int, ...]) -> None:
    """Field a die: it is in the field when its effects resolve (rules 5.6)."""
    moves.put(s, d, FIELD, seat)
    s.flags[d] |= FIELDED_NOW
    s.facts[(seat & 1) * FACTS + FIELDINGS] += 1
    s.dirty = True
    if s.journal is not None:
        s.journal.append(("fields", seat, d))
    tell(s, "fielded", d, NOBODY, 0, paid)


def _return(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    level = cast(w.ReturnToField, op.node).level
    for d in dice:
        if s.place[d] >> 2 == FIELD:
            moves.leave_combat(s, d)
        else:
            moves.put(s, d, FIELD, s.owner[d])
        moves.set_level(s, d, level)
    s.done = tuple(dice)
    s.dirty = True


def _leave_combat(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice:
        moves.leave_combat(s, d)
    s.done = tuple(dice)


def _clear_damage(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice:
        s.damage[d] = 0
    s.done = tuple(dice)


def _hold(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    captured = isinstance(op.node, w.Capture)
    for d in dice:
        moves.hold(s, "capture" if captured else "aside", d, f.this if captured else NOBODY, w.END_OF_TURN)
    s.done = tuple(dice)


def _control(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice:
        moves.take_control(s, d, f.you, f.this, w.END_OF_TURN)
    s.done = tuple(dice)


def _swap(s: State, f: Running, op: Op) -> None:
    """Two dice exchange places exactly, with their part in the combat (rules 5.13d)."""
    assert op.group is not None and op.group2 is not None
    _next(s, f)
    firsts, seconds = gather(s, op.group, f), gather(s, op.group2, f)
    if not firsts or not seconds:
        return
    a, b = firsts[0], seconds[0]
    fight = {a: s.flags[a] & 3, b: s.flags[b] & 3}
    blocks = s.blocks[:]
    place = {a: s.place[a], b: s.place[b]}
    swapped = {a: b, b: a}
    for d in (a, b):
        moves.put(s, d, HAND, s.owner[d])
    s.blocks = [(swapped.get(x, x), swapped.get(y, y)) for x, y in blocks]
    for d, other in ((a, b), (b, a)):
        s.place[d] = place[other]
        if place[other] >> 2 == FIELD:
            s.flags[d] |= fight[other]
            if place[d] >> 2 != FIELD:
                moves.set_level(s, d, 1)
                _to_character_face(s, d)
    s.done = (a, b)
    s.dirty = True


def _to_character_face(s: State, d: int) -> None:
    if s.table.levels[s.table.m6[d] + s.face[d]] == 0:
        moves.set_level(s, d, 1)


def _copy(s: State, f: Running, op: Op) -> None:
    """This die takes over another's numbers, abilities or everything (rules 5.13c)."""
    assert op.group is not None
    _next(s, f)
    node = cast(w.Copy, op.node)
    t = s.table
    for d in gather(s, op.group, f)[:1]:
        if node.part == "stats":
            i = t.m6[d] + s.face[d]
            a, de = t.attack[i], t.defence[i]
            if not t.edition.copy_printed_stats:
                a, de = a + _burst_bonus(s, d, 0), de + _burst_bonus(s, d, 1)
            s.records.append(Record("copy stats", f.this, a, de, -1, w.END_OF_TURN, f.you, f.this, f.ability))
        else:
            word = "copy abilities" if node.part == "abilities" else "copy die"
            c = look.identity(s, d)
            s.records.append(Record(word, f.this, c, 0, -1, w.END_OF_TURN, f.you, f.this, f.ability))
    s.dirty = True


def _burst_bonus(s: State, d: int, which: int) -> int:
    """Give what a die's own burst text adds to its A or D while it shows the burst."""
    shown = look.burst(s, d)
    total = 0
    if shown:
        for sentence in s.table.standing.get("gets", ()):
            if sentence.card == s.table.card_of[d]:
                ctx = look.context(sentence.index, s.place[d] & 3, d, burst=shown)
                for rules, sign in ((sentence.rules[shown], 1), (sentence.rules[0], -1)):
                    for rule in rules:
                        if rule.word == "gets" and rule.who(s, d, ctx):
                            total += sign * (rule.d if which else rule.a)(s, ctx)
    return total


def _pair_up(s: State, f: Running, op: Op) -> None:
    """Partners until your next turn; a new pairing breaks the old (rules 5.14)."""
    assert op.group is not None
    _next(s, f)
    for d in gather(s, op.group, f)[:1]:
        s.pairs = [p for p in s.pairs if not {p[0], p[1]} & {d, f.this}]
        s.pairs.append((f.this, d, f.you))


def _token(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    t = s.table
    for d in t.dice_of[t.tokens[cast(w.MakeToken, op.node)]]:
        if s.place[d] >> 2 == GONE:
            s.owner[d] = f.you
            s.face[d] = 5
            s.place[d] = FIELD * 4 + f.you
            s.dirty = True
            s.done = (d,)
            return


def _counter(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    s.counters[s.table.sentences[f.ability].card] += 1


def _name_type(s: State, f: Running, op: Op) -> None:
    if not f.waiting:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "name type", [("type", i, 0) for i in range(4)], about=f.ability)
        return
    s.named = [n for n in s.named if n[0] != f.ability]
    s.named.append((f.ability, w.TYPES[s.answer[1]]))
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)


def _prevent(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    damage.prevent(s, op.amount(s, f))


def _redirect(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    _next(s, f)
    for x in gather(s, op.group, f)[:1]:
        if damage.may_redirect(s, x):
            damage.redirect(s, op.amount(s, f), x)


def _instead(s: State, f: Running, op: Op) -> None:
    """What was about to happen to the die does not happen."""
    _next(s, f)
    below = s.stack[-2]
    if isinstance(below, Koing):
        s.stack[-2] = below._replace(dice=tuple(d for d in below.dice if d != f.event.die))
    elif isinstance(below, Running):
        s.stack[-2] = below._replace(spared=(*below.spared, f.event.die))
    else:
        assert isinstance(below, Damaging)
        damage.prevent(s, w.ALL)


OPS: dict[str, Callable[[State, Running, Op], None]] = {
    "choose": _choose,
    "may": _may,
    "unless": _unless,
    "if": _if,
    "jump": _jump,
    "damage": _damage,
    "life": _life,
    "KO": _ko,
    "give": _give,
    "turn rule": _turn_rule,
    "spin": _spin,
    "spin to": _spin_to,
    "spin to energy": _spin_to_energy,
    "draw": _draw,
    "roll": _roll,
    "reroll": _reroll,
    "move": _move,
    "field": _field,
    "return": _return,
    "leave combat": _leave_combat,
    "clear damage": _clear_damage,
    "capture": _hold,
    "set aside": _hold,
    "control": _control,
    "swap": _swap,
    "copy": _copy,
    "pair up": _pair_up,
    "token": _token,
    "counter": _counter,
    "name type": _name_type,
    "prevent": _prevent,
    "redirect": _redirect,
    "instead": _instead,
}
