"""The glossary: short explanations of the game's terms, with the rules behind them."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.rules.document import rules_document
from dicemasters.service.protocol import http_schema


class GlossaryEntry(NamedTuple):
    """A term, the rule that defines it ("" for terms of the program) and a short explanation.

    `spellings` are other forms that a text may use.
    """

    term: str
    rule: str
    text: str
    spellings: tuple[str, ...] = ()


GLOSSARY: tuple[GlossaryEntry, ...] = (
    # dice
    GlossaryEntry(
        "die", "1.1a", "Six faces: energy, and either a character on up to three levels or an action.", ("dice",)
    ),
    GlossaryEntry(
        "Sidekick",
        "1.1b",
        "One of eight white dice each player begins with. Four faces are the energy types, one is wild, one is a "
        "character with A 1 and D 1 that is fielded for free.",
        ("Sidekicks",),
    ),
    GlossaryEntry("character", "1.1e", "A die showing a character can be fielded, attack and block.", ("characters",)),
    GlossaryEntry(
        "action die",
        "1.1d",
        "A die that shows an action can be used for what its card says.",
        ("action", "action dice"),
    ),
    GlossaryEntry(
        "basic action",
        "1.3d",
        "An action card in the middle of the table: both players may buy its dice.",
        ("basic actions",),
    ),
    GlossaryEntry(
        "level",
        "1.4a",
        "The character faces of a die, from 1 up. Higher levels are usually stronger and dearer to field.",
    ),
    GlossaryEntry(
        "fielding cost", "1.1e", "The energy it costs to field a character, printed at the upper left of the face."
    ),
    GlossaryEntry(
        "purchase cost",
        "3.3b1",
        "The energy a die costs to buy. At least one energy must be of the card's own type, if it has one.",
        ("cost",),
    ),
    GlossaryEntry("A", "1.1e", "Attack: the damage the character deals in combat.", ("attack value",)),
    GlossaryEntry("D", "1.1e", "Defence: the damage that KOs the character.", ("defence", "defense")),
    GlossaryEntry(
        "burst",
        "5.9a",
        "A star on a face. A text behind a star counts only while the die shows as many.",
        ("bursts", "★", "★★"),
    ),
    GlossaryEntry(
        "affiliation",
        "1.3a",
        "A group a character belongs to, such as Avengers. Some texts ask for it.",
        ("affiliations",),
    ),
    GlossaryEntry("die limit", "1.3a", "The most dice of a card that a team may bring.", ("max",)),
    GlossaryEntry(
        "token",
        "5.13e1",
        "A character made by an effect. It has no card, is only in the field, and is gone when it leaves.",
        ("tokens",),
    ),
    # energy
    GlossaryEntry(
        "energy",
        "3.3a1",
        "What pays for things. A die's energy face pays as many as it shows symbols, then the die is done with.",
    ),
    GlossaryEntry("fist", "3.3a1", "One of the four types of energy.", ("[F]",)),
    GlossaryEntry("bolt", "3.3a1", "One of the four types of energy.", ("[B]",)),
    GlossaryEntry("mask", "3.3a1", "One of the four types of energy.", ("[M]",)),
    GlossaryEntry("shield", "3.3a1", "One of the four types of energy.", ("[S]",)),
    GlossaryEntry("wild", "3.3a2", "Energy that pays as any one type.", ("[?]",)),
    GlossaryEntry(
        "generic energy",
        "3.3a3",
        "Energy of no type, shown as a number: it pays where no type is asked for.",
        ("generic", "[1]", "[2]"),
    ),
    GlossaryEntry(
        "half spent",
        "3.3a6",
        "Of two symbols on a die only one was spent: it now shows the other one.",
    ),
    GlossaryEntry(
        "left over",
        "3.3a10",
        "Energy that belongs to no die: for dice that were missing in the draw, or the rest of a generic die. It does "
        "not last beyond the turn, in the newest edition not beyond the next pass.",
    ),
    # zones
    GlossaryEntry("bag", "2.0b", "Where a player's dice are drawn from. Its content is open to everybody."),
    GlossaryEntry(
        "Prep Area", "2.0c", "Dice that are rolled in the player's next roll, beside those drawn.", ("prep",)
    ),
    GlossaryEntry(
        "Reserve Pool",
        "2.0d",
        "The dice a player has rolled: energy to spend, characters to field, actions to use.",
        ("reserve",),
    ),
    GlossaryEntry(
        "Field Zone",
        "2.0e",
        "Where fielded characters are, until they attack, block or are KO'd.",
        ("field", "in the field"),
    ),
    GlossaryEntry("Attack Zone", "2.0f", "The part of the field where attackers and their blockers meet."),
    GlossaryEntry(
        "Used Pile", "2.0g", "Where dice go that are done with. It refills the bag when the bag is empty.", ("used",)
    ),
    GlossaryEntry(
        "Out of Play",
        "2.1b",
        "Where dice go that were spent or used on their owner's turn, and attackers nobody blocked. They come to the "
        "Used Pile when the turn ends. The two oldest editions do not have it.",
        ("out",),
    ),
    # the turn
    GlossaryEntry(
        "clear and draw",
        "3.1",
        "First step: what is left in the reserve goes to the Used Pile, and four dice are drawn.",
        ("draw",),
    ),
    GlossaryEntry(
        "roll and reroll",
        "3.2",
        "Second step: everything in the Prep Area is rolled, and any of it may be rerolled once.",
        ("roll", "reroll"),
    ),
    GlossaryEntry(
        "main step",
        "3.3",
        "Third step: buy dice, field characters, use actions and Globals, as often as one can.",
        ("main",),
    ),
    GlossaryEntry(
        "attack step",
        "3.4",
        "Fourth step: attackers are declared, then blockers; both players may use actions and Globals; then damage is dealt.",
        ("attack",),
    ),
    GlossaryEntry(
        "cleanup",
        "3.5",
        "Last step: damage is removed, what lasted until end of turn ends, unused actions go to the Used Pile.",
    ),
    GlossaryEntry("turn", "3.0b", "Clear and draw, roll and reroll, main step, attack step, cleanup."),
    GlossaryEntry("active player", "3.0b", "The player whose turn it is."),
    GlossaryEntry(
        "pass",
        "3.3f",
        "To do nothing more for now. When the active player passes the other may do one thing. The step ends when the other declines and the active player adds nothing.",
    ),
    GlossaryEntry("priority", "3.3f", "Whose move it is to do something or pass."),
    GlossaryEntry("buy", "3.3b", "To pay a die's purchase cost and put it into the Used Pile.", ("purchase", "bought")),
    GlossaryEntry(
        "field",
        "3.3c",
        "To pay a character's fielding cost and move it from the reserve into the field.",
        ("fielded", "fields"),
    ),
    GlossaryEntry("use", "3.3d", "To do what an action die says and put it away.", ("uses",)),
    # combat
    GlossaryEntry(
        "attacker",
        "3.4a1",
        "A character declared to attack. Nobody blocking it, it damages the opponent and then leaves the field.",
        ("attacks", "attacking"),
    ),
    GlossaryEntry(
        "blocker",
        "3.4b1",
        "A character of the defender put against an attacker. Several may block one attacker.",
        ("blocks", "blocking"),
    ),
    GlossaryEntry(
        "unblocked", "3.4d1b", "An attacker nobody was put against. One whose blocker has gone is still blocked."
    ),
    GlossaryEntry("engaged", "5.8e3", "Blocking or being blocked."),
    GlossaryEntry(
        "combat damage", "5.8e1", "What attackers and blockers deal each other, and unblocked attackers the player."
    ),
    GlossaryEntry(
        "KO",
        "5.8a2",
        "A character with as much damage as D is knocked out and goes to its owner's Prep Area.",
        ("KO'd", "KOs", "knocked out"),
    ),
    GlossaryEntry("life", "4.1a", "A player with none left has lost."),
    # texts
    GlossaryEntry(
        "Global",
        "3.3e",
        "An ability on a card that either player may pay for, whoever owns the card, in the main step and after blocks.",
        ("Globals", "Global Ability"),
    ),
    GlossaryEntry("when fielded", "5.6", "Happens each time a die of the card is fielded."),
    GlossaryEntry(
        "while active",
        "5.5",
        "Holds while at least one die of the card is in the field, once however many there are.",
        ("active card", "active"),
    ),
    GlossaryEntry("target", "5.3", "To choose a die or player for an effect. Some dice cannot be targeted."),
    GlossaryEntry("opposing", "5.2d", "Controlled by the other side."),
    GlossaryEntry("spin", "5.12", "To turn a die to a level higher or lower.", ("spun", "spins")),
    GlossaryEntry(
        "capture", "5.13a", "To take a die out of the game for a time. It comes back where it was.", ("captured",)
    ),
    GlossaryEntry("control", "5.13b", "To have another player's die as one's own for a time."),
    GlossaryEntry("copy", "5.13c", "To take over another die's numbers, abilities or all of it."),
    GlossaryEntry("swap", "5.13d", "To exchange the places of two dice."),
    GlossaryEntry("redirect", "5.8d", "To let damage happen to somebody else."),
    GlossaryEntry("prevent", "5.8c", "To let damage not happen at all."),
    GlossaryEntry("once per turn", "3.3e4", "One use for each player and card, or for each die if the text says so."),
    # keywords
    GlossaryEntry("Ally", "6.1", "Counts as a Sidekick too while it is in the field."),
    GlossaryEntry("Amplify", "6.2", "When its player uses an action die, it is spun up one level."),
    GlossaryEntry(
        "Attune", "6.3", "While it is active, each action die its player uses also deals 1 damage to a target."
    ),
    GlossaryEntry(
        "Continuous", "3.3d4", "The action die stays in the field and works there until its text says when it goes."
    ),
    GlossaryEntry("Deadly", "6.5", "At the end of the turn every character it was engaged with is KO'd."),
    GlossaryEntry("Enlistment", "6.6", "The opponent may KO one of their own characters to stop what follows."),
    GlossaryEntry("Fast", "6.7", "Deals its combat damage before those without it."),
    GlossaryEntry(
        "Heroic", "6.8", "When fielded it may pair up with another Heroic character until its player's next turn."
    ),
    GlossaryEntry(
        "pair up",
        "5.14",
        "Two Heroic characters share what their texts give to partners.",
        ("paired up", "partner", "partners"),
    ),
    GlossaryEntry("Impulse", "6.9", "Happens when the die is bought."),
    GlossaryEntry("Intimidate", "6.10", "When fielded, an opposing character leaves the field until end of turn."),
    GlossaryEntry("Iron Will", "6.11", "The first damage in a turn cannot KO it, however much it is."),
    GlossaryEntry(
        "Overcrush", "6.12", "When it attacks, damage its blockers do not need for their KO goes to the opponent."
    ),
    GlossaryEntry("Prep", "6.13", "A die goes to the Prep Area, from the bag by chance if that is the place named."),
    GlossaryEntry("Resistance", "6.14", "Works if one of its player's characters was KO'd this turn."),
    GlossaryEntry(
        "Suit Up",
        "6.15",
        "When bought, a character it names may be KO'd to put the bought die into the field on level 2.",
    ),
    # the table
    GlossaryEntry(
        "Scripted Opponent",
        "8",
        "The opponent of the solitaire game. It follows fixed rules and can name the one behind each move.",
    ),
    GlossaryEntry(
        "fair dice",
        "",
        "Dice nobody can choose or foresee: both sides contribute to every throw, and anyone can check a finished game.",
    ),
    GlossaryEntry("edition", "", "Which of the four rulebooks is followed."),
)


def build_glossary() -> http_schema.Glossary:
    """Return all terms in alphabetical order."""
    ordered = sorted(GLOSSARY, key=lambda t: t.term.casefold())
    return {"terms": [{"term": t.term, "rule": t.rule, "text": t.text, "also": list(t.spellings)} for t in ordered]}


def build_rules() -> http_schema.RulesData:
    """Return the rules item by item, in Markdown."""
    return {
        "items": [
            {
                "number": item.number,
                "title": item.title,
                "level": item.level,
                "text": item.text,
                "defines": list(item.defines),
                "editions": list(item.editions),
                "shown": list(item.shown_by),
            }
            for item in rules_document().items
        ]
    }
