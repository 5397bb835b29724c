"""The scenario notation: answers in any order, matching by words, checked negations, clear messages."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from tests.support.effort import examples
from tools.verify.random_games import random_game

from dicemasters import Game
from dicemasters.game.answers.ordering import PARTS, expects_more
from dicemasters.game.notation import NotationError
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.scenarios import scenario
from dicemasters.game.scenarios.answer_builder import AnswerBuilder
from dicemasters.game.scenarios.runner import ExpectationError
from dicemasters.game.scenarios.scenario import run_files, watch_files
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.values import Option
from dicemasters.game.text import describe, matching, templates
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64


def passes(text: str) -> Game:
    """Run a scenario that must pass."""
    return scenario.check(f"scenario: x\n{text}")


def failure(text: str) -> str:
    """Return the message of a scenario that fails."""
    with pytest.raises(ExpectationError) as problem:
        passes(text)
    return str(problem.value).replace(": x: ", ": ")


def parse_error(text: str) -> str:
    """Return the message of a scenario that cannot be read."""
    with pytest.raises(NotationError) as problem:
        passes(text)
    return str(problem.value)


# --- answers in any order ------------------------------------------------------------------------------------------

ATTACK = """\
edition: avx
team A: Hulk: Jade Giant; Beast: Big Boy Blue
team B: Beast: Big Boy Blue
A field: Hulk@1, Beast@1, 2 Sidekick
B field: 2 Sidekick, Beast@1
turn: 5, A, declare
play:
"""
ALL_THREE = "expect A field: Hulk@1 (attacking), Beast@1 (attacking), Sidekick (attacking), Sidekick (not attacking)"


@pytest.mark.parametrize(
    "lines",
    [
        "A: attack with Sidekick; attack with Beast; attack with Hulk; attack",
        "A: attack with Hulk; attack with Beast; attack with Sidekick; attack",
        "A: attack with Beast; attack with Sidekick; attack with Hulk",
        "A: attack with Hulk\nA: attack with Sidekick\nA: attack with Beast",
        "A: attack with Hulk\nmay: attack with Sidekick; attack with Beast\nA: attack with Sidekick; attack with Beast",
    ],
)
def test_attackers_may_be_named_in_any_order(lines: str) -> None:
    passes(f"{ATTACK}{lines}\n{ALL_THREE}\nexpect decision: B block")


def test_exactly_the_named_attackers_attack() -> None:
    passes(
        f"{ATTACK}A: attack with Beast; attack with Sidekick; attack\n{ALL_THREE.replace('Hulk@1 (a', 'Hulk@1 (not a')}"
    )


def test_may_matches_only_attackers_that_are_not_yet_named() -> None:
    passes(f"{ATTACK}A: attack with Hulk\nmay: attack with Beast; attack with Sidekick\nmay not: attack with Hulk")
    message = failure(f"{ATTACK}A: attack with Hulk\nmay not: attack with Beast")
    assert "A may 'attack with Beast'" in message
    assert "in addition" not in message
    passes(f"{ATTACK}A: attack with Hulk\nmay only: attack with Beast; attack with Sidekick; attack")


def test_closed_decision_can_still_be_extended() -> None:
    lone = ATTACK.replace(", 2 Sidekick\nB field", "\nB field")
    passes(f"{lone}A: attack with Beast\nexpect decision: B block\nmay: attack with Hulk\nA: attack with Hulk; attack")
    assert "A may 'attack with Hulk' in addition to what was named: attack with Beast@1*" in failure(
        f"{lone}A: attack with Beast\nmay not: attack with Hulk"
    )
    assert "'attack with Hulk' is not an option" in failure(
        f"{lone}A: attack with Beast\nB: no block\nA: attack with Hulk"
    )


def test_another_players_answer_closes_the_decision() -> None:
    passes(f"{ATTACK}A: attack with Sidekick\nexpect decision: A attack\nB: no block\nexpect decision: A fight")
    assert "it is A's decision (Who attacks?), not B's" in failure(f"{ATTACK}B: no block")
    assert "it is A's decision (Who attacks?), not B's" in failure(f"{ATTACK}A: attack with Sidekick\nB: nonsense")


def test_blocks_may_be_named_in_any_order() -> None:
    for lines in (
        "B: block Hulk with Sidekick; block Beast with Sidekick; block Hulk with Beast",
        "B: block Hulk with Beast; block Beast with Sidekick\nB: block Hulk with Sidekick",
        "B: block Hulk with Beast\nmay: block Beast with Sidekick\nB: block Hulk with Sidekick; block Beast with Sidekick",
    ):
        passes(
            f"{ATTACK}A: attack with Beast; attack with Hulk; attack\n{lines}\n"
            "expect B field: Sidekick (blocking Hulk), Sidekick (blocking Beast), Beast@1 (blocking Hulk)"
        )


IDENTICAL_ATTACKERS = """\
edition: avx
team B: Beast: Big Boy Blue; Hulk: Jade Giant
A field: 2 Sidekick (attacking)
B field: Beast@1, Hulk@1
turn: 5, A, block
play:
"""


@pytest.mark.parametrize(("first", "second"), [("Beast", "Hulk"), ("Hulk", "Beast")])
def test_identical_attackers_are_ambiguous_once_one_is_blocked(first: str, second: str) -> None:
    start = f"{IDENTICAL_ATTACKERS}B: block Sidekick with {first}\nB: block Sidekick"
    assert f"'block Sidekick with {second}' fits more than one option: " in failure(f"{start} with {second}")
    together = passes(f"{start} (attacking, blocked by {first}@1*) with {second}")
    apart = passes(f"{start} (attacking) with {second}")
    assert len({attacker for _, attacker in together.state.blocks}) == 1
    assert len({attacker for _, attacker in apart.state.blocks}) == 2


MUST_ATTACK = """\
edition: uxm
team A: Thor: Lord of Asgard; Beast: Big Boy Blue
team B: Toad: Tongue Lashing
A field: Thor@1, Beast@1, Sidekick
B field: Toad@3
turn: 1, A, attack
play:
"""


def test_attacker_that_is_legal_only_with_others_waits_for_them() -> None:
    passes(f"{MUST_ATTACK}may: attack with Beast\nA: attack with Beast\nexpect decision: A attack\nA: attack with Thor\n"
          "expect A field: Thor@1 (attacking), Beast@1 (attacking), Sidekick (not attacking)")  # fmt: skip
    passes(f"{MUST_ATTACK}A: attack with Beast; attack with Sidekick; attack with Thor\nexpect decision: B block")
    message = failure(f"{MUST_ATTACK}A: attack with Beast\nB: no block")
    assert (
        "line 10: 'attack with Beast@1*' cannot be chosen without one of these: attack with Sidekick; attack" in message
    )
    assert "cannot be chosen without" in failure(f"{MUST_ATTACK}A: attack with Beast")


PAYMENT = """\
edition: avx
team A: Hulk: Jade Giant; Beast: Big Boy Blue; Thor: Lord of Asgard
A reserve: F, S, Hulk:FF, 2 B
turn: 5, A, main
play:
A: buy Hulk
"""


@pytest.mark.parametrize("order", ["S; F; Hulk:FF; B; B", "Hulk:FF; B; S; F; B", "B; B; Hulk:FF; F; S"])
def test_payments_may_be_named_in_any_order(order: str) -> None:
    passes(
        PAYMENT.replace("A reserve: ", "A reserve: ?, ")
        + f"A: {'; '.join('pay ' + x for x in order.split('; '))}\nexpect A reserve: ?\nexpect A used: 2 Hulk, 4 Sidekick"
    )


def test_impossible_payment_is_refused() -> None:
    text = PAYMENT.replace("buy Hulk", "buy Beast").replace("2 B", "M")  # it costs 2, including a mask
    assert "'pay S' cannot be chosen without one of these: pay F; pay M" in failure(f"{text}A: pay S")
    passes(f"{text}A: pay S; pay M\nexpect A reserve: F, Hulk:FF")
    passes(f"{text}A: pay M; pay S\nexpect A reserve: F, Hulk:FF")
    assert "'pay S' cannot be chosen together with: pay F" in failure(f"{text}A: pay F; pay S")


@pytest.mark.parametrize(
    ("order", "left"),
    [("F; F; B; M; S", "2 F"), ("S; B; F; M; F", "2 F"), ("F; B; F; S; F", "F, M"), ("M; F; B; F; F", "F, S")],
)
def test_energy_common_to_all_payments_may_be_named(order: str, left: str) -> None:
    text = "edition: avx\nteam A: Nova: Quasar\nA reserve: 4 F, M, S, B\nturn: 5, A, main\nplay:\nA: buy Nova\n"
    passes(f"{text}A: {'; '.join('pay ' + x for x in order.split('; '))}\nexpect A reserve: {left}")
    assert "'pay S' cannot be chosen together with: " in failure(f"{text}A: pay M; pay B; pay F; pay F; pay F; pay S")


def test_forced_payment_may_be_named() -> None:
    text = "edition: avx\nteam A: Nova: Quasar\nA reserve: 4 F, B\nturn: 5, A, main\nplay:\n"
    passes(f"{text}A: buy Nova; pay B; pay F; pay F; pay F; pay F\nexpect A used: Nova, 5 Sidekick")
    assert "'pay M' is not an option" in failure(f"{text}A: buy Nova; pay M")
    assert "'pay F' is not an option" in failure(f"{text}A: buy Nova; pay B; pay F; pay F; pay F; pay F; pay F")
    assert "it is B's decision" in failure(f"{text}A: buy Nova; pass\nA: pay B")


@pytest.mark.parametrize("line", ["Thor; Sidekick", "Sidekick; Thor", "Sidekick; Sidekick", "Thor\nA: choose Sidekick"])
def test_die_common_to_all_choices_may_be_named(line: str) -> None:
    text = """\
