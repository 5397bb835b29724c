"""What must hold of every position in which somebody decides: the engine's promises about a single state."""

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

RESERVE_EFFECT_RULES = ("costs to field", "fields free", "has affiliation")  # the others only in the field


class InvariantError(AssertionError):
    """Something that must always hold does not."""


def ensure(kept: object, broken: str) -> None:
    """Insist that something holds."""
    if not kept:
        raise InvariantError(broken)


def check_invariants(s: State) -> None:
    """Insist on what must hold of every position in which somebody decides."""
    _check_dice(s)
    _check_field(s)
    for life in s.life:
        ensure(0 <= life <= s.max_life <= s.spec.start_life, f"life {life} is not between 0 and the start")
    ensure(s.result != UNDECIDED or min(s.life) > 0, "somebody is at 0 life and the game goes on")
    ensure(min(s.virtual_energy) >= 0, "less than no energy is left over")
    if s.result != UNDECIDED:
        ensure(not s.options, "the game is over and something can be chosen")
        return
    ensure(s.options, "somebody decides and has no option")
    ensure(0 <= s.decision.seat < s.spec.n_seats, "nobody's decision")
    ensure(len(set(s.options)) == len(s.options), "an option is listed twice")
    texts = describe.option_texts(s)
    ensure(len(set(texts)) == len(texts), f"two options read the same: {texts}")
    if not s.stack and not s.queue:
        _check_rest(s)


def check_numbers(s: State, below: Callable[[int], int]) -> None:
    """Insist that it is nothing how like dice are numbered, by numbering them as chance has it."""
    new = list(range(s.spec.n_dice))
    for dice in s.spec.dice_of:
        left = list(dice)
        for d in dice:
            new[d] = left.pop(below(len(left)))
    ensure(relabeled(s, new) == s, f"other numbers for like dice give another state: {new}")


def _check_dice(s: State) -> None:
    """Each die is in one place that it can be in, on the right side, with the right owner."""
    t = s.spec
    controlled = {h.die for h in s.holdings if h.kind == "control"}
    held = [h.die for h in s.holdings if h.kind in ("capture", "aside")]
    ensure(len(set(held)) == len(held), "a die is held twice")
    # a captured action die may have been used and lie in its user's field until the capture ends (docs/rulings.md)
    used = {d for d in held if s.place[d] >> 2 == FIELD and not t.is_character_die[d]}
    controlled |= used
    held = [d for d in held if d not in used]
    held += [h.die for h in s.holdings if h.kind == "attach" and h.holder in held]  # goes along with what it lies on
    ensure(len(s.place) == len(s.owner) == t.n_dice, "a die came or went")
    for seat in range(t.n_seats):
        ensure(len(t.dice_of[seat]) == SIDEKICKS, "not eight Sidekicks")
    for d in range(t.n_dice):
        broken = _broken(s, d, d in controlled, d in held)
        if broken:
            where = f"{ZONE_NAMES[s.place[d] >> 2]} of {s.place[d] & 3}"
            raise InvariantError(f"{describe.title(s, d)} (die {d}, {where}, owner {s.owner[d]}): {broken}")


def _broken(s: State, d: int, controlled: bool, held: bool) -> str:
    """Tell what is wrong with where a die is; "" if nothing is."""
    t = s.spec
    place, seat, owner = s.place[d] >> 2, s.place[d] & 3, s.owner[d]
    home = t.owner_of_card[t.card_of[d]]
    if seat >= t.n_seats:
        return "nobody sits there"
    if (place == HELD) != held:
        return "held by nobody, or held and elsewhere"
    if t.is_token[d]:
        return "" if place in (FIELD, GONE) else "a token off the field"
    if place == GONE:
        return "it is gone"
    if place == CARD and t.card_of[d] < t.n_seats:
        return "a Sidekick on a card"
    if owner != home if home >= 0 else (owner == NOBODY) != (place == CARD):
        return "wrong owner"
    if seat != owner and place != CARD and not (place in (FIELD, RESERVE) and controlled):
        return "on the wrong side"
    if place == HAND and not s.stack and s.step != ROLL:
        return "left in hand"
    if place == RESERVE and seat & 1 != s.active & 1 and t.kinds[t.face_base[d] + s.face[d]] != ENERGY:
        return "only energy stays for the other's turn"
    return never_out(s, d) if place == OUT_OF_PLAY else ""


def never_out(s: State, d: int) -> str:
    """Tell why a die cannot be Out of Play (rules 2.1); "" if it can."""
    if not s.spec.edition.out_of_play:
        return "this edition has no Out of Play"
    return "only who has the turn has dice Out of Play" if (s.place[d] ^ s.active) & 1 else ""


def should_be_kod(s: State, d: int) -> bool:
    """Tell whether a die in the field has as much damage as D, and nothing that keeps it there or KOs it later."""
    t = s.spec
    if (
        t.kinds[t.face_base[d] + s.face[d]] != CHARACTER
        or s.flags[d] & LETHAL
        or s.damage[d] < characteristics.current_stats(s, d)[1]
    ):
        return False
    return not characteristics.has_keyword(s, d, "Iron Will") and not static_rules.is_affected_by(
        s, "cannot be KO'd", d
    )


def _check_field(s: State) -> None:
    """Damage, combat and pairs are about dice in the field; no number is below 0."""
    t = s.spec
    for d in range(t.n_dice):
        if s.place[d] >> 2 != FIELD:
            if s.damage[d] or s.flags[d] & (ATTACKING | LETHAL):
                raise InvariantError(f"{describe.title(s, d)} is damaged or attacks outside the field")
            continue
        ensure(t.kinds[t.face_base[d] + s.face[d]] != ENERGY, "energy in the field")
        ensure(min(characteristics.current_stats(s, d)) >= 0, "a number below 0")
        if s.flags[d] & ATTACKING:
            ensure(s.place[d] & 1 == s.active & 1, "somebody attacks on the other's turn")
    for b, a in s.blocks:
        ensure(s.flags[a] & (ATTACKING | BLOCKED), "somebody blocks a die that does not attack")
        ensure(s.place[b] >> 2 == FIELD and s.place[b] & 1 != s.active & 1, "a blocker is not in the defender's field")
    for x, y, _ in s.pairs:
        ensure(s.place[x] >> 2 == FIELD and s.place[y] == s.place[x], "a partner has left")
    for r in s.active_effects:
        if r.subject < PLAYER and r.word not in RESERVE_EFFECT_RULES:
            ensure(s.place[r.subject] >> 2 == FIELD, f"{r.word} was given to a die that has left the field")


def _check_rest(s: State) -> None:
    """With nothing half done, everybody in the field has less damage than D."""
    for seat in range(s.spec.n_seats):
        for d in s.dice_in(FIELD, seat):
            ensure(not should_be_kod(s, d), f"{describe.title(s, d)} should have been KO'd")
