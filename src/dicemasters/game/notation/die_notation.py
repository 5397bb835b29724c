"""Dice in a line of a position: how many, which, on which face, with what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from dicemasters.game.game_spec import SIDEKICKS
from dicemasters.game.mechanics.combat import declarations
from dicemasters.game.notation.lexicon import (
    ATTRIBUTE_TEXT,
    ATTRIBUTES,
    EMPTY_TEXTS,
    MAX_ATTRIBUTES,
    MAX_DAMAGE,
    MAX_ITEM_LENGTH,
    PLACES,
    NotationError,
    excerpt,
    is_number,
    without_exactly,
)
from dicemasters.game.state.constants import (
    ATTACKING,
    BAG,
    BLOCKED,
    DAMAGED_THIS_TURN,
    FIELD,
    HAND,
    HELD,
    PLAYER,
    PREP,
    RESERVE,
    ROLLED,
    ZONE_NAMES,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Holding
from dicemasters.game.text import describe


def manual_effect(word: str, d: int, a: int, de: int, you: int) -> ActiveEffect:
    return ActiveEffect(word, d, a, de, -1, "end of turn", you, NOBODY, -1)


def place_dice(s: State, places: list[tuple[int, int, int, str]]) -> dict[int, int]:
    """Put the dice where the lines say: each line with its number, seat, place and text. Give each die's line."""
    t = s.spec
    free: dict[int, list[int]] = {c: list(dice) for c, dice in enumerate(t.dice_of)}
    lines: dict[int, int] = {}
    later: list[Callable[[], None]] = []
    exact: list[tuple[int, int, int]] = []  # lines that say all there is in a place
    order = sorted(places, key=lambda p: (list(PLACES.values()).index(p[2]), p[1]))
    for number, seat, place, text in order:
        listed = without_exactly(text)
        if listed != text or listed.casefold() in EMPTY_TEXTS:
            exact.append((number, seat, place))
        for count, item, words in split_items(s, listed, seat, number) if listed.casefold() not in EMPTY_TEXTS else ():
            for _ in range(count):
                owner, c, face = read_item(s, item, seat, place, number)
                if not free[c]:
                    name = t.cards[c].title
                    if c < t.n_seats:
                        raise NotationError(f"{describe.SEATS[owner]} has more than {SIDEKICKS} Sidekicks", number)
                    raise NotationError(f"there are only {len(t.dice_of[c])} {name} dice", number)
                d = free[c].pop(0)
                lines[d] = number
                s.set_owner(d, owner)
                s.place[d] = place * 4 + seat
                if face >= 0:
                    s.face[d] = face
                    if place in (PREP, HAND):
                        s.flags[d] |= ROLLED
                if place == FIELD and not t.levels[t.face_base[d] + s.face[d]] and t.is_character_die[d]:
                    raise NotationError(f"{item} is no character and cannot be in the field", number)
                _attributes(s, d, words, number, later)
    for action in later:
        action()
    for number, seat, place in exact:
        if place == BAG and free[seat]:
            raise NotationError(_missing_sidekicks(s, seat, free[seat]), number)
    return lines


def restore_control(s: State) -> None:
    """Who lies in another's field or reserve is controlled, and who is held was taken from the field, until end of turn (5.13).

    What the game writes says so itself, with who holds them and until when.
    """
    t = s.spec
    known = {h.die for h in s.holdings}
    for d in range(t.n_dice):
        place, seat, owner = s.place[d] >> 2, s.place[d] & 3, s.owner[d]
        if d in known or owner == NOBODY or not t.is_character_die[d]:
            continue
        if place in (FIELD, RESERVE) and seat != owner:
            s.holdings.append(Holding("control", d, NOBODY, FIELD * 4 + owner, "end of turn", s.face[d]))
        elif place == HELD:
            face = s.face[d] if t.levels[t.face_base[d] + s.face[d]] else _default_face(s, t.card_of[d], FIELD)
            s.holdings.append(Holding("aside", d, NOBODY, FIELD * 4 + owner, "end of turn", face))


def _missing_sidekicks(s: State, seat: int, missing: list[int]) -> str:
    """Say where a player's Sidekicks are, when the bag is said to hold just some and the others are nowhere."""
    letter = describe.SEATS[seat]
    mine = [d for d in s.spec.dice_of[seat] if d not in missing]
    said = Counter(ZONE_NAMES[s.place[d] >> 2] for d in mine)
    where = ", ".join(f"{n} in {place}" for place, n in said.items()) or "none anywhere"
    n = len(missing)
    return (
        f"{n} of {letter}'s {SIDEKICKS} Sidekicks would be nowhere (said are: {where}); "
        f"say where, for instance '{letter} used: {n} Sidekick'"
    )


