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
    out: list[EffectInfo] = []
    field = [d for seat in range(s.spec.n_seats) for d in s.dice_in(FIELD, seat)]
    for r in s.active_effects:
        if r.word not in _HIDDEN_RULES and (r.word != "gets" or r.a or r.d):
            card = s.spec.abilities[r.ability].card if r.ability >= 0 else -1
            dice: tuple[int, ...] = (r.subject,) if r.subject < s.spec.n_dice else ()
            if r.subject == NOBODY and r.rule >= 0:
                dice = tuple(d for d in field if static_rules.applies_to(s, r, d))
            out.append(EffectInfo(active_effect_text(s, r), dice, card, duration_text(r), _rule_of(r)))
    seen: set[int] = set()
    for sentences in s.spec.static_by_rule.values():
        for sentence in sentences:
            if sentence.index not in seen:
                seen.add(sentence.index)
                ruled = _ruled(s, sentence.index, field)
                if ruled is not None:
                    out.append(
                        EffectInfo(compiled_ability_text(s.spec, sentence.index), ruled, sentence.card, "", STATIC)
                    )
    return out


def _rule_of(r: ActiveEffect) -> str:
    """Give the rule by which an effect that was given holds."""
    if r.word.startswith("copy"):
        return _COPIED.get(r.word, "5.13c6")
    if r.word.startswith(("must", "cannot")):
        return BINDING
    return EXCHANGED if r.word == "exchanges" else GRANTED


def _ruled(s: State, index: int, field: list[int]) -> tuple[int, ...] | None:
    """Give the dice in the field that a standing sentence is about; None if it is not in force."""
    sentence = s.spec.abilities[index]
    if sentence.scope == "card":
        return None  # it always is: the card says so
    found: set[int] = set()
    holds = False
    for ctx in static_rules.active_contexts(s, sentence):
        if sentence.lift is not None and (index, static_rules.limit_owner(s, ctx)) in s.turn_limits:
            continue
        if sentence.condition is None or sentence.condition.evaluate(s, ctx):
            for rule in sentence.rules[ctx.burst]:
                holds = True
                found.update(d for d in field if rule.who.matches(s, d, ctx))
    return tuple(sorted(found)) if holds else None


def compiled_ability_text(t: GameSpec, index: int) -> str:
    """Say the ability that a sentence is, or is a part of."""
    if index not in t.text_cache:
        sentence = t.abilities[index]
        t.text_cache[index] = ability_text(sentence.parent, t.cards[sentence.card])
    return t.text_cache[index]


def duration_text(r: ActiveEffect) -> str:
    """Say how long an effect lasts."""
    you, other = describe.SEATS[r.you], describe.SEATS[die_identity.opponent_of(r.you)]
    return {
        w.NEXT_TURN: f"until {you}'s next turn",
        w.YOUR_HIT: f"until {you} damages {other}",
        w.NEXT_ATTACK: "until its next attack step",
        w.NEXT_ONE: "for the next one this turn",
        w.NEXT_FIELDING: "until the next one is fielded",
        w.END_OF_THEIR_TURN: f"until the end of {other}'s next turn",
        w.WHILE_THERE: "while it is there",
        "it leaves": "while it is there",
    }.get(r.until, f"until {r.until}")


