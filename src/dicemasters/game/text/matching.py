"""Matching of written texts against options and log lines by their words in order (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from dicemasters.cards.text import card_text
from dicemasters.game.game_spec import GameSpec


def contains_in_order(text: str, wanted: str) -> bool:
    """Return True if `text` contains every word of `wanted`, in that order.

    >>> contains_in_order("block Thor@1 with Sidekick", "block Thor with Sidekick")
    True
    >>> contains_in_order("11 damage to player A", "1 damage")
    False

    A word after a preposition (to, from, with, of, on, by, for) must come before the next preposition.

    >>> contains_in_order("1 damage to Hulk from Beast", "damage to Beast")
    False
    """
    text, words = text.casefold(), wanted.casefold().split()
    if sum(map(len, words)) > len(text):
        return False
    prepositions = [match.start() for match in _PREPOSITION.finditer(text)]
    ends = [0]  # positions in the text at which a match of the words so far can end, in ascending order
    is_bound = False  # whether the last word was a preposition
    for word in words:
        following: list[int] = []
        for match in _pattern(word).finditer(text):
            start = match.start()
            end = next((end for end in reversed(ends) if end <= start), -1)  # the closest, which skips the least
            if end >= 0 and not (is_bound and any(end <= position < start for position in prepositions)):
                following.append(start + len(word))
        if not following:
            return False
        ends, is_bound = following, word in _PREPOSITIONS
    return True


@lru_cache(maxsize=2048)
def _pattern(word: str) -> re.Pattern[str]:
    """Return a pattern for the beginnings of a word in a text, where it is not part of a longer word."""
    start = r"(?<![^\W_])" if word[0].isalnum() else ""
    end = r"(?![^\W_])" if word[-1].isalnum() else ""
    return re.compile(f"{start}(?={re.escape(word)}{end})")


_PREPOSITIONS = ("to", "from", "with", "of", "on", "by", "for")
_PREPOSITION = re.compile(rf"\b(?:{'|'.join(_PREPOSITIONS)})\b")  # "to Hulk" must not match a Hulk after "from"


def contains_words(text: str, wanted: str) -> bool:
    """Return True if `text` contains all words of `wanted`, in any order.

    >>> contains_words("1 damage to Hulk from Beast", "Hulk 1 damage")
    True

    Where the order of two dice could change the meaning, as in blocks and damage, the answer is False.

    >>> contains_words("1 damage to Hulk from Beast", "damage to Beast from Hulk")
    False
    """
    words, present = set(_tokenize(wanted)), set(_tokenize(text))
    if present & {"block", "blocks"} or {"to", "from"} <= present:
        words = words if not words & {"blocks", *_PREPOSITIONS} else set()
    return bool(words) and words <= present


def strip_owners(text: str, owners: str) -> str:
    """Return `text` without the names of these players as owners of dice.

    >>> strip_owners("block B's Hulk with A's Beast", "A")
    "block B's Hulk with Beast"
    """
    return re.sub(rf"\b[{owners}]'s\s+", "", text, flags=re.IGNORECASE) if owners else text


def contains_part(text: str, wanted: str) -> bool:
    """Return True if `wanted` is a part of `text`, burst stars aside, or its words occur in order."""
    folded, part = text.casefold(), wanted.casefold()
    return part in folded or part in folded.replace("*", "") or contains_in_order(text, wanted)


_WAYS: tuple[Callable[[str, str], bool], ...] = (
    lambda text, wanted: text == wanted,
    lambda text, wanted: text.casefold() == wanted.casefold(),
    lambda text, wanted: wanted.casefold() in text.casefold(),
    lambda text, wanted: wanted.casefold() in text.casefold().replace("*", ""),
    contains_in_order,
)
WHOLE_TEXT_WAYS, SUBSTRING_WAYS = 2, 4  # number of ways up to whole texts, up to contiguous parts


def match_texts(texts: Sequence[str], wanted: str, ways: int = len(_WAYS)) -> list[int]:
    """Return the indices of the texts that `wanted` matches best: whole texts before parts, parts before single words.

    Texts that differ only in an appended number (`Sidekick`, `Sidekick #2`) are equivalent; the first one is returned.
    """
    wanted = wanted.strip()
    for is_match in _WAYS[:ways] if wanted else ():
        matches = [i for i, text in enumerate(texts) if is_match(text, wanted)]
        if matches:
            return matches[:1] if len({_unnumbered(texts[i]) for i in matches}) == 1 else matches
    return []


def _unnumbered(text: str) -> str:
    return re.sub(r" #\d+(?=$| with )", "", text)


# --- vocabulary ----------------------------------------------------------------------------------------------------

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
    """Return the words that no option, or no log line, of a game with these cards could contain.

    For options a part of a word is enough, as it is when an option is chosen.
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
    """Return True if the word is a number, a bonus or the symbols of an energy face: `2`, `2a`, `ff`."""
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
