"""Summaries of cards in at most 60 characters, for the small tiles on a table.

A summary is derived from the rendered abilities. Each ability has variants of decreasing length: handwritten ones from
card_summaries.txt, or else the results of the abbreviation rules below. The longest variants that fit together are
used. "…" marks a sentence that is cut, and "★…" a burst whose change is omitted. Globals are shown elsewhere on a
table, so they are summarised only if the card has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.resources import files

from dicemasters.cards.catalogue import Card
from dicemasters.cards.language.vocabulary import (
    Ability,
    ally,
    amplify,
    attune,
    deadly,
    fast,
    heroic,
    intimidate,
    iron_will,
    overcrush,
)
from dicemasters.cards.text.ability_text import ability_text

MAX_LENGTH = 60
MAX_GLOBAL_LENGTH = 40
NO_ABILITY = "No ability."
ELLIPSIS = "…"


@lru_cache(maxsize=1000)
def card_summary(card: Card) -> str:
    """Return a summary of the card in at most 60 characters.

    >>> from dicemasters.cards import catalogue
    >>> card_summary(catalogue().find("Black Widow: Tsarina"))
    'Attacks: 2 damage to your rival, or they spin a die down.'
    """
    abilities = [a for a in card.abilities if a.kind != "global"] or list(card.abilities)
    abilities = [a for a in abilities if len(abilities) == 1 or a.keyword not in _OMITTED_KEYWORDS]
    forms = [list(_variants(ability, card)) for ability in abilities]
    for i in range(1, len(forms)):
        forms[i].append(ELLIPSIS)
    while len(summary := _join_sentences([variants[0] for variants in forms])) > MAX_LENGTH:
        shorter = [variants for variants in forms if len(variants) > 1]
        if not shorter:
            return _truncate(summary)
        max(shorter, key=lambda variants: (ELLIPSIS not in variants[1], len(variants[0]))).pop(0)
    return summary or NO_ABILITY


@lru_cache(maxsize=1000)
def global_summary(ability: Ability, card: Card) -> str:
    """Return a summary of a Global in at most 40 characters, without its cost.

    >>> from dicemasters.cards import catalogue
    >>> iron_man = catalogue().find("Iron Man: Inventor")
    >>> global_summary(iron_man.abilities[-1], iron_man)
    '1 damage to you goes to your die.'
    """
    forms = [_tidy(re.sub(rf"^Global: Pay {_ENERGY}[.,:]?", "", form)) for form in _variants(ability, card)]
    complete = [form for form in forms if form and ELLIPSIS not in form] or forms
    return next(
        (form for form in complete if len(form) <= MAX_GLOBAL_LENGTH), _truncate(complete[-1], MAX_GLOBAL_LENGTH)
    )


def _join_sentences(sentences: list[str]) -> str:
    """Join sentences, with a single ellipsis at the end if any of them is cut."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return f"{text.replace(f' {ELLIPSIS}', '')} {ELLIPSIS}" if f" {ELLIPSIS}" in text else text


def _truncate(text: str, max_length: int = MAX_LENGTH) -> str:
    """Drop the last words so that the text fits."""
    return f"{text[: max_length - 1].rpartition(' ')[0].rstrip('.,;:')} {ELLIPSIS}"


def _variants(ability: Ability, card: Card) -> Iterator[str]:
    """Yield the ability in variants of decreasing length."""
    if keyword_summaries := _KEYWORD_SUMMARIES.get(ability.replace(unprinted=())):
        yield from (keyword_summaries, f"{ability.keyword}.")
        return
    full_text = ability_text(ability, card)
    if handwritten := _load_summaries().get(full_text.replace(card.title, "~")):
        yield from handwritten
        return
    has_plain = bool(ability.effects or ability.rules)
    plain = ability_text(ability.replace(bursts=()), card) if has_plain else full_text
    text = _reworded(plain, card)
    bursts = _burst_variants(full_text.removeprefix(plain), plain, card)
    yield from (f"{text} {star}".strip() for star in bursts)
    with_dice = text.replace("rival characters", "rival dice").replace("rival character", "rival die")
    shorter = _tidy(with_dice.replace("you may ", ""))
    yield f"{shorter} {bursts[-1]}".strip()
    for end in reversed([match.start() for match in re.finditer(_CLAUSE_ENDS, shorter)]):
        yield f"{shorter[:end].rstrip('.,;:')} {ELLIPSIS}"


