"""Vocabulary, limits, value parsers and errors of the position notation."""

from __future__ import annotations

import re

from dicemasters.game.notation import machine_state
from dicemasters.game.rulesets.solitaire import SolitaireRules, parse_variants
from dicemasters.game.state.constants import (
    ATTACK,
    ATTACK_AGAIN,
    ATTACK_END,
    ATTACK_OVER,
    ATTACKING,
    BAG,
    BLOCKED,
    BLOCKING,
    CLEANUP,
    COMMITTED,
    DAMAGED_THIS_TURN,
    DECLARE,
    DONE,
    DRAW,
    ENDED,
    FAST,
    FAST_KO,
    FIELD,
    FIELDED_BEFORE,
    FIELDED_NOW,
    FINAL_PRIORITY,
    HALF_SPENT,
    HAND,
    HELD,
    MAIN,
    OPPONENT_PRIORITY,
    OUT_OF_PLAY,
    PREP,
    PRIORITY_RETURNED,
    REGULAR,
    REGULAR_KO,
    RESERVE,
    RETURN,
    ROLL,
    ROLLED,
    SETUP,
    START,
    STEP_NAMES,
    TO_ATTACK,
    TURN_LIMIT,
    USED,
    WINDOW,
)
from dicemasters.game.text import describe

PLACES = {
    "field": FIELD,
    "reserve": RESERVE,
    "prep": PREP,
    "hand": HAND,
    "bag": BAG,
    "used": USED,
    "out": OUT_OF_PLAY,
    "held": HELD,
}

STEPS = {
    "setup": (SETUP, 0),
    "start": (START, 0),
    "start, cleared": (START, 2),
    "start, effects": (START, 1),
    "draw": (DRAW, 0),
    "roll": (ROLL, 0),
    "reroll": (ROLL, 1),
    "reroll again": (ROLL, 3),
    "main": (MAIN, 0),
    "main, respond": (MAIN, OPPONENT_PRIORITY),
    "main, answer": (MAIN, PRIORITY_RETURNED),
    "main, last word": (MAIN, FINAL_PRIORITY),
    "main, done": (MAIN, DONE),
    "main, end": (MAIN, ENDED),
    "attack": (ATTACK, TO_ATTACK),
    "declare": (ATTACK, DECLARE),
    "declare, begun": (ATTACK, COMMITTED),
    "attack again": (ATTACK, ATTACK_AGAIN),
    "block": (ATTACK, BLOCKING),
    "fight": (ATTACK, WINDOW),
    "fight, respond": (ATTACK, WINDOW + OPPONENT_PRIORITY),
    "fight, answer": (ATTACK, WINDOW + PRIORITY_RETURNED),
    "fight, last word": (ATTACK, WINDOW + FINAL_PRIORITY),
    "damage": (ATTACK, FAST),
    "damage, fast": (ATTACK, FAST_KO),
    "damage, all others": (ATTACK, REGULAR),
    "damage, dealt": (ATTACK, REGULAR_KO),
    "attack, end": (ATTACK, ATTACK_END),
    "attack, home": (ATTACK, RETURN),
    "attack, over": (ATTACK, ATTACK_OVER),
    "cleanup": (CLEANUP, 0),
    "cleanup, cleared": (CLEANUP, 2),
    "cleanup, effects": (CLEANUP, 1),
}

STEP_TEXTS = {v: k for k, v in STEPS.items()}

ATTRIBUTES = {
    "attacking": ATTACKING,
    "blocked": BLOCKED,
    "blocking nobody": BLOCKED,  # a blocker whose attacker has left (rules 3.4b3)
    "fielded": FIELDED_NOW,
    "fielded last turn": FIELDED_BEFORE,
    "hurt": DAMAGED_THIS_TURN,
    "half spent": HALF_SPENT,
    "rolled": ROLLED,
}

# attributes that may follow a die in brackets, for error messages
ATTRIBUTE_TEXT = f"3 damage, +2A +1D, blocking Hulk@1, {', '.join(ATTRIBUTES)}"

MAX_CHARACTERS = 100_000  # length of a position; mid-game positions of the largest games have a few thousand

MAX_LINE_LENGTH = 20_000  # except for the `also:` line, which the game writes

MAX_LINES = 1_000

MAX_ITEM_LENGTH = 200  # characters of one die, without its attributes

MAX_ATTRIBUTES = 40  # attributes per die

MAX_CARDS = 60  # per team, and for the basic actions

MAX_DAMAGE = 255  # damage is stored in one byte


class NotationError(ValueError):
    """A text is not a valid position, record or scenario; the message names the line and the reason."""

    def __init__(self, problem: str, line: int = 0) -> None:
        problem = problem.encode("utf-8", "replace").decode()  # untrusted text may contain lone surrogates
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line = line
        self.problem = problem


class UnplayableError(NotationError):
    """A hand-written position or card leads to a state from which the rules cannot continue."""


