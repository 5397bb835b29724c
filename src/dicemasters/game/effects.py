"""Carrying out a sentence, operation by operation (rules 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from dicemasters.cards import words as w
from dicemasters.game import combat, damage, energy, look, moves, solitaire
from dicemasters.game.code import (
    DOWN,
    PLACES,
    Group,
    can_reroll,
    can_spin,
    exists,
    gather,
    named,
    own_attack,
)
from dicemasters.game.damage import Damaging, Koing, Packet
from dicemasters.game.decide import alike, ask, distinct, in_order, takes
from dicemasters.game.look import ACTION, CHARACTER, ENERGY, Running
from dicemasters.game.programs import NO_DEEDS, Choice, Need, Op, deeds_of
from dicemasters.game.setup import GENERIC, Price
from dicemasters.game.state import (
    ACTIONS,
    ATTACKING,
    BAG,
    FACTS,
    FIELD,
    FIELDED_NOW,
    FIELDINGS,
    GONE,
    HAND,
    HELD,
    NO_ASK,
    NOBODY,
    OUT,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
    Happening,
    Option,
    Record,
    State,
)
from dicemasters.game.triggers import (
    class_of,
    is_declinable,
    life_for,
    next_moment,
    run_next,
    set_off,
    spend,
    tell,
    tell_use,
)


def run(s: State, f: Running) -> None:
    """Carry out the next operation of the sentence."""
    ops = s.table.sentences[f.ability].programs[f.burst].ops
    if f.pc >= len(ops):
        s.stack.pop()
        return
    op = ops[f.pc]
    if f.hold == 2:
        _pay_for_ability(s, f)
        return
    if f.hold and op.name != "choose" and not op.is_cost:
        s.stack.pop()
        s.stack.insert(0, f._replace(hold=0))  # the go lies alone on the stack: first in, first carried out
        return
    if look.Coverage.happened is not None and op.name not in _QUESTIONS:
        look.Coverage.note(s, f.ability)
    OPS[op.name](s, f, op)


def _pay_for_ability(s: State, f: Running) -> None:
    """Ask for the life a rule demands for the use of the ability; without it nothing happens (cw 130)."""
    life = life_for(s, f)
    if not f.waiting and life and not could_do(s, f):
        life = 0  # nothing is sold that could do nothing; what is set off just does nothing (rules 5.3c)
    if not f.waiting and 0 < life <= s.life[f.you & 1]:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "toll", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=life)
        return
    if life and s.answer[0] != "yes":
        s.stack.pop()
        return
    s.stack[-1] = f._replace(waiting=0, hold=0)
    if life:
        damage.lose_life(s, f.you & 1, life)
    if not is_declinable(s.table.sentences[f.ability]):
        tell_use(s, f)


_QUESTIONS = frozenset(("choose", "may", "unless", "if", "jump", "done", "one of"))


def _next(s: State, f: Running) -> None:
    s.stack[-1] = Running._make((*f[:5], f.pc + 1, *f[6:]))  # what _replace does, at half its price


def source_kind(s: State, f: Running) -> str:
    """Tell what the damage and the targeting of a sentence count as (rules 5.8e)."""
    sentence = s.table.sentences[f.ability]
    kind = sentence.origin
    return "action" if kind == "use" or sentence.scope == "field" else "global" if kind == "global" else "ability"


def damage_sort(s: State, f: Running) -> str:
    """Tell what its damage counts as, with the printed class of the ability: "ability, when fielded"."""
    sentence = s.table.sentences[f.ability]
    kind = source_kind(s, f)
    return f"{kind}, {class_of(sentence)}" if kind == "ability" and class_of(sentence) else kind


# --- choosing ------------------------------------------------------------------------------------------------------


def candidates(s: State, f: Running, choice: Choice) -> list[int]:
    """List what may be chosen: it fits, can be targeted, and did not pay for this very use (rules 2.1, 5.3)."""
    found = gather(s, choice.group, f)
    t = s.table
    if found and USED in choice.group.places:
        sentence = t.sentences[f.ability]
        barred: tuple[int, ...] = ()
        if f.event.word == "fielded" and t.edition.fielding_takes_older_dice:
            older = f.event.known[f.event.amount :]
            found = [d for d in found if s.place[d] >> 2 != USED or d in older]
        elif sentence.kind == "global" and not t.edition.global_fetches_payment:
            barred = f.paid
        if barred:
            found = [d for d in found if d not in barred]
    if found and _is_target(s, choice) and (s.records or "cannot be targeted" in t.standing):
        found = [x for x in found if _targetable(s, f, x)]
    if choice.uses:
        found = [x for x in found if can_use(s, f.you, x, 0)]
    if choice.redirects:
        found = [x for x in found if damage.may_redirect(s, x)]
    if choice.retargets:
        chooser = next(g for g, above in zip(s.stack, s.stack[1:], strict=False) if isinstance(above, Targeting))
        assert isinstance(chooser, Running)
        found = [x for x in found if _targetable(s, chooser, x)]  # it becomes the target of that effect
    if choice.fields:
        found = [x for x in found if can_field(s, f.you, x)]
    if f.hold and found:
        found = _not_taken(s, f, choice, found)
    return found


def _not_taken(s: State, f: Running, choice: Choice, found: list[int]) -> list[int]:
    """Leave out what an earlier use of the same go takes, so that nothing is left of it for this one (rules 3.3e)."""
    t = s.table
    mine = {way for taken, way in t.sentences[f.ability].programs[f.burst].takes if taken is choice}
    gone: set[int] = set()
    spun: dict[int, int] = {}
    for g in s.stack:
        if isinstance(g, Running) and g is not f:
            for taken, way in t.sentences[g.ability].programs[g.burst].takes:
                for x in g.chosen[taken.register] if taken.register < len(g.chosen) else ():
                    if way in ("up", "down"):
                        spun[x] = spun.get(x, 0) + (1 if way == "up" else -1)
                    elif way == "away" or way in mine:
                        gone.add(x & (DOWN - 1))
    for x, levels in spun.items():
        at = look.face_level(s, x) + levels
        if ("up" in mine and at >= look.top_level(s, x)) or ("down" in mine and at <= 1):
            gone.add(x)
    return [x for x in found if x not in gone]


def has_room(s: State, ctx: Running, uses: int) -> bool:
    """Tell whether a text that takes what it chooses has something left after so many uses of one go (rules 5.3c)."""
    for choice, way in s.table.sentences[ctx.ability].programs[ctx.burst].takes:
        found = candidates(s, ctx, choice)
        room = len(found) + len(_payments_for(s, ctx, choice.group))
        if way == "up":
            room = sum(look.top_level(s, x) - look.face_level(s, x) for x in found)
        elif way == "down":
            room = sum(look.face_level(s, x) - 1 for x in found)
        if room <= uses:
            return False
    return True


def _targetable(s: State, f: Running, x: int) -> bool:
    return x >= PLAYER or not look.is_protected(s, x, source_kind(s, f), f.you)


def chooser_of(f: Running, choice: Choice) -> int:
    if choice.by == "payer":
        return f.payer
    return look.opponent_of(f.you) if choice.by == "opponent" else f.you


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
    found = in_order(s, candidates(s, f, choice), f.paid)
    if choice.least == choice.most and len(found) <= choice.least and not choice.spins:
        for x in found if s.journal is not None else ():
            takes(s, chooser_of(f, choice), ("choose", x, 0), f.ability, f.pc)
        _chosen(s, f, choice, tuple(found))
        return
    left = _left_to_pick(s, choice, found, picked)
    if len(picked) >= choice.most or not left:
        _chosen(s, f, choice, picked)
        return
    enough = len(picked) >= choice.least
    if not enough and choice.least > 1:
        # dice are picked in their order: keep enough of them for the rest
        room = len(left) - (choice.least - len(picked))
        first = set(left[: room + 1])
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
        if s.journal is not None:
            takes(s, chooser_of(f, choice), options[0], f.ability, f.pc)
        f = f._replace(picked=(*picked, x | DOWN if what == "down" else x), waiting=0)
        s.stack[-1] = f
        if len(f.picked) >= choice.most:
            _chosen(s, f, choice, f.picked)
        return
    s.stack[-1] = f._replace(picked=picked, waiting=1)
    ask(s, chooser_of(f, choice), "choose", options, about=f.ability)


def _left_to_pick(s: State, choice: Choice, found: list[int], picked: tuple[int, ...]) -> list[int]:
    """List what may be picked after these: what comes later in the order, and is not too dear."""
    last = picked[-1] & (DOWN - 1) if picked else NOBODY
    left = found[found.index(last) + 1 :] if last in found else found
    if choice.within:
        rest = choice.within - sum(look.numbers(s, x)[0] for x in picked)  # as printed, or copied
        left = [x for x in left if look.numbers(s, x)[0] <= rest]
    return left


def choice_under_way(s: State) -> tuple[Choice, list[int]] | None:
    """Give the selection the game waits for and all that may still be picked for it; None if it waits for no such."""
    f = s.stack[-1] if s.stack else None
    if not isinstance(f, Running) or s.ask.kind != "choose":
        return None
    choice = s.table.sentences[f.ability].programs[f.burst].ops[f.pc].choice
    if choice is None:
        return None
    found = in_order(s, candidates(s, f, choice), f.paid)
    return choice, _left_to_pick(s, choice, found, f.picked)


def division_under_way(s: State) -> tuple[int, list[int]]:
    """Give how much of the damage being divided is left, and the dice whose share is still to be said."""
    f = s.stack[-1]
    assert isinstance(f, Running)
    op = s.table.sentences[f.ability].programs[f.burst].ops[f.pc]
    return op.amount(s, f) - sum(f.shares), _divided_among(s, f, op)[len(f.shares) :]


def _chosen(s: State, f: Running, choice: Choice, picked: tuple[int, ...]) -> None:
    registers = list(f.chosen)
    while len(registers) <= choice.register:
        registers.append(())
    registers[choice.register] = picked
    s.stack[-1] = f._replace(pc=f.pc + 1, chosen=tuple(registers), picked=(), waiting=0)
    if picked and _is_target(s, choice):
        if "would be targeted" in s.table.woulds:
            s.stack.append(Targeting("target", choice.register))
        else:
            _tell_targets(s, f, picked)


def _tell_targets(s: State, f: Running, picked: tuple[int, ...]) -> None:
    for x in picked:
        if x < PLAYER or x >= DOWN:
            tell(s, "targeted", x & (DOWN - 1), f.this, kind=source_kind(s, f))


def _is_target(s: State, choice: Choice) -> bool:
    """Tell whether a choice targets: before ai only where the text says so (rules 5.3b)."""
    if choice.by == "payer" or choice.breaks_tie:
        return choice.target
    return choice.target or s.table.edition.bare_choice_targets


class Targeting(NamedTuple):
    """Targets have been chosen by the sentence below, and whoever can change that is asked."""

    kind: str
    register: int
    asked: tuple[tuple[int, int, int], ...] = ()  # sentence, seat, which of the targets
    used: tuple[tuple[int, int, int], ...] = ()  # those of them that gave a new target


def run_targeting(s: State, f: Targeting) -> None:
    chooser = s.stack[-2]
    assert isinstance(chooser, Running)
    for side in (s.active & 1, 1 - (s.active & 1)):
        for i, x in enumerate(chooser.chosen[f.register]):
            d = x & (DOWN - 1)
            if d >= PLAYER:
                continue
            h = Happening("would be targeted", d, chooser.this, i, source_kind(s, chooser))
            for sentence in s.table.woulds["would be targeted"]:
                for ctx in damage.would_contexts(s, sentence, h):
                    key = (sentence.index, ctx.you, i)
                    if ctx.you & 1 == side and key not in f.asked:
                        s.stack[-1] = f._replace(asked=(*f.asked, key))
                        s.stack.append(ctx)
                        return
    s.stack.pop()
    _tell_targets(s, chooser, chooser.chosen[f.register])


def _new_target(s: State, f: Running, op: Op) -> None:
    """Put another die in the place of the target that was asked about; who had declined is asked about that one."""
    assert op.group is not None
    _next(s, f)
    targeting, chooser = s.stack[-2], s.stack[-3]
    assert isinstance(targeting, Targeting)
    assert isinstance(chooser, Running)
    for d in gather(s, op.group, f)[:1]:
        i = f.event.amount
        used = (*targeting.used, (f.ability, f.you, i))
        asked = tuple(key for key in targeting.asked if key[2] != i or key in used)
        s.stack[-2] = targeting._replace(asked=asked, used=used)
        targets = list(chooser.chosen[targeting.register])
        targets[i] = d | (targets[i] & DOWN)
        chosen = list(chooser.chosen)
        chosen[targeting.register] = tuple(targets)
        s.stack[-3] = chooser._replace(chosen=tuple(chosen))


def _place_on_card(s: State, f: Running, op: Op) -> None:
    """Put this action die into the field, on a card (uxm 62)."""
    assert op.group is not None
    t = s.table
    if f.this == NOBODY:  # of a copy there is no die to put anywhere
        _next(s, f)
        return
    if not f.waiting:
        fit = [c for c in range(t.n_seats, t.n_real_cards) if op.group.test(s, t.dice_of[c][0], f)]
        if not fit:
            _next(s, f)
            return
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "name card", [("card", c, 0) for c in fit], about=f.ability)
        return
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)
    moves.put(s, f.this, FIELD, f.you)
    s.records.append(Record("on card", f.this, s.answer[1], 0, -1, "it leaves", f.you, f.this, f.ability))


def can_start(s: State, ctx: Running) -> bool:
    """Tell whether a sentence may be started by choice: there is a target, or something to affect (rules 5.3c)."""
    if not s.table.edition.starts_need_effect:
        return True
    program = s.table.sentences[ctx.ability].programs[ctx.burst]
    if program.plain:
        return _has_candidates(s, ctx, program.needs[0])
    if not _can_choose(s, ctx, program.needs):
        return False
    for op in program.ops:
        if op.name == "name affiliation" and not _affiliations(s, ctx, op):
            return False
    if not program.possible:
        return True
    for op in program.possible:
        if can_do(s, ctx, op):
            return True
    return False


def could_do(s: State, f: Running) -> bool:
    """Tell whether a sentence that is set off could do anything at all (rules 5.3c)."""
    ops = s.table.sentences[f.ability].programs[f.burst].ops
    at = 0
    while at < len(ops):
        op = ops[at]
        at += 1
        if op.name == "may":
            if _may_be_offered(s, f, op):
                return True
            at = op.jump
        elif not op.is_cost and (op.choice is None or not op.choice.least):
            deeds = deeds_of([op])
            if op.name not in NO_DEEDS and not op.follows and (not deeds or can_do(s, f, op)):
                return True
    return False


def can_do(s: State, f: Running, op: Op) -> bool:
    """Tell whether an operation could do anything to anybody now."""
    if op.name == "draw":
        return op.amount(s, f) > 0 and _can_draw(s, f)
    if op.name == "send home":
        return any(h.kind == "control" for h in s.holdings)
    if op.choice is not None:
        return _has_candidates(s, f, op.choice)
    for group in op.aims:
        if group.depends:
            return True
        if group.registers and any(n >= len(f.chosen) for n in group.registers):
            program = s.table.sentences[f.ability].programs[f.burst]
            made = [x.choice for x in program.ops if x.choice is not None and x.choice.register in group.registers]
            if all(_has_candidates(s, f, choice) for choice in made):
                return True
        elif any(_is_able(s, f, op, x) for x in gather(s, group, f)) or _payment_would_do(s, f, group):
            return True
    return False


_IN_FIELD = frozenset(("KO", "damage", "spin", "spin to", "control", "leave combat", "clear damage", "divide"))
_IN_FIELD |= {"join attack", "swap attack", "swap control"}


def _is_able(s: State, f: Running, op: Op, x: int) -> bool:
    """Tell whether an operation could do anything to this one: it may have left, or be where it should go."""
    if x >= PLAYER:
        return op.name != "set life" or s.life[x - PLAYER] != cast(w.SetLife, op.node).amount
    place = s.place[x] >> 2
    if op.name in _IN_FIELD:
        if op.name == "leave combat":
            return place == FIELD and (s.flags[x] & ATTACKING != 0 or look.is_engaged(s, x))
        return place == FIELD
    if op.name == "give":
        return place in _given_in(cast(w.Give, op.node))
    if op.name == "move":
        return place not in (HELD, GONE, PLACES[cast(w.Move, op.node).to])
    if op.name == "reroll":
        return _can_reroll_here(s, f, x)
    if op.name == "field":
        return place != FIELD and can_field(s, f.you, x)
    return place != GONE


def _can_draw(s: State, f: Running) -> bool:
    """Tell whether the player has a die to draw, if only the one that pays for it (rules 2.1, 3.1a)."""
    t = s.table
    if BAG * 4 + f.you in s.place or USED * 4 + f.you in s.place:
        return True
    if not t.edition.global_fetches_payment or not t.sentences[f.ability].need.energy:
        return False
    return any(t.pips[t.m6[d] + s.face[d]] for d in s.dice_in(RESERVE, f.you))


def _can_choose(s: State, ctx: Running, needs: list[Choice]) -> bool:
    """Tell whether there is something for each choice, also for those that refer to earlier ones."""
    for choice in needs:
        if choice.group.registers:
            break
    else:
        for choice in needs:
            if not _has_candidates(s, ctx, choice):
                return False
        return True
    first, rest = needs[0], needs[1:]
    if not _has_candidates(s, ctx, first):
        return False
    if not rest or first.group.depends or first.most != 1:
        return _can_choose(s, ctx, rest) if rest else True
    for x in candidates(s, ctx, first):
        chosen = (*ctx.chosen, *((),) * (first.register - len(ctx.chosen)), (x,))
        if _can_choose(s, ctx._replace(chosen=chosen), rest):
            return True
    return False


def _has_candidates(s: State, ctx: Running, choice: Choice) -> bool:
    group = choice.group
    if group.depends or (group.registers and any(n >= len(ctx.chosen) for n in group.registers)):
        return True  # on what is chosen or drawn before it
    if not choice.special and "cannot be targeted" not in s.table.rule_words:
        return exists(s, group, ctx)
    return bool(candidates(s, ctx, choice)) or _payment_would_do(s, ctx, choice.group)


def _payment_would_do(s: State, ctx: Running, group: Group) -> bool:
    return bool(_payments_for(s, ctx, group))


def _payments_for(s: State, ctx: Running, group: Group) -> list[int]:
    """List the dice that could pay for the Global and then be taken from the Used Pile by it (rules 2.1a)."""
    t = s.table
    sentence = t.sentences[ctx.ability]
    if not (t.edition.global_fetches_payment and sentence.kind == "global" and USED in group.places):
        return []
    if not sentence.need.energy:
        return []
    out: list[int] = []
    for d in s.dice_in(RESERVE, ctx.you):
        if t.pips[t.m6[d] + s.face[d]]:
            s.place[d] = USED * 4 + ctx.you
            if group.test(s, d, ctx):
                out.append(d)
            s.place[d] = RESERVE * 4 + ctx.you
    return out


def can_afford(
    s: State, seat: int, need: Need, ctx: Running, have: list[int] | None = None, price: Price | None = None
) -> bool:
    """Tell whether a player can pay a cost: its energy, its life, and something for each choice it asks for."""
    price = need.price if price is None else price
    if price[4]:
        if not energy.can_pay(have if have is not None else energy.pool(s, seat), price):
            return False
    if need.life and s.life[seat & 1] < need.life:
        return False
    if not need.reach and not need.choices:
        return True
    paying = ctx._replace(payer=seat)
    if not all(gather(s, group, paying) for group in need.reach):
        return False
    if not all(_has_candidates(s, paying, choice) for choice in need.choices):
        return False
    if "costs at least to field" in s.table.standing:
        for choice in need.choices:
            if choice.fields and not _can_field_besides(s, paying, choice, price):
                return False
    return True


def _can_field_besides(s: State, ctx: Running, choice: Choice, price: Price) -> bool:
    """Tell whether there is a die that could be fielded and paid for together with this price."""
    have = energy.pool(s, ctx.you)
    floors = {look.least_fielding_cost(s, d) for d in candidates(s, ctx, choice)}
    return any(energy.can_pay(have, energy.add(price, (0, 0, 0, 0, n))) for n in floors)


# --- may, unless, if -----------------------------------------------------------------------------------------------


def _may(s: State, f: Running, op: Op) -> None:
    node = cast(w.May, op.node)
    sentence = s.table.sentences[f.ability]
    who, price = _price_of_may(s, f, op)
    if f.waiting:
        if s.answer[0] == "no":
            s.stack[-1] = f._replace(pc=op.jump, waiting=0)
            return
        spend(s, f)
        if sentence.kind == "when" and node is sentence.ability.effects[0] and is_declinable(sentence):
            tell_use(s, f)
        if sentence.kind == "global":
            tell(s, "Global used", s.table.person + who)
        if f.event.word.startswith("would"):
            damage.note_use(s)
        steps = op.need.steps
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0, payer=who, given=s.answer[1] if steps else f.given)
        energy.pay(s, who, steps[s.answer[1] - 1] if steps else price)
        return
    if _may_be_offered(s, f, op):
        s.stack[-1] = f._replace(waiting=1)
        yes: list[Option] = [("yes", 0, 0)]
        if op.need.steps:
            have = energy.pool(s, who)
            yes = [("spend", n, 0) for n, price in enumerate(op.need.steps, 1) if energy.can_pay(have, price)]
        ask(s, who, "may", [*yes, ("no", 0, 0)], about=f.ability)
    else:
        s.stack[-1] = f._replace(pc=op.jump)


def _price_of_may(s: State, f: Running, op: Op) -> tuple[int, Price]:
    """Give who may, and what it costs them."""
    who = f.you if cast(w.May, op.node).who == "you" else look.opponent_of(f.you)
    sentence = s.table.sentences[f.ability]
    if sentence.kind == "global" and sentence.event:
        return who, look.global_price(s, who, op.need.price)
    return who, op.need.price


def _may_be_offered(s: State, f: Running, op: Op) -> bool:
    """Tell whether it can be paid for and could do anything (rules 5.3c)."""
    who, price = _price_of_may(s, f, op)
    if not can_afford(s, who, op.need, f, price=price) or (op.need.copies and not can_copy(s, f)):
        return False
    return not op.need.deeds or any(can_do(s, f, deed) for deed in op.need.deeds)


def _unless(s: State, f: Running, op: Op) -> None:
    who = look.opponent_of(f.you)
    if f.waiting:
        if s.answer[0] != "yes":
            s.stack[-1] = f._replace(pc=op.jump, waiting=0)
            return
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0, payer=who)
        energy.pay(s, who, op.need.price)
        return
    nothing = op.registers and not any(f.chosen[r] for r in op.registers if r < len(f.chosen))
    if isinstance(cast(w.Unless, op.node).effects[0], w.NameAffiliation) and not f.given:
        nothing = True  # there is no affiliation to name
    if op.need.deeds and not any(can_do(s, f, deed) for deed in op.need.deeds):
        nothing = True
    if not nothing and can_afford(s, who, op.need, f):
        s.stack[-1] = f._replace(waiting=1)
        ask(s, who, "unless", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
    else:
        s.stack[-1] = f._replace(pc=op.jump)


def _if(s: State, f: Running, op: Op) -> None:
    s.stack[-1] = f._replace(pc=f.pc + 1 if op.check(s, f) else op.jump)


def _done(s: State, f: Running, op: Op) -> None:
    """Go on only if the cost just before was paid; in cw the first of two effects is one (rules 5.1)."""
    asked = op.is_cost or s.table.edition.first_effect_is_cost
    s.stack[-1] = f._replace(pc=op.jump if asked and not s.done and not f.hit else f.pc + 1, hit=0)


def _jump(s: State, f: Running, op: Op) -> None:
    s.stack[-1] = f._replace(pc=op.jump)


# --- whom it reaches -----------------------------------------------------------------------------------------------


def _reached(s: State, f: Running, dice: list[int], hits: bool = False) -> list[int] | None:
    """Leave out what is spared; None while somebody is being asked whether to pay for that (avx 16)."""
    if "would be affected" not in s.table.woulds:
        return dice
    for d in sorted(dice, key=lambda d: d < PLAYER and (s.place[d] ^ s.active) & 1):  # the active player's first (5.7a)
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
        own = amount is own_attack
        for x in gather(s, group, f):
            everybody.append(x)
            packets += [Packet(dealer, x, look.stats(s, dealer)[0] if own else n) for dealer in dealers]
    reached = _reached(s, f, everybody, hits=True)
    if reached is None:
        return
    packets = [p for p in packets if p.to in reached and p.amount > 0]
    s.stack[-1] = f._replace(pc=f.pc + 1, hit=0 if op.is_cost else len(packets))
    damage.deal(s, packets, damage_sort(s, f), f.you, ability=f.ability, as_cost=op.is_cost)


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
    doer = f.payer if op.is_cost and f.payer != NOBODY else f.you
    what = cast(w.Ko, op.node).what
    if isinstance(what, w.Select) and what.by == "opponent":
        doer = look.opponent_of(f.you)  # who is made to choose one does it
    damage.ko(s, dice, source_kind(s, f), f.this, doer)


def _give(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    node = cast(w.Give, op.node)
    a, d = op.amount(s, f), op.amount2(s, f)
    places = _given_in(node)
    dice = [x for x in dice if x >= PLAYER or s.place[x] >> 2 in places]  # what has left is given nothing (rules 5.4)
    if node.rule.word == "halves":  # once, however often the same text says so
        halved = [r.subject for r in s.records if r.word == "halves" and r.ability == f.ability]
        dice = [x for x in dice if x not in halved]
    for x in look.persons(s, node.rule.word, dice, f.you):
        s.records.append(Record(node.rule.word, x, a, d, op.rule, node.until, f.you, f.this, f.ability))
    s.done = tuple(dice)
    s.dirty = True


def _given_in(node: w.Give) -> tuple[int, ...]:
    """List where a die can be given something."""
    return (FIELD, RESERVE) if node.rule.word in ("costs to field", "fields free", "has affiliation") else (FIELD,)


def _turn_rule(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    node = cast(w.Give, op.node)
    a, d = op.amount(s, f), op.amount2(s, f)
    rule = op.rule
    if op.registers:
        named = next((name for ability, name in s.named if ability == f.ability), w.FIST)
        rule = op.registers[w.TYPES.index(named)]
    s.records.append(Record(node.rule.word, NOBODY, a, d, rule, node.until, f.you, f.this, f.ability))


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
        at = look.face_level(s, d)
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
    rolled = [d for d in dice if s.place[d] >> 2 in (FIELD, RESERVE)]
    spun = [d for d in rolled if look.face_level(s, d) not in (0, min(to, look.top_level(s, d)))]
    for d in spun:
        moves.set_level(s, d, to)
    s.done = tuple(spun)


def _spin_to_energy(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    t = s.table
    symbol = cast(w.SpinToEnergy, op.node).symbol
    wanted, pips = (GENERIC, int(symbol)) if symbol.isdigit() else (w.TYPES.index(symbol), 1)
    for d in dice:
        for face in range(6):
            if t.energy[t.m6[d] + face] == wanted and t.pips[t.m6[d] + face] == pips:
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
        tell(s, "drawn", s.table.person + f.you, NOBODY, len(dice))


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
            s.flags[d] |= ROLLED  # in hand with a face that matters
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
        if not _can_reroll_here(s, f, d):
            continue
        used = _is_just_used(s, f, d)
        moves.roll(s, d)
        rolled.append(d)
        if used:  # the die just used stays where it was put, unless its new face says otherwise (ai 17)
            continue
        s.dirty = True
        if t.kinds[t.m6[d] + s.face[d]] != CHARACTER:
            if otherwise == w.USED:
                moves.send_to_used(s, d)
            elif otherwise:
                moves.put(s, d, PLACES[otherwise], s.owner[d])
            elif place == FIELD and not (
                t.kinds[t.m6[d] + s.face[d]] == ACTION and look.has_keyword(s, d, "Continuous")
            ):
                moves.into_reserve(s, d)
        elif place == RESERVE:
            moves.into_reserve(s, d)
    # where a place is named for those that show no character, the sentence goes on about them
    s.done = tuple(d for d in rolled if s.place[d] >> 2 != FIELD) if otherwise else tuple(rolled)


def _is_just_used(s: State, f: Running, d: int) -> bool:
    return f.event.word == "action used" and d == f.event.other and s.place[d] >> 2 in (OUT, USED)


def _can_reroll_here(s: State, f: Running, d: int) -> bool:
    """Tell whether the die can be rerolled; the sentence may speak of one that was just used and put away (ai 17)."""
    return _is_just_used(s, f, d) or can_reroll(s, d)


def _roll_until(s: State, f: Running, op: Op) -> None:
    """Roll a die until it shows the energy; it has reached as many as there were character faces before."""
    assert op.group is not None
    _next(s, f)
    t = s.table
    symbol = w.TYPES.index(cast(w.RollUntil, op.node).symbol)
    characters: list[int] = []
    for d in gather(s, op.group, f)[:1]:
        faces = range(t.m6[d], t.m6[d] + 6)
        while any(t.energy[i] == symbol for i in faces):
            moves.roll(s, d)
            i = t.m6[d] + s.face[d]
            if t.energy[i] == symbol:
                break
            if t.kinds[i] == CHARACTER:
                characters.append(d)
        if s.place[d] >> 2 == FIELD and t.kinds[t.m6[d] + s.face[d]] == ENERGY:
            moves.into_reserve(s, d)
        s.dirty = True
    s.done = tuple(characters)


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
        else:
            moves.put(s, d, PLACES[to], s.owner[d])
    s.done = tuple(dice)
    s.stack[-1] = f._replace(pc=f.pc + 1, given=len(dice))


def _field(s: State, f: Running, op: Op) -> None:
    """Field for free; a price that cannot be less may be paid, or the die is not fielded (rules 5.1, 10.9)."""
    node = cast(w.Field, op.node)
    found = _all(s, f, op)
    if found is None:
        return
    dice = [d for d in found if can_field(s, f.you, d) or d in f.asked]
    while (d := _next_priced(s, f, dice)) != NOBODY:
        price = look.least_fielding_cost(s, d)
        if not f.waiting:
            s.stack[-1] = f._replace(waiting=1)
            ask(s, f.you, "field price", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=price)
            return
        paid = s.answer[0] == "yes"
        f = f._replace(waiting=0, asked=(*f.asked, d), spared=f.spared if paid else (*f.spared, d))
        s.stack[-1] = f
        if paid:
            energy.pay(s, f.you, (0, 0, 0, 0, price))
            return
    dice = [d for d in dice if d not in f.spared]
    for d in dice:
        if node.level:
            moves.set_level(s, d, node.level)
        if s.table.edition.effects_field or s.place[d] >> 2 == RESERVE:
            field_die(s, d, f.you, s.paid if d in f.asked else ())
        else:
            moves.put(s, d, FIELD, f.you)
            s.dirty = True
    for d in found if node.otherwise else ():
        if d not in dice:
            moves.put(s, d, PLACES[node.otherwise], s.owner[d])
    asked = tuple(d for d in f.asked if d not in found)
    s.stack[-1] = f._replace(pc=f.pc + 1, asked=asked, spared=tuple(d for d in f.spared if d not in found))
    s.done = tuple(dice)


def _next_priced(s: State, f: Running, dice: list[int]) -> int:
    """Give the next die that costs something although it is fielded for free, or NOBODY."""
    if "costs at least to field" not in s.table.standing:
        return NOBODY
    return next((d for d in in_order(s, dice) if d not in f.asked and look.least_fielding_cost(s, d)), NOBODY)


def priced_die(s: State) -> int:
    """Give the die whose price the game waits for."""
    f = s.stack[-1]
    assert isinstance(f, Running)
    group = s.table.sentences[f.ability].programs[f.burst].ops[f.pc].group
    assert group is not None
    return _next_priced(s, f, [d for d in gather(s, group, f) if can_field(s, f.you, d)])


def can_field(s: State, seat: int, d: int) -> bool:
    """Tell whether an effect of the player could field the die: nothing forbids it, and what it costs at least is there."""
    if look.is_ruled(s, "cannot field", d):
        return False
    price = look.least_fielding_cost(s, d)
    return not price or energy.can_pay(energy.pool(s, seat), (0, 0, 0, 0, price))


def _is_of_card(s: State, r: Record, d: int) -> bool:
    return s.table.sentences[r.ability].card == s.table.card_of[d]


def field_die(s: State, d: int, seat: int, paid: tuple[int, ...]) -> None:
    """Field a die: it is in the field when its effects resolve (rules 5.6)."""
    if s.records:
        s.records = after_fielding(s, d, seat)
        s.records = [r for r in s.records if r.until != w.NEXT_FIELDING or not _is_of_card(s, r, d)]
    moves.put(s, d, FIELD, seat)
    s.flags[d] |= FIELDED_NOW
    s.facts[seat * FACTS + FIELDINGS] += 1
    s.dirty = True
    if s.journal is not None:
        s.journal.append(("fields", seat, d))
    known = paid
    if s.table.edition.fielding_takes_older_dice:
        # its effects may take only dice that lay in a Used Pile before it (rules 2.1a)
        used = [x for side in range(s.table.n_seats) for x in s.dice_in(USED, side) if x not in paid]
        known = (*paid, *used)
    alone = () if s.table.edition.own_fielding_heard else (d,)
    tell(s, "fielded", d, NOBODY, len(paid), known, without=alone)


def after_fielding(s: State, d: int, seat: int) -> list[Record]:
    """List what is in force when the die has been fielded: a rule about the next one is used up by it."""
    nexts = [r for r in s.records if r.until == w.NEXT_ONE and r.word in ("fields free", "costs to field")]
    gone = [r for r in nexts if r.you == seat and look.covers(s, r, d)]
    return [r for r in s.records if r not in gone] if gone else s.records


def after_purchase(s: State, d: int, seat: int) -> list[Record]:
    """List what is in force when the die has been bought: a rule about the next one is used up by it."""
    nexts = [r for r in s.records if r.until == w.NEXT_ONE and r.word == "costs to buy"]
    gone = [r for r in nexts if r.you == seat and look.covers(s, r, d)]
    return [r for r in s.records if r not in gone] if gone else s.records


def buy_die(s: State, d: int, seat: int, word: str = "buys") -> None:
    """A bought die goes straight to the Used Pile in every edition (rules 2.1c)."""
    if s.records:
        s.records = after_purchase(s, d, seat)
    s.owner[d] = seat
    s.place[d] = USED * 4 + seat
    if s.journal is not None:
        s.journal.append((word, seat, d))
    tell(s, "bought", d)
    if s.table.solitaire is not None:
        solitaire.owe(s, seat)


def run_mirroring(s: State, f: solitaire.Mirroring) -> None:
    """Let the script's seat have the dice it is owed, one after another, each with its effects (S7, S9)."""
    if s.queue:
        run_next(s)
        return
    s.stack.pop()
    d = solitaire.next_die(s)
    if d >= 0:
        assert s.table.solitaire is not None
        if f.owed > 1:
            s.stack.insert(0, f._replace(owed=f.owed - 1))
        buy_die(s, d, s.table.solitaire.seat, "buys too")


