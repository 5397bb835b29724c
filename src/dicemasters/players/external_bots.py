"""External bots: a class with one method, or a program that exchanges lines of JSON (docs/bots.md).

Only the user who starts a command names them; text typed at a table in the browser never reaches this module.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from importlib import import_module
from inspect import iscoroutinefunction
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from random import Random
from traceback import extract_tb

from dicemasters.game import Game
from dicemasters.game.decision import IllegalChoiceError
from dicemasters.game.inspect.view import Option, State
from dicemasters.game.position import Position, PositionDie
from dicemasters.game.turn import loop
from dicemasters.players.player import PLAYERS, Bot, BotAnswer, Player, make_player

PROTOCOL = 1
ANSWER_TIMEOUT = 60.0  # seconds per choice of a program
JSON_LINES_PREFIX = "line:"
_NAME = re.compile(r"[\w.-]{1,40}")


class BotError(ValueError):
    """A bot cannot be found, has failed, or broke the rules for bots; the message names the bot and the problem."""


class BotPlayer:
    """Seats an external bot: passes it a copy of the game with different future dice, and checks its answer.

    The engine asks for a whole answer part by part, so the rest of a list is kept, and played if the game takes the
    expected course.
    """

    def __init__(self, bot: Bot, name: str, seed: int) -> None:
        self.bot = bot
        self.name = str(getattr(bot, "name", name))
        self.rng = Random(seed)
        self._plan: list[tuple[object, Option]] = []  # the options still to come, and the state's key when each is due

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        key = state.key() if self._plan else ()
        due = next((i for i, (expected, _) in enumerate(self._plan) if expected == key), None)
        if due is not None:  # forced options may have been played meanwhile
            option = self._plan[due][1]
            del self._plan[: due + 1]
            return state.options.index(option)
        self._plan = []
        game = Game(state.copy()).copy(seed=self.rng.getrandbits(32))
        snapshot = game.copy()
        try:
            with _redirect_bot_output():
                choice = self.bot.choose(game)
        except BotError:
            raise
        except (Exception, SystemExit) as error:
            raise BotError(f"the bot '{self.name}' has failed: {_one_line_error(error)}") from error
        try:
            if isinstance(choice, Sequence) and not isinstance(choice, str):
                return self._plan_answer(state, snapshot.find_all(choice))
            return snapshot.find(choice)
        except IllegalChoiceError as error:
            raise BotError(f"the bot '{self.name}' made an illegal choice: {error}") from None

    def _plan_answer(self, state: State, options: list[Option]) -> int:
        """Keep the options after the first, and return the index of the first."""
        s = state.copy()
        for option, following in pairwise(options):
            loop.apply(s, option)
            self._plan.append((s.key(), following))
        return state.options.index(options[0])


def _redirect_bot_output() -> AbstractContextManager[object]:
    """Redirect the bot's output to standard error, on the main thread only: other threads share the stream."""
    is_main_thread = threading.current_thread() is threading.main_thread()
    return redirect_stdout(sys.stderr) if is_main_thread else nullcontext()


def _one_line_error(error: BaseException) -> str:
    """Return an error in a bot's code as one line, with the place where it was raised."""
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError):
        return " ".join(message.split())
    frames = extract_tb(error.__traceback__)
    location = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return " ".join(message.split()) + location


def register_bot(what: str, name: str = "") -> str:
    """Register an external bot, `package.module:Class` or `line:COMMAND`, and return the name that selects it."""
    player_name = name or what
    if name and not _NAME.fullmatch(name):
        raise BotError(f"'{name[:60]}' is not a valid name for a bot: use at most 40 letters, digits, dots and dashes")
    if name in PLAYERS:
        raise BotError(f"a player '{name}' already exists; choose another name for the bot")
    PLAYERS[player_name] = (
        _json_lines_bot_factory(what.removeprefix(JSON_LINES_PREFIX))
        if what.startswith(JSON_LINES_PREFIX)
        else _class_bot_factory(what)
    )
    return player_name


def make_any_player(name: str, seed: int) -> Player:
    """Return a bot by name, registering an external one first.

    It is the lookup for commands whose user names the bots, and works in any process.
    """
    if ":" in name and name not in PLAYERS:
        register_bot(name)
    return make_player(name, seed)


