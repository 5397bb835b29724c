"""Dice in a position line: count, name, face and attributes."""

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
    strip_exactly,
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
    """Return the effect of an attribute such as `+2A +1D`: a bonus until end of turn, without a source."""
    return ActiveEffect(word, d, a, de, -1, "end of turn", you, NOBODY, -1)


def place_dice(s: State, zone_lines: list[tuple[int, int, int, str]]) -> dict[int, int]:
    """Place the dice listed in `zone_lines` (line number, seat, zone, text) and return each die's line number.

    Blocks are recorded last, because a blocker may be listed before the attacker it blocks.
    """
    spec = s.spec
    unplaced: dict[int, list[int]] = {c: list(dice) for c, dice in enumerate(spec.dice_of)}
    line_of: dict[int, int] = {}
    deferred: list[Callable[[], None]] = []
    exact: list[tuple[int, int, int]] = []  # lines that list a zone completely
    order = sorted(zone_lines, key=lambda p: (list(PLACES.values()).index(p[2]), p[1]))
    for line_number, seat, place, text in order:
        listed = strip_exactly(text)
        if listed != text or listed.casefold() in EMPTY_TEXTS:
            exact.append((line_number, seat, place))
        for count, item, attributes in (
            split_items(s, listed, seat, line_number) if listed.casefold() not in EMPTY_TEXTS else ()
        ):
            for _ in range(count):
                owner, c, face = read_item(s, item, seat, place, line_number)
                if not unplaced[c]:
                    name = spec.cards[c].title
                    if c < spec.n_seats:
                        raise NotationError(f"{describe.SEATS[owner]} has more than {SIDEKICKS} Sidekicks", line_number)
                    raise NotationError(f"there are only {len(spec.dice_of[c])} {name} dice", line_number)
                # elsewhere the face of a rolled die does not matter any more
                if face < 0 and place in (PREP, HAND) and "rolled" in map(str.casefold, attributes):
                    if c >= spec.n_seats:
                        raise NotationError(
                            f"{item} is rolled but shows no face; write its face, as in {_some_face(s, c)}", line_number
                        )
                    face = _default_face(s, c, RESERVE)  # "Sidekick" names the character face
                d = unplaced[c].pop(0)
                line_of[d] = line_number
                s.set_owner(d, owner)
                s.place[d] = place * 4 + seat
                if face >= 0:
                    s.face[d] = face
                    if place in (PREP, HAND):
                        s.flags[d] |= ROLLED
                if place == FIELD and not spec.levels[spec.face_base[d] + s.face[d]] and spec.is_character_die[d]:
                    raise NotationError(f"{item} does not show a character and cannot be in the field", line_number)
                _apply_attributes(s, d, attributes, line_number, deferred)
    for action in deferred:
        action()
    for line_number, seat, place in exact:
        if place == BAG and unplaced[seat]:
            raise NotationError(_missing_sidekicks(s, seat, unplaced[seat]), line_number)
    return line_of


def restore_control(s: State) -> None:
    """Add the holdings that the zones imply but no holding records (rules 5.13a1, 5.13b2).

    A character die in another player's field or reserve is controlled by that player, and a held one was set aside from
    its owner's field, both until end of turn. A position written by the game lists its holdings in the `also:` line.
    """
    spec = s.spec
    recorded = {holding.die for holding in s.holdings}
    for d in range(spec.n_dice):
        place, seat, owner = s.place[d] >> 2, s.place[d] & 3, s.owner[d]
        if d in recorded or owner == NOBODY or not spec.is_character_die[d]:
            continue
        if place in (FIELD, RESERVE) and seat != owner:
            s.holdings.append(Holding("control", d, NOBODY, FIELD * 4 + owner, "end of turn", s.face[d]))
        elif place == HELD:
            face = s.face[d] if spec.levels[spec.face_base[d] + s.face[d]] else _default_face(s, spec.card_of[d], FIELD)
            s.holdings.append(Holding("aside", d, NOBODY, FIELD * 4 + owner, "end of turn", face))


def _missing_sidekicks(s: State, seat: int, missing: list[int]) -> str:
    """Return the error for a bag that is listed completely although some Sidekicks are not listed anywhere."""
    letter = describe.SEATS[seat]
    placed = [d for d in s.spec.dice_of[seat] if d not in missing]
    counts = Counter(ZONE_NAMES[s.place[d] >> 2] for d in placed)
    listed = ", ".join(f"{n} in {place}" for place, n in counts.items()) or "none anywhere"
    n = len(missing)
    return (
        f"{n} of {letter}'s {SIDEKICKS} Sidekicks are in no zone (listed: {listed}); "
        f"list them, for instance as '{letter} used: {n} Sidekick'"
    )


def _is_item(s: State, item: str, seat: int) -> bool:
    try:
        read_item(s, item, seat, FIELD, 0)
    except NotationError:
        return False
    return True


