"""A bot that plays every option on to its next turn, with the simple player for both sides, and takes the best."""

from dicemasters import Choice, Game
from dicemasters.game import turn, view
from dicemasters.game.view import State
from dicemasters.players.simple import SimplePlayer

SEEDS = range(4)  # dice tried for each option
TURNS = 3  # played on
MARGIN = 3.0  # by which an option must be better than what the simple player would do


class Ahead:
    def __init__(self) -> None:
        self.simple = SimplePlayer(1)

    def choose(self, game: Game) -> Choice:
        decision = game.decision
        assert decision is not None
        if len(decision) == 1 or decision.kind in ("pay", "order"):
            return decision.options[self.simple.choose(game.state)]
        usual = self.simple.choose(game.state)
        values = [self.value_after(game, option.index) for option in decision.options]
        best = max(range(len(values)), key=values.__getitem__)
        return decision.options[best if values[best] > values[usual] + MARGIN else usual]

    def value_after(self, game: Game, index: int) -> float:
        """Give how one stands after an option, on the mean of several dice."""
        me, total = game.state.ask.seat, 0.0
        for seed in SEEDS:
            state = game.copy(seed=seed).state
            until = state.turn + TURNS
            turn.play(state, state.options[index])
            while not view.is_over(state) and state.turn < until:
                turn.play(state, state.options[self.simple.choose(state)])
            total += value(state, me)
        return total / len(SEEDS)


def value(state: State, me: int) -> float:
    """Count life, the strength of the field, and what the dice one has bought have cost."""
    if view.is_over(state):
        return 1000.0 if state.result == view.side_of(me) else -1000.0
    worth = [0.0, 0.0]
    for seat in range(state.table.n_seats):
        side = view.side_of(seat)
        worth[side] += 3 * view.life(state, seat)
        for die in view.fielded(state, seat):
            worth[side] += 0.7 * sum(view.stats(state, die))
        for zone in (view.BAG, view.PREP, view.USED, view.RESERVE, view.FIELD):
            worth[side] += sum(0.8 * view.printed_cost(state, die) for die in state.dice_in(zone, seat))
    return worth[view.side_of(me)] - worth[1 - view.side_of(me)]
