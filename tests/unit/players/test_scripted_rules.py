"""The Scripted Opponent, rule by rule (docs/scripted-opponent.md)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tests.support.script_page import PAGE, ROWS, RULES
from tools.verify.random_games import random_rules

from dicemasters import Game
from dicemasters.game.game_spec import make_spec
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.rulesets.solitaire import SCRIPT_VARIANTS, SolitaireRules, note_step, parse_variants
from dicemasters.game.state.constants import FIELD, UNDECIDED
from dicemasters.game.state.state import State
from dicemasters.game.text import describe
from dicemasters.game.turn import loop
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.player import Player
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.scripted import SCRIPT, explain
from dicemasters.teams.tournament_table import random_tournament_spec

ROOT = Path(__file__).parents[3]


def script_position(text: str, edition: str = "avx", *readings: str) -> Game:
    """Return a game at a position in which B is scripted."""
    return Game.from_text(f"edition: {edition}\nsolitaire: {', '.join(('B', *readings))}\n{text}\n")


def next_choice(game: Game) -> tuple[str, str]:
    """Return the script's next choice, without bursts, and its rule."""
    assert game.state.decision.seat == 1, f"A decides: {game.state.decision}"
    reason = explain(game.state)
    return describe.option_texts(game.state)[reason.option].replace("*", ""), reason.rule


def script_choices(game: Game, *, until: str = "") -> list[tuple[str, str]]:
    """Play the script's choices until A decides or this kind of decision comes. Return them with their rules."""
    done: list[tuple[str, str]] = []
    while game.decision is not None and game.decision.player == "B" and game.decision.kind != until:
        done.append(next_choice(game))
        game.play(explain(game.state).option)
    return done


# --- roll and main step --------------------------------------------------------------------------------------------


def test_s12_all_energy_is_rerolled_once_and_characters_and_actions_are_kept() -> None:
    game = script_position(
        "basics: Force Beam\nteam B: Beast: Mutate #666\nB prep: Beast@1, Beast:M, F, Force Beam!\nturn: 2, B, reroll"
    )
    assert script_choices(game, until="main") == [
        ("reroll F", "S12"),
        ("reroll Beast:M", "S12"),
        ("reroll these", "S12"),
    ]


def test_s12_reading_keeps_energy_keeps_enough_for_fielding() -> None:
    game = Game.from_text(
        "edition: avx\nsolitaire: B, keeps energy\nteam B: Thor: Odinson\nB prep: Thor@2, F, B, S\nturn: 2, B, reroll\n"
    )
    assert script_choices(game, until="main") == [("reroll S", "S12"), ("reroll these", "S12")]


def test_s14_actions_come_before_fielding_and_fielding_before_globals() -> None:
    game = script_position(
        "basics: Force Beam\nteam B: Beast: Mutate #666; Professor X: Trainer\n"
        "B reserve: Force Beam!, Beast@1, M\nB used: 3 Sidekick\nA field: 2 Sidekick\nturn: 2, B, main",
        "uxm",
    )
    acts = [text for text, _ in script_choices(game, until="attack") if not text.startswith(("choose", "pay"))]
    assert acts == ["use Force Beam!", "field Beast@1", "Global of B's Professor X", "pass"]


def test_s14_sidekick_gained_from_an_action_is_fielded_next() -> None:
    game = script_position(
        "basics: Gearing Up; Force Beam\nB reserve: Gearing Up!\nB used: Force Beam\nA field: Sidekick\nturn: 2, B, main"
    )
    game.state.script = [(1, 1, -1), (1, 1, -1), (1, 1, 5), (1, 1, 0)]  # a Sidekick character and energy
    game.play(next_choice(game)[0])
    assert next_choice(game) == ("field Sidekick", "S18")


def test_s10_script_buys_nothing_on_its_turn() -> None:
    game = script_position("basics: Force Beam\nteam B: Beast: Mutate #666\nB reserve: 6 M\nturn: 2, B, main")
    assert "buy Beast" in describe.option_texts(game.state)
    assert next_choice(game) == ("pass", "S14")


def test_s15_action_that_only_changes_a_and_d_waits_for_the_attack() -> None:
    game = script_position(
        "basics: Inner Rage\nB reserve: Inner Rage!\nB field: 3 Sidekick\nA field: Sidekick\nturn: 2, B, main"
    )
    assert next_choice(game) == ("pass", "S14")


def test_s15_blocking_ban_does_not_wait() -> None:
    game = script_position(
        "basics: Distraction\nB reserve: Distraction!\nB field: 3 Sidekick\nA field: Sidekick\nturn: 2, B, main"
    )
    assert next_choice(game) == ("use Distraction!", "S16")


def test_s15_action_does_not_wait_if_no_character_will_attack() -> None:
    game = script_position(
        "basics: Inner Rage\nB reserve: Inner Rage!\nB field: 2 Sidekick\nA field: Sidekick\nturn: 2, B, main"
    )
    assert next_choice(game) == ("use Inner Rage!", "S15")


