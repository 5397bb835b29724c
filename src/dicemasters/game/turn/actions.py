"""The actions of a player: buy, field, use a die or a Global (rules 3.3)."""

from __future__ import annotations

from dicemasters.game.mechanics import payment, triggers, zones
from dicemasters.game.mechanics.procedures import buy_die, field_dice, use_die
from dicemasters.game.mechanics.triggers import next_moment, run_next, tell
from dicemasters.game.queries import die_identity, static_rules
from dicemasters.game.queries.die_identity import ENERGY
from dicemasters.game.rulesets import solitaire
from dicemasters.game.state.constants import CARD, FIELD, HELD, RESERVE
from dicemasters.game.state.frames import Act, Going, Mirroring, Using
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option
from dicemasters.game.turn.legal_actions import price_of


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


def begin(s: State, seat: int, option: Option) -> None:
    """Start an act: pay first, then do it."""
    what = option[0]
    next_moment(s)
    if what == "together":
        s.stack.append(Going(seat))
    elif what == "use":
        use_die(s, seat, option[1], static_rules.burst(s, option[1]))
    else:
        s.stack.append(Act(seat, option))
        payment.pay(s, seat, price_of(s, seat, option))


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
        whose = [static_rules.whose_text(s, ctx) for ctx in static_rules.contexts(s, t.sentences[x]) if ctx.you == this]
        s.spent.append((x, next((one for one in whose if (x, one) not in s.spent), this)))
        if s.journal is not None:
            s.journal.append(("lifts", f.seat, x, this))
        ctx = static_rules.context(x, this, NOBODY)
        ctx.payer = f.seat
        s.stack.append(ctx)
    elif what == "ability" and this != NOBODY and s.place[this] >> 2 != FIELD:
        return
    else:
        ctx = static_rules.context(x, f.seat, this if what == "ability" else NOBODY)
        if what == "ability":
            ctx.burst = static_rules.burst(s, this)
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
            die_identity.COVERAGE.note_keyword(s, s.table.card_of[d], "Continuous")
            zones.put(s, d, FIELD, f.seat)
        elif zones.holds(s, d):
            zones.put(s, d, FIELD, f.seat)  # on top of its captives until the capture ends
        elif s.table.kinds[s.table.m6[d] + s.face[d]] != ENERGY:  # its own text may have turned it to energy
            zones.used_up(s, d)
    elif s.place[d] >> 2 == HELD and "Continuous" in s.table.keywords[s.table.card_of[d]]:
        zones.put(s, d, FIELD, f.seat)  # until the capture ends (avx 89)
    if not s.table.edition.use_heard_at_once:
        tell(s, "action used", s.table.person + f.seat, d, f.shown)
