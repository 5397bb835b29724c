"""The block solver, compared with trying every declaration on small random tables."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests.support.effort import examples

from dicemasters.game.game import make_game_spec
from dicemasters.game.mechanics.combat.block_solver import BlockSolver
from dicemasters.game.mechanics.combat.block_table import BlockTable
from dicemasters.game.state.state import State

Declaration = tuple[int, ...]  # the attackers that each blocker blocks, as masks


def random_table(chance: random.Random) -> BlockTable:
    """Return a table of a few blockers and attackers with random rules."""
    n, m = chance.randint(1, 4), chance.randint(1, 4)
    table = BlockTable(list(range(n)), list(range(10, 10 + m)))
    everybody = (1 << m) - 1
    for i in range(n):
        if chance.random() < 0.5:
            table.allowed[i] = chance.randint(0, everybody)
        if chance.random() < 0.3:
            table.required[i] = chance.randint(0, everybody) & table.allowed[i]
        table.must_block[i] = chance.random() < 0.4
        table.toll_free[i] = chance.random() < 0.85
        if chance.random() < 0.2:
            table.extra_blocks[i] = chance.randint(1, 2)
        while chance.random() < 0.3:
            table.limited_blocks[i] = [
                *table.limited_blocks[i],
                (chance.choice((1, 2, 255)), chance.choice((everybody, chance.randint(0, everybody)))),
            ]
    if chance.random() < 0.6:
        table.must_be_blocked = chance.randint(0, everybody)
    for k in range(m):
        if chance.random() < 0.35:
            table.min_blockers[k] = chance.choice((2, 2, 3))
        if chance.random() < 0.2:
            table.prerequisites[k] = chance.randint(0, everybody) & ~(1 << k)
        if table.min_blockers[k] > 1 or table.prerequisites[k]:
            table.conditional |= 1 << k
    return table


def block_sets(table: BlockTable, i: int) -> list[int]:
    """Return all sets of attackers that a blocker may block, as masks."""
    found = []
    for blocked in range(1 << len(table.attackers)):
        so_far, is_possible = 0, not blocked & ~table.allowed[i]
        for k in range(len(table.attackers)):
            if blocked >> k & 1:
                is_possible = is_possible and (not so_far or table.may_block_another(i, so_far, k))
                so_far |= 1 << k
        if is_possible:
            found.append(blocked)
    return found


def obligations(table: BlockTable, declaration: Declaration) -> int:
    """Return the number of obligations met, or -1 if a condition is violated."""
    total = 0
    counts = [sum(blocked >> k & 1 for blocked in declaration) for k in range(len(table.attackers))]
    for k, n in enumerate(counts):
        if n and n < table.min_blockers[k]:
            return -1
        if n and any(table.prerequisites[k] >> x & 1 and not counts[x] for x in range(len(counts))):
            return -1
        total += table.must_be_blocked >> k & 1 and n > 0
    for i, blocked in enumerate(declaration):
        if blocked and table.toll_free[i]:
            total += table.must_block[i] + (table.required[i] & blocked).bit_count()
    return total


def legal_declarations(table: BlockTable) -> list[Declaration]:
    """Return the declarations that meet as many obligations as one without tolls can, by trying all."""
    sets = [block_sets(table, i) for i in range(len(table.blockers))]
    scores = {declaration: obligations(table, declaration) for declaration in product(*sets)}
    free = [
        score
        for declaration, score in scores.items()
        if all(table.toll_free[i] or not blocked for i, blocked in enumerate(declaration))
    ]
    return [declaration for declaration, score in scores.items() if score >= max(free)]


def check_step(
    s: State, table: BlockTable, legal: list[Declaration], so_far: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Compare the solver with the legal declarations that extend these blocks; return the blocks possible next."""
    n = len(table.blockers)
    last = so_far[-1][0] if so_far else -1
    blocked_by = [sum(1 << k for b, k in so_far if b == i) for i in range(n)]
    extending = [
        declaration
        for declaration in legal
        if all(declaration[i] == blocked_by[i] for i in range(last))
        and (last < 0 or (declaration[last] & (2 << blocked_by[last].bit_length() - 1) - 1) == blocked_by[last])
    ]
    solver = BlockSolver(s, table, so_far, last)
    assert solver.can_end(n) == (tuple(blocked_by) in extending), (vars_of(table), so_far)
    possible: list[tuple[int, int]] = []
    if not so_far:
        for i in range(n):
            for k in range(len(table.attackers)):
                if table.allowed[i] >> k & 1:
                    expected = any(declaration[i] >> k & 1 for declaration in legal)
                    assert solver.can_block_at_all(i, k, (1 << n) - 1) == expected, (vars_of(table), i, k)
    for i in range(max(last, 0), n):
        already = blocked_by[i]
        for k in range(already.bit_length(), len(table.attackers)):
            if not table.allowed[i] >> k & 1 or (already and not table.may_block_another(i, already, k)):
                continue
            wanted = already | 1 << k
            expected = any(
                declaration[i] & (2 << k) - 1 == wanted
                and (i == last or declaration[last] == blocked_by[last] or last < 0)
                and not any(declaration[max(last, -1) + 1 : i])
                for declaration in extending
            )
            assert solver.can_block_next(i, k, already) == expected, (vars_of(table), so_far, i, k)
            if expected:
                possible.append((i, k))
    return possible


def vars_of(table: BlockTable) -> dict[str, object]:
    """Return the rules of a table, to report a difference."""
    names = ("allowed", "required", "must_block", "toll_free", "extra_blocks", "limited_blocks", "must_be_blocked")
    return {name: getattr(table, name) for name in (*names, "min_blockers", "prerequisites", "conditional")}


@pytest.mark.soak
def test_solver_agrees_with_trying_every_declaration() -> None:
    s = State(make_game_spec("ai"))
    for seed in range(examples(quick=1500, thorough=30_000)):
        chance = random.Random(seed)
        table = random_table(chance)
        legal = legal_declarations(table)
        so_far: list[tuple[int, int]] = []
        while True:
            s.work = 0
            possible = check_step(s, table, legal, so_far)
            if not possible or chance.random() < 0.1:
                break
            so_far.append(chance.choice(possible))
