"""What the words of a position leave open (`also:`): read field by field, each in its form and range.

The line is written by the game, but anybody can write another. So nothing of it gets into a state unchecked: the forms
are those of the values the game itself uses, the ranges come from what the numbers stand for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args, get_origin

from dicemasters.game.game_spec import Table
from dicemasters.game.state.constants import (
    FACTS,
    GONE,
    HELD,
    LOOP_LIMIT,
    PLAYER,
    STEP_NAMES,
    TIE,
    TURN_LIMIT,
    UNDECIDED,
)
from dicemasters.game.state.decision_kinds import KINDS
from dicemasters.game.state.frames import (
    Act,
    Announcing,
    Assigning,
    Crushing,
    Damaging,
    Dooming,
    Frame,
    Going,
    Koing,
    Mirroring,
    Pay,
    Running,
    Targeting,
    Using,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import (
    DOWN,
    LEFT_OVER,
    NO_ASK,
    NOBODY,
    Ask,
    DieKey,
    Happening,
    Holding,
    Option,
    Packet,
    PacketKey,
    Price,
    Record,
    Spent,
    Through,
    Trigger,
)

PLAIN_FIELDS = ("turn", "first", "active", "step", "stage", "moment", "max_life", "dirty")
LIST_FIELDS = ("blocks", "met", "pairs", "spent", "named", "life", "virtual", "facts", "counters", "script")
VALUE_CLASSES: dict[str, type] = {"records": Record, "holdings": Holding, "queue": Trigger}
DIE_FIELDS = ("place", "face", "owner", "damage", "flags")
FRAMES: dict[str, type] = {
    "run": Running,
    "pay": Pay,
    "damage": Damaging,
    "ko": Koing,
    "crush": Crushing,
    "doom": Dooming,
    "announce": Announcing,
    "assign": Assigning,
    "act": Act,
    "using": Using,
    "go": Going,
    "target": Targeting,
    "mirror": Mirroring,
}
MOST = 300  # things in any list; a game has some dozens at most
MOST_FRAMES = 60
MOST_RECORDS = 200
MOST_TEXT = 200  # characters of a word or a reason
MOST_STAGE = 30
MOST_LIFE = 999
_THINGS = frozenset(("this", "die", "other", "holder", "source", "to", "subject", "doer", "about", "payer"))
_THINGS |= {"chosen", "paid", "picked", "spared", "leaving", "dice", "sources", "foes", "fought"}
# what an option's first number is
_CONCERN = {"buy": "card", "global": "ability", "ability": "ability"}
_CONCERN |= dict.fromkeys(("field", "use", "reroll", "attack", "block", "choose", "up", "down", "pay", "amount"), "die")
_SEATS = frozenset(("you", "seat", "by"))


class Range(NamedTuple):
    """Whole numbers from one to another, and one more that stands for nobody."""

    least: int
    most: int
    extra: int = 0

    def has(self, x: int) -> bool:
        return self.least <= x <= self.most or (self.extra != 0 and x == self.extra)


class Form(NamedTuple):
    """What a value of `frames` is made of: how much of it has to be written, and the names and types of all, in order."""

    least: int
    fields: tuple[tuple[str, Any], ...]


_MANY = tuple[int, ...]
FORMS: dict[type, Form] = {
    Happening: Form(1, (("word", str), ("die", int), ("other", int), ("amount", int), ("kind", str), ("known", _MANY))),
    Trigger: Form(
        6,
        (
            ("moment", int),
            ("you", int),
            ("ability", int),
            ("this", int),
            ("burst", int),
            ("event", Happening),
            ("about", int),
        ),
    ),
    Record: Form(
        9,
        (
            ("word", str),
            ("subject", int),
            ("a", int),
            ("d", int),
            ("rule", int),
            ("until", str),
            ("you", int),
            ("source", int),
            ("ability", int),
        ),
    ),
    Holding: Form(6, (("kind", str), ("die", int), ("holder", int), ("home", int), ("until", str), ("face", int))),
    Packet: Form(3, (("source", int), ("to", int), ("amount", int))),
    Through: Form(3, (("source", int), ("amount", int), ("foes", _MANY), ("exceeds", int))),
    Running: Form(
        3,
        (
            ("ability", int),
            ("you", int),
            ("this", int),
            ("burst", int),
            ("pc", int),
            ("event", Happening),
            ("chosen", tuple[tuple[int, ...], ...]),
            ("paid", _MANY),
            ("payer", int),
            ("picked", _MANY),
            ("given", int),
            ("spared", _MANY),
            ("asked", _MANY),
            ("waiting", int),
            ("hit", int),
            ("hold", int),
            ("shares", _MANY),
        ),
    ),
    Pay: Form(
        2,
        (
            ("seat", int),
            ("price", Price),
            ("spent", Spent),
            ("last", int),
            ("dice", _MANY),
            ("waiting", int),
            ("halved", _MANY),
        ),
    ),
    Damaging: Form(
        3,
        (
            ("packets", tuple[Packet, ...]),
            ("sort", str),
            ("you", int),
            ("leaving", _MANY),
            ("ability", int),
            ("stage", int),
            ("asked", tuple[PacketKey, ...]),
            ("declined", tuple[tuple[int, int, int, int, int], ...]),
            ("trying", PacketKey),
            ("through", tuple[Through, ...]),
            ("used", int),
            ("rest", int),
        ),
    ),
    Koing: Form(
        2,
        (
            ("dice", _MANY),
            ("sort", str),
            ("doer", int),
            ("stage", int),
            ("asked", tuple[DieKey, ...]),
            ("hits", tuple[Packet, ...]),
            ("by", int),
            ("declined", tuple[DieKey, ...]),
            ("trying", DieKey),
            ("used", int),
            ("fought", _MANY),
        ),
    ),
    Crushing: Form(1, (("you", int),)),
    Dooming: Form(0, ()),
    Announcing: Form(1, (("happenings", tuple[Happening, ...]), ("was", tuple[Record, ...]), ("go", int))),
    Assigning: Form(
        2,
        (
            ("fast", int),
            ("sources", _MANY),
            ("at", int),
            ("packets", tuple[Packet, ...]),
            ("through", tuple[Through, ...]),
            ("split", _MANY),
            ("waiting", int),
        ),
    ),
    Targeting: Form(1, (("register", int), ("asked", tuple[DieKey, ...]), ("used", tuple[DieKey, ...]))),
    Act: Form(2, (("seat", int), ("option", Option), ("paid", _MANY), ("hold", int))),
    Using: Form(2, (("seat", int), ("die", int), ("shown", int))),
    Going: Form(1, (("seat", int), ("acts", tuple[Option, ...]), ("waiting", int), ("begun", int), ("paid", _MANY))),
    Mirroring: Form(1, (("owed", int),)),
}


ANY = Range(-2_000, 5_000)  # amounts, bits, and numbers that say by their thousands what they stand for


class AlsoError(ValueError):
    """Something in the line is not of the game's making; the text says what."""


