"""Home-made cards: the card language in a TOML file of the user's own.

An ability is written exactly as in the set files: `when(fielded(), Damage(2, target(character & opposing)))`.
It is read, not run: only the words of the language, numbers, texts and & | ~ - mean something in it.
"""

from __future__ import annotations

import ast
import difflib
import tomllib
from pathlib import Path
from typing import Any

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
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CardFileError(f"it is not TOML: {error}") from None
    entries = data.get("card")
    if not isinstance(entries, list) or not entries or set(data) != {"card"}:
        raise CardFileError("a card file holds [[card]] entries and nothing else")
    return [_Reader(text, i, entry).card() for i, entry in enumerate(entries)]


class _Reader:
    """Reads one [[card]] entry."""

    def __init__(self, text: str, index: int, entry: dict[str, Any]) -> None:
        self.lines = text.splitlines()
        starts = [n for n, line in enumerate(self.lines) if line.strip().startswith("[[card]]")]
        self.start = starts[index] if index < len(starts) else 0
        self.end = starts[index + 1] if index + 1 < len(starts) else len(self.lines)
        self.index = index
        self.entry = entry

    def wrong(self, near: str, problem: str) -> CardFileError:
        """Make an error that names the line in which `near` stands."""
        for n in range(self.start, self.end):
            if near and near in self.lines[n]:
                return CardFileError(f"line {n + 1}: {problem}")
        return CardFileError(f"line {self.start + 1}: {problem}")

    def card(self) -> Card:
        for key in self.entry:
            if key not in _KEYS:
                raise self.wrong(key, f"a card has no '{key}'{_hint(key, _KEYS)}; it has {', '.join(_KEYS)}")
        title = self.text("title")
        energy = self.energy()
        die = self.die(title, energy)
        kind = "character" if die.is_character else ("action" if energy else "basic")
        affiliations = self.entry.get("affiliations", [])
        if not isinstance(affiliations, list) or not all(isinstance(a, str) for a in affiliations):
            raise self.wrong("affiliations", 'affiliations are a list of names: ["Avengers"]')
        abilities = self.entry.get("abilities", [])
        if not isinstance(abilities, list) or not all(isinstance(a, str) for a in abilities):
            raise self.wrong("abilities", "abilities are a list of sentences in quotes")
        return Card(
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

    def text(self, key: str, default: str | None = None) -> str:
        value = self.entry.get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, f"a card needs a {key} in quotes")
        return value.strip()

    def number(self, key: str, default: int | None = None) -> int:
        value = self.entry.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 99:
            raise self.wrong(key, f"a card needs a {key} from 0 to 99")
        return value

    def energy(self) -> str:
        value = self.entry.get("energy", [])
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(str(n).casefold() in _TYPES for n in names):
            raise self.wrong("energy", f"energy '{value}' is none of fist, bolt, mask, shield")
        return "".join(_TYPES[str(n).casefold()] for n in names)

    def die(self, title: str, energy: str) -> Die:
        value = self.entry.get("die", "basic" if not energy else None)
        if isinstance(value, str):
            if value not in DICE:
                raise self.wrong("die", f"there is no die '{value}'{_hint(value, DICE)}")
            return DICE[value]
        if not isinstance(value, dict) or set(value) - {"energy", "faces", "color", "ink"}:
            raise self.wrong(
                "die", 'a die is a known one by its key, or { energy = "F FF FF", faces = "0/1/1 1/2/2 1/3/3" }'
            )
        key = "own_" + "".join(ch if ch.isalnum() else "_" for ch in title.casefold())
        try:
            return parse_die(
                key, title, value.get("energy", ""), value.get("faces", ""),
                value.get("color", "#dddddd"), value.get("ink", "#222222"),
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
        except CardFileError as error:
            raise self.wrong(near, str(error)) from None
        if isinstance(value, Rule):
            return Ability("always", rules=(value,))
        if not isinstance(value, Ability):
            raise self.wrong(near, f"'{near}' is no ability; begin with when, would, always, use, global_ability, ...")
        return value


def _meaning(node: ast.expr) -> Any:
    """Give what a sentence means, looking words up and nothing else."""
    match node:
        case ast.Constant(value=int() | str() | bool() | None):
            return node.value
        case ast.Name():
            if node.id not in VOCABULARY:
                raise CardFileError(f"the card language has no word '{node.id}'{_hint(node.id, VOCABULARY)}")
            return VOCABULARY[node.id]
        case ast.Tuple():
            return tuple(_meaning(x) for x in node.elts)
        case ast.UnaryOp(op=ast.Invert()):
            return _joined(lambda a: ~a, _meaning(node.operand))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))):
            return -n
        case ast.BinOp(op=ast.BitAnd()):
            return _joined(lambda a, b: a & b, _meaning(node.left), _meaning(node.right))
        case ast.BinOp(op=ast.BitOr()):
            return _joined(lambda a, b: a | b, _meaning(node.left), _meaning(node.right))
        case ast.BinOp(op=ast.Sub()):
            return _joined(lambda a, b: a - b, _meaning(node.left), _meaning(node.right))
        case ast.Call(func=ast.Name() as func):
            word = _meaning(func)
            if not callable(word):
                raise CardFileError(f"'{func.id}' takes nothing in brackets")
            if any(k.arg is None for k in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
                raise CardFileError("* has no meaning in the card language")
            given = {str(k.arg): _meaning(k.value) for k in node.keywords}
            arguments = [_meaning(a) for a in node.args]
            try:
                return word(*arguments, **given)
            except (TypeError, ValueError, AttributeError) as error:
                raise CardFileError(f"'{func.id}' is not used like that: {_plain(error)}") from None
    raise CardFileError(f"'{ast.unparse(node)}' has no meaning in the card language")


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
    near = difflib.get_close_matches(word, list(known), 1, 0.6)
    return f"; did you mean '{near[0]}'?" if near else ""
