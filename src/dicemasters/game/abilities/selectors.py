"""Finding dice: what a description means now, on the table as it lies."""

from __future__ import annotations

from dicemasters.game.abilities.expressions import Predicate, Reference
from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY


class Selector:
    """A description ready to be looked up: where to look and what to test, or what it points at."""

    __slots__ = ("action_dice", "any_die", "depends", "places", "players", "refs", "registers", "test")

    def __init__(
        self,
        test: Predicate,
        refs: Reference | None,
        places: tuple[int, ...],
        players: bool,
        depends: bool,
        registers: tuple[int, ...],
        any_die: bool,
        action_dice: bool,
    ) -> None:
        self.test = test
        self.refs = refs
        self.places = places
        self.players = players
        self.depends = depends  # on what happens earlier
        self.registers = registers  # on what is chosen earlier
        self.any_die = any_die
        self.action_dice = action_dice


def select(s: State, group: Selector, c: AbilityFrame) -> list[int]:
    """List the dice and players a description means now."""
    if group.refs is not None:
        return [x for x in group.refs.resolve(s, c) if x != NOBODY]
    t = s.spec
    test = group.test
    out: list[int] = []
    for place in group.places:
        for seat in range(t.n_seats):
            here: list[int] = []
            for d in s.iter_zone(place, seat):
                # only characters are reached in the field, unless a text says action dice, or dice in uxm (5.3a)
                if place == FIELD and t.kinds[t.face_base[d] + s.face[d]] != die_identity.CHARACTER:
                    if not (group.action_dice or (group.any_die and t.edition.targets_any_die)):
                        continue
                if test.matches(s, d, c):
                    here.append(d)
            if place == FIELD:
                s.sort_equivalent(here)
            if out:
                out += here
            else:
                out = here
    if group.players:
        for side in (0, 1):
            if test.matches(s, PLAYER + side, c):
                out.append(PLAYER + side)
    return out


def any_match(s: State, group: Selector, c: AbilityFrame) -> bool:
    """Tell whether a description means anything now."""
    if group.refs is not None or group.players:
        return bool(select(s, group, c))
    t = s.spec
    test = group.test
    for place in group.places:
        for d in s.iter_zone_all_seats(place):
            if (
                place != FIELD
                or t.kinds[t.face_base[d] + s.face[d]] == die_identity.CHARACTER
                or group.action_dice
                or (group.any_die and t.edition.targets_any_die)
            ):
                if test.matches(s, d, c):
                    return True
    return False


def count_characters(s: State, group: Selector, c: AbilityFrame, by_dice: bool) -> int:
    """Count characters: cards of each player, every Sidekick for itself, or single dice (rules 5.5)."""
    dice = select(s, group, c)
    if by_dice:
        return len(dice)
    t = s.spec
    sidekicks = [d for d in dice if t.card_of[d] < t.n_seats]
    cards = {(die_identity.effective_card(s, d), s.place[d] & 3) for d in dice if t.card_of[d] >= t.n_seats}
    return len(sidekicks) + len(cards)


def energy_symbols(s: State, d: int, kind: int) -> int:
    """Give how many energy symbols of a type the die shows; wild counts as no type (rules 3.3a)."""
    i = s.spec.face_base[d] + s.face[d]
    return s.spec.pips[i] if s.spec.energy[i] == kind else 0
