"""Argument types of the words of the card language, read from their signatures, and the errors for wrong arguments.

Where several values are accepted, a single value stands for a tuple of one.
"""

from __future__ import annotations

import difflib
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from pathlib import Path
from types import FrameType, NoneType, UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from dicemasters.cards.language.node import Node

MAX_QUOTED = 60  # characters of a wrong argument quoted in a message
MAX_LISTED = 20  # number of valid alternatives listed in a message
SYMBOLS = "FBMS"
_PACKAGE_DIR = Path(__file__).parent
_WORD_MODULES = (
    "node_types",
    *(f"{x}_words" for x in ("number", "description", "choice", "condition", "event", "rule", "effect", "ability")),
)
_LANGUAGE_FILES = (
    *(
        str(_PACKAGE_DIR / f"{name}.py")
        for name in (*_WORD_MODULES, "vocabulary", "metadata", "signatures", "semantics")
    ),
    str(_PACKAGE_DIR.parent / "catalogue.py"),
)


class WordError(ValueError):
    """A misused word of the card language. The message names the location, the word, and the valid alternatives."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"{_caller_location()}{problem}")


def _caller_location() -> str:
    """Return the file and line that use the language, or "" if no caller is outside it."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if file not in _LANGUAGE_FILES and not file.startswith("<"):
            return f"{Path(file).name}, line {frame.f_lineno}: "
        frame = frame.f_back
    return ""


# --- constraints beyond the type -----------------------------------------------------------------------------------


class BoundedNumber(Node):
    """A number from `minimum` to `maximum`, optionally without 0."""

    minimum: int
    maximum: int
    zero: bool = True

    def accepts(self, value: object) -> bool:
        if not isinstance(value, int):
            return True
        return self.minimum <= value <= self.maximum and (self.zero or value != 0)

    @property
    def expected_text(self) -> str:
        return f"a number from {self.minimum} to {self.maximum}{'' if self.zero else ', but not 0'}"


class EnergyCost(Node):
    """An energy cost: the letters F B M S for types, and digits for energy of any type."""

    empty: bool = False

    def accepts(self, value: object) -> bool:
        if not isinstance(value, str):
            return True
        return all(x in SYMBOLS or x in "123456789" for x in value) and (self.empty or bool(value))

    @property
    def expected_text(self) -> str:
        return 'energy such as "F", "BB" or "2"'


class QuotedName(Node):
    """A quoted name, of a card, an affiliation or a counter for example."""

    of: str

    def accepts(self, value: object) -> bool:
        return not isinstance(value, str) or (bool(value.strip()) and value.isprintable() and len(value) <= 100)

    @property
    def expected_text(self) -> str:
        return f"the name of {self.of} in quotes"


class CommaList(Node):
    """Any of these values, separated by commas; possibly none."""

    of: tuple[str, ...]

    def accepts(self, value: object) -> bool:
        return not isinstance(value, str) or not value or all(part in self.of for part in value.split(", "))

    @property
    def expected_text(self) -> str:
        return f"any of {', '.join(self.of)}, separated by commas"


class OptionalItems(Node):
    """Marks a variadic parameter that may be empty."""

    expected_text = ""

    def accepts(self, value: object) -> bool:
        return True


Constraint = BoundedNumber | EnergyCost | QuotedName | CommaList | OptionalItems

