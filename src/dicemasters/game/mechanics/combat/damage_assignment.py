"""Assignment of combat damage among opposing dice (rules 3.4)."""

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

# --- damage --------------------------------------------------------------------------------------------------------


def damage_dealers(s: State, fast: int) -> tuple[int, ...]:
    """List the dice that deal combat damage in this part: attackers first, then blockers (rules 3.4d6)."""
    dice = combat_status.attackers(s)
    for b, _ in s.blocks:
        if b not in dice:
            dice.append(b)
    if "Fast" not in s.spec.keywords_at_table:
        return () if fast else tuple(dice)
    if fast:
        return tuple(d for d in dice if characteristics.has_keyword(s, d, "Fast"))
    # each deals damage once, though whoever lends it Fast may have left or come back in the meantime (rules 6.7)
    return tuple(d for d in dice if (HAS_STRUCK, LIMIT_OF_DIE + d) not in s.turn_limits)


def start_assignment(s: State, fast: int) -> None:
    """Start assigning combat damage for the Fast dice or for the others."""
    sources = damage_dealers(s, fast)
    note_deadly(s)
    if s.turn_limits:
        s.turn_limits = [x for x in s.turn_limits if x[0] != HAS_STRUCK]
    if fast:
        s.turn_limits += [(HAS_STRUCK, LIMIT_OF_DIE + d) for d in sources]
    if sources:
        s.stack.append(DamageAssignmentFrame(fast, sources))


def run_assignment(s: State, f: DamageAssignmentFrame) -> None:
    if f.waiting:
        f.split = (*f.split, s.answer[2])
    while f.at < len(f.sources):
        d = f.sources[f.at]
        made = _assigned(s, d, f.split)
        if made is None:
            foes = combat_opponents(s, d)
            f.waiting = 1
            target = foes[len(f.split)]
            options: list[Option] = [("amount", target, n) for n in _amounts(s, d, foes, f.split)]
            request_decision(s, s.place[d] & 3, "split", options, about=d, number=target)
            return
        f.packets += tuple([x for x in made if isinstance(x, DamagePacket)])
        f.through += tuple([x for x in made if isinstance(x, ExcessDamage)])
        f.at += 1
        f.split = ()
        f.waiting = 0
    s.stack.pop()
    leaving: tuple[int, ...] = ()
    if s.spec.edition.unblocked_leave_with_damage:
        leaving = tuple(
            d
            for d in f.sources
            if combat_status.is_unblocked(s, d) and not static_rules.is_affected_by(s, "stays unblocked", d)
        )
    damage.start_damage(s, list(f.packets), "combat", s.active, leaving, through=f.through)


def combat_opponents(s: State, d: int) -> list[int]:
    foes = combat_status.blockers_of(s, d) if s.flags[d] & ATTACKING else combat_status.blocked_by(s, d)
    if s.active_effects or "assigns no damage" in s.spec.static_by_rule:
        for rule, ctx, _, _ in static_rules.rules_affecting(s, "assigns no damage", d):
            foes = [x for x in foes if rule is None or rule.by is None or not rule.by.matches(s, x, ctx)]
    return foes


def _pays_player(s: State, d: int) -> bool:
    return static_rules.is_affected_by(s, "damages player instead", d)


def _combat_damage_of(s: State, d: int) -> int:
    if static_rules.is_affected_by(s, "deals no damage", d) or static_rules.is_affected_by(
        s, "deals no combat damage", d
    ):
        return 0
    a = characteristics.current_stats(s, d)[0]
    if s.active_effects or "deals times" in s.spec.static_by_rule:
        foes = [PLAYER + 1 - (s.place[d] & 1)] if combat_status.is_unblocked(s, d) else combat_opponents(s, d)
        a *= min((damage_modifiers.damage_factor(s, d, x, "combat") for x in foes), default=1)
    return a


def _excess(s: State, d: int, foes: list[int], a: int) -> int:
    """Give what goes past the blockers' total D, where a text lets it (Thrown Car), if nothing is prevented."""
    if not (s.flags[d] & ATTACKING and static_rules.is_affected_by(s, "excess goes through", d)):
        return 0
    return max(0, a - sum(characteristics.current_stats(s, x)[1] for x in foes))


def lethal_damage(s: State, d: int, source: int = NOBODY) -> int:
    """Give what the source must deal to KO the die; more than anybody has if no damage does (rules 6.11)."""
    if not characteristics.can_be_kod(s, d):
        return ALL
    return damage_modifiers.damage_needed(s, source, d)


