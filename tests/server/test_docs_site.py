"""The documentation that the server has at /docs."""

from pathlib import Path

from starlette.requests import Request

from dicemasters.server.http.static_files import StaticSite


def ask(pages: StaticSite, path: str) -> tuple[int, bytes, str]:
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


def test_the_documentation_is_served_below_docs(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "index.html").write_text("all of it")
    (tmp_path / "sets" / "avx.html").write_text("a set")
    pages = StaticSite(tmp_path / "nothing", tmp_path)
    assert ask(pages, "/docs")[::2] == (308, "/docs/")
    assert ask(pages, "/docs/")[:2] == (200, b"all of it")
    assert ask(pages, "/docs/sets/avx.html")[:2] == (200, b"a set")
    assert ask(pages, "/docs/../secret")[0] == 404


def test_documentation_that_is_not_built_is_told(tmp_path: Path) -> None:
    code, said, _ = ask(StaticSite(tmp_path, tmp_path / "nothing"), "/docs/")
    assert code == 503
    assert b"make docs" in said
