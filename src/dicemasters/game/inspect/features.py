"""Features of a position for value functions: a vector of numbers gathered in one pass over the dice.

The features name no card, so they work for any two teams, home-made cards included. They do not depend on future
dice.
"""

from __future__ import annotations

from math import sqrt
from typing import Final, final

from librt.vecs import vec

from dicemasters.game.game_spec import GameSpec
from dicemasters.game.queries import characteristics
from dicemasters.game.queries.die_identity import CHARACTER
from dicemasters.game.state.constants import CARD, FIELD, GONE, HELD
from dicemasters.game.state.state import COMPILED as COMPILED
from dicemasters.game.state.state import State

# zones as features: drawn dice count as ready to roll, Out of Play as the Used Pile
_FIELDED: Final = 0
_ROLLED: Final = 1
_READY: Final = 2
_SPENT: Final = 3
_BAGGED: Final = 4
_AWAY: Final = 5
_ZONE_OF: Final = [-1, _BAGGED, _READY, _ROLLED, _FIELDED, _SPENT, _SPENT, _READY, _AWAY, -1]  # by place
_ZONE_STRIDE: Final = 4  # features per zone: dice, purchase cost, and mean A and D of a roll
_ZONES_OFFSET: Final = 3  # index of the first feature about zones

SIDE_FEATURES: Final = (
    "life",
    "life, root",
    "life: in danger",
    *(
        f"{zone}: {what}"
        for zone in ("field", "reserve", "prep", "used", "bag", "away")
        for what in ("dice", "cost", "A", "D")
    ),
    "field: A now",
    "field: D now",
    "field: best A",
    "field: best D",
    "field: Sidekicks",
    "field: Overcrush A",
    "field: A past blockers",
    "field: A past blockers, of the opposing life",
    "field: A past blockers is enough",
    "field: A now, of the opposing life",
    "next roll: dice",
    "next roll: cost",
    "next roll: A",
    "reserve: energy",
    "owned: bought dice",
    "owned: share of bought dice",
    "owned: actions",
    "owned: mean cost",
    "owned: mean A",
    "owned: mean D",
    "owned: mean fielding cost",
    "left to buy: cards",
    "left to buy: highest cost",
    "is the script",
)
SHARED_FEATURES: Final = ("turn", "turn, root")
WIDTH: Final = len(SIDE_FEATURES)
LENGTH: Final = 2 * WIDTH + len(SHARED_FEATURES)
NAMES: Final = (
    *(f"next: {name}" for name in SIDE_FEATURES),
    *(f"other: {name}" for name in SIDE_FEATURES),
    *SHARED_FEATURES,
)

_A_NOW: Final = 27
_D_NOW: Final = 28
_BEST_A: Final = 29
_BEST_D: Final = 30
_SIDEKICKS: Final = 31
_OVERCRUSH: Final = 32
_PAST: Final = 33
_PAST_OF_LIFE: Final = 34
_PAST_ENOUGH: Final = 35
_A_OF_LIFE: Final = 36
_NEXT_DICE: Final = 37
_NEXT_COST: Final = 38
_NEXT_A: Final = 39
_ENERGY: Final = 40
_BOUGHT: Final = 41
_SHARE: Final = 42
_ACTIONS: Final = 43
_MEAN_COST: Final = 44
_MEAN_A: Final = 45
_MEAN_D: Final = 46
_MEAN_FIELDING: Final = 47
_LEFT: Final = 48
_HIGHEST: Final = 49
_SCRIPT: Final = 50

LOW_LIFE: Final = 5
DICE_PER_DRAW: Final = 4