def parse(text: str) -> dict[str, Any]:
    """Read the line as JSON."""
    try:
        found = json.loads(text)
    except ValueError:
        raise AlsoError("it must be as the game writes it, in curly brackets") from None
    except RecursionError:
        raise AlsoError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise AlsoError("it must be an object")
    return found


def apply(s: State, also: Mapping[str, Any]) -> None:
    """Set what the words of a position leave open; an AlsoError says what is not of the game's making."""
    reader = _Reader(s.table)
    for name, value in also.items():
        reader.field(s, name, value)
    for h in s.holdings:
        if h.kind in ("capture", "aside") and reader.die.has(h.die) and s.place[h.die] >> 2 == HELD and h.face >= 0:
            s.face[h.die] = h.face  # as it was taken, which may still be asked about
    if s.ask is not NO_ASK and not s.options:
        raise AlsoError("somebody is asked and has no options")


class _Reader:
    """Reads the fields of a state at a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        n = table.n_seats
        self.seat = Range(0, n - 1)
        self.die = Range(0, table.n_dice - 1)
        self.ability = Range(-10, len(table.sentences) - 1)
        self.plain = {
            "turn": Range(0, TURN_LIMIT + 1),  # which ends the game
            "first": Range(0, 1),
            "active": self.seat,
            "step": Range(0, len(STEP_NAMES) - 1),
            "stage": Range(0, MOST_STAGE),
            "moment": Range(0, LOOP_LIMIT + 2),  # more ends the game
            "max_life": Range(0, MOST_LIFE),
            "result": Range(UNDECIDED, TIE),
        }
        self.of_die = {
            "place": Range(0, GONE * 4 + n - 1),
            "face": Range(0, 5),
            "owner": Range(0, n - 1, NOBODY),
            "damage": Range(0, 255),
            "flags": Range(0, 255),
        }
        self.columns: dict[str, tuple[Range, ...]] = {
            "blocks": (self.die, self.die),
            "met": (self.die, self.die, Range(0, 15)),
            "pairs": (self.die, self.die, self.seat),
            "spent": (ANY, ANY),
            "script": (Range(-1, n - 1), Range(-1, table.n_cards - 1), Range(-1, 5)),
        }
        self.exactly: dict[str, tuple[int, Range]] = {
            "life": (2, Range(0, MOST_LIFE)),
            "virtual": (n, Range(0, 99)),
            "facts": (n * FACTS, Range(0, 9999)),
            "counters": (table.n_cards, Range(0, 9999)),
        }

    def field(self, s: State, name: str, value: Any) -> None:
        """Set one field."""
        if name in self.plain:
            setattr(s, name, _number(name, value, self.plain[name]))
        elif name == "dirty":
            if not isinstance(value, bool):
                raise AlsoError(f"'{name}' is true or false")
            s.dirty = value
        elif name == "why":
            s.why = _text(name, value)
        elif name in self.columns:
            setattr(s, name, [self.row(name, x) for x in _list(name, value)])
        elif name in self.exactly:
            n, within = self.exactly[name]
            setattr(s, name, [_number(name, x, within) for x in _list(name, value, n, n)])
        elif name == "named":
            s.named = [self.named(x) for x in _list(name, value)]
        elif name in VALUE_CLASSES:
            most = MOST_RECORDS if name == "records" else MOST
            setattr(s, name, [self.made(VALUE_CLASSES[name], name, x) for x in _list(name, value, most)])
        elif name == "stack":
            s.stack = [self.frame(x) for x in _list(name, value, MOST_FRAMES)]
        elif name in self.of_die:
            for pair in _list(name, value, self.table.n_dice):
                d, x = _list(name, pair, 2, 2)
                die, number = _number(name, d, self.die), self.byte(name, x)
                if name == "owner":
                    s.give_to(die, number)
                else:
                    getattr(s, name)[die] = number
        elif name == "ask":
            s.ask = self.ask(value)
        elif name == "options":
            s.options = [self.option(x) for x in _list(name, value, 2_000)]
        elif name in ("done", "paid"):
            setattr(s, name, tuple(self.thing(name, x) for x in _list(name, value)))
        else:
            raise AlsoError(f"there is no {_short(name)}")

    def byte(self, name: str, x: Any) -> int:
        found = _number(name, x, self.of_die[name])
        if name == "place" and found & 3 >= self.table.n_seats:
            raise AlsoError(f"'{name}' is {found}, which is nobody's")
        return found

    def row(self, name: str, value: Any) -> tuple[int, ...]:
        ranges = self.columns[name]
        cells = _list(name, value, len(ranges), len(ranges))
        return tuple(_number(name, x, within) for x, within in zip(cells, ranges, strict=True))

    def named(self, value: Any) -> tuple[int, str]:
        ability, name = _list("named", value, 2, 2)
        return _number("named", ability, self.ability), _text("named", name)

    def thing(self, name: str, x: Any) -> int:
        """Read the number of a die, of one to be spun down, of a player or of nobody."""
        n = self.table.n_dice
        if type(x) is not int or not (0 <= x < n or PLAYER <= x <= NOBODY or DOWN <= x < DOWN + n):
            raise AlsoError(f"'{name}' names {_short(x)}, which is no die and no player")
        return x

    def ask(self, value: Any) -> Ask:
        cells = _list("ask", value, 4, 4)
        if cells == list(NO_ASK.values()):
            return NO_ASK
        seat, kind, about, number = cells
        if not isinstance(kind, str) or kind not in KINDS:
            raise AlsoError(f"'ask' asks for {_short(kind)}, which is no decision")
        return Ask(_number("ask", seat, self.seat), kind, _number("ask", about, ANY), _number("ask", number, ANY))

    def option(self, value: Any) -> Option:
        """Read an option: what is done, and the dice, cards or amounts it concerns."""
        what, x, y = _list("options", value, 3, 3)
        made = _text("options", what), _number("options", x, ANY), _number("options", y, ANY)
        concerns = _CONCERN.get(what, "")
        if concerns == "card":
            _number("options", x, Range(0, self.table.n_cards - 1))
        elif concerns == "ability":
            _number("options", x, Range(0, len(self.table.sentences) - 1))
        elif concerns == "die":
            self.thing("options", x)
        return made

    def frame(self, value: Any) -> Frame:
        kind = value[0] if isinstance(value, list) and value else None
        if not isinstance(kind, str) or kind not in FRAMES:
            raise AlsoError(f"'stack' has {_short(kind)}, which is nothing that can be under way")
        made: Frame = self.made(FRAMES[kind], "stack", value[1:])
        if isinstance(made, Running):
            self.check_program(made)
        return made

    def check_program(self, f: Running) -> None:
        """Insist that a sentence under way is one of the table's, and no further than its end."""
        if f.ability >= 0:
            programs = self.table.sentences[f.ability].programs
            if not 0 <= f.burst < len(programs) or not 0 <= f.pc <= len(programs[f.burst].ops):
                raise AlsoError("'stack' is at a place of a text that has no such place")

    def made(self, cls: type, name: str, value: Any) -> Any:
        """Read one of the game's own values, with the values inside it."""
        form = FORMS[cls]
        cells = _list(name, value, len(form.fields), form.least)
        return cls(*(self.of(hint, key, x) for (key, hint), x in zip(form.fields, cells, strict=False)))

    def of(self, hint: Any, name: str, x: Any) -> Any:
        """Read a value that has to be of this type."""
        if hint is int:
            return self.integer(name, x)
        if hint is str:
            return _text(name, x)
        if hint == Option:
            return self.option(x)
        if get_origin(hint) is tuple:
            kinds = get_args(hint)
            if kinds[-1] is Ellipsis:
                return tuple(self.of(kinds[0], name, y) for y in _list(name, x))
            cells = _list(name, x, len(kinds), len(kinds))
            return tuple(self.of(kind, name, y) for kind, y in zip(kinds, cells, strict=True))
        return self.made(hint, name, x)

    def integer(self, name: str, x: Any) -> int:
        if name in _THINGS:
            return self.thing(name, x)
        if name in _SEATS:
            return _number(name, x, Range(-1, self.table.n_seats - 1, NOBODY))
        if name == "ability":
            return _number(name, x, self.ability)
        if name == "rule":
            return _number(name, x, Range(-1, len(self.table.rules) - 1))
        if name == "home":
            return _number(name, x, self.of_die["place"])
        if name == "face":
            return _number(name, x, Range(-1, 5))
        if name in ("last", "halved"):
            return _number(name, x, Range(-1, LEFT_OVER))
        return _number(name, x, ANY)


def _list(name: str, value: Any, most: int = MOST, least: int = 0) -> list[Any]:
    if not isinstance(value, list):
        raise AlsoError(f"'{name}' holds {_short(value)} where a list belongs")
    if not least <= len(value) <= most:
        wanted = f"{least}" if least == most else f"at most {most}"
        raise AlsoError(f"'{name}' has {len(value)} things where {wanted} belong")
    return value


def _number(name: str, x: Any, within: Range) -> int:
    if type(x) is not int or not within.has(x):
        raise AlsoError(f"'{name}' has {_short(x)} where a number from {within.least} to {within.most} belongs")
    return x


def _text(name: str, x: Any) -> str:
    if not isinstance(x, str) or len(x) > MOST_TEXT:
        raise AlsoError(f"'{name}' has {_short(x)} where a word belongs")
    return x


def _short(x: Any) -> str:
    """Give a value of a stranger's in at most some characters; a number of many digits is not even written out."""
    if isinstance(x, int) and not isinstance(x, bool):
        return str(x) if abs(x) < 10**12 else "a huge number"
    return "a list" if isinstance(x, list | dict) else repr(x)[:60] if isinstance(x, str | float) else json.dumps(x)
