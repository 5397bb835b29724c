"""Compile the engine with mypyc where DICEMASTERS_COMPILE=1 asks for it. Everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from setuptools import setup

if os.environ.get("DICEMASTERS_COMPILE") == "1":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from tools.build.mypyc_build import BuildEngine, CompiledDistribution

    setup(distclass=CompiledDistribution, cmdclass={"build_ext": BuildEngine})
else:
    setup()
