"""Records: games as text, like PGN in chess.

A record has the setup, the seed or start position, every choice with its draws and rolls, and the result.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from dicemasters import __version__
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
VERSION = "version:"  # program version of the writer; records of 0.1.0 have no such line
MAX_VERSION_LENGTH = 40  # characters
MAX_CHARACTERS = 1_000_000  # long games have about 60,000
MAX_LINES = 50_000
MAX_SEED = 10**20 - 1
MAX_CHAINS = 500
UNDO = "undo"
MAX_MOVE_LENGTH = 500  # characters per choice


# results decided outside the rules
_EXTERNAL_RESULT = re.compile("[AB] wins: [AB] (conceded|ran out of time|did not come back)")


def write_record(game: Game, external_result: Result | None = None) -> str:
    """Return the record of a game, which `read_record` replays. With fair dice it includes every throw and every undo.

    `external_result` is the result of a game that ended outside the rules, for example by concession.
    """
    spec = game.table
    lines = [HEADING, f"{VERSION} {__version__}"]
    if _is_fresh(game.start):
        lines += notation.write_setup(spec)
        lines += [f"seed: {game.seed}"] if game.fair is None else _fair_lines(game.fair)
        if game.start.step != SETUP:
            lines.append(f"first: {describe.SEATS[game.start.first]}")
    else:
        lines += [] if game.fair is None else _fair_lines(game.fair)
        lines += [f"  {line}".rstrip() for line in notation.write_position(game.start).splitlines()]
    lines.append("moves:")
    lines += _throw_lines(game.opening_throw)
    lines += _chance_lines(spec, game.opening)
    for move in game.tape:
        if isinstance(move, int):
            lines.append(f"undo: {move}")
            continue
        lines.append(f"{move.player}: {move.text}")
        lines += _throw_lines(move.throw)
        lines += _chance_lines(spec, move.chance)
    lines.append(f"result: {game.result or external_result or 'unfinished'}")
    return "\n".join(lines) + "\n"


def _is_fresh(start: State) -> bool:
    """Return True if `start` is the first state of a new game, so that setup and seed describe it completely."""
    if start.turn or start.stack:
        return False
    fresh = loop.new_state(start.spec, 0, -1 if start.step == SETUP else start.first)
    fresh.rng = start.rng
    return fresh == start


def _throw_lines(throw: FairThrow | None) -> list[str]:
    return [] if throw is None else [f"  dice: {throw}"]


def _fair_lines(fair: FairDice) -> list[str]:
    lines = [f"commitment: {fair.commitment}", f"told: {fair.at}, {fair.link or fair.commitment}"]
    lines += [f"chain: {x.name}, {x.since}, {x.anchor}, {x.at}, {x.link}" for x in fair.chains]
    lines += [f"bot: {seat}, {player}" for seat, player in fair.bots]
    return lines


def _chance_lines(spec: GameSpec, chance: tuple[ChanceOutcome, ...]) -> list[str]:
    """Return draws and rolls, one line per run; scripted runs begin with `set` and name each die's owner."""
    lines: list[str] = []
    for (drawn, scripted), run in groupby(chance, key=lambda c: (c.face < 0, c.scripted)):
        prefix = "set " if scripted else ""
        outcomes = ", ".join(describe.chance_text(spec, c.card, c.face, c.seat if scripted else -1) for c in run)
        lines.append(f"  {prefix}{'draws' if drawn else 'rolls'}: {outcomes}")
    return lines


def read_record(game_class: type[Game], text: str, cards: Catalogue | None = None) -> Game:
    """Replay a record as a game of `game_class`, and check every roll, every choice and the result."""
    lines = notation.lines_of(text, MAX_CHARACTERS, MAX_LINES)
    if not lines or lines[0].strip() != HEADING:
        raise NotationError(f"a record begins with '{HEADING}'", 1)
    if "moves:" not in lines:
        raise NotationError("the record has no 'moves:' line", len(lines))
    start = lines.index("moves:")
    body = [(i + 1, line) for i, line in enumerate(lines) if i > start and line.strip()]
    if not body or not body[-1][1].startswith("result:"):
        raise NotationError("the record ends before its 'result:' line", len(lines))
    opening = [(line_number, line.strip()) for line_number, line in takewhile(lambda x: x[1].startswith(" "), body)]
    version = _read_version(lines[1:start])
    try:
        game, verifier = _start_recorded_game(game_class, lines[1:start], opening, cards)
        return _replay(game, verifier, body)
    except NotationError as error:
        if version == __version__:
            raise
        problem = f"{error.problem}; records without a version may be of 0.1.0, which {__version__} cannot replay"
        if version is not None:
            problem = (
                f"version {version} wrote this record, and version {__version__} cannot replay it: {error.problem}"
            )
        raise type(error)(problem, error.line) from None


