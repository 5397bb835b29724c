"""`dicemasters site`: export the game as static files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EXAMPLES = """\
examples:
  dicemasters site dice                        write or update the folder dice
  python3 -m http.server --directory dice      try it: open http://localhost:8000

Copy the folder to any static host, also below a path (https://example.org/games/dice/). No program
runs there. A browser loads some megabytes for the first game and then works offline. Offline use and installation need
https or localhost.

Games are played alone, at one screen, or against bots. To play with friends elsewhere: dicemasters serve"""


def add_arguments(commands: Any) -> None:
    """Add the `site` command."""
    about = "write the whole game as a folder that any static host serves"
    site = commands.add_parser(
        "site",
        help=about,
        description=f"W{about[1:]}: the engine plays in the browser, without a server (docs/site.md).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    site.add_argument("folder", metavar="DIR", type=Path, help="a new or empty folder, or one that this command wrote")


def main(args: argparse.Namespace) -> int:
    """Write the folder. Return the exit code."""
    from dicemasters.webworker.static_export import export_site  # imported on use: it reads the whole package

    report = export_site(args.folder)
    print(
        f"{args.folder}: {report.files} files, {report.page / 1e6:.1f} MB for the page "
        f"and {report.engine / 1e6:.1f} MB for the engine, loaded when somebody plays"
    )
    return 0
