"""The public API of a game: create it, play and undo choices, read and write it."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from sys import intern

from dicemasters.cards.catalogue import Card, Catalogue, catalogue
from dicemasters.game import notation
from dicemasters.game.answers import whole_answers
from dicemasters.game.answers.ordering import PARTS
from dicemasters.game.decision import (
    ChanceOutcome,
    Choice,
    Decision,
    FairDiceNeededError,
    IllegalChoiceError,
    LogEntry,
    PlayedChoice,
    Result,
    SetupError,
    UndoneMoves,
)
from dicemasters.game.fair_dice import FairDice, FairThrow
from dicemasters.game.game_spec import GameSpec, Team, basic_action_dice, default_life, make_spec
from dicemasters.game.history import StateHistory
from dicemasters.game.mechanics.chance import ScriptedDiceError as ScriptedDiceError
from dicemasters.game.notation import UnplayableError
from dicemasters.game.notation.record import MAX_SEED, read_record, write_record
from dicemasters.game.position import Position
from dicemasters.game.rulesets.editions import DEFAULT_EDITION, parse_edition
from dicemasters.game.rulesets.solitaire import SOLITAIRE_EDITION, SolitaireRules
from dicemasters.game.rulesets.starter_games import STARTER_GAMES
from dicemasters.game.state.constants import PLAYER, TIE, UNDECIDED, VOID_REASON
from dicemasters.game.state.decision_kinds import DECISION_KINDS, OPTION_KINDS
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.text import describe, matching, svg
from dicemasters.game.turn import loop

MAX_PARTS = 300  # parts of a whole answer; there are at most 248 dice
OWN = "own"  # set code of home-made cards
_LOGGER = logging.getLogger(__name__)
_NO_GUARD = contextlib.nullcontext()


class Game:
    """A game of Dice Masters that waits for one decision at a time.

    `decision` holds the legal options, `play` makes a choice, and `undo` takes choices back. `position` presents the
    game as read-only objects, `log` and `result` report its course and outcome, and `to_text` and `record` return the
    position and the whole game as text. Games are equal if their states are; they can be copied, pickled and displayed
    in notebooks.

    >>> game = Game.new("ai", cast="ai", seed=7)
    >>> game.decision.player, game.decision.kind
    ('B', 'order')
    >>> game.play("go first")
    >>> game.decision.question
    'Which dice do you reroll?'
    """

    def __init__(
        self,
        state: State,
        *,
        seed: int = 0,
        fair: FairDice | None = None,
        ready: FairThrow | None = None,
        written: bool = False,
        forged: bool = False,
    ) -> None:
        """Set up a game from a state and advance it to its first decision.

        `written` marks a position written by hand, and `forged` one that the engine itself might never produce. In
        such games every engine failure becomes an UnplayableError, and a choice that leads to one is not made. With
        fair dice, `ready` is the throw for the opening.
        """
        self.state = state  #: the engine's state, which `dicemasters.game.inspect.view` reads
        self.seed = seed  #: seed of the dice
        self.fair = fair  #: fair dice, or None
        self.ready = ready  #: throw for the next choice that needs fair dice
        self.undone: tuple[UndoneMoves, ...] = ()  #: choices undone in a game with fair dice
        self._undone_throws: dict[bytes, FairThrow] = {}  # throws of undone choices, by path
        self.written = written or forged or any(card.set == OWN for card in state.spec.cards)
        self.forged = forged
        self.start = state.copy()
        self.moves: list[PlayedChoice] = []  #: choices made so far
        self._history = StateHistory()
        self._log_entries: list[LogEntry] = []
        self._forced_answers: list[tuple[int, str]] = []  # number of choices made so far, and the answer
        state.journal = []
        throw = self._seed_choice(state, 0, b"")
        rng_at_start = state.rng
        with self._guard() if self.written else _NO_GUARD:
            loop.advance(state)
            self.opening: tuple[ChanceOutcome, ...] = self._write_log()
        self.opening_throw = self._throw_if_used(state, rng_at_start, throw, rng_at_start, "")

    @classmethod
    def new(
        cls,
        edition: str | None = None,
        *,
        cast: str | None = None,
        teams: Sequence[Sequence[tuple[str | Card, int]]] | None = None,
        basics: Sequence[str | Card] = (),
        life: int | None = None,
        seed: int = 0,
        first: str | None = None,
        cards: Catalogue | None = None,
        solitaire: SolitaireRules | None = None,
        fair: FairDice | None = None,
        ready: FairThrow | None = None,
    ) -> Game:
        """Start a game, either with a cast of the rulebooks or with teams of (card, dice) and basic actions.

        `edition` may include house rules, as in `avx, unblocked stay until cleanup`; the default is the newest
        edition, and in solitaire games that of 2014. Four teams make a game of Doubles (docs/doubles.md). `first` is
        the letter of the player who goes first. With `fair` the dice follow from throws that all players contribute
        to (docs/fair-dice.md) instead of from `seed`; `ready` is the first throw.

        Raise SetupError for invalid arguments, and UnknownCardError for a card that is not in the catalogue.

        >>> game = Game.new("avx", teams=[[("Hulk: Jade Giant", 2)], [("Thor: Lord of Asgard", 2)]],
        ...                 basics=["Force Beam", "Smash!"], life=15, first="A")
        >>> [str(o) for o in game.decision.options][-1]
        'keep all'
        """
        check_seed(seed)
        _check_type("solitaire", solitaire, SolitaireRules)
        _check_type("fair", fair, FairDice)
        _check_type("ready", ready, FairThrow)
        default_edition = DEFAULT_EDITION if solitaire is None else SOLITAIRE_EDITION
        spec = make_game_spec(
            edition or default_edition,
            cast=cast,
            teams=teams,
            basics=basics,
            life=life,
            cards=cards,
            solitaire=solitaire,
        )
        seats = describe.SEATS[: spec.n_seats]
        if first not in (None, *seats):
            raise SetupError(f"first must be one of {', '.join(seats)}, not {first!r:.60}")
        if solitaire is not None and first is None:
            first = describe.SEATS[1 - solitaire.seat]  # the player begins (S11)
        first_side = -1 if first is None else describe.SEATS.index(first) & 1
        return cls(loop.new_state(spec, seed, first_side), seed=seed, fair=fair, ready=ready)

    @classmethod
    def laid_out(cls, state: State) -> Game:
        """Return a game that does not start: all dice are in their initial zones, and nothing is drawn or rolled."""
        state.result = TIE
        return cls(state)

    # --- decisions -------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The decision the game is waiting for, with all legal options, or None if the game is over."""
        s = self.state
        if s.result != UNDECIDED:
            return None
        texts = describe.option_texts(s)
        options = tuple(_choice(s, i, text, o) for i, (text, o) in enumerate(zip(texts, s.options, strict=True)))
        return Decision(describe.seat_name(s.decision.seat), s.decision.kind, describe.question(s), options)

    def play(self, choice: Choice | int | str) -> None:
        """Make a choice: an option of the decision, its index, its text, or words of its text that fit no other option.

        An answer of several dice is picked one die at a time, in the order in which the options are listed; `play_all`
        takes it as a whole.

        Raise IllegalChoiceError if the game is over or the choice does not name exactly one option. UnplayableError,
        ScriptedDiceError and FairDiceNeededError report that the choice cannot be made. In all these cases the game
        stays as it was.
        """
        s = self.state
        if s.result != UNDECIDED:
            raise IllegalChoiceError("the game is over")
        index = self.find(choice)
        previous = s.copy()
        player, text = describe.seat_name(s.decision.seat), describe.option_texts(s)[index]
        option = s.options[index]
        s.journal = []
        path = self._path(text)
        throw = self._seed_choice(s, len(self.moves) + 1, path)
        rng_at_start = s.rng
        log_length = len(self._log_entries)
        n_forced_answers = len(self._forced_answers)
        try:
            with self._guard() if self.written else _NO_GUARD:
                loop.apply(s, option)
                throw_used = self._throw_if_used(s, rng_at_start, throw, previous.rng, text)
                self.moves.append(PlayedChoice(player, text, ()))
                self._log_entries.append(
                    LogEntry(
                        len(self.moves), f"{player}: {text}", "move", tuple(_dice_of(option)), previous.decision.seat
                    )
                )
                self.moves[-1] = PlayedChoice(player, text, self._write_log(), throw_used, path)
        except (ScriptedDiceError, UnplayableError, FairDiceNeededError):
            self.state = previous
            del (
                self.moves[len(self._history) :],
                self._log_entries[log_length:],
                self._forced_answers[n_forced_answers:],
            )
            raise
        self._history.add(previous, option, rng_at_start if throw_used is not None else -1)
        if self.state.result_reason == VOID_REASON:
            _LOGGER.warning(
                "the game is %s: '%s' in this position:\n%s", VOID_REASON, text, notation.write_position(previous)
            )

    def play_all(self, choices: Sequence[Choice | int | str]) -> None:
        """Answer the decision as a whole: all attackers, blocks, rerolls, payments or targets, in any order.

        Each part is an option, its index, its text or words of its text. Naming a part twice picks two dice of a kind.
        No parts means none of them. Damage that is not assigned to a recipient is 0. A decision with a single answer
        takes exactly one.

        Raise IllegalChoiceError with the reason if the answer is illegal or incomplete, or the errors of `play`. In all
        these cases the game stays as it was.

        >>> game = Game.from_text('''
        ... edition: avx
        ... team A: Captain America: American Hero
        ... A field: 3 Sidekick, Captain America@1
        ... B field: Sidekick
        ... turn: 5, A, attack
        ... ''')
        >>> game.play_all(["Captain America", "Sidekick", "Sidekick"])
        >>> [move.text for move in game.moves]
        ['attack with Sidekick', 'attack with Sidekick', 'attack with Captain America@1']
        """
        options = self.find_all(choices)
        trial = self.copy()
        for option in options:
            trial.play(trial.state.options.index(option))
        self.__dict__.update(trial.__dict__)

    def find_all(self, choices: Sequence[Choice | int | str]) -> list[Option]:
        """Return the engine's options for a whole answer, in the order in which the engine asks for them.

        Raise IllegalChoiceError like `play_all`. The game does not change.
        """
        if self.state.result != UNDECIDED:
            raise IllegalChoiceError("the game is over")
        if isinstance(choices, str | bytes | bytearray) or not isinstance(choices, Sequence):
            raise IllegalChoiceError(f"a whole answer must be a list of its parts, not {choices!r:.60}")
        if len(choices) == 1 and (option := self._find_whole_answer(choices[0])) is not None:
            return [option]
        if len(choices) > MAX_PARTS:
            raise IllegalChoiceError(f"an answer has at most {MAX_PARTS} parts, not {len(choices)}")
        names = [choice if isinstance(choice, str) else self._find_part(choice) for choice in choices]
        return whole_answers.whole_answer_options(self.state, whole_answers.find_parts(self.state, names))

    def _find_whole_answer(self, choice: Choice | int | str) -> Option | None:
        """Return the option that a choice names if it answers the decision alone, such as `pass` or `no attack`."""
        try:
            option = self.state.options[self.find(choice)]
        except IllegalChoiceError:
            return None
        return option if DECISION_KINDS[self.state.decision.kind].mode == "one" or option[0] not in PARTS else None

    def _find_part(self, choice: Choice | int) -> Option | str:
        """Return the option that a choice names, or the text of one that is offered only after other parts."""
        try:
            return self.state.options[self.find(choice)]
        except IllegalChoiceError:
            if isinstance(choice, Choice):
                return choice.text
            raise

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Convert any engine failure in a hand-written game into an UnplayableError."""
        try:
            yield
            if self.state.result == UNDECIDED and not self.state.options:
                raise UnplayableError("this position cannot be played on: nobody could choose anything")
            if self.forged:
                _ = self.decision, self.to_text()  # a valid position can also be described and written
        except (ScriptedDiceError, UnplayableError, FairDiceNeededError):
            raise
        except Exception as error:
            raise UnplayableError(f"this position cannot be played on: {type(error).__name__}") from error

    def _seed_choice(self, s: State, number: int, path: bytes) -> FairThrow | None:
        """Seed the generator for a choice if the game has fair dice; return the throw used.

        A choice that was undone and is made again gets the same throw.
        """
        if self.fair is None:
            return None
        throw = self._undone_throws.get(path, self.ready)
        if throw is not None:
            s.rng = throw.generator(number)
        return throw

    def _throw_if_used(
        self, s: State, rng_at_start: int, throw: FairThrow | None, rng_before: int, text: str
    ) -> FairThrow | None:
        """Return the throw if the choice drew random numbers from it, or None.

        Raise FairDiceNeededError if it needed random numbers and there is no throw.
        """
        if self.fair is None:
            return None
        if s.rng == rng_at_start:  # each random number advances the generator
            s.rng = rng_before
            return None
        if throw is None:
            raise FairDiceNeededError(text)
        return throw

    def find(self, choice: Choice | int | str) -> int:
        """Return the index of an option, given the option, its index, its text or words of its text.

        Words match if they occur in this order in the text of one option only. Raise IllegalChoiceError if no option
        or several match.
        """
        n = len(self.state.options)
        if type(choice) is int and 0 <= choice < n:
            return choice
        if isinstance(choice, bool) or not isinstance(choice, Choice | int | str):
            raise IllegalChoiceError(f"a choice must be an option, its index or its text, not {choice!r:.60}")
        if isinstance(choice, Choice):
            choice = choice.text
        if isinstance(choice, int):
            name = str(choice) if abs(choice) < 10**9 else "with this number"
            raise IllegalChoiceError(f"there is no option {name}; the {n} options are numbered from 0")
        texts = describe.option_texts(self.state)
        matches = matching.match_texts(texts, choice)
        if len(matches) == 1:
            return matches[0]
        raise IllegalChoiceError(_match_error(describe.seat_name(self.state.decision.seat), choice, texts, matches))

    def undo(self, steps: int = 1) -> bool:
        """Undo the last choices; return False if there are none."""
        if type(steps) is not int or steps < 0:
            raise SetupError(f"steps must be a number of choices to undo, not {steps!r:.60}")
        remaining = max(0, len(self.moves) - steps)
        if remaining >= len(self.moves):
            return False
        if self.fair is not None:
            self._record_undone(remaining)
        self.state = self._history.rewind_to(remaining)
        del self.moves[remaining:]
        while self._log_entries and self._log_entries[-1].move > remaining:
            self._log_entries.pop()
        self._forced_answers = [x for x in self._forced_answers if x[0] <= remaining]
        return True

    def was_thrown(self, text: str) -> bool:
        """Return whether this choice was made here before with fair dice, and then undone."""
        return self._path(text) in self._undone_throws

    def _path(self, text: str) -> bytes:
        """Return a hash that identifies a choice and all choices before it."""
        if self.fair is None:
            return b""
        return sha256((self.moves[-1].path if self.moves else b"") + text.encode()).digest()

    def _record_undone(self, remaining: int) -> None:
        """Record the choices after the remaining ones, which are about to be undone, and their throws."""
        thrown = {move.path: move.throw for move in self.moves[remaining:] if move.throw is not None}
        if not thrown.keys() <= self._undone_throws.keys():
            self._undone_throws = self._undone_throws | thrown
        self.undone = (*self.undone, UndoneMoves(remaining, tuple(self.moves[remaining:])))

    @property
    def tape(self) -> list[PlayedChoice | int]:
        """All choices in the order they were made, undone ones included; an int is a number of choices undone."""
        parts: list[list[PlayedChoice | int]] = []
        moves = self.moves
        for undone in reversed(self.undone):
            parts.append([len(undone.moves), *moves[undone.left :]])
            moves = [*moves[: undone.left], *undone.moves]
        return [*moves, *(item for part in reversed(parts) for item in part)]

    # --- inspection ------------------------------------------------------------------------------------------------

    @property
    def table(self) -> GameSpec:
        """The unchanging part of the game: edition, cards and dice."""
        return self.state.spec

    @property
    def position(self) -> Position:
        """A read-only snapshot of the game as objects: players, dice and cards."""
        return Position(self.state)

    @property
    def result(self) -> Result | None:
        """The result of the game, or None while it is in progress."""
        s = self.state
        if s.result == UNDECIDED:
            return None
        return Result("" if s.result == TIE else describe.side_letters(s, s.result), s.result_reason)

    @property
    def log(self) -> tuple[str, ...]:
        """The events so far as text, one line each."""
        return tuple(
            line.text if line.kind == "move" else f"  {line.text}"
            for line in self._log_entries
            if line.kind not in ("step", "pay")  # the board shows the step, and the choice names the payment
        )

    def news(self, since: int = -1) -> list[LogEntry]:
        """Return the log entries since this number of choices had been made; all entries by default."""
        first = len(self._log_entries)
        while first and self._log_entries[first - 1].move > since:
            first -= 1
        return self._log_entries[first:]

    def taken(self, since: int) -> list[str]:
        """Return the answers taken without a decision since this number of choices had been made."""
        return [text for move, text in self._forced_answers if move >= since]

    @property
    def began(self) -> State:
        """The state before the first choice, which must not be modified."""
        return self._history.state_at(0) if self.moves else self.state

    def was_forced(self, move: int) -> bool:
        """Return whether a choice, counted from 0, was the only option."""
        return self._history.was_forced(move)

    def _write_log(self) -> tuple[ChanceOutcome, ...]:
        """Move the journal of the state into the log; return the draws and rolls in it."""
        s = self.state
        chance: list[ChanceOutcome] = []
        for entry in s.journal or ():
            line = describe.event_text(s, entry)
            if line:  # lines repeat within and between games, so they share one string
                self._log_entries.append(
                    LogEntry(len(self.moves), intern(line), *describe.journal_entry_subject(entry))
                )
            if entry[0] in ("draws", "rolls"):
                chance.append(_outcome_of(s, entry))
            elif entry[0] == "takes":
                self._forced_answers.append((len(self.moves), describe.forced_answer_text(s, entry)))
        s.journal = []
        return tuple(chance)

    # --- notation --------------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the position in notation (docs/notation.md), which `Game.from_text` reads."""
        return notation.write_position(self.state)

    @classmethod
    def from_text(cls, text: str, cards: Catalogue | None = None) -> Game:
        '''Return a game set up from a position written by hand or by `to_text`.

        Raise NotationError if the text is not a valid position; its subclass UnplayableError means that the game cannot
        continue from there.

        >>> game = Game.from_text("""
        ... edition: avx
        ... team A: Hulk: Jade Giant
        ... basics: Force Beam
        ... A field: Hulk@1
        ... A reserve: Force Beam!
        ... B field: 2 Sidekick
        ... turn: 5, A, main
        ... """)
        >>> game.play("use Force Beam")
        >>> "B prep: 2 Sidekick" in game.to_text()
        True
        '''
        if not isinstance(text, str):
            raise SetupError(f"a position must be a string, not {text!r:.60}")
        _check_type("cards", cards, Catalogue)
        return cls(notation.read_position(text, cards), written=True, forged=notation.has_machine_state(text))

    @property
    def record(self) -> str:
        """The record of the whole game: teams, every roll and choice, and the result (docs/notation.md)."""
        return write_record(self)

    @classmethod
    def from_record(cls, text: str, cards: Catalogue | None = None) -> Game:
        """Return the game of a record, replayed and verified move by move.

        Raise NotationError if the record cannot be read or does not replay as written.
        """
        if not isinstance(text, str):
            raise SetupError(f"a record must be a string, not {text!r:.60}")
        _check_type("cards", cards, Catalogue)
        return read_record(cls, text, cards)

    def _repr_svg_(self) -> str:
        """Return an image of the position for notebooks."""
        return svg.render_svg(self.state)

    def copy(self, *, seed: int | None = None) -> Game:
        """Return an independent game at the same moment, with the same history.

        With a seed, future dice differ from those of the original, so that looking ahead does not reveal them; such a
        copy starts at this moment and cannot be undone beyond it.

        >>> game = Game.new("ai", seed=7)
        >>> ahead = game.copy(seed=1)
        >>> ahead == game, ahead.decision == game.decision
        (False, True)
        """
        if seed is not None:
            state = self.state.copy()
            state.rng = loop.new_state(self.table, check_seed(seed)).rng
            return Game(state, seed=seed, written=self.written, forged=self.forged)
        other = Game.__new__(Game)
        other.state = self.state.copy()
        other.seed = self.seed
        other.fair = self.fair
        other.ready = self.ready
        other.undone = self.undone
        other.opening_throw = self.opening_throw
        other._undone_throws = self._undone_throws
        other.written = self.written
        other.forged = self.forged
        other.start = self.start
        other.moves = self.moves[:]
        other.opening = self.opening
        other._history = self._history.copy()
        other._log_entries = self._log_entries[:]
        other._forced_answers = self._forced_answers[:]
        return other

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a game as its record together with its home-made cards."""
        homemade = tuple(card for card in self.table.cards if card.set == OWN)
        return _from_pickle, (self.record, homemade)

    def __repr__(self) -> str:
        if self.state.result != UNDECIDED:
            return f"<Game: over in turn {self.state.turn}, {self.result}>"
        summary = repr(self.position).removeprefix("<Position: ").removesuffix(">")
        player = describe.seat_name(self.state.decision.seat)
        return f"<Game: {summary}; {player} decides: {describe.question(self.state)}>"

    def __str__(self) -> str:
        """Return the position in notation, like `to_text`."""
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


def _from_pickle(record: str, homemade: tuple[Card, ...]) -> Game:
    return Game.from_record(record, catalogue().with_cards(homemade) if homemade else None)


def check_seed(seed: object) -> int:
    """Return the seed, or raise SetupError if it is invalid."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise SetupError(f"a seed must be an integer, not {seed!r:.60}")
    if abs(seed) > MAX_SEED:
        raise SetupError(f"a seed must have at most {len(str(MAX_SEED))} digits, so that records can store it")
    return seed


