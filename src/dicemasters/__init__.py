"""Marvel Dice Masters as software.

    >>> from dicemasters import Game
    >>> game = Game.new("ai", seed=7)     # or Game.from_text(position), Game.from_record(record)
    >>> game.decision.player, game.decision.kind, len(game.decision.options)
    ('B', 'order', 2)
    >>> game.play("go first")             # an option, its index, its text or words of it
    >>> game.position.player("A").life
    10

What there is:

- `Game`: `decision` (whose it is, of which kind, all legal options), `play`, `undo`, `copy`, `position`, `result`, `log`,
  `to_text` and `record`; it prints, compares, pickles, and draws itself in a notebook.
- `Decision`, `Choice`: a decision and its options. Their kinds are listed in `dicemasters.game.state.decision_kinds` (`DECISION_KINDS`, `OPTION_KINDS`)
  and in docs/notation.md.
- `Position` with players, cards and dice as objects: what a game is at a moment, to look at.
- `catalogue()`: all cards; `search(catalogue(), "energy:bolt cost<=3")` finds some; a `Card` has `name`, `text`, `die`.
- `Bot`: what a player is; a class with one method, `choose` (docs/bots.md).
- `analyse(game)`: the options of a decision with win chances, the main line, and why; `analyse_game(game)`: how a played game
  went, choice by choice (docs/players.md).
- `IllegalChoiceError`, `NotationError`, `SearchError`, `SetupError`, `UnknownCardError`: what goes wrong with
  what was given. All are ValueErrors.

The fast way, for those who play games by the thousand (docs/python.md): `dicemasters.game.turn.loop` plays on a `State` without
texts, and `dicemasters.game.inspect.view` reads it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dicemasters import _compiled as _compiled  # first: it sees to it that the right form of the engine is imported

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
    """Import a name when it is used first, so that commands which need little start quickly."""
    if name not in _LAZY_IMPORTS:
        raise AttributeError(f"module 'dicemasters' has no attribute '{name}'")
    value = getattr(import_module(f"dicemasters.{_LAZY_IMPORTS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
