"""`dicemasters backup` and `dicemasters restore`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress as Bar

from dicemasters.server.config import settings_from_environment

if TYPE_CHECKING:
    from dicemasters.server.storage.backup import Progress, RowCounts

BACKUP_EXAMPLES = """\
examples:
  dicemasters backup games-2026-01-31.backup
  dicemasters backup all.backup --db postgresql://dice@db/dice"""

RESTORE_EXAMPLES = """\
examples:
  dicemasters restore games-2026-01-31.backup
  dicemasters restore all.backup --db sqlite:///games.sqlite     the database may be of another kind"""


def add_arguments(commands: Any) -> None:
    """Add the `backup` and `restore` commands."""
    backup = commands.add_parser(
        "backup",
        help="back up all games of a server",
        description="Write all games of a server into a file. The server may keep running (docs/hosting.md).",
        epilog=BACKUP_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    restore = commands.add_parser(
        "restore",
        help="restore a backup",
        description="Put the games of a backup into a database. Stop the server first (docs/hosting.md).",
        epilog=RESTORE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for parser, file_help, force_help in (
        (backup, "file to write", "replace an existing file"),
        (restore, "file written by backup", "replace the games in the database"),
    ):
        parser.add_argument("file", type=Path, help=file_help)
        parser.add_argument(
            "--db",
            metavar="URL",
            help="database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: as for serve)",
        )
        parser.add_argument("--force", action="store_true", help=force_help)


def main(args: argparse.Namespace) -> int:
    """Back up or restore. Return the exit code."""
    from dicemasters.server.storage.backup import restore_backup, write_backup
    from dicemasters.service.games.stored_events import StorageError

    settings = settings_from_environment(os.environ)
    url = replace(settings, db=args.db).url if args.db is not None else settings.url
    try:
        with _bar(args.command) as progress:
            if args.command == "restore":
                print(
                    f"Restored {_format_counts(restore_backup(args.file, url, force=args.force, progress=progress))}."
                )
            elif args.file.exists() and not args.force:
                raise ValueError(f"{args.file} exists; choose another name, or replace it with --force")
            else:
                rows = write_backup(url, args.file, progress)
                print(
                    f"Wrote {_format_counts(rows)} to {args.file} ({args.file.stat().st_size:,} bytes). It contains secrets."
                )
    except StorageError as error:
        raise ValueError(f"the database cannot be used: {error}") from None
    return 0


def _format_counts(rows: RowCounts) -> str:
    return f"{rows['games']:,} games with {rows['events']:,} events"


@contextmanager
def _bar(label: str) -> Iterator[Progress]:
    """Show a progress bar if standard error is a terminal."""
    with Bar(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda done: bar.update(task, completed=done)
