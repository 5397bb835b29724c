"""Show the messages for cards with a mistake: sentences of the sets with one mutation each.

    python -m tools.verify.card_mutations [--cards 100] [--seed 0]

A mutation is either rejected, with the line, the word and what is allowed there, or yields another valid sentence,
which must then be renderable and playable.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

from dicemasters.cards import catalogue
from dicemasters.cards.catalogue import Card
from dicemasters.cards.language.vocabulary import VOCABULARY
from dicemasters.cards.sets import ai, avx, cw, uxm
from dicemasters.cards.text import card_text
from dicemasters.cards.toml_loader import CardFileError, read_cards
from dicemasters.game.game import Game
from dicemasters.game.inspect.view import UNDECIDED

MAX_DECISIONS = 60  # decisions played with an accepted card


@dataclass(frozen=True, slots=True)
class CardMutation:
    """A mutated sentence, its card file, and the outcome."""

    mistake: str
    original: str
    sentence: str
    text: str
    message: str  # message of the rejection; "" if the card was accepted
    card: Card | None


@dataclass(frozen=True, slots=True)
class _ValidSentence:
    """A sentence of a card of the sets, with the die of the card."""

    sentence: str
    die: str


@cache
def valid_sentences() -> tuple[_ValidSentence, ...]:
    """Return the sentences in the set files that consist only of words of the language."""
    found: list[_ValidSentence] = []
    for module in (avx, uxm, cw, ai):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id not in ("_card", "_basic", "_action"):
                continue
            dice = [k.value.value for k in node.keywords if k.arg == "die" and isinstance(k.value, ast.Constant)]
            for arg in node.args:
                names = {x.id for x in ast.walk(arg) if isinstance(x, ast.Name)}
                if isinstance(arg, ast.Call) and names <= set(VOCABULARY):
                    found.append(_ValidSentence(ast.unparse(arg), str(dice[0]) if dice else "basic"))
    return tuple(dict.fromkeys(found))


# --- mistakes ------------------------------------------------------------------------------------------------------

Mistake = Callable[[ast.expr, random.Random], ast.expr | None]


def _calls(tree: ast.expr) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _argument_slots(tree: ast.AST) -> Iterator[tuple[ast.Call, int | ast.keyword]]:
    """Yield each argument as its call and its index or keyword."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from ((node, i) for i in range(len(node.args)))
            yield from ((node, keyword) for keyword in node.keywords)


def _get(call: ast.Call, at: int | ast.keyword) -> ast.expr:
    return call.args[at] if isinstance(at, int) else at.value


def _put(call: ast.Call, at: int | ast.keyword, new: ast.expr) -> None:
    if isinstance(at, int):
        call.args[at] = new
    else:
        at.value = new


_REPLACEMENTS = (
    "'two'",
    "2",
    "True",
    "None",
    "character",
    "target()",
    "fielded()",
    "by_combat",
    "Life(1)",
    "gets(this, 1)",
)


