"""Stack frames: the unfinished work of a state, one final class per kind.

Active effects, events and triggers are immutable. Frames change in place while their work continues, and copying a
state copies them; this module defines every class for which that is true. No frame can be part of a reference cycle, so
compiled code is spared from tracking them for garbage collection.
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
    """A piece of unfinished work on the stack, which continues once the frames above it are done.

    The first of its `values` names the kind of frame in stored states.
    """

    def copy(self) -> Frame:
        """Return an independent copy."""
        raise NotImplementedError

    def has_picked(self, d: int) -> bool:
        """Return whether the frame is an ability that has chosen this die."""
        return False


@mypyc_attr(acyclic=True)
@final
class AbilityFrame(Frame):
    """An ability being run: its controller, the die whose text it is, and the next instruction.

    The same value is the context in which predicates and quantities are evaluated.
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
        self.paid = paid  # dice whose energy paid for the ability
        self.payer = payer
        self.picked = picked  # dice picked so far in the pending choice
        self.given = given  # size of the cost just paid (dice or energy), or the index of the named thing plus 1
        self.spared = spared  # dice exempt from the effect
        self.asked = asked  # dice for which a payment has already been offered
        self.waiting = waiting  # the purpose of the pending answer, 0 for none
        self.hit = hit  # number of recipients of the damage just dealt, counting prevented damage
        self.hold = hold  # one of the WAIT constants: reason why the ability has not started yet
        self.shares = shares  # amounts assigned so far of damage that is being divided

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
        """Return the same context with `seat` as the paying player."""
        result = self.copy()
        result.payer = seat
        return result

    def with_chosen(self, chosen: tuple[tuple[int, ...], ...]) -> AbilityFrame:
        """Return the same context with these choices made."""
        result = self.copy()
        result.chosen = chosen
        return result

    def subprogram_for(self, ability: int, seat: int) -> AbilityFrame:
        """Return a frame that runs an ability nested in this one from its start, controlled by `seat`."""
        result = self.copy()
        result.ability = ability
        result.you = seat
        result.burst = result.pc = result.waiting = 0
        result.chosen = ()
        result.picked = ()
        return result

    def jump_to(self, pc: int) -> None:
        """Continue at another instruction and wait for no answer."""
        self.pc = pc
        self.waiting = 0


@mypyc_attr(acyclic=True)
@final
class PaymentFrame(Frame):
    """A payment in progress: the energy spent so far and the energy group it came from last."""

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
        self.halved = halved  # energy groups of which a double die has paid less than it could

    def values(self) -> tuple[object, ...]:
        return ("pay", self.seat, self.price, self.spent, self.last, self.dice, self.waiting, self.halved)

    def left(self) -> int:
        """Return the amount that still has to be paid."""
        return self.price[4] - sum(self.spent)

    def copy(self) -> PaymentFrame:
        return PaymentFrame(self.seat, self.price, self.spent, self.last, self.dice, self.waiting, self.halved)


@mypyc_attr(acyclic=True)
@final
class DamageFrame(Frame):
    """Simultaneous damage: modified by static rules, then by replacement effects, then dealt (rules 3.4d2, 3.4d3a)."""

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
        self.sort = sort  # combat, ability, action, global or rule
        self.you = you  # the seat that deals it
        self.leaving = leaving  # unblocked attackers that leave when it is dealt (rules 3.4d3b)
        self.ability = ability  # the ability that deals it, -1 for none
        self.stage = stage
        self.asked = asked  # abilities that have been applied, each with its packet
        # abilities declined so far, with the packet's amount at that time (negative: it has changed since)
        self.declined = declined
        self.trying = trying  # the ability that is being offered now
        self.through = through  # damage that may go past blockers (rules 6.12c, 6.12e)
        self.used = used  # 1: the ability that was offered has been used
        self.rest = rest  # 1: excess damage of Overcrush, which belongs to the damage dealt before

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
        self.asked = asked  # abilities that have been applied, each with its die
        self.hits = hits  # the packets that KO the dice, if they are KO'd by damage
        self.by = by  # the player responsible, if an effect or a payment KOs the dice
        self.declined = declined  # abilities declined so far
        self.trying = trying  # the ability that is being offered now
        self.used = used  # 1: the ability that was offered has been used
        self.fought = fought  # the dice that combat damage KOs, if an effect KOs the others

    def cause_of(self, d: int) -> str:
        """Return the cause of this die's KO: "combat" or the cause of the whole frame."""
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
    """Overcrush after the KOs of the same damage: deals the excess over the blockers to the player (rules 6.12c)."""

    def __init__(self, you: int) -> None:
        self.you = you

    def values(self) -> tuple[object, ...]:
        return ("crush", self.you)

    def copy(self) -> OvercrushFrame:
        return OvercrushFrame(self.you)


