"""Explanations of a position: the effects in force, and the origin of a die's A and D, each with its rule number."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.vocabulary import ALL
from dicemasters.cards.text.ability_text import ability_text
from dicemasters.game.game_spec import GameSpec
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect
from dicemasters.game.text import describe


class EffectInfo(NamedTuple):
    """An effect or static rule in force: its text, the dice it affects, its card (-1: none) and its duration.

    `rule` is the number of the rule in docs/rules.md that it is based on.
    """

    text: str
    dice: tuple[int, ...]
    card: int
    until: str
    rule: str


# --- effects in force ----------------------------------------------------------------------------------------------

PRINTED, GRANTED, BINDING, STATIC, EXCHANGED, ADDED_UP = "1.1e", "5.4a", "5.4b", "5.4d", "5.4f", "5.8a1"
_COPIED = {
    "copy stats": "5.13c1",
    "copy cost": "5.13c1",
    "copy abilities": "5.13c4",
    "copy combat": "5.13c4",
}
# bookkeeping, not effects a player should see
_HIDDEN_RULES = frozenset(
    ("counted", "iron will", "doomed", "dealt", "numbers", "happened", "copy burst", "later", "spared")
)
_RULE_TEXTS = {
    "exchanges": "A and D are exchanged",
    "halves": "A is halved",
    "fields free": "is fielded for free",
    "stays unblocked": "comes back though it was not blocked",
    "must block this": "must block",
    "damages player instead": "damages the player, though it is blocked",
    "excess goes through": "what is too much for its blockers goes to the player",
    "assigns no damage": "assigns no combat damage to some",
    "may attack": "may attack after all",
    "copy combat": "fights like another",
}


def explain_effects(s: State) -> list[EffectInfo]:
    """Return everything in force: effects with a duration first, then the static rules of active cards."""
    infos: list[EffectInfo] = []
    field = [d for seat in range(s.spec.n_seats) for d in s.dice_in(FIELD, seat)]
    for effect in s.active_effects:
        if effect.word not in _HIDDEN_RULES and (effect.word != "gets" or effect.a or effect.d):
            card = s.spec.abilities[effect.ability].card if effect.ability >= 0 else -1
            dice: tuple[int, ...] = (effect.subject,) if effect.subject < s.spec.n_dice else ()
            if effect.subject == NOBODY and effect.rule >= 0:
                dice = tuple(d for d in field if static_rules.applies_to(s, effect, d))
            infos.append(EffectInfo(active_effect_text(s, effect), dice, card, duration_text(effect), _rule_of(effect)))
    seen: set[int] = set()
    for abilities in s.spec.static_by_rule.values():
        for ability in abilities:
            if ability.index not in seen:
                seen.add(ability.index)
                dice_affected = _affected_dice(s, ability.index, field)
                if dice_affected is not None:
                    infos.append(
                        EffectInfo(
                            compiled_ability_text(s.spec, ability.index), dice_affected, ability.card, "", STATIC
                        )
                    )
    return infos


def _rule_of(effect: ActiveEffect) -> str:
    """Return the number of the rule by which a temporary effect applies."""
    if effect.word.startswith("copy"):
        return _COPIED.get(effect.word, "5.13c6")
    if effect.word.startswith(("must", "cannot")):
        return BINDING
    return EXCHANGED if effect.word == "exchanges" else GRANTED


def _affected_dice(s: State, index: int, field: list[int]) -> tuple[int, ...] | None:
    """Return the dice in the field that a static ability affects.

    Return None if it is not in force, or if its text needs no active die and therefore always is.
    """
    ability = s.spec.abilities[index]
    if ability.scope == "card":
        return None  # always in force, so the card itself is explanation enough
    affected: set[int] = set()
    in_force = False
    for ctx in static_rules.active_contexts(s, ability):
        if ability.lift is not None and (index, static_rules.limit_owner(s, ctx)) in s.turn_limits:
            continue
        if ability.condition is None or ability.condition.evaluate(s, ctx):
            for rule in ability.rules[ctx.burst]:
                in_force = True
                affected.update(d for d in field if rule.who.matches(s, d, ctx))
    return tuple(sorted(affected)) if in_force else None


def compiled_ability_text(spec: GameSpec, index: int) -> str:
    """Return the text of the printed ability that a compiled ability belongs to."""
    if index not in spec.text_cache:
        ability = spec.abilities[index]
        spec.text_cache[index] = ability_text(ability.parent, spec.cards[ability.card])
    return spec.text_cache[index]


def duration_text(effect: ActiveEffect) -> str:
    """Return how long an effect lasts."""
    you, other = describe.SEATS[effect.you], describe.SEATS[die_identity.opponent_of(effect.you)]
    return {
        w.NEXT_TURN: f"until {you}'s next turn",
        w.YOUR_HIT: f"until {you} damages {other}",
        w.NEXT_ATTACK: "until its next attack step",
        w.NEXT_ONE: "for the next one this turn",
        w.NEXT_FIELDING: "until the next one is fielded",
        w.END_OF_THEIR_TURN: f"until the end of {other}'s next turn",
        w.WHILE_THERE: "while it is there",
        "it leaves": "while it is there",
    }.get(effect.until, f"until {effect.until}")


def active_effect_text(s: State, effect: ActiveEffect) -> str:
    """Return a short text of what an effect does."""
    text = s.spec.rules[effect.rule].text if effect.rule >= 0 else ""
    match effect.word:
        case "gets":
            return numbers_text(effect.a, effect.d)
        case "multiplies":
            return _factors_text(effect.a, effect.d)
        case "becomes" | "copy stats":
            return f"A is {effect.a} and D is {effect.d}"
        case "copy cost":
            return f"costs {effect.a} to field"
        case "sets A":
            return f"A is {effect.a}"
        case "has keyword":
            return f"has {text}"
        case "loses keyword":
            return f"has no {text}"
        case "has affiliation":
            return f"counts as {text}"
        case "copy abilities":
            return f"has the abilities of {s.spec.cards[effect.a].title}"
        case "copy die" | "copy card":
            return f"is a copy of {s.spec.cards[effect.a].title}"
        case "on card":
            return f"lies on {s.spec.cards[effect.a].title}"
        case "counts as level":
            return f"counts as level {effect.a}"
        case "costs to buy" | "costs to field":
            return f"{effect.word[:5]} {abs(effect.a)} {'less' if effect.a < 0 else 'more'} {effect.word[6:]}"
        case "takes less" if effect.a >= ALL:
            return "takes no damage"
        case "takes less" | "takes more" | "deals more":
            return f"{effect.word[:5]} {effect.a} {effect.word[6:]} damage"
        case "blocks more" | "blocks also":
            return f"may block {effect.a} more"
        case "cannot attack" | "cannot block" if effect.a:
            return f"{effect.word} without paying {effect.a} life"
    return _RULE_TEXTS.get(effect.word, effect.word)


def numbers_text(a: int, d: int) -> str:
    """Return a change of A and D as text: `+1 A and -2 D`."""
    return " and ".join(f"{n:+d} {name}" for name, n in (("A", a), ("D", d)) if n) or "+0 A"


# --- A and D -------------------------------------------------------------------------------------------------------


class StatContribution(NamedTuple):
    """A summand of a die's A and D: its origin, what it adds, and its rule number."""

    text: str
    a: int
    d: int
    rule: str


