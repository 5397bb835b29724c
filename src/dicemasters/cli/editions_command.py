"""`dicemasters editions`: list the editions, the rule switches and the readings of the solitaire script."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from dicemasters.game.rulesets.editions import EDITIONS, SUBJECTS, SWITCHES, RuleSwitch
from dicemasters.game.rulesets.solitaire import SCRIPT_VARIANTS, ScriptVariant
from dicemasters.terminal.theme import LABEL, heading

EXAMPLES = """\
examples:
  dicemasters editions                        every rule that differs, by subject
  dicemasters editions overcrush              rules that mention this word
  dicemasters editions avx                    how this edition settles each of them
  dicemasters play --edition "cw, only KO'd blockers count, no ties"

A house rule is a setting that your edition does not have. Write its words after the edition, separated by commas, wherever an edition is expected: in --edition, a team's format, the "edition:" line of a position, the form in the browser.
Readings of the script are set with: dicemasters solitaire --reading "basics never\""""

SCRIPT = "The Scripted Opponent"
INDENT = 4


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `editions` command."""
    about = "list the editions and all house rules"
    editions = commands.add_parser(
        "editions",
        help=about,
        description=f"{about.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    editions.add_argument(
        "words", nargs="*", help="show only the rules that mention these words, or the settings of one edition"
    )
    editions.add_argument(
        "--json", action="store_true", help="print editions, rule switches with both settings, and readings as JSON"
    )


def main(args: argparse.Namespace) -> int:
    """Print the list. Return the exit code."""
    console = Console(highlight=False)
    query = " ".join(args.words).casefold()
    edition = next((key for key, e in EDITIONS.items() if query in (key, e.name.casefold())), "")
    query = "" if edition else query
    switches = [switch for switch in SWITCHES.values() if query in _everything(switch).casefold()]
    variants = [
        variant
        for variant in SCRIPT_VARIANTS
        if query in f"{variant.text} | {variant.rule} | {variant.about} | {SCRIPT}".casefold()
    ]
    variants = [] if edition else variants
    if not switches and not variants:
        raise ValueError(f"no house rule mentions '{query[:60]}'; dicemasters editions lists them all")
    if args.json:
        print(json.dumps(editions_as_json(switches, variants, edition), ensure_ascii=False, indent=1))
        return 0
    for line in edition_lines(switches, variants, console.width, edition):
        console.print(line, soft_wrap=True)
    return 0


def _everything(switch: RuleSwitch) -> str:
    return " | ".join((switch.yes, switch.no, switch.on, switch.off, switch.rule, switch.subject))


def editions_as_json(
    switches: Iterable[RuleSwitch], variants: Iterable[ScriptVariant], edition: str = ""
) -> dict[str, object]:
    """Return editions, switches and readings as JSON-serialisable data, with the settings of one edition or of all."""
    return {
        "editions": [{"key": key, "name": e.name, "year": e.year} for key, e in EDITIONS.items()],
        "switches": [
            {
                "subject": switch.subject,
                "rule": switch.rule,
                "settings": [
                    {
                        "words": switch.setting_text(on),
                        "text": switch.sentence(on),
                        "editions": _editions_with(switch, on),
                    }
                    for on in _settings(switch, edition)
                ],
            }
            for switch in switches
        ],
        "readings": [{"words": variant.text, "rule": variant.rule, "text": variant.about} for variant in variants],
    }


def _settings(switch: RuleSwitch, edition: str) -> list[bool]:
    """Return the settings of a switch: both, or only that of an edition."""
    return [on for on in (True, False) if not edition or edition in _editions_with(switch, on)]


def _editions_with(switch: RuleSwitch, on: bool) -> list[str]:
    return [key for key, value in zip(EDITIONS, switch.values, strict=True) if value == on]


def edition_lines(
    switches: Iterable[RuleSwitch], variants: Iterable[ScriptVariant], width: int, edition: str = ""
) -> list[Text]:
    """Return the editions, the switches by subject with the settings of one edition or of all, and the readings."""
    shown = list(switches)
    lines = [Text(f"{key:<4} {e.name} ({e.year})") for key, e in EDITIONS.items()]
    for subject in SUBJECTS:
        group = [switch for switch in shown if switch.subject == subject]
        if group:
            lines += [Text(), heading(subject, width, "bold")]
        for n, switch in enumerate(group):
            lines += [Text()] if n else []
            for on in _settings(switch, edition):
                lines += _setting(switch, on, width)
    for n, variant in enumerate(variants):
        lines += [] if n else [Text(), heading(SCRIPT, width, "bold")]
        lines += _format_item(variant.text, f"a reading · {variant.rule}", variant.about, width)
    return lines


def _setting(switch: RuleSwitch, on: bool, width: int) -> list[Text]:
    where = f"{' '.join(_editions_with(switch, on)) or 'a house rule'} · {switch.rule}"
    return _format_item(switch.setting_text(on), where, switch.sentence(on), width)


def _format_item(words: str, where: str, sentence: str, width: int) -> list[Text]:
    lines = textwrap.wrap(sentence, max(20, width - INDENT))
    return [Text.assemble((words, "bold"), (f"  {where}", LABEL)), *(Text(" " * INDENT + line) for line in lines)]
