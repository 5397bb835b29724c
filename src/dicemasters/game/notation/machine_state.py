"""Schema and validation of the `also:` line, which holds the parts of a state that a position cannot express in words.

The game writes this line, but anybody can edit it. Every field is therefore checked against the types and number ranges
of the values the game itself uses before it reaches a state.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args, get_origin

from dicemasters.game.game_spec import GameSpec
from dicemasters.game.state.constants import (
    GONE,
    HELD,
    LOOP_LIMIT,
    PLAYER,
    STEP_NAMES,
    TIE,
    TURN_COUNTS,
    TURN_LIMIT,
    UNDECIDED,
)
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.frames import (
    AbilityFrame,
    ActionDieFrame,
    ActionFrame,
    BatchPaymentFrame,
    DamageAssignmentFrame,
    DamageFrame,
    EventBatchFrame,
    Frame,
    KnockoutFrame,
    LethalCheckFrame,
    OvercrushFrame,
    PaymentFrame,
    RetargetFrame,
    SolitairePurchaseFrame,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import (
    LEFT_OVER,
    NO_DECISION,
    NOBODY,
    SPIN_DOWN,
    ActiveEffect,
    DamagePacket,
    DecisionRequest,
    DieKey,
    ExcessDamage,
    GameEvent,
    Holding,
    Option,
    PacketKey,
    PendingTrigger,
    Price,
    Spent,
)

SCALAR_FIELDS = ("turn", "first", "active", "step", "stage", "moment", "max_life", "dirty")
LIST_FIELDS = ("blocks", "met", "pairs", "spent", "named", "life", "virtual", "facts", "counters", "script")
VALUE_CLASSES: dict[str, type] = {"records": ActiveEffect, "holdings": Holding, "queue": PendingTrigger}
DIE_FIELDS = ("place", "face", "owner", "damage", "flags")
FRAMES: dict[str, type] = {
    "run": AbilityFrame,
    "pay": PaymentFrame,
    "damage": DamageFrame,
    "ko": KnockoutFrame,
    "crush": OvercrushFrame,
    "doom": LethalCheckFrame,
    "announce": EventBatchFrame,
    "assign": DamageAssignmentFrame,
    "act": ActionFrame,
    "using": ActionDieFrame,
    "go": BatchPaymentFrame,
    "target": RetargetFrame,
    "mirror": SolitairePurchaseFrame,
}
MAX_ITEMS = 300  # items per list; games have at most a few dozen
MAX_FRAMES = 60
MAX_EFFECTS = 200
MAX_TEXT_LENGTH = 200  # characters of any word or reason
MAX_SUBSTEP = 30
MAX_LIFE = 999
_DIE_OR_PLAYER_FIELDS = frozenset(
    ("this", "die", "other", "holder", "source", "to", "subject", "doer", "about", "payer")
)
_DIE_OR_PLAYER_FIELDS |= {"chosen", "paid", "picked", "spared", "leaving", "dice", "sources", "foes", "fought"}
# meaning of the first number of an option, by kind
_OPTION_SUBJECTS = {"buy": "card", "global": "ability", "ability": "ability"}
_OPTION_SUBJECTS |= dict.fromkeys(
    ("field", "use", "reroll", "attack", "block", "choose", "up", "down", "pay", "amount"), "die"
)
_SEATS = frozenset(("you", "seat", "by"))

# State attributes whose name differs from their key in the line
ATTRIBUTES = {
    "ask": "decision",
    "spent": "turn_limits",
    "records": "active_effects",
    "dirty": "state_check_due",
    "done": "last_affected",
    "paid": "last_payment",
    "met": "engagements",
    "facts": "turn_counts",
    "named": "name_choices",
    "why": "result_reason",
    "moment": "timestamp",
    "virtual": "virtual_energy",
    "stage": "substep",
}


def attribute_of(key: str) -> str:
    """Return the State attribute that a key of the line stands for."""
    return ATTRIBUTES.get(key, key)


class AllowedRange(NamedTuple):
    """Whole numbers from `minimum` to `maximum`, plus one `extra` value such as NOBODY (0: none)."""

    minimum: int
    maximum: int
    extra: int = 0

    def has(self, x: int) -> bool:
        return self.minimum <= x <= self.maximum or (self.extra != 0 and x == self.extra)


class ValueSchema(NamedTuple):
    """The fields of a state value or frame in written order, with their types; the first ones are required."""

    required_count: int
    fields: tuple[tuple[str, Any], ...]


_INTS = tuple[int, ...]
SCHEMAS: dict[type, ValueSchema] = {
    GameEvent: ValueSchema(
        1, (("word", str), ("die", int), ("other", int), ("amount", int), ("kind", str), ("known", _INTS))
    ),
    PendingTrigger: ValueSchema(
        6,
        (
            ("timestamp", int),
            ("you", int),
            ("ability", int),
            ("this", int),
            ("burst", int),
            ("event", GameEvent),
            ("about", int),
        ),
    ),
    ActiveEffect: ValueSchema(
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
    Holding: ValueSchema(
        6, (("kind", str), ("die", int), ("holder", int), ("home", int), ("until", str), ("face", int))
    ),
    DamagePacket: ValueSchema(3, (("source", int), ("to", int), ("amount", int))),
    ExcessDamage: ValueSchema(3, (("source", int), ("amount", int), ("foes", _INTS), ("exceeds", int))),
    AbilityFrame: ValueSchema(
        3,
        (
            ("ability", int),
            ("you", int),
            ("this", int),
            ("burst", int),
            ("pc", int),
            ("event", GameEvent),
            ("chosen", tuple[tuple[int, ...], ...]),
            ("paid", _INTS),
            ("payer", int),
            ("picked", _INTS),
            ("given", int),
            ("spared", _INTS),
            ("asked", _INTS),
            ("waiting", int),
            ("hit", int),
            ("hold", int),
            ("shares", _INTS),
        ),
    ),
    PaymentFrame: ValueSchema(
        2,
        (
            ("seat", int),
            ("price", Price),
            ("spent", Spent),
            ("last", int),
            ("dice", _INTS),
            ("waiting", int),
            ("halved", _INTS),
        ),
    ),
    DamageFrame: ValueSchema(
        3,
        (
            ("packets", tuple[DamagePacket, ...]),
            ("sort", str),
            ("you", int),
            ("leaving", _INTS),
            ("ability", int),
            ("stage", int),
            ("asked", tuple[PacketKey, ...]),
            ("declined", tuple[tuple[int, int, int, int, int], ...]),
            ("trying", PacketKey),
            ("through", tuple[ExcessDamage, ...]),
            ("used", int),
            ("rest", int),
        ),
    ),
    KnockoutFrame: ValueSchema(
        2,
        (
            ("dice", _INTS),
            ("cause", str),
            ("doer", int),
            ("stage", int),
            ("asked", tuple[DieKey, ...]),
            ("hits", tuple[DamagePacket, ...]),
            ("by", int),
            ("declined", tuple[DieKey, ...]),
            ("trying", DieKey),
            ("used", int),
            ("fought", _INTS),
        ),
    ),
    OvercrushFrame: ValueSchema(1, (("you", int),)),
    LethalCheckFrame: ValueSchema(0, ()),
    EventBatchFrame: ValueSchema(
        1, (("events", tuple[GameEvent, ...]), ("was", tuple[ActiveEffect, ...]), ("go", int))
    ),
    DamageAssignmentFrame: ValueSchema(
        2,
        (
            ("fast", int),
            ("sources", _INTS),
            ("at", int),
            ("packets", tuple[DamagePacket, ...]),
            ("through", tuple[ExcessDamage, ...]),
            ("split", _INTS),
            ("waiting", int),
        ),
    ),
    RetargetFrame: ValueSchema(1, (("register", int), ("asked", tuple[DieKey, ...]), ("used", tuple[DieKey, ...]))),
    ActionFrame: ValueSchema(2, (("seat", int), ("option", Option), ("paid", _INTS), ("hold", int))),
    ActionDieFrame: ValueSchema(2, (("seat", int), ("die", int), ("shown", int))),
    BatchPaymentFrame: ValueSchema(
        1, (("seat", int), ("acts", tuple[Option, ...]), ("waiting", int), ("begun", int), ("paid", _INTS))
    ),
    SolitairePurchaseFrame: ValueSchema(1, (("owed", int),)),
}


ANY = AllowedRange(-2_000, 5_000)  # amounts, bit sets, and numbers whose thousands encode a kind


class MachineStateError(ValueError):
    """The `also:` line contains something the game would not write; the message names it."""


def parse_machine_state(text: str) -> dict[str, Any]:
    """Return the fields of the line, which is a JSON object."""
    try:
        fields = json.loads(text)
    except ValueError:
        raise MachineStateError("it is not valid JSON") from None
    except RecursionError:
        raise MachineStateError("it is nested too deeply") from None
    if not isinstance(fields, dict):
        raise MachineStateError("it must be a JSON object")
    return fields


def restore_machine_state(s: State, fields: Mapping[str, Any]) -> None:
    """Set the fields of the line on `s`; raise MachineStateError for a value out of form or range."""
    reader = _FieldReader(s.spec)
    for name, value in fields.items():
        reader.field(s, name, value)
    for holding in s.holdings:
        if (
            holding.kind in ("capture", "aside")
            and reader.die.has(holding.die)
            and s.place[holding.die] >> 2 == HELD
            and holding.face >= 0
        ):
            s.face[holding.die] = holding.face  # the face it was taken with, which abilities may still refer to
    if s.decision is not NO_DECISION and not s.options:
        raise MachineStateError("'ask' names a decision, but there are no options")


class _FieldReader:
    """A validating reader of the fields for the cards, dice and players of one game."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        n = spec.n_seats
        self.seat = AllowedRange(0, n - 1)
        self.die = AllowedRange(0, spec.n_dice - 1)
        self.ability = AllowedRange(-10, len(spec.abilities) - 1)
        self.scalar_ranges = {
            "turn": AllowedRange(0, TURN_LIMIT + 1),  # one past the limit ends the game
            "first": AllowedRange(0, 1),
            "active": self.seat,
            "step": AllowedRange(0, len(STEP_NAMES) - 1),
            "stage": AllowedRange(0, MAX_SUBSTEP),
            "moment": AllowedRange(0, LOOP_LIMIT + 2),  # the loop limit ends the game
            "max_life": AllowedRange(0, MAX_LIFE),
            "result": AllowedRange(UNDECIDED, TIE),
        }
        self.die_ranges = {
            "place": AllowedRange(0, GONE * 4 + n - 1),
            "face": AllowedRange(0, 5),
            "owner": AllowedRange(0, n - 1, NOBODY),
            "damage": AllowedRange(0, 255),
            "flags": AllowedRange(0, 255),
        }
        self.column_ranges: dict[str, tuple[AllowedRange, ...]] = {
            "blocks": (self.die, self.die),
            "met": (self.die, self.die, AllowedRange(0, 15)),
            "pairs": (self.die, self.die, self.seat),
            "spent": (ANY, ANY),
            "script": (AllowedRange(-1, n - 1), AllowedRange(-1, spec.n_cards - 1), AllowedRange(-1, 5)),
        }
        self.fixed_lists: dict[str, tuple[int, AllowedRange]] = {
            "life": (2, AllowedRange(0, MAX_LIFE)),
            "virtual": (n, AllowedRange(0, 99)),
            "facts": (n * TURN_COUNTS, AllowedRange(0, 9999)),
            "counters": (spec.n_cards, AllowedRange(0, 9999)),
        }

    def field(self, s: State, name: str, value: Any) -> None:
        """Set the state attribute of one key."""
        if name in self.scalar_ranges:
            setattr(s, attribute_of(name), _number(name, value, self.scalar_ranges[name]))
        elif name == "dirty":
            if not isinstance(value, bool):
                raise MachineStateError(f"'{name}' must be true or false")
            s.state_check_due = value
        elif name == "why":
            s.result_reason = _text(name, value)
        elif name in self.column_ranges:
            setattr(s, attribute_of(name), [self.row(name, x) for x in _list(name, value)])
        elif name in self.fixed_lists:
            n, allowed = self.fixed_lists[name]
            setattr(s, attribute_of(name), [_number(name, x, allowed) for x in _list(name, value, n, n)])
        elif name == "named":
            s.name_choices = [self.name_choice(x) for x in _list(name, value)]
        elif name in VALUE_CLASSES:
            maximum = MAX_EFFECTS if name == "records" else MAX_ITEMS
            setattr(
                s,
                attribute_of(name),
                [self.state_value(VALUE_CLASSES[name], name, x) for x in _list(name, value, maximum)],
            )
        elif name == "stack":
            s.stack = [self.frame(x) for x in _list(name, value, MAX_FRAMES)]
        elif name in self.die_ranges:
            for pair in _list(name, value, self.spec.n_dice):
                d, x = _list(name, pair, 2, 2)
                die, die_value = _number(name, d, self.die), self.die_value(name, x)
                if name == "owner":
                    s.set_owner(die, die_value)
                else:
                    getattr(s, name)[die] = die_value
        elif name == "ask":
            s.decision = self.decision_request(value)
        elif name == "options":
            s.options = [self.option(x) for x in _list(name, value, 2_000)]
        elif name in ("done", "paid"):
            setattr(s, attribute_of(name), tuple(self.die_or_player(name, x) for x in _list(name, value)))
        else:
            raise MachineStateError(f"there is no field {_describe_value(name)}")

    def die_value(self, name: str, x: Any) -> int:
        value = _number(name, x, self.die_ranges[name])
        if name == "place" and value & 3 >= self.spec.n_seats:
            raise MachineStateError(f"'{name}' is {value}, a place of a player who is not in this game")
        return value

    def row(self, name: str, value: Any) -> tuple[int, ...]:
        ranges = self.column_ranges[name]
        cells = _list(name, value, len(ranges), len(ranges))
        return tuple(_number(name, x, allowed) for x, allowed in zip(cells, ranges, strict=True))

    def name_choice(self, value: Any) -> tuple[int, str]:
        ability, name = _list("named", value, 2, 2)
        return _number("named", ability, self.ability), _text("named", name)

    def die_or_player(self, name: str, x: Any) -> int:
        """Return the number of a die, a die to be spun down, a player or NOBODY."""
        n = self.spec.n_dice
        if type(x) is not int or not (0 <= x < n or PLAYER <= x <= NOBODY or SPIN_DOWN <= x < SPIN_DOWN + n):
            raise MachineStateError(f"'{name}' names {_describe_value(x)}, which is neither a die nor a player")
        return x

    def decision_request(self, value: Any) -> DecisionRequest:
        cells = _list("ask", value, 4, 4)
        if cells == list(NO_DECISION.values()):
            return NO_DECISION
        seat, kind, about, number = cells
        if not isinstance(kind, str) or kind not in DECISION_KINDS:
            raise MachineStateError(f"'ask' has {_describe_value(kind)}, which is not a kind of decision")
        return DecisionRequest(
            _number("ask", seat, self.seat), kind, _number("ask", about, ANY), _number("ask", number, ANY)
        )

    def option(self, value: Any) -> Option:
        """Return an option: its kind and the dice, cards or amounts it concerns."""
        kind, x, y = _list("options", value, 3, 3)
        option = _text("options", kind), _number("options", x, ANY), _number("options", y, ANY)
        subject = _OPTION_SUBJECTS.get(kind, "")
        if subject == "card":
            _number("options", x, AllowedRange(0, self.spec.n_cards - 1))
        elif subject == "ability":
            _number("options", x, AllowedRange(0, len(self.spec.abilities) - 1))
        elif subject == "die":
            self.die_or_player("options", x)
        return option

    def frame(self, value: Any) -> Frame:
        kind = value[0] if isinstance(value, list) and value else None
        if not isinstance(kind, str) or kind not in FRAMES:
            raise MachineStateError(f"'stack' has {_describe_value(kind)}, which is not a kind of frame")
        frame: Frame = self.state_value(FRAMES[kind], "stack", value[1:])
        if isinstance(frame, AbilityFrame):
            self.check_program(frame)
        return frame

    def check_program(self, frame: AbilityFrame) -> None:
        """Raise MachineStateError unless the frame is at an instruction of an ability of this game."""
        if frame.ability >= 0:
            programs = self.spec.abilities[frame.ability].programs
            if not 0 <= frame.burst < len(programs) or not 0 <= frame.pc <= len(programs[frame.burst].ops):
                raise MachineStateError("'stack' points to an instruction that its ability does not have")

    def state_value(self, cls: type, name: str, value: Any) -> Any:
        """Return a state value or frame of class `cls` with the values nested in it."""
        schema = SCHEMAS[cls]
        cells = _list(name, value, len(schema.fields), schema.required_count)
        return cls(*(self.typed_value(hint, key, x) for (key, hint), x in zip(schema.fields, cells, strict=False)))

    def typed_value(self, hint: Any, name: str, x: Any) -> Any:
        """Return the value of a field with this type hint."""
        if hint is int:
            return self.integer(name, x)
        if hint is str:
            return _text(name, x)
        if hint == Option:
            return self.option(x)
        if get_origin(hint) is tuple:
            kinds = get_args(hint)
            if kinds[-1] is Ellipsis:
                return tuple(self.typed_value(kinds[0], name, y) for y in _list(name, x))
            cells = _list(name, x, len(kinds), len(kinds))
            return tuple(self.typed_value(kind, name, y) for kind, y in zip(kinds, cells, strict=True))
        return self.state_value(hint, name, x)

    def integer(self, name: str, x: Any) -> int:
        if name in _DIE_OR_PLAYER_FIELDS:
            return self.die_or_player(name, x)
        if name in _SEATS:
            return _number(name, x, AllowedRange(-1, self.spec.n_seats - 1, NOBODY))
        if name == "ability":
            return _number(name, x, self.ability)
        if name == "rule":
            return _number(name, x, AllowedRange(-1, len(self.spec.rules) - 1))
        if name == "home":
            return _number(name, x, self.die_ranges["place"])
        if name == "face":
            return _number(name, x, AllowedRange(-1, 5))
        if name in ("last", "halved"):
            return _number(name, x, AllowedRange(-1, LEFT_OVER))
        return _number(name, x, ANY)


