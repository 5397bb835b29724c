"""Every mechanism of the engine, tested with home-made cards in all four editions unless a test names others."""

from __future__ import annotations

import pytest
from tests.support.homemade_cards import CATALOGUE

from dicemasters.game import Game
from dicemasters.game.mechanics import holding
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.scenarios.scenario import check
from dicemasters.game.state.constants import BAG, FIELD, OUT_OF_PLAY, PREP
from dicemasters.game.state.values import NOBODY

ALL = "avx uxm cw ai"


def plays(position: str, play: str, editions: str = ALL) -> Game:
    """Play and check the position in each of these editions. Return the last game."""
    for edition in editions.split():
        game = check(f"scenario: {edition}\nedition: {edition}\n{position}\nplay:\n{play}", CATALOGUE)
    return game


def outcome_lines(game: Game) -> list[str]:
    """Return the log lines of outcomes, without choices, draws and rolls."""
    return [
        line.strip() for line in game.log if line.startswith(" ") and " shows " not in line and " draws " not in line
    ]


# --- Fast ----------------------------------------------------------------------------------------------------------


def test_fast_deals_damage_first_and_its_kod_blockers_deal_none() -> None:
    position = """
        team A: Runner; Dart
        team B: Dart
        A field: Runner@1, Dart@2
        B field: 2 Dart@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Runner@1; attack
        B: block Runner@1 with Dart@1; done blocking
        A: pass
        expect A field: Runner@1, Dart@2
        expect B field: Dart@1
        expect happened not: damage to Runner
    """
    plays(position, play)
    without = "A: attack with Dart@2\nB: block Dart@2 with Dart@1; done blocking\nA: pass\nexpect A field: Runner@1"
    plays(position, without)


def test_unblocked_fast_attackers_leave_before_normal_damage() -> None:
    position = """
        team A: Runner; Dart
        team B: Witness
        A field: Runner@1, Dart@1
        B field: Witness@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Runner@1; attack with Dart@1
        B: no block
        A: pass
        expect decision: B may
        expect B life: 17
        expect A field: Dart@1 (attacking)
        B: no
        expect decision: B may
        expect B life: 14
        expect A field: nothing
    """
    plays(position, play)


# --- Overcrush (rules 6.12) ----------------------------------------------------------------------------------------

CRUSH = """
    basics: Zap
    team A: Crusher; Giant
    team B: Scout; Rock; Anvil; Crusher
"""


def test_overcrush_sends_excess_damage_past_a_single_blocker() -> None:
    position = CRUSH + "A field: Crusher@1*\nB field: Sidekick\nturn: 3, A, declare"
    plays(position, "A: attack with Crusher\nB: block Crusher@1* with Sidekick\nA: pass\nexpect B life: 15")
    plain = position.replace("A field: Crusher@1*", "A field: Giant@1*")
    plays(plain, "A: attack with Giant\nB: block Giant@1* with Sidekick\nA: pass\nexpect B life: 20")


def test_overcrush_must_assign_lethal_damage_to_every_blocker_first() -> None:
    position = CRUSH + "A field: Crusher@3\nB field: Scout@1, Rock@1\nturn: 3, A, declare"
    blocked = "A: attack with Crusher\nB: block Crusher@3 with Scout@1; block Crusher@3 with Rock@1\nA: pass\n"
    enough = blocked + "A: 2 to B's Scout@1\nmay only: 4 to B's Rock@1; 5 to B's Rock@1; 6 to B's Rock@1\n"
    plays(position, enough + "A: 4 to B's Rock@1\nexpect B life: 18\nexpect B field: nothing")
    # one blocker survives: the rest must be assigned to the other, and nothing goes through
    plays(position, blocked + "A: 1 to B's Scout@1\nexpect B life: 20\nexpect B field: Scout@1")


def test_overcrush_counts_existing_damage_of_a_blocker() -> None:
    position = CRUSH + "A field: Crusher@1*\nB field: Rock@1 (3 damage)\nturn: 3, A, declare"
    plays(position, "A: attack with Crusher\nB: block Crusher@1* with Rock@1\nA: pass\nexpect B life: 15")


def test_overcrush_without_remaining_blockers_deals_all_and_stays_blocked() -> None:
    position = CRUSH + "A reserve: Zap!\nA field: Crusher@1*\nB field: Scout@1\nturn: 3, A, declare"
    play = "A: attack with Crusher\nB: block Crusher@1* with Scout@1\nA: use Zap; choose B's Scout@1; pass\n"
    plays(position, play + "expect B life: 14\nexpect A field: Crusher@1*")
    plain = position.replace("A field: Crusher@1*", "A field: Giant@1*")
    plays(plain, play.replace("Crusher", "Giant") + "expect B life: 20\nexpect A field: Giant@1*")


