"""Benchmark of the static site: `python -m tests.e2e.site_benchmark` prints sizes, start times and speed on this machine."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright
from tests.e2e.conftest import BROWSER_ARGS, find_browser
from tests.e2e.support.page_driver import Visitor
from tests.e2e.support.static_host import SITE_PATH, Host, host_site

TIMEOUT = 300  # seconds; the machine may be busy

# Pyodide on an empty page of the site plays games between bots
MEASURE_SPEED = """
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


def print_sizes(folder: Path) -> None:
    """Print the sizes of the files, plain and compressed."""
    for what, below in (("the page", folder), ("Python and the engine", folder / "engine")):
        paths = [
            path for path in below.rglob("*") if path.is_file() and (below != folder or "engine" not in path.parts)
        ]
        packed = sum(min(path.stat().st_size, len(gzip.compress(path.read_bytes()))) for path in paths)
        print(
            f"{what}: {len(paths)} files, {sum(p.stat().st_size for p in paths) / 1e6:.2f} MB, {packed / 1e6:.2f} MB compressed"
        )


def print_start_times(browser: Browser, host: Host) -> None:
    """Print the times from the click to the table, for the first game and the next two."""
    you = Visitor(browser.new_context(viewport={"width": 1440, "height": 900}), host.home, timeout=TIMEOUT)
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


def print_speed(browser: Browser, host: Host) -> None:
    """Print how many choices a second Python makes in the browser."""
    page = browser.new_page()
    page.goto(f"http://{host.address}/{SITE_PATH}/engine/")
    random, simple = page.evaluate(MEASURE_SPEED, f"{host.home}/engine/")
    print(f"choices a second: {random:,.0f} of random players, {simple:,.0f} of simple ones")
    page.close()


def main() -> int:
    """Print all measurements."""
    with tempfile.TemporaryDirectory() as name, host_site(Path(name)) as host, sync_playwright() as playwright:
        print_sizes(Path(name) / SITE_PATH)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_ARGS))
        print_start_times(browser, host)
        print_speed(browser, host)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