edition: avx
basics: Inner Rage
team A: Thor: Lord of Asgard
A field: Thor@1, 2 Sidekick
A reserve: Inner Rage!
turn: 5, A, main
play:
A: use Inner Rage
"""
    bonus = "6/7" if "Thor" in line else "5/6"
    passes(f"{text}A: choose {line.replace('; ', '; choose ')}\nexpect A's Thor@1: {bonus}\nexpect decision: A main")
    assert "cannot be chosen together with" in failure(f"{text}A: choose Thor; choose Sidekick; choose Sidekick")


def test_rerolls_may_be_named_in_any_order_with_rolls_before_the_end() -> None:
    position = "team A: Hulk: Jade Giant\nA prep: Hulk@2 (rolled), F (rolled), S (rolled)\nturn: 5, A, reroll\nplay:\n"
    for line in ("reroll Hulk@2; reroll F", "reroll F; reroll Hulk@2"):
        passes(f"{position}A: {line}\nA rolls: ?, Hulk@3\nA: reroll these\nexpect A reserve: Hulk@3, ?, S")


def test_damage_split_may_be_named_in_any_order() -> None:
    position = """\
team A: Hulk: Jade Giant
team B: Beast: Big Boy Blue
A field: Hulk@3 (attacking)
B field: Sidekick (blocking Hulk), Beast@1 (blocking Hulk)
turn: 5, A, fight
play:
A: pass
expect decision: A split
may: 7 to B's Beast
"""
    for line in (
        "1 to B's Sidekick; 7 to B's Beast",
        "7 to B's Beast; 1 to B's Sidekick",
        "7 to B's Beast\nA: 1 to Sidekick",
    ):
        passes(f"{position}A: {line}\nexpect happened: 1 damage to Sidekick; 7 damage to Beast")
    assert "'1 to B's Sidekick' cannot be chosen together with: 6 to B's Beast@1*" in failure(
        f"{position}A: 6 to B's Beast; 1 to B's Sidekick"
    )


TARGETS = """\
edition: uxm
team A: Beast: Big Boy Blue
team B: Thor: Lord of Asgard
basics: Transfer Power
A field: Beast@2, Sidekick
A reserve: 2 S
B field: Thor@2, Sidekick
turn: 5, A, main
play:
A: Global of Transfer Power
"""


@pytest.mark.parametrize(
    "line",
    ["choose A's Beast; choose B's Thor", "choose B's Thor; choose A's Beast", "choose B's Thor\nA: choose A's Beast"],
)
def test_target_pairs_may_be_named_in_any_order(line: str) -> None:
    game = passes(f"{TARGETS}A: {line}\nexpect decision: A main")
    assert [move.text for move in game.moves[-2:]] == ["choose A's Beast@2", "choose B's Thor@2"]


def test_invalid_target_is_reported_on_its_own_line() -> None:
    assert "line 12: 'choose B's Hulk' is not an option" in failure(
        f"{TARGETS}A: choose B's Hulk\nA: choose A's Beast; choose B's Thor"
    )
    assert "line 12: 'choose B's Thor' is not an option" in failure(
        f"{TARGETS}A: choose B's Thor\nexpect decision: A choose"
    )


# --- matching by words ---------------------------------------------------------------------------------------------


def test_words_match_in_order_but_need_not_be_adjacent() -> None:
    assert matching.contains_in_order("block Thor@1 with Sidekick", "block Thor with Sidekick")
    assert not matching.contains_in_order("block Thor@1 with Sidekick", "block Sidekick with Thor")
    assert not matching.contains_in_order("11 damage to player A", "1 damage")
    assert matching.match_texts(["attack", "attack with Beast@1*", "no attack"], "attack") == [0]
    assert matching.match_texts(["attack with Beast@1", "attack with Beast@2"], "attack Beast") == [0, 1]
    assert matching.match_texts(["choose A's Sidekick", "choose A's Sidekick #2"], "Sidekick") == [0]


def test_ambiguous_words_list_the_matching_options() -> None:
    message = failure(ATTACK + "A: with")
    assert (
        "'with' fits more than one option: attack with Sidekick; attack with Hulk@1*; attack with Beast@1*" in message
    )


FIGHT = """\
edition: avx
team A: Hulk: Jade Giant
team B: Beast: Big Boy Blue
A field: Hulk@1 (attacking)
B field: Sidekick (blocking Hulk)
B bag: 7 Sidekick, Beast
B draws: 4 Sidekick
B rolls: 5 F
turn: 5, A, fight
play:
A: pass
"""


def test_happened_matches_words_and_its_negation_must_be_possible() -> None:
    passes(
        f"{FIGHT}expect happened: damage to Sidekick; Sidekick KO'd; Turn 6\nexpect happened not: Hulk is KO'd; 1 damage to Sidekick"
    )
    assert "'KO'd': it did happen" in failure(f"{FIGHT}expect happened not: KO'd")
    message = parse_error(f"{FIGHT}expect happened not: Sidekick KOed")
    assert "'Sidekick KOed' can never match: no line of the log in this game has the word 'koed'" in message
    assert "'wolverine'" in parse_error(f"{FIGHT}expect happened not: Wolverine is KO'd")


def test_word_unknown_to_all_options_is_reported() -> None:
    passes(f"{ATTACK}may not: block; Hulk@3; attack with B's Beast; buy")
    message = parse_error(f"{ATTACK}may not: atack with Hulk")
    assert "'atack with Hulk' can never match: no option in this game has the word 'atack'" in message
    assert "'wolverine'" in parse_error(f"{ATTACK}may not: attack with Wolverine")


def test_wording_that_the_log_never_uses_cannot_be_denied() -> None:
    message = parse_error(f"{FIGHT}expect happened not: B's Sidekick is KO'd")
    assert "because 'Sidekick is KO'd' does not name an owner" in message
    message = parse_error(f"{FIGHT}expect happened not: Sidekick 6 damage")
    assert "its words occur in this order: '6 damage to Sidekick from Hulk'" in message
    assert "no line of the log in this game has this wording" in parse_error(
        f"{FIGHT}expect happened not: B's Beast is KO'd"
    )
    passes(f"{FIGHT}expect happened not: damage to Hulk from Beast")
    message = parse_error(f"{ATTACK}may not: attack with A's Hulk")
    assert "because 'attack with Hulk@1*' does not name an owner" in message


BOLT = """\
edition: avx
basics: Power Bolt
team A: Hulk: Annihilator
team B: Hulk: Annihilator
A reserve: Power Bolt!, Sidekick, Hulk@1, F
B field: Hulk@1
turn: 5, A, main
play:
"""

NEVER_LOGGED = (
    "Hulk@1 is KO'd", "Hulk@1 attacks", "Power Bolt damage to Hulk", "to Hulk 2 damage", "KO'd Hulk", "C's Hulk is KO'd",
    "Hulk #2 is KO'd", "life gains A", "Hulk loses 2 life", "damage to Hulk of Power Bolt",
)  # fmt: skip
COULD_BE_LOGGED = (
    "Hulk is KO'd", "Hulk", "1 damage to player A", "damage to Power Bolt from Hulk", "Hulk shows @2", "is spun to @1", "Hulk blocks",
    "A uses Power Bolt", "B gains 2 life", "KO'd", "Sidekick blocks Hulk", "damage from Hulk", "Turn 6",
)  # fmt: skip


@pytest.mark.parametrize("text", NEVER_LOGGED)
def test_impossible_log_line_cannot_be_denied(text: str) -> None:
    assert "can never match" in parse_error(f"{BOLT}A: use Power Bolt; choose B's Hulk\nexpect happened not: {text}")


@pytest.mark.parametrize("text", COULD_BE_LOGGED)
def test_possible_log_line_can_be_denied(text: str) -> None:
    passes(f"{BOLT}A: field Sidekick\nexpect happened not: {text}")


NEVER_OFFERED = (
    "Sidekick field", "Hulk@1 field", "field Hulk@7", "field C's Hulk@1", "choose C's Hulk", "use Power Bolt@1", "pay Hulk:SS",
    "Power Bolt use", "with Hulk@1 block Sidekick of", "Power Bolt of Global",
)  # fmt: skip
COULD_BE_OFFERED = (
    "field Hulk@2", "field Hulk@1*", "block Hulk", "block Sidekick with Hulk@3", "choose B's Hulk", "pay Hulk:FF", "pay 1 of Hulk:FF",
    "Global", "attack with Hulk", "choose player B", "choose A's Hulk (attacking)", "2 to B's Hulk", "keep all", "buy Power",
    "spin B's Hulk up", "use Power Bolt!**", "choose Sidekick #2", "Hulk: Annihilator",
)  # fmt: skip


@pytest.mark.parametrize("text", NEVER_OFFERED)
def test_impossible_option_cannot_be_denied(text: str) -> None:
    assert "can never match" in parse_error(f"{BOLT}may not: {text}")


@pytest.mark.parametrize("text", COULD_BE_OFFERED)
def test_possible_option_can_be_denied(text: str) -> None:
    passes(f"{BOLT.replace(', Hulk@1, F', '').replace('Power Bolt!, ', '')}may not: {text}")


DIFFERENT_TEAMS = """\
edition: avx
basics: Power Bolt
team A: Hulk: Jade Giant; Iron Man: Playboy
team B: Thor: Lord of Asgard; Professor X: Trainer; Iron Fist: Living Weapon
A field: Hulk@1
A reserve: Power Bolt!, M
A used: Sidekick
B field: Thor@1
turn: 5, A, main
play:
"""


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("choose A's Thor", "A's Thor"), ("choose A's Thor@1", "A's Thor"), ("attack with B's Hulk@1", "B's Hulk"),
        ("Global of A's Professor X", "A's Professor X"), ("Global of a's professor", "A's professor"),
        ("choose A's Iron Fist", "A's Iron Fist"), ("block Sidekick with A's Thor", "A's Thor"),
        ("choose player C", "player C"), ("choose players A and C", "players A and C"), ("2 to player D", "player D"),
        ("2 to B's Iron Man (attacking)", "B's Iron Man"), ("A's Thor: Lord of Asgard", "A's Thor"),
    ],
)  # fmt: skip
def test_option_with_a_die_the_player_lacks_cannot_be_denied(text: str, never: str) -> None:
    assert f"can never match: there is no '{never}' in this game" in parse_error(f"{DIFFERENT_TEAMS}may not: {text}")


@pytest.mark.parametrize(
    "text", ["attack with A's Hulk", "block B's Thor with Hulk", "block Thor with A's Hulk", "ability of A's Hulk"]
)
def test_owner_that_options_never_state_cannot_be_denied(text: str) -> None:
    assert "can never match: no option of A's in this game has this wording" in parse_error(
        f"{DIFFERENT_TEAMS}may not: {text}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "choose B's Thor", "choose A's Sidekick", "choose B's Power Bolt", "attack with B's Thor@1", "choose A's Iron",
        "block A's Hulk with Sidekick", "block Thor with B's Thor", "resolve Hulk for A's Hulk (B's Thor)",
        "choose B's Thor (controlled by A)", "choose B's F", "choose A's F", "ability of B's Thor",
    ],
)  # fmt: skip
def test_option_with_a_die_the_player_could_have_can_be_denied(text: str) -> None:
    passes(f"{DIFFERENT_TEAMS}may not: {text}")


def test_reversed_block_can_be_denied() -> None:
    passes(
        f"{ATTACK}A: attack with Hulk; attack\nB: block Hulk with Beast; done blocking\nexpect happened: Beast blocks Hulk\n"
        "expect happened not: Hulk blocks Beast"
    )


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("expect turn:", "has no value"),
        ("expect result:", "has no value"),
        ("expect happened:", "has no value"),
        ("expect A prep:", "write 'nothing' for a zone without dice"),
        ("may:", "'may:' must name an option"),
        ("may only:", "'may only:' must name an option"),
        ("may not: attack with Hulk;", "'may not:' must name an option"),
        ("expect A prep has: nothing", "'expect A prep: nothing' is for an empty zone"),
    ],
)
def test_line_without_a_value_is_reported(line: str, hint: str) -> None:
    assert hint in parse_error(f"{ATTACK}{line}")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("expect A used pile: nothing", "'A field: Hulk@1, Sidekick' (or 'A field has:', with field, reserve, prep"),
        ("expect A's Hulk@1: Overcrush", "'A's Hulk@1: 6/5'"),
        ("expects A life: 20", "lines begin with 'A:', 'A rolls'"),
        ("A may: attack", "lines begin with 'A:', 'A rolls'"),
        ("expect A life: twenty", "'expect A life' needs a number, found 'twenty'"),
        ("expect A left over: none", "'expect A left over' needs a number, found 'none'"),
        ("expect result: A won", "results are a wins, b wins"),
        ("expect A field: Hulk@1 (undamaged)", "no damage"),
        ("expect A field: Hulk@1 and Beast@1", "separate dice with commas"),
        ("expect A prep: none", "write 'nothing' for no dice"),
    ],
)
def test_unreadable_line_is_reported_with_a_hint(line: str, hint: str) -> None:
    assert hint in parse_error(f"{ATTACK}{line}")


SPLIT = """\
edition: cw
team A: Justice: New Warrior
team B: Falcon: Talks to Birds; Wasp: Pixie
A field: Justice@3 (attacking)
B field: Wasp@1 (blocking Justice), Falcon@3 (blocking Justice)
turn: 5, A, fight
play:
A: pass
"""


@pytest.mark.parametrize(("named", "left"), [("4 to Falcon", "Wasp@1"), ("4 to Wasp", "Falcon@3")])
def test_split_ends_when_all_damage_is_named(named: str, left: str) -> None:
    passes(f"{SPLIT}A: {named}\nexpect B field: {left}")
    other = "Wasp" if left == "Wasp@1" else "Falcon"
    passes(f"{SPLIT}A: {named}; 0 to {other}\nexpect B field: {left}")


def test_one_space_before_a_comment_is_enough() -> None:
    passes(f"{ATTACK}expect A life: 20 # as at the start\nA: attack with Hulk # and nobody else")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(examples(quick=2, thorough=5)))
def test_every_word_of_options_and_log_is_known(edition: str, seed: int) -> None:
    game, player = random_game(seed, edition=edition), HeuristicPlayer(seed)
    while game.decision is not None and len(game.moves) < 250:
        for option in game.decision.options:
            assert not matching.unknown_words(game.table, option.text, log=False), option.text
            assert templates.could_ever_match(game.table, option.text, log=False), option.text
        game.play(player.choose(game.state))
    for line in game.log:
        if line.startswith(" "):
            assert not matching.unknown_words(game.table, line, log=True), line
            assert templates.could_ever_match(game.table, line, log=True), line


# --- failures and automatic answers --------------------------------------------------------------------------------


def test_choice_that_is_not_offered_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.scenario"
    path.write_text(f"scenario: x\n{ATTACK}A: attack with Thor\n", encoding="utf-8")
    assert run_files([str(path)]) == 1
    output = capsys.readouterr()
    assert not output.err
    assert "'attack with Thor' is not an option; A may: attack with Sidekick; " in output.out
    assert output.out.endswith("0 passed, 1 failed\n")


def test_failure_lists_answers_taken_automatically() -> None:
    lone = "team A: Hulk: Jade Giant\nA field: Hulk@1\nturn: 5, A, main\nplay:\nA: pass\nB: buy"
    assert "it is A's decision (Who attacks?), not B's; taken meanwhile: B: pass" in failure(lone)
    message = failure(lone.replace("B: buy", "A: attack with Hulk\nB: done blocking"))
    assert "taken meanwhile: A: attack, B: no block" in message
    message = failure(f"{ATTACK}A: attack with Sidekick\nB: no block\nB: no block")
    assert "it is A's decision (Actions and Globals: what do you do?), not B's" in message


def test_automatic_answer_may_be_named_as_often_as_it_was_taken() -> None:
    lone = "team A: Hulk: Jade Giant\nA field: Hulk@1\nturn: 5, A, main\nplay:\nA: pass\nB: pass"
    passes(f"{lone}\nA: attack with Hulk; attack\nB: no block\nexpect decision: A fight")
    assert "it is A's decision (Who attacks?), not B's" in failure(f"{lone}; pass")


# --- positions and expectations ------------------------------------------------------------------------------------


def test_nothing_denotes_an_empty_zone() -> None:
    passes("A field: nothing\nA used: -\nplay:\nexpect A field: nothing\nexpect A bag: 8 Sidekick")


def test_exactly_limits_a_bag_to_the_named_dice() -> None:
    passes(
        "A bag: exactly 3 Sidekick\nA used: 5 Sidekick\nplay:\nexpect A bag: exactly 3 Sidekick\nexpect A used: 5 Sidekick"
    )
    passes("A bag: nothing\nA used: 8 Sidekick\nplay:\nexpect A bag: nothing")
    message = parse_error("A bag: exactly 3 Sidekick\nA field: Sidekick\nplay:\n")
    assert message.startswith("line 2: 4 of A's 8 Sidekicks are in no zone (listed: 1 in field, 3 in bag); list them")
    assert "for instance as 'A used: 8 Sidekick'" in parse_error("A bag: nothing\nplay:\n")
    passes(
        "A bag: 3 Sidekick\nplay:\nexpect A bag: 8 Sidekick"
    )  # without `exactly` the remaining Sidekicks are in the bag too


def test_bonuses_can_be_written_and_expected() -> None:
    position = "edition: avx\nteam A: Hulk: Jade Giant\nbasics: Smash!; Take Cover [avx]\nA field: Hulk@1 (+12D)\nA reserve: S\n"
    passes(f"{position}play:\nexpect A field: Hulk@1 (+12D)\nexpect A field: Hulk@1 (+0A)\nexpect A field: Hulk@1")
    message = failure(f"{position}play:\nexpect A field: Hulk@1 (+11D)")
    assert message.endswith("expected A field: Hulk@1 (+11D); it is: Hulk@1* (+12D)")
    gained = position.replace("(+12D)", "")
    passes(f"{gained}play:\nA: Global of Take Cover\nexpect A field: Hulk@1 (+1D)\nexpect A field: Hulk@1")
    assert "it is: Hulk@1* (+1D)" in failure(f"{gained}play:\nA: Global of Take Cover\nexpect A field: Hulk@1 (+2D)")


@pytest.mark.parametrize(
    ("position", "hint"),
    [
        ("basics: Hulk: Jade Giant", "Hulk: Jade Giant is not a basic action; list it for a team"),
        ("team A: Force Beam", "Force Beam is a basic action; list it for all players, as in 'basics: ...'"),
        ("basic: Force Beam", "'basic' is not a line of a position; lines begin with edition, life"),
        ("B field: Sidekick (attacking)", "B's Sidekick cannot be attacking: it is the turn of A"),
        ("A field: Sidekick (attacking)", "Sidekick cannot be attacking in the main step"),
        ("A life: 0", "line 2: A cannot have 0 life: the game would be over"),
        ("edition: avx\nA out: Sidekick", "A's Sidekick cannot be Out of Play: this edition has no Out of Play"),
        ("edition: ai\nB out: F", "B's Sidekick cannot be Out of Play: only the active side has dice Out of Play"),
        ("A prep: Sidekick (2 damage)", "A's Sidekick cannot be damaged in prep, only in the field"),
        ("A field: Sidekick (2 damage)", "A's Sidekick cannot be in the field: with 2 damage it would have been KO'd"),
        (
            "A field: Sidekick (attacking), Sidekick (blocking Sidekick)\nturn: 5, A, fight",
            "Sidekick cannot block Sidekick, which is on the same side",
        ),
    ],
)
def test_impossible_position_is_reported(position: str, hint: str) -> None:
    assert hint in parse_error(f"{position}\nplay:\n")


def test_no_damage_means_0_damage() -> None:
    position = "team A: Hulk: Jade Giant\nbasics: Driven Underground\nA reserve: B\n"
    for words in ("", " (0 damage)", " (no damage)"):
        game = passes(f"{position}A field: Hulk@1{words}\nplay:\nexpect A field: Hulk@1 (0 damage)\nmay not: Global")
        assert "hurt" not in game.to_text()  # it was not damaged earlier in the turn either
    assert "it is: Hulk@1* (1 damage)" in failure(
        f"{position}A field: Hulk@1 (1 damage)\nplay:\nexpect A field: Hulk@1 (0 damage)"
    )


def test_fielded_is_not_fielded_last_turn() -> None:
    position = "team A: Hulk: Jade Giant\nA field: Hulk@1 (fielded last turn)\nplay:\n"
    passes(f"{position}expect A field: Hulk@1 (fielded last turn)")
    assert "it is: Hulk@1* (fielded last turn)" in failure(f"{position}expect A field: Hulk@1 (fielded)")


def test_die_in_another_players_field_is_controlled_until_end_of_turn() -> None:
    position = "basics: Wormhole\nteam B: Hulk: Jade Giant\nA field: B's Hulk@2, Wormhole!\nturn: 5, A, main\nplay:\n"
    passes(f"{position}skip to: B reroll\nexpect B field: Hulk@2\nexpect A field: Wormhole!")
    passes(f"{position}A: Wormhole\nexpect B field: Hulk@2\nexpect A field: nothing")


def test_held_die_returns_at_end_of_turn() -> None:
    position = "team B: Hulk: Jade Giant\nturn: 5, A, main\n"
    passes(f"{position}B held: Hulk@2\nplay:\nskip to: B reroll\nexpect B field: Hulk@2")
    passes(f"{position}B held: Hulk\nplay:\nskip to: B reroll\nexpect B field: Hulk@1")


def test_unknown_die_attribute_cannot_be_expected() -> None:
    assert "'asleep' is not an attribute of a die" in parse_error(
        "A field: Sidekick\nplay:\nexpect A field: Sidekick (asleep)"
    )


# --- scripted chance -----------------------------------------------------------------------------------------------

ROLLS = (
    "team A: Hulk: Jade Giant\nteam B: Hulk: Jade Giant\nA bag: 7 Sidekick, Hulk\nA field: Sidekick\nturn: 5, B, main\n"
)


def test_every_player_has_separate_roll_and_draw_queues() -> None:
    passes(
        f"{ROLLS}B rolls: S, M\nA rolls: F, B, ?, Hulk@2\nA draws: Hulk, 3 Sidekick\nB draws: Sidekick\nplay:\n"
        "B: pass\nexpect A prep: F, B, ?, Hulk@2\nA: keep all\nB rolls: F, B\nB draws: 3 Sidekick\n"
        "skip to: B reroll\nexpect B prep: S, M, F, B"
    )


def test_impossible_scripted_chance_names_queue_die_and_remainder() -> None:
    message = failure(f"{ROLLS}A draws: Hulk, 3 Sidekick\nA rolls: 4 F\nplay:\nB: pass")
    assert "A's scripted rolls have no entry for Hulk; remaining: F" in message
    message = failure(f"{ROLLS}A draws: Hulk, Hulk\nplay:\nB: pass")
    assert "A's scripted draws continue with Hulk, which is not in the bag; remaining: Hulk" in message
    message = failure(f"{ROLLS}A rolls: F, Hulk@2\nB draws: Sidekick\nplay:\nexpect decision: B main")
    assert message.endswith("A's scripted rolls did not happen: F, Hulk@2*")


def test_scripted_chance_round_trips_through_text_and_record() -> None:
    text = (
        f"{ROLLS}basics: Smash!\nA prep: Smash!\nA draws: Hulk, 3 Sidekick\nA rolls: F, B, ?, Hulk@2, Smash!\nplay:\n"
    )
    game = passes(f"{text}B: pass")
    assert "set rolls: A's Sidekick F, " in game.record
    assert "A's Smash! !" in game.record
    again = Game.from_record(game.record)
    assert again.state == game.state
    assert again.record == game.record
    assert Game.from_record(game.record.replace("A's Smash! !", "Smash! !")).state == game.state
    waiting = Game.from_text(text.split("A draws")[0])
    waiting.state.script = [(0, 0, 2), (1, 1, -1)]
    assert Game.from_text(waiting.to_text()).state == waiting.state


# --- show and skip -------------------------------------------------------------------------------------------------


def test_show_prints_position_and_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.scenario"
    path.write_text(f"scenario: x\n{ATTACK}A: attack with Hulk\nshow\nA: attack\nshow\n", encoding="utf-8")
    assert run_files([str(path)]) == 0
    output = capsys.readouterr().out
    assert "A field: 2 Sidekick, Hulk@1* (attacking), Beast@1*\n" in output
    assert "A attack: Who attacks?\n  attack with Beast@1*\n  attack\n  attack with Sidekick\n" in output
    assert "B block: Who blocks whom?\n" in output
    passes(f"{ATTACK}show\nA: no attack\nshow\n")


def test_skip_to_resolves_simultaneous_effects_in_any_order() -> None:
    position = """\
