"""Compound choices: equal to their parts played one by one, or refused as a whole."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tools.verify.random_games import random_game

import dicemasters.game
from dicemasters import Game
from dicemasters.game.answers.compound import CompoundDecision, compound_decision
from dicemasters.game.autoplay import play_forced
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.state import State
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.service.games.choices import AppliedChoice, InvalidChoiceError, apply_choice
from dicemasters.service.games.view_builder import build_view

editions = pytest.mark.parametrize("edition", EDITIONS)
GAMES = 8

Choice = dict[str, object]


def requested_kinds() -> set[str]:
    """Return every decision kind that the engine's source requests."""
    found: set[str] = set()
    for path in Path(dicemasters.game.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "request_decision":
                kinds = [x.value for x in ast.walk(node.args[2]) if isinstance(x, ast.Constant)]
                found |= {kind for kind in kinds if isinstance(kind, str)}
    return found


def test_every_requested_decision_kind_is_registered() -> None:
    assert requested_kinds() == set(DECISION_KINDS)


# --- equality with single parts ------------------------------------------------------------------------------------


def try_choice(game: Game, choice: object) -> tuple[AppliedChoice | None, str]:
    """Apply a choice; return the result, or None and the message of the refusal."""
    try:
        return apply_choice(game, choice), ""
    except InvalidChoiceError as error:
        return None, str(error)


def play_part_by_part(game: Game, chance: SplitMix64) -> tuple[Choice, Game] | None:
    """Answer the decision part by part; return the equivalent compound choice and the resulting game, if there is one."""
    s = game.state
    form, kind = compound_decision(s), s.decision.kind
    after = game.copy()
    if form.mode == "blocks" or kind in ("reroll", "attack"):
        parts: list[list[int]] = []
        while (after.state.decision.kind, after.state.decision.seat) == (kind, s.decision.seat):
            options = after.state.options
            option = options[chance.below(len(options))]
            if option[0] in ("use", "lift"):
                return None
            after.play(options.index(option))
            if option[0] == "done":
                break
            parts.append(list(option[1:]))
            if kind == "reroll" and len(parts) == form.maximum:
                break  # all dice are picked; the next decision is a different one
        if form.mode == "blocks":
            return {"blocks": parts}, after
        return {"dice": [part[0] for part in parts]}, after
    if form.mode == "spend":
        spent: dict[int, int] = {}
        while sum(spent.values()) < form.total:
            moves = len(after.moves)
            after.play(chance.below(len(after.state.options)))
            for line in after.news(moves):
                if line.kind == "pay" and sum(spent.values()) < form.total:
                    die = line.dice[0] if line.dice else -1
                    spent[die] = spent.get(die, 0) + line.amount
        return {"spend": [[die, n] for die, n in spent.items()]}, after
    if form.mode == "split":
        left, shares = form.total, []
        asked = [part.option[1] for part in form.options]
        for d in asked:
            ask = after.state.decision
            if (ask.kind, ask.about) == (kind, s.decision.about) and after.state.options[0][1] == d:
                option = after.state.options[chance.below(len(after.state.options))]
                after.play(after.state.options.index(option))
                shares.append([d, option[2]])
            else:
                shares.append([d, left])
            left -= shares[-1][1]
        return {"split": shares}, after
    return None


def with_equivalent_dice(s: State, form: CompoundDecision, choice: Choice, chance: SplitMix64) -> Choice:
    """Replace dice by equivalent ones, at random."""
    dice = choice.get("dice")
    if not isinstance(dice, list):
        return choice
    out: list[int] = []
    for d in dice:
        like = next(part.dice for part in form.options if d in part.dice)
        free = [x for x in like if x not in out]
        out.append(free[chance.below(len(free))])
    return {"dice": out[::-1]}


@editions
@pytest.mark.parametrize("seed", range(GAMES))
def test_compound_choice_equals_its_parts_played_one_by_one(edition: str, seed: int) -> None:
    game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    while game.result is None and len(game.moves) < 250:
        found = play_part_by_part(game, chance) if chance.below(3) else None
        if found is None:
            game.play(simple.choose(game.state) if chance.below(3) else chance.below(len(game.state.options)))
            continue
        choice, after = found
        form = compound_decision(game.state)
        play_forced(after)
        made = apply_choice(game, with_equivalent_dice(game.state, form, choice, chance))
        assert made.game.state == after.state, choice
        assert made.texts == tuple(move.text for move in made.game.moves[len(game.moves) :])
        game = made.game


@editions
@pytest.mark.parametrize("seed", range(GAMES))
def test_any_legal_set_is_accepted_and_its_texts_replay_it(edition: str, seed: int) -> None:
    game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
    while game.result is None and len(game.moves) < 300:
        form = compound_decision(game.state)
        if form.mode != "many" or any(part.option[0] in ("use", "lift") for part in form.options):
            game.play(simple.choose(game.state))
            continue
        dice = [d for part in form.options if part.option[0] != "done" for d in part.dice or (part.option[1],)]
        picks: list[int] = []
        for _ in range(form.minimum + chance.below(form.maximum - form.minimum + 1)):
            picks.append(dice.pop(chance.below(len(dice))))
        made, refusal = try_choice(game, {"dice": picks})
        if made is None:
            assert "must attack" in refusal or "together" in refusal
            game.play(simple.choose(game.state))
            continue
        again = game.copy()
        for text in made.texts:
            again.play(text)
        assert again.state.key() == made.game.state.key()
        game = made.game


def test_forced_decisions_are_played_automatically() -> None:
    game, simple = random_game(4), HeuristicPlayer(4)
    play_forced(game)
    while game.result is None and len(game.moves) < 300:
        assert len(game.state.options) > 1
        game = apply_choice(game, {"option": simple.choose(game.state)}).game


# --- refusals ------------------------------------------------------------------------------------------------------

MALFORMED: list[object] = [
    None,
    [],
    "pass",
    {},
    {"option": 0, "dice": []},
    {"option": -1},
    {"option": 10**9},
    {"option": True},
    {"option": "0"},
    {"dice": [-1]},
    {"dice": [0, 0]},
    {"dice": [10**9]},
    {"dice": 3},
    {"dice": [[1]]},
    {"dice": [True]},
    {"blocks": [[0, 0]]},
    {"blocks": [[-5, 10**9]]},
    {"blocks": [1]},
    {"blocks": [[1, 2, 3]]},
    {"spend": []},
    {"spend": [[-1, 10**6]]},
    {"spend": [[0, 1]]},
    {"spend": [[10**9, 1]]},
    {"spend": [[0, -1]]},
    {"split": []},
    {"split": [[250, 1]]},
    {"split": [[0, -3]]},
    {"split": [[10**9, 10**9]]},
    {"something": 1},
    {5: 6},
]


@editions
def test_malformed_choice_never_changes_the_game(edition: str) -> None:
    game, simple = random_game(11, edition=edition), HeuristicPlayer(1)
    refused = 0
    while game.result is None and len(game.moves) < 120:
        before, moves = game.state.key(), len(game.moves)
        for choice in MALFORMED:
            made, refusal = try_choice(game, choice)
            if made is None:
                assert refusal.endswith(".")
                refused += 1
            else:
                assert len(made.game.moves) > moves
            assert (game.state.key(), len(game.moves)) == (before, moves)
        game.play(simple.choose(game.state))
    assert refused


FIGHT = """
edition: ai
team A: Hulk: Jade Giant; Thor: Lord of Asgard
team B: Beast: Big Boy Blue
A field: Hulk@1, Thor@1, 3 Sidekick
B field: Beast@1, 3 Sidekick
turn: 5, A, attack
"""


def dice(game: Game, seat: int, title: str) -> list[int]:
    t = game.table
    fielded = game.state.dice_in(4, seat)
    return [d for d in fielded if t.names[t.card_of[d]] == title]


def test_attackers_and_blockers_are_each_declared_in_one_choice() -> None:
    game = Game.from_text(FIGHT)
    hulk, sidekicks = dice(game, 0, "Hulk")[0], dice(game, 0, "Sidekick")
    made = apply_choice(game, {"dice": [sidekicks[2], hulk]})
    assert made.texts == ("attack with Sidekick", "attack with Hulk@1*", "attack")
    s = made.game.state
    (attacker,) = [d for d in sidekicks if s.flags[d] & 1]
    defenders = dice(game, 1, "Sidekick")
    blocks = [[defenders[2], hulk], [defenders[0], attacker], [defenders[1], hulk]]
    blocked = apply_choice(made.game, {"blocks": blocks}).game
    assert sorted(len([b for b, a in blocked.state.blocks if a == x]) for x in (hulk, attacker)) == [1, 2]


def test_empty_set_of_dice_means_no_attack() -> None:
    made = apply_choice(Game.from_text(FIGHT), {"dice": []})
    assert made.texts[0] == "no attack"


def test_die_cannot_block_two_attackers() -> None:
    game = apply_choice(Game.from_text(FIGHT), {"dice": dice(Game.from_text(FIGHT), 0, "Sidekick")}).game
    beast, attackers = dice(game, 1, "Beast")[0], dice(game, 0, "Sidekick")
    with pytest.raises(InvalidChoiceError, match="can block only one"):
        apply_choice(game, {"blocks": [[beast, attackers[0]], [beast, attackers[1]]]})


def test_refusal_names_the_attacker_that_must_be_blocked() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Rocket Raccoon: Bandit\nA field: 2 Sidekick, Rocket Raccoon@1\nB field: 2 Sidekick\n"
        "turn: 5, A, attack\n"
    )
    attackers, (raccoon,) = dice(game, 0, "Sidekick"), dice(game, 0, "Rocket Raccoon")
    game = apply_choice(game, {"dice": [*attackers, raccoon]}).game
    blockers = dice(game, 1, "Sidekick")
    for blocks in ([], [[blockers[0], attackers[0]]], [[blockers[0], attackers[0]], [blockers[1], attackers[1]]]):
        with pytest.raises(InvalidChoiceError, match="Rocket Raccoon@1 must be blocked"):
            apply_choice(game, {"blocks": blocks})
    assert apply_choice(game, {"blocks": [[blockers[0], attackers[0]], [blockers[1], raccoon]]})


