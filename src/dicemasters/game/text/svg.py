"""SVG pictures of positions for notebooks and files."""

from __future__ import annotations

import textwrap
from html import escape

from dicemasters.cards.dice import Die
from dicemasters.game.queries import characteristics, combat_status, die_identity
from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    BLOCKED,
    CARD,
    FIELD,
    OUT_OF_PLAY,
    PREP,
    RESERVE,
    UNDECIDED,
    USED,
)
from dicemasters.game.state.state import State, shows_face
from dicemasters.game.text import describe

_WIDTH = 940
_DIE_SIZE = 54
_GAP = 8
_LABEL_WIDTH = 92
_FELT, _PAPER, _DIM, _ACCENT = "#1d2b26", "#f3efe4", "#9fb3a8", "#ffd166"
_MIN_CONTRAST = 4.5  # minimum contrast ratio of small print (WCAG AA)
_NOTE_HEIGHT = 11  # line height under a die
_NBSP = "\u00a0"  # a space that allows no line break
_SEPARATOR = f"{_NBSP}· "  # a line may end with it, but not begin with it
_TITLE_CHARACTERS = 105  # characters per line of large print
_LINE_CHARACTERS = 135  # characters per line of small print, with room to spare
_PER_ROW = (_WIDTH - _LABEL_WIDTH - 20) // (_DIE_SIZE + _GAP)


def render_svg(s: State) -> str:
    """Return an SVG image of the whole table, with the first side at the bottom."""
    parts: list[str] = []
    y = 16.0
    y = _title(parts, s, y)
    for seat in reversed(s.spec.sides[1]):
        y = _side(parts, s, seat, y)
    y = _basics(parts, s, y)
    for seat in s.spec.sides[0]:
        y = _side(parts, s, seat, y)
    height = int(y + 8)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" font-family="system-ui, sans-serif" role="img">'
        f"<title>{escape(_summary(s))}</title>"
        f'<rect width="{_WIDTH}" height="{height}" rx="14" fill="{_FELT}"/>'
    )
    return head + "".join(parts) + "</svg>"


def _summary(s: State) -> str:
    lives = ", ".join(f"{describe.side_name(s, side)} {life} life" for side, life in enumerate(s.life))
    return f"Turn {s.turn}, {describe.side_name(s, s.active)}, {describe.step_text(s)}; {lives}"


