"""Games as text: teams, seed or starting position, every choice with the draws and rolls that followed, the result."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game import notation
from dicemasters.game.decision import ChanceOutcome, FairDiceNeededError, IllegalChoiceError, Result
from dicemasters.game.fair_dice import ANCHOR, LINKS, ActorWord, FairDice, FairDiceError, FairDiceVerifier, FairThrow
from dicemasters.game.game_spec import GameSpec
from dicemasters.game.mechanics.chance import ANY_SEAT, ScriptedDiceError
from dicemasters.game.notation import NotationError, UnplayableError
from dicemasters.game.notation.dice_audit import is_forced
from dicemasters.game.state.constants import SETUP
from dicemasters.game.state.state import State
from dicemasters.game.text import describe
from dicemasters.game.turn import loop

if TYPE_CHECKING:
    from dicemasters.game.game import Game

HEADING = "dicemasters record"
MAX_CHARACTERS = 1_000_000  # a long game has about 60,000
MAX_LINES = 50_000
MAX_SEED = 10**20 - 1
MAX_CHAINS = 500
UNDO = "undo"
MAX_MOVE_LENGTH = 500  # characters of a choice


_EXTERNAL_RESULT = re.compile(
    "[AB] wins: [AB] (conceded|ran out of time|did not come back)"
)  # an end the rules do not know


def write_record(game: Game, given: Result | None = None) -> str:
    """Write a game down; read_record plays it again. With fair dice it tells every part of every throw, and what was undone.

    `given` is how a game ended that the rules did not end, as by a concession.
    """
    t = game.table
    lines = [HEADING]
    if _is_fresh(game.start):
        lines += notation.write_setup(t)
        lines += [f"seed: {game.seed}"] if game.fair is None else _fair_lines(game.fair)
        if game.start.step != SETUP:
            lines.append(f"first: {describe.SEATS[game.start.first]}")
    else:
        lines += [] if game.fair is None else _fair_lines(game.fair)
        lines += [f"  {line}".rstrip() for line in notation.write_position(game.start).splitlines()]
    lines.append("moves:")
    lines += _throw_lines(game.opening_throw)
    lines += _chance_lines(t, game.opening)
    for move in game.tape:
        if isinstance(move, int):
            lines.append(f"undo: {move}")
            continue
        lines.append(f"{move.player}: {move.text}")
        lines += _throw_lines(move.throw)
        lines += _chance_lines(t, move.chance)
    lines.append(f"result: {game.result or given or 'unfinished'}")
    return "\n".join(lines) + "\n"


def _is_fresh(start: State) -> bool:
    """Tell whether a game began at the beginning, so that the teams say it all."""
    if start.turn or start.stack:
        return False
    new = loop.new_state(start.spec, 0, -1 if start.step == SETUP else start.first)
    new.rng = start.rng
    return new == start


def _throw_lines(throw: FairThrow | None) -> list[str]:
    return [] if throw is None else [f"  dice: {throw}"]


def _fair_lines(fair: FairDice) -> list[str]:
    lines = [f"commitment: {fair.commitment}", f"told: {fair.at}, {fair.link or fair.commitment}"]
    lines += [f"chain: {x.name}, {x.since}, {x.anchor}, {x.at}, {x.link}" for x in fair.chains]
    lines += [f"bot: {seat}, {player}" for seat, player in fair.bots]
    return lines


def _chance_lines(t: GameSpec, chance: tuple[ChanceOutcome, ...]) -> list[str]:
    """Draws and rolls, a line for each run; scripted ones begin with `set`, and say whose each die is."""
    lines: list[str] = []
    for (drawn, scripted), run in groupby(chance, key=lambda c: (c.face < 0, c.scripted)):
        words = "set " if scripted else ""
        things = ", ".join(describe.chance_text(t, c.card, c.face, c.seat if scripted else -1) for c in run)
        lines.append(f"  {words}{'draws' if drawn else 'rolls'}: {things}")
    return lines


def read_record(made: type[Game], text: str, cards: Catalogue | None = None) -> Game:
    """Play a record again, as a game of this class, and check every roll, every choice and the result."""
    lines = notation.lines_of(text, MAX_CHARACTERS, MAX_LINES)
    if not lines or lines[0].strip() != HEADING:
        raise NotationError(f"a record begins with '{HEADING}'", 1)
    if "moves:" not in lines:
        raise NotationError("the record has no 'moves:' line", len(lines))
    start = lines.index("moves:")
    body = [(i + 1, line) for i, line in enumerate(lines) if i > start and line.strip()]
    if not body or not body[-1][1].startswith("result:"):
        raise NotationError("the record ends before its 'result:' line", len(lines))
    opening = [(number, line.strip()) for number, line in takewhile(lambda x: x[1].startswith(" "), body)]
    game, book = _start_recorded_game(made, lines[1:start], opening, cards)
    return _replay(game, book, body)


def _start_recorded_game(
    made: type[Game], header: list[str], opening: list[tuple[int, str]], cards: Catalogue | None
) -> tuple[Game, FairDiceVerifier | None]:
    seed, first = 0, -1
    fair: FairDice | None = None
    plain: list[str] = [""]  # so that line numbers count the heading
    for number, line in enumerate(header, 2):
        if line.startswith("seed:"):
            value = line[5:].strip()
            if not notation.is_number(value.removeprefix("-"), len(str(MAX_SEED))):
                raise NotationError(f"'{notation.excerpt(value)}' is not a seed", number)
            seed = int(value)
            plain.append("")
        elif line.startswith("first:"):
            first = describe.SEATS.find(line[6:].strip()) if line[6:].strip() else -1
            if first not in (0, 1):
                raise NotationError(f"'{notation.excerpt(line[6:].strip())}' cannot begin", number)
            plain.append("")
        elif line.startswith(("commitment:", "nonce:", "secret:", "told:", "chain:", "bot:")):
            fair = _read_fair(fair, line, number)
            plain.append("")
        else:
            plain.append(line)
    fresh = not any(line.startswith("  ") for line in header)
    s = notation.read_without_advancing("\n".join(plain), cards)
    if fresh:
        s = loop.new_state(s.spec, seed, first)
    book, ready = None, None
    number = opening[0][0] if opening else 1
    try:
        if fair is not None:
            if not fair.link:
                raise NotationError("behind 'commitment:' a line 'told:' says what the table told", 1)
            if sum(chain.at for chain in fair.chains) > len(describe.SEATS) * fair.at:
                raise NotationError("the browsers told more links than there are throws for", 1)
            book = FairDiceVerifier(fair)
            ready = _read_throw(book, opening)
        forged = any(map(notation.has_machine_state, header))
        return made(s, seed=seed, fair=fair, ready=ready, written=True, forged=forged), book
    except (ScriptedDiceError, FairDiceError) as error:
        raise NotationError(str(error), number) from None
    except FairDiceNeededError:
        raise NotationError("dice fall here, and no 'dice:' line tells of them", number) from None


def _read_throw(book: FairDiceVerifier, lines: list[tuple[int, str]], actors: str = "") -> FairThrow | None:
    """Read the `dice:` line of a choice, if it has one, and check that throw."""
    if not lines or not lines[0][1].startswith("dice:"):
        return None
    number, line = lines[0]
    word: ActorWord | None = None
    links: list[tuple[str, int]] = []
    without = ""
    count, *parts = [part.strip() for part in line[5:].split(",")]
    for part in parts:
        if found := re.fullmatch(r"([A-D]) ([0-9a-f]{32})", part):
            word = ActorWord(found[1], found[2])
        elif found := re.fullmatch(r"([A-D]{1,4}[0-9]{0,3})\.([0-9]{1,4})", part):
            links.append((found[1], int(found[2])))
        elif found := re.fullmatch(r"without ([A-D])", part):
            without += found[1]
        else:
            raise NotationError(f"'{notation.excerpt(part)}' is nobody's part in a throw", number)
    if not notation.is_number(count, 5):
        raise NotationError(f"'{notation.excerpt(count)}' is not the number of a throw", number)
    try:
        taken = book.verify_throw(int(count), word, links, without, actors)
    except FairDiceError as error:
        raise NotationError(str(error), number) from None
    if str(taken) != line[5:].strip():
        raise NotationError(f"a throw is written as: {taken}", number)
    return taken


def _read_fair(fair: FairDice | None, line: str, number: int) -> FairDice:
    """Read a line about fair dice: what the table committed to, what it told, then the chains and the bots."""
    word, _, rest = line.partition(":")
    value = rest.strip()
    if word == "commitment":
        if not ANCHOR.fullmatch(value):
            raise NotationError(f"'{notation.excerpt(value)}' is no commitment, which is 64 hexadecimal digits", number)
        return FairDice(value)
    if word in ("nonce", "secret"):
        raise NotationError(f"'{word}:' is of the first way of fair dice, which is no longer played or checked", number)
    if fair is None:
        raise NotationError(f"'{word}:' stands behind a line 'commitment:'", number)
    parts = [part.strip() for part in value.split(",")]
    if word == "told":
        if len(parts) != 2 or not _is_revealed_link(parts) or fair.chains:
            raise NotationError("what the table told is written as: how many links, the last one", number)
        return replace(fair, at=int(parts[0]), link=parts[1])
    if not fair.link:
        raise NotationError(f"'{word}:' stands behind a line 'told:'", number)
    if word == "bot":
        if len(parts) != 2 or not re.fullmatch("[A-D]", parts[0]) or len(parts[1]) > 40 or len(fair.bots) >= 4:
            raise NotationError("a bot is written as: its seat, its name", number)
        return replace(fair, bots=(*fair.bots, (parts[0], parts[1])))
    name = re.fullmatch("([A-D]{1,4})([0-9]{0,3})", parts[0])
    if (
        not name
        or len(parts) != 5
        or not notation.is_number(parts[1], 5)
        or not ANCHOR.fullmatch(parts[2])
        or not _is_revealed_link(parts[3:])
    ):
        raise NotationError(
            "a chain is written as: its name, from which throw on, anchor, how many links, the last one", number
        )
    if len(fair.chains) >= MAX_CHAINS:
        raise NotationError(f"there are more than the {MAX_CHAINS} chains there can be", number)
    since = int(parts[1])
    last = fair.chains[-1].since if fair.chains else 1
    chain = fair.with_chain(name[1], parts[2], since).chains[-1]._replace(at=int(parts[3]), link=parts[4])
    if chain.name != parts[0] or since < last:
        raise NotationError("chains are named and counted in the order they were taken", number)
    return replace(fair, chains=(*fair.chains, chain))


def _is_revealed_link(parts: list[str]) -> bool:
    return notation.is_number(parts[0], 4) and int(parts[0]) <= LINKS and ANCHOR.fullmatch(parts[1]) is not None


def _replay(game: Game, book: FairDiceVerifier | None, body: list[tuple[int, str]]) -> Game:
    t = game.table
    moves: list[tuple[int, str, str]] = []
    chance: list[list[tuple[int, str]]] = [[]]
    for number, line in body[:-1]:
        if line.startswith(" "):
            chance[-1].append((number, line.strip()))
            continue
        player, colon, text = line.partition(": ")
        if not colon or not _is_mover(player, book) or len(text) > MAX_MOVE_LENGTH:
            raise NotationError(f"'{notation.excerpt(line)}' is no move; a move is 'A: what is chosen'", number)
        moves.append((number, player, text))
        chance.append([])
    _check_throw(game.opening_throw, book, chance[0], body[0][0])
    _check_chance(t, game.opening, chance[0], body[0][0])
    serving = game.opening_throw  # also for what follows of itself, where nobody has anything to decide
    chooser = ""
    for i, (number, player, text) in enumerate(moves):
        if player == UNDO:
            if not notation.is_number(text, 5) or not 1 <= int(text) <= len(game.moves):
                raise NotationError(f"{notation.excerpt(text)} choices cannot be taken back here", number)
            game.undo(int(text))
            serving = None
            continue
        decision = game.decision
        if decision is None:
            raise NotationError("the game is over before this move", number)
        if decision.player != player:
            raise NotationError(f"it is {decision.player}'s decision, not {player}'s", number)
        game.state.script = _script(t, chance[i + 1])
        if book is not None:
            if not is_forced(game.state, text):
                serving, chooser = None, player
            _prepare_throw(game, book, serving, text, chooser + player, chance[i + 1], number)
        try:
            game.play(text)
        except (IllegalChoiceError, ScriptedDiceError, UnplayableError) as error:
            raise NotationError(str(error), number) from None
        except FairDiceNeededError:
            raise NotationError("dice fall here, and no 'dice:' line tells of them", number) from None
        serving = game.moves[-1].throw or serving
        _check_throw(game.moves[-1].throw, book, chance[i + 1], number)
        _check_chance(t, game.moves[-1].chance, chance[i + 1], number)
    number, line = body[-1]
    expected = str(game.result or "unfinished")
    if line[7:].strip() != expected and (game.result or not _EXTERNAL_RESULT.fullmatch(line[7:].strip())):
        raise NotationError(f"the record says '{line[7:].strip()}', but the game is: {expected}", number)
    if book is not None:
        game.ready = None
        try:
            book.verify_complete()
        except FairDiceError as error:
            raise NotationError(str(error), number) from None
    return game


def _is_mover(player: str, book: FairDiceVerifier | None) -> bool:
    return (len(player) == 1 and player in describe.SEATS) or (player == UNDO and book is not None)


def _prepare_throw(
    game: Game,
    book: FairDiceVerifier,
    serving: FairThrow | None,
    text: str,
    actors: str,
    lines: list[tuple[int, str]],
    number: int,
) -> None:
    """Lay the throw of a choice ready: the next one, its own if it was taken back before, or the one that still serves."""
    known = len(book.throws)
    game.ready = _read_throw(book, lines, actors)
    if game.ready is not None and len(book.throws) == known and not game.was_thrown(text) and game.ready != serving:
        raise NotationError(f"throw {game.ready.number} was for another choice", number)


def _check_throw(
    used: FairThrow | None, book: FairDiceVerifier | None, lines: list[tuple[int, str]], number: int
) -> None:
    """Insist that the dice of a choice are those its line tells of; the line is then done with."""
    if book is None:
        return
    said = lines.pop(0)[1][5:].strip() if lines and lines[0][1].startswith("dice:") else ""
    if said != str(used or ""):
        raise NotationError(
            f"the dice of this choice are of throw '{used or ''}', not '{notation.excerpt(said)}'", number
        )


def _script(t: GameSpec, lines: list[tuple[int, str]]) -> list[tuple[int, int, int]]:
    """Read the scripted draws and rolls; the others come from the generator again."""
    if not any(line.startswith("set ") for _, line in lines):
        return []
    known = _dice(t)
    out: list[tuple[int, int, int]] = []
    for number, line in lines:
        words, _, rest = line.partition(": ")
        if words.startswith("set "):
            for item in _split(rest, known):
                if item not in known:
                    raise NotationError(f"'{notation.excerpt(item)}' is no die of this game", number)
                out.append(known[item])
    return out


@lru_cache(maxsize=8)
def _dice(t: GameSpec) -> dict[str, tuple[int, int, int]]:
    """Give what a text about a die that was drawn or rolled stands for."""
    known: dict[str, tuple[int, int, int]] = {}
    for c in (c for c in range(t.n_cards) if t.dice_of[c]):
        owner = t.owner_of_card[c]
        for seat in (owner,) if owner >= 0 else (ANY_SEAT, *range(t.n_seats)):
            known |= {describe.chance_text(t, c, face, seat): (seat, c, face) for face in range(5, -2, -1)}
    return known


def _split(rest: str, known: dict[str, tuple[int, int, int]]) -> list[str]:
    """Split at commas, but not inside a title that has one."""
    out: list[str] = []
    for part in rest.split(", "):
        if out and out[-1] not in known and len(out[-1]) < notation.MAX_ITEM_LENGTH:
            out[-1] += f", {part}"
        else:
            out.append(part)
    return out


def _check_chance(t: GameSpec, happened: tuple[ChanceOutcome, ...], lines: list[tuple[int, str]], number: int) -> None:
    for (at, line), mine in zip(lines, _chance_lines(t, happened), strict=False):
        if line != mine.strip() and not (line.startswith("set ") and _is_same(t, line, mine.strip(), at)):
            raise NotationError(f"the record says '{line}', but it comes out as '{mine.strip()}'", at)
    if len(lines) != len(_chance_lines(t, happened)):
        raise NotationError("the draws and rolls after this move do not fit it", number)


def _is_same(t: GameSpec, line: str, mine: str, at: int) -> bool:
    """Tell whether a line says what happened, perhaps without saying whose a basic action's die is."""
    said, happened = _script(t, [(at, line)]), _script(t, [(at, mine)])
    return len(said) == len(happened) and all(
        x[1:] == y[1:] and x[0] in (ANY_SEAT, y[0]) for x, y in zip(said, happened, strict=True)
    )
