"""What an option and a line of the log can be in a game at all, whatever happens in it: the forms that say.py fills in.

Whoever denies something (`may not:`, `expect happened not:`) is told if it could never be, so that a slip does not pass.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dicemasters.cards.english import card_text
from dicemasters.game import say
from dicemasters.game.look import ACTION
from dicemasters.game.names import SEATS, energy_text
from dicemasters.game.naming import has_part, has_words
from dicemasters.game.setup import Table
from dicemasters.game.state import PLACE_NAMES

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
ability of OWNER DIE DETAIL
pay 1 left over
pay NUMBER of DIE DETAIL
pay DIE DETAIL
pay to lift OWNER NAME's ban PRICE
pay to lift OWNER NAME's surcharge PRICE
pay for several things at once
reroll DIE DETAIL
attack with OWNER DIE DETAIL
block OWNER DIE DETAIL with OWNER DIE DETAIL
choose OWNER DIE DETAIL
choose PLAYER
choose nobody
spin OWNER DIE DETAIL up DETAIL
spin OWNER DIE DETAIL down DETAIL
NUMBER damage from OWNER DIE DETAIL
NUMBER damage from PLAYER
NUMBER to OWNER DIE DETAIL
NUMBER to PLAYER
end NAME on DETAIL
resolve NAME for OWNER DIE DETAIL TEXT
resolve NAME for PLAYER DETAIL TEXT
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
Form = tuple[tuple[Slot, bool], ...]  # its places, and whether words may come there in any order and number


_NUMBERED: Slot = (("STATS",),)  # of options that are said alike, the second has its number at the end: #2


def could_be(table: Table, wanted: str, *, log: bool) -> bool:
    """Tell whether an option, or a line of the log, of a game with these cards could have these words in this order."""
    words = [word for word in (_bare(word) for word in wanted.split()) if word]
    return any(_fits(form, words, log) for form in _forms(table, log))


def _fits(form: Form, words: list[str], log: bool) -> bool:
    """Tell whether the words can be found in a form, one behind the other."""
    reached = {0}
    for slot, loose in form:
        for at in sorted(reached):
            if loose:
                while at < len(words) and any(_is(token, words[at], log) for (token,) in slot):
                    at += 1
                    reached.add(at)
            else:
                reached.update(at + n for way in slot for n in range(1, _met(way, words, at, log) + 1))
    return len(words) in reached


def _met(way: tuple[Token, ...], words: list[str], at: int, log: bool) -> int:
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
    return has_words(token, word) if log else has_part(token, word)


def _bare(word: str) -> str:
    return word.casefold().strip("(),:;.[]")


def _words(text: str) -> tuple[Token, ...]:
    return tuple(word for word in (_bare(word) for word in text.split()) if word)


@lru_cache(maxsize=8)
def _forms(t: Table, log: bool) -> tuple[Form, ...]:
    slots = _slots(t, log)
    found: list[Form] = []
    for line in (_LOG_FORMS if log else _OPTION_FORMS).strip().splitlines():
        tokens = [token.rstrip(":,") for token in line.split()]
        form = [(slots.get(token, (_words(token),)), token == "DETAIL") for token in tokens]
        found.append(tuple(form if log else [*form, (_NUMBERED, False)]))
    return tuple(found)


def _slots(t: Table, log: bool) -> dict[str, Slot]:
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
        detail = [*_DETAIL.split(), *PLACE_NAMES, *t.affiliations, *dice, *slots["OWNER"], *seats]
        slots |= {
            "DIE": dice,
            "DETAIL": ["STATS", *sorted({word for text in detail for word in _words(text)})],
            "CARD": [card.name for card in t.cards],
            "AFFILIATION": list(t.affiliations),
            "TEXT": [card_text(card) for card in t.cards],
            "MODE": say.mode_texts(t),
            "PRICE": say.lifting_prices(t),
        }
    special = ("NUMBER", "FACE", "STATS")
    return {key: tuple((x,) if x in special else _words(x) for x in texts) for key, texts in slots.items()}


def _faces(t: Table, c: int) -> list[str]:
    """Say each face of a card's dice as it stands behind its name; a Sidekick's energy by itself."""
    if not t.dice_of[c]:
        return []
    found: list[str] = []
    for face in range(6):
        i = t.m6[t.dice_of[c][0]] + face
        stars = "*" * t.bursts[i]
        if t.levels[i]:
            found.append(f"{t.names[c]}@{t.levels[i]}{stars}")
        elif t.kinds[i] == ACTION:
            found.append(f"{t.names[c]}!{stars}")
        elif t.pips[i]:
            energy = energy_text(t.energy[i], t.pips[i])
            found += [f"{t.names[c]}:{energy}", *([energy] if c < t.n_seats else [])]
    return found
