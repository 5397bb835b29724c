"""Requests for new games, the set-ups they are stored as, and the games that result."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Any, Literal

from dicemasters.cards import Card, catalogue
from dicemasters.game import Game
from dicemasters.game.autoplay import play_forced
from dicemasters.game.fair_dice import FairDice, FairThrow
from dicemasters.game.game import make_game_spec
from dicemasters.game.inspect.view import State, side_of
from dicemasters.game.rulesets.editions import DEFAULT_EDITION, parse_edition
from dicemasters.game.rulesets.solitaire import difficulty, parse_variants, variant_texts
from dicemasters.game.turn import loop
from dicemasters.players.player import PLAYERS
from dicemasters.service.protocol.game_schema import Difficulty
from dicemasters.service.protocol.validation import Length, Range, RequestModel
from dicemasters.service.sanitize import sanitize
from dicemasters.teams.formats import DEFAULT_FORMAT, Format, check_matchup, find_format
from dicemasters.teams.matchup import draw_basic_actions, resolve_edition
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.starter_teams import STARTER_GAMES, starter_format, starter_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_file import ParsedTeam
from dicemasters.teams.team_lookup import RANDOM, parse_team_reference
from dicemasters.teams.team_problems import TeamError, with_team

NAME_LENGTH = 40
TEXT_LENGTH = 100_000  # characters of a written position
RECORD_LENGTH = 200_000
TEAM_LENGTH = 4_000  # characters of a written team
RULES_LENGTH = 4_000  # characters of an edition with all its house rules
MAX_READINGS = 20
MAX_LIFE = 200
PLAYER_NAMES = {  # where the capitalised key is not enough
    "level1": "Level 1",
    "level2": "Level 2",
    "simple": "Level 2",  # alias
    "level3": "Level 3",
    "level4": "Level 4",
    "level5": "Level 5",
    "scripted": "Scripted Opponent",
}
SCRIPTED = "scripted"
FIRST_GAME = "first"  # format of the rulebook's first game, in any edition
MAX_SEED = 2**53 - 1  # the largest integer JavaScript represents exactly

Seat = Literal["A", "B", "C", "D"]
LETTERS: tuple[Seat, ...] = ("A", "B", "C", "D")
FirstSeat = Literal["A", "B"]  # seats that can go first, one per side


class SeatRequest(RequestModel):
    """The player requested for a seat."""

    kind: Literal["person", "player"] = "person"
    player: Annotated[str, Length(40)] = "simple"
    name: Annotated[str, Length(200)] = ""


class SolitaireOptions(RequestModel):
    """The difficulty of the Scripted Opponent, and the readings of the open points of its script."""

    difficulty: Difficulty = "normal"
    readings: Annotated[list[Annotated[str, Length(40)]], Length(MAX_READINGS)] = field(default_factory=list)


class ClockOptions(RequestModel):
    """Time limits of human players: for the whole game with an increment per turn, for each choice, or both."""

    minutes: Annotated[float, Range(0.5, 600)] | None = None  # for the whole game
    increment: Annotated[float, Range(0, 600)] = 0  # seconds added for each of the player's turns
    choice: Annotated[float, Range(5, 14 * 86400)] | None = None  # seconds per choice


class NewGameRequest(RequestModel):
    """Request for a new game. The defaults are the first game of the newest rulebook.

    In a game of four, the simple player takes the seats that are not listed.

    `edition` is written as in positions, house rules included: `avx, unblocked stay until cleanup`. The default is the
    edition of the format or the teams, otherwise the newest, and in a solitaire game that of 2014.
    """

    edition: Annotated[str, Length(RULES_LENGTH)] | None = None
    format: Annotated[str, Length(RULES_LENGTH)] | None = None
    cast: Annotated[str, Length(40)] | None = None
    teams: Annotated[list[Annotated[str, Length(TEAM_LENGTH)]], Length(4, 2)] | None = None
    life: Annotated[int, Range(1, MAX_LIFE)] | None = None
    first: FirstSeat | None = None
    seats: Annotated[list[SeatRequest], Length(4, 2)] = field(
        default_factory=lambda: [SeatRequest(), SeatRequest(kind="player")]
    )
    solitaire: bool | SolitaireOptions = False
    position: Annotated[str, Length(TEXT_LENGTH)] | None = None
    seed: Annotated[int, Range(0, MAX_SEED)] | None = None
    clock: ClockOptions | None = None


class RecordUpload(RequestModel):
    """A record to store."""

    text: Annotated[str, Length(RECORD_LENGTH)]


class PositionUpload(RequestModel):
    """A position to view."""

    text: Annotated[str, Length(TEXT_LENGTH)]


class LessonChoiceRequest(RequestModel):
    """A choice in a lesson, as a `messages.Choice`. An invalid one is answered like any other wrong choice."""

    choice: dict[str, Any]


class StoredSeat(RequestModel):
    """A stored seat: its player, and for a human player the hash of the seat's secret."""

    player: str = ""  # "" for a human player
    name: str = ""
    hash: str = ""


