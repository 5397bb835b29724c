"""Declaration of attackers and blockers, and the end of an attack (rules 3.4)."""

from __future__ import annotations

from typing import Final, final

from dicemasters.cards.language.vocabulary import THIS_ATTACK
from dicemasters.game.mechanics import life, zones
from dicemasters.game.mechanics.combat.block_solver import BlockSolver
from dicemasters.game.mechanics.combat.block_table import BlockTable
from dicemasters.game.mechanics.combat.restrictions import (
    can_attack,
    life_toll,
    may_attack_or_block,
    must_attack_or_block,
)
from dicemasters.game.mechanics.triggers import SeenCauses, emit
from dicemasters.game.queries import characteristics, combat_status, die_identity, static_rules
from dicemasters.game.queries.equivalence import canonical_order, is_canonical, one_per_class
from dicemasters.game.state.constants import (
    ATTACKING,
    BLOCKED,
    BY_BLOCKING,
    EARLIER,
    HAS_ATTACKED,
    HAS_BLOCKED,
    LIMIT_OF_DIE,
    OWES_ATTACK_TOLL,
    PASSED,
    PLAYER,
)
from dicemasters.game.state.state import State, effect_signature, granted_signature, mapped_vector
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option

# --- attackers -----------------------------------------------------------------------------------------------------


def _in_declaration_order(s: State, seat: int) -> list[int]:
    """Return a seat's characters in the fixed order of declaration, in which equivalent dice are adjacent."""
    dice = die_identity.fielded_characters(s, seat)
    if len(dice) < 2 or not (s.blocks or _is_any_attacking(s, dice)) or is_canonical(s, dice):
        return dice  # zone order is already the order of declaration
    return _pre_attack_order(s, dice)


def _pre_attack_order(s: State, dice: list[int]) -> list[int]:
    """Return dice in the order they had in the field before any of them was declared."""

    def rank(d: int) -> tuple[int, int, int, int, tuple[int, ...], list[int], int]:
        flags = s.flags[d] & (~ATTACKING & 0xFF)
        return (s.spec.card_of[d], s.face[d], s.damage[d], flags, effect_signature(s, d), granted_signature(s, d), d)

    return sorted(dice, key=rank)


def _is_any_attacking(s: State, dice: list[int]) -> bool:
    for d in dice:
        if s.flags[d] & ATTACKING:
            return True
    return False


def attack_options(s: State) -> list[Option]:
    """Return the attackers that can be declared next, and `done` once all that must attack are (rules 3.4a1)."""
    with static_rules.UnchangedState(s):
        return _attack_options(s)


def _attack_options(s: State) -> list[Option]:
    order = _in_declaration_order(s, s.active)
    if s.active_effects or s.holdings or "cannot attack" in s.spec.static_by_rule:
        order = [d for d in order if can_attack(s, d)]
    last = -1
    for i, d in enumerate(order):
        if s.flags[d] & ATTACKING:
            last = i
    options: list[Option] = []
    forced = "must attack" in s.spec.rule_words
    candidates = order[last + 1 :]
    representatives = one_per_class(s, candidates)
    for d in candidates:
        if d in representatives:
            options.append(("attack", d, 0))
        # an obligation never makes a player pay (rules 10.9)
        if forced and must_attack_or_block(s, "must attack", d) and not life_toll(s, "cannot attack", d):
            return options
    options.append(("done", 0, 0))
    return options


def may_attack(s: State, seat: int) -> bool:
    """Return whether the player has a character that may attack."""
    return any(can_attack(s, d) for d in die_identity.fielded_characters(s, seat))


def defender(s: State) -> int:
    """Return the seat that declares blockers now: in Doubles, the lead first, then the partner (docs/doubles.md)."""
    lead = 1 - (s.active & 1)
    return lead ^ 2 if (PASSED, lead) in s.turn_limits else lead


def _possible_blockers(s: State, seat: int) -> list[int]:
    if static_rules.is_affected_by(s, "cannot declare blockers", s.spec.person + seat):
        return []
    order = _in_declaration_order(s, seat)
    bans = static_rules.RuleTable(s, "cannot block")
    return order if bans.is_empty else [d for d in order if may_attack_or_block(s, "cannot block", d, bans)]


def block_options(s: State) -> list[Option]:
    """Return the blocks that can be declared next, blockers in a fixed order, and `done` if the declaration may end.

    Blocks that lead to no legal declaration are left out: too few blockers for an attacker, or fewer obligations met than
    possible. An obligation may be left to a partner who declares later and is able to meet it (rules 7.3g).
    """
    declaration = BlockDeclaration(s)
    options = declaration.options()
    if not options or declaration.solver.can_end(declaration.end):
        options.append(("done", 0, 0))
    return options