_TYPE_TEXTS = {  # name of an argument type, with an example
    "int": ("a number", ""),
    "str": ("a text in quotes", ""),
    "bool": ("True or False", ""),
    "Number": ("an amount", "count(character & own)"),
    "Where": ("a description", "character & opposing"),
    "Select": ("a choice", "target(character)"),
    "Condition": ("a condition", "there_is(sidekick & own)"),
    "Event": ("an event", "fielded()"),
    "Rule": ("a static rule", "gets(this, 1)"),
    "Effect": ("an effect", "Damage(1, target())"),
    "Cost": ("a cost", "pays_life(1)"),
    "Burst": ("a burst", "burst_also(Life(1))"),
    "Ability": ("an ability", "when(fielded(), Life(1))"),
}
_REMEDIES = {  # advice by expected and actual type
    ("Ability", "Rule"): "write always(...) around the rule",
    ("Ability", "Effect"): "an effect needs an event: when(fielded(), ...)",
    ("Effect", "Rule"): "write Give(...) around the rule, which then holds until end of turn",
    ("Effect", "Ability"): "an ability cannot be inside another; write Later(event, effects) for what happens later",
    ("Effect", "Select"): "say what is done to them: Ko(...), Damage(1, ...)",
    ("Effect", "Where"): "say what is done to them: Ko(...), Damage(1, ...)",
    ("Effect", "Event"): "the event comes first, then the effects",
    ("Effect", "Condition"): "write condition=..., or Do(condition, effect)",
    ("Effect", "Burst"): "write bursts=...",
    ("Effect", "Cost"): "write may(effect, cost=...)",
    ("Rule", "Effect"): "an effect needs an event: when(fielded(), ...)",
    ("Rule", "Ability"): "abilities cannot be nested: write them one after the other",
    ("Rule", "Condition"): "write condition=...",
    ("Rule", "Burst"): "write bursts=...",
    ("Where", "Select"): "leave out one(...) or target(...)",
    ("Select", "Where"): "write one(...) or target(...) around it",
    ("Cost", "Effect"): "write Cost(effects=...) around it",
    ("Cost", "str"): 'energy is written Cost("F")',
    ("Burst", "Effect"): "write burst_also(...) or burst_instead(...) around it",
    ("Burst", "Rule"): "write burst_also(...) or burst_instead(...) around it",
    ("Condition", "Where"): "write there_is(...) around it, or it_is(this, ...)",
    ("Event", "Where"): "an event is something that happens: attacks(...), fielded(...)",
    ("Event", "Condition"): "an event is something that happens: attacks(...), fielded(...)",
}


def suggest(word: str, known: Any) -> str:
    """Return a suggestion of the most similar known word, or "" if none is similar."""
    matches = difflib.get_close_matches(word[:MAX_QUOTED], [str(x) for x in known], 1, 0.6)
    return f"; did you mean '{matches[0]}'?" if matches else ""


def node_kind(value: object) -> str:
    """Return the name of the kind of a value. Language classes without a specific kind are effects."""
    name = type(value).__name__
    return name if name in _TYPE_TEXTS or type(value).__module__ == "builtins" else "Effect"


def word_name(value: object) -> str:
    """Return the name of a word that lacks its brackets; "" for any other value."""
    return str(getattr(value, "__name__", "it")) if callable(value) else ""


def describe_argument(value: object) -> str:
    """Return a description of a wrong argument."""
    if value is None:
        return "nothing"
    if name := word_name(value):
        return f"the word '{name}' without its brackets"
    if isinstance(value, str):
        return f"the text '{value[:MAX_QUOTED]}'"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, tuple):
        return "several values in brackets"
    kind = node_kind(value)
    return _TYPE_TEXTS[kind][0] if kind in _TYPE_TEXTS else f"'{str(value)[:MAX_QUOTED]}'"


