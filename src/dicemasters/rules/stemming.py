"""Stemming and synonyms for the rules search, which compares words in this form."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ATTACK = re.compile(r"(?<=[a-z,] )A(?!\w)")  # not the article that begins a sentence
_DEFENCE = re.compile(r"(?<!\w)D(?!\w)")
# ignored if the text has other words
STOP_WORDS = frozenset(["a", "an", "the", "of", "to", "is", "are", "by", "in", "on", "and", "or"])
# question words, and words of nearly every rule: they get little weight if the query has other words
_QUESTION_WORDS = """
i me my mine you your it its they them can could may do does did be was has have will would how what when
where which who whose why if with this that these those there then for from at as so many much long happen happens go goes
get gets work works mean means than into again same some any just during die dice
character characters count counts
"""
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())

# colloquial terms and the rules' terms for them; web/src/i18n/en/searchSynonyms.ts has the same list
SYNONYMS = {
    "knock out": "KO",
    "knockout": "KO",
    "kill": "KO",
    "destroy": "KO",
    "lethal": "KO",
    "KO": "gone",
    "hit point": "life",
    "health": "life",
    "discard pile": "Used Pile",
    "defense": "defence",
    "set up": "before the first turn",
    "setup": "before the first turn",
    "clean up": "cleanup",
    "can't": "cannot",
    "cant": "cannot",
    "gain life": "the most life",
    "heal": "the most life",
    "purchase": "buy",
    "not blocked": "unblocked",
    "stat": "attack defence",
    "split": "divide",
    "double": "two",
    "discount": "lower price, price can be lowered",
    "cheaper": "lower price, price can be lowered",
    "reduction": "reducer, lower",
    "minimum": "at least",
    "maximum": "the most",
    "partially": "half",
    "half a die": "half spent",
    "simultaneous": "one moment, same time, same moment",
    "coin toss": "chance picks",
    "random": "chance",
    "unfielded": "was not fielded, were not fielded",
    "conflict": "beats, one by one",
    "unlimited": "as often",
    "twice": "as often",
    "two": "several",
    "more than one": "several",
    "defender": "inactive player",
    "opponent": "inactive player, either player, other player, both players",
    "start": "goes first",
    "how much life": "20 life, 15 life, 10 life",
    "start with": "20 life, 15 life, 10 life",
    "how many cards": "8 cards, 6 cards",
    "run out": "empty",
    "go away": "cleared, ends",
    "decide": "choose",
    "have to": "must",
    "use": "pay for",
    "activate": "use",
    "don't": "no, not",
    "stack": "add up",
    "without": "no",
    "choose not": "optional",
    "keep": "stay",
    "save": "stay",
    "name": "title",
    "swap": "exchange",
    "respond": "answer",
    "negative": "below 0",
    "steal": "control",
    "cancel": "prevent",
}
# irregular forms
IRREGULAR = {
    "bought": "buy",
    "chosen": "choose",
    "dealt": "deal",
    "dice": "die",
    "drawn": "draw",
    "drew": "draw",
    "given": "give",
    "koed": "ko",
    "koing": "ko",
    "kos": "ko",
    "lives": "life",
    "lost": "lose",
    "paid": "pay",
    "spent": "spend",
    "spun": "spin",
    "taken": "take",
    "won": "win",
}


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its ending.

    >>> stem("blocking") == stem("blocks") == stem("Block"), stem("allies") == stem("ally"), stem("KO'd")
    (True, True, 'ko')
    """
    word = word.casefold().replace("’", "'")
    word = re.sub(r"'(?:s|d|ed)?$", "", word)
    word = IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 6:
        word = word.removesuffix("ly")
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            break
    if len(word) > 2:
        word = word.removesuffix("e")
    return word[:-1] if len(word) > 2 and word[-1] == word[-2] else word


@lru_cache(maxsize=2048)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words, without stop words unless there are no others."""
    return tuple(map(stem, content_words(text)))


def content_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without stop words unless there are no others."""
    text = _DEFENCE.sub("defence", _ATTACK.sub("attack", text))
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    return [word for word in words if word not in STOP_WORDS] or words


def phrase_positions(words: tuple[str, ...], phrase: tuple[str, ...]) -> list[int]:
    """Return all positions of a phrase in a sequence of words."""
    ends = len(words) - len(phrase) + 1
    return [i for i in range(ends) if words[i : i + len(phrase)] == phrase]


def phrase_position(words: tuple[str, ...], phrase: tuple[str, ...]) -> int:
    """Return the first position of a phrase in a sequence of words, or -1."""
    return next(iter(phrase_positions(words, phrase)), -1)


def edit_distance(word: str, other: str) -> int:
    """Return the number of insertions, deletions, changes and swaps of neighbours that turn one word into the other.

    >>> edit_distance("overcrsh", "overcrush"), edit_distance("atack", "attack"), edit_distance("firts", "first")
    (1, 1, 1)
    """
    row_before_last: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word):
        previous_row, row = row, [i + 1]
        for j, b in enumerate(other):
            row.append(min(previous_row[j] + (a != b), previous_row[j + 1] + 1, row[j] + 1))
            if i and j and a == other[j - 1] and word[i - 1] == b:
                row[-1] = min(row[-1], row_before_last[j - 1] + 1)
        row_before_last = previous_row
    return row[-1]