team A: Dormammu: Crimson Bands of Cyttorak; Captain America: Anti-Reg
A life: 10
A field: Dormammu@1, Captain America@3, Sidekick
B bag: 8 Sidekick
turn: 5, A, main
play:
A: pass; no attack
"""
    passes(f"{position}expect decision: A resolve\nskip to: B reroll")
    assert "'A reslove' is not a decision" in parse_error(f"{position}skip to: A reslove")
    assert "'E main' is not a decision" in parse_error(f"{position}expect decision: E main")


# --- names ---------------------------------------------------------------------------------------------------------


def test_controlled_die_is_named_after_its_owner() -> None:
    position = """\
edition: avx
team A: Loki: Illusionist
team B: Thor: Lord of Asgard
basics: Power Bolt
A field: B's Thor@1, Sidekick
A reserve: Power Bolt!
B field: Thor@1
turn: 5, A, declare
"""
    passes(
        f"{position}play:\nmay: attack with B's Thor@1\nexpect A field: B's Thor@1, Sidekick\nexpect B's Thor@1: 5/6"
    )
    game = passes(
        f"{position.replace('declare', 'main')}play:\nA: use Power Bolt\nmay: choose B's Thor@1 (controlled by A)"
    )
    assert "choose B's Thor@1" in [o.text for o in game.decision or ()]


def test_options_name_the_zone_when_only_the_zone_differs() -> None:
    text = zone_options()
    assert any(t.endswith("(in field)") for t in text)
    assert any(t.endswith("(in reserve)") for t in text)
    assert not any(re.search(r"#\d", t) for t in text)


def zone_options() -> list[str]:
    game = Game.from_text("A field: Sidekick\nA reserve: Sidekick\nturn: 5, A, main")
    field, reserve = (d for d in range(8) if game.state.place[d] >> 2 in (3, 4))
    return describe.distinct_texts(game.state, [("choose", field, 0), ("choose", reserve, 0)])


# --- the command ---------------------------------------------------------------------------------------------------


def test_folders_are_searched_and_results_listed_per_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = tmp_path / "deep" / "er"
    below.mkdir(parents=True)
    good, bad = below / "good.scenario", tmp_path / "bad.scenario"
    good.write_text("scenario: first\nplay:\nA: pass\nscenario: second\nplay:\nmay: pass\n", encoding="utf-8")
    bad.write_text("scenario: third\nplay:\nexpect A life: 3\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no scenario", encoding="utf-8")
    assert run_files([str(tmp_path)], verbose=True) == 1
    output = capsys.readouterr().out
    assert output == (
        f"{bad}: line 3: expected A life 3, it is 20 [third]\n0 passed, 1 failed in {bad}\n"
        f"  passed: first\n  passed: second\n2 passed, 0 failed in {good}\n2 passed, 1 failed\n"
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NotationError, match=r"no \*.scenario file below"):
        run_files([str(empty)])


def test_watched_file_runs_again_when_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.scenario"
    path.write_text("scenario: x\nplay:\nexpect A life: 3\n", encoding="utf-8")
    naps = 0

    def nap(seconds: float) -> None:
        nonlocal naps
        naps += 1
        if naps == 1:
            path.write_text("scenario: x\nplay:\nexpect A life: 20\nexpect B life: 20\n", encoding="utf-8")
            later = time.time() + 5
            os.utime(path, (later, later))
        elif naps == 2:
            path.unlink()
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", nap)
    assert watch_files([str(path)]) == 0
    output = capsys.readouterr()
    assert "0 passed, 1 failed in" in output.out
    assert output.out.count("1 passed, 0 failed in") == 1
    assert not output.err


# --- random games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_parts_in_any_order_give_the_same_state_as_in_engine_order(edition: str, seed: int) -> None:
    game, chance, player = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    compared = 0
    while game.decision is not None and len(game.moves) < 250:
        if DECISION_KINDS[game.state.decision.kind].mode != "one" and chance.below(2):
            after, named = answer_in_engine_order(game.copy(), chance)
            question = AnswerBuilder(game.copy())
            texts = [describe.distinct_texts(game.state, [option])[0] for option in named]
            while texts:
                found = question.match_parts(texts.pop(chance.below(len(texts))))
                if len(found) != 1:
                    break  # equal dice are ambiguous
                assert question.add(*found[0])
            else:
                assert not question.waiting
                assert question.game.state == after.state
                compared += 1
        game.play(player.choose(game.state))
    assert compared


def answer_in_engine_order(game: Game, chance: SplitMix64) -> tuple[Game, list[Option]]:
    """Answer some parts of the decision in the engine's order; return the resulting game and the parts."""
    named: list[Option] = []
    is_open = True
    while is_open and len(named) < 4:
        before = game.state.copy()
        parts = [i for i, o in enumerate(before.options) if o[0] in PARTS]
        if not parts:
            break
        index = parts[chance.below(len(parts))]
        named.append(before.options[index])
        game.play(index)
        is_open = expects_more(before, game.state)
    return game, named


