"""Home-made cards: the card language in a TOML file of the user's own.

An ability is written exactly as in the set files: `when(fielded(), Damage(2, target(character & opposing)))`.
It is read, not run: only the words of the language, numbers, texts and & | ~ - mean something in it.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import tomllib
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from dicemasters.cards import words
from dicemasters.cards.catalogue import Card
from dicemasters.cards.dice import DICE, Die, parse_die
from dicemasters.cards.words import Ability, Condition, Rule, Where

VOCABULARY: dict[str, Any] = {
    name: value
    for name, value in vars(words).items()
    if not name.startswith("_")
    and getattr(value, "__module__", words.__name__) == words.__name__
    # imported names and type aliases are no words
    and name not in ("Amount", "What", "Effect", "Final", "dataclass", "replace", "annotations")
}
_KEYS = ("title", "subtitle", "cost", "energy", "affiliations", "max", "rarity", "die", "abilities", "number")
_TYPES = {"fist": "F", "bolt": "B", "mask": "M", "shield": "S", "f": "F", "b": "B", "m": "M", "s": "S"}


MOST_CHARACTERS = 500_000
MOST_CARDS = 500
MOST_IN_TEXT = 100  # characters of a title
MOST_IN_SENTENCE = 2_000
MOST_NESTED = 40  # words inside words
MOST_OF = 20  # abilities or affiliations of a card
MOST_NUMBER = 999


class CardFileError(ValueError):
    """A card file is wrong; the message says in which line, which word, and what would be allowed."""


def load_cards(path: str | Path) -> list[Card]:
    """Read the cards of a TOML file."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        return read_cards(text)
    except CardFileError as error:
        raise CardFileError(f"{path}: {error}") from None


def read_cards(text: str) -> list[Card]:
    """Read cards from TOML text.

    >>> hero = read_cards('''
    ... [[card]]
    ... title = "Night Nurse"
    ... subtitle = "Claire"
    ... cost = 3
    ... energy = "shield"
    ... die = { energy = "S SS SS", faces = "0/1/3 1/2/4 1/3/5*" }
    ... abilities = ["when(fielded(), Life(2))"]
    ... ''')
    >>> hero[0].name
    'Night Nurse: Claire'
    """
    if len(text) > MOST_CHARACTERS:
        raise CardFileError(f"it has {len(text):,} characters, more than the {MOST_CHARACTERS:,} there can be")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:300]
        raise CardFileError(f"it is not TOML: {problem}") from None
    entries = data.get("card")
    if not isinstance(entries, list) or not entries or set(data) != {"card"}:
        raise CardFileError("a card file holds [[card]] entries and nothing else")
    if len(entries) > MOST_CARDS or not all(isinstance(entry, dict) for entry in entries):
        raise CardFileError(f"a card file holds at most {MOST_CARDS} [[card]] entries")
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if line.strip().startswith("[[card]]")]
    return [_Reader(lines, starts, i, entry).card() for i, entry in enumerate(entries)]


