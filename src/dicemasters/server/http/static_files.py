"""The built web client, held in memory.

Files are looked up by exact name, so path traversal is impossible.
"""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

NOT_BUILT = "The page is not built: run `make play` or `make web` in the project's folder, then start the server again."

NO_DOCS = "The documentation is not built: run `make docs` in the project's folder, then start the server again."
DOCS = "/docs/"

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file with its response metadata."""

    content: bytes
    gzipped: bytes  # empty if compression saves less than a tenth
    media_type: str
    etag: str
    is_immutable: bool  # its name contains a content hash


APP_ROUTES = (  # page routes without a parameter
    "/", "/p", "/new", "/learn", "/how-to-play", "/rules", "/dice", "/cards", "/teams", "/team", "/sheet", "/draft",
    "/puzzles",
)  # fmt: skip


class StaticSite:
    """The files of the built client and of the documentation."""

    def __init__(self, folder: Traversable | None = None, documents: Traversable | None = None) -> None:
        root = folder or resources.files("dicemasters.server") / "static"
        self.files: dict[str, StaticFile] = {}
        if root.is_dir():
            self._read(root, "/")
        docs_root = documents or resources.files("dicemasters.server") / "docs_html"
        if docs_root.is_dir():
            self._read(docs_root, DOCS)

    @property
    def is_built(self) -> bool:
        return "/index.html" in self.files

    def _read(self, folder: Traversable, path: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                self._read(entry, f"{path}{entry.name}/")
            else:
                content = entry.read_bytes()
                gzipped = gzip.compress(content, 9, mtime=0)
                media_type = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
                self.files[path + entry.name] = StaticFile(
                    content,
                    gzipped if len(gzipped) < len(content) * 0.9 else b"",
                    f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type,
                    f'"{sha256(content).hexdigest()[:20]}"',
                    path.startswith("/assets/"),
                )

    def answer(self, request: Request) -> Response:
        """Return the response for a path: a file, the page for an application route, or a 404."""
        path = request.url.path
        if path + "/" == DOCS:
            return Response(status_code=308, headers={"Location": DOCS})
        if path == DOCS:
            path += "index.html"
            if path not in self.files:
                return Response(NO_DOCS, 503, media_type="text/plain")
        file = self.files.get(path)
        if file is None and (
            path in APP_ROUTES or path.startswith(("/g/", "/r/", "/p/", "/learn/", "/cards/", "/draft/", "/puzzles/"))
        ):
            if not self.is_built:
                return Response(NOT_BUILT, 503, media_type="text/plain")
            file = self.files["/index.html"]
        if file is None:
            return self._not_found(request)
        headers = {
            "ETag": file.etag,
            "Cache-Control": "public, max-age=31536000, immutable" if file.is_immutable else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        if file.gzipped and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.gzipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media_type)
        return Response(file.content, headers=headers, media_type=file.media_type)

    def _not_found(self, request: Request) -> Response:
        """Return a 404: the page itself for browsers, which links home, else plain text."""
        page = self.files.get("/index.html")
        if page is None or "text/html" not in request.headers.get("accept", ""):
            return Response("There is no such page.", 404, media_type="text/plain")
        return Response(page.content, 404, {"Cache-Control": "no-cache"}, media_type=page.media_type)
