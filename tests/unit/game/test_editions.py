"""Every switch in which the editions differ: the same position and play with two different outcomes."""

from __future__ import annotations

import pytest
from tests.support.homemade_cards import CATALOGUE

from dicemasters.game import Game
from dicemasters.game.queries import characteristics, static_rules
from dicemasters.game.rulesets.editions import DEFAULT_EDITION, EDITIONS, SWITCHES
from dicemasters.game.scenarios.scenario import check


def plays(editions: str, position: str, play: str) -> Game:
    """Play and check the position in each of these editions. Return the last game."""
    assert editions.split()
    for edition in editions.split():
        game = check(f"scenario: {edition}\nedition: {edition}\n{position}\nplay:\n{play}", CATALOGUE)
    return game


def plays_in(rules: str, position: str, play: str) -> Game:
    """Play and check the position in one edition with house rules."""
    return check(f"scenario: {rules}\nedition: {rules}\n{position}\nplay:\n{play}", CATALOGUE)


def plays_with(house_rule: str, position: str, play: str) -> None:
    """Play and check the position in every edition with a house rule."""
    for edition in EDITIONS:
        plays_in(f"{edition}, {house_rule}", position, play)


# --- set-up and draw -----------------------------------------------------------------------------------------------


def test_winner_chooses_order() -> None:
    for edition, kind in (("avx", "reroll"), ("uxm", "reroll"), ("cw", "order"), ("ai", "order")):
        decision = Game.new(edition, cast=edition, seed=3).decision
        assert decision is not None
        assert decision.kind == kind


def test_first_turn_three_dice() -> None:
    position = "turn: 1, A, start\nA draws: 4 Sidekick\nA rolls: F, B, M"
    plays("avx uxm cw", position + ", S", "expect A prep: 4 Sidekick\nexpect A out: nothing")
    plays("ai", position, "expect A prep: 3 Sidekick\nexpect A out: Sidekick")
    later = position.replace("turn: 1", "turn: 3") + ", S"
    plays("ai", later, "expect A prep: 4 Sidekick")


def test_missing_die_is_damage() -> None:
    position = """
        team A: Hulk: Jade Giant
        A field: Hulk@3, 6 Sidekick
        B field: Sidekick
        turn: 3, A, draw
        A draws: 2 Sidekick
        A rolls: F, F
    """
    plays("avx", position, "expect A life: 18\nexpect B prep: Sidekick")
    plays("uxm cw ai", position, "expect A life: 18\nexpect B field: Sidekick")


def test_missing_energy_until_pass() -> None:
    position = """
        basics: Zap
        team A: Rock
        A field: 5 Sidekick
        B field: Sidekick
        B reserve: B
        turn: 3, A, draw
        A draws: 3 Sidekick
        A rolls: 3 F
    """
    play = """
        A: keep all
        may: buy Rock
        A: pass
        B: Global of Zap; choose A's Sidekick
        expect decision: A main
    """
    plays("avx uxm cw", position, play + "may: buy Rock")
    plays("ai", position, play + "may not: buy Rock")


# --- energy --------------------------------------------------------------------------------------------------------


def test_virtual_generic() -> None:
    position = """
        basics: Zap
        team A: Scout
        A reserve: Zap:2, Scout@2, Scout@3
        turn: 3, A, main
    """
    plays("avx uxm cw", position, "A: field Scout@2\nmay not: field Scout@3")
    play = """
        A: field Scout@2
        may: field Scout@3
        A: field Scout@3
        expect A field: Scout@2, Scout@3
    """
    plays("ai", position, play)
    together = """
        A: pay for several things at once; field Scout@2; field Scout@3; pay now
        expect A field: Scout@2, Scout@3
    """
    plays("avx uxm cw", position, together)
    plays("ai", position, "may not: pay for several things at once")


def test_half_spent_reroll() -> None:
    position = """
        basics: Shake
        team A: Scout
        A reserve: Scout:SS, Scout@2, Shake!
        turn: 3, A, main
    """
    half = "A: field Scout@2\nexpect A reserve: Scout:S (half spent), Shake!\n"
    plays("avx", position, half + "A rolls: Scout:SS\nA: use Shake\nexpect A reserve: Scout:SS")
    plays("uxm cw ai", position, half + "may not: use Shake")


