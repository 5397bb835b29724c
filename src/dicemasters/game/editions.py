"""The four editions of the rules: every difference between them, as a table of named switches."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the rules. Each field is a switch; the comment says what it decides."""

    key: str
    name: str
    year: int
    # set-up and draw
    winner_chooses_order: bool  # the winner of a random choice decides who goes first (3.0)
    first_turn_three_dice: bool  # first player draws 3 on turn 1, a fourth goes Out of Play (3.1c)
    missing_die_is_damage: bool  # a die short of four costs 1 damage, else 1 life (3.1b)
    missing_energy_until_pass: bool  # its generic energy ends with the first pass, else with the turn (3.1b)
    # energy
    virtual_generic: bool  # the unspent rest of a generic die stays until its owner passes (3.3a)
    half_spent_reroll: bool  # a half-spent die may still be rerolled (3.3a)
    batch_is_one_effect: bool  # several uses may be paid at once: one effect, one action (3.3e, f)
    # zones
    out_of_play: bool  # spent energy, used actions, unblocked attackers go Out of Play first (2.1)
    sent_dice_out_of_play: bool  # so does what an effect sends from one's own field or reserve (2.1b)
    fielding_takes_older_dice: bool  # when-fielded effects take only dice used before that fielding (2.1a)
    global_fetches_payment: bool  # a Global may fetch the very die that pays for it (2.1a, c)
    reserve_sidekick_is_character: bool  # a Sidekick on its character face in the reserve is one (1.2)
    unrolled_sidekick_is_character: bool  # a Sidekick in bag, Prep or Used Pile is one (1.2)
    # combat and end
    ko_before_reactions: bool  # damage KOs first, then effects of damage and KO in one batch (3.4d4, 5.8b)
    return_in_attack_step: bool  # survivors leave the attack zone when the attack step ends (3.4e)
    tie_possible: bool  # both at 0 at one moment is a tie, else the active player wins (4.2)
    # effects
    first_effect_is_cost: bool  # of two different effects in one text the first is a cost (5.1)
    targets_any_die: bool  # unless told otherwise dice in the field, not only characters, are targets (5.3a)
    bare_choice_targets: bool  # naming a number of dice targets without the word (5.3b)
    free_redirect: bool  # damage may be redirected to another sort: player or die (5.8d)
    hold_ends_when_leaving: bool  # a capture or control ends when the holder leaves, else when KO'd (5.13a, b)
    controlled_goes_home_from_anywhere: bool  # from any unrolled place, else from Prep and Used Pile (5.13b)
    controller_cannot_attack: bool  # the controlling die cannot attack meanwhile (5.13b)
    copy_printed_stats: bool  # printed numbers, else with what the burst gives (5.13c)
    copied_abilities_add: bool  # copied text is added, else it stands instead of the copier's own (5.13c)


_COLUMNS = ("avx", "uxm", "cw", "ai")
_NAMES = {
    "avx": ("Avengers vs. X-Men", 2014),
    "uxm": ("Uncanny X-Men", 2014),
    "cw": ("Civil War", 2016),
    "ai": ("Avengers Infinity", 2018),
}

# one row a switch: avx uxm cw ai
_TABLE = """
winner_chooses_order                no  no  yes yes
first_turn_three_dice               no  no  no  yes
missing_die_is_damage               yes no  no  no
missing_energy_until_pass           no  no  no  yes
virtual_generic                     no  no  no  yes
half_spent_reroll                   yes no  no  no
batch_is_one_effect                 yes yes yes no
out_of_play                         no  no  yes yes
sent_dice_out_of_play               no  no  no  yes
fielding_takes_older_dice           yes yes no  no
global_fetches_payment              yes yes no  no
reserve_sidekick_is_character       yes yes no  yes
unrolled_sidekick_is_character      yes yes no  no
ko_before_reactions                 yes yes yes no
return_in_attack_step               no  no  no  yes
tie_possible                        no  no  yes yes
first_effect_is_cost                no  no  yes no
targets_any_die                     no  yes no  no
bare_choice_targets                 no  no  no  yes
free_redirect                       yes yes yes no
hold_ends_when_leaving              no  no  no  yes
controlled_goes_home_from_anywhere  no  no  no  yes
controller_cannot_attack            yes yes yes no
copy_printed_stats                  no  no  no  yes
copied_abilities_add                no  no  no  yes
"""


def _read_table() -> dict[str, Edition]:
    rows = {line.split()[0]: line.split()[1:] for line in _TABLE.strip().splitlines()}
    editions = {}
    for i, key in enumerate(_COLUMNS):
        name, year = _NAMES[key]
        editions[key] = Edition(key, name, year, **{switch: row[i] == "yes" for switch, row in rows.items()})
    return editions


EDITIONS: dict[str, Edition] = _read_table()
DEFAULT_EDITION = "ai"
SWITCHES: tuple[str, ...] = tuple(f.name for f in fields(Edition) if f.name not in ("key", "name", "year"))
