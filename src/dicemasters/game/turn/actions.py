"""The actions of a player: buy, field, use a die or a Global (rules 3.3)."""

from __future__ import annotations

from dicemasters.game.mechanics import payment, triggers, zones
from dicemasters.game.mechanics.procedures import buy_die, field_simultaneously, use_die
from dicemasters.game.mechanics.triggers import advance_timestamp, emit, resolve_next
from dicemasters.game.queries import die_identity, static_rules
from dicemasters.game.queries.die_identity import ENERGY
from dicemasters.game.rulesets import solitaire
from dicemasters.game.state.constants import CARD, FIELD, HELD, RESERVE
from dicemasters.game.state.frames import ActionDieFrame, ActionFrame, BatchPaymentFrame, SolitairePurchaseFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option
from dicemasters.game.turn.legal_actions import price_of


def run_solitaire_purchase(s: State, f: SolitairePurchaseFrame) -> None:
    """Let the script's seat have the dice it is owed, one after another, each with its effects (S7, S9)."""
    if s.queue:
        resolve_next(s)
        return
    s.stack.pop()
    d = solitaire.next_die(s)
    if d >= 0:
        assert s.spec.solitaire is not None
        f.owed -= 1
        if f.owed:
            s.stack.insert(0, f)
        buy_die(s, d, s.spec.solitaire.seat, "buys too")


def start_action(s: State, seat: int, option: Option) -> None:
    """Start an act: pay first, then do it."""
    what = option[0]
    advance_timestamp(s)
    if what == "together":
        s.stack.append(BatchPaymentFrame(seat))
    elif what == "use":
        use_die(s, seat, option[1], static_rules.burst(s, option[1]))
    else:
        s.stack.append(ActionFrame(seat, option))
        payment.start_payment(s, seat, price_of(s, seat, option))


def resolve_action(s: State, f: ActionFrame) -> None:
    s.stack.pop()
    what, x, this = f.option
    t = s.spec
    if what == "buy":
        for d in t.dice_of[x]:
            if s.place[d] >> 2 == CARD:
                buy_die(s, d, f.seat)
                break
    elif what == "field":
        # something done in the same go may have turned the die or moved it; then one like it is fielded, if there is one
        for d in (x, *t.dice_of[t.card_of[x]]):
            if s.place[d] == RESERVE * 4 + f.seat and s.face[d] == this:  # here `this` is the face that was paid for
                field_simultaneously(s, [(d, f.seat, f.paid or s.last_payment)])
                break
    elif what == "lift":
        solitaire.note_use(s, x, f.seat)
        # here `this` is the seat whose rule it is: that of its first character which has it still
        whose = [
            static_rules.limit_owner(s, ctx)
            for ctx in static_rules.active_contexts(s, t.abilities[x])
            if ctx.you == this
        ]
        s.turn_limits.append((x, next((one for one in whose if (x, one) not in s.turn_limits), this)))
        if s.journal is not None:
            s.journal.append(("lifts", f.seat, x, this))
        ctx = static_rules.ability_context(x, this, NOBODY)
        ctx.payer = f.seat
        s.stack.append(ctx)
    elif what == "ability" and this != NOBODY and s.place[this] >> 2 != FIELD:
        return
    else:
        ctx = static_rules.ability_context(x, f.seat, this if what == "ability" else NOBODY)
        if what == "ability":
            ctx.burst = static_rules.burst(s, this)
        triggers.mark_used(s, ctx)
        solitaire.note_use(s, x, f.seat)
        if s.journal is not None:
            s.journal.append((what, f.seat, x, this))
        if what == "global":
            emit(s, "Global used", s.spec.person + f.seat)
        ctx.paid = f.paid or s.last_payment
        ctx.payer = f.seat
        ctx.hold = f.hold
        s.stack.append(ctx)


def finish_action_die(s: State, f: ActionDieFrame) -> None:
    s.stack.pop()
    d = f.die
    if s.place[d] >> 2 == RESERVE:
        if "Continuous" in s.spec.keywords[s.spec.card_of[d]]:
            die_identity.COVERAGE.note_keyword(s, s.spec.card_of[d], "Continuous")
            zones.move_die(s, d, FIELD, f.seat)
        elif zones.has_captives(s, d):
            zones.move_die(s, d, FIELD, f.seat)  # on top of its captives until the capture ends
        elif s.spec.kinds[s.spec.face_base[d] + s.face[d]] != ENERGY:  # its own text may have turned it to energy
            zones.retire_die(s, d)
    elif s.place[d] >> 2 == HELD and "Continuous" in s.spec.keywords[s.spec.card_of[d]]:
        zones.move_die(s, d, FIELD, f.seat)  # until the capture ends (avx 89)
    if not s.spec.edition.use_heard_at_once:
        emit(s, "action used", s.spec.person + f.seat, d, f.shown)
