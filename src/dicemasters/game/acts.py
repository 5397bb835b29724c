"""Buying a die, fielding it, using it: whoever does it, and however it came about (rules 3.3)."""

from __future__ import annotations

from dicemasters.cards import words as w
from dicemasters.game import look, moves, solitaire
from dicemasters.game.frames import (
    Mirroring,
    Record,
    Using,
)
from dicemasters.game.state import (
    ACTIONS,
    FACTS,
    FIELD,
    FIELDED_NOW,
    FIELDINGS,
    NOBODY,
    USED,
    State,
)
from dicemasters.game.triggers import (
    next_moment,
    run_next,
    tell,
)


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


def run_mirroring(s: State, f: Mirroring) -> None:
    """Let the script's seat have the dice it is owed, one after another, each with its effects (S7, S9)."""
    if s.queue:
        run_next(s)
        return
    s.stack.pop()
    d = solitaire.next_die(s)
    if d >= 0:
        assert s.table.solitaire is not None
        f.owed -= 1
        if f.owed:
            s.stack.insert(0, f)
        buy_die(s, d, s.table.solitaire.seat, "buys too")


def use_die(s: State, seat: int, d: int, shown: int) -> None:
    """Start using an action die whose face counts as showing so many bursts."""
    t = s.table
    s.facts[seat * FACTS + ACTIONS] += 1
    if s.journal is not None:
        s.journal.append(("uses", seat, d))
    s.stack.append(Using(seat, d, shown))
    if t.edition.use_heard_at_once:
        tell(s, "action used", t.person + seat, d, shown)
        next_moment(s)  # what its effect sets off comes later
    for sentence in reversed(t.uses[t.card_of[d]]):
        ctx = look.context(sentence.index, seat, d, burst=shown)
        if sentence.condition is None or sentence.condition(s, ctx):
            s.stack.append(ctx)
