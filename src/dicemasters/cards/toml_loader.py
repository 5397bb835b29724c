"""Custom cards in a TOML file.

An ability is written exactly as in the set files: `when(fielded(), Damage(2, target(character & opposing)))`. It is
parsed and interpreted, never executed: it can use only words of the card language, numbers, strings and & | ~ -.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dicemasters.cards.catalogue import Card, Catalogue, catalogue, register_cards
from dicemasters.cards.dice import DICE, Die, parse_die
from dicemasters.cards.language.signatures import SYMBOLS, WordError, suggest
from dicemasters.cards.language.vocabulary import VOCABULARY, Ability, Condition, NameAffiliation, Rule, Where
from dicemasters.cards.textio import read_text

_KEYS = ("title", "subtitle", "cost", "energy", "affiliations", "max", "rarity", "die", "abilities", "number")
_ENERGY_LETTERS = {"fist": "F", "bolt": "B", "mask": "M", "shield": "S", "f": "F", "b": "B", "m": "M", "s": "S"}


MAX_CHARACTERS = 500_000
MAX_CARDS = 500
MAX_TEXT_LENGTH = 100  # characters in a title
MAX_ABILITY_LENGTH = 2_000
MAX_NESTING = 40  # nesting depth of words
MAX_PER_CARD = 20  # abilities or affiliations per card
MAX_NUMBER = 999


class CardFileError(ValueError):
    """An invalid card file. The message names the line, the word, and the valid alternatives."""


def catalogue_with_files(paths: Iterable[str]) -> Catalogue:
    """Return the catalogue with the custom cards of these files added."""
    cards = catalogue()
    for path in paths:
        cards = cards.with_cards(load_cards(path))
    return cards


def register_files(paths: str) -> None:
    """Register the cards of files, separated as in a search path, for this process."""
    for path in filter(None, paths.split(os.pathsep)):
        register_cards(load_cards(path))


def load_cards(path: str | Path) -> list[Card]:
    """Return the cards of a TOML file.

    Raise `CardFileError`, `TextFileError` or `OSError` if it cannot be read.
    """
    text = read_text(path)
    try:
        return read_cards(text)
    except CardFileError as error:
        raise CardFileError(f"{path}: {error}") from None


def read_cards(text: str) -> list[Card]:
    """Return the cards of a TOML text.

    Raise `CardFileError` if it is invalid.

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
    import tomllib  # imported late: custom cards are rare

    if len(text) > MAX_CHARACTERS:
        raise CardFileError(f"it has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:300]
        raise CardFileError(f"it is not TOML: {problem}") from None
    entries = data.get("card")
    if not isinstance(entries, list) or not entries or set(data) != {"card"}:
        raise CardFileError("a card file holds [[card]] entries and nothing else")
    if len(entries) > MAX_CARDS or not all(isinstance(entry, dict) for entry in entries):
        raise CardFileError(f"a card file holds at most {MAX_CARDS} [[card]] entries")
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if line.strip().startswith("[[card]]")]
    readers = [_CardReader(lines, starts, i, entry) for i, entry in enumerate(entries)]
    cards = [reader.card() for reader in readers]
    for reader, card in zip(readers, cards, strict=True):
        reader.check(card, cards)
    return cards


