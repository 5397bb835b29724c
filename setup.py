"""Build the package with its documents; compile the engine with mypyc if DICEMASTERS_COMPILE=1. The rest is in pyproject.toml."""

import os
import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tools.build.package_documents import BuildPackage

if os.environ.get("DICEMASTERS_COMPILE") == "1":
    from tools.build.mypyc_build import BuildEngine, CompiledDistribution

    setup(distclass=CompiledDistribution, cmdclass={"build_py": BuildPackage, "build_ext": BuildEngine})
else:
    setup(cmdclass={"build_py": BuildPackage})
