"""The card catalogue for the browser: printed text, search results, and the material related to one card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import cast

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.cards.catalogue import SETS
from dicemasters.cards.dice import BASIC_COLORS, DICE
from dicemasters.cards.language.vocabulary import KEYWORDS
from dicemasters.cards.query import IS_VALUES, NUMBER_FIELDS, RARITIES, SORT_FIELDS, SearchError, search
from dicemasters.cards.text import card_text
from dicemasters.cards.text.ability_text import ability_text
from dicemasters.rules.document import RuleItem, rules_document
from dicemasters.rules.rulings import Ruling, load_rulings
from dicemasters.service.catalog.glossary import GLOSSARY, GlossaryEntry
from dicemasters.service.games.view_builder import build_die
from dicemasters.service.protocol import card_schema, game_schema
from dicemasters.teams.card_stats import card_stats
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_code import encode_team

MAX_RELATED_CARDS = 12  # cards listed per affiliation; the search finds the others
_TEXT_RULES = re.compile(r"[56]\.|3\.3e|3\.3d4")  # the rules that define words on cards


class CardNotFoundError(ValueError):
    """The card key does not exist."""


def build_card_catalog(cards: Catalogue | None = None) -> card_schema.CardCatalog:
    """Return all cards with their dice, and the vocabulary of the search."""
    all_cards = cards or catalogue()
    dice: dict[str, game_schema.DieShape] = {}
    card_data = [_card_data(card, dice, all_cards) for card in all_cards]
    names = {**SETS, **{card.set: "Home-made" for card in all_cards if card.set not in SETS}}
    return {
        "cards": card_data,
        "dice": dice,
        "sets": [{"key": key, "name": name} for key, name in names.items()],
        "affiliations": sorted({name for card in all_cards for name in card.affiliations}),
        "keywords": [word for word in KEYWORDS if any(word in card.keywords for card in all_cards)],
        "rarities": list(RARITIES),
        "numbers": list(NUMBER_FIELDS),
        "is_words": [{"words": word, "about": about} for word, about in IS_VALUES.items()],
        "sorts": list(SORT_FIELDS),
    }


def search_cards(query: str, cards: Catalogue | None = None) -> card_schema.CardSearchResult:
    """Return the keys of the matching cards in search order, or the problem with the query.

    An invalid query is not an error, because queries are sent while they are being typed.
    """
    try:
        return {"keys": [card.key for card in search(cards or catalogue(), query)], "problem": ""}
    except SearchError as error:
        return {"keys": [], "problem": str(error)}


def card_details(key: str, cards: Catalogue | None = None) -> card_schema.CardDetails:
    """Return the material related to a card: rules, rulings, related cards, and the ready teams that use it."""
    all_cards = cards or catalogue()
    card = next((other for other in all_cards if other.key == key), None)
    if card is None:
        raise CardNotFoundError(f"there is no card '{key[:40]}'")
    text = card_text(card)
    mentions = _named_titles(all_cards)
    return {
        "key": card.key,
        "rules": [
            {"number": term.rule, "title": term.term, "text": term.text} for term in _terms_in(text, card.keywords)
        ],
        "rulings": [_ruling_data(ruling) for ruling in load_rulings() if card.key in ruling.cards],
        "answers": [{"number": item.number, "text": item.text} for item in _related_rules(card, all_cards)],
        "versions": [other.key for other in all_cards if other.title == card.title and other != card],
        "names": [other.key for other in all_cards if other.title != card.title and other.title in mentions[card.key]],
        "named_by": [
            other.key for other in all_cards if other.title != card.title and card.title in mentions[other.key]
        ],
        "sides": [_affiliation_data(name, card, all_cards) for name in _affiliations_in(text, all_cards)],
        "teams": [
            {"key": key, "name": team.name, "about": team.about, "code": encode_team(team)}
            for key, team in ready_teams().items()
            if card in (*(member for member, _ in team.cards), *team.basics)
        ],
        "figures": _stats_data(card.key),
    }


# --- printed data -----------------------------------------------------------------------------------------------------


def _card_data(card: Card, dice: dict[str, game_schema.DieShape], all_cards: Catalogue) -> card_schema.CatalogCard:
    die = _die_key(card, all_cards)
    if die not in dice:
        base, ink = card.die.color, card.die.ink
        if card.kind == "basic":
            base, ink = BASIC_COLORS[int(die.removeprefix("basic"))]
        dice[die] = build_die(card.die, base, ink)
    texts = [(ability, ability_text(ability, card)) for ability in card.abilities]
    return {
        "key": card.key,
        "set": card.set,
        "number": card.number,
        "title": card.title,
        "subtitle": card.subtitle if card.kind != "basic" else "",
        "kind": cast(game_schema.CardKind, card.kind),
        "cost": card.cost,
        "energy": card.energy,
        "affiliations": list(card.affiliations),
        "max": card.max,
        "rarity": card.rarity,
        "keywords": sorted(card.keywords),
        "text": [text for ability, text in texts if ability.kind != "global"],
        "gist": card.gist,
        "globals": [
            {"cost": "".join(f"[{e}]" for e in ability.cost.energy) if ability.cost else "", "text": text}
            for ability, text in texts
            if ability.kind == "global"
        ],
        "die": die,
    }


def _die_key(card: Card, all_cards: Catalogue) -> str:
    """Return the key of the card's die. Basic actions differ by colour; a home-made die has its card's key."""
    if card.kind == "basic":
        return f"basic{_basic_titles(all_cards).index(card.title) % len(BASIC_COLORS)}"
    return card.die.key if DICE.get(card.die.key) is card.die else card.key


@cache
def _basic_titles(all_cards: Catalogue) -> list[str]:
    return list(dict.fromkeys(card.title for card in all_cards if card.kind == "basic"))


# --- related material -------------------------------------------------------------------------------------------------


def _stats_data(key: str) -> card_schema.CardStatsData | None:
    stats = card_stats().get(key)
    if stats is None:  # a home-made card
        return None
    return {
        "won": stats.won,
        "low": stats.low,
        "high": stats.high,
        "verdict": stats.verdict,
        "bought": stats.bought,
        "tables": stats.tables,
        "place": stats.place,
        "of": stats.of,
    }


def _ruling_data(ruling: Ruling) -> card_schema.RulingData:
    return {
        "about": ruling.about,
        "question": ruling.question,
        "decision": ruling.decision,
        "reason": ruling.reason,
        "rules": [number for number in ruling.rules if number in rules_document().numbers],
    }


def _terms_in(text: str, keywords: Iterable[str]) -> list[GlossaryEntry]:
    """Return the glossary terms of the text and keywords that rules on card texts define, in rule order."""
    wanted = {keyword.casefold() for keyword in keywords}
    terms = [
        term
        for term in GLOSSARY
        if _TEXT_RULES.match(term.rule)
        and (
            term.term.casefold() in wanted
            or any(_word_pattern(spelling).search(text) for spelling in (term.term, *term.spellings))
        )
    ]
    numbers = [item.number for item in rules_document().items]
    return sorted(terms, key=lambda term: numbers.index(term.rule))


def _related_rules(card: Card, all_cards: Catalogue) -> Iterator[RuleItem]:
    """Yield the rules and official answers that name the card's character or concern this card."""
    has_unique_subtitle = card.kind != "basic" and sum(other.subtitle == card.subtitle for other in all_cards) == 1
    title, subtitle = _word_pattern(card.title), _word_pattern(card.subtitle) if has_unique_subtitle else None
    for item in rules_document().items:
        if not item.number or item.level:
            continue
        examples = " ".join(item.shown_by) if item.number.startswith("#") else ""
        if title.search(item.text) or (subtitle and subtitle.search(f"{item.text} {examples}")):
            yield item