def _return(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    level = op.amount(s, f)
    dice = [d for d in dice if s.place[d] >> 2 != GONE]  # a token is gone for good (rules 5.13e)
    for d in dice:
        if s.place[d] >> 2 == FIELD:
            moves.leave_combat(s, d)
        else:
            moves.put(s, d, FIELD, s.owner[d])
        if level:
            moves.set_level(s, d, level)
    s.done = tuple(dice)
    s.dirty = True


def _buy(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    _next(s, f)
    for d in gather(s, op.group, f):
        buy_die(s, d, f.you)


def _leave_combat(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice:
        moves.leave_combat(s, d)
    s.done = tuple(dice)


def _join_attack(s: State, f: Running, op: Op) -> None:
    """More attackers after the declaration, if they are able and need not pay (rules 10.9)."""
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    attacking = bool(look.attackers(s)) and not s.blocks
    joining = [d for d in dice if attacking and (s.place[d] ^ s.active) & 1 == 0 and not s.flags[d] & ATTACKING]
    joining = [d for d in joining if combat.can_attack(s, d) and not combat.toll(s, "cannot attack", d)]
    for d in joining:
        s.flags[d] |= ATTACKING
        if s.journal is not None:
            s.journal.append(("attacks", d))
        tell(s, "attacks", d)
    s.done = tuple(joining)


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
    captor = NOBODY
    if captured:  # an action die in use comes to lie on what it captures (rules 3.3d); of a copy there is none
        here = f.this != NOBODY and s.place[f.this] >> 2 in (FIELD, RESERVE)
        captor = f.this if here else PLAYER + (f.you & 1)
    for d in dice:
        until = op.node.until if isinstance(op.node, w.Capture) else w.END_OF_TURN
        to = PLACES[op.node.home] if isinstance(op.node, w.Capture) and op.node.home else -1
        moves.hold(s, "capture" if captured else "aside", d, captor, until, to)
    s.done = tuple(dice)


def _attach(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice[:1] if f.this != NOBODY else ():  # of a copy there is no die to put anywhere
        moves.attach(s, f.this, d, f.you, cast(w.Attach, op.node).until)
    s.done = tuple(dice)


class Using(NamedTuple):
    """An action die being used: it lies in the reserve until its text is done, then it leaves (rules 3.3d)."""

    kind: str
    seat: int
    die: int
    shown: int = 0  # bursts


def use_die(s: State, seat: int, d: int, shown: int) -> None:
    """Start using an action die whose face counts as showing so many bursts."""
    t = s.table
    s.facts[seat * FACTS + ACTIONS] += 1
    if s.journal is not None:
        s.journal.append(("uses", seat, d))
    s.stack.append(Using("using", seat, d, shown))
    if t.edition.use_heard_at_once:
        tell(s, "action used", t.person + seat, d, shown)
        next_moment(s)  # what its effect sets off comes later
    for sentence in reversed(t.uses[t.card_of[d]]):
        ctx = look.context(sentence.index, seat, d, burst=shown)
        if sentence.condition is None or sentence.condition(s, ctx):
            s.stack.append(ctx)


def can_use(s: State, seat: int, d: int, shown: int, at: str = "") -> bool:
    """Tell whether a player may use an action die and it can do anything now (rules 5.3c).

    `at` is the moment, if it is one for some dice.
    """
    for sentence in s.table.uses[s.table.card_of[d]]:
        if sentence.event != at:
            continue
        ctx = look.context(sentence.index, seat, d, burst=shown)
        if (sentence.condition is None or sentence.condition(s, ctx)) and can_start(s, ctx):
            return not look.is_banned(s, seat, "action")
    return False


def _use(s: State, f: Running, op: Op) -> None:
    """Use an action die that lies elsewhere than in the own reserve, without bursts."""
    assert op.group is not None
    _next(s, f)
    t = s.table
    for d in gather(s, op.group, f)[:1]:
        plain = [i for i in range(6) if t.kinds[t.m6[d] + i] == ACTION and not t.bursts[t.m6[d] + i]]
        s.face[d] = plain[0] if plain else s.face[d]
        use_die(s, f.you, d, 0)


def _copied_uses(s: State, f: Running) -> list[Running]:
    """List what a copy of the action just used does, first to last; no die is used, so its text means none (ai 18)."""
    t = s.table
    out: list[Running] = []
    for sentence in t.uses[t.card_of[f.event.other]]:
        ctx = look.context(sentence.index, f.you, NOBODY, burst=f.event.amount)
        if sentence.condition is None or sentence.condition(s, ctx):
            out.append(ctx)
    return out


def can_copy(s: State, f: Running) -> bool:
    """Tell whether a copy of the action just used could do anything (rules 5.3c)."""
    return any(not _only_puts_its_die(s, ctx) and can_start(s, ctx) for ctx in _copied_uses(s, f))


def _only_puts_its_die(s: State, ctx: Running) -> bool:
    """Tell whether all a text does is to put its die somewhere, of which a copy has none."""
    deeds = {op.name for op in s.table.sentences[ctx.ability].programs[ctx.burst].ops} - {"choose"}
    return deeds <= {"attach", "place on card"}


def _use_copy(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    if s.journal is not None:
        s.journal.append(("copies", f.you, f.event.other))
    s.stack += reversed(_copied_uses(s, f))


def _control(s: State, f: Running, op: Op) -> None:
    dice = _all(s, f, op)
    if dice is None:
        return
    _next(s, f)
    for d in dice:
        moves.take_control(s, d, f.you, f.this, w.END_OF_TURN)
    s.done = tuple(dice)


def _two(s: State, f: Running, op: Op) -> tuple[list[int], list[int]] | None:
    """Give the one die of each of two groups, and those the effect reaches; None while that is being asked."""
    assert op.group is not None
    assert op.group2 is not None
    both = [*gather(s, op.group, f)[:1], *gather(s, op.group2, f)[:1]]
    reached = _reached(s, f, both)
    return None if reached is None else (both, reached)


def _swap_control(s: State, f: Running, op: Op) -> None:
    """Each of two dice is controlled by the other's player until end of turn (rules 5.13b)."""
    found = _two(s, f, op)
    if found is None:
        return
    both, reached = found
    _next(s, f)
    s.done = ()
    if len(both) == 2 == len(reached):
        seats = [s.place[d] & 3 for d in both]
        for d, seat in zip(both, reversed(seats), strict=True):
            moves.take_control(s, d, seat, f.this, w.END_OF_TURN)
        s.done = tuple(both)


def _send_home(s: State, f: Running, op: Op) -> None:
    """End every control; what is there only for a time goes back where it came from (ai 58)."""
    _next(s, f)
    for h in s.holdings[:]:
        if h.kind == "control":
            moves.let_go(s, h)


def _swap(s: State, f: Running, op: Op) -> None:
    """Two dice exchange places exactly, with their part in the combat (rules 5.13d)."""
    assert op.group is not None
    assert op.group2 is not None
    _next(s, f)
    firsts, seconds = gather(s, op.group, f), gather(s, op.group2, f)
    if not firsts or not seconds:
        return
    a, b = firsts[0], seconds[0]
    fight = {a: s.flags[a] & 3, b: s.flags[b] & 3}
    blocks = s.blocks[:]
    place = {a: s.place[a], b: s.place[b]}
    swapped = {a: b, b: a}
    if place[a] != place[b]:
        for d in (a, b):
            moves.put(s, d, HAND, s.owner[d])
    s.blocks = [(swapped.get(x, x), swapped.get(y, y)) for x, y in blocks]
    for d, other in ((a, b), (b, a)):
        s.place[d] = place[other]
        if place[other] >> 2 != FIELD and s.table.is_token[d]:
            s.place[d] = GONE * 4  # rules 5.13e
        elif place[other] >> 2 != FIELD and place[other] & 3 != s.owner[d] != NOBODY:
            s.place[d] = PREP * 4 + s.owner[d]  # rules 5.13b
        if place[other] >> 2 == FIELD:
            s.flags[d] = s.flags[d] & ~3 | fight[other]
            if place[d] >> 2 != FIELD:
                moves.set_level(s, d, 1)
                _to_character_face(s, d)
    s.done = (a, b)
    s.dirty = True


def _swap_attack(s: State, f: Running, op: Op) -> None:
    """Two dice exchange A: printed and applied values move, standing bonuses stay (rules 5.4)."""
    found = _two(s, f, op)
    if found is None:
        return
    both, reached = found
    _next(s, f)
    if len(both) == 2 and all(s.place[d] >> 2 == FIELD for d in both):  # one may have left since it was chosen
        a = [look.applied_stats(s, d)[0] for d in both]
        for d, new in zip(both, reversed(a), strict=True):
            if d in reached:
                s.records.append(Record("sets A", d, new, 0, -1, w.END_OF_TURN, f.you, f.this, f.ability))
        s.done = tuple(reached)


def _to_character_face(s: State, d: int) -> None:
    if s.table.levels[s.table.m6[d] + s.face[d]] == 0:
        moves.set_level(s, d, 1)


def _copy(s: State, f: Running, op: Op) -> None:
    """Dice take over another's numbers, abilities or everything (rules 5.13c)."""
    assert op.group is not None
    node = cast(w.Copy, op.node)
    t = s.table
    copied = gather(s, op.group, f)[:1]
    copiers = [] if op.group2 is None else gather(s, op.group2, f)
    if op.rule >= 0:
        copiers = [NOBODY]  # a description: dice in the reserve and those yet to come have it too
    if copied and node.part == "stats" and _may_copy_burst(s, f, copied[0]):
        if not f.waiting:
            s.stack[-1] = f._replace(waiting=1)
            ask(s, f.you, "copy burst", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
            return
        if s.answer[0] == "yes":
            shown = look.burst(s, copied[0])
            s.records += [
                Record("copy burst", x, shown, 0, op.rule, node.until, f.you, f.this, f.ability) for x in copiers
            ]
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)
    for d in copied:
        if node.part in ("stats", "attack"):
            cost, a, de = look.numbers(s, d)
            if node.level:
                i = t.copied_face(look.identity(s, d), node.level)
                cost, a, de = t.costs[i], t.attack[i], t.defence[i]
            if not t.edition.copy_printed_stats:
                a, de = a + _burst_bonus(s, d, 0), de + _burst_bonus(s, d, 1)
            said = (op.rule, node.until, f.you, f.this, f.ability)
            s.records += [Record(f"copy {node.part}", x, a, de, *said) for x in copiers]
            if node.part == "stats":
                s.records += [Record("copy cost", x, cost, 0, *said) for x in copiers]
        elif node.part == "combat abilities":
            c = look.identity(s, d)
            s.records += [Record("copy combat", x, c, 0, -1, node.until, f.you, f.this, f.ability) for x in copiers]
            if f.event.word == "attacks" and copiers == [f.event.die]:
                set_off(s, f.this, c, f.event)  # what attacking sets off comes with it (docs/rulings.md)
        else:
            word = "copy abilities" if node.part == "abilities" else "copy die"
            c = look.identity(s, d)
            s.records += [Record(word, x, c, 0, -1, node.until, f.you, f.this, f.ability) for x in copiers]
    s.dirty = True


def _may_copy_burst(s: State, f: Running, d: int) -> bool:
    """With printed numbers the burst may be copied too (rules 5.13c); asked if the copier's text speaks of bursts."""
    t = s.table
    if not t.edition.copy_printed_stats or look.burst(s, d) in (0, look.burst(s, f.this)):
        return False
    return any(a.bursts or "'showing burst'" in repr(a) for c in look.texts(s, f.this) for a in t.cards[c].abilities)


def _burst_bonus(s: State, d: int, which: int) -> int:
    """Give what a die's own burst text adds to its A or D while it shows the burst."""
    shown = look.burst(s, d)
    total = 0
    if shown:
        mine = look.texts(s, d)
        for sentence in s.table.standing.get("gets", ()):
            if sentence.card in mine:
                ctx = look.context(sentence.index, s.place[d] & 3, d, burst=shown)
                for rules, sign in ((sentence.rules[shown], 1), (sentence.rules[0], -1)):
                    for rule in rules:
                        if rule.word == "gets" and rule.who(s, d, ctx):
                            total += sign * (rule.d if which else rule.a)(s, ctx)
    return total


def _end_effect(s: State, f: Running, op: Op) -> None:
    """End one effect of an action die: what it gave and what it holds; lying in the field it leaves (uxm 80)."""
    if not f.waiting:
        options: list[Option] = []
        seen: set[tuple[tuple[int, ...], ...]] = set()
        for d in look.in_force(s):
            about = next((r.subject for r in s.records if r.source == d), NOBODY)
            about = next((h.die for h in s.holdings if h.holder == d and h.kind != "attach"), about)
            key = (alike(s, d), alike(s, about) if about < PLAYER else ())
            if key not in seen:
                seen.add(key)
                options.append(("end", d, about))
        if not options:
            _next(s, f)
            return
        if len(options) > 1:
            s.stack[-1] = f._replace(waiting=1)
            ask(s, f.you, "choose", options, about=f.ability)
            return
        d = options[0][1]
    else:
        d = s.answer[1]
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)
    s.records = [r for r in s.records if r.source != d]
    if moves.holds(s, d):
        moves.send_to_used(s, d)  # which frees its captives
    for h in s.holdings[:]:
        if h.holder == d or (h.kind == "attach" and h.die == d):
            moves.let_go(s, h)
    if s.place[d] >> 2 == FIELD:
        moves.send_to_used(s, d)
    s.done = (d,)
    s.dirty = True


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


def _remove_counters(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    s.counters[s.table.sentences[f.ability].card] = 0


def _name_type(s: State, f: Running, op: Op) -> None:
    if not f.waiting:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "name type", [("type", i, 0) for i in range(4)], about=f.ability)
        return
    s.named = [n for n in s.named if n[0] != f.ability]
    s.named.append((f.ability, w.TYPES[s.answer[1]]))
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)


def _copy_named_card(s: State, f: Running, op: Op) -> None:
    """The dice of this card take over the named card of the opponent, until another of them is fielded."""
    _next(s, f)
    t = s.table
    key = named(s, f)
    faces = int(cast(w.CopyNamedCard, op.node).faces)
    rivals = t.sides[look.opponent_of(f.you)]
    for c in range(t.n_real_cards):
        if t.cards[c].key == key and t.owner_of_card[c] in rivals:
            s.records.append(Record("copy card", NOBODY, c, faces, -1, w.NEXT_FIELDING, f.you, f.this, f.ability))
    s.dirty = True


def _name_card(s: State, f: Running, op: Op) -> None:
    """Choose one of the opponent's character cards; a Sidekick has none."""
    t = s.table
    rivals = t.sides[look.opponent_of(f.you)]
    theirs = [c for c in range(t.n_real_cards) if t.owner_of_card[c] in rivals and t.cards[c].kind == "character"]
    if len(theirs) > 1 and not f.waiting:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "name card", [("card", c, 0) for c in theirs], about=f.ability)
        return
    s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)
    for c in [s.answer[1]] if f.waiting else theirs:
        card = t.sentences[f.ability].card
        s.named = [n for n in s.named if t.sentences[n[0]].card != card]
        s.named.append((f.ability, t.cards[c].key))


def _how_much(s: State, f: Running, op: Op, to: int) -> int:
    """Give how much of the damage is prevented or redirected; 0 while the player is asked, where it is up to them."""
    most = op.amount(s, f)
    amount = cast(w.Prevent | w.Redirect, op.node).amount
    if isinstance(amount, int) or amount.op != "up to":
        return most
    if f.waiting:
        return s.answer[2]
    most = min(most, damage.amount_asked(s))
    if most > 1:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "how much", [("amount", to, n) for n in range(1, most + 1)], about=f.ability)
        return 0
    return most


