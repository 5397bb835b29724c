"""The page is small: sizes of the files a browser fetches before the first click."""

from __future__ import annotations

import gzip
import re
from importlib import resources

import pytest

CODE, FONTS = 150_000, 100_000  # bytes; code is measured compressed


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    assets = resources.files("dicemasters.server") / "static" / "assets"
    if not assets.is_dir():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    return {file.name: file.read_bytes() for file in assets.iterdir()}


def first_load(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of the first page load: those named in index.html and their static imports."""
    index = (resources.files("dicemasters.server") / "static" / "index.html").read_text(encoding="utf-8")
    wanted = re.findall(r"/assets/([\w.-]+\.(?:js|css))", index)
    for name in wanted:  # the loop extends the list
        text = files[name].decode() if name.endswith(".js") else ""
        wanted += [
            one for one in re.findall(r"""(?:from|import) ?["']\./([\w.-]+\.js)["']""", text) if one not in wanted
        ]
    return {name: files[name] for name in wanted}


def test_code_of_the_first_load_is_small(files: dict[str, bytes]) -> None:
    code = first_load(files)
    assert len(code) >= 2
    assert sum(len(gzip.compress(data)) for data in code.values()) < CODE


def test_card_page_is_not_part_of_the_first_load(files: dict[str, bytes]) -> None:
    code = {name for name in files if name.endswith((".js", ".css"))}
    assert any(name.startswith("CardsPage") for name in code - set(first_load(files)))


def test_fonts_are_small_and_do_not_block_rendering(files: dict[str, bytes]) -> None:
    fonts = {name: data for name, data in files.items() if name.endswith(".woff2")}
    assert fonts
    assert sum(map(len, fonts.values())) < FONTS
    style = b"".join(data for name, data in files.items() if name.endswith(".css")).decode()
    assert style.count("@font-face") == style.count("font-display:swap") == len(fonts)
