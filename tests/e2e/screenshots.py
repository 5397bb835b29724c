"""Screenshots of the page: `python -m tests.e2e.screenshots` recreates those of docs/pictures, or takes named scenes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.e2e.conftest import BROWSER_ARGS, find_browser
from tests.e2e.scenes import SCENES
from tests.e2e.support.page_driver import Visitor, is_small
from tests.support.live_server import LiveServer, run_server

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
MAX_BYTES = 115_000  # per picture
# the pictures of docs/pictures.md
DOCS_PICTURES = [
    ("start", "1440x900", "dark"),
    ("lesson-start", "1440x900", "dark"),
    ("coach", "1440x900", "light"),
    ("main", "1440x900", "dark"),
    ("pay", "1280x720", "light"),
    ("blocks", "1440x900", "dark"),
    ("won", "1440x900", "dark"),
    ("how-to-play", "1440x900", "light"),
    ("dice", "1440x900", "dark"),
    ("main", "390x844", "dark"),
    ("blocks", "844x390", "light"),
    ("replay", "820x1180", "dark"),
]


def win_whole_game(you: Visitor, server: LiveServer) -> None:
    """Win a whole game, so that the end page has statistics; random clicks mostly beat the random bot."""
    seats = [{"kind": "person", "name": "Ann"}, {"kind": "player", "player": "random"}]
    for seed in range(6, 20):
        game = server.open(seats=seats, seed=seed, first="A", life=12)
        you.join(game.game, game.seats["A"])
        if "WIN" in you.play_out(900):
            you.page.wait_for_timeout(1500)  # until everything is drawn
            return
    raise AssertionError("no game was won")


# the browser encodes WebP, at the best quality that fits
TO_WEBP = """
async ([picture, most]) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  for (let quality = 0.9; ; quality -= 0.06) {
    const made = canvas.toDataURL('image/webp', quality).split(',')[1];
    if (made.length * 0.75 < most || quality < 0.3) return made;
  }
}
"""


def main() -> int:
    """Take the requested screenshots."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.screenshots", description=__doc__)
    parser.add_argument("scenes", nargs="*", help=f"any of {', '.join(SCENES)}; or all")
    parser.add_argument("--into", type=Path, default=DOCS, help="folder to write to")
    parser.add_argument("--size", action="append", help="as 1440x900; may be repeated")
    parser.add_argument("--theme", action="append", choices=["dark", "light"], help="may be repeated")
    args = parser.parse_args()
    names = list(SCENES) if args.scenes == ["all"] else args.scenes
    if unknown := [name for name in names if name not in SCENES]:
        parser.error(f"there is no scene {unknown[0]}")
    wanted = [
        (n, s, t) for s in args.size or ["1440x900"] for t in args.theme or ["dark"] for n in names
    ] or DOCS_PICTURES
    args.into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(f"sqlite:///{folder}/games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_ARGS))
        for name, size, theme in wanted:
            width, height = (int(n) for n in size.split("x"))
            context = browser.new_context(
                viewport={"width": width, "height": height}, has_touch=is_small(width, height)
            )
            you = Visitor(context, f"http://{server.address}", theme=theme)
            scene = win_whole_game if name == "won" else SCENES[name]  # the scene of the tests ends after one turn
            scene(you, server)
            you.page.evaluate("() => document.fonts.ready")
            you.page.wait_for_timeout(400)  # until slow elements are drawn
            file = args.into / f"{name}-{size}-{theme}.webp"
            picture = b64encode(you.page.screenshot()).decode()
            blank = browser.new_page()
            file.write_bytes(b64decode(blank.evaluate(TO_WEBP, [picture, MAX_BYTES])))
            blank.close()
            print(file, f"{file.stat().st_size / 1000:.0f} kB", *you.problems, flush=True)
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