def split_items(s: State, text: str, seat: int, line_number: int) -> list[tuple[int, str, list[str]]]:
    """Split a list of dice at its commas and return each item's count, name and attributes.

    Commas in brackets separate attributes, and a card title may contain commas too.
    """
    parts = _split_at_commas(text, line_number)
    if len(parts) > 2 * PLAYER:
        raise NotationError(f"more dice are listed than the {PLAYER} a game can have", line_number)
    max_parts = 1 + max(card.name.count(",") for card in s.spec.cards)
    items: list[tuple[int, str, list[str]]] = []
    dice = 0
    i = 0
    while i < len(parts):
        consumed = 1
        item = _split_die_text(parts[i], line_number)
        for n in range(1, max_parts + 1):
            joined = _split_die_text(",".join(parts[i : i + n]), line_number)
            if _is_item(s, joined[1], seat):
                item, consumed = joined, n
                break
        if item[1]:
            items.append(item)
            dice += item[0]
            if dice > PLAYER:
                raise NotationError(f"more dice are listed than the {PLAYER} a game can have", line_number)
        i += consumed
    return items


def _split_at_commas(text: str, line_number: int) -> list[str]:
    """Split `text` at the commas outside brackets."""
    parts, start, in_brackets = [], 0, False
    for i, char in enumerate(text):
        if char == "(":
            in_brackets = True
        elif char == ")":
            in_brackets = False
        elif char == "," and not in_brackets:
            parts.append(text[start:i])
            start = i + 1
    if in_brackets:
        raise NotationError(f"a bracket is not closed in '{excerpt(text[start:].strip())}'", line_number)
    return [part for part in (*parts, text[start:]) if part]


def _split_die_text(text: str, line_number: int) -> tuple[int, str, list[str]]:
    """Return the count, name and attributes of an item such as `2 Hulk@1 (3 damage)`."""
    item = text.strip()
    if not item:
        return 1, "", []
    if len(item) > MAX_ITEM_LENGTH + 40 * MAX_ATTRIBUTES:
        raise NotationError(f"'{excerpt(item)}' is too long for a die", line_number)
    attributes: list[str] = []
    if item.endswith(")") and "(" in item:
        item, _, bracketed = item[:-1].partition("(")
        attributes = [w.strip() for w in bracketed.split(",") if w.strip()]
        if not item.strip():
            raise NotationError(f"'{excerpt(text.strip())}' has no name", line_number)
    if len(attributes) > MAX_ATTRIBUTES:
        raise NotationError(f"'{excerpt(text.strip())}' has more than {MAX_ATTRIBUTES} attributes", line_number)
    count, *name = item.split(None, 1)
    if name and count.isascii() and count.isdigit():
        if not is_number(count, 3) or int(count) > PLAYER:
            raise NotationError(f"'{excerpt(count)}' is not a count of dice from 0 to {PLAYER}", line_number)
        return int(count), name[0].strip(), attributes
    return 1, item.strip(), attributes


def read_item(s: State, item: str, seat: int, place: int, line_number: int) -> tuple[int, int, int]:
    """Return the owner, card and face (-1: none shown) of a die as written, such as `B's Hulk@2`."""
    spec = s.spec
    owner = seat
    if len(item) > MAX_ITEM_LENGTH:
        raise NotationError(f"'{excerpt(item)}' is too long for a die", line_number)
    match = re.match(r"([A-D])'s\s+(.*)", item)
    if match:
        owner, item = describe.SEATS.index(match[1]), match[2]
        if owner >= spec.n_seats:
            raise NotationError(f"there is no player {match[1]}", line_number)
    sidekick_faces = {"F": 0, "B": 1, "M": 2, "S": 3, "?": 4}
    if item in sidekick_faces:
        return owner, owner, sidekick_faces[item]
    card_by_title = _find_card(s, item, owner)  # a title may end in an exclamation mark
    if card_by_title >= 0:
        return owner, card_by_title, _default_face(s, card_by_title, place)
    match = re.fullmatch(r"(.+?)(?:@([0-9])(\*{0,2})|:([FBMS?12]+)|!(\*{0,2}))?", item, re.DOTALL)
    if match is None:
        raise NotationError("a die has no name", line_number)
    name, level, stars, energy, bursts = match[1].strip(), match[2], match[3], match[4], match[5]
    if bursts is not None and _find_card(s, name, owner) < 0 <= _find_card(s, f"{name}!", owner):
        name += "!"  # people write Smash!* for the burst face of the card Smash!, whose full form is Smash!!*
    c = _card_named(s, name, owner, line_number)
    if not (level or energy or bursts is not None):
        return owner, c, _default_face(s, c, place)
    base = spec.face_base[spec.dice_of[c][0]]
    for face in range(6):
        i = base + face
        if level and spec.levels[i] == int(level):
            if stars and len(stars) != spec.bursts[i]:
                raise NotationError(f"{name} has no {stars} on level {level}", line_number)
            return owner, c, face
        if energy and spec.kinds[i] == 0 and describe.energy_text(spec.energy[i], spec.pips[i]) == energy:
            return owner, c, face
        if bursts is not None and not level and not energy and spec.kinds[i] == 2 and spec.bursts[i] == len(bursts):
            return owner, c, face
    if level:
        raise NotationError(f"{name} has no level {level}", line_number)
    raise NotationError(f"{name} has no face {item[len(name) :]}", line_number)


