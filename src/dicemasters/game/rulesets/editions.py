"""Editions of the rules as a table of named switches, and house rules that set single switches differently."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules of a game; each field after `changes` is a switch described in `SWITCHES`."""

    key: str
    name: str
    year: int
    changes: tuple[str, ...]  # texts of the house rules that differ from the published edition
    # set-up and draw
    winner_chooses_order: bool
    first_turn_three_dice: bool
    missing_die_is_damage: bool
    missing_energy_until_pass: bool
    # energy
    virtual_generic: bool
    half_spent_reroll: bool
    batch_is_one_effect: bool
    # zones
    out_of_play: bool
    sent_dice_out_of_play: bool
    fielding_takes_older_dice: bool
    global_fetches_payment: bool
    reserve_sidekick_is_character: bool
    unrolled_sidekick_is_character: bool
    # priority
    one_answer: bool
    # combat and end
    unblocked_leave_with_damage: bool
    ko_before_reactions: bool
    defence_read_last: bool
    effect_damage_kos_at_once: bool
    kod_dice_react: bool
    removed_blockers_count: bool
    return_in_attack_step: bool
    tie_possible: bool
    # effects
    opposing_is_controlled: bool
    starts_need_effect: bool
    effects_field: bool
    own_fielding_heard: bool
    use_heard_at_once: bool
    resistance_asks_for_ko: bool
    first_effect_is_cost: bool
    targets_any_die: bool
    bare_choice_targets: bool
    conditions_when_resolving: bool
    free_redirect: bool
    hold_ends_when_leaving: bool
    controlled_goes_home_from_anywhere: bool
    controller_cannot_attack: bool
    copy_printed_stats: bool
    copied_abilities_add: bool

    @property
    def text(self) -> str:
        """The key of the edition followed by its house rules, as written in positions and records."""
        return ", ".join((self.key, *self.changes))


@dataclass(frozen=True, slots=True)
class RuleSwitch:
    """One difference between rulesets: its values in avx, uxm, cw and ai, and both settings in words."""

    name: str
    values: tuple[bool, bool, bool, bool]
    rule: str  # its number in docs/rules.md
    yes: str  # name of the setting "on", as used in notation
    no: str
    on: str  # description of each setting, one sentence
    off: str

    @property
    def subject(self) -> str:
        """The group of switches this one is listed under, by its part of the rules."""
        subjects = [(prefix, subject) for subject, prefixes in _SUBJECTS.items() for prefix in prefixes]
        matches = [(len(prefix), subject) for prefix, subject in subjects if self.rule.startswith(prefix)]
        return max(matches)[1] if matches else SINGLE_CARDS

    def setting_text(self, on: bool) -> str:
        """Return the name of a setting, as used in notation."""
        return self.yes if on else self.no

    def sentence(self, on: bool) -> str:
        """Return the description of a setting."""
        return self.on if on else self.off


SINGLE_CARDS = "Single cards"
_SUBJECTS = {
    "Set-up and draw": ("3.0", "3.1"),
    "Energy, Globals and priority": ("3.2", "3.3"),
    "Dice and zones": ("1", "2"),
    "Attack step and end of the game": ("3.4", "3.5", "4"),
    "Effects and keywords": ("5", "6"),
}
SUBJECTS = (*_SUBJECTS, SINGLE_CARDS)

_COLUMNS = ("avx", "uxm", "cw", "ai")
_NAMES = {
    "avx": ("Avengers vs. X-Men", 2014),
    "uxm": ("Uncanny X-Men", 2014),
    "cw": ("Civil War", 2016),
    "ai": ("Avengers Infinity", 2018),
}

