"""Dice from place to place: drawing, rolling, leaving the field, being held, coming back (rules 2, 5.11, 5.13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicemasters.cards.words import TYPES
from dicemasters.game import look, names
from dicemasters.game.frames import Holding, Record
from dicemasters.game.look import ENERGY
from dicemasters.game.setup import GENERIC
from dicemasters.game.state import (
    ATTACKING,
    BAG,
    BLOCKED,
    DOOMED,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    GONE,
    HALF_SPENT,
    HAND,
    HELD,
    HURT,
    LEFT,
    NOBODY,
    OUT,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    USED,
    State,
    ranks,
)


class ScriptError(ValueError):
    """A scripted roll or draw cannot happen here."""


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
        for rule, _, _, _ in look.rules_about(s, "goes instead", d):
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
            a, de = look.stats(s, d)
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
        if not look.blocked_by(s, b):
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


def energy_face(s: State, d: int, symbol: str) -> int:
    """Give the face of a die that shows this energy, one of a type or so much generic; -1 if it has none."""
    t = s.table
    wanted, pips = (GENERIC, int(symbol)) if symbol.isdigit() else (TYPES.index(symbol), 1)
    faces = range(t.m6[d], t.m6[d] + 6)
    return next((i - t.m6[d] for i in faces if t.energy[i] == wanted and t.pips[i] == pips), -1)


# --- chance --------------------------------------------------------------------------------------------------------


def roll(s: State, d: int) -> None:
    """Roll a die: as scripted for its owner, or by the generator."""
    face = _scripted_face(s, d) if s.script else -1
    scripted = face >= 0
    s.face[d] = face if scripted else s.table.same[s.table.m6[d] + s.below(6)]
    if s.flags[d] & HALF_SPENT:
        s.flags[d] ^= HALF_SPENT
    if s.journal is not None:
        s.journal.append(("rolls", d, s.face[d], scripted))


ANYBODY: Final = -1  # in the script, in place of a seat: a basic action's die of whoever comes first


def scripted(s: State, seat: int, what: str) -> list[tuple[int, int, int]]:
    """List what is scripted for a seat, of its draws or of its rolls: each has a queue of its own."""
    return [x for x in s.script if x[0] in (seat, ANYBODY) and (x[2] < 0) == (what == "draws")]


def _scripted_face(s: State, d: int) -> int:
    """Give the face the script has for the die, -1 if nothing is scripted for its owner."""
    seat, c = s.owner[d], s.table.card_of[d]
    rolls = scripted(s, seat, "rolls")
    for entry in rolls:
        if entry[1] == c:
            s.script.remove(entry)
            return entry[2]
    if any(x[0] == seat for x in rolls):
        raise _script_error(s, seat, "rolls", f"have none for {s.table.names[c]}")
    return -1


def toss(s: State) -> int:
    """Decide by chance who may choose who begins (rules 3.0)."""
    return s.below(2)


def draw(s: State, seat: int, n: int, without: tuple[int, ...] = ()) -> list[int]:
    """Take up to n dice from the bag at random, refilling it from the Used Pile, but for some, when it is empty (3.1a)."""
    out: list[int] = []
    bag = _remembered_first(s, s.dice_in(BAG, seat))
    for _ in range(n):
        if not bag:
            bag = _remembered_first(s, [d for d in s.dice_in(USED, seat) if d not in without])
            if not bag:
                break
            for d in bag:
                s.place[d] = BAG * 4 + seat
            if s.journal is not None:
                s.journal.append(("refills", seat, len(bag)))
        before = () if s.journal is None else tuple(bag)
        d = _scripted_draw(s, bag, seat) if s.script else -1
        is_set = d >= 0
        if is_set:
            bag.remove(d)
        else:
            d = bag.pop(s.below(len(bag)) if len(bag) > 1 else 0)
        s.place[d] = HAND * 4 + seat
        out.append(d)
        if s.journal is not None:
            s.journal.append(("draws", seat, d, is_set, before))
    return out


def _remembered_first(s: State, dice: list[int]) -> list[int]:
    """Sort like dice by what mentions them, as what paid or fought this turn: how they are numbered must never matter."""
    if not s.met and not s.spent and not s.records and not s.stack and not s.queue:
        return dice
    return _by_mention(s, dice)


def _by_mention(s: State, dice: list[int]) -> list[int]:
    rank = ranks(s)
    return sorted(dice, key=lambda d: (s.table.card_of[d], rank(d)))


def _scripted_draw(s: State, bag: list[int], seat: int) -> int:
    """Give the die the script draws for the seat, -1 if it draws none."""
    draws = scripted(s, seat, "draws")
    if not draws:
        return -1
    card = draws[0][1]
    for d in bag:
        if s.table.card_of[d] == card:
            s.script.remove(draws[0])
            return d
    raise _script_error(s, seat, "draws", f"go on with {s.table.names[card]}, which is not in the bag")


def _script_error(s: State, seat: int, what: str, problem: str) -> ScriptError:
    left = names.script_text(s, scripted(s, seat, what))
    return ScriptError(f"{names.SEATS[seat]}'s scripted {what} {problem}; left are: {left}")


# --- held dice -----------------------------------------------------------------------------------------------------


def hold(s: State, kind: str, d: int, holder: int, until: str, to: int = -1) -> None:
    """Capture a die or set it aside: it does not exist until it comes back (5.13a)."""
    if s.place[d] >> 2 == HELD:
        return  # somebody else was faster
    home = s.place[d]
    for h in s.holdings:
        if h.kind == "control" and h.die == d:
            home = h.home  # control ends as it leaves the field
    face = s.face[d] if home >> 2 in (FIELD, RESERVE) else 0
    put(s, d, HELD, s.owner[d])
    if s.table.is_token[d]:
        return  # rules 5.13e
    s.place[d] = HELD * 4 + s.owner[d]
    s.holdings.append(Holding(kind, d, holder, home if to < 0 else to * 4 + s.owner[d], until, face))
    for h in s.holdings:
        if h.kind == "attach" and h.holder == d:
            s.place[h.die] = HELD * 4 + s.owner[h.die]  # what lies on it goes along (#29)


def attach(s: State, d: int, to: int, seat: int, until: str) -> None:
    """Lay an action die on another die in the field."""
    put(s, d, FIELD, seat)
    s.holdings.append(Holding("attach", d, to, USED * 4 + seat, until, s.face[d]))


def take_control(s: State, d: int, seat: int, holder: int, until: str) -> None:
    """Give the die to another player; what was applied to it stays (5.13b)."""
    was = home = s.place[d]
    for h in s.holdings:
        if h.kind == "control" and h.die == d:
            home = h.home  # a new control breaks the old
    s.holdings = [h for h in s.holdings if h.kind != "control" or h.die != d]
    s.place[d] = FIELD * 4 + seat
    leave_combat(s, d)
    _part(s, d)
    s.holdings.append(Holding("control", d, holder, home, until, s.face[d]))
    s.dirty = True
    if s.journal is not None:
        s.journal.append(("moves", d, was, s.place[d]))


def holds(s: State, d: int) -> bool:
    """Tell whether the die holds captured dice."""
    return any(h.kind == "capture" and h.holder == d for h in s.holdings)


def let_go(s: State, h: Holding) -> None:
    """End a capture, an absence or a control: the die goes back where it was, on its old level.

    An action die that has nothing more to hold goes where used ones go (rules 3.3d).
    """
    if h not in s.holdings:
        return
    _give_back(s, h)
    if h.kind == "capture":
        _end_of_holding(s, h.holder)


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


def set_level(s: State, d: int, level: int) -> None:
    """Turn a die to its face of that level, or the nearest it has."""
    t = s.table
    base = t.m6[d]
    best = -1
    for f in range(6):
        at: int = t.levels[base + f]
        if at and (best < 0 or abs(at - level) < abs(int(t.levels[base + best]) - level)):
            best = f
    if best >= 0 and s.face[d] != best:
        s.face[d] = best
        s.dirty = True
        if s.journal is not None:
            s.journal.append(("spins", d, best))