def _wrong_type(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    call, at = chance.choice(list(_argument_slots(tree)))
    _put(call, at, ast.parse(chance.choice(_REPLACEMENTS), mode="eval").body)
    return tree


def _missing(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    calls = [call for call in _calls(tree) if call.args]
    call = chance.choice(calls)
    del call.args[chance.randrange(len(call.args))]
    return tree


def _extra(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    call = chance.choice(_calls(tree))
    new = ast.parse(chance.choice(_REPLACEMENTS), mode="eval").body
    if chance.random() < 0.5:
        call.args.append(new)
    else:
        call.keywords.append(ast.keyword(chance.choice(("often", "who", "until", "limit", "cost", "by")), new))
    return tree


def _swapped(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    calls = [call for call in _calls(tree) if len(call.args) > 1]
    if not calls:
        return None
    call = chance.choice(calls)
    i, j = chance.sample(range(len(call.args)), 2)
    call.args[i], call.args[j] = call.args[j], call.args[i]
    return tree


def _misspelt(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return chance.choice(
        (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word.swapcase(), word[::-1], word + "s")
    )


def _unknown_word(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    name = chance.choice(names)
    name.id = _misspelt(name.id, chance)
    return tree if name.id.isidentifier() else None


def _misspelt_text(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value]
    if not texts:
        return None
    text = chance.choice(texts)
    text.value = _misspelt(str(text.value), chance)
    return tree


def _uncalled(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    call, at = chance.choice(list(_argument_slots(tree)))
    inner = _get(call, at)
    if not isinstance(inner, ast.Call):
        return None
    _put(call, at, inner.func)
    return tree


def _elsewhere(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    """Replace a part by a part of another sentence."""
    other = list(_argument_slots(ast.parse(chance.choice(valid_sentences()).sentence, mode="eval")))
    if not other:
        return None
    call, at = chance.choice(list(_argument_slots(tree)))
    _put(call, at, _get(*chance.choice(other)))
    return tree


def _out_of_range(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    numbers = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int]
    if not numbers:
        return None
    chance.choice(numbers).value = chance.choice((0, 4, 9, 100, 5000))
    return tree


def _unwrapped(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    """Replace a call by its first argument, as in always(...), Give(...), target(...)."""
    places = [(call, at) for call, at in _argument_slots(tree) if isinstance(_get(call, at), ast.Call)]
    if not places:
        return None
    call, at = chance.choice(places)
    inner = _get(call, at)
    if not isinstance(inner, ast.Call) or not inner.args:
        return None
    _put(call, at, inner.args[0])
    return tree


def _wrapped(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    """Wrap a part in a call of a random word."""
    call, at = chance.choice(list(_argument_slots(tree)))
    around = chance.choice(("always", "Give", "one", "while_active", "of_card", "in_field", "there_is", "may", "this"))
    _put(call, at, ast.Call(ast.Name(around), [_get(call, at)], []))
    return tree


def _rescoped(tree: ast.expr, chance: random.Random) -> ast.expr | None:
    """Add or remove a scope: while active, of the card, in the field, or while paired."""
    scopes = ("while_active", "of_card", "in_field", "while_paired")
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in scopes:
        return tree.args[0]
    return ast.Call(ast.Name(chance.choice(scopes)), [tree], [])


MISTAKES: dict[str, Mistake] = {
    "a wrong sort of thing": _wrong_type,
    "one thing missing": _missing,
    "one thing too many": _extra,
    "two things swapped": _swapped,
    "an unknown word": _unknown_word,
    "a misspelt text": _misspelt_text,
    "a word without its brackets": _uncalled,
    "a part from elsewhere": _elsewhere,
    "a number out of range": _out_of_range,
    "a word left out around another": _unwrapped,
    "a word too many around another": _wrapped,
    "another scope": _rescoped,
    "another card": lambda tree, chance: tree,
}


def card_file(sentence: str, die: str) -> str:
    """Return a card file with one sentence."""
    quoted = sentence.replace("\\", "\\\\").replace('"', '\\"')
    energy = "" if die == "basic" else 'energy = "fist"\n'
    return f'[[card]]\ntitle = "Nobody"\ncost = 3\n{energy}die = "{die}"\nabilities = [\n  "{quoted}",\n]\n'


def mutate_card(number: int) -> CardMutation:
    """Return the mutated card with this number, after reading it."""
    chance = random.Random(number)
    names = list(MISTAKES)
    while True:
        good = chance.choice(valid_sentences())
        mistake = names[number % len(names)]
        tree = ast.parse(good.sentence, mode="eval").body
        changed = MISTAKES[mistake](deepcopy(tree), chance) if list(_argument_slots(tree)) else None
        if changed is not None and (ast.unparse(changed) != good.sentence or mistake == "another card"):
            break
    die = good.die
    if mistake == "another card":
        die = (
            "hulk"
            if die in ("basic", "mjolnir") or not catalogue_die_is_character(die)
            else chance.choice(("basic", "mjolnir"))
        )
    text = card_file(ast.unparse(changed), die)
    try:
        (card,) = read_cards(text)
    except CardFileError as error:
        return CardMutation(mistake, good.sentence, ast.unparse(changed), text, str(error), None)
    return CardMutation(mistake, good.sentence, ast.unparse(changed), text, "", card)


@cache
def catalogue_die_is_character(die: str) -> bool:
    """Return whether a printed die with this key is a character die."""
    return any(card.die.key == die and card.die.is_character for card in catalogue())


def play(card: Card, seed: int) -> None:
    """Play some random turns with the card on both sides."""
    known = catalogue().with_cards([card])
    chance = random.Random(seed)
    other = chance.choice([c for c in catalogue() if c.kind == "character"])
    team = [(other, 4)] if card.kind == "basic" else [(card, 4), (other, 4)]
    game = Game.new(
        chance.choice(("avx", "uxm", "cw", "ai")),
        teams=[team, team],
        basics=[card] if card.kind == "basic" else [],
        cards=known,
        seed=seed,
        first="A",
    )
    lines = [x for x in game.to_text().splitlines() if x.startswith(("edition", "team", "basic", "A life", "B life"))]
    for seat in "AB":
        lines += [f"{seat} field: {'2 Nobody@1, ' if card.die.is_character else ''}{other.title}@1"]
        lines += [f"{seat} reserve: F, B, M, S, {'Nobody@2' if card.die.is_character else 'Nobody!'}"]
        lines += [f"{seat} bag: 2 Sidekick, {other.title}", f"{seat} used: Sidekick"]
    lines += ["turn: 5, A, main"]
    for started in (game, Game.from_text("\n".join(lines), known)):
        for _ in range(MAX_DECISIONS):
            if started.state.result != UNDECIDED:
                break
            started.play(chance.randrange(len(started.state.options)))
        assert card.title in started.to_text()


def main() -> None:
    """Print mutated cards with the reader's messages."""
    parser = argparse.ArgumentParser(description="Show the messages for cards with a mistake.")
    parser.add_argument("--cards", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for number in range(asked.seed, asked.seed + asked.cards):
        wrong = mutate_card(number)
        print(f"{number}. {wrong.mistake}: {wrong.sentence}")
        if wrong.card is None:
            print(f"   {wrong.message}")
        else:
            play(wrong.card, number)
            print("   is a card too: " + card_text(wrong.card).replace("\n", " "))


if __name__ == "__main__":
    main()
