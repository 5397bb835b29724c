"""Card search by typed names; in a game, the game's own cards come first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue

if TYPE_CHECKING:
    from dicemasters.game import Game


def find_cards(names: str, game: Game | None = None, cards: Catalogue | None = None) -> Sequence[Card]:
    """Return one card, or several separated by `;` or `,` (keys also by spaces).

    A name that contains a comma itself is tried as a whole first. In a game, all of its cards that match a name are
    returned before the catalogue is searched.
    """
    query = names.strip(" ;,")
    try:
        return _find(query, game, cards)
    except ValueError:
        parts = [part.strip() for part in re.split("[;,]", names) if part.strip()]
        if len(parts) < 2 and len(keys := names.split()) > 1 and all(re.fullmatch(r"[a-z]+\d+", key) for key in keys):
            parts = keys
        if len(parts) < 2:
            raise
        return [card for part in parts for card in _find(part, game, cards)]


def _find(name: str, game: Game | None, cards: Catalogue | None) -> Sequence[Card]:
    if not name:
        raise ValueError("No card given. Type its name: show CARD")
    query = name.casefold()
    if game is not None:
        table_cards = dict.fromkeys(game.table.cards[: game.table.n_real_cards])
        matches = [card for card in table_cards if card.name.casefold() == query]
        matches = matches or [card for card in table_cards if card.title.casefold().startswith(query)]
        # a later word of the title, such as "torch"
        matches = matches or [card for card in table_cards if f" {query}" in card.title.casefold()]
        if matches:
            return matches
    if query in ("sidekick", "sidekicks"):
        from dicemasters.game.inspect.view import SIDEKICK_CARD  # imported on use, since finding cards needs no engine

        return [SIDEKICK_CARD]
    try:
        return [(cards or catalogue()).find(name)]
    except UnknownCardError as error:
        raise ValueError(str(error)) from None
