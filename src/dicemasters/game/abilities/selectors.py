"""Selectors: compiled descriptions that find the matching dice and players."""

from __future__ import annotations

from dicemasters.game.abilities.expressions import Predicate, Reference
from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY


class Selector:
    """Compiled description: zones to search and a predicate, or a reference that names the dice directly."""

    __slots__ = ("action_dice", "any_die", "depends", "places", "players", "predicate", "refs", "registers")

    def __init__(
        self,
        predicate: Predicate,
        refs: Reference | None,
        places: tuple[int, ...],
        players: bool,
        depends: bool,
        registers: tuple[int, ...],
        any_die: bool,
        action_dice: bool,
    ) -> None:
        self.predicate = predicate
        self.refs = refs
        self.places = places
        self.players = players
        self.depends = depends  # whether it depends on earlier effects of the ability
        self.registers = registers  # registers of the earlier choices it refers to
        self.any_die = any_die
        self.action_dice = action_dice


def select(s: State, selector: Selector, ctx: AbilityFrame) -> list[int]:
    """Return the dice and players that a selector matches now, in an order that does not depend on die numbers."""
    return _matches(s, selector, ctx, True)


def select_unordered(s: State, selector: Selector, ctx: AbilityFrame) -> list[int]:
    """Return the dice and players that a selector matches now, for counts and sums."""
    return _matches(s, selector, ctx, False)


def _matches(s: State, selector: Selector, ctx: AbilityFrame, in_order: bool) -> list[int]:
    if selector.refs is not None:
        return [x for x in selector.refs.resolve(s, ctx) if x != NOBODY]
    spec = s.spec
    predicate = selector.predicate
    matches: list[int] = []
    for place in selector.places:
        for seat in range(spec.n_seats):  # dice of all players, unless the predicate says otherwise (rules 5.2c)
            zone_matches: list[int] = []
            for d in s.iter_zone(place, seat):
                # in the field only characters match, unless the text names action dice or, in uxm, dice (rules 5.3a)
                if place == FIELD and spec.kinds[spec.face_base[d] + s.face[d]] != die_identity.CHARACTER:
                    if not (selector.action_dice or (selector.any_die and spec.edition.targets_any_die)):
                        continue
                if predicate.matches(s, d, ctx):
                    zone_matches.append(d)
            if in_order and place == FIELD:
                s.sort_equivalent(zone_matches)
            if matches:
                matches += zone_matches
            else:
                matches = zone_matches
    if selector.players:
        for side in (0, 1):
            if predicate.matches(s, PLAYER + side, ctx):
                matches.append(PLAYER + side)
    return matches


def any_match(s: State, selector: Selector, ctx: AbilityFrame) -> bool:
    """Return whether a selector matches anything now."""
    if selector.refs is not None or selector.players:
        return bool(select(s, selector, ctx))
    spec = s.spec
    predicate = selector.predicate
    for place in selector.places:
        for d in s.iter_zone_all_seats(place):
            if (
                place != FIELD
                or spec.kinds[spec.face_base[d] + s.face[d]] == die_identity.CHARACTER
                or selector.action_dice
                or (selector.any_die and spec.edition.targets_any_die)
            ):
                if predicate.matches(s, d, ctx):
                    return True
    return False


def count_characters(s: State, selector: Selector, ctx: AbilityFrame, by_dice: bool) -> int:
    """Return the number of characters: cards per player plus Sidekicks, or single dice (rules 5.5c, 5.5e, 10.3)."""
    dice = select_unordered(s, selector, ctx)
    if by_dice:
        return len(dice)
    spec = s.spec
    sidekicks = [d for d in dice if spec.card_of[d] < spec.n_seats]
    # a card of each player counts once (rules 1.3f, 1.3g, 5.2b, 5.5d)
    cards = {(die_identity.effective_card(s, d), s.place[d] & 3) for d in dice if spec.card_of[d] >= spec.n_seats}
    return len(sidekicks) + len(cards)


def energy_symbols(s: State, d: int, energy: int) -> int:
    """Return the number of energy symbols of a type that the die shows; wild energy has no type (rules 3.3a13)."""
    face = s.spec.face_base[d] + s.face[d]
    return s.spec.pips[face] if s.spec.energy[face] == energy else 0
