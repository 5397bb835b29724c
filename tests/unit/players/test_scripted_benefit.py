"""What the script does for its own good, and the rule it names for it (docs/scripted-opponent.md)."""

from __future__ import annotations

import pytest
from tests.unit.players.test_scripted_rules import blocks, goes_on, says, seat

from dicemasters.players.scripted import explain

# --- the start of the attack step (S24, S32) -----------------------------------------------------------------------

ONE_OF_A_KIND = "team B: Vibranium Shield: One of a Kind\nA field: Sidekick\nB reserve: Vibranium Shield!\n"


def test_s24_it_begins_no_attack_step_in_which_nobody_would_attack() -> None:
    game = seat(f"{ONE_OF_A_KIND}B field: 2 Sidekick\nturn: 4, B, declare")
    assert says(game) == ("no attack", "S24")


def test_s32_with_somebody_who_attacks_it_plays_what_is_for_the_start() -> None:
    game = seat(f"{ONE_OF_A_KIND}B field: 3 Sidekick\nturn: 4, B, declare")
    assert [text for text, _ in goes_on(game, until="fight")][:3] == [
        "use Vibranium Shield!", "fist", "attack with Sidekick",
    ]  # fmt: skip


def test_s26_whoever_it_takes_control_of_attacks_with_it() -> None:
    game = seat(
        "basics: Possession\nteam A: Hulk: Annihilator\nB field: Sidekick\nA field: Hulk@1, Sidekick\nB reserve: Possession!**\nturn: 4, B, declare",
        "uxm",
    )
    assert goes_on(game)[:3:2] == [("use Possession!", "S16"), ("attack with A's Hulk@1", "S26")]


# --- what it is spared (S33, S38) ----------------------------------------------------------------------------------

TIGER = 'team B: Spider-Man: "Tiger"; Hulk: Annihilator\n'
HELP = ("Focus Power", "Inner Rage", "Take Cover [avx]")


@pytest.mark.parametrize("basic", HELP)
def test_s38_it_does_not_pay_to_be_spared_its_own_help(basic: str) -> None:
    game = seat(
        f"basics: {basic}\n{TIGER}B field: Spider-Man@1\nB reserve: {basic.split(' [')[0]}!, F\nturn: 4, B, main"
    )
    assert ("no", "S38") in goes_on(game)


def test_s38_it_pays_to_be_spared_the_players_damage() -> None:
    game = seat(
        f"basics: Power Bolt\n{TIGER}B field: Spider-Man@1\nB reserve: F\nA reserve: Power Bolt!\nturn: 4, A, main"
    )
    game.play("use Power Bolt!")
    game.play("choose B's Spider-Man@1")
    assert says(game) == ("yes", "S38")


def test_s38_it_pays_to_be_spared_its_own_damage() -> None:
    game = seat(
        f"basics: Force Beam\n{TIGER}B field: Spider-Man@1, Hulk@1\nA field: 3 Sidekick\nB reserve: Force Beam!, F\nturn: 4, B, main"
    )
    assert ("yes", "S38") in goes_on(game)


def test_s33_what_answers_for_nothing_is_no_payment() -> None:
    game = seat(
        "basics: Power Bolt\nteam B: Nova: Bucket Head\nB field: Nova@1\nA field: Sidekick\nA reserve: Power Bolt!\nturn: 4, A, main"
    )
    game.play("use Power Bolt!")
    game.play("choose B's Nova@1")
    assert says(game) == ("yes", "S33")


# --- prices that are not energy (S31, S33) -------------------------------------------------------------------------


def test_s33_it_spins_nobody_down_to_block_more_than_one() -> None:
    game = seat("team B: Mr. Fantastic: Elastic\nA field: 3 Sidekick\nB field: Mr. Fantastic@3\nturn: 4, A, declare")
    game.play("attack with Sidekick")
    game.play("attack with Sidekick")
    game.play("attack")
    assert goes_on(game)[:2] == [("no", "S33"), ("block Sidekick with Mr. Fantastic@3", "S27")]


# --- duties, rerolls, cards (S34) ----------------------------------------------------------------------------------


def test_s34_a_duty_to_attack_along_hurts_the_best() -> None:
    game = seat(
        "team B: Toad: Sniveling Servant\nteam A: Storm: African Priestess; Hulk: Annihilator\n"
        "A field: Sidekick, Storm@1, Hulk@1\nB field: Toad@3\nturn: 4, A, declare",
        "uxm",
    )
    game.play("attack with Sidekick")
    game.play("attack")
    assert says(game) == ("choose A's Hulk@1", "S34")


WITCH = "team B: Scarlet Witch: Unity Squad\nteam A: Hulk: Annihilator\nB field: Scarlet Witch@1 (fielded last turn)\n"


