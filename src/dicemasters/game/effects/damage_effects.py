"""Damage, KO and life by an effect, and what is done about damage on its way (rules 5.8, 5.10)."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Op
from dicemasters.game.effects.operands import damage_sort, laid_out, meant, reached, source_kind, targetable, under_way
from dicemasters.game.mechanics import damage, knockout, life, replacement
from dicemasters.game.mechanics.decision_requests import ask
from dicemasters.game.queries import die_identity
from dicemasters.game.queries.equivalence import in_order
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.frames import Damaging, Koing, Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import BY_ITS_PLAYER, NO_ASK, NOBODY, Packet


def division_under_way(s: State) -> tuple[int, list[int]]:
    """Give how much of the damage being divided is left, and the dice whose share is still to be said."""
    f, op = under_way(s)
    return op.amount.worth(s, f) - sum(f.shares), _divided_among(s, f, op)[len(f.shares) :]


def deal(s: State, f: Running, op: Op) -> None:
    packets = laid_out(s, f, op)
    found = reached(s, f, [p.to for p in packets], tuple(packets))
    if found is None:
        return
    packets = [p for p in packets if p.to in found and p.amount > 0]
    f.pc += 1
    f.hit = 0 if op.is_cost else len(packets)
    damage.deal(s, packets, damage_sort(s, f), f.you, ability=f.ability, as_cost=op.is_cost)


def change_life(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    n = op.amount.worth(s, f)
    for x in meant(s, f, op):
        if n < 0:
            life.lose_life(s, x - PLAYER, -n)
        else:
            life.gain_life(s, x - PLAYER, n)


def knock_out(s: State, f: Running, op: Op, dice: list[int]) -> None:
    f.given = len(dice)
    doer = f.payer if op.is_cost and f.payer != NOBODY else f.you
    what = cast(w.Ko, op.node).what
    if isinstance(what, w.Select) and what.by == "opponent":
        doer = die_identity.opponent_of(f.you)  # who is made to choose one does it
    elif op.by_each:
        doer = BY_ITS_PLAYER
    knockout.ko(s, dice, source_kind(s, f), f.this, doer, op.is_cost)


def _how_much(s: State, f: Running, op: Op, to: int) -> int:
    """Give how much of the damage is prevented or redirected; 0 while the player is asked, where it is up to them."""
    most = op.amount.worth(s, f)
    amount = cast(w.Prevent | w.Redirect, op.node).amount
    if isinstance(amount, int) or amount.op != "up to":
        return most
    if f.waiting:
        return s.answer[2]
    most = min(most, replacement.amount_asked(s))
    if most > 1:
        f.waiting = 1
        ask(s, f.you, "how much", [("amount", to, n) for n in range(1, most + 1)], about=f.ability)
        return 0
    return most


def prevent(s: State, f: Running, op: Op) -> None:
    n = _how_much(s, f, op, f.event.die)
    if s.ask is NO_ASK:
        f.go_to(f.pc + 1)
        replacement.prevent(s, n)


def redirect(s: State, f: Running, op: Op) -> None:
    for x in meant(s, f, op)[:1]:
        if replacement.may_redirect(s, x):
            engaged = x < PLAYER and replacement.is_from_engaged(s, x)
            found = [x] if engaged else reached(s, f, [x])
            if found is None:
                return
            if not found:
                break  # the damage stays where it is
            n = _how_much(s, f, op, x)
            if s.ask is not NO_ASK:
                return
            replacement.redirect(s, n, x, cast(w.Redirect, op.node).whole_source)
    f.go_to(f.pc + 1)


def spare(s: State, f: Running, op: Op) -> None:
    """What was about to happen to the die does not happen."""
    f.pc += 1
    below = s.stack[-2]
    if isinstance(below, Koing):
        below.dice = tuple(d for d in below.dice if d != f.event.die)
    elif isinstance(below, Running):
        below.spared = (*below.spared, f.event.die)
    else:
        assert isinstance(below, Damaging)
        replacement.prevent(s, w.ALL)


def set_life(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    for x in meant(s, f, op):
        s.life[x - PLAYER] = min(cast(w.SetLife, op.node).amount, die_identity.most_life(s, x - PLAYER))


def divide(s: State, f: Running, op: Op) -> None:
    """Damage divided among dice, one amount after the other."""
    if f.waiting:
        f.shares = (*f.shares, s.answer[2])
        f.waiting = 0
    shares = f.shares
    dice = _divided_among(s, f, op)
    rest = op.amount.worth(s, f) - sum(shares)
    if len(shares) >= len(dice) - 1 or rest <= 0:
        amounts = (*shares, rest, *(0 for _ in dice))
        packets = [Packet(f.this, d, n) for d, n in zip(dice, amounts, strict=False) if n > 0]
        found = reached(s, f, [p.to for p in packets], tuple(packets))
        if found is None:
            return
        packets = [p for p in packets if p.to in found]
        f.go_to(f.pc + 1)
        f.shares = ()
        damage.deal(s, packets, damage_sort(s, f), f.you, ability=f.ability)
        return
    f.waiting = 1
    d = dice[len(shares)]
    ask(s, f.you, "divide", [("amount", d, n) for n in range(rest + 1)], about=f.ability, number=rest)


def _divided_among(s: State, f: Running, op: Op) -> list[int]:
    dice = meant(s, f, op)
    if cast(w.Divide, op.node).target or s.table.edition.bare_choice_targets:
        dice = [d for d in dice if targetable(s, f, d)]
    return in_order(s, dice)


def increase(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    replacement.prevent(s, -op.amount.worth(s, f))
