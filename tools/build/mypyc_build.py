"""Compile the engine with mypyc, guided by a profile where the compiler is gcc.

It compiles the modules behind a move and a bot's rollout (`ENGINE_ROOTS` and everything in `game` and `players` that
they import), and those that describe a position after every choice (`VIEW_MODULES`). `compiled.json` in the package
holds the checksums of the compiled sources, so that a stale build is noticed (`dicemasters/_compiled.py`).
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

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

from tools.build.artifacts import python_path

SOURCES = Path("src")
ENGINE_ROOTS = (
    "dicemasters.game.turn.loop",
    "dicemasters.game.inspect.view",
    "dicemasters.players.network",
    "dicemasters.players.heuristic",
)
VIEW_MODULES = (
    *(
        f"dicemasters.game.{name}"
        for name in ("autoplay", "text.matching", "answers.compound", "text.describe", "text.explain")
    ),
    "dicemasters.service.option_hints",
    "dicemasters.terminal.log_digest",
    "dicemasters.service.protocol.delta",
    *(f"dicemasters.service.games.{name}" for name in ("choices", "view_builder", "explanations")),
)
COMPILED_PACKAGES = ("dicemasters.game.", "dicemasters.players.")
STAMP = "dicemasters/compiled.json"
# Profile-guided optimisation with gcc: the first build counts branches in games, the second lays the code out accordingly.
PGO_WORKLOAD = "tools.bench.pgo_workload"
PROFILE_GENERATE = ["-fprofile-generate", "-fprofile-update=single"]
PROFILE_USE = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile"]
# Nothing outside the library calls or replaces its functions, so calls need no indirection.
LOCAL_CALLS = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt"]


def source_file(module: str) -> Path | None:
    """Return the file of a module of this package, or None."""
    name = module.replace(".", "/")
    return next((path for path in (SOURCES / f"{name}.py", SOURCES / name / "__init__.py") if path.exists()), None)


def imported_modules(path: Path) -> set[str]:
    """Return the names a file imports at module level or for type checking, without imports inside functions."""
    names: set[str] = set()
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                # `from package import name`: the name is a module or something defined in the package
                members = [f"{node.module}.{alias.name}" for alias in node.names]
                names.update(member if source_file(member) else node.module for member in members)
            elif isinstance(node, ast.If):
                pending.append(node)
    return names


def import_closure(*roots: str) -> list[str]:
    """Return the modules of this package that `roots` import, directly or not, and `roots` themselves."""
    closure, pending = set(roots), list(roots)
    while pending:
        path = source_file(pending.pop())
        assert path is not None
        for name in imported_modules(path) - closure:
            if name.startswith("dicemasters.") and source_file(name):
                closure.add(name)
                pending.append(name)
    return sorted(closure)


def source_checksums() -> dict[str, str]:
    """Return the checksum of each source file that the compiled modules depend on."""
    paths = [path for name in import_closure(*ENGINE_ROOTS, *VIEW_MODULES) if (path := source_file(name)) is not None]
    return {
        path.relative_to(SOURCES / "dicemasters").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def select_compiler() -> None:
    """Use the system's C compiler or, where there is none, the one in the package ziglang."""
    default = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if os.name == "nt" or shutil.which(default.split()[0]):
        return
    if find_spec("ziglang") is None:
        sys.exit(f"error: there is no C compiler ({default.split()[0]}); install one, or: pip install ziglang")
    os.environ["CC"] = f"{sys.executable} -m ziglang cc"


def is_gcc(command: list[str]) -> bool:
    """Return whether a C compiler is gcc, regardless of its command's name."""
    try:
        output = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    return "Free Software Foundation" in output


def can_run_workload() -> bool:
    """Return whether the profile's games can be played here: the runtime dependencies may be missing."""
    env = {**os.environ, "PYTHONPATH": python_path(SOURCES.resolve(), Path.cwd()), "DICEMASTERS_PURE": "1"}
    command = [sys.executable, "-c", f"import {PGO_WORKLOAD}"]
    return subprocess.run(command, env=env, stderr=subprocess.DEVNULL).returncode == 0


def remove_trashcan(c: Path) -> None:
    """Remove the trashcan macros from generated C where the object is not tracked by the garbage collector.

    CPython's trashcan links objects through their GC header. A native class without one has no such header, so freeing it at
    the end of a long chain (a traceback of a deep search) wrote over other memory. Tracked classes untrack themselves before
    the macro and do not match the pattern.
    """
    pattern = r"(\{\s*)CPy_TRASHCAN_BEGIN\(self, \w+\)(.*?)CPy_TRASHCAN_END\(self\)"
    c.write_text(re.sub(pattern, r"\1\2", c.read_text(encoding="utf-8"), flags=re.DOTALL), encoding="utf-8")