# effects for later in the turn: (edition, what B has, the choice that waits for the attack)
FOR_LATER = {
    "a name for A alone (cw 30)": (
        "cw",
        "basics: Suffering and Satisfaction\nteam A: Falcon: Talks to Birds\nteam B: Falcon: Talks to Birds\n"
        "A field: Falcon@1\nB reserve: Suffering and Satisfaction!",
        "use Suffering and Satisfaction!",
    ),
    "cheaper dice, which it does not buy (ai 49)": (
        "ai", "basics: Big Entrance\nB reserve: Big Entrance!", "use Big Entrance!",
    ),
    "a cheaper action die (ai 42)": (
        "ai", "basics: Smash!\nteam A: Thor: Every Problem is a Nail\nB reserve: B", "Global of A's Thor",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FOR_LATER)
def test_s15_effect_for_later_waits_unless_no_character_will_attack(case: str) -> None:
    edition, text, act = FOR_LATER[case]
    falcons = "Falcon@2, Falcon@3" if "team B: Falcon" in text else "2 Sidekick"
    game = script_position(f"{text}\nB field: {falcons}, 2 Sidekick\nturn: 6, B, main", edition)
    assert act in [one.replace("*", "") for one in describe.option_texts(game.state)]
    assert next_choice(game) == ("pass", "S14")
    alone = "Falcon@2" if "team B: Falcon" in text else "Sidekick"
    assert next_choice(script_position(f"{text}\nB field: {alone}\nturn: 6, B, main", edition)) == (act, "S15")


# effects that come after another choice or a name: (edition, position, what B does)
AFTER_A_CHOICE = {
    "a second target (cw 28)": (
        "ai",
        "basics: Internal Dispute\nteam A: Hulk: Primal Fury; Falcon: Talks to Birds\nA field: Hulk@1, Falcon@1\n"
        "B reserve: Internal Dispute!",
        ("use Internal Dispute!", "S16"),
    ),
    "one of the named type, and there is none (uxm 32)": (
        "uxm",
        "basics: Selective Shield\nteam A: Storm: 'Ro\nA field: Storm@1\nB field: Sidekick\n"
        "B reserve: Selective Shield!**",
        ("use Selective Shield!", "S16"),
    ),
    "one of the named type, and it is its own (uxm 32)": (
        "uxm",
        "basics: Selective Shield\nteam A: Storm: 'Ro\nteam B: Wolverine: Wildboy\nA field: Storm@1\nB field: Wolverine@1\n"
        "B reserve: Selective Shield!**",
        ("pass", "S14"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", AFTER_A_CHOICE)
def test_s17_script_sees_which_side_an_effect_after_a_choice_hurts(case: str) -> None:
    edition, text, expected = AFTER_A_CHOICE[case]
    assert next_choice(script_position(f"{text}\nturn: 6, B, main", edition)) == expected


HULK = "basics: Wormhole\nteam A: Loki: Illusionist; Hulk: Primal Fury\nteam B: Loki: Illusionist; Hulk: Primal Fury\n"


def test_s17_script_does_not_return_a_die_it_took_from_the_player() -> None:
    game = script_position(
        f"{HULK}A field: Hulk@2\nB field: Wormhole!, Sidekick\nB reserve: Loki@1, F\nturn: 6, B, main", "ai"
    )
    game.play("field Loki")
    assert "ability of Wormhole!" in describe.option_texts(game.state)
    assert next_choice(game) == ("pass", "S14")


def test_s17_script_returns_a_die_that_the_player_took_from_it() -> None:
    text = f"{HULK}B field: Hulk@2, Wormhole!\nA reserve: Loki@1, F\nturn: 6, A, main"
    game = script_position(text, "ai", "answers in your main step")
    game.play("field Loki")
    game.play("pass")
    assert next_choice(game) == ("ability of Wormhole!", "S37")


def test_s15_reading_every_act_plays_everything_in_the_main_step() -> None:
    game = Game.from_text(
        "edition: avx\nsolitaire: B, every act\nbasics: Inner Rage\nB reserve: Inner Rage!\nB field: 3 Sidekick\n"
        "A field: Sidekick\nturn: 2, B, main\n"
    )
    assert next_choice(game) == ("use Inner Rage!", "S16")


def test_s16_most_expensive_action_comes_first_then_row_order() -> None:
    game = script_position(
        "basics: Gearing Up; Force Beam; Power Bolt\nB reserve: Power Bolt!, Force Beam!, Gearing Up!\n"
        "A field: Sidekick\nturn: 2, B, main"
    )
    uses = [text for text, rule in script_choices(game, until="attack") if rule == "S16"]
    assert uses == ["use Gearing Up!", "use Force Beam!", "use Power Bolt!"]


def test_s17_script_does_not_hurt_only_itself_in_the_main_step() -> None:
    game = script_position("basics: Smash!\nB reserve: Smash!\nB field: Sidekick\nturn: 2, B, main")
    assert "use Smash!!" in describe.option_texts(game.state)
    assert next_choice(game) == ("pass", "S14")


def test_s17_effect_that_hurts_both_sides_is_played() -> None:
    game = script_position(
        "basics: Force Beam\nB reserve: Force Beam!\nB field: Sidekick\nA field: Sidekick\nturn: 2, B, main"
    )
    assert next_choice(game) == ("use Force Beam!", "S16")


def test_s17_script_plays_any_legal_action_in_the_attack_step() -> None:
    game = script_position(
        "basics: Smash!\nB reserve: Smash!\nB field: Sidekick (attacking), 2 Sidekick\nturn: 2, B, fight"
    )
    assert next_choice(game) == ("use Smash!!", "S16")


def test_s18_face_with_the_highest_fielding_cost_is_fielded_first() -> None:
    game = script_position(
        "team B: Beast: Mutate #666; Thor: Odinson\nB reserve: Beast@3, Thor@2, 4 F\nturn: 2, B, main"
    )
    fields = [text for text, rule in script_choices(game) if rule == "S18"]
    assert fields == ["field Thor@2", "field Beast@3"]


def test_s19_unaffordable_character_is_skipped() -> None:
    game = script_position("team B: Beast: Mutate #666; Thor: Odinson\nB reserve: Beast@3, Thor@2, F\nturn: 2, B, main")
    assert next_choice(game) == ("field Beast@3", "S19")


# what B has and fields together: (edition, team and reserve, fielded together, fielded separately)
TOGETHER = {
    "one generic 2 for two costs of 1": (
        "avx", "basics: Smash!\nteam B: Beast: Mutate #666; Thor: Odinson\nB reserve: Beast@3, Thor@1, Smash!:2", "Thor@1 Beast@3", "",
    ),
    "two of one card, on different faces": (
        "avx", "basics: Smash!\nteam B: Cyclops: Slim\nB reserve: Cyclops@1, Cyclops@3, Smash!:2", "Cyclops@3 Cyclops@1", "",
    ),
    "two dice that are alike": (
        "avx", "basics: Smash!\nteam B: Cyclops: Slim\nB reserve: 2 Cyclops@1, Smash!:2", "Cyclops@1 Cyclops@1", "",
    ),
    "three dice that are alike": (
        "cw",
        "basics: The Front Line\nteam B: Falcon: Talks to Birds\nB reserve: 3 Falcon@1, The Front Line:2, F",
        "Falcon@1 Falcon@1 Falcon@1", "",
    ),
    "a third is paid besides": (
        "uxm",
        "basics: Enrage\nteam B: Iceman: Cryokinetic; Storm: 'Ro; Gambit: Ace in the Hole\n"
        "B reserve: Iceman@2, Storm@2, Gambit@1, Enrage:2, F",
        "Iceman@2 Gambit@1 Storm@2", "",
    ),
    "three and one with two generic dice": (
        "uxm",
        "basics: Enrage\nteam B: Professor X: Trainer; Iron Man: Playboy\nB reserve: Professor X@3, Iron Man@1, Enrage:2, Enrage:2",
        "Professor X@3 Iron Man@1", "",
    ),
    "the dearer one, not the cheapest": (
        "cw",
        "basics: The Front Line\nteam B: Wolverine: Wildboy; Luke Cage: Bulletproof; Nova: Quasar\n"
        "B reserve: Wolverine@3, Nova@3, Luke Cage@1, The Front Line:2, The Front Line:2, F",
        "Wolverine@3 Nova@3", "",
    ),
    "the free ones after them": (
        "cw",
        "basics: The Front Line\nteam B: Falcon: Talks to Birds; Captain America: American Hero\n"
        "B reserve: Falcon@1, Captain America@1, Sidekick, The Front Line:2",
        "Captain America@1 Falcon@1", "Sidekick",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TOGETHER)
def test_s19_script_pays_together_if_it_fields_more_that_way(case: str) -> None:
    edition, text, together, besides = TOGETHER[case]
    game = script_position(f"{text}\nturn: 2, B, main", edition)
    assert next_choice(game) == ("pay for several things at once", "S19")
    done = [text for text, _ in script_choices(game, until="attack")]
    names = [text.removeprefix("field ") for text in done if text.startswith("field ")]
    assert names == [*_listed(together), *_listed(besides)]
    assert done.index("pay now") == len(_listed(together)) + 1
    s = game.state
    assert sorted(describe.die_text(s, d).replace("*", "") for d in s.dice_in(FIELD, 1)) == sorted(names)


def _listed(names: str) -> list[str]:
    return re.findall(r"\S[^@]*?@\d|Sidekick", names)


def test_s19_script_pays_separately_where_nothing_is_lost() -> None:
    team = "basics: Smash!\nteam B: Beast: Mutate #666; Thor: Odinson\n"
    for edition, reserve in (
        ("avx", "Beast@3, Thor@1, 2 F"),  # no generic energy
        ("avx", "Beast@3, Thor@2, Smash!:2, F"),  # Thor uses all generic energy
        ("avx", "Beast@3, Smash!:2"),  # only one character
        ("ai", "Beast@3, Thor@1, Smash!:2"),  # unspent virtual energy stays
        ("avx, virtual energy", "Beast@3, Thor@1, Smash!:2"),
        ("avx, pay one by one", "Beast@3, Thor@1, Smash!:2"),  # paying together is not allowed
    ):
        game = script_position(f"{team}B reserve: {reserve}\nturn: 2, B, main", edition)
        assert next_choice(game)[0].startswith("field "), reserve


def test_s19_energy_saved_by_paying_together_pays_for_a_global() -> None:
    game = script_position(
        "basics: Smash!; Invulnerability\nteam B: Beast: Mutate #666; Thor: Odinson\nB reserve: Beast@3, Thor@1, Smash!:2, B\n"
        "turn: 2, B, main"
    )
    done = [text for text, _ in script_choices(game, until="attack")]
    assert done[0] == "pay for several things at once"
    assert "Global of Invulnerability" in done


def test_s20_script_pays_generic_then_types_no_global_needs_and_wild_last() -> None:
    team = "basics: Smash!; Take Cover [avx]\nteam B: Beast: Mutate #666\nB field: Sidekick\nA field: Sidekick\n"
    ways = {
        "B reserve: Beast@3, Smash!:2, F": "1 of Smash!:2",
        "B reserve: Beast@3, F, M": "M",  # Globals need fist and shield
        "B reserve: Beast@3, F, S": "F",
        "B reserve: Beast@3, F, ?": "F",
        "B reserve: Beast@3, Beast:MM, B": "B",
    }
    for reserve, spent in ways.items():
        game = script_position(f"{team}{reserve}\nturn: 2, B, main", "ai")
        game.play("field Beast")
        text, rule = next_choice(game)
        assert (text, rule) == (f"pay {spent}", "S20"), reserve


GLOBALS = (
    "basics: Invulnerability; Take Cover [avx]\nteam A: Mr. Fantastic: The Invincible Man\nteam B: Goliath: Inspired\n"
)


def test_s21_globals_are_used_in_rounds_own_first_then_basics_then_the_players() -> None:
    game = script_position(
        GLOBALS
        + "B field: Sidekick\nA field: Sidekick (attacking)\nB reserve: 2 F, 2 B, S, 2 M\nturn: 3, A, fight, respond"
    )
    used: list[str] = []
    while game.decision is not None and game.decision.kind in ("fight", "respond", "choose"):
        if game.decision.player == "A":
            game.play("pass")
            continue
        text, rule = next_choice(game)
        if rule == "S21":
            used.append(text)
        game.play(explain(game.state).option)
    assert used == [
        "Global of B's Goliath", "Global of Invulnerability", "Global of Take Cover", "Global of A's Mr. Fantastic",
        "Global of B's Goliath", "Global of Invulnerability", "Global of A's Mr. Fantastic",
    ]  # fmt: skip


def test_s21_energy_at_the_start_of_a_step_limits_the_uses_of_globals() -> None:
    game = script_position(
        "team A: Pyro: Pyrokinetic\nB prep: B (rolled)\nB bag: 4 Sidekick\nturn: 2, B, reroll", "uxm"
    )
    game.play("keep all")
    assert next_choice(game) == ("Global of A's Pyro", "S21")
    game.state.script = [(1, 1, -1), (1, 1, -1), (1, 1, 1), (1, 1, 1)]  # yields two bolts
    game.play("Global of A's Pyro")
    assert "Global of A's Pyro" in describe.option_texts(game.state)
    assert next_choice(game) == ("pass", "S14")


def globals_used(game: Game) -> list[str]:
    """Let the script play and A pass until the step ends. Return the Globals the script has used."""
    used: list[str] = []
    step = game.state.step
    while game.decision is not None and game.state.step == step and game.decision.kind not in ("attack", "block"):
        if game.decision.player == "A":
            game.play(len(game.decision.options) - 1)  # pass, or the last option of another choice
            continue
        text, _ = next_choice(game)
        if text.startswith("Global of"):
            used.append(text)
        game.play(explain(game.state).option)
    return used


CAPPED = {
    "avx, its attack": (
        "avx",
        "basics: Smash!; Take Cover [avx]; Invulnerability\nB field: Sidekick (attacking), 2 Sidekick\nA field: Sidekick\n"
        "B reserve: F, S, 3 B\nturn: 3, B, fight",
        ["Global of Invulnerability", "Global of Take Cover"],
    ),
    "avx, its defence": (
        "avx",
        "basics: Distraction; Invulnerability\nteam A: Mr. Fantastic: The Invincible Man\nB field: 2 Sidekick\n"
        "A field: Sidekick (attacking), Sidekick (attacking), Sidekick\nB reserve: 2 M, 2 B\nturn: 3, A, fight, respond",
        ["Global of Distraction", "Global of Invulnerability", "Global of A's Mr. Fantastic"],
    ),
    "uxm": (
        "uxm",
        "basics: Enrage; Transfer Power; Relentless\nB field: Sidekick (attacking), 2 Sidekick\nA field: Sidekick\n"
        "B reserve: 2 B, 2 S, M\nturn: 3, B, fight",
        ["Global of Enrage", "Global of Relentless", "Global of Transfer Power"],
    ),
    "cw": (
        "cw",
        "basics: The Front Line\nteam B: Goliath: Inspired\nB field: Goliath@1 (attacking), 2 Sidekick\n"
        "A field: 2 Sidekick\nB reserve: 4 F, 2 B\nturn: 3, B, fight",
        ["Global of B's Goliath", "Global of The Front Line"],
    ),
    "ai": (
        "ai",
        "basics: Raised Shields; Take Cover [ai]; Under Surveillance\nB field: 2 Sidekick\n"
        "A field: Sidekick (attacking)\nB reserve: 3 B, 2 S\nturn: 3, A, fight, respond",
        ["Global of Raised Shields", "Global of Take Cover"],
    ),
    "uxm, two energies": (
        "uxm",
        "team A: Mister Sinister: Nasty Boy; Cable: Man of Action\nteam B: Hulk: Jade Giant\nB field: Hulk@3\n"
        "A field: Sidekick (attacking), 4 Sidekick\n"
        "B reserve: 6 B\nturn: 3, A, fight, respond",
        ["Global of A's Cable", "Global of A's Mister Sinister"],
    ),
}


@pytest.mark.parametrize("case", CAPPED)
def test_s21_no_limit_stops_the_first_use_of_a_global(case: str) -> None:
    edition, text, used = CAPPED[case]
    game = script_position(text, edition)
    note_step(game.state, 0)  # as if it had gained all its energy in this step
    assert sorted(globals_used(game)) == sorted(used)
    game = script_position(text, edition)
    assert len(globals_used(game)) > len(used)  # its energy at the start of the step allows further rounds


def test_s21_energy_gained_from_a_global_pays_for_others() -> None:
    game = script_position(
        "basics: Enrage\nteam B: Pyro: Pyrokinetic\nB field: Pyro@1 (attacking), 2 Sidekick\nA field: Sidekick\nB reserve: B\n"
        "B bag: 4 Sidekick\nturn: 3, B, fight",
        "uxm",
    )
    game.state.script = [(1, 1, -1), (1, 1, -1), (1, 1, 1), (1, 1, 1)]  # two bolts
    assert globals_used(game) == ["Global of B's Pyro", "Global of Enrage"]


def test_s21_script_never_pays_with_its_last_life() -> None:
    team = "team A: Silver Surfer: Sentinel\nB reserve: S\n"
    assert next_choice(script_position(team + "B life: 3\nturn: 2, B, main")) == ("Global of A's Silver Surfer", "S21")
    assert next_choice(script_position(team + "B life: 2\nturn: 2, B, main")) == ("pass", "S14")


# choices that cost each player life, played at 2 life and not at 1: (edition, what B has, the choice)
TAKES_LIFE = {
    "a Global (cw 48)": ("cw", "team A: Luke Cage: Bulletproof\nB reserve: F", "Global of A's Luke Cage"),
    "an action (avx 27)": ("avx", "basics: Force Beam\nB reserve: Force Beam!**", "use Force Beam!"),
    "a burst (uxm 30)": ("uxm", "basics: Reckless Melee\nB reserve: Reckless Melee!*", "use Reckless Melee!"),
}


@pytest.mark.parametrize("case", TAKES_LIFE)
def test_s21_script_plays_nothing_that_takes_its_last_life(case: str) -> None:
    edition, text, act = TAKES_LIFE[case]
    text += "\nA field: Sidekick\n"
    main, fight = "B field: Sidekick\nturn: 6, B, main", "B field: Sidekick (attacking), Sidekick\nturn: 6, B, fight"
    assert next_choice(script_position(f"{text}B life: 2\n{main}", edition))[0] == act
    assert next_choice(script_position(f"{text}B life: 2\n{fight}", edition))[0] == act
    assert next_choice(script_position(f"{text}B life: 1\n{main}", edition)) == ("pass", "S14")
    assert next_choice(script_position(f"{text}B life: 1\n{fight}", edition)) == ("pass", "S32")


# --- other readings ------------------------------------------------------------------------------------------------

# reading: (position, usual choice, choice under this reading)
READ = {
    "every act": (
        "basics: Inner Rage\nB reserve: Inner Rage!\nB field: 3 Sidekick\nA field: Sidekick\nturn: 2, B, main",
        "pass", "use Inner Rage!",
    ),
    "tricks wait": (
        "basics: Inner Rage\nB reserve: Inner Rage!\nB field: 2 Sidekick\nA field: Sidekick\nturn: 2, B, main",
        "use Inner Rage!", "pass",
    ),
    "tricks wait, of a Global": (
        "basics: Invulnerability\nB reserve: B\nB field: Sidekick\nA field: Sidekick\nturn: 2, B, main",
        "Global of Invulnerability", "pass",
    ),
    "hurts itself": (
        "basics: Smash!\nB reserve: Smash!\nB field: Sidekick\nturn: 2, B, main",
        "pass", "use Smash!!",
    ),
    "hurts itself, with a Global": (
        "team A: Mjolnir: Thor's Hammer\nB reserve: 2 B\nB field: Sidekick\nturn: 2, B, main",
        "pass", "Global of A's Mjolnir",
    ),
    "spares itself": (
        "basics: Smash!\nB reserve: Smash!\nB field: Sidekick (attacking), 2 Sidekick\nturn: 2, B, fight",
        "use Smash!!", "pass",
    ),
    "spares itself, with a Global": (
        "team A: Mjolnir: Thor's Hammer\nB reserve: 2 B\nB field: Sidekick (attacking)\nturn: 2, B, fight",
        "Global of A's Mjolnir", "pass",
    ),
    "fields by purchase cost": (
        "team B: Captain America: American Hero; Thor: Odinson\nB reserve: Captain America@2, Thor@1, 3 F\nturn: 2, B, main",
        "field Captain America@2", "field Thor@1",
    ),
    "answers in your main step": (
        "basics: Distraction; Relentless\nA field: Sidekick\nB field: Sidekick\nB reserve: M\nturn: 3, A, main, respond",
        "pass", "Global of Relentless",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_reading_changes_the_choice(case: str) -> None:
    text, usual, read = READ[case]
    assert next_choice(script_position(text))[0] == usual
    words = case.partition(",")[0]
    found, rule = next_choice(script_position(text, "avx", words))
    assert found == read
    assert rule in {"S14", "S16", "S21", "S32", next(one.rule for one in SCRIPT_VARIANTS if one.text == words)}


def test_s37_reading_answers_in_your_main_step_still_saves_tricks_for_the_attack() -> None:
    text = "basics: Take Cover [avx]\nA field: Sidekick\nB field: Sidekick\nB reserve: S\nturn: 3, A, main, respond"
    assert next_choice(script_position(text, "avx", "answers in your main step")) == ("pass", "S37")
    assert next_choice(script_position(text, "avx", "answers in your main step", "every act")) == (
        "Global of Take Cover",
        "S37",
    )


@pytest.mark.parametrize("seed", range(8))
def test_games_with_different_readings_end(seed: int) -> None:
    some = [one for n, one in enumerate(SCRIPT_VARIANTS) if (seed * 7 + n) % 3 or seed == 0]
    words = list({one.point: one.text for one in some}.values())
    plain = random_tournament_spec(seed, edition=random_rules(seed) if seed & 1 else None).setup
    table = make_spec(plain.edition, plain.teams, plain.basics, plain.life, parse_variants(1, words))
    state = loop.new_state(table, seed, 0)
    loop.advance(state)
    player = HeuristicPlayer(seed)
    for _ in range(20_000):
        if state.result != UNDECIDED:
            break
        choice = player.choose(state) if state.decision.seat == 0 else explain(state).option
        loop.apply(state, state.options[choice])
    assert state.result != UNDECIDED


def test_page_explains_every_reading() -> None:
    rows = re.findall(r"^\| (S\d+) \| [^|]*\| `([^`]+)` \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert [row for row in rows if row[1] != "life 15"] == [(one.rule, one.text, one.about) for one in SCRIPT_VARIANTS]


# --- attack --------------------------------------------------------------------------------------------------------


def declared_attackers(field: str, more: str = "", edition: str = "avx", teams: str = "") -> tuple[list[str], str]:
    """Return the attackers of the script, and the rule of its last choice."""
    teams = teams or "team B: Beast: Mutate #666; Thor: Odinson\n"
    game = script_position(f"{teams}B field: {field}\nA field: 2 Sidekick\n{more}\nturn: 2, B, attack", edition)
    choices = script_choices(game, until="fight")
    names = [text.removeprefix("attack with ") for text, _ in choices if text.startswith("attack with")]
    return names, choices[-1][1] if choices else ""


def test_s23_one_sidekick_and_the_weakest_other_character_stay_home() -> None:
    assert declared_attackers("Sidekick, Sidekick, Beast@1, Beast@2, Thor@1") == (
        ["Sidekick", "Beast@2", "Thor@1"],
        "S23",
    )


def test_s23_two_weakest_characters_stay_home_without_a_sidekick() -> None:
    assert declared_attackers("Beast@2, Beast@3, Thor@1")[0] == ["Thor@1"]


def test_s23_higher_d_stays_home_among_equal_a() -> None:
    assert declared_attackers("Sidekick, Beast@2, Beast@3")[0] == ["Beast@2"]


def test_s23_two_sidekicks_stay_home_if_there_is_nothing_else() -> None:
    assert declared_attackers("3 Sidekick")[0] == ["Sidekick"]


def test_s24_two_characters_do_not_attack() -> None:
    assert declared_attackers("Sidekick, Thor@3") == ([], "S24")


def test_s25_all_characters_attack_if_their_a_is_lethal() -> None:
    assert declared_attackers("Sidekick, Thor@3", "A life: 9") == (["Sidekick", "Thor@3"], "S25")
    assert declared_attackers("Sidekick, Thor@3", "A life: 10")[0] == []


def test_s26_character_that_cannot_attack_counts_among_the_two_at_home() -> None:
    teams = "team B: Maria Hill: On the Hunt; Thor: Boom!\n"
    assert declared_attackers("Maria Hill@1, Sidekick, Thor@1", edition="cw", teams=teams)[0] == ["Thor@1"]


def test_s26_character_that_must_attack_attacks() -> None:
    game = script_position(
        "team A: Mr. Fantastic: The Invincible Man\nA reserve: M\nA field: 2 Sidekick\nB field: 2 Sidekick\nturn: 2, B, main, respond"
    )
    game.play("Global of A's Mr. Fantastic")
    game.play("choose B's Sidekick")
    game.play("pass")
    assert next_choice(game) == ("attack with Sidekick #2", "S26")  # the other Sidekick need not attack


def test_s32_actions_for_the_start_of_the_attack_step_are_played_first() -> None:
    game = script_position(
        "basics: Possession\nB reserve: Possession!\nteam B: Thor: Odinson\nB field: Thor@2\nA field: Sidekick\nturn: 2, B, attack",
        "uxm",
    )
    assert next_choice(game) == ("use Possession!", "S16")


def test_s32_actions_are_played_after_the_blocks_and_then_globals() -> None:
    game = script_position(
        "basics: Inner Rage; Take Cover [avx]\nB reserve: Inner Rage!, S\nB field: Sidekick (attacking), 2 Sidekick\n"
        "A field: Sidekick\nturn: 2, B, fight"
    )
    choices = [step for step in script_choices(game) if not step[0].startswith("choose")]
    assert choices[:3] == [("use Inner Rage!", "S16"), ("Global of Take Cover", "S21"), ("pass", "S32")]


# --- block ---------------------------------------------------------------------------------------------------------


def declared_blocks(attackers: str, blockers: str, teams: str = "", edition: str = "avx") -> list[tuple[str, str]]:
    """Return the blocks the script declares, each with its rule."""
    teams = teams or (
        "team A: Hulk: Jade Giant; Captain America: Natural Leader\nteam B: Beast: Genetic Expert; Thor: Odinson; "
        'Spider-Man: "Tiger"\n'
    )
    game = script_position(f"{teams}A field: {attackers}\nB field: {blockers}\nturn: 3, A, block", edition)
    choices: list[tuple[str, str]] = []
    while game.decision is not None and game.decision.kind == "block":
        choices.append(next_choice(game))
        game.play(explain(game.state).option)
    return choices


def test_s27_s28_lowest_d_blocks_the_highest_a_one_blocker_each() -> None:
    choices = declared_blocks("Hulk@1 (attacking), Sidekick (attacking)", "Beast@1, Thor@1")
    assert choices == [("block Hulk@1 with Beast@1", "S27"), ("block Sidekick with Thor@1", "S27")]


def test_s28_a_second_round_puts_a_second_blocker_on_the_highest_a() -> None:
    choices = declared_blocks("Hulk@1 (attacking), Sidekick (attacking)", "Sidekick, Beast@1, Thor@1")
    assert sorted(choices) == [
        ("block Hulk@1 with Sidekick", "S27"),
        ("block Hulk@1 with Thor@1", "S28"),
        ("block Sidekick with Beast@1", "S27"),
    ]


ANGEL = "team A: Angel: Flying High; Captain America: Natural Leader\n"


def test_s27_flying_high_waits_only_for_other_shield_attackers() -> None:
    assert (
        declared_blocks("Angel@3 (attacking), Sidekick (attacking)", "Sidekick", ANGEL, "uxm")[0][0]
        == "block Angel@3 with Sidekick"
    )
    choices = declared_blocks(
        "Angel@3 (attacking), Sidekick (attacking), Captain America@1 (attacking)", "2 Sidekick", ANGEL, "uxm"
    )
    assert sorted(text for text, _ in choices)[:2] == [
        "block Angel@3 with Sidekick",
        "block Captain America@1 with Sidekick",
    ]


def test_s30_blocker_called_by_two_attackers_blocks_both_before_others_are_planned() -> None:
    game = script_position(
        "team A: Deadpool: Assassin\nteam B: Loki: Ice in his Veins\nA field: Deadpool@1, Deadpool@3\n"
        "B field: Loki@1, Sidekick\nturn: 3, A, attack",
        "cw",
    )
    while game.decision is not None and game.decision.kind != "block":
        texts = [str(option) for option in game.decision.options]
        wanted = ("attack with", "yes", "choose B's Loki")
        game.play(next((i for i, text in enumerate(texts) if text.startswith(wanted)), 0))
    while game.decision is not None and game.decision.kind == "block":
        game.play(explain(game.state).option)
    assert "Sidekick (blocking Deadpool@3)" in game.to_text()


def test_s27_attacker_is_blocked_by_at_most_two() -> None:
    choices = declared_blocks("Hulk@1 (attacking)", "3 Sidekick, Beast@1")
    assert [text for text, _ in choices] == [
        "block Hulk@1 with Sidekick",
        "block Hulk@1 with Sidekick",
        "done blocking",
    ]


def test_s28_a_weak_second_blocker_offered_first_does_not_change_the_plan() -> None:
    # the game offers Sidekicks before other characters, but here the Sidekick has the highest D
    choices = declared_blocks("Hulk@1 (attacking), Sidekick (attacking)", "Sidekick (+9D), Beast@1, Spider-Man@1")
    assert sorted(text for text, _ in choices) == [
        "block Hulk@1 with Beast@1", "block Hulk@1 with Sidekick", "block Sidekick with Spider-Man@1",
    ]  # fmt: skip


def test_s29_lower_a_blocks_first_among_equal_d() -> None:
    choices = declared_blocks("Hulk@1 (attacking), Captain America@1 (attacking)", "Beast@2, Spider-Man@1")
    assert choices == [("block Hulk@1 with Beast@2", "S27"), ("block Captain America@1 with Spider-Man@1", "S27")]


def test_s30_blocker_that_cannot_block_its_attacker_takes_the_next_one() -> None:
    teams = "team A: Thor: Lord of Asgard; Beast: Genetic Expert\nteam B: Hulk: Jade Giant; Beast: Mutate #666\n"
    choices = declared_blocks("Thor@1 (attacking), Beast@1 (attacking)", "Hulk@1, Beast@3", teams)
    assert sorted(choices) == [("block Beast@1 with Hulk@1", "S27"), ("block Thor@1 with Beast@3", "S27")]


def test_s30_character_that_cannot_block_stays_home() -> None:
    teams = "team A: Thor: Lord of Asgard\nteam B: Hulk: Jade Giant\n"
    assert declared_blocks("Thor@1 (attacking)", "Hulk@1", teams) == []


def test_s30_forced_blocks_are_made() -> None:
    teams = "team A: Rocket Raccoon: Bandit; Thor: Boom!\nteam B: Bullseye: I'm Magic\n"
    choices = declared_blocks("Rocket Raccoon@1 (attacking), Thor@1 (attacking)", "Bullseye@1", teams, "cw")
    assert choices[0][0] == "block Rocket Raccoon@1 with Bullseye@1"


def forced_blocks(field: str, blockers: str, *forced: str) -> list[tuple[str, str, str]]:
    """Return the script's blocks (option, rule, reason) after A's Wasp has forced some of its dice to block."""
    game = script_position(
        f"team A: Wasp: Fashionista; Hulk: Anger Issues; She-Hulk: Buy My Comics!; Rocket Raccoon: Bandit\n"
        "team B: Thor: Boom!; Falcon: Talks to Birds; Bullseye: I'm Magic\n"
        f"A field: {field}\nA reserve: {', '.join('M' for _ in forced)}\nB field: {blockers}\nturn: 3, A, main",
        "cw",
    )
    for die in forced:
        game.play("Global of A's Wasp")
        game.play(f"choose B's {die}")
    while game.decision is not None and (game.decision.player, game.decision.kind) != ("A", "attack"):
        game.play("pass")
    while game.decision is not None and game.decision.player == "A" and game.decision.kind == "attack":
        game.play(0)  # every character attacks
    choices: list[tuple[str, str, str]] = []
    while game.decision is not None and game.decision.kind == "block":
        reason = explain(game.state)
        choices.append((*next_choice(game), reason.why.replace("*", "")))
        game.play(reason.option)
    return [one for one in choices if one[0] != "done blocking"]


def test_s30_character_that_must_block_is_one_of_the_two_blockers() -> None:
    for others in ("Sidekick", "2 Sidekick", "4 Sidekick"):
        assert forced_blocks("Hulk@1", f"{others}, Thor@1", "Thor@1") == [
            ("block Hulk@1 with Sidekick", "S28", "Sidekick blocks Hulk@1 as the second"),
            ("block Hulk@1 with Thor@1", "S30", "Thor@1 blocks Hulk@1, as it has to"),
        ]
    choices = forced_blocks("Hulk@1", "2 Sidekick, Falcon@1, Thor@1", "Thor@1")
    assert [text for text, _, _ in choices] == ["block Hulk@1 with Sidekick", "block Hulk@1 with Thor@1"]


def test_s30_character_that_must_block_takes_the_highest_a_before_the_others() -> None:
    choices = forced_blocks("Hulk@1, Sidekick", "4 Sidekick, Thor@1", "Thor@1")
    assert sorted(text for text, _, _ in choices) == [
        "block Hulk@1 with Sidekick", "block Hulk@1 with Thor@1", "block Sidekick with Sidekick",
        "block Sidekick with Sidekick",
    ]  # fmt: skip


def test_s30_characters_that_must_block_take_one_attacker_each_first() -> None:
    choices = forced_blocks("Hulk@1, Sidekick", "3 Sidekick, Thor@1, Falcon@1", "Thor@1", "Falcon@1")
    assert sorted(text for text, _, _ in choices) == [
        "block Hulk@1 with Falcon@1", "block Hulk@1 with Sidekick", "block Sidekick with Sidekick",
        "block Sidekick with Thor@1",
    ]  # fmt: skip
    assert [rule for text, rule, _ in choices if "Falcon" in text or "Thor" in text] == ["S30", "S30"]


def test_s30_third_blocker_blocks_only_if_it_must() -> None:
    choices = forced_blocks("Hulk@1", "2 Sidekick, Thor@1, Falcon@1, Bullseye@1", "Thor@1", "Falcon@1", "Bullseye@1")
    assert sorted((text, rule) for text, rule, _ in choices) == [
        ("block Hulk@1 with Bullseye@1", "S30"), ("block Hulk@1 with Falcon@1", "S30"),
        ("block Hulk@1 with Thor@1", "S30"),
    ]  # fmt: skip


def test_s30_character_that_must_block_gets_help_if_one_blocker_is_not_enough() -> None:
    choices = forced_blocks("She-Hulk@1", "3 Sidekick, Thor@1", "Thor@1")
    assert choices == [
        (
            "block She-Hulk@1 with Sidekick",
            "S30",
            "Sidekick blocks She-Hulk@1, which takes more than one blocker",
        ),
        ("block She-Hulk@1 with Thor@1", "S30", "Thor@1 blocks She-Hulk@1, as it has to"),
    ]


def test_s30_character_that_must_block_takes_the_attacker_that_must_be_blocked() -> None:
    choices = forced_blocks("Hulk@1, Rocket Raccoon@1", "Sidekick, Thor@1", "Thor@1")
    assert [(text, rule) for text, rule, _ in choices] == [
        ("block Hulk@1 with Sidekick", "S27"), ("block Rocket Raccoon@1 with Thor@1", "S30"),
    ]  # fmt: skip
    choices = forced_blocks("Hulk@1, Rocket Raccoon@1", "Sidekick")
    assert choices[0][2] == "Sidekick blocks Rocket Raccoon@1, as somebody has to"


def test_s31_die_that_could_block_several_attackers_blocks_one() -> None:
    teams = "team B: Mr. Fantastic: Brilliant Scientist\n"
    choices = declared_blocks("2 Sidekick (attacking)", "Mr. Fantastic@1", teams)
    assert len([text for text, _ in choices if text.startswith("block")]) == 1


# --- damage --------------------------------------------------------------------------------------------------------


def damage_split(source: str, foes: str, teams: str, edition: str = "avx", more: str = "") -> list[str]:
    """Return how the script splits the damage of its attacker."""
    game = script_position(f"{teams}B field: {source} (attacking{more})\nA field: {foes}\nturn: 2, B, damage", edition)
    choices: list[str] = []
    while game.decision is not None and game.decision.kind == "split":
        text, rule = next_choice(game)
        assert rule == "S36"
        choices.append(text)
        game.play(explain(game.state).option)
    return choices


FOES = "team A: Beast: Genetic Expert; Thor: Odinson\nteam B: Hulk: Jade Giant; She-Hulk: Sensational\n"


def test_s36_most_expensive_possible_ko_comes_first_and_the_last_gets_the_rest() -> None:
    assert damage_split("Hulk@1", "Sidekick (blocking Hulk), Beast@1 (blocking Hulk)", FOES) == ["4 to A's Sidekick"]
    assert damage_split("Hulk@1", "Beast@1 (blocking Hulk), Thor@1 (blocking Hulk)", FOES) == ["0 to A's Beast@1"]


def test_s36_most_expensive_blocker_gets_all_damage_if_none_can_be_kod() -> None:
    assert damage_split("Sidekick", "Beast@2 (blocking Sidekick), Thor@1 (blocking Sidekick)", FOES, more=", +1A") == [
        "0 to A's Beast@2"
    ]


def test_s36_overcrush_sends_the_rest_to_the_player() -> None:
    choices = damage_split("She-Hulk@1", "Sidekick (blocking She-Hulk), Beast@1 (blocking She-Hulk)", FOES, "cw")
    assert choices == ["1 to A's Sidekick", "2 to A's Beast@1"]


# --- every other choice --------------------------------------------------------------------------------------------


def test_s33_script_answers_yes_unless_only_its_side_is_hurt() -> None:
    widow = "team B: Black Widow: Red Alert\nB reserve: Black Widow@1\n"
    for field, answer in (("A field: Sidekick", "yes"), ("B field: Sidekick", "no")):
        game = script_position(f"{widow}{field}\nturn: 2, B, main", "ai")
        game.play("field Black Widow")
        assert next_choice(game) == (answer, "S33"), field


def test_s33_copy_is_judged_by_the_copied_text() -> None:
    team = "basics: Smash!\nteam B: Doctor Strange: Never Have You Known His Like\nA reserve: Smash!!\n"
    for field, answer in (("A field: Sidekick\n", "yes"), ("", "no")):
        game = script_position(f"{team}{field}B field: Doctor Strange@2, 2 Sidekick\nturn: 5, A, main", "ai")
        game.play("use Smash!!")
        if field:
            game.play("choose B's Sidekick")
        assert next_choice(game) == (answer, "S33"), field


def test_s33_action_die_used_by_an_effect_is_judged_by_its_text() -> None:
    team = "basics: Smash!\nteam B: Rogue: Anna Marie\nA life: 3\nA reserve: Smash!!\nB reserve: Rogue@1, 3 M\n"
    for field, answer in (("A field: Sidekick\n", "yes"), ("", "no")):
        game = script_position(f"{team}{field}B field: 3 Sidekick\nturn: 6, B, main")
        script_choices(game, until="may")
        assert next_choice(game) == (answer, "S33"), field


def test_s33_script_does_not_end_its_own_effect() -> None:
    team = "basics: Wormhole\nteam B: Namor: Atlantean\nB field: Namor@1, Wormhole!\n"
    for field, answer in (("Sidekick (attacking), Wormhole!", "yes"), ("Sidekick (attacking)", "no")):
        game = script_position(f"{team}A field: {field}\nturn: 5, A, block", "uxm")
        script_choices(game, until="may")
        assert next_choice(game) == (answer, "S33"), field


def test_s34_damage_goes_to_the_player_rather_than_to_a_die() -> None:
    game = script_position("basics: Power Bolt\nB reserve: Power Bolt!\nA field: Sidekick\nturn: 2, B, main")
    game.play("use Power Bolt")
    assert next_choice(game) == ("choose player A", "S34")


def test_s34_harmful_effect_targets_the_highest_a() -> None:
    game = script_position(
        "team A: Thor: Odinson\nbasics: Smash!\nB reserve: Smash!!**\nA field: 2 Sidekick, Thor@1, Thor@2\nB field: Sidekick\nturn: 2, B, main"
    )
    game.play("use Smash!")
    assert next_choice(game) == ("choose A's Thor@2", "S34")


def test_s34_helpful_effect_targets_its_best_character() -> None:
    game = script_position(
        "basics: Take Cover [avx]\nteam B: Thor: Odinson\nA field: Sidekick\nB field: Sidekick, Thor@1 (attacking)\nB reserve: S\nturn: 2, B, fight"
    )
    game.play("Global of Take Cover")
    assert next_choice(game) == ("choose B's Thor@1", "S34")


def test_s34_script_gives_up_a_sidekick_first_then_its_weakest_character() -> None:
    teams = "basics: Brother Fights Brother\nteam B: Thor: Boom!; Beast: Genetic Expert\nA field: Sidekick\nB reserve: Brother Fights Brother!\n"
    for field, given in (("Beast@1, Sidekick, Thor@1", "Sidekick"), ("Thor@1, Beast@2", "Beast@2")):
        game = script_position(f"{teams}B field: {field}\nturn: 2, B, main", "cw")
        game.play("use Brother Fights Brother")
        assert next_choice(game) == (f"choose B's {given}", "S34")


def test_s34_script_chooses_as_many_dice_as_possible() -> None:
    game = script_position("team B: Professor X: Trainer\nB reserve: M\nB used: 3 Sidekick\nturn: 2, B, main", "uxm")
    game.play("Global of B's Professor X")
    assert script_choices(game, until="main") == [("choose B's Sidekick", "S34"), ("choose B's Sidekick", "S34")]


def test_s34_most_expensive_unrolled_die_is_fetched() -> None:
    game = script_position(
        "team B: avx108; Thor: Odinson\nB reserve: Ghost Rider@1, 2 F\nB used: Thor, 2 Sidekick\nturn: 2, B, main"
    )
    game.play("field Ghost Rider")
    script_choices(game, until="choose")
    assert next_choice(game) == ("choose B's Thor", "S34")


def test_s34_cards_are_named_in_the_players_row_order() -> None:
    game = script_position(
        "team A: Thor: Odinson; Beast: Genetic Expert\nteam B: Loki: Gem-Keeper\nB reserve: Loki@1, F\nturn: 2, B, main"
    )
    game.play("field Loki")
    assert next_choice(game) == ("Beast: Genetic Expert", "S34")


def test_s34_harmful_effect_names_the_players_affiliation() -> None:
    game = script_position(
        "team A: Thor: Odinson\nteam B: Loki: Chains of Destiny; Beast: Genetic Expert\nB reserve: Loki@1, F\nturn: 2, B, main",
        "ai",
    )
    game.play("field Loki")
    assert next_choice(game) == ("Avengers", "S34")


def test_s34_script_names_fist_as_the_first_energy_type() -> None:
    game = script_position(
        "basics: Selective Shield\nB reserve: Selective Shield!\nA field: Sidekick\nturn: 2, B, main", "uxm"
    )
    game.play("use Selective Shield")
    assert next_choice(game) == ("fist", "S34")


def test_s34_spin_in_either_direction_spins_the_players_best_character_down() -> None:
    game = script_position(
        "basics: Focus Power\nteam A: Thor: Odinson\nteam B: Beast: Genetic Expert\nB reserve: Focus Power!\nA field: Thor@2\nB field: Beast@1\nturn: 2, B, main"
    )
    game.play("use Focus Power")
    assert next_choice(game) == ("spin A's Thor@2 down", "S34")


def test_s35_simultaneous_effects_resolve_in_row_order() -> None:
    game = script_position(
        "team B: Punisher: McRook; Black Widow: Tsarina\nA life: 5\nA field: 2 Sidekick\n"
        "B field: Punisher@1, Black Widow@1\nturn: 2, B, attack"
    )
    script_choices(game, until="resolve")
    assert next_choice(game) == ("resolve Black Widow for B's Black Widow@1", "S35")


def test_s37_script_passes_in_the_players_main_step() -> None:
    game = script_position(
        "basics: Take Cover [avx]\nA field: Sidekick\nB field: Sidekick\nB reserve: S\nturn: 3, A, main, respond"
    )
    assert next_choice(game) == ("pass", "S37")


def test_s38_script_prevents_damage_to_itself_but_not_to_the_player() -> None:
    team = "basics: Power Bolt\nteam A: Vibranium Shield: Cap's Protection\nB reserve: S\n"
    game = script_position(f"{team}A reserve: Power Bolt!\nturn: 3, A, main")
    game.play("use Power Bolt")
    game.play("choose player B")
    assert next_choice(game) == ("yes", "S38")
    game = script_position(f"{team}A reserve: Power Bolt!\nA field: Sidekick\nturn: 3, A, main")
    game.play("use Power Bolt")
    game.play("choose A's Sidekick")
    assert next_choice(game) == ("no", "S38")


STORM = "basics: Smash!\nteam A: Storm: Weather Witch\nteam B: Beast: Genetic Expert\nB reserve: Smash!!, M\nA reserve: Smash!!\n"


def test_s38_script_redirects_harmful_effects_to_the_players_side() -> None:
    game = script_position(f"{STORM}A field: Sidekick\nB field: Sidekick, Beast@1\nturn: 5, A, main", "uxm")
    game.play("use Smash!!")
    game.play("choose B's Sidekick")
    assert script_choices(game) == [("yes", "S38"), ("choose A's Sidekick", "S34")]


def test_s38_script_does_not_redirect_from_the_player_or_within_its_side() -> None:
    game = script_position(f"{STORM}A field: 2 Sidekick\nB field: Sidekick\nturn: 6, B, main", "uxm")
    game.play("use Smash!!")
    game.play("choose A's Sidekick")
    assert next_choice(game) == ("no", "S38")
    game = script_position(f"{STORM}B field: Sidekick, Beast@1\nturn: 5, A, main", "uxm")
    game.play("use Smash!!")
    game.play("choose B's Sidekick")
    assert next_choice(game) == ("no", "S38")


# positions with bans that cost life to lift, by what is banned
BANS_FOR_LIFE = {
    "reroll": "team A: avx55\nB prep: 4 F (rolled)\nturn: 6, B, reroll",
    "main, Globals": "team A: avx87\nbasics: Invulnerability\nB field: Sidekick\nB reserve: 3 B\nturn: 6, B, main",
    "main, fielding": "team A: avx119; Hulk: Jade Giant\nteam B: Beast: Mutate #666\nB reserve: Beast@1\nturn: 6, B, main",
    "fight": "team A: avx87\nbasics: Invulnerability\nB field: Sidekick (attacking)\nB reserve: 3 B\nturn: 6, B, fight",
}


@pytest.mark.parametrize("case", BANS_FOR_LIFE)
def test_s39_script_pays_no_life_to_lift_a_ban(case: str) -> None:
    game = script_position(f"A field: Professor X@1\n{BANS_FOR_LIFE[case]}")
    assert "pay to lift A's Professor X's ban (2 life)" in describe.option_texts(game.state)
    assert next_choice(game)[0] in ("pass", "keep all")


def test_s39_script_pays_a_sidekick_only_to_lift_a_ban_that_affects_it() -> None:
    team = "team A: Iron Man: Extremis\nteam B: Falcon: Talks to Birds\nA field: Iron Man@1\n"
    for has, done in (
        ("B field: Falcon@2, Sidekick\nB reserve: Sidekick", ["pay to lift A's Iron Man's surcharge (KO one of your characters)", "choose B's Sidekick", "field Sidekick"]),
        ("B field: Falcon@2\nB reserve: Sidekick", []),
        ("B field: Falcon@2, Sidekick\nB reserve: F", []),
    ):  # fmt: skip
        game = script_position(f"{team}{has}\nturn: 6, B, main", "cw")
        assert "pay to lift A's Iron Man's surcharge (KO one of your characters)" in describe.option_texts(game.state)
        assert [text for text, _ in script_choices(game, until="attack")] == [*done, "pass"], has


def test_s39_script_never_pays_life() -> None:
    game = script_position(
        "team A: Cyclops: Optic Blast\nA reserve: Cyclops@1, 3 F\nB field: Sidekick\nturn: 3, A, main", "uxm"
    )
    game.play("field Cyclops")
    assert game.decision is not None
    while game.decision.kind == "pay":
        game.play(0)
    assert next_choice(game) == ("no", "S39")


def test_s39_script_gives_up_a_sidekick_but_no_other_character() -> None:
    team = "team A: Bullseye: I'm Magic\nteam B: Beast: Genetic Expert; Hulk: Jade Giant\nA reserve: Bullseye@1\n"
    for field, answer in (("Sidekick, Hulk@1", "yes"), ("Beast@1, Hulk@1", "no")):
        game = script_position(f"{team}B field: {field}\nturn: 3, A, main", "cw")
        game.play("field Bullseye")
        game.play("choose B's Hulk")
        assert next_choice(game) == (answer, "S39"), field


# --- the whole script ----------------------------------------------------------------------------------------------


def requested_decision_kinds() -> set[str]:
    """Return every kind of decision the engine requests, read from its source."""
    kinds: set[str] = set()
    for path in (ROOT / "src" / "dicemasters" / "game").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "request_decision":
                kinds |= {
                    x.value for x in ast.walk(node.args[2]) if isinstance(x, ast.Constant) and isinstance(x.value, str)
                }
    return kinds


def option_words() -> set[str]:
    """Return every word an option can have, read from the source of `option_text`."""
    source = (ROOT / "src" / "dicemasters" / "game" / "text" / "describe.py").read_text(encoding="utf-8")
    (function,) = [x for x in ast.parse(source).body if isinstance(x, ast.FunctionDef) and x.name == "option_text"]
    words = {
        x.value.value for x in ast.walk(function) if isinstance(x, ast.MatchValue) and isinstance(x.value, ast.Constant)
    }
    return {str(word) for word in words} | {"pass", "yes", "no", "pay now"}


def test_every_decision_kind_has_a_script_rule_and_a_row_on_the_page() -> None:
    kinds = requested_decision_kinds()
    assert len(kinds) > 20
    assert set(SCRIPT) == kinds
    assert set(ROWS) == kinds


def test_every_option_word_is_on_the_page() -> None:
    for word in sorted(option_words()):
        assert any(f"`{word}`" in row for row in ROWS.values()), word


def test_page_has_every_rule_from_1_to_40() -> None:
    assert {f"S{n}" for n in range(1, 41)} == RULES


def solitaire_state(seed: int) -> State:
    plain = random_tournament_spec(seed).setup
    table = make_spec(plain.edition, plain.teams, plain.basics, plain.life, SolitaireRules())
    state = loop.new_state(table, seed, 0)
    loop.advance(state)
    return state


@pytest.mark.parametrize("seed", range(24))
def test_every_choice_in_whole_games_is_legal_and_names_its_rule(seed: int) -> None:
    state = solitaire_state(seed)
    player: Player = RandomPlayer(seed) if seed % 3 else HeuristicPlayer(seed)
    while state.result == UNDECIDED:
        if state.decision.seat == 0:
            choice = player.choose(state)
        else:
            before = state.key()
            reason = explain(state)
            choice = reason.option
            assert state.key() == before, "explain has changed the state"
            assert 0 <= choice < len(state.options)
            assert reason.rule in RULES
            assert reason.why
            assert f"`{state.options[choice][0]}`" in ROWS[state.decision.kind]
            assert state.options[choice][0] != "buy"
        loop.apply(state, state.options[choice])


@pytest.mark.parametrize("edition", EDITIONS)
def test_script_chooses_the_same_in_a_position_read_from_text(edition: str) -> None:
    game = Game.new(edition, solitaire=SolitaireRules(), seed=21)
    player = HeuristicPlayer(4)
    while game.result is None:
        if game.state.decision.seat == 1:
            reason = explain(game.state)
            again = Game.from_text(game.to_text())
            assert explain(again.state) == reason
            game.play(reason.option)
        else:
            game.play(player.choose(game.state))
