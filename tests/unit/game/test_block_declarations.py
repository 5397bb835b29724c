"""Declaring blocks: exactly the legal sets are offered, and they meet as many requirements as possible (rules 3.4b)."""

from __future__ import annotations

import random
from itertools import combinations

from dicemasters.game import Game
from dicemasters.game.mechanics.combat import declarations, restrictions
from dicemasters.game.queries import combat_status, die_identity, static_rules
from dicemasters.game.state.state import State
from dicemasters.game.text.describe import option_texts

ATTACKERS = (
    "She-Hulk: Lady Liberator",
    "Gamora: Power Gem",
    "Rocket Raccoon: Bandit",
    "Kitty Pryde: Sprite",
    "Angel: Flying High",
    "Bishop: Omega Squad",
    "Deadpool: Assassin",
)
BLOCKERS = (
    "Vision: Unearthly, Inhuman",
    "Maria Hill: Deputy Director",
    "Loki: Ice in his Veins",
    "Cyclops: Overlook",
    "Sidekick",
)
Blocks = frozenset[tuple[int, int]]


def _game_at_blocks(seed: int) -> Game:
    """Play to the declaration of blockers, with some block requirements in force."""
    chance = random.Random(seed)
    attackers = chance.sample(ATTACKERS, chance.randint(1, 3))
    blockers = [chance.choice(BLOCKERS) for _ in range(chance.randint(1, 3))]
    team = "; ".join(sorted({x for x in blockers if x != "Sidekick"}))
    game = Game.from_text(
        f"edition: cw\nteam A: {'; '.join(attackers)}; Wasp: Fashionista\n"
        + (f"team B: {team}\n" if team else "")
        + f"A field: {', '.join(x.split(':')[0] + '@1' for x in attackers)}, Sidekick\n"
        + f"B field: {', '.join(x.split(':')[0] for x in blockers)}\n"
        + ("A reserve: M\n" if seed % 2 else "")
        + "turn: 5, A, main\n"
    )
    while (decision := game.decision) is not None and decision.kind not in ("block", "fight"):
        options = decision.options
        wanted = [x for x in options if x.text.startswith(("Global", "attack with", "yes"))]
        if decision.kind == "choose":
            wanted = [chance.choice([x for x in options if "B's" in x.text] or list(options))]
        game.play(wanted[0] if wanted else options[-1])
    return game


def _offered_blocks(s: State) -> set[Blocks]:
    """Return all sets of blocks that the decision allows."""
    found: set[Blocks] = set()
    for what, blocker, attacker in declarations.block_options(s):
        if what == "done":
            found.add(frozenset(s.blocks))
        else:
            after = s.copy()
            declarations.declare_block(after, blocker, attacker)
            found |= _offered_blocks(after)
    return found


def _legal_blocks(s: State) -> list[Blocks]:
    """Return the legal sets of blocks that meet the most requirements, by trying every set."""
    attackers, blockers = combat_status.attackers(s), die_identity.fielded_characters(s, 1)
    pairs = [(b, a) for b in blockers for a in attackers if combat_status.may_block(s, b, a)]
    found = [frozenset(x) for n in range(len(pairs) + 1) for x in combinations(pairs, n)]
    found = [x for x in found if _is_allowed(s, x)]
    best = max(_count_requirements_met(s, x) for x in found)
    return [x for x in found if _count_requirements_met(s, x) == best]


def _is_allowed(s: State, blocks: Blocks) -> bool:
    attackers = combat_status.attackers(s)
    blocked = {a for _, a in blocks}
    for b in {b for b, _ in blocks}:
        mine = [a for x, a in blocks if x == b]
        if any(not _may_also_block(s, b, mine[:n], mine[n]) for n in range(1, len(mine))):
            return False
    for a in blocked:
        least = max([n for _, _, n, _ in static_rules.rules_affecting(s, "blocked by at least", a)], default=1)
        if sum(x == a for _, x in blocks) < least:
            return False
        for rule, ctx, _, _ in static_rules.rules_affecting(s, "blocked last", a):
            assert rule is not None
            assert rule.by is not None
            if any(x != a and x not in blocked and rule.by.matches(s, x, ctx) for x in attackers):
                return False
    return True


def _may_also_block(s: State, blocker: int, mine: list[int], attacker: int) -> bool:
    if len(mine) <= sum(n for _, _, n, _ in static_rules.rules_affecting(s, "blocks also", blocker)):
        return True
    for rule, ctx, n, _ in static_rules.rules_affecting(s, "blocks more", blocker):
        by = None if rule is None else rule.by
        if len(mine) <= n and (by is None or all(by.matches(s, a, ctx) for a in (*mine, attacker))):
            return True
    return False


def _count_requirements_met(s: State, blocks: Blocks) -> int:
    total = len({a for _, a in blocks if static_rules.is_affected_by(s, "must be blocked", a)})
    for b in {b for b, _ in blocks}:
        called = [ctx.this for _, ctx, _, _ in static_rules.rules_affecting(s, "must block this", b)]
        total += restrictions.must_attack_or_block(s, "must block", b) + any((b, a) in blocks for a in called)
    return total


def _by_card(s: State, every: set[Blocks]) -> set[tuple[tuple[int, int], ...]]:
    """Return sets of blocks by card, because equal dice are interchangeable."""
    card_of = s.spec.card_of
    return {tuple(sorted((card_of[b], card_of[a]) for b, a in blocks)) for blocks in every}


def test_exactly_the_legal_blocks_are_offered() -> None:
    for seed in range(80):
        game = _game_at_blocks(seed)
        s = game.state
        assert game.decision is not None, seed
        assert game.decision.kind == "block", seed
        offered, legal = _offered_blocks(s), set(_legal_blocks(s))
        assert offered <= legal, game.to_text()
        assert _by_card(s, offered) == _by_card(s, legal), game.to_text()


def test_block_requirements_hold_with_many_combinations() -> None:
    many = [name for name in ATTACKERS if name != "Kitty Pryde: Sprite"]
    faces = [f"{name.split(':')[0]}{face} (attacking)" for name in many for face in ("@1", "@2", "@3")]
    blockers = [f"{name.split(':')[0]}@{level}" for name in BLOCKERS[:4] for level in (1, 2, 3)]
    game = Game.from_text(
        f"edition: cw\nteam A: {'; '.join(many)}\nteam B: {'; '.join(BLOCKERS[:4])}\n"
        f"A field: {', '.join(faces)}\nB field: {', '.join(blockers)}, 8 Sidekick\nturn: 5, A, block\n"
    )
    assert "no block" not in option_texts(game.state)
    while game.state.decision.kind == "block":
        game.play(0)
    raccoons = [d for d in combat_status.attackers(game.state) if "Rocket" in game.position.die(d).title]
    assert len(raccoons) == 3
    assert all(combat_status.blockers_of(game.state, d) for d in raccoons)  # each must be blocked
