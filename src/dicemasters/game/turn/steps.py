"""The steps of a turn except the attack step: start, draw, roll, main and cleanup (rules 3)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.vocabulary import END_OF_YOUR_TURN, THIS_ATTACK
from dicemasters.game.mechanics import chance, damage, holding, life, payment, zones
from dicemasters.game.mechanics.combat import declarations
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import advance_timestamp, emit
from dicemasters.game.queries import static_rules
from dicemasters.game.queries.die_identity import CHARACTER, ENERGY
from dicemasters.game.rulesets import solitaire
from dicemasters.game.state.constants import (
    ACTIVE_PRIORITY,
    ATTACK,
    DAMAGED_THIS_TURN,
    DONE,
    DRAW,
    ENDED,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    HALF_SPENT,
    HAND,
    HELD,
    LASTING,
    MAIN,
    OUT_OF_PLAY,
    PLAYER,
    PREP,
    RESERVE,
    ROLL,
    ROLLED,
    START,
    TIE,
    TURN_COUNTS,
    TURN_LIMIT,
    USED,
)
from dicemasters.game.state.state import State, mapped_vector
from dicemasters.game.state.values import NOBODY, ActiveEffect, DamagePacket, Option
from dicemasters.game.turn.actions import start_action
from dicemasters.game.turn.legal_actions import add_ban_removals
from dicemasters.game.turn.priority import run_priority_window


def begin_game(s: State) -> None:
    """Determine who goes first: the winner of a random choice, or the player named by the winner (rules 3.0a)."""
    if s.answer[0]:
        winner = s.active
        s.first = winner if s.answer[0] == "first" else 1 - winner
        s.active = s.first
        s.step = START
        return
    if s.spec.solitaire is not None:
        s.active = s.first = 1 - s.spec.solitaire.seat  # the player always begins (S11)
        s.step = START
        return
    winner = chance.toss_for_first(s)
    s.active = s.first = winner
    if s.journal is not None:
        s.journal.append(("wins the toss", winner))
    if s.spec.edition.winner_chooses_order:
        request_decision(s, winner, "order", [("first", 0, 0), ("second", 0, 0)])
    else:
        s.step = START


def enter_step(s: State, step: int) -> None:
    """Begin a step of the turn."""
    s.step = step
    s.substep = 0
    s.state_check_due = True  # stats may depend on the step, the active player or a pairing that has ended
    if s.journal is not None:
        s.journal.append(("step", step, s.active))
    if s.spec.solitaire is not None and step in (MAIN, ATTACK):
        solitaire.note_step(s, payment.energy_pool(s, s.spec.solitaire.seat).total)


# stages of a turn's start and of cleanup: effects expire first, and a die KO'd by their expiry is no longer active when
# the abilities of this moment trigger (rules 3.5b)
_ENDED: Final = 2
_ANNOUNCED: Final = 1


def start(s: State) -> None:
    """Start a turn: end what lasts until then, then announce the turn (rules 3.0c)."""
    if s.substep == 0:
        s.turn += 1
        if s.turn > TURN_LIMIT:  # rules 4.4a
            s.result, s.result_reason = TIE, f"nobody had won after {TURN_LIMIT} turns"
            return
        if s.journal is not None:
            s.journal.append(("turn", s.turn, s.active))
        s.turn_counts = [0] * (s.spec.n_seats * TURN_COUNTS)
        s.timestamp = 0
        if s.turn_limits:
            s.turn_limits = []
        if s.engagements:
            s.engagements = []
        if s.pairs:  # rules 5.14a
            s.pairs = [pair for pair in s.pairs if (pair[2] ^ s.active) & 1]
        if s.active_effects:
            s.active_effects = [
                effect for effect in s.active_effects if effect.until != "your next turn" or (effect.you ^ s.active) & 1
            ]
        s.state_check_due = True
        s.substep = _ENDED
    elif s.substep == _ENDED:
        s.substep = _ANNOUNCED
        advance_timestamp(s)
        if is_observed(s, "turn starts"):
            emit(s, "turn starts", PLAYER + (s.active & 1))
    else:
        enter_step(s, DRAW)


def draw(s: State) -> None:
    """Run the clear and draw step. A missing die costs life or deals damage (rules 3.1b1, 7.3e)."""
    if s.substep == 0:
        s.substep = 1
        shortfalls: list[DamagePacket] = []
        for seat in s.spec.sides[s.active]:
            missing = _clear_and_draw(s, seat)
            if missing:
                s.virtual_energy[seat] += missing
                if s.spec.edition.virtual_generic and not s.spec.edition.missing_energy_until_pass:
                    s.turn_limits += [(LASTING, seat)] * missing
                if s.journal is not None:
                    s.journal.append(("missing", seat, missing))
                shortfalls.append(DamagePacket(NOBODY, PLAYER + (seat & 1), missing))
        if shortfalls and s.spec.edition.missing_die_is_damage:
            damage.start_damage(s, shortfalls, "rule", s.active)
        elif shortfalls:
            life.lose_life(s, s.active & 1, sum(packet.amount for packet in shortfalls))
    else:
        enter_step(s, ROLL)


def _clear_and_draw(s: State, seat: int) -> int:
    """Clear the reserve and draw; return how many dice the player was short of (rules 3.1a1, 3.1a2)."""
    for d in s.iter_zone(RESERVE, seat):
        _clear_from_reserve(s, d, seat)
    # including the extra dice from cards (rules 3.1a3)
    drawn = chance.draw(s, seat, 4 + _extra_count(s, "draws more", seat))
    s.move_all(HAND, PREP, seat)
    if s.turn == 1 and s.spec.edition.first_turn_three_dice and len(drawn) > 3:  # rules 3.1c1, 7.3e
        s.place[drawn[3]] = (OUT_OF_PLAY if s.spec.edition.out_of_play else USED) * 4 + seat
        if s.journal is not None:
            s.journal.append(("begins with three", seat, drawn[3]))
    if drawn:  # all of it is one draw (rules 3.1a5, 3.1c2)
        emit(s, "drawn", s.spec.person + seat, NOBODY, len(drawn))
    return max(0, 4 - len(drawn))  # extra dice from cards do not count as missing (rules 3.1b1)


def _clear_from_reserve(s: State, d: int, seat: int) -> None:
    """Send a die left in the reserve to the Used Pile; a controlled die returns to its owner (rules 2.1c1, 5.13b7)."""
    if s.owner[d] != seat:
        zones.move_die(s, d, USED, seat)
    else:
        s.place[d] = USED * 4 + seat
        s.flags[d] &= ~HALF_SPENT & 0xFF


def roll(s: State) -> None:
    """Run the roll and reroll step (rules 3.2a, 3.2b). Dice chosen for the reroll are in hand until all are chosen.

    Partners roll at one time; then the lead rerolls, then the other (rules 7.3d).
    """
    seat = s.active
    if s.substep == 2:
        s.flags = mapped_vector(s.flags, _NOT_ROLLED)
        enter_step(s, MAIN)
        emit(s, "main step starts", PLAYER + (seat & 1))
        return
    if s.substep == 0:
        for partner in s.spec.sides[seat]:
            for d in s.iter_zone(PREP, partner):  # rules 2.0c
                chance.roll(s, d)
                s.flags[d] |= ROLLED
        s.substep = 1
        if is_observed(s, "rolled"):
            advance_timestamp(s)
            emit(s, "rolled", PLAYER + (seat & 1))
            return
    elif s.answer[0] == "lift":
        start_action(s, seat, s.answer)
        return
    elif s.answer[0] == "reroll":
        s.place[s.answer[1]] = HAND * 4 + seat
    elif s.answer[0] == "done":
        if not s.answer[1] or not _may_reroll_again(s, seat):
            _end_roll(s)
            return
        for d in s.iter_zone(HAND, seat):
            chance.roll(s, d)
            s.place[d] = PREP * 4 + seat
        s.substep = max(s.substep + 1, 3)
    options = _reroll_options(s, seat)
    if "cannot reroll" in s.spec.rule_words and static_rules.is_affected_by(s, "cannot reroll", s.spec.person + seat):
        options = []
        add_ban_removals(s, seat, payment.energy_pool(s, seat), options, rolling=True)
        options.append(("done", 0, 0))
    if len(options) > 1:
        request_decision(s, seat, "reroll", options)
    else:
        _end_roll(s)


def _may_reroll_again(s: State, seat: int) -> bool:
    """Return whether a rule gives the player another reroll (rules 3.2b); stages from 3 on are the additional ones."""
    return max(0, s.substep - 2) < _extra_count(s, "rerolls more", seat)


def _extra_count(s: State, word: str, seat: int) -> int:
    """Return the total number that rules of this word add for a player."""
    if not s.active_effects and word not in s.spec.static_by_rule:
        return 0
    return sum(n for _, _, n, _ in static_rules.rules_affecting(s, word, s.spec.person + seat))


def _reroll_options(s: State, seat: int) -> list[Option]:
    """Return the dice that can be added to the reroll, kinds in a fixed order, and `done` to roll those chosen."""
    card_of, face = s.spec.card_of, s.face
    chosen, available = s.dice_in_two(HAND, PREP, seat)
    minimum_key = -1
    for d in chosen:
        key = card_of[d] * 8 + face[d]
        if key > minimum_key:
            minimum_key = key
    keys: list[int] = []
    options: list[Option] = []
    for d in available:
        key = card_of[d] * 8 + face[d]
        if key >= minimum_key:
            at = len(keys)
            while at and keys[at - 1] > key:
                at -= 1
            if not at or keys[at - 1] != key:
                keys.insert(at, key)
                options.insert(at, ("reroll", d, 0))
    options.append(("done", len(chosen), 0))
    return options


def _end_roll(s: State) -> None:
    seat = s.active
    for d in s.iter_zone(HAND, seat):
        chance.roll(s, d)
        s.place[d] = RESERVE * 4 + seat
    s.move_all(PREP, RESERVE, seat)  # rules 3.2c
    if s.spec.n_seats > 2 and not seat & 2:
        for d in s.iter_zone(RESERVE, seat):
            s.flags[d] &= ~ROLLED & 0xFF
        s.active, s.substep = seat ^ 2, 1
        return
    s.active &= 1
    advance_timestamp(s)
    s.substep = 2
    if is_observed(s, "roll ends"):  # rules 3.2d
        emit(s, "roll ends", PLAYER + (seat & 1))
    else:
        roll(s)


def is_observed(s: State, word: str) -> bool:
    """Return whether any ability in this game triggers on the event."""
    return word in s.spec.observed_events


def main(s: State) -> None:
    """Run the main step: priority, then its end."""
    if s.substep < DONE:
        run_priority_window(s, ACTIVE_PRIORITY)
    elif s.substep == DONE and is_observed(s, "main step ends"):
        s.substep = ENDED
        advance_timestamp(s)
        emit(s, "main step ends", PLAYER + (s.active & 1))
    else:
        for seat in s.spec.sides[s.active]:
            for d in s.iter_zone(RESERVE, seat):
                if s.spec.kinds[s.spec.face_base[d] + s.face[d]] == CHARACTER:
                    zones.move_die(s, d, USED, seat)  # not fielded by then (rules 2.1c1, 3.3c2)
        advance_timestamp(s)
        enter_step(s, ATTACK)


_NOT_ROLLED: Final = bytes(b & ~ROLLED for b in range(256))


# clears damage marks; dice fielded this turn become dice fielded in the turn before
_NEXT_TURN: Final = bytes(
    (b & ~(DAMAGED_THIS_TURN | FIELDED_NOW | FIELDED_BEFORE)) | (FIELDED_BEFORE if b & FIELDED_NOW else 0)
    for b in range(256)
)


def clean_up(s: State) -> None:
    """Run cleanup."""
    spec = s.spec
    if s.substep == 0:
        s.substep = _ENDED
        declarations.return_to_field(s)  # rules 3.4e1
        s.damage = spec.no_damage[:]  # rules 3.5a
        if s.holdings:
            _end_holdings(s)
        if s.active_effects:  # rules 3.5b, 5.4b
            s.active_effects = [
                effect
                for effect in s.active_effects
                if effect.until not in ("end of turn", "next one") or _survives_turn_end(s, effect)
            ]
        s.state_check_due = True
        for seat in spec.sides[s.active]:
            for d in s.iter_zone(RESERVE, seat):
                if spec.kinds[spec.face_base[d] + s.face[d]] != ENERGY:  # rules 3.5c, 5.11e
                    _clear_from_reserve(s, d, seat)
        s.virtual_energy = [0] * spec.n_seats
    elif s.substep == _ENDED:
        s.substep = _ANNOUNCED
        advance_timestamp(s)
        emit(s, "turn ends", PLAYER + (s.active & 1))  # rules 3.5d, 5.7a5
    else:
        if s.active_effects:
            s.active_effects = [
                _without_stale_source(s, effect) for effect in s.active_effects if effect.until != "end of turn"
            ]
        s.damage = spec.no_damage[:]  # damage that end-of-turn effects dealt ends with the turn (rules 3.5e)
        s.flags = mapped_vector(s.flags, _NEXT_TURN)
        s.move_all_seats(OUT_OF_PLAY, USED)  # rules 2.1b5, 3.5f
        s.active ^= 1
        enter_step(s, START)


def _without_stale_source(s: State, effect: ActiveEffect) -> ActiveEffect:
    """Return a lasting effect, without its source if that die has left: it is then like other effects of its card."""
    if effect.word != "later" and effect.source < PLAYER and s.place[effect.source] >> 2 not in (FIELD, HELD):
        return effect.with_dice(effect.subject, NOBODY)
    return effect


def _end_holdings(s: State) -> None:
    for hold in s.holdings[:]:
        ends_with_own_turn = (
            hold.until == END_OF_YOUR_TURN and hold.holder < PLAYER and (s.owner[hold.holder] ^ s.active) & 1 == 0
        )
        # rules 3.5b, 5.13b2
        if ends_with_own_turn or hold.until in ("end of turn", THIS_ATTACK):
            holding.release(s, hold)
    for hold in s.holdings[:]:
        if hold.until == "end of their turn" and s.place[hold.die] & 1 != s.active & 1:
            zones.send_to_used(s, hold.die)


_TURN_RECORDS: Final = frozenset(
    ("counted", "dealt")
)  # damage counted as the turn's first, and dice that have dealt damage


def _survives_turn_end(s: State, effect: ActiveEffect) -> bool:
    """Return whether an effect survives cleanup: one delayed to the end of the turn, or a record (rules 3.5b)."""
    return effect.word in _TURN_RECORDS or (
        effect.word == "later" and s.spec.abilities[effect.ability].event == "turn ends"
    )
