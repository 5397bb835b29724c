"""The generated parts of docs/rules.md: rule switches, scenarios that show a rule, and the rules of the script."""

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
FIXTURE_RESULTS = 8  # results per query
_SCRIPT = re.compile(r"(<!-- script: [^\n]+ -->\n).*?(<!-- end of script -->)", re.DOTALL)
_RULE = r"(?:[SE]?\d[\w.]*|#\d+)"
_TAG = re.compile(rf"# rules ({_RULE}(?:, {_RULE})*)")  # free text may follow the numbers


class RuleExample(NamedTuple):
    """A scenario and the rules it shows."""

    file: str
    title: str
    rules: tuple[str, ...]


def read_scenarios(folder: Path) -> list[RuleExample]:
    """Return the scenarios that name rules, in a comment (`# rules 3.4d1, 6.12`) or as a ruling in the title (`#7`)."""
    examples = []
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
                    examples.append(RuleExample(name, title, tuple(dict.fromkeys(rules))))
                rules = []
            elif not line.startswith("#"):
                rules = []
    return examples


def switch_text(switch: RuleSwitch) -> str:
    """Return both settings of a switch, each with the editions that use it."""
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
    """Return the rules of the Scripted Opponent, taken from its own page, as items."""
    rules = page[page.index("## Set-up") : page.index("## The rule for every decision")]
    items = []
    for block in blocks(rules):
        if is_heading(block):
            items.append(f"##{block}")
        else:
            for rule in re.split(r"^- ", block, flags=re.MULTILINE)[1:]:
                items.append(
                    textwrap.fill(" ".join(rule.split()), WIDTH, break_on_hyphens=False, break_long_words=False)
                )
    return "\n\n".join(items)


def notes(examples: list[RuleExample]) -> dict[str, list[str]]:
    """Return the generated notes for each number."""
    lines: dict[str, list[str]] = {}
    for switch in SWITCHES.values():
        lines.setdefault(switch.rule, []).append(EDITIONS + switch_text(switch))
    by_rule: dict[str, dict[str, list[str]]] = {}
    for example in examples:
        for rule in example.rules:
            by_rule.setdefault(rule, {}).setdefault(example.file, []).append(example.title)
    for rule, files in by_rule.items():
        scenarios = " | ".join(f"`{file}`: {'; '.join(titles)}" for file, titles in files.items())
        lines.setdefault(rule, []).append(SHOWN_BY + scenarios)
    return lines


def render_document(text: str, script: str, examples: list[RuleExample]) -> str:
    """Return the document with all its generated parts. Raise `ValueError` if a note names an unknown rule."""
    text = _SCRIPT.sub(lambda match: f"{match[1]}\n{script_text(script)}\n\n{match[2]}", text)
    unplaced = notes(examples)
    rendered: list[str] = []
    for block, block_notes in _with_notes(text, unplaced):
        rendered += [block, *block_notes]
    if unplaced:
        source = next((example.file for example in examples if set(example.rules) & set(unplaced)), "a switch")
        raise ValueError(f"{source} names the rule {next(iter(unplaced))}, which docs/rules.md does not have")
    return "\n\n".join(rendered) + "\n"


def _with_notes(text: str, unplaced: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield each block with the notes that follow it; an item's notes follow its last block."""
    source_blocks = [block for block in blocks(text) if not block.startswith((EDITIONS, SHOWN_BY))]
    number = ""
    for block, following in zip(source_blocks, [*source_blocks[1:], "# end"], strict=True):
        number = number_of(block) or ("" if is_heading(block) else number)
        ends_item = bool(number_of(following)) or is_heading(following) or following.startswith("<!--")
        yield block, unplaced.pop(number, []) if ends_item and number else []


def search_fixture(text: str, queries: str) -> str:
    """Return the first rules found for each of the queries, as JSON for the test that compares the browser's search."""
    document = read_document(text)
    results = {
        query: [item.number for item in document.look_up(query)[:FIXTURE_RESULTS]] for query in json.loads(queries)
    }
    lines = (f" {json.dumps(query)}: {json.dumps(numbers)}" for query, numbers in results.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_rules(root: Path) -> Mapping[Path, str]:
    """Return the paths of the generated files in a checkout, each with the content it should have."""
    docs = root / "docs"
    text = render_document(
        (docs / "rules.md").read_text(encoding="utf-8"),
        (docs / "scripted-opponent.md").read_text(encoding="utf-8"),
        read_scenarios(root / "tests" / "scenarios"),
    )
    fixture = root / "tests" / "unit" / "rules" / "rules_found.json"
    return {
        docs / "rules.md": text,
        fixture: search_fixture(text, fixture.read_text(encoding="utf-8")),
    }
