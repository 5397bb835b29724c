"""The page is small: what a browser has to fetch before the first click."""

from __future__ import annotations

import gzip
import re
from importlib import resources

import pytest

CODE, FONTS = 150_000, 100_000  # bytes, code as it is sent compressed


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    assets = resources.files("dicemasters.server") / "static" / "assets"
    if not assets.is_dir():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    return {file.name: file.read_bytes() for file in assets.iterdir()}


def at_once(files: dict[str, bytes]) -> dict[str, bytes]:
    """Give what the first page fetches: what index.html names, and what that imports without being asked."""
    index = (resources.files("dicemasters.server") / "static" / "index.html").read_text(encoding="utf-8")
    wanted = re.findall(r"/assets/([\w.-]+\.(?:js|css))", index)
    for name in wanted:  # grows while it is read
        text = files[name].decode() if name.endswith(".js") else ""
        wanted += [
            one for one in re.findall(r"""(?:from|import) ?["']\./([\w.-]+\.js)["']""", text) if one not in wanted
        ]
    return {name: files[name] for name in wanted}


def test_the_code_is_small(files: dict[str, bytes]) -> None:
    code = at_once(files)
    assert len(code) >= 2
    assert sum(len(gzip.compress(data)) for data in code.values()) < CODE


def test_what_is_not_looked_at_at_once_is_fetched_later(files: dict[str, bytes]) -> None:
    code = {name for name in files if name.endswith((".js", ".css"))}
    assert any(name.startswith("CardsPage") for name in code - set(at_once(files)))


def test_the_fonts_are_small_and_never_in_the_way(files: dict[str, bytes]) -> None:
    fonts = {name: data for name, data in files.items() if name.endswith(".woff2")}
    assert fonts
    assert sum(map(len, fonts.values())) < FONTS
    style = b"".join(data for name, data in files.items() if name.endswith(".css")).decode()
    assert style.count("@font-face") == style.count("font-display:swap") == len(fonts)
