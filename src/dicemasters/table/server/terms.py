"""The words of the game, each explained in a sentence or two."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A word of the game and what it means; `also` are other spellings a text may use."""

    term: str
    text: str
    also: tuple[str, ...] = ()


TERMS: tuple[Term, ...] = (
    # dice
    Term("die", "Six faces: energy, and either a character on up to three levels or an action.", ("dice",)),
    Term(
        "Sidekick",
        "One of eight white dice each player begins with. Four faces are the energy types, one is wild, one is a "
        "character with A 1 and D 1 that is fielded for free.",
        ("Sidekicks",),
    ),
    Term("character", "A die showing a character can be fielded, attack and block.", ("characters",)),
    Term("action die", "A die that shows an action can be used for what its card says.", ("action", "action dice")),
    Term(
        "basic action", "An action card in the middle of the table: both players may buy its dice.", ("basic actions",)
    ),
    Term("level", "The character faces of a die, from 1 up. Higher levels are usually stronger and dearer to field."),
    Term("fielding cost", "The energy it costs to field a character, printed at the upper left of the face."),
    Term(
        "purchase cost",
        "The energy a die costs to buy. At least one energy must be of the card's own type, if it has one.",
        ("cost",),
    ),
    Term("A", "Attack: the damage the character deals in combat.", ("attack value",)),
    Term("D", "Defence: the damage that KOs the character.", ("defence", "defense")),
    Term(
        "burst",
        "A star on a face. A text behind a star counts only while the die shows as many.",
        ("bursts", "★", "★★"),
    ),
    Term("affiliation", "A group a character belongs to, such as Avengers. Some texts ask for it.", ("affiliations",)),
    Term("die limit", "The most dice of a card that a team may bring.", ("max",)),
    Term(
        "token",
        "A character made by an effect. It has no card, is only in the field, and is gone when it leaves.",
        ("tokens",),
    ),
    # energy
    Term(
        "energy",
        "What pays for things. A die's energy face pays as many as it shows symbols, then the die is done with.",
    ),
    Term("fist", "One of the four types of energy.", ("[F]",)),
    Term("bolt", "One of the four types of energy.", ("[B]",)),
    Term("mask", "One of the four types of energy.", ("[M]",)),
    Term("shield", "One of the four types of energy.", ("[S]",)),
    Term("wild", "Energy that pays as any one type.", ("[?]",)),
    Term(
        "generic energy",
        "Energy of no type, shown as a number: it pays where no type is asked for.",
        ("generic", "[1]", "[2]"),
    ),
    Term(
        "half spent",
        "Of two symbols on a die only one was spent: it now shows the other one.",
    ),
    Term(
        "left over",
        "Energy that belongs to no die: for dice that were missing in the draw, or the rest of a generic die. It does "
        "not last beyond the turn, in the newest edition not beyond the next pass.",
    ),
    # places
    Term("bag", "Where a player's dice are drawn from. Its content is open to everybody."),
    Term("Prep Area", "Dice that are rolled in the player's next roll, beside those drawn.", ("prep",)),
    Term(
        "Reserve Pool",
        "The dice a player has rolled: energy to spend, characters to field, actions to use.",
        ("reserve",),
    ),
    Term(
        "Field Zone", "Where fielded characters are, until they attack, block or are KO'd.", ("field", "in the field")
    ),
    Term("Attack Zone", "The part of the field where attackers and their blockers meet."),
    Term("Used Pile", "Where dice go that are done with. It refills the bag when the bag is empty.", ("used",)),
    Term(
        "Out of Play",
        "Where dice go that were spent or used on their owner's turn, and attackers nobody blocked. They come to the "
        "Used Pile when the turn ends. The two oldest editions do not have it.",
        ("out",),
    ),
    # the turn
    Term(
        "clear and draw",
        "First step: what is left in the reserve goes to the Used Pile, and four dice are drawn.",
        ("draw",),
    ),
    Term(
        "roll and reroll",
        "Second step: everything in the Prep Area is rolled, and any of it may be rerolled once.",
        ("roll", "reroll"),
    ),
    Term(
        "main step", "Third step: buy dice, field characters, use actions and Globals, as often as one can.", ("main",)
    ),
    Term(
        "attack step",
        "Fourth step: attackers are declared, then blockers; both players may use actions and Globals; then damage is dealt.",
        ("attack",),
    ),
    Term(
        "cleanup",
        "Last step: damage is removed, what lasted until end of turn ends, unused actions go to the Used Pile.",
    ),
    Term("turn", "Clear and draw, roll and reroll, main step, attack step, cleanup."),
    Term("active player", "The player whose turn it is.", ("active",)),
    Term(
        "pass",
        "To do nothing more for now. When the active player passes the other may use a Global, and so on until both have passed.",
    ),
    Term("priority", "Whose move it is to do something or pass."),
    Term("buy", "To pay a die's purchase cost and put it into the Used Pile.", ("purchase", "bought")),
    Term(
        "field",
        "To pay a character's fielding cost and move it from the reserve into the field.",
        ("fielded", "fields"),
    ),
    Term("use", "To do what an action die says and put it away.", ("uses",)),
    # the fight
    Term(
        "attacker",
        "A character declared to attack. Nobody blocking it, it damages the opponent and then leaves the field.",
        ("attacks", "attacking"),
    ),
    Term(
        "blocker",
        "A character of the defender put against an attacker. Several may block one attacker.",
        ("blocks", "blocking"),
    ),
    Term("unblocked", "An attacker nobody was put against. One whose blocker has gone is still blocked."),
    Term("engaged", "Blocking or being blocked."),
    Term("combat damage", "What attackers and blockers deal each other, and unblocked attackers the player."),
    Term(
        "KO",
        "A character with as much damage as D is knocked out and goes to its owner's Prep Area.",
        ("KO'd", "KOs", "knocked out"),
    ),
    Term("life", "A player with none left has lost."),
    # texts
    Term(
        "Global",
        "An ability on a card that either player may pay for, whoever owns the card, in the main step and after blocks.",
        ("Globals", "Global Ability"),
    ),
    Term("when fielded", "Happens each time a die of the card is fielded."),
    Term(
        "while active",
        "Holds while at least one die of the card is in the field, once however many there are.",
        ("active card",),
    ),
    Term("target", "To choose a die or player for an effect. Some dice cannot be targeted."),
    Term("opposing", "Controlled by the other side."),
    Term("spin", "To turn a die to a level higher or lower.", ("spun", "spins")),
    Term("capture", "To take a die out of the game for a time. It comes back where it was.", ("captured",)),
    Term("control", "To have another player's die as one's own for a time."),
    Term("copy", "To take over another die's numbers, abilities or all of it."),
    Term("swap", "To exchange the places of two dice."),
    Term("redirect", "To let damage happen to somebody else."),
    Term("prevent", "To let damage not happen at all."),
    Term("once per turn", "One use for each player and card, or for each die if the text says so."),
    # keywords
    Term("Ally", "Counts as a Sidekick too while it is in the field."),
    Term("Amplify", "When its player uses an action die, it is spun up one level."),
    Term("Attune", "While it is active, each action die its player uses also deals 1 damage to a target."),
    Term("Continuous", "The action die stays in the field and works there until its text says when it goes."),
    Term("Deadly", "At the end of the turn every character it was engaged with is KO'd."),
    Term("Enlistment", "The opponent may KO one of their own characters to stop what follows."),
    Term("Fast", "Deals its combat damage before those without it."),
    Term("Heroic", "When fielded it may pair up with another Heroic character until its player's next turn."),
    Term(
        "pair up",
        "Two Heroic characters share what their texts give to partners.",
        ("paired up", "partner", "partners"),
    ),
    Term("Impulse", "Happens when the die is bought."),
    Term("Intimidate", "When fielded, an opposing character leaves the field until end of turn."),
    Term("Iron Will", "The first damage in a turn cannot KO it, however much it is."),
    Term("Overcrush", "When it attacks, damage its blockers do not need for their KO goes to the opponent."),
    Term("Prep", "A die goes to the Prep Area, from the bag by chance if that is the place named."),
    Term("Resistance", "Works if one of its player's characters was KO'd this turn."),
    Term("Suit Up", "When bought, a character it names may be KO'd to put the bought die into the field on level 2."),
    # the table
    Term(
        "Scripted Opponent",
        "The opponent of the solitaire game. It follows fixed rules and can name the one behind each move.",
    ),
    Term(
        "fair dice",
        "Dice nobody can choose or foresee: a secret is fixed before the first roll, and when it is told at the end "
        "everybody can check every roll.",
    ),
    Term("edition", "Which of the four rulebooks is followed."),
)


def terms_data() -> dict[str, object]:
    """Give all terms for the browser, in the order of the alphabet."""
    ordered = sorted(TERMS, key=lambda t: t.term.casefold())
    return {"terms": [{"term": t.term, "text": t.text, "also": list(t.also)} for t in ordered]}
