"""Solitaire rules: the scripted seat, and the dice it gets whenever the player buys (docs/scripted-opponent.md).

Which dice it gets is a rule of the game and not a decision, so it is handled here. `players/scripted` makes its
decisions.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from dicemasters.game.rulesets.editions import normalize_words
from dicemasters.game.state.constants import CARD
from dicemasters.game.state.frames import SolitairePurchaseFrame
from dicemasters.game.state.state import State

if TYPE_CHECKING:
    from dicemasters.game.game_spec import GameSpec

AFTER, MIXED, NEVER = "after", "mixed", "never"  # when the script buys basic actions (S4)


@dataclass(frozen=True, slots=True)
class SolitaireRules:
    """The scripted seat and the chosen variants of the script; the defaults are the standard variants."""

    seat: int = 1
    basics: str = AFTER  # S4: after its own row, within it by cost, or never
    one_of_each: bool = False  # S5: buys one die of each card in turn instead of emptying one card after the other
    dearest_first: bool = False  # S5: starts with its most expensive card
    keeps_energy: bool = False  # S12: keeps the energy needed to field its characters
    every_act: bool = False  # S15: every legal action suits its main step
    tricks_wait: bool = False  # S15: combat effects wait for the attack step, even if none of its dice will attack
    hurts_itself: bool = False  # S17: uses effects in its main step that only hurt itself
    spares_itself: bool = False  # S17: avoids effects that only hurt itself, even in the attack step
    fields_by_purchase: bool = False  # S18: fields by purchase cost instead of fielding cost
    answers_in_main: bool = False  # S37: also uses Globals in the player's main step
    half_life: bool = False  # S2: starts with half the player's life, rounded up
    life: int = 0  # S2: starts with this life if that is less; 0 for the player's life


class ScriptVariant(NamedTuple):
    """A variant of one point of the script: its name, the rule it changes, and its description."""

    text: str
    rule: str
    name: str  # field of `SolitaireRules`
    value: bool | str
    about: str

    @property
    def point(self) -> str:
        """The point of the script it changes; two variants of one point exclude each other."""
        return _SHARED_POINTS.get(self.name, self.name)


_SHARED_POINTS: Final = {"tricks_wait": "every_act"}  # if every action is suitable, nothing can wait

SCRIPT_VARIANTS: Final = (  # the standard variants have no name
    ScriptVariant("basics mixed", "S4", "basics", MIXED, "The basic actions stand in its row, by cost."),
    ScriptVariant("basics never", "S4", "basics", NEVER, "It never buys basic actions."),
    ScriptVariant(
        "one of each", "S5", "one_of_each", True,
        "It always buys from the card it has bought fewest dice of, the cheapest first.",
    ),
    ScriptVariant("dearest first", "S5", "dearest_first", True, "It buys from its dearest card on downwards."),
    ScriptVariant(
        "keeps energy", "S12", "keeps_energy", True,
        "It keeps as much energy as fielding its characters costs, doubles first, and rerolls the rest.",
    ),
    ScriptVariant("every act", "S15", "every_act", True, "In its main step everything legal is suitable."),
    ScriptVariant(
        "tricks wait", "S15", "tricks_wait", True,
        "What is for combat waits for the attack step, also when nobody will attack.",
    ),
    ScriptVariant(
        "hurts itself", "S17", "hurts_itself", True,
        "In its main step it also does what only hurts itself or helps you.",
    ),
    ScriptVariant(
        "spares itself", "S17", "spares_itself", True,
        "In the attack step too it does not do what would only hurt itself or help you.",
    ),
    ScriptVariant(
        "fields by purchase cost", "S18", "fields_by_purchase", True,
        "Of the characters it can pay for it fields the one with the highest purchase cost first.",
    ),
    ScriptVariant(
        "answers in your main step", "S37", "answers_in_main", True,
        "In your main step it uses Globals that fit a main step, one whenever it has priority.",
    ),
    ScriptVariant("half life", "S2", "half_life", True, "It begins with half of your life, rounded up."),
)  # fmt: skip
_VARIANTS_BY_TEXT: Final = {normalize_words(one.text): one for one in SCRIPT_VARIANTS}


def variant_texts(rules: SolitaireRules) -> list[str]:
    """Return the names of the variants in which these rules differ from the standard script."""
    texts = [variant.text for variant in SCRIPT_VARIANTS if getattr(rules, variant.name) == variant.value]
    return [*texts, f"life {rules.life}"] if rules.life else texts


def parse_variants(seat: int, words: list[str]) -> SolitaireRules:
    """Return the solitaire rules for a seat with the named variants, the inverse of `variant_texts`.

    Raise a ValueError for an unknown variant and for two that exclude each other.
    """
    values: dict[str, object] = {}
    chosen: dict[str, str] = {}  # variant text by point
    for word in words:
        normalized = normalize_words(word)
        life = re.fullmatch(r"life +([1-9][0-9]?)", word.strip().casefold())
        if life is not None:
            point, name = "life", f"life {life[1]}"
            values["life"] = int(life[1])
        elif normalized in _VARIANTS_BY_TEXT:
            variant = _VARIANTS_BY_TEXT[normalized]
            point, name = variant.point, variant.text
            values[variant.name] = variant.value
        else:
            raise ValueError(_unknown_variant_message(word))
        if chosen.setdefault(point, name) != name:
            raise ValueError(f"'{chosen[point]}' and '{name}' exclude each other")
    settings = {f.name: values.get(f.name, f.default) for f in fields(SolitaireRules)}
    return SolitaireRules(**{**settings, "seat": seat})  # type: ignore[arg-type]


def _unknown_variant_message(word: str) -> str:
    """Return an error message for an unknown variant, with similar ones or all variants as suggestions."""
    wanted = normalize_words(word)[:80]
    candidates = [words for words in _VARIANTS_BY_TEXT if wanted in words] if wanted else []
    candidates = candidates or difflib.get_close_matches(wanted, _VARIANTS_BY_TEXT, 3, 0.6)
    suggestions = " or ".join(f"'{_VARIANTS_BY_TEXT[words].text}'" for words in candidates[:3])
    hint = (
        f"did you mean {suggestions}?"
        if suggestions
        else f"there are {', '.join(x.text for x in SCRIPT_VARIANTS)} and life 15"
    )
    return f"'{word.strip()[:60]}' is no reading of the script; {hint}"


def variant_description(text: str) -> str:
    """Return the description of a variant."""
    variant = _VARIANTS_BY_TEXT.get(normalize_words(text))
    return variant.about if variant else f"It begins with {text[5:]} life, at most yours."


SOLITAIRE_EDITION: Final = "avx"  # the manual describes the game of 2014 (rules 8.1a, S1)

EASY, NORMAL, HARD = "easy", "normal", "hard"
DIFFICULTIES: Final = (EASY, NORMAL, HARD)


def difficulty(name: str, rules: SolitaireRules | None = None) -> SolitaireRules:
    """Return solitaire rules of this difficulty; "normal" is the script unchanged."""
    result = rules or SolitaireRules()
    if name == EASY:
        return replace(result, half_life=True)
    return replace(result, one_of_each=True) if name == HARD else result


# --- rows ----------------------------------------------------------------------------------------------------------


def row(spec: GameSpec, owner: int) -> list[int]:
    """Return the cards of a seat, or the basic actions for -1, by cost, title and subtitle (S3)."""
    cards = [c for c in range(spec.n_seats, spec.n_real_cards) if spec.owner_of_card[c] == owner]
    return sorted_row(spec, cards)


def sorted_row(spec: GameSpec, cards: list[int]) -> list[int]:
    """Return cards in row order (S3)."""
    return sorted(cards, key=lambda c: (spec.cards[c].cost, spec.cards[c].title, spec.cards[c].subtitle))


def purchase_order(spec: GameSpec, rules: SolitaireRules) -> list[list[int]]:
    """Return the rows from which the script buys; a later row is used once the earlier ones are empty (S4, S5)."""
    own_row, basics = row(spec, rules.seat), row(spec, -1)
    rows = [own_row, basics] if rules.basics == AFTER else [own_row]
    if rules.basics == MIXED:
        rows = [sorted_row(spec, [*own_row, *basics])]
    return [cards[::-1] if rules.dearest_first else cards for cards in rows]


def next_die(s: State) -> int:
    """Return the next die the scripted seat gets, or -1 if none is left (rules 8.2a)."""
    spec = s.spec
    rules = spec.solitaire
    assert rules is not None
    for cards in spec.purchase_order:
        on_sale = [c for c in cards if any(s.place[d] >> 2 == CARD for d in spec.dice_of[c])]
        if on_sale:
            card = on_sale[0]
            if rules.one_of_each:
                card = min(on_sale, key=lambda c: sum(_is_bought(s, d, rules.seat) for d in spec.dice_of[c]))
            return next(d for d in spec.dice_of[card] if s.place[d] >> 2 == CARD)
    return -1


def _is_bought(s: State, d: int, seat: int) -> bool:
    return s.place[d] >> 2 != CARD and s.owner[d] == seat


# --- dice owed -----------------------------------------------------------------------------------------------------


def note_owed_die(s: State, buyer: int) -> None:
    """Record a die owed to the scripted seat when the player buys one on their own turn (S8, S10)."""
    rules = s.spec.solitaire
    assert rules is not None
    if (buyer ^ rules.seat) & 1 and s.active == buyer:
        bottom = s.stack[0] if s.stack else None
        if isinstance(bottom, SolitairePurchaseFrame):
            bottom.owed += 1
        else:
            s.stack.insert(0, SolitairePurchaseFrame(1))


# --- uses of Globals per step --------------------------------------------------------------------------------------

_USED, _ALLOWED = 3000, 4000  # second numbers of rows in State.turn_limits; neither seats nor dice


def note_use(s: State, ability: int, seat: int) -> None:
    """Record that the scripted seat used a Global or paid ability in this step (S21)."""
    if s.spec.solitaire is not None and s.spec.solitaire.seat == seat:
        s.turn_limits.append((ability, _USED + s.step))


def note_step(s: State, energies: int) -> None:
    """Record the uses allowed to the scripted seat in the step that begins: one per energy it has (S21)."""
    so_far = sum(uses(s).values())
    s.turn_limits = [x for x in s.turn_limits if x[1] != _ALLOWED + s.step]
    s.turn_limits.append((so_far + energies, _ALLOWED + s.step))


def uses(s: State) -> dict[int, int]:
    """Return the number of uses of each Global or paid ability by the scripted seat in this step."""
    counts: dict[int, int] = {}
    for ability, key in s.turn_limits:
        if key == _USED + s.step:
            counts[ability] = counts.get(ability, 0) + 1
    return counts


def uses_left(s: State) -> int:
    """Return the number of further uses the script allows in this step; always 1 outside solitaire games."""
    if s.spec.solitaire is None:
        return 1
    allowed = next((n for n, key in s.turn_limits if key == _ALLOWED + s.step), 0)
    return allowed - sum(uses(s).values())
