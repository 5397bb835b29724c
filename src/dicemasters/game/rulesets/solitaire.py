"""The solitaire game: a seat played by a script, and the dice it gets whenever the player buys (docs/scripted-opponent.md).

What the script's seat gets is a rule of the game and not a decision, so it is here. How it decides is in
`players/scripted`.
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

AFTER, MIXED, NEVER = "after", "mixed", "never"  # when the basic actions are bought (S4)


@dataclass(frozen=True, slots=True)
class SolitaireRules:
    """Which seat is scripted, and the readings of what the script leaves open; as made here, the usual ones."""

    seat: int = 1
    basics: str = AFTER  # S4: after its own row, among it by cost, or never
    one_of_each: bool = False  # S5: one die of each card in turn; else it empties one card after the other
    dearest_first: bool = False  # S5: begins with its dearest card
    keeps_energy: bool = False  # S12: does not reroll the energy that fielding its characters needs
    every_act: bool = False  # S15: in its main step everything that is legal is suitable
    tricks_wait: bool = False  # S15: what is for combat waits for it, also when nobody will attack
    hurts_itself: bool = False  # S17: in its main step it also does what only hurts itself
    spares_itself: bool = False  # S17: in the attack step it does not do what only hurts itself either
    fields_by_purchase: bool = False  # S18: the dearest to be fielded is the dearest to be bought
    answers_in_main: bool = False  # S37: uses Globals in the player's main step too
    half_life: bool = False  # S2: it begins with half the player's life, rounded up
    life: int = 0  # S2: it begins with this life, if it is less; 0: the same as the player's


class ScriptVariant(NamedTuple):
    """Another reading of an open point: the words that ask for it, the rule it is about, and what it means."""

    text: str
    rule: str
    name: str  # of the field in `SolitaireRules`
    value: bool | str
    about: str

    @property
    def point(self) -> str:
        """What it is about: of one point there can be only one reading."""
        return _SHARED_POINTS.get(self.name, self.name)


_SHARED_POINTS: Final = {"tricks_wait": "every_act"}  # nothing waits where everything is done

SCRIPT_VARIANTS: Final = (  # unsaid, the usual reading holds
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
    """Say in which readings a solitaire game differs from the usual ones."""
    texts = [variant.text for variant in SCRIPT_VARIANTS if getattr(rules, variant.name) == variant.value]
    return [*texts, f"life {rules.life}"] if rules.life else texts


def parse_variants(seat: int, words: list[str]) -> SolitaireRules:
    """Make a solitaire game from what `variant_texts` says; a ValueError names what is unknown or excludes something."""
    values: dict[str, object] = {}
    chosen: dict[str, str] = {}  # on each point
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
    """Say that there is no such reading, and which is near, or which there are."""
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
    """Give the sentence of a reading."""
    variant = _VARIANTS_BY_TEXT.get(normalize_words(text))
    return variant.about if variant else f"It begins with {text[5:]} life, at most yours."


SOLITAIRE_EDITION: Final = "avx"  # the game its manual describes is that of 2014

EASY, NORMAL, HARD = "easy", "normal", "hard"
DIFFICULTIES: Final = (EASY, NORMAL, HARD)


def difficulty(name: str, rules: SolitaireRules | None = None) -> SolitaireRules:
    """Make a solitaire game of that difficulty; normal is the script as it stands."""
    result = rules or SolitaireRules()
    if name == EASY:
        return replace(result, half_life=True)
    return replace(result, one_of_each=True) if name == HARD else result


# --- rows ----------------------------------------------------------------------------------------------------------


def row(spec: GameSpec, owner: int) -> list[int]:
    """List the cards of a seat, or with -1 the basic actions, from the cheapest; then by title and subtitle (S3)."""
    cards = [c for c in range(spec.n_seats, spec.n_real_cards) if spec.owner_of_card[c] == owner]
    return sorted_row(spec, cards)


def sorted_row(spec: GameSpec, cards: list[int]) -> list[int]:
    """Sort cards as they lie in a row."""
    return sorted(cards, key=lambda c: (spec.cards[c].cost, spec.cards[c].title, spec.cards[c].subtitle))


def purchase_order(spec: GameSpec, rules: SolitaireRules) -> list[list[int]]:
    """List the cards the script's seat buys from, in order; a later list only when the earlier have no dice (S4, S5)."""
    own_row, basics = row(spec, rules.seat), row(spec, -1)
    rows = [own_row, basics] if rules.basics == AFTER else [own_row]
    if rules.basics == MIXED:
        rows = [sorted_row(spec, [*own_row, *basics])]
    return [cards[::-1] if rules.dearest_first else cards for cards in rows]


def next_die(s: State) -> int:
    """Give the die the script's seat gets next, or -1 if there is none left for it."""
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
    """Note a die for the script's seat when the player buys one on their own turn (S8, S10)."""
    rules = s.spec.solitaire
    assert rules is not None
    if (buyer ^ rules.seat) & 1 and s.active == buyer:
        bottom = s.stack[0] if s.stack else None
        if isinstance(bottom, SolitairePurchaseFrame):
            bottom.owed += 1
        else:
            s.stack.insert(0, SolitairePurchaseFrame(1))


# --- how often Globals were used in a step (S21) -------------------------------------------------------------------

_USED, _ALLOWED = 3000, 4000  # beside the limits of a turn in State.turn_limits: neither seats nor dice


def note_use(s: State, ability: int, seat: int) -> None:
    """Note that the script's seat used a Global or paid ability in this step."""
    if s.spec.solitaire is not None and s.spec.solitaire.seat == seat:
        s.turn_limits.append((ability, _USED + s.step))


def note_step(s: State, energies: int) -> None:
    """Note how many uses the script's seat may make in the step that begins: one for each energy it has."""
    so_far = sum(uses(s).values())
    s.turn_limits = [x for x in s.turn_limits if x[1] != _ALLOWED + s.step]
    s.turn_limits.append((so_far + energies, _ALLOWED + s.step))


def uses(s: State) -> dict[int, int]:
    """Give how often the script's seat has used each Global or paid ability in this step."""
    counts: dict[int, int] = {}
    for ability, key in s.turn_limits:
        if key == _USED + s.step:
            counts[ability] = counts.get(ability, 0) + 1
    return counts


def uses_left(s: State) -> int:
    """Give how many more uses the script allows in this step; without a solitaire set-up nothing is counted."""
    if s.spec.solitaire is None:
        return 1
    allowed = next((n for n, key in s.turn_limits if key == _ALLOWED + s.step), 0)
    return allowed - sum(uses(s).values())