def explain_stats(s: State, d: int) -> list[StatContribution]:
    """Return the printed numbers and then each change to A and D; the contributions add up to the current stats.

    The order is that of `characteristics.current_stats` (rules 5.4f).
    """
    spec = s.spec
    i = spec.face_base[d] + s.face[d]
    contributions = [StatContribution("printed", spec.attack[i], spec.defence[i], PRINTED)]
    a, de = spec.attack[i], spec.defence[i]

    def add_contribution(text: str, new_a: int, new_d: int, rule: str) -> None:
        nonlocal a, de
        if (new_a, new_d) != (a, de):
            contributions.append(StatContribution(text, new_a - a, new_d - de, rule))
        a, de = new_a, new_d

    effective = die_identity.effective_face(s, d)
    add_contribution(
        f"counts as level {spec.levels[effective]}", spec.attack[effective], spec.defence[effective], GRANTED
    )
    for effect in s.active_effects:
        of_card = effect.word == "copy card" and effect.d and spec.abilities[effect.ability].card == spec.card_of[d]
        if of_card or (effect.subject == d and effect.word == "copy die"):
            copied = spec.copied_face(die_identity.copied_faces_card(effect), spec.levels[effective])
            add_contribution(_granted_text(s, effect), spec.attack[copied], spec.defence[copied], _rule_of(effect))
        elif effect.word == "copy stats" and static_rules.applies_to(s, effect, d):
            add_contribution(_granted_text(s, effect), effect.a, effect.d, _rule_of(effect))
    for effect in s.active_effects:
        if effect.word in characteristics.STAT_WORDS and static_rules.applies_to(s, effect, d):
            stats = {
                "gets": (a + effect.a, de + effect.d),
                "multiplies": (a * effect.a, de * effect.d),
                "becomes": (effect.a, effect.d),
                "sets A": (effect.a, de),
                "halves": (a // 2, de),
                "exchanges": (de, a),
            }[effect.word]
            add_contribution(_granted_text(s, effect), *stats, _rule_of(effect))
    if s.place[d] >> 2 == FIELD:
        for word in ("gets", "multiplies"):
            for rule, ctx in static_rules.static_rules(s, word):
                if rule.who.matches(s, d, ctx):
                    x, y = rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)
                    name = spec.names[spec.abilities[ctx.ability].card]
                    if word == "gets":
                        add_contribution(f"{name}: {numbers_text(x, y)}", a + x, de + y, STATIC)
                    else:
                        add_contribution(f"{name}: {_factors_text(x, y)}", a * x, de * y, STATIC)
    add_contribution("never below 0", max(a, 0), max(de, 0), ADDED_UP)
    return contributions


class ExplanationLine(NamedTuple):
    """A line of an explanation with its rule number."""

    text: str
    rule: str


def stat_lines(s: State, d: int) -> list[ExplanationLine]:
    """Return the origin of a die's A and D as lines: `printed 3/5`, `Captain America: +1 A`, `now 4/5`."""
    first, *changes = explain_stats(s, d)
    a, de = characteristics.current_stats(s, d)
    lines = [
        ExplanationLine(f"printed {first.a}/{first.d}", first.rule),
        *(ExplanationLine(change.text, change.rule) for change in changes),
    ]
    return [*lines, ExplanationLine(f"now {a}/{de}", ADDED_UP)] if changes else lines


def _granted_text(s: State, effect: ActiveEffect) -> str:
    return (
        f"{s.spec.names[s.spec.abilities[effect.ability].card]}: {active_effect_text(s, effect)}"
        if effect.ability >= 0
        else active_effect_text(s, effect)
    )


def _factors_text(a: int, d: int) -> str:
    return " and ".join(f"{name} times {n}" for name, n in (("A", a), ("D", d)) if n != 1)