def _check_type(name: str, value: object, expected: type) -> None:
    """Raise SetupError if a value is given and of the wrong type."""
    if value is not None and not isinstance(value, expected):
        raise SetupError(f"{name} must be a {expected.__name__}, not {value!r:.60}")


def make_game_spec(
    edition: str,
    *,
    cast: str | None = None,
    teams: Sequence[Sequence[tuple[str | Card, int]]] | None = None,
    basics: Sequence[str | Card] = (),
    life: int | None = None,
    cards: Catalogue | None = None,
    solitaire: SolitaireRules | None = None,
) -> GameSpec:
    """Return the spec for a cast of the rulebooks or for the given teams; raise SetupError for invalid arguments."""
    if not isinstance(edition, str):
        raise SetupError(f"an edition must be a string like 'avx', not {edition!r:.60}")
    if life is not None and (type(life) is not int or not 1 <= life <= 200):
        raise SetupError(f"life must be an integer from 1 to 200, not {life!r:.60}")
    try:
        rules = parse_edition(edition)
    except ValueError as error:
        raise SetupError(str(error)) from None
    _check_type("cards", cards, Catalogue)
    if isinstance(basics, str) or not isinstance(basics, Sequence):
        raise SetupError(f"basics must be a list of cards like ['Force Beam', 'Smash!'], not {basics!r:.60}")
    known_cards = cards or catalogue()
    if teams is None:
        name = cast or rules.key
        if name not in tuple(STARTER_GAMES):  # a tuple, so that unhashable names are rejected too
            raise SetupError(f"there is no cast '{name!s:.60}'; there are {', '.join(STARTER_GAMES)}")
        starter = STARTER_GAMES[name]
        teams, basics, life = starter.teams, basics or starter.basics, life or starter.life
    rosters: list[Team] = [
        tuple(_team_entry(known_cards, entry, seat) for entry in team)
        for seat, team in enumerate(_checked_teams(teams))
    ]
    # a basic action that both players bring has two sets of dice (rules 1.3e)
    copies = Counter(_find_card(known_cards, c) for c in basics)
    basic_dice = [(card, basic_action_dice(len(rosters)) * n) for card, n in copies.items()]
    return make_spec(rules, rosters, basic_dice, life or default_life(len(rosters)), solitaire)


