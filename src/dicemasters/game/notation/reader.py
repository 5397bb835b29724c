"""Positions read from text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.cards.language.metadata import BASIC
from dicemasters.game.game_spec import GameSpec, basic_action_dice, default_life, make_spec
from dicemasters.game.inspect.invariants import never_out, should_be_kod
from dicemasters.game.mechanics.payment import energy_pool
from dicemasters.game.notation import machine_state
from dicemasters.game.notation.die_notation import place_dice, restore_control
from dicemasters.game.notation.lexicon import (
    MAX_CARDS,
    MAX_CHARACTERS,
    PLACES,
    BoundedJournal,
    NotationError,
    UnplayableError,
    excerpt,
    generator,
    lines_of,
    seat_of,
    small_number,
    solitaire_of,
    turn_of,
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
    ZONE_NAMES,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_DECISION
from dicemasters.game.text import describe
from dicemasters.game.turn import loop


def read_position(text: str, cards: Catalogue | None = None) -> State:
    """Read a position; the state waits for its decision."""
    s = read_lines(list(enumerate(lines_of(text), 1)), cards)
    if s.turn > TURN_LIMIT and s.result == UNDECIDED:
        raise UnplayableError(f"this position cannot be played on: a game is over after {TURN_LIMIT} turns")
    if s.decision is NO_DECISION and s.result == UNDECIDED:
        s.journal = BoundedJournal()
        try:
            loop.advance(s)
        except ValueError:  # our own words: a script that does not fit, what would never end
            raise
        except Exception as error:
            raise UnplayableError(f"this position cannot be played on: {type(error).__name__}") from error
        s.journal = None
        if s.result == UNDECIDED and not s.options:
            raise UnplayableError("this position cannot be played on: nobody could choose anything")
    return s


class _Reader:
    """Reads the lines of a position."""

    def __init__(self, cards: Catalogue) -> None:
        self.cards = cards
        self.edition: Edition | None = None
        self.life = 0  # as usual for so many players
        self.solitaire: SolitaireRules | None = None
        self.basics: list[tuple[Card, int]] = []  # 0 dice: as many as usual
        self.teams: dict[int, list[tuple[Card, int]]] = {}
        self.zone_lines: list[tuple[int, int, int, str]] = []  # line, seat, place, text
        self.lives: dict[int, tuple[int, int]] = {}  # life, line
        self.lines: dict[int, int] = {}  # of each die
        self.left: dict[int, int] = {}
        self.turn = (1, 0, MAIN, 0)
        self.seats: set[int] = {0, 1}  # that are mentioned
        self.chance: int | None = None
        self.machine_state: dict[str, Any] = {}
        self.machine_state_line = 0
        self.first_lines: dict[str, int] = {}  # what can be said once, and in which line it was

    def line(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon:
            raise NotationError(f"expected 'something: ...', found '{excerpt(line.strip())}'", number)
        if key in self.first_lines:
            raise NotationError(f"'{excerpt(key)}' is said twice, first in line {self.first_lines[key]}", number)
        if key.partition(" ")[2] not in PLACES:  # what lies in a place may be told in several lines
            self.first_lines[key] = number
        if key == "edition":
            try:
                self.edition = parse_edition(value)
            except ValueError as error:
                raise NotationError(str(error), number) from None
        elif key == "life":
            self.life = small_number(value, number, 1)
        elif key == "solitaire":
            self.solitaire = solitaire_of(value, number)
        elif key == "basics":
            self.basics = self.cards_in(value, number)
            for card, _ in self.basics:
                if card.kind != BASIC:
                    raise NotationError(f"{card.name} is no basic action, but for a team, as in 'team A: ...'", number)
        elif key.startswith("team "):
            self.teams[self.seat(key[5:], number)] = self.card_list(value, number)
        elif key == "turn":
            self.turn = turn_of(value, number)
            self.seats.add(self.turn[1])
        elif key == "chance":
            self.chance = generator(value, number)
        elif key == "also":
            self.machine_state_line = number
            try:
                self.machine_state = machine_state.parse_machine_state(value)
            except machine_state.MachineStateError as error:
                raise NotationError(f"'also' cannot be read: {error}", number) from None
        else:
            self.player_line(key, value, number)

    def player_line(self, key: str, value: str, number: int) -> None:
        letter, _, what = key.partition(" ")
        if len(letter) != 1 or not what:
            raise NotationError(
                f"'{excerpt(key)}' is no part of a position; its lines begin with edition, life, solitaire, basics, team A, "
                "A life, A left over, A field (and so on), turn, chance or also",
                number,
            )
        seat = self.seat(letter, number)
        if what == "life":
            life = small_number(value, number, 0)
            if self.lives.get(seat & 1, (life, 0))[0] != life:
                raise NotationError(
                    f"{describe.SEATS[seat]} shares the life of {describe.SEATS[seat ^ 2]}, which is different", number
                )
            self.lives[seat & 1] = (life, number)
        elif what == "left over":
            self.left[seat] = small_number(value, number, 0)
        elif what in PLACES:
            self.zone_lines.append((number, seat, PLACES[what], value))
        else:
            raise NotationError(f"there is no place '{excerpt(what)}'; there are {', '.join(PLACES)}", number)

    def seat(self, letter: str, number: int) -> int:
        seat = seat_of(letter, number)
        self.seats.add(seat)
        return seat

    def cards_in(self, value: str, number: int) -> list[tuple[Card, int]]:
        """Read cards with their numbers of dice, 0 where none is given."""
        out: list[tuple[Card, int]] = []
        for part in (p.strip() for p in value.split(";")):
            if not part:
                continue
            if len(out) == MAX_CARDS:
                raise NotationError(f"there are more than the {MAX_CARDS} cards there can be", number)
            found = re.match(r"([0-9]{1,3})\s*x\s+(.*)", part)
            try:
                card = self.cards.find(found[2] if found else part)
            except UnknownCardError as error:
                raise NotationError(str(error), number) from None
            if found and not 1 <= int(found[1]) <= 20:
                raise NotationError(f"{card.name} cannot have {found[1]} dice", number)
            out.append((card, int(found[1]) if found else 0))
        return out

    def card_list(self, value: str, number: int) -> list[tuple[Card, int]]:
        out: list[tuple[Card, int]] = []
        for card, n in self.cards_in(value, number):
            if any(c.title == card.title for c, _ in out):
                raise NotationError(f"{card.title} is on the team twice", number)
            if card.kind == BASIC:
                raise NotationError(
                    f"{card.title} is a basic action, which is everybody's, as in 'basics: ...'", number
                )
            out.append((card, n or card.max))
        return out

    def basics_list(self, seats: int) -> list[tuple[Card, int]]:
        """List the basic actions with their dice; one that several bring has a set for each (rules 1.3)."""
        dice: dict[Card, int] = {}
        for card, n in self.basics:
            dice[card] = dice.get(card, 0) + (n or basic_action_dice(seats))
        return list(dice.items())


def read_without_advancing(text: str, cards: Catalogue | None = None) -> State:
    """Read a position without letting the game go on to its decision, and without asking whether there can be such a one."""
    return _read(list(enumerate(lines_of(text), 1)), cards)[0]


def read_lines(lines: Sequence[tuple[int, str]], cards: Catalogue | None = None) -> State:
    """Read a position from its lines with their numbers, which may have others between them."""
    s, reader = _read(lines, cards)
    if not reader.machine_state:  # what the game has written may be half done
        _refuse_impossible(s, reader)
    return s


def _refuse_impossible(s: State, reader: _Reader) -> None:
    """Refuse what no game can come to: somebody has lost, dice where they cannot be, fights of one side."""
    t = s.spec
    for side, (life, number) in reader.lives.items():
        if not life:
            raise NotationError(f"{describe.side_name(s, side)} cannot have 0 life, for then the game is over", number)
    for d in range(t.n_dice):
        whose = f"{describe.SEATS[s.place[d] & 3]}'s {describe.die_text(s, d)}"
        if s.place[d] >> 2 == OUT_OF_PLAY and (why := never_out(s, d)):
            raise NotationError(f"{whose} cannot be Out of Play: {why}", reader.lines.get(d, 0))
        if s.place[d] >> 2 != FIELD:
            if s.damage[d]:
                where = ZONE_NAMES[s.place[d] >> 2]
                raise NotationError(f"{whose} cannot be damaged in {where}, only in the field", reader.lines.get(d, 0))
        elif s.damage[d] and should_be_kod(s, d):
            raise NotationError(
                f"{whose} cannot be in the field: with {s.damage[d]} damage it would have been KO'd",
                reader.lines.get(d, 0),
            )
    for b, a in s.blocks:
        if s.place[b] & 1 == s.place[a] & 1:
            raise NotationError(
                f"{describe.die_text(s, b)} cannot block {describe.die_text(s, a)}, which is of the same side",
                reader.lines.get(b, 0),
            )


def _read(lines: Sequence[tuple[int, str]], cards: Catalogue | None) -> tuple[State, _Reader]:
    if sum(len(line) for _, line in lines) > MAX_CHARACTERS:
        raise NotationError(f"the position has more than the {MAX_CHARACTERS:,} characters there can be")
    reader = _Reader(cards or catalogue())
    for number, line in lines:
        line = line.split("#", 1)[0] if line.lstrip().startswith("#") else line
        if line.strip():
            reader.line(number, line)
    seats = 2 if reader.seats == {0, 1} else 4
    teams = [tuple(reader.teams.get(seat, ())) for seat in range(seats)]
    start_life = reader.life or default_life(seats)
    usual = EDITIONS[DEFAULT_EDITION if reader.solitaire is None else SOLITAIRE_EDITION]
    table = _make_spec(reader.edition or usual, teams, reader.basics_list(seats), start_life, reader.solitaire)
    s = loop.new_state(table, 0, 0)
    s.turn, s.active, s.step, s.substep = reader.turn
    s.first = s.active & 1
    if s.substep == 0 and s.step != MAIN:
        s.active = s.first  # of two partners the lead begins
    if reader.chance is not None:
        s.rng = reader.chance
    for side, (life, number) in reader.lives.items():
        if life > start_life:
            raise NotationError(
                f"{describe.SEATS[side]} has {life} life, more than the {start_life} of the start", number
            )
        s.life[side] = life
    for seat, n in reader.left.items():
        s.virtual_energy[seat] = n
    reader.lines = place_dice(s, reader.zone_lines)
    for d in range(table.n_dice):
        if s.flags[d] & ATTACKING and (s.place[d] ^ s.active) & 1:
            whose, active = describe.SEATS[s.place[d] & 3], describe.side_name(s, s.active)
            raise NotationError(
                f"{whose}'s {describe.die_text(s, d)} cannot be attacking, for it is the turn of {active}",
                reader.lines[d],
            )
        if s.flags[d] & ATTACKING and s.step not in (ATTACK, CLEANUP):
            raise NotationError(
                f"{describe.die_text(s, d)} cannot be attacking in the {STEP_NAMES[s.step]} step", reader.lines[d]
            )
    if table.solitaire is not None and s.step in (MAIN, ATTACK):
        note_step(s, energy_pool(s, table.solitaire.seat).total)  # as if the step had just begun, unless more is said
    if len(s.active_effects) > machine_state.MAX_EFFECTS:
        raise NotationError(
            f"there is more that dice have got than the {machine_state.MAX_EFFECTS} things a game can hold"
        )
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
