"""Why: the parts of A and D add up, and what cannot be done has a true reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tools.verify.random_games import random_game

from dicemasters import Game
from dicemasters.game.answers.compound import compound_decision
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.state.constants import FIELD
from dicemasters.game.state.state import State
from dicemasters.game.text import explain
from dicemasters.game.text import explain_illegal as explain_illegal_module
from dicemasters.game.text.explain_illegal import YES, explain_illegal
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.rules.document import rules_document

editions = pytest.mark.parametrize("edition", EDITIONS)


@editions
@pytest.mark.parametrize("seed", range(6))
def test_the_parts_of_a_and_d_always_add_up_and_have_their_rules(edition: str, seed: int) -> None:
    known = rules_document().numbers
    game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    while game.result is None and len(game.moves) < 250:
        s = game.state
        for d in range(s.spec.n_dice):
            if s.place[d] >> 2 == FIELD and die_identity.is_character(s, d):
                parts = explain.explain_stats(s, d)
                assert (sum(part.a for part in parts), sum(part.d for part in parts)) == characteristics.current_stats(
                    s, d
                )
                assert all(part.text and part.rule in known for part in parts)
        for effect in explain.explain_effects(s):
            assert effect.text
            assert effect.rule in known
        game.play(simple.choose(s) if chance.below(2) else chance.below(len(s.options)))


def test_every_reason_against_something_names_a_rule_that_exists() -> None:
    source = Path(explain_illegal_module.__file__ or "").read_text(encoding="utf-8")
    made = [
        call.args[1]
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal"
    ]
    assert len(made) > 50
    for rule in made:
        assert isinstance(rule, ast.Constant)
        assert rule.value in rules_document().numbers or not rule.value, rule.value
    assert [rule.value for rule in made if isinstance(rule, ast.Constant)].count("") == 1  # of YES


def can(s: State, seat: int, d: int) -> bool:
    return s.decision.seat == seat and any(d in part.dice or d in part.to for part in compound_decision(s).options)


@editions
@pytest.mark.parametrize("seed", range(4))
def test_there_is_a_reason_exactly_for_what_cannot_be_done(edition: str, seed: int) -> None:
    game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    while game.result is None and len(game.moves) < 120:
        s = game.state
        for seat in (0, 1):
            for d in range(chance.below(3), s.spec.n_dice, 3):
                assert (explain_illegal(s, seat, die=d) == YES) == can(s, seat, d)
        for what in ("buy", "field", "use", "attack", "block", "reroll", "pay"):
            can_do = {d for part in compound_decision(s).options if part.option[0] == what for d in part.dice}
            for d in range(chance.below(7), s.spec.n_dice, 7):
                assert (explain_illegal(s, s.decision.seat, die=d, want=what) == YES) == (d in can_do)
        for c in range(s.spec.n_cards):
            assert (explain_illegal(s, s.decision.seat, card=c, want="buy") == YES) == (("buy", c, 0) in s.options)
        for x in (*s.spec.globals, *s.spec.paid_abilities):
            offered = any(what in ("global", "ability") and index == x.index for what, index, _ in s.options)
            assert (explain_illegal(s, s.decision.seat, ability=x.index) == YES) == offered
        game.play(simple.choose(s) if chance.below(2) else chance.below(len(s.options)))


POSITION = """
edition: ai
basics: Take Cover [ai]
team A: Beast: Big Boy Blue; 1x Hulk: Jade Giant
team B: Thor: Lord of Asgard
A field: Beast@1, Sidekick
A reserve: 2 F, Beast@2, Take Cover!
A used: Hulk
B field: Sidekick
turn: 5, A, main
"""


def asked(text: str = POSITION, **about: str) -> str:
    """Ask as A about a die or card that is named, where it lies in the named place."""
    game = Game.from_text(text)
    s = game.state
    place = about.get("place", "")
    if place:
        byte = ("card", "bag", "prep", "reserve", "field", "used").index(place)
        dice = [d for d in range(s.spec.n_dice) if s.place[d] >> 2 == byte]
        (die, *_) = [d for d in dice if s.spec.names[s.spec.card_of[d]] == about["name"]]
        return explain_illegal(s, 0, die=die, want=about.get("want", "")).text
    return explain_illegal(s, 0, card=s.spec.names.index(about["name"])).text


def test_a_die_of_a_type_nobody_has_needs_that_type() -> None:
    assert asked(name="Beast") == "It needs one mask."


def test_a_die_that_is_too_dear_says_what_it_costs() -> None:
    dear = POSITION.replace("1x Hulk", "2x Hulk")
    assert asked(dear, name="Hulk") == "It costs 6, and you have 2 energy."


def test_a_card_without_dice_says_so() -> None:
    assert asked(name="Hulk") == "No dice are left on the card."


def test_the_opponents_card_is_the_opponents() -> None:
    assert asked(name="Thor") == "It is B's card, and only B buys its dice."


def test_energy_waits_for_something_to_pay() -> None:
    assert asked(name="Sidekick", place="reserve").startswith("Energy is spent when")


def test_in_the_main_step_characters_do_not_attack_yet() -> None:
    assert asked(name="Beast", place="field") == "It attacks in the attack step, after you pass."
    assert asked(name="Beast", place="field", want="attack").startswith("Attackers are declared")


def test_a_used_die_waits_for_the_refill() -> None:
    assert asked(name="Hulk", place="used") == "It is in the Used Pile until the bag is refilled."


def test_what_is_possible_has_no_reason_against_it() -> None:
    assert asked(name="Beast", place="reserve") == ""
    assert asked(name="Take Cover", place="reserve") == ""


def test_nobody_acts_out_of_turn() -> None:
    s = Game.from_text(POSITION).state
    assert explain_illegal(s, 1, die=0).text == "It is A's decision now."


def test_fielding_says_its_cost() -> None:
    poor = POSITION.replace("2 F, Beast@2", "Hulk@2").replace("A used: Hulk", "")
    assert asked(poor, name="Hulk", place="reserve") == "Fielding it costs 2, and you have no energy."


BANS = """
edition: ai
basics: Take Cover [ai]; Enrage
team A: Maria Hill: On the Hunt; Beast: Big Boy Blue
team B: Professor X: {xavier}
A field: Maria Hill@1, Sidekick
A reserve: Take Cover!, Beast@1, S
B field: Professor X@1
turn: 5, A, {step}
"""


def banned(xavier: str = "Powerful Telepath", step: str = "main", **about: str) -> str:
    return asked(BANS.format(xavier=xavier, step=step), **about)


def test_a_ban_names_the_card_that_makes_it() -> None:
    assert banned(step="attack", name="Maria Hill", place="field") == "It cannot attack: Maria Hill forbids it."
    assert banned(name="Take Cover", place="reserve") == "Action dice cannot be used: Professor X forbids it."
    fielding = banned("Charles Francis Xavier", name="Beast", place="reserve")
    assert fielding == "It cannot be fielded: Professor X forbids it."


def test_a_banned_global_names_the_card_that_makes_it() -> None:
    s = Game.from_text(BANS.format(xavier="Powerful Telepath", step="main")).state
    (ability,) = [x.index for x in s.spec.globals if s.spec.names[x.card] == "Take Cover"]
    assert explain_illegal(s, 0, ability=ability).text == "Globals cannot be used: Professor X forbids it."


def test_a_global_without_its_energy_says_which_it_needs() -> None:
    s = Game.from_text(POSITION).state
    (ability,) = [x.index for x in s.spec.globals if s.spec.names[x.card] == "Take Cover"]
    assert explain_illegal(s, 0, ability=ability).text == "It needs one shield."


def test_after_the_end_nothing_can_be_done() -> None:
    game, simple = Game.new("ai", seed=3), HeuristicPlayer(1)
    while game.result is None:
        game.play(simple.choose(game.state))
    assert explain_illegal(game.state, 0, die=0).text == "The game is over."
