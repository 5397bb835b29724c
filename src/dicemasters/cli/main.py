"""The `dicemasters` command. Each subcommand imports its dependencies when it is called, so all start quickly."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gc
import os
import re
import shutil
import sys
import textwrap
from importlib import import_module
from typing import NoReturn

from dicemasters import __version__

OK, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 2, 130, 141
MIN_WIDTH = 40  # columns; help is not wrapped more narrowly

# for each command, the module with its `main`, and a summary
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("cli.play_command", "play a game at the terminal"),
    "serve": ("cli.serve_command", "play in the browser, alone or with others"),
    "site": ("cli.site_command", "write the whole game as a folder that any static host serves"),
    "lesson": ("cli.lesson_command", "learn the game"),
    "puzzle": ("cli.puzzle_command", "find the one way to win or to survive a turn"),
    "solitaire": ("cli.solitaire_command", "play against the Scripted Opponent"),
    "replay": ("cli.replay_command", "step through a saved game"),
    "cards": ("cli.cards_command", "find cards"),
    "show": ("cli.cards_command", "show cards in full"),
    "rules": ("cli.rules_command", "read the rules: all, a part, or on a word"),
    "editions": ("cli.editions_command", "list the editions and all house rules"),
    "team": ("cli.team_command", "check, show and make teams"),
    "draft": ("cli.draft_command", "draft teams with friends and bots"),
    "scenario": ("cli.scenario_command", "check scenario files"),
    "coverage": ("lab.studies.ability_coverage", "list the abilities that no scenario makes happen"),
    "backup": ("cli.backup_command", "write all games of the browser's table into a file"),
    "restore": ("cli.backup_command", "put such a file's games back"),
    "analyse": ("cli.analyse_command", "say what to do in a position, or where a saved game turned"),
    "arena": ("lab.evaluation.arena", "let players play matches, and rate them"),
    "simulate": ("lab.simulation.simulate", "let teams play many games, and count"),
    "puzzles": ("lab.puzzles.mining_command", "look for puzzles in games, and prove them"),
    "train": ("lab.training.train", "learn the value of positions from nothing"),
    "bench": ("lab.benchmark.bench", "measure the engine's speed"),
}

# modules with the arguments of lab commands; other commands define `add_arguments` in their own module
ARGUMENTS = dict.fromkeys(("analyse", "arena", "simulate", "puzzles", "train", "bench"), "cli.lab_arguments")

EXAMPLES = """\
examples:
  dicemasters serve                           play in the browser
  dicemasters lesson first-game               learn it in five minutes
  dicemasters play                            you (A) against the simple player (B)
  dicemasters play --edition avx --seed 7     the first game of an older rulebook, with given dice
  dicemasters play --edition "avx, ties"      with a house rule; dicemasters editions lists them
  dicemasters play --a human --b human        two people at one keyboard
  dicemasters play --b level4                 a stronger opponent: level1 to level5, level5@2s
  dicemasters play --a simple --b random      watch two players
  dicemasters play --team-a green-rage --team-b my.team
  dicemasters solitaire                       you against the Scripted Opponent, which says why
  dicemasters puzzle today                    the day's puzzle: win this turn
  dicemasters team list                       ready teams; team --help for your own
  dicemasters show "hulk: jade giant"         one card in full
  dicemasters replay game.txt                 step through a game you saved with: save game.txt
  dicemasters analyse game.txt                its win chances, its turning points, what was better
  dicemasters simulate green-rage stonewall --games 500
  dicemasters scenario my.scenario            check what-happens-if files
  dicemasters draft rainbow --players 6       draft a team with five bots

  dicemasters cards energy:bolt "cost<=3"     find cards
  dicemasters rules overcrush                 what the rules say on a word; rules 3.4 for a section

