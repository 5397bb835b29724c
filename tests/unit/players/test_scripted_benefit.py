"""Choices the script makes for its own benefit, and the rules it names for them (docs/scripted-opponent.md)."""

from __future__ import annotations

import pytest
from tests.unit.players.test_scripted_rules import declared_blocks, next_choice, script_choices, script_position

from dicemasters.players.scripted import explain

# --- the start of the attack step (S24, S32) -----------------------------------------------------------------------

ONE_OF_A_KIND = "team B: Vibranium Shield: One of a Kind\nA field: Sidekick\nB reserve: Vibranium Shield!\n"


def test_s24_script_declares_no_attack_if_no_character_would_attack() -> None:
    game = script_position(f"{ONE_OF_A_KIND}B field: 2 Sidekick\nturn: 4, B, declare")
    assert next_choice(game) == ("no attack", "S24")


def test_s32_actions_for_the_start_of_the_attack_step_need_an_attacker() -> None:
    game = script_position(f"{ONE_OF_A_KIND}B field: 3 Sidekick\nturn: 4, B, declare")
    assert [text for text, _ in script_choices(game, until="fight")][:3] == [
        "use Vibranium Shield!", "fist", "attack with Sidekick",
    ]  # fmt: skip


def test_s26_controlled_character_attacks_for_the_script() -> None:
    game = script_position(
        "basics: Possession\nteam A: Hulk: Annihilator\nB field: Sidekick\nA field: Hulk@1, Sidekick\nB reserve: Possession!**\nturn: 4, B, declare",
        "uxm",
    )
    assert script_choices(game)[:3:2] == [("use Possession!", "S16"), ("attack with A's Hulk@1", "S26")]


# --- avoiding effects (S33, S38) -----------------------------------------------------------------------------------

TIGER = 'team B: Spider-Man: "Tiger"; Hulk: Annihilator\n'
HELP = ("Focus Power", "Inner Rage", "Take Cover [avx]")


@pytest.mark.parametrize("basic", HELP)
def test_s38_script_does_not_pay_to_avoid_its_own_helpful_effect(basic: str) -> None:
    game = script_position(
        f"basics: {basic}\n{TIGER}B field: Spider-Man@1\nB reserve: {basic.split(' [')[0]}!, F\nturn: 4, B, main"
    )
    assert ("no", "S38") in script_choices(game)


def test_s38_script_pays_to_avoid_the_players_damage() -> None:
    game = script_position(
        f"basics: Power Bolt\n{TIGER}B field: Spider-Man@1\nB reserve: F\nA reserve: Power Bolt!\nturn: 4, A, main"
    )
    game.play("use Power Bolt!")
    game.play("choose B's Spider-Man@1")
    assert next_choice(game) == ("yes", "S38")


def test_s38_script_pays_to_avoid_its_own_damage() -> None:
    game = script_position(
        f"basics: Force Beam\n{TIGER}B field: Spider-Man@1, Hulk@1\nA field: 3 Sidekick\nB reserve: Force Beam!, F\nturn: 4, B, main"
    )
    assert ("yes", "S38") in script_choices(game)


def test_s33_script_uses_a_reaction_that_costs_nothing() -> None:
    game = script_position(
        "basics: Power Bolt\nteam B: Nova: Bucket Head\nB field: Nova@1\nA field: Sidekick\nA reserve: Power Bolt!\nturn: 4, A, main"
    )
    game.play("use Power Bolt!")
    game.play("choose B's Nova@1")
    assert next_choice(game) == ("yes", "S33")


# --- costs other than energy (S31, S33) ----------------------------------------------------------------------------


def test_s33_script_spins_no_die_down_to_block_a_second_attacker() -> None:
    game = script_position(
        "team B: Mr. Fantastic: Elastic\nA field: 3 Sidekick\nB field: Mr. Fantastic@3\nturn: 4, A, declare"
    )
    game.play("attack with Sidekick")
    game.play("attack with Sidekick")
    game.play("attack")
    assert script_choices(game)[:2] == [("no", "S33"), ("block Sidekick with Mr. Fantastic@3", "S27")]


# --- forced attacks, rerolls, cards (S34) --------------------------------------------------------------------------


def test_s34_script_forces_the_players_best_character_to_attack() -> None:
    game = script_position(
        "team B: Toad: Sniveling Servant\nteam A: Storm: African Priestess; Hulk: Annihilator\n"
        "A field: Sidekick, Storm@1, Hulk@1\nB field: Toad@3\nturn: 4, A, declare",
        "uxm",
    )
    game.play("attack with Sidekick")
    game.play("attack")
    assert next_choice(game) == ("choose A's Hulk@1", "S34")