@pytest.mark.parametrize(("chance", "answer"), [(2, "choose A's Hulk@1"), (3, "no")])
def test_s34_the_players_character_is_rolled_again_and_never_the_players_energy(chance: int, answer: str) -> None:
    game = seat(f"{WITCH}A prep: 2 Hulk\nA bag: exactly 8 Sidekick\nturn: 4, A, start\nchance: {chance}", "uxm")
    shown = [text for text, _ in goes_on(game)]
    assert shown[-1] == answer


def test_s34_of_its_own_reserve_it_rolls_energy_again_and_no_character() -> None:
    game = seat(
        "basics: Relentless\nteam B: Hulk: Annihilator\nB reserve: Relentless!, Hulk@3, Hulk:FF\nturn: 4, B, main",
        "uxm",
    )
    assert goes_on(game)[1] == ("choose B's Hulk:FF", "S34")


CARDS = "team A: Storm: African Priestess\nB reserve: Cerebro!\nturn: 4, B, main"


def test_s34_what_speaks_of_its_own_dice_lies_on_its_own_card() -> None:
    game = seat(f"team B: Cerebro: Cybernetic Intelligence; Beast: Big Boy Blue\n{CARDS}", "uxm")
    assert goes_on(game)[1] == ("Beast: Big Boy Blue", "S34")


def test_s34_what_speaks_of_the_players_dice_lies_on_the_players_card() -> None:
    game = seat(f"team B: Cerebro: Supercomputer; Beast: Big Boy Blue\n{CARDS}", "uxm")
    assert goes_on(game)[1] == ("Storm: African Priestess", "S34")


def test_s34_of_several_it_takes_it_says_that_they_are_several() -> None:
    game = seat(
        "basics: Imprisoned\nteam A: Hulk: Annihilator\nB reserve: Imprisoned!\nA field: Hulk@1, Sidekick\nturn: 4, B, main",
        "uxm",
    )
    game.play("use Imprisoned!")
    assert explain(game.state).why == "hurts the best it may, and A's Sidekick is one of them"


# --- the rule it names in combat (S26, S27, S30) -------------------------------------------------------------------


def test_s26_is_named_for_whoever_must_attack_among_those_who_would() -> None:
    game = seat(
        "team A: Mr. Fantastic: Brilliant Scientist\nteam B: Hulk: Annihilator; Thing: Grim Ben; Beast: Big Boy Blue; Thor: Odinson\n"
        "A reserve: M\nB field: Hulk@3, Thing@1, Beast@1, Thor@1, Sidekick\nturn: 4, B, main, respond"
    )
    game.play("Global of A's Mr. Fantastic")
    game.play("choose B's Beast@1*")
    said = dict(goes_on(game, until="fight"))
    assert said["attack with Beast@1"] == "S26"
    assert said["attack with Hulk@3"] == said["attack with Thor@1"] == "S23"


def test_s30_is_named_for_who_has_to_block() -> None:
    teams = "team A: Deadpool: Assassin; Thor: Odinson\nteam B: Hulk: Annihilator; Beast: Big Boy Blue\n"
    game = seat(f"{teams}A field: Deadpool@1, Thor@1\nB field: Hulk@3, Beast@2, Sidekick\nturn: 4, A, declare")
    for choice in ("attack with Deadpool@1", "attack with Thor@1", "yes", "choose B's Hulk@3"):
        game.play(choice)
    assert dict(goes_on(game)) == {
        "block Thor@1 with Sidekick": "S27", "block Deadpool@1 with Hulk@3": "S30", "block Thor@1 with Beast@2": "S28",
    }  # fmt: skip


def test_s27_is_named_where_each_attacker_has_its_two_blockers() -> None:
    game = seat(
        "team A: Thor: Odinson\nteam B: Hulk: Annihilator\nA field: Thor@1 (attacking)\nB field: Hulk@3, 2 Sidekick\nturn: 4, A, block"
    )
    game.play("block Thor@1 with Sidekick")
    game.play("block Thor@1 with Sidekick")
    assert explain(game.state)[1:] == ("S27", "has two blockers for each attacker")


def test_s30_is_named_where_who_is_left_may_block_nobody_with_room() -> None:
    teams = "team A: Thor: Lord of Asgard; Beast: Genetic Expert\nteam B: Hulk: Jade Giant\n"
    said = blocks("Thor@1 (attacking), Beast@1 (attacking)", "3 Hulk@1", teams)
    assert said == [
        ("block Beast@1 with Hulk@1", "S27"), ("block Beast@1 with Hulk@1", "S28"), ("done blocking", "S30"),
    ]  # fmt: skip
