"""One game between bots, from the choice of the first player to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dicemasters.game.inspect.view import UNDECIDED, GameSpec, State
from dicemasters.game.turn import loop
from dicemasters.players.player import Player


def play_bot_game(
    spec: GameSpec,
    seed: int,
    players: Sequence[Player],
    *,
    first: int = -1,
    on_turn_end: Callable[[State], None] | None = None,
) -> State:
    """Play a game and return its final state; `on_turn_end` is called with the position between two turns."""
    s = loop.new_state(spec, seed, first)
    loop.advance(s)
    while s.result == UNDECIDED:
        if not s.decision.kind:
            if on_turn_end is not None:
                on_turn_end(s)
            loop.advance(s)
        else:
            loop.apply(s, s.options[players[s.decision.seat].choose(s)], s.turn)
    return s