# --- forced choices, the end of the game, held dice ----------------------------------------------------------------

DISPUTE = """\
edition: cw
basics: Internal Dispute
team A: Thor: Odinson
A field: Thor@3, Sidekick
B reserve: Internal Dispute!
turn: 5, B, main
play:
B: use Internal Dispute; """


PSYCHE = """\
edition: uxm
team A: Phoenix: Ms. Psyche
A field: Phoenix@1
A reserve: B
turn: 5, A, main
play:
A: Global of A's Phoenix; choose A's """


@pytest.mark.parametrize("target", ["Phoenix", "Phoenix@1", "Phoenix@1*"])
def test_only_target_may_be_named_with_its_level(target: str) -> None:
    passes(f"{PSYCHE}{target}\nexpect decision: A main\n")


def test_only_target_is_not_named_by_another_level() -> None:
    assert "'choose A's Phoenix@2' is not an option" in failure(f"{PSYCHE}Phoenix@2\nexpect decision: A main\n")


FOCUS = """\
edition: avx
team A: Thor: Lord of Asgard; Beast: Big Boy Blue
basics: Focus Power
A field: Thor@2, Beast@1
A reserve: Focus Power!**
turn: 5, A, main
play:
A: use Focus Power; spin A's Thor@2 down; """


def test_only_spin_that_is_left_may_be_named_like_an_option() -> None:
    passes(f"{FOCUS}spin A's Beast@1 up\nexpect A field: Thor@1, Beast@2\n")
    assert "'spin A's Beast@1 down' is not an option" in failure(
        f"{FOCUS}spin A's Beast@1 down\nexpect A field: Thor@1, Beast@2\n"
    )


