"""Full view of a card for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from dicemasters.cards.catalogue import SETS, Card, type_name
from dicemasters.cards.text import card_text
from dicemasters.teams.card_stats import card_stats
from dicemasters.terminal.theme import LABEL, draw_faces


def print_card(console: Console, card: Card) -> None:
    """Print a card: title, facts, the faces of its die, text and win statistics."""
    width = console.width
    title = Text(" ")
    title.append(card.title, "bold")
    if card.subtitle:
        title.append(f"  {card.subtitle}")
    console.print(title)
    console.print(Text(f" {card_facts(card)}", LABEL))
    console.print()
    for line in draw_faces(card, width):
        console.print(line, no_wrap=True, crop=True)
    if card.kind == "character":
        console.print(Text(" on a face: fielding cost and A above, level, bursts * and D below", LABEL))
    console.print()
    text = card_text(card)
    for paragraph in text.splitlines() or ["No text."]:
        for wrapped in Text(paragraph).wrap(console, max(20, min(width, 100) - 2)):
            console.print(Text(" ").append_text(wrapped))
    if "(" in text:
        console.print(Text(" text in round brackets is not printed on the card", LABEL))
    stats = card_stats().get(card.key)
    if stats is not None:
        win_rate = f"{stats.won:.1f} % of their games ({stats.low:.1f} to {stats.high:.1f})"
        console.print(Text(f" random teams with it won {win_rate}; place {stats.place} of {stats.of}", LABEL))


def card_facts(card: Card) -> str:
    """Return a card's cost, type, affiliations, number of dice, set, number and rarity in one line."""
    energy = " and ".join(type_name(symbol) for symbol in card.energy)
    parts = [f"cost {card.cost}{' ' + energy if energy else ''}"]
    if card.kind == "basic":
        parts[0] += ", basic action"
    elif card.kind == "action":
        parts[0] += ", action"
    parts.append(", ".join(card.affiliations) if card.affiliations else "")
    parts.append(f"at most {card.max} {'die' if card.max == 1 else 'dice'}")
    parts.append(f"{SETS.get(card.set, card.set)} {card.number}, {card.rarity}" if card.set else "")
    return " · ".join(part for part in parts if part)
