"""What an option and a line of the log can be in a game at all, whatever happens in it: the forms that say.py fills in.

Whoever denies something (`may not:`, `expect happened not:`) is told if it could never be, so that a slip does not pass.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dicemasters.cards.text import card_text
from dicemasters.game.game_spec import GameSpec
from dicemasters.game.labels import SEATS, energy_text
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.state.constants import ZONE_NAMES
from dicemasters.game.text import describe
from dicemasters.game.text.matching import contains_in_order, contains_part

# in capitals what can stand there; what may be missing can be left out of a text anywhere
_LOG_FORMS = """
Turn NUMBER: SIDE
SIDE wins the toss
SIDE win the toss
SEAT draws NAME
OWNER NAME shows FACE
SEAT refills the bag with NUMBER dice
SEAT buys NAME too, for nothing [S7]
SEAT fields NAME
SEAT uses NAME
SEAT uses NAME's Global
SEAT uses NAME's ability
SEAT copies NAME
SEAT pays to lift OWNER NAME's ban
SEAT pays to lift OWNER NAME's surcharge
NUMBER damage to OWNER NAME from OWNER NAME
NUMBER damage to PLAYER from OWNER NAME
SIDE gains NUMBER life
SIDE gain NUMBER life
SIDE loses NUMBER life
SIDE lose NUMBER life
SEAT is NUMBER dice short
SEAT begins with three dice: the fourth, NAME, goes Out of Play
SEAT begins with three dice: the fourth, NAME, goes to the Used Pile
OWNER NAME is KO'd
OWNER NAME attacks
OWNER NAME blocks OWNER NAME
OWNER NAME is spun to FACE
"""
_OPTION_FORMS = """
buy NAME
field DIE DETAIL
use DIE DETAIL
Global of OWNER NAME
ability of THEIR DIE DETAIL
pay 1 left over
pay NUMBER of DIE DETAIL
pay DIE DETAIL
pay to lift OWNER NAME's ban PRICE
pay to lift OWNER NAME's surcharge PRICE
pay for several things at once
reroll DIE DETAIL
attack with THEIR DIE DETAIL
block YOUR DIE DETAIL with THEIR DIE DETAIL
choose OWNER DIE DETAIL
choose PLAYER
choose nobody
spin OWNER DIE DETAIL up DETAIL
spin OWNER DIE DETAIL down DETAIL
NUMBER damage from OWNER DIE DETAIL
NUMBER damage from PLAYER
NUMBER to OWNER DIE DETAIL
NUMBER to PLAYER
end NAME on DICE
resolve NAME for OWNER DIE DICE TEXT
resolve NAME for PLAYER DICE TEXT
TEXT
MODE
OWNER CARD
AFFILIATION
fist
bolt
mask
shield
go first
go second
keep all
reroll these
no attack
done blocking
no block
none
yes
no
pass
pay now
"""
_DETAIL = (
    "level attacking blocked by and blocking nobody damage in now controlled paying life player players others energy"
)

Token = str
Slot = tuple[tuple[Token, ...], ...]  # what can stand in a place, each in its words
Template = tuple[tuple[Slot, bool], ...]  # its places, and whether words may come there in any order and number


_NUMBERED: Slot = (("STATS",),)  # of options that are said alike, the second has its number at the end: #2


def could_ever_match(table: GameSpec, wanted: str, *, log: bool, player: str = "") -> bool:
    """Tell whether an option of a player's, or a line of the log, could have these words in this order in such a game."""
    words = [word for word in (_bare(word) for word in wanted.split()) if word]
    return any(_is_match(form, words, log) for form in _forms(table, log, player))


def impossible_owner(table: GameSpec, wanted: str) -> str:
    """Give a player whom a text names and who is not there, or what it says to be of one who has none such; "" if none."""
    for found in re.finditer(r"\bplayers?\s+([A-D])\b(?:\s+and\s+([A-D])\b)?", wanted, re.IGNORECASE):
        if any(seat and seat.upper() not in SEATS[: table.n_seats] for seat in found.groups()):
            return found[0]
    owners = _owners(table)
    for found in re.finditer(r"\b([A-D])'s\s+(?=(\S.*))", wanted, re.IGNORECASE):
        if re.match(r"[FBMS?](?!\S)", found[2]):
            continue  # a Sidekick's energy
        meant, said, text = list(owners), "", ""
        for word in found[2].split():
            text = f"{text} {re.split('[@:!(,;#]', word.casefold())[0]}".strip()
            fits = [name for name in meant if text in name]
            if not fits or (said and len(text) == len(said)):
                break
            meant, said = fits, text
        if said and not any(found[1].upper() in owners[name] for name in meant):
            return f"{found[1].upper()}'s {found[2][: len(said)]}"
    return ""


