"""Zones, steps, results and other small numbers of a state."""

from __future__ import annotations

from typing import Final

# places; a die's byte is place * 4 + seat
CARD: Final = 0  # unbought, on its card
BAG: Final = 1
PREP: Final = 2
RESERVE: Final = 3
FIELD: Final = 4  # the attack zone is a part of the field, see the flags
USED: Final = 5
OUT_OF_PLAY: Final = 6  # Out of Play
HAND: Final = 7  # drawn by an effect that has not yet said where to
HELD: Final = 8  # captured or set aside: does not exist for the game
GONE: Final = 9  # a token that is not on the table

ZONE_NAMES: Final = ("card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone")

# flags of a die
ATTACKING: Final = 1
BLOCKED: Final = 2  # of one that does not attack: it blocks, though whom it blocked has gone (rules 3.4b3)
FIELDED_NOW: Final = 4  # fielded this turn
FIELDED_BEFORE: Final = 8  # fielded in the turn before
DAMAGED_THIS_TURN: Final = 16  # damaged this turn
HALF_SPENT: Final = 32
LETHAL: Final = 64  # has lethal combat damage and is KO'd when the reactions are done (ai)
ROLLED: Final = 128  # part of this step's roll

# where dice stand, a number from here on stands for a player: PLAYER + side for the life that partners share. In a game
# of four PERSON + seat is one of them alone; in a game of two that is the same as the side, see Table.person
PLAYER: Final = 248
PERSON: Final = 250

# steps of a turn
SETUP: Final = 0
START: Final = 1
DRAW: Final = 2
ROLL: Final = 3
MAIN: Final = 4
ATTACK: Final = 5
CLEANUP: Final = 6
STEP_NAMES: Final = ("setup", "start", "draw", "roll", "main", "attack", "cleanup")

# stages of a step. Of priority, counted from the first stage of its window on: the active player acts, the other answers,
# has answered, has declined and the active player has the last word
ACTIVE_PRIORITY: Final = 0
OPPONENT_PRIORITY: Final = 1
PRIORITY_RETURNED: Final = 2
FINAL_PRIORITY: Final = 3
DONE: Final = 4
ENDED: Final = 5  # of the main step: its end has been told

# of the attack step: nobody is declared yet, the same without what happens at its start, there will be an attack
TO_ATTACK: Final = 0
DECLARE: Final = 1
COMMITTED: Final = 2
BLOCKING: Final = 3
WINDOW: Final = 6
FAST: Final = 10
FAST_KO: Final = 11
REGULAR: Final = 12
REGULAR_KO: Final = 13
ATTACK_END: Final = 14
RETURN: Final = 15
ATTACK_OVER: Final = 16
ATTACK_AGAIN: Final = 20  # another attack step may be had

# facts of a turn, counted for each seat
OWN_KOS: Final = 0
SIDEKICK_KOS: Final = 1
FIELDINGS: Final = 2
ACTIONS: Final = 3
TURN_COUNTS: Final = 4

# in `turn_limits` a number from here on stands for a die, below for a seat, and in between for a card's text had by another
LIMIT_OF_DIE: Final = 1000
LIMIT_OF_CARD: Final = 100  # and four times the number of the other card, and the seat
# with a seat in `turn_limits`: one of two partners has passed, or declared all, and the other is asked; one was asked and declined
PASSED: Final = -1
DECLINED: Final = -2
# with LIMIT_OF_DIE + die in `turn_limits`: the die has attacked or blocked this turn, so a duty to do so once has been met
HAS_ATTACKED: Final = -3
HAS_BLOCKED: Final = -4
# with LIMIT_OF_DIE + die in `turn_limits`: the die has dealt its combat damage with the Fast ones
HAS_STRUCK: Final = -5
# with LIMIT_OF_DIE + die in `turn_limits`: the first who attacks, and has not paid for it before the effects of the step's start
OWES_ATTACK_TOLL: Final = -7
# with a seat in `turn_limits`, once for each: of what is left over, energy for missing dice that outlasts a pass
LASTING: Final = -6

# how one die met another
BY_BLOCKING: Final = 2  # it was the one that blocked
EARLIER: Final = 4  # in an earlier attack of the turn
LEFT_FIELD: Final = 8  # it has left the field since

UNDECIDED: Final = -1
TIE: Final = 2

LOOP_LIMIT: Final = 2000  # acts and reactions in one turn; a turn that goes on longer is a loop and a tie
TURN_LIMIT: Final = 400  # a game that has not ended by then is a tie (docs/rulings.md)
