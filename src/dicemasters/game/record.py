"""Games as text: teams, seed or starting position, every choice with the draws and rolls that followed, the result."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game import notation, say, turn
from dicemasters.game.decision import Chance, IllegalChoiceError, Result
from dicemasters.game.fair import Fair
from dicemasters.game.moves import ANYBODY, TOSS, ScriptError
from dicemasters.game.notation import NotationError, UnplayableError
from dicemasters.game.setup import Table
from dicemasters.game.state import SETUP

if TYPE_CHECKING:
    from dicemasters.game.game import Game

HEADING = "dicemasters record"
MOST_CHARACTERS = 1_000_000  # a long game has about 60,000
MOST_LINES = 50_000
MOST_NONCES = 100
MOST_IN_MOVE = 500  # characters of a choice


_GIVEN = re.compile("[AB] wins: [AB] (conceded|ran out of time|did not come back)")  # an end the rules do not know


def write_record(game: Game, reveal: bool | None = None, given: Result | None = None) -> str:
    """Write a game down; read_record plays it again.

    The secret of fair dice is written when the game is over, or if `reveal` says so; else the rolls are written as set.
    `given` is how a game ended that the rules did not end, as by a concession.
    """
    t = game.table
    told = game.result is not None if reveal is None else reveal
    withheld = game.fair is not None and not (told and game.fair.secret is not None)
    lines = [HEADING]
    if game.start.turn == 0 and not game.start.stack:
        lines += notation.write_setup(t)
        lines += [f"seed: {game.seed}"] if game.fair is None else _fair_lines(game.fair, withheld)
        tossed = next((line.seat for line in game.news() if line.kind == "toss"), -1)
        if withheld and tossed >= 0:
            lines.append(f"toss: {say.SEATS[tossed]}")
        if game.start.step != SETUP:
            lines.append(f"first: {say.SEATS[game.start.first]}")
    else:
        lines += [] if game.fair is None else _fair_lines(game.fair, withheld)
        lines += [f"  {line}".rstrip() for line in notation.write_position(game.start).splitlines()]
    lines.append("moves:")
    lines += _chance_lines(t, game.opening, withheld)
    for move in game.moves:
        lines.append(f"{move.player}: {move.text}")
        lines += _chance_lines(t, move.chance, withheld)
    lines.append(f"result: {game.result or given or 'unfinished'}")
    return "\n".join(lines) + "\n"


def _fair_lines(fair: Fair, withheld: bool) -> list[str]:
    lines = [f"commitment: {fair.commitment}"]
    lines += [f"nonce: {n.seat}, {n.move}, {n.text}" for n in fair.nonces]
    if fair.secret is not None and not withheld:
        lines.append(f"secret: {fair.secret.hex()}")
    return lines


def _chance_lines(t: Table, chance: tuple[Chance, ...], all_set: bool = False) -> list[str]:
    """Draws and rolls, a line for each run; scripted ones begin with `set`, and say whose each die is."""
    lines: list[str] = []
    for (drawn, scripted), run in groupby(chance, key=lambda c: (c.face < 0, c.scripted or all_set)):
        words = "set " if scripted else ""
        things = ", ".join(say.chance_text(t, c.card, c.face, c.seat if scripted else -1) for c in run)
        lines.append(f"  {words}{'draws' if drawn else 'rolls'}: {things}")
    return lines


def read_record(made: type[Game], text: str, cards: Catalogue | None = None) -> Game:
    """Play a record again, as a game of this class, and check every roll, every choice and the result."""
    lines = notation.lines_of(text, MOST_CHARACTERS, MOST_LINES)
    if not lines or lines[0].strip() != HEADING:
        raise NotationError(f"a record begins with '{HEADING}'", 1)
    if "moves:" not in lines:
        raise NotationError("the record has no 'moves:' line", len(lines))
    start = lines.index("moves:")
    body = [(i + 1, line) for i, line in enumerate(lines) if i > start and line.strip()]
    if not body or not body[-1][1].startswith("result:"):
        raise NotationError("the record ends before its 'result:' line", len(lines))
    opening = [(number, line.strip()) for number, line in takewhile(lambda x: x[1].startswith(" "), body)]
    return _replay(_begin(made, lines[1:start], opening, cards), body)


def _begin(made: type[Game], header: list[str], opening: list[tuple[int, str]], cards: Catalogue | None) -> Game:
    seed, first, toss = 0, -1, -1
    fair: Fair | None = None
    plain: list[str] = [""]  # so that line numbers count the heading
    for number, line in enumerate(header, 2):
        if line.startswith("seed:"):
            value = line[5:].strip()
            if not notation.is_number(value.removeprefix("-"), 20):
                raise NotationError(f"'{notation.short(value)}' is not a seed", number)
            seed = int(value)
            plain.append("")
        elif line.startswith("first:"):
            first = say.SEATS.find(line[6:].strip()) if line[6:].strip() else -1
            if first not in (0, 1):
                raise NotationError(f"'{notation.short(line[6:].strip())}' cannot begin", number)
            plain.append("")
        elif line.startswith("toss:"):
            toss = say.SEATS.find(line[5:].strip()) if line[5:].strip() else -1
            if toss not in (0, 1):
                raise NotationError(f"'{notation.short(line[5:].strip())}' cannot win the toss", number)
            plain.append("")
        elif line.startswith(("commitment:", "nonce:", "secret:")):
            fair = _read_fair(fair, line, number)
            plain.append("")
        else:
            plain.append(line)
    fresh = not any(line.startswith("  ") for line in header)
    s = notation.read_plain("\n".join(plain), cards)
    if fresh:
        s = turn.new_state(s.table, seed, first)
    if fair is not None and fair.secret is None:  # its dice are not known: they fall as written
        s.script = [(ANYBODY, TOSS, toss)] if toss >= 0 else []
        s.script += _script(s.table, opening)
    try:
        return made(s, seed=seed, fair=fair, written=True, forged=any(map(notation.says_also, header)))
    except ScriptError as error:
        raise NotationError(str(error), opening[0][0] if opening else 1) from None


def _read_fair(fair: Fair | None, line: str, number: int) -> Fair:
    """Read a line about fair dice: the commitment first, then what the players added, then the secret."""
    word, _, rest = line.partition(":")
    value = rest.strip()
    if word == "commitment":
        if not re.fullmatch(r"[0-9a-f]{64}", value):
            raise NotationError(f"'{notation.short(value)}' is no commitment, which is 64 hexadecimal digits", number)
        return Fair(value)
    if fair is None:
        raise NotationError(f"'{word}:' stands behind a line 'commitment:'", number)
    if word == "nonce":
        parts = [part.strip() for part in value.split(",")]
        if len(parts) != 3 or len(parts[0]) != 1 or parts[0] not in say.SEATS or not notation.is_number(parts[1], 5):
            raise NotationError("a nonce is written as: A, 0, its text", number)
        if len(fair.nonces) >= MOST_NONCES:
            raise NotationError(f"there are more than the {MOST_NONCES} nonces there can be", number)
        try:
            return fair.joined(parts[0], parts[2], int(parts[1]))
        except ValueError as error:
            raise NotationError(str(error), number) from None
    if not re.fullmatch(r"([0-9a-f]{2}){1,64}", value):
        raise NotationError(f"'{notation.short(value)}' is no secret, which is written in hexadecimal digits", number)
    known = replace(fair, secret=bytes.fromhex(value))
    if not known.is_kept():
        raise NotationError("the secret is not the one the commitment was made for", number)
    return known


def _replay(game: Game, body: list[tuple[int, str]]) -> Game:
    t = game.table
    moves: list[tuple[int, str, str]] = []
    chance: list[list[tuple[int, str]]] = [[]]
    for number, line in body[:-1]:
        if line.startswith(" "):
            chance[-1].append((number, line.strip()))
            continue
        player, colon, text = line.partition(": ")
        if not colon or len(player) != 1 or player not in say.SEATS or len(text) > MOST_IN_MOVE:
            raise NotationError(f"'{notation.short(line)}' is no move; a move is 'A: what is chosen'", number)
        moves.append((number, player, text))
        chance.append([])
    _check_chance(t, game.opening, chance[0], body[0][0])
    for i, (number, player, text) in enumerate(moves):
        decision = game.decision
        if decision is None:
            raise NotationError("the game is over before this move", number)
        if decision.player != player:
            raise NotationError(f"it is {decision.player}'s decision, not {player}'s", number)
        game.state.script = _script(t, chance[i + 1])
        try:
            game.play(text)
        except (IllegalChoiceError, ScriptError, UnplayableError) as error:
            raise NotationError(str(error), number) from None
        _check_chance(t, game.moves[-1].chance, chance[i + 1], number)
    number, line = body[-1]
    expected = str(game.result or "unfinished")
    if line[7:].strip() != expected and (game.result or not _GIVEN.fullmatch(line[7:].strip())):
        raise NotationError(f"the record says '{line[7:].strip()}', but the game is: {expected}", number)
    return game


def _script(t: Table, lines: list[tuple[int, str]]) -> list[tuple[int, int, int]]:
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
                    raise NotationError(f"'{notation.short(item)}' is no die of this game", number)
                out.append(known[item])
    return out


@lru_cache(maxsize=8)
def _dice(t: Table) -> dict[str, tuple[int, int, int]]:
    """Give what a text about a die that was drawn or rolled stands for."""
    known: dict[str, tuple[int, int, int]] = {}
    for c in (c for c in range(t.n_cards) if t.dice_of[c]):
        owner = t.owner_of_card[c]
        for seat in (owner,) if owner >= 0 else (ANYBODY, *range(t.n_seats)):
            known |= {say.chance_text(t, c, face, seat): (seat, c, face) for face in range(5, -2, -1)}
    return known


def _split(rest: str, known: dict[str, tuple[int, int, int]]) -> list[str]:
    """Split at commas, but not inside a title that has one."""
    out: list[str] = []
    for part in rest.split(", "):
        if out and out[-1] not in known and len(out[-1]) < notation.MOST_IN_ITEM:
            out[-1] += f", {part}"
        else:
            out.append(part)
    return out


def _check_chance(t: Table, happened: tuple[Chance, ...], lines: list[tuple[int, str]], number: int) -> None:
    for (at, line), mine in zip(lines, _chance_lines(t, happened), strict=False):
        if line != mine.strip() and not (line.startswith("set ") and _is_same(t, line, mine.strip(), at)):
            raise NotationError(f"the record says '{line}', but it comes out as '{mine.strip()}'", at)
    if len(lines) != len(_chance_lines(t, happened)):
        raise NotationError("the draws and rolls after this move do not fit it", number)


def _is_same(t: Table, line: str, mine: str, at: int) -> bool:
    """Tell whether a line says what happened, perhaps without saying whose a basic action's die is."""
    said, happened = _script(t, [(at, line)]), _script(t, [(at, mine)])
    return len(said) == len(happened) and all(
        x[1:] == y[1:] and x[0] in (ANYBODY, y[0]) for x, y in zip(said, happened, strict=True)
    )
