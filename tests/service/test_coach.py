"""The coach: what a question is for, what is easily overlooked, why something has just happened."""

import io

import pytest
from rich.console import Console

from dicemasters.game import Game
from dicemasters.game.autoplay import play_forced
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.players.player import make_player
from dicemasters.rules.document import rules_document
from dicemasters.service.coach import MAX_EXPLANATIONS, MAX_REMINDERS, coach_remarks
from dicemasters.terminal.game_ui import TerminalGame

POSITION = """
edition: ai
life: 10
basics: Take Cover [ai]; Crowd Fighting
team A: Black Widow: Red Alert; Captain America: The Good Old Days
team B: Red Skull: Cut off One Head...
"""

FIGHT = "B field: Sidekick (attacking)\nA field: Captain America@1 (blocking Sidekick)"


def said(lines: str, kind: str = "mind") -> list[str]:
    return [one.text for one in coach_remarks(Game.from_text(POSITION + lines)) if one.kind == kind]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            f"{FIGHT}\nA reserve: S\nturn: 4, B, fight, respond",
            "You still have a shield: Take Cover's Global can be used.",
        ),
        (
            f"{FIGHT}\nA reserve: ?\nturn: 4, B, fight, respond",
            "You still have energy that can be a shield: Take Cover's Global can be used.",
        ),
        ("A reserve: Take Cover!\nA field: Sidekick\nturn: 3, A, main", "Take Cover shows its action: use it"),
        ("A reserve: Sidekick\nturn: 3, A, main", "Sidekick can be fielded for nothing."),
        ("A reserve: Captain America@1, S\nturn: 3, A, main", "Captain America can be fielded for 1."),
        ("A reserve: 4 S\nturn: 3, A, main", "You can still buy Captain America"),
        (
            "A field: Captain America@1\nB life: 3\nturn: 3, A, declare",
            "all of them together deal 3, and your rival has 3",
        ),
        ("A field: 2 Sidekick\nB field: Sidekick\nturn: 3, A, declare", "keep somebody who can block next turn"),
        (
            "A field: Sidekick\nA life: 3\nB field: Red Skull@1 (attacking)\nturn: 4, B, block",
            "If nobody blocks, you take 3 damage of your 3 life. You would lose.",
        ),
    ],
)
def test_what_is_easily_overlooked_is_named(lines: str, text: str) -> None:
    assert any(text in line for line in said(lines)), said(lines)


@pytest.mark.parametrize(("edition", "turn", "is_told"), [("ai", 1, True), ("ai", 2, False), ("avx", 1, False)])
def test_why_whoever_begins_rolls_three_dice_is_told(edition: str, turn: int, is_told: bool) -> None:
    game = Game.from_text(f"edition: {edition}\nturn: {turn}, A, roll\nA prep: 3 Sidekick\n")
    assert game.state.decision.kind == "reroll"
    assert any("rolls three dice" in one.text for one in coach_remarks(game)) == is_told


def test_why_a_turn_has_ended_is_explained() -> None:
    game = Game.from_text(POSITION + "A reserve: 2 F\nturn: 3, A, main")
    game.play("buy Black Widow")
    play_forced(game)
    while game.state.decision.seat == 1:
        game.play("keep all" if game.state.decision.kind == "reroll" else "pass")
    told = [one.text for one in coach_remarks(game) if one.kind == "happened"]
    assert "Your turn ended by itself: there was nothing left that you could do." in told


def test_damage_and_kos_are_explained() -> None:
    field = "A field: Sidekick, Captain America@1\nB field: Red Skull@1 (attacking), Sidekick (attacking)\n"
    game = Game.from_text(POSITION + field + "turn: 4, B, block")
    game.play("block Red Skull with Sidekick")
    game.play("done blocking")
    play_forced(game)
    told = [one.text for one in coach_remarks(game) if one.kind == "happened"]
    assert "You took 1 damage: what nobody blocks hits you." in told
    assert "Your KO'd dice went to your Prep Area: you roll them with your next four." in told


def test_the_coach_is_brief_true_to_the_kinds_and_cites_rules_that_exist() -> None:
    known = {rule.number for rule in rules_document().items}
    kinds = set()
    for seed in range(6):
        game = Game.new("ai", cast="ai", seed=seed)
        players = [make_player("simple", seed), make_player("random", seed)]
        while game.decision is not None:
            told = coach_remarks(game)
            assert len(told) <= 1 + MAX_REMINDERS + MAX_EXPLANATIONS
            assert all(len(one.text) <= 120 and one.text.endswith(".") for one in told)
            assert {one.rule for one in told if one.rule} <= known
            kinds |= {game.state.decision.kind} if any(one.kind == "step" for one in told) else set()
            game.play(players[game.state.decision.seat].choose(game.state))
        assert coach_remarks(game) == []
    assert {"reroll", "main", "attack", "respond"} <= kinds <= set(DECISION_KINDS)


def test_the_coach_is_turned_on_at_the_terminal() -> None:
    lines = iter(["coach on", "coach maybe", "coach off", "quit"])
    console = Console(file=io.StringIO(), width=100, height=60)
    game = Game.from_text(POSITION + "A field: Sidekick\nA reserve: S, Sidekick\nturn: 3, A, main")
    TerminalGame(game, [None, make_player("simple", 1)], console, lambda _: next(lines)).run()
    told = console.file.getvalue()  # type: ignore[attr-defined]
    assert told.count("coach: Spend your energy") == 1
    assert "Sidekick can be fielded for nothing." in told
    assert "The coach can be on or off" in told


WIDOW = "A field: Black Widow@1 (attacking)\nA reserve: ?, S\n"


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (WIDOW + "B field: Sidekick (blocking Black Widow)\nturn: 17, A, fight", "Take Cover"),  # it would save her
        (WIDOW + "turn: 17, A, fight", ""),  # nobody hits her
        ("A field: Sidekick\nA reserve: S\nturn: 3, A, main", ""),  # nobody fights yet
        ("B field: Sidekick\nA reserve: S\nturn: 3, A, main", ""),  # it would help the rival
        ("B field: Sidekick\nA reserve: F\nturn: 3, A, main", ""),  # who must attack has to have a turn
        ("B field: Sidekick\nA field: Sidekick\nA reserve: F\nturn: 4, B, main, respond", "Black Widow"),
    ],
)
def test_a_global_is_named_only_where_it_is_of_use(lines: str, named: str) -> None:
    told = [one.partition(": ")[2] for one in said(lines) if "Global" in one]
    assert told == ([f"{named}'s Global can be used."] if named else [])


def test_of_four_players_the_attackers_of_both_rivals_count() -> None:
    attackers = "A field: Hulk@1 (attacking), Sidekick (attacking)\nC field: Sidekick (attacking)\n"
    teams = "team A: Hulk: Jade Giant\nteam B: Thor: Lord of Asgard\n"
    teams += "team C: Beast: Big Boy Blue\nteam D: Storm: African Priestess\n"
    game = Game.from_text(f"edition: avx\n{teams}{attackers}B field: Sidekick\nD field: Sidekick\nturn: 5, A, block")
    told = [one.text for one in coach_remarks(game)]
    assert "If nobody blocks, you take 8 damage of your 30 life." in told


def test_the_goal_is_said_once() -> None:
    game = Game.new("ai", cast="ai", seed=1)
    assert coach_remarks(game)[0].text.startswith("The goal: bring player ")
    seat = game.state.decision.seat
    while game.state.decision.seat != seat or not game.moves:
        game.play(0)
    assert "The goal" not in coach_remarks(game)[0].text
