"""What a position looks like to a judge: a row of numbers, gathered in one pass over the dice.

Nothing in it names a card, so that it serves any two teams, home-made cards among them; and nothing in it depends on the
dice to come.
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

# where a die is, for a judge: what was drawn goes with what will be rolled, Out of Play with the Used Pile
_FIELDED: Final = 0
_ROLLED: Final = 1
_READY: Final = 2
_SPENT: Final = 3
_BAGGED: Final = 4
_AWAY: Final = 5
_ZONE_OF: Final = [-1, _BAGGED, _READY, _ROLLED, _FIELDED, _SPENT, _SPENT, _READY, _AWAY, -1]  # by place
_OF_A_ZONE: Final = 4  # dice, what they cost, the attack and the defence that a roll of them shows on average
_ZONES: Final = 3  # where the zones begin

OF_A_SIDE: Final = (
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
SHARED: Final = ("turn", "turn, root")
WIDTH: Final = len(OF_A_SIDE)
LENGTH: Final = 2 * WIDTH + len(SHARED)
NAMES: Final = (
    *(f"next: {name}" for name in OF_A_SIDE),
    *(f"other: {name}" for name in OF_A_SIDE),
    *SHARED,
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
_OF_LIFE: Final = 36
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

DANGER: Final = 5  # life
DRAWN: Final = 4  # dice a turn


@final
class DieValues:
    """What a die of each card is worth on average, for one table."""

    def __init__(self, t: GameSpec) -> None:
        self.spec = t
        self.cost: vec[float] = vec[float]([float(card.cost) for card in t.cards])
        self.a: vec[float] = vec[float]([sum(face.a for face in card.die.faces if face.level) / 6 for card in t.cards])
        self.d: vec[float] = vec[float]([sum(face.d for face in card.die.faces if face.level) / 6 for card in t.cards])
        self.fielding: vec[float] = vec[float](
            [
                sum(face.field for face in card.die.faces if face.level)
                / max(1, sum(1 for face in card.die.faces if face.level))
                for card in t.cards
            ]
        )


@final
class _Last:
    """The worths that were asked for last: a player thinks about one table at a time."""

    def __init__(self) -> None:
        self.values: DieValues | None = None


_LAST: Final = _Last()


def die_values(t: GameSpec) -> DieValues:
    """Give the worths of a table's dice."""
    found = _LAST.values
    if found is None or found.spec is not t:
        found = _LAST.values = DieValues(t)
    return found


