"""Zones: moving dice, leaving the field, and returning to it (rules 2, 5.13)."""

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
    """Move a die to a zone on a seat's side; on leaving the field it loses everything it had there."""
    old_place = s.place[d]
    if old_place >> 2 == FIELD:
        owner = s.owner[d]
        if owner != seat and place in (PREP, USED, OUT_OF_PLAY, BAG) and owner != NOBODY:
            place, seat = PREP, owner
        stays_controlled = False
        if old_place & 3 != owner and place != FIELD and _is_controlled(s, d):
            stays_controlled = place == RESERVE  # energy goes to the reserve of the controlling player (rules 5.13b7)
            place, seat = (place, old_place & 3) if stays_controlled else (_owner_return_zone(s, place), owner)
        place = _replacement_zone(s, d, place)
        if s.spec.is_token[d] and place != FIELD:
            place, seat = GONE, 0  # a token that leaves the field is gone (rules 5.13e2)
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
    """Return the zone on its owner's side to which a controlled die goes when it leaves (rules 5.13b3)."""
    if place in (PREP, USED, OUT_OF_PLAY):
        return PREP
    return PREP if s.spec.edition.controlled_goes_home_from_anywhere and place != HELD else place


def _drop_holdings_of(s: State, d: int) -> None:
    """Delete the holdings of a die that goes elsewhere: it is no longer held or attached (rules 5.13a4, 5.13a6).

    Examples are a captured action die that its text sends away after use, and a die attached to a captured character
    when its time ends.
    """
    for holding in s.holdings[:]:
        if holding.die == d and holding.kind != "control":
            s.holdings.remove(holding)
            if holding.kind == "capture":
                retire_empty_holder(s, holding.holder)


_ZONES_BY_NAME: Final = {"bag": BAG, "prep": PREP, "used": USED}


def _replacement_zone(s: State, d: int, place: int) -> int:
    """Return the zone to which a leaving die goes under "goes instead" rules; Out of Play counts as the Used Pile."""
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
    """Remove everything a die had in the field; energy of a controlled die stays under control (rules 5.13b7)."""
    if s.queue and not kod:
        note_last_known_stats(s, d)
    s.damage[d] = 0  # rules 5.8a3, 10.5
    s.flags[d] &= ~(ATTACKING | BLOCKED | FIELDED_NOW | FIELDED_BEFORE | DAMAGED_THIS_TURN | LETHAL) & 0xFF
    s.state_check_due = True
    if s.blocks:
        _end_blocks(s, d)
    if s.engagements:
        s.engagements = [(x, y, how | LEFT_FIELD) if x == d else (x, y, how) for x, y, how in s.engagements]
    if s.active_effects:
        s.active_effects = [effect for effect in s.active_effects if effect.subject != d]  # rules 5.4c, 10.5
    end_pairing(s, d)
    if s.holdings:
        ended_kinds = ("attach",) if stays_controlled else ("control", "attach")
        s.holdings = [holding for holding in s.holdings if not (holding.kind in ended_kinds and holding.die == d)]
        for holding in s.holdings[:]:
            if holding.kind == "attach" and holding.holder == d and not is_held:
                send_to_used(s, holding.die)
        # an action die cannot be KO'd, so leaving the field ends what it holds (rules 5.13a1, 5.13b2)
        if kod or s.spec.edition.hold_ends_when_leaving or not s.spec.is_character_die[d]:
            for holding in s.holdings[:]:
                if holding.holder == d and holding.kind != "attach":
                    return_held_die(s, holding)


def note_last_known_stats(s: State, d: int) -> None:
    """Record A and D of a leaving die for those of its waiting triggers that read them (rules 5.6d)."""
    for trigger in s.queue:
        if trigger.this == d and trigger.event.word != "KO'd" and s.spec.abilities[trigger.ability].reads_itself:
            attack, defence = characteristics.current_stats(s, d)
            s.active_effects.append(
                ActiveEffect("numbers", NOBODY, attack, defence, -1, "end of turn", trigger.you, d, trigger.ability)
            )


def end_pairing(s: State, d: int) -> None:
    """End the pairing of a die that leaves its player's field or comes under another's control (rules 5.14d)."""
    if s.pairs:
        s.pairs = [pair for pair in s.pairs if pair[0] != d and pair[1] != d]


def leave_combat(s: State, d: int) -> None:
    """Remove a die from the attack zone while it stays in the field; what it blocked stays blocked (rules 3.4f1)."""
    s.flags[d] &= ~(ATTACKING | BLOCKED) & 0xFF
    s.state_check_due = True
    _end_blocks(s, d)


