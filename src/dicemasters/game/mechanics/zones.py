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
    DOOMED,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    GONE,
    HALF_SPENT,
    HELD,
    HURT,
    LEFT,
    OUT,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Holding, Record


def put(s: State, d: int, place: int, seat: int, *, kod: bool = False) -> None:
    """Put a die into a place on a seat's side; whatever it had in the field it loses there."""
    was = s.place[d]
    if was >> 2 == FIELD:
        owner = s.owner[d]
        if owner != seat and place in (PREP, USED, OUT, BAG) and owner != NOBODY:
            place, seat = PREP, owner
        stays = False
        if was & 3 != owner and place != FIELD and _controlled(s, d):
            stays = place == RESERVE  # energy of the one who controls it
            place, seat = (place, was & 3) if stays else (_home(s, place), owner)
        place = _instead(s, d, place)
        if s.table.is_token[d] and place != FIELD:
            place, seat = GONE, 0  # rules 5.13e
            s.give_to(d, NOBODY)
        _leave_field(s, d, kod, place == HELD, stays and place == RESERVE)
    elif was >> 2 == RESERVE:
        if was & 3 != s.owner[d] and place not in (FIELD, RESERVE):
            s.holdings = [h for h in s.holdings if h.kind != "control" or h.die != d]
            place, seat = _home(s, place), s.owner[d]
        s.flags[d] &= ~HALF_SPENT & 0xFF
        if s.records and place not in (FIELD, RESERVE):
            s.records = [r for r in s.records if r.subject != d]
    if s.holdings and place != HELD and place != FIELD:
        _escape(s, d)
    s.flags[d] &= ~ROLLED & 0xFF
    s.place[d] = place * 4 + seat
    if s.table.restless:
        s.dirty = True
    if s.journal is not None:
        s.journal.append(("moves", d, was, place * 4 + seat))


def _home(s: State, place: int) -> int:
    """Give where on its owner's side a controlled die goes that goes away (rules 5.13b)."""
    if place in (PREP, USED, OUT):
        return PREP
    return PREP if s.table.edition.controlled_goes_home_from_anywhere and place != HELD else place


def _escape(s: State, d: int) -> None:
    """What goes elsewhere is held by nobody and lies on nobody any more (rules 5.13a).

    So goes a captured action die whose own text sends it away when it is used, and one that lay on a captured character
    and whose time ends.
    """
    for h in s.holdings[:]:
        if h.die == d and h.kind != "control":
            s.holdings.remove(h)
            if h.kind == "capture":
                _end_of_holding(s, h.holder)


_NAMES: Final = {"bag": BAG, "prep": PREP, "used": USED}


def _instead(s: State, d: int, place: int) -> int:
    """Give where a die that leaves the field goes; on the way to the Used Pile it may be going Out of Play."""
    if place in (USED, OUT, BAG) and (s.records or "goes instead" in s.table.standing):
        for rule, _, _, _ in static_rules.rules_about(s, "goes instead", d):
            if rule is not None:
                to, *instead_of = rule.text.split()
                if ("bag" if place == BAG else "used") in instead_of:
                    return _NAMES[to]
    return place


def _controlled(s: State, d: int) -> bool:
    for h in s.holdings:
        if h.kind == "control" and h.die == d:
            return True
    return False


def _leave_field(s: State, d: int, kod: bool, held: bool, stays: bool) -> None:
    """End what a die had in the field; as a controller's energy it stays under control."""
    if s.queue and not kod:
        note_numbers(s, d)
    s.damage[d] = 0
    s.flags[d] &= ~(ATTACKING | BLOCKED | FIELDED_NOW | FIELDED_BEFORE | HURT | DOOMED) & 0xFF
    s.dirty = True
    if s.blocks:
        _unblock(s, d)
    if s.met:
        s.met = [(x, y, how | LEFT) if x == d else (x, y, how) for x, y, how in s.met]
    if s.records:
        s.records = [r for r in s.records if r.subject != d]
    _part(s, d)
    if s.holdings:
        ends = ("attach",) if stays else ("control", "attach")
        s.holdings = [h for h in s.holdings if not (h.kind in ends and h.die == d)]
        for h in s.holdings[:]:
            if h.kind == "attach" and h.holder == d and not held:
                send_to_used(s, h.die)
        # an action die cannot be KO'd: nothing but its leaving can end what it holds
        if kod or s.table.edition.hold_ends_when_leaving or not s.table.is_character_die[d]:
            for h in s.holdings[:]:
                if h.holder == d and h.kind != "attach":
                    _give_back(s, h)


