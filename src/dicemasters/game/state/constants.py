"""Constants of a state: zones, flags, steps, stages and results."""

from __future__ import annotations

from typing import Final

# zones; `State.place` holds zone * 4 + seat for each die
CARD: Final = 0  # on its card, not bought yet (rules 2.0a)
BAG: Final = 1  # rules 2.0b
PREP: Final = 2  # rules 2.0c
RESERVE: Final = 3  # rules 2.0d
FIELD: Final = 4  # includes the attack zone, which is marked by flags (rules 2.0e, 2.0f)
USED: Final = 5  # rules 2.0g
OUT_OF_PLAY: Final = 6  # rules 2.1b1
HAND: Final = 7  # drawn by an effect that has not placed it yet
HELD: Final = 8  # captured or set aside, so it does not exist for the game (rules 5.13a1)
GONE: Final = 9  # a token that is not on the table (rules 5.13e2)

ZONE_NAMES: Final = ("card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone")

# flags of a die
ATTACKING: Final = 1
BLOCKED: Final = 2  # attacker: has been blocked; other die: still blocks after its attacker has left (rules 3.4b3)
FIELDED_NOW: Final = 4  # fielded this turn
FIELDED_BEFORE: Final = 8  # fielded last turn
DAMAGED_THIS_TURN: Final = 16
HALF_SPENT: Final = 32
LETHAL: Final = 64  # has lethal combat damage and is KO'd after the reactions to it (rules 3.4d4b)
ROLLED: Final = 128  # part of this step's roll

# Where a number can name a die, numbers from PLAYER on name players: PLAYER + side is the life that partners share.
# In a game of four PERSON + seat is one player alone; in a game of two that equals PLAYER + side (`GameSpec.person`).
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
STEP_NAMES: Final = ("setup", "start", "draw", "roll", "main", "attack", "cleanup")  # rules 3.0b

# stages of a priority window, counted from its first stage (rules 3.3f1, 3.3f2, 3.3f4): the active player acts, the
# opponent may respond, the opponent has responded, the opponent has declined and the active player may still add
# something
ACTIVE_PRIORITY: Final = 0
OPPONENT_PRIORITY: Final = 1
PRIORITY_RETURNED: Final = 2
FINAL_PRIORITY: Final = 3
DONE: Final = 4
ENDED: Final = 5  # main step only: the event of the step's end has been emitted

# stages of the attack step: no attacker named yet, likewise but without effects of its start, an attack is certain
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
ATTACK_AGAIN: Final = 20  # the active player may take another attack step (rules 3.4g4)

# facts of a turn, counted per seat
OWN_KOS: Final = 0
SIDEKICK_KOS: Final = 1
FIELDINGS: Final = 2
ACTIONS: Final = 3
TURN_COUNTS: Final = 4

# second number of a row of `turn_limits`: a die from LIMIT_OF_DIE on, a card that has another card's text from
# LIMIT_OF_CARD on, and a seat below that
LIMIT_OF_DIE: Final = 1000
LIMIT_OF_CARD: Final = 100  # plus four times the number of the card that has the text, plus the seat
# with a seat in `turn_limits`: one of two partners has passed, or has declared everything, and the other decides;
# one of them has declined
PASSED: Final = -1
DECLINED: Final = -2
# with LIMIT_OF_DIE + die in `turn_limits`: the die has attacked or blocked this turn, which fulfils an obligation to do so
HAS_ATTACKED: Final = -3
HAS_BLOCKED: Final = -4
# with LIMIT_OF_DIE + die in `turn_limits`: the die has dealt its combat damage with the Fast dice (rules 3.4d6)
HAS_STRUCK: Final = -5
# with LIMIT_OF_DIE + die in `turn_limits`: the first attacker, which pays its toll after the effects of the step's
# start
OWES_ATTACK_TOLL: Final = -7
# with a seat in `turn_limits`, one row per point: virtual energy for missing dice, which outlasts a pass (rules 3.1b3)
LASTING: Final = -6

# flags of an engagement
BY_BLOCKING: Final = 2  # the first die of the row was the blocker
EARLIER: Final = 4  # happened in an earlier attack of the turn
LEFT_FIELD: Final = 8  # the first die of the row has left the field since

UNDECIDED: Final = -1
TIE: Final = 2

#: reason of a tie that ends a game whose next choice would exceed the work limit (`state.work`)
VOID_REASON: Final = "void: a choice took more work than any legal game needs"

LOOP_LIMIT: Final = 2000  # actions and reactions in one turn; beyond that the game is a tie (rules 4.4b)
TURN_LIMIT: Final = 400  # a game that is not over by then is a tie (rules 4.4a)
