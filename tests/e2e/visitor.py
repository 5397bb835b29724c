"""Somebody at the page: points, confirms, reads. What goes wrong in the browser is noted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dicemasters.players.random import Chance

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page

DECIDES = ".decision.mine"
OVER = ".over"
LIT = "main [data-lit]"
SETTINGS = {"speed": "at once"}


class Visitor:
    """A browser of its own with one page; decides at random where told to."""

    def __init__(self, context: BrowserContext, home: str, seed: int = 1) -> None:
        self.context = context
        self.home = home
        self.chance = Chance(seed)
        self.problems: list[str] = []
        self.strangers: list[str] = []  # requests to other hosts
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self._notice(request.url))
        self.page.add_init_script(
            f"localStorage['dicemasters settings'] ??= {json.dumps(json.dumps(SETTINGS))}"  # so that tests do not wait
        )

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "ERR_CONNECTION" not in message.text and "WebSocket" not in message.text:
            self.problems.append(message.text)

    def _notice(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.home).netloc and not url.startswith("blob:"):
            self.strangers.append(url)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.home + path)

    def sit(self, game: str, secret: str) -> None:
        self.go(f"/g/{game}#{secret}")
        self.page.wait_for_selector(".decision, #name")
        if self.page.locator("#name").count():
            self.page.locator("#name").fill("Vis")
            self.button("Sit down").click()
            self.page.wait_for_selector(".decision")

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def question(self) -> str:
        return self.page.locator(".question").inner_text()

    @property
    def version(self) -> int:
        return int(self.page.locator("main").get_attribute("data-version") or -1)

    @property
    def decides(self) -> bool:
        return self.page.locator(DECIDES).count() > 0

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

    # --- deciding --------------------------------------------------------------------------------------------------

    def confirm(self) -> None:
        self.page.locator(f"{DECIDES} .button.main").click()

    def decide(self) -> None:
        """Make the decision asked for, by pointing."""
        question = self.question
        if "Who attacks" in question:
            for n in range(len(self.lit())):
                self.page.locator(LIT).nth(n).click()
            self.confirm()
        elif self.page.locator(f"{DECIDES} .button.main:enabled").count():
            self.confirm()
        elif (lit := self.page.locator(LIT)).count() and (self.chance.below(10) < 7 or not self._words().count()):
            lit.nth(self.chance.below(lit.count())).click()
            menu = self.page.locator("[role=menuitem]")
            if menu.count():
                menu.first.click()
        else:
            self._words().last.click()

    def _words(self) -> Locator:
        return self.page.locator(f"{DECIDES} .buttons .button.choice")

    def play_out(self, most: int = 400) -> str:
        """Decide until the game is over; give what the page says then."""
        for _ in range(most):
            self.wait()
            if self.is_over:
                return self.question
            self.decide()
        raise AssertionError(f"the game is not over after {most} decisions")
