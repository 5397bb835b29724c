"""Turning a die to an energy face or a level."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import TYPES
from dicemasters.game.game_spec import GENERIC
from dicemasters.game.state.state import State


def energy_face(s: State, d: int, symbol: str) -> int:
    """Give the face of a die that shows this energy, one of a type or so much generic; -1 if it has none."""
    t = s.spec
    wanted, pips = (GENERIC, int(symbol)) if symbol.isdigit() else (TYPES.index(symbol), 1)
    faces = range(t.face_base[d], t.face_base[d] + 6)
    return next((i - t.face_base[d] for i in faces if t.energy[i] == wanted and t.pips[i] == pips), -1)


def set_level(s: State, d: int, level: int) -> None:
    """Turn a die to its face of that level, or the nearest it has."""
    t = s.spec
    base = t.face_base[d]
    best = -1
    for f in range(6):
        at: int = t.levels[base + f]
        if at and (best < 0 or abs(at - level) < abs(int(t.levels[base + best]) - level)):
            best = f
    if best >= 0 and s.face[d] != best:
        s.face[d] = best
        s.state_check_due = True
        if s.journal is not None:
            s.journal.append(("spins", d, best))
