"""A finished game stored on a server."""

from __future__ import annotations

from tests.support.live_server import LiveServer

from dicemasters.game import Game
from dicemasters.players.heuristic import HeuristicPlayer


def store_game(server: LiveServer, seed: int = 5) -> str:
    """Upload the record of a game between heuristic bots; return the game's id."""
    game, players = Game.new("ai", seed=seed), (HeuristicPlayer(1), HeuristicPlayer(2))
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    game_id: str = server.http.post("/api/records", json={"text": game.record}).json()["game"]
    return game_id