def test_refusal_says_how_many_blockers_an_attacker_takes() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Gamora: Power Gem\nA field: Gamora@1 (attacking), Sidekick (attacking)\n"
        "B field: 3 Sidekick\nturn: 5, A, block\n"
    )
    (gamora,), blockers = dice(game, 0, "Gamora"), dice(game, 1, "Sidekick")
    with pytest.raises(InvalidChoiceError, match="takes at least 2 blockers"):
        apply_choice(game, {"blocks": [[blockers[0], gamora]]})
    assert apply_choice(game, {"blocks": [[blockers[2], gamora], [blockers[0], gamora]]})


def test_view_includes_blocks_that_become_legal_after_others() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: Rocket Raccoon: Bandit\nteam B: Hulk: Jade Giant\nB field: Sidekick, Hulk@1\n"
        "A field: 2 Sidekick (attacking), Rocket Raccoon@1 (attacking)\nturn: 5, A, block\n"
    )
    decision = build_view(game)["decision"]
    assert decision is not None
    # Hulk may block a Sidekick once another die blocks Rocket Raccoon
    later = [option for option in decision["options"] if option["number"] is None]
    assert [option["text"] for option in later] == ["block Sidekick with Hulk@1*"]
    assert len(decision["options"]) == len(game.state.options) + 1