class StoredSetup(RequestModel):
    """The initial state of a game; together with its events it reproduces the game."""

    edition: str = DEFAULT_EDITION  # including house rules
    format: str = ""
    teams: list[list[tuple[str, int]]] = field(default_factory=list)
    basics: list[str] = field(default_factory=list)
    life: int | None = None
    first: FirstSeat | None = None
    seats: list[StoredSeat]
    solitaire: list[str] | None = None  # readings of the script in a solitaire game, otherwise None
    position: str | None = None
    record: str | None = None
    seed: int | None = None
    clock: ClockOptions | None = None
    dice: Literal["first", "chains"] = "first"  # protocol of the fair dice; absent in games of version 0.1.0

    @property
    def is_fair(self) -> bool:
        """Whether the game has fair dice, rather than dice from a seed, position or record."""
        return self.seed is None and self.position is None and self.record is None

    @property
    def scripted_seat(self) -> Seat | None:
        """The Scripted Opponent's seat in a solitaire game."""
        if self.solitaire is None:
            return None
        return LETTERS[[seat.player == SCRIPTED for seat in self.seats].index(True)]

    @property
    def by_letter(self) -> dict[Seat, StoredSeat]:
        """The seats by letter: two, or four in Doubles."""
        return dict(zip(LETTERS, self.seats, strict=False))

    @property
    def people(self) -> list[Seat]:
        """The seats of human players."""
        return [letter for letter, seat in self.by_letter.items() if not seat.player]

    def side_of(self, seat: Seat) -> list[Seat]:
        """Return the seats of a seat's side, itself included (docs/doubles.md)."""
        return [x for x in self.by_letter if side_of(LETTERS.index(x)) == side_of(LETTERS.index(seat))]


def resolve_setup(new: NewGameRequest, hashes: Sequence[str]) -> StoredSetup:
    """Validate a request and resolve its names, so that the stored game depends on nothing that may change.

    `hashes` has an entry for as many seats as a table can have.
    """
    requested_edition = None if new.edition is None else parse_edition(sanitize(new.edition, RULES_LENGTH)).text
    requests = list(new.seats)
    n_seats = _seat_count(new)
    if len(requests) > n_seats:
        raise ValueError(f"this is a game of {_NUMBERS[n_seats]}, and there are {len(requests)} seats")
    requests += [SeatRequest(kind="player")] * (n_seats - len(requests))
    if new.solitaire is not False and SCRIPTED not in [
        request.player for request in requests if request.kind == "player"
    ]:
        requests[1] = SeatRequest(kind="player", player=SCRIPTED)
    seats: list[StoredSeat] = []
    for request, secret_hash in zip(requests, hashes, strict=False):
        if request.kind == "person":
            seats.append(StoredSeat(name=sanitize(request.name, NAME_LENGTH), hash=secret_hash))
        elif request.player not in PLAYERS:
            raise ValueError(f"there is no player '{sanitize(request.player)}'; there are {', '.join(PLAYERS)}")
        else:
            seats.append(
                StoredSeat(
                    player=request.player,
                    name=sanitize(request.name, NAME_LENGTH)
                    or PLAYER_NAMES.get(request.player, request.player.capitalize()),
                )
            )
    if new.position is not None:
        conflicting = [
            name for name in ("format", "cast", "teams", "life", "first", "seed") if getattr(new, name) is not None
        ]
        if conflicting:
            raise ValueError(f"a position already determines the game; leave out '{conflicting[0]}'")
        return StoredSetup(
            edition=requested_edition or DEFAULT_EDITION, seats=seats, position=new.position, clock=new.clock
        )
    solitaire = _solitaire_readings(new, seats)
    base_edition = resolve_edition(DEFAULT_FORMAT, (), requested_edition, is_solitaire=solitaire is not None)
    format, teams, basics = _resolve_teams(new, parse_edition(base_edition).key)
    return StoredSetup(
        edition=resolve_edition(format, teams, requested_edition, is_solitaire=solitaire is not None),
        format=format.name,
        teams=[[(card.key, dice) for card, dice in team.cards] for team in teams],
        basics=[card.key for card in basics],
        life=new.life or format.life,
        first=new.first,
        solitaire=solitaire,
        seats=seats,
        seed=new.seed,
        clock=new.clock,
        dice="chains",
    )


_NUMBERS = {2: "two", 4: "four"}


def _seat_count(new: NewGameRequest) -> int:
    """Return the number of seats: four in Doubles and for positions of four, otherwise two."""
    if new.position is not None:
        return Game.from_text(new.position).table.n_seats
    if new.format in (None, FIRST_GAME):
        return 2
    return 4 if find_format(sanitize(new.format, RULES_LENGTH)).sides else 2


