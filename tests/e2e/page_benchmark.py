"""Benchmark of the page: `python -m tests.e2e.page_benchmark` prints times on this machine, in a real browser."""

from __future__ import annotations

import sys
import tempfile
from statistics import median

from playwright.sync_api import sync_playwright
from tests.e2e.conftest import BROWSER_ARGS, find_browser
from tests.e2e.scenes import AGAINST_SIMPLE
from tests.e2e.support.full_boards import BLOCKS, DECLARE, MAIN
from tests.e2e.support.page_driver import Visitor
from tests.support.live_server import LiveServer, run_server

RECORD_LONG_TASKS = """
window.long = [];
new PerformanceObserver((list) => list.getEntries().forEach((task) => window.long.push(Math.round(task.duration)))).observe({ type: 'longtask', buffered: true });
"""

# milliseconds from a mouse click until its result is drawn
MEASURE_CLICK = """
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
# milliseconds from sending a choice until the answer arrives, before anything is drawn
RECORD_ANSWERS = """
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
PAUSE = 400  # milliseconds: long enough for animations, and few players are faster
SIX = 6
# Venom replaces Doctor Doom, who would KO ten dice at once; Human Torch can target all thirty.
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
ATTACK: list[Step] = [(LIT, ATTACKER, n + 1) for n in range(SIX)]
STAY: list[Step] = [(ATTACKER, ATTACKER, n) for n in reversed(range(SIX))]
BLOCK: list[Step] = [step for n in range(SIX) for step in ((LIT, ".near .field .picked", None), (NEXT, BLOCKER, n + 1))]
ROLL: list[Step] = [(".rolled .spot:not(.picked)", ".rolled .picked", n + 1) for n in range(SIX)]
KEEP: list[Step] = [(".rolled .picked", ".rolled .picked", n) for n in reversed(range(SIX))]
PROCEED = ".bar .flow .last .button"

# label, position, clicks with their results, number of repetitions in a new game
ROWS: list[tuple[str, str, list[Step], int]] = [
    ("buying, and not", MAIN, BUYS * 12, 1),
    ("fielding, and undo", FIELDS, FIELD * 8, 1),
    ("declaring attackers, and not", DECLARE, (ATTACK + STAY) * 2, 1),
    ("attacking with six", DECLARE, [*ATTACK, (PROCEED, f"{ATTACKER}.picked", 0)], 3),
    ("blocking in a fight of twelve", BLOCKS, BLOCK, 2),
    ("picking dice to reroll, and not", REROLLS, ROLL + KEEP, 1),
    ("rerolling six", REROLLS, [*ROLL, (PROCEED, ".stage .opts", None)], 3),
]


def new_visitor(playwright_browser: object, server: LiveServer, speed: str) -> Visitor:
    context = playwright_browser.new_context(viewport={"width": 1440, "height": 900})  # type: ignore[attr-defined]
    you = Visitor(context, f"http://{server.address}", speed=speed)
    you.page.add_init_script(RECORD_LONG_TASKS)
    you.page.add_init_script(RECORD_ANSWERS)
    return you


def report(what: str, times: list[float], limit: int) -> None:
    over = sum(time > limit for time in times)
    print(
        f"{what:<52} {median(times):5.0f} ms, at most {max(times):.0f} (wanted: {limit}; {over} of {len(times)} took more)",
        flush=True,
    )


def main() -> int:
    """Print the times."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(f"sqlite:///{folder}/games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_ARGS))
        starts = []
        for _ in range(5):
            you = new_visitor(browser, server, "normal")
            you.go()
            you.button("Play now").wait_for()
            starts.append(you.page.evaluate("() => performance.now()"))
            you.context.close()
        report("start page: from the address to Play now", starts, 1000)

        tables, long, answers = [], [], []
        for pause in (PAUSE, 0):
            for what, position, steps, times in ROWS:
                moves: list[float] = []
                for _ in range(times):
                    you = new_visitor(browser, server, "normal")
                    game = server.open(seats=AGAINST_SIMPLE, position=position)
                    you.join(game.game, game.seats["A"])
                    you.wait()
                    tables.append(you.page.evaluate("() => performance.now()"))
                    you.page.wait_for_timeout(PAUSE)
                    for step in steps:
                        moves.append(you.page.evaluate(MEASURE_CLICK, step))
                        you.page.wait_for_timeout(pause)
                    long += you.page.evaluate("() => window.long")
                    answers += you.page.evaluate("() => window.answers")
                    you.context.close()
                report(f"{what}{'' if pause else ', at once again'}", moves, 100)
        report("full table: from the address to one's decision", tables, 1000)
        report("the server's part of it: from a choice to its answer", answers, 100)
        print(f"tasks over 50 ms at the full table: {sorted(long) or 'none'} ms (wanted: none over 100)")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
