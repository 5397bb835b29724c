"""Explanations: the parts of A and D add up, and every illegal action has a true reason."""

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
def test_parts_of_a_and_d_add_up_and_cite_existing_rules(edition: str, seed: int) -> None:
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


def test_every_refusal_cites_an_existing_rule() -> None:
    source = Path(explain_illegal_module.__file__ or "").read_text(encoding="utf-8")
    cited = [
        call.args[1]
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal"
    ]
    assert len(cited) > 50
    for rule in cited:
        assert isinstance(rule, ast.Constant)
        assert rule.value in rules_document().numbers or not rule.value, rule.value
    assert [rule.value for rule in cited if isinstance(rule, ast.Constant)].count("") == 1  # of YES


def is_possible(s: State, seat: int, d: int) -> bool:
    return s.decision.seat == seat and any(d in part.dice or d in part.to for part in compound_decision(s).options)


@editions
@pytest.mark.parametrize("seed", range(4))
def test_exactly_the_illegal_actions_have_a_reason(edition: str, seed: int) -> None:
    game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    while game.result is None and len(game.moves) < 120:
        s = game.state
        for seat in (0, 1):
            for d in range(chance.below(3), s.spec.n_dice, 3):
                assert (explain_illegal(s, seat, die=d) == YES) == is_possible(s, seat, d)
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


def reason_against(text: str = POSITION, **about: str) -> str:
    """Return why A cannot act with the named card, or with its die in the named place."""
    game = Game.from_text(text)
    s = game.state
    place = about.get("place", "")
    if place:
        byte = ("card", "bag", "prep", "reserve", "field", "used").index(place)
        dice = [d for d in range(s.spec.n_dice) if s.place[d] >> 2 == byte]
        (die, *_) = [d for d in dice if s.spec.names[s.spec.card_of[d]] == about["name"]]
        return explain_illegal(s, 0, die=die, want=about.get("want", "")).text
    return explain_illegal(s, 0, card=s.spec.names.index(about["name"])).text


def test_purchase_without_the_energy_type_names_that_type() -> None:
    assert reason_against(name="Beast") == "It needs one mask."


def test_unaffordable_purchase_names_cost_and_energy() -> None:
    position = POSITION.replace("1x Hulk", "2x Hulk")
    assert reason_against(position, name="Hulk") == "It costs 6, and you have 2 energy."


def test_purchase_from_an_empty_card_says_no_dice_are_left() -> None:
    assert reason_against(name="Hulk") == "No dice are left on the card."


def test_purchase_from_an_opponents_card_names_its_owner() -> None:
    assert reason_against(name="Thor") == "It is B's card, and only B buys its dice."


def test_energy_die_says_when_energy_is_spent() -> None:
    assert reason_against(name="Sidekick", place="reserve").startswith("Energy is spent when")


def test_attack_in_the_main_step_names_the_attack_step() -> None:
    assert reason_against(name="Beast", place="field") == "It attacks in the attack step, after you pass."
    assert reason_against(name="Beast", place="field", want="attack").startswith("Attackers are declared")


def test_used_die_waits_for_the_refill() -> None:
    assert reason_against(name="Hulk", place="used") == "It is in the Used Pile until the bag is refilled."


def test_legal_actions_have_no_reason_against_them() -> None:
    assert reason_against(name="Beast", place="reserve") == ""
    assert reason_against(name="Take Cover", place="reserve") == ""


def test_acting_out_of_turn_names_the_deciding_player() -> None:
    s = Game.from_text(POSITION).state
    assert explain_illegal(s, 1, die=0).text == "It is A's decision now."


def test_unaffordable_fielding_names_its_cost() -> None:
    position = POSITION.replace("2 F, Beast@2", "Hulk@2").replace("A used: Hulk", "")
    assert reason_against(position, name="Hulk", place="reserve") == "Fielding it costs 2, and you have no energy."


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


def reason_under_ban(xavier: str = "Powerful Telepath", step: str = "main", **about: str) -> str:
    return reason_against(BANS.format(xavier=xavier, step=step), **about)


def test_ban_names_the_card_that_causes_it() -> None:
    assert (
        reason_under_ban(step="attack", name="Maria Hill", place="field") == "It cannot attack: Maria Hill forbids it."
    )
    assert reason_under_ban(name="Take Cover", place="reserve") == "Action dice cannot be used: Professor X forbids it."
    fielding = reason_under_ban("Charles Francis Xavier", name="Beast", place="reserve")
    assert fielding == "It cannot be fielded: Professor X forbids it."


def test_banned_global_names_the_card_that_causes_it() -> None:
    s = Game.from_text(BANS.format(xavier="Powerful Telepath", step="main")).state
    (ability,) = [x.index for x in s.spec.globals if s.spec.names[x.card] == "Take Cover"]
    assert explain_illegal(s, 0, ability=ability).text == "Globals cannot be used: Professor X forbids it."


def test_global_without_its_energy_names_the_missing_type() -> None:
    s = Game.from_text(POSITION).state
    (ability,) = [x.index for x in s.spec.globals if s.spec.names[x.card] == "Take Cover"]
    assert explain_illegal(s, 0, ability=ability).text == "It needs one shield."


def test_finished_game_allows_no_actions() -> None:
    game, simple = Game.new("ai", seed=3), HeuristicPlayer(1)
    while game.result is None:
        game.play(simple.choose(game.state))
    assert explain_illegal(game.state, 0, die=0).text == "The game is over."