def test_refusal_names_the_die_that_cannot_be_picked() -> None:
    game = Game.from_text(FIGHT)
    with pytest.raises(InvalidChoiceError, match=r"Beast@1\* cannot be picked now"):
        apply_choice(game, {"dice": dice(game, 1, "Beast")})


PAYMENT = """
edition: ai
team A: Beast: Big Boy Blue
A reserve: 2 F, B, 2 M, ?
turn: 5, A, main
"""


def reserve(game: Game) -> dict[str, list[int]]:
    s = game.state
    out: dict[str, list[int]] = {}
    for d in s.dice_in(3, 0):
        out.setdefault("FBMS?"[s.face[d]], []).append(d)
    return out


def payment_decision() -> Game:
    """Return a game that waits for a payment of 2 energy, one of them a mask."""
    return apply_choice(Game.from_text(PAYMENT), {"option": 0}).game


def spend_choice(game: Game, symbols: str) -> Choice:
    have = reserve(game)
    return {"spend": [[have[x].pop(), 1] for x in symbols]}


@pytest.mark.parametrize("symbols", ["FM", "MF", "MM", "?F", "B?", "M?"])
def test_payment_is_made_in_one_choice(symbols: str) -> None:
    game = payment_decision()
    assert game.state.decision.kind == "pay"
    left = reserve(apply_choice(game, spend_choice(game, symbols)).game)
    for x in symbols:
        assert len(left.get(x, [])) == len(reserve(game)[x]) - symbols.count(x)


