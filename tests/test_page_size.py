"""The page is small: what a browser has to fetch before the first click."""

from __future__ import annotations

import gzip
from importlib import resources

import pytest

CODE, FONTS = 150_000, 100_000  # bytes, code as it is sent compressed


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    assets = resources.files("dicemasters.table.server") / "static" / "assets"
    if not assets.is_dir():
        pytest.skip("the page is not built: npm ci and npm run build in web/")
    return {file.name: file.read_bytes() for file in assets.iterdir()}


def test_the_code_is_small(files: dict[str, bytes]) -> None:
    code = [data for name, data in files.items() if name.endswith((".js", ".css"))]
    assert len(code) >= 2
    assert sum(len(gzip.compress(data)) for data in code) < CODE


def test_the_fonts_are_small_and_never_in_the_way(files: dict[str, bytes]) -> None:
    fonts = {name: data for name, data in files.items() if name.endswith(".woff2")}
    assert fonts
    assert sum(map(len, fonts.values())) < FONTS
    style = b"".join(data for name, data in files.items() if name.endswith(".css")).decode()
    assert style.count("@font-face") == style.count("font-display:swap") == len(fonts)
