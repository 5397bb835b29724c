"""Exact chances of a card in the first turns: to buy a die of it, and to field that die.

In the first two turns a player rolls only Sidekicks, four per turn, and may reroll any of them once (rules 3.2). Bought
dice stay in the Used Pile until the bag is empty, which is on turn three (rules 3.1a). Therefore:

- `chance_to_buy`: the chance that four Sidekicks, rerolled as well as possible for just this purchase, pay the cost
  with one energy of each of the card's types (rules 3.3b2). It is the same on turn one and on turn two, and the two
  turns are independent; nothing that costs more than 4 can be bought.
- `chance_to_field`: on turn three, with one die of the card bought and no Sidekick fielded before, the chance that this
  die is among the four drawn of nine and shows an action, or a character whose fielding cost the other three dice pay;
  again rerolled as well as possible.

The first player's draw of three dice in the newest edition (rules 3.1c1), card texts and Globals are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from dicemasters.cards import Card
from dicemasters.cards.dice import DICE
from dicemasters.cards.language.metadata import SYMBOLS

DICE_DRAWN = 4
BAG_SIZE_ON_TURN_THREE = 9  # eight Sidekicks and the bought die
_WILD = "?"
_CHARACTER = ""  # a Sidekick's character face gives no energy
_FACES = tuple(face.energy if not face.level else _CHARACTER for face in DICE["sidekick"].faces)

Roll = tuple[str, ...]  # faces of Sidekicks, sorted


def chance_to_buy(card: Card) -> float:
    """Return the chance to buy a die of the card on turn one; it is the same on turn two.

    >>> from dicemasters.cards import catalogue
    >>> round(chance_to_buy(catalogue().find("Beast: Genetic Expert")), 3), chance_to_buy(catalogue().find("Hulk: Jade Giant"))
    (0.96, 0.0)
    """
    types = tuple(sorted(symbol for symbol in card.energy if SYMBOLS[symbol].name))
    return _chance_to_pay(card.cost, types)


def chance_to_buy_in_two(card: Card) -> float:
    """Return the chance to buy a die of the card on turn one or turn two."""
    return 1 - (1 - chance_to_buy(card)) ** 2


@cache
def chance_to_field(card: Card) -> float:
    """Return the chance to field a die of the card on turn three, or to use it if it is an action."""
    return (
        comb(BAG_SIZE_ON_TURN_THREE - 1, DICE_DRAWN - 1)
        / comb(BAG_SIZE_ON_TURN_THREE, DICE_DRAWN)
        * _chance_once_drawn(card)
    )


# --- four Sidekicks ----------------------------------------------------------------------------------------------------


@cache
def _chance_to_pay(cost: int, types: tuple[str, ...]) -> float:
    if cost > DICE_DRAWN:
        return 0.0
    chances = (
        chance * max(_chance_after_reroll(kept, cost, types) for kept in _subsets(roll))
        for roll, chance in _rolls(DICE_DRAWN)
    )
    return sum(chances)


@cache
def _chance_after_reroll(kept: Roll, cost: int, types: tuple[str, ...]) -> float:
    """Return the chance that the kept dice and the rerolled ones can pay together."""
    return sum(chance for new, chance in _rolls(DICE_DRAWN - len(kept)) if _can_pay((*kept, *new), cost, types))


def _can_pay(roll: Iterable[str], cost: int, types: tuple[str, ...]) -> bool:
    energy = Counter(face for face in roll if face != _CHARACTER)
    missing = sum(not energy[symbol] for symbol in types)
    return energy.total() >= max(cost, len(types)) and missing <= energy[_WILD]


@cache
def _rolls(number: int) -> tuple[tuple[Roll, float], ...]:
    """Return every roll of this number of Sidekicks, with its probability."""
    rolls = []
    for roll in combinations_with_replacement(sorted(set(_FACES)), number):
        counts = Counter(roll)
        ways = factorial(number) // prod(factorial(n) for n in counts.values())
        rolls.append((roll, ways * prod((_FACES.count(face) / 6) ** n for face, n in counts.items())))
    return tuple(rolls)


def _subsets(roll: Roll) -> Iterator[Roll]:
    """Yield the dice that can be kept, counting equal faces only once."""
    counts = Counter(roll)
    for numbers in product(*(range(n + 1) for n in counts.values())):
        yield tuple(face for face, n in zip(counts, numbers, strict=True) for _ in range(n))


# --- the die with three Sidekicks --------------------------------------------------------------------------------------


def _chance_once_drawn(card: Card) -> float:
    """Return the chance to field the die, or to use it, once it has been drawn with three Sidekicks."""
    sidekicks = DICE_DRAWN - 1
    energy_chance = sum(face != _CHARACTER for face in _FACES) / 6
    total = 0.0
    for face, first_energy in product(range(6), range(sidekicks + 1)):
        chance = _binomial(sidekicks, first_energy, energy_chance) / 6
        playable_chances = [
            sum(
                _binomial(sidekicks - first_energy, rerolled_energy, energy_chance)
                * _is_playable(card, new_face, first_energy + rerolled_energy)
                for rerolled_energy in range(sidekicks - first_energy + 1)
            )
            for new_face in range(6)
        ]
        # keep or reroll the die; Sidekicks without energy are always rerolled
        total += chance * max(playable_chances[face], sum(playable_chances) / 6)
    return total


def _is_playable(card: Card, face: int, energy: int) -> bool:
    shown = card.die.faces[face]
    return shown.action or (shown.level > 0 and shown.field <= energy)


def _binomial(number: int, hits: int, chance: float) -> float:
    return comb(number, hits) * chance**hits * (1 - chance) ** (number - hits)
