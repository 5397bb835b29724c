"""Somebody at the page: points, confirms, reads. What goes wrong in the browser is noted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dicemasters.players.rng import SplitMix64

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Route
    from playwright.sync_api._generated import LocatorAssertions

DECIDES = ".bar.mine"
OVER = ".finale"
LIT = ".play [data-lit]:visible"
TIMEOUT = 180  # seconds until a test gives up waiting; only a guard against hanging
GONE = 10  # seconds after which it is checked whether what was there a moment ago has gone; if not, it is tried again
STANDS = """
() => [document.querySelector('.table')?.dataset.version,
  ...[...document.querySelectorAll('.bar, .stage, [data-lit]')].map((e) => e.textContent)].join()
"""
# Waits until two looks in a row see the same, and nothing is on its way. A box that follows what it speaks of measures
# every 250 ms (CoachBubble.svelte) or 400 ms (CoachRemarks.svelte): a longer timer ends behind that measurement, however late both are.
STILL = """
async (what) => {
  const laid = () => [...document.querySelectorAll('body *')]
    .map((e) => [e.offsetLeft, e.offsetTop, e.offsetWidth, e.offsetHeight, e.scrollTop]).join();
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const moves = () => document.getAnimations()
    .some((a) => a.playState === 'running' && Number.isFinite(a.effect?.getComputedTiming().endTime));
  const end = performance.now() + %(patience)d;
  await document.fonts.ready;
  for (let last = null; ; ) {
    for (let n = 0; n < 2; n++) await frame();
    const now = %(look)s;
    if (now !== null && now === last && !moves()) return;
    if (performance.now() > end) throw new Error(`nothing stands still: ${JSON.stringify(what)}`);
    last = now;
    await pause(document.querySelector('.hints') ? 450 : document.querySelector('.bubble') ? 300 : 0);
  }
}
"""
# notes each address whose answer the page has read and acted upon, as far as it does so without waiting for anything else
HEARD = """
window.heard = [];
const read = Response.prototype.json;
Response.prototype.json = async function () {
  const said = await read.call(this);
  setTimeout(() => window.heard.push(new URL(this.url).pathname));
  return said;
};
"""
SETTINGS = {"speed": "at once", "hurry": True, "name": "Ann"}
# a browser's part in the dice is the same each time a test runs, and another one in each browser and after each load
LOTS = """
(() => {
  let now = Number((localStorage['lots'] = Number(localStorage['lots'] ?? 0) + 1)) * 1000 + %d;
  const draw = () => {
    now = (now + 0x6d2b79f5) | 0;
    let t = Math.imul(now ^ (now >>> 15), now | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  Object.defineProperty(crypto, 'getRandomValues', { value: (list) => list.map((_, n) => (list[n] = draw())) && list });
})();
"""


def is_small(width: int, height: int) -> bool:
    """Whether a window shows the table as a phone does (board.css)."""
    return width < 700 or height < 560 or (width < 900 and height < 1150)


def expect(what: Locator) -> LocatorAssertions:
    """Return Playwright's assertions about something; they wait as long as a slow machine may need."""
    from playwright.sync_api import expect as assertions

    assertions.set_options(timeout=TIMEOUT * 1000)
    return assertions(what)


class Visitor:
    """A browser of its own with one page; decides at random where told to."""

    def __init__(
        self,
        context: BrowserContext,
        home: str,
        seed: int = 1,
        *,
        number: int = 0,
        patience: int = TIMEOUT,
        **settings: str | bool,
    ) -> None:
        self.context = context
        self.home = home
        self.chance = SplitMix64(seed)
        self.problems: list[str] = []
        self.strangers: list[str] = []  # requests to other hosts
        self.page: Page = context.new_page()
        self.patience = patience
        self.page.set_default_timeout(patience * 1000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self._notice(request.url))
        self.page.add_init_script(
            f"localStorage['dicemasters settings'] ??= {json.dumps(json.dumps(SETTINGS | settings))}"  # so that tests do not wait
        )
        self.page.add_init_script(LOTS % number)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "ERR_CONNECTION" not in message.text and "WebSocket" not in message.text:
            self.problems.append(message.text)

    def _notice(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.home).netloc and not url.startswith("blob:"):
            self.strangers.append(url)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.home + path)

    def join(self, game: str, secret: str) -> None:
        self.go(f"/g/{game}#{secret}")
        self.page.wait_for_selector(".bar, #name")
        if self.page.locator("#name").count():
            self.page.locator("#name").fill("Vis")
            self.button("Sit down").click()
            self.page.wait_for_selector(".bar")

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def question(self) -> str:
        return self.page.locator(".question").first.inner_text()

    @property
    def version(self) -> int:
        return int(self.page.locator(".table").get_attribute("data-version") or -1)

    @property
    def decides(self) -> bool:
        return self.page.locator(DECIDES).count() > 0

    @property
    def is_small(self) -> bool:
        """Whether this is a phone: cards lie behind tabs and are read over the table."""
        size = self.page.viewport_size
        return size is not None and is_small(size["width"], size["height"])

    @property
    def is_over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def wait(self) -> None:
        """Wait until this person has to decide or the game is over."""
        self.page.wait_for_selector(f"{DECIDES}, {OVER}")

    def lit(self) -> list[Locator]:
        return self.page.locator(LIT).all()

    def button(self, text: str) -> Locator:
        return self.page.get_by_role("button", name=text)

    def keep_notes(self) -> None:
        """Let what the table says in passing stay in sight, as it does for somebody who points at it."""
        self.page.locator(".note[role=status]").dispatch_event("pointerenter")

    def point_at_what_is_not_lit(self) -> None:
        """Point at a card of the rival, and wait until the table has said why not: it has then heard all that was said before."""
        self.keep_notes()
        self.page.locator(".deck.rival .tile").first.click()
        self.page.locator(".note.on").wait_for()
        self.page.locator(".note[role=status]").dispatch_event("pointerleave")

    # --- deciding --------------------------------------------------------------------------------------------------

    def confirm(self) -> None:
        """Press the button that stands out."""
        self.page.locator(f"{DECIDES} .button:is(.main, .hit):enabled").last.click()

    def go_on(self) -> None:
        """Press what goes on, at the right end of the bar: attack, no block, deal damage; with nobody to attack with, end the turn."""
        ends = f"{DECIDES} .flow:has(.last [title]:disabled) .first .button:enabled"
        self.page.locator(f"{DECIDES} .flow .last .button:enabled, {ends}").click()

    def decide(self) -> None:
        """Make the decision asked for, by pointing; what has gone meanwhile, since the table has answered, is let be."""
        from playwright.sync_api import TimeoutError as TooLateError

        before, end = self.page.evaluate(STANDS), monotonic() + self.patience
        self.page.set_default_timeout(GONE * 1000)
        try:
            while True:
                try:
                    return self._decide()
                except TooLateError:
                    if self.page.evaluate(STANDS) != before:
                        return None
                    if monotonic() > end:
                        raise
        finally:
            self.page.set_default_timeout(self.patience * 1000)

    def decide_and_see(self) -> None:
        """Make the decision asked for, and wait until the table has answered and asks again."""
        version = self.version
        self.decide()
        self.answered(version)
        self.wait()

    def _decide(self) -> None:
        question = self.question
        lit = self.page.locator(LIT)
        if "Who attacks" in question:
            for n in range(lit.count()):
                lit.nth(n).click()
            self.go_on()
        elif self.page.locator(".stage .menu").count():
            self.page.locator(".stage .menu .button").first.click()
        elif "main step" in question or "Deal the damage" in question or "you answer" in question or "else" in question:
            if lit.count() and self.chance.below(10) < 7:
                lit.nth(self.chance.below(lit.count())).click()
            else:
                self.go_on()
        elif self._yellow().count():
            self.confirm()
        elif lit.count() and (self.chance.below(10) < 7 or not self._words().count()):
            lit.nth(self.chance.below(lit.count())).click()
        else:
            self._words().last.click()

    def _yellow(self) -> Locator:
        return self.page.locator(f"{DECIDES} .button:is(.main, .hit):enabled")

    def _words(self) -> Locator:
        return self.page.locator(f"{DECIDES} .acts .button, .stage .answers .button, .stage [data-spot^=choice]")

    def show_me_to_the_end(self, most: int = 60) -> None:
        """Let the coach of a lesson show every step until the lesson is over."""
        for _ in range(most):
            self.page.wait_for_selector("main.over, .bubble .button:enabled")
            if self.page.locator("main.over").count():
                return
            # Read and clicked at one moment: the opponent's answers may change the bubble between two of ours.
            before = self.page.evaluate(
                """() => {
                    const bubble = document.querySelector('.bubble');
                    if (!bubble) return null;
                    const before = bubble.innerText + document.querySelector('.table').dataset.version;
                    [...bubble.querySelectorAll('.button')].at(-1).click();
                    return before;
                }"""
            )
            self.page.wait_for_function(
                """(before) => document.querySelector('main.over') || !document.querySelector('.bubble') ||
                    document.querySelector('.bubble').innerText + document.querySelector('.table').dataset.version !== before""",
                arg=before,
            )
        raise AssertionError("the lesson does not end")

    def answered(self, version: int) -> None:
        """Wait until the table has answered to what was done at that version: by another view, or by asking on the stage."""
        self.page.wait_for_function(
            "v => document.querySelector('.stage .menu, .stage .pay') || document.querySelector('.table').dataset.version !== String(v)",
            arg=version,
        )

    def stand_still(self, selector: str) -> None:
        """Wait until something stays at its place."""
        self._still("JSON.stringify(document.querySelector(what)?.getBoundingClientRect()) ?? null", selector)

    def settle(self) -> None:
        """Wait until everything stays at its place."""
        self._still("laid()")

    def resize(self, width: int, height: int) -> None:
        """Resize the window, and wait until everything has found its place in it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self._still("innerWidth === what[0] && innerHeight === what[1] ? laid() : null", [width, height])

    def _still(self, look: str, what: object = None) -> None:
        self.page.evaluate(STILL % {"look": look, "patience": self.patience * 1000}, what)

    def play_out(self, most: int = 400) -> str:
        """Decide until the game is over; give what the page says then."""
        for _ in range(most):
            self.wait()
            if self.is_over:
                return self.page.locator(".finale .shout").inner_text()
            self.decide()
        raise AssertionError(f"the game is not over after {most} decisions")


class HeldBack:
    """The next request to an address, which is kept on its way until it is let go."""

    def __init__(self, you: Visitor, path: str) -> None:
        self._you = you
        self._path = path
        self._routes: list[Route] = []
        you.page.route(f"**{path}", lambda route: self._routes.append(route), times=1)

    def wait(self) -> None:
        """Wait until the page has sent the request."""
        end = monotonic() + TIMEOUT
        while not self._routes:
            assert monotonic() < end, f"{self._path} is not asked for"
            self._you.page.wait_for_timeout(20)

    def let_go(self) -> None:
        """Let the request be answered."""
        self.wait()
        self._routes[0].continue_()

    def let_go_and_wait(self) -> None:
        """Let the request be answered, and wait until the page, loaded with HEARD as an init script, has acted upon it."""
        self._you.page.evaluate("() => { window.heard = []; }")
        self.let_go()
        self._you.page.wait_for_function("(path) => window.heard.includes(path)", arg=self._path)


def next_to_decide(people: Sequence[Visitor]) -> Visitor | None:
    """Wait until one of several people has to decide, and return that one, or None if they all see that the game is over."""
    end = monotonic() + TIMEOUT
    while not all(person.is_over for person in people):
        for person in people:
            if person.decides:
                return person
        assert monotonic() < end, "nobody has to decide, and the game is not over"
        people[0].page.wait_for_timeout(20)
    return None


def play_each_other(one: Visitor, other: Visitor, most: int = 1000) -> None:
    """Let two people decide in turn until both see that the game is over."""
    for _ in range(most):
        who = next_to_decide((one, other))
        if who is None:
            return
        who.decide()
    raise AssertionError(f"the game is not over after {most} decisions")
