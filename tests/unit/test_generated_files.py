"""Generated files and lists of endpoints are up to date. The rule index has its own tests."""

import difflib
import re
from pathlib import Path
from types import ModuleType

import pytest
from tools.codegen import card_texts, typescript
from typing_extensions import TypedDict

from dicemasters.service.protocol import http_schema
from dicemasters.webworker.local_api import ROUTES

API = Path(__file__).parents[2] / "docs" / "http-api.md"


def _update(file: Path, text: str) -> str:
    changes = difflib.unified_diff(file.read_text(encoding="utf-8").splitlines(), text.splitlines(), n=1, lineterm="")
    return "\n".join(["if these changes are right, run `make generate`:", *list(changes)[2:]])


def test_card_texts_match_the_reviewed_file() -> None:
    if card_texts.main([]):
        pytest.fail(_update(card_texts.FILE, card_texts.render_texts()), pytrace=False)


def test_page_has_the_types_of_the_protocol() -> None:
    if typescript.main([]):
        pytest.fail(_update(typescript.FILE, typescript.write()), pytrace=False)


@pytest.mark.parametrize("generator", [card_texts, typescript], ids=["card texts", "types"])
def test_outdated_file_is_noticed_and_written_again(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "file"
    other.write_text(generator.FILE.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    monkeypatch.setattr(generator, "FILE", other)
    assert generator.main([]) == 1
    assert "make generate" in capsys.readouterr().err
    assert generator.main(["--write"]) == 0
    assert generator.main([]) == 0


def test_two_types_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class EditionData(TypedDict):
        year: int

    EditionData.__module__, EditionData.__qualname__ = http_schema.__name__, "EditionData"
    monkeypatch.setattr(http_schema, "EditionData", EditionData, raising=False)
    assert typescript.main(["--write"]) == 1
    error = capsys.readouterr().err
    assert "game_schema.EditionData" in error
    assert "http_schema.EditionData" in error


def test_every_endpoint_is_documented() -> None:
    def plain(path: str) -> str:
        return re.sub(r"\{\w+\}|\([^)]*\)", "*", path.replace("[^/]+", "").partition("?")[0])

    rows = re.findall(r"^\| `(GET|POST) /api(/[^` ]*)", API.read_text(encoding="utf-8"), re.MULTILINE)
    documented = {(method, plain(path)) for method, path in rows}
    missing = {f"{method} /api{pattern}" for method, pattern, _ in ROUTES if (method, plain(pattern)) not in documented}
    assert not missing, "docs/http-api.md lists every endpoint"
