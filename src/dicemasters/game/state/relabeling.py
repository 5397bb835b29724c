"""Renumbering of interchangeable dice throughout a state.

Dice of one card are interchangeable, so a position has a canonical form in which they are numbered in a fixed order.
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


def same_effect(effect: ActiveEffect, other: ActiveEffect) -> bool:
    """Return whether two active effects differ at most in their recipient."""
    if (
        effect.word != other.word
        or effect.a != other.a
        or effect.d != other.d
        or effect.rule != other.rule
        or effect.until != other.until
    ):
        return False
    if effect.you != other.you or effect.ability != other.ability:
        return False
    return effect.source == other.source or (effect.source == effect.subject and other.source == other.subject)


def effect_runs(effects: list[ActiveEffect]) -> list[tuple[int, int]]:
    """Return the (start, end) ranges of adjacent active effects that are equal except for their recipient.

    Within a run the order is irrelevant. Equal effects that are not adjacent stay separate, because an effect granted
    between them may end first (rules 5.4a). An effect without a recipient forms a separate run.
    """
    runs: list[tuple[int, int]] = []
    start = 0
    for end in range(1, len(effects) + 1):
        if end == len(effects) or effects[start].subject == NOBODY or not same_effect(effects[end - 1], effects[end]):
            runs.append((start, end))
            start = end
    return runs


class DieRelabeler:
    """Replaces die numbers by new ones wherever a state mentions a die."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def die(self, x: int) -> int:
        """Return the new number of a die; players, nobody and the spin-down marker are preserved."""
        if 0 <= x < len(self.numbers):
            return self.numbers[x]
        if x >= SPIN_DOWN and x - SPIN_DOWN < len(self.numbers):
            return self.numbers[x - SPIN_DOWN] + SPIN_DOWN
        return x

    def dice(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        """Return the new numbers in the same order."""
        return tuple(self.die(x) for x in xs)

    def die_set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        """Return the new numbers of dice whose order does not matter, sorted."""
        return tuple(sorted(self.dice(xs)))

    def event(self, event: GameEvent) -> GameEvent:
        """Return the event with its dice renumbered."""
        last_known = event.last_known
        # the dice that paid in order, then the dice that were in the Used Piles (rules 2.1a2)
        if event.word == "fielded":
            last_known = self.dice(last_known[: event.amount]) + self.die_set(last_known[event.amount :])
        return event.with_dice(self.die(event.die), self.die(event.other), last_known)

    def packets(self, packets: tuple[DamagePacket, ...]) -> tuple[DamagePacket, ...]:
        """Return the damage packets with their dice renumbered."""
        return tuple(DamagePacket(self.die(packet.source), self.die(packet.to), packet.amount) for packet in packets)

    def through(self, through: tuple[ExcessDamage, ...]) -> tuple[ExcessDamage, ...]:
        """Return the excess damage with its dice renumbered."""
        return tuple(
            ExcessDamage(self.die(excess.source), excess.amount, self.dice(excess.foes), excess.exceeds)
            for excess in through
        )

    def effects(self, effects: list[ActiveEffect]) -> list[ActiveEffect]:
        """Return the active effects with their dice renumbered."""
        return [effect.with_dice(self.die(effect.subject), self.die(effect.source)) for effect in effects]

    def option(self, option: Option) -> Option:
        """Return the option with its dice renumbered."""
        kind, x, y = option
        if kind in _DIE_OPTIONS:
            return kind, self.die(x), self.die(y) if kind in ("block", "end") else y
        return kind, x, self.die(y) if kind == "ability" else y

    def key(self, key: tuple[int, int, int]) -> tuple[int, int, int]:
        """Return an (ability, die, die) key with its dice renumbered."""
        ability, this, d = key
        return ability, self.die(this), self.die(d)

    def frame(self, frame: Frame) -> None:
        """Renumber the dice of a frame in place; frames of other kinds mention none."""
        if isinstance(frame, AbilityFrame):
            frame.this = self.die(frame.this)
            frame.event = self.event(frame.event)
            frame.chosen = tuple(self.dice(register) for register in frame.chosen)
            frame.paid = self.dice(frame.paid)
            frame.picked = self.dice(frame.picked)
            frame.spared = self.dice(frame.spared)
            frame.asked = self.dice(frame.asked)
        elif isinstance(frame, PaymentFrame):
            frame.dice = self.dice(frame.dice)
        elif isinstance(frame, DamageFrame):
            frame.asked = tuple(
                (a, you, self.die(this), i if i < USED_FOR else USED_FOR + self.die(i - USED_FOR))
                for a, you, this, i in frame.asked
            )
            ability, seat, die, packet = frame.trying
            frame.packets = self.packets(frame.packets)
            frame.leaving = self.dice(frame.leaving)
            frame.declined = tuple((a, you, self.die(this), i, n) for a, you, this, i, n in frame.declined)
            frame.trying = (ability, seat, self.die(die), packet)
            frame.through = self.through(frame.through)
        elif isinstance(frame, KnockoutFrame):
            frame.dice = self.dice(frame.dice)
            frame.doer = self.die(frame.doer)
            frame.asked = tuple(self.key(key) for key in frame.asked)
            frame.hits = self.packets(frame.hits)
            frame.declined = tuple(self.key(key) for key in frame.declined)
            frame.trying = self.key(frame.trying)
        elif isinstance(frame, EventBatchFrame):
            frame.events = tuple(self.event(event) for event in frame.events)
            frame.was = tuple(self.effects(list(frame.was)))
        elif isinstance(frame, DamageAssignmentFrame):
            frame.sources = self.dice(frame.sources)
            frame.packets = self.packets(frame.packets)
            frame.through = self.through(frame.through)
        elif isinstance(frame, ActionFrame):
            frame.option = self.option(frame.option)
            frame.paid = self.dice(frame.paid)
        elif isinstance(frame, ActionDieFrame):
            frame.die = self.die(frame.die)
        elif isinstance(frame, BatchPaymentFrame):
            frame.acts = tuple(self.option(o) for o in frame.acts)
            frame.paid = self.dice(frame.paid)


class MentionCollector(DieRelabeler):
    """Records the order in which unfinished work mentions dice, and renumbers nothing.

    Dice mentioned as a set share one position.
    """

    def __init__(self, n_dice: int) -> None:
        super().__init__([])
        self.n_dice = n_dice
        self.mentions: dict[int, list[int]] = {}
        self._number = 0

    def die(self, x: int) -> int:
        self._record(x)
        self._number += 1
        return x

    def die_set(self, xs: tuple[int, ...]) -> tuple[int, ...]:
        for x in xs:
            self._record(x)
        self._number += 1
        return xs

    def effects(self, effects: list[ActiveEffect]) -> list[ActiveEffect]:
        for start, end in effect_runs(effects):
            for effect in effects[start:end]:
                self._record(effect.subject)
                self._record(effect.source, 1)
            self._number += 2
        return effects

    def _record(self, x: int, offset: int = 0) -> None:
        d = x - SPIN_DOWN if x >= SPIN_DOWN else x
        if 0 <= d < self.n_dice:
            self.mentions.setdefault(d, []).append(self._number + offset)

    def sort_key(self, d: int) -> tuple[bool, list[int]]:
        """Return a sort key for a die: mentioned dice first, in order of mention."""
        mentions = self.mentions.get(d)
        return (True, []) if mentions is None else (False, mentions)
