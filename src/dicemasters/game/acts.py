"""Buying a die, fielding it, using it: whoever does it, and however it came about (rules 3.3)."""

from __future__ import annotations

from dicemasters.cards import words as w
from dicemasters.game import energy, look, moves, solitaire, triggers
from dicemasters.game.frames import (
    Act,
    Going,
    Mirroring,
    Record,
    Using,
)
from dicemasters.game.look import ENERGY
from dicemasters.game.single import price_of
from dicemasters.game.state import (
    ACTIONS,
    CARD,
    FACTS,
    FIELD,
    FIELDED_NOW,
    FIELDINGS,
    HELD,
    NOBODY,
    RESERVE,
    USED,
    Option,
    State,
)
from dicemasters.game.triggers import (
    next_moment,
    run_next,
    tell,
)


def _is_of_card(s: State, r: Record, d: int) -> bool:
    return s.table.sentences[r.ability].card == s.table.card_of[d]


def field_dice(s: State, dice: list[tuple[int, int, tuple[int, ...]]]) -> None:
    """Field dice together, each for a player and with what paid for it: all are there when that is heard of (rules 5.6)."""
    for d, seat, _ in dice:
        _enter(s, d, seat)
    unheard = () if s.table.edition.own_fielding_heard else tuple(d for d, _, _ in dice)
    for d, seat, paid in dice:
        s.facts[seat * FACTS + FIELDINGS] += 1
        _tell_of(s, d, paid, unheard)


def _enter(s: State, d: int, seat: int) -> None:
    if s.records:
        s.records = after_fielding(s, d, seat)
        s.records = [r for r in s.records if r.until != w.NEXT_FIELDING or not _is_of_card(s, r, d)]
    moves.put(s, d, FIELD, seat)
    s.flags[d] |= FIELDED_NOW
    s.dirty = True
    if s.journal is not None:
        s.journal.append(("fields", seat, d))


def _tell_of(s: State, d: int, paid: tuple[int, ...], unheard: tuple[int, ...]) -> None:
    known = paid
    if s.table.edition.fielding_takes_older_dice and "fielded" in s.table.heard:
        # its effects may take only dice that lay in a Used Pile before it (rules 2.1a)
        used = [x for side in range(s.table.n_seats) for x in s.dice_in(USED, side) if x not in paid]
        known = (*paid, *used)
    tell(s, "fielded", d, NOBODY, len(paid), known, without=unheard)


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
    s.give_to(d, seat)
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
        if sentence.condition is None or sentence.condition.asked(s, ctx):
            s.stack.append(ctx)


def begin(s: State, seat: int, option: Option) -> None:
    """Start an act: pay first, then do it."""
    what = option[0]
    next_moment(s)
    if what == "together":
        s.stack.append(Going(seat))
    elif what == "use":
        use_die(s, seat, option[1], look.burst(s, option[1]))
    else:
        s.stack.append(Act(seat, option))
        energy.pay(s, seat, price_of(s, seat, option))


def run_act(s: State, f: Act) -> None:
    s.stack.pop()
    what, x, this = f.option
    t = s.table
    if what == "buy":
        for d in t.dice_of[x]:
            if s.place[d] >> 2 == CARD:
                buy_die(s, d, f.seat)
                break
    elif what == "field":
        # something done in the same go may have turned the die or moved it; then one like it is fielded, if there is one
        for d in (x, *t.dice_of[t.card_of[x]]):
            if s.place[d] == RESERVE * 4 + f.seat and s.face[d] == this:  # here `this` is the face that was paid for
                field_dice(s, [(d, f.seat, f.paid or s.paid)])
                break
    elif what == "lift":
        solitaire.note_use(s, x, f.seat)
        # here `this` is the seat whose rule it is: that of its first character which has it still
        whose = [look.whose_text(s, ctx) for ctx in look.contexts(s, t.sentences[x]) if ctx.you == this]
        s.spent.append((x, next((one for one in whose if (x, one) not in s.spent), this)))
        if s.journal is not None:
            s.journal.append(("lifts", f.seat, x, this))
        ctx = look.context(x, this, NOBODY)
        ctx.payer = f.seat
        s.stack.append(ctx)
    elif what == "ability" and this != NOBODY and s.place[this] >> 2 != FIELD:
        return
    else:
        ctx = look.context(x, f.seat, this if what == "ability" else NOBODY)
        if what == "ability":
            ctx.burst = look.burst(s, this)
        triggers.spend(s, ctx)
        solitaire.note_use(s, x, f.seat)
        if s.journal is not None:
            s.journal.append((what, f.seat, x, this))
        if what == "global":
            tell(s, "Global used", s.table.person + f.seat)
        ctx.paid = f.paid or s.paid
        ctx.payer = f.seat
        ctx.hold = f.hold
        s.stack.append(ctx)


def run_using(s: State, f: Using) -> None:
    s.stack.pop()
    d = f.die
    if s.place[d] >> 2 == RESERVE:
        if "Continuous" in s.table.keywords[s.table.card_of[d]]:
            look.COVERAGE.note_keyword(s, s.table.card_of[d], "Continuous")
            moves.put(s, d, FIELD, f.seat)
        elif moves.holds(s, d):
            moves.put(s, d, FIELD, f.seat)  # on top of its captives until the capture ends
        elif s.table.kinds[s.table.m6[d] + s.face[d]] != ENERGY:  # its own text may have turned it to energy
            moves.used_up(s, d)
    elif s.place[d] >> 2 == HELD and "Continuous" in s.table.keywords[s.table.card_of[d]]:
        moves.put(s, d, FIELD, f.seat)  # until the capture ends (avx 89)
    if not s.table.edition.use_heard_at_once:
        tell(s, "action used", s.table.person + f.seat, d, f.shown)
