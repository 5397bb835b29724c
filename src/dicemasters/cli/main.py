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

# commands by help group: the module, whose `main` runs the command, and a summary
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": ("cli.play_command", "play at the terminal against a bot or a friend"),
        "serve": ("cli.serve_command", "play in the browser, alone or with others"),
        "lesson": ("cli.lesson_command", "learn the game step by step"),
        "puzzle": ("cli.puzzle_command", "solve a puzzle: win or survive this turn"),
        "solitaire": ("cli.solitaire_command", "play against the Scripted Opponent"),
        "replay": ("cli.replay_command", "step through a saved game"),
    },
    "Look up": {
        "cards": ("cli.cards_command", "search the cards"),
        "show": ("cli.cards_command", "show cards in full"),
        "rules": ("cli.rules_command", "search or read the rules"),
        "editions": ("cli.editions_command", "list the editions and all house rules"),
    },
    "Teams": {
        "team": ("cli.team_command", "check, show, compare and print teams"),
        "draft": ("cli.draft_command", "draft teams with friends and bots"),
    },
    "Analyse": {
        "analyse": ("cli.analyse_command", "find the best choice, or where a saved game turned"),
        "arena": ("lab.evaluation.arena", "rate bots against each other"),
        "simulate": ("lab.simulation.simulate", "compare teams over many games"),
        "bench": ("lab.benchmark.bench", "measure the engine's speed"),
    },
    "Author and host": {
        "scenario": ("cli.scenario_command", "check scenario files"),
        "coverage": ("lab.studies.ability_coverage", "list the abilities that no scenario covers"),
        "puzzles": ("lab.puzzles.mining_command", "mine puzzles from simulated games"),
        "train": ("lab.training.train", "train the value network of the bots"),
        "site": ("cli.site_command", "export the game as a static site"),
        "backup": ("cli.backup_command", "back up all games of a server"),
        "restore": ("cli.backup_command", "restore a backup"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

# modules with the arguments of lab commands; other commands define `add_arguments` in their own module
ARGUMENTS = dict.fromkeys(("analyse", "arena", "simulate", "puzzles", "train", "bench"), "cli.lab_arguments")

EXAMPLES = {
    "Play": """\
  dicemasters serve                          play in the browser
  dicemasters lesson first-game              learn the game in five minutes
  dicemasters play --b level4                level1 to level5, or level5@2s to think longer
  dicemasters play --edition avx --seed 7    an older rulebook, with given dice
  dicemasters play --edition "avx, ties"     with a house rule
  dicemasters play --a human --b human       two people at one keyboard
  dicemasters play --team-a green-rage --team-b my.team
  dicemasters replay game.txt                a game saved with: save game.txt""",
    "Look up": """\
  dicemasters cards energy:bolt "cost<=3"
  dicemasters show "hulk: jade giant"
  dicemasters rules overcrush                or a section: rules 3.4""",
    "Teams": """\
  dicemasters team list                      the ready teams
  dicemasters team check my.team
  dicemasters draft rainbow --players 6      with five bots""",
    "Analyse": """\
  dicemasters analyse game.txt               win chances, turning points, what was better
  dicemasters simulate green-rage stonewall --games 500""",
    "Author and host": """\
  dicemasters scenario my.scenario
  dicemasters site dist/site""",
}


def _grouped_commands() -> str:
    """Return the commands with their summaries and examples, group by group."""
    width = max(map(len, COMMANDS))
    parts = []
    for group, commands in GROUPS.items():
        parts += [f"{group}:", *(f"  {name:{width}}  {summary}" for name, (_, summary) in commands.items())]
        parts += ["", EXAMPLES[group], ""]
    parts.append("Type help during a game for its commands. Set NO_COLOR=1 for output without colours.")
    return "\n".join(parts)


def main(argv: list[str] | None = None) -> int:
    """Run a command. Return its exit code: 0 success, 2 invalid input, 130 interrupted, 141 broken pipe."""
    gc.disable()  # imports allocate a lot but create hardly any garbage
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


def command_parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command. Only the command's own module is imported."""
    commands = _Parser(prog="dicemasters").add_subparsers()
    lab = command in ARGUMENTS
    module = import_module(f"dicemasters.{ARGUMENTS[command] if lab else COMMANDS[command][0]}")
    getattr(module, command if lab else "add_arguments")(commands)
    parser: argparse.ArgumentParser = commands.choices[command]
    return parser


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments. Only the module of the called command is imported."""
    root = _Parser(
        prog="dicemasters",
        usage="dicemasters COMMAND [options]\n       dicemasters [--help] [--version]",
        description="A rules engine for Marvel Dice Masters: play, look up, build teams, analyse and simulate.\n"
        "dicemasters COMMAND --help explains a command.",
        epilog=_grouped_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="store_true", help="print the version and whether the engine is compiled")
    root.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    if argv and argv[0] in COMMANDS:
        command = argv[0]
        words = argv[1:]
        if command == "cards":
            words = import_module(f"dicemasters.{COMMANDS[command][0]}").protect_negations(words)
        return command_parser(command).parse_args(words, argparse.Namespace(command=command))
    wrong = next((word for word in argv if not word.startswith("-")), "")
    if wrong and wrong not in COMMANDS:
        near = difflib.get_close_matches(wrong, COMMANDS, 1, 0.6)
        root.error(f"there is no command '{wrong[:60]}'{f'; did you mean {near[0]}?' if near else ''}")
    args = root.parse_args(argv)
    if args.version:
        from dicemasters._compiled import build_kind

        print(f"dicemasters {__version__} ({build_kind()})")
    else:
        root.print_help()
    args.command = None
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
