"""Why things are as they are: what is in force, and where a die's A and D come from, each with the rule behind it."""

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
    """Something in force: what it says, the dice it is about, the card it comes from (-1: none), how long it lasts.

    `rule` is the number in docs/rules.md of the rule that lets it be so.
    """

    text: str
    dice: tuple[int, ...]
    card: int
    until: str
    rule: str


# --- what is in force ----------------------------------------------------------------------------------------------

PRINTED, GRANTED, BINDING, STATIC, EXCHANGED, ADDED_UP = "1.1e", "5.4a", "5.4b", "5.4d", "5.4f", "5.8a1"
_COPIED = {
    "copy stats": "5.13c1",
    "copy cost": "5.13c1",
    "copy abilities": "5.13c4",
    "copy combat": "5.13c4",
}
# notes, not effects
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
    """List what is in force now: what effects have given for a time, then the standing rules of active cards."""
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
    """Give the rule by which an effect that was given holds."""
    if effect.word.startswith("copy"):
        return _COPIED.get(effect.word, "5.13c6")
    if effect.word.startswith(("must", "cannot")):
        return BINDING
    return EXCHANGED if effect.word == "exchanges" else GRANTED


def _affected_dice(s: State, index: int, field: list[int]) -> tuple[int, ...] | None:
    """Give the dice in the field that a standing sentence is about; None if it is not in force."""
    ability = s.spec.abilities[index]
    if ability.scope == "card":
        return None  # it always is: the card says so
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
    """Say the ability that a sentence is, or is a part of."""
    if index not in spec.text_cache:
        ability = spec.abilities[index]
        spec.text_cache[index] = ability_text(ability.parent, spec.cards[ability.card])
    return spec.text_cache[index]


def duration_text(effect: ActiveEffect) -> str:
    """Say how long an effect lasts."""
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
    """Say in a few words what an effect has given."""
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
    """Say a change of A and D: `+1 A and -2 D`."""
    return " and ".join(f"{n:+d} {name}" for name, n in (("A", a), ("D", d)) if n) or "+0 A"


# --- A and D -------------------------------------------------------------------------------------------------------


class StatContribution(NamedTuple):
    """A part of a die's A and D: where it comes from, what it adds, and the rule by which it does."""

    text: str
    a: int
    d: int
    rule: str


def explain_stats(s: State, d: int) -> list[StatContribution]:
    """Explain A and D: the printed numbers first, then everything that changes them; the parts add up to `look.stats`.

    Follows `look.stats`, which says in which order the parts count (rules 5.4).
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
    """A line of an explanation, and the rule it stands on."""

    text: str
    rule: str


def stat_lines(s: State, d: int) -> list[ExplanationLine]:
    """Say where a die's A and D come from, a line for each part: `printed 3/5`, `Captain America: +1 A`, `now 4/5`."""
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