At the table type help. Without colours: set NO_COLOR=1."""


def main(argv: list[str] | None = None) -> int:
    """Run a command. Return its exit code: 0 success, 2 invalid input, 130 interrupted, 141 broken pipe."""
    gc.disable()  # imports allocate much but create hardly any garbage
    _never_fail_to_print()
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:
        _close_quietly()
        return BROKEN_PIPE
    except SystemExit as leaving:  # rich exits this way when the reader of a pipe has gone
        if isinstance(leaving.__context__, BrokenPipeError):
            return BROKEN_PIPE
        raise
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except (ValueError, OSError) as error:
        for line in _error_lines(error):
            print(f"dicemasters: {line}", file=sys.stderr)
        return BAD_INPUT
    except ModuleNotFoundError as error:
        from dicemasters.extras import missing_package

        if not (sentence := missing_package((error.name or "").partition(".")[0])):
            raise
        print(f"dicemasters: {sentence}", file=sys.stderr)
        return BAD_INPUT
    finally:
        gc.enable()


def _error_lines(error: Exception) -> list[str]:
    """Return the error messages, one line each."""
    from dicemasters.errors import error_line
    from dicemasters.teams.team_problems import TeamError

    return [str(problem) for problem in error.problems] if isinstance(error, TeamError) else [error_line(error)]


def _run(argv: list[str]) -> int:
    try:
        args = parse_arguments(argv)
    except SystemExit as leaving:
        sys.stdout.flush()
        return leaving.code if isinstance(leaving.code, int) else BAD_INPUT
    gc.enable()
    code: int = import_module(f"dicemasters.{COMMANDS[args.command][0]}").main(args) if args.command else OK
    sys.stdout.flush()
    return code


class _Parser(argparse.ArgumentParser):
    """Argument parser whose errors are one sentence, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Exit with the message and a pointer to the help."""
        self.exit(BAD_INPUT, f"{self.prog}: {message.removeprefix('argument ')} ({self.prog} --help tells more)\n")

    def format_help(self) -> str:
        """Return the help, wrapped to the terminal's width. Examples can be wider than a narrow terminal."""
        width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
        return "\n".join(part for line in super().format_help().split("\n") for part in _wrap_line(line, width))


def _wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line that is too long: prose at the margin, a description below its own column."""
    beside = re.match(r"( +\S.*?  +)(\S.*)", line)
    if len(line) <= width or (line.startswith(" ") and not beside):  # keep a long command in one line for copying
        return [line]
    if not beside:
        return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    first, words = beside[1], beside[2]
    column = len(first) if len(first) <= width * 2 // 3 else 6
    said = textwrap.wrap(words, width - column, break_long_words=False, break_on_hyphens=False)
    below = [" " * column + part for part in said]
    return [first + said[0], *below[1:]] if column == len(first) else [first.rstrip(), *below]


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments. Only the module of the called command is imported."""
    root = _Parser(
        prog="dicemasters",
        description="Marvel Dice Masters as software: play it, look at its cards, replay games.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="store_true", help="say the version, and which form of the engine runs")
    commands = root.add_subparsers(dest="command", metavar="command", title="commands")
    if argv and argv[0] in COMMANDS:
        apart = argv[0] in ARGUMENTS
        module = import_module(f"dicemasters.{ARGUMENTS[argv[0]] if apart else COMMANDS[argv[0]][0]}")
        getattr(module, argv[0] if apart else "add_arguments")(commands)
        given = argparse.Namespace(command=argv[0])
        words = module.protect_negations(argv[1:]) if argv[0] == "cards" else argv[1:]
        return commands.choices[argv[0]].parse_args(words, given)
    for name, (_, about) in COMMANDS.items():
        commands.add_parser(name, help=about)
    wrong = next((word for word in argv if not word.startswith("-")), "")
    if wrong and wrong not in COMMANDS:
        near = difflib.get_close_matches(wrong, COMMANDS, 1, 0.6)
        root.error(f"there is no command '{wrong[:60]}'{f'; did you mean {near[0]}?' if near else ''}")
    args = root.parse_args(argv)
    if args.version:
        from dicemasters._compiled import build_kind

        print(f"dicemasters {__version__} ({build_kind()})")
        args.command = None
    else:
        root.print_help()
    return args


def _never_fail_to_print() -> None:
    """Replace characters that the output encoding lacks by "?", and closed output streams by the null device."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _close_quietly() -> None:
    """Redirect standard output to the null device, so that closing it raises nothing."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