class _Reader:
    """Reads one [[card]] entry."""

    def __init__(self, lines: list[str], starts: list[int], index: int, entry: dict[str, Any]) -> None:
        self.lines = lines
        self.start = starts[index] if index < len(starts) else 0
        self.end = starts[index + 1] if index + 1 < len(starts) else len(self.lines)
        self.index = index
        self.entry = entry

    def wrong(self, near: str, problem: str) -> CardFileError:
        """Make an error that names the line in which `near` stands."""
        problem = problem.encode("utf-8", "replace").decode()  # a stranger's text may hold what no screen can show
        for n in range(self.start, self.end):
            if near and near in self.lines[n]:
                return CardFileError(f"line {n + 1}: {problem}")
        return CardFileError(f"line {self.start + 1}: {problem}")

    def card(self) -> Card:
        for key in self.entry:
            if key not in _KEYS:
                raise self.wrong(
                    key, f"a card has no '{key[:MOST_IN_TEXT]}'{_hint(key, _KEYS)}; it has {', '.join(_KEYS)}"
                )
        title = self.text("title")
        energy = self.energy()
        die = self.die(title, energy)
        kind = "character" if die.is_character else ("action" if energy else "basic")
        affiliations = self.entry.get("affiliations", [])
        if not _are_texts(affiliations, MOST_IN_TEXT):
            raise self.wrong("affiliations", 'affiliations are a list of names: ["Avengers"]')
        abilities = self.entry.get("abilities", [])
        if not _are_texts(abilities, MOST_IN_SENTENCE):
            raise self.wrong(
                "abilities",
                f"abilities are a list of sentences in quotes, each of at most {MOST_IN_SENTENCE} characters",
            )
        made = Card(
            "own",
            self.number("number", self.index + 1),
            title,
            self.text("subtitle", "Home-made"),
            kind,
            self.number("cost"),
            energy,
            tuple(affiliations),
            self.number("max", 3 if kind == "basic" else 4),
            self.text("rarity", "home-made"),
            die,
            tuple(self.ability(a) for a in abilities),
        )
        self.rehearse(made)
        return made

    def rehearse(self, card: Card) -> None:
        """Say the card and lay it on a table: what the words allow one by one may still mean nothing together."""
        from dicemasters.cards.english import card_text
        from dicemasters.game.editions import EDITIONS
        from dicemasters.game.setup import Setup, Table

        team = ((card, 1),) if card.kind != "basic" else ()
        basics = ((card, 1),) if card.kind == "basic" else ()
        try:
            card_text(card)
            for edition in EDITIONS.values():
                Table(Setup(edition, (team, ()), basics))
        except Exception as error:  # whatever it is, it is the card's fault
            raise self.wrong("abilities", f"{card.title} cannot be carried out: {_plain(error)[:200]}") from error

    def text(self, key: str, default: str | None = None) -> str:
        value = self.entry.get(key, default)
        if not isinstance(value, str) or not value.strip() or len(value) > MOST_IN_TEXT:
            raise self.wrong(key, f"a card needs a {key} in quotes, of at most {MOST_IN_TEXT} characters")
        if not value.isprintable():
            raise self.wrong(key, f"the {key} has characters in it that cannot be shown")
        return value.strip()

    def number(self, key: str, default: int | None = None) -> int:
        value = self.entry.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 99:
            raise self.wrong(key, f"a card needs a {key} from 0 to 99")
        return value

    def energy(self) -> str:
        value = self.entry.get("energy", [])
        names = [value] if isinstance(value, str) else value
        if not _are_texts(names, MOST_IN_TEXT) or not all(n.casefold() in _TYPES for n in names):
            raise self.wrong("energy", f"energy '{str(value)[:MOST_IN_TEXT]}' is none of fist, bolt, mask, shield")
        return "".join(dict.fromkeys(_TYPES[n.casefold()] for n in names))

    def die(self, title: str, energy: str) -> Die:
        value = self.entry.get("die", "basic" if not energy else None)
        if isinstance(value, str):
            if value not in DICE:
                raise self.wrong("die", f"there is no die '{value[:MOST_IN_TEXT]}'{_hint(value, DICE)}")
            return DICE[value]
        parts = value if isinstance(value, dict) else {"": ""}
        if set(parts) - {"energy", "faces", "color", "ink"} or not _are_texts(list(parts.values()), MOST_IN_TEXT):
            raise self.wrong(
                "die", 'a die is a known one by its key, or { energy = "F FF FF", faces = "0/1/1 1/2/2 1/3/3" }'
            )
        key = "own_" + "".join(ch if ch.isascii() and ch.isalnum() else "_" for ch in title.casefold())
        try:
            return parse_die(
                key, title, parts.get("energy", ""), parts.get("faces", ""),
                parts.get("color", "#dddddd"), parts.get("ink", "#222222"),
            )  # fmt: skip
        except ValueError as error:
            raise self.wrong("die", str(error)) from None

    def ability(self, sentence: str) -> Ability:
        near = sentence.strip().splitlines()[0].strip() if sentence.strip() else "abilities"
        try:
            tree = ast.parse(sentence.strip(), mode="eval")
            value = _meaning(tree.body)
        except SyntaxError as error:
            raise self.wrong(near, f"'{near}' is no sentence: {error.msg}") from None
        except (RecursionError, MemoryError):
            raise self.wrong(near, f"'{near[:MOST_IN_TEXT]}...' is nested too deeply") from None
        except (ValueError, OverflowError) as error:
            if isinstance(error, CardFileError):
                raise self.wrong(near, str(error)) from None
            raise self.wrong(near, f"'{near[:MOST_IN_TEXT]}' is no sentence") from None
        if isinstance(value, Rule):
            return Ability("always", rules=(value,))
        if not isinstance(value, Ability):
            raise self.wrong(near, f"'{near}' is no ability; begin with when, would, always, use, global_ability, ...")
        return value


