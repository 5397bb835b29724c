"""Marvel Dice Masters: rules engine, bots and tools.

    >>> from dicemasters import Game
    >>> game = Game.new("ai", seed=7)     # or Game.from_text(position), Game.from_record(record)
    >>> game.decision.player, game.decision.kind, len(game.decision.options)
    ('B', 'order', 2)
    >>> game.play("go first")             # an option, its index, its text or words from it
    >>> game.position.player("A").life
    10

Public API:

- `Game`: `decision` (the deciding player, its kind and all legal options), `play`, `undo`, `copy`, `position`,
  `result`, `log`, `to_text` and `record`. A game prints, compares, pickles, and draws itself in a notebook.
- `Decision`, `Choice`: a decision and its options. Their kinds are listed in `dicemasters.game.state.decision_kinds`
  (`DECISION_KINDS`, `OPTION_KINDS`) and in docs/notation.md.
- `Position`: a read-only view of one moment of a game, with players, cards and dice as objects.
- `catalogue()`: all cards; `search(catalogue(), "energy:bolt cost<=3")` filters them; a `Card` has `name`, `text` and
  `die`.
- `Bot`: the interface of a player, with one method, `choose` (docs/bots.md).
- `analyse(game)`: the options of a decision with win chances, the main line and the reason; `analyse_game(game)`: a
  rating of every choice of a played game (docs/players.md).
- `IllegalChoiceError`, `NotationError`, `SearchError`, `SetupError`, `UnknownCardError`: errors for invalid input, all
  of them ValueErrors.

For bulk simulation (docs/python.md), `dicemasters.game.turn.loop` plays on a `State` without writing texts, and
`dicemasters.game.inspect.view` reads it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dicemasters import _compiled as _compiled  # must come first: selects compiled or pure Python

if TYPE_CHECKING:
    from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue
    from dicemasters.cards.query import SearchError, search
    from dicemasters.game import Choice, Decision, Game, IllegalChoiceError, Result
    from dicemasters.game.decision import SetupError
    from dicemasters.game.notation import NotationError
    from dicemasters.game.position import Position
    from dicemasters.players.analysis import analyse, analyse_game
    from dicemasters.players.player import Bot

__version__ = "0.2.0.dev0"
__all__ = [
    "Bot",
    "Card",
    "Catalogue",
    "Choice",
    "Decision",
    "Game",
    "IllegalChoiceError",
    "NotationError",
    "Position",
    "Result",
    "SearchError",
    "SetupError",
    "UnknownCardError",
    "analyse",
    "analyse_game",
    "catalogue",
    "search",
]

_LAZY_IMPORTS = {
    "Bot": "players.player",
    "Card": "cards",
    "Catalogue": "cards",
    "Choice": "game",
    "Decision": "game",
    "Game": "game",
    "IllegalChoiceError": "game",
    "NotationError": "game.notation",
    "Position": "game.position",
    "Result": "game",
    "SearchError": "cards.query",
    "SetupError": "game.decision",
    "UnknownCardError": "cards",
    "analyse": "players.analysis",
    "analyse_game": "players.analysis",
    "catalogue": "cards",
    "search": "cards.query",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that commands that need little start quickly."""
    if name not in _LAZY_IMPORTS:
        raise AttributeError(f"module 'dicemasters' has no attribute '{name}'")
    value = getattr(import_module(f"dicemasters.{_LAZY_IMPORTS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
