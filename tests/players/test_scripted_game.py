"""A whole solitaire game, written down with the rule behind every choice of the script."""

from __future__ import annotations

from pathlib import Path

from dicemasters import Game
from dicemasters.players.scripted import explain

PATH = Path(__file__).parent.parent / "solitaire" / "game.txt"
MARK = "  # "  # between a choice of the script and its reason


def with_reasons(record: str) -> str:
    """Play a record again and write the script's reason behind each of its choices."""
    finished = Game.from_record(record)
    game = Game(finished.start.copy(), seed=finished.seed)
    reasons: list[str] = []
    for move in finished.moves:
        if move.player == "B":
            reason = explain(game.state)
            assert game.decision is not None
            assert game.decision.options[reason.option].text == move.text, f"{reason.rule} says otherwise: {reason.why}"
            reasons.append(f"{MARK}{reason.rule} {reason.why}")
        game.play(move.text)
    left = iter(reasons)
    lines = record.splitlines()
    return "\n".join(line + next(left) if line.startswith("B: ") else line for line in lines) + "\n"


def test_every_choice_of_the_script_in_a_whole_game_is_as_its_rules_say() -> None:
    text = PATH.read_text(encoding="utf-8")
    record = "\n".join(line.split(MARK)[0] for line in text.splitlines()) + "\n"
    assert with_reasons(record) == text


def test_the_written_game_is_played_to_its_end_and_shows_most_of_the_script() -> None:
    text = PATH.read_text(encoding="utf-8")
    assert " wins: " in text.splitlines()[-1]
    rules = {line.split(MARK)[1].split()[0] for line in text.splitlines() if MARK in line}
    assert rules >= {"S12", "S14", "S16", "S18", "S20", "S21", "S23", "S25", "S27", "S34", "S37"}
