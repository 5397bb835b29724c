"""Dice rolls, coin tosses and draws, random or scripted."""

from __future__ import annotations

from typing import Final

from dicemasters.game import labels
from dicemasters.game.state.constants import BAG, HALF_SPENT, HAND, USED
from dicemasters.game.state.state import State, canonical_ranks


class ScriptedDiceError(ValueError):
    """A scripted roll or draw does not fit the position."""


def roll(s: State, d: int) -> None:
    """Roll a die: by the owner's script if it has a roll for the die, else with the random generator."""
    face = _scripted_face(s, d) if s.script else -1
    scripted = face >= 0
    s.face[d] = face if scripted else s.spec.first_equal_face[s.spec.face_base[d] + s.random_below(6)]
    if s.flags[d] & HALF_SPENT:
        s.flags[d] ^= HALF_SPENT
    if s.journal is not None:
        s.journal.append(("rolls", d, s.face[d], scripted))


ANY_SEAT: Final = -1  # seat of a script entry for a basic action die, used by the first player who needs it


def scripted_queue(s: State, seat: int, kind: str) -> list[tuple[int, int, int]]:
    """Return what is scripted for a seat, in order: its "draws" or its "rolls", which are separate queues."""
    return [entry for entry in s.script if entry[0] in (seat, ANY_SEAT) and (entry[2] < 0) == (kind == "draws")]


def _scripted_face(s: State, d: int) -> int:
    """Return the scripted face of a die, or -1 if its owner has no scripted rolls.

    Raise `ScriptedDiceError` if the owner has scripted rolls, but none for a die of this card.
    """
    seat, card = s.owner[d], s.spec.card_of[d]
    rolls = scripted_queue(s, seat, "rolls")
    for entry in rolls:
        if entry[1] == card:
            s.script.remove(entry)
            return entry[2]
    if any(entry[0] == seat for entry in rolls):
        raise _script_error(s, seat, "rolls", f"have no entry for {s.spec.names[card]}")
    return -1


def toss_for_first(s: State) -> int:
    """Return the randomly drawn winner of the toss for the first turn (rules 3.0a)."""
    return s.random_below(2)


def draw(s: State, seat: int, n: int, excluded: tuple[int, ...] = ()) -> list[int]:
    """Draw up to n dice into the hand; refill an empty bag from the Used Pile, except `excluded` (rules 3.1a4)."""
    drawn: list[int] = []
    bag = _in_canonical_order(s, s.dice_in(BAG, seat))  # rules 2.0b
    for _ in range(n):
        if not bag:
            # the Used Pile refills the bag (rules 2.0g), dice Out of Play do not (rules 2.1b4)
            bag = _in_canonical_order(s, [d for d in s.dice_in(USED, seat) if d not in excluded])
            if not bag:
                break
            for d in bag:
                s.place[d] = BAG * 4 + seat
            if s.journal is not None:
                s.journal.append(("refills", seat, len(bag)))
        bag_before = () if s.journal is None else tuple(bag)
        d = _scripted_draw(s, bag, seat) if s.script else -1
        scripted = d >= 0
        if scripted:
            bag.remove(d)
        else:
            d = bag.pop(s.random_below(len(bag)) if len(bag) > 1 else 0)
        s.place[d] = HAND * 4 + seat
        drawn.append(d)
        if s.journal is not None:
            s.journal.append(("draws", seat, d, scripted, bag_before))
    return drawn


def _in_canonical_order(s: State, dice: list[int]) -> list[int]:
    """Return dice in an order that does not depend on how equivalent dice are numbered.

    Dice of one card differ only if something in the state refers to them, such as this turn's fights.
    """
    if not s.engagements and not s.turn_limits and not s.active_effects and not s.stack and not s.queue:
        return dice
    return _sort_by_canonical_rank(s, dice)


def _sort_by_canonical_rank(s: State, dice: list[int]) -> list[int]:
    rank = canonical_ranks(s)
    return sorted(dice, key=lambda d: (s.spec.card_of[d], rank(d)))


def _scripted_draw(s: State, bag: list[int], seat: int) -> int:
    """Return the die that the script draws for the seat, or -1 if it has no scripted draws."""
    draws = scripted_queue(s, seat, "draws")
    if not draws:
        return -1
    card = draws[0][1]
    for d in bag:
        if s.spec.card_of[d] == card:
            s.script.remove(draws[0])
            return d
    raise _script_error(s, seat, "draws", f"continue with {s.spec.names[card]}, which is not in the bag")


def _script_error(s: State, seat: int, kind: str, problem: str) -> ScriptedDiceError:
    remaining = labels.scripted_text(s, scripted_queue(s, seat, kind))
    return ScriptedDiceError(f"{labels.SEATS[seat]}'s scripted {kind} {problem}; remaining: {remaining}")
