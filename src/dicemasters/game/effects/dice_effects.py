"""Effects that spin, roll, move, hold or exchange dice (rules 5.11, 5.13)."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.predicates import PLACES
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import (
    can_reroll_here,
    cards_for_action_die,
    is_just_used,
    unavailable_used_dice,
)
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


def place_on_card(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Put this action die into the field, on a card (uxm 62)."""
    if frame.this == NOBODY:  # a copy has no die to place
        frame.pc += 1
        return
    if not frame.waiting:
        cards = cards_for_action_die(s, frame, op)
        if not cards:
            frame.pc += 1
            return
        frame.waiting = 1
        request_decision(s, frame.you, "name card", [("card", c, 0) for c in cards], about=frame.ability)
        return
    frame.jump_to(frame.pc + 1)
    zones.move_die(s, frame.this, FIELD, frame.you)
    s.active_effects.append(
        ActiveEffect("on card", frame.this, s.answer[1], 0, -1, "it leaves", frame.you, frame.this, frame.ability)
    )


def spin(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Spin dice up or down, in the chosen direction if the text leaves it open (rules 5.12a, 5.12c)."""
    levels = op.amount.evaluate(s, frame)
    down = {x for register in frame.chosen for x in register if x & SPIN_DOWN}
    spun: list[int] = []
    for d in dice:
        change = levels or (-1 if d | SPIN_DOWN in down else 1)
        level = die_identity.shown_level(s, d)
        new_level = min(max(level + change, 1), die_identity.top_level(s, d))
        if level and new_level != level and not s.spec.is_token[d]:
            faces.set_level(s, d, new_level)
            spun.append(d)
    s.last_affected = tuple(spun)


def spin_to(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Spin dice to a level, or to their highest level if that is lower."""
    level = op.amount.evaluate(s, frame)
    rolled_dice = [d for d in dice if s.place[d] >> 2 in (FIELD, RESERVE)]
    spun = [
        d for d in rolled_dice if die_identity.shown_level(s, d) not in (0, min(level, die_identity.top_level(s, d)))
    ]
    for d in spun:
        faces.set_level(s, d, level)
    s.last_affected = tuple(spun)


def spin_to_energy(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Spin dice to an energy face; those in the field move to the reserve."""
    for d in dice:
        face = faces.energy_face(s, d, cast(w.SpinToEnergy, op.node).symbol)
        if face >= 0:
            s.face[d] = face
            if s.place[d] >> 2 == FIELD:
                zones.move_to_reserve(s, d)
    s.last_affected = tuple(dice)


def draw(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Draw dice and put them into a zone, rolled if it is the reserve (rules 5.11d)."""
    frame.pc += 1
    destination = cast(w.Draw, op.node).to
    dice = chance.draw(s, frame.you, op.amount.evaluate(s, frame), unavailable_used_dice(s, frame))
    for d in dice:
        if destination == w.RESERVE:
            chance.roll(s, d)
            zones.move_to_reserve(s, d)
        elif destination != w.HAND:
            zones.move_die(s, d, PLACES[destination], frame.you)
    s.last_affected = tuple(dice)
    if dice:
        emit_once(s, GameEvent("drawn", s.spec.person + frame.you, NOBODY, len(dice)))


def roll(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Roll dice into the reserve, or into the hand with their new faces."""
    destination = cast(w.Roll, op.node).to
    dice = _exclude_returned_kod_die(s, frame, dice)
    for d in dice:
        chance.roll(s, d)
        if destination == w.RESERVE:
            zones.move_to_reserve(s, d)
        else:
            # after retargeting this may be another player's character, which stays theirs
            zones.move_die(s, d, HAND, s.place[d] & 3 if s.place[d] >> 2 == FIELD else frame.you)
            s.flags[d] |= ROLLED  # its face counts although it is in hand
    s.last_affected = tuple(dice)


def reroll(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Reroll dice and move those whose new face cannot stay (rules 5.11b, 5.11c)."""
    spec = s.spec
    otherwise = cast(w.Reroll, op.node).otherwise
    rolled: list[int] = []
    for d in dice:
        place = s.place[d] >> 2
        if not can_reroll_here(s, frame, d):
            continue
        was_just_used = is_just_used(s, frame, d)
        chance.roll(s, d)
        rolled.append(d)
        if was_just_used:  # it stays where it was put; the card moves it if its new face is an action (ai 17)
            continue
        s.state_check_due = True
        if spec.kinds[spec.face_base[d] + s.face[d]] != CHARACTER:
            if otherwise == w.USED:
                zones.send_to_used(s, d)
            elif otherwise:
                zones.move_die(s, d, PLACES[otherwise], s.owner[d])
            elif place == FIELD and not (
                spec.kinds[spec.face_base[d] + s.face[d]] == ACTION and characteristics.has_keyword(s, d, "Continuous")
            ):
                zones.move_to_reserve(s, d)
            elif place == RESERVE:
                # no longer a character, so nothing stays applied to it (rules 5.4c)
                s.active_effects = [effect for effect in s.active_effects if effect.subject != d]
        elif place == RESERVE:
            zones.move_to_reserve(s, d)
    # if dice without a character face go to a named zone, the next effect refers to them
    s.last_affected = tuple(d for d in rolled if s.place[d] >> 2 != FIELD) if otherwise else tuple(rolled)


def roll_until(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Roll a die until it shows the energy; record it as affected once for each character face before that."""
    frame.pc += 1
    spec = s.spec
    symbol = w.TYPES.index(cast(w.RollUntil, op.node).symbol)
    characters: list[int] = []
    for d in operand(s, frame, op)[:1]:
        faces = range(spec.face_base[d], spec.face_base[d] + 6)
        while any(spec.energy[i] == symbol for i in faces):
            chance.roll(s, d)
            i = spec.face_base[d] + s.face[d]
            if spec.energy[i] == symbol:
                break
            if spec.kinds[i] == CHARACTER:
                characters.append(d)
        if s.place[d] >> 2 == FIELD and spec.kinds[spec.face_base[d] + s.face[d]] == ENERGY:
            zones.move_to_reserve(s, d)
        s.state_check_due = True
    s.last_affected = tuple(characters)


def move(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Move dice to a zone."""
    destination = cast(w.Move, op.node).to
    dice = _exclude_returned_kod_die(s, frame, dice)
    for d in dice:
        if destination == w.USED and d == frame.this and s.spec.is_character_die[d] and (s.owner[d] ^ frame.you) & 1:
            zones.move_die(s, d, PREP, s.owner[d])  # back to its owner (rules 5.13b3)
        elif destination == w.USED:
            zones.send_to_used(s, d)
        elif destination == w.RESERVE:
            zones.move_to_reserve(s, d)
        else:
            zones.move_die(s, d, PLACES[destination], s.owner[d])
    s.last_affected = tuple(dice)
    frame.given = len(dice)


def _exclude_returned_kod_die(s: State, frame: AbilityFrame, dice: list[int]) -> list[int]:
    """Return the dice without the event's KO'd die if it is back in the field and no longer found (rules 10.5)."""
    word = frame.event.word
    kod_die = frame.event.die if word == "KO'd" else frame.event.other if word == "KOs" else NOBODY
    return dice if kod_die == NOBODY else [d for d in dice if d != kod_die or s.place[d] >> 2 != FIELD]


def _forget_as_other_die(s: State, d: int) -> None:
    """Remove a returned die from waiting triggers in which it was the other die (rules 10.5)."""
    for i, trigger in enumerate(s.queue):
        if trigger.event.other == d:
            s.queue[i] = trigger.with_dice(
                trigger.this,
                trigger.event.with_dice(trigger.event.die, NOBODY, trigger.event.last_known),
                trigger.about,
            )


def return_to_field_effect(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Return dice to the field without fielding them; take those in the field out of combat (rules 3.4f1, 5.6b)."""
    level = op.amount.evaluate(s, frame)
    dice = _exclude_returned_kod_die(s, frame, dice)
    dice = [d for d in dice if s.place[d] >> 2 != GONE]  # a token never returns (rules 5.13e2)
    for d in dice:
        if s.place[d] >> 2 == FIELD:
            zones.leave_combat(s, d)
        else:
            zones.move_die(s, d, FIELD, s.owner[d])
            _forget_as_other_die(s, d)
        if level:
            faces.set_level(s, d, level)
    s.last_affected = tuple(dice)
    s.state_check_due = True


def leave_combat(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Take dice out of combat (rules 3.4f1)."""
    for d in dice:
        zones.leave_combat(s, d)
    s.last_affected = tuple(dice)


def join_attack(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Add attackers after the declaration if they are able to attack without paying (rules 10.9)."""
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


def clear_damage(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Remove all damage from dice."""
    for d in dice:
        s.damage[d] = 0
    s.last_affected = tuple(dice)


def capture_or_set_aside(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Capture dice or set them aside (rules 5.13a1, 5.13a2)."""
    is_capture = isinstance(op.node, w.Capture)
    captor = NOBODY
    if is_capture:  # an action die holds its captives; for a copy, its player does (rules 3.3d3, 5.13a4)
        captor = _captor(frame, op)
        if captor == NOBODY or s.place[captor] >> 2 not in (FIELD, RESERVE):
            captor = PLAYER + (frame.you & 1)
    if op.group is not None and not op.group.registers and op.group.places == (FIELD,):
        dice = [d for d in dice if s.place[d] >> 2 == FIELD]  # the others have left since (rules 10.5)
    for d in dice:
        until = op.node.until if isinstance(op.node, w.Capture) else w.END_OF_TURN
        home = PLACES[op.node.home] if isinstance(op.node, w.Capture) and op.node.home else -1
        holding.detain(s, "capture" if is_capture else "aside", d, captor, until, home)
    s.last_affected = tuple(dice)


def _captor(frame: AbilityFrame, op: Instruction) -> int:
    """Return the die that holds captured or controlled dice: the chosen die of the card, else the ability's own."""
    for register in op.registers:
        for d in frame.chosen[register]:
            return d
    return frame.this


def attach(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Attach the ability's die to another die."""
    for d in dice[:1] if frame.this != NOBODY else ():  # a copy has no die to attach
        holding.attach(s, frame.this, d, frame.you, cast(w.Attach, op.node).until)
    s.last_affected = tuple(dice)


def take_control_effect(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Take control of dice until end of turn (rules 5.13b2)."""
    for d in dice:
        holding.take_control(s, d, frame.you, _captor(frame, op), w.END_OF_TURN)
    s.last_affected = tuple(dice)


def swap_control(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Exchange control of two dice until the end of the user's turn (rules 5.13b1, 5.13b2)."""
    pair = operand_pair(s, frame, op)
    if pair is None:
        return
    both, affected_dice = pair
    frame.pc += 1
    s.last_affected = ()
    if len(both) == 2 == len(affected_dice) and not die_identity.has_source_left(s, frame):
        seats = [s.place[d] & 3 for d in both]
        for d, seat in zip(both, reversed(seats), strict=True):
            holding.take_control(
                s, d, seat, frame.this, w.END_OF_YOUR_TURN if (frame.you ^ s.active) & 1 else w.END_OF_TURN
            )
        s.last_affected = tuple(both)


def end_all_control(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """End all control of dice; those in the field only temporarily return to where they came from (ai 58)."""
    frame.pc += 1
    for h in s.holdings[:]:
        if h.kind == "control":
            holding.release(s, h)


def swap(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Exchange the exact places of two dice, including their roles in combat (rules 5.13d1)."""
    assert op.group is not None
    assert op.group2 is not None
    frame.pc += 1
    firsts, seconds = select(s, op.group, frame), select(s, op.group2, frame)
    if not firsts or not seconds:
        return
    a, b = firsts[0], seconds[0]
    combat_flags = {a: s.flags[a] & 3, b: s.flags[b] & 3}
    blocks = s.blocks[:]
    place = {a: s.place[a], b: s.place[b]}
    swapped = {a: b, b: a}
    if place[a] != place[b]:
        for d in (a, b):
            zones.move_die(s, d, HAND, s.owner[d])
    s.blocks = [(swapped.get(x, x), swapped.get(y, y)) for x, y in blocks]
    for d, other in ((a, b), (b, a)):
        s.place[d] = place[other]  # not by way of Out of Play (rules 2.1c1, 5.13d2)
        if place[other] >> 2 != FIELD and s.spec.is_token[d]:
            s.place[d] = GONE * 4  # rules 5.13e2
        elif place[other] >> 2 != FIELD and place[other] & 3 != s.owner[d] != NOBODY:
            s.place[d] = PREP * 4 + s.owner[d]  # rules 5.13b3
        if place[other] >> 2 == FIELD:
            s.flags[d] = s.flags[d] & 0xFC | combat_flags[other]
            if place[d] >> 2 != FIELD:
                faces.set_level(s, d, 1)  # rules 5.13d2
                _to_character_face(s, d)
    s.last_affected = (a, b)
    s.state_check_due = True


def _to_character_face(s: State, d: int) -> None:
    if s.spec.levels[s.spec.face_base[d] + s.face[d]] == 0:
        faces.set_level(s, d, 1)


def make_token(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Put a token into the player's field if one is left (rules 5.13e1, 5.13e3)."""
    frame.pc += 1
    spec = s.spec
    for d in spec.dice_of[spec.tokens[cast(w.MakeToken, op.node)]]:
        if s.place[d] >> 2 == GONE:
            s.set_owner(d, frame.you)
            s.face[d] = 5
            s.place[d] = FIELD * 4 + frame.you
            s.state_check_due = True
            s.last_affected = (d,)
            return
