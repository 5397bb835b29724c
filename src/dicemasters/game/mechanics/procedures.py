"""Buying a die, fielding it, using it: whoever does it, and however it came about (rules 3.3)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.mechanics import zones
from dicemasters.game.mechanics.triggers import next_moment, tell
from dicemasters.game.queries import static_rules
from dicemasters.game.rulesets import solitaire
from dicemasters.game.state.constants import ACTIONS, FACTS, FIELD, FIELDED_NOW, FIELDINGS, USED
from dicemasters.game.state.frames import Using
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Record


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
    zones.put(s, d, FIELD, seat)
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
    gone = [r for r in nexts if r.you == seat and static_rules.covers(s, r, d)]
    return [r for r in s.records if r not in gone] if gone else s.records


def after_purchase(s: State, d: int, seat: int) -> list[Record]:
    """List what is in force when the die has been bought: a rule about the next one is used up by it."""
    nexts = [r for r in s.records if r.until == w.NEXT_ONE and r.word == "costs to buy"]
    gone = [r for r in nexts if r.you == seat and static_rules.covers(s, r, d)]
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
        ctx = static_rules.context(sentence.index, seat, d, burst=shown)
        if sentence.condition is None or sentence.condition.asked(s, ctx):
            s.stack.append(ctx)
