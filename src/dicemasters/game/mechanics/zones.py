"""Dice from zone to zone: leaving the field, coming back (rules 2, 5.13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicemasters.game.queries import characteristics, combat_status, static_rules
from dicemasters.game.queries.die_identity import ENERGY
from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    BLOCKED,
    DAMAGED_THIS_TURN,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    GONE,
    HALF_SPENT,
    HELD,
    LEFT_FIELD,
    LETHAL,
    OUT_OF_PLAY,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Holding


def move_die(s: State, d: int, place: int, seat: int, *, kod: bool = False) -> None:
    """Put a die into a place on a seat's side; whatever it had in the field it loses there."""
    old_place = s.place[d]
    if old_place >> 2 == FIELD:
        owner = s.owner[d]
        if owner != seat and place in (PREP, USED, OUT_OF_PLAY, BAG) and owner != NOBODY:
            place, seat = PREP, owner
        stays_controlled = False
        if old_place & 3 != owner and place != FIELD and _is_controlled(s, d):
            stays_controlled = place == RESERVE  # energy of the one who controls it
            place, seat = (place, old_place & 3) if stays_controlled else (_owner_return_zone(s, place), owner)
        place = _replacement_zone(s, d, place)
        if s.spec.is_token[d] and place != FIELD:
            place, seat = GONE, 0  # rules 5.13e
            s.set_owner(d, NOBODY)
        _leave_field(s, d, kod, place == HELD, stays_controlled and place == RESERVE)
    elif old_place >> 2 == RESERVE:
        if old_place & 3 != s.owner[d] and place not in (FIELD, RESERVE):
            s.holdings = [holding for holding in s.holdings if holding.kind != "control" or holding.die != d]
            place, seat = _owner_return_zone(s, place), s.owner[d]
        s.flags[d] &= ~HALF_SPENT & 0xFF
        if s.active_effects and place not in (FIELD, RESERVE):
            s.active_effects = [effect for effect in s.active_effects if effect.subject != d]
    if s.holdings and place != HELD and place != FIELD:
        _drop_holdings_of(s, d)
    s.flags[d] &= ~ROLLED & 0xFF
    s.place[d] = place * 4 + seat
    if s.spec.stats_depend_off_field:
        s.state_check_due = True
    if s.journal is not None:
        s.journal.append(("moves", d, old_place, place * 4 + seat))


def _owner_return_zone(s: State, place: int) -> int:
    """Give where on its owner's side a controlled die goes that goes away (rules 5.13b)."""
    if place in (PREP, USED, OUT_OF_PLAY):
        return PREP
    return PREP if s.spec.edition.controlled_goes_home_from_anywhere and place != HELD else place


def _drop_holdings_of(s: State, d: int) -> None:
    """What goes elsewhere is held by nobody and lies on nobody any more (rules 5.13a).

    So goes a captured action die whose own text sends it away when it is used, and one that lay on a captured character
    and whose time ends.
    """
    for holding in s.holdings[:]:
        if holding.die == d and holding.kind != "control":
            s.holdings.remove(holding)
            if holding.kind == "capture":
                retire_empty_holder(s, holding.holder)


_ZONES_BY_NAME: Final = {"bag": BAG, "prep": PREP, "used": USED}


def _replacement_zone(s: State, d: int, place: int) -> int:
    """Give where a die that leaves the field goes; on the way to the Used Pile it may be going Out of Play."""
    if place in (USED, OUT_OF_PLAY, BAG) and (s.active_effects or "goes instead" in s.spec.static_by_rule):
        for rule, _, _, _ in static_rules.rules_affecting(s, "goes instead", d):
            if rule is not None:
                destination, *replaced = rule.text.split()
                if ("bag" if place == BAG else "used") in replaced:
                    return _ZONES_BY_NAME[destination]
    return place


def _is_controlled(s: State, d: int) -> bool:
    for holding in s.holdings:
        if holding.kind == "control" and holding.die == d:
            return True
    return False


def _leave_field(s: State, d: int, kod: bool, is_held: bool, stays_controlled: bool) -> None:
    """End what a die had in the field; as a controller's energy it stays under control."""
    if s.queue and not kod:
        note_last_known_stats(s, d)
    s.damage[d] = 0
    s.flags[d] &= ~(ATTACKING | BLOCKED | FIELDED_NOW | FIELDED_BEFORE | DAMAGED_THIS_TURN | LETHAL) & 0xFF
    s.state_check_due = True
    if s.blocks:
        _end_blocks(s, d)
    if s.engagements:
        s.engagements = [(x, y, how | LEFT_FIELD) if x == d else (x, y, how) for x, y, how in s.engagements]
    if s.active_effects:
        s.active_effects = [effect for effect in s.active_effects if effect.subject != d]
    end_pairing(s, d)
    if s.holdings:
        ended_kinds = ("attach",) if stays_controlled else ("control", "attach")
        s.holdings = [holding for holding in s.holdings if not (holding.kind in ended_kinds and holding.die == d)]
        for holding in s.holdings[:]:
            if holding.kind == "attach" and holding.holder == d and not is_held:
                send_to_used(s, holding.die)
        # an action die cannot be KO'd: nothing but its leaving can end what it holds
        if kod or s.spec.edition.hold_ends_when_leaving or not s.spec.is_character_die[d]:
            for holding in s.holdings[:]:
                if holding.holder == d and holding.kind != "attach":
                    return_held_die(s, holding)


