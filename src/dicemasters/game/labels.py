"""Names of players, faces and energy in texts."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.game_spec import GENERIC, WILD
from dicemasters.game.queries.die_identity import ACTION, CHARACTER
from dicemasters.game.state.state import State

SEATS: Final = "ABCD"


def energy_text(kind: int, pips: int) -> str:
    """Return the text of an energy face: FF, ?, or 2 for generic energy."""
    if kind == GENERIC:
        return str(pips)
    return ("?" if kind == WILD else TYPES[kind]) * pips


def face_text(s: State, d: int, face: int) -> str:
    """Return the text of a face: @2 for a level, energy symbols, or ! for an action, then * for each burst."""
    spec = s.spec
    i = spec.face_base[d] + face
    stars = "*" * spec.bursts[i]
    if spec.kinds[i] == CHARACTER:
        return f"@{spec.levels[i]}{stars}"
    if spec.kinds[i] == ACTION:
        return f"!{stars}"
    return energy_text(spec.energy[i], spec.pips[i])


def is_sidekick_die(s: State, d: int) -> bool:
    """Return whether a die is one of the eight Sidekicks of a seat."""
    return s.spec.card_of[d] < s.spec.n_seats


def scripted_text(s: State, script: list[tuple[int, int, int]]) -> str:
    """Return the remaining script of draws and rolls in scenario notation: `F, Hulk@2`."""
    spec = s.spec
    items: list[str] = []
    for _, card, face in script:
        name, d = spec.names[card], spec.dice_of[card][0]
        shown = "" if face < 0 else face_text(s, d, face)
        if not shown or (is_sidekick_die(s, d) and shown.startswith("@")):
            items.append(name)
        elif is_sidekick_die(s, d):
            items.append(shown)
        else:
            items.append(name + (shown if shown[0] in "@!" else f":{shown}"))
    return ", ".join(items)