def test_overcrush_applies_only_to_attackers() -> None:
    position = CRUSH + "A field: Giant@1*\nB field: Crusher@3\nturn: 3, A, declare"
    plays(position, "A: attack with Giant\nB: block Giant@1* with Crusher@3\nA: pass\nexpect A life: 20")


def test_overcrush_does_not_pass_a_blocker_that_survives() -> None:
    position = CRUSH + "A field: Crusher@3\nB field: Anvil@1\nturn: 3, A, declare"
    play = (
        "A: attack with Crusher\nB: block Crusher@3 with Anvil@1\nA: pass\nexpect B life: 20\nexpect B field: Anvil@1"
    )
    plays(position, play)


# --- Iron Will (rules 6.11) ----------------------------------------------------------------------------------------

WILL = """
    basics: Smite; Wither; Zap
    team A: Scout; Dart
    team B: Anvil; Dart
    B field: Anvil@1
    turn: 3, A, main
"""


def test_iron_will_survives_a_first_hit_of_any_size_but_not_a_second() -> None:
    first = "A: use Smite!\nexpect B field: Anvil@1 (9 damage)\n"
    plays(WILL + "A reserve: 2 Smite!", first + "A: use Smite!\nexpect B prep: Anvil")


def test_damaged_iron_will_is_kod_when_its_defence_drops() -> None:
    first = "A: use Smite!\nexpect B field: Anvil@1 (9 damage)\n"
    plays(WILL + "A reserve: Smite!, Wither!", first + "A: use Wither!\nexpect B prep: Anvil")
    plays(WILL + "A reserve: Zap!, Wither!", "A: use Zap!\nA: use Wither!\nexpect B prep: Anvil")
    alone = "A: use Wither!; use Wither!; use Wither!\nexpect B's Anvil@1: 3/0\nexpect B field: Anvil@1"
    plays(WILL + "A reserve: 3 Wither!", alone)


def test_ko_effect_kos_iron_will_only_if_damaged() -> None:
    plays(WILL + "A reserve: M", "may not: Global of Smite")
    plays(WILL.replace("Anvil@1", "Anvil@1, Sidekick") + "A reserve: M", "A: Global of Smite\nexpect B field: Anvil@1")
    plays(WILL + "A reserve: M, Zap!", "A: use Zap!\nA: Global of Smite\nexpect B prep: Anvil")


def test_iron_will_is_kod_by_simultaneous_damage_from_several_sources() -> None:
    position = """
        team A: Anvil
        team B: Dart; Giant
        A field: Anvil@1
        B field: 2 Dart@1, Giant@1*
        turn: 3, A, declare
    """
    two = "B: block Anvil@1 with Dart@1; block Anvil@1 with Dart@1; done blocking\nA: pass; 3 to B's Dart@1\n"
    plays(position, "A: attack with Anvil\n" + two + "expect A prep: Anvil")
    plays(position, "A: attack with Anvil\nB: block Anvil@1 with Giant@1*\nA: pass\nexpect A field: Anvil@1")


# --- keywords on fielding, buying, using ---------------------------------------------------------------------------


def test_ally_counts_as_a_sidekick_only_in_the_field() -> None:
    position = """
        team A: Wisp; Angel: Air Transport
        team B: Squire
        A field: Wisp@1
        B field: Squire@1
        turn: 3, A, declare
    """
    plays(position, "A: attack with Wisp\nexpect decision: A fight")
    own = """
        team A: Squire; Angel: Air Transport
        A reserve: Angel@1
        A used: Squire
        turn: 3, A, main
    """
    plays(own, "A: field Angel\nexpect decision: A main")
    plays(own.replace("A used: Squire", "A used: Sidekick"), "A: field Angel\nexpect decision: A may")


def test_intimidated_die_returns_at_end_of_turn_without_being_fielded() -> None:
    position = """
        team A: Bully
        team B: Scout; Greeter
        B life: 10
        A reserve: Bully@1
        B field: Scout@2 (1 damage, +2A +2D), Greeter@1
        turn: 3, A, main
    """
    play = """
        A: field Bully
        may only: choose B's Scout@2; choose B's Greeter@1
        A: choose B's Scout@2
        expect B field: Greeter@1
        expect B held: Scout
        A: pass; no attack
        expect B field: Greeter@1, Scout@2 (no damage)
        expect B's Scout@2: 3/3
        expect B life: 10
    """
    plays(position, play)


def test_continuous_die_stays_and_is_usable_whenever_a_global_is() -> None:
    position = """
        team A: Banner; Tuner
        A life: 10
        A reserve: Banner!
        A field: Tuner@1
        turn: 3, A, main
    """
    use = "A: use Banner!; choose player B\nexpect A field: Banner!, Tuner@1\nexpect B life: 19\n"
    now = "may: ability of Banner!\nA: ability of Banner!\nexpect A life: 11\nexpect B life: 19\n"
    plays(position, use + now + "expect A field: Tuner@1")
    later = """
        A: pass; no attack
        B: keep all
        expect A field: Banner!, Tuner@1
        B: pass
        may only: ability of Banner!; pass
        A: ability of Banner!
        expect A life: 11
        expect A used: Banner
        expect decision: B main
    """
    plays(position, use + later)