def active_effect_text(s: State, r: ActiveEffect) -> str:
    """Say in a few words what an effect has given."""
    text = s.spec.rules[r.rule].text if r.rule >= 0 else ""
    match r.word:
        case "gets":
            return numbers_text(r.a, r.d)
        case "multiplies":
            return _times(r.a, r.d)
        case "becomes" | "copy stats":
            return f"A is {r.a} and D is {r.d}"
        case "copy cost":
            return f"costs {r.a} to field"
        case "sets A":
            return f"A is {r.a}"
        case "has keyword":
            return f"has {text}"
        case "loses keyword":
            return f"has no {text}"
        case "has affiliation":
            return f"counts as {text}"
        case "copy abilities":
            return f"has the abilities of {s.spec.cards[r.a].title}"
        case "copy die" | "copy card":
            return f"is a copy of {s.spec.cards[r.a].title}"
        case "on card":
            return f"lies on {s.spec.cards[r.a].title}"
        case "counts as level":
            return f"counts as level {r.a}"
        case "costs to buy" | "costs to field":
            return f"{r.word[:5]} {abs(r.a)} {'less' if r.a < 0 else 'more'} {r.word[6:]}"
        case "takes less" if r.a >= ALL:
            return "takes no damage"
        case "takes less" | "takes more" | "deals more":
            return f"{r.word[:5]} {r.a} {r.word[6:]} damage"
        case "blocks more" | "blocks also":
            return f"may block {r.a} more"
        case "cannot attack" | "cannot block" if r.a:
            return f"{r.word} without paying {r.a} life"
    return _RULE_TEXTS.get(r.word, r.word)


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
    t = s.spec
    i = t.face_base[d] + s.face[d]
    out = [StatContribution("printed", t.attack[i], t.defence[i], PRINTED)]
    a, de = t.attack[i], t.defence[i]

    def now(text: str, new_a: int, new_d: int, rule: str) -> None:
        nonlocal a, de
        if (new_a, new_d) != (a, de):
            out.append(StatContribution(text, new_a - a, new_d - de, rule))
        a, de = new_a, new_d

    counts = die_identity.effective_face(s, d)
    now(f"counts as level {t.levels[counts]}", t.attack[counts], t.defence[counts], GRANTED)
    for r in s.active_effects:
        of_card = r.word == "copy card" and r.d and t.abilities[r.ability].card == t.card_of[d]
        if of_card or (r.subject == d and r.word == "copy die"):
            copied = t.copied_face(die_identity.copied_faces_card(r), t.levels[counts])
            now(_granted_text(s, r), t.attack[copied], t.defence[copied], _rule_of(r))
        elif r.word == "copy stats" and static_rules.applies_to(s, r, d):
            now(_granted_text(s, r), r.a, r.d, _rule_of(r))
    for r in s.active_effects:
        if r.word in characteristics.STAT_WORDS and static_rules.applies_to(s, r, d):
            new = {
                "gets": (a + r.a, de + r.d),
                "multiplies": (a * r.a, de * r.d),
                "becomes": (r.a, r.d),
                "sets A": (r.a, de),
                "halves": (a // 2, de),
                "exchanges": (de, a),
            }[r.word]
            now(_granted_text(s, r), *new, _rule_of(r))
    if s.place[d] >> 2 == FIELD:
        for word in ("gets", "multiplies"):
            for rule, ctx in static_rules.static_rules(s, word):
                if rule.who.matches(s, d, ctx):
                    x, y = rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)
                    name = t.names[t.abilities[ctx.ability].card]
                    if word == "gets":
                        now(f"{name}: {numbers_text(x, y)}", a + x, de + y, STATIC)
                    else:
                        now(f"{name}: {_times(x, y)}", a * x, de * y, STATIC)
    now("never below 0", max(a, 0), max(de, 0), ADDED_UP)
    return out


class ExplanationLine(NamedTuple):
    """A line of an explanation, and the rule it stands on."""

    text: str
    rule: str


def stat_lines(s: State, d: int) -> list[ExplanationLine]:
    """Say where a die's A and D come from, a line for each part: `printed 3/5`, `Captain America: +1 A`, `now 4/5`."""
    first, *more = explain_stats(s, d)
    a, de = characteristics.current_stats(s, d)
    lines = [
        ExplanationLine(f"printed {first.a}/{first.d}", first.rule),
        *(ExplanationLine(reason.text, reason.rule) for reason in more),
    ]
    return [*lines, ExplanationLine(f"now {a}/{de}", ADDED_UP)] if more else lines


def _granted_text(s: State, r: ActiveEffect) -> str:
    return (
        f"{s.spec.names[s.spec.abilities[r.ability].card]}: {active_effect_text(s, r)}"
        if r.ability >= 0
        else active_effect_text(s, r)
    )


def _times(a: int, d: int) -> str:
    return " and ".join(f"{name} times {n}" for name, n in (("A", a), ("D", d)) if n != 1)
