"""A whole solitaire game, recorded with the rule behind every choice of the script.

After a change of the rules, the cards or the script, update the file: python -m tests.unit.players.test_scripted_game
"""

from __future__ import annotations

from pathlib import Path

from tests.support.digest import without_version

from dicemasters import Game
from dicemasters.game.rulesets.solitaire import SolitaireRules
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.scripted import explain
from dicemasters.teams.formats import DEFAULT_FORMAT
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.random_teams import random_team

PATH = Path(__file__).with_name("solitaire_game.txt")
MARK = "  # "  # separates a choice of the script from its reason
SEED = 78  # this game shows most of the script
SHOWN = {"S12", "S14", "S16", "S18", "S19", "S20", "S21", "S23", "S25", "S27", "S34", "S37"}


def annotated_game(seed: int = SEED) -> str:
    """Play the game. Return its record with the reason for each choice of the script."""
    teams = [random_team(DEFAULT_FORMAT, 2 * seed + seat) for seat in range(2)]
    game = start_team_game(teams, seed=seed, solitaire=SolitaireRules())
    player = HeuristicPlayer(seed)
    reasons: list[str] = []
    while game.result is None:
        if game.state.decision.seat == 0:
            game.play(player.choose(game.state))
            continue
        reason = explain(game.state)
        reasons.append(f"{MARK}{reason.rule} {reason.why}")
        game.play(reason.option)
    remaining = iter(reasons)
    return "".join(
        f"{line}{next(remaining) if line.startswith('B: ') else ''}\n"
        for line in without_version(game.record).splitlines()
    )


def test_script_makes_the_recorded_choices_of_a_whole_game() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert annotated_game() == text
    record = "".join(line.split(MARK)[0] + "\n" for line in text.splitlines())
    assert without_version(Game.from_record(record).record) == record


def test_recorded_game_ends_and_shows_most_rules_of_the_script() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert " wins: " in text.splitlines()[-1]
    assert "\nedition: avx\n" in text
    assert "\nB: pay for several things at once" in text
    rules = {line.split(MARK)[1].split()[0] for line in text.splitlines() if MARK in line}
    assert rules >= SHOWN


if __name__ == "__main__":
    PATH.write_text(annotated_game(), encoding="utf-8")