# Three lines per switch: its name, its values in avx, uxm, cw and ai, and its rule; then for yes and for no the name of the
# setting and its description.
_TABLE = """
winner_chooses_order no no yes yes 3.0a
  winner chooses: The winner of a random choice decides who goes first.
  chance decides: The random choice itself decides who goes first.
first_turn_three_dice no no no yes 3.1c1
  three dice first: On the first turn of the game, the first player rolls three dice, and a fourth goes Out of Play.
  four dice first: The first turn of the game begins with four dice, like every other turn.
missing_die_is_damage yes no no no 3.1b1
  missing dice damage: For each die short of four, the player takes 1 damage.
  missing dice cost life: Each die short of four costs 1 life, which is not damage.
missing_energy_until_pass no no no yes 3.1b3
  missing energy until the first pass: The energy for missing dice is lost when the active player first passes.
  missing energy for the turn: The energy for missing dice lasts until the end of the turn.
virtual_generic no no no yes 3.3a10
  virtual energy: The unspent energy of a generic die remains until its owner passes.
  no virtual energy: The unspent energy of a generic die is lost.
half_spent_reroll yes no no no 3.3a6
  half spent dice reroll: A half-spent die may still be rerolled by an effect.
  half spent dice stay: A half-spent die cannot be rerolled.
batch_is_one_effect yes yes yes no 3.3e6
  pay together: Several things may be paid for in one go; several uses of a Global are then one effect.
  pay one by one: Each thing is paid for and carried out separately.
out_of_play no no yes yes 2.1
  Out of Play: On your own turn, spent energy, used action dice and unblocked attackers go Out of Play first.
  no Out of Play: Spent energy, used action dice and unblocked attackers go to the Used Pile at once.
sent_dice_out_of_play no no no yes 2.1b3
  sent dice Out of Play: Dice that an effect sends from your field or reserve to the Used Pile on your turn go Out of Play first.
  sent dice to the Used Pile: Dice that an effect sends to the Used Pile go there at once.
fielding_takes_older_dice yes yes no no 2.1a2
  fielding takes older dice: A when-fielded effect can take only dice that were in the Used Pile before that fielding.
  fielding takes any dice: A when-fielded effect can take any die from the Used Pile.
global_fetches_payment yes yes no no 2.1a3
  Globals fetch their payment: A Global can take from the Used Pile the very die that pays for it.
  Globals leave their payment: A Global cannot take the die that pays for it.
reserve_sidekick_is_character yes yes no yes 1.2c
  reserve Sidekicks are characters: A Sidekick on its character face in the reserve is a character die.
  reserve Sidekicks are none: A Sidekick in the reserve is not a character die.
unrolled_sidekick_is_character yes yes no no 1.2d
  unrolled Sidekicks are characters: A Sidekick in the bag, the Prep Area or the Used Pile is a character die.
  unrolled Sidekicks are none: A Sidekick in the bag, the Prep Area or the Used Pile is not a character die.
one_answer yes yes yes yes 3.3f2
  one answer: When the active player passes, the other player may use one Global or ability; then priority goes back.
  free answers: When the active player passes, the other player may use any number of Globals and abilities in a row.
unblocked_leave_with_damage yes yes yes yes 3.4d3c
  unblocked leave with the damage: Unblocked attackers leave when their damage is dealt, before any reaction.
  unblocked stay until cleanup: Unblocked attackers stay in the field until cleanup.
ko_before_reactions yes yes yes no 3.4d4a
  KOs before reactions: Damage KOs dice first; then all reactions to the damage and to the KOs come together.
  reactions before KOs: Combat damage is followed by the reactions to it, then by the KOs, then by the reactions to the KOs.
defence_read_last no no no yes 3.4d4b
  D read last: Where reactions to damage come before the KOs, a die is KO'd only if its D is still too low after them.
  D read at once: A die that has taken lethal combat damage is KO'd, whatever the reactions to that damage do to its D.
effect_damage_kos_at_once yes yes yes yes 5.8b1
  effect damage KOs at once: Damage dealt by an effect KOs at once; then come the reactions to the damage and to the KOs.
  effect damage waits: Where reactions to damage come before the KOs, they do so for damage dealt by effects too.
kod_dice_react yes yes yes yes 3.4d5
  KO'd dice react: A die KO'd by damage still has its own when-damaged effects.
  KO'd dice are silent: A die KO'd by damage no longer has its own when-damaged effects.
removed_blockers_count yes yes yes yes 6.12d
  removed blockers count: For Overcrush, a blocker that has left in any way counts as KO'd.
  only KO'd blockers count: For Overcrush, a blocker that its attacker has not KO'd lets nothing through, wherever it has gone.
return_in_attack_step no no no yes 3.4e1
  home in the attack step: Survivors leave the Attack Zone as the last act of the attack step.
  home in cleanup: Survivors leave the Attack Zone as the first act of cleanup.
tie_possible no no yes yes 4.2a
  ties: If both players are at 0 life at the same moment, the game is a tie.
  no ties: If both players are at 0 life at the same moment, the active player wins.
opposing_is_controlled yes yes yes yes 5.2d
  controlled dice oppose: Opposing dice are the dice that the other player controls.
  owned dice oppose: Opposing dice are the dice that the other player owns or controls.
starts_need_effect yes yes yes yes 5.3c1
  nothing starts in vain: An action die, a Global or an ability can be used only if it has a target or something to affect.
  anything may start: An action die, a Global or an ability can be used even if it will do nothing.
effects_field yes yes yes yes 5.6a
  effects field: A die that an effect fields counts as fielded.
  only the reserve fields: Only a die that comes from the reserve counts as fielded.
own_fielding_heard yes yes yes yes 5.6f
  own fielding heard: A die that is fielded makes its card active in time for what the card says about fielding.
  own fielding not heard: What a card says about fielding applies to a die only if another die of the card was in the field before.
use_heard_at_once no no no no 3.3d5
  action dice heard at once: Which abilities react to the use of an action die is settled before its effect; the reactions come after it.
  action dice heard afterwards: Which abilities react to the use of an action die is settled after its effect.
resistance_asks_for_ko yes yes yes yes 6.14c
  Resistance asks for a KO: A character's Resistance ability works only if one of its player's characters was KO'd this turn.
  Resistance is a label: A Resistance ability works as its own words say.
first_effect_is_cost no no yes no 5.1d
  first effects are costs: Of two different effects in one text, the first is a cost, no matter whom it hurts.
  only harm is a cost: The first of two effects is a cost only if it hurts its user.
targets_any_die no yes no no 5.3a
  target any die: Unless a text says otherwise, any die in the field can be targeted.
  target characters: Unless a text says otherwise, only character dice in the field can be targeted.
bare_choice_targets no no no yes 5.3b
  naming dice targets: A text that names a number of dice targets them.
  only "target" targets: Only a text that says "target" targets.
conditions_when_resolving yes yes yes yes 5.7a6
  if read when resolving: Whether an "if" holds is checked when the effect is carried out.
  if read when triggered: Whether an "if" holds is checked when the effect is triggered.
free_redirect yes yes yes no 5.8d2
  redirect anywhere: Damage may be redirected to anything that the text allows.
  redirect to the same sort: Damage to a die goes only to dice, damage to a player only to players, and never to what cannot be targeted.
hold_ends_when_leaving no no no yes 5.13a1
  captors leaving frees: A capture or control ends when the captor or the controlling die leaves the field.
  captors' KO frees: A capture or control ends early only when the captor or the controlling die is KO'd.
controlled_goes_home_from_anywhere no no no yes 5.13b3
  controlled dice go home from anywhere: A controlled die goes to its owner's Prep Area whenever it comes to any unrolled zone.
  controlled dice go home from two places: A controlled die goes to its owner's Prep Area whenever it comes to the Prep Area or the Used Pile.
controller_cannot_attack yes yes yes no 5.13b5
  controllers stay home: A die that controls another die cannot attack meanwhile.
  controllers attack: A die that controls another die may attack.
copy_printed_stats no no no yes 5.13c2
  copies have printed numbers: A copier has the numbers printed for the level of the die it copies.
  copies have the burst's numbers: A copier has the numbers of the die it copies, including what that die's burst gives.
copied_abilities_add no no no yes 5.13c4
  copied text adds: A copied text is added to the copier's own.
  copied text replaces: A copied text replaces the copier's own.
"""