def test_batch_is_one_effect() -> None:
    position = """
        basics: Zap
        team A: Scout; Mourner
        A life: 10
        A field: Scout@1, Mourner@1
        B reserve: 2 B
        turn: 3, A, main
    """
    play = """
        A: pass
        B: pay for several things at once; Global of Zap; Global of Zap; pay now
        may: choose A's Scout@1
        B: choose A's Scout@1
        expect A field: Scout@1 (no damage), Mourner@1
        B: choose A's Scout@1
        expect A prep: Scout
        expect A life: 11
        expect decision: A main
    """
    plays("avx uxm cw", position, play)
    play = """
        A: pass
        may not: pay for several things at once
        B: Global of Zap; choose A's Scout@1
        expect A field: Scout@1 (1 damage), Mourner@1
        expect decision: A main
    """
    plays("ai", position, play)


# --- zones ---------------------------------------------------------------------------------------------------------


def test_out_of_play() -> None:
    position = """
        basics: Blast
        team A: Scout; Dart
        A field: Dart@1
        A reserve: 2 S, Blast!
        turn: 3, A, main
    """
    play = "A: buy Scout; use Blast\n"
    plays("avx uxm", position, play + "expect A used: 2 Sidekick, Scout, Blast\nexpect A out: nothing")
    plays("cw ai", position, play + "expect A used: Scout\nexpect A out: 2 Sidekick, Blast")
    # in combat: zone of the unblocked attacker while effects of its damage resolve
    position = """
        basics: Recall
        team A: Dart
        team B: Rescuer
        A field: Dart@1
        B field: Rescuer@1
        turn: 3, A, declare
    """
    play = "A: attack with Dart\nB: no block\nA: pass\nexpect B life: 17\n"
    plays("avx uxm", position, play + "expect A prep has: Dart")
    plays("cw ai", position, play + "expect A used has: Dart")


def test_sent_dice_out_of_play() -> None:
    position = """
        basics: Shove
        team A: Scout
        A field: Scout@1
        A reserve: Shove!
        turn: 3, A, main
    """
    plays("avx uxm", position, "A: use Shove\nexpect A used: Scout, Shove")
    plays("cw", position, "A: use Shove\nexpect A used: Scout\nexpect A out: Shove")
    plays("ai", position, "A: use Shove\nexpect A used: nothing\nexpect A out: Scout, Shove")


def test_fielding_takes_older_dice() -> None:
    position = """
        team A: Recruiter
        A field: Sidekick
        A reserve: Recruiter@1, F
        turn: 3, A, main
    """
    play = """
        A: field Recruiter
        expect A used: 2 Sidekick
        expect decision: A main
    """
    plays("avx uxm", position, play)
    play = """
        A: field Recruiter
        expect A used: Sidekick
        expect A out: Sidekick
        expect decision: A may
        A: yes
        expect A field: Recruiter@1, Sidekick
    """
    plays("cw", position, play)
    older = position + "A used: Sidekick\n"
    plays("avx uxm", older, "A: field Recruiter\nA: yes\nexpect A used: 2 Sidekick\nexpect A field has: Sidekick")


def test_global_fetches_payment() -> None:
    position = """
        basics: Salvage
        team B: Scout
        B reserve: M
        B used: Scout
        turn: 3, A, main
    """
    play = """
        A: pass
        B: Global of Salvage
        may only: choose B's Scout; choose B's Sidekick
        B: choose B's Sidekick
        expect B prep: Sidekick
        expect B used: Scout
    """
    plays("avx uxm", position, play)
    plays("cw ai", position, "A: pass\nB: Global of Salvage\nexpect B prep: Scout\nexpect B used: Sidekick")
    empty = position.replace("B used: Scout", "")
    plays("avx uxm", empty, "A: pass\nB: Global of Salvage\nexpect B prep: Sidekick")
    plays("cw ai", empty, "may: pass\nA: pass\nexpect decision: B reroll")


def test_reserve_sidekick_is_character() -> None:
    position = """
        basics: Call Up
        A reserve: Sidekick, Call Up!
        turn: 3, A, main
    """
    plays("avx uxm ai", position, "A: use Call Up\nexpect A field: Sidekick (fielded)")
    plays("cw", position, "may not: use Call Up\nmay: field Sidekick")


def test_unrolled_sidekick_is_character() -> None:
    position = """
        basics: Recall
        A reserve: Recall!
        A used: Sidekick
        turn: 3, A, main
    """
    plays("avx uxm", position, "A: use Recall\nexpect A prep: Sidekick")
    plays("cw ai", position, "may not: use Recall")


# --- combat and end ------------------------------------------------------------------------------------------------