@mypyc_attr(acyclic=True)
@final
class LethalCheckFrame(Frame):
    """A pending KO of all dice with lethal combat damage (rules 3.4d4b)."""

    def values(self) -> tuple[object, ...]:
        return ("doom",)

    def copy(self) -> LethalCheckFrame:
        return LethalCheckFrame()


@mypyc_attr(acyclic=True)
@final
class EventBatchFrame(Frame):
    """Events that are announced together once the frames above are done."""

    def __init__(self, events: tuple[GameEvent, ...], was: tuple[ActiveEffect, ...] = (), go: int = 0) -> None:
        self.events = events
        # effects that define the identity of the dice at that moment, for dice that have left since (rules 3.4d5)
        self.was = was
        # 1: collects the events of actions paid together, so that each ability triggers once (rules 3.3a11)
        self.go = go

    def values(self) -> tuple[object, ...]:
        return ("announce", self.events, self.was, self.go)

    def copy(self) -> EventBatchFrame:
        return EventBatchFrame(self.events, self.was, self.go)

    def add(self, events: tuple[GameEvent, ...], identities: tuple[ActiveEffect, ...]) -> None:
        """Add further events to the batch, with the identity effects of their dice."""
        self.events = (*self.events, *events)
        self.was = (*self.was, *(effect for effect in identities if effect not in self.was))


@mypyc_attr(acyclic=True)
@final
class DamageAssignmentFrame(Frame):
    """Combat damage being assigned: the dealing dice in order, and the split in progress (rules 3.4d1a, 3.4d1c)."""

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
        self.fast = fast  # 1: Fast dice (rules 3.4d6), 0: all others
        self.sources = sources
        self.at = at
        self.packets = packets
        self.through = through
        self.split = split  # amounts already assigned to the first opponents of the current die
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
    """Targets chosen by the ability below, while abilities that can change them are offered."""

    def __init__(self, register: int, asked: tuple[DieKey, ...] = (), used: tuple[DieKey, ...] = ()) -> None:
        self.register = register
        self.asked = asked  # ability, seat and index of the target
        self.used = used  # the rows of `asked` that chose a new target

    def values(self) -> tuple[object, ...]:
        return ("target", self.register, self.asked, self.used)

    def copy(self) -> RetargetFrame:
        return RetargetFrame(self.register, self.asked, self.used)


@mypyc_attr(acyclic=True)
@final
class ActionFrame(Frame):
    """An action that is paid for and about to be carried out: a purchase, a fielding, a Global or a paid ability."""

    def __init__(self, seat: int, option: Option, paid: tuple[int, ...] = (), hold: int = WAIT_NONE) -> None:
        self.seat = seat
        self.option = option
        self.paid = paid  # the dice that paid, if several actions are paid together (rules 3.3a11)
        self.hold = hold  # passed on to the ability it starts

    def values(self) -> tuple[object, ...]:
        return ("act", self.seat, self.option, self.paid, self.hold)

    def copy(self) -> ActionFrame:
        return ActionFrame(self.seat, self.option, self.paid, self.hold)


@mypyc_attr(acyclic=True)
@final
class ActionDieFrame(Frame):
    """An action die being used; it stays in the reserve until its effect is done (rules 3.3d1)."""

    def __init__(self, seat: int, die: int, shown: int = 0) -> None:
        self.seat = seat
        self.die = die
        self.shown = shown  # number of bursts shown

    def values(self) -> tuple[object, ...]:
        return ("using", self.seat, self.die, self.shown)

    def copy(self) -> ActionDieFrame:
        return ActionDieFrame(self.seat, self.die, self.shown)


@mypyc_attr(acyclic=True)
@final
class BatchPaymentFrame(Frame):
    """Several actions paid together: payments first, then all targets, then the actions (rules 3.3a11, 3.3e6)."""

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
        self.waiting = waiting  # WAIT_MORE or WAIT_START
        self.begun = begun
        self.paid = paid

    def values(self) -> tuple[object, ...]:
        return ("go", self.seat, self.acts, self.waiting, self.begun, self.paid)

    def copy(self) -> BatchPaymentFrame:
        return BatchPaymentFrame(self.seat, self.acts, self.waiting, self.begun, self.paid)


@mypyc_attr(acyclic=True)
@final
class SolitairePurchaseFrame(Frame):
    """Dice owed to the scripted seat.

    The frame is at the bottom of the stack, so the effects of the player's own purchase come first (S7).
    """

    def __init__(self, owed: int) -> None:
        self.owed = owed

    def values(self) -> tuple[object, ...]:
        return ("mirror", self.owed)

    def copy(self) -> SolitairePurchaseFrame:
        return SolitairePurchaseFrame(self.owed)
