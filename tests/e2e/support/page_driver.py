"""A driver for the page: joins games, clicks, decides, waits. Browser errors are recorded."""

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
TIMEOUT = 180  # seconds; only a guard against hanging
RETRY_AFTER = 10  # seconds after which a click is retried, unless the table has changed
PAGE_STATE = """
() => [document.querySelector('.table')?.dataset.version,
  ...[...document.querySelectorAll('.bar, .stage, [data-lit]')].map((e) => e.textContent)].join()
"""
# Waits until two measurements agree and no animation runs. Boxes that follow their target measure every 250 ms
# (CoachBubble.svelte) or 400 ms (CoachRemarks.svelte): a longer timer fires after that measurement, however late both are.
STILL = """
async (what) => {
  const laid = () => [...document.querySelectorAll('body *')]
    .map((e) => [e.offsetLeft, e.offsetTop, e.offsetWidth, e.offsetHeight, e.scrollTop]).join();
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const moves = () => document.getAnimations()
    .some((a) => a.playState === 'running' && Number.isFinite(a.effect?.getComputedTiming().endTime));
  const end = performance.now() + %(timeout)d;
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
# records the path of each response once the page has read it and acted on it synchronously
RECORD_RESPONSES = """
window.heard = [];
const read = Response.prototype.json;
Response.prototype.json = async function () {
  const body = await read.call(this);
  setTimeout(() => window.heard.push(new URL(this.url).pathname));
  return body;
};
"""
SETTINGS = {"speed": "at once", "hurry": True, "name": "Ann"}
# seeded randomness: a browser's dice parts are the same in each test run, but differ between browsers and loads
SEEDED_RANDOM = """
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
    """Return whether a window shows the phone layout of the table (board.css)."""
    return width < 700 or height < 560 or (width < 900 and height < 1150)


def expect(what: Locator) -> LocatorAssertions:
    """Return Playwright's assertions with a timeout for slow machines."""
    from playwright.sync_api import expect as assertions

    assertions.set_options(timeout=TIMEOUT * 1000)
    return assertions(what)