def _meaning(node: ast.expr, depth: int = 0) -> Any:
    """Give what a sentence means, looking words up and nothing else."""
    if depth > MOST_NESTED:
        raise CardFileError(f"it is nested more than {MOST_NESTED} deep")
    within = depth + 1
    match node:
        case ast.Constant(value=bool() | str() | None):
            return node.value
        case ast.Constant(value=int(n)):
            if n > MOST_NUMBER:
                raise CardFileError(f"numbers go up to {MOST_NUMBER}")
            return n
        case ast.Name():
            if node.id not in VOCABULARY:
                raise CardFileError(f"the card language has no word '{node.id}'{_hint(node.id, VOCABULARY)}")
            return VOCABULARY[node.id]
        case ast.Tuple():
            return tuple(_meaning(x, within) for x in node.elts)
        case ast.UnaryOp(op=ast.Invert()):
            return _joined(lambda a: ~a, _meaning(node.operand, within))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))) if n <= MOST_NUMBER:
            return -n
        case ast.BinOp(op=ast.BitAnd()):
            return _joined(lambda a, b: a & b, _meaning(node.left, within), _meaning(node.right, within))
        case ast.BinOp(op=ast.BitOr()):
            return _joined(lambda a, b: a | b, _meaning(node.left, within), _meaning(node.right, within))
        case ast.BinOp(op=ast.Sub()):
            return _joined(lambda a, b: a - b, _meaning(node.left, within), _meaning(node.right, within))
        case ast.Call(func=ast.Name() as func):
            word = _meaning(func, within)
            if not callable(word):
                raise CardFileError(f"'{func.id}' takes nothing in brackets")
            if any(k.arg is None for k in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
                raise CardFileError("* has no meaning in the card language")
            given = {str(k.arg): _meaning(k.value, within) for k in node.keywords}
            arguments = [_meaning(a, within) for a in node.args]
            try:
                _check_arguments(word, arguments, given)
                return word(*arguments, **given)
            except (TypeError, ValueError, AttributeError) as error:
                raise CardFileError(f"'{func.id}' is not used like that: {_plain(error)}") from None
    raise CardFileError(f"'{ast.unparse(node)[:MOST_IN_TEXT]}' has no meaning in the card language")


def _check_arguments(word: Any, arguments: list[Any], given: dict[str, Any]) -> None:
    """Refuse with a TypeError what is not of the kind that a word takes."""
    signature, kinds = takes(word)
    bound = signature.bind(*arguments, **given)
    for name, value in bound.arguments.items():
        kind = kinds[name]
        many = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        if not all(_is_of(x, kind) for x in (value if many else (value,))):
            raise TypeError(f"'{name}' takes {_kind_name(kind)}")


@lru_cache(maxsize=512)
def takes(word: Any) -> tuple[inspect.Signature, dict[str, Any]]:
    """Give what a word takes in brackets, and of which kind each thing is."""
    return inspect.signature(word), get_type_hints(word)


def _is_of(value: Any, kind: Any) -> bool:
    origin = get_origin(kind)
    if origin in (UnionType, Union):
        return any(_is_of(value, each) for each in get_args(kind))
    if origin is tuple:
        each, *more = get_args(kind)
        return isinstance(value, tuple) and (more != [...] or all(_is_of(x, each) for x in value))
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _kind_name(kind: Any) -> str:
    plain = {int: "a number", str: "a text in quotes", bool: "True or False", NoneType: "nothing"}
    if get_origin(kind) in (UnionType, Union):
        each = get_args(kind)
        return "an effect" if len(each) > 10 else " or ".join(_kind_name(x) for x in each if x is not NoneType)
    if get_origin(kind) is tuple:
        return f"several in brackets, each {_kind_name(get_args(kind)[0])}"
    return plain.get(kind, getattr(kind, "__name__", str(kind)))


def _are_texts(value: object, most: int) -> bool:
    return (
        isinstance(value, list) and len(value) <= MOST_OF and all(isinstance(x, str) and len(x) <= most for x in value)
    )


def _joined(join: Any, *parts: Any) -> Any:
    if not all(isinstance(p, Where | Condition) for p in parts) or len({type(p) for p in parts}) > 1:
        raise CardFileError("& | ~ - join descriptions of dice with each other, or conditions with each other")
    try:
        return join(*parts)
    except TypeError:
        raise CardFileError("conditions are joined with &, ~ and either(...)") from None


def _plain(error: Exception) -> str:
    return str(error).replace("()", "").replace("positional ", "")


def _hint(word: str, known: Any) -> str:
    near = difflib.get_close_matches(word[:MOST_IN_TEXT], list(known), 1, 0.6)
    return f"; did you mean '{near[0]}'?" if near else ""