def remove_compiled_modules() -> None:
    """Remove the modules of an earlier build: a module that is no longer compiled would still be imported, and fail."""
    for name in COMPILED_PACKAGES:
        for path in (SOURCES / name.replace(".", "/")).rglob("*"):
            if path.suffix in (".so", ".pyd"):
                path.unlink()


class BuildEngine(build_ext):
    """Compile the engine; with gcc, play games with the result and recompile what a move needs with their profile."""

    def finalize_options(self) -> None:
        if find_spec("mypyc") is None:
            sys.exit("error: compiling needs mypyc, which comes with the package mypy")
        from mypyc.build import mypycify

        select_compiler()
        names = {name for name in import_closure(*ENGINE_ROOTS) if name.startswith(COMPILED_PACKAGES)} | {*VIEW_MODULES}
        files = [str(source_file(name)) for name in sorted(names)]
        level = os.environ.get("DICEMASTERS_OPT", "2")
        self.checksums = source_checksums()  # before the build: a source may change while it runs
        extensions: Any = mypycify(files, opt_level=level, debug_level="0", group_name="dicemasters", multi_file=True)
        for source in {source for extension in extensions for source in extension.sources}:
            remove_trashcan(Path(source))
        for extension in extensions if os.name != "nt" else ():
            extension.extra_compile_args = [*extension.extra_compile_args, *LOCAL_CALLS]  # the list is shared
        self.distribution.ext_modules = extensions
        super().finalize_options()

    def run(self) -> None:
        folder = SOURCES if self.inplace else Path(self.build_lib)
        stamp = folder / STAMP
        stamp.unlink(missing_ok=True)
        if self.inplace:
            remove_compiled_modules()
        self.profiled = {f"__native_{name.replace('.', '___')}.c" for name in import_closure(ENGINE_ROOTS[0])}
        self.profile_flags: list[str] = []
        for counts in Path(self.build_temp).rglob("*.gcda"):  # counts of an earlier build
            counts.unlink()
        super().run()
        stamp.write_text(json.dumps(self.checksums, indent=1) + "\n", encoding="utf-8")
        if self.profile_flags:
            self.build_with_profile(folder)

    def build_extensions(self) -> None:
        if os.name != "nt":
            compiler: Any = self.compiler
            use_profile = is_gcc(compiler.compiler_so[:1]) and can_run_workload()
            self.profile_flags = PROFILE_GENERATE if use_profile else []
            compiler.compile = functools.partial(self.compile_parallel, compiler.compile, compiler._compile)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        ext.extra_link_args = self.profile_flags  # counting needs a gcc library
        super().build_extension(ext)

    def compile_parallel(self, compile_all: Any, compile_one: Any, *args: Any, **kwargs: Any) -> list[str]:
        """Compile one file per processor at a time; with a profile, only the files that it covers."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            running: list[Future[None]] = []

            def submit(obj: str, src: str, ext: str, cc: list[str], post: list[str], pp: list[str]) -> None:
                covered = Path(src).name in self.profiled
                if covered or self.profile_flags != PROFILE_USE:
                    running.append(pool.submit(compile_one, obj, src, ext, cc, post + self.profile_flags * covered, pp))

            compiler: Any = self.compiler
            compiler._compile = submit
            objects: list[str] = compile_all(*args, **kwargs)
            for one in running:
                one.result()
        return objects

    def build_with_profile(self, folder: Path) -> None:
        """Play the workload with the instrumented build, and compile again; without a profile if the games fail."""
        env = {**os.environ, "PYTHONPATH": python_path(folder.resolve(), Path.cwd()), "DICEMASTERS_PURE": ""}
        played = subprocess.run([sys.executable, "-m", PGO_WORKLOAD], env=env)
        self.profile_flags = PROFILE_USE if played.returncode == 0 else []
        self.force = True
        for extension in self.extensions:
            if len(extension.sources) > 1:  # not the shims that load each module
                self.build_extension(extension)


class CompiledDistribution(Distribution):
    """A distribution with extension modules, whose list is made late because it takes a while."""

    def has_ext_modules(self) -> bool:
        return True