def _class_bot_factory(reference: str) -> Callable[[int], Player]:
    module, _, class_name = reference.partition(":")
    if not module.strip(".") or module.startswith(".") or not class_name:
        raise BotError(f"'{reference[:60]}' does not name a bot; write package.module:Class")
    working_directory = str(Path.cwd())
    if working_directory not in sys.path:
        sys.path.insert(0, working_directory)  # most bots are files in the current folder
    try:
        bot_class = getattr(import_module(module), class_name, None)
    except ImportError as error:
        raise BotError(f"the bot '{reference[:60]}' cannot be imported: {error}") from None
    except (Exception, SystemExit) as error:
        raise BotError(f"the bot '{reference[:60]}' cannot be imported: {_one_line_error(error)}") from error
    if bot_class is None:
        raise BotError(f"the module '{module}' has no '{class_name}'")
    if not callable(bot_class) or not callable(getattr(bot_class, "choose", None)):
        raise BotError(f"'{reference[:60]}' is not a bot: a bot is a class with the method choose(self, game)")
    if iscoroutinefunction(bot_class.choose):
        raise BotError(f"'{reference[:60]}' is not a bot: its method choose must not be async")
    return lambda seed: BotPlayer(_construct_bot(bot_class, reference), class_name, seed)


def _construct_bot(bot_class: Callable[[], Bot], reference: str) -> Bot:
    try:
        return bot_class()
    except (Exception, SystemExit) as error:
        raise BotError(
            f"the bot '{reference[:60]}' cannot be created without arguments: {_one_line_error(error)}"
        ) from error


# --- programs in other languages ---------------------------------------------------------------------------------------


def _json_lines_bot_factory(command: str) -> Callable[[int], Player]:
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise BotError(f"the bot's command is invalid, {error}: {command[:60]}") from None
    if not argv:
        raise BotError("line: must be followed by the command that starts the bot")
    return lambda seed: BotPlayer(JsonLinesBot(argv), Path(argv[-1]).stem, seed)


class JsonLinesBot:
    """A program that reads requests from standard input and answers on standard output, one line of JSON each."""

    def __init__(self, words: list[str]) -> None:
        self.name = Path(words[-1]).stem
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise BotError(f"the bot '{shlex.join(words)[:60]}' does not start: {error.strerror}") from None
        self.lines: Queue[str] = Queue()
        # not a method: the reader thread must not keep the bot, and with it the program, alive
        threading.Thread(target=_read_lines, args=(self.process, self.lines), daemon=True).start()
        hello = self._request({"hello": "dicemasters", "protocol": PROTOCOL})
        self.name = str(hello.get("name", self.name))[:40]

    def _request(self, message: dict[str, object]) -> dict[str, object]:
        assert self.process.stdin is not None
        with suppress(OSError):  # a program that has exited may have written its last line
            self.process.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
            self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=ANSWER_TIMEOUT)
        except Empty:
            raise BotError(f"the bot '{self.name}' has not answered for {ANSWER_TIMEOUT:.0f} seconds") from None
        if not line:
            raise BotError(f"the bot '{self.name}' has exited before it answered")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise BotError(
                f"the bot '{self.name}' must answer with a JSON object in one line, not {line.strip()!r:.60}"
            )
        return answer

    def choose(self, game: Game) -> BotAnswer:
        """Ask the program, which answers with the index of an option, its text, or a list of them."""
        choice = self._request(decision_as_json(game)).get("choose")
        return [self._checked_part(part) for part in choice] if isinstance(choice, list) else self._checked_part(choice)

    def _checked_part(self, part: object) -> int | str:
        if isinstance(part, bool) or not isinstance(part, int | str):
            raise BotError(f"the bot '{self.name}' answered without \"choose\": a number, a text or a list of them")
        return part

    def __del__(self) -> None:
        process = getattr(self, "process", None)
        if process is not None:
            process.kill()
            process.wait()


def _read_lines(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    """Put the program's output into the queue line by line, and an empty line at its end."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def decision_as_json(game: Game) -> dict[str, object]:
    """Return the decision and the position as plain data, in the format of docs/bots.md."""
    decision = game.decision
    assert decision is not None
    return {
        "decide": decision.kind,
        "player": decision.player,
        "question": decision.question,
        "options": [
            {
                "index": option.index,
                "text": option.text,
                "what": option.what,
                "dice": list(option.dice),
                "card": option.card.key if option.card else None,
                "amount": option.amount,
            }
            for option in decision.options
        ],
        "position": _position(game.position),
        "text": game.to_text(),
    }


def _position(position: Position) -> dict[str, object]:
    return {
        "turn": position.turn,
        "active": position.active,
        "step": position.step,
        "players": {
            player.letter: {
                "life": player.life,
                "dice": [_die(die) for die in position.dice if die.controller == player.letter],
            }
            for player in position.players
        },
    }


def _die(die: PositionDie) -> dict[str, object]:
    return {
        "number": die.number,
        "title": die.title,
        "zone": die.zone,
        "kind": die.kind,
        "level": die.level,
        "a": die.a,
        "d": die.d,
        "energy": die.energy,
        "damage": die.damage,
        "attacking": die.is_attacking,
    }
