"""Pictures of the page: `python -m tests.e2e.pictures` makes those of docs/pictures anew; names of scenes make others."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.e2e.conftest import QUIET, the_browser
from tests.e2e.scenes import SCENES
from tests.e2e.visitor import Visitor
from tests.server.running import running

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN: list[tuple[str, str, str]] = []


def main() -> int:
    """Make the pictures that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.pictures", description=__doc__)
    parser.add_argument("scenes", nargs="*", help=f"any of {', '.join(SCENES)}; or all")
    parser.add_argument("--into", type=Path, default=DOCS, help="the folder they are written to")
    parser.add_argument("--size", action="append", help="as 1440x900; may be said several times")
    parser.add_argument("--theme", action="append", choices=["dark", "light"], help="may be said several times")
    args = parser.parse_args()
    names = list(SCENES) if args.scenes == ["all"] else args.scenes
    if unknown := [name for name in names if name not in SCENES]:
        parser.error(f"there is no scene {unknown[0]}")
    wanted = [(n, s, t) for s in args.size or ["1440x900"] for t in args.theme or ["dark"] for n in names] or SHOWN
    args.into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(f"sqlite:///{folder}/games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=the_browser(), args=list(QUIET))
        for name, size, theme in wanted:
            width, height = (int(n) for n in size.split("x"))
            context = browser.new_context(
                viewport={"width": width, "height": height}, has_touch=width < 700 or height < 500
            )
            you = Visitor(context, f"http://{server.address}", theme=theme)
            try:
                SCENES[name](you, server)
            except Exception as error:
                print(name, size, theme, "FAILED", str(error)[:600])
            you.page.evaluate("() => document.fonts.ready")
            you.page.wait_for_timeout(400)
            file = args.into / (f"{name}-{size}-{theme}.jpg")
            you.page.screenshot(path=file, type="jpeg", quality=85)
            print(file, f"{file.stat().st_size / 1000:.0f} kB", *you.problems, flush=True)
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
