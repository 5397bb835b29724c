"""Strangers' work: a text to be read and tried, a player to be asked. Where that is done is another matter (`apart`)."""

from __future__ import annotations

from typing import Any

from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.player import make_player
from dicemasters.service.catalog.card_catalog import find_data
from dicemasters.service.catalog.team_builder import TeamAsked, TrialAsked, check_data, trial_data
from dicemasters.service.games.game_setup import NewGame
from dicemasters.service.games.registry import check_new
from dicemasters.service.games.review import rate, think
from dicemasters.service.games.view_builder import table_data, view_data
from dicemasters.service.protocol.validation import read, written
from dicemasters.service.puzzle_views import tried_data, unable_data


def work(job: dict[str, Any]) -> Any:
    """Do a job; a ValueError is a refusal."""
    match job["what"]:
        case "position":
            game = Game.from_text(job["text"])
            return {"table": table_data(game.table), "view": view_data(game)}
        case "record":
            table = Game.from_record(job["text"]).table
            return table.edition.text, table.n_seats
        case "choice":
            state = Game.from_text(job["text"]).state
            player = make_player(job["player"], job["seed"], within=job["within"])
            return describe.option_texts(state)[player.choose(state)]
        case "rate":
            return rate(job["moments"])
        case "thought":
            return think(job["text"], job["chosen"])
        case "search":
            return find_data(job["text"])
        case "team":
            return check_data(read(TeamAsked, job["asked"]))
        case "puzzle":
            return tried_data(job["number"], job["choices"])
        case "unable":
            return unable_data(job["number"], job["choices"], job["thing"])
        case "trial":
            return trial_data(read(TrialAsked, job["asked"]))
        case "game":
            return written(check_new(read(NewGame, job["new"]), job["hashes"]))
    raise ValueError("there is no such work")
