"""What effects do with dice: turn, roll, move, hold, exchange them (rules 5.11, 5.13)."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.predicates import PLACES
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import can_reroll_here, cards_for_action_die, is_just_used, left_in_used_pile
from dicemasters.game.effects.operands import operand, operand_pair
from dicemasters.game.mechanics import chance, faces, holding, zones
from dicemasters.game.mechanics.combat import restrictions
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import emit, emit_once
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.queries.die_identity import ACTION, CHARACTER, ENERGY
from dicemasters.game.state.constants import (
    ATTACK,
    ATTACKING,
    BLOCKING,
    COMMITTED,
    FIELD,
    GONE,
    HAND,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
)
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN, ActiveEffect, GameEvent


def place_on_card(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Put this action die into the field, on a card (uxm 62)."""
    if f.this == NOBODY:  # of a copy there is no die to put anywhere
        f.pc += 1
        return
    if not f.waiting:
        fit = cards_for_action_die(s, f, op)
        if not fit:
            f.pc += 1
            return
        f.waiting = 1
        request_decision(s, f.you, "name card", [("card", c, 0) for c in fit], about=f.ability)
        return
    f.jump_to(f.pc + 1)
    zones.move_die(s, f.this, FIELD, f.you)
    s.active_effects.append(ActiveEffect("on card", f.this, s.answer[1], 0, -1, "it leaves", f.you, f.this, f.ability))