def note_last_known_stats(s: State, d: int) -> None:
    """Note A and D of a die that leaves while a text of it waits that speaks of them."""
    for trigger in s.queue:
        if trigger.this == d and trigger.event.word != "KO'd" and s.spec.abilities[trigger.ability].reads_itself:
            attack, defence = characteristics.current_stats(s, d)
            s.active_effects.append(
                ActiveEffect("numbers", NOBODY, attack, defence, -1, "end of turn", trigger.you, d, trigger.ability)
            )


def end_pairing(s: State, d: int) -> None:
    """End the pairing of a die that leaves its player's field, to another player's too (rules 5.14d)."""
    if s.pairs:
        s.pairs = [pair for pair in s.pairs if pair[0] != d and pair[1] != d]


def leave_combat(s: State, d: int) -> None:
    """Out of the attack zone, still in the field; what it blocked stays blocked (rules 3.4f)."""
    s.flags[d] &= ~(ATTACKING | BLOCKED) & 0xFF
    s.state_check_due = True
    _end_blocks(s, d)


def _end_blocks(s: State, d: int) -> None:
    """End the blocks the die has a part in; who blocked it stays in the attack zone and blocks nobody (3.4b3)."""
    blockers = [blocker for blocker, attacker in s.blocks if attacker == d]
    s.blocks = [(blocker, attacker) for blocker, attacker in s.blocks if blocker != d and attacker != d]
    for blocker in blockers:
        if not combat_status.blocked_by(s, blocker):
            s.flags[blocker] |= BLOCKED


def leave_simultaneously(s: State, dice: Sequence[int]) -> None:
    """Let unblocked attackers go at one moment: whom one of them controls is still controlled then (rules 5.13b)."""
    controlled = [d for d in dice if s.place[d] & 3 != s.owner[d]]
    for d in (*controlled, *(d for d in dice if d not in controlled)):
        if s.place[d] >> 2 == FIELD:
            retire_die(s, d)


def retire_die(s: State, d: int) -> None:
    """A die that paid, was used, or attacked unblocked: Out of Play on its owner's turn, else the Used Pile (2.1)."""
    owner = s.owner[d]
    if s.spec.edition.out_of_play and owner & 1 == s.active & 1:
        move_die(s, d, OUT_OF_PLAY, owner)
    else:
        move_die(s, d, USED, owner)


def send_to_used(s: State, d: int) -> None:
    """An effect sends the die to the Used Pile; from the own field or reserve that may mean Out of Play (2.1b)."""
    owner = s.owner[d]
    if s.place[d] >> 2 == OUT_OF_PLAY:
        return  # on its way already
    if s.spec.edition.sent_dice_out_of_play and s.place[d] >> 2 in (FIELD, RESERVE):
        retire_die(s, d)
    else:
        move_die(s, d, USED, owner)


def move_to_reserve(s: State, d: int) -> None:
    """A rolled die comes to its player's reserve; on the opponent's turn only energy can be there (2.2)."""
    spec = s.spec
    seat = s.place[d] & 3 if s.place[d] >> 2 in (FIELD, RESERVE) and _is_controlled(s, d) else s.owner[d]
    if seat & 1 != s.active & 1 and spec.kinds[spec.face_base[d] + s.face[d]] != ENERGY:
        move_die(s, d, USED, seat)
    else:
        move_die(s, d, RESERVE, seat)


def has_captives(s: State, d: int) -> bool:
    """Tell whether the die holds captured dice."""
    return any(holding.kind == "capture" and holding.holder == d for holding in s.holdings)


def retire_empty_holder(s: State, d: int) -> None:
    if d < PLAYER and s.place[d] >> 2 == FIELD and not s.spec.is_character_die[d]:
        if "Continuous" not in s.spec.keywords[s.spec.card_of[d]] and not has_captives(s, d):
            retire_die(s, d)


def return_held_die(s: State, holding: Holding) -> None:
    s.holdings.remove(holding)
    d = holding.die
    old_place = s.place[d]
    if holding.kind == "control" and old_place >> 2 == RESERVE:
        move_die(s, d, PREP, s.owner[d])  # energy cannot go back to the field
        return
    if holding.kind == "control":
        leave_combat(s, d)
        end_pairing(s, d)
    else:
        s.face[d] = holding.face
        s.damage[d] = 0
        if old_place >> 2 == FIELD:  # an action die that was used while it was held, and lies on a card
            s.active_effects = [effect for effect in s.active_effects if effect.subject != d]
    s.place[d] = holding.home
    s.state_check_due = True
    if s.journal is not None:
        s.journal.append(("moves", d, old_place, holding.home))
    s.holdings = [attached for attached in s.holdings if attached.kind != "attach" or attached.die != d]
    for attached in s.holdings:
        if attached.kind == "attach" and attached.holder == d:
            s.face[attached.die] = attached.face
            s.place[attached.die] = FIELD * 4 + s.owner[attached.die]
