"""What is known, what waits and what is half done: the values a state is made of beside its numbers.

Effects in force, events and reactions never change once they are made. What lies on the stack, a frame, does: it is what an
act has come to so far, and a copy of a state copies it. This room knows no other. None of these values can be in a circle, which
spares compiled code to have them looked through for one.
"""

from __future__ import annotations

from typing import final

from mypy_extensions import mypyc_attr

from dicemasters.game.state.values import (
    NO_EVENT,
    NOBODY,
    NOT_TRYING,
    NOTHING_SPENT,
    TRYING_NOBODY,
    WAIT_NONE,
    ActiveEffect,
    DamagePacket,
    DieKey,
    ExcessDamage,
    GameEvent,
    Option,
    PacketKey,
    Price,
    Spent,
    StateValue,
)


@mypyc_attr(acyclic=True)
class Frame(StateValue):
    """Something under way: it lies on the stack and goes on when what lies above it is done. Its first value names it."""

    def copy(self) -> Frame:
        raise NotImplementedError

    def has_picked(self, d: int) -> bool:
        """Tell whether it is a sentence that has chosen the die."""
        return False


@mypyc_attr(acyclic=True)
@final
class AbilityFrame(Frame):
    """An ability at work: who uses it, which die's text it is, and how far it has come.

    The same value is the context in which descriptions of dice are read.
    """

    def __init__(
        self,
        ability: int,
        you: int,
        this: int,
        burst: int = 0,
        pc: int = 0,
        event: GameEvent = NO_EVENT,
        chosen: tuple[tuple[int, ...], ...] = (),
        paid: tuple[int, ...] = (),
        payer: int = NOBODY,
        picked: tuple[int, ...] = (),
        given: int = 0,
        spared: tuple[int, ...] = (),
        asked: tuple[int, ...] = (),
        waiting: int = 0,
        hit: int = 0,
        hold: int = WAIT_NONE,
        shares: tuple[int, ...] = (),
    ) -> None:
        self.ability = ability
        self.you = you
        self.this = this
        self.burst = burst
        self.pc = pc
        self.event = event
        self.chosen = chosen
        self.paid = paid  # dice whose energy paid for it
        self.payer = payer
        self.picked = picked  # dice of the choice under way
        self.given = given  # dice given for the cost just paid, or what was named plus 1
        self.spared = spared  # dice that paid not to be affected
        self.asked = asked  # dice that have been asked about that
        self.waiting = waiting  # what the answer is for
        self.hit = hit  # how many the damage just dealt was meant for, prevented or not
        self.hold = hold  # whether something stops it at its beginning
        self.shares = shares  # of damage that is being divided

    def values(self) -> tuple[object, ...]:
        return (
            "run",
            self.ability,
            self.you,
            self.this,
            self.burst,
            self.pc,
            self.event,
            self.chosen,
            self.paid,
            self.payer,
            self.picked,
            self.given,
            self.spared,
            self.asked,
            self.waiting,
            self.hit,
            self.hold,
            self.shares,
        )

    def copy(self) -> AbilityFrame:
        return AbilityFrame(
            self.ability,
            self.you,
            self.this,
            self.burst,
            self.pc,
            self.event,
            self.chosen,
            self.paid,
            self.payer,
            self.picked,
            self.given,
            self.spared,
            self.asked,
            self.waiting,
            self.hit,
            self.hold,
            self.shares,
        )

    def has_picked(self, d: int) -> bool:
        for register in self.chosen:
            if d in register:
                return True
        return False

    def with_payer(self, seat: int) -> AbilityFrame:
        """Give the same context with somebody who pays."""
        result = self.copy()
        result.payer = seat
        return result

    def with_chosen(self, chosen: tuple[tuple[int, ...], ...]) -> AbilityFrame:
        """Give the same context with this chosen."""
        result = self.copy()
        result.chosen = chosen
        return result

    def subprogram_for(self, ability: int, seat: int) -> AbilityFrame:
        """Give the beginning of a sentence that this one carries inside, for a player."""
        result = self.copy()
        result.ability = ability
        result.you = seat
        result.burst = result.pc = result.waiting = 0
        result.chosen = ()
        result.picked = ()
        return result

    def jump_to(self, pc: int) -> None:
        """Go on at another operation, with nothing to wait for."""
        self.pc = pc
        self.waiting = 0


@mypyc_attr(acyclic=True)
@final
class PaymentFrame(Frame):
    """A payment under way: what was spent so far, and the kind of die spent last."""

    def __init__(
        self,
        seat: int,
        price: Price,
        spent: Spent = NOTHING_SPENT,
        last: int = -1,
        dice: tuple[int, ...] = (),
        waiting: int = 0,
        halved: tuple[int, ...] = (),
    ) -> None:
        self.seat = seat
        self.price = price
        self.spent = spent
        self.last = last
        self.dice = dice
        self.waiting = waiting
        self.halved = halved  # sorts of which a double has paid less than it could

    def values(self) -> tuple[object, ...]:
        return ("pay", self.seat, self.price, self.spent, self.last, self.dice, self.waiting, self.halved)

    def left(self) -> int:
        """Give how much is still to be paid."""
        return self.price[4] - sum(self.spent)

    def copy(self) -> PaymentFrame:
        return PaymentFrame(self.seat, self.price, self.spent, self.last, self.dice, self.waiting, self.halved)


