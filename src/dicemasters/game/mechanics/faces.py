"""Turning a die to an energy face or a level."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.game_spec import GENERIC
from dicemasters.game.state.state import State


def energy_face(s: State, d: int, symbol: str) -> int:
    """Return the face of a die that shows this energy, or -1 if it has none.

    `symbol` is a type, meaning one energy of it, or a digit, meaning that much generic energy.
    """
    spec = s.spec
    energy, pips = (GENERIC, int(symbol)) if symbol.isdigit() else (TYPES.index(symbol), 1)
    faces = range(spec.face_base[d], spec.face_base[d] + 6)
    return next((i - spec.face_base[d] for i in faces if spec.energy[i] == energy and spec.pips[i] == pips), -1)


def set_level(s: State, d: int, level: int) -> None:
    """Turn a die to its face of that level, or to the nearest level it has (rules 5.12b)."""
    spec = s.spec
    base = spec.face_base[d]
    best = -1
    for face in range(6):
        face_level: int = spec.levels[base + face]
        if face_level and (best < 0 or abs(face_level - level) < abs(int(spec.levels[base + best]) - level)):
            best = face
    if best >= 0 and s.face[d] != best:
        s.face[d] = best
        s.state_check_due = True
        if s.journal is not None:
            s.journal.append(("spins", d, best))