def features(s: State) -> vec[float]:
    """Give the row of a position between two turns: of the side that is next, of the other, of both."""
    t = s.spec
    w = die_values(t)
    cost, mean_a, mean_d, fielding = w.cost, w.a, w.d, w.fielding
    x: vec[float] = vec[float]([0.0] * LENGTH)
    place, face, owner = s.place, s.face, s.owner
    card_of, m6, kinds, pips, owner_of_card = t.card_of, t.face_base, t.kinds, t.pips, t.owner_of_card
    seats: int = t.n_seats
    next_ = s.active & 1
    rules = characteristics.static_stat_rules(s) if t.has_static_stat_rules else characteristics.NO_STAT_RULES
    crushing = "Overcrush" in t.keywords_at_table
    strengths: list[list[int]] = [[], []]
    counted: list[int] = [0, 0]
    last_left: list[int] = [-1, -1]
    for d in range(t.n_dice):
        byte = place[d]
        at = byte >> 2
        c = card_of[d]
        if at == CARD:
            of = owner_of_card[c]
            if of >= 0 and last_left[of & 1] != c:
                last_left[of & 1] = c
                base = 0 if of & 1 == next_ else WIDTH
                x[base + _LEFT] += 1.0
                if cost[c] > x[base + _HIGHEST]:
                    x[base + _HIGHEST] = cost[c]
            continue
        if at == GONE:
            continue
        side = (owner[d] if at == HELD else byte) & 1
        base = 0 if side == next_ else WIDTH
        zone = _ZONE_OF[at]
        if zone == _ROLLED:
            x[base + _ENERGY] += float(pips[m6[d] + face[d]])
        i = base + _ZONES + zone * _OF_A_ZONE
        x[i] += 1.0
        x[i + 1] += cost[c]
        x[i + 2] += mean_a[c]
        x[i + 3] += mean_d[c]
        counted[side] += 1
        if c >= seats:
            x[base + _BOUGHT] += 1.0
            x[base + _MEAN_COST] += cost[c]
            x[base + _MEAN_A] += mean_a[c]
            x[base + _MEAN_D] += mean_d[c]
            x[base + _MEAN_FIELDING] += fielding[c]
            if not t.is_character_die[d]:
                x[base + _ACTIONS] += 1.0
        if at == FIELD and kinds[m6[d] + face[d]] == CHARACTER:
            a, de = characteristics.stats_with_rules(s, d, rules)
            strengths[side].append(a)
            x[base + _A_NOW] += a
            x[base + _D_NOW] += de
            if a > x[base + _BEST_A]:
                x[base + _BEST_A] = a
            if de > x[base + _BEST_D]:
                x[base + _BEST_D] = de
            if c < seats:
                x[base + _SIDEKICKS] += 1.0
            if crushing and characteristics.has_keyword(s, d, "Overcrush"):
                x[base + _OVERCRUSH] += a
    for side in range(2):
        base = 0 if side == next_ else WIDTH
        life, opposing = s.life[side], max(1, s.life[1 - side])
        x[base] = float(life)
        x[base + 1] = sqrt(max(0, life))
        x[base + 2] = 1.0 if life <= DANGER else 0.0
        mine = strengths[side]
        mine.sort()
        past = 0
        for n in range(len(mine) - len(strengths[1 - side])):
            past += mine[n]
        x[base + _PAST] = float(past)
        x[base + _PAST_OF_LIFE] = min(1.0, past / opposing)
        x[base + _PAST_ENOUGH] = 1.0 if past >= opposing else 0.0
        x[base + _OF_LIFE] = min(2.0, x[base + _A_NOW] / opposing)
        if counted[side]:
            x[base + _SHARE] = x[base + _BOUGHT] / counted[side]
        n_bought = max(1.0, x[base + _BOUGHT])
        x[base + _MEAN_COST] /= n_bought
        x[base + _MEAN_A] /= n_bought
        x[base + _MEAN_D] /= n_bought
        x[base + _MEAN_FIELDING] /= n_bought
        _expect(x, base)
        if t.solitaire is not None and t.solitaire.seat & 1 == side:
            x[base + _SCRIPT] = 1.0
    x[2 * WIDTH] = float(s.turn)
    x[2 * WIDTH + 1] = sqrt(s.turn)
    return x


def _expect(x: vec[float], base: int) -> None:
    """Note what the side's next roll has on average: the Prep Area, and dice from the bag, then from the Used Pile."""
    ready = base + _ZONES + _READY * _OF_A_ZONE
    bag = base + _ZONES + _BAGGED * _OF_A_ZONE
    used = base + _ZONES + _SPENT * _OF_A_ZONE
    in_bag, in_used = x[bag], x[used]
    from_bag = in_bag if in_bag < DRAWN else float(DRAWN)
    from_used = DRAWN - from_bag
    if from_used > in_used:
        from_used = in_used
    bag_share = from_bag / in_bag if in_bag > 0.0 else 0.0
    used_share = from_used / in_used if in_used > 0.0 else 0.0
    x[base + _NEXT_DICE] = x[ready] + from_bag + from_used
    x[base + _NEXT_COST] = x[ready + 1] + bag_share * x[bag + 1] + used_share * x[used + 1]
    x[base + _NEXT_A] = x[ready + 2] + bag_share * x[bag + 2] + used_share * x[used + 2]