def test_opponent_can_stop_enlistment_by_a_ko_of_their_own() -> None:
    position = """
        basics: Draft
        A reserve: Draft!
        B field: Sidekick
        turn: 3, A, main
    """
    plays(position, "A: use Draft!\nB: yes\nexpect B prep: Sidekick\nexpect A prep: nothing")
    plays(position, "A: use Draft!\nB: no\nexpect B field: Sidekick\nexpect A prep: Sidekick")
    plays(position.replace("B field: Sidekick", ""), "A: use Draft!\nexpect A prep: Sidekick")


def test_resistance_applies_once_however_many_characters_were_kod() -> None:
    position = """
        basics: Zap
        team A: Stubborn
        A reserve: 2 Zap!
        A field: Stubborn@2, 2 Sidekick
        turn: 3, A, main
    """
    play = """
        expect A's Stubborn@2: 2/3
        A: use Zap!; choose A's Sidekick
        expect A's Stubborn@2: 4/5
        A: use Zap!; choose A's Sidekick
        expect A's Stubborn@2: 4/5
        A: pass; no attack
        expect A's Stubborn@2: 2/3
    """
    plays(position, play)


def test_suit_up_kos_a_named_die_and_moves_in_the_bought_one_unfielded() -> None:
    position = """
        team A: Armour; Scout; Greeter
        A life: 10
        A reserve: S
        A field: Scout@1, Greeter@1
        turn: 3, A, main
    """
    play = "A: buy Armour; yes\nexpect A prep: Scout\n"
    plays(
        position,
        play + "A: yes\nexpect A field: Armour@2, Greeter@1\nexpect A life: 10\nexpect A used: Sidekick",
        "avx uxm",
    )
    plays(position, play + "A: yes\nexpect A field: Armour@2, Greeter@1\nexpect A life: 10", "cw ai")
    plays(position, play + "A: no\nexpect A used has: Armour\nexpect A field: Greeter@1")
    plays(position, "A: buy Armour; no\nexpect A used has: Armour\nexpect A field: Scout@1, Greeter@1")
    plays(position.replace("Scout@1, ", ""), "A: buy Armour\nexpect decision: A main\nexpect A used has: Armour")


def test_attune_triggers_once_per_card_for_each_action_die() -> None:
    position = """
        basics: Feast
        team A: Tuner
        A life: 10
        A reserve: 2 Feast!
        A field: 2 Tuner@2
        turn: 3, A, main
    """
    once = "A: use Feast!; choose player B\nexpect B life: 19\nexpect decision: A main\n"
    plays(position, once + "A: use Feast!; choose A's Tuner@2\nexpect A field: Tuner@2 (1 damage), Tuner@2 (no damage)")


def test_amplify_spins_each_die_up() -> None:
    position = """
        basics: Feast
        team A: Riser
        A life: 10
        A reserve: 2 Feast!
        A field: Riser@1, Riser@2
        turn: 3, A, main
    """
    plays(position, "A: use Feast!; resolve Riser (A's Riser@1*)\nexpect A field: Riser@2, Riser@3")


def test_deadly_kos_engaged_characters_at_end_of_turn() -> None:
    position = """
        team A: Rock; Scout
        team B: Viper
        A field: Rock@1, Scout@1
        B field: Viper@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Rock@1; attack with Scout@1
        B: block Rock@1 with Viper@1
        A: pass
        expect A field: nothing
        expect A prep: Rock
        expect A used: Scout
    """
    plays(position, play)


def test_impulse_triggers_on_purchase_and_can_put_the_die_into_the_bag() -> None:
    position = "team A: Hasty\nA reserve: B\nturn: 3, A, main\n"
    plays(position, "A: buy Hasty\nexpect decision: A may\nA: yes\nexpect A bag has: Hasty")
    plays(position, "A: buy Hasty; no\nexpect A used has: Hasty")


# --- pairing up (rules 5.14) ---------------------------------------------------------------------------------------

PAIR = """
    basics: Zap
    team A: Hero; Saint; Martyr
    A life: 10
"""


def test_partners_both_have_both_benefits() -> None:
    position = PAIR + "A reserve: Hero@1\nA field: Saint@2\nturn: 3, A, main"
    play = """
        expect A's Saint@2: 2/3
        A: field Hero; yes
        expect A's Saint@2: 4/3
        expect A's Hero@1: 4/2
        A: pass
        A: attack with Hero@1; attack with Saint@2
        A: resolve Saint for A's Hero@1
        expect decision: A fight
        expect A life: 12
    """
    plays(position, play)
    plays(position, "A: field Hero; no\nexpect A's Saint@2: 2/3\nexpect A's Hero@1: 2/2")