def _assigned(s: State, d: int, split: tuple[int, ...]) -> list[DamagePacket | ExcessDamage] | None:
    """Give the packets of one die, or None while its controller has to say how to split."""
    a = _combat_damage_of(s, d)
    attacking = s.flags[d] & ATTACKING
    opponent = PLAYER + 1 - (s.place[d] & 1)
    if a <= 0:
        return []
    if attacking and not s.flags[d] & BLOCKED:
        return [DamagePacket(d, opponent, a)] * (2 if static_rules.is_affected_by(s, "deals twice", d) else 1)
    foes = combat_opponents(s, d)
    if attacking and _pays_player(s, d):
        return [DamagePacket(d, opponent, a)]
    overcrush = bool(attacking) and characteristics.has_keyword(s, d, "Overcrush")
    if static_rules.is_affected_by(s, "full damage to each", d):
        return _full_damage(s, d, foes, a, overcrush)
    excess = _excess(s, d, foes, a)
    if not foes:
        # blocked stays blocked; only what crushes or exceeds goes on to the player (rules 3.4d1, 6.12)
        if excess or (overcrush and s.spec.edition.removed_blockers_count):
            return [DamagePacket(d, opponent, a)]
        return []
    a -= excess
    rest = a - sum(split)
    if len(split) < len(foes):
        if len(foes) == 1:
            split = (min(a, lethal_damage(s, foes[0], d)) if overcrush else a,)
        elif rest == 0:
            split = (*split, *(0 for _ in range(len(foes) - len(split))))
        elif len(split) == len(foes) - 1 and not _can_withhold_damage(s, d, foes, split):
            split = (*split, rest)
        else:
            return None
        rest = a - sum(split)
    most = split.index(max(split))  # until it is known what arrives, what may exceed lies where most does
    laid = [n + (excess if k == most else 0) for k, n in enumerate(split)]
    made: list[DamagePacket | ExcessDamage] = [DamagePacket(d, x, n) for x, n in zip(foes, laid, strict=True) if n]
    if rest > 0:
        made.append(ExcessDamage(d, rest, tuple(foes)))
    if excess:
        made.append(ExcessDamage(d, sum(split) if rest > 0 else 0, tuple(foes), 1))
    return made


def _full_damage(s: State, d: int, foes: list[int], a: int, overcrush: bool) -> list[DamagePacket | ExcessDamage]:
    """All of it to each blocker; what they get beyond what they need goes on where crushing or exceeding lets it."""
    made: list[DamagePacket | ExcessDamage] = [DamagePacket(d, x, a) for x in foes]
    if overcrush and (rest := a * len(foes) - sum(lethal_damage(s, x, d) for x in foes)) > 0:
        made.append(ExcessDamage(d, rest, tuple(foes)))
    elif _excess(s, d, foes, a * len(foes)):
        made.append(ExcessDamage(d, 0, tuple(foes), FULL_DAMAGE))
    return made


def _can_withhold_damage(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> bool:
    """With Overcrush the last blocker may get less than all that is left, if the others got what KOs them."""
    if not (s.flags[d] & ATTACKING and characteristics.has_keyword(s, d, "Overcrush")):
        return False
    a = _combat_damage_of(s, d)
    rest = a - _excess(s, d, foes, a) - sum(split)
    done = all(n >= lethal_damage(s, x, d) for x, n in zip(foes, split, strict=False))
    return done and rest > lethal_damage(s, foes[-1], d)


def _amounts(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> list[int]:
    a = _combat_damage_of(s, d) - _excess(s, d, foes, _combat_damage_of(s, d))
    rest = a - sum(split)
    if len(split) == len(foes) - 1:
        return list(range(lethal_damage(s, foes[-1], d), rest + 1))
    return list(range(rest + 1))


def remaining_split(s: State, f: DamageAssignmentFrame) -> tuple[int, list[tuple[int, int]]]:
    """Give how much of the current die's damage is still to be split, and its opponents still to be named with what KOs each."""
    d = f.sources[f.at]
    foes = combat_opponents(s, d)
    a = _combat_damage_of(s, d)
    return a - _excess(s, d, foes, a) - sum(f.split), [(x, lethal_damage(s, x, d)) for x in foes[len(f.split) :]]