class ArgumentKind:
    """The accepted values of a parameter, with their description for messages."""

    def __init__(self, hint: Any) -> None:
        self.constraints: tuple[Constraint, ...] = ()
        if get_origin(hint) is Annotated:
            hint, *constraints = get_args(hint)
            self.constraints = tuple(constraints)
        parts = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
        self.annotated_kinds = [ArgumentKind(part) for part in parts if get_origin(part) is Annotated]
        unannotated = [part for part in parts if get_origin(part) is not Annotated]
        self.literals: tuple[object, ...] = tuple(
            value for part in unannotated if get_origin(part) is Literal for value in get_args(part)
        )
        self.item_kinds: list[ArgumentKind] = [
            ArgumentKind(get_args(part)[0]) for part in unannotated if get_origin(part) is tuple
        ]
        self.types: tuple[type, ...] = tuple(part for part in unannotated if isinstance(part, type))
        self.exact_types = frozenset(() if self.constraints else self.types)  # types accepted without further checks
        self.type_names = list(
            dict.fromkeys(x.__name__ if x.__name__ in _TYPE_TEXTS else "Effect" for x in self._value_types())
        )

    def _value_types(self) -> Iterator[type]:
        return (x for x in self.types if x is not NoneType)

    def fit(self, value: Any) -> tuple[Any, bool]:
        """Return the value, normalised to a tuple where several are accepted, and whether it is valid."""
        if isinstance(value, bool):
            return value, bool in self.types
        for item_kind in self.item_kinds:
            items = value if isinstance(value, tuple) else (value,)
            fitted = [item_kind.fit(item) for item in items]
            if all(is_valid for _, is_valid in fitted):
                return tuple(item for item, _ in fitted), True
        for kind in self.annotated_kinds:
            if kind.fit(value)[1]:
                return value, True
        if not isinstance(value, self.types) and not (isinstance(value, str | int) and value in self.literals):
            return value, False
        return value, all(limit.accepts(value) for limit in self.constraints)

    @cached_property
    def expected_text(self) -> str:
        """A description of the accepted values."""
        parts = [kind.expected_text for kind in self.annotated_kinds]
        if self.constraints:
            parts += [limit.expected_text for limit in self.constraints if limit.expected_text]
        examples = []
        for name in self.type_names:
            if self.constraints and name in ("int", "str"):
                continue
            parts.append(_TYPE_TEXTS[name][0])
            examples += [_TYPE_TEXTS[name][1]] if _TYPE_TEXTS[name][1] else []
        if self.literals:
            parts.append(f"one of {', '.join(_quoted(x) for x in self.literals)}")
        for item_kind in self.item_kinds:
            if item_kind.type_names and set(item_kind.type_names) <= set(self.type_names):
                continue  # the single item is already described
            parts.append(
                item_kind.expected_text
                if item_kind.item_kinds
                else f"{item_kind.expected_text}, or several of these in brackets"
            )
        example_text = f", such as {examples[0]}" if examples else ""
        return " or ".join(parts) + example_text

    def remedy(self, value: object) -> str:
        """Return advice on what to write instead of a wrong value, or "" if there is none."""
        if name := word_name(value):
            return f"; write {name}(...)"
        if isinstance(value, str) and self.literals:
            matches = difflib.get_close_matches(value.casefold(), [str(x).casefold() for x in self.literals], 1, 0.5)
            literals = [str(x) for x in self.literals if matches and str(x).casefold() == matches[0]]
            return f"; did you mean '{literals[0]}'?" if literals else ""
        for type_name in [
            *self.type_names,
            *(type_name for item_kind in self.item_kinds for type_name in item_kind.type_names),
        ]:
            if (type_name, node_kind(value)) in _REMEDIES:
                return f"; {_REMEDIES[type_name, node_kind(value)]}"
        return ""


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


_KINDS: dict[tuple[str, str], ArgumentKind] = {}


def _argument_kind(annotation: str, namespace: dict[str, Any]) -> ArgumentKind:
    """Return the kind for an annotation, cached because most words of a module share a few."""
    key = (annotation, namespace["__name__"])
    if key not in _KINDS:
        _KINDS[key] = ArgumentKind(eval(annotation, namespace))
    return _KINDS[key]


