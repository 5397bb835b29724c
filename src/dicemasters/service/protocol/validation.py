"""What comes from outside, as plain types with limits: read from JSON data, or refused with the place and one message.

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
    """Something is not what it should be: where, and one message."""

    def __init__(self, message: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(path)[:60]}: {message}" if path else message)
        self.message = message
        self.path = path


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
        unit = "characters" if isinstance(value, str) else "entries"
        if len(value) > self.maximum:
            raise ValidationError(f"should have at most {self.maximum} {unit}")
        if len(value) < self.minimum:
            raise ValidationError(f"should have at least {self.minimum} {unit}")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        base = handler(schema)
        unit = "Length" if base.get("type") == "string" else "Items"
        return {**base, **({f"min{unit}": self.minimum} if self.minimum else {}), f"max{unit}": self.maximum}


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
            field_.name: to_jsonable(item)
            for field_ in fields(value)
            if (item := getattr(value, field_.name))
            != (field_.default_factory() if field_.default_factory is not MISSING else field_.default)
        }
    if isinstance(value, Mapping):
        return {key: to_jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_jsonable(item) for item in value]
    return value


@cache
def _reader(kind: Any) -> ValueReader:
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, TypeAliasType):
        return _reader(kind.__value__)
    if origin is Annotated:
        return _constrained(inner[0], [constraint for constraint in inner[1:] if hasattr(constraint, "check")])
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
        return _object(
            {key: _reader(hint) for key, hint in hints.items()}, kind.__required_keys__, lambda **parsed: parsed
        )
    if is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        required = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
        return _object({f.name: _reader(hints[f.name]) for f in fields(kind)}, required, cast(Callable[..., Any], kind))
    return _scalar(kind)


_TYPE_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def _scalar(kind: Any) -> ValueReader:
    type_name, accepted = _TYPE_NAMES[kind], (int, float) if kind is float else (kind,)

    def read(value: object) -> object:
        if type(value) not in accepted or value != value:  # true is no number, and what is not a number neither
            raise ValidationError(f"should be {type_name}")
        return value

    return read


def _constrained(kind: Any, constraints: list[Any]) -> ValueReader:
    inner = _reader(kind)
    if not constraints:
        return inner

    def read(value: object) -> object:
        parsed = inner(value)
        for constraint in constraints:
            constraint.check(parsed)
        return parsed

    if kind is int and len(constraints) == 1 and isinstance(constraints[0], Range):
        return _int_range(constraints[0].minimum, constraints[0].maximum, read)
    return read


def _int_range(minimum: float, maximum: float, fallback: ValueReader) -> ValueReader:
    """Read a whole number, which most of what is said is made of, in one step."""

    def read(value: object) -> object:
        return value if type(value) is int and minimum <= value <= maximum else fallback(value)

    return read


def _literal(values: tuple[Any, ...]) -> ValueReader:
    allowed = " or ".join(f"'{value}'" for value in values)

    def read(value: object) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValidationError(f"should be {allowed}")
        return value

    return read


def _list(kind: Any) -> ValueReader:
    inner = _reader(kind)

    def read(value: object) -> object:
        if not isinstance(value, list | tuple):
            raise ValidationError("should be a list")
        return [_read_at(str(n), inner, item) for n, item in enumerate(value)]

    return read


def _tuple(kinds: tuple[Any, ...]) -> ValueReader:
    inner = [_reader(kind) for kind in kinds]

    def read(value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) != len(inner):
            raise ValidationError(f"should be a list of {len(inner)}")
        return tuple(_read_at(str(n), reader, item) for n, (reader, item) in enumerate(zip(inner, value, strict=True)))

    return read


def _dict(key: Any, kind: Any) -> ValueReader:
    keys, inner = _reader(key), _reader(kind)

    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise ValidationError("should be an object")
        return {keys(name): _read_at(str(name)[:20], inner, item) for name, item in value.items()}

    return read


def _object(
    known: dict[str, ValueReader], required: set[str] | frozenset[str], build: Callable[..., Any]
) -> ValueReader:
    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise ValidationError("should be an object")
        if not value.keys() <= known.keys():
            raise ValidationError(UNKNOWN_FIELD, (next(str(name)[:20] for name in value if name not in known),))
        if not required <= value.keys():
            raise ValidationError(MISSING_FIELD, (next(name for name in required if name not in value),))
        parsed: dict[str, Any] = {}
        name = ""
        try:
            for name, item in value.items():
                parsed[name] = known[name](item)
        except ValidationError as error:
            raise ValidationError(error.message, (name, *error.path)) from None
        return build(**parsed)

    return read


def _union(kinds: tuple[Any, ...]) -> ValueReader:
    """Read a value as the first type that takes it; where none does, the one that came farthest says why."""
    inner = [_reader(kind) for kind in kinds]
    tagged = _readers_by_tag(kinds)

    def read(value: object) -> object:
        if tagged:
            tag = value.get("type") if isinstance(value, dict) else None
            if not isinstance(tag, str) or tag not in tagged:
                raise ValidationError("should be a message that is known", ("type",))
            return tagged[tag](value)
        errors: list[ValidationError] = []
        for reader in inner:
            try:
                return reader(value)
            except ValidationError as error:
                errors.append(error)
        try:
            raise max(errors, key=lambda error: (error.message not in (UNKNOWN_FIELD, MISSING_FIELD), len(error.path)))
        finally:
            del errors  # an error knows where it was raised: in a circle it would stay in memory

    return read


def _readers_by_tag(kinds: tuple[Any, ...]) -> dict[str, ValueReader]:
    """Give the readers of messages by what their `type` says, where all have one."""
    readers: dict[str, ValueReader] = {}
    for kind in kinds:
        if not is_dataclass(kind) and not is_typeddict(kind):
            return {}
        tags = get_args(get_type_hints(kind).get("type"))
        if len(tags) != 1:
            return {}
        readers[tags[0]] = _reader(kind)
    return readers


def _read_at(name: str, reader: ValueReader, value: object) -> Any:
    try:
        return reader(value)
    except ValidationError as error:
        raise ValidationError(error.message, (name, *error.path)) from None
