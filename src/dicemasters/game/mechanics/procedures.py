"""Procedures for buying, fielding and using dice, whether a player or an effect starts them (rules 3.3)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.mechanics import zones
from dicemasters.game.mechanics.triggers import advance_timestamp, emit
from dicemasters.game.queries import static_rules
from dicemasters.game.rulesets import solitaire
from dicemasters.game.state.constants import ACTIONS, FIELD, FIELDED_NOW, FIELDINGS, TURN_COUNTS, USED
from dicemasters.game.state.frames import ActionDieFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect


def _is_of_card(s: State, effect: ActiveEffect, d: int) -> bool:
    return s.spec.abilities[effect.ability].card == s.spec.card_of[d]


def field_simultaneously(s: State, dice: list[tuple[int, int, tuple[int, ...]]]) -> None:
    """Field dice together, each for a player and with the dice that paid for it (rules 5.6a, 5.6c).

    All of them are in the field before any fielding is announced (rules 5.6d).
    """
    for d, seat, _ in dice:
        _enter_field(s, d, seat)
    # rules 5.6f
    excluded = () if s.spec.edition.own_fielding_heard else tuple(d for d, _, _ in dice)
    for d, seat, paid in dice:
        s.turn_counts[seat * TURN_COUNTS + FIELDINGS] += 1
        _emit_fielded(s, d, paid, excluded)


def _enter_field(s: State, d: int, seat: int) -> None:
    if s.active_effects:
        s.active_effects = effects_after_fielding(s, d, seat)
        s.active_effects = [
            effect for effect in s.active_effects if effect.until != w.NEXT_FIELDING or not _is_of_card(s, effect, d)
        ]
    zones.move_die(s, d, FIELD, seat)
    s.flags[d] |= FIELDED_NOW
    s.state_check_due = True
    if s.journal is not None:
        s.journal.append(("fields", seat, d))


def _emit_fielded(s: State, d: int, paid: tuple[int, ...], excluded: tuple[int, ...]) -> None:
    known_dice = paid
    if s.spec.edition.fielding_takes_older_dice and "fielded" in s.spec.observed_events:
        # a when-fielded effect can take only dice that were in a Used Pile before the fielding (rules 2.1a2)
        used = [other for side in range(s.spec.n_seats) for other in s.dice_in(USED, side) if other not in paid]
        known_dice = (*paid, *used)
    emit(s, "fielded", d, NOBODY, len(paid), known_dice, excluded=excluded)


def effects_after_fielding(s: State, d: int, seat: int) -> list[ActiveEffect]:
    """Return the effects in force after a fielding: an effect about the next die fielded is then used up."""
    one_time = [
        effect
        for effect in s.active_effects
        if effect.until == w.NEXT_ONE and effect.word in ("fields free", "costs to field")
    ]
    used_up = [effect for effect in one_time if effect.you == seat and static_rules.applies_to(s, effect, d)]
    return [effect for effect in s.active_effects if effect not in used_up] if used_up else s.active_effects


def effects_after_purchase(s: State, d: int, seat: int) -> list[ActiveEffect]:
    """Return the effects in force after a purchase: an effect about the next die bought is then used up."""
    one_time = [effect for effect in s.active_effects if effect.until == w.NEXT_ONE and effect.word == "costs to buy"]
    used_up = [effect for effect in one_time if effect.you == seat and static_rules.applies_to(s, effect, d)]
    return [effect for effect in s.active_effects if effect not in used_up] if used_up else s.active_effects


def buy_die(s: State, d: int, seat: int, word: str = "buys") -> None:
    """Buy a die; it goes straight to the Used Pile in every edition (rules 2.1c1, 3.3b1)."""
    if s.active_effects:
        s.active_effects = effects_after_purchase(s, d, seat)
    s.set_owner(d, seat)
    s.place[d] = USED * 4 + seat
    if s.journal is not None:
        s.journal.append((word, seat, d))
    emit(s, "bought", d)
    if s.spec.solitaire is not None:
        solitaire.note_owed_die(s, seat)


def use_die(s: State, seat: int, d: int, shown: int) -> None:
    """Start using an action die that counts as showing this many bursts (rules 3.3d1)."""
    spec = s.spec
    s.turn_counts[seat * TURN_COUNTS + ACTIONS] += 1
    if s.journal is not None:
        s.journal.append(("uses", seat, d))
    s.stack.append(ActionDieFrame(seat, d, shown))
    if spec.edition.use_heard_at_once:  # rules 3.3d5
        emit(s, "action used", spec.person + seat, d, shown)
        advance_timestamp(s)  # triggers of its effect come later
    for ability in reversed(spec.uses[spec.card_of[d]]):
        ctx = static_rules.ability_context(ability.index, seat, d, burst=shown)
        if ability.condition is None or ability.condition.evaluate(s, ctx):
            s.stack.append(ctx)