def _read_switches() -> dict[str, RuleSwitch]:
    lines = _TABLE.strip().splitlines()
    switches = {}
    for header, yes, no in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        name, *values, rule = header.split()
        avx, uxm, cw, ai = (value == "yes" for value in values)
        on_words, _, on = yes.strip().partition(": ")
        off_words, _, off = no.strip().partition(": ")
        switches[name] = RuleSwitch(name, (avx, uxm, cw, ai), rule, on_words, off_words, on, off)
    return switches


SWITCHES: dict[str, RuleSwitch] = _read_switches()


def _read_editions() -> dict[str, Edition]:
    editions = {}
    for i, key in enumerate(_COLUMNS):
        name, year = _NAMES[key]
        editions[key] = Edition(key, name, year, (), **{s.name: s.values[i] for s in SWITCHES.values()})
    return editions


EDITIONS: dict[str, Edition] = _read_editions()
DEFAULT_EDITION = "ai"
assert tuple(SWITCHES) == tuple(f.name for f in fields(Edition))[4:]


def with_house_rules(edition: Edition, words: Iterable[str]) -> Edition:
    """Return the edition with house rules, which are named as in `RuleSwitch.yes` and `RuleSwitch.no`.

    Raise a ValueError for an unknown house rule and for two that exclude each other.
    """
    settings: dict[str, bool] = {}
    for word in words:
        if normalize_words(word) not in _SETTINGS:
            raise ValueError(_unknown_rule_message(word))
        switch, on = _SETTINGS[normalize_words(word)]
        if settings.get(switch.name, on) != on:
            raise ValueError(f"'{switch.yes}' and '{switch.no}' exclude each other")
        settings[switch.name] = on
    result = replace(edition, **settings)  # type: ignore[arg-type]
    return replace(result, changes=tuple(s.setting_text(getattr(result, s.name)) for s in house_rules_of(result)))