@final
class BlockDeclaration:
    """The pending declaration of blockers."""

    def __init__(self, s: State) -> None:
        with static_rules.UnchangedState(s):
            order = self._order_blockers(s)
            table = self.table = BlockTable(order, canonical_order(s, combat_status.attackers(s), ignore_blocks=True))
            table.evaluate(s)
        position = {b: i for i, b in enumerate(order)}
        declared = [(position.get(b, -1), table.attackers.index(a)) for b, a in s.blocks if a in table.attackers]
        self.last = max([i for i, _ in declared], default=-1)  # the blocker declared last, which may block more
        self.already = 0  # attackers that it blocks
        for i, k in declared if self.last >= self.begin else ():
            if i == self.last:
                self.already |= 1 << k
        self.solver = BlockSolver(s, table, declared, self.last if self.already else -1)

    def _order_blockers(self, s: State) -> list[int]:
        """Return the possible blockers in the order of declaration; note which are the player's who declares."""
        seat = defender(s)
        order = _possible_blockers(s, seat & 1)
        self.begin, self.end = 0, len(order)
        if s.spec.n_seats > 2:
            order += _possible_blockers(s, seat | 2)
            if seat & 2:
                self.begin, self.end = self.end, len(order)
        return order

    def options(self) -> list[Option]:
        """Return the blocks that can be declared next, one for each pair of classes of equivalent dice."""
        table, solver = self.table, self.solver
        options: list[Option] = []
        seen: set[int] = set()  # classes of blockers
        all_attackers = _first_of_classes(table.attacker_classes)
        for i in range(max(self.begin, self.last), self.end):
            if table.blocker_classes[i] in seen:
                continue
            seen.add(table.blocker_classes[i])
            already = self.already if i == self.last else 0
            attackers = _first_of_classes(table.attacker_classes, already.bit_length()) if already else all_attackers
            allowed, blocker = table.allowed[i], table.blockers[i]
            for k in attackers:
                if (
                    allowed >> k & 1
                    and (not already or table.may_block_another(i, already, k))
                    and (solver.is_unconstrained or solver.can_block_next(i, k, already))
                ):
                    options.append(("block", blocker, table.attackers[k]))
        return options

    def later_options(self, offered: list[Option]) -> list[Option]:
        """Return the blocks that are not offered next but can follow others, one for each pair of classes."""
        table, solver = self.table, self.solver
        if solver.is_unconstrained and not self.last >= self.begin:
            return []
        pairs = {(x, y) for kind, x, y in offered if kind == "block"}
        first = max(self.begin, self.last + 1)
        others = (1 << self.end) - (1 << first)
        options: list[Option] = []
        seen: set[int] = set()
        attackers = _first_of_classes(table.attacker_classes)
        for i in range(first, self.end):
            if table.blocker_classes[i] in seen:
                continue
            seen.add(table.blocker_classes[i])
            for k in attackers:
                pair = (table.blockers[i], table.attackers[k])
                if table.allowed[i] >> k & 1 and pair not in pairs and solver.can_block_at_all(i, k, others):
                    options.append(("block", *pair))
        return options


def _first_of_classes(classes: list[int], begin: int = 0) -> list[int]:
    """Return the position of the first member of each class, from `begin` on."""
    seen: set[int] = set()
    firsts: list[int] = []
    for k in range(begin, len(classes)):
        if classes[k] not in seen:
            seen.add(classes[k])
            firsts.append(k)
    return firsts


def declare_attack(s: State, d: int, first: bool) -> None:
    """Declare an attacker. The first begins the step; its toll is due after the effects of the start (rules 3.4g2)."""
    s.flags[d] |= ATTACKING
    if first and life_toll(s, "cannot attack", d):
        s.turn_limits.append((OWES_ATTACK_TOLL, LIMIT_OF_DIE + d))
    else:
        pay_toll(s, "cannot attack", d)


def pay_first_attacker(s: State) -> None:
    """Pay the toll of the attacker whose declaration began the step."""
    for kind, key in [entry for entry in s.turn_limits if entry[0] == OWES_ATTACK_TOLL]:
        s.turn_limits.remove((kind, key))
        if s.flags[key - LIMIT_OF_DIE] & ATTACKING:
            pay_toll(s, "cannot attack", key - LIMIT_OF_DIE)


def declare_block(s: State, blocker: int, attacker: int) -> None:
    """Declare a block; the blocker's toll is due with its first one (rules 3.4b1)."""
    if not combat_status.blocked_by(s, blocker):
        pay_toll(s, "cannot block", blocker)
    s.blocks.append((blocker, attacker))


def pay_toll(s: State, word: str, d: int) -> None:
    """Pay the life that rules of this word demand for the die."""
    toll = life_toll(s, word, d)
    if toll:
        life.lose_life(s, s.place[d] & 1, toll)


def emit_attack_events(s: State) -> None:
    """Emit the events of attacking, for each attacker separately (rules 3.4a1, 3.4a2)."""
    attackers = combat_status.attackers(s)
    if s.active_effects:  # the next chance of dice that could not attack is still to come
        s.active_effects = [
            effect
            for effect in s.active_effects
            if not (effect.word == "must attack" and effect.until == "its next chance" and effect.subject in attackers)
        ]
    _note_met_obligations(s, HAS_ATTACKED, attackers)
    emit(s, "attackers declared", PLAYER + (s.active & 1), NOBODY, len(attackers))
    for d in attackers:
        if s.journal is not None:
            s.journal.append(("attacks", d))
        emit(s, "attacks", d)
        emit(s, "commits", d)


