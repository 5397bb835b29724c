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


def run_solitaire_purchase(s: State, frame: SolitairePurchaseFrame) -> None:
    """Buy the dice that the script's seat is owed, free and one after another, each with its effects (S6, S7, S9)."""
    if s.queue:
        resolve_next(s)
        return
    s.stack.pop()
    d = solitaire.next_die(s)
    if d >= 0:
        assert s.spec.solitaire is not None
        frame.owed -= 1
        if frame.owed:
            s.stack.insert(0, frame)
        buy_die(s, d, s.spec.solitaire.seat, "buys too")


def start_action(s: State, seat: int, option: Option) -> None:
    """Start an action: pay for it, then carry it out."""
    kind = option[0]
    advance_timestamp(s)
    if kind == "together":
        s.stack.append(BatchPaymentFrame(seat))
    elif kind == "use":
        use_die(s, seat, option[1], static_rules.burst(s, option[1]))
    else:
        s.stack.append(ActionFrame(seat, option))
        payment.start_payment(s, seat, price_of(s, seat, option))


def resolve_action(s: State, frame: ActionFrame) -> None:
    """Carry out an action that has been paid for."""
    s.stack.pop()
    kind, subject, detail = frame.option
    spec = s.spec
    if kind == "buy":
        for d in spec.dice_of[subject]:
            if s.place[d] >> 2 == CARD:
                buy_die(s, d, frame.seat)
                break
    elif kind == "field":
        # an earlier action may have turned or moved the die; an identical one is then fielded (rules 3.3a12)
        for d in (subject, *spec.dice_of[spec.card_of[subject]]):
            if s.place[d] == RESERVE * 4 + frame.seat and s.face[d] == detail:  # `detail` is the face that was paid for
                field_simultaneously(s, [(d, frame.seat, frame.paid or s.last_payment)])
                break
    elif kind == "lift":
        solitaire.note_use(s, subject, frame.seat)
        # `detail` is the seat whose rule is lifted: the one on its first character whose rule still stands
        owners = [
            static_rules.limit_owner(s, ctx)
            for ctx in static_rules.active_contexts(s, spec.abilities[subject])
            if ctx.you == detail
        ]
        s.turn_limits.append(
            (subject, next((owner for owner in owners if (subject, owner) not in s.turn_limits), detail))
        )
        if s.journal is not None:
            s.journal.append(("lifts", frame.seat, subject, detail))
        ctx = static_rules.ability_context(subject, detail, NOBODY)
        ctx.payer = frame.seat
        s.stack.append(ctx)
    elif kind == "ability" and detail != NOBODY and s.place[detail] >> 2 != FIELD:
        return
    else:
        ctx = static_rules.ability_context(subject, frame.seat, detail if kind == "ability" else NOBODY)
        if kind == "ability":
            ctx.burst = static_rules.burst(s, detail)
        triggers.mark_used(s, ctx)
        solitaire.note_use(s, subject, frame.seat)
        if s.journal is not None:
            s.journal.append((kind, frame.seat, subject, detail))
        if kind == "global":
            emit(s, "Global used", s.spec.person + frame.seat)
        ctx.paid = frame.paid or s.last_payment
        ctx.payer = frame.seat
        ctx.hold = frame.hold
        s.stack.append(ctx)


def finish_action_die(s: State, frame: ActionDieFrame) -> None:
    """Retire an action die after its effect; a Continuous one or a captor goes to the field (rules 3.3d1, 3.3d4)."""
    s.stack.pop()
    d = frame.die
    if s.place[d] >> 2 == RESERVE:
        if "Continuous" in s.spec.keywords[s.spec.card_of[d]]:
            die_identity.COVERAGE.note_keyword(s, s.spec.card_of[d], "Continuous")
            zones.move_die(s, d, FIELD, frame.seat)
        elif zones.has_captives(s, d):
            zones.move_die(s, d, FIELD, frame.seat)  # on top of its captives until the capture ends (rules 3.3d3)
        elif s.spec.kinds[s.spec.face_base[d] + s.face[d]] != ENERGY:  # its own text may have turned it to energy
            zones.retire_die(s, d)  # even if its effect lasts (rules 3.3d2)
    elif s.place[d] >> 2 == HELD and "Continuous" in s.spec.keywords[s.spec.card_of[d]]:
        zones.move_die(s, d, FIELD, frame.seat)  # until the capture ends (avx 89)
    if not s.spec.edition.use_heard_at_once:  # rules 3.3d5
        emit(s, "action used", s.spec.person + frame.seat, d, frame.shown)