@cache
def _load_summaries() -> dict[str, tuple[str, ...]]:
    """Return card_summaries.txt as a mapping from sentences to their handwritten variants."""
    lines = [
        line
        for line in (files("dicemasters.cards.text") / "card_summaries.txt").read_text("utf-8").splitlines()
        if line
    ]
    lines = [line for line in lines if not line.startswith("#")]
    return {
        sentence: tuple("" if form == "-" else form for form in variants.strip().split("|"))
        for sentence, variants in zip(lines[::2], lines[1::2], strict=True)
    }


def _burst_variants(burst_text: str, plain_text: str, card: Card) -> list[str]:
    """Return the changes made by the bursts, in variants of decreasing length."""
    if not burst_text:
        return [""]
    changes = []
    for burst in re.split(r" (?=★)", re.sub(r" \(on any of [^)]*\)", "", burst_text.strip())):
        stars, _, change = burst.partition(" ")
        changes.append(f"{stars.partition('/')[0]} {_burst_change_text(change, plain_text, card)}")
    return [" ".join(changes), f"★{ELLIPSIS}"]


def _burst_change_text(change_text: str, plain_text: str, card: Card) -> str:
    """Return the change made by a burst; if only numbers change, only those numbers."""
    change = re.sub(r"^(Also|Instead), (\w)", lambda m: m[2].upper(), change_text)
    new, old = _reworded(change, card), _reworded(plain_text, card)
    numbers = r"[+-]?\d+[AD]?"
    if change_text.startswith("Instead") and re.sub(numbers, "", old).casefold().endswith(
        re.sub(numbers, "", new).casefold()
    ):
        return f"{' '.join(re.findall(numbers, new))}."
    return new


def _reworded(text: str, card: Card) -> str:
    """Return a text in the abbreviated wording of a tile."""
    text = text.replace(card.title, "~")
    for pattern, replacement in _ABBREVIATIONS:
        text = pattern.sub(replacement, text)
    text = re.sub(r"^(★+ )?(.*?: )?~ (?=\S)(?!di(?:e|ce)\b)", r"\1\2", text)
    text = re.sub(r": ~ (?!di(?:e|ce)\b)", ": ", text).replace("~'s ", "its ")
    text = re.sub(r"~(?= characters?\b| di(?:e|ce)\b)", card.title, text)
    return _tidy(text.replace("~", "it" if card.kind == "character" else card.title))


def _tidy(text: str) -> str:
    text = re.sub(r"  +", " ", text).strip()
    text = re.sub(r" ([.,;:])", r"\1", text)
    return re.sub(r"(^|[.] |★ )([a-z])", lambda m: m[1] + m[2].upper(), text)


_OMITTED_KEYWORDS = ("Continuous",)  # the die is visibly in the field
_KEYWORD_SUMMARIES = {
    fast(): "Fast: deals damage first.",
    overcrush(): "Overcrush: what is left over hits your rival.",
    iron_will(): "Iron Will: cannot be KO'd unless hurt before.",
    ally(): "Ally: counts as a Sidekick too.",
    deadly(): "Deadly: KOs at turn's end whoever fought it.",
    intimidate(): "Intimidate: fielded, one rival die leaves for the turn.",
    heroic(): "Heroic.",
    attune(): "Attune: each action die you use deals 1 damage.",
    amplify(): "Amplify: spins up with each action die you use.",
}