def _affiliations_in(text: str, all_cards: Catalogue) -> list[str]:
    names = sorted({name for card in all_cards for name in card.affiliations})
    return [name for name in names if _word_pattern(name.removesuffix("s")).search(text)]


def _affiliation_data(name: str, card: Card, all_cards: Catalogue) -> card_schema.AffiliationData:
    members = [other for other in all_cards if name in other.affiliations and other != card]
    by_cost = sorted(members, key=lambda other: (other.cost, other.title))
    cheapest_by_title = {other.title: other for other in reversed(by_cost)}
    chosen = sorted(cheapest_by_title.values(), key=lambda other: (other.cost, other.title))[:MAX_RELATED_CARDS]
    return {"name": name, "count": len(members), "keys": [other.key for other in chosen]}


@cache
def _named_titles(all_cards: Catalogue) -> dict[str, frozenset[str]]:
    """Return the card titles that occur in each card's text, by card key."""
    titles = sorted({card.title for card in all_cards}, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, titles))})(?!\w)")
    return {card.key: frozenset(pattern.findall(card_text(card))) for card in all_cards}


@cache
def _word_pattern(word: str) -> re.Pattern[str]:
    """Return a pattern for a word, singular or plural.

    Long lower-case words also match with a capital initial.
    """
    initial = f"[{word[0].upper()}{word[0].lower()}]" if len(word) > 3 and word[0].islower() else re.escape(word[0])
    return re.compile(rf"(?<![\w-]){initial}{re.escape(word[1:])}s?(?![\w-])")