def _list(name: str, value: Any, maximum: int = MAX_ITEMS, minimum: int = 0) -> list[Any]:
    if not isinstance(value, list):
        raise MachineStateError(f"'{name}' must be a list, not {_describe_value(value)}")
    if not minimum <= len(value) <= maximum:
        expected = f"{minimum}" if minimum == maximum else f"at most {maximum}"
        raise MachineStateError(f"'{name}' has length {len(value)}, expected {expected}")
    return value


def _number(name: str, x: Any, allowed: AllowedRange) -> int:
    if type(x) is not int or not allowed.has(x):
        raise MachineStateError(
            f"'{name}' has {_describe_value(x)}, expected a number from {allowed.minimum} to {allowed.maximum}"
        )
    return x


def _text(name: str, x: Any) -> str:
    if not isinstance(x, str) or len(x) > MAX_TEXT_LENGTH:
        raise MachineStateError(
            f"'{name}' has {_describe_value(x)}, expected a text of at most {MAX_TEXT_LENGTH} characters"
        )
    return x


def _describe_value(x: Any) -> str:
    """Return a short text for an untrusted value; a number of many digits is not written out."""
    if isinstance(x, int) and not isinstance(x, bool):
        return str(x) if abs(x) < 10**12 else "a huge number"
    return "a list" if isinstance(x, list | dict) else repr(x)[:60] if isinstance(x, str | float) else json.dumps(x)
