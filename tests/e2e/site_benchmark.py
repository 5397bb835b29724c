"""How large the site is, how soon one can play, how fast it plays: `python -m tests.e2e.site_benchmark` prints figures of this machine."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright
from tests.e2e.conftest import QUIET, the_browser
from tests.e2e.support.page_driver import Visitor
from tests.e2e.support.static_host import BELOW, Host, hosted

TIMEOUT = 300  # seconds: a machine may have much else to do

# Python on a page beside the site, asked to play games of simple players and to think
PLAYED = """
async (base) => {
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: base });
  python.unpackArchive(await (await fetch(`${base}dicemasters.zip`)).arrayBuffer(), 'zip');
  return python.runPython(`
from time import perf_counter
from dicemasters.game.turn import loop
from dicemasters.game.game import Game
from dicemasters.players.player import make_player

def rate(names, games, within=None):
    made = took = 0
    for seed in range(games):
        state = Game.new('ai', seed=seed).state
        players = [make_player(name, seed + n) if within is None else make_player(name, seed + n, within=within) for n, name in enumerate(names)]
        began = perf_counter()
        while state.result == -1 and made < 100_000:
            loop.apply(state, state.options[players[state.decision.seat].choose(state)])
            made += 1
        took += perf_counter() - began
    return made / took

rate(('random', 'random'), 3)
[rate(('random', 'random'), 40), rate(('simple', 'simple'), 20)]
`).toJs();
}
"""


def sizes(folder: Path) -> None:
    """Print how large the files are, as they lie and as a host sends them that compresses."""
    for what, below in (("the page", folder), ("Python and the engine", folder / "engine")):
        paths = [
            path for path in below.rglob("*") if path.is_file() and (below != folder or "engine" not in path.parts)
        ]
        packed = sum(min(path.stat().st_size, len(gzip.compress(path.read_bytes()))) for path in paths)
        print(
            f"{what}: {len(paths)} files, {sum(p.stat().st_size for p in paths) / 1e6:.2f} MB, {packed / 1e6:.2f} MB compressed"
        )


def start(browser: Browser, host: Host) -> None:
    """Print how long it takes from the click until one can choose, at the first visit and later without a network."""
    you = Visitor(browser.new_context(viewport={"width": 1440, "height": 900}), host.home, patience=TIMEOUT)
    you.go("/")
    you.button("Play now").wait_for()
    print(f"start page: {you.page.evaluate('performance.now()'):.0f} ms")
    you.page.get_by_text("works without a network").wait_for()
    for visit in ("first", "second", "third"):
        you.page.reload()
        you.button("Play now").wait_for()
        began = perf_counter()
        you.button("Play now").click()
        you.page.wait_for_selector(".bar")
        print(f"from Play now to the table, {visit} game: {perf_counter() - began:.1f} s")
        you.go("/")
    you.context.close()


def speed(browser: Browser, host: Host) -> None:
    """Print how many choices are made in a second by Python in the browser."""
    page = browser.new_page()
    page.goto(f"http://{host.address}/{BELOW}/engine/")
    random, simple = page.evaluate(PLAYED, f"{host.home}/engine/")
    print(f"choices a second: {random:,.0f} of random players, {simple:,.0f} of simple ones")
    page.close()


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name, hosted(Path(name)) as host, sync_playwright() as playwright:
        sizes(Path(name) / BELOW)
        browser = playwright.chromium.launch(executable_path=the_browser(), args=list(QUIET))
        start(browser, host)
        speed(browser, host)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
