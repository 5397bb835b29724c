"""`dicemasters site`: export the game as static files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EXAMPLES = """\
examples:
  dicemasters site dice                        write or update the folder dice
  python3 -m http.server --directory dice      try it at http://localhost:8000

Copy the folder to any static host. A path such as https://example.org/games/dice/ works too.
The browser loads some megabytes for the first game and then works offline. Offline play and installing the page as an app need https or localhost.

People play alone, at one screen, or against bots. To play with friends elsewhere: dicemasters serve"""


def add_arguments(commands: Any) -> None:
    """Add the `site` command."""
    about = "export the game as a static site"
    site = commands.add_parser(
        "site",
        help=about,
        description="Export the game as a folder for any static host. The engine runs in the browser (docs/site.md).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    site.add_argument("folder", metavar="DIR", type=Path, help="a new or empty folder, or one written by this command")


def main(args: argparse.Namespace) -> int:
    """Write the folder. Return the exit code."""
    from dicemasters.webworker.static_export import export_site  # imported on use: it reads the whole package

    report = export_site(args.folder)
    print(
        f"{args.folder}: {report.files} files, {report.page / 1e6:.1f} MB for the page "
        f"and {report.engine / 1e6:.1f} MB for the engine, loaded with the first game"
    )
    return 0
