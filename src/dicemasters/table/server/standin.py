"""Views until the real ones are there."""

from __future__ import annotations

from typing import Any

from dicemasters.cards.english import ability_text
from dicemasters.game import Game, look, say
from dicemasters.game.setup import Table
from dicemasters.game.state import PLACE_NAMES, PLAYER, STEP_NAMES


def table_data(table: Table) -> dict[str, Any]:
    cards = []
    for c in range(table.n_cards):
        card = table.cards[c]
        owner = table.owner_of_card[c]
        die = table.dice_of[c][0] if table.dice_of[c] else None
        faces = []
        if die is not None:
            for f in range(6):
                i = table.m6[die] + f
                kind = ("energy", "character", "action")[table.kinds[i]] if table.kinds[i] < 3 else "energy"
                faces.append(
                    {
                        "kind": kind,
                        "energy": say.energy_text(table.energy[i], table.pips[i]) if kind == "energy" else "",
                        "generic": 0,
                        "level": table.levels[i],
                        "cost": 0,
                        "a": 0,
                        "d": 0,
                        "burst": table.bursts[i],
                    }
                )
        cards.append(
            {
                "c": c,
                "key": card.key,
                "set": "",
                "title": card.title,
                "subtitle": "",
                "kind": "character",
                "cost": card.cost,
                "energy": str(card.energy),
                "affiliations": [],
                "max": 4,
                "owner": None if owner < 0 else "AB"[owner],
                "text": [ability_text(a, card) for a in card.abilities],
                "globals": [],
                "die": {"base": "#555", "ink": "#fff", "faces": faces},
            }
        )
    e = table.edition
    return {
        "edition": {"key": e.key, "name": e.name},
        "format": "",
        "life": table.start_life,
        "seats": ["A", "B"],
        "cards": cards,
        "scripted": None,
    }


def view_data(game: Game, news: list[str]) -> dict[str, Any]:
    s = game.state
    t = s.table
    dice = []
    for i in range(t.n_dice):
        place, seat = s.place[i] >> 2, s.place[i] & 3
        d: dict[str, Any] = {
            "i": i,
            "c": t.card_of[i],
            "z": PLACE_NAMES[place],
            "s": "AB"[seat & 1],
            "f": s.face[i] if place in (3, 4) else None,
        }
        if place in (3, 4) and t.levels[t.m6[i] + s.face[i]]:
            d["a"], d["d"] = look.stats(s, i)
        dice.append(d)
    decision = None
    asked = game.decision
    if asked is not None:
        decision = {
            "seat": asked.player,
            "kind": asked.kind,
            "mode": "one",
            "question": asked.question,
            "about": "",
            "min": 1,
            "max": 1,
            "total": 0,
            "options": [
                {
                    "i": o.index,
                    "text": o.text,
                    "what": o.what,
                    "dice": [x for x in o.dice if x < PLAYER],
                    "to": None,
                    "card": None,
                    "hint": "",
                }
                for o in asked.options
            ],
            "confirm": "",
            "none": "",
        }
    return {
        "version": 0,
        "move": len(game.moves),
        "turn": s.turn,
        "active": "AB"[s.active & 1],
        "step": STEP_NAMES[s.step],
        "stage": "",
        "title": say.step_text(s),
        "life": {"A": s.life[0], "B": s.life[1]},
        "energy": {"A": s.virtual[0], "B": s.virtual[1]},
        "left": {},
        "dice": dice,
        "effects": [],
        "decision": decision,
        "news": [{"text": n.strip(), "kind": "happening", "dice": [], "seat": None} for n in news],
        "why": None,
        "result": None,
    }


def expand(game: Game, choice: dict[str, Any]) -> list[str]:
    option = choice.get("option")
    asked = game.decision
    if asked is None or not isinstance(option, int) or not 0 <= option < len(asked.options):
        raise ValueError("there is no such option")
    return [asked.options[option].text]