class _CardReader:
    """Reader of one [[card]] entry."""

    def __init__(self, lines: list[str], starts: list[int], index: int, entry: dict[str, Any]) -> None:
        self.lines = lines
        self.start = starts[index] if index < len(starts) else 0
        self.end = starts[index + 1] if index + 1 < len(starts) else len(self.lines)
        self.index = index
        self.entry = entry

    def error(self, anchor: str, problem: str, below: int = 0) -> CardFileError:
        """Return an error that names the line of `anchor` (a key or an ability's first line), plus `below` lines."""
        problem = problem.encode("utf-8", "replace").decode()  # untrusted text can contain unprintable surrogates
        lines = range(self.start, self.end)
        key = re.compile(rf"\s*{re.escape(anchor)}\s*=")
        line = next((n for n in lines if anchor in _KEYS and key.match(self.lines[n])), -1)
        as_written = (anchor, anchor.replace("\\", "\\\\").replace('"', '\\"'), re.split(r"[\"\\]", anchor)[0])
        for candidate in as_written if line < 0 else ():
            line = next((n for n in lines if candidate and candidate in self.lines[n]), -1) if line < 0 else line
        return CardFileError(f"line {(line if line >= 0 else self.start) + below + 1}: {problem}")

    def card(self) -> Card:
        for key in self.entry:
            if key not in _KEYS:
                raise self.error(
                    key, f"a card has no '{key[:MAX_TEXT_LENGTH]}'{suggest(key, _KEYS)}; it has {', '.join(_KEYS)}"
                )
        title = self.text("title")
        energy = self.energy()
        die = self.die(title, energy)
        kind = "character" if die.is_character else ("action" if energy else "basic")
        affiliations = self.entry.get("affiliations", [])
        if not _are_texts(affiliations, MAX_TEXT_LENGTH):
            raise self.error("affiliations", 'affiliations are a list of names: ["Avengers"]')
        abilities = self.entry.get("abilities", [])
        if not _are_texts(abilities, MAX_ABILITY_LENGTH):
            raise self.error(
                "abilities",
                f"abilities are a list of texts in quotes, each of at most {MAX_ABILITY_LENGTH} characters",
            )
        card = Card(
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
        self.abilities = abilities
        return card

    def check(self, card: Card, cards: list[Card]) -> None:
        """Raise `CardFileError` if the card is meaningless or clashes with another card of the file."""
        from dicemasters.cards.language.semantics import check_ability

        for ability, sentence in zip(card.abilities, self.abilities, strict=True):
            try:
                check_ability(ability, card.kind, card.die, card.abilities)
                _check_names(ability, cards)
            except WordError as error:
                raise self.error(_first_line(sentence), error.problem) from None
        first = next(other for other in cards if other.key == card.key or other.name == card.name)
        if first is not card:
            duplicate = "number" if first.key == card.key else "title"
            raise self.error(duplicate, f"two cards of the file have the same {duplicate}; give this one another")
        self.check_playable(card)

    def check_playable(self, card: Card) -> None:
        """Render the card and set up a game with it, to detect words that are valid but meaningless together."""
        from dicemasters.cards.text import UnrenderableError
        from dicemasters.cards.text.ability_text import ability_text
        from dicemasters.game.game_spec import GameSetup, GameSpec
        from dicemasters.game.rulesets.editions import EDITIONS

        team = ((card, 1),) if card.kind != "basic" else ()
        basics = ((card, 1),) if card.kind == "basic" else ()
        try:
            for ability, sentence in zip(card.abilities, self.abilities, strict=True):
                location = _first_line(sentence)
                ability_text(ability, card)
            location = "abilities"
            for edition in EDITIONS.values():
                GameSpec(GameSetup(edition, (team, ()), basics))
        except UnrenderableError as error:
            raise self.error(
                location, f"'{location[:MAX_TEXT_LENGTH]}' has no English: {error}; write it in other words"
            ) from None
        except Exception as error:  # any failure is caused by the card
            raise self.error(location, f"{card.title} cannot be played: {str(error)[:200]}") from error

    def text(self, key: str, default: str | None = None) -> str:
        value = self.entry.get(key, default)
        if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT_LENGTH:
            raise self.error(key, f"a card needs a {key} in quotes, of at most {MAX_TEXT_LENGTH} characters")
        if not value.isprintable():
            raise self.error(key, f"the {key} contains characters that cannot be shown")
        return value.strip()

    def number(self, key: str, default: int | None = None) -> int:
        value = self.entry.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 99:
            raise self.error(key, f"a card needs a {key} from 0 to 99")
        return value

    def energy(self) -> str:
        value = self.entry.get("energy", [])
        names = [value] if isinstance(value, str) else value
        if not _are_texts(names, MAX_TEXT_LENGTH) or not all(n.casefold() in _ENERGY_LETTERS for n in names):
            raise self.error(
                "energy", f"energy '{str(value)[:MAX_TEXT_LENGTH]}' is not one of fist, bolt, mask, shield"
            )
        return "".join(dict.fromkeys(_ENERGY_LETTERS[n.casefold()] for n in names))

    def die(self, title: str, energy: str) -> Die:
        value = self.entry.get("die", "basic" if not energy else None)
        if isinstance(value, str):
            if value not in DICE:
                raise self.error("die", f"there is no die '{value[:MAX_TEXT_LENGTH]}'{suggest(value, DICE)}")
            return DICE[value]
        parts = value if isinstance(value, dict) else {"": ""}
        if set(parts) - {"energy", "faces", "color", "ink"} or not _are_texts(list(parts.values()), MAX_TEXT_LENGTH):
            raise self.error(
                "die", 'a die is the key of a known die, or { energy = "F FF FF", faces = "0/1/1 1/2/2 1/3/3" }'
            )
        key = "own_" + "".join(ch if ch.isascii() and ch.isalnum() else "_" for ch in title.casefold())
        try:
            return parse_die(
                key, title, parts.get("energy", ""), parts.get("faces", ""),
                parts.get("color", "#dddddd"), parts.get("ink", "#222222"),
            )  # fmt: skip
        except ValueError as error:
            raise self.error("die", str(error)) from None

    def ability(self, sentence: str) -> Ability:
        first_line = _first_line(sentence) or "abilities"
        short = first_line[:MAX_TEXT_LENGTH]
        try:
            with warnings.catch_warnings(action="ignore"):  # Python's syntax warnings would only confuse
                tree = ast.parse(sentence.strip(), mode="eval")
            value = _evaluate(tree.body)
        except SyntaxError as error:
            raise self.error(
                first_line, f"'{short}' is not an ability: {_SYNTAX_MESSAGES.get(error.msg, error.msg)}"
            ) from None
        except (RecursionError, MemoryError):
            raise self.error(first_line, f"'{short}...' is nested too deeply") from None
        except _AbilityError as error:
            raise self.error(first_line, str(error), error.line - 1) from None
        except (ValueError, OverflowError):
            raise self.error(first_line, f"'{short}' is not an ability") from None
        if isinstance(value, Rule):
            return Ability("always", rules=(value,))
        if not isinstance(value, Ability):
            raise self.error(
                first_line, f"'{short}' is not an ability; begin with when, would, always, use, global_ability, ..."
            )
        return value


_SYNTAX_MESSAGES = {  # Python's message: our message
    "invalid syntax": "it is not made of words, brackets and commas",
    "invalid syntax. Perhaps you forgot a comma?": "perhaps a comma is missing",
    "unexpected EOF while parsing": "it is incomplete",
}


class _AbilityError(ValueError):
    """An invalid ability; `line` is counted from 1 within its text."""

    def __init__(self, problem: str, line: int) -> None:
        self.line = line
        super().__init__(problem)


def _first_line(sentence: str) -> str:
    return sentence.strip().splitlines()[0].strip() if sentence.strip() else ""


def _check_names(ability: Ability, cards: list[Card]) -> None:
    """Raise `WordError` if a title or an affiliation belongs to no card."""
    from dicemasters.cards.language.semantics import walk

    all_cards = [*catalogue(), *cards]
    titles = {card.title for card in all_cards} | {"Sidekick"}
    affiliations = {name for card in all_cards for name in card.affiliations}
    for part in walk(ability):
        names: tuple[object, ...] = ()
        known_names = affiliations
        match part:
            case Where("title", args):
                names, known_names = args, titles
            case Where("affiliation", args):
                names = args
            case Rule("has affiliation", text=name) | NameAffiliation(other_than=name) if name:
                names = (name,)
        for missing_name in names:
            if missing_name not in known_names:
                kind, word = ("a card", "title") if known_names is titles else ("an affiliation", "affiliation")
                raise WordError(
                    f"'{word}' takes the name of {kind}, and none is called '{missing_name}'{suggest(str(missing_name), known_names)}"
                )


def _evaluate(node: ast.expr, depth: int = 0) -> Any:
    """Return the value of an expression, looking up words of the card language and nothing else."""
    try:
        return _evaluate_node(node, depth)
    except WordError as error:
        raise _AbilityError(error.problem, node.lineno) from None


def _evaluate_node(node: ast.expr, depth: int) -> Any:
    if depth > MAX_NESTING:
        raise WordError(f"it is nested more than {MAX_NESTING} deep")
    deeper = depth + 1
    match node:
        case ast.Constant(value=bool() | str() | None):
            return node.value
        case ast.Constant(value=int(n)):
            if n > MAX_NUMBER:
                raise WordError(f"'{str(n)[:MAX_TEXT_LENGTH]}' is too large; numbers go up to {MAX_NUMBER}")
            return n
        case ast.Name():
            if node.id not in VOCABULARY:
                raise WordError(f"the card language has no word '{node.id[:MAX_TEXT_LENGTH]}'{_suggest_word(node.id)}")
            return VOCABULARY[node.id]
        case ast.Tuple():
            return tuple(_evaluate(x, deeper) for x in node.elts)
        case ast.UnaryOp(op=ast.Invert()):
            return _join_operands("~", _evaluate(node.operand, deeper))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))) if n <= MAX_NUMBER:
            return -n
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.Sub()):
            return _join_operands(
                _OPERATORS[type(node.op)], _evaluate(node.left, deeper), _evaluate(node.right, deeper)
            )
        case ast.BinOp(op=ast.Add()):
            operands = _evaluate(node.left, deeper), _evaluate(node.right, deeper)
            if not all(isinstance(x, str) and x in SYMBOLS for x in operands):
                raise WordError("+ joins only energy: BOLT + BOLT")
            return "".join(operands)
        case ast.BoolOp():
            operator = "and" if isinstance(node.op, ast.And) else "or"
            replacement = "&" if operator == "and" else "| (of conditions either(...))"
            raise WordError(f"'{operator}' has no meaning in the card language; write {replacement}")
        case ast.UnaryOp(op=ast.Not()):
            raise WordError("'not' has no meaning in the card language; write ~")
        case ast.List() | ast.Set():
            raise WordError("several things are written in round brackets: (Life(1), Draw(1, PREP))")
        case ast.Call(func=ast.Name() as func):
            word = _evaluate(func, deeper)
            if not callable(word):
                raise WordError(f"'{func.id}' takes no brackets; write {func.id} alone")
            if any(k.arg is None for k in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
                raise WordError(f"* has no meaning in the card language; write the arguments of '{func.id}' one by one")
            names = [k.arg for k in node.keywords]
            if repeated := [name for name in names if names.count(name) > 1]:
                raise WordError(f"'{func.id}' is given its '{repeated[0]}' twice; leave one out")
            kwargs = {str(k.arg): _evaluate(k.value, deeper) for k in node.keywords}
            return word(*(_evaluate(a, deeper) for a in node.args), **kwargs)
    raise WordError(f"'{ast.unparse(node)[:MAX_TEXT_LENGTH]}' has no meaning in the card language{_ALLOWED}")


_ALLOWED = "; it has words, numbers, texts in quotes, brackets and & | ~ -"
_OPERATORS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|", ast.Sub: "-"}


def _suggest_word(name: str) -> str:
    """Return a suggestion for a misspelt word, ignoring case and underscores."""
    folded = {word.casefold().replace("_", ""): word for word in VOCABULARY}
    exact = folded.get(name.casefold().replace("_", ""))
    suggestion = f"; did you mean '{exact}'?" if exact else suggest(name, VOCABULARY)
    return suggestion or "; docs/card-language.md lists its words"


def _are_texts(value: object, max_length: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_PER_CARD
        and all(isinstance(x, str) and len(x) <= max_length for x in value)
    )


def _join_operands(operator: str, *operands: Any) -> Any:
    if not all(isinstance(x, Where | Condition) for x in operands) or len({type(x) for x in operands}) > 1:
        uncalled = [x.__name__ for x in operands if callable(x)]
        remedy = f"; write {uncalled[0]}(...)" if uncalled else ""
        raise WordError(f"{operator} joins descriptions of dice, or conditions, with each other{remedy}")
    first, last = operands[0], operands[-1]
    match operator:
        case "~":
            return ~first
        case "&":
            return first & last
        case _ if isinstance(first, Condition):
            raise WordError(f"{operator} does not join conditions; write a & b, ~a or either(a, b)")
        case "|":
            return first | last
        case _:
            return first - last
