"""Statistics of a game: life per turn, each side's totals, and the card whose dice did the most."""

from __future__ import annotations

import re
from collections import Counter

from dicemasters.game.game import Game
from dicemasters.game.inspect import view
from dicemasters.service.protocol.game_schema import SEATS, Seat
from dicemasters.service.protocol.http_schema import BestDie, GameSummary, LifePoint, SideStats

_BUYS = re.compile(r"\w buys ")
_FIELDS = re.compile(r"\w fields ")


def build_summary(game: Game) -> GameSummary:
    """Return the statistics of the game so far, computed from its log."""
    spec = game.table
    sides = SEATS[: min(2, spec.n_seats)]
    life: dict[Seat, int] = {seat: view.life(game.began, SEATS.index(seat)) for seat in sides}
    life_points: list[LifePoint] = []
    turn = 0
    damage_by_card, kos_by_card, fielded_by_card = Counter[int](), Counter[int](), Counter[int]()
    first_bought: dict[int, int] = {}  # turn of the first purchase, by card
    side_stats: dict[Seat, SideStats] = {seat: {"damage": 0, "kos": 0, "bought": 0} for seat in sides}
    last_source: dict[int, int] = {}  # last die that damaged each die

    def side_of(die: int) -> Seat:
        return SEATS[view.side_of(max(view.owner(game.state, die), 0))]

    def card_of(die: int) -> int:
        return view.card_of(game.state, die)

    for line in game.news():
        if line.kind == "turn":
            life_points.append({"turn": turn, "life": dict(life)})
            turn += 1
        elif line.kind == "life":
            life[SEATS[view.side_of(line.seat)]] += line.amount
        elif line.kind == "damage":
            to_player = line.seat >= 0
            if to_player:
                side = SEATS[view.side_of(line.seat)]
                life[side] = max(0, life[side] - line.amount)
            if not line.dice:
                continue
            source = line.dice[0] if to_player or len(line.dice) > 1 else -1
            if source >= 0:
                damage_by_card[card_of(source)] += line.amount
                side_stats[side_of(source)]["damage"] += line.amount
                if not to_player:
                    last_source[line.dice[1]] = source
        elif line.kind == "ko" and line.dice:
            killer = last_source.pop(line.dice[0], -1)
            if killer >= 0:
                kos_by_card[card_of(killer)] += 1
            side_stats[SEATS[1 - SEATS.index(side_of(line.dice[0]))]]["kos"] += 1
        elif line.dice and _BUYS.match(line.text):
            first_bought.setdefault(card_of(line.dice[0]), turn)
            side_stats[SEATS[view.side_of(line.seat)]]["bought"] += 1
        elif line.dice and _FIELDS.match(line.text):
            fielded_by_card[card_of(line.dice[0])] += 1
    life_points.append({"turn": turn, "life": dict(life)})
    candidates = [
        c for c in damage_by_card if spec.n_seats <= c < spec.n_real_cards
    ]  # without Sidekicks, which every player has
    best: BestDie | None = None
    if candidates:
        card = max(candidates, key=lambda c: (damage_by_card[c] + 2 * kos_by_card[c], -c))
        best = {
            "card": card,
            "damage": damage_by_card[card],
            "kos": kos_by_card[card],
            "fielded": fielded_by_card[card],
            "bought": first_bought.get(card),
        }
    return {"turns": turn, "life": life_points, "deeds": side_stats, "best": best}