def spin(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    levels = op.amount.evaluate(s, f)
    down = {x for register in f.chosen for x in register if x & SPIN_DOWN}
    spun: list[int] = []
    for d in dice:
        way = levels or (-1 if d | SPIN_DOWN in down else 1)
        at = die_identity.shown_level(s, d)
        to = min(max(at + way, 1), die_identity.top_level(s, d))
        if at and to != at and not s.spec.is_token[d]:
            faces.set_level(s, d, to)
            spun.append(d)
    s.last_affected = tuple(spun)


def spin_to(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    to = op.amount.evaluate(s, f)
    rolled = [d for d in dice if s.place[d] >> 2 in (FIELD, RESERVE)]
    spun = [d for d in rolled if die_identity.shown_level(s, d) not in (0, min(to, die_identity.top_level(s, d)))]
    for d in spun:
        faces.set_level(s, d, to)
    s.last_affected = tuple(spun)


def spin_to_energy(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    for d in dice:
        face = faces.energy_face(s, d, cast(w.SpinToEnergy, op.node).symbol)
        if face >= 0:
            s.face[d] = face
            if s.place[d] >> 2 == FIELD:
                zones.move_to_reserve(s, d)
    s.last_affected = tuple(dice)


def draw(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    to = cast(w.Draw, op.node).to
    dice = chance.draw(s, f.you, op.amount.evaluate(s, f), left_in_used_pile(s, f))
    for d in dice:
        if to == w.RESERVE:
            chance.roll(s, d)
            zones.move_to_reserve(s, d)
        elif to != w.HAND:
            zones.move_die(s, d, PLACES[to], f.you)
    s.last_affected = tuple(dice)
    if dice:
        emit_once(s, GameEvent("drawn", s.spec.person + f.you, NOBODY, len(dice)))


def roll(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    to = cast(w.Roll, op.node).to
    dice = _away(s, f, dice)
    for d in dice:
        chance.roll(s, d)
        if to == w.RESERVE:
            zones.move_to_reserve(s, d)
        else:
            # an effect that was redirected may roll another's character, which stays theirs
            zones.move_die(s, d, HAND, s.place[d] & 3 if s.place[d] >> 2 == FIELD else f.you)
            s.flags[d] |= ROLLED  # in hand with a face that matters
    s.last_affected = tuple(dice)


def reroll(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    t = s.spec
    otherwise = cast(w.Reroll, op.node).otherwise
    rolled: list[int] = []
    for d in dice:
        place = s.place[d] >> 2
        if not can_reroll_here(s, f, d):
            continue
        used = is_just_used(s, f, d)
        chance.roll(s, d)
        rolled.append(d)
        if used:  # the die just used stays where it was put, unless its new face says otherwise (ai 17)
            continue
        s.state_check_due = True
        if t.kinds[t.face_base[d] + s.face[d]] != CHARACTER:
            if otherwise == w.USED:
                zones.send_to_used(s, d)
            elif otherwise:
                zones.move_die(s, d, PLACES[otherwise], s.owner[d])
            elif place == FIELD and not (
                t.kinds[t.face_base[d] + s.face[d]] == ACTION and characteristics.has_keyword(s, d, "Continuous")
            ):
                zones.move_to_reserve(s, d)
            elif place == RESERVE:
                s.active_effects = [
                    r for r in s.active_effects if r.subject != d
                ]  # it is no character any more (rules 5.4)
        elif place == RESERVE:
            zones.move_to_reserve(s, d)
    # where a place is named for those that show no character, the sentence goes on about them
    s.last_affected = tuple(d for d in rolled if s.place[d] >> 2 != FIELD) if otherwise else tuple(rolled)


def roll_until(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Roll a die until it shows the energy; it has reached as many as there were character faces before."""
    f.pc += 1
    t = s.spec
    symbol = w.TYPES.index(cast(w.RollUntil, op.node).symbol)
    characters: list[int] = []
    for d in operand(s, f, op)[:1]:
        faces = range(t.face_base[d], t.face_base[d] + 6)
        while any(t.energy[i] == symbol for i in faces):
            chance.roll(s, d)
            i = t.face_base[d] + s.face[d]
            if t.energy[i] == symbol:
                break
            if t.kinds[i] == CHARACTER:
                characters.append(d)
        if s.place[d] >> 2 == FIELD and t.kinds[t.face_base[d] + s.face[d]] == ENERGY:
            zones.move_to_reserve(s, d)
        s.state_check_due = True
    s.last_affected = tuple(characters)


def move(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    to = cast(w.Move, op.node).to
    dice = _away(s, f, dice)
    for d in dice:
        if to == w.USED and d == f.this and s.spec.is_character_die[d] and (s.owner[d] ^ f.you) & 1:
            zones.move_die(s, d, PREP, s.owner[d])  # to the Used Pile of who controlled it: it goes home (rules 5.13b)
        elif to == w.USED:
            zones.send_to_used(s, d)
        elif to == w.RESERVE:
            zones.move_to_reserve(s, d)
        else:
            zones.move_die(s, d, PLACES[to], s.owner[d])
    s.last_affected = tuple(dice)
    f.given = len(dice)


def _away(s: State, f: AbilityFrame, dice: list[int]) -> list[int]:
    """Leave out who was KO'd and is back in the field: a text about the KO does not find it any more (rules 5.13a)."""
    word = f.event.word
    fallen = f.event.die if word == "KO'd" else f.event.other if word == "KOs" else NOBODY
    return dice if fallen == NOBODY else [d for d in dice if d != fallen or s.place[d] >> 2 != FIELD]


def _come_anew(s: State, d: int) -> None:
    """What still waits does not find a die that was away in the meantime (rules 10.5)."""
    for i, q in enumerate(s.queue):
        if q.event.other == d:
            s.queue[i] = q.about_dice(q.this, q.event.about(q.event.die, NOBODY, q.event.last_known), q.about)


def return_to_field_effect(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    level = op.amount.evaluate(s, f)
    dice = _away(s, f, dice)
    dice = [d for d in dice if s.place[d] >> 2 != GONE]  # a token is gone for good (rules 5.13e)
    for d in dice:
        if s.place[d] >> 2 == FIELD:
            zones.leave_combat(s, d)
        else:
            zones.move_die(s, d, FIELD, s.owner[d])
            _come_anew(s, d)
        if level:
            faces.set_level(s, d, level)
    s.last_affected = tuple(dice)
    s.state_check_due = True


def leave_combat(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    for d in dice:
        zones.leave_combat(s, d)
    s.last_affected = tuple(dice)


def join_attack(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """More attackers after the declaration, if they are able and need not pay (rules 10.9)."""
    attacking = s.step == ATTACK and COMMITTED <= s.substep <= BLOCKING and not s.blocks
    joining = [d for d in dice if attacking and (s.place[d] ^ s.active) & 1 == 0 and not s.flags[d] & ATTACKING]
    joining = [
        d for d in joining if restrictions.can_attack(s, d) and not restrictions.life_toll(s, "cannot attack", d)
    ]
    for d in joining:
        s.flags[d] |= ATTACKING
        if s.journal is not None:
            s.journal.append(("attacks", d))
        emit(s, "attacks", d)
    s.last_affected = tuple(joining)
    s.state_check_due = True


def clear_damage(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    for d in dice:
        s.damage[d] = 0
    s.last_affected = tuple(dice)


def capture_or_set_aside(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    captured = isinstance(op.node, w.Capture)
    captor = NOBODY
    if captured:  # an action die in use comes to lie on what it captures (rules 3.3d); of a copy there is none
        captor = _holder(f, op)
        if captor == NOBODY or s.place[captor] >> 2 not in (FIELD, RESERVE):
            captor = PLAYER + (f.you & 1)
    if op.group is not None and not op.group.registers and op.group.places == (FIELD,):
        dice = [d for d in dice if s.place[d] >> 2 == FIELD]  # whom the text speaks of may have left (rules 10.5)
    for d in dice:
        until = op.node.until if isinstance(op.node, w.Capture) else w.END_OF_TURN
        to = PLACES[op.node.home] if isinstance(op.node, w.Capture) and op.node.home else -1
        holding.detain(s, "capture" if captured else "aside", d, captor, until, to)
    s.last_affected = tuple(dice)


def _holder(f: AbilityFrame, op: Instruction) -> int:
    """Give the die that holds what is captured or controlled: that whose text it is, or the chosen one of its card."""
    for register in op.registers:
        for d in f.chosen[register]:
            return d
    return f.this


def attach(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    for d in dice[:1] if f.this != NOBODY else ():  # of a copy there is no die to put anywhere
        holding.attach(s, f.this, d, f.you, cast(w.Attach, op.node).until)
    s.last_affected = tuple(dice)


def take_control_effect(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    for d in dice:
        holding.take_control(s, d, f.you, _holder(f, op), w.END_OF_TURN)
    s.last_affected = tuple(dice)


def swap_control(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Each of two dice is controlled by the other's player until the end of the user's turn (rules 5.13b)."""
    found = operand_pair(s, f, op)
    if found is None:
        return
    both, reached = found
    f.pc += 1
    s.last_affected = ()
    if len(both) == 2 == len(reached) and not die_identity.has_source_left(s, f):
        seats = [s.place[d] & 3 for d in both]
        for d, seat in zip(both, reversed(seats), strict=True):
            holding.take_control(s, d, seat, f.this, w.END_OF_YOUR_TURN if (f.you ^ s.active) & 1 else w.END_OF_TURN)
        s.last_affected = tuple(both)


def end_all_control(s: State, f: AbilityFrame, op: Instruction) -> None:
    """End every control; what is there only for a time goes back where it came from (ai 58)."""
    f.pc += 1
    for h in s.holdings[:]:
        if h.kind == "control":
            holding.release(s, h)


def swap(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Two dice exchange places exactly, with their part in the combat (rules 5.13d)."""
    assert op.group is not None
    assert op.group2 is not None
    f.pc += 1
    firsts, seconds = select(s, op.group, f), select(s, op.group2, f)
    if not firsts or not seconds:
        return
    a, b = firsts[0], seconds[0]
    fight = {a: s.flags[a] & 3, b: s.flags[b] & 3}
    blocks = s.blocks[:]
    place = {a: s.place[a], b: s.place[b]}
    swapped = {a: b, b: a}
    if place[a] != place[b]:
        for d in (a, b):
            zones.move_die(s, d, HAND, s.owner[d])
    s.blocks = [(swapped.get(x, x), swapped.get(y, y)) for x, y in blocks]
    for d, other in ((a, b), (b, a)):
        s.place[d] = place[other]
        if place[other] >> 2 != FIELD and s.spec.is_token[d]:
            s.place[d] = GONE * 4  # rules 5.13e
        elif place[other] >> 2 != FIELD and place[other] & 3 != s.owner[d] != NOBODY:
            s.place[d] = PREP * 4 + s.owner[d]  # rules 5.13b
        if place[other] >> 2 == FIELD:
            s.flags[d] = s.flags[d] & 0xFC | fight[other]
            if place[d] >> 2 != FIELD:
                faces.set_level(s, d, 1)
                _to_character_face(s, d)
    s.last_affected = (a, b)
    s.state_check_due = True


def _to_character_face(s: State, d: int) -> None:
    if s.spec.levels[s.spec.face_base[d] + s.face[d]] == 0:
        faces.set_level(s, d, 1)


def make_token(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    t = s.spec
    for d in t.dice_of[t.tokens[cast(w.MakeToken, op.node)]]:
        if s.place[d] >> 2 == GONE:
            s.set_owner(d, f.you)
            s.face[d] = 5
            s.place[d] = FIELD * 4 + f.you
            s.state_check_due = True
            s.last_affected = (d,)
            return
