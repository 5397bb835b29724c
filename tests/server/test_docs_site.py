"""The documentation that the server has under /docs."""

from pathlib import Path

from starlette.requests import Request

from dicemasters.server.http.static_files import StaticSite


def get(pages: StaticSite, path: str) -> tuple[int, bytes, str]:
    request = Request(
        {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "headers": [],
            "server": ("x", 80),
            "scheme": "http",
        }
    )
    answer = pages.answer(request)
    return answer.status_code, bytes(answer.body), answer.headers.get("location", "")


def test_documentation_is_served_under_docs(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "index.html").write_text("all of it")
    (tmp_path / "sets" / "avx.html").write_text("a set")
    pages = StaticSite(tmp_path / "nothing", tmp_path)
    assert get(pages, "/docs")[::2] == (308, "/docs/")
    assert get(pages, "/docs/")[:2] == (200, b"all of it")
    assert get(pages, "/docs/sets/avx.html")[:2] == (200, b"a set")
    assert get(pages, "/docs/../secret")[0] == 404


def test_unbuilt_documentation_returns_503_with_a_hint(tmp_path: Path) -> None:
    code, body, _ = get(StaticSite(tmp_path, tmp_path / "nothing"), "/docs/")
    assert code == 503
    assert b"make docs" in body
