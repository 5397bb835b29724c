"""Reader of the position notation (like FEN in chess)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.cards.language.metadata import BASIC
from dicemasters.game.game_spec import GameSpec, basic_action_dice, default_life, make_spec
from dicemasters.game.inspect.invariants import out_of_play_violation, should_be_kod
from dicemasters.game.mechanics.payment import energy_pool
from dicemasters.game.notation import machine_state
from dicemasters.game.notation.die_notation import place_dice, restore_control
from dicemasters.game.notation.lexicon import (
    MAX_CARDS,
    MAX_CHARACTERS,
    PLACES,
    NotationError,
    UnplayableError,
    excerpt,
    lines_of,
    parse_generator,
    parse_seat,
    parse_small_number,
    parse_solitaire,
    parse_turn,
)
from dicemasters.game.rulesets.editions import DEFAULT_EDITION, EDITIONS, Edition, parse_edition
from dicemasters.game.rulesets.solitaire import SOLITAIRE_EDITION, SolitaireRules, note_step
from dicemasters.game.state.constants import (
    ATTACK,
    ATTACKING,
    CLEANUP,
    FIELD,
    MAIN,
    OUT_OF_PLAY,
    STEP_NAMES,
    TURN_LIMIT,
    UNDECIDED,
    VOID_REASON,
    ZONE_NAMES,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_DECISION
from dicemasters.game.text import describe
from dicemasters.game.turn import loop


def read_position(text: str, cards: Catalogue | None = None) -> State:
    """Return the state of a position, advanced to its pending decision.

    Raise NotationError if the text is not a position, and UnplayableError if the game cannot continue from it.
    """
    s = read_lines(list(enumerate(lines_of(text), 1)), cards)
    if s.turn > TURN_LIMIT and s.result == UNDECIDED:
        raise UnplayableError(f"this position cannot be played on: a game is over after {TURN_LIMIT} turns")
    if s.decision is NO_DECISION and s.result == UNDECIDED:
        try:
            loop.advance(s)
        except ValueError:  # already a readable error: scripted dice that do not fit
            raise
        except Exception as error:
            raise UnplayableError(f"this position cannot be played on: {type(error).__name__}") from error
        if s.result_reason == VOID_REASON:
            raise UnplayableError("this position cannot be played on: it takes more work than any legal game needs")
        if s.result == UNDECIDED and not s.options:
            raise UnplayableError("this position cannot be played on: nobody could choose anything")
    return s


class _PositionReader:
    """Collects the contents of a position line by line."""

    def __init__(self, cards: Catalogue) -> None:
        self.cards = cards
        self.edition: Edition | None = None
        self.life = 0  # default for the number of players
        self.solitaire: SolitaireRules | None = None
        self.basics: list[tuple[Card, int]] = []  # 0 dice: the default number
        self.teams: dict[int, list[tuple[Card, int]]] = {}
        self.zone_lines: list[tuple[int, int, int, str]] = []  # line number, seat, zone, text
        self.lives: dict[int, tuple[int, int]] = {}  # life, line number
        self.die_lines: dict[int, int] = {}  # line number of each die
        self.left_over: dict[int, int] = {}
        self.turn = (1, 0, MAIN, 0)
        self.seats: set[int] = {0, 1}  # seats mentioned so far; C or D make it a game of four
        self.rng: int | None = None
        self.machine_state: dict[str, Any] = {}
        self.machine_state_line = 0
        self.first_lines: dict[str, int] = {}  # line number of each key that may occur only once

    def read_line(self, line_number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{excerpt(line.strip())}'", line_number)
        if key in self.first_lines:
            raise NotationError(f"'{excerpt(key)}' is given twice, first in line {self.first_lines[key]}", line_number)
        if key.partition(" ")[2] not in PLACES:  # a zone may take several lines
            self.first_lines[key] = line_number
        if key == "edition":
            try:
                self.edition = parse_edition(value)
            except ValueError as error:
                raise NotationError(str(error), line_number) from None
        elif key == "life":
            self.life = parse_small_number(value, line_number, 1)
        elif key == "solitaire":
            self.solitaire = parse_solitaire(value, line_number)
        elif key == "basics":
            self.basics = self.read_cards(value, line_number)
            for card, _ in self.basics:
                if card.kind != BASIC:
                    raise NotationError(
                        f"{card.name} is not a basic action; list it for a team, as in 'team A: ...'", line_number
                    )
        elif key.startswith("team "):
            self.teams[self.read_seat(key[5:], line_number)] = self.read_team(value, line_number)
        elif key == "turn":
            self.turn = parse_turn(value, line_number)
            self.seats.add(self.turn[1])
        elif key == "chance":
            self.rng = parse_generator(value, line_number)
        elif key == "also":
            self.machine_state_line = line_number
            try:
                self.machine_state = machine_state.parse_machine_state(value)
            except machine_state.MachineStateError as error:
                raise NotationError(f"'also' cannot be read: {error}", line_number) from None
        else:
            self.read_player_line(key, value, line_number)

    def read_player_line(self, key: str, value: str, line_number: int) -> None:
        letter, _, item = key.partition(" ")
        if len(letter) != 1 or not item:
            raise NotationError(
                f"'{excerpt(key)}' is not a line of a position; lines begin with edition, life, solitaire, basics, team A, "
                "A life, A left over, A field (and so on), turn, chance or also",
                line_number,
            )
        seat = self.read_seat(letter, line_number)
        if item == "life":
            life = parse_small_number(value, line_number, 0)
            if self.lives.get(seat & 1, (life, 0))[0] != life:
                raise NotationError(
                    f"{describe.SEATS[seat]} shares the life of {describe.SEATS[seat ^ 2]}, but another number is given",
                    line_number,
                )
            self.lives[seat & 1] = (life, line_number)
        elif item == "left over":
            self.left_over[seat] = parse_small_number(value, line_number, 0)
        elif item in PLACES:
            self.zone_lines.append((line_number, seat, PLACES[item], value))
        else:
            raise NotationError(f"there is no place '{excerpt(item)}'; there are {', '.join(PLACES)}", line_number)

    def read_seat(self, letter: str, line_number: int) -> int:
        seat = parse_seat(letter, line_number)
        self.seats.add(seat)
        return seat

    def read_cards(self, value: str, line_number: int) -> list[tuple[Card, int]]:
        """Return the cards of a line with their numbers of dice, 0 where none is given."""
        entries: list[tuple[Card, int]] = []
        for part in (p.strip() for p in value.split(";")):
            if not part:
                continue
            if len(entries) == MAX_CARDS:
                raise NotationError(f"there are more than {MAX_CARDS} cards", line_number)
            match = re.match(r"([0-9]{1,3})\s*x\s+(.*)", part)
            try:
                card = self.cards.find(match[2] if match else part)
            except UnknownCardError as error:
                raise NotationError(str(error), line_number) from None
            if match and not 1 <= int(match[1]) <= 20:
                raise NotationError(f"{card.name} must have 1 to 20 dice, not {match[1]}", line_number)
            entries.append((card, int(match[1]) if match else 0))
        return entries

    def read_team(self, value: str, line_number: int) -> list[tuple[Card, int]]:
        team: list[tuple[Card, int]] = []
        for card, n in self.read_cards(value, line_number):
            if any(c.title == card.title for c, _ in team):
                raise NotationError(f"{card.title} is on the team twice", line_number)
            if card.kind == BASIC:
                raise NotationError(
                    f"{card.title} is a basic action; list it for all players, as in 'basics: ...'", line_number
                )
            team.append((card, n or card.max))
        return team

    def merged_basics(self, n_seats: int) -> list[tuple[Card, int]]:
        """Return the basic actions with their dice; each player who brings one adds a set (rules 1.3e)."""
        dice: dict[Card, int] = {}
        for card, n in self.basics:
            dice[card] = dice.get(card, 0) + (n or basic_action_dice(n_seats))
        return list(dice.items())


def read_without_advancing(text: str, cards: Catalogue | None = None) -> State:
    """Return the state of a position as written, without advancing it or checking that a game could reach it."""
    return _read(list(enumerate(lines_of(text), 1)), cards)[0]


def read_lines(lines: Sequence[tuple[int, str]], cards: Catalogue | None = None) -> State:
    """Return the state of numbered lines, which need not be consecutive, without advancing it."""
    s, reader = _read(lines, cards)
    if not reader.machine_state:  # states written by the game may be mid-effect
        _refuse_impossible(s, reader)
    return s


def _refuse_impossible(s: State, reader: _PositionReader) -> None:
    """Raise NotationError for states no game can reach: a lost side, impossible dice, or blocks within a side."""
    spec = s.spec
    for side, (life, line_number) in reader.lives.items():
        if not life:
            raise NotationError(
                f"{describe.side_name(s, side)} cannot have 0 life: the game would be over", line_number
            )
    for d in range(spec.n_dice):
        die_name = f"{describe.SEATS[s.place[d] & 3]}'s {describe.die_text(s, d)}"
        if s.place[d] >> 2 == OUT_OF_PLAY and (reason := out_of_play_violation(s, d)):
            raise NotationError(f"{die_name} cannot be Out of Play: {reason}", reader.die_lines.get(d, 0))
        if s.place[d] >> 2 != FIELD:
            if s.damage[d]:
                zone = ZONE_NAMES[s.place[d] >> 2]
                raise NotationError(
                    f"{die_name} cannot be damaged in {zone}, only in the field", reader.die_lines.get(d, 0)
                )
        elif s.damage[d] and should_be_kod(s, d):
            raise NotationError(
                f"{die_name} cannot be in the field: with {s.damage[d]} damage it would have been KO'd",
                reader.die_lines.get(d, 0),
            )
    for blocker, attacker in s.blocks:
        if s.place[blocker] & 1 == s.place[attacker] & 1:
            raise NotationError(
                f"{describe.die_text(s, blocker)} cannot block {describe.die_text(s, attacker)}, which is on the same side",
                reader.die_lines.get(blocker, 0),
            )


def _read(lines: Sequence[tuple[int, str]], cards: Catalogue | None) -> tuple[State, _PositionReader]:
    if sum(len(line) for _, line in lines) > MAX_CHARACTERS:
        raise NotationError(f"the position has more than {MAX_CHARACTERS:,} characters")
    reader = _PositionReader(cards or catalogue())
    for line_number, line in lines:
        line = line.split("#", 1)[0] if line.lstrip().startswith("#") else line
        if line.strip():
            reader.read_line(line_number, line)
    n_seats = 2 if reader.seats == {0, 1} else 4
    teams = [tuple(reader.teams.get(seat, ())) for seat in range(n_seats)]
    start_life = reader.life or default_life(n_seats)
    default_edition = EDITIONS[DEFAULT_EDITION if reader.solitaire is None else SOLITAIRE_EDITION]
    spec = _make_spec(
        reader.edition or default_edition, teams, reader.merged_basics(n_seats), start_life, reader.solitaire
    )
    s = loop.new_state(spec, 0, 0)
    s.turn, s.active, s.step, s.substep = reader.turn
    s.first = s.active & 1
    if s.substep == 0 and s.step != MAIN:
        s.active = s.first  # in Doubles the lead of the side begins each step
    if reader.rng is not None:
        s.rng = reader.rng
    for side, (life, line_number) in reader.lives.items():
        if life > start_life:
            raise NotationError(
                f"{describe.SEATS[side]} has {life} life, more than the starting life of {start_life}", line_number
            )
        s.life[side] = life
    for seat, energy in reader.left_over.items():
        s.virtual_energy[seat] = energy
    reader.die_lines = place_dice(s, reader.zone_lines)
    for d in range(spec.n_dice):
        if s.flags[d] & ATTACKING and (s.place[d] ^ s.active) & 1:
            controller, active = describe.SEATS[s.place[d] & 3], describe.side_name(s, s.active)
            raise NotationError(
                f"{controller}'s {describe.die_text(s, d)} cannot be attacking: it is the turn of {active}",
                reader.die_lines[d],
            )
        if s.flags[d] & ATTACKING and s.step not in (ATTACK, CLEANUP):
            raise NotationError(
                f"{describe.die_text(s, d)} cannot be attacking in the {STEP_NAMES[s.step]} step", reader.die_lines[d]
            )
    if spec.solitaire is not None and s.step in (MAIN, ATTACK):
        # as at the start of the step, unless `also:` overrides it
        note_step(s, energy_pool(s, spec.solitaire.seat).total)
    if len(s.active_effects) > machine_state.MAX_EFFECTS:
        raise NotationError(f"the dice have more than the {machine_state.MAX_EFFECTS} bonuses a position can hold")
    try:
        machine_state.restore_machine_state(s, reader.machine_state)
    except machine_state.MachineStateError as error:
        raise NotationError(f"'also' cannot be read: {error}", reader.machine_state_line) from None
    restore_control(s)
    return s, reader


def _make_spec(
    edition: Edition,
    teams: list[tuple[tuple[Card, int], ...]],
    basics: list[tuple[Card, int]],
    life: int,
    solitaire: SolitaireRules | None,
) -> GameSpec:
    try:
        return make_spec(edition, teams, basics, life, solitaire)
    except ValueError as error:
        raise NotationError(str(error)) from None