JUSTICES = """\
edition: cw
team A: Justice: Telekinetic
team B: Jessica Jones: Alias; Ant-Man: Scott Lang
A field: Justice@1 (attacking), Justice@3 (attacking)
B field: 2 Jessica Jones@2, 2 Ant-Man@1
turn: 1, A, block
play:
B: block Justice@1 with Jessica Jones@2; block Justice@3 with Jessica Jones@2
B: block Justice@1 with Ant-Man@1; block Justice@3 with Ant-Man@1
A: resolve Justice for A's Justice@1
B: choose B's Ant-Man; choose B's Jessica Jones
A: pass; 2 to B's Jessica Jones@2; 0 to B's Ant-Man@1
"""


def test_share_that_completed_a_split_is_not_taken_for_the_next_split() -> None:
    question = "expect question: How much of Justice@3's damage goes to Jessica Jones@2?\n"
    passes(f"{JUSTICES}{question}")
    passes(f"{JUSTICES}A: 0 to B's Ant-Man@1; 4 to B's Jessica Jones@2\nexpect A prep: Justice\n")


def test_blocks_of_equal_attackers_are_kept_apart_until_an_obligation_is_met() -> None:
    passes(
        "edition: ai\nteam A: Rocket Raccoon: Bandit\nteam B: Hulk: Jade Giant\n"
        "A field: 2 Sidekick (attacking), Rocket Raccoon@1 (attacking)\nB field: 2 Sidekick, Hulk@1\n"
        "turn: 5, A, block\nplay:\n"
        "B: block Sidekick with Hulk; block Sidekick (attacking) with Sidekick\n"
        "B: block Rocket Raccoon with Sidekick\n"
        "expect A field: 2 Sidekick (attacking, blocked), Rocket Raccoon@1 (attacking, blocked)\n"
    )


