"""The rules of the Scripted Opponent, read from docs/scripted-opponent.md."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "scripted-opponent.md").read_text(encoding="utf-8")
RULES = frozenset(re.findall(r"^- \*\*(S\d+)\*\*", PAGE, re.MULTILINE))
# rules and option words of each kind of decision
ROWS = {
    kind: f"{rules} {words}"
    for kind, rules, words in re.findall(r"^\| `([^`]+)` \| (S[^|]+) \| (.+) \|$", PAGE, re.MULTILINE)
}