def test_dice_of_one_card_never_pair_but_each_can_have_a_partner() -> None:
    plays(PAIR + "A reserve: Hero@1\nA field: Hero@1\nturn: 3, A, main", "A: field Hero\nexpect decision: A main")
    position = PAIR + "A reserve: 2 Hero@1\nA field: Saint@2, Martyr@1\nturn: 3, A, main"
    play = """
        A: field Hero; yes; choose A's Saint@2
        A: field Hero; yes; choose A's Martyr@1
        expect A's Hero@1: 4/2
        expect A's Martyr@1: 6/4
        expect A's Saint@2: 4/3
    """
    plays(position, play)


def test_new_pairing_breaks_the_old_one() -> None:
    position = PAIR + "A reserve: Hero@1, Martyr@1, F\nA field: Saint@2\nturn: 3, A, main"
    play = """
        A: field Hero; yes
        A: field Martyr; yes; choose A's Saint@2
        expect A's Hero@1: 2/2
        expect A's Saint@2: 2/3
    """
    plays(position, play)


def test_pairing_ends_when_one_partner_leaves_the_field() -> None:
    position = PAIR + "A reserve: Hero@1, Zap!\nA field: Saint@2\nturn: 3, A, main"
    plays(position, "A: field Hero; yes; use Zap; choose A's Saint@2\nexpect A's Hero@1: 2/2")


def test_pairing_lasts_until_its_players_next_turn() -> None:
    position = PAIR + "A reserve: Hero@1\nA field: Saint@2\nturn: 3, A, main"
    play = """
        A: field Hero; yes; pass; no attack
        expect decision: B reroll
        expect A's Hero@1: 4/2
        skip to: A reroll
        expect A's Hero@1: 2/2
    """
    plays(position, play)


def test_only_fielded_dice_pair_up() -> None:
    position = """
        basics: Relay
        team A: Hero; Saint; Scout
        A reserve: Relay!
        A field: Saint@2, Scout@1
        A used: Hero
        turn: 3, A, main
    """
    play = "A: use Relay; choose A's Scout@1\nexpect decision: A main\nexpect A field: Saint@2, Hero@1\n"
    plays(position, play + "expect A's Hero@1: 2/2")


# --- capture, control, copy, swap, tokens (rules 5.13) -------------------------------------------------------------


def test_captured_die_is_absent_until_it_returns_at_its_level() -> None:
    position = """
        basics: Sweep
        team A: Jailer
        team B: Scout; Greeter; Rock
        B life: 10
        A reserve: 2 Jailer@2, Sweep!
        B field: Scout@2 (1 damage), Greeter@1, Rock@1
        turn: 3, A, main
    """
    play = """
        A: field Jailer; choose B's Scout@2
        A: field Jailer; choose B's Rock@1
        expect B field: Greeter@1
        expect B held: Scout, Rock
        A: use Sweep
        expect B field: nothing
        A: pass; no attack
        expect B field: Scout@2 (no damage), Rock@1 (no damage)
        expect B life: 10
    """
    plays(position, play)


def test_controlled_die_fights_for_its_controller_and_returns_at_end_of_turn() -> None:
    position = """
        team A: Piper
        team B: Crusher; Scout
        A reserve: Piper@1
        B field: Crusher@1*, Scout@1
        turn: 3, A, main
    """
    play = """
        A: field Piper; choose B's Crusher@1*
        expect A field: Piper@1, B's Crusher@1*
        A: pass; attack with Crusher@1*
        skip to: B block
        B: block Crusher@1* with Scout@1
        A: pass
        expect B life: 16
        expect B field: Crusher@1*
        expect A field: Piper@1
    """
    plays(position, play)


def test_unblocked_controlled_attacker_goes_to_its_owners_prep_area() -> None:
    position = """
        team A: Piper
        team B: Crusher
        A reserve: Piper@1
        B field: Crusher@1*
        turn: 3, A, main
    """
    play = """
        A: field Piper; pass; attack with Crusher@1*
        skip to: A fight
        A: pass
        expect B life: 14
        expect A used: nothing
        expect B field: nothing
    """
    game = plays(position, play)
    crusher = next(d for d in range(game.table.n_dice) if game.table.cards[game.table.card_of[d]].title == "Crusher")
    assert game.state.place[crusher] == PREP * 4 + 1


def test_kod_controlled_die_goes_to_its_owners_prep_area() -> None:
    position = """
        basics: Smite
        team A: Piper
        team B: Rock
        A reserve: Piper@1, Smite!
        B field: Rock@1
        turn: 3, A, main
    """
    plays(position, "A: field Piper; use Smite; choose B's Rock@1\nexpect B prep: Rock\nexpect A prep: nothing")


