"""Positions as text: written by hand or by the game, read back to the same state (docs/notation.md).

What a person would write is written as words. Whatever that leaves open (effects half done, the generator, a limit
used up) follows in one line `also:`, so that nothing is lost.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.game import also, combat, look, say, turn
from dicemasters.game.editions import DEFAULT_EDITION, EDITIONS, Edition, edition_of
from dicemasters.game.energy import pool
from dicemasters.game.frames import NO_ASK, Record, Value
from dicemasters.game.setup import SIDEKICKS, Table, basic_dice, make_table, usual_life
from dicemasters.game.solitaire import Solitaire, note_step, readings, with_readings
from dicemasters.game.state import (
    AGAIN,
    ANSWERING,
    ATTACK,
    ATTACKING,
    BAG,
    BLOCKED,
    BLOCKING,
    CLEANUP,
    DECLARE,
    DRAW,
    FAST,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    HALF_SPENT,
    HAND,
    HELD,
    HURT,
    LAST_WORD,
    MAIN,
    NOBODY,
    OUT,
    PLACE_NAMES,
    PLAYER,
    PREP,
    RESERVE,
    ROLL,
    ROLLED,
    SETUP,
    START,
    STEP_NAMES,
    TO_ATTACK,
    TURN_LIMIT,
    USED,
    WINDOW,
    State,
    canonical,
    shows_face,
)

PLACES = {
    "field": FIELD,
    "reserve": RESERVE,
    "prep": PREP,
    "hand": HAND,
    "bag": BAG,
    "used": USED,
    "out": OUT,
    "held": HELD,
}
STEPS = {
    "setup": (SETUP, 0),
    "start": (START, 0),
    "draw": (DRAW, 0),
    "roll": (ROLL, 0),
    "reroll": (ROLL, 1),
    "main": (MAIN, 0),
    "main, respond": (MAIN, ANSWERING),
    "main, last word": (MAIN, LAST_WORD),
    "attack": (ATTACK, TO_ATTACK),
    "declare": (ATTACK, DECLARE),
    "attack again": (ATTACK, AGAIN),
    "block": (ATTACK, BLOCKING),
    "fight": (ATTACK, WINDOW),
    "fight, respond": (ATTACK, WINDOW + ANSWERING),
    "fight, last word": (ATTACK, WINDOW + LAST_WORD),
    "damage": (ATTACK, FAST),
    "cleanup": (CLEANUP, 0),
}
_STEP_NAMES = {v: k for k, v in STEPS.items()}
_WORDS = {
    "attacking": ATTACKING,
    "blocked": BLOCKED,
    "fielded": FIELDED_NOW,
    "fielded last turn": FIELDED_BEFORE,
    "hurt": HURT,
    "half spent": HALF_SPENT,
    "rolled": ROLLED,
}
MOST_CHARACTERS = 100_000  # of a position; one in the middle of the largest game has a few thousand
MOST_IN_LINE = 20_000  # but for what the game itself writes behind `also:`
MOST_LINES = 1_000
MOST_IN_ITEM = 200  # characters that name one die, with all it is
MOST_WORDS = 40  # attributes of one die
MOST_CARDS = 60  # of a team, or of the basic actions
MOST_HAPPENINGS = 20_000  # after one choice
MOST_DAMAGE = 255  # what a die can carry


class NotationError(ValueError):
    """A text is not a position, record or scenario; the message says in which line and why."""

    def __init__(self, problem: str, line: int = 0) -> None:
        problem = problem.encode("utf-8", "replace").decode()  # a stranger's text may hold what no screen can show
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line = line
        self.problem = problem


class UnplayableError(NotationError):
    """A position or a card that somebody wrote leads to where the rules do not go on."""


class Journal(list[tuple[object, ...]]):
    """What happens after one choice; in no game of the rules' making is it so much."""

    def append(self, entry: tuple[object, ...], /) -> None:
        if len(self) >= MOST_HAPPENINGS:
            raise UnplayableError("what follows would never end")
        super().append(entry)


# --- writing -------------------------------------------------------------------------------------------------------