def test_ko_before_reactions() -> None:
    position = """
        team A: Watcher
        team B: Rock
        A life: 10
        A field: Watcher@1
        B field: Rock@1
        turn: 3, A, declare
    """
    play = "A: attack with Watcher\nB: block Watcher@1 with Rock@1\nA: pass\n"
    plays("avx uxm cw", position, play + "expect A life: 10\nexpect A prep: Watcher")
    plays("ai", position, play + "expect A life: 11\nexpect A prep: Watcher")
    position = """
        team A: Thrower
        team B: Dart
        A field: Thrower@1
        B field: Dart@1, Sidekick
        turn: 3, A, declare
    """
    play = "A: attack with Thrower\nB: block Thrower@1 with Dart@1\nA: pass\n"
    plays("avx uxm cw", position, play + "expect B field: nothing")
    chosen = """
        may only: choose B's Dart@1; choose B's Sidekick
        A: choose B's Dart@1
        expect B field: Sidekick
    """
    plays("ai", position, play + chosen)


def test_return_in_attack_step() -> None:
    # a bonus for being in combat ends with the attack step, before damage is removed
    position = """
        team A: Thor: Lord of Asgard
        team B: Mr. Fantastic: Brilliant Scientist
        A field: Thor@1
        B field: Mr. Fantastic@1
        turn: 3, A, declare
    """
    play = "A: attack with Thor\nB: block Thor@1 with Mr. Fantastic\nA: pass\n"
    plays("avx uxm cw", position, play + "expect B field: Mr. Fantastic@1")
    plays("ai", position, play + "expect B field: nothing\nexpect happened: Mr. Fantastic is KO'd")
    # abilities at the end of the attack step still see every character in combat
    position = """
        team A: Herald
        A life: 10
        A field: Herald@1
        B field: Sidekick
        turn: 3, A, declare
    """
    play = "A: attack with Herald\nB: block Herald@1 with Sidekick\nA: pass\n"
    plays("avx uxm cw ai", position, play + "expect A life: 11")


def test_one_answer() -> None:
    position = """
        basics: Zap
        A field: 3 Sidekick
        A reserve: B
        B reserve: 2 B
        turn: 3, A, main
    """
    one = """
        A: pass
        expect decision: B respond
        B: Global of Zap
        expect decision: A main
    """
    plays("avx uxm cw ai", position, one)
    free = """
        A: pass
        B: Global of Zap
        expect decision: B respond
        B: Global of Zap
        expect decision: A main
        expect A prep: 2 Sidekick
    """
    plays_with("free answers", position, free)


def test_unblocked_leave_with_damage() -> None:
    position = """
        team A: Hulk: Jade Giant; Captain America: Natural Leader
        team B: Beast: Genetic Expert
        A field: Hulk@3 (attacking), Captain America@3 (attacking)
        B field: Beast@1* (blocking Captain America@3), Beast@1, Sidekick
        turn: 5, A, fight
    """
    plays("avx uxm cw ai", position, "A: pass\nskip to: B reroll\nexpect B life: 13\nexpect B field: Beast@1, Sidekick")
    play = """
        A: pass
        expect decision: A choose
        expect A field: Hulk@3 (attacking), Captain America@3 (attacking, blocked)
        A: choose B's Sidekick
        expect A field: Captain America@3
        expect A used: Hulk
    """
    plays_with("unblocked stay until cleanup", position, play)


def test_defence_read_last() -> None:
    position = """
        team A: Ms. Marvel: Kamala Khan
        team B: Hulk: Anger Issues
        A field: Ms. Marvel@3 (attacking)
        B field: Hulk@1 (blocking Ms. Marvel@3)
        turn: 5, A, fight
    """
    plays("ai", position, "A: pass\nexpect B field: Hulk@1")
    plays_in("ai, D read at once", position, "A: pass\nexpect B field: nothing\nexpect happened: Hulk is KO'd")


def test_effect_damage_kos_at_once() -> None:
    position = """
        basics: Zap
        team B: Hulk: Anger Issues
        A reserve: Zap!
        B field: Hulk@1 (2 damage)
        turn: 5, A, main
    """
    play = "A: use Zap\n"
    plays("avx uxm cw ai", position, play + "expect B field: nothing")
    plays_in("ai, effect damage waits", position, play + "expect B field: Hulk@1\nexpect B's Hulk: 9/8")


