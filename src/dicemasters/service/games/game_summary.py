"""A finished game in numbers: life over the turns, what each player did, the die of the game."""

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
    """Give the game so far in numbers, from what its log tells."""
    t = game.table
    sides = SEATS[: min(2, t.n_seats)]
    life: dict[Seat, int] = {seat: view.life(game.began, SEATS.index(seat)) for seat in sides}
    course: list[LifePoint] = []
    turn = 0
    hit, kos, fielded = Counter[int](), Counter[int](), Counter[int]()  # by card
    bought: dict[int, int] = {}  # the turn in which a card's first die was bought
    deeds: dict[Seat, SideStats] = {seat: {"damage": 0, "kos": 0, "bought": 0} for seat in sides}
    last_hit: dict[int, int] = {}  # the die that damaged this one last

    def side_of(die: int) -> Seat:
        return SEATS[view.side_of(max(view.owner(game.state, die), 0))]

    def card_of(die: int) -> int:
        return view.card_of(game.state, die)

    for line in game.news():
        if line.kind == "turn":
            course.append({"turn": turn, "life": dict(life)})
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
                hit[card_of(source)] += line.amount
                deeds[side_of(source)]["damage"] += line.amount
                if not to_player:
                    last_hit[line.dice[1]] = source
        elif line.kind == "ko" and line.dice:
            by = last_hit.pop(line.dice[0], -1)
            if by >= 0:
                kos[card_of(by)] += 1
            deeds[SEATS[1 - SEATS.index(side_of(line.dice[0]))]]["kos"] += 1
        elif line.dice and _BUYS.match(line.text):
            bought.setdefault(card_of(line.dice[0]), turn)
            deeds[SEATS[view.side_of(line.seat)]]["bought"] += 1
        elif line.dice and _FIELDS.match(line.text):
            fielded[card_of(line.dice[0])] += 1
    course.append({"turn": turn, "life": dict(life)})
    names = [c for c in hit if t.n_seats <= c < t.n_real_cards]  # Sidekicks are everybody's
    best: BestDie | None = None
    if names:
        card = max(names, key=lambda c: (hit[c] + 2 * kos[c], -c))
        best = {
            "card": card,
            "damage": hit[card],
            "kos": kos[card],
            "fielded": fielded[card],
            "bought": bought.get(card),
        }
    return {"turns": turn, "life": course, "deeds": deeds, "best": best}
