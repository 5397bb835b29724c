"""Players of a game with fair dice, without a server: the actor contributes a word, the others their chain links."""

from __future__ import annotations

import random

from dicemasters import Game
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import ActorWord, ChainLink, FairDice, FairThrow, HashChain, make_throw
from dicemasters.players.random_player import RandomPlayer


class FairDicePlayers:
    """The table's chain and the chains of some seats; the table chooses for the other seats."""

    def __init__(self, *seats: str, seed: int = 0) -> None:
        self.chance = random.Random(seed)
        self.table = HashChain(self.chance.randbytes(32))
        self.chains: dict[str, HashChain] = {}
        bots = tuple((seat, "random") for seat in "AB" if seat not in "".join(seats))
        self.fair = FairDice(self.table.anchor, bots=bots)
        for owner in seats:
            self.take(owner)

    def take(self, seats: str) -> None:
        """Register a new chain for these seats."""
        chain = HashChain(self.chance.randbytes(32))
        self.fair = self.fair.with_chain(seats, chain.anchor, self.fair.at + 1)
        self.chains[self.fair.chains[-1].name] = chain

    def throw(self, seat: str, without: str = "") -> FairThrow:
        """Make the throw for a seat's choice, or for the opening if `seat` is ""."""
        person = self.fair.chain_of(seat) is not None if seat else False
        word = ActorWord(seat, self.chance.randbytes(16).hex()) if person else None
        needed = self.fair.required_chains(seat if person else "")
        links = [
            ChainLink(x.name, x.at + 1, self.chains[x.name].link(x.at + 1))
            for x in needed
            if not set(x.seats) <= set(without)
        ]
        left_out = "".join(x.seats for x in needed if set(x.seats) <= set(without))
        made = make_throw(self.fair.at + 1, self.table.link(self.fair.at + 1), word, links, left_out)
        self.fair = self.fair.after_throw(made, self.table.link(made.number))
        return made

    def begin(self, edition: str = "ai") -> Game:
        """Begin a game."""
        ready = self.throw("")
        game = Game.new(edition, fair=self.fair, ready=ready)
        game.ready = None
        return game

    def play(self, game: Game, choice: int | str, without: str = "") -> None:
        """Make a choice, with a throw if it needs dice."""
        seat = "AB"[game.state.decision.seat]
        try:
            game.play(choice)
        except FairDiceNeededError:
            game.ready = self.throw(seat, without)
            game.play(choice)
            game.ready = None
        game.fair = self.fair


def play_random_game(edition: str = "ai", seed: int = 0, undo: float = 0.05) -> Game:
    """Play a random game between two browsers, with occasional undos."""
    players = FairDicePlayers("A", "B", seed=seed)
    game, player = players.begin(edition), RandomPlayer(seed)
    while game.result is None:
        if players.chance.random() < undo:
            game.undo(players.chance.randrange(1, 4))
        else:
            players.play(game, player.choose(game.state))
    return game