@final
class DieValues:
    """Average values of one die of each card of a game."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.cost: vec[float] = vec[float]([float(card.cost) for card in spec.cards])
        self.a: vec[float] = vec[float](
            [sum(face.a for face in card.die.faces if face.level) / 6 for card in spec.cards]
        )
        self.d: vec[float] = vec[float](
            [sum(face.d for face in card.die.faces if face.level) / 6 for card in spec.cards]
        )
        self.fielding: vec[float] = vec[float](
            [
                sum(face.field for face in card.die.faces if face.level)
                / max(1, sum(1 for face in card.die.faces if face.level))
                for card in spec.cards
            ]
        )


@final
class _DieValuesCache:
    """Cache of the last result of `die_values`; a player evaluates positions of one game at a time."""

    def __init__(self) -> None:
        self.values: DieValues | None = None


_CACHE: Final = _DieValuesCache()


def die_values(spec: GameSpec) -> DieValues:
    """Return the average values of the dice of a game."""
    values = _CACHE.values
    if values is None or values.spec is not spec:
        values = _CACHE.values = DieValues(spec)
    return values


def features(s: State) -> vec[float]:
    """Return the features of a position between two turns: of the next side, of the other side, and shared ones."""
    spec = s.spec
    values = die_values(spec)
    cost, mean_a, mean_d, fielding = values.cost, values.a, values.d, values.fielding
    x: vec[float] = vec[float]([0.0] * LENGTH)
    place, face, owner = s.place, s.face, s.owner
    card_of, face_base, kinds, pips, owner_of_card = (
        spec.card_of,
        spec.face_base,
        spec.kinds,
        spec.pips,
        spec.owner_of_card,
    )
    seats: int = spec.n_seats
    next_side = s.active & 1
    rules = characteristics.static_stat_rules(s) if spec.has_static_stat_rules else characteristics.NO_STAT_RULES
    has_overcrush = "Overcrush" in spec.keywords_at_table
    attacks: list[list[int]] = [[], []]
    counted: list[int] = [0, 0]
    last_left: list[int] = [-1, -1]
    for d in range(spec.n_dice):
        byte = place[d]
        location = byte >> 2
        card = card_of[d]
        if location == CARD:
            owner_seat = owner_of_card[card]
            if owner_seat >= 0 and last_left[owner_seat & 1] != card:
                last_left[owner_seat & 1] = card
                base = 0 if owner_seat & 1 == next_side else WIDTH
                x[base + _LEFT] += 1.0
                if cost[card] > x[base + _HIGHEST]:
                    x[base + _HIGHEST] = cost[card]
            continue
        if location == GONE:
            continue
        side = (owner[d] if location == HELD else byte) & 1
        base = 0 if side == next_side else WIDTH
        zone = _ZONE_OF[location]
        if zone == _ROLLED:
            x[base + _ENERGY] += float(pips[face_base[d] + face[d]])
        i = base + _ZONES_OFFSET + zone * _ZONE_STRIDE
        x[i] += 1.0
        x[i + 1] += cost[card]
        x[i + 2] += mean_a[card]
        x[i + 3] += mean_d[card]
        counted[side] += 1
        if card >= seats:
            x[base + _BOUGHT] += 1.0
            x[base + _MEAN_COST] += cost[card]
            x[base + _MEAN_A] += mean_a[card]
            x[base + _MEAN_D] += mean_d[card]
            x[base + _MEAN_FIELDING] += fielding[card]
            if not spec.is_character_die[d]:
                x[base + _ACTIONS] += 1.0
        if location == FIELD and kinds[face_base[d] + face[d]] == CHARACTER:
            attack, defence = characteristics.stats_with_rules(s, d, rules)
            attacks[side].append(attack)
            x[base + _A_NOW] += attack
            x[base + _D_NOW] += defence
            if attack > x[base + _BEST_A]:
                x[base + _BEST_A] = attack
            if defence > x[base + _BEST_D]:
                x[base + _BEST_D] = defence
            if card < seats:
                x[base + _SIDEKICKS] += 1.0
            if has_overcrush and characteristics.has_keyword(s, d, "Overcrush"):
                x[base + _OVERCRUSH] += attack
    for side in range(2):
        base = 0 if side == next_side else WIDTH
        life, opposing = s.life[side], max(1, s.life[1 - side])
        x[base] = float(life)
        x[base + 1] = sqrt(max(0, life))
        x[base + 2] = 1.0 if life <= LOW_LIFE else 0.0
        own = attacks[side]
        own.sort()
        unblocked = 0
        for n in range(len(own) - len(attacks[1 - side])):
            unblocked += own[n]
        x[base + _PAST] = float(unblocked)
        x[base + _PAST_OF_LIFE] = min(1.0, unblocked / opposing)
        x[base + _PAST_ENOUGH] = 1.0 if unblocked >= opposing else 0.0
        x[base + _A_OF_LIFE] = min(2.0, x[base + _A_NOW] / opposing)
        if counted[side]:
            x[base + _SHARE] = x[base + _BOUGHT] / counted[side]
        n_bought = max(1.0, x[base + _BOUGHT])
        x[base + _MEAN_COST] /= n_bought
        x[base + _MEAN_A] /= n_bought
        x[base + _MEAN_D] /= n_bought
        x[base + _MEAN_FIELDING] /= n_bought
        _add_next_roll(x, base)
        if spec.solitaire is not None and spec.solitaire.seat & 1 == side:
            x[base + _SCRIPT] = 1.0
    x[2 * WIDTH] = float(s.turn)
    x[2 * WIDTH + 1] = sqrt(s.turn)
    return x


def _add_next_roll(x: vec[float], base: int) -> None:
    """Add the expected values of the side's next roll: the Prep Area, then dice of the bag, then of the Used Pile."""
    ready = base + _ZONES_OFFSET + _READY * _ZONE_STRIDE
    bag = base + _ZONES_OFFSET + _BAGGED * _ZONE_STRIDE
    spent = base + _ZONES_OFFSET + _SPENT * _ZONE_STRIDE
    in_bag, in_spent = x[bag], x[spent]
    from_bag = in_bag if in_bag < DICE_PER_DRAW else float(DICE_PER_DRAW)
    from_spent = DICE_PER_DRAW - from_bag
    if from_spent > in_spent:
        from_spent = in_spent
    bag_share = from_bag / in_bag if in_bag > 0.0 else 0.0
    spent_share = from_spent / in_spent if in_spent > 0.0 else 0.0
    x[base + _NEXT_DICE] = x[ready] + from_bag + from_spent
    x[base + _NEXT_COST] = x[ready + 1] + bag_share * x[bag + 1] + spent_share * x[spent + 1]
    x[base + _NEXT_A] = x[ready + 2] + bag_share * x[bag + 2] + spent_share * x[spent + 2]
