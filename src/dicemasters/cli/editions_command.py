"""What `dicemasters editions` does: list every switch of the rules and every reading of the script, with its words."""

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
  dicemasters editions                        every switch, by subject
  dicemasters editions overcrush              those that speak of it
  dicemasters editions avx                    how that edition sets each
  dicemasters play --edition "cw, only KO'd blockers count, no ties"

A house rule is a setting your edition does not have. Give its words after the edition, with commas,
wherever an edition can be given: --edition, a team's format, the line edition: of a position, the browser's form.
A reading of the script is given with: dicemasters solitaire --reading "basics never\""""

SCRIPT = "The Scripted Opponent"
INDENT = 4


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `editions`."""
    about = "list the editions and all house rules"
    editions = commands.add_parser(
        "editions",
        help=about,
        description=f"{about.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    editions.add_argument("words", nargs="*", help="only what speaks of these words, or an edition: its settings")
    editions.add_argument(
        "--json", action="store_true", help="as JSON: editions, switches with both settings, readings"
    )


def main(args: argparse.Namespace) -> int:
    """Print the list; give the exit code."""
    console = Console(highlight=False)
    wanted = " ".join(args.words).casefold()
    edition = next((key for key, e in EDITIONS.items() if wanted in (key, e.name.casefold())), "")
    wanted = "" if edition else wanted
    found = [switch for switch in SWITCHES.values() if wanted in _everything(switch).casefold()]
    script = [
        one for one in SCRIPT_VARIANTS if wanted in f"{one.text} | {one.rule} | {one.about} | {SCRIPT}".casefold()
    ]
    script = [] if edition else script
    if not found and not script:
        raise ValueError(f"no house rule speaks of '{wanted[:60]}'; dicemasters editions lists them all")
    if args.json:
        print(json.dumps(editions_as_json(found, script, edition), ensure_ascii=False, indent=1))
        return 0
    for line in edition_lines(found, script, console.width, edition):
        console.print(line, soft_wrap=True)
    return 0


def _everything(switch: RuleSwitch) -> str:
    return " | ".join((switch.yes, switch.no, switch.on, switch.off, switch.rule, switch.subject))


def editions_as_json(
    switches: Iterable[RuleSwitch], readings: Iterable[ScriptVariant], edition: str = ""
) -> dict[str, object]:
    """Give the editions, the switches of the rules and the readings of the script as plain data; or one edition's settings."""
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
        "readings": [{"words": one.text, "rule": one.rule, "text": one.about} for one in readings],
    }


def _settings(switch: RuleSwitch, edition: str) -> list[bool]:
    """List the settings of a switch, or the one that an edition has."""
    return [on for on in (True, False) if not edition or edition in _editions_with(switch, on)]


def _editions_with(switch: RuleSwitch, on: bool) -> list[str]:
    return [key for key, value in zip(EDITIONS, switch.values, strict=True) if value == on]


def edition_lines(
    switches: Iterable[RuleSwitch], readings: Iterable[ScriptVariant], width: int, edition: str = ""
) -> list[Text]:
    """Write the editions, then each switch by subject with both settings, or an edition's, and what they mean; then readings."""
    shown = list(switches)
    found = [Text(f"{key:<4} {e.name} ({e.year})") for key, e in EDITIONS.items()]
    for subject in SUBJECTS:
        group = [switch for switch in shown if switch.subject == subject]
        if group:
            found += [Text(), heading(subject, width, "bold")]
        for n, switch in enumerate(group):
            found += [Text()] if n else []
            for on in _settings(switch, edition):
                found += _setting(switch, on, width)
    for n, one in enumerate(readings):
        found += [] if n else [Text(), heading(SCRIPT, width, "bold")]
        found += _format_item(one.text, f"a reading · {one.rule}", one.about, width)
    return found


def _setting(switch: RuleSwitch, on: bool, width: int) -> list[Text]:
    where = f"{' '.join(_editions_with(switch, on)) or 'a house rule'} · {switch.rule}"
    return _format_item(switch.setting_text(on), where, switch.sentence(on), width)


def _format_item(words: str, where: str, sentence: str, width: int) -> list[Text]:
    lines = textwrap.wrap(sentence, max(20, width - INDENT))
    return [Text.assemble((words, "bold"), (f"  {where}", LABEL)), *(Text(" " * INDENT + line) for line in lines)]
