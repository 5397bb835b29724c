"""A bot in one method: it tries every option on a copy, and takes the one after which it stands best."""

from dicemasters import Choice, Game


class Greedy:
    """Counts life, the strength of the field, and what its own dice have cost."""

    def choose(self, game: Game) -> Choice:
        decision = game.decision
        assert decision is not None
        return max(decision.options, key=lambda option: self.value_after(game, option, decision.player))

    def value_after(self, game: Game, option: Choice, me: str) -> float:
        ahead = game.copy(seed=1)
        ahead.play(option)
        if ahead.result is not None:
            return 1000.0 if ahead.result.winner == me else -1000.0
        mine, theirs = 0.0, 0.0
        for player in ahead.position.players:
            worth = 3 * player.life + sum((die.a or 0) + (die.d or 0) for die in player.field)
            worth += sum(die.card.cost for die in (*player.used, *player.bag, *player.prep))
            if player.letter == me:
                mine += worth
            else:
                theirs += worth
        return mine - theirs