def _read_version(header: list[str]) -> str | None:
    """Return the version that wrote the record, or None if the record does not state one."""
    for line_number, line in enumerate(header, 2):
        if line.startswith(VERSION):
            version = line[len(VERSION) :].strip()
            if not 0 < len(version) <= MAX_VERSION_LENGTH:
                raise NotationError(f"'{notation.excerpt(version)}' is not a version", line_number)
            return version
    return None


def _start_recorded_game(
    game_class: type[Game], header: list[str], opening: list[tuple[int, str]], cards: Catalogue | None
) -> tuple[Game, FairDiceVerifier | None]:
    seed, first = 0, -1
    fair: FairDice | None = None
    position_lines: list[str] = [""]  # placeholder for the heading, to keep line numbers
    for line_number, line in enumerate(header, 2):
        if line.startswith("seed:"):
            value = line[5:].strip()
            if not notation.is_number(value.removeprefix("-"), len(str(MAX_SEED))):
                raise NotationError(f"'{notation.excerpt(value)}' is not a seed", line_number)
            seed = int(value)
            position_lines.append("")
        elif line.startswith("first:"):
            first = describe.SEATS.find(line[6:].strip()) if line[6:].strip() else -1
            if first not in (0, 1):
                raise NotationError(
                    f"'{notation.excerpt(line[6:].strip())}' is not a first player; write A or B", line_number
                )
            position_lines.append("")
        elif line.startswith(VERSION):
            position_lines.append("")
        elif line.startswith(("commitment:", "nonce:", "secret:", "told:", "chain:", "bot:")):
            fair = _read_fair(fair, line, line_number)
            position_lines.append("")
        else:
            position_lines.append(line)
    fresh = not any(line.startswith("  ") for line in header)
    s = notation.read_without_advancing("\n".join(position_lines), cards)
    if fresh:
        s = loop.new_state(s.spec, seed, first)
    verifier, ready = None, None
    line_number = opening[0][0] if opening else 1
    try:
        if fair is not None:
            if not fair.link:
                raise NotationError("'commitment:' needs a line 'told:' with the links that the table revealed", 1)
            if sum(chain.at for chain in fair.chains) > len(describe.SEATS) * fair.at:
                raise NotationError("the browsers revealed more links than the throws can use", 1)
            verifier = FairDiceVerifier(fair)
            ready = _read_throw(verifier, opening)
        forged = any(map(notation.has_machine_state, header))
        return game_class(s, seed=seed, fair=fair, ready=ready, written=True, forged=forged), verifier
    except (ScriptedDiceError, FairDiceError) as error:
        raise NotationError(str(error), line_number) from None
    except FairDiceNeededError:
        raise NotationError("dice are needed here, but there is no 'dice:' line", line_number) from None


def _read_throw(verifier: FairDiceVerifier, lines: list[tuple[int, str]], actors: str = "") -> FairThrow | None:
    """Return the verified throw of a leading `dice:` line, or None if there is no such line."""
    if not lines or not lines[0][1].startswith("dice:"):
        return None
    line_number, line = lines[0]
    word: ActorWord | None = None
    links: list[tuple[str, int]] = []
    without = ""
    count, *parts = [part.strip() for part in line[5:].split(",")]
    for part in parts:
        if match := re.fullmatch(r"([A-D]) ([0-9a-f]{32})", part):
            word = ActorWord(match[1], match[2])
        elif match := re.fullmatch(r"([A-D]{1,4}[0-9]{0,3})\.([0-9]{1,4})", part):
            links.append((match[1], int(match[2])))
        elif match := re.fullmatch(r"without ([A-D])", part):
            without += match[1]
        else:
            raise NotationError(f"'{notation.excerpt(part)}' is not a contribution to a throw", line_number)
    if not notation.is_number(count, 5):
        raise NotationError(f"'{notation.excerpt(count)}' is not the number of a throw", line_number)
    try:
        throw = verifier.verify_throw(int(count), word, links, without, actors)
    except FairDiceError as error:
        raise NotationError(str(error), line_number) from None
    if str(throw) != line[5:].strip():
        raise NotationError(f"write this throw as: {throw}", line_number)
    return throw