def test_kod_dice_react() -> None:
    position = """
        team A: Thor: Lord of Asgard; Hulk: Jade Giant
        team B: Iron Man: Playboy
        A field: Thor@2 (attacking), Hulk@3 (attacking)
        B field: Iron Man@3 (1 damage, blocking Thor@2)
        turn: 5, A, fight
    """
    reaction = "3 damage to Thor from Iron Man"
    plays("avx uxm cw ai", position, f"A: pass\nexpect happened: {reaction}")
    silent = f"A: pass\nexpect happened: Iron Man is KO'd\nexpect happened not: {reaction}"
    plays_with("KO'd dice are silent", position, silent)


def test_removed_blockers_count() -> None:
    position = """
        basics: Power Bolt
        team A: Breaker: Overcrush
        A field: Breaker@1 (attacking)
        A reserve: Power Bolt!
        B field: Sidekick (blocking Breaker@1), Sidekick (blocking Breaker@1)
        turn: 5, A, fight
    """
    play = "A: use Power Bolt; choose B's Sidekick\nA: pass\nskip to: B reroll\n"
    plays("avx uxm cw ai", position, play + "expect B life: 16")
    plays_with("only KO'd blockers count", position, play + "expect B life: 20\nexpect B field: nothing")
    both = "A: pass\nA: 1 to B's Sidekick\nA: 1 to B's Sidekick\nexpect B life: 17"
    plays_with("only KO'd blockers count", position, both)


def test_conditions_when_resolving() -> None:
    position = """
        team A: Punisher: War Journal; Sentinel: Archvillain
        team B: Venom: Spidery; Beast: Big Boy Blue
        A reserve: Punisher@1, Sentinel@1, 2 F
        B field: Venom@1, Beast@3
        turn: 5, A, main
    """
    play = "A: field Punisher\nA: field Sentinel\nA: choose B's Venom\n"
    plays("avx uxm cw ai", position, play + "expect B prep: Beast")
    plays_with("if read when triggered", position, play + "expect B field: Beast@3")


def test_tie_possible() -> None:
    position = """
        basics: Blast
        A life: 1
        B life: 1
        A reserve: Blast!
        turn: 3, A, main
    """
    plays("avx uxm", position, "A: use Blast\nexpect result: A wins")
    plays("cw ai", position, "A: use Blast\nexpect result: A tie")


# --- effects -------------------------------------------------------------------------------------------------------


def test_opposing_is_controlled() -> None:
    position = """
        team A: Loki: Illusionist; Bully
        team B: Beast: Big Boy Blue
        A reserve: Loki@2, M, Bully@1
        B field: Beast@1
        turn: 3, A, main
    """
    play = "A: field Loki\nA: field Bully\n"
    plays("avx uxm cw ai", position, play + "expect A field: Loki@2, Bully@1, B's Beast@1")
    plays_with("owned dice oppose", position, play + "expect A field: Loki@2, Bully@1\nexpect B held: Beast")


def test_starts_need_effect() -> None:
    position = """
        basics: Smash!
        A reserve: Smash!!
        turn: 3, A, main
    """
    plays("avx uxm cw ai", position, "may only: pass")
    plays_with("anything may start", position, "A: use Smash!\nexpect A reserve: nothing")
    globals_ = """
        team B: Cable: Man of Action
        A reserve: 2 B
        turn: 3, A, main
    """
    plays("avx uxm cw ai", globals_, "may only: pass")
    plays_with("anything may start", globals_, "A: Global of B's Cable\nexpect A reserve: nothing")


def test_effects_field() -> None:
    position = """
        team A: Moon Knight: Crescent Darts; Captain America: Star-Spangled Avenger
        A reserve: Moon Knight@1, 3 F
        A used: Captain America
        B field: 2 Sidekick
        turn: 5, A, main
    """
    play = "A: field Moon Knight@1\nA: yes\nexpect A field has: Captain America@1\n"
    plays("avx uxm cw ai", position, play + "expect B field: nothing")
    plays_with("only the reserve fields", position, play + "expect B field: 2 Sidekick")


def test_own_fielding_heard() -> None:
    position = """
        team A: Human Torch: Johnny Storm
        A reserve: 2 Human Torch@1
        turn: 3, A, main
    """
    plays("avx uxm cw ai", position, "A: field Human Torch\nexpect B life: 19")
    silent = "A: field Human Torch\nexpect B life: 20\nexpect A field: Human Torch@1\n"
    plays_with("own fielding not heard", position, silent + "A: field Human Torch\nskip to: A main\nexpect B life: 19")


