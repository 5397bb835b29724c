"""What of docs/rules.md is written by the program: switches at their rules, scenarios that show a rule, the script."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dicemasters.game.rulesets.editions import EDITIONS as ALL_EDITIONS
from dicemasters.game.rulesets.editions import SWITCHES, RuleSwitch
from dicemasters.rules.document import EDITIONS, SHOWN_BY, blocks, is_heading, number_of, read_document

WIDTH = 128
FIRST = 8  # rules found
_SCRIPT = re.compile(r"(<!-- script: [^\n]+ -->\n).*?(<!-- end of script -->)", re.DOTALL)
_RULE = r"(?:[SE]?\d[\w.]*|#\d+)"
_TAG = re.compile(rf"# rules ({_RULE}(?:, {_RULE})*)")  # what stands behind them says what is shown


class RuleExample(NamedTuple):
    """A scenario and the rules it shows."""

    file: str
    title: str
    rules: tuple[str, ...]


def read_scenarios(folder: Path) -> list[RuleExample]:
    """Give the scenarios that name rules: in a comment above, `# rules 3.4d1, 6.12`, or a ruling in the title, `#7`."""
    found = []
    for path in sorted(folder.rglob("*.scenario")):
        rules: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            tag = _TAG.match(line.strip())
            if tag:
                rules += tag[1].split(", ")
            elif line.startswith("scenario:"):
                title = line.removeprefix("scenario:").strip()
                rules += re.findall(r"#\d+", re.match(r"(?:#\d+[, ]*)*", title)[0])  # type: ignore[index]
                if rules:
                    name = path.relative_to(folder).with_suffix("").as_posix()
                    found.append(RuleExample(name, title, tuple(dict.fromkeys(rules))))
                rules = []
            elif not line.startswith("#"):
                rules = []
    return found


def switch_text(switch: RuleSwitch) -> str:
    """Say both settings of a switch and the editions that have them."""
    on = [key for key, value in zip(ALL_EDITIONS, switch.values, strict=True) if value]
    off = [key for key in ALL_EDITIONS if key not in on]
    return (
        f"**{switch.yes}** ({_editions(on)}): {switch.on} **{switch.no}** ({_editions(off)}): {switch.off} "
        f"(`{switch.name}`)"
    )


def _editions(keys: list[str]) -> str:
    if len(keys) == len(ALL_EDITIONS):
        return "every edition"
    return ", ".join(f"`{key}`" for key in keys) or "house rule"


def script_text(page: str) -> str:
    """Give the rules of the Scripted Opponent, from its own page, as items."""
    rules = page[page.index("## Set-up") : page.index("## The rule for every decision")]
    out = []
    for block in blocks(rules):
        if is_heading(block):
            out.append(f"##{block}")
        else:
            for rule in re.split(r"^- ", block, flags=re.MULTILINE)[1:]:
                out.append(textwrap.fill(" ".join(rule.split()), WIDTH, break_on_hyphens=False, break_long_words=False))
    return "\n\n".join(out)


def notes(shown: list[RuleExample]) -> dict[str, list[str]]:
    """Give the lines that belong below each number."""
    found: dict[str, list[str]] = {}
    for switch in SWITCHES.values():
        found.setdefault(switch.rule, []).append(EDITIONS + switch_text(switch))
    by_rule: dict[str, dict[str, list[str]]] = {}
    for one in shown:
        for rule in one.rules:
            by_rule.setdefault(rule, {}).setdefault(one.file, []).append(one.title)
    for rule, files in by_rule.items():
        said = " | ".join(f"`{file}`: {'; '.join(titles)}" for file, titles in files.items())
        found.setdefault(rule, []).append(SHOWN_BY + said)
    return found


def render_document(text: str, script: str, shown: list[RuleExample]) -> str:
    """Give the document with everything the program writes into it; a ValueError names a rule that is not there."""
    text = _SCRIPT.sub(lambda found: f"{found[1]}\n{script_text(script)}\n\n{found[2]}", text)
    below = notes(shown)
    out: list[str] = []
    for block, waiting in _with_notes(text, below):
        out += [block, *waiting]
    if below:
        who = next((one.file for one in shown if set(one.rules) & set(below)), "a switch")
        raise ValueError(f"{who} names the rule {next(iter(below))}, which docs/rules.md does not have")
    return "\n\n".join(out) + "\n"


def _with_notes(text: str, below: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Give each block, and behind the last block of an item its notes."""
    whole = [block for block in blocks(text) if not block.startswith((EDITIONS, SHOWN_BY))]
    number = ""
    for block, following in zip(whole, [*whole[1:], "# end"], strict=True):
        number = number_of(block) or ("" if is_heading(block) else number)
        ends = bool(number_of(following)) or is_heading(following) or following.startswith("<!--")
        yield block, below.pop(number, []) if ends and number else []


def search_fixture(text: str, asked: str) -> str:
    """Give the first rules found for each query of a list, so that the browser's search can be held against ours."""
    document = read_document(text)
    first = {query: [item.number for item in document.look_up(query)[:FIRST]] for query in json.loads(asked)}
    lines = (f" {json.dumps(query)}: {json.dumps(numbers)}" for query, numbers in first.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_rules(root: Path) -> Mapping[Path, str]:
    """Give the files of a checkout that hold the document, with what they should say."""
    docs = root / "docs"
    text = render_document(
        (docs / "rules.md").read_text(encoding="utf-8"),
        (docs / "scripted-opponent.md").read_text(encoding="utf-8"),
        read_scenarios(root / "tests" / "scenarios"),
    )
    package = root / "src" / "dicemasters" / "rules"
    rulings = (docs / "rulings.md").read_text(encoding="utf-8")
    found = root / "tests" / "unit" / "rules" / "rules_found.json"
    return {
        docs / "rules.md": text,
        package / "rules.md": text,
        package / "rulings.md": rulings,
        found: search_fixture(text, found.read_text(encoding="utf-8")),
    }
