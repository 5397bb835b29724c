"""What comes from outside, as plain types with limits: read from JSON data, or refused with the place and one sentence.

It stands on the standard library alone, so that a browser's worker refuses exactly what a server refuses. The limits also
say themselves in JSON schemas, which are made where pydantic is.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, is_typeddict
else:
    from typing_extensions import TypeAliasType, is_typeddict

T = TypeVar("T")
UNKNOWN_FIELD, MISSING_FIELD = "is not known here", "is missing"
ValueReader = Callable[[object], Any]  # gives the value as its type has it, or raises


class ValidationError(ValueError):
    """Something is not what it should be: where, and one sentence."""

    def __init__(self, sentence: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(where)[:60]}: {sentence}" if where else sentence)
        self.sentence = sentence
        self.where = where


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class RequestModel:
    """What somebody outside fills in: a frozen dataclass. Nothing may be said that it does not know."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (for JSON schemas)

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema  # whoever calls this has it

        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else parse(cls, value),
            json_schema_input_schema=handler(source),
        )


# --- limits, said beside a type ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Range:
    """A number from the one to the other."""

    minimum: float
    maximum: float

    def check(self, value: Any) -> None:
        if not self.minimum <= value <= self.maximum:
            raise ValidationError(f"should be between {self.minimum} and {self.maximum}")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "minimum": self.minimum, "maximum": self.maximum}


@dataclass(frozen=True, slots=True)
class Length:
    """A text or a list that is not longer, and not shorter."""

    maximum: int
    minimum: int = 0

    def check(self, value: Any) -> None:
        what = "characters" if isinstance(value, str) else "entries"
        if len(value) > self.maximum:
            raise ValidationError(f"should have at most {self.maximum} {what}")
        if len(value) < self.minimum:
            raise ValidationError(f"should have at least {self.minimum} {what}")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        found = handler(schema)
        what = "Length" if found.get("type") == "string" else "Items"
        return {**found, **({f"min{what}": self.minimum} if self.minimum else {}), f"max{what}": self.maximum}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text of a pattern."""

    pattern: str

    def check(self, value: Any) -> None:
        if not re.fullmatch(self.pattern, value):
            raise ValidationError("is not written as it should be")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "pattern": f"^({self.pattern})$"}


@dataclass(frozen=True, slots=True)
class Description:
    """What is to be said about it; no limit."""

    text: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "description": self.text}


# --- reading -----------------------------------------------------------------------------------------------------------


def parse(kind: type[T], value: object) -> T:
    """Give JSON data as a value of that type; a ValidationError says where it is none."""
    return parser_for(kind)(value)


def parser_for(kind: type[T]) -> Callable[[object], T]:
    """Give what reads values of that type, for whoever reads many."""
    return _reader(cast(Any, kind))


def to_jsonable(value: object) -> Any:
    """Give such a value as JSON data again, without what goes without saying."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: to_jsonable(here)
            for one in fields(value)
            if (here := getattr(value, one.name))
            != (one.default_factory() if one.default_factory is not MISSING else one.default)
        }
    if isinstance(value, Mapping):
        return {key: to_jsonable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [to_jsonable(one) for one in value]
    return value


@cache
def _reader(kind: Any) -> ValueReader:
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, TypeAliasType):
        return _reader(kind.__value__)
    if origin is Annotated:
        return _constrained(inner[0], [mark for mark in inner[1:] if hasattr(mark, "check")])
    if origin in (Required, NotRequired):
        return _reader(inner[0])
    if kind is Any:
        return lambda value: value
    if origin in (Union, types.UnionType):
        return _union(inner)
    if origin is Literal:
        return _literal(inner)
    if origin is list:
        return _list(inner[0])
    if origin is tuple:
        return _tuple(inner)
    if origin is dict:
        return _dict(*inner)
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        return _object({key: _reader(hint) for key, hint in hints.items()}, kind.__required_keys__, lambda **said: said)
    if is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        needed = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
        return _object({f.name: _reader(hints[f.name]) for f in fields(kind)}, needed, cast(Callable[..., Any], kind))
    return _scalar(kind)