def _text(
    x: float, y: float, text: str, size: int = 12, fill: str = _PAPER, anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def _title(parts: list[str], s: State, y: float) -> float:
    edition = s.spec.edition
    turn_text = f"{edition.name} rules · turn {s.turn} · {describe.side_name(s, s.active)}, {describe.step_text(s)}"
    is_deciding = s.result == UNDECIDED and s.decision.seat >= 0
    prompt = f"{describe.SEATS[s.decision.seat]}: {describe.question(s)}" if is_deciding else describe.result_text(s)
    parts.append(_text(16, y + 12, turn_text, 14))
    if 7 * len(turn_text) + 8.3 * len(prompt) <= _WIDTH - 48:  # mean widths of regular and bold letters
        parts.append(_text(_WIDTH - 16, y + 12, prompt, 14, _ACCENT, "end", True))
    else:  # too long for one line
        for line in textwrap.wrap(prompt, _TITLE_CHARACTERS):
            y += 20
            parts.append(_text(16, y + 12, line, 14, _ACCENT, bold=True))
    for line in textwrap.wrap(f"House rules: {'; '.join(edition.changes)}", 150) if edition.changes else ():
        y += 16
        parts.append(_text(16, y + 12, line, 12, _DIM))
    return y + 28


def _side(parts: list[str], s: State, seat: int, y: float) -> float:
    parts.append(f'<line x1="16" x2="{_WIDTH - 16}" y1="{y:g}" y2="{y:g}" stroke="{_DIM}" stroke-opacity=".4"/>')
    y += 20
    parts.append(_text(16, y, f"{describe.SEATS[seat]}", 18, _PAPER, bold=True))
    parts.append(_text(36, y, f"{s.life[seat & 1]} of {die_identity.starting_life(s, seat & 1)} life", 14))
    y = _lines(parts, _SEPARATOR.join(_cards(s, seat)), y)
    y += 10
    rows = (("field", FIELD), ("reserve", RESERVE), ("prep", PREP))
    for name, place in rows:
        dice = s.dice_in(place, seat)
        if dice or place == FIELD:
            y = _row(parts, s, name, dice, y)
    piles = []
    for name, place in (("bag", BAG), ("used", USED), ("out of play", OUT_OF_PLAY)):
        dice = s.dice_in(place, seat)
        if dice:
            names: dict[str, int] = {}
            for d in dice:
                names[describe.title(s, d)] = names.get(describe.title(s, d), 0) + 1
            counted = (f"{n} {x}" if n > 1 else x for x, n in names.items())
            piles.append(f"{name}: " + ", ".join(x.replace(" ", _NBSP) for x in counted))
    return _lines(parts, "  |  ".join(piles), y - 4) + 12


def _basics(parts: list[str], s: State, y: float) -> float:
    """Draw the basic actions, which all players share (rules 1.3d), and return the next free y."""
    cards = _cards(s, -1)
    if not cards:
        return y
    parts.append(f'<line x1="16" x2="{_WIDTH - 16}" y1="{y:g}" y2="{y:g}" stroke="{_DIM}" stroke-opacity=".4"/>')
    return _lines(parts, "basic actions: " + _SEPARATOR.join(cards), y + 2) + 12


def _cards(s: State, owner: int) -> list[str]:
    """Return the cards of a team, or the basic actions for owner -1: cost, energy and remaining dice."""
    spec = s.spec
    texts: list[str] = []
    for c in range(spec.n_seats, spec.n_real_cards):
        if spec.owner_of_card[c] == owner:
            remaining = sum(1 for d in spec.dice_of[c] if s.place[d] >> 2 == CARD)
            card = f"{spec.cards[c].title} {spec.cards[c].cost}{spec.cards[c].energy} ×{remaining}"
            texts.append(card.replace(" ", _NBSP))  # keeps a card on one line
    return texts


def _lines(parts: list[str], text: str, y: float) -> float:
    """Write a text on as many lines as it needs, and return the y of the last one."""
    for line in textwrap.wrap(text, _LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False):
        y += 17
        parts.append(_text(16, y, line, 12, _DIM))
    return y


def _row(parts: list[str], s: State, name: str, dice: list[int], y: float) -> float:
    parts.append(_text(16, y + _DIE_SIZE / 2 + 4, name, 13, _DIM))
    for start in range(0, len(dice) or 1, _PER_ROW):
        row = dice[start : start + _PER_ROW]
        for i, d in enumerate(row):
            _die(parts, s, d, _LABEL_WIDTH + i * (_DIE_SIZE + _GAP), y)
        max_notes = max((len(_notes(s, d)) for d in row), default=0)
        y += _DIE_SIZE + 22 + max(0, max_notes - 1) * _NOTE_HEIGHT
    return y


def _luminance(color: str) -> float:
    r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return float(0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2)


def readable_ink(color: str, ink: str) -> str:
    """Return the die's ink, or black or white if it lacks contrast with the die's colour."""
    background, foreground = _luminance(color), _luminance(ink)
    if (max(background, foreground) + 0.05) / (min(background, foreground) + 0.05) >= _MIN_CONTRAST:
        return ink
    return "#111111" if background > 0.18 else "#ffffff"


def _die(parts: list[str], s: State, d: int, x: float, y: float) -> None:
    """Draw a die: its colours and face, and in the field its stats, damage and role in combat."""
    spec = s.spec
    die: Die = spec.cards[spec.card_of[d]].die
    ink = readable_ink(die.color, die.ink)
    fights = s.flags[d] & ATTACKING or combat_status.blocked_by(s, d)
    edge = _ACCENT if fights else "#00000055"
    parts.append(
        f'<rect x="{x:g}" y="{y:g}" width="{_DIE_SIZE}" height="{_DIE_SIZE}" rx="9" fill="{die.color}" stroke="{edge}" '
        f'stroke-width="{3 if fights else 1}"><title>{escape(describe.die_text(s, d) + describe.detail_text(s, d))}</title></rect>'
    )
    center = x + _DIE_SIZE / 2
    name = describe.title(s, d)
    if not shows_face(s, d):
        parts.append(_text(center, y + _DIE_SIZE / 2 + 5, _monogram(name), 16, ink, "middle", True))
    else:
        i = spec.face_base[d] + s.face[d]
        stars = "★" * spec.bursts[i]
        if spec.levels[i]:
            a, de = (
                characteristics.current_stats(s, d) if s.place[d] >> 2 == FIELD else (spec.attack[i], spec.defence[i])
            )
            parts.append(_text(x + 5, y + 14, str(spec.costs[i]), 11, ink))
            parts.append(_text(x + _DIE_SIZE - 5, y + 14, f"{stars}{'●' * spec.levels[i]}", 9, ink, "end"))
            parts.append(_text(center, y + _DIE_SIZE / 2 + 4, _monogram(name), 15, ink, "middle", True))
            parts.append(_text(x + 5, y + _DIE_SIZE - 6, f"A{a}", 12, ink, bold=True))
            parts.append(_text(x + _DIE_SIZE - 5, y + _DIE_SIZE - 6, f"D{de}", 12, ink, "end", True))
        elif spec.kinds[i] == die_identity.ACTION:
            parts.append(_text(center, y + _DIE_SIZE / 2 + 2, _monogram(name), 15, ink, "middle", True))
            parts.append(_text(center, y + _DIE_SIZE - 8, f"action {stars}".strip(), 9, ink, "middle"))
        else:
            parts.append(
                _text(
                    center,
                    y + _DIE_SIZE / 2 + 8,
                    describe.energy_text(spec.energy[i], spec.pips[i]),
                    22,
                    ink,
                    "middle",
                    True,
                )
            )
    notes = _notes(s, d)
    for n, note in enumerate(notes or [name if len(name) < 12 else name[:10] + "…"]):
        parts.append(
            _text(center, y + _DIE_SIZE + 13 + n * _NOTE_HEIGHT, note, 9, _ACCENT if notes else _DIM, "middle")
        )


def _notes(s: State, d: int) -> list[str]:
    """Return a die's damage and role in combat in lines no wider than the die and its gap."""
    notes = [f"{s.damage[d]} damage"] if s.damage[d] else []
    if s.flags[d] & ATTACKING:
        notes.append("blocked" if s.flags[d] & BLOCKED else "attacks")
    elif s.flags[d] & BLOCKED:
        notes.append("blocks nobody")
    return notes + [f"on {_monogram(describe.title(s, a))}" for a in combat_status.blocked_by(s, d)]


def _monogram(name: str) -> str:
    words = [w for w in name.replace("-", " ").split() if w[0].isalnum()]
    return "".join(w[0].upper() for w in words[:3]) if len(words) > 1 else name[:2]
