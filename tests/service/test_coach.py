"""The coach: the purpose of a decision, reminders, and explanations of what just happened."""

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


def remarks(lines: str, kind: str = "mind") -> list[str]:
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
def test_coach_reminds_of_easily_overlooked_options(lines: str, text: str) -> None:
    assert any(text in line for line in remarks(lines)), remarks(lines)


@pytest.mark.parametrize(("edition", "turn", "is_explained"), [("ai", 1, True), ("ai", 2, False), ("avx", 1, False)])
def test_coach_explains_why_the_first_player_rolls_three_dice(edition: str, turn: int, is_explained: bool) -> None:
    game = Game.from_text(f"edition: {edition}\nturn: {turn}, A, roll\nA prep: 3 Sidekick\n")
    assert game.state.decision.kind == "reroll"
    assert any("rolls three dice" in one.text for one in coach_remarks(game)) == is_explained


def test_coach_explains_why_a_turn_ended_automatically() -> None:
    game = Game.from_text(POSITION + "A reserve: 2 F\nturn: 3, A, main")
    game.play("buy Black Widow")
    play_forced(game)
    while game.state.decision.seat == 1:
        game.play("keep all" if game.state.decision.kind == "reroll" else "pass")
    texts = [one.text for one in coach_remarks(game) if one.kind == "happened"]
    assert "Your turn ended by itself: there was nothing left that you could do." in texts


def test_coach_explains_damage_and_kos() -> None:
    field = "A field: Sidekick, Captain America@1\nB field: Red Skull@1 (attacking), Sidekick (attacking)\n"
    game = Game.from_text(POSITION + field + "turn: 4, B, block")
    game.play("block Red Skull with Sidekick")
    game.play("done blocking")
    play_forced(game)
    texts = [one.text for one in coach_remarks(game) if one.kind == "happened"]
    assert "You took 1 damage: what nobody blocks hits you." in texts
    assert "Your KO'd dice went to your Prep Area: you roll them with your next four." in texts


def test_coach_is_brief_and_cites_existing_rules() -> None:
    known = {rule.number for rule in rules_document().items}
    kinds = set()
    for seed in range(6):
        game = Game.new("ai", cast="ai", seed=seed)
        players = [make_player("simple", seed), make_player("random", seed)]
        while game.decision is not None:
            shown = coach_remarks(game)
            assert len(shown) <= 1 + MAX_REMINDERS + MAX_EXPLANATIONS
            assert all(len(one.text) <= 120 and one.text.endswith(".") for one in shown)
            assert {one.rule for one in shown if one.rule} <= known
            kinds |= {game.state.decision.kind} if any(one.kind == "step" for one in shown) else set()
            game.play(players[game.state.decision.seat].choose(game.state))
        assert coach_remarks(game) == []
    assert {"reroll", "main", "attack", "respond"} <= kinds <= set(DECISION_KINDS)


def test_coach_is_switched_on_and_off_at_the_terminal() -> None:
    lines = iter(["coach on", "coach maybe", "coach off", "quit"])
    console = Console(file=io.StringIO(), width=100, height=60)
    game = Game.from_text(POSITION + "A field: Sidekick\nA reserve: S, Sidekick\nturn: 3, A, main")
    TerminalGame(game, [None, make_player("simple", 1)], console, lambda _: next(lines)).run()
    output = console.file.getvalue()  # type: ignore[attr-defined]
    assert output.count("coach: Spend your energy") == 1
    assert "Sidekick can be fielded for nothing." in output
    assert "The coach can be on or off" in output


WIDOW = "A field: Black Widow@1 (attacking)\nA reserve: ?, S\n"


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (WIDOW + "B field: Sidekick (blocking Black Widow)\nturn: 17, A, fight", "Take Cover"),  # prevents her KO
        (WIDOW + "turn: 17, A, fight", ""),  # nothing damages her
        ("A field: Sidekick\nA reserve: S\nturn: 3, A, main", ""),  # no combat yet
        ("B field: Sidekick\nA reserve: S\nturn: 3, A, main", ""),  # would help the rival
        ("B field: Sidekick\nA reserve: F\nturn: 3, A, main", ""),  # a forced attacker must belong to the active player
        ("B field: Sidekick\nA field: Sidekick\nA reserve: F\nturn: 4, B, main, respond", "Black Widow"),
    ],
)
def test_coach_mentions_a_global_only_where_it_is_useful(lines: str, named: str) -> None:
    texts = [one.partition(": ")[2] for one in remarks(lines) if "Global" in one]
    assert texts == ([f"{named}'s Global can be used."] if named else [])


def test_coach_counts_the_attackers_of_both_rivals() -> None:
    attackers = "A field: Hulk@1 (attacking), Sidekick (attacking)\nC field: Sidekick (attacking)\n"
    teams = "team A: Hulk: Jade Giant\nteam B: Thor: Lord of Asgard\n"
    teams += "team C: Beast: Big Boy Blue\nteam D: Storm: African Priestess\n"
    game = Game.from_text(f"edition: avx\n{teams}{attackers}B field: Sidekick\nD field: Sidekick\nturn: 5, A, block")
    texts = [one.text for one in coach_remarks(game)]
    assert "If nobody blocks, you take 8 damage of your 30 life." in texts


def test_coach_states_the_goal_once() -> None:
    game = Game.new("ai", cast="ai", seed=1)
    assert coach_remarks(game)[0].text.startswith("The goal: bring player ")
    seat = game.state.decision.seat
    while game.state.decision.seat != seat or not game.moves:
        game.play(0)
    assert "The goal" not in coach_remarks(game)[0].text
