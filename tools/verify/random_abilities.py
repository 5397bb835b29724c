"""Random sentences of the card language, with arguments of the right kinds."""

from __future__ import annotations

import inspect
import random
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dicemasters.cards.language.signatures import BoundedNumber, EnergyCost
from dicemasters.cards.language.vocabulary import VOCABULARY, Ability, Rule

DEEP, TOO_DEEP = 4, 8
TEXTS = ("you", "opponent", "=", ">=", "1", "FF", "Avengers", "Sidekick", "turn", "", "attacking")
DICE = ('{ energy = "S SS SS", faces = "0/1/3 1/2/4 1/3/5*" }', '"mjolnir"', '"hulk"')


def card_file(chance: random.Random) -> str:
    """Return a card file with a random sentence."""
    said = random_ability(chance.choice((Ability, Ability, Rule)), chance).replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'[[card]]\ntitle = "T"\nsubtitle = "S"\ncost = {chance.randrange(9)}\nenergy = "fist"\n'
        f'die = {chance.choice(DICE)}\nabilities = ["{said}"]\n'
    )


def random_ability(kind: Any, chance: random.Random, depth: int = 0) -> str:
    """Return a random expression of a kind."""
    kind = chance.choice(_union_members(kind))
    if get_origin(kind) is Literal:
        return repr(chance.choice(get_args(kind)))
    if get_origin(kind) is Annotated:
        return _bounded_value(kind, chance)
    if kind is int:
        return str(chance.choice((0, 1, 1, 2, 3, 4, -1, 99)))
    if kind is bool:
        return chance.choice(("True", "False"))
    if kind is NoneType or depth > TOO_DEEP:
        return "None"
    if kind is str:
        return repr(chance.choice((*TEXTS, *(x for x in VOCABULARY.values() if isinstance(x, str)))))
    if get_origin(kind) is tuple:
        each = (random_ability(get_args(kind)[0], chance, depth + 1) for _ in range(chance.randrange(1, 3)))
        return "(" + "".join(f"{text}, " for text in each) + ")"
    words = _words_for(kind)
    plain = [word for word in words if not callable(VOCABULARY[word])]
    word = chance.choice((depth > DEEP and plain) or words or ["None"])
    return _random_call(word, chance, depth) if callable(VOCABULARY.get(word)) else word


def _bounded_value(kind: Any, chance: random.Random) -> str:
    """Return a number or a text that is usually within the limits of its kind."""
    _, limits = get_args(kind)
    match limits:
        case BoundedNumber(least, most):
            return str(min(most, max(least, chance.choice((0, 1, 1, 2, 3, -1, 99)))))
        case EnergyCost():
            return repr(chance.choice(("F", "BB", "1", "M")))
        case _:
            return repr(chance.choice(("Avengers", "Hulk", "X-Men", "spring")))


def _random_call(word: str, chance: random.Random, depth: int) -> str:
    signature, kinds = _signature(VOCABULARY[word])
    in_order: list[str] = []
    by_name: list[str] = []
    for name, parameter in signature.parameters.items():
        must = parameter.default is inspect.Parameter.empty
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            in_order += [random_ability(kinds[name], chance, depth + 1) for _ in range(chance.randrange(1, 3))]
        elif must and parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            in_order.append(random_ability(kinds[name], chance, depth + 1))
        elif must or chance.random() < 0.4:
            by_name.append(f"{name}={random_ability(kinds[name], chance, depth + 1)}")
    return f"{word}({', '.join((*in_order, *by_name))})"


@cache
def _signature(word: Any) -> tuple[inspect.Signature, dict[str, Any]]:
    return inspect.signature(word), get_type_hints(word, include_extras=True)


def _union_members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (UnionType, Union) else (kind,)


@cache
def _words_for(kind: Any) -> list[str]:
    """Return the words that are of a kind or return it when called."""
    return [name for name, word in VOCABULARY.items() if _is_of_kind(word, kind)]


def _is_of_kind(word: Any, kind: Any) -> bool:
    if inspect.isclass(word):
        return word is kind
    if callable(word):
        return kind in _union_members(_signature(word)[1].get("return"))
    return isinstance(kind, type) and isinstance(word, kind)