def house_rules_of(edition: Edition) -> list[RuleSwitch]:
    """Return the switches that house rules set differently from the published edition."""
    base = EDITIONS[edition.key]
    return [s for s in SWITCHES.values() if getattr(edition, s.name) != getattr(base, s.name)]


def parse_edition(text: str) -> Edition:
    """Return the edition named by a text: `avx`, or with house rules `avx, unblocked stay until cleanup`.

    Raise a ValueError for an unknown edition or house rule.
    """
    key, *house_rules = (part.strip() for part in text.split(","))
    if normalize_words(key) in _SETTINGS:
        raise ValueError(f"'{key}' is a house rule, and an edition comes before it, as in '{DEFAULT_EDITION}, {key}'")
    if key.casefold() not in EDITIONS:
        raise ValueError(f"there is no edition '{key[:60]}'; there are {', '.join(EDITIONS)}")
    return with_house_rules(EDITIONS[key.casefold()], house_rules)


def normalize_words(words: str) -> str:
    """Return words in the form in which they are compared, ignoring case, quotation marks, dashes and extra spaces."""
    return " ".join(words.casefold().translate(_SIGNS).split())


_SIGNS = str.maketrans({"-": " ", "’": "'", '"': None, "“": None, "”": None})
_SETTINGS = {normalize_words(s.setting_text(on)): (s, on) for s in SWITCHES.values() for on in (True, False)}


def _unknown_rule_message(word: str) -> str:
    """Return an error message for an unknown house rule, with similar ones as suggestions."""
    wanted = normalize_words(word)[:80]
    candidates = [words for words in _SETTINGS if wanted in words] if wanted else []
    candidates += [words for words in difflib.get_close_matches(wanted, _SETTINGS, 3, 0.5) if words not in candidates]
    suggestions = [f"'{switch.setting_text(on)}'" for switch, on in (_SETTINGS[words] for words in candidates[:3])]
    hint = f"did you mean {' or '.join(suggestions)}?" if suggestions else "dicemasters editions lists them all"
    return f"there is no house rule '{word.strip()[:60]}'; {hint}"