def write_setup(table: Table) -> list[str]:
    """Write edition, life, basics and teams."""
    lines = [f"edition: {table.edition.text}", f"life: {table.start_life}"]
    if table.solitaire is not None:
        lines.append("solitaire: " + ", ".join((say.SEATS[table.solitaire.seat], *readings(table.solitaire))))
    basics = [c for c in range(table.n_real_cards) if table.owner_of_card[c] < 0]
    if basics:
        lines.append("basics: " + "; ".join(_card_line(table, c, basic_dice(table.n_seats)) for c in basics))
    for seat in range(table.n_seats):
        cards = [c for c in range(table.n_seats, table.n_real_cards) if table.owner_of_card[c] == seat]
        lines.append(f"team {say.SEATS[seat]}: " + "; ".join(_card_line(table, c, 0) for c in cards))
    return [line.rstrip() for line in lines]


def _card_line(table: Table, c: int, usual: int) -> str:
    card, n = table.cards[c], len(table.dice_of[c])
    return ("" if n == usual else f"{n}x ") + f"{card.name} [{card.set}]"


def write_position(s: State) -> str:
    """Write a state down; read_position gives the same state back."""
    s = canonical(s)
    lines = [*write_setup(s.table), ""]
    for seat in range(s.table.n_seats):
        letter = say.SEATS[seat]
        if seat < 2:  # partners share it
            lines.append(f"{letter} life: {s.life[seat]}")
        if s.virtual[seat]:
            lines.append(f"{letter} left over: {s.virtual[seat]}")
        for name, place in PLACES.items():
            dice = s.dice_in(place, seat)
            if dice:
                lines.append(f"{letter} {name}: {_list(s, dice)}")
    name = _STEP_NAMES.get((s.step, s.stage), f"{STEP_NAMES[s.step]} {s.stage}")
    lines.append(f"turn: {s.turn}, {say.SEATS[s.active]}, {name}")
    lines.append(f"chance: {s.rng:x}")
    text = "\n".join(lines) + "\n"
    plain = read_plain(text, _cards_of(s.table))
    more = _difference(s, plain)
    if more:
        text += "also: " + json.dumps(more, separators=(",", ":"), default=_written) + "\n"
    return text


def _cards_of(table: Table) -> Catalogue:
    return Catalogue({c.key: c for c in table.cards if c.set}.values())


def _list(s: State, dice: list[int]) -> str:
    items: list[tuple[str, int]] = []
    for d in dice:
        item = item_text(s, d)
        if items and items[-1][0] == item:
            items[-1] = (item, items[-1][1] + 1)
        else:
            items.append((item, 1))
    return ", ".join(item if n == 1 else f"{n} {item}" for item, n in items)


def item_text(s: State, d: int) -> str:
    """Write one die with its attributes."""
    name = say.title(s, d)
    if say.is_stranger(s, d):
        name = f"{say.SEATS[s.owner[d]]}'s {name}"
    if shows_face(s, d):
        face = say.face_text(s, d, s.face[d])
        if say.is_sidekick_die(s, d):
            name = name if face.startswith("@") else face
        else:
            name += face if face[0] in "@!" else f":{face}"
    words: list[str] = []
    if s.damage[d]:
        words.append(f"{s.damage[d]} damage")
    flags = s.flags[d]
    for word, flag in _WORDS.items():
        implied = (flag == HURT and s.damage[d]) or (flag == BLOCKED and look.blockers_of(s, d))
        implied = implied or (flag == ROLLED and s.step == ROLL)
        if flags & flag and not implied:
            words.append(word)
    for a in look.blocked_by(s, d):
        if s.flags[a] & ATTACKING:
            words.append(f"blocking {_reference(s, a)}")
    for r in s.records:
        if r.subject == d and r == _hand_made(r.word, d, r.a, r.d, r.you) and r.word == "gets":
            words.append(f"{r.a:+d}A {r.d:+d}D")
    return name + (f" ({', '.join(words)})" if words else "")


def _hand_made(word: str, d: int, a: int, de: int, you: int) -> Record:
    return Record(word, d, a, de, -1, "end of turn", you, NOBODY, -1)