def test_captured_controlled_die_returns_to_its_owner() -> None:
    position = """
        team A: Piper
        team B: Rock; Jailer
        A reserve: Piper@1
        B field: Rock@1
        turn: 3, A, main
    """
    game = plays(position, "A: field Piper\nexpect A field: Piper@1, B's Rock@1", "ai")
    rock = next(d for d in game.state.dice_in(FIELD, 0) if game.state.owner[d] == 1)
    holding.detain(game.state, "capture", rock, NOBODY, "end of turn")
    game.play("pass")
    game.play("no attack")
    assert game.state.place[rock] == FIELD * 4 + 1


def test_copied_stats_exclude_bonuses_and_keep_those_of_the_copier() -> None:
    position = """
        team A: Shifter
        team B: Rock
        A reserve: M
        A field: Shifter@2 (+1A +2D)
        B field: Rock@3 (+5A +5D)
        turn: 3, A, main
    """
    plays(position, "A: ability of Shifter\nexpect A's Shifter@2: 9/9", "ai")  # Rock@3 is 8/7, +1/+2


def test_full_copy_has_card_stats_and_keywords_until_end_of_turn() -> None:
    position = """
        basics: Focus Power
        team A: Double
        team B: Crusher
        A reserve: Double@1*, Focus Power!
        B field: Crusher@3
        turn: 3, A, main
    """
    play = """
        A: field Double
        expect A's Double@1*: 6/5
        A: use Focus Power; spin A's Double@1* up
        expect A's Double@2: 7/7
    """
    game = plays(position, play)
    s = game.state
    double = s.dice_in(FIELD, 0)[0]
    assert characteristics.has_keyword(s, double, "Overcrush")
    assert s.spec.cards[die_identity.effective_card(s, double)].title == "Crusher"
    game.play("pass")
    game.play("no attack")
    assert characteristics.current_stats(game.state, double) == (2, 3)


def test_swapped_dice_exchange_places_without_fielding() -> None:
    position = """
        basics: Relay
        team A: Scout; Rock; Greeter
        A life: 10
        A reserve: Relay!
        A field: Scout@2, Greeter@1
        A used: Rock
        turn: 3, A, main
    """
    play = "A: use Relay; choose A's Scout@2\nexpect A field: Rock@1, Greeter@1\nexpect A used has: Scout\n"
    plays(position, play + "expect A life: 10")


def test_swapped_in_die_takes_over_the_attack() -> None:
    position = """
        basics: Trade
        team A: Scout
        team B: Dart
        A reserve: Trade!
        A field: Scout@1, Sidekick
        B field: Dart@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Scout@1
        B: block Scout@1 with Dart@1
        A: use Trade
        expect A field: Scout@1 (not attacking), Sidekick (attacking)
        A: pass
        expect A field: Scout@1
        expect B field: nothing
    """
    plays(position, play)


def test_tokens_stay_at_level_1_and_vanish_when_they_leave_the_field() -> None:
    position = """
        basics: Decoy; Field Promotion; Zap
        team A: Scout
        A reserve: Decoy!, Field Promotion!, Zap!
        A field: Scout@1
        turn: 3, A, main
    """
    play = """
        A: use Decoy
        expect A's Dummy@1: 1/2
        A: use Field Promotion
        expect A's Dummy@1: 1/2
        expect A field has: Scout@2
        A: use Zap; choose A's Dummy@1
        expect A field: Scout@2
        expect A prep: nothing
    """
    plays(position, play)


# --- replacing, preventing and redirecting -------------------------------------------------------------------------


def test_reactive_global_can_be_paid_once_for_each_damaged_die() -> None:
    position = """
        basics: Guard; Sweep
        team A: Scout; Dart
        A reserve: Sweep!, 4 S
        A field: Scout@1, Dart@1
        turn: 3, A, main
    """
    play = """
        A: use Sweep
        expect decision: A may
        A: yes
        expect decision: A may
        A: yes
        expect decision: A main
        expect A field: Scout@1 (no damage), Dart@1 (no damage)
        expect A reserve: 2 S
    """
    plays(position, play)


def test_reactive_global_is_never_paid_twice_for_one_die() -> None:
    position = """
        basics: Guard
        team A: Rock
        team B: Scout
        A reserve: 3 S
        A field: Rock@1
        B field: 2 Scout@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Rock@1
        B: block Rock@1 with Scout@1; block Rock@1 with Scout@1
        A: pass; 2 to B's Scout@1
    """
    # offered for the hits on the Scouts and for each hit on Rock, but not again once it was used for Rock
    done = "expect A reserve: 2 S\nexpect A field: Rock@1\nexpect B field: nothing"
    plays(position, play + "A: no; no; yes\n" + done)
    plays(position, play + "A: no; no; no; yes\n" + done)


def test_damage_is_reduced_and_partly_prevented() -> None:
    position = """
        basics: Zap; Nudge
        team A: Padded; Saviour; Watcher
        A life: 10
        A reserve: 2 Zap!, Nudge!
        A field: Padded@1, Saviour@1, Watcher@1
        turn: 3, A, main
    """
    plays(position, "A: use Zap!; choose A's Padded@1\nexpect A field has: Padded@1 (3 damage)\nexpect A life: 11")
    plays(position, "A: use Zap!; choose A's Saviour@1\nexpect A field has: Saviour@1 (2 damage)\nexpect A life: 11")
    # fully prevented damage never happened, so nothing reacts
    plays(position, "A: use Nudge!; choose A's Saviour@1\nexpect A field has: Saviour@1 (no damage)\nexpect A life: 10")


