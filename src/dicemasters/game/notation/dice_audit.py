"""Every toss, draw and roll of a game, as the numbers they were decided by."""

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
    """A number taken from the generator, and what it decided."""

    bound: int  # the number was one of 0 to bound - 1; 1 if there was nothing to decide
    value: int
    kind: str  # toss, draw, roll
    seat: int  # whose toss or draw; -1 for a roll
    card: int  # of the die; -1 for a toss
    face: int  # shown; -1 for a draw or a toss
    bag: tuple[int, ...]  # of a draw: the cards of the dice in the bag, in the order that counts


class AuditStep(NamedTuple):
    """A choice that was made, or the opening, with its numbers; or how many choices were taken back."""

    number: int  # of the choice; 0 is the opening
    move: PlayedChoice | None
    throw: FairThrow | None
    forced: bool  # nobody had anything to decide
    rolls: tuple[AuditedRoll, ...]
    undone: int = 0


def audit_dice(game: Game) -> list[AuditStep]:
    """Play the game again and list every toss, draw and roll: of the opening first, then of each choice."""
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
    """Say whose parts the fair dice of a game came from, whose were missing, and what was taken back."""
    fair = game.fair
    if fair is None:
        return []
    lines: list[str] = []
    for n, chain in enumerate(fair.chains):
        seats = " and ".join(chain.seats)
        if any(set(x.seats) & set(chain.seats) for x in fair.chains[:n]):
            lines.append(
                f"{seats} took a new chain for throw {chain.since} and later: another device, or its seed was lost."
            )
        else:
            lines.append(f"{seats} had a part of {'their' if len(chain.seats) > 1 else 'its'} own, from one browser.")
    lines += [f"{seat} was the table's player '{player}': its choices are the table's." for seat, player in fair.bots]
    moves = [item for item in game.tape if not isinstance(item, int)]
    throws = {move.throw.number: move.throw for move in moves if move.throw is not None}
    for seat in sorted({seat for throw in throws.values() for seat in throw.without}):
        missing = [str(throw.number) for throw in throws.values() if seat in throw.without]
        lines.append(f"{seat}'s part is missing in {len(missing)} throws: {', '.join(missing)}.")
    undone = [move for undo in game.undone for move in undo.moves]
    if undone:
        dice = sum(move.throw is not None for move in undone)
        lines.append(f"{len(undone)} choices were taken back, {dice} of them with dice.")
    return lines


def is_forced(s: State, text: str) -> bool:
    """Tell whether a choice is none: there is no other, or it is to pass once more when the others add nothing."""
    return len(s.options) == 1 or (describe.is_final_priority(s) and text == "pass")


def _replay_step(game: Game, s: State, number: int, move: PlayedChoice | None) -> AuditStep:
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
    """Read the journal: a number, and behind it what it decided."""
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
