"""Payments in random positions: every outcome the rules allow is reachable, each in one way (rules 3.3a)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest
from tests.support.effort import examples
from tests.support.steps import count_steps

from dicemasters import Game
from dicemasters._compiled import build_kind
from dicemasters.cards.catalogue import catalogue
from dicemasters.game.game_spec import GENERIC, WILD, make_spec
from dicemasters.game.mechanics import payment
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.state.constants import HALF_SPENT, MAIN, RESERVE
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_DECISION, NOBODY, Option, Price
from dicemasters.game.turn import loop

Outcome = tuple[
    int, tuple[tuple[int, int, bool], ...]
]  # virtual energy left, and dice left in the reserve as (card, face, half spent)

TABLES = 60
POSITIONS = 25  # per table


def random_payments(edition: str, seed: int) -> Iterator[tuple[State, list[int], Price]]:
    """Yield positions with energy in A's reserve, the dice, and a price that A can pay."""
    rng = random.Random(f"{edition} {seed}")
    cards = [card for card in catalogue() if card.title != "Cerebro"]  # its double energy cannot be half spent
    own = [card for card in cards if card.kind != "basic"]
    basics = [card for card in cards if card.kind == "basic"]
    for _ in range(TABLES):
        teams = [tuple((card, 3) for card in rng.sample(own, 2)), ((own[0], 1),)]
        table = make_spec(EDITIONS[edition], teams, [(card, 3) for card in rng.sample(basics, 2)], 20)
        for _ in range(POSITIONS):
            s = loop.new_state(table, 1, 0)
            s.step = MAIN
            mine = [d for d in range(table.n_dice) if s.owner[d] in (0, NOBODY)]
            dice = rng.sample(mine, rng.randint(1, 5))
            for d in dice:
                _show_energy(s, d, rng)
            s.virtual_energy[0] = rng.choice((0, 0, 1, 2))
            types = Counter(rng.randrange(4) for _ in range(rng.choice((0, 0, 1, 1, 2))))
            total = types.total() + rng.randint(0, 4)
            price = (types[0], types[1], types[2], types[3], total)
            if total and payment.can_pay(payment.energy_pool(s, 0), price):
                yield s, dice, price


def _show_energy(s: State, d: int, rng: random.Random) -> None:
    t = s.spec
    first = t.face_base[d]
    if s.owner[d] == NOBODY:
        s.set_owner(d, 0)
    s.face[d] = t.first_equal_face[first + rng.choice([face for face in range(6) if t.pips[first + face]])]
    s.place[d] = RESERVE * 4
    if rng.random() < 0.4 and s.face[d] in [t.half_spent_face[first + face] for face in range(6)]:
        s.flags[d] |= HALF_SPENT


def remaining(s: State, dice: list[int]) -> Outcome:
    """Return what A has left of these dice."""
    kept = [d for d in dice if s.place[d] == RESERVE * 4]
    return s.virtual_energy[0], tuple(sorted((s.spec.card_of[d], s.face[d], s.flags[d] & HALF_SPENT > 0) for d in kept))


def count_outcomes(s: State, dice: list[int], price: Price) -> Counter[Outcome]:
    """Count the ways in which the engine reaches each outcome."""
    begun = s.copy()
    payment.start_payment(begun, 0, price)
    payment.run_payment(begun, payment.pending_payment(begun))
    found: Counter[Outcome] = Counter()
    open_ = [begun]
    while open_:
        now = open_.pop()
        if not now.stack:
            found[remaining(now, dice)] += 1
            continue
        for option in now.options:
            then = now.copy()
            then.answer, then.decision = option, NO_DECISION
            payment.run_payment(then, payment.pending_payment(then))
            open_.append(then)
    return found


def allowed_outcomes(s: State, dice: list[int], price: Price) -> set[Outcome]:
    """Return the outcomes that the rules allow, by trying every share of every die."""
    t = s.spec
    shown = [
        (
            d,
            t.energy[t.face_base[d] + s.face[d]],
            t.pips[t.face_base[d] + s.face[d]],
            t.half_spent_face[t.face_base[d] + s.face[d]],
        )
        for d in dice
    ]
    found: set[Outcome] = set()
    for shares in product(*(range(pips + 1) for _, _, pips, _ in shown), range(s.virtual_energy[0] + 1)):
        spent = Counter({GENERIC: shares[-1]})
        for (_, sort, _, _), n in zip(shown, shares, strict=False):
            spent[sort] += n
        if spent.total() != price[4] or sum(max(0, price[i] - spent[i]) for i in range(4)) > spent[WILD]:
            continue
        over = s.virtual_energy[0] - shares[-1]
        kept: list[tuple[int, int, bool]] = []
        for (d, sort, pips, less), n in zip(shown, shares, strict=False):
            if not n:
                kept.append((t.card_of[d], s.face[d], s.flags[d] & HALF_SPENT > 0))
            elif n < pips and sort == GENERIC:
                over += pips - n if t.edition.virtual_generic else 0
            elif n < pips:
                kept.append((t.card_of[d], less, True))
        found.add((over, tuple(sorted(kept))))
    return found