@pytest.mark.parametrize("die", ["Hulk (rolled)", "2 Hulk (no damage, Rolled)"])
@pytest.mark.parametrize("zone", ["prep", "hand"])
def test_rolled_die_needs_a_face(die: str, zone: str) -> None:
    with pytest.raises(NotationError, match=r"line 3: Hulk is rolled but shows no face; write its face, as in"):
        Game.from_text(f"edition: avx\nteam B: Hulk: Jade Giant\nB {zone}: {die}\nturn: 2, B, reroll\n")


@pytest.mark.parametrize("zone", ["used", "bag", "out"])
def test_die_rolled_this_turn_needs_no_face_where_none_shows(zone: str) -> None:
    game = Game.from_text(f"edition: ai\nB {zone}: Sidekick (rolled)\nturn: 2, B, main\n")
    assert Game.from_text(game.to_text()) == game


def test_rolled_sidekick_keeps_its_face() -> None:
    game = Game.from_text("edition: avx\nB prep: Sidekick (rolled), F (rolled)\nturn: 2, B, reroll\n")
    assert game.decision is not None
    assert [option.text for option in game.decision] == ["reroll F", "reroll Sidekick", "keep all"]
    assert Game.from_text(game.to_text()) == game


@pytest.mark.parametrize("targets", ["choose Sidekick; choose Thor", "choose Thor; choose Sidekick", "choose Sidekick"])
def test_only_remaining_target_may_be_named(targets: str) -> None:
    passes(f"{DISPUTE}{targets}\nexpect decision: B main\nexpect B reserve: nothing")


