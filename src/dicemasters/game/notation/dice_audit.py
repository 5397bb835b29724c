"""Audit of chance: every toss, draw and roll of a game with the random number that decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dicemasters.game.decision import PlayedChoice
from dicemasters.game.fair_dice import FairThrow
from dicemasters.game.state.state import State
from dicemasters.game.text import describe
from dicemasters.game.turn import loop

if TYPE_CHECKING:
    from dicemasters.game.game import Game


class AuditedRoll(NamedTuple):
    """A number taken from the generator and the outcome it decided."""

    bound: int  # the value is in range(bound); 1 if only one outcome was possible
    value: int
    kind: str  # "toss", "draw" or "roll"
    seat: int  # winner of the toss, or the seat that drew; -1 for a roll
    card: int  # card of the die; -1 for a toss
    face: int  # face rolled; -1 for a draw or a toss
    bag: tuple[int, ...]  # for a draw: cards of the dice in the bag, in the order that `value` indexes


class AuditStep(NamedTuple):
    """The audited numbers of one choice or of the opening, or a number of choices that were undone."""

    number: int  # number of the choice; 0 is the opening
    move: PlayedChoice | None
    throw: FairThrow | None
    forced: bool  # whether no player had a real choice
    rolls: tuple[AuditedRoll, ...]
    undone: int = 0


def audit_dice(game: Game) -> list[AuditStep]:
    """Replay the game and return an audit step for the opening and for each choice and undo."""
    history: list[State] = []
    s = game.start.copy()
    steps = [_replay_step(game, s, 0, None)]
    for item in game.tape:
        if isinstance(item, int):
            s = history[-item]
            del history[-item:]
            steps.append(AuditStep(len(history), None, None, False, (), item))
        else:
            history.append(s.copy())
            steps.append(_replay_step(game, s, len(history), item))
    return steps


def contribution_lines(game: Game) -> list[str]:
    """Return lines on who contributed to the fair dice, whose parts are missing and what was undone.

    Without fair dice there are none.
    """
    fair = game.fair
    if fair is None:
        return []
    lines: list[str] = []
    for n, chain in enumerate(fair.chains):
        seats = " and ".join(chain.seats)
        if any(set(x.seats) & set(chain.seats) for x in fair.chains[:n]):
            lines.append(f"{seats} started a new chain with throw {chain.since}: another device, or a lost seed.")
        else:
            lines.append(f"{seats} contributed a chain, from one browser.")
    lines += [f"{seat} was played by the table's bot '{player}'." for seat, player in fair.bots]
    moves = [item for item in game.tape if not isinstance(item, int)]
    throws = {move.throw.number: move.throw for move in moves if move.throw is not None}
    for seat in sorted({seat for throw in throws.values() for seat in throw.without}):
        missing = [str(throw.number) for throw in throws.values() if seat in throw.without]
        lines.append(f"{seat}'s contribution is missing from {len(missing)} of the throws: {', '.join(missing)}.")
    undone = [move for undo in game.undone for move in undo.moves]
    if undone:
        dice = sum(move.throw is not None for move in undone)
        lines.append(f"Choices undone: {len(undone)}, of which {dice} with dice.")
    return lines


def is_forced(s: State, text: str) -> bool:
    """Return True if `text` was no real choice: the only option, or a pass with final priority (rules 3.3f4)."""
    return len(s.options) == 1 or (describe.is_final_priority(s) and text == "pass")


def _replay_step(game: Game, s: State, number: int, move: PlayedChoice | None) -> AuditStep:
    """Play `move` on `s`, or the opening if it is None, and return its audit step."""
    s.journal = []
    throw = game.opening_throw if move is None else move.throw
    if throw is not None:
        s.rng = throw.generator(number)
    forced = move is None
    if move is None:
        loop.advance(s)
    else:
        forced = is_forced(s, move.text)
        loop.apply(s, s.options[describe.option_texts(s).index(move.text)])
    return AuditStep(number, move, throw, forced, tuple(_rolls(s)))


def _rolls(s: State) -> list[AuditedRoll]:
    """Return the audited numbers of the journal, where each "chance" entry precedes the outcome it decided."""
    card_of = s.spec.card_of
    rolls: list[AuditedRoll] = []
    bound, value = 1, 0
    for entry in s.journal or ():
        n = [x if isinstance(x, int) else 0 for x in entry]
        match entry[0]:
            case "chance":
                bound, value = n[1], n[2]
                continue
            case "wins the toss":
                rolls.append(AuditedRoll(bound, value, "toss", n[1], -1, -1, ()))
            case "draws":
                bag = entry[4]
                assert isinstance(bag, tuple)
                rolls.append(AuditedRoll(bound, value, "draw", n[1], card_of[n[2]], -1, tuple(card_of[d] for d in bag)))
            case "rolls":
                rolls.append(AuditedRoll(bound, value, "roll", -1, card_of[n[1]], n[2], ()))
        bound, value = 1, 0
    return rolls