def test_use_heard_at_once() -> None:
    position = """
        team B: Wasp: Love and Loss
        basics: Power Bolt
        A reserve: Power Bolt!
        B field: Wasp@1
        turn: 3, A, main
    """
    play = "A: use Power Bolt; choose B's Wasp\nexpect B prep: Wasp\n"
    plays("avx uxm cw ai", position, play + "expect A life: 20")
    plays_with("action dice heard at once", position, play + "expect A life: 19")


def test_resistance_asks_for_ko() -> None:
    position = """
        team A: Winter Soldier: Brainwashed
        A field: Winter Soldier@1
        turn: 3, A, attack
    """
    plays("avx uxm cw ai", position, "A: attack with Winter Soldier\nexpect A life: 20")
    plays_with("Resistance is a label", position, "A: attack with Winter Soldier\nexpect A life: 17")


def test_first_effect_is_cost() -> None:
    position = """
        team A: Stinger; Grim
        A life: 10
        A reserve: Stinger@1, Grim@1
        turn: 3, A, main
    """
    plays("avx uxm ai", position, "A: field Stinger\nexpect A life: 11")
    plays("cw", position, "A: field Stinger\nexpect A life: 10")
    with_target = position + "B field: Sidekick\n"
    plays("avx uxm cw ai", with_target, "A: field Stinger\nexpect A life: 11\nexpect B prep: Sidekick")
    # an effect that harms its user is a cost in every edition
    plays("avx uxm cw ai", position, "A: field Grim\nexpect A life: 10")
    plays("avx uxm cw ai", position + "A field: Sidekick\n", "A: field Grim\nexpect A life: 11")


def test_targets_any_die() -> None:
    position = """
        basics: Topple; Nudge
        team B: Banner; Scout
        A reserve: Topple!, F
        B field: Banner!, Scout@1
        turn: 3, A, main
    """
    plays("uxm", position, "A: use Topple\nmay only: choose B's Banner!; choose B's Scout@1")
    plays("avx cw ai", position, "A: use Topple\nexpect B field: Banner!\nexpect B used: Scout")
    # a text that names action dice can target one in every edition
    plays("avx uxm cw ai", position, "A: Global of Nudge\nexpect B used: Banner")


def test_bare_choice_targets() -> None:
    position = """
        basics: Nudge; Zap
        team B: Ghost; Scout
        A reserve: Nudge!, Zap!
        B field: Ghost@1, Scout@1
        turn: 3, A, main
    """
    plays("avx uxm cw", position, "A: use Nudge\nmay only: choose B's Ghost@1; choose B's Scout@1")
    plays("ai", position, "A: use Nudge\nexpect B field: Ghost@1 (no damage), Scout@1 (1 damage)")
    plays("avx uxm cw ai", position, "A: use Zap\nexpect B field: Ghost@1\nexpect B prep: Scout")


def test_free_redirect() -> None:
    position = """
        basics: Blast
        team B: Shield
        A reserve: Blast!
        B field: Shield@1
        turn: 3, A, main
    """
    play = """
        A: use Blast
        B: yes
        may only: choose B's Shield@1; choose player A
        B: choose B's Shield@1
        expect B field: Shield@1 (1 damage)
        expect A life: 19
        expect B life: 20
    """
    plays("avx uxm cw", position, play)
    plays("ai", position, "A: use Blast\nB: yes\nexpect A life: 18\nexpect B life: 20")


def test_hold_ends_when_leaving() -> None:
    position = """
        basics: Shove; Zap
        team A: Jailer
        team B: Scout
        A reserve: Jailer@1, Shove!, Zap!
        B field: Scout@1
        turn: 3, A, main
    """
    captured = "A: field Jailer\nexpect B field: nothing\nexpect B held: Scout\n"
    plays("avx uxm cw", position, captured + "A: use Shove\nexpect B held: Scout")
    plays("ai", position, captured + "A: use Shove\nexpect B held: nothing\nexpect B field: Scout@1")
    plays("avx uxm cw ai", position, captured + "A: use Zap\nexpect B field: Scout@1\nexpect A prep: Jailer")
    control = position.replace("Jailer", "Piper")
    taken = "A: field Piper\nexpect A field: Piper@1, B's Scout@1\n"
    plays("avx uxm cw", control, taken + "A: use Shove; choose A's Piper@1\nexpect A field: B's Scout@1")
    plays("ai", control, taken + "A: use Shove; choose A's Piper@1\nexpect B field: Scout@1")