WITCH = "team B: Scarlet Witch: Unity Squad\nteam A: Hulk: Annihilator\nB field: Scarlet Witch@1 (fielded last turn)\n"


@pytest.mark.parametrize(("chance", "answer"), [(2, "choose A's Hulk@1"), (3, "no")])
def test_s34_script_rerolls_the_players_characters_but_never_their_energy(chance: int, answer: str) -> None:
    game = script_position(
        f"{WITCH}A prep: 2 Hulk\nA bag: exactly 8 Sidekick\nturn: 4, A, start\nchance: {chance}", "uxm"
    )
    shown = [text for text, _ in script_choices(game)]
    assert shown[-1] == answer


def test_s34_script_rerolls_its_own_energy_but_no_character() -> None:
    game = script_position(
        "basics: Relentless\nteam B: Hulk: Annihilator\nB reserve: Relentless!, Hulk@3, Hulk:FF\nturn: 4, B, main",
        "uxm",
    )
    assert script_choices(game)[1] == ("choose B's Hulk:FF", "S34")


CARDS = "team A: Storm: African Priestess\nB reserve: Cerebro!\nturn: 4, B, main"


def test_s34_text_about_its_own_dice_is_attached_to_its_own_card() -> None:
    game = script_position(f"team B: Cerebro: Cybernetic Intelligence; Beast: Big Boy Blue\n{CARDS}", "uxm")
    assert script_choices(game)[1] == ("Beast: Big Boy Blue", "S34")


def test_s34_text_about_the_players_dice_is_attached_to_the_players_card() -> None:
    game = script_position(f"team B: Cerebro: Supercomputer; Beast: Big Boy Blue\n{CARDS}", "uxm")
    assert script_choices(game)[1] == ("Storm: African Priestess", "S34")


def test_s34_reason_says_that_the_choice_is_one_of_several() -> None:
    game = script_position(
        "basics: Imprisoned\nteam A: Hulk: Annihilator\nB reserve: Imprisoned!\nA field: Hulk@1, Sidekick\nturn: 4, B, main",
        "uxm",
    )
    game.play("use Imprisoned!")
    assert explain(game.state).why == "hurts the best it may, and A's Sidekick is one of them"


# --- rules named in combat (S26, S27, S30) -------------------------------------------------------------------------


def test_s26_is_named_for_the_attacker_that_must_attack() -> None:
    game = script_position(
        "team A: Mr. Fantastic: Brilliant Scientist\nteam B: Hulk: Annihilator; Thing: Grim Ben; Beast: Big Boy Blue; Thor: Odinson\n"
        "A reserve: M\nB field: Hulk@3, Thing@1, Beast@1, Thor@1, Sidekick\nturn: 4, B, main, respond"
    )
    game.play("Global of A's Mr. Fantastic")
    game.play("choose B's Beast@1*")
    rules = dict(script_choices(game, until="fight"))
    assert rules["attack with Beast@1"] == "S26"
    assert rules["attack with Hulk@3"] == rules["attack with Thor@1"] == "S23"


def test_s30_is_named_for_the_blocker_that_must_block() -> None:
    teams = "team A: Deadpool: Assassin; Thor: Odinson\nteam B: Hulk: Annihilator; Beast: Big Boy Blue\n"
    game = script_position(
        f"{teams}A field: Deadpool@1, Thor@1\nB field: Hulk@3, Beast@2, Sidekick\nturn: 4, A, declare"
    )
    for choice in ("attack with Deadpool@1", "attack with Thor@1", "yes", "choose B's Hulk@3"):
        game.play(choice)
    assert dict(script_choices(game)) == {
        "block Thor@1 with Sidekick": "S27", "block Deadpool@1 with Hulk@3": "S30", "block Thor@1 with Beast@2": "S28",
    }  # fmt: skip


def test_s27_is_named_when_each_attacker_has_two_blockers() -> None:
    game = script_position(
        "team A: Thor: Odinson\nteam B: Hulk: Annihilator\nA field: Thor@1 (attacking)\nB field: Hulk@3, 2 Sidekick\nturn: 4, A, block"
    )
    game.play("block Thor@1 with Sidekick")
    game.play("block Thor@1 with Sidekick")
    assert explain(game.state)[1:] == ("S27", "has two blockers for each attacker")


def test_s30_is_named_when_the_last_blocker_can_block_no_open_attacker() -> None:
    teams = "team A: Thor: Lord of Asgard; Beast: Genetic Expert\nteam B: Hulk: Jade Giant\n"
    choices = declared_blocks("Thor@1 (attacking), Beast@1 (attacking)", "3 Hulk@1", teams)
    assert choices == [
        ("block Beast@1 with Hulk@1", "S27"), ("block Beast@1 with Hulk@1", "S28"), ("done blocking", "S30"),
    ]  # fmt: skip