def _is_item(s: State, item: str, seat: int) -> bool:
    try:
        read_item(s, item, seat, FIELD, 0)
    except NotationError:
        return False
    return True


def split_items(s: State, text: str, seat: int, number: int) -> list[tuple[int, str, list[str]]]:
    """Split a list of dice at commas outside brackets, each with its count and attributes; a title may have a comma."""
    parts = _split_at_commas(text, number)
    if len(parts) > 2 * PLAYER:
        raise NotationError(f"there are more dice listed than the {PLAYER} a game can have", number)
    most = 1 + max(card.name.count(",") for card in s.spec.cards)
    out: list[tuple[int, str, list[str]]] = []
    dice = 0
    i = 0
    while i < len(parts):
        used = 1
        found = _split_die_text(parts[i], number)
        for n in range(1, most + 1):
            joined = _split_die_text(",".join(parts[i : i + n]), number)
            if _is_item(s, joined[1], seat):
                found, used = joined, n
                break
        if found[1]:
            out.append(found)
            dice += found[0]
            if dice > PLAYER:
                raise NotationError(f"there are more dice listed than the {PLAYER} a game can have", number)
        i += used
    return out


def _split_at_commas(text: str, number: int) -> list[str]:
    """Split at the commas that stand in no brackets."""
    parts, begin, inside = [], 0, False
    for i, letter in enumerate(text):
        if letter == "(":
            inside = True
        elif letter == ")":
            inside = False
        elif letter == "," and not inside:
            parts.append(text[begin:i])
            begin = i + 1
    if inside:
        raise NotationError(f"a bracket is not closed in '{excerpt(text[begin:].strip())}'", number)
    return [part for part in (*parts, text[begin:]) if part]


def _split_die_text(text: str, number: int) -> tuple[int, str, list[str]]:
    """Take a die's text apart: how many of them, what they are called, what they are besides."""
    rest = text.strip()
    if not rest:
        return 1, "", []
    if len(rest) > MAX_ITEM_LENGTH + 40 * MAX_ATTRIBUTES:
        raise NotationError(f"'{excerpt(rest)}' is too long for a die", number)
    words: list[str] = []
    if rest.endswith(")") and "(" in rest:
        rest, _, inside = rest[:-1].partition("(")
        words = [w.strip() for w in inside.split(",") if w.strip()]
        if not rest.strip():
            raise NotationError(f"'{excerpt(text.strip())}' has no name", number)
    if len(words) > MAX_ATTRIBUTES:
        raise NotationError(f"'{excerpt(text.strip())}' has too many attributes for a die", number)
    count, *name = rest.split(None, 1)
    if name and count.isascii() and count.isdigit():
        if not is_number(count, 3) or int(count) > PLAYER:
            raise NotationError(f"there cannot be {excerpt(count)} dice of a kind", number)
        return int(count), name[0].strip(), words
    return 1, rest.strip(), words


def read_item(s: State, item: str, seat: int, place: int, number: int) -> tuple[int, int, int]:
    """Read a die: its owner, card and face (-1: none shown)."""
    t = s.spec
    owner = seat
    if len(item) > MAX_ITEM_LENGTH:
        raise NotationError(f"'{excerpt(item)}' is too long for a die", number)
    found = re.match(r"([A-D])'s\s+(.*)", item)
    if found:
        owner, item = describe.SEATS.index(found[1]), found[2]
        if owner >= t.n_seats:
            raise NotationError(f"there is no player {found[1]}", number)
    sidekick = {"F": 0, "B": 1, "M": 2, "S": 3, "?": 4}
    if item in sidekick:
        return owner, owner, sidekick[item]
    whole = _find_card(s, item, owner)  # a title may itself end in an exclamation mark
    if whole >= 0:
        return owner, whole, _default_face(s, whole, place)
    found = re.fullmatch(r"(.+?)(?:@([0-9])(\*{0,2})|:([FBMS?12]+)|!(\*{0,2}))?", item, re.DOTALL)
    if found is None:
        raise NotationError("a die has no name", number)
    name, level, stars, energy, bursts = found[1].strip(), found[2], found[3], found[4], found[5]
    if bursts is not None and _find_card(s, name, owner) < 0 <= _find_card(s, f"{name}!", owner):
        name += "!"  # Smash!* is the action face of Smash! with a burst, as people write it
    c = _card_named(s, name, owner, number)
    if not (level or energy or bursts is not None):
        return owner, c, _default_face(s, c, place)
    base = t.face_base[t.dice_of[c][0]]
    for face in range(6):
        i = base + face
        if level and t.levels[i] == int(level):
            if stars and len(stars) != t.bursts[i]:
                raise NotationError(f"{name} has no {stars} on level {level}", number)
            return owner, c, face
        if energy and t.kinds[i] == 0 and describe.energy_text(t.energy[i], t.pips[i]) == energy:
            return owner, c, face
        if bursts is not None and not level and not energy and t.kinds[i] == 2 and t.bursts[i] == len(bursts):
            return owner, c, face
    if level:
        raise NotationError(f"{name} has no level {level}", number)
    raise NotationError(f"{name} has no face {item[len(name) :]}", number)


