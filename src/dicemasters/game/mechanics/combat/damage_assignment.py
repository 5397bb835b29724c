"""Assignment of combat damage among opposing dice (rules 3.4d1)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.mechanics import damage
from dicemasters.game.mechanics.combat.declarations import note_deadly
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.queries import characteristics, combat_status, damage_modifiers, static_rules
from dicemasters.game.state.constants import ATTACKING, BLOCKED, HAS_STRUCK, LIMIT_OF_DIE, PLAYER
from dicemasters.game.state.frames import DamageAssignmentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import FULL_DAMAGE, NOBODY, DamagePacket, ExcessDamage, Option


def damage_dealers(s: State, fast: int) -> tuple[int, ...]:
    """Return the dice that deal damage in the Fast or regular part, attackers first (rules 3.4d1a, 3.4d6)."""
    dice = combat_status.attackers(s)
    for blocker, _ in s.blocks:
        if blocker not in dice:
            dice.append(blocker)
    if "Fast" not in s.spec.keywords_at_table:
        return () if fast else tuple(dice)
    if fast:
        return tuple(d for d in dice if characteristics.has_keyword(s, d, "Fast"))
    # each die deals damage once, even if the source of its Fast has left or returned in the meantime (rules 6.7a)
    return tuple(d for d in dice if (HAS_STRUCK, LIMIT_OF_DIE + d) not in s.turn_limits)


def start_assignment(s: State, fast: int) -> None:
    """Start assigning combat damage for the Fast dice or for all others."""
    sources = damage_dealers(s, fast)
    note_deadly(s)
    if s.turn_limits:
        s.turn_limits = [entry for entry in s.turn_limits if entry[0] != HAS_STRUCK]
    if fast:
        s.turn_limits += [(HAS_STRUCK, LIMIT_OF_DIE + d) for d in sources]
    if sources:
        s.stack.append(DamageAssignmentFrame(fast, sources))


def run_assignment(s: State, frame: DamageAssignmentFrame) -> None:
    """Assign the damage of each die in turn, asking its controller where there is a choice; then start dealing it."""
    if frame.waiting:
        frame.split = (*frame.split, s.answer[2])
    with static_rules.UnchangedState(s):
        if not _assign_all(s, frame):
            return
    s.stack.pop()
    leaving: tuple[int, ...] = ()
    if s.spec.edition.unblocked_leave_with_damage:  # rules 3.4d3b, 3.4d3c
        leaving = tuple(
            d
            for d in frame.sources
            if combat_status.is_unblocked(s, d) and not static_rules.is_affected_by(s, "stays unblocked", d)
        )
    # rules 5.8e1
    damage.start_damage(s, list(frame.packets), "combat", s.active, leaving, through=frame.through)


def _assign_all(s: State, frame: DamageAssignmentFrame) -> bool:
    """Assign the damage of the remaining dice; return False if a decision is pending."""
    while frame.at < len(frame.sources):
        d = frame.sources[frame.at]
        assigned = _assign_die(s, d, frame.split)
        if assigned is None:
            opponents = combat_opponents(s, d)
            frame.waiting = 1
            target = opponents[len(frame.split)]
            options: list[Option] = [("amount", target, n) for n in _split_amounts(s, d, opponents, frame.split)]
            request_decision(s, s.place[d] & 3, "split", options, about=d, number=target)
            return False
        frame.packets += tuple([x for x in assigned if isinstance(x, DamagePacket)])
        frame.through += tuple([x for x in assigned if isinstance(x, ExcessDamage)])
        frame.at += 1
        frame.split = ()
        frame.waiting = 0
    return True


def combat_opponents(s: State, d: int) -> list[int]:
    """Return the dice to which a die assigns damage: blockers, or attackers it blocks (rules 3.4d1c, 3.4d1e)."""
    opponents = combat_status.blockers_of(s, d) if s.flags[d] & ATTACKING else combat_status.blocked_by(s, d)
    if s.active_effects or "assigns no damage" in s.spec.static_by_rule:
        for rule, ctx, _, _ in static_rules.rules_affecting(s, "assigns no damage", d):
            opponents = [x for x in opponents if rule is None or rule.by is None or not rule.by.matches(s, x, ctx)]
    return opponents


def _damages_player_instead(s: State, d: int) -> bool:
    return static_rules.is_affected_by(s, "damages player instead", d)


def _combat_damage_of(s: State, d: int) -> int:
    """Return the damage that a die assigns: its A, multiplied by the smallest factor among its recipients."""
    if static_rules.is_affected_by(s, "deals no damage", d) or static_rules.is_affected_by(
        s, "deals no combat damage", d
    ):
        return 0
    attack = characteristics.current_stats(s, d)[0]
    if s.active_effects or "deals times" in s.spec.static_by_rule:
        recipients = [PLAYER + 1 - (s.place[d] & 1)] if combat_status.is_unblocked(s, d) else combat_opponents(s, d)
        attack *= min((damage_modifiers.damage_factor(s, d, x, "combat") for x in recipients), default=1)
    return attack


def _excess(s: State, d: int, blockers: list[int], attack: int) -> int:
    """Return the damage beyond the blockers' total D, if a text lets it through to the player (rules 6.12e)."""
    if not (s.flags[d] & ATTACKING and static_rules.is_affected_by(s, "excess goes through", d)):
        return 0
    return max(0, attack - sum(characteristics.current_stats(s, x)[1] for x in blockers))


