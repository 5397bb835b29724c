"""How fast the page is: `python -m tests.e2e.page_benchmark` prints figures of this machine, in a real browser at a real server."""

from __future__ import annotations

import sys
import tempfile
from statistics import median

from playwright.sync_api import sync_playwright
from tests.e2e.conftest import QUIET, the_browser
from tests.e2e.scenes import AGAINST_SIMPLE
from tests.e2e.support.full_boards import BLOCKS, DECLARE, MAIN
from tests.e2e.support.page_driver import Visitor
from tests.support.live_server import LiveServer, run_server

WATCH = """
window.long = [];
new PerformanceObserver((list) => list.getEntries().forEach((task) => window.long.push(Math.round(task.duration)))).observe({ type: 'longtask', buffered: true });
"""

# from a click, pressed as with a mouse, until what it leads to is drawn, in milliseconds
UNTIL = """
([selector, then, count]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error(`${selector} does not lead to ${then}`)), 10000);
  const start = performance.now();
  const seen = () => count === null ? document.querySelector(then) : document.querySelectorAll(then).length === count;
  const look = () => seen() ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look);
  const pressed = document.querySelector(selector);
  pressed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' }));
  pressed.click();
  look();
})
"""
# how long the server takes to answer a choice, until the page hears it and before it draws anything
ANSWERS = """
window.answers = [];
{
  let sent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    if (/"type":"(play|undo)"/.test(message)) sent = performance.now();
    this.heard ??= this.addEventListener('message', (e) => {
      if (sent && /^{"type":"(view|change)"/.test(e.data)) { window.answers.push(e.timeStamp - sent); sent = 0; }
    }) ?? true;
    return send.call(this, message);
  };
}
"""

Step = tuple[str, str, int | None]
PAUSE = 400  # milliseconds: what flies arrives, and few are faster
HALF = 6
# Venom lies in the place of Doctor Doom, who would KO ten dice at once; Human Torch lets one choose among all thirty
FIELDS = MAIN.replace("A reserve: ", "A reserve: Spider-Man@1, ").replace("Doctor Doom@", "Venom@")
REROLLS = MAIN.replace(
    "A reserve: F, F, ?, S, Hulk:FF, Focus Power!, Distraction!", "A prep: F, F, ?, S, Hulk:FF, Focus Power!"
).replace("A, main", "A, reroll")
LIT = ".near .field [data-lit]"
ATTACKER, BLOCKER = ".fight .attacker .spot", ".fight .end:not(.attacker) .spot"
NEXT = ".fight .duel:not(:has(.end:not(.attacker) .spot)) .attacker .spot"

BUYS: list[Step] = [("[data-spot^=option]", ".stage .pay", None), (".bar .acts .button", ".stage .opts", None)]
FIELD: list[Step] = [
    (".opt:nth-child(2) [data-spot^=option]", ".stage:not(:has(.opts))", None),
    (".top [aria-label=Undo]", ".stage .opts", None),
]
ATTACK: list[Step] = [(LIT, ATTACKER, n + 1) for n in range(HALF)]
STAY: list[Step] = [(ATTACKER, ATTACKER, n) for n in reversed(range(HALF))]
BLOCK: list[Step] = [
    step for n in range(HALF) for step in ((LIT, ".near .field .picked", None), (NEXT, BLOCKER, n + 1))
]
ROLL: list[Step] = [(".rolled .spot:not(.picked)", ".rolled .picked", n + 1) for n in range(HALF)]
KEEP: list[Step] = [(".rolled .picked", ".rolled .picked", n) for n in reversed(range(HALF))]
GO_ON = ".bar .flow .last .button"

# what is chosen: the position, the clicks with what each leads to, and how often one sits down anew for them
ROWS: list[tuple[str, str, list[Step], int]] = [
    ("buying, and not", MAIN, BUYS * 12, 1),
    ("fielding, and undo", FIELDS, FIELD * 8, 1),
    ("declaring attackers, and not", DECLARE, (ATTACK + STAY) * 2, 1),
    ("attacking with six", DECLARE, [*ATTACK, (GO_ON, f"{ATTACKER}.picked", 0)], 3),
    ("blocking in a fight of twelve", BLOCKS, BLOCK, 2),
    ("picking dice to reroll, and not", REROLLS, ROLL + KEEP, 1),
    ("rerolling six", REROLLS, [*ROLL, (GO_ON, ".stage .opts", None)], 3),
]


def come(playwright_browser: object, server: LiveServer, speed: str) -> Visitor:
    context = playwright_browser.new_context(viewport={"width": 1440, "height": 900})  # type: ignore[attr-defined]
    you = Visitor(context, f"http://{server.address}", speed=speed)
    you.page.add_init_script(WATCH)
    you.page.add_init_script(ANSWERS)
    return you


def tell(what: str, times: list[float], limit: int) -> None:
    over = sum(time > limit for time in times)
    print(
        f"{what:<52} {median(times):5.0f} ms, at most {max(times):.0f} (wanted: {limit}; {over} of {len(times)} took more)",
        flush=True,
    )


def main() -> int:
    """Print how long things take."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(f"sqlite:///{folder}/games.sqlite") as server,
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

        tables, long, answers = [], [], []
        for pause in (PAUSE, 0):
            for what, position, steps, times in ROWS:
                moves: list[float] = []
                for _ in range(times):
                    you = come(browser, server, "normal")
                    game = server.open(seats=AGAINST_SIMPLE, position=position)
                    you.join(game.game, game.seats["A"])
                    you.wait()
                    tables.append(you.page.evaluate("() => performance.now()"))
                    you.page.wait_for_timeout(PAUSE)
                    for step in steps:
                        moves.append(you.page.evaluate(UNTIL, step))
                        you.page.wait_for_timeout(pause)
                    long += you.page.evaluate("() => window.long")
                    answers += you.page.evaluate("() => window.answers")
                    you.context.close()
                tell(f"{what}{'' if pause else ', at once again'}", moves, 100)
        tell("full table: from the address to one's decision", tables, 1000)
        tell("the server's part of it: from a choice to its answer", answers, 100)
        print(f"tasks over 50 ms at the full table: {sorted(long) or 'none'} ms (wanted: none over 100)")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
