"""Mining puzzles from played games. Each game is searched separately, so any number of workers finds the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dicemasters.game import Game
from dicemasters.game.inspect.view import UNDECIDED, State
from dicemasters.game.notation import write_position
from dicemasters.game.turn import loop
from dicemasters.lab.puzzles.best_buy import (
    MIN_BUYS,
    MIN_VALUE_LEAD,
    best_by_value,
    buy_options,
    measure_buys,
    value_lead,
)
from dicemasters.players.player import Player, make_player
from dicemasters.puzzles.generator import LEVELS, candidate_goal, find_puzzle_in, is_easy, is_reachable
from dicemasters.puzzles.puzzle import Puzzle, difficulty_of
from dicemasters.puzzles.solver import PuzzleGoal
from dicemasters.teams.tournament_table import random_tournament_spec

PLAYERS = ("level2", "level3", "level4")
EASY_INTERVAL = 10  # every nth game is also searched for easy puzzles
LAST_BUY = 14  # last turn of buy puzzles

TURN, BUY = "turn", "buy"  # kinds of search: a way to win or survive a turn, or the best buy

Data = dict[str, Any]


NUMBERS, LISTS = ("turn", "steps", "wrong", "tempting"), ("way", "line", "missed by")  # keys of a mined puzzle


@dataclass(frozen=True, slots=True)
class MiningTask:
    """A game to search, with everything its result depends on."""

    game: int
    what: str


def mine_game(task: MiningTask) -> Data:
    """Play a game between random tournament teams. Return the puzzles found in it, at most one per goal."""
    mine = _mine_turns if task.what == TURN else _mine_buy
    return {"game": task.game, "what": task.what, "puzzles": mine(task.game)}


def is_mining_row(data: Data) -> bool:
    """Return True if the data has the form of a result of `mine_game`."""
    try:
        texts = [data["what"], *(puzzle["position"] for puzzle in data["puzzles"])]
        numbers = [data["game"], *(puzzle[name] for puzzle in data["puzzles"] for name in NUMBERS)]
        lists = [puzzle[name] for puzzle in data["puzzles"] for name in LISTS]
        goals = all(puzzle["goal"] in {goal.value for goal in PuzzleGoal} for puzzle in data["puzzles"])
    except (KeyError, TypeError):
        return False
    texts += [text for value in lists if isinstance(value, list) for text in value]
    kinds = ((texts, str), (numbers, int), (lists, list))
    return goals and all(isinstance(value, kind) for values, kind in kinds for value in values)


def _start_game(seed: int) -> tuple[State, list[Player]]:
    s = loop.new_state(random_tournament_spec(seed), seed)
    loop.advance(s)
    return s, [make_player(PLAYERS[seed // 3**seat % 3], 2 * seed + seat) for seat in (0, 1)]


def _mine_turns(seed: int) -> list[Data]:
    best: dict[PuzzleGoal, Data] = {}
    seen: set[tuple[int, int, str]] = set()  # one position per turn, seat and kind of decision
    s, players = _start_game(seed)
    while s.result == UNDECIDED:
        key = (s.turn, s.decision.seat, s.decision.kind)
        if key not in seen and (goal := candidate_goal(s)):
            seen.add(key)
            data = _mine_position(s, goal, seed)
            if data and (goal not in best or _difficulty(data) > _difficulty(best[goal])):
                best[goal] = data
        loop.apply(s, s.options[players[s.decision.seat].choose(s)])
    return list(best.values())


def _mine_position(state: State, goal: PuzzleGoal, seed: int) -> Data | None:
    """Return the puzzle in a position, as read back from its text, or None."""
    if is_easy(state, goal) and seed % EASY_INTERVAL:
        return None
    position = write_position(state)
    s = Game.from_text(position).state
    puzzle = find_puzzle_in(s, goal) if is_reachable(s, goal) else None
    if puzzle is None:
        return None
    return {
        "goal": goal.value,
        "turn": state.turn,
        "way": puzzle.way,
        "line": puzzle.line,
        "steps": puzzle.steps,
        "wrong": puzzle.wrong,
        "tempting": puzzle.tempting,
        "missed by": puzzle.missed_by,
        "looked at": puzzle.positions_searched,
        "position": position,
    }


def _difficulty(data: Data) -> tuple[int, int]:
    return len(data["missed by"]), data["tempting"] + data["steps"]


def _mine_buy(seed: int) -> list[Data]:
    """Return the clearest buy of a game by the value network, as a puzzle if measuring confirms it."""
    lead, position, last_turn = MIN_VALUE_LEAD, "", 0
    s, players = _start_game(seed)
    while s.result == UNDECIDED and s.turn <= LAST_BUY:
        if s.turn != last_turn and s.decision.kind == "main":
            last_turn = s.turn
            if len(buy_options(s)) >= MIN_BUYS and (candidate_lead := value_lead(s)) > lead:
                lead, position = candidate_lead, write_position(s)
        loop.apply(s, s.options[players[s.decision.seat].choose(s)])
    if not position:
        return []
    state = Game.from_text(position).state
    ranking = measure_buys(state, LEVELS)
    if ranking is None or ranking.answer != best_by_value(state):
        return []
    data = {
        "goal": PuzzleGoal.BUY.value,
        "turn": state.turn,
        "way": [ranking.answer],
        "line": [f"{text} {share}" for text, share in ranking.win_rates],
        "steps": 1,
        "wrong": len(ranking.win_rates) - 1,
        "tempting": 0,
        "missed by": ranking.missed_by,
        "position": position,
    }
    return [data]


# --- the collection ---------------------------------------------------------------------------------------------------


def number_puzzles(rows: Iterable[Data]) -> list[Puzzle]:
    """Return the puzzles numbered and graded, in the order of the games, without near duplicates of earlier ones."""
    seen: set[tuple[str, ...]] = set()
    puzzles: list[Puzzle] = []
    for row in sorted(rows, key=lambda row: (row["game"], row["what"])):
        for data in row["puzzles"]:
            fields = re.findall(r"^[AB] field: (.*)$", data["position"], re.MULTILINE)
            signature = (data["goal"], *sorted(map(_strip_details, data["way"])), *map(_strip_details, fields))
            if signature in seen:
                continue
            seen.add(signature)
            missed_by = tuple(data["missed by"])
            puzzles.append(
                Puzzle(
                    number=len(puzzles) + 1,
                    goal=PuzzleGoal(data["goal"]),
                    grade=difficulty_of(data["steps"], data["wrong"], data["tempting"], missed_by),
                    way=tuple(data["way"]),
                    line=tuple(data["line"]),
                    steps=data["steps"],
                    wrong=data["wrong"],
                    tempting=data["tempting"],
                    missed_by=missed_by,
                    source=f"game {row['game']}, turn {data['turn']}",
                    position=data["position"],
                )
            )
    return puzzles


def _strip_details(text: str) -> str:
    """Return a choice or a field without levels, bursts and numbers, the only differences of near duplicates."""
    return re.sub(r"@\d\*{0,2}|\([^)]*\)|\b[AB]'s ", "", text).strip()