def has_machine_state(text: str) -> bool:
    """Return True if a position has an `also:` line, so that it may describe a state no game can reach."""
    return any(line.strip().casefold().startswith("also") for line in text.splitlines())


def lines_of(text: str, max_characters: int = MAX_CHARACTERS, max_lines: int = MAX_LINES) -> list[str]:
    """Return the lines of `text`; raise NotationError if the text, a line or their number is too long."""
    if len(text) > max_characters:
        raise NotationError(f"the text has {len(text):,} characters; the limit is {max_characters:,}")
    lines = text.splitlines()
    if len(lines) > max_lines:
        raise NotationError(f"the text has more than {max_lines:,} lines", max_lines + 1)
    for line_number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_LENGTH and not line.lstrip().startswith("also:"):
            raise NotationError(f"the line has {len(line):,} characters; the limit is {MAX_LINE_LENGTH:,}", line_number)
    return lines


EMPTY_TEXTS = ("nothing", "-", "empty")


def strip_exactly(text: str) -> str:
    """Return a list of dice without a leading `exactly`, which marks the list as complete."""
    return re.sub(r"^exactly\s+", "", text, flags=re.IGNORECASE)


def parse_seat(letter: str, line_number: int) -> int:
    """Return the seat of a letter; raise NotationError if there is none."""
    seat = describe.SEATS.find(letter.strip().upper())
    if seat < 0 or len(letter.strip()) != 1:
        raise NotationError(f"there is no player '{excerpt(letter.strip())}'", line_number)
    return seat


def parse_small_number(value: str, line_number: int, minimum: int) -> int:
    """Return the number from `minimum` to 99 that a line gives."""
    if not is_number(value, 2) or not minimum <= int(value) <= 99:
        raise NotationError(f"expected a number from {minimum} to 99, found '{excerpt(value)}'", line_number)
    return int(value)


def is_number(text: str, max_digits: int) -> bool:
    """Return True if `text` is a whole number of 1 to `max_digits` ASCII digits."""
    return 0 < len(text) <= max_digits and text.isascii() and text.isdigit()


def excerpt(text: str) -> str:
    """Return untrusted text shortened to a length that fits into an error message."""
    return text if len(text) <= MAX_ITEM_LENGTH else f"{text[:MAX_ITEM_LENGTH]}..."


def parse_generator(value: str, line_number: int) -> int:
    """Return the generator state written as hexadecimal digits."""
    if not re.fullmatch(r"[0-9a-fA-F]{1,32}", value):
        raise NotationError(f"'{excerpt(value)}' is not a generator state of 1 to 32 hexadecimal digits", line_number)
    return int(value, 16) & ((1 << 64) - 1)


def parse_solitaire(value: str, line_number: int) -> SolitaireRules:
    """Return the solitaire rules of a `solitaire:` line: the script's seat and its variants."""
    letter, *words = (part.strip() for part in value.split(","))
    seat = parse_seat(letter, line_number)
    if seat > 1:
        raise NotationError("a solitaire game has two players, A and B", line_number)
    try:
        return parse_variants(seat, words)
    except ValueError as error:
        raise NotationError(str(error), line_number) from None


def parse_turn(value: str, line_number: int) -> tuple[int, int, int, int]:
    """Return the turns begun, active seat, step and substep of a `turn:` line."""
    parts = [p.strip() for p in value.split(",", 2)]
    if len(parts) == 3 and is_number(parts[0], 9) and int(parts[0]) > TURN_LIMIT + 2:
        raise NotationError(f"there is no turn {parts[0]}: a game is over after {TURN_LIMIT} turns", line_number)
    if len(parts) != 3 or not is_number(parts[0], 3):
        raise NotationError(f"expected 'turn: number, player, step', found '{excerpt(value)}'", line_number)
    name = parts[2].casefold()
    if name in STEPS:
        step, substep = STEPS[name]
    elif (match := re.fullmatch(r"(\w+) ([0-9]{1,2})", name)) and match[1] in STEP_NAMES:
        step, substep = STEP_NAMES.index(match[1]), int(match[2])
    else:
        raise NotationError(f"there is no step '{excerpt(parts[2])}'; there are {'; '.join(STEPS)}", line_number)
    if substep > machine_state.MAX_SUBSTEP:
        raise NotationError(f"there is no stage {substep}", line_number)
    turn = int(parts[0])
    if step == SETUP and turn:
        raise NotationError(
            f"before the first turn it is 'turn: 0, {excerpt(parts[1])}, setup', not {turn}", line_number
        )
    if step != SETUP and not turn:
        raise NotationError("turns count from 1; only 'turn: 0, A, setup' is before the first", line_number)
    if (step, substep) == (START, 0):
        turn -= 1  # at this point the turn has not been counted yet
    return turn, parse_seat(parts[1], line_number), step, substep