def test_each_ability_redirects_the_same_damage_only_once() -> None:
    position = """
        basics: Blast
        team A: Shield
        team B: Shield
        A reserve: Blast!
        A field: Shield@1
        B field: Shield@1
        turn: 3, A, main
    """
    # A's damage goes to B and back to A, B's damage to A and back to B: each Shield redirects each of them once
    chosen = """
        A: use Blast; yes; choose player B
        B: yes; choose player A
        A: yes; choose player B
        B: yes; choose player A
        expect decision: A main
        expect A life: 19
        expect B life: 19
    """
    plays(position, chosen, "avx uxm cw")
    forced = "A: use Blast; yes\nB: yes\nA: yes\nB: yes\nexpect decision: A main\nexpect A life: 19\nexpect B life: 19"
    plays(position, forced, "ai")


def test_damage_paid_as_a_cost_cannot_be_redirected_or_prevented() -> None:
    position = """
        basics: Blood; Blast
        team A: Shield; Both
        A reserve: F
        A field: Shield@1, Both@1
        turn: 3, A, main
    """
    play = """
        A: Global of Blood
        expect decision: A main
        expect A life: 18
        expect A prep: 2 Sidekick
    """
    plays(position, play)


def test_unpayable_cost_prevents_the_use() -> None:
    position = """
        basics: Sacrifice
        A reserve: M
        turn: 3, A, main
    """
    plays(position, "may not: Global of Sacrifice")
    plays(position + "A field: Sidekick\n", "A: Global of Sacrifice\nexpect A prep: 2 Sidekick")


def test_ko_paid_as_a_cost_cannot_be_replaced() -> None:
    position = """
        basics: Draft
        team B: Arnim Zola: Scientist Supreme
        A reserve: Draft!
        B field: Arnim Zola@2
        B reserve: B
        turn: 3, A, main
    """
    plays(position, "A: use Draft!\nB: yes\nexpect B prep: Arnim Zola\nexpect A prep: nothing")
    plays(position, "A: use Draft!\nB: no\nexpect B field: Arnim Zola@2\nexpect A prep: Sidekick")


def test_controlled_die_kod_by_damage_reacts_for_its_controller() -> None:
    position = """
        basics: Smite
        team A: Piper
        team B: Thrower; Scout
        A reserve: Piper@2, Smite!
        B field: Thrower@1, Scout@1
        turn: 3, A, main
    """
    play = "A: field Piper; choose B's Thrower@1; use Smite; choose B's Thrower@1\n"
    plays(position, play + "expect B prep: Thrower, Scout\nexpect A field: Piper@2")


# --- energy --------------------------------------------------------------------------------------------------------


def test_double_energy_can_be_half_spent() -> None:
    position = "team A: Oracle; Saint\nA life: 10\nA reserve: Saint:MM\nturn: 3, A, main"
    plays(position, "A: Global of A's Oracle\nexpect A reserve: Saint:M (half spent)\nexpect A life: 11")


def test_die_without_a_single_energy_face_pays_one_and_loses_the_rest() -> None:
    position = "team A: Oracle; Saint\nA life: 10\nA reserve: Oracle:MM\nturn: 3, A, main"
    plays(position, "A: Global of A's Oracle\nexpect A reserve: nothing\nexpect A life: 11")


def test_payment_asks_only_where_the_outcomes_differ() -> None:
    position = "team A: Scout\nA reserve: 3 S\nturn: 3, A, main"
    plays(position, "A: buy Scout\nexpect decision: A main\nexpect A reserve: S")
    position = "team A: Scout\nA reserve: S, F, B\nturn: 3, A, main"
    plays(position, "A: buy Scout\nexpect decision: A pay\nmay: pay F; pay B\nA: pay B\nexpect A reserve: F")
    position = "team A: Scout\nA reserve: S, F\nturn: 3, A, main"
    plays(position, "A: buy Scout\nexpect decision: A main\nexpect A reserve: nothing")


def test_purchase_needs_its_energy_type_or_wild() -> None:
    plays("team A: Scout\nA reserve: 2 F\nturn: 3, A, main", "may not: buy Scout")
    plays("team A: Scout\nA reserve: F, ?\nturn: 3, A, main", "A: buy Scout\nexpect A reserve: nothing")


def test_virtual_energy_ends_when_its_owner_passes() -> None:
    position = """
        basics: Zap; Feast
        team A: Scout
        A reserve: Zap:2, Scout@2, Scout@3
        B reserve: B
        B field: Sidekick
        turn: 3, A, main
    """
    play = """
        A: field Scout@2
        may: field Scout@3
        A: pass
        B: Global of Zap; choose B's Sidekick
        may not: field Scout@3
    """
    plays(position, play, "ai")