class WordSignature:
    """The parameters of a word, each with its kind."""

    def __init__(self, word: Callable[..., Any]) -> None:
        self.word = word
        self.name: str = word.__name__
        self.signature = inspect.signature(word)
        namespace = vars(sys.modules[word.__module__])
        self.kinds = {name: _argument_kind(p.annotation, namespace) for name, p in self.signature.parameters.items()}
        parameters = self.signature.parameters.values()
        self.positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.variadic = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
        takes_operands = self.variadic and not {"Effect", "Rule"} & set(self.kinds[self.variadic].type_names)
        self.is_variadic_required = (
            bool(takes_operands) and OptionalItems() not in self.kinds[self.variadic].constraints
        )
        self.required = [p.name for p in parameters if p.default is p.empty and p.name != self.variadic]

    @property
    def usage(self) -> str:
        """The word with its parameter names, as in Damage(amount, to, source)."""
        names = [f"{p.name}..." if p.name == self.variadic else p.name for p in self.signature.parameters.values()]
        return f"{self.name}({', '.join(names)})"

    def fit(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the normalised positional and keyword arguments.

        Raise `WordError` if they do not match the signature.
        """
        positional: list[Any] = []
        for i, value in enumerate(args):
            name = self.positional[i] if i < len(self.positional) else self.variadic
            if name:
                positional.append(
                    value if type(value) in self.kinds[name].exact_types else self._fit_argument(name, value, args)
                )
            else:
                count = len(self.positional)
                count_text = f"only {count} argument{'s' * (count > 1)}" if count else "no arguments"
                raise WordError(f"'{self.name}' takes {count_text}, not {len(args)}: {self.usage}")
        if self.is_variadic_required and len(args) <= len(self.positional):
            raise WordError(
                f"'{self.name}' needs at least one argument; it takes {self.kinds[self.variadic].expected_text}: {self.usage}"
            )
        keywords: dict[str, Any] = {}
        for name, value in kwargs.items():
            if name not in self.kinds or name == self.variadic:
                raise WordError(f"'{self.name}' has no '{name}'{suggest(name, self.kinds)}; it is written {self.usage}")
            if name in self.positional[: len(args)]:
                raise WordError(f"'{self.name}' is given its '{name}' twice; it is written {self.usage}")
            keywords[name] = self._fit_argument(name, value, args)
        for name in self.required[len(args) :] if self.required else ():
            if name not in keywords:
                raise WordError(
                    f"'{self.name}' lacks its '{name}', {self.kinds[name].expected_text}; it is written {self.usage}"
                )
        return positional, keywords

    def _fit_argument(self, name: str, value: Any, args: tuple[Any, ...]) -> Any:
        kind = self.kinds[name]
        fitted, ok = kind.fit(value)
        if ok:
            return fitted
        role = "" if name == self.variadic else f" as its '{name}'"
        remedy = self._swap_hint(args) or kind.remedy(value)
        raise WordError(f"'{self.name}' takes {kind.expected_text}{role}, not {describe_argument(value)}{remedy}")

    def _swap_hint(self, args: tuple[Any, ...]) -> str:
        """Return a hint if exchanging two arguments would make all of them valid."""
        names = self.positional[: len(args)]
        for i in range(len(names)):
            for j in range(i + 1, len(names)):
                swapped = list(args)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                if all(self.kinds[name].fit(value)[1] for name, value in zip(names, swapped, strict=False)):
                    return f"; are they the wrong way round? It is written {self.usage}"
        return ""


P = ParamSpec("P")
R = TypeVar("R")
_SIGNATURES: dict[Any, WordSignature] = {}


def signature_of(word: Callable[..., Any]) -> WordSignature:
    """Return the signature of a word."""
    if word not in _SIGNATURES:
        _SIGNATURES[word] = WordSignature(word)
    return _SIGNATURES[word]


def checked_word(word: Callable[P, R]) -> Callable[P, R]:
    """Return a wrapper of a word function that checks its arguments."""
    signature: WordSignature | None = None
    function: Callable[..., Any] = word

    @wraps(word)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal signature
        if signature is None:
            signature = WordSignature(word)
        positional, keywords = signature.fit(args, kwargs)
        result: R = function(*positional, **keywords)
        return result

    return wrapper


def check_node_class(cls: type) -> None:
    """Make a class of the language check its constructor arguments."""
    original_init = cls.__init__  # type: ignore[misc]
    signatures: list[WordSignature] = []

    @wraps(original_init)
    def checked_init(self: object, *args: Any, **kwargs: Any) -> None:
        if not signatures:
            signatures.append(WordSignature(cls))
        positional, keywords = signatures[0].fit(args, kwargs)
        original_init(self, *positional, **keywords)

    cls.__init__ = checked_init  # type: ignore[misc]