def _checked_teams(teams: object) -> Sequence[Sequence[object]]:
    """Return the teams if they are two or four lists; raise SetupError otherwise."""
    if isinstance(teams, Sequence) and not isinstance(teams, str):
        if len(teams) not in (2, 4):
            raise SetupError(f"a game has two or four teams, not {len(teams)}")
        if all(isinstance(team, Sequence) and not isinstance(team, str) for team in teams):
            return teams
    raise SetupError("teams must be two lists of (card, dice) like [('Hulk: Jade Giant', 2)], or four in Doubles")


def _team_entry(known_cards: Catalogue, entry: object, seat: int) -> tuple[Card, int]:
    """Return the card and number of dice of a team entry."""
    match entry:
        case (Card() | str() as card, int() as dice) if not isinstance(dice, bool) and dice >= 1:
            return _find_card(known_cards, card), dice
    raise SetupError(
        f"team {describe.SEATS[seat]}: an entry must be (card, dice) like ('Hulk: Jade Giant', 2), not {entry!r:.60}"
    )


def _find_card(known_cards: Catalogue, card: object) -> Card:
    """Return the card, given as a `Card` or by name."""
    if isinstance(card, Card):
        return card
    if isinstance(card, str):
        return known_cards.find(card)
    raise SetupError(f"a card must be a Card or a name like 'Hulk: Jade Giant', not {card!r:.60}")