def lethal_damage(s: State, d: int, source: int = NOBODY) -> int:
    """Return the damage that the source must assign to KO the die, or ALL if no damage can (rules 6.11b, 6.12b)."""
    if not characteristics.can_be_kod(s, d):
        return ALL
    return damage_modifiers.damage_needed(s, source, d)


def _assign_die(s: State, d: int, split: tuple[int, ...]) -> list[DamagePacket | ExcessDamage] | None:
    """Return the damage packets of one die, or None while its controller has to choose the split.

    A blocked attacker stays blocked when its blocker leaves: it deals the player nothing (rules 3.4d1f), unless it has
    Overcrush or a text lets excess damage through (rules 6.12d, 6.12e).
    """
    attack = _combat_damage_of(s, d)
    attacking = s.flags[d] & ATTACKING
    opposing_player = PLAYER + 1 - (s.place[d] & 1)
    if attack <= 0:
        return []
    if attacking and not s.flags[d] & BLOCKED:  # rules 3.4d1b
        return [DamagePacket(d, opposing_player, attack)] * (
            2 if static_rules.is_affected_by(s, "deals twice", d) else 1
        )
    opponents = combat_opponents(s, d)
    if attacking and _damages_player_instead(s, d):
        return [DamagePacket(d, opposing_player, attack)]
    overcrush = bool(attacking) and characteristics.has_keyword(s, d, "Overcrush")
    if static_rules.is_affected_by(s, "full damage to each", d):
        return _full_damage(s, d, opponents, attack, overcrush)
    excess = _excess(s, d, opponents, attack)
    if not opponents:
        # blocked stays blocked: only Overcrush and excess damage reach the player (rules 3.4d1f, 6.12d, 6.12e)
        if excess or (overcrush and s.spec.edition.removed_blockers_count):
            return [DamagePacket(d, opposing_player, attack)]
        return []
    attack -= excess
    remaining = attack - sum(split)
    if len(split) < len(opponents):
        if len(opponents) == 1:
            split = (min(attack, lethal_damage(s, opponents[0], d)) if overcrush else attack,)
        elif remaining == 0:
            split = (*split, *(0 for _ in range(len(opponents) - len(split))))
        elif len(split) == len(opponents) - 1 and not _can_withhold_damage(s, d, opponents, split):
            split = (*split, remaining)  # rules 3.4d1d
        else:
            return None
        remaining = attack - sum(split)
    # excess is added to the largest share until replacement effects have settled what arrives
    largest = split.index(max(split))
    amounts = [n + (excess if k == largest else 0) for k, n in enumerate(split)]
    assigned: list[DamagePacket | ExcessDamage] = [
        DamagePacket(d, x, n) for x, n in zip(opponents, amounts, strict=True) if n
    ]
    if remaining > 0:
        assigned.append(ExcessDamage(d, remaining, tuple(opponents)))
    if excess:
        assigned.append(ExcessDamage(d, sum(split) if remaining > 0 else 0, tuple(opponents), 1))
    return assigned


def _full_damage(
    s: State, d: int, blockers: list[int], attack: int, overcrush: bool
) -> list[DamagePacket | ExcessDamage]:
    """Return full damage for each blocker, and the part of the total that goes through to the player (rules 6.12e)."""
    assigned: list[DamagePacket | ExcessDamage] = [DamagePacket(d, x, attack) for x in blockers]
    if overcrush and (leftover := attack * len(blockers) - sum(lethal_damage(s, x, d) for x in blockers)) > 0:
        assigned.append(ExcessDamage(d, leftover, tuple(blockers)))
    elif _excess(s, d, blockers, attack * len(blockers)):
        assigned.append(ExcessDamage(d, 0, tuple(blockers), FULL_DAMAGE))
    return assigned


def _can_withhold_damage(s: State, d: int, opponents: list[int], split: tuple[int, ...]) -> bool:
    """Return whether the last blocker may get less than all remaining damage, because of Overcrush (rules 6.12b).

    All other blockers must have been assigned lethal damage, and more than that must remain for the last one.
    """
    if not (s.flags[d] & ATTACKING and characteristics.has_keyword(s, d, "Overcrush")):
        return False
    attack = _combat_damage_of(s, d)
    remaining = attack - _excess(s, d, opponents, attack) - sum(split)
    others_lethal = all(n >= lethal_damage(s, x, d) for x, n in zip(opponents, split, strict=False))
    return others_lethal and remaining > lethal_damage(s, opponents[-1], d)


def _split_amounts(s: State, d: int, opponents: list[int], split: tuple[int, ...]) -> list[int]:
    """Return the amounts that can be assigned to the next opponent (rules 3.4d1c)."""
    assignable = _combat_damage_of(s, d) - _excess(s, d, opponents, _combat_damage_of(s, d))
    remaining = assignable - sum(split)
    if len(split) == len(opponents) - 1:
        return list(range(lethal_damage(s, opponents[-1], d), remaining + 1))
    return list(range(remaining + 1))


def remaining_split(s: State, frame: DamageAssignmentFrame) -> tuple[int, list[tuple[int, int]]]:
    """Return the damage the current die has yet to split, and its remaining opponents with what is lethal to each."""
    d = frame.sources[frame.at]
    opponents = combat_opponents(s, d)
    attack = _combat_damage_of(s, d)
    return attack - _excess(s, d, opponents, attack) - sum(frame.split), [
        (x, lethal_damage(s, x, d)) for x in opponents[len(frame.split) :]
    ]