@mypyc_attr(acyclic=True)
@final
class DamageFrame(Frame):
    """Damage of one moment: first changed by standing rules, then by choices, then dealt."""

    def __init__(
        self,
        packets: tuple[DamagePacket, ...],
        sort: str,
        you: int,
        leaving: tuple[int, ...] = (),
        ability: int = -1,
        stage: int = 0,
        asked: tuple[PacketKey, ...] = (),
        declined: tuple[tuple[int, int, int, int, int], ...] = (),
        trying: PacketKey = NOT_TRYING,
        through: tuple[ExcessDamage, ...] = (),
        used: int = 0,
        rest: int = 0,
    ) -> None:
        self.packets = packets
        self.sort = sort  # combat, ability, action, global, rule
        self.you = you  # who deals it
        self.leaving = leaving  # unblocked attackers that go when it is dealt
        self.ability = ability  # the sentence that deals it
        self.stage = stage
        self.asked = asked  # abilities that have acted, each with the packet
        self.declined = declined  # not yet, with what the packet was then (negative: it has changed since)
        self.trying = trying  # the ability that is being asked now
        self.through = through  # what may go past blockers
        self.used = used  # the ability that was asked has been used
        self.rest = rest  # 1: what was left over, so it belongs to the damage before

    def values(self) -> tuple[object, ...]:
        return (
            "damage",
            self.packets,
            self.sort,
            self.you,
            self.leaving,
            self.ability,
            self.stage,
            self.asked,
            self.declined,
            self.trying,
            self.through,
            self.used,
            self.rest,
        )

    def copy(self) -> DamageFrame:
        return DamageFrame(
            self.packets,
            self.sort,
            self.you,
            self.leaving,
            self.ability,
            self.stage,
            self.asked,
            self.declined,
            self.trying,
            self.through,
            self.used,
            self.rest,
        )


@mypyc_attr(acyclic=True)
@final
class KnockoutFrame(Frame):
    """Dice to be KO'd together."""

    def __init__(
        self,
        dice: tuple[int, ...],
        cause: str,
        doer: int = NOBODY,
        stage: int = 0,
        asked: tuple[DieKey, ...] = (),
        hits: tuple[DamagePacket, ...] = (),
        by: int = -1,
        declined: tuple[DieKey, ...] = (),
        trying: DieKey = TRYING_NOBODY,
        used: int = 0,
        fought: tuple[int, ...] = (),
    ) -> None:
        self.dice = dice
        self.cause = cause
        self.doer = doer
        self.stage = stage
        self.asked = asked  # abilities that have acted, each with the die
        self.hits = hits  # the damage that does it, where it is damage
        self.by = by  # the player who does it, where it is an effect or a payment
        self.declined = declined  # not yet
        self.trying = trying  # the ability that is being asked now
        self.used = used  # it has been used
        self.fought = fought  # those of the dice whom combat damage KOs, where others fall by an effect

    def cause_of(self, d: int) -> str:
        return "combat" if d in self.fought else self.cause

    def values(self) -> tuple[object, ...]:
        return (
            "ko",
            self.dice,
            self.cause,
            self.doer,
            self.stage,
            self.asked,
            self.hits,
            self.by,
            self.declined,
            self.trying,
            self.used,
            self.fought,
        )

    def copy(self) -> KnockoutFrame:
        return KnockoutFrame(
            self.dice,
            self.cause,
            self.doer,
            self.stage,
            self.asked,
            self.hits,
            self.by,
            self.declined,
            self.trying,
            self.used,
            self.fought,
        )


@mypyc_attr(acyclic=True)
@final
class OvercrushFrame(Frame):
    """When the KOs are known: what is left over of damage to blockers goes to the player (rules 6.12)."""

    def __init__(self, you: int) -> None:
        self.you = you

    def values(self) -> tuple[object, ...]:
        return ("crush", self.you)

    def copy(self) -> OvercrushFrame:
        return OvercrushFrame(self.you)


@mypyc_attr(acyclic=True)
@final
class LethalCheckFrame(Frame):
    """Dice with lethal damage are to be KO'd."""

    def values(self) -> tuple[object, ...]:
        return ("doom",)

    def copy(self) -> LethalCheckFrame:
        return LethalCheckFrame()


