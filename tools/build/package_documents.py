"""The step of a build that copies rules.md and rulings.md from docs/ into the package, but never into src/."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

from tools.build.artifacts import ROOT

DOCUMENTS = ("rules.md", "rulings.md")  # as in dicemasters/rules/bundled.py, which a build cannot import


class BuildPackage(build_py):
    """Build the package with its documents. An editable install reads them from docs/ instead."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            self.copy_documents()

    def copy_documents(self) -> None:
        """Copy the documents into the build folder."""
        for target in self._targets():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / "docs" / target.name, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the files of the build, with the documents."""
        outputs: list[str] = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, *map(str, self._targets())]

    def _targets(self) -> list[Path]:
        return [Path(self.build_lib, "dicemasters", "rules", name) for name in DOCUMENTS]