def _reference(s: State, d: int) -> str:
    """Name an attacker so that it can be found again: its text, with a number if several read alike."""
    alike = [x for x in look.attackers(s) if say.die_text(s, x) == say.die_text(s, d)]
    text = say.die_text(s, d)
    return text if len(alike) == 1 else f"{text} #{alike.index(d) + 1}"


def _written(value: Value) -> tuple[object, ...]:
    return value.values()


def _difference(s: State, plain: State) -> dict[str, Any]:
    more: dict[str, Any] = {}
    for name in also.PLAIN_FIELDS:
        if getattr(s, name) != getattr(plain, name):
            more[name] = getattr(s, name)
    for name in (*also.LIST_FIELDS, *also.VALUE_CLASSES, "stack"):
        if getattr(s, name) != getattr(plain, name):
            more[name] = getattr(s, name)
    for name in also.DIE_FIELDS:
        mine, theirs = getattr(s, name), getattr(plain, name)
        changed = [[d, mine[d]] for d in range(s.table.n_dice) if mine[d] != theirs[d]]
        if changed:
            more[name] = changed
    if s.stack or s.queue or s.step == SETUP:
        more |= {"ask": s.ask, "options": s.options, "done": s.done, "paid": s.paid}
    if s.result != -1:
        more |= {"result": s.result, "why": s.why}
    return more


# --- reading -------------------------------------------------------------------------------------------------------


def read_position(text: str, cards: Catalogue | None = None) -> State:
    """Read a position; the state waits for its decision."""
    s = read_plain(text, cards)
    if s.ask is NO_ASK and s.result == -1:
        s.journal = Journal()
        try:
            turn.advance(s)
        except ValueError:  # our own words: a script that does not fit, what would never end
            raise
        except Exception as error:
            raise UnplayableError(f"this position cannot be played on: {type(error).__name__}") from error
        s.journal = None
    return s


def says_also(text: str) -> bool:
    """Tell whether a position has more than words can say, so that it may be none of the game's making."""
    return any(line.strip().casefold().startswith("also") for line in text.splitlines())


