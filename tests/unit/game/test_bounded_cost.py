"""No position costs more than a multiple of an ordinary decision, counted in executed lines of Python."""

from __future__ import annotations

import random
from functools import cache
from statistics import median

import pytest
from tests.support import homemade_cards
from tests.support.effort import examples
from tests.support.steps import count_steps

from dicemasters import Game
from dicemasters._compiled import build_kind
from dicemasters.cards.catalogue import Card, catalogue
from dicemasters.game.inspect.view import UNDECIDED, State
from dicemasters.game.notation import NotationError
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.turn import loop
from dicemasters.service.games.view_builder import build_view
from dicemasters.teams.tournament_table import random_tournament_spec

pure_only = pytest.mark.skipif(build_kind() != "pure Python", reason="compiled code executes no lines of Python")

# In crowded positions three of four choices stay below 50 ordinary ones. The most expensive choices end a combat of 100 dice,
# where each die that deals or takes damage is an event for every reaction and may change every condition.
MEDIANS = 50
MOST_MEDIANS = 700
DICE = {2: 56, 4: 24}  # per seat
BLOCK_WORDS = (
    "must block", "must be blocked", "blocked by at least", "blocked last", "blocks more", "blocks also",
    "cannot be blocked", "must block this", "cannot block", "must attack", "cannot attack",
)  # fmt: skip


@cache
def ordinary_steps() -> float:
    """Return the median number of steps of a decision in random games between random teams."""
    steps: list[int] = []
    for seed in range(4):
        chance = random.Random(seed)
        s = loop.new_state(random_tournament_spec(seed), seed)
        loop.advance(s)
        while s.result == UNDECIDED and len(steps) < 80 * (seed + 1):
            option = chance.choice(s.options)
            is_choice = len(s.options) > 1
            n = count_steps(lambda s=s, option=option: loop.apply(s, option))  # type: ignore[misc]
            if is_choice:
                steps.append(n)
    return median(steps)


def crowded_position(seed: int, seats: int) -> str:
    """Return a position with a full field for every player, many cards with rules about blocks, and Sidekicks."""
    chance = random.Random(seed)
    cards = [c for c in catalogue() if c.kind == "character"]
    about_blocks = [c for c in cards if any(f"'{word}'" in repr(c.abilities) for word in BLOCK_WORDS)]
    homemade = [c for c in homemade_cards.CARDS if c.kind == "character"]
    basics = chance.sample([c for c in catalogue() if c.kind == "basic"], 4)
    lines = [
        f"edition: {chance.choice(list(EDITIONS))}",
        "life: 40",
        f"basics: {'; '.join(_name(c) for c in basics)}",
    ]
    letters = "ABCD"[:seats]
    fields: list[str] = []
    for letter in letters:
        pool = chance.choice((about_blocks, about_blocks, cards, homemade))
        by_title: dict[str, Card] = {}
        for c in chance.sample(pool, len(pool)):
            by_title.setdefault(c.title, c)
        team = list(by_title.values())[: chance.choice((4, 6, 14, 28) if seats == 2 else (3, 6, 12))]
        lines.append(f"team {letter}: {'; '.join(f'{c.max}x {_name(c)}' for c in team)}")
        dice = [f"{c.title}@{chance.randint(1, 3)}" for c in team for _ in range(c.max)]
        chance.shuffle(dice)
        sidekicks = ["Sidekick"] * chance.choice((0, 4, 8))
        fields.append(f"{letter} field: {', '.join([*dice[: DICE[seats] - len(sidekicks)], *sidekicks])}")
    return "\n".join((*lines, *fields, f"turn: 5, A, {chance.choice(('main', 'attack', 'attack'))}", ""))


def _name(c: Card) -> str:
    return f"{c.name} [{c.set}]"


def check(what: str, steps: int, seed: int, s: State) -> None:
    limit = MOST_MEDIANS * ordinary_steps()
    assert steps <= limit, f"{what} of seed {seed} takes {steps} steps, more than {limit:.0f} ({s.decision.kind})"


@pure_only
@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_choices_in_crowded_positions_take_a_bounded_number_of_steps(seats: int) -> None:
    tried = 0
    steps: list[int] = []
    for seed in range(examples(quick=8, thorough=120)):
        try:
            game = Game.from_text(crowded_position(seed, seats), homemade_cards.CATALOGUE)
        except NotationError:  # more dice than a game can have
            continue
        tried += 1
        chance, s = random.Random(seed), game.state
        for n in range(30):
            if s.result != UNDECIDED:
                break
            options = [o for o in s.options if o[0] in ("attack", "block")] or s.options
            option = chance.choice(options if chance.random() < 0.9 else s.options)
            before = s.copy()
            steps.append(count_steps(lambda s=s, o=option: loop.apply(s, o)))  # type: ignore[misc]
            check(f"choice {n}", steps[-1], seed, before)
        if s.result == UNDECIDED:
            check("view", count_steps(lambda game=game: build_view(game)), seed, s)  # type: ignore[misc]
            check("position", count_steps(game.to_text), seed, s)
    assert tried > 2
    assert sorted(steps)[len(steps) * 3 // 4] <= MEDIANS * ordinary_steps()
