"""A position as read-only objects with names: players, their dice and the cards on the table.

    >>> from dicemasters import Game
    >>> game = Game.from_text('''
    ... edition: avx
    ... team A: Hulk: Jade Giant
    ... basics: Force Beam
    ... A field: Hulk@1 (attacking)
    ... B field: 2 Sidekick
    ... turn: 5, A, attack
    ... ''')
    >>> position = game.position
    >>> position
    <Position: turn 5, A, attack; A 20 life, B 20 life>
    >>> position.player("A").field
    (<Die 16: A's Hulk@1* 6/5 in field>,)
    >>> hulk = position.player("A").field[0]
    >>> hulk.level, hulk.a, hulk.d, hulk.is_attacking, hulk.card.cost
    (1, 6, 5, True, 6)
    >>> [str(option) for option in game.decision.options][:1]
    ['block Hulk@1* with Sidekick']
    >>> [position.die(n).title for n in game.decision.options[0].dice]
    ['Sidekick', 'Hulk']

A position is a snapshot: it does not change when the game is played on.
"""

from __future__ import annotations

from typing import final

from dicemasters.cards.catalogue import Card as PrintedCard
from dicemasters.cards.dice import Face
from dicemasters.game import notation
from dicemasters.game.decision import SetupError
from dicemasters.game.inspect import view
from dicemasters.game.queries import characteristics
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY
from dicemasters.game.text import describe, explain

_KINDS = {view.ENERGY: "energy", view.CHARACTER: "character", view.ACTION: "action"}


def _letter(seat: int) -> str | None:
    return describe.SEATS[seat] if seat >= 0 else None


class _PositionPart:
    """A numbered part of a position; parts of the same position with the same number are equal."""

    __slots__ = ("_state", "number")

    def __init__(self, state: State, number: int) -> None:
        self._state = state
        self.number = number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PositionPart) or type(self) is not type(other):
            return False
        return self._state is other._state and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self._state), self.number))


