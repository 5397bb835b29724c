"""Dice under other numbers, wherever something half done mentions them.

Dice of one card are interchangeable, so a position has a canonical form in which they are numbered in one order.
"""

from __future__ import annotations

from typing import Final

from dicemasters.game.state.frames import (
    AbilityFrame,
    ActionDieFrame,
    ActionFrame,
    BatchPaymentFrame,
    DamageAssignmentFrame,
    DamageFrame,
    EventBatchFrame,
    Frame,
    KnockoutFrame,
    PaymentFrame,
)
from dicemasters.game.state.values import (
    NOBODY,
    SPIN_DOWN,
    USED_FOR,
    ActiveEffect,
    DamagePacket,
    ExcessDamage,
    GameEvent,
    Option,
)

_DIE_OPTIONS: Final = frozenset(
    ("field", "use", "reroll", "attack", "block", "choose", "up", "down", "pay", "amount", "end")
)


def same_effect(r: ActiveEffect, x: ActiveEffect) -> bool:
    """Tell whether two effects in force differ at most in whom they were given to."""
    if r.word != x.word or r.a != x.a or r.d != x.d or r.rule != x.rule or r.until != x.until:
        return False
    if r.you != x.you or r.ability != x.ability:
        return False
    return r.source == x.source or (r.source == r.subject and x.source == x.subject)


def effect_runs(records: list[ActiveEffect]) -> list[tuple[int, int]]:
    """Give from where to where the same was given to several dice one after the other: which of them was first is nothing.

    What lies apart stays apart: something given between the two may end before them (rules 5.4). What was given to nobody
    stays where it is.
    """
    runs: list[tuple[int, int]] = []
    first = 0
    for end in range(1, len(records) + 1):
        if end == len(records) or records[first].subject == NOBODY or not same_effect(records[end - 1], records[end]):
            runs.append((first, end))
            first = end
    return runs


class DieRelabeler:
    def __init__(self, new: list[int]) -> None:
        self.new = new

    def one(self, x: int) -> int:
        if 0 <= x < len(self.new):
            return self.new[x]
        if x >= SPIN_DOWN and x - SPIN_DOWN < len(self.new):
            return self.new[x - SPIN_DOWN] + SPIN_DOWN
        return x

    def many(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.one(x) for x in xs)

    def set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self.many(xs)))

    def event(self, h: GameEvent) -> GameEvent:
        known = h.last_known
        if h.word == "fielded":  # the dice that paid, then those that lay in the Used Piles
            known = self.many(known[: h.amount]) + self.set(known[h.amount :])
        return h.about(self.one(h.die), self.one(h.other), known)

    def packets(self, packets: tuple[DamagePacket, ...]) -> tuple[DamagePacket, ...]:
        return tuple(DamagePacket(self.one(p.source), self.one(p.to), p.amount) for p in packets)

    def through(self, through: tuple[ExcessDamage, ...]) -> tuple[ExcessDamage, ...]:
        return tuple(ExcessDamage(self.one(x.source), x.amount, self.many(x.foes), x.exceeds) for x in through)

    def effects(self, records: list[ActiveEffect]) -> list[ActiveEffect]:
        return [r.of(self.one(r.subject), self.one(r.source)) for r in records]

    def option(self, o: Option) -> Option:
        what, x, y = o
        if what in _DIE_OPTIONS:
            return what, self.one(x), self.one(y) if what in ("block", "end") else y
        return what, x, self.one(y) if what == "ability" else y

    def key(self, key: tuple[int, int, int]) -> tuple[int, int, int]:
        ability, this, d = key
        return ability, self.one(this), self.one(d)

    def frame(self, f: Frame) -> None:
        """Put the new numbers into a frame; the others mention no dice."""
        if isinstance(f, AbilityFrame):
            f.this = self.one(f.this)
            f.event = self.event(f.event)
            f.chosen = tuple(self.many(r) for r in f.chosen)
            f.paid = self.many(f.paid)
            f.picked = self.many(f.picked)
            f.spared = self.many(f.spared)
            f.asked = self.many(f.asked)
        elif isinstance(f, PaymentFrame):
            f.dice = self.many(f.dice)
        elif isinstance(f, DamageFrame):
            f.asked = tuple(
                (a, you, self.one(this), i if i < USED_FOR else USED_FOR + self.one(i - USED_FOR))
                for a, you, this, i in f.asked
            )
            ability, seat, die, packet = f.trying
            f.packets = self.packets(f.packets)
            f.leaving = self.many(f.leaving)
            f.declined = tuple((a, you, self.one(this), i, n) for a, you, this, i, n in f.declined)
            f.trying = (ability, seat, self.one(die), packet)
            f.through = self.through(f.through)
        elif isinstance(f, KnockoutFrame):
            f.dice = self.many(f.dice)
            f.doer = self.one(f.doer)
            f.asked = tuple(self.key(key) for key in f.asked)
            f.hits = self.packets(f.hits)
            f.declined = tuple(self.key(key) for key in f.declined)
            f.trying = self.key(f.trying)
        elif isinstance(f, EventBatchFrame):
            f.events = tuple(self.event(h) for h in f.events)
            f.was = tuple(self.effects(list(f.was)))
        elif isinstance(f, DamageAssignmentFrame):
            f.sources = self.many(f.sources)
            f.packets = self.packets(f.packets)
            f.through = self.through(f.through)
        elif isinstance(f, ActionFrame):
            f.option = self.option(f.option)
            f.paid = self.many(f.paid)
        elif isinstance(f, ActionDieFrame):
            f.die = self.one(f.die)
        elif isinstance(f, BatchPaymentFrame):
            f.acts = tuple(self.option(o) for o in f.acts)
            f.paid = self.many(f.paid)


class MentionCollector(DieRelabeler):
    """Renames nothing, but notes in which order dice are mentioned; what is mentioned as a set shares its number."""

    def __init__(self, n_dice: int) -> None:
        super().__init__([])
        self.n_dice = n_dice
        self.mentions: dict[int, list[int]] = {}
        self._number = 0

    def one(self, x: int) -> int:
        self._record(x)
        self._number += 1
        return x

    def set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        for x in xs:
            self._record(x)
        self._number += 1
        return xs

    def effects(self, records: list[ActiveEffect]) -> list[ActiveEffect]:
        for first, end in effect_runs(records):
            for r in records[first:end]:
                self._record(r.subject)
                self._record(r.source, 1)
            self._number += 2
        return records

    def _record(self, x: int, further: int = 0) -> None:
        d = x - SPIN_DOWN if x >= SPIN_DOWN else x
        if 0 <= d < self.n_dice:
            self.mentions.setdefault(d, []).append(self._number + further)

    def of(self, d: int) -> tuple[bool, list[int]]:
        """Give what sorts the dice: those that are mentioned first, by their mentions."""
        mentions = self.mentions.get(d)
        return (True, []) if mentions is None else (False, mentions)
