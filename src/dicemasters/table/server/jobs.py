"""Strangers' work: a text to be read and tried, a player to be asked. Where that is done is another matter (`apart`)."""

from __future__ import annotations

from typing import Any

from dicemasters.game import Game, say
from dicemasters.players.player import make_player
from dicemasters.table.server.asked import read, written
from dicemasters.table.server.looking_back import rate, think
from dicemasters.table.server.puzzles import tried_data, unable_data
from dicemasters.table.server.rooms import check_new
from dicemasters.table.server.setups import NewGame
from dicemasters.table.server.shelf import find_data
from dicemasters.table.server.views import table_data, view_data
from dicemasters.table.server.workshop import TeamAsked, TrialAsked, check_data, trial_data


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
            return say.option_texts(state)[player.choose(state)]
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
