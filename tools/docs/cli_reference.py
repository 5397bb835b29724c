"""The command-line reference in Markdown, generated from the argument parsers."""

from __future__ import annotations

import argparse
import re
from itertools import groupby

from dicemasters.cli.main import GROUPS, command_parser


def cli_reference() -> str:
    """Return the commands, grouped as in `dicemasters --help`: synopsis, description, options and examples."""
    lines: list[str] = []
    for group, commands in GROUPS.items():
        lines += [
            f"## {group}",
            "",
            *(f"- [`{name}`](#dicemasters-{name}): {text}" for name, (_, text) in commands.items()),
            "",
        ]
        for name in commands:
            lines += _command(command_parser(name), f"dicemasters {name}", level=3)
    return "\n".join(lines)


def _command(parser: argparse.ArgumentParser, name: str, level: int) -> list[str]:
    """Return the section of a command, with a section below it for each subcommand."""
    lines = [f"{'#' * level} {name}", "", *_fenced([_synopsis(parser, name)])]
    if parser.description:
        lines += [_prose(parser.description), ""]
    subcommands: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for key, subparser in action.choices.items():
                summary = summaries.get(key, "")
                subparser.description = subparser.description or f"{summary[:1].upper()}{summary[1:]}."
                lines.append(f"- [`{key}`](#{name.replace(' ', '-')}-{key}): {summary}")
                subcommands += _command(subparser, f"{name} {key}", level + 1)
        elif not isinstance(action, argparse._HelpAction):
            lines += [_invocation(action), f": {_help(parser, action)}", ""]
    if subcommands:
        lines.append("")
    return [*lines, *_epilog(parser.epilog or ""), *subcommands]


def _synopsis(parser: argparse.ArgumentParser, name: str) -> str:
    """Return the command with its arguments; options that may be omitted are `[options]`."""
    options = [x for x in parser._actions if x.option_strings and not isinstance(x, argparse._HelpAction)]
    required = [f"{x.option_strings[-1]} {_operand(x)}".strip() for x in options if x.required]
    parts = [name, *(["[options]"] if len(required) < len(options) else []), *required]
    parts += [_operand(x) for x in parser._actions if not x.option_strings]
    return " ".join(parts)


def _operand(action: argparse.Action) -> str:
    """Return the values an argument takes: `FILE`, `[FILE]`, `TEAM ...`; "" for a switch."""
    if isinstance(action, argparse._SubParsersAction):
        return f"{'|'.join(action.choices)} ..."
    if action.nargs == 0:
        return ""
    choices = list(action.choices) if action.choices is not None else []
    name = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, choices)) or action.dest
    if action.metavar is None and not choices:
        name = name.upper().replace("_", "-")
    return {"?": f"[{name}]", "*": f"[{name} ...]", "...": f"[{name} ...]", "+": f"{name} ..."}.get(
        str(action.nargs), name
    )


def _invocation(action: argparse.Action) -> str:
    """Return an argument as it is typed, in code: `--a WHO`."""
    operand = _operand(action)
    if not action.option_strings:
        return f"`{operand.strip('[]')}`"
    return ", ".join(f"`{f'{option} {operand}'.strip()}`" for option in action.option_strings)


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return the help of an argument with its default filled in."""
    values = {**vars(action), "prog": parser.prog, "choices": ", ".join(map(str, action.choices or ()))}
    return _prose((action.help or "").strip() % values)


def _prose(text: str) -> str:
    """Return help text as Markdown: paths of pages become links, and nothing else is markup."""
    text = re.sub(r"([*_<\[\]])", r"\\\1", " ".join(text.split()))
    return re.sub(r"docs/([\w-]+)\.md", r"[\1](\1.md)", text)


def _epilog(epilog: str) -> list[str]:
    """Return indented lines, such as examples, as blocks of code, and the others as prose."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\n+", epilog.strip("\n")):
        for is_code, run in groupby(paragraph.splitlines(), lambda line: line.startswith("  ")):
            text = list(run)
            if is_code:
                lines += _fenced([line.removeprefix("  ") for line in text])
            else:
                sentence = _prose(" ".join(text))
                lines += [sentence[:1].upper() + sentence[1:], ""]
    return lines


def _fenced(code: list[str]) -> list[str]:
    return ["```text", *code, "```", ""]
