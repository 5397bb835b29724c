"""Drafting by HTTP requests, to bring a draft to any stage before a browser opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.live_server import LiveServer


def open_draft(server: LiveServer, **wanted: Any) -> tuple[str, dict[str, str]]:
    """Open a draft; return its id and the secrets of its chairs."""
    made = server.http.post("/api/drafts", json=wanted).json()
    return made["draft"], made["chairs"]


def draft_until(server: LiveServer, draft: str, secrets: list[str], stage: str, most: int = 1000) -> None:
    """Pick the first offer for these chairs until the draft reaches a stage, for at most `most` rounds."""
    for _ in range(most):
        waiting = True
        for secret in secrets:
            view = server.http.post(f"/api/drafts/{draft}/look", json={"secret": secret}).json()
            if view["stage"] == stage:
                return
            if view["ask"]:
                waiting = False
                body = {"secret": secret, "number": view["ask"]["number"], "pick": view["ask"]["picks"][0]["text"]}
                assert server.http.post(f"/api/drafts/{draft}/pick", json=body).status_code == 200
        assert not waiting
