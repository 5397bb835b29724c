"""The pages of the card sets: every card with its numbers, text and die."""

from __future__ import annotations

from html import escape

from dicemasters import catalogue
from dicemasters.cards.catalogue import SETS, Card, type_name
from dicemasters.cards.dice import DICE, Face
from dicemasters.game.text.svg import readable_ink

LEGEND = (
    "Energy: **F** fist, **B** bolt, **M** mask, **S** shield, **?** wild, **1** and **2** generic. "
    "A character face shows its fielding cost and A above, its level and bursts in the middle, its D below; "
    "**!** is an action face."
)


def set_page(key: str) -> str:
    """Return the page of a set in Markdown."""
    cards = [card for card in catalogue() if card.set == key]
    lines = [f"# {SETS[key]}", "", f"{len(cards)} cards. To search them, run `dicemasters cards set:{key}`.", ""]
    lines += [LEGEND, ""]
    for card in cards:
        lines += _card(card)
    return "\n".join(lines) + "\n"


def dice_css() -> str:
    """Return the colours of all dice as a style sheet, one class per die."""
    return "".join(
        f".die-{die.key} {{ --die: {die.color}; --die-ink: {readable_ink(die.color, die.ink)}; }}\n"
        for die in DICE.values()
    )


def _card(card: Card) -> list[str]:
    energy = " and ".join(type_name(symbol) for symbol in card.energy)
    facts = (
        f"cost {card.cost} {energy}".strip(),
        ", ".join(card.affiliations),
        f"at most {card.max} dice",
        card.rarity,
    )
    text = [_escaped(line) for line in card.text.splitlines()] or ["No text."]
    faces = "".join(_face(face) for face in card.die.faces)
    return [
        f"## {card.number}. {_escaped(card.name)}",
        "",
        '<div class="card-facts">' + " · ".join(escape(fact) for fact in facts if fact) + "</div>",
        "",
        *(part for line in text for part in (line, "")),
        f'<ul class="die die-{card.die.key}">{faces}</ul>',
        "",
    ]


def _face(face: Face) -> str:
    """Return a face of a die as a list item, with a description for screen readers."""
    bursts = "★" * face.burst
    if face.level:
        label = f"level {face.level}: fielding cost {face.field}, A {face.a}, D {face.d}"
        inner = f"<span>{face.field}</span><span>{face.a}</span><b>L{face.level}{bursts}</b><span>{face.d}</span>"
        kind = "character"
    elif face.action:
        label, inner, kind = "action", f"<b>!{bursts}</b>", "action"
    else:
        names = [type_name(symbol) for symbol in face.energy]
        label = f"{len(names)} {names[0]}" if names else f"{face.generic} generic energy"
        inner, kind = f"<b>{face.energy or face.generic}</b>", "energy"
    label += f", {face.burst} burst{'s' if face.burst > 1 else ''}" if face.burst else ""
    return f'<li class="face {kind}" aria-label="{label}" title="{label}">{inner}</li>'


def _escaped(line: str) -> str:
    """Return text without Markdown markup."""
    return line.replace("*", "\\*").replace("[", "\\[").replace("_", "\\_")