# --- priority (rules 3.3f) -----------------------------------------------------------------------------------------


def test_priority_alternates_between_players_in_the_main_step() -> None:
    position = """
        basics: Zap
        team B: Scout
        A field: Sidekick
        A reserve: B
        B reserve: 2 B, S, Scout@1
        B field: Scout@1
        turn: 3, A, main
    """
    play = """
        A: pass
        expect decision: B respond
        may not: buy Scout; field Scout
        B: Global of Zap; choose A's Sidekick
        expect decision: A main
        A: Global of Zap
        expect B field: Scout@1 (1 damage)
        expect decision: A main
        A: pass
        expect decision: B respond
        B: pass
    """
    plays(position, play)


def test_players_have_priority_in_the_attack_step_only_after_an_attack() -> None:
    position = """
        basics: Zap; Feast
        team A: Rock
        A life: 10
        A field: Rock@1
        A reserve: B, Feast!, Rock@1
        B reserve: B
        B field: Sidekick
        turn: 3, A, declare
    """
    play = """
        A: attack with Rock@1
        B: no block
        expect decision: A fight
        may: use Feast!; Global of Zap
        may not: buy Rock; field Rock
        A: pass
        expect decision: B respond
        B: Global of Zap; choose A's Rock@1
        expect decision: A fight
        A: pass
        expect B life: 16
    """
    plays(position, play)
    plays(position, "A: no attack\nexpect decision: B reroll")


# --- attacking and blocking ----------------------------------------------------------------------------------------


def test_must_attack_and_cannot_attack_restrict_the_attackers() -> None:
    position = "team A: Charger; Pacifist\nA field: Charger@1, Sidekick\nturn: 3, A, declare"
    plays(position, "may not: no attack\nA: attack with Charger@1\nexpect decision: A fight")
    plays(position.replace("Charger@1, Sidekick", "Pacifist@1"), "expect decision: B reroll")


def test_must_block_and_cannot_block_restrict_the_blockers() -> None:
    position = """
        team A: Rock
        team B: Sentry; Coward
        A field: Rock@1
        B field: Sentry@1, Sidekick
        turn: 3, A, declare
    """
    plays(position, "A: attack with Rock@1\nmay not: no block")
    plays(position, "A: attack with Rock@1\nB: block Rock@1 with Sidekick\nmay only: block Rock@1 with Sentry@1")
    plays(position.replace("Sentry@1, Sidekick", "Coward@1"), "A: attack with Rock@1\nexpect decision: A fight")


def test_attacker_can_require_at_least_two_blockers() -> None:
    position = """
        team A: Dragon
        A field: Dragon@1*
        B field: Sidekick
        turn: 3, A, declare
    """
    plays(position, "A: attack with Dragon@1*\nexpect decision: A fight")
    two = "A: attack with Dragon@1*\nB: block Dragon@1* with Sidekick\n"
    plays(position.replace("B field: Sidekick", "B field: 2 Sidekick"), two + "may only: block Dragon@1* with Sidekick")


def test_die_blocking_two_attackers_splits_its_damage() -> None:
    position = """
        team A: Scout; Dart
        team B: Wall
        A field: Scout@1, Dart@1
        B field: Wall@1
        turn: 3, A, declare
    """
    play = """
        A: attack with Scout@1; attack with Dart@1
        B: block Scout@1 with Wall@1; block Dart@1 with Wall@1
        A: pass
        expect decision: B split
        B: 2 to A's Scout@1
        expect A field: nothing
        expect A prep: Scout, Dart
        expect B life: 20
    """
    plays(position, play)


def test_excess_damage_passes_the_total_defence_of_the_blockers() -> None:
    position = """
        team A: Ram
        team B: Scout
        A field: Ram@1*
        B field: Scout@1, Sidekick
        turn: 3, A, declare
    """
    play = "A: attack with Ram@1*\nB: block Ram@1* with Sidekick; block Ram@1* with Scout@1\nA: pass\n"
    plays(position, play + "A: 1 to B's Sidekick\nexpect B life: 17")


def test_attacker_cannot_be_blocked_by_described_characters() -> None:
    position = """
        team A: Wisp
        team B: Scout
        A field: Wisp@1
        B field: Scout@1, Sidekick
        turn: 3, A, declare
    """
    plays(position, "A: attack with Wisp@1\nmay only: block Wisp@1 with Scout@1; no block")


# --- reactions (rules 5.7) -----------------------------------------------------------------------------------------


def test_active_players_triggers_resolve_first() -> None:
    position = """
        team A: Greeter; Scout
        team B: Rival
        A life: 1
        A reserve: Scout@1
        A field: Greeter@1
        B field: Rival@1
        turn: 3, A, main
    """
    plays(position, "A: field Scout\nexpect A life: 1\nexpect decision: A main")