def _end_blocks(s: State, d: int) -> None:
    """End the blocks in which the die takes part.

    A blocked attacker stays blocked when its blocker leaves, so the attacker keeps its flag (rules 3.4d1f). A blocker
    whose attacker leaves stays in the attack zone and blocks nobody (rules 3.4b3); the same flag marks that.
    """
    blockers = [blocker for blocker, attacker in s.blocks if attacker == d]
    s.blocks = [(blocker, attacker) for blocker, attacker in s.blocks if blocker != d and attacker != d]
    for blocker in blockers:
        if not combat_status.blocked_by(s, blocker):
            s.flags[blocker] |= BLOCKED


def leave_simultaneously(s: State, dice: Sequence[int]) -> None:
    """Retire unblocked attackers together (rules 3.4d3b): controlled dice first, before control ends (rules 5.13b4)."""
    controlled = [d for d in dice if s.place[d] & 3 != s.owner[d]]
    for d in (*controlled, *(d for d in dice if d not in controlled)):
        if s.place[d] >> 2 == FIELD:
            retire_die(s, d)


def retire_die(s: State, d: int) -> None:
    """Retire a die that paid, was used or attacked unblocked (rules 2.1a1, 2.1b2).

    On its owner's turn it goes Out of Play, where the edition has that zone (rules 2.1b1); otherwise to the Used Pile
    (rules 2.1c2).
    """
    owner = s.owner[d]
    if s.spec.edition.out_of_play and owner & 1 == s.active & 1:
        move_die(s, d, OUT_OF_PLAY, owner)
    else:
        move_die(s, d, USED, owner)


def send_to_used(s: State, d: int) -> None:
    """Send a die to the Used Pile by an effect; it may go Out of Play instead (rules 2.1b3, 2.1c2)."""
    owner = s.owner[d]
    if s.place[d] >> 2 == OUT_OF_PLAY:
        return  # already on its way there
    if s.spec.edition.sent_dice_out_of_play and s.place[d] >> 2 in (FIELD, RESERVE):
        retire_die(s, d)
    else:
        move_die(s, d, USED, owner)


def move_to_reserve(s: State, d: int) -> None:
    """Move a rolled die to its player's reserve; on the opponent's turn only energy can be there (rules 2.2d, 10.7)."""
    spec = s.spec
    seat = s.place[d] & 3 if s.place[d] >> 2 in (FIELD, RESERVE) and _is_controlled(s, d) else s.owner[d]
    if seat & 1 != s.active & 1 and spec.kinds[spec.face_base[d] + s.face[d]] != ENERGY:
        move_die(s, d, USED, seat)
    else:
        move_die(s, d, RESERVE, seat)


def has_captives(s: State, d: int) -> bool:
    """Return whether the die holds captured dice."""
    return any(holding.kind == "capture" and holding.holder == d for holding in s.holdings)


def retire_empty_holder(s: State, d: int) -> None:
    """Retire an action die in the field that no longer has captives, unless it is Continuous (rules 3.3d3)."""
    if d < PLAYER and s.place[d] >> 2 == FIELD and not s.spec.is_character_die[d]:
        if "Continuous" not in s.spec.keywords[s.spec.card_of[d]] and not has_captives(s, d):
            retire_die(s, d)


def return_held_die(s: State, holding: Holding) -> None:
    """End a holding: return the die to the place from which it was taken, together with dice attached to it."""
    s.holdings.remove(holding)
    d = holding.die
    old_place = s.place[d]
    if holding.kind == "control" and old_place >> 2 == RESERVE:
        move_die(s, d, PREP, s.owner[d])  # energy cannot return to the field (rules 5.13b7)
        return
    if holding.kind == "control":
        leave_combat(s, d)
        end_pairing(s, d)
    else:
        # its old level, without damage and effects (rules 5.13a3)
        s.face[d] = holding.face
        s.damage[d] = 0
        if old_place >> 2 == FIELD:  # an action die that was used while held, and is on a card
            s.active_effects = [effect for effect in s.active_effects if effect.subject != d]
    s.place[d] = holding.home
    s.state_check_due = True
    if s.journal is not None:
        s.journal.append(("moves", d, old_place, holding.home))
    s.holdings = [attached for attached in s.holdings if attached.kind != "attach" or attached.die != d]
    # attached dice come back with it (rules 5.13a6)
    for attached in s.holdings:
        if attached.kind == "attach" and attached.holder == d:
            s.face[attached.die] = attached.face
            s.place[attached.die] = FIELD * 4 + s.owner[attached.die]