class _Reader:
    """Reads the lines of a position."""

    def __init__(self, cards: Catalogue) -> None:
        self.cards = cards
        self.edition = EDITIONS[DEFAULT_EDITION]
        self.life = 0  # as usual for so many players
        self.solitaire: Solitaire | None = None
        self.basics: list[tuple[Card, int]] = []  # 0 dice: as many as usual
        self.teams: dict[int, list[tuple[Card, int]]] = {}
        self.places: list[tuple[int, int, int, str]] = []  # line, seat, place, text
        self.lives: dict[int, tuple[int, int]] = {}  # life, line
        self.left: dict[int, int] = {}
        self.turn = (1, 0, MAIN, 0)
        self.seats: set[int] = {0, 1}  # that are mentioned
        self.chance: int | None = None
        self.also: dict[str, Any] = {}
        self.also_line = 0

    def line(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{short(line.strip())}'", number)
        if key == "edition":
            try:
                self.edition = edition_of(value)
            except ValueError as error:
                raise NotationError(str(error), number) from None
        elif key == "life":
            self.life = _number(value, number, 1)
        elif key == "solitaire":
            self.solitaire = _solitaire(value, number)
        elif key == "basics":
            self.basics = self.cards_in(value, number)
        elif key.startswith("team "):
            self.teams[self.seat(key[5:], number)] = self.card_list(value, number)
        elif key == "turn":
            self.turn = _turn(value, number)
            self.seats.add(self.turn[1])
        elif key == "chance":
            self.chance = _hex(value, number)
        elif key == "also":
            self.also_line = number
            try:
                self.also = also.parse(value)
            except also.AlsoError as error:
                raise NotationError(f"'also' cannot be read: {error}", number) from None
        else:
            self.player_line(key, value, number)

    def player_line(self, key: str, value: str, number: int) -> None:
        letter, _, what = key.partition(" ")
        if len(letter) != 1 or not what:
            raise NotationError(f"'{short(key)}' is no part of a position", number)
        seat = self.seat(letter, number)
        if what == "life":
            life = _number(value, number, 0)
            if self.lives.get(seat & 1, (life, 0))[0] != life:
                raise NotationError(
                    f"{say.SEATS[seat]} shares the life of {say.SEATS[seat ^ 2]}, which is different", number
                )
            self.lives[seat & 1] = (life, number)
        elif what == "left over":
            self.left[seat] = _number(value, number, 0)
        elif what in PLACES:
            self.places.append((number, seat, PLACES[what], value))
        else:
            raise NotationError(f"there is no place '{short(what)}'; there are {', '.join(PLACES)}", number)

    def seat(self, letter: str, number: int) -> int:
        seat = _seat(letter, number)
        self.seats.add(seat)
        return seat

    def cards_in(self, value: str, number: int) -> list[tuple[Card, int]]:
        """Read cards with their numbers of dice, 0 where none is given."""
        out: list[tuple[Card, int]] = []
        for part in (p.strip() for p in value.split(";")):
            if not part:
                continue
            if len(out) == MOST_CARDS:
                raise NotationError(f"there are more than the {MOST_CARDS} cards there can be", number)
            found = re.match(r"([0-9]{1,3})\s*x\s+(.*)", part)
            try:
                card = self.cards.find(found[2] if found else part)
            except UnknownCardError as error:
                raise NotationError(str(error), number) from None
            if found and not 1 <= int(found[1]) <= 20:
                raise NotationError(f"{card.name} cannot have {found[1]} dice", number)
            out.append((card, int(found[1]) if found else 0))
        return out

    def card_list(self, value: str, number: int) -> list[tuple[Card, int]]:
        out: list[tuple[Card, int]] = []
        for card, n in self.cards_in(value, number):
            if any(c.title == card.title for c, _ in out):
                raise NotationError(f"{card.title} is on the team twice", number)
            out.append((card, n or card.max))
        return out

    def basics_list(self, seats: int) -> list[tuple[Card, int]]:
        """List the basic actions with their dice; one that several bring has a set for each (rules 1.3)."""
        dice: dict[Card, int] = {}
        for card, n in self.basics:
            dice[card] = dice.get(card, 0) + (n or basic_dice(seats))
        return list(dice.items())


def lines_of(text: str, characters: int = MOST_CHARACTERS, lines: int = MOST_LINES) -> list[str]:
    """Give the lines of a text that is not longer than one of its kind can be; a NotationError says what is too long."""
    if len(text) > characters:
        raise NotationError(f"the text has {len(text):,} characters, more than the {characters:,} there can be")
    found = text.splitlines()
    if len(found) > lines:
        raise NotationError(f"the text has more than the {lines:,} lines there can be", lines + 1)
    for number, line in enumerate(found, 1):
        if len(line) > MOST_IN_LINE and not line.lstrip().startswith("also:"):
            raise NotationError(
                f"the line has {len(line):,} characters, more than the {MOST_IN_LINE:,} there can be", number
            )
    return found


def read_plain(text: str, cards: Catalogue | None = None) -> State:
    """Read a position without letting the game go on to its decision."""
    return read_lines(list(enumerate(lines_of(text), 1)), cards)


def read_lines(lines: Sequence[tuple[int, str]], cards: Catalogue | None = None) -> State:
    """Read a position from its lines with their numbers, which may have others between them."""
    if sum(len(line) for _, line in lines) > MOST_CHARACTERS:
        raise NotationError(f"the position has more than the {MOST_CHARACTERS:,} characters there can be")
    reader = _Reader(cards or catalogue())
    for number, line in lines:
        line = line.split("#", 1)[0] if line.lstrip().startswith("#") else line
        if line.strip():
            reader.line(number, line)
    seats = 2 if reader.seats == {0, 1} else 4
    teams = [tuple(reader.teams.get(seat, ())) for seat in range(seats)]
    start_life = reader.life or usual_life(seats)
    table = _make_table(reader.edition, teams, reader.basics_list(seats), start_life, reader.solitaire)
    s = turn.new_state(table, 0, 0)
    s.turn, s.active, s.step, s.stage = reader.turn
    s.first = s.active & 1
    if s.stage == 0 and s.step != MAIN:
        s.active = s.first  # of two partners the lead begins
    if reader.chance is not None:
        s.rng = reader.chance
    for side, (life, number) in reader.lives.items():
        if life > start_life:
            raise NotationError(f"{say.SEATS[side]} has {life} life, more than the {start_life} of the start", number)
        s.life[side] = life
    for seat, n in reader.left.items():
        s.virtual[seat] = n
    _place_dice(s, reader)
    if table.solitaire is not None and s.step in (MAIN, ATTACK):
        note_step(s, pool(s, table.solitaire.seat)[6])  # as if the step had just begun, unless more is said
    if len(s.records) > also.MOST_RECORDS:
        raise NotationError(f"there is more that dice have got than the {also.MOST_RECORDS} things a game can hold")
    try:
        also.apply(s, reader.also)
    except also.AlsoError as error:
        raise NotationError(f"'also' cannot be read: {error}", reader.also_line) from None
    return s


def _make_table(
    edition: Edition,
    teams: list[tuple[tuple[Card, int], ...]],
    basics: list[tuple[Card, int]],
    life: int,
    solitaire: Solitaire | None,
) -> Table:
    try:
        return make_table(edition, teams, basics, life, solitaire)
    except ValueError as error:
        raise NotationError(str(error)) from None


def _place_dice(s: State, reader: _Reader) -> None:
    t = s.table
    free: dict[int, list[int]] = {c: list(dice) for c, dice in enumerate(t.dice_of)}
    later: list[Callable[[], None]] = []
    exact: list[tuple[int, int, int]] = []  # lines that say all there is in a place
    order = sorted(reader.places, key=lambda p: (list(PLACES.values()).index(p[2]), p[1]))
    for number, seat, place, text in order:
        listed = without_exactly(text)
        if listed != text or listed.casefold() in NOTHING:
            exact.append((number, seat, place))
        for count, item, words in split_items(s, listed, seat, number) if listed.casefold() not in NOTHING else ():
            for _ in range(count):
                owner, c, face = read_item(s, item, seat, place, number)
                if not free[c]:
                    name = t.cards[c].title
                    if c < t.n_seats:
                        raise NotationError(f"{say.SEATS[owner]} has more than {SIDEKICKS} Sidekicks", number)
                    raise NotationError(f"there are only {len(t.dice_of[c])} {name} dice", number)
                d = free[c].pop(0)
                s.owner[d] = owner
                s.place[d] = place * 4 + seat
                if face >= 0:
                    s.face[d] = face
                    if place in (PREP, HAND):
                        s.flags[d] |= ROLLED
                if place == FIELD and not t.levels[t.m6[d] + s.face[d]] and t.is_character_die[d]:
                    raise NotationError(f"{item} is no character and cannot be in the field", number)
                _attributes(s, d, words, number, later)
    for action in later:
        action()
    for number, seat, place in exact:
        if place == BAG and free[seat]:
            raise NotationError(_missing_sidekicks(s, seat, free[seat]), number)


NOTHING = ("nothing", "-", "empty")


def without_exactly(text: str) -> str:
    """Give a list of dice without the word that says that these are all."""
    return re.sub(r"^exactly\s+", "", text, flags=re.IGNORECASE)


def _missing_sidekicks(s: State, seat: int, missing: list[int]) -> str:
    """Say where a player's Sidekicks are, when the bag is said to hold just some and the others are nowhere."""
    letter = say.SEATS[seat]
    mine = [d for d in s.table.dice_of[seat] if d not in missing]
    said = Counter(PLACE_NAMES[s.place[d] >> 2] for d in mine)
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
    most = 1 + max(card.name.count(",") for card in s.table.cards)
    out: list[tuple[int, str, list[str]]] = []
    dice = 0
    i = 0
    while i < len(parts):
        used = 1
        found = _count_and_words(parts[i], number)
        for n in range(1, most + 1):
            joined = _count_and_words(",".join(parts[i : i + n]), number)
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
        raise NotationError(f"a bracket is not closed in '{short(text[begin:].strip())}'", number)
    return [part for part in (*parts, text[begin:]) if part]


def _count_and_words(text: str, number: int) -> tuple[int, str, list[str]]:
    """Take a die's text apart: how many of them, what they are called, what they are besides."""
    rest = text.strip()
    if not rest:
        return 1, "", []
    if len(rest) > MOST_IN_ITEM + 40 * MOST_WORDS:
        raise NotationError(f"'{short(rest)}' is too long for a die", number)
    words: list[str] = []
    if rest.endswith(")") and "(" in rest:
        rest, _, inside = rest[:-1].partition("(")
        words = [w.strip() for w in inside.split(",") if w.strip()]
        if not rest.strip():
            raise NotationError(f"'{short(text.strip())}' has no name", number)
    if len(words) > MOST_WORDS:
        raise NotationError(f"'{short(text.strip())}' has too many attributes for a die", number)
    count, *name = rest.split(None, 1)
    if name and count.isascii() and count.isdigit():
        if not is_number(count, 3) or int(count) > PLAYER:
            raise NotationError(f"there cannot be {short(count)} dice of a kind", number)
        return int(count), name[0].strip(), words
    return 1, rest.strip(), words


def read_item(s: State, item: str, seat: int, place: int, number: int) -> tuple[int, int, int]:
    """Read a die: its owner, card and face (-1: none shown)."""
    t = s.table
    owner = seat
    if len(item) > MOST_IN_ITEM:
        raise NotationError(f"'{short(item)}' is too long for a die", number)
    found = re.match(r"([A-D])'s\s+(.*)", item)
    if found:
        owner, item = say.SEATS.index(found[1]), found[2]
        if owner >= t.n_seats:
            raise NotationError(f"there is no player {found[1]}", number)
    sidekick = {"F": 0, "B": 1, "M": 2, "S": 3, "?": 4}
    if item in sidekick:
        return owner, owner, sidekick[item]
    whole = _find_card(s, item, owner)  # a title may itself end in an exclamation mark
    if whole >= 0:
        return owner, whole, _plain_face(s, whole, place)
    found = re.fullmatch(r"(.+?)(?:@([0-9])(\*{0,2})|:([FBMS?12]+)|!(\*{0,2}))?", item, re.DOTALL)
    if found is None:
        raise NotationError("a die has no name", number)
    name, level, stars, energy, bursts = found[1].strip(), found[2], found[3], found[4], found[5]
    c = _card_named(s, name, owner, number)
    if not (level or energy or bursts is not None):
        return owner, c, _plain_face(s, c, place)
    base = t.m6[t.dice_of[c][0]]
    for face in range(6):
        i = base + face
        if level and t.levels[i] == int(level):
            if stars and len(stars) != t.bursts[i]:
                raise NotationError(f"{name} has no {stars} on level {level}", number)
            return owner, c, face
        if energy and t.kinds[i] == 0 and say.energy_text(t.energy[i], t.pips[i]) == energy:
            return owner, c, face
        if bursts is not None and not level and not energy and t.kinds[i] == 2 and t.bursts[i] == len(bursts):
            return owner, c, face
    if level:
        raise NotationError(f"{name} has no level {level}", number)
    raise NotationError(f"{name} has no face {item[len(name) :]}", number)


def _plain_face(s: State, c: int, place: int) -> int:
    """A bare name in field or reserve means the lowest character or action face."""
    t = s.table
    if place not in (FIELD, RESERVE):
        return -1
    base = t.m6[t.dice_of[c][0]]
    return next(face for face in range(6) if t.kinds[base + face] != 0)


def _card_named(s: State, name: str, owner: int, number: int) -> int:
    c = _find_card(s, name, owner)
    if c < 0:
        raise NotationError(f"{say.SEATS[owner]} has no {name} in this game", number)
    return c


def _find_card(s: State, name: str, owner: int) -> int:
    t = s.table
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
        if plain in _WORDS:
            s.flags[d] |= _WORDS[plain]
        elif found := re.fullmatch(r"([0-9]{1,3}) damage", plain):
            if int(found[1]) > MOST_DAMAGE:
                raise NotationError(f"a die cannot have {found[1]} damage", number)
            s.damage[d] = int(found[1])
            s.flags[d] |= HURT
        elif found := re.fullmatch(r"(?:([+-][0-9]{1,2})a)?\s*(?:([+-][0-9]{1,2})d)?", plain):
            a, de = int(found[1] or 0), int(found[2] or 0)
            s.records.append(_hand_made("gets", d, a, de, s.place[d] & 3))
        elif found := re.fullmatch(r"blocking (.+)", word, re.IGNORECASE):
            later.append(_blocker(s, d, found[1], number))
        else:
            raise NotationError(f"'{word}' is nothing a die can be", number)


def _blocker(s: State, d: int, name: str, number: int) -> Callable[[], None]:
    def block() -> None:
        found = re.fullmatch(r"(.*?)(?: ?#([0-9]{1,3}))?", name, re.DOTALL)
        assert found is not None  # every text has this form
        wanted = found[1].casefold()
        texts = [(a, say.die_text(s, a)) for a in look.attackers(s)]
        fits = [
            a
            for a, text in texts
            if wanted in (text.casefold(), text.rstrip("*").casefold(), say.title(s, a).casefold())
        ]
        index = int(found[2] or 1) - 1
        if not 0 <= index < len(fits):
            raise NotationError(f"no attacker {name} is there to be blocked", number)
        a = fits[index]
        s.blocks.append((d, a))
        s.flags[a] |= BLOCKED
        combat.meet(s, d, a)

    return block


def _seat(letter: str, number: int) -> int:
    at = say.SEATS.find(letter.strip().upper())
    if at < 0 or len(letter.strip()) != 1:
        raise NotationError(f"there is no player '{short(letter.strip())}'", number)
    return at


def _number(value: str, number: int, least: int) -> int:
    if not is_number(value, 2) or not least <= int(value) <= 99:
        raise NotationError(f"expected a number from {least} to 99, found '{short(value)}'", number)
    return int(value)


def is_number(text: str, digits: int) -> bool:
    """Tell whether a text is a whole number of at most so many digits; what else counts as a digit somewhere does not."""
    return 0 < len(text) <= digits and text.isascii() and text.isdigit()


def short(text: str) -> str:
    """Give what a stranger wrote so that it can be told: at most some characters of it."""
    return text if len(text) <= MOST_IN_ITEM else f"{text[:MOST_IN_ITEM]}..."


def _hex(value: str, number: int) -> int:
    if not re.fullmatch(r"[0-9a-fA-F]{1,32}", value):
        raise NotationError(f"'{short(value)}' is not a state of the generator", number)
    return int(value, 16) & ((1 << 64) - 1)


def _solitaire(value: str, number: int) -> Solitaire:
    letter, *words = (part.strip() for part in value.split(","))
    seat = _seat(letter, number)
    if seat > 1:
        raise NotationError("a solitaire game has two players, A and B", number)
    try:
        return with_readings(seat, words)
    except ValueError as error:
        raise NotationError(str(error), number) from None


def _turn(value: str, number: int) -> tuple[int, int, int, int]:
    parts = [p.strip() for p in value.split(",", 2)]
    if len(parts) != 3 or not is_number(parts[0], 3) or int(parts[0]) > TURN_LIMIT:
        raise NotationError(f"expected 'turn: number, player, step', found '{short(value)}'", number)
    name = parts[2].casefold()
    if name in STEPS:
        step, stage = STEPS[name]
    elif (found := re.fullmatch(r"(\w+) ([0-9]{1,2})", name)) and found[1] in STEP_NAMES:
        step, stage = STEP_NAMES.index(found[1]), int(found[2])
    else:
        raise NotationError(f"there is no step '{short(parts[2])}'; there are {'; '.join(STEPS)}", number)
    if stage > also.MOST_STAGE:
        raise NotationError(f"there is no stage {stage}", number)
    return int(parts[0]), _seat(parts[1], number), step, stage
