"""What somebody asks for when they open a table, and the game that comes of it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicemasters.game import Game, turn
from dicemasters.game.editions import DEFAULT_EDITION, EDITIONS
from dicemasters.game.game import make_game_table
from dicemasters.game.setup import Table
from dicemasters.game.state import TIE
from dicemasters.players.player import PLAYERS
from dicemasters.table.server.several import go_on
from dicemasters.table.server.words import plain
from dicemasters.teams.casts import CASTS

NAME_LENGTH = 40
TEXT_LENGTH = 100_000  # of a position
TEAM_LENGTH = 4_000  # of a team written out
MOST_LIFE = 200
MOST_SEED = 2**53 - 1  # a number that JavaScript can hold too

Letter = Literal["A", "B"]
LETTERS: tuple[Letter, ...] = ("A", "B")


class Wanted(BaseModel):
    """Who shall sit in a seat."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["person", "player"] = "person"
    player: Annotated[str, Field(max_length=40)] = "simple"
    name: Annotated[str, Field(max_length=200)] = ""


class NewGame(BaseModel):
    """A game as somebody asks for it; what is left out is the first game of the newest rulebook."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    edition: Annotated[str, Field(max_length=40)] = DEFAULT_EDITION
    format: Annotated[str, Field(max_length=40)] | None = None
    cast: Annotated[str, Field(max_length=40)] | None = None
    teams: Annotated[list[Annotated[str, Field(max_length=TEAM_LENGTH)]], Field(min_length=2, max_length=2)] | None = (
        None
    )
    life: Annotated[int, Field(ge=1, le=MOST_LIFE)] | None = None
    first: Letter | None = None
    seats: Annotated[list[Wanted], Field(min_length=2, max_length=2)] = [Wanted(), Wanted(kind="player")]
    position: Annotated[str, Field(max_length=TEXT_LENGTH)] | None = None
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] | None = None


class Seat(BaseModel):
    """A seat as it is stored: whose it is, and for a person the hash of the secret that opens it."""

    model_config = ConfigDict(frozen=True)

    player: str = ""  # "" is a person
    name: str = ""
    hash: str = ""


class Setup(BaseModel):
    """Everything a game begins with; with the events it gives the game again."""

    model_config = ConfigDict(frozen=True)

    edition: str = DEFAULT_EDITION
    format: str = ""
    cast: str | None = None
    teams: list[list[tuple[str, int]]] | None = None
    basics: list[str] = []
    life: int | None = None
    first: Letter | None = None
    seats: list[Seat]
    position: str | None = None
    record: str | None = None
    seed: int | None = None

    @property
    def is_fair(self) -> bool:
        """Whether the dice come from the server's secret and the persons' nonces, not from a seed or a position."""
        return self.seed is None and self.position is None and self.record is None

    @property
    def people(self) -> list[Letter]:
        """List the seats of persons."""
        return [letter for letter, seat in zip(LETTERS, self.seats, strict=True) if not seat.player]


def prepare(new: NewGame, hashes: Sequence[str]) -> Setup:
    """Check what is asked for and look up its names, so that the stored game needs nothing that may change."""
    if new.edition not in EDITIONS:
        raise ValueError(f"there is no edition '{plain(new.edition)}'; there are {', '.join(EDITIONS)}")
    if new.teams is not None:
        raise ValueError("teams of your own are not possible yet")
    if new.cast is not None and new.cast not in CASTS:
        raise ValueError(f"there is no cast '{plain(new.cast)}'; there are {', '.join(CASTS)}")
    seats: list[Seat] = []
    for wanted, hash_ in zip(new.seats, hashes, strict=True):
        if wanted.kind == "person":
            seats.append(Seat(name=plain(wanted.name, NAME_LENGTH), hash=hash_))
        elif wanted.player not in PLAYERS:
            raise ValueError(f"there is no player '{plain(wanted.player)}'; there are {', '.join(PLAYERS)}")
        else:
            seats.append(Seat(player=wanted.player, name=plain(wanted.name, NAME_LENGTH) or wanted.player.capitalize()))
    return Setup(
        edition=new.edition,
        format=new.format or "first",
        cast=new.cast or new.edition,
        life=new.life,
        first=new.first,
        seats=seats,
        position=new.position,
        seed=new.seed,
    )


def lay_out(setup: Setup) -> Game:
    """Give the game of a set-up before it begins: every die lies where it starts."""
    if not setup.is_fair:
        return begin(setup, "", {})
    state = turn.new_state(_table(setup), 0)
    state.result = TIE  # so that nothing is drawn or rolled
    return Game(state)


def begin(setup: Setup, secret: str, nonces: Mapping[Letter, str]) -> Game:
    """Make the game of a set-up, at its first decision that has more than one answer."""
    if setup.record is not None:
        return Game.from_record(setup.record)
    if setup.position is not None:
        game = Game.from_text(setup.position)
    else:
        seed = setup.seed
        if seed is None:
            key = hmac.digest(bytes.fromhex(secret), "".join(nonces[x] for x in sorted(nonces)).encode(), "sha256")
            seed = int.from_bytes(key[:8], "big")
        first = -1 if setup.first is None else LETTERS.index(setup.first)
        game = Game(turn.new_state(_table(setup), seed, first), seed=seed)
    go_on(game)
    return game


def _table(setup: Setup) -> Table:
    return make_game_table(setup.edition, cast=setup.cast, teams=setup.teams, basics=setup.basics, life=setup.life)