def note_numbers(s: State, d: int) -> None:
    """Note A and D of a die that leaves while a text of it waits that speaks of them."""
    for q in s.queue:
        if q.this == d and q.event.word != "KO'd" and s.table.sentences[q.ability].reads_itself:
            a, de = characteristics.stats(s, d)
            s.records.append(Record("numbers", NOBODY, a, de, -1, "end of turn", q.you, d, q.ability))


def _part(s: State, d: int) -> None:
    """End the pairing of a die that leaves its player's field, to another player's too (rules 5.14d)."""
    if s.pairs:
        s.pairs = [p for p in s.pairs if p[0] != d and p[1] != d]


def leave_combat(s: State, d: int) -> None:
    """Out of the attack zone, still in the field; what it blocked stays blocked (rules 3.4f)."""
    s.flags[d] &= ~(ATTACKING | BLOCKED) & 0xFF
    s.dirty = True
    _unblock(s, d)


def _unblock(s: State, d: int) -> None:
    """End the blocks the die has a part in; who blocked it stays in the attack zone and blocks nobody (3.4b3)."""
    left = [b for b, a in s.blocks if a == d]
    s.blocks = [(b, a) for b, a in s.blocks if b != d and a != d]
    for b in left:
        if not combat_status.blocked_by(s, b):
            s.flags[b] |= BLOCKED


def leave_together(s: State, dice: Sequence[int]) -> None:
    """Let unblocked attackers go at one moment: whom one of them controls is still controlled then (rules 5.13b)."""
    theirs = [d for d in dice if s.place[d] & 3 != s.owner[d]]
    for d in (*theirs, *(d for d in dice if d not in theirs)):
        if s.place[d] >> 2 == FIELD:
            used_up(s, d)


def used_up(s: State, d: int) -> None:
    """A die that paid, was used, or attacked unblocked: Out of Play on its owner's turn, else the Used Pile (2.1)."""
    owner = s.owner[d]
    if s.table.edition.out_of_play and owner & 1 == s.active & 1:
        put(s, d, OUT, owner)
    else:
        put(s, d, USED, owner)


def send_to_used(s: State, d: int) -> None:
    """An effect sends the die to the Used Pile; from the own field or reserve that may mean Out of Play (2.1b)."""
    owner = s.owner[d]
    if s.place[d] >> 2 == OUT:
        return  # on its way already
    if s.table.edition.sent_dice_out_of_play and s.place[d] >> 2 in (FIELD, RESERVE):
        used_up(s, d)
    else:
        put(s, d, USED, owner)


def into_reserve(s: State, d: int) -> None:
    """A rolled die comes to its player's reserve; on the opponent's turn only energy can be there (2.2)."""
    t = s.table
    seat = s.place[d] & 3 if s.place[d] >> 2 in (FIELD, RESERVE) and _controlled(s, d) else s.owner[d]
    if seat & 1 != s.active & 1 and t.kinds[t.m6[d] + s.face[d]] != ENERGY:
        put(s, d, USED, seat)
    else:
        put(s, d, RESERVE, seat)


def holds(s: State, d: int) -> bool:
    """Tell whether the die holds captured dice."""
    return any(h.kind == "capture" and h.holder == d for h in s.holdings)


def _end_of_holding(s: State, d: int) -> None:
    if d < PLAYER and s.place[d] >> 2 == FIELD and not s.table.is_character_die[d]:
        if "Continuous" not in s.table.keywords[s.table.card_of[d]] and not holds(s, d):
            used_up(s, d)


def _give_back(s: State, h: Holding) -> None:
    s.holdings.remove(h)
    d = h.die
    was = s.place[d]
    if h.kind == "control" and was >> 2 == RESERVE:
        put(s, d, PREP, s.owner[d])  # energy cannot go back to the field
        return
    if h.kind == "control":
        leave_combat(s, d)
        _part(s, d)
    else:
        s.face[d] = h.face
        s.damage[d] = 0
        if was >> 2 == FIELD:  # an action die that was used while it was held, and lies on a card
            s.records = [r for r in s.records if r.subject != d]
    s.place[d] = h.home
    s.dirty = True
    if s.journal is not None:
        s.journal.append(("moves", d, was, h.home))
    s.holdings = [x for x in s.holdings if x.kind != "attach" or x.die != d]
    for x in s.holdings:
        if x.kind == "attach" and x.holder == d:
            s.face[x.die] = x.face
            s.place[x.die] = FIELD * 4 + s.owner[x.die]
