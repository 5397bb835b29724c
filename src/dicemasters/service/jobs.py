"""Jobs on untrusted input, such as reading a submitted position or asking a bot for a choice.

The adapter decides where they run: a server in sandboxed processes, a browser in its worker.
"""

from __future__ import annotations

from typing import Any

from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.player import make_player
from dicemasters.service.catalog.card_catalog import search_cards
from dicemasters.service.catalog.team_builder import TeamCheckRequest, TrialRequest, check_team_text, run_trial
from dicemasters.service.games.game_setup import NewGameRequest
from dicemasters.service.games.registry import validate_new_game
from dicemasters.service.games.review import rate_decisions, search_position
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.protocol.validation import parse, to_jsonable
from dicemasters.service.puzzle_views import explain_puzzle_refusal, play_puzzle


def run_job(job: dict[str, Any]) -> Any:
    """Run a job and return its JSON-compatible result; raise ValueError if the input is rejected."""
    match job["what"]:
        case "position":
            game = Game.from_text(job["text"])
            return {"table": build_table(game.table), "view": build_view(game)}
        case "record":
            spec = Game.from_record(job["text"]).table
            return spec.edition.text, spec.n_seats
        case "choice":
            state = Game.from_text(job["text"]).state
            player = make_player(job["player"], job["seed"], within=job["within"])
            return describe.option_texts(state)[player.choose(state)]
        case "rate":
            return rate_decisions(job["moments"])
        case "thought":
            return search_position(job["text"], job["chosen"])
        case "search":
            return search_cards(job["text"])
        case "team":
            return check_team_text(parse(TeamCheckRequest, job["asked"]))
        case "puzzle":
            return play_puzzle(job["number"], job["choices"])
        case "unable":
            return explain_puzzle_refusal(job["number"], job["choices"], job["thing"])
        case "trial":
            return run_trial(parse(TrialRequest, job["asked"]))
        case "game":
            return to_jsonable(validate_new_game(parse(NewGameRequest, job["new"]), job["hashes"]))
    raise ValueError("unknown job")
