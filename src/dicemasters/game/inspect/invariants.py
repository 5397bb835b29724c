"""Invariants of every position in which a player decides."""

from __future__ import annotations

from collections.abc import Callable

from dicemasters.game.game_spec import SIDEKICKS
from dicemasters.game.queries import characteristics, static_rules
from dicemasters.game.queries.die_identity import CHARACTER, ENERGY
from dicemasters.game.state.constants import (
    ATTACKING,
    BLOCKED,
    CARD,
    FIELD,
    GONE,
    HAND,
    HELD,
    LETHAL,
    OUT_OF_PLAY,
    PLAYER,
    RESERVE,
    ROLL,
    UNDECIDED,
    ZONE_NAMES,
)
from dicemasters.game.state.state import State, relabeled
from dicemasters.game.state.values import NOBODY
from dicemasters.game.text import describe

RESERVE_EFFECT_RULES = ("costs to field", "fields free", "has affiliation")  # all other effects apply only in the field


class InvariantError(AssertionError):
    """Raised if an invariant does not hold."""


def ensure(condition: object, message: str) -> None:
    """Raise InvariantError with this message unless the condition holds."""
    if not condition:
        raise InvariantError(message)


def check_invariants(s: State) -> None:
    """Raise InvariantError unless the position satisfies all invariants."""
    _check_dice(s)
    _check_field(s)
    for life in s.life:
        ensure(0 <= life <= s.max_life <= s.spec.start_life, f"life {life} is not between 0 and the starting life")
    ensure(s.result != UNDECIDED or min(s.life) > 0, "a side is at 0 life but the game is not over")
    ensure(min(s.virtual_energy) >= 0, "virtual energy is negative")
    if s.result != UNDECIDED:
        ensure(not s.options, "the game is over but has options")
        return
    ensure(s.options, "the deciding player has no options")
    ensure(0 <= s.decision.seat < s.spec.n_seats, "the decision belongs to no seat")
    ensure(len(set(s.options)) == len(s.options), "an option is listed twice")
    texts = describe.option_texts(s)
    ensure(len(set(texts)) == len(texts), f"two options have the same text: {texts}")
    if not s.stack and not s.queue:
        _check_at_rest(s)


def check_relabeling(s: State, random_below: Callable[[int], int]) -> None:
    """Raise InvariantError if randomly renumbering identical dice gives an unequal state."""
    numbers = list(range(s.spec.n_dice))
    for dice in s.spec.dice_of:
        unassigned = list(dice)
        for d in dice:
            numbers[d] = unassigned.pop(random_below(len(unassigned)))
    ensure(relabeled(s, numbers) == s, f"renumbering like dice gives an unequal state: {numbers}")


def _check_dice(s: State) -> None:
    """Check that each die is in a possible zone, on the right side, with the right owner."""
    spec = s.spec
    controlled = {holding.die for holding in s.holdings if holding.kind == "control"}
    held = [holding.die for holding in s.holdings if holding.kind in ("capture", "aside")]
    ensure(len(set(held)) == len(held), "a die is held twice")
    # a captured action die may be used, and stays in its user's field until the capture ends (docs/rulings.md)
    used_actions = {d for d in held if s.place[d] >> 2 == FIELD and not spec.is_character_die[d]}
    controlled |= used_actions
    held = [d for d in held if d not in used_actions]
    # attached dice are captured together with their die (rules 5.13a6)
    held += [holding.die for holding in s.holdings if holding.kind == "attach" and holding.holder in held]
    ensure(len(s.place) == len(s.owner) == spec.n_dice, "the number of dice has changed")
    for seat in range(spec.n_seats):
        ensure(len(spec.dice_of[seat]) == SIDEKICKS, "a seat does not have eight Sidekicks")
    for d in range(spec.n_dice):
        problem = _zone_violation(s, d, d in controlled, d in held)
        if problem:
            location = f"{ZONE_NAMES[s.place[d] >> 2]} of {s.place[d] & 3}"
            raise InvariantError(f"{describe.title(s, d)} (die {d}, {location}, owner {s.owner[d]}): {problem}")