_TYPE_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def _scalar(kind: Any) -> ValueReader:
    word, taken = _TYPE_NAMES[kind], (int, float) if kind is float else (kind,)

    def read(value: object) -> object:
        if type(value) not in taken or value != value:  # true is no number, and what is not a number neither
            raise ValidationError(f"should be {word}")
        return value

    return read


def _constrained(kind: Any, marks: list[Any]) -> ValueReader:
    inner = _reader(kind)
    if not marks:
        return inner

    def read(value: object) -> object:
        found = inner(value)
        for mark in marks:
            mark.check(found)
        return found

    if kind is int and len(marks) == 1 and isinstance(marks[0], Range):
        return _int_range(marks[0].minimum, marks[0].maximum, read)
    return read


def _int_range(least: float, most: float, wrong: ValueReader) -> ValueReader:
    """Read a whole number, which most of what is said is made of, in one step."""

    def read(value: object) -> object:
        return value if type(value) is int and least <= value <= most else wrong(value)

    return read


def _literal(values: tuple[Any, ...]) -> ValueReader:
    words = " or ".join(f"'{value}'" for value in values)

    def read(value: object) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValidationError(f"should be {words}")
        return value

    return read


def _list(kind: Any) -> ValueReader:
    inner = _reader(kind)

    def read(value: object) -> object:
        if not isinstance(value, list | tuple):
            raise ValidationError("should be a list")
        return [_read_at(str(n), inner, one) for n, one in enumerate(value)]

    return read


def _tuple(kinds: tuple[Any, ...]) -> ValueReader:
    inner = [_reader(kind) for kind in kinds]

    def read(value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) != len(inner):
            raise ValidationError(f"should be a list of {len(inner)}")
        return tuple(_read_at(str(n), reader, one) for n, (reader, one) in enumerate(zip(inner, value, strict=True)))

    return read


def _dict(key: Any, kind: Any) -> ValueReader:
    keys, inner = _reader(key), _reader(kind)

    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise ValidationError("should be an object")
        return {keys(name): _read_at(str(name)[:20], inner, one) for name, one in value.items()}

    return read


def _object(known: dict[str, ValueReader], needed: set[str] | frozenset[str], make: Callable[..., Any]) -> ValueReader:
    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise ValidationError("should be an object")
        if not value.keys() <= known.keys():
            raise ValidationError(UNKNOWN_FIELD, (next(str(name)[:20] for name in value if name not in known),))
        if not needed <= value.keys():
            raise ValidationError(MISSING_FIELD, (next(name for name in needed if name not in value),))
        said: dict[str, Any] = {}
        name = ""
        try:
            for name, one in value.items():
                said[name] = known[name](one)
        except ValidationError as error:
            raise ValidationError(error.sentence, (name, *error.where)) from None
        return make(**said)

    return read


def _union(kinds: tuple[Any, ...]) -> ValueReader:
    """Read a value as the first type that takes it; where none does, the one that came farthest says why."""
    inner = [_reader(kind) for kind in kinds]
    tagged = _readers_by_tag(kinds)

    def read(value: object) -> object:
        if tagged:
            named = value.get("type") if isinstance(value, dict) else None
            if not isinstance(named, str) or named not in tagged:
                raise ValidationError("should be a message that is known", ("type",))
            return tagged[named](value)
        wrong: list[ValidationError] = []
        for reader in inner:
            try:
                return reader(value)
            except ValidationError as error:
                wrong.append(error)
        try:
            raise max(wrong, key=lambda error: (error.sentence not in (UNKNOWN_FIELD, MISSING_FIELD), len(error.where)))
        finally:
            del wrong  # an error knows where it was raised: in a circle it would stay in memory

    return read


def _readers_by_tag(kinds: tuple[Any, ...]) -> dict[str, ValueReader]:
    """Give the readers of messages by what their `type` says, where all have one."""
    found: dict[str, ValueReader] = {}
    for kind in kinds:
        if not is_dataclass(kind) and not is_typeddict(kind):
            return {}
        named = get_args(get_type_hints(kind).get("type"))
        if len(named) != 1:
            return {}
        found[named[0]] = _reader(kind)
    return found


def _read_at(name: str, reader: ValueReader, value: object) -> Any:
    try:
        return reader(value)
    except ValidationError as error:
        raise ValidationError(error.sentence, (name, *error.where)) from None