def _note_met_obligations(s: State, kind: int, dice: list[int]) -> None:
    """Record dice that attacked or blocked, for a second attack step in which an obligation met stays met (cw 108)."""
    if "attacks again" in s.spec.static_by_rule:
        s.turn_limits += [(kind, LIMIT_OF_DIE + d) for d in dice if (kind, LIMIT_OF_DIE + d) not in s.turn_limits]


def emit_block_events(s: State) -> None:
    """Mark the blocked attackers and emit the events of blocking, being blocked and being engaged (rules 3.4b2)."""
    for blocker, attacker in s.blocks:
        s.flags[attacker] |= BLOCKED  # kept to the end: it stays blocked when its blocker leaves (rules 3.4d1f)
        note_engagement(s, blocker, attacker)
        if s.journal is not None:
            s.journal.append(("blocks", blocker, attacker))
    _note_met_obligations(s, HAS_BLOCKED, list(dict.fromkeys(blocker for blocker, _ in s.blocks)))
    blocks_seen: SeenCauses = set()
    for blocker, attacker in s.blocks:
        emit(s, "blocks", blocker, attacker, seen=blocks_seen)
    engaged: list[int] = []
    for attacker in combat_status.attackers(s):
        blockers = combat_status.blockers_of(s, attacker)
        if blockers:
            emit(s, "is blocked", attacker, blockers[0], len(blockers))
            engaged += [attacker, *(blocker for blocker in blockers if blocker not in engaged)]
        else:
            emit(s, "not blocked", attacker)
    for d in engaged:
        others = combat_status.blockers_of(s, d) or combat_status.blocked_by(s, d)
        emit(s, "engaged", d, others[0], len(others))
    emit(s, "blockers declared", PLAYER + (s.active & 1))


def note_engagement(s: State, blocker: int, attacker: int) -> None:
    """Record that two dice have fought; a Deadly die KOs the other at the end of the turn (rules 6.5a, 6.5b)."""
    s.engagements += [(attacker, blocker, 0), (blocker, attacker, BY_BLOCKING)]
    if s.spec.deadly_abilities:
        _add_deadly_effect(s, blocker)
        _add_deadly_effect(s, attacker)


def note_deadly(s: State) -> None:
    """Record Deadly for engaged dice that have gained it since, by copying or from another die (rules 6.5a)."""
    for pair in s.blocks if s.spec.deadly_abilities else ():
        for d in pair:
            _add_deadly_effect(s, d)


def _add_deadly_effect(s: State, d: int) -> None:
    if characteristics.has_keyword(s, d, "Deadly"):
        ability = s.spec.deadly_abilities[characteristics.keyword_source(s, d, "Deadly")]
        effect = ActiveEffect("later", NOBODY, 0, 0, -1, "end of turn", s.place[d] & 3, d, ability)
        if effect not in s.active_effects:
            s.active_effects.append(effect)


# --- the end of the attack -----------------------------------------------------------------------------------------


def end_attack(s: State) -> None:
    """End effects that last for the attack; in some editions survivors leave the attack zone now (rules 3.4e1)."""
    note_deadly(s)
    if s.active_effects:
        # rules 3.4e2, 5.4b
        s.active_effects = [effect for effect in s.active_effects if effect.until != THIS_ATTACK]
    if s.engagements:
        s.engagements = [(x, y, how | EARLIER) for x, y, how in s.engagements]
    if s.spec.edition.return_in_attack_step:
        return_to_field(s, s.spec.edition.unblocked_leave_with_damage)


_OUT_OF_COMBAT: Final = bytes(b & ~(ATTACKING | BLOCKED) for b in range(256))


def return_to_field(s: State, remove_unblocked: bool = True) -> None:
    """Return the dice in the attack zone to the field (rules 3.4e1).

    Under the rule that keeps unblocked attackers until cleanup, they leave the field instead. With `remove_unblocked`
    False they stay in the attack zone for now.
    """
    leaving: list[int] = []
    if not s.spec.edition.unblocked_leave_with_damage:
        unblocked = [d for d in combat_status.attackers(s) if combat_status.is_unblocked(s, d)]
        leaving = [d for d in unblocked if not static_rules.is_affected_by(s, "stays unblocked", d)]
        if remove_unblocked:
            zones.leave_simultaneously(s, leaving)
    s.flags = mapped_vector(s.flags, _OUT_OF_COMBAT)
    if not remove_unblocked:
        for d in leaving:
            s.flags[d] |= ATTACKING
    if s.blocks:
        s.blocks = []
    s.state_check_due = True  # a die that lived only by a combat bonus is KO'd (rules 3.4e2)