def _zone_violation(s: State, d: int, controlled: bool, held: bool) -> str:
    """Return what is wrong with the zone, side or owner of a die, or ""."""
    spec = s.spec
    place, seat, owner = s.place[d] >> 2, s.place[d] & 3, s.owner[d]
    home = spec.owner_of_card[spec.card_of[d]]
    if seat >= spec.n_seats:
        return "there is no such seat"
    if (place == HELD) != held:
        return "held dice and the held zone do not match"
    if spec.is_token[d]:
        return "" if place in (FIELD, GONE) else "a token is outside the field"
    if place == GONE:
        return "only tokens can be gone"
    if place == CARD and spec.card_of[d] < spec.n_seats:
        return "a Sidekick is on a card"
    if owner != home if home >= 0 else (owner == NOBODY) != (place == CARD):
        return "wrong owner"
    if seat != owner and place != CARD and not (place in (FIELD, RESERVE) and controlled):
        return "on the wrong side"
    if place == HAND and not s.stack and s.step != ROLL:
        return "still in hand although no effect is in progress"
    if place == RESERVE and seat & 1 != s.active & 1 and spec.kinds[spec.face_base[d] + s.face[d]] != ENERGY:
        return "only energy may be in the reserve on the opponent's turn"
    return out_of_play_violation(s, d) if place == OUT_OF_PLAY else ""


def out_of_play_violation(s: State, d: int) -> str:
    """Return why a die cannot be Out of Play (rules 2.1b1), or ""."""
    if not s.spec.edition.out_of_play:
        return "this edition has no Out of Play"
    return "only the active side has dice Out of Play" if (s.place[d] ^ s.active) & 1 else ""


def should_be_kod(s: State, d: int) -> bool:
    """Return whether a fielded die has lethal damage that neither an effect nor a pending KO explains."""
    spec = s.spec
    if (
        spec.kinds[spec.face_base[d] + s.face[d]] != CHARACTER
        or s.flags[d] & LETHAL
        or s.damage[d] < characteristics.current_stats(s, d)[1]
    ):
        return False
    return not characteristics.has_keyword(s, d, "Iron Will") and not static_rules.is_affected_by(
        s, "cannot be KO'd", d
    )


def _check_field(s: State) -> None:
    """Check that only fielded dice have damage, fight or are paired, and that no number is negative."""
    spec = s.spec
    for d in range(spec.n_dice):
        if s.place[d] >> 2 != FIELD:
            if s.damage[d] or s.flags[d] & (ATTACKING | LETHAL):
                raise InvariantError(f"{describe.title(s, d)} has damage or attacks outside the field")
            continue
        ensure(spec.kinds[spec.face_base[d] + s.face[d]] != ENERGY, "an energy face is in the field")
        ensure(min(characteristics.current_stats(s, d)) >= 0, "A or D is negative")
        if s.flags[d] & ATTACKING:
            ensure(s.place[d] & 1 == s.active & 1, "a die of the inactive side attacks")
    for b, a in s.blocks:
        ensure(s.flags[a] & (ATTACKING | BLOCKED), "a die that does not attack is blocked")
        ensure(s.place[b] >> 2 == FIELD and s.place[b] & 1 != s.active & 1, "a blocker is not in the defender's field")
    for x, y, _ in s.pairs:
        ensure(
            s.place[x] >> 2 == FIELD and s.place[y] == s.place[x], "a paired die has left the field or changed sides"
        )
    for effect in s.active_effects:
        if effect.subject < PLAYER and effect.word not in RESERVE_EFFECT_RULES:
            ensure(s.place[effect.subject] >> 2 == FIELD, f"{effect.word} applies to a die that has left the field")


def _check_at_rest(s: State) -> None:
    """Check that no fielded die has lethal damage while no work is unfinished."""
    for seat in range(s.spec.n_seats):
        for d in s.dice_in(FIELD, seat):
            ensure(not should_be_kod(s, d), f"{describe.title(s, d)} should have been KO'd")
