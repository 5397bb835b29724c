"""Validation of external data: JSON is parsed into plain types with limits, or rejected with a location and a message.

It needs only the standard library, so that a browser's worker rejects exactly what a server rejects. Where pydantic is
installed, the limits also appear in JSON schemas.
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
ValueReader = Callable[[object], Any]  # returns the parsed value or raises ValidationError


class ValidationError(ValueError):
    """External data is invalid; says where and why."""

    def __init__(self, message: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(path)[:60]}: {message}" if path else message)
        self.message = message
        self.path = path


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class RequestModel:
    """Base class of requests: a frozen dataclass that rejects unknown fields."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (for JSON schemas)

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema  # only called by pydantic

        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else parse(cls, value),
            json_schema_input_schema=handler(source),
        )


# --- constraints for annotated types ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Range:
    """Limits of a number, both inclusive."""

    minimum: float
    maximum: float

    def check(self, value: Any) -> None:
        if not self.minimum <= value <= self.maximum:
            raise ValidationError(f"should be between {self.minimum} and {self.maximum}")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "minimum": self.minimum, "maximum": self.maximum}


@dataclass(frozen=True, slots=True)
class Length:
    """Limits on the length of a text or list."""

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
    """Regular expression that a whole text has to match."""

    pattern: str

    def check(self, value: Any) -> None:
        if not re.fullmatch(self.pattern, value):
            raise ValidationError("has an invalid format")

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "pattern": f"^({self.pattern})$"}


@dataclass(frozen=True, slots=True)
class Description:
    """Description of a field for the JSON schema; it limits nothing."""

    text: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        return {**handler(schema), "description": self.text}


# --- parsing ----------------------------------------------------------------------------------------------------------


def parse(kind: type[T], value: object) -> T:
    """Return JSON data as a value of that type; raise ValidationError if it does not conform."""
    return parser_for(kind)(value)


def parser_for(kind: type[T]) -> Callable[[object], T]:
    """Return a reusable parser for values of that type."""
    return _reader(cast(Any, kind))


def to_jsonable(value: object) -> Any:
    """Return a value as JSON data, omitting fields with default values."""
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
        if type(value) not in accepted or value != value:  # rejects True as a number, and NaN
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
    """Return a reader with a fast path for integers in the range; all other values go to `fallback`."""

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
    """Return a reader that tries each type in turn. If all fail, it raises the error of the best match."""
    inner = [_reader(kind) for kind in kinds]
    tagged = _readers_by_tag(kinds)

    def read(value: object) -> object:
        if tagged:
            tag = value.get("type") if isinstance(value, dict) else None
            if not isinstance(tag, str) or tag not in tagged:
                raise ValidationError("should be a known message type", ("type",))
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
            del errors  # the traceback would form a reference cycle

    return read


def _readers_by_tag(kinds: tuple[Any, ...]) -> dict[str, ValueReader]:
    """Return the readers of message types by the value of their `type` field, or {} if a type has no such tag."""
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