def test_controlled_goes_home_from_anywhere() -> None:
    position = """
        basics: Pack Up
        team A: Piper
        team B: Scout
        A reserve: Piper@1, Pack Up!
        B field: Scout@1
        turn: 3, A, main
    """
    play = "A: field Piper; use Pack Up; choose B's Scout@1\nexpect A field: Piper@1\n"
    plays("avx uxm cw", position, play + "expect B bag has: Scout")
    plays("ai", position, play + "expect B prep: Scout")


def test_controller_cannot_attack() -> None:
    position = """
        team A: Piper
        team B: Scout
        A reserve: Piper@1
        B field: Scout@1
        turn: 3, A, main
    """
    play = "A: field Piper; pass\nmay: attack with Scout@1\n"
    plays("avx uxm cw", position, play + "may not: attack with Piper@1")
    plays("ai", position, play + "may: attack with Piper@1")


def test_copy_printed_stats() -> None:
    position = """
        team A: Mimic
        team B: Star
        A reserve: Mimic@2
        B field: Star@1*
        turn: 3, A, main
    """
    star = "expect B's Star@1*: 10/6\n"
    plays("avx uxm cw", position, star + "A: field Mimic\nexpect A's Mimic@2: 9/6")
    play = "A: field Mimic\nexpect decision: A copy burst\n"
    plays("ai", position, star + play + "A: no\nexpect A's Mimic@2: 6/5")
    game = plays("ai", position, star + play + "A: yes\nexpect A's Mimic@2: 6/5")
    mimic = game.state.dice_in(4, 0)[0]
    assert static_rules.burst(game.state, mimic) == 1


def test_copied_abilities_add() -> None:
    position = """
        team A: Parrot
        team B: Crusher
        A reserve: Parrot@1
        B field: Crusher@1
        turn: 3, A, main
    """
    for edition, keywords in (
        ("avx", "Overcrush"),
        ("uxm", "Overcrush"),
        ("cw", "Overcrush"),
        ("ai", "Fast Overcrush"),
    ):
        s = plays(edition, position, "A: field Parrot\nexpect A field: Parrot@1").state
        parrot = s.dice_in(4, 0)[0]
        assert [k for k in ("Fast", "Overcrush") if characteristics.has_keyword(s, parrot, k)] == keywords.split()


# --- the table of switches -----------------------------------------------------------------------------------------

EXPECTED = """
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
    one_answer                          yes yes yes yes
    unblocked_leave_with_damage         yes yes yes yes
    ko_before_reactions                 yes yes yes no
    defence_read_last                   no  no  no  yes
    effect_damage_kos_at_once           yes yes yes yes
    kod_dice_react                      yes yes yes yes
    removed_blockers_count              yes yes yes yes
    return_in_attack_step               no  no  no  yes
    tie_possible                        no  no  yes yes
    opposing_is_controlled              yes yes yes yes
    starts_need_effect                  yes yes yes yes
    effects_field                       yes yes yes yes
    own_fielding_heard                  yes yes yes yes
    use_heard_at_once                   no  no  no  no
    resistance_asks_for_ko              yes yes yes yes
    first_effect_is_cost                no  no  yes no
    targets_any_die                     no  yes no  no
    bare_choice_targets                 no  no  no  yes
    conditions_when_resolving           yes yes yes yes
    free_redirect                       yes yes yes no
    hold_ends_when_leaving              no  no  no  yes
    controlled_goes_home_from_anywhere  no  no  no  yes
    controller_cannot_attack            yes yes yes no
    copy_printed_stats                  no  no  no  yes
    copied_abilities_add                no  no  no  yes
"""


def test_editions_have_the_switch_values_of_their_rulebooks() -> None:
    rows = {line.split()[0]: line.split()[1:] for line in EXPECTED.strip().splitlines()}
    assert tuple(rows) == tuple(SWITCHES)
    assert tuple(EDITIONS) == ("avx", "uxm", "cw", "ai")
    for switch, values in rows.items():
        found = ["yes" if getattr(edition, switch) else "no" for edition in EDITIONS.values()]
        assert found == values, switch


def test_every_switch_has_a_test() -> None:
    assert [s for s in SWITCHES if not callable(globals().get(f"test_{s}"))] == []


def test_newest_edition_is_the_default() -> None:
    assert DEFAULT_EDITION == "ai"
    assert max(EDITIONS.values(), key=lambda e: e.year).key == DEFAULT_EDITION


@pytest.mark.parametrize("edition", EDITIONS)
def test_edition_has_a_name_and_a_year(edition: str) -> None:
    assert EDITIONS[edition].key == edition
    assert EDITIONS[edition].name
    assert 2014 <= EDITIONS[edition].year <= 2018