def _solitaire_readings(new: NewGameRequest, seats: Sequence[StoredSeat]) -> list[str] | None:
    """Return the readings of the script if exactly one of two seats is the Scripted Opponent's, otherwise None."""
    scripted = [seat.player == SCRIPTED for seat in seats]
    if any(scripted) and len(seats) > 2:
        raise ValueError("the Scripted Opponent plays against one player, not in a game of four")
    if sum(scripted) != 1:
        return None
    solitaire = new.solitaire if isinstance(new.solitaire, SolitaireOptions) else SolitaireOptions()
    game = parse_variants(scripted.index(True), [sanitize(reading) for reading in solitaire.readings])
    return variant_texts(difficulty(solitaire.difficulty, game))


def _resolve_teams(new: NewGameRequest, edition: str) -> tuple[Format, Sequence[Team], Sequence[Card]]:
    """Return format, teams and basic actions, by default the edition's first game; raise ValueError if invalid."""
    seed = secrets.randbits(60) if new.seed is None else new.seed
    if new.teams is None and new.format in (None, FIRST_GAME):
        cast = new.cast or edition
        if cast not in STARTER_GAMES:
            raise ValueError(f"there is no cast '{sanitize(cast)}'; there are {', '.join(STARTER_GAMES)}")
        format = find_format(starter_format(cast))
    elif new.cast is not None:
        raise ValueError("a cast names both teams; leave it out where you choose them yourself")
    else:
        format = (
            find_format(sanitize(new.format, RULES_LENGTH)) if new.format not in (None, FIRST_GAME) else DEFAULT_FORMAT
        )
    if format.cast:
        if new.teams is not None:
            raise ValueError(f"the teams of {format.name} are given; leave yours out or choose another format")
        return format, starter_teams(format.cast), [catalogue().find(key) for key in STARTER_GAMES[format.cast].basics]
    n_seats = _seat_count(new)
    references = new.teams or [RANDOM] * n_seats
    if len(references) > n_seats:
        raise ValueError(f"{format.name} is a game of {_NUMBERS[n_seats]}, and there are {len(references)} teams")
    references = [*references, *[RANDOM] * (n_seats - len(references))]
    readings = _read_teams(references, format, seed)
    problems = [
        problem
        for seat, reading in zip(LETTERS, readings, strict=False)
        for problem in with_team(reading.check(format), f"team {seat}")
    ]
    teams = [reading.team for reading in readings]
    problems = problems or check_matchup(teams, format)
    if problems:
        raise TeamError(problems)
    if format.shared_basics:
        return format, teams, draw_basic_actions(format, seed)
    return format, teams, [card for team in teams for card in team.basics]


def _read_teams(references: Sequence[str], format: Format, seed: int) -> list[ParsedTeam]:
    """Read the named teams and draw the others; a drawn team shares no title with its partner's team."""
    readings = [_parse_team(reference, f"team {seat}") for seat, reference in zip(LETTERS, references, strict=False)]
    for seat, reading in enumerate(readings):
        if reading is None:
            partners = [
                other.team for i, other in enumerate(readings) if other and i != seat and side_of(i) == side_of(seat)
            ]
            drawn = random_team(format, len(references) * seed + seat, partners=partners if format.sides else ())
            readings[seat] = ParsedTeam(drawn)
    return [reading for reading in readings if reading is not None]


def _parse_team(reference: str, label: str) -> ParsedTeam | None:
    """Return the ready, coded or written team that a text describes, never a file on the server; None for `random`."""
    if reference.strip().casefold() == RANDOM:
        return None
    try:
        return parse_team_reference(reference)
    except TeamError as error:
        raise TeamError(with_team(error.problems, label)) from None


def initial_game(setup: StoredSetup) -> Game:
    """Return the game of a set-up: not yet begun if its dice are fair, otherwise at its first real decision."""
    if not setup.is_fair:
        return start_game(setup)
    return Game.laid_out(_starting_state(setup))


def start_game(setup: StoredSetup, fair: FairDice | None = None, ready: FairThrow | None = None) -> Game:
    """Start the game of a set-up and play to its first decision with several answers; `ready` is the opening throw."""
    if setup.record is not None:
        return Game.from_record(setup.record)
    if setup.position is not None:
        game = Game.from_text(setup.position)
    else:
        game = Game(_starting_state(setup), seed=setup.seed or 0, fair=fair, ready=ready)
    play_forced(game, lambda seat: True)
    game.ready = None
    return game


def _starting_state(setup: StoredSetup) -> State:
    """Return the state before the opening; in a solitaire game the human player goes first (S11)."""
    seat = setup.scripted_seat
    solitaire = parse_variants(LETTERS.index(seat), setup.solitaire or []) if seat else None
    spec = make_game_spec(setup.edition, teams=setup.teams, basics=setup.basics, life=setup.life, solitaire=solitaire)
    first_seat = 1 - solitaire.seat if solitaire else -1
    return loop.new_state(spec, setup.seed or 0, LETTERS.index(setup.first) if setup.first else first_seat)
