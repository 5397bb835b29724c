"""A whole solitaire game, written down with the rule behind every choice of the script.

After a change of the rules, the cards or the script it is written anew by: python -m tests.unit.players.test_scripted_game
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
MARK = "  # "  # between a choice of the script and its reason
SEED = 78  # of a game that shows most of the script
SHOWN = {"S12", "S14", "S16", "S18", "S19", "S20", "S21", "S23", "S25", "S27", "S34", "S37"}


def written(seed: int = SEED) -> str:
    """Play the game and give its record, with the script's reason behind each of its choices."""
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
    left = iter(reasons)
    return "".join(
        f"{line}{next(left) if line.startswith('B: ') else ''}\n" for line in without_version(game.record).splitlines()
    )


def test_every_choice_of_the_script_in_a_whole_game_is_as_it_was_written_down() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert written() == text
    record = "".join(line.split(MARK)[0] + "\n" for line in text.splitlines())
    assert without_version(Game.from_record(record).record) == record


def test_the_written_game_is_played_to_its_end_and_shows_most_of_the_script() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert " wins: " in text.splitlines()[-1]
    assert "\nedition: avx\n" in text
    assert "\nB: pay for several things at once" in text
    rules = {line.split(MARK)[1].split()[0] for line in text.splitlines() if MARK in line}
    assert rules >= SHOWN


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