def test_die_cannot_be_both_of_two_targets() -> None:
    assert "'choose Sidekick' is not an option" in failure(f"{DISPUTE}choose Sidekick; choose Sidekick")


LIBERATOR = """\
edition: ai
team A: She-Hulk: Lady Liberator; Colossus: Piotr Rasputin
team B: Hulk: Annihilator
A field: She-Hulk@2, Colossus@1
B field: Hulk@1, Sidekick
turn: 5, A, declare
play:
A: attack with She-Hulk
"""


def test_block_that_is_legal_only_with_another_closes_the_attack_decision() -> None:
    passes(f"{LIBERATOR}B: block She-Hulk with Hulk; block She-Hulk with Sidekick\nexpect decision: A fight")


def test_block_of_a_non_attacker_does_not_close_the_attack_decision() -> None:
    assert "it is A's decision (Who attacks?)" in failure(f"{LIBERATOR}B: block Colossus with Hulk")


def test_skip_to_none_plays_to_the_end_of_the_game() -> None:
    passes(
        "edition: avx\nA life: 1\nB life: 1\nA field: Sidekick\nturn: 5, A, declare\nplay:\nA: attack with Sidekick\n"
        "skip to: none\nexpect decision: none\nexpect result: A wins"
    )
    assert "is not reached" in failure("edition: avx\nplay:\nskip to: none")


def test_held_die_round_trips_with_its_level() -> None:
    position = "edition: avx\nteam B: Hulk: Annihilator\nB held: Hulk@3\nturn: 5, A, main\n"
    assert "B held: Hulk@3\n" in Game.from_text(position).to_text()
    passes(f"{position}play:\nexpect B held: Hulk@3\nexpect B held: Hulk\nskip to: B main\nexpect B field: Hulk@3")
    assert "it is: Hulk@3" in failure(f"{position}play:\nexpect B held: Hulk@1")


