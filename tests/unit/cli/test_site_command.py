"""`dicemasters site` writes a folder for any static host; it overwrites only an older site."""

from __future__ import annotations

import json
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest

from dicemasters.cli.main import main
from dicemasters.webworker import static_export
from dicemasters.webworker.static_export import build_engine_zip

cached_engine_zip = cache(build_engine_zip)  # packing is the slowest step
INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <script type="module" crossorigin src="/assets/index-1.js"></script>
  </head>
</html>
"""


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace the built page and Pyodide by small files."""
    page, python = tmp_path / "page", tmp_path / "python"
    (page / "assets").mkdir(parents=True)
    python.mkdir()
    (page / "index.html").write_text(INDEX)
    (page / "assets" / "index-1.js").write_text("1;")
    for name in ("pyodide.mjs", "pyodide.asm.wasm"):
        (python / name).write_text(name)
    monkeypatch.setattr(static_export, "PAGE_DIR", page)
    monkeypatch.setattr(static_export, "PYODIDE_DIR", python)
    monkeypatch.setattr(static_export, "build_engine_zip", cached_engine_zip)
    return tmp_path


def test_site_is_written_with_relative_links_and_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "deep" / "site"
    assert main(["site", str(site)]) == 0
    assert capsys.readouterr().out.startswith(f"{site}: ")
    index = (site / "index.html").read_text()
    assert 'src="./assets/index-1.js"' in index
    assert '="/' not in index
    assert '<meta name="carrier" content="worker" />' in index
    assert index.index("Content-Security-Policy") < index.index("<script")
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = json.loads((site / "engine" / "sizes.json").read_text())
    assert sizes["dicemasters.zip"] == (site / "engine" / "dicemasters.zip").stat().st_size


def test_service_worker_caches_every_file_and_its_name_follows_changes(
    tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_export, "build_engine_zip", build_engine_zip)  # pack again each time
    site = tmp_path / "site"
    main(["site", str(site)])
    first = (site / "sw.js").read_text()
    assert not re.search(r"PAGE_CACHE|ENGINE_CACHE|PAGE_LIST|ENGINE_LIST", first)
    cached = {name for name in re.findall(r'"\./([^"]*)"', first) if name}
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert cached | {"index.html"} == there - {"sw.js", static_export.MARKER}
    main(["site", str(site)])
    assert (site / "sw.js").read_text() == first  # the same package, the same bytes
    (built / "page" / "assets" / "index-1.js").write_text("2;")
    main(["site", str(site)])
    names = [re.search(r'PAGE = "(.*)"', text) for text in (first, (site / "sw.js").read_text())]
    assert names[0] is not None
    assert names[1] is not None
    assert names[0][1] != names[1][1]


def test_engine_zip_contains_only_the_modules_a_worker_needs(tmp_path: Path) -> None:
    main(["site", str(tmp_path / "site")])
    names = zipfile.ZipFile(tmp_path / "site" / "engine" / "dicemasters.zip").namelist()
    for needed in (
        "webworker/entry.py",
        "players/value.json",
        "rules/rules.md",
        "rules/rulings.md",
        "cards/text/card_summaries.txt",
        "game/turn/loop.py",
    ):
        assert f"dicemasters/{needed}" in names
    assert "librt/vecs.py" in names
    unwanted = re.compile(r"\.so$|\.pyc$|/lab/|/static/|/server/|/terminal/|/client/|/cli/")
    assert not [name for name in names if unwanted.search(name)]


def test_older_site_is_replaced(tmp_path: Path, built: Path) -> None:
    site = tmp_path / "site"
    main(["site", str(site)])
    (built / "page" / "assets" / "index-1.js").rename(built / "page" / "assets" / "index-2.js")
    assert main(["site", str(site)]) == 0
    assert [path.name for path in (site / "assets").iterdir()] == ["index-2.js"]


def test_foreign_folder_is_left_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    assert main(["site", str(mine)]) == 2
    assert capsys.readouterr().err == (
        f"dicemasters: {mine} is not empty, and was not written by this command; name another folder\n"
    )
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


def test_file_list_of_an_older_site_cannot_delete_files_outside_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    main(["site", str(site)])
    secret = tmp_path / "secret.txt"
    secret.write_text("keep me")
    (site / static_export.MARKER).write_text(json.dumps({"files": ["../secret.txt", str(secret), "index.html"]}))
    assert main(["site", str(site)]) == 0
    assert secret.exists()


@pytest.mark.parametrize("marker", ["{", "[]", '{"files": 5}', '{"files": [5]}'])
def test_unreadable_site_marker_is_refused(tmp_path: Path, marker: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / static_export.MARKER).write_text(marker)
    assert main(["site", str(tmp_path / "site")]) == 2
    assert "cannot be read; empty the folder, or name another" in capsys.readouterr().err


def test_file_in_place_of_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["site", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err == f"dicemasters: {tmp_path / 'file'} is not a folder\n"


@pytest.mark.parametrize(("missing", "message"), [("page/index.html", "make web"), ("python/pyodide.asm.wasm", "npm")])
def test_missing_build_is_reported_with_the_command_to_run(
    built: Path, missing: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (built / missing).unlink()
    assert main(["site", str(built / "site")]) == 2
    assert message in capsys.readouterr().err
    assert not (built / "site").exists()