@pytest.mark.parametrize(
    ("symbols", "problem"),
    [
        ("M", "2 energy must be paid, and this is 1"),
        ("FMM", "2 energy must be paid, and this is 3"),
        ("FB", "needs one mask"),
        ("FF", "needs one mask"),
    ],
)
def test_wrong_payment_is_refused(symbols: str, problem: str) -> None:
    game = payment_decision()
    with pytest.raises(InvalidChoiceError, match=problem):
        apply_choice(game, spend_choice(game, symbols))


def test_payment_offers_every_die_that_can_pay() -> None:
    form = compound_decision(payment_decision().state)
    assert (form.mode, form.total) == ("spend", 2)
    assert {d for part in form.options for d in part.dice} == {
        d for found in reserve(payment_decision()).values() for d in found
    }
    assert {part.number for part in form.options} > {-1, 0, 1}  # some become legal only after others


SPLIT = """
edition: ai
team A: Hulk: Jade Giant
A field: Hulk@2 (attacking, blocked)
B field: Sidekick (blocking Hulk), Sidekick (blocking Hulk), Sidekick (blocking Hulk)
turn: 5, A, damage
"""


def test_damage_is_split_in_one_choice() -> None:
    game = Game.from_text(SPLIT)
    form = compound_decision(game.state)
    assert (form.mode, form.total, len(form.options)) == ("split", 7, 3)
    first, second, third = (part.option[1] for part in form.options)
    after = apply_choice(game, {"split": [[first, 0], [second, 6], [third, 1]]}).game
    (hulk,) = dice(game, 0, "Hulk")
    dealt = [(line.dice[1], line.amount) for line in after.news(0) if line.kind == "damage" and line.dice[0] == hulk]
    assert dealt == [(second, 6), (third, 1)]


def test_damage_must_be_split_in_full() -> None:
    game = Game.from_text(SPLIT)
    first, second, third = (part.option[1] for part in compound_decision(game.state).options)
    with pytest.raises(InvalidChoiceError, match="damage must be split"):
        apply_choice(game, {"split": [[first, 1], [second, 1], [third, 0]]})


def test_excess_overcrush_damage_may_go_to_the_player() -> None:
    game = Game.from_text(
        "edition: ai\nteam A: She-Hulk: Sensational\nA field: She-Hulk@3 (attacking, blocked)\n"
        "B field: Sidekick (blocking She-Hulk), Sidekick (blocking She-Hulk)\nturn: 5, A, damage\n"
    )
    form = compound_decision(game.state)
    assert (form.mode, form.total) == ("split", 6)
    first, second = (part.option[1] for part in form.options)
    life = game.state.life[1]
    for shares, through in (((1, 1), 4), ((1, 3), 2), ((3, 1), 2), ((5, 1), 0)):
        after = apply_choice(game, {"split": [[first, shares[0]], [second, shares[1]]]}).game
        assert after.state.life[1] == life - through
    with pytest.raises(InvalidChoiceError):
        apply_choice(game, {"split": [[first, 0], [second, 1]]})  # both blockers need lethal damage first


