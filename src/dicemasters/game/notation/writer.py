"""Writer of the position notation (like FEN in chess): words first, then the `also:` line for what words cannot express."""

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


def write_setup(spec: GameSpec) -> list[str]:
    """Return the lines for edition, life, solitaire rules, basic actions and teams."""
    lines = [f"edition: {spec.edition.text}", f"life: {spec.start_life}"]
    if spec.solitaire is not None:
        lines.append("solitaire: " + ", ".join((describe.SEATS[spec.solitaire.seat], *variant_texts(spec.solitaire))))
    basics = [c for c in range(spec.n_real_cards) if spec.owner_of_card[c] < 0]
    if basics:
        lines.append("basics: " + "; ".join(_card_line(spec, c, basic_action_dice(spec.n_seats)) for c in basics))
    for seat in range(spec.n_seats):
        cards = [c for c in range(spec.n_seats, spec.n_real_cards) if spec.owner_of_card[c] == seat]
        lines.append(f"team {describe.SEATS[seat]}: " + "; ".join(_card_line(spec, c, 0) for c in cards))
    return [line.rstrip() for line in lines]


def _card_line(spec: GameSpec, c: int, default_dice: int) -> str:
    card, n = spec.cards[c], len(spec.dice_of[c])
    return ("" if n == default_dice else f"{n}x ") + f"{card.name} [{card.set}]"


def write_position(s: State) -> str:
    """Return the position as text, from which `read_position` restores an equal state."""
    s = canonical(s)
    lines = [*write_setup(s.spec), ""]
    for seat in range(s.spec.n_seats):
        letter = describe.SEATS[seat]
        if seat < 2:  # partners share their life
            lines.append(f"{letter} life: {s.life[seat]}")
        if s.virtual_energy[seat]:
            lines.append(f"{letter} left over: {s.virtual_energy[seat]}")
        for name, place in PLACES.items():
            dice = s.dice_unordered(place, seat)  # the reader numbers equal dice in this order too
            if dice:
                lines.append(f"{letter} {name}: {_dice_list(s, dice)}")
    name = STEP_TEXTS.get((s.step, s.substep), f"{STEP_NAMES[s.step]} {s.substep}")
    turn = s.turn + ((s.step, s.substep) == (START, 0))  # at the start step the turn is not counted yet
    lines.append(f"turn: {turn}, {describe.SEATS[s.active]}, {name}")
    lines.append(f"chance: {s.rng:x}")
    text = "\n".join(lines) + "\n"
    described = read_without_advancing(text, _cards_of(s.spec))
    for seat in range(s.spec.n_seats):
        for d in s.dice_in(HELD, seat):
            described.face[d] = s.face[d]  # restored from the holding when the text is read
    machine_fields = _difference(s, described)
    if machine_fields:
        text += "also: " + json.dumps(machine_fields, separators=(",", ":"), default=_field_values) + "\n"
    return text


def _cards_of(spec: GameSpec) -> Catalogue:
    return Catalogue({c.key: c for c in spec.cards if c.set}.values())


def _dice_list(s: State, dice: list[int]) -> str:
    items: list[tuple[str, int]] = []
    for d in dice:
        item = item_text(s, d)
        if items and items[-1][0] == item:
            items[-1] = (item, items[-1][1] + 1)
        else:
            items.append((item, 1))
    return ", ".join(item if n == 1 else f"{n} {item}" for item, n in items)


def item_text(s: State, d: int) -> str:
    """Return the text of a die with its attributes."""
    name = describe.title(s, d)
    shown = written_face(s, d)
    if shown >= 0:
        face = describe.face_text(s, d, shown)
        if describe.is_sidekick_die(s, d):
            name = name if face.startswith("@") else face
        else:
            name += face if face[0] in "@!" else f":{face}"
    if describe.is_controlled_by_other(s, d):
        name = f"{describe.SEATS[s.owner[d]]}'s {name}"
    attributes: list[str] = []
    if s.damage[d]:
        attributes.append(f"{s.damage[d]} damage")
    flags = s.flags[d]
    for word, flag in ATTRIBUTES.items():
        implied = (flag == DAMAGED_THIS_TURN and s.damage[d]) or (flag == BLOCKED and combat_status.blockers_of(s, d))
        implied = implied or (flag == ROLLED and s.step == ROLL)
        implied = implied or (flag == BLOCKED and (word == "blocked") != bool(flags & ATTACKING))
        if flags & flag and not implied:
            attributes.append(word)
    for attacker in combat_status.blocked_by(s, d):
        if s.flags[attacker] & ATTACKING:
            attributes.append(f"blocking {_attacker_reference(s, attacker)}")
    for effect in s.active_effects:
        if (
            effect.subject == d
            and effect == manual_effect(effect.word, d, effect.a, effect.d, effect.you)
            and effect.word == "gets"
        ):
            attributes.append(f"{effect.a:+d}A {effect.d:+d}D")
    return name + (f" ({', '.join(attributes)})" if attributes else "")


def written_face(s: State, d: int) -> int:
    """Return the face a die is written with, or -1 if it has none.

    A held die is written with the face it returns with.
    """
    if shows_face(s, d):
        return s.face[d]
    if s.place[d] >> 2 != HELD:
        return -1
    faces = [holding.face for holding in s.holdings if holding.die == d and holding.kind != "attach"]
    return faces[0] if faces and faces[0] >= 0 and s.spec.levels[s.spec.face_base[d] + faces[0]] else -1


def _attacker_reference(s: State, d: int) -> str:
    """Return an unambiguous name for an attacker: its text, numbered if several attackers share it."""
    text = describe.own_text(s, d)
    alike = [x for x in listed_attackers(s) if describe.own_text(s, x) == text]
    return text if len(alike) == 1 else f"{text} #{alike.index(d) + 1}"


def _field_values(value: StateValue) -> tuple[object, ...]:
    return value.values()


def _difference(s: State, described: State) -> dict[str, Any]:
    """Return the fields of the `also:` line: everything that the words of the position leave open."""
    fields: dict[str, Any] = {}
    for key in machine_state.SCALAR_FIELDS:
        if getattr(s, machine_state.attribute_of(key)) != getattr(described, machine_state.attribute_of(key)):
            fields[key] = getattr(s, machine_state.attribute_of(key))
    for key in (*machine_state.LIST_FIELDS, *machine_state.VALUE_CLASSES, "stack"):
        if getattr(s, machine_state.attribute_of(key)) != getattr(described, machine_state.attribute_of(key)):
            fields[key] = getattr(s, machine_state.attribute_of(key))
    for key in machine_state.DIE_FIELDS:
        values, described_values = getattr(s, key), getattr(described, key)
        changed = [[d, values[d]] for d in range(s.spec.n_dice) if values[d] != described_values[d]]
        if changed:
            fields[key] = changed
    if s.stack or s.queue or s.step == SETUP:
        fields |= {"ask": s.decision, "options": s.options, "done": s.last_affected, "paid": s.last_payment}
    if s.result != -1:
        fields |= {"result": s.result, "why": s.result_reason}
    return fields
