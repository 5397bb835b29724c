"""Words as they are looked for: without their endings, and by what the rules call the thing."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
SMALL = frozenset(
    ["a", "an", "the", "of", "to", "is", "are", "by", "in", "on", "and", "or"]
)  # passed over beside other words
# of a question: passed over where no rule has them all
_ASKING = """
i me my mine you your it its they them can could may must do does did be has have will would how what when where which who
whose why if with this that these those there then for from at as so many much happen happens go goes get gets work works
mean means than into again same some any
"""
ASKING = frozenset(_ASKING.split())

# what people say, and what the rules say; the browser's search has the same list (web/src/phrases/looking.ts)
SYNONYMS = {
    "knock out": "KO",
    "knockout": "KO",
    "kill": "KO",
    "destroy": "KO",
    "hit point": "life",
    "health": "life",
    "discard pile": "Used Pile",
    "defense": "defence",
    "set up": "before the first turn",
    "setup": "before the first turn",
    "clean up": "cleanup",
    "can't": "cannot",
    "cant": "cannot",
    "life total": "life",
    "gain life": "the most life",
    "heal": "the most life",
    "purchase": "buy",
    "not blocked": "unblocked",
    "stat": "attack defence",
    "split damage": "divided among",
    "assign damage": "divided among",
    "double energy": "two symbols",
    "discount": "lower price",
    "cheaper": "lower price",
    "captured die": "captured",
    "pay half a die": "half spent",
    "half a die": "half spent",
}
# forms that no ending explains
IRREGULAR = {
    "bought": "buy",
    "chosen": "choose",
    "dealt": "deal",
    "dice": "die",
    "drawn": "draw",
    "drew": "draw",
    "given": "give",
    "lives": "life",
    "lost": "lose",
    "paid": "pay",
    "spent": "spend",
    "spun": "spin",
    "taken": "take",
    "won": "win",
}


def stem(word: str) -> str:
    """Give a word without its ending.

    >>> stem("blocking") == stem("blocks") == stem("Block"), stem("allies") == stem("ally"), stem("KO'd")
    (True, True, 'ko')
    """
    word = word.casefold().replace("’", "'")
    word = re.sub(r"'(?:s|d|ed)?$", "", word)
    word = IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            break
    if len(word) > 2 and word[-1] == word[-2]:
        return word[:-1]
    return word.removesuffix("e") if len(word) > 2 else word


@lru_cache(maxsize=2048)
def stems(text: str) -> tuple[str, ...]:
    """Give the words of a text without their endings; small words are left out beside others."""
    words = _WORD.findall(text)
    return tuple(stem(word) for word in words if word.casefold() not in SMALL) or tuple(map(stem, words))


def without_asking(text: str) -> str:
    """Give a question without the words that only ask; all of them where there are no others."""
    return " ".join(word for word in _WORD.findall(text) if word.casefold() not in ASKING | SMALL) or text


def wanted_stems(text: str) -> tuple[str, ...]:
    """Give what somebody looks for in the words of the rules."""
    found = stems(text)
    for said, meant in SYNONYMS.items():
        ask = stems(said)
        at = position(found, ask)
        if at >= 0:
            found = (*found[:at], *stems(meant), *found[at + len(ask) :])
    return found


def position(words: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """Give where the wanted words stand one behind the other; -1 if nowhere."""
    ends = len(words) - len(wanted) + 1
    return next((i for i in range(ends) if words[i : i + len(wanted)] == wanted), -1)
