"""A game that was played before, to be looked at."""

from __future__ import annotations

from tests.support.live_server import LiveServer

from dicemasters.game import Game
from dicemasters.players.heuristic import HeuristicPlayer


def kept(server: LiveServer, seed: int = 5) -> str:
    """Keep the record of a game between simple players; give its name."""
    game, players = Game.new("ai", seed=seed), (HeuristicPlayer(1), HeuristicPlayer(2))
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    name: str = server.http.post("/api/records", json={"text": game.record}).json()["game"]
    return name
