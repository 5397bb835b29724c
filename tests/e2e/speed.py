"""How fast the page is: `python -m tests.e2e.speed` prints figures of this machine, in a real browser at a real server."""

from __future__ import annotations

import sys
import tempfile
from statistics import median

from playwright.sync_api import sync_playwright
from tests.e2e.conftest import QUIET, the_browser
from tests.e2e.full import MAIN
from tests.e2e.scenes import table
from tests.e2e.visitor import Visitor
from tests.server.running import Running, running

WATCH = """
window.long = [];
new PerformanceObserver((list) => list.getEntries().forEach((task) => window.long.push(Math.round(task.duration)))).observe({ type: 'longtask', buffered: true });
"""

# from a click, pressed as with a mouse, until what it leads to is drawn, in milliseconds
UNTIL = """
([selector, then]) => new Promise((done) => {
  const start = performance.now();
  const look = () => document.querySelector(then) ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look);
  const pressed = document.querySelector(selector);
  pressed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' }));
  pressed.click();
  look();
})
"""


def come(playwright_browser: object, server: Running, speed: str) -> Visitor:
    context = playwright_browser.new_context(viewport={"width": 1440, "height": 900})  # type: ignore[attr-defined]
    you = Visitor(context, f"http://{server.address}", speed=speed)
    you.page.add_init_script(WATCH)
    return you


def tell(what: str, times: list[float], limit: int) -> None:
    print(f"{what:<52} {median(times):5.0f} ms, at most {max(times):.0f} (wanted: {limit})", flush=True)


def main() -> int:
    """Print how long things take."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(f"sqlite:///{folder}/games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=the_browser(), args=list(QUIET))
        starts = []
        for _ in range(5):
            you = come(browser, server, "normal")
            you.go()
            you.button("Play now").wait_for()
            starts.append(you.page.evaluate("() => performance.now()"))
            you.context.close()
        tell("start page: from the address to Play now", starts, 1000)

        you = come(browser, server, "normal")
        table(you, server, MAIN)
        tables = [you.page.evaluate("() => performance.now()")]
        moves: list[float] = []
        for _ in range(12):
            for pressed, then in (("[data-spot^=option]", ".stage .pay"), (".bar .acts .button", ".stage .opts")):
                moves.append(you.page.evaluate(UNTIL, [pressed, then]))
                you.page.wait_for_timeout(400)  # what flies arrives, and nobody is faster
        tell("full table: from the address to one's decision", tables, 1000)
        tell("full table: from a choice to the view after it", moves, 100)
        print(
            f"tasks over 50 ms at the full table: {you.page.evaluate('() => window.long') or 'none'} ms (wanted: none over 100)"
        )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
