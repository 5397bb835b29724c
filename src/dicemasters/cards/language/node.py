"""Immutable value classes for the abstract syntax of the card language.

`dataclass(frozen=True, slots=True)` would do the same but compiles six functions for every class. The language has
about eighty classes, and every command that loads a card would pay for them; here all classes share their functions.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, dataclass_transform

if TYPE_CHECKING:
    from inspect import Signature

_set_attribute = object.__setattr__


class _NodeMeta(type):
    """Metaclass that turns annotations into slots and match arguments, and collects default values."""

    __match_args__: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _NodeMeta:
        fields = tuple(field for field in namespace.get("__annotations__", ()) if not field.startswith("_"))
        namespace["_defaults"] = {field: namespace.pop(field) for field in fields if field in namespace}
        namespace["_field_values"] = attrgetter(*fields) if fields else type
        return super().__new__(cls, name, bases, {"__slots__": fields, "__match_args__": fields, **namespace})

    @property
    def __signature__(cls) -> Signature:
        """The signature of the constructor, for `help()` and argument checks."""
        from inspect import Parameter, Signature

        hints = cls.__annotations__
        return Signature(
            [
                Parameter(
                    field,
                    Parameter.POSITIONAL_OR_KEYWORD,
                    default=cls._defaults.get(field, Parameter.empty),
                    annotation=hints[field],
                )
                for field in cls.__match_args__
            ]
        )


@dataclass_transform(frozen_default=True)
class Node(metaclass=_NodeMeta):
    """Base class of immutable values. Fields are declared as in a dataclass: `amount: int`, or `amount: int = 1`."""

    __match_args__: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _field_values: ClassVar[Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields, defaults = self.__match_args__, self._defaults
        for field, value in zip(fields, args, strict=False):
            _set_attribute(self, field, value)
        for field in fields[len(args) :]:
            if field in kwargs:
                _set_attribute(self, field, kwargs.pop(field))
            elif field in defaults:
                _set_attribute(self, field, defaults[field])
            else:
                raise TypeError(f"{type(self).__name__} lacks its '{field}'")
        if kwargs or len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} takes only {', '.join(fields) or 'nothing'}")

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**{field: getattr(self, field) for field in self.__match_args__} | changes)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self._field_values(self) == self._field_values(other))

    def __hash__(self) -> int:
        return hash(self._field_values(self))

    def __repr__(self) -> str:
        arguments = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.__match_args__)
        return f"{type(self).__qualname__}({arguments})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; replace({name}=...) returns a changed copy")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, field) for field in self.__match_args__)
