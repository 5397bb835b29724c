"""The front door: a game, its decision, its past."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from sys import intern

from dicemasters.cards.catalogue import Card, Catalogue, catalogue
from dicemasters.game import notation
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
from dicemasters.game.notation import BoundedJournal, UnplayableError
from dicemasters.game.notation.record import MAX_SEED, read_record, write_record
from dicemasters.game.position import Position
from dicemasters.game.rulesets.editions import DEFAULT_EDITION, parse_edition
from dicemasters.game.rulesets.solitaire import SOLITAIRE_EDITION, SolitaireRules
from dicemasters.game.rulesets.starter_games import STARTER_GAMES
from dicemasters.game.state.constants import PLAYER, TIE, UNDECIDED
from dicemasters.game.state.decision_kinds import OPTION_KINDS
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.text import describe, matching, svg
from dicemasters.game.turn import loop

OWN = "own"  # the set of home-made cards
_NO_GUARD = contextlib.nullcontext()


class Game:
    """A game of Dice Masters that waits for one decision at a time.

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
        """Begin with a state; `written` says that somebody wrote it, `forged` that it may be none of the game's making.

        Then whatever goes wrong is an UnplayableError, and a choice that leads there is not made. With fair dice `ready`
        is the throw of the opening.
        """
        self.state = state
        self.seed = seed
        self.fair = fair
        self.ready = ready  # fair dice for the next choice that needs some
        self.undone: tuple[UndoneMoves, ...] = ()
        self._undone_throws: dict[bytes, FairThrow] = {}  # the throws of choices taken back, by their paths
        self.written = written or forged or any(card.set == OWN for card in state.spec.cards)
        self.forged = forged
        self.start = state.copy()
        self.moves: list[PlayedChoice] = []
        self._history = StateHistory()
        self._log_entries: list[LogEntry] = []
        self._forced_answers: list[tuple[int, str]] = []  # how many choices had been made, and what was taken then
        state.journal = BoundedJournal() if self.written else []
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
        """Start a game: with a cast of the rulebooks, or with two teams of (card, dice) and basic actions.

        The edition may have house rules, as in `avx, unblocked stay until cleanup`; without one it is the newest, and in a
        solitaire game that of 2014. Four teams make a game of Doubles (docs/doubles.md). With `fair` the dice follow from
        throws that everybody has a part in (docs/fair-dice.md), not from the seed; `ready` is the first of them.

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
            raise SetupError(f"first is one of {', '.join(seats)}, not {first!r:.60}")
        if solitaire is not None and first is None:
            first = describe.SEATS[1 - solitaire.seat]  # the player begins (S11)
        first_side = -1 if first is None else describe.SEATS.index(first) & 1
        return cls(loop.new_state(spec, seed, first_side), seed=seed, fair=fair, ready=ready)

    @classmethod
    def laid_out(cls, state: State) -> Game:
        """Give a game that does not begin: every die lies where it starts, and nothing is drawn or rolled."""
        state.result = TIE
        return cls(state)

    # --- deciding --------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """Give what the game waits for, or None when it is over."""
        s = self.state
        if s.result != UNDECIDED:
            return None
        texts = describe.option_texts(s)
        options = tuple(_choice(s, i, text, o) for i, (text, o) in enumerate(zip(texts, s.options, strict=True)))
        return Decision(describe.seat_name(s.decision.seat), s.decision.kind, describe.question(s), options)

    def play(self, choice: Choice | int | str) -> None:
        """Make a choice: an option of the decision, its index, or its text."""
        s = self.state
        if s.result != UNDECIDED:
            raise IllegalChoiceError("the game is over")
        index = self.find(choice)
        previous = s.copy()
        player, text = describe.seat_name(s.decision.seat), describe.option_texts(s)[index]
        option = s.options[index]
        s.journal = BoundedJournal() if self.written else []
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

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """In a game that somebody wrote, turn whatever goes wrong into an UnplayableError."""
        try:
            yield
            if self.state.result == UNDECIDED and not self.state.options:
                raise UnplayableError("this position cannot be played on: nobody could choose anything")
            if self.forged:
                _ = self.decision, self.to_text()  # what cannot be told or written is no position either
        except (ScriptedDiceError, UnplayableError, FairDiceNeededError):
            raise
        except Exception as error:
            raise UnplayableError(f"this position cannot be played on: {type(error).__name__}") from error

    def _seed_choice(self, s: State, number: int, path: bytes) -> FairThrow | None:
        """Set the generator for a choice, as with fair dice each has its own; give the throw it comes from.

        A choice that was taken back and is made again has the throw it had.
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
        """Give the throw if dice were taken from it; if there were none to take, the choice cannot be made yet."""
        if self.fair is None:
            return None
        if s.rng == rng_at_start:  # every number moves the generator on
            s.rng = rng_before
            return None
        if throw is None:
            raise FairDiceNeededError(text)
        return throw

    def find(self, choice: Choice | int | str) -> int:
        """Give the index of an option, found by its text, or by words of it that only one option has in this order."""
        n = len(self.state.options)
        if type(choice) is int and 0 <= choice < n:
            return choice
        if isinstance(choice, bool) or not isinstance(choice, Choice | int | str):
            raise IllegalChoiceError(f"a choice is an option, its index or its text, not {choice!r:.60}")
        if isinstance(choice, Choice):
            choice = choice.text
        if isinstance(choice, int):
            raise IllegalChoiceError(f"there is no option {choice}; there are {n}, from 0")
        texts = describe.option_texts(self.state)
        matches = matching.match_texts(texts, choice)
        if len(matches) == 1:
            return matches[0]
        raise IllegalChoiceError(_match_error(describe.seat_name(self.state.decision.seat), choice, texts, matches))

    def undo(self, steps: int = 1) -> bool:
        """Take back the last choices; False if there is nothing to take back."""
        if type(steps) is not int or steps < 0:
            raise SetupError(f"choices are taken back by their number, not {steps!r:.60}")
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
        """Tell whether this choice was made here before, with fair dice, and taken back."""
        return self._path(text) in self._undone_throws

    def _path(self, text: str) -> bytes:
        """Give what stands for a choice and all before it."""
        if self.fair is None:
            return b""
        return sha256((self.moves[-1].path if self.moves else b"") + text.encode()).digest()

    def _record_undone(self, remaining: int) -> None:
        """Note the choices behind so many, which are about to be taken back, and their throws."""
        thrown = {move.path: move.throw for move in self.moves[remaining:] if move.throw is not None}
        if not thrown.keys() <= self._undone_throws.keys():
            self._undone_throws = self._undone_throws | thrown
        self.undone = (*self.undone, UndoneMoves(remaining, tuple(self.moves[remaining:])))

    @property
    def tape(self) -> list[PlayedChoice | int]:
        """Give all choices in the order they were made, those taken back too; a number is how many were taken back."""
        parts: list[list[PlayedChoice | int]] = []
        moves = self.moves
        for undone in reversed(self.undone):
            parts.append([len(undone.moves), *moves[undone.left :]])
            moves = [*moves[: undone.left], *undone.moves]
        return [*moves, *(item for part in reversed(parts) for item in part)]

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def table(self) -> GameSpec:
        return self.state.spec

    @property
    def position(self) -> Position:
        """Give how things stand, to look at: players, dice and cards by name."""
        return Position(self.state)

    @property
    def result(self) -> Result | None:
        """Give how the game ended, or None while it goes on."""
        s = self.state
        if s.result == UNDECIDED:
            return None
        return Result("" if s.result == TIE else describe.side_letters(s, s.result), s.result_reason)

    @property
    def log(self) -> tuple[str, ...]:
        """Give what happened so far, a line each."""
        return tuple(
            line.text if line.kind == "move" else f"  {line.text}"
            for line in self._log_entries
            if line.kind not in ("step", "pay")  # the table shows the step, the choice says what pays
        )

    def news(self, since: int = -1) -> list[LogEntry]:
        """Give what has happened since that many choices had been made; before the first choice is 0."""
        first = len(self._log_entries)
        while first and self._log_entries[first - 1].move > since:
            first -= 1
        return self._log_entries[first:]

    def taken(self, since: int) -> list[str]:
        """Give the answers nobody was asked for, as there was no other, since that many choices had been made."""
        return [text for move, text in self._forced_answers if move >= since]

    @property
    def began(self) -> State:
        """Give the state it began in, which is not to be changed."""
        return self._history.state_at(0) if self.moves else self.state

    def was_forced(self, move: int) -> bool:
        """Tell whether a choice that was made, from 0, was the only one there was."""
        return self._history.was_forced(move)

    def _write_log(self) -> tuple[ChanceOutcome, ...]:
        """Put what has just happened into the log; give the draws and rolls among it."""
        s = self.state
        chance: list[ChanceOutcome] = []
        for entry in s.journal or ():
            line = describe.event_text(s, entry)
            if line:  # mostly one that has been said before, here or at another table
                self._log_entries.append(
                    LogEntry(len(self.moves), intern(line), *describe.journal_entry_subject(entry))
                )
            if entry[0] in ("draws", "rolls"):
                chance.append(_outcome_of(s, entry))
            elif entry[0] == "takes":
                self._forced_answers.append((len(self.moves), describe.forced_answer_text(s, entry)))
        s.journal = []
        return tuple(chance)

    # --- text ------------------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Write the position down (docs/notation.md)."""
        return notation.write_position(self.state)

    @classmethod
    def from_text(cls, text: str, cards: Catalogue | None = None) -> Game:
        '''Set up a position written by hand or by `to_text`.

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
            raise SetupError(f"a position is a text, not {text!r:.60}")
        _check_type("cards", cards, Catalogue)
        return cls(notation.read_position(text, cards), written=True, forged=notation.has_machine_state(text))

    @property
    def record(self) -> str:
        """Write the whole game down: teams, every roll and choice, the result."""
        return write_record(self)

    @classmethod
    def from_record(cls, text: str, cards: Catalogue | None = None) -> Game:
        """Play a record again; it must come out the same."""
        if not isinstance(text, str):
            raise SetupError(f"a record is a text, not {text!r:.60}")
        _check_type("cards", cards, Catalogue)
        return read_record(cls, text, cards)

    def _repr_svg_(self) -> str:
        """Draw the position, for notebooks."""
        return svg.render_svg(self.state)

    def copy(self, *, seed: int | None = None) -> Game:
        """Give an independent game at the same moment, with the same past.

        With a seed the dice to come are others, so that looking ahead is not looking at the dice; such a copy begins
        here, and cannot be undone beyond.

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
        """Let a game be pickled, and so sent to another process: as its record, with the home-made cards in it."""
        homemade = tuple(card for card in self.table.cards if card.set == OWN)
        return _from_pickle, (self.record, homemade)

    def __repr__(self) -> str:
        if self.state.result != UNDECIDED:
            return f"<Game: over in turn {self.state.turn}, {self.result}>"
        summary = repr(self.position).removeprefix("<Position: ").removesuffix(">")
        player = describe.seat_name(self.state.decision.seat)
        return f"<Game: {summary}; {player} decides: {describe.question(self.state)}>"

    def __str__(self) -> str:
        """Write the position down, like `to_text`."""
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


def _from_pickle(record: str, homemade: tuple[Card, ...]) -> Game:
    return Game.from_record(record, catalogue().with_cards(homemade) if homemade else None)


def check_seed(seed: object) -> int:
    """Give a seed, or refuse what is none."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise SetupError(f"a seed is a whole number, not {seed!r:.60}")
    if abs(seed) > MAX_SEED:
        raise SetupError(f"a seed has at most {len(str(MAX_SEED))} digits, so that a record can be read again")
    return seed


def _check_type(name: str, value: object, expected: type) -> None:
    """Refuse what is there and of another kind."""
    if value is not None and not isinstance(value, expected):
        raise SetupError(f"{name} is a {expected.__name__}, not {value!r:.60}")


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
    """Make the table for a cast of the rulebooks or for given teams."""
    if not isinstance(edition, str):
        raise SetupError(f"an edition is a text like 'avx', not {edition!r:.60}")
    if life is not None and (type(life) is not int or not 1 <= life <= 200):
        raise SetupError(f"life is a number from 1 to 200, not {life!r:.60}")
    try:
        rules = parse_edition(edition)
    except ValueError as error:
        raise SetupError(str(error)) from None
    _check_type("cards", cards, Catalogue)
    if isinstance(basics, str) or not isinstance(basics, Sequence):
        raise SetupError(f"basics are a list of cards, as ['Force Beam', 'Smash!'], not {basics!r:.60}")
    known_cards = cards or catalogue()
    if teams is None:
        name = cast or rules.key
        if name not in tuple(STARTER_GAMES):  # also of what has no hash
            raise SetupError(f"there is no cast '{name!s:.60}'; there are {', '.join(STARTER_GAMES)}")
        starter = STARTER_GAMES[name]
        teams, basics, life = starter.teams, basics or starter.basics, life or starter.life
    rosters: list[Team] = [
        tuple(_team_entry(known_cards, entry, seat) for entry in team)
        for seat, team in enumerate(_checked_teams(teams))
    ]
    copies = Counter(
        _find_card(known_cards, c) for c in basics
    )  # a basic action both players bring has two sets of dice (1.3)
    basic_dice = [(card, basic_action_dice(len(rosters)) * n) for card, n in copies.items()]
    return make_spec(rules, rosters, basic_dice, life or default_life(len(rosters)), solitaire)


def _checked_teams(teams: object) -> Sequence[Sequence[object]]:
    """Give the teams if they are two or four lists."""
    if isinstance(teams, Sequence) and not isinstance(teams, str):
        if len(teams) not in (2, 4):
            raise SetupError(f"two or four can play, not {len(teams)}")
        if all(isinstance(team, Sequence) and not isinstance(team, str) for team in teams):
            return teams
    raise SetupError("teams are two lists, or four in Doubles, each of (card, dice): [('Hulk: Jade Giant', 2)]")


def _team_entry(known_cards: Catalogue, entry: object, seat: int) -> tuple[Card, int]:
    """Read a card of a team and how many dice it has."""
    match entry:
        case (Card() | str() as card, int() as dice) if not isinstance(dice, bool) and dice >= 1:
            return _find_card(known_cards, card), dice
    raise SetupError(
        f"team {describe.SEATS[seat]}: a card stands with its dice, ('Hulk: Jade Giant', 2), not {entry!r:.60}"
    )


def _find_card(known_cards: Catalogue, card: object) -> Card:
    if isinstance(card, Card):
        return card
    if isinstance(card, str):
        return known_cards.find(card)
    raise SetupError(f"a card is named by a text like 'Hulk: Jade Giant', not {card!r:.60}")


def _match_error(player: str, choice: str, texts: list[str], matches: list[int]) -> str:
    choice = choice if len(choice) <= 100 else f"{choice[:100]}…"
    if matches:
        return f"'{choice}' fits more than one option: {'; '.join(texts[i] for i in matches)}"
    return f"'{choice}' is not an option; {player} may: {'; '.join(texts)}"


def _outcome_of(s: State, entry: tuple[object, ...]) -> ChanceOutcome:
    kind, x, y, scripted, *_ = entry
    assert isinstance(x, int)
    assert isinstance(y, int)
    if kind == "draws":
        return _chance_outcome(s.spec.card_of[y], -1, bool(scripted), x)
    return _chance_outcome(s.spec.card_of[x], y, bool(scripted), s.owner[x])


_chance_outcome = lru_cache(4096)(ChanceOutcome)  # there are few, and each happens often


def _dice_of(option: Option) -> list[int]:
    """List the dice an option names."""
    name, x, y = option
    kind = OPTION_KINDS[name]
    return [n for role, n in ((kind.x, x), (kind.y, y)) if role in ("die", "thing") and n < PLAYER]


def _choice(s: State, index: int, text: str, option: Option) -> Choice:
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