@mypyc_attr(acyclic=True)
@final
class EventBatchFrame(Frame):
    """Events to be announced when what lies above is done."""

    def __init__(self, events: tuple[GameEvent, ...], was: tuple[ActiveEffect, ...] = (), go: int = 0) -> None:
        self.events = events
        self.was = was  # what made their dice what they were; a die that has left since is still meant as it was
        self.go = go  # 1: of things paid in one go, which are done above it; what they set off is set off once

    def values(self) -> tuple[object, ...]:
        return ("announce", self.events, self.was, self.go)

    def copy(self) -> EventBatchFrame:
        return EventBatchFrame(self.events, self.was, self.go)

    def add(self, events: tuple[GameEvent, ...], identities: tuple[ActiveEffect, ...]) -> None:
        """Let further events be announced with these."""
        self.events = (*self.events, *events)
        self.was = (*self.was, *(effect for effect in identities if effect not in self.was))


@mypyc_attr(acyclic=True)
@final
class DamageAssignmentFrame(Frame):
    """Combat damage being assigned: the dice of this part one after another, and the split under way."""

    def __init__(
        self,
        fast: int,
        sources: tuple[int, ...],
        at: int = 0,
        packets: tuple[DamagePacket, ...] = (),
        through: tuple[ExcessDamage, ...] = (),
        split: tuple[int, ...] = (),
        waiting: int = 0,
    ) -> None:
        self.fast = fast  # 1: the Fast dice, 0: all others
        self.sources = sources
        self.at = at
        self.packets = packets
        self.through = through
        self.split = split  # amounts for the current source's first opponents
        self.waiting = waiting

    def values(self) -> tuple[object, ...]:
        return ("assign", self.fast, self.sources, self.at, self.packets, self.through, self.split, self.waiting)

    def copy(self) -> DamageAssignmentFrame:
        return DamageAssignmentFrame(
            self.fast, self.sources, self.at, self.packets, self.through, self.split, self.waiting
        )


@mypyc_attr(acyclic=True)
@final
class RetargetFrame(Frame):
    """Targets have been chosen by the sentence below, and whoever can change that is asked."""

    def __init__(self, register: int, asked: tuple[DieKey, ...] = (), used: tuple[DieKey, ...] = ()) -> None:
        self.register = register
        self.asked = asked  # sentence, seat, which of the targets
        self.used = used  # those of them that gave a new target

    def values(self) -> tuple[object, ...]:
        return ("target", self.register, self.asked, self.used)

    def copy(self) -> RetargetFrame:
        return RetargetFrame(self.register, self.asked, self.used)


@mypyc_attr(acyclic=True)
@final
class ActionFrame(Frame):
    """Something paid for and now to be done: a purchase, a fielding, a Global, a paid ability."""

    def __init__(self, seat: int, option: Option, paid: tuple[int, ...] = (), hold: int = WAIT_NONE) -> None:
        self.seat = seat
        self.option = option
        self.paid = paid  # the dice that paid, if for several things in one go
        self.hold = hold  # of the sentence it starts

    def values(self) -> tuple[object, ...]:
        return ("act", self.seat, self.option, self.paid, self.hold)

    def copy(self) -> ActionFrame:
        return ActionFrame(self.seat, self.option, self.paid, self.hold)


@mypyc_attr(acyclic=True)
@final
class ActionDieFrame(Frame):
    """An action die being used: it lies in the reserve until its text is done, then it leaves (rules 3.3d)."""

    def __init__(self, seat: int, die: int, shown: int = 0) -> None:
        self.seat = seat
        self.die = die
        self.shown = shown  # bursts

    def values(self) -> tuple[object, ...]:
        return ("using", self.seat, self.die, self.shown)

    def copy(self) -> ActionDieFrame:
        return ActionDieFrame(self.seat, self.die, self.shown)


@mypyc_attr(acyclic=True)
@final
class BatchPaymentFrame(Frame):
    """Several things to be paid in one go: all paid, all targets chosen, then carried out (rules 3.3a, e)."""

    def __init__(
        self,
        seat: int,
        acts: tuple[Option, ...] = (),
        waiting: int = 0,
        begun: int = 0,
        paid: tuple[int, ...] = (),
    ) -> None:
        self.seat = seat
        self.acts = acts
        self.waiting = waiting  # for more, or for what is paid to be begun
        self.begun = begun
        self.paid = paid

    def values(self) -> tuple[object, ...]:
        return ("go", self.seat, self.acts, self.waiting, self.begun, self.paid)

    def copy(self) -> BatchPaymentFrame:
        return BatchPaymentFrame(self.seat, self.acts, self.waiting, self.begun, self.paid)


@mypyc_attr(acyclic=True)
@final
class SolitairePurchaseFrame(Frame):
    """Dice the script's seat is owed. Lies under everything, so the player's own effects of buying come first (S7)."""

    def __init__(self, owed: int) -> None:
        self.owed = owed

    def values(self) -> tuple[object, ...]:
        return ("mirror", self.owed)

    def copy(self) -> SolitairePurchaseFrame:
        return SolitairePurchaseFrame(self.owed)
