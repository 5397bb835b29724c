"""The documentation site: it builds without a warning, and the server's security policy allows everything in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tools.docs.cli_reference import cli_reference
from tools.docs.set_pages import set_page
from tools.docs.theme_colors import VARIABLES, theme_variables

from dicemasters.cli.main import COMMANDS, GROUPS

ROOT = Path(__file__).resolve().parents[2]
# what readers look for, by the page it is on
WANTED = {
    "api/game": ["dicemasters.Game.moves", "dicemasters.Game.play"],
    "api/decisions": ["dicemasters.Choice.what", "dicemasters.Decision.options", "dicemasters.game.decision.LogEntry.dice"],
    "api/positions": [
        "dicemasters.Position.players",
        "dicemasters.game.position.PositionPlayer.field",
        "dicemasters.game.position.PositionPlayer.reserve",
        "dicemasters.game.position.PositionPlayer.bag",
        "dicemasters.game.position.PositionDie.is_attacking",
    ],
    "api/bots": ["dicemasters.Bot.choose"],
    "api/analysis": ["dicemasters.analyse", "dicemasters.players.analysis.Analysis.options"],
    "cli": ["dicemasters-play", "dicemasters-team-check"],
}  # fmt: skip


@pytest.mark.skipif(
    any(find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")), reason="needs the dependency group docs"
)
def test_site_builds_without_a_warning_and_obeys_the_security_policy(tmp_path: Path) -> None:
    site = tmp_path / "site"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "DICEMASTERS_PURE": "1"}
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += ["-d", str(tmp_path / "doctrees"), "docs", str(site)]
    built = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    for name, text in pages.items():
        assert "Alias for field number" not in text, name
        assert not re.search(r"<style|<script>|<script [^>]*>[^<]|<[^>]* style=|<[^>]* on[a-z]+=\"", text), name
        assert not re.search(r"<(?:img|script|link|iframe|source)[^>]* (?:src|href)=\"(?:https?:)?//", text), name
        assert "../" * name.count("/") + '../">Play the game</a>' in text, name
        assert "_static/search-box.js" in text, name  # the policy blocks the search form itself
    for name, ids in WANTED.items():
        for anchor in ids:
            assert f'id="{anchor}"' in pages[f"{name}.html"], anchor
    assert not list(site.rglob("*.map"))
    assert not (site / "_downloads").exists()


def test_command_reference_has_every_command_and_option() -> None:
    text = cli_reference()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(GROUPS)
    assert re.findall(r"^### dicemasters (.*)$", text, re.MULTILINE) == list(COMMANDS)
    for wanted in (
        "`--edition E`\n: ",
        "#### dicemasters team check",
        "`-v`, `--verbose`",
        "dicemasters play [options] [FILE]",
    ):
        assert wanted in text
    assert "%(" not in text  # defaults are filled in
    assert "\n: \n" not in text  # every argument is explained


def test_set_page_has_the_numbers_text_and_faces_of_a_card() -> None:
    text = set_page("avx")
    card = text[text.index("## 9. Hulk: Jade Giant") :].split("\n## ")[0]
    assert "cost 6 fist · Avengers · at most 4 dice · starter" in card
    assert 'aria-label="level 1: fielding cost 1, A 6, D 5, 1 burst"' in card
    assert card.count('<li class="face') == 6


def test_colours_are_those_of_the_game() -> None:
    light, dark = theme_variables()
    assert set(light) == set(dark) == set(VARIABLES)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", color) for color in (*light.values(), *dark.values()))
    assert light["color-foreground-primary"] != dark["color-foreground-primary"]
