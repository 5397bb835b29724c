"""Templates of every option and log line that `describe` can write for a game.

They detect denials (`may not:`, `expect happened not:`) that could never fail, and so could hide a typo.
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

# capitalised names are slots; a text may omit any word
_LOG_TEMPLATES = """
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
_OPTION_TEMPLATES = """
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
Slot = tuple[tuple[Token, ...], ...]  # alternative fillings, each as tokens
Template = tuple[tuple[Slot, bool], ...]  # slots, and whether their tokens may repeat in any order


_NUMBER_SUFFIX: Slot = (("STATS",),)  # options with equal texts are numbered: #2


def could_ever_match(spec: GameSpec, wanted: str, *, log: bool, player: str = "") -> bool:
    """Return True if some option of `player`, or some log line, of a game could contain these words in this order."""
    words = [word for word in (_without_punctuation(word) for word in wanted.split()) if word]
    return any(_matches(template, words, log) for template in _templates(spec, log, player))


def impossible_owner(spec: GameSpec, wanted: str) -> str:
    """Return the mention of an absent player, or of a die or card its owner lacks, such as `B's Hulk`; else ""."""
    for match in re.finditer(r"\bplayers?\s+([A-D])\b(?:\s+and\s+([A-D])\b)?", wanted, re.IGNORECASE):
        if any(seat and seat.upper() not in SEATS[: spec.n_seats] for seat in match.groups()):
            return match[0]
    owners = _owners(spec)
    for match in re.finditer(r"\b([A-D])'s\s+(?=(\S.*))", wanted, re.IGNORECASE):
        if re.match(r"[FBMS?](?!\S)", match[2]):
            continue  # a Sidekick's energy face
        candidates, longest, text = list(owners), "", ""
        for word in match[2].split():
            text = f"{text} {re.split('[@:!(,;#]', word.casefold())[0]}".strip()
            fitting = [name for name in candidates if text in name]
            if not fitting or (longest and len(text) == len(longest)):
                break
            candidates, longest = fitting, text
        if longest and not any(match[1].upper() in owners[name] for name in candidates):
            return f"{match[1].upper()}'s {match[2][: len(longest)]}"
    return ""


@lru_cache(maxsize=8)
def _owners(spec: GameSpec) -> dict[str, str]:
    """Return the letters of the players who can own dice or cards of each name; basic actions belong to all."""
    owners: dict[str, str] = {}
    for c in range(spec.n_cards):
        seat = c if c < spec.n_seats else spec.owner_of_card[c]
        for name in (spec.names[c], spec.cards[c].name):
            key = name.casefold()
            owners[key] = owners.get(key, "") + (SEATS[seat] if seat >= 0 else SEATS[: spec.n_seats])
    return owners


def _matches(template: Template, words: list[str], log: bool) -> bool:
    """Return True if the words can be found in the template in this order."""
    reached = {0}
    for slot, is_repeatable in template:
        for position in sorted(reached):
            if is_repeatable:
                while position < len(words) and any(_is_token(token, words[position], log) for (token,) in slot):
                    position += 1
                    reached.add(position)
            else:
                reached.update(
                    position + n for tokens in slot for n in range(1, _match_length(tokens, words, position, log) + 1)
                )
    return len(words) in reached


def _match_length(tokens: tuple[Token, ...], words: list[str], position: int, log: bool) -> int:
    """Return the number of words from `position` on that occur among the tokens in this order."""
    n = 0
    for token in tokens:
        if position + n < len(words) and _is_token(token, words[position + n], log):
            n += 1
    return n


def _is_token(token: Token, word: str, log: bool) -> bool:
    if token == "NUMBER":
        return word.isdecimal()
    if token == "FACE":
        return re.fullmatch(r"@\d\**|!\**|[fbms?]{1,2}|\d", word) is not None
    if token == "STATS":
        return re.fullmatch(r"\d+/\d+|[+-]\d+[ad]|#\d+|\d+", word) is not None
    return contains_in_order(token, word) if log else contains_part(token, word)


def _without_punctuation(word: str) -> str:
    return word.casefold().strip("(),:;.[]")


def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(word for word in (_without_punctuation(word) for word in text.split()) if word)


@lru_cache(maxsize=32)
def _templates(spec: GameSpec, log: bool, player: str) -> tuple[Template, ...]:
    slots = _slots(spec, log, player)
    templates: list[Template] = []
    for line in (_LOG_TEMPLATES if log else _OPTION_TEMPLATES).strip().splitlines():
        tokens = [token.rstrip(":,") for token in line.split()]
        if log and spec.n_seats == 2 and "lift" not in tokens:
            tokens = [token for token in tokens if token != "OWNER"]  # the log of a two-player game omits owners
        template = [(slots.get(token, (_tokens(token),)), token in ("DETAIL", "DICE")) for token in tokens]
        templates.append(tuple(template if log else [*template, (_NUMBER_SUFFIX, False)]))
    return tuple(templates)


def _slots(spec: GameSpec, log: bool, player: str) -> dict[str, Slot]:
    """Return the texts that each capitalised name can be replaced by."""
    seats = SEATS[: spec.n_seats]
    sides = seats if spec.n_seats == 2 else ("A and C", "B and D")
    players = [f"player {seat}" for seat in seats] + [f"players {side}" for side in sides if len(side) > 1]
    names = sorted(set(spec.names))
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
        dice = [*names, *sorted({text for c in range(spec.n_cards) for text in _face_texts(spec, c)})]
        detail = [*_DETAIL.split(), *ZONE_NAMES, *spec.affiliations, *dice, *seats]
        detail = ["STATS", *sorted({word for text in detail for word in _tokens(text)})]
        # attack and block options name an owner only if another player controls the die
        omits_owner = player != "" and spec.n_seats == 2
        slots |= {
            "DIE": dice,
            "DETAIL": detail,
            "DICE": [*detail, *slots["OWNER"]],
            "YOUR": [f"{seat}'s" for seat in seats if not omits_owner or seat == player],
            "THEIR": [f"{seat}'s" for seat in seats if not omits_owner or seat != player],
            "CARD": [card.name for card in spec.cards],
            "AFFILIATION": list(spec.affiliations),
            "TEXT": [card_text(card) for card in spec.cards],
            "MODE": describe.mode_texts(spec),
            "PRICE": describe.lifting_prices(spec),
        }
    special = ("NUMBER", "FACE", "STATS")
    return {key: tuple((x,) if x in special else _tokens(x) for x in texts) for key, texts in slots.items()}


def _face_texts(spec: GameSpec, c: int) -> list[str]:
    """Return the texts of all faces of a card's dice; for a Sidekick's energy also without the name."""
    if not spec.dice_of[c]:
        return []
    texts: list[str] = []
    for face in range(6):
        i = spec.face_base[spec.dice_of[c][0]] + face
        stars = "*" * spec.bursts[i]
        if spec.levels[i]:
            texts.append(f"{spec.names[c]}@{spec.levels[i]}{stars}")
        elif spec.kinds[i] == ACTION:
            texts.append(f"{spec.names[c]}!{stars}")
        elif spec.pips[i]:
            energy = energy_text(spec.energy[i], spec.pips[i])
            texts += [f"{spec.names[c]}:{energy}", *([energy] if c < spec.n_seats else [])]
    return texts
