"""Export of the static site: the page, Python for browsers, the engine, and a service worker for offline use."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import dicemasters
from dicemasters import __version__
from dicemasters.rules.bundled import DOCUMENTS, document_bytes

PACKAGE = Path(dicemasters.__file__).parent
PAGE_DIR = PACKAGE / "server" / "static"
PYODIDE_DIR = PACKAGE / "webworker" / "pyodide"
MARKER = "dicemasters-site.json"  # marks a folder as an export and lists its files
ZIP_TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same package always produces the same bytes
NOT_BUILT = "the page is not built: run `make web` in the project's folder"
NO_PYTHON = "Python for browsers is missing: run `make web` in the project's folder, which fetches it with npm"
CONTENT_SECURITY_POLICY = "default-src 'self'; script-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """Size of an export: the number of files, and the bytes of the page and of the engine."""

    files: int
    page: int
    engine: int


def export_site(folder: Path) -> ExportSummary:
    """Write the site into a new or empty folder or over an older site.

    Raise ValueError if the page is not built or the folder holds anything else.
    """
    files = _files()
    _prepare_folder(folder)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    engine = sum(len(content) for name, content in files.items() if name.startswith("engine/"))
    return ExportSummary(len(files), sum(map(len, files.values())) - engine, engine)


def _prepare_folder(folder: Path) -> None:
    """Delete the files of an older site; refuse a folder that holds anything else."""
    if not folder.exists():
        folder.mkdir(parents=True)
        return
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder")
    marker = folder / MARKER
    if not marker.exists():
        if any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty, and was not written by this command; name another folder")
        return
    try:
        names = [name for name in json.loads(marker.read_text(encoding="utf-8"))["files"] if _is_inside(name)]
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValueError(f"{marker} cannot be read; empty the folder, or name another") from None
    for name in (*names, MARKER):
        (folder / name).unlink(missing_ok=True)


def _is_inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in Path(name).parts


def _files() -> dict[str, bytes]:
    """Return the content of every file of the site by name."""
    if not (PAGE_DIR / "index.html").exists():
        raise ValueError(NOT_BUILT)
    if not (PYODIDE_DIR / "pyodide.asm.wasm").exists():
        raise ValueError(NO_PYTHON)
    page = {
        path.relative_to(PAGE_DIR).as_posix(): path.read_bytes()
        for path in sorted(PAGE_DIR.rglob("*"))
        if path.is_file()
    }
    page["index.html"] = _index(page["index.html"].decode())
    page["manifest.webmanifest"] = _manifest()
    engine = {f"engine/{path.name}": path.read_bytes() for path in sorted(PYODIDE_DIR.iterdir())}
    engine["engine/dicemasters.zip"] = build_engine_zip()
    sizes = {name.removeprefix("engine/"): len(content) for name, content in engine.items()}
    engine["engine/sizes.json"] = json.dumps(sizes).encode()
    files = {**page, **engine, "sw.js": _service_worker(page, engine)}
    files[MARKER] = json.dumps({"version": __version__, "files": sorted(files)}, indent=1).encode()
    return files


def _index(text: str) -> bytes:
    """Return the page for use without a server: relative URLs, and a tag that selects the worker backend."""
    head_tags = (
        f'    <meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}" />\n'
        '    <meta name="carrier" content="worker" />\n'
        '    <meta name="theme-color" content="#12151c" />\n'
        '    <link rel="manifest" href="./manifest.webmanifest" />\n'
        '    <link rel="apple-touch-icon" href="./icon-192.png" />\n'
    )
    charset_tag = '<meta charset="utf-8" />\n'  # the policy only applies to elements after it
    return text.replace('="/', '="./').replace(charset_tag, charset_tag + head_tags).encode()


def _manifest() -> bytes:
    """Return the web app manifest, which a device reads when the site is installed."""
    return json.dumps(
        {
            "name": "Dice Masters table",
            "short_name": "Dicemasters",
            "description": "Dice Masters at a table in the browser.",
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": "#12151c",
            "theme_color": "#12151c",
            "icons": [
                {"src": "./icon-192.png", "sizes": "192x192", "type": "image/png"},
                {"src": "./icon-512.png", "sizes": "512x512", "type": "image/png"},
                {"src": "./icon-mask.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
            ],
        },
        indent=1,
    ).encode()


def _service_worker(page: dict[str, bytes], engine: dict[str, bytes]) -> bytes:
    """Return the service worker with its cache names and file lists; these change when any file changes."""
    text = (Path(__file__).parent / "sw.js").read_text(encoding="utf-8")
    names = ["./" if name == "index.html" else f"./{name}" for name in sorted(page)]
    text = text.replace("PAGE_CACHE", f"dicemasters page {_fingerprint(page)}")
    text = text.replace("ENGINE_CACHE", f"dicemasters engine {_fingerprint(engine)}")
    text = text.replace("PAGE_LIST", json.dumps(names))
    return text.replace("ENGINE_LIST", json.dumps([f"./{name}" for name in sorted(engine)])).encode()


def _fingerprint(files: dict[str, bytes]) -> str:
    digest = sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0" + sha256(content).digest())
    return digest.hexdigest()[:16]


# --- engine -----------------------------------------------------------------------------------------------------------


def build_engine_zip() -> bytes:
    """Return the archive of Python code for the worker: this package and the few other modules the engine imports."""
    files = {f"dicemasters/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in _sources()}
    files |= {f"dicemasters/rules/{name}": document_bytes(name) for name in DOCUMENTS}
    mypy_extensions = find_spec("mypy_extensions")
    assert mypy_extensions is not None
    assert mypy_extensions.origin is not None
    files["mypy_extensions.py"] = Path(mypy_extensions.origin).read_bytes()
    files["librt/__init__.py"] = b""
    files["librt/vecs.py"] = (Path(__file__).parent / "librt_shim.py").read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, ZIP_TIMESTAMP), content, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _sources() -> set[Path]:
    """Return the files a worker needs: imported modules of `service` and `webworker`, whole packages of the domain."""
    files = {PACKAGE / name for name in ("__init__.py", "_compiled.py")}
    pending = {PACKAGE / "webworker/__init__.py", PACKAGE / "webworker/entry.py"}
    while pending:
        path = pending.pop()
        files.add(path)
        names = _imports(path) if path.suffix == ".py" else ()
        pending |= {file for name in names for file in _files_of(name)} - files
    return files


@cache
def _files_of(module: str) -> frozenset[Path]:
    """Return a module's file and its packages for `service` and `webworker`, otherwise all files of its package."""
    _, package, *_ = *module.split("."), ""
    if package in ("service", "webworker") or not (PACKAGE / package).is_dir():
        path = _file_of(module)
        packages = [parent / "__init__.py" for parent in path.parents if PACKAGE in parent.parents] if path else []
        return frozenset([path, *packages]) if path else frozenset()
    return frozenset(
        path
        for path in (PACKAGE / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd", ".pyc")
    )


def _file_of(module: str) -> Path | None:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def _imports(path: Path) -> Iterator[str]:
    """Yield the modules of this package that a file imports, including imports inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dicemasters."):
            for alias in node.names:
                qualified_name = f"{node.module}.{alias.name}"
                yield qualified_name if _file_of(qualified_name) else str(node.module)