def test_every_step_with_a_decision_has_a_name() -> None:
    for edition in EDITIONS:
        game, player = random_game(3, edition=edition), HeuristicPlayer(3)
        while game.decision is not None and len(game.moves) < 250:
            assert not re.search(r"^turn: .* \d+$", game.to_text(), re.MULTILINE)
            game.play(player.choose(game.state))


# --- identical attackers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "blocked", "life"),
    [
        ("Sidekick (attacking, +3A), Sidekick (attacking)", "Sidekick #1", 19),
        ("Sidekick (attacking, +3A), Sidekick (attacking)", "Sidekick", 19),
        ("Sidekick (attacking, +3A), Sidekick (attacking)", "Sidekick #2", 16),
        ("Sidekick (attacking), Sidekick (attacking, +3A)", "Sidekick #2", 19),
        ("Sidekick, Sidekick (attacking, +3A), Sidekick (attacking)", "Sidekick #1", 19),
        ("Hulk@3 (attacking), Hulk@1 (attacking)", "Hulk #1", 14),
        ("Hulk@3 (attacking), Hulk@1 (attacking)", "Hulk #2", 12),
    ],
)
def test_identical_attackers_are_numbered_in_written_order(field: str, blocked: str, life: int) -> None:
    position = (
        f"edition: avx\nteam A: Hulk: Jade Giant\nA field: {field}\nB field: Sidekick (blocking {blocked})\n"
        "turn: 5, A, fight\n"
    )
    play = f"expect B field: Sidekick (blocking {blocked})\nA: pass\nexpect B life: {life}"
    passes(f"{position}play:\n{play}")
    written = Game.from_text(position).to_text()
    assert "also:" not in written
    assert Game.from_text(written).to_text() == written
    lines = [line for line in written.splitlines() if not line.startswith("chance:")]
    passes("\n".join([*lines, "play:", "A: pass", f"expect B life: {life}"]))


def test_blockers_of_identical_attackers_keep_their_own_attacker() -> None:
    position = (
        "edition: avx\nA field: 2 Sidekick (attacking)\n"
        "B field: Sidekick (blocking Sidekick #1), Sidekick (blocking Sidekick #2)\nturn: 5, A, fight\n"
    )
    assert sorted(Game.from_text(position).state.blocks) == [(8, 0), (9, 1)]
    message = failure(f"{position}play:\nexpect B field: 2 Sidekick (blocking Sidekick #1)")
    assert "it is: Sidekick (blocking Sidekick #1), Sidekick (blocking Sidekick #2)" in message


def test_blocked_attacker_of_another_owner_is_named_with_its_owner() -> None:
    position = (
        "edition: avx\nteam A: Hulk: Jade Giant\nteam B: Hulk: Jade Giant\n"
        "A field: B's Hulk@1 (attacking, +1A), Hulk@1 (attacking)\n"
        "B field: Sidekick (blocking B's Hulk@1), Sidekick (blocking Hulk)\nturn: 5, A, fight\n"
    )
    written = Game.from_text(position).to_text()
    assert "B field: Sidekick (blocking B's Hulk@1*), Sidekick (blocking Hulk@1*)" in written
    assert Game.from_text(written).to_text() == written


# --- before the first turn ---------------------------------------------------------------------------------------------


def test_setup_is_turn_0() -> None:
    passes("edition: ai\nturn: 0, A, setup\nplay:\nA: go first\nexpect decision: A reroll\nexpect A out: Sidekick")
    passes("edition: avx\nturn: 0, A, setup\nplay:\nexpect turn: A roll step")
    passes("edition: ai\nturn: 1, B, start\nplay:\nexpect B out: Sidekick")


@pytest.mark.parametrize(
    ("turn", "problem"),
    [
        ("1, A, setup", "before the first turn it is 'turn: 0, A, setup', not 1"),
        ("2, B, setup", "before the first turn it is 'turn: 0, B, setup', not 2"),
        ("0, A, main", "turns count from 1; only 'turn: 0, A, setup' is before the first"),
        ("0, A, start", "turns count from 1; only 'turn: 0, A, setup' is before the first"),
        ("999, A, main", "there is no turn 999: a game is over after 400 turns"),
        ("A, main", "expected 'turn: number, player, step', found 'A, main'"),
        ("0, A, fight", "turns count from 1; only 'turn: 0, A, setup' is before the first"),
    ],
)
def test_impossible_turn_is_reported(turn: str, problem: str) -> None:
    with pytest.raises(NotationError, match=f"^line 2: {problem}$"):
        Game.from_text(f"edition: avx\nturn: {turn}\n")


# --- scenarios without checks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("play", ["", "play:\n", "A rolls: F\nplay:\n", "play:\nA draws: Sidekick\n"])
def test_scenario_without_checks_is_refused(play: str) -> None:
    with pytest.raises(NotationError) as caught:
        scenario.check(f"\nscenario: x\nedition: avx\n{play}")
    assert str(caught.value) == (
        "line 2: the scenario checks nothing; after 'play:' it must choose or expect something"
    )


def test_position_errors_are_reported_before_missing_checks() -> None:
    with pytest.raises(NotationError, match="there is no edition 'xyz'"):
        scenario.check("scenario: x\nedition: xyz\n")


def test_scenario_that_only_shows_is_not_counted_as_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.scenario"
    path.write_text("scenario: a\nplay:\nshow\nscenario: b\nplay:\nexpect A life: 20\n", encoding="utf-8")
    assert run_files([str(path)], verbose=True) == 0
    output = capsys.readouterr().out
    assert "A main: Main step: what do you do?" in output
    assert output.endswith(
        f"  shown: a\n  passed: b\n1 passed, 0 failed, 1 only shown in {path}\n1 passed, 0 failed, 1 only shown\n"
    )


def test_failure_lists_options_that_could_still_be_added() -> None:
    position = (
        "edition: avx\nteam A: Hulk: Jade Giant\nA bag: exactly 4 Sidekick, Hulk\nA used: 4 Sidekick\n"
        "turn: 5, A, draw\nA draws: 3 Sidekick, Hulk\nA rolls: F, F, M, Hulk@1\nplay:\nA rolls: Hulk@3\n"
    )
    message = failure(f"{position}A: reroll Hulk; reroll Sidekick")
    assert "A may: field Hulk@3; pass, or in addition to reroll Hulk@1*: reroll F; reroll M" in message
    passes(f"{position}A rolls: 2 Sidekick\nA: reroll Hulk; reroll F; reroll M")


def test_text_may_match_several_options_where_nothing_is_chosen() -> None:
    position = "edition: avx\nbasics: Force Beam; Smash!\nA reserve: 6 F\nturn: 5, A, main\nplay:\n"
    passes(f"{position}may: buy\nmay only: buy; pass")
    assert "also possible: buy Smash!" in failure(f"{position}may only: buy Force; pass")
    assert "fits more than one option" in failure(f"{position}A: buy")