def _read_fair(fair: FairDice | None, line: str, line_number: int) -> FairDice:
    """Return the fair dice with one more header line: the commitment, the revealed link, a chain or a bot."""
    key, _, value = line.partition(":")
    value = value.strip()
    if key == "commitment":
        if not ANCHOR.fullmatch(value):
            raise NotationError(
                f"'{notation.excerpt(value)}' is not a commitment of 64 hexadecimal digits", line_number
            )
        return FairDice(value)
    if key in ("nonce", "secret"):
        raise NotationError(
            f"'{key}:' is of the first way of fair dice, which is no longer played or checked", line_number
        )
    if fair is None:
        raise NotationError(f"'{key}:' must follow a line 'commitment:'", line_number)
    parts = [part.strip() for part in value.split(",")]
    if key == "told":
        if len(parts) != 2 or not _is_revealed_link(parts) or fair.chains:
            raise NotationError("write 'told:' as: number of links, last link", line_number)
        return replace(fair, at=int(parts[0]), link=parts[1])
    if not fair.link:
        raise NotationError(f"'{key}:' must follow a line 'told:'", line_number)
    if key == "bot":
        if len(parts) != 2 or not re.fullmatch("[A-D]", parts[0]) or len(parts[1]) > 40 or len(fair.bots) >= 4:
            raise NotationError("write a bot as: seat, name", line_number)
        return replace(fair, bots=(*fair.bots, (parts[0], parts[1])))
    name_match = re.fullmatch("([A-D]{1,4})([0-9]{0,3})", parts[0])
    if (
        not name_match
        or len(parts) != 5
        or not notation.is_number(parts[1], 5)
        or not ANCHOR.fullmatch(parts[2])
        or not _is_revealed_link(parts[3:])
    ):
        raise NotationError("write a chain as: name, first throw, anchor, number of links, last link", line_number)
    if len(fair.chains) >= MAX_CHAINS:
        raise NotationError(f"there are more than {MAX_CHAINS} chains", line_number)
    since = int(parts[1])
    previous = fair.chains[-1].since if fair.chains else 1
    chain = fair.with_chain(name_match[1], parts[2], since).chains[-1]._replace(at=int(parts[3]), link=parts[4])
    if chain.name != parts[0] or since < previous:
        raise NotationError("chains must be named and listed in the order in which they were started", line_number)
    return replace(fair, chains=(*fair.chains, chain))


def _is_revealed_link(parts: list[str]) -> bool:
    return notation.is_number(parts[0], 4) and int(parts[0]) <= LINKS and ANCHOR.fullmatch(parts[1]) is not None


def _replay(game: Game, verifier: FairDiceVerifier | None, body: list[tuple[int, str]]) -> Game:
    spec = game.table
    moves: list[tuple[int, str, str]] = []
    chance_lines: list[list[tuple[int, str]]] = [[]]
    for line_number, line in body[:-1]:
        if line.startswith(" "):
            chance_lines[-1].append((line_number, line.strip()))
            continue
        player, colon, text = line.partition(": ")
        if not colon or not _is_mover(player, verifier) or len(text) > MAX_MOVE_LENGTH:
            raise NotationError(f"'{notation.excerpt(line)}' is not a move; write a move as 'A: option'", line_number)
        moves.append((line_number, player, text))
        chance_lines.append([])
    _check_throw(game.opening_throw, verifier, chance_lines[0], body[0][0])
    _check_chance(spec, game.opening, chance_lines[0], body[0][0])
    current_throw = game.opening_throw  # forced choices that follow share the throw
    last_chooser = ""
    for i, (line_number, player, text) in enumerate(moves):
        if player == UNDO:
            if not notation.is_number(text, 5) or not 1 <= int(text) <= len(game.moves):
                raise NotationError(f"{notation.excerpt(text)} choices cannot be undone here", line_number)
            game.undo(int(text))
            current_throw = None
            continue
        decision = game.decision
        if decision is None:
            raise NotationError("the game is over before this move", line_number)
        if decision.player != player:
            raise NotationError(f"it is {decision.player}'s decision, not {player}'s", line_number)
        game.state.script = _read_script(spec, chance_lines[i + 1])
        if verifier is not None:
            if not is_forced(game.state, text):
                current_throw, last_chooser = None, player
            _prepare_throw(game, verifier, current_throw, text, last_chooser + player, chance_lines[i + 1], line_number)
        try:
            game.play(text)
        except (IllegalChoiceError, ScriptedDiceError, UnplayableError) as error:
            raise NotationError(str(error), line_number) from None
        except FairDiceNeededError:
            raise NotationError("dice are needed here, but there is no 'dice:' line", line_number) from None
        current_throw = game.moves[-1].throw or current_throw
        _check_throw(game.moves[-1].throw, verifier, chance_lines[i + 1], line_number)
        _check_chance(spec, game.moves[-1].chance, chance_lines[i + 1], line_number)
    line_number, line = body[-1]
    actual = str(game.result or "unfinished")
    if line[7:].strip() != actual and (game.result or not _EXTERNAL_RESULT.fullmatch(line[7:].strip())):
        raise NotationError(f"the record says '{line[7:].strip()}', but the game is: {actual}", line_number)
    if verifier is not None:
        game.ready = None
        try:
            verifier.verify_complete()
        except FairDiceError as error:
            raise NotationError(str(error), line_number) from None
    return game