@lru_cache(maxsize=8)
def _owners(t: GameSpec) -> dict[str, str]:
    """Give who can own dice or cards of each name: of basic actions everybody."""
    owners: dict[str, str] = {}
    for c in range(t.n_cards):
        seat = c if c < t.n_seats else t.owner_of_card[c]
        for name in (t.names[c], t.cards[c].name):
            key = name.casefold()
            owners[key] = owners.get(key, "") + (SEATS[seat] if seat >= 0 else SEATS[: t.n_seats])
    return owners


def _is_match(form: Template, words: list[str], log: bool) -> bool:
    """Tell whether the words can be found in a form, one behind the other."""
    reached = {0}
    for slot, loose in form:
        for at in sorted(reached):
            if loose:
                while at < len(words) and any(_is(token, words[at], log) for (token,) in slot):
                    at += 1
                    reached.add(at)
            else:
                reached.update(at + n for way in slot for n in range(1, _match_length(way, words, at, log) + 1))
    return len(words) in reached


def _match_length(way: tuple[Token, ...], words: list[str], at: int, log: bool) -> int:
    """Give how many of the words from one on are met in these, one behind the other."""
    n = 0
    for token in way:
        if at + n < len(words) and _is(token, words[at + n], log):
            n += 1
    return n


def _is(token: Token, word: str, log: bool) -> bool:
    if token == "NUMBER":
        return word.isdecimal()
    if token == "FACE":
        return re.fullmatch(r"@\d\**|!\**|[fbms?]{1,2}|\d", word) is not None
    if token == "STATS":
        return re.fullmatch(r"\d+/\d+|[+-]\d+[ad]|#\d+|\d+", word) is not None
    return contains_in_order(token, word) if log else contains_part(token, word)


def _bare(word: str) -> str:
    return word.casefold().strip("(),:;.[]")


def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(word for word in (_bare(word) for word in text.split()) if word)


@lru_cache(maxsize=32)
def _forms(t: GameSpec, log: bool, player: str) -> tuple[Template, ...]:
    slots = _slots(t, log, player)
    found: list[Template] = []
    for line in (_LOG_FORMS if log else _OPTION_FORMS).strip().splitlines():
        tokens = [token.rstrip(":,") for token in line.split()]
        if log and t.n_seats == 2 and "lift" not in tokens:
            tokens = [token for token in tokens if token != "OWNER"]  # it does not say whose a die is
        form = [(slots.get(token, (_tokens(token),)), token in ("DETAIL", "DICE")) for token in tokens]
        found.append(tuple(form if log else [*form, (_NUMBERED, False)]))
    return tuple(found)


def _slots(t: GameSpec, log: bool, player: str) -> dict[str, Slot]:
    """List for each name in capitals what can stand there."""
    seats = SEATS[: t.n_seats]
    sides = seats if t.n_seats == 2 else ("A and C", "B and D")
    players = [f"player {seat}" for seat in seats] + [f"players {side}" for side in sides if len(side) > 1]
    names = sorted(set(t.names))
    slots: dict[str, list[str]] = {
        "NUMBER": ["NUMBER"],
        "FACE": ["FACE"],
        "SEAT": list(seats),
        "SIDE": [*seats, *sides],
        "OWNER": [f"{seat}'s" for seat in seats],
        "PLAYER": players,
        "NAME": names,
        "NAME's": [f"{name}'s" for name in names],
    }
    if not log:
        dice = [*names, *sorted({text for c in range(t.n_cards) for text in _faces(t, c)})]
        detail = [*_DETAIL.split(), *ZONE_NAMES, *t.affiliations, *dice, *seats]
        detail = ["STATS", *sorted({word for text in detail for word in _tokens(text)})]
        apart = player != "" and t.n_seats == 2  # a die's owner is said in these only if another player has it
        slots |= {
            "DIE": dice,
            "DETAIL": detail,
            "DICE": [*detail, *slots["OWNER"]],
            "YOUR": [f"{seat}'s" for seat in seats if not apart or seat == player],
            "THEIR": [f"{seat}'s" for seat in seats if not apart or seat != player],
            "CARD": [card.name for card in t.cards],
            "AFFILIATION": list(t.affiliations),
            "TEXT": [card_text(card) for card in t.cards],
            "MODE": describe.mode_texts(t),
            "PRICE": describe.lifting_prices(t),
        }
    special = ("NUMBER", "FACE", "STATS")
    return {key: tuple((x,) if x in special else _tokens(x) for x in texts) for key, texts in slots.items()}


def _faces(t: GameSpec, c: int) -> list[str]:
    """Say each face of a card's dice as it stands behind its name; a Sidekick's energy by itself."""
    if not t.dice_of[c]:
        return []
    found: list[str] = []
    for face in range(6):
        i = t.face_base[t.dice_of[c][0]] + face
        stars = "*" * t.bursts[i]
        if t.levels[i]:
            found.append(f"{t.names[c]}@{t.levels[i]}{stars}")
        elif t.kinds[i] == ACTION:
            found.append(f"{t.names[c]}!{stars}")
        elif t.pips[i]:
            energy = energy_text(t.energy[i], t.pips[i])
            found += [f"{t.names[c]}:{energy}", *([energy] if c < t.n_seats else [])]
    return found