def test_new_triggers_wait_behind_pending_ones() -> None:
    position = """
        team A: Greeter; Angel: Air Transport
        team B: Rival
        A life: 10
        A reserve: Angel@1
        A field: Greeter@1
        A used: Sidekick
        B field: Rival@1
        turn: 3, A, main
    """
    play = """
        A: field Angel
        expect decision: A resolve
        A: resolve Angel; yes
        expect decision: A main
    """
    lines = outcome_lines(plays(position, play))
    changes = [line for line in lines if "life" in line or "damage" in line]
    assert changes == ["A gains 1 life", "1 damage to player A from Rival"] * 2


def test_ability_with_two_triggers_met_by_one_event_triggers_once() -> None:
    position = """
        basics: Storm Front
        team A: Both
        A reserve: Storm Front!
        A field: 2 Both@1
        turn: 3, A, main
    """
    plays(position, "A: use Storm Front\nexpect A prep: Sidekick\nexpect A life: 19")


def test_controller_chooses_among_simultaneous_first_times() -> None:
    position = """
        team A: Nurse; Rock
        team B: Runner
        A field: Nurse@1, Rock@1
        B field: 2 Runner@1, Sidekick
        turn: 3, A, declare
    """
    play = """
        A: attack with Nurse@1; attack with Rock@1
        B: block Rock@1 with Sidekick; block Nurse@1 with Runner@1; block Rock@1 with Runner@1
        A: pass
        expect decision: A resolve
    """
    # 3 and then 1 damage KO Rock, unless it was Rock that got +5D
    plays(position, play + "A: resolve Nurse for A's Rock@1; 2 to B's Sidekick\nexpect A field: Nurse@1, Rock@1")
    plays(position, play + "A: resolve Nurse for A's Nurse@1; 2 to B's Sidekick\nexpect A field: Nurse@1")


def test_dice_kod_together_react_to_each_other_only_in_ai() -> None:
    position = """
        basics: Sweep
        team A: Mourner; Scout
        A life: 10
        A reserve: Sweep!
        A field: Mourner@1, Scout@1
        turn: 3, A, main
    """
    both = "A: use Sweep!; resolve Mourner for A's Scout\nexpect A prep: Mourner, Scout\nexpect A life: 12"
    plays(position, both, "ai")
    silent = "A: use Sweep!\nexpect A prep: Mourner, Scout\nexpect A life: 10"
    plays(position, silent, "avx uxm cw")  # its last die is gone too (rules 3.4d4)


# --- life, draws, the end ------------------------------------------------------------------------------------------


def test_game_ends_immediately_when_a_player_is_at_0_life() -> None:
    position = """
        team A: Dart
        team B: Witness
        B life: 3
        A field: Dart@1
        B field: Witness@1
        turn: 3, A, declare
    """
    plays(position, "A: attack with Dart\nB: no block\nA: pass\nexpect result: A wins\nexpect decision: none")


def test_life_never_exceeds_the_starting_life() -> None:
    position = "basics: Feast\nA life: 18\nA reserve: Feast!\nturn: 3, A, main"
    plays(position, "A: use Feast\nexpect A life: 20")


def test_each_missing_die_costs_one_life_and_gives_one_energy() -> None:
    position = """
        team A: Scout
        A field: 7 Sidekick
        turn: 3, A, draw
        A draws: Sidekick
        A rolls: S
    """
    play = "expect A life: 17\nA: keep all; buy Scout\nexpect A used has: Scout"
    plays(position, play)


def test_bag_is_refilled_during_a_draw() -> None:
    position = """
        team A: Scout; Rock
        A field: 6 Sidekick
        A bag: Scout
        A used: 2 Rock, Scout
        A out: 2 Sidekick
        turn: 3, A, draw
        A draws: Scout, 2 Rock, Scout
        A rolls: Scout@1, Scout:S, 2 Rock:F
    """
    plays(position, "expect A prep: 2 Scout, 2 Rock\nexpect A used: nothing\nexpect A life: 20", "cw ai")


def test_reserve_is_cleared_before_the_draw_and_can_refill_the_bag() -> None:
    position = """
        A field: 6 Sidekick
        A reserve: 2 F
        turn: 3, A, draw
        A draws: 2 Sidekick
        A rolls: 2 M
    """
    plays(position, "expect A prep: 2 Sidekick\nexpect A life: 18")


@pytest.mark.parametrize("edition", ALL.split())
def test_game_begins_with_four_of_eight_dice_drawn(edition: str) -> None:
    game = Game.new(edition, cast="ai", seed=5, first="A")
    s = game.state
    assert len(s.dice_in(BAG, 0)) == 4
    assert len(s.dice_in(PREP, 0)) == (3 if edition == "ai" else 4)
    assert len(s.dice_in(OUT_OF_PLAY, 0)) == (1 if edition == "ai" else 0)