_ENERGY = r"((?:\[\w\])+)"
_ABBREVIATION_PATTERNS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # synonyms, and details that are obvious at a table
    (r" \([^)]*\)", ""),
    (r"(?<=[+-]\dA) and (?=[+-]\dD)", " "),
    (r",? until end of turn(?=[,.;]| for| unless| with|$)", ""),
    (r"Until end of turn, (?=\w)", ""),
    (r" in this attack| the next time they are able to| that did not pay for this fielding", ""),
    (r"([Ee]ach|[Tt]arget) ([^.]*?) takes (\d) damage", lambda m: f"{m[3]} damage to {m[1].lower()} {m[2]}"),
    (r"[Ee]ach of your ([\w ]+) gets (?=[+-])", r"your \1 "),
    (r"[Kk]eep ([^.]*) from (block|attack)ing", r"\1 cannot \2"),
    (r"~ is unable to", "~ cannot"),
    (r"your own ~", "~"),
    (r"While ~ is active, ", ""),
    (r"While ~ is active and ", "While "),
    (r"(Resistance|Enlistment)\. ", ""),
    (r"[Ii]f one of your characters was KO'd this turn, ", "after a KO of yours: "),
    # triggers and conditions
    (r"[Ww]hen ~ is fielded, ", "Fielded: "),
    (r"[Ww]hen ~ attacks alone, ", "Attacks alone: "),
    (r"[Ww]hile ~ attacks alone, ", "Attacks alone: "),
    (r"[Ww]hen ~ attacks and is not blocked, ", "Not blocked: "),
    (r"[Ww]hen ~ attacks, ", "Attacks: "),
    (r"[Ww]hen ~ blocks, ", "Blocks: "),
    (r"[Ww]hen ~ blocks an? (.*?), ", r"Blocks a \1: "),
    (r"[Ww]hile ~ is (blocking|attacking), ", lambda m: f"{m[1].capitalize()}: "),
    (r"[Ww]hen ~ is blocked, ", "Blocked: "),
    (r"[Ww]hen ~ is KO'd while engaged, ", "KO'd in a fight: "),
    (r"[Ww]hen ~ is KO'd while (\w+), ", r"KO'd \1: "),
    (r"[Ww]hen ~ is KO'd by combat damage, ", "KO'd in combat: "),
    (r"[Ww]hen ~ is KO'd, ", "KO'd: "),
    (r"[Ww]hen ~ takes damage during an attack step, ", "Hurt in an attack: "),
    (r"[Ww]hen ~ takes combat damage, ", "Hurt in combat: "),
    (r"[Ww]hen ~ takes damage, ", "Hurt: "),
    (r"[Ww]hen you or ~ takes damage, ", "You or ~ takes damage: "),
    (r"[Ww]hen ~ deals damage to your opponent, ", "Hits your rival: "),
    (r"[Ww]hen ~ deals damage to a character, ", "Hits a character: "),
    (r"[Ww]hen ~ becomes engaged with (.*?), ", r"Fights \1: "),
    (r"[Ww]hen ~ becomes engaged, ", "In a fight: "),
    (r"each character engaged with ~", "all it fights"),
    (r"[Aa]t the end of each attack step, ", "Attack over: "),
    (r"[Aa]t the start of each attack step, ", "Attack starts: "),
    (r"[Aa]t the end of your turn, ", "Turn's end: "),
    (r"[Aa]t the start of your turn, ", "Your turn starts: "),
    (r"[Aa]t the start of your main step, ", "Main step: "),
    (r"[Ii]n your main step, ", "Main step: "),
    (r"[Ww]hen you declare attackers, ", "You attack: "),
    (r"[Ww]hen your opponent declares attackers, ", "Rival attacks: "),
    (r"[Tt]he first time each turn that you field a character, ", "First fielding a turn: "),
    (r"[Ww]henever an opposing character is KO'd, ", "Each rival KO: "),
    (r"[Ww]hen you use an action die, ", "You use an action: "),
    (r"[Ww]hen your opponent uses an action die, ", "Rival uses an action: "),
    (r"[Ww]hen (?:your opponent|a player) uses a Global, ", "A Global is used: "),
    (r"[Ww]hen your opponent fields a Sidekick, ", "Rival fields a Sidekick: "),
    (r"[Ww]hen you field an? (.*?), ", r"You field a \1: "),
    (r"[Ww]hen ([^,:]*?), ", r"\1: "),
    (r"[Ww]hile at least 2 characters are blocking ~, ", "Blocked by two: "),
    (r"[Ww]hile your opponent has (no .*?) in the field, ", r"Rival with \1: "),
    (r"[Ww]hile you have (.*?) in the field, ", r"With \1: "),
    (r"(: )if your opponent has more (life|characters)(?: in the field)? than you, ", r", rival has more \2: "),
    (r"(: )if you have (.*?) in the field, ", r", with \2: "),
    # costs and obligations
    (r": you may pay (\d life|" + _ENERGY + r")\. If you do, ", r", pay \1: "),
    (r"^[Yy]ou may pay " + _ENERGY + r"\. If you do, ", r"Pay \1: "),
    (r"unless your opponent pays (\d) life", r"unless they pay \1 life"),
    (r"unless (?:your opponent|they) KOs? one of their characters", "unless they KO a die"),
    (r"unless they spin one of their characters down 1 level", ", or they spin a die down"),
    (r"Your opponent may pay (\d) life to end this for the turn\.", r"Paying \1 life ends it."),
    (r"Your opponent may KO one of their characters to end this for the turn\.", "A KO of theirs ends it."),
    # recipients
    (r"whose level is no higher than ~'s", "of no higher level than ~"),
    (r"2 target characters you control", "two of yours"),
    (r"target character you control", "one of yours"),
    (r"\b([Tt])arget (\w+ ?\w*) you control", lambda m: f"{'A' if m[1] == 'T' else 'a'} {m[2]} of yours"),
    (r"(up to \d|\b\d) target opposing", r"\1 rival"),
    (r"target opposing|an opposing", "a rival"),
    (r"each opposing", "every rival"),
    (r"opposing", "rival"),
    (r"\btarget (?=[aeiou])", "an "),
    (r"\btarget ", "a "),
    (r"\bTarget ", "A "),
    (r"[Oo]ne of your characters", "one of yours"),
    (r"[Yy]our opponent's Prep Area|their owner's Prep Area", "their prep"),
    (r"your opponent's", "your rival's"),
    (r"([Yy])our opponent", r"\1our rival"),
    # effects
    (r"[Dd]eal (\d) damage to (.*?) and (\d) damage to ", r"\1 damage to \2 and \3 to "),
    (r"[Dd]eal (\d) damage to", r"\1 damage to"),
    (r"[Dd]eal damage equal to ~'s A to", "its A in damage to"),
    (r"deal that much damage to", "as much damage to"),
    (r"into your Prep Area|to your Prep Area|to its owner's Prep Area", "to prep"),
    (r"(?:your|their) Prep Areas?", "prep"),
    (r"and rolls? (it|them|each of the drawn (.*?) dice) into your Reserve Pool", r"and roll \1"),
    (r" into your Reserve Pool", ""),
    (r"your Used Pile", "used pile"),
    (r"from used pile", "from used"),
    (r" of your choice", ""),
    (r"from the field to (?=your rival|their)", "to "),
    (r"move (.*?) from the Attack Zone to the field", r"\1 leaves the fight"),
    (r"deals combat damage equal to ~'s full A to each of them", "deals full damage to each"),
    (
        r"[Cc]ombat damage ~ deals beyond the total D of the characters blocking ~ goes to your rival",
        "what blockers cannot take hits your rival",
    ),
    (r"must attack (?:this turn )?if able", "must attack"),
    (r"must block (~ |this turn )?if able", r"must block \1"),
    (r"make one rival character block ~ if able", "make a rival character block it"),
    (r"must be blocked if able", "must be blocked"),
    (r"cost nothing to field", "field free"),
    (r"characters whose printed fielding cost is 0", "dice of printed fielding cost 0"),
    (r"whose fielding cost is 0", "that field free"),
    (r"(?:the )?fielding cost, A and D", "numbers"),
    (r"gets? (?=[+-])", ""),
    (r" in the field(?=[,.;: ])", ""),
    (r"(?:each of )?[Yy]our ~ dice", "~ dice"),
    (r" 1 level", ""),
    (r"Otherwise, ", "Else "),
    (r"both partners have: “This die (.*)\.”", r"both \1."),
    (r"[Ww]hile ~ is paired up, ", "Paired: "),
    (r"However many .*?, this happens only once( in each attack)?\.", ""),
    (r"This works only once per turn(?: for each ~ die)?\.", "Once a turn."),
    (r"divided as you choose among any number of a? ?", "split among "),
)

_ABBREVIATIONS = tuple((re.compile(pattern), words) for pattern, words in _ABBREVIATION_PATTERNS)
_CLAUSE_ENDS = r"(?<=[\w\])])(?:[.;,] |(?= (?:and|instead|if|unless|until|for each|while) ))"