def _is_mover(player: str, verifier: FairDiceVerifier | None) -> bool:
    return (len(player) == 1 and player in describe.SEATS) or (player == UNDO and verifier is not None)


def _prepare_throw(
    game: Game,
    verifier: FairDiceVerifier,
    current_throw: FairThrow | None,
    text: str,
    actors: str,
    lines: list[tuple[int, str]],
    line_number: int,
) -> None:
    """Set `game.ready` to the throw that the record names for a choice.

    It is the next throw, the throw of the same choice before it was undone, or the one that the current choices share.
    """
    throws_before = len(verifier.throws)
    game.ready = _read_throw(verifier, lines, actors)
    if (
        game.ready is not None
        and len(verifier.throws) == throws_before
        and not game.was_thrown(text)
        and game.ready != current_throw
    ):
        raise NotationError(f"throw {game.ready.number} was for another choice", line_number)


def _check_throw(
    used: FairThrow | None, verifier: FairDiceVerifier | None, lines: list[tuple[int, str]], line_number: int
) -> None:
    """Raise NotationError unless the throw used is the one recorded; remove the `dice:` line from `lines`."""
    if verifier is None:
        return
    recorded = lines.pop(0)[1][5:].strip() if lines and lines[0][1].startswith("dice:") else ""
    if recorded != str(used or ""):
        raise NotationError(
            f"this choice uses the dice of throw '{used or ''}', not '{notation.excerpt(recorded)}'", line_number
        )


def _read_script(spec: GameSpec, lines: list[tuple[int, str]]) -> list[tuple[int, int, int]]:
    """Return the scripted draws and rolls as (seat, card, face); the generator reproduces all others."""
    if not any(line.startswith("set ") for _, line in lines):
        return []
    dice_by_text = _dice_by_text(spec)
    script: list[tuple[int, int, int]] = []
    for line_number, line in lines:
        label, _, items = line.partition(": ")
        if label.startswith("set "):
            for item in _split_items(items, dice_by_text):
                if item not in dice_by_text:
                    raise NotationError(f"'{notation.excerpt(item)}' is not a die of this game", line_number)
                script.append(dice_by_text[item])
    return script


@lru_cache(maxsize=8)
def _dice_by_text(spec: GameSpec) -> dict[str, tuple[int, int, int]]:
    """Return a map from the text of each possible draw or roll to its (seat, card, face); face -1 is a draw."""
    dice_by_text: dict[str, tuple[int, int, int]] = {}
    for c in (c for c in range(spec.n_cards) if spec.dice_of[c]):
        owner = spec.owner_of_card[c]
        for seat in (owner,) if owner >= 0 else (ANY_SEAT, *range(spec.n_seats)):
            dice_by_text |= {describe.chance_text(spec, c, face, seat): (seat, c, face) for face in range(5, -2, -1)}
    return dice_by_text


def _split_items(text: str, dice_by_text: dict[str, tuple[int, int, int]]) -> list[str]:
    """Split at commas, except those inside a title."""
    items: list[str] = []
    for part in text.split(", "):
        if items and items[-1] not in dice_by_text and len(items[-1]) < notation.MAX_ITEM_LENGTH:
            items[-1] += f", {part}"
        else:
            items.append(part)
    return items


def _check_chance(
    spec: GameSpec, outcomes: tuple[ChanceOutcome, ...], lines: list[tuple[int, str]], line_number: int
) -> None:
    for (outcome_line, line), actual in zip(lines, _chance_lines(spec, outcomes), strict=False):
        if line != actual.strip() and not (
            line.startswith("set ") and _is_same_chance(spec, line, actual.strip(), outcome_line)
        ):
            raise NotationError(f"the record says '{line}', but the replay gives '{actual.strip()}'", outcome_line)
    if len(lines) != len(_chance_lines(spec, outcomes)):
        raise NotationError("the record lists too few or too many draws and rolls after this move", line_number)


def _is_same_chance(spec: GameSpec, line: str, actual: str, line_number: int) -> bool:
    """Return True if both lines name the same dice; a basic action's die may lack its owner."""
    recorded_dice, actual_dice = _read_script(spec, [(line_number, line)]), _read_script(spec, [(line_number, actual)])
    return len(recorded_dice) == len(actual_dice) and all(
        x[1:] == y[1:] and x[0] in (ANY_SEAT, y[0]) for x, y in zip(recorded_dice, actual_dice, strict=True)
    )