@final
class PositionDie(_PositionPart):
    """A die of a position.

    Properties that do not apply to the face that is up are None, 0, "" or False.
    """

    __slots__ = ()

    @property
    def card(self) -> PositionCard:
        """The card of the die; Sidekicks and tokens have one too."""
        return PositionCard(self._state, view.card_of(self._state, self.number))

    @property
    def title(self) -> str:
        """The title of the card, with its set if another card of the game has the same title."""
        return describe.title(self._state, self.number)

    @property
    def zone(self) -> str:
        """The zone of the die: card, bag, prep, reserve, field, used, out, hand, held or gone."""
        return view.ZONE_NAMES[view.zone(self._state, self.number)]

    @property
    def owner(self) -> str | None:
        """The letter of the owner; None for a token and for a basic action die that is not bought yet."""
        return _letter(view.owner(self._state, self.number))

    @property
    def controller(self) -> str:
        """The letter of the player on whose side the die is."""
        return describe.SEATS[view.controller(self._state, self.number)]

    @property
    def face(self) -> Face | None:
        """The face that is up, as printed; None if the die is unrolled."""
        if not view.shows_face(self._state, self.number):
            return None
        return self.card.printed.die.faces[view.face(self._state, self.number)]

    @property
    def kind(self) -> str:
        """The kind of the face that is up: energy, character or action; "" if the die is unrolled."""
        shows = view.shows_face(self._state, self.number)
        return _KINDS[view.kind(self._state, self.number)] if shows else ""

    @property
    def is_character(self) -> bool:
        """Whether a character face is up."""
        return self.kind == "character"

    @property
    def is_sidekick(self) -> bool:
        """Whether the die counts as a Sidekick."""
        return characteristics.is_sidekick(self._state, self.number)

    @property
    def level(self) -> int:
        """The level the die counts as having, or 0 if no character face is up."""
        return view.level(self._state, self.number) if self.is_character else 0

    @property
    def burst(self) -> int:
        """The number of bursts the die shows."""
        return view.burst(self._state, self.number) if self.kind else 0

    @property
    def energy(self) -> str:
        """The energy that is up: FF, ?, or 2 for generic energy; "" if there is none."""
        if self.kind != "energy":
            return ""
        s, d = self._state, self.number
        return describe.energy_text(view.energy_type(s, d), view.energy_shown(s, d))

    @property
    def a(self) -> int | None:
        """The current A, with all modifications; None if no character face is up."""
        return view.current_stats(self._state, self.number)[0] if self.is_character else None

    @property
    def d(self) -> int | None:
        """The current D, with all modifications but without subtracting damage; None if no character face is up."""
        return view.current_stats(self._state, self.number)[1] if self.is_character else None

    @property
    def fielding_cost(self) -> int | None:
        """The current cost of fielding the die on this face; None if no character face is up."""
        return view.fielding_cost(self._state, self.number) if self.is_character else None

    @property
    def damage(self) -> int:
        """The damage on the die."""
        return view.damage(self._state, self.number)

    @property
    def is_attacking(self) -> bool:
        """Whether the die attacks."""
        return view.is_attacking(self._state, self.number)

    @property
    def is_blocked(self) -> bool:
        """Whether the die attacks and was blocked; its blockers may have left."""
        return view.is_blocked(self._state, self.number)

    @property
    def blocks(self) -> tuple[PositionDie, ...]:
        """The attackers this die blocks."""
        return tuple(PositionDie(self._state, d) for d in view.blocked_by(self._state, self.number))

    @property
    def blockers(self) -> tuple[PositionDie, ...]:
        """The dice that block this die."""
        return tuple(PositionDie(self._state, d) for d in view.blockers_of(self._state, self.number))

    @property
    def holding(self) -> str:
        """The way the die is held: capture, aside, attach or control; "" if it is not held."""
        info = view.holdings(self._state).get(self.number)
        return info.kind if info else ""

    @property
    def holder(self) -> PositionDie | None:
        """The die that has captured or controls this one, or that it is attached to; None if there is no such die."""
        info = view.holdings(self._state).get(self.number)
        if info is None or info.holder == NOBODY or view.is_player(info.holder):
            return None
        return PositionDie(self._state, info.holder)

    @property
    def holds(self) -> tuple[PositionDie, ...]:
        """The dice this die holds."""
        return tuple(
            PositionDie(self._state, d) for d, info in view.holdings(self._state).items() if info.holder == self.number
        )

    @property
    def partner(self) -> PositionDie | None:
        """The die this die is paired with, or None."""
        partner = view.pair_of(self._state, self.number)
        return None if partner == NOBODY else PositionDie(self._state, partner)

    @property
    def gifts(self) -> tuple[str, ...]:
        """The temporary effects on the die other than changes of A, D and costs."""
        return tuple(view.granted_texts(self._state, self.number))

    @property
    def effects(self) -> tuple[str, ...]:
        """Everything in force for the die, in sentences."""
        return tuple(effect.text for effect in explain.explain_effects(self._state) if self.number in effect.dice)

    def has_keyword(self, name: str) -> bool:
        """Return whether the die has a keyword, printed or granted."""
        return view.has_keyword(self._state, self.number, name)

    def __str__(self) -> str:
        """Return the die as options name it: `Hulk@2*`, `Hulk:FF` or `Sidekick`."""
        return describe.die_text(self._state, self.number)

    def __repr__(self) -> str:
        stats = f" {self.a}/{self.d}" if self.is_character else ""
        damage = f", {self.damage} damage" if self.damage else ""
        text = describe.die_text(self._state, self.number)
        location = "on its card" if self.zone == "card" else f"in {self.zone}"
        return f"<Die {self.number}: {self.owner or 'nobody'}'s {text}{stats} {location}{damage}>"


@final
class PositionCard(_PositionPart):
    """A card on the table, with the dice still on it."""

    __slots__ = ()

    @property
    def printed(self) -> PrintedCard:
        """The card as printed: cost, energy, text and die."""
        return self._state.spec.cards[self.number]

    @property
    def title(self) -> str:
        """The title, with the set if another card of the game has the same title."""
        return self._state.spec.names[self.number]

    @property
    def name(self) -> str:
        """The title and subtitle."""
        return self.printed.name

    @property
    def cost(self) -> int:
        """The printed purchase cost."""
        return self.printed.cost

    @property
    def owner(self) -> str | None:
        """The letter of the owner; None for a basic action, which every player may buy."""
        return _letter(view.card_owner(self._state.spec, self.number))

    @property
    def dice(self) -> tuple[PositionDie, ...]:
        """All dice of the card, in any zone."""
        return tuple(PositionDie(self._state, d) for d in view.dice_of(self._state.spec, self.number))

    @property
    def left(self) -> int:
        """The number of dice nobody has bought yet."""
        return view.dice_left(self._state, self.number)

    def cost_for(self, player: str) -> int:
        """Return the current cost of a die of the card for a player, given by letter."""
        seats = describe.SEATS[: self._state.spec.n_seats]
        if player not in tuple(seats):
            raise SetupError(f"a player must be one of {', '.join(seats)}, not {player!r:.60}")
        return view.purchase_cost(self._state, self.number, describe.SEATS.index(player))

    def __repr__(self) -> str:
        return f"<Card {self.number}: {self.name}, {self.left} left>"