def test_selection_above_its_cost_limit_is_refused() -> None:
    game = Game.from_text(
        "edition: uxm\nbasics: Imprisoned\nteam B: Beast: Big Boy Blue; Hulk: Jade Giant\nA reserve: Imprisoned!\n"
        "B field: 3 Sidekick, Beast@1, Hulk@2, Beast@3\nturn: 5, A, main\n"
    )
    game.play("use Imprisoned")
    hulk, beasts, sidekicks = (dice(game, 1, name) for name in ("Hulk", "Beast", "Sidekick"))
    captured = apply_choice(game, {"dice": [*sidekicks, *beasts]}).game
    assert [captured.state.place[d] >> 2 for d in (*sidekicks, *beasts)] == [8] * 5
    with pytest.raises(InvalidChoiceError, match="cannot be picked together"):
        apply_choice(game, {"dice": [*hulk, *beasts]})


def test_die_that_may_block_several_attackers_does_so_in_one_choice() -> None:
    game = Game.from_text(
        "edition: cw\nteam B: Black Widow: Mistress of Pain\nA field: 3 Sidekick\nB field: Black Widow@1\n"
        "turn: 5, A, attack\n"
    )
    attackers, (widow,) = dice(game, 0, "Sidekick"), dice(game, 1, "Black Widow")
    game = apply_choice(game, {"dice": attackers}).game
    made = apply_choice(game, {"blocks": [[widow, attackers[2]], [widow, attackers[0]]]})
    assert made.texts.count("done blocking") == 1
    assert len([text for text in made.texts if text.startswith("block Sidekick")]) == 2


def test_ability_damage_is_divided_in_one_choice() -> None:
    game = Game.from_text(
        "edition: cw\nteam A: Tony Stark: Sorcerer Supreme of Earth 9810\nteam B: Hulk: Jade Giant\n"
        "A field: Tony Stark@2 (attacking, blocked)\nB field: Hulk@3 (blocking Tony Stark), Hulk@1, Sidekick\n"
        "turn: 5, A, damage\n"
    )
    while game.state.decision.kind != "divide":
        game.play(0)
    form = compound_decision(game.state)
    shares = [[part.option[1], 0] for part in form.options]
    shares[0][1], shares[-1][1] = 1, form.total - 1
    since = len(game.moves)
    after = apply_choice(game, {"split": shares}).game
    dealt = {line.dice[-1]: line.amount for line in after.news(since) if line.kind == "damage"}
    assert [dealt.get(d, 0) for d, _ in shares] == [n for _, n in shares]
    with pytest.raises(InvalidChoiceError, match="damage must be split"):
        apply_choice(game, {"split": [[shares[0][0], 1]]})


def test_forced_attacker_cannot_be_left_out_and_others_may_join() -> None:
    game = Game.from_text(
        "edition: uxm\nteam A: Hulk: Jade Giant; Phoenix: Ms. Psyche\n"
        "A field: Hulk@1, Sidekick, Phoenix@1\nA reserve: B\nB field: Sidekick\nturn: 5, A, main\n"
    )
    game.play("Global of A's Phoenix")
    game.play("choose A's Sidekick")
    while game.state.decision.kind != "attack":
        game.play("pass")
    (sidekick,), (hulk,) = dice(game, 0, "Sidekick"), dice(game, 0, "Hulk")
    with pytest.raises(InvalidChoiceError, match="Sidekick must attack"):
        apply_choice(game, {"dice": [hulk]})
    with pytest.raises(InvalidChoiceError, match="Sidekick must attack"):
        apply_choice(game, {"dice": []})
    assert {sidekick, hulk} <= {d for part in compound_decision(game.state).options for d in part.dice}
    after = apply_choice(game, {"dice": [hulk, sidekick]}).game
    assert [after.state.flags[d] & 1 for d in (hulk, sidekick)] == [1, 1]
