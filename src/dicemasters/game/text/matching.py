"""What a written text names: the option or the line of the log that has all its words, in their order (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from dicemasters.cards.text import card_text
from dicemasters.game.game_spec import GameSpec


def contains_in_order(text: str, wanted: str) -> bool:
    """Tell whether every word of what is wanted occurs in the text, in that order.

    >>> contains_in_order("block Thor@1 with Sidekick", "block Thor with Sidekick")
    True
    >>> contains_in_order("11 damage to player A", "1 damage")
    False

    What stands behind a little word (to, from, with, of, on, by, for) is looked for before the next one.

    >>> contains_in_order("1 damage to Hulk from Beast", "damage to Beast")
    False
    """
    return _pattern(wanted.casefold()).search(text.casefold()) is not None


@lru_cache(maxsize=512)
def _pattern(wanted: str) -> re.Pattern[str]:
    pattern, gap = "", ""
    for word in wanted.split():
        start = r"(?<![^\W_])" if word[0].isalnum() else ""
        end = r"(?![^\W_])" if word[-1].isalnum() else ""
        pattern += gap + start + re.escape(word) + end
        gap = _WITHOUT_PREPOSITION if word in _PREPOSITIONS else ".*?"
    return re.compile(pattern)


_PREPOSITIONS = ("to", "from", "with", "of", "on", "by", "for")
_WITHOUT_PREPOSITION = (
    rf"(?:(?!\b(?:{'|'.join(_PREPOSITIONS)})\b).)*?"  # what "to" is about does not stand behind a "from"
)


def contains_words(text: str, wanted: str) -> bool:
    """Tell whether a text has all words of what is wanted, in whichever order.

    >>> contains_words("1 damage to Hulk from Beast", "Hulk 1 damage")
    True

    Where it speaks of two, who comes first may be the very thing that is denied.

    >>> contains_words("1 damage to Hulk from Beast", "damage to Beast from Hulk")
    False
    """
    words, present = set(_tokenize(wanted)), set(_tokenize(text))
    if present & {"block", "blocks"} or {"to", "from"} <= present:
        words = words if not words & {"blocks", *_PREPOSITIONS} else set()
    return bool(words) and words <= present


def strip_owners(text: str, owners: str) -> str:
    """Leave out of a text that dice are of one of these players.

    >>> strip_owners("block B's Hulk with A's Beast", "A")
    "block B's Hulk with Beast"
    """
    return re.sub(rf"\b[{owners}]'s\s+", "", text, flags=re.IGNORECASE) if owners else text


def contains_part(text: str, wanted: str) -> bool:
    """Tell whether what is wanted is a part of the text, or has its words; bursts may be left out."""
    folded, part = text.casefold(), wanted.casefold()
    return part in folded or part in folded.replace("*", "") or contains_in_order(text, wanted)


_WAYS: tuple[Callable[[str, str], bool], ...] = (
    lambda text, wanted: text == wanted,
    lambda text, wanted: text.casefold() == wanted.casefold(),
    lambda text, wanted: wanted.casefold() in text.casefold(),
    lambda text, wanted: wanted.casefold() in text.casefold().replace("*", ""),
    contains_in_order,
)
WHOLE_TEXT_WAYS, SUBSTRING_WAYS = 2, 4  # how many of the ways take the whole text, or a part of it in one piece


def match_texts(texts: Sequence[str], wanted: str, ways: int = len(_WAYS)) -> list[int]:
    """Give which of the texts are meant: the whole text goes before a part of it, a part before single words.

    Texts that differ only in a number put behind them (`Sidekick`, `Sidekick #2`) are equal: the first is meant.
    """
    wanted = wanted.strip()
    for is_match in _WAYS[:ways] if wanted else ():
        matches = [i for i, text in enumerate(texts) if is_match(text, wanted)]
        if matches:
            return matches[:1] if len({_unnumbered(texts[i]) for i in matches}) == 1 else matches
    return []


def _unnumbered(text: str) -> str:
    return re.sub(r" #\d+(?=$| with )", "", text)


# --- words that can occur ------------------------------------------------------------------------------------------

_OPTION_WORDS = """
a b c d ability after all and as at attack attacking ban be block blocked blocking bolt buy by choose controlled damage
done down end energy field fielded first fist for from global go half hand held in keep left life lift mask no nobody none
now num of on once one out over pass pay paying player players prep reroll reserve resolve says second shield sidekick
several spent spin the these things to up use used wild with yes
"""
_LOG_WORDS = """
a b c d ability and attacks bag ban begins blocks buys copies damage dice draws fields for fourth from gain gains global goes
is ko'd life lift lose loses nothing of out pays pile play player players refills s7 short shows sidekick spun the three to too
toss turn used uses win wins with
"""


def unknown_words(spec: GameSpec, wanted: str, *, log: bool) -> list[str]:
    """List the words that no option (or no line of the log) of a game with these cards could have.

    Of an option a part of a word is enough, as it is when one is chosen.
    """
    known = _vocabulary(spec, log)
    return [
        word
        for word in _tokenize(wanted)
        if not _is_symbol(word)
        and word not in known
        and word.removesuffix("'s") not in known
        and (log or not any(word in longer for longer in known))
    ]


def _tokenize(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.casefold())


def _is_symbol(word: str) -> bool:
    """Tell whether it is a number or the symbols of an energy face, or a bonus: `2`, `ff`, `2a`."""
    return re.fullmatch(r"\d+[ad]?|[fbms]{1,2}", word) is not None


@lru_cache(maxsize=8)
def _vocabulary(spec: GameSpec, log: bool) -> frozenset[str]:
    words = set((_LOG_WORDS if log else _OPTION_WORDS).split())
    for card in spec.cards:
        words.update(_tokenize(card.name))
        if not log:
            words.update(_tokenize(card_text(card)))
    if not log:
        for name in spec.affiliations:
            words.update(_tokenize(name))
    return frozenset(words)