@final
class PositionPlayer(_PositionPart):
    """A player of a position, with the dice on their side."""

    __slots__ = ()

    @property
    def letter(self) -> str:
        """The letter of the player: A or B; in Doubles also C or D."""
        return describe.SEATS[self.number]

    @property
    def life(self) -> int:
        """The player's life, which partners share."""
        return view.life(self._state, self.number)

    @property
    def is_active(self) -> bool:
        """Whether it is the turn of the player's side."""
        return self._state.turn > 0 and view.is_ally(self.number, self._state.active)

    def dice(self, zone: str) -> tuple[PositionDie, ...]:
        """Return the player's dice in a zone, card by card."""
        if zone not in view.ZONE_NAMES:
            raise SetupError(f"a zone must be one of {', '.join(view.ZONE_NAMES)}, not {zone!r:.60}")
        return tuple(PositionDie(self._state, d) for d in self._state.dice_in(view.ZONE_NAMES.index(zone), self.number))

    @property
    def field(self) -> tuple[PositionDie, ...]:
        """The dice in the player's field, the attack zone included."""
        return self.dice("field")

    @property
    def reserve(self) -> tuple[PositionDie, ...]:
        """The dice in the player's reserve."""
        return self.dice("reserve")

    @property
    def prep(self) -> tuple[PositionDie, ...]:
        """The dice in the player's Prep Area."""
        return self.dice("prep")

    @property
    def bag(self) -> tuple[PositionDie, ...]:
        """The dice in the player's bag (rules 2.3a)."""
        return self.dice("bag")

    @property
    def used(self) -> tuple[PositionDie, ...]:
        """The dice in the player's Used Pile."""
        return self.dice("used")

    @property
    def out_of_play(self) -> tuple[PositionDie, ...]:
        """The player's dice that are Out of Play."""
        return self.dice("out")

    @property
    def cards(self) -> tuple[PositionCard, ...]:
        """The cards of the player's team."""
        spec = self._state.spec
        own = [c for c in spec.buyable[self.number] if view.card_owner(spec, c) == self.number]
        return tuple(PositionCard(self._state, c) for c in own)

    @property
    def energy(self) -> int:
        """The total energy the player can spend."""
        return view.energy_of(self._state, self.number)[-1]

    def __repr__(self) -> str:
        return f"<Player {self.letter}: {self.life} life>"


@final
class Position:
    """A snapshot of a game.

    Positions are equal if they play on identically, no matter how identical dice are numbered.
    """

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state.copy()

    @property
    def turn(self) -> int:
        """The number of the turn, 0 before the first."""
        return self._state.turn

    @property
    def active(self) -> str:
        """The letter of the player whose turn it is; in Doubles, of the partner who acts."""
        return describe.SEATS[self._state.active]

    @property
    def step(self) -> str:
        """The step of the turn: setup, start, draw, roll, main, attack or cleanup."""
        return view.STEP_NAMES[self._state.step]

    @property
    def players(self) -> tuple[PositionPlayer, ...]:
        """All players, in order of their letters."""
        return tuple(PositionPlayer(self._state, seat) for seat in range(self._state.spec.n_seats))

    def player(self, letter: str) -> PositionPlayer:
        """Return the player with this letter."""
        for player in self.players:
            if player.letter == letter:
                return player
        raise SetupError(f"a player must be one of {', '.join(p.letter for p in self.players)}, not {letter!r:.60}")

    @property
    def dice(self) -> tuple[PositionDie, ...]:
        """All dice in the game, in any zone."""
        numbers = range(self._state.spec.n_dice)
        return tuple(PositionDie(self._state, d) for d in numbers if view.zone(self._state, d) != view.GONE)

    def die(self, number: int) -> PositionDie:
        """Return the die with this number, as used in `Choice.dice`."""
        if type(number) is not int or not 0 <= number < self._state.spec.n_dice:
            raise SetupError(f"there is no die {number!r:.60}; the {self._state.spec.n_dice} dice are numbered from 0")
        return PositionDie(self._state, number)

    @property
    def cards(self) -> tuple[PositionCard, ...]:
        """All cards whose dice can be bought: team by team, then the basic actions."""
        spec = self._state.spec
        return tuple(PositionCard(self._state, c) for c in range(spec.n_seats, spec.n_real_cards))

    @property
    def effects(self) -> tuple[str, ...]:
        """Everything in force, in sentences."""
        return tuple(effect.text for effect in explain.explain_effects(self._state))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return view.is_over(self._state)

    def to_text(self) -> str:
        """Return the position in notation (docs/notation.md)."""
        return notation.write_position(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)

    def __repr__(self) -> str:
        lives = ", ".join(f"{describe.side_name(self._state, side)} {self.players[side].life} life" for side in (0, 1))
        return f"<Position: turn {self.turn}, {self.active}, {self.step}; {lives}>"
