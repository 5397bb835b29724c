"""Positions written as text: in words, and in `also:` what words leave open."""

from __future__ import annotations

import json
from typing import Any

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game.game_spec import GameSpec, basic_action_dice
from dicemasters.game.notation import machine_state
from dicemasters.game.notation.die_notation import listed_attackers, manual_effect
from dicemasters.game.notation.lexicon import ATTRIBUTES, PLACES, STEP_TEXTS
from dicemasters.game.notation.reader import read_without_advancing
from dicemasters.game.queries import combat_status
from dicemasters.game.rulesets.solitaire import variant_texts
from dicemasters.game.state.constants import (
    ATTACKING,
    BLOCKED,
    DAMAGED_THIS_TURN,
    HELD,
    ROLL,
    ROLLED,
    SETUP,
    START,
    STEP_NAMES,
)
from dicemasters.game.state.state import State, canonical, shows_face
from dicemasters.game.state.values import StateValue
from dicemasters.game.text import describe


def write_setup(table: GameSpec) -> list[str]:
    """Write edition, life, basics and teams."""
    lines = [f"edition: {table.edition.text}", f"life: {table.start_life}"]
    if table.solitaire is not None:
        lines.append("solitaire: " + ", ".join((describe.SEATS[table.solitaire.seat], *variant_texts(table.solitaire))))
    basics = [c for c in range(table.n_real_cards) if table.owner_of_card[c] < 0]
    if basics:
        lines.append("basics: " + "; ".join(_card_line(table, c, basic_action_dice(table.n_seats)) for c in basics))
    for seat in range(table.n_seats):
        cards = [c for c in range(table.n_seats, table.n_real_cards) if table.owner_of_card[c] == seat]
        lines.append(f"team {describe.SEATS[seat]}: " + "; ".join(_card_line(table, c, 0) for c in cards))
    return [line.rstrip() for line in lines]


def _card_line(table: GameSpec, c: int, usual: int) -> str:
    card, n = table.cards[c], len(table.dice_of[c])
    return ("" if n == usual else f"{n}x ") + f"{card.name} [{card.set}]"


def write_position(s: State) -> str:
    """Write a state down; read_position gives the same state back."""
    s = canonical(s)
    lines = [*write_setup(s.spec), ""]
    for seat in range(s.spec.n_seats):
        letter = describe.SEATS[seat]
        if seat < 2:  # partners share it
            lines.append(f"{letter} life: {s.life[seat]}")
        if s.virtual_energy[seat]:
            lines.append(f"{letter} left over: {s.virtual_energy[seat]}")
        for name, place in PLACES.items():
            dice = s.dice_unordered(place, seat)  # like dice are numbered in this order, and are so when it is read
            if dice:
                lines.append(f"{letter} {name}: {_list(s, dice)}")
    name = STEP_TEXTS.get((s.step, s.substep), f"{STEP_NAMES[s.step]} {s.substep}")
    number = s.turn + ((s.step, s.substep) == (START, 0))  # the turn it is about to begin
    lines.append(f"turn: {number}, {describe.SEATS[s.active]}, {name}")
    lines.append(f"chance: {s.rng:x}")
    text = "\n".join(lines) + "\n"
    plain = read_without_advancing(text, _cards_of(s.spec))
    for seat in range(s.spec.n_seats):
        for d in s.dice_in(HELD, seat):
            plain.face[d] = s.face[d]  # the holding knows what it comes back with
    more = _difference(s, plain)
    if more:
        text += "also: " + json.dumps(more, separators=(",", ":"), default=_field_values) + "\n"
    return text


def _cards_of(table: GameSpec) -> Catalogue:
    return Catalogue({c.key: c for c in table.cards if c.set}.values())


def _list(s: State, dice: list[int]) -> str:
    items: list[tuple[str, int]] = []
    for d in dice:
        item = item_text(s, d)
        if items and items[-1][0] == item:
            items[-1] = (item, items[-1][1] + 1)
        else:
            items.append((item, 1))
    return ", ".join(item if n == 1 else f"{n} {item}" for item, n in items)


def item_text(s: State, d: int) -> str:
    """Write one die with its attributes."""
    name = describe.title(s, d)
    shown = written_face(s, d)
    if shown >= 0:
        face = describe.face_text(s, d, shown)
        if describe.is_sidekick_die(s, d):
            name = name if face.startswith("@") else face
        else:
            name += face if face[0] in "@!" else f":{face}"
    if describe.is_stranger(s, d):
        name = f"{describe.SEATS[s.owner[d]]}'s {name}"
    words: list[str] = []
    if s.damage[d]:
        words.append(f"{s.damage[d]} damage")
    flags = s.flags[d]
    for word, flag in ATTRIBUTES.items():
        implied = (flag == DAMAGED_THIS_TURN and s.damage[d]) or (flag == BLOCKED and combat_status.blockers_of(s, d))
        implied = implied or (flag == ROLLED and s.step == ROLL)
        implied = implied or (flag == BLOCKED and (word == "blocked") != bool(flags & ATTACKING))
        if flags & flag and not implied:
            words.append(word)
    for a in combat_status.blocked_by(s, d):
        if s.flags[a] & ATTACKING:
            words.append(f"blocking {_attacker_reference(s, a)}")
    for r in s.active_effects:
        if r.subject == d and r == manual_effect(r.word, d, r.a, r.d, r.you) and r.word == "gets":
            words.append(f"{r.a:+d}A {r.d:+d}D")
    return name + (f" ({', '.join(words)})" if words else "")


def written_face(s: State, d: int) -> int:
    """Give the face a die is written with: what it shows, or what it comes back with if it is held; -1 if none."""
    if shows_face(s, d):
        return s.face[d]
    if s.place[d] >> 2 != HELD:
        return -1
    faces = [h.face for h in s.holdings if h.die == d and h.kind != "attach"]
    return faces[0] if faces and faces[0] >= 0 and s.spec.levels[s.spec.face_base[d] + faces[0]] else -1


def _attacker_reference(s: State, d: int) -> str:
    """Name an attacker so that it can be found again: its text, with a number if several read alike."""
    text = describe.own_text(s, d)
    alike = [x for x in listed_attackers(s) if describe.own_text(s, x) == text]
    return text if len(alike) == 1 else f"{text} #{alike.index(d) + 1}"


def _field_values(value: StateValue) -> tuple[object, ...]:
    return value.values()


def _difference(s: State, plain: State) -> dict[str, Any]:
    more: dict[str, Any] = {}
    for name in machine_state.SCALAR_FIELDS:
        if getattr(s, machine_state.attribute_of(name)) != getattr(plain, machine_state.attribute_of(name)):
            more[name] = getattr(s, machine_state.attribute_of(name))
    for name in (*machine_state.LIST_FIELDS, *machine_state.VALUE_CLASSES, "stack"):
        if getattr(s, machine_state.attribute_of(name)) != getattr(plain, machine_state.attribute_of(name)):
            more[name] = getattr(s, machine_state.attribute_of(name))
    for name in machine_state.DIE_FIELDS:
        mine, theirs = getattr(s, name), getattr(plain, name)
        changed = [[d, mine[d]] for d in range(s.spec.n_dice) if mine[d] != theirs[d]]
        if changed:
            more[name] = changed
    if s.stack or s.queue or s.step == SETUP:
        more |= {"ask": s.decision, "options": s.options, "done": s.last_affected, "paid": s.last_payment}
    if s.result != -1:
        more |= {"result": s.result, "why": s.result_reason}
    return more