def _some_face(s: State, c: int) -> str:
    """Return a face of a card's dice in notation, for error messages: the character or action face of lowest level."""
    return s.spec.cards[c].title + ("@1" if s.spec.is_character_die[s.spec.dice_of[c][0]] else "!")


def _default_face(s: State, c: int, place: int) -> int:
    """Return the lowest character or action face for a die in the field or reserve, -1 elsewhere."""
    spec = s.spec
    if place not in (FIELD, RESERVE):
        return -1
    base = spec.face_base[spec.dice_of[c][0]]
    return next(face for face in range(6) if spec.kinds[base + face] != 0)


def _card_named(s: State, name: str, owner: int, line_number: int) -> int:
    c = _find_card(s, name, owner)
    if c < 0:
        raise NotationError(
            f"{describe.SEATS[owner]} has no {excerpt(name)} in this game; separate dice with commas, as in "
            "'Hulk@2, 3 Sidekick, F, Force Beam!', and write 'nothing' for no dice",
            line_number,
        )
    return c


def _find_card(s: State, name: str, owner: int) -> int:
    spec = s.spec
    wanted = name.casefold()
    if wanted == "sidekick":
        return owner
    for c in range(spec.n_seats, spec.n_cards):
        if spec.owner_of_card[c] in (owner, -1):
            card = spec.cards[c]
            if wanted in (spec.names[c].casefold(), card.title.casefold(), card.name.casefold(), card.key):
                return c
    return -1


def _apply_attributes(
    s: State, d: int, attributes: list[str], line_number: int, deferred: list[Callable[[], None]]
) -> None:
    for attribute in attributes:
        folded = attribute.casefold()
        if folded in ATTRIBUTES:
            s.flags[d] |= ATTRIBUTES[folded]
        elif match := re.fullmatch(r"([0-9]{1,3}) damage", folded):
            if int(match[1]) > MAX_DAMAGE:
                raise NotationError(f"a die cannot have {match[1]} damage", line_number)
            s.damage[d] = int(match[1])
            s.flags[d] |= DAMAGED_THIS_TURN if s.damage[d] else 0
        elif folded in ("no damage", "not attacking"):
            pass  # the default
        elif match := re.fullmatch(r"(?:([+-][0-9]{1,2})a)?\s*(?:([+-][0-9]{1,2})d)?", folded):
            a, de = int(match[1] or 0), int(match[2] or 0)
            s.active_effects.append(manual_effect("gets", d, a, de, s.place[d] & 3))
        elif match := re.fullmatch(r"blocking (.+)", attribute, re.IGNORECASE):
            deferred.append(_deferred_block(s, d, match[1], line_number))
        else:
            raise NotationError(
                f"'{attribute}' is not an attribute of a die; attributes are {ATTRIBUTE_TEXT}", line_number
            )


def _deferred_block(s: State, d: int, name: str, line_number: int) -> Callable[[], None]:
    """Return a function that records the block once all dice are placed."""

    def block() -> None:
        attackers = attackers_named(s, name)
        if not attackers:
            raise NotationError(f"there is no attacker {name} to block", line_number)
        a = attackers[0]
        s.blocks.append((d, a))
        s.flags[a] |= BLOCKED
        declarations.note_engagement(s, d, a)

    return block


def attackers_named(s: State, name: str) -> list[int]:
    """Return the attackers a name stands for: `Hulk@1`, `Hulk` or `B's Hulk@1`.

    A number picks one of several: `Hulk@1 #2` is the second in the order of `listed_attackers`.
    """
    match = re.fullmatch(r"(.*?)(?: ?#([0-9]{1,3}))?", name.casefold(), re.DOTALL)
    assert match is not None  # the pattern matches any text
    attackers = [a for a in listed_attackers(s) if match[1] in _accepted_names(describe.own_text(s, a))]
    if not attackers:  # fall back to names without the owner
        attackers = [a for a in listed_attackers(s) if match[1] in _accepted_names(describe.die_text(s, a))]
    n = int(match[2] or 1)
    return attackers[n - 1 : n] if n and match[2] else attackers if n else []


def listed_attackers(s: State) -> list[int]:
    """Return the attackers in the order in which a position lists them: by seat, then by die number."""
    dice = [d for seat in range(s.spec.n_seats) for d in s.dice_unordered(FIELD, seat)]
    return [d for d in dice if s.flags[d] & ATTACKING]


def _accepted_names(text: str) -> tuple[str, str, str]:
    """Return the names that stand for a die: its full text, without burst stars, and without its level."""
    text = text.casefold()
    return text, text.rstrip("*"), text.partition("@")[0]
