"""Games as text: teams, seed or starting position, every choice with the draws and rolls that followed, the result."""

from __future__ import annotations

from itertools import groupby

from dicemasters.cards.catalogue import Catalogue
from dicemasters.game import notation, say, turn
from dicemasters.game.game import Chance, Game, IllegalChoiceError
from dicemasters.game.moves import ScriptError
from dicemasters.game.notation import NotationError
from dicemasters.game.setup import Table
from dicemasters.game.state import SETUP

HEADING = "dicemasters record"


def write_record(game: Game) -> str:
    """Write a game down; read_record plays it again."""
    t = game.table
    lines = [HEADING]
    if game.start.turn == 0 and not game.start.stack:
        lines += notation.write_setup(t)
        lines.append(f"seed: {game.seed}")
        if game.start.step != SETUP:
            lines.append(f"first: {say.SEATS[game.start.first]}")
    else:
        lines += [f"  {line}".rstrip() for line in notation.write_position(game.start).splitlines()]
    lines.append("moves:")
    lines += _chance_lines(t, game.opening)
    for move in game.moves:
        lines.append(f"{move.player}: {move.text}")
        lines += _chance_lines(t, move.chance)
    lines.append(f"result: {game.result or 'unfinished'}")
    return "\n".join(lines) + "\n"


def _chance_lines(t: Table, chance: tuple[Chance, ...]) -> list[str]:
    """Draws and rolls, a line for each run; scripted ones begin with `set`."""
    lines: list[str] = []
    for (drawn, scripted), run in groupby(chance, key=lambda c: (c.face < 0, c.scripted)):
        words = "set " if scripted else ""
        things = ", ".join(chance_text(t, c.card, c.face) for c in run)
        lines.append(f"  {words}{'draws' if drawn else 'rolls'}: {things}")
    return lines


def chance_text(t: Table, card: int, face: int) -> str:
    """Say a draw or a roll: `B's Hulk`, `A's Sidekick F`."""
    owner = t.owner_of_card[card]
    name = ("" if owner < 0 else f"{say.SEATS[owner]}'s ") + t.names[card]
    if face < 0:
        return name
    i = t.m6[t.dice_of[card][0]] + face
    stars = "*" * t.bursts[i]
    if t.levels[i]:
        return f"{name} @{t.levels[i]}{stars}"
    return f"{name} !{stars}" if t.kinds[i] == 2 else f"{name} {say.energy_text(t.energy[i], t.pips[i])}"


def read_record(text: str, cards: Catalogue | None = None) -> Game:
    """Play a record again and check every roll, every choice and the result."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADING:
        raise NotationError(f"a record begins with '{HEADING}'", 1)
    if "moves:" not in lines:
        raise NotationError("the record has no 'moves:' line", len(lines))
    start = lines.index("moves:")
    body = [(i + 1, line) for i, line in enumerate(lines) if i > start and line.strip()]
    if not body or not body[-1][1].startswith("result:"):
        raise NotationError("the record ends before its 'result:' line", len(lines))
    return _replay(_begin(lines[1:start], cards), body)


def _begin(header: list[str], cards: Catalogue | None) -> Game:
    seed, first = 0, -1
    plain: list[str] = [""]  # so that line numbers count the heading
    for number, line in enumerate(header, 2):
        if line.startswith("seed:"):
            value = line[5:].strip()
            if not value.lstrip("-").isdigit():
                raise NotationError(f"'{value}' is not a seed", number)
            seed = int(value)
            plain.append("")
        elif line.startswith("first:"):
            first = say.SEATS.find(line[6:].strip() or "?")
            if first not in (0, 1):
                raise NotationError(f"'{line[6:].strip()}' cannot begin", number)
            plain.append("")
        else:
            plain.append(line)
    fresh = not any(line.startswith("  ") for line in header)
    s = notation.read_plain("\n".join(plain), cards)
    if fresh:
        return Game(turn.new_state(s.table, seed, first), seed=seed)
    return Game(s)


def _replay(game: Game, body: list[tuple[int, str]]) -> Game:
    t = game.table
    moves: list[tuple[int, str, str]] = []
    chance: list[list[tuple[int, str]]] = [[]]
    for number, line in body[:-1]:
        if line.startswith(" "):
            chance[-1].append((number, line.strip()))
            continue
        player, colon, text = line.partition(": ")
        if not colon or player not in say.SEATS:
            raise NotationError(f"'{line}' is no move; a move is 'A: what is chosen'", number)
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
        except (IllegalChoiceError, ScriptError) as error:
            raise NotationError(str(error), number) from None
        _check_chance(t, game.moves[-1].chance, chance[i + 1], number)
    number, line = body[-1]
    expected = str(game.result or "unfinished")
    if line[7:].strip() != expected:
        raise NotationError(f"the record says '{line[7:].strip()}', but the game is: {expected}", number)
    return game


def _script(t: Table, lines: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Read the scripted draws and rolls; the others come from the generator again."""
    if not any(line.startswith("set ") for _, line in lines):
        return []
    known = {chance_text(t, c, face): (c, face) for c in range(t.n_cards) for face in range(-1, 6) if t.dice_of[c]}
    out: list[tuple[int, int]] = []
    for number, line in lines:
        words, _, rest = line.partition(": ")
        if words.startswith("set "):
            for item in _split(rest, known):
                if item not in known:
                    raise NotationError(f"'{item}' is no die of this game", number)
                out.append(known[item])
    return out


def _split(rest: str, known: dict[str, tuple[int, int]]) -> list[str]:
    """Split at commas, but not inside a title that has one."""
    out: list[str] = []
    for part in rest.split(", "):
        if out and out[-1] not in known:
            out[-1] += f", {part}"
        else:
            out.append(part)
    return out


def _check_chance(t: Table, happened: tuple[Chance, ...], lines: list[tuple[int, str]], number: int) -> None:
    for (at, line), mine in zip(lines, _chance_lines(t, happened), strict=False):
        if line != mine.strip():
            raise NotationError(f"the record says '{line}', but it comes out as '{mine.strip()}'", at)
    if len(lines) != len(_chance_lines(t, happened)):
        raise NotationError("the draws and rolls after this move do not fit it", number)