def _default_face(s: State, c: int, place: int) -> int:
    """A bare name in field or reserve means the lowest character or action face."""
    t = s.spec
    if place not in (FIELD, RESERVE):
        return -1
    base = t.face_base[t.dice_of[c][0]]
    return next(face for face in range(6) if t.kinds[base + face] != 0)


def _card_named(s: State, name: str, owner: int, number: int) -> int:
    c = _find_card(s, name, owner)
    if c < 0:
        raise NotationError(
            f"{describe.SEATS[owner]} has no {excerpt(name)} in this game; dice are written with commas between them, as "
            "'Hulk@2, 3 Sidekick, F, Force Beam!', and no dice as 'nothing'",
            number,
        )
    return c


def _find_card(s: State, name: str, owner: int) -> int:
    t = s.spec
    wanted = name.casefold()
    if wanted == "sidekick":
        return owner
    for c in range(t.n_seats, t.n_cards):
        if t.owner_of_card[c] in (owner, -1):
            card = t.cards[c]
            if wanted in (t.names[c].casefold(), card.title.casefold(), card.name.casefold(), card.key):
                return c
    return -1


def _attributes(s: State, d: int, words: list[str], number: int, later: list[Callable[[], None]]) -> None:
    for word in words:
        plain = word.casefold()
        if plain in ATTRIBUTES:
            s.flags[d] |= ATTRIBUTES[plain]
        elif found := re.fullmatch(r"([0-9]{1,3}) damage", plain):
            if int(found[1]) > MAX_DAMAGE:
                raise NotationError(f"a die cannot have {found[1]} damage", number)
            s.damage[d] = int(found[1])
            s.flags[d] |= DAMAGED_THIS_TURN if s.damage[d] else 0
        elif plain in ("no damage", "not attacking"):
            pass  # as it is if nothing is said
        elif found := re.fullmatch(r"(?:([+-][0-9]{1,2})a)?\s*(?:([+-][0-9]{1,2})d)?", plain):
            a, de = int(found[1] or 0), int(found[2] or 0)
            s.active_effects.append(manual_effect("gets", d, a, de, s.place[d] & 3))
        elif found := re.fullmatch(r"blocking (.+)", word, re.IGNORECASE):
            later.append(_blocker(s, d, found[1], number))
        else:
            raise NotationError(f"'{word}' is nothing a die can be; it can be {ATTRIBUTE_TEXT}", number)


def _blocker(s: State, d: int, name: str, number: int) -> Callable[[], None]:
    def block() -> None:
        fits = attackers_named(s, name)
        if not fits:
            raise NotationError(f"no attacker {name} is there to be blocked", number)
        a = fits[0]
        s.blocks.append((d, a))
        s.flags[a] |= BLOCKED
        declarations.note_engagement(s, d, a)

    return block


def attackers_named(s: State, name: str) -> list[int]:
    """List the attackers that a name means: `Hulk@1`, `Hulk`, `B's Hulk@1`, or with a number one of them, `Hulk@1 #2`."""
    found = re.fullmatch(r"(.*?)(?: ?#([0-9]{1,3}))?", name.casefold(), re.DOTALL)
    assert found is not None  # every text has this form
    fits = [a for a in listed_attackers(s) if found[1] in _called(describe.own_text(s, a))]
    if not fits:  # whose it is may be left out where that is clear
        fits = [a for a in listed_attackers(s) if found[1] in _called(describe.die_text(s, a))]
    n = int(found[2] or 1)
    return fits[n - 1 : n] if n and found[2] else fits if n else []


def listed_attackers(s: State) -> list[int]:
    """List the attackers as a position lists them: seat by seat and card by card, like dice in their written order."""
    dice = [d for seat in range(s.spec.n_seats) for d in s.dice_unordered(FIELD, seat)]
    return [d for d in dice if s.flags[d] & ATTACKING]


def _called(text: str) -> tuple[str, str, str]:
    """Give what a die can be called: as it is said, without its stars, or without its level."""
    text = text.casefold()
    return text, text.rstrip("*"), text.partition("@")[0]
