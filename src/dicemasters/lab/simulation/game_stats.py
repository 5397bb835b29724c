"""Statistics of one simulated game: winner, cause of the end, life by turn, and what each card did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import TIE, UNDECIDED, GameSpec, State
from dicemasters.game.turn import loop
from dicemasters.players.external_bots import make_any_player
from dicemasters.teams.formats import find_format
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.team import Team

CARD_STATS: Final = ("bought", "fielded", "used", "damage to the player", "damage to dice")
BOUGHT, FIELDED, USED, TO_PLAYER, TO_DICE = range(len(CARD_STATS))
Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SimulationTask:
    """A game to simulate, with everything its result depends on."""

    number: int
    pairing: int  # index of the pairing of teams and edition
    teams: tuple[Team, Team]
    format: str
    edition: str
    players: tuple[str, str]
    seed: int

    @property
    def first(self) -> int:
        """Return the seat that begins; each seat begins one of two games with the same dice."""
        return self.number % 2


@lru_cache(maxsize=64)
def _cached_spec(teams: tuple[Team, Team], format: str, edition: str) -> GameSpec:
    return start_team_game(teams, find_format(format), edition).table


def simulate_game(task: SimulationTask) -> Data:
    """Play the game and return its statistics as plain data."""
    s = loop.new_state(_cached_spec(task.teams, task.format, task.edition), task.seed + task.number // 2, task.first)
    players = [make_any_player(name, 2 * (task.seed + task.number) + seat) for seat, name in enumerate(task.players)]
    tally = GameTally(list(s.life))
    s.journal = []
    loop.advance(s)
    tally.add_events(s)
    while s.result == UNDECIDED:
        option = s.options[players[s.decision.seat].choose(s)]
        s.journal = []
        loop.apply(s, option)
        tally.add_events(s)
    return {
        "number": task.number,
        "pairing": task.pairing,
        "first": "AB"[task.first],
        "winner": "" if s.result == TIE else "AB"[s.result],
        "how": tally.cause_of_end(s),
        "turns": s.turn,
        "life": tally.life_by_turn,
        "cards": {"AB"[seat]: {key: list(n) for key, n in sorted(tally.cards[seat].items())} for seat in (0, 1)},
    }


def is_game_row(data: Data) -> bool:
    """Return True if the data has the form of a result of `simulate_game`."""
    try:
        numbers = [data["number"], data["pairing"], data["turns"], *(n for a, b in data["life"] for n in (a, b))]
        for seat in "AB":
            for deeds in data["cards"][seat].values():
                numbers += deeds
                if len(deeds) != len(CARD_STATS):
                    return False
        seats = data["first"] in ("A", "B") and data["winner"] in ("", "A", "B")
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return seats and isinstance(data.get("how"), str) and all(type(n) is int for n in numbers)


def _zero_stats() -> list[int]:
    return [0] * len(CARD_STATS)


@dataclass
class GameTally:
    """Statistics collected from a game's journal."""

    life: list[int]
    life_by_turn: list[list[int]] = field(default_factory=list)  # life of both sides at the beginning of each turn
    cards: tuple[dict[str, list[int]], dict[str, list[int]]] = field(
        default_factory=lambda: (defaultdict(_zero_stats), defaultdict(_zero_stats))
    )
    last_damage: str = ""  # cause of the last damage to a player

    def add_events(self, s: State) -> None:
        """Add the events of the last step."""
        for kind, *details in s.journal or ():
            match kind, details:
                case "turn", _:
                    self.life_by_turn.append(list(self.life))
                case "life", (int(side), int(change)):
                    self.life[side] += change
                case "buys", (int(seat), int(d)):
                    self._count(s, seat, d, BOUGHT)
                case "fields", (int(seat), int(d)):
                    self._count(s, seat, d, FIELDED)
                case "uses", (int(seat), int(d)):
                    self._count(s, seat, d, USED)
                case "damage", (int(source), int(to), int(amount), str(sort)):
                    if view.is_player(to):
                        self.last_damage = sort
                        self.life[view.side_of(view.player_seat(to))] -= amount
                    if 0 <= source < s.spec.n_dice:
                        seat = view.owner(s, source)
                        statistic = TO_PLAYER if view.is_player(to) else TO_DICE
                        self._count(s, seat, source, statistic, amount)

    def _count(self, s: State, seat: int, d: int, statistic: int, amount: int = 1) -> None:
        c = view.card_of(s, d)
        if seat in (0, 1) and not view.is_sidekick_card(s.spec, c):
            self.cards[seat][s.spec.cards[c].key][statistic] += amount

    def cause_of_end(self, s: State) -> str:
        """Return the cause of the end: combat, an effect of a card, a rule of the game, or a tie."""
        if s.result == TIE:
            return "tie"
        return CAUSES_OF_END.get(self.last_damage.partition(",")[0], "life lost")


CAUSES_OF_END: Final = {
    "combat": "combat",
    "ability": "an ability",
    "action": "an action",
    "global": "a Global",
    "rule": "missing dice",
}