class Visitor:
    """One page in its own browser context; `decide` makes random choices."""

    def __init__(
        self,
        context: BrowserContext,
        home: str,
        seed: int = 1,
        *,
        number: int = 0,
        timeout: int = TIMEOUT,
        **settings: str | bool,
    ) -> None:
        self.context = context
        self.home = home
        self.chance = SplitMix64(seed)
        self.problems: list[str] = []
        self.foreign_requests: list[str] = []  # requests to other hosts
        self.page: Page = context.new_page()
        self.timeout = timeout
        self.page.set_default_timeout(timeout * 1000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._on_console)
        self.page.on("request", lambda request: self._on_request(request.url))
        self.page.add_init_script(
            f"localStorage['dicemasters settings'] ??= {json.dumps(json.dumps(SETTINGS | settings))}"  # so that tests do not wait
        )
        self.page.add_init_script(SEEDED_RANDOM % number)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "ERR_CONNECTION" not in message.text and "WebSocket" not in message.text:
            self.problems.append(message.text)

    def _on_request(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.home).netloc and not url.startswith("blob:"):
            self.foreign_requests.append(url)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.home + path)

    def join(self, game: str, secret: str) -> None:
        self.go(f"/g/{game}#{secret}")
        self.page.wait_for_selector(".bar, #name")
        if self.page.locator("#name").count():
            self.page.locator("#name").fill("Vis")
            self.button("Sit down").click()
            self.page.wait_for_selector(".bar")

    # --- state -----------------------------------------------------------------------------------------------------

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
        """Return whether the phone layout is shown: cards behind tabs, the inspector over the table."""
        size = self.page.viewport_size
        return size is not None and is_small(size["width"], size["height"])

    @property
    def is_over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def wait(self) -> None:
        """Wait until this player has to decide or the game is over."""
        self.page.wait_for_selector(f"{DECIDES}, {OVER}")

    def lit(self) -> list[Locator]:
        return self.page.locator(LIT).all()

    def button(self, text: str) -> Locator:
        return self.page.get_by_role("button", name=text)

    def keep_notes_visible(self) -> None:
        """Keep passing notes visible, as they are under the mouse."""
        self.page.locator(".note[role=status]").dispatch_event("pointerenter")

    def point_at_unlit_card(self) -> None:
        """Click a rival's card and wait for the explanation; earlier events have been handled by then."""
        self.keep_notes_visible()
        self.page.locator(".deck.rival .tile").first.click()
        self.page.locator(".note.on").wait_for()
        self.page.locator(".note[role=status]").dispatch_event("pointerleave")

    # --- deciding --------------------------------------------------------------------------------------------------

    def confirm(self) -> None:
        """Press the highlighted button."""
        self.page.locator(f"{DECIDES} .button:is(.main, .hit):enabled").last.click()

    def proceed(self) -> None:
        """Press the button at the right end of the bar, such as Attack or Deal damage; without attackers, end the turn."""
        ends = f"{DECIDES} .flow:has(.last [title]:disabled) .first .button:enabled"
        self.page.locator(f"{DECIDES} .flow .last .button:enabled, {ends}").click()

    def decide(self) -> None:
        """Make the pending decision by clicking; give up if the table has changed meanwhile."""
        from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

        before, end = self.page.evaluate(PAGE_STATE), monotonic() + self.timeout
        self.page.set_default_timeout(RETRY_AFTER * 1000)
        try:
            while True:
                try:
                    return self._decide()
                except PlaywrightTimeoutError:
                    if self.page.evaluate(PAGE_STATE) != before:
                        return None
                    if monotonic() > end:
                        raise
        finally:
            self.page.set_default_timeout(self.timeout * 1000)

    def decide_and_wait(self) -> None:
        """Make the pending decision, and wait for the answer and the next decision."""
        version = self.version
        self.decide()
        self.wait_for_answer(version)
        self.wait()

    def _decide(self) -> None:
        question = self.question
        lit = self.page.locator(LIT)
        if "Who attacks" in question:
            for n in range(lit.count()):
                lit.nth(n).click()
            self.proceed()
        elif self.page.locator(".stage .menu").count():
            self.page.locator(".stage .menu .button").first.click()
        elif "main step" in question or "Deal the damage" in question or "you answer" in question or "else" in question:
            if lit.count() and self.chance.below(10) < 7:
                lit.nth(self.chance.below(lit.count())).click()
            else:
                self.proceed()
        elif self._highlighted_buttons().count():
            self.confirm()
        elif lit.count() and (self.chance.below(10) < 7 or not self._text_answers().count()):
            lit.nth(self.chance.below(lit.count())).click()
        else:
            self._text_answers().last.click()

    def _highlighted_buttons(self) -> Locator:
        return self.page.locator(f"{DECIDES} .button:is(.main, .hit):enabled")

    def _text_answers(self) -> Locator:
        return self.page.locator(f"{DECIDES} .acts .button, .stage .answers .button, .stage [data-spot^=choice]")

    def finish_lesson(self, most: int = 60) -> None:
        """Let the coach show every step until the lesson is over."""
        for _ in range(most):
            self.page.wait_for_selector("main.over, .bubble .button:enabled")
            if self.page.locator("main.over").count():
                return
            # Read and click in one evaluation: the opponent's answers may change the bubble between two.
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

    def wait_for_answer(self, version: int) -> None:
        """Wait until the table has answered the choice made at this version, with a new view or a menu on the stage."""
        self.page.wait_for_function(
            "v => document.querySelector('.stage .menu, .stage .pay') || document.querySelector('.table').dataset.version !== String(v)",
            arg=version,
        )

    def wait_until_still(self, selector: str) -> None:
        """Wait until an element stays in place."""
        self._wait_until_still(
            "JSON.stringify(document.querySelector(what)?.getBoundingClientRect()) ?? null", selector
        )

    def settle(self) -> None:
        """Wait until everything stays in place."""
        self._wait_until_still("laid()")

    def resize(self, width: int, height: int) -> None:
        """Resize the window, and wait until the layout has settled."""
        self.page.set_viewport_size({"width": width, "height": height})
        self._wait_until_still("innerWidth === what[0] && innerHeight === what[1] ? laid() : null", [width, height])

    def _wait_until_still(self, look: str, what: object = None) -> None:
        self.page.evaluate(STILL % {"look": look, "timeout": self.timeout * 1000}, what)

    def play_out(self, most: int = 400) -> str:
        """Decide until the game is over; return the result that the page shows."""
        for _ in range(most):
            self.wait()
            if self.is_over:
                return self.page.locator(".finale .shout").inner_text()
            self.decide()
        raise AssertionError(f"the game is not over after {most} decisions")


class HeldRequest:
    """The next request to a path, held until it is released."""

    def __init__(self, you: Visitor, path: str) -> None:
        self._you = you
        self._path = path
        self._routes: list[Route] = []
        you.page.route(f"**{path}", lambda route: self._routes.append(route), times=1)

    def wait(self) -> None:
        """Wait until the page has sent the request."""
        end = monotonic() + TIMEOUT
        while not self._routes:
            assert monotonic() < end, f"{self._path} was not requested"
            self._you.page.wait_for_timeout(20)

    def release(self) -> None:
        """Release the request."""
        self.wait()
        self._routes[0].continue_()

    def release_and_wait(self) -> None:
        """Release the request, and wait until the page has acted on the answer. Needs RECORD_RESPONSES as an init script."""
        self._you.page.evaluate("() => { window.heard = []; }")
        self.release()
        self._you.page.wait_for_function("(path) => window.heard.includes(path)", arg=self._path)


def next_to_decide(people: Sequence[Visitor]) -> Visitor | None:
    """Wait until a player has to decide and return that one, or None once all see the end of the game."""
    end = monotonic() + TIMEOUT
    while not all(person.is_over for person in people):
        for person in people:
            if person.decides:
                return person
        assert monotonic() < end, "no player has to decide, and the game is not over"
        people[0].page.wait_for_timeout(20)
    return None


def play_each_other(one: Visitor, other: Visitor, most: int = 1000) -> None:
    """Let two players decide until both see the end of the game."""
    for _ in range(most):
        player = next_to_decide((one, other))
        if player is None:
            return
        player.decide()
    raise AssertionError(f"the game is not over after {most} decisions")