def _prevent(s: State, f: Running, op: Op) -> None:
    n = _how_much(s, f, op, f.event.die)
    if s.ask is NO_ASK:
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0)
        damage.prevent(s, n)


def _redirect(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    for x in gather(s, op.group, f)[:1]:
        if damage.may_redirect(s, x):
            n = _how_much(s, f, op, x)
            if s.ask is not NO_ASK:
                return
            damage.redirect(s, n, x, cast(w.Redirect, op.node).whole_source)
    top = s.stack[-1]
    assert isinstance(top, Running)
    s.stack[-1] = top._replace(pc=f.pc + 1, waiting=0)


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


def _set_life(s: State, f: Running, op: Op) -> None:
    assert op.group is not None
    _next(s, f)
    for x in gather(s, op.group, f):
        s.life[x - PLAYER] = min(cast(w.SetLife, op.node).amount, look.most_life(s, x - PLAYER))


def _each_player(s: State, f: Running, op: Op) -> None:
    """Start the inner sentence for each player, the active one first."""
    _next(s, f)
    sides = s.table.sides
    for seat in reversed((*sides[s.active], *sides[look.opponent_of(s.active)])):
        s.stack.append(f._replace(ability=op.part, you=seat, burst=0, pc=0, chosen=(), picked=(), waiting=0))


def _one_of(s: State, f: Running, op: Op) -> None:
    node = cast(w.OneOf, op.node)
    if f.waiting:
        s.stack[-1] = f._replace(pc=op.registers[s.answer[1]], waiting=0)
        return
    who = f.you if node.by == "you" else look.opponent_of(f.you)
    s.stack[-1] = f._replace(waiting=1)
    ask(s, who, "one of", [("mode", i, 0) for i in range(len(node.choices))], about=f.ability, number=f.pc)


def _later(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    until = cast(w.Later, op.node).until
    about = [NOBODY] if op.group is None else gather(s, op.group, f)
    for x in about:
        s.records.append(Record("later", x, 0, 0, -1, until, f.you, f.this, op.part))


def _divide(s: State, f: Running, op: Op) -> None:
    """Damage divided among dice, one amount after the other."""
    shares = f.shares
    if f.waiting:
        shares = (*shares, s.answer[2])
    dice = _divided_among(s, f, op)
    rest = op.amount(s, f) - sum(shares)
    if len(shares) >= len(dice) - 1 or rest <= 0:
        amounts = (*shares, rest, *(0 for _ in dice))
        s.stack[-1] = f._replace(pc=f.pc + 1, shares=(), waiting=0)
        packets = [Packet(f.this, d, n) for d, n in zip(dice, amounts, strict=False) if n > 0]
        damage.deal(s, packets, damage_sort(s, f), f.you, ability=f.ability)
        return
    s.stack[-1] = f._replace(shares=shares, waiting=1)
    d = dice[len(shares)]
    ask(s, f.you, "divide", [("amount", d, n) for n in range(rest + 1)], about=f.ability, number=rest)


def _divided_among(s: State, f: Running, op: Op) -> list[int]:
    assert op.group is not None
    dice = gather(s, op.group, f)
    if cast(w.Divide, op.node).target or s.table.edition.bare_choice_targets:
        dice = [d for d in dice if _targetable(s, f, d)]
    return in_order(s, dice)


def _increase(s: State, f: Running, op: Op) -> None:
    _next(s, f)
    damage.prevent(s, -op.amount(s, f))


def _affiliation_named(s: State, f: Running, op: Op) -> None:
    """The affiliation chosen before holds from now on, in place of an earlier one."""
    _next(s, f)
    if f.given:
        s.named = [n for n in s.named if n[0] != f.ability]
        s.named.append((f.ability, s.table.affiliations[f.given - 1]))


def _name_affiliation(s: State, f: Running, op: Op) -> None:
    if f.waiting:
        s.stack[-1] = f._replace(pc=f.pc + 1, waiting=0, given=s.answer[1] + 1)
        return
    options: list[Option] = [("name", i, 0) for i in _affiliations(s, f, op)]
    if options:
        s.stack[-1] = f._replace(waiting=1)
        ask(s, f.you, "name affiliation", options, about=f.ability)
    else:
        s.stack[-1] = f._replace(pc=f.pc + 1, given=0)


def _affiliations(s: State, f: Running, op: Op) -> list[int]:
    node = cast(w.NameAffiliation, op.node)
    least = node.at_least
    names = [(i, name) for i, name in enumerate(s.table.affiliations) if name != node.other_than]
    if op.group is None:
        return [i for i, _ in names]
    dice = gather(s, op.group, f)
    return [i for i, name in names if sum(look.has_affiliation(s, d, name) for d in dice) >= least]


OPS: dict[str, Callable[[State, Running, Op], None]] = {
    "choose": _choose,
    "may": _may,
    "unless": _unless,
    "if": _if,
    "jump": _jump,
    "done": _done,
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
    "buy": _buy,
    "leave combat": _leave_combat,
    "join attack": _join_attack,
    "roll until": _roll_until,
    "clear damage": _clear_damage,
    "capture": _hold,
    "attach": _attach,
    "use": _use,
    "use copy": _use_copy,
    "swap control": _swap_control,
    "send home": _send_home,
    "affiliation named": _affiliation_named,
    "set aside": _hold,
    "control": _control,
    "swap": _swap,
    "swap attack": _swap_attack,
    "copy": _copy,
    "end effect": _end_effect,
    "pair up": _pair_up,
    "token": _token,
    "counter": _counter,
    "remove counters": _remove_counters,
    "name type": _name_type,
    "name card": _name_card,
    "copy named card": _copy_named_card,
    "set life": _set_life,
    "each player": _each_player,
    "one of": _one_of,
    "later": _later,
    "divide": _divide,
    "increase": _increase,
    "name affiliation": _name_affiliation,
    "prevent": _prevent,
    "redirect": _redirect,
    "instead": _instead,
    "new target": _new_target,
    "place on card": _place_on_card,
}