def _match_error(player: str, choice: str, texts: list[str], matches: list[int]) -> str:
    """Return the message for a choice that matches no option or several."""
    choice = choice if len(choice) <= 100 else f"{choice[:100]}…"
    if matches:
        return f"'{choice}' fits more than one option: {'; '.join(texts[i] for i in matches)}"
    return f"'{choice}' is not an option; {player} may: {'; '.join(texts)}"


def _outcome_of(s: State, entry: tuple[object, ...]) -> ChanceOutcome:
    """Return the outcome of a journal entry about a draw or roll."""
    kind, x, y, scripted, *_ = entry
    assert isinstance(x, int)
    assert isinstance(y, int)
    if kind == "draws":
        return _chance_outcome(s.spec.card_of[y], -1, bool(scripted), x)
    return _chance_outcome(s.spec.card_of[x], y, bool(scripted), s.owner[x])


_chance_outcome = lru_cache(4096)(ChanceOutcome)  # there are few distinct outcomes, and each occurs often


def _dice_of(option: Option) -> list[int]:
    """Return the dice an option names."""
    name, x, y = option
    kind = OPTION_KINDS[name]
    return [n for role, n in ((kind.x, x), (kind.y, y)) if role in ("die", "thing") and n < PLAYER]


def _choice(s: State, index: int, text: str, option: Option) -> Choice:
    """Return an option of the engine as a `Choice`."""
    name, x, y = option
    spec = s.spec
    dice = _dice_of(option)
    card, amount = None, 0
    for role, n in ((OPTION_KINDS[name].x, x), (OPTION_KINDS[name].y, y)):
        if role == "card":
            card = spec.cards[n]
        elif role == "ability":
            card = spec.cards[spec.abilities[n].card]
        elif role == "amount":
            amount = n
    if card is None and len(dice) == 1:
        card = spec.cards[spec.card_of[dice[0]]]
    return Choice(index, text, name, tuple(dice), card, amount)