def is_contained(one: Outcome, other: Outcome) -> bool:
    """Return whether the other outcome keeps everything that this one keeps."""
    return other[0] >= one[0] and not Counter(one[1]) - Counter(other[1])


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_payment_outcome_is_offered_exactly_once(edition: str) -> None:
    for s, dice, price in random_payments(edition, 1):
        ways = count_outcomes(s, dice, price)
        assert set(ways.values()) == {1}, (price, remaining(s, dice), ways.most_common(1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_allowed_payment_outcome_is_offered(edition: str) -> None:
    """Before 2018 a generic die pays as much as it can, so outcomes that only waste energy are not offered."""
    for s, dice, price in random_payments(edition, 2):
        offered, legal = set(count_outcomes(s, dice, price)), allowed_outcomes(s, dice, price)
        assert offered <= legal
        if s.spec.edition.virtual_generic:
            assert offered == legal, (price, remaining(s, dice), legal - offered)
        else:
            assert all(any(is_contained(end, x) for x in offered) for end in legal - offered), (
                price,
                remaining(s, dice),
            )


# --- doubles that cannot be split ------------------------------------------------------------------------------------


def outcomes_of(s: State, option: Option) -> set[tuple[int, ...]]:
    """Return what can be left of the energy after all payments that begin with an option, by trying them."""
    after = s.copy()
    frame = payment.pending_payment(after)
    payment._spend(after, frame, option[1], option[2])
    if frame.left() <= 0:
        kept = sorted(payment.payment_class(after, d) for d in after.iter_zone(RESERVE, frame.seat))
        return {(after.virtual_energy[frame.seat], *kept)}
    following = payment._payment_options(after, frame, frame.left())
    return {outcome for option in following for outcome in outcomes_of(after, option)}


def distinct_payments(s: State) -> list[Option]:
    """Return the options of a payment with at least one outcome that no earlier option has."""
    frame = payment.pending_payment(s)
    seen: set[tuple[int, ...]] = set()
    distinct: list[Option] = []
    for option in payment._payment_options(s, frame, frame.left()):
        outcomes = outcomes_of(s, option)
        if not outcomes <= seen:
            distinct.append(option)
            seen |= outcomes
    return distinct


@pytest.mark.soak
def test_payments_with_unsplittable_doubles_have_distinct_outcomes() -> None:
    checked = 0
    for seed in range(examples(quick=60, thorough=1500)):
        chance = random.Random(seed)
        others = [
            "Hulk:F",
            "Hulk:FF",
            "Professor X:M",
            "Professor X:MM",
            "Smash!:2",
            *(f"Sidekick:{x}" for x in "FBMS?"),
        ]
        reserve = ["Cerebro:MM"] * chance.randint(1, 3) + chance.choices(others, k=chance.randint(1, 5))
        if max(reserve.count(name) for name in others[:5]) > 2:
            continue
        game = Game.from_text(
            f"edition: {chance.choice(list(EDITIONS))}\nbasics: Smash! [avx]; Force Beam [avx]\n"
            "team A: 3x Cerebro: Supercomputer [uxm]; 4x Hulk: Jade Giant; 4x Professor X: Principal [avx]; "
            f"2x Thor: Lord of Asgard\nA reserve: {', '.join(reserve)}\nturn: 5, A, main\n"
        )
        for bought in [option for option in game.state.options if option[0] == "buy"]:
            s = game.state.copy()
            loop.apply(s, bought)
            while s.decision.kind == "pay":
                assert s.options == distinct_payments(s), (seed, reserve)
                checked += 1
                loop.apply(s, chance.choice(s.options))
    assert checked > 100


@pytest.mark.skipif(build_kind() != "pure Python", reason="compiled code executes no lines of Python")
def test_payment_with_many_different_dice_and_an_unsplittable_double_takes_few_steps() -> None:
    by_title = {c.title: c for c in catalogue() if c.kind == "character" and c.set == "avx"}
    team = list(by_title.values())[:24]
    dice = [f"{c.title}:{c.energy[0] * 2}" for c in team]
    game = Game.from_text(
        "edition: avx\nbasics: Smash! [avx]\nteam A: 3x Cerebro: Supercomputer [uxm]; "
        f"{'; '.join(f'2x {c.name} [avx]' for c in team)}\nA reserve: Cerebro:MM, {', '.join(dice)}\nturn: 5, A, main\n"
    )
    for option in [option for option in game.state.options if option[0] == "buy"][-3:]:
        s = game.state.copy()
        assert count_steps(partial(loop.apply, s, option)) < 30_000
        assert len(s.options) > 30
