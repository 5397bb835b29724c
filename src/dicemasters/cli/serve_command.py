"""`dicemasters serve`: run the web server."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import Any

from dicemasters.players.external_bots import register_bot
from dicemasters.server.config import DEFAULT_PORT, LOG_FORMATS, settings_from_environment
from dicemasters.teams.argument_types import number_argument

EXAMPLES = """\
examples:
  dicemasters serve                            play here, in your browser
  dicemasters serve --host 0.0.0.0             let friends on the same network join
  dicemasters serve --db postgresql://dice@db/dice --host 0.0.0.0 --no-browser

All options except --bot and --no-browser can also be set in the environment,
for example DICEMASTERS_DB=sqlite:///games.sqlite"""

MAX_DAYS = 36500
OPTIONS = ("host", "port", "db", "durable", "trusted_proxies", "hosts", "expire_days", "log", "metrics")


def add_arguments(commands: Any) -> None:
    """Add the `serve` command."""
    about = "play in the browser, alone or with others"
    serve = commands.add_parser(
        "serve",
        help=about,
        description="Start the web server and open the game in your browser. docs/hosting.md is the guide for hosts.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    serve.add_argument(
        "--host", help="address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0: all networks)"
    )
    serve.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help=f"port to listen on (default: {DEFAULT_PORT}, or a free one if that is taken)",
    )
    serve.add_argument(
        "--db",
        metavar="URL",
        help="database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: a file in your data folder)",
    )
    serve.add_argument("--durable", action="store_true", default=None, help="SQLite: let games survive a power cut")
    serve.add_argument(
        "--trusted-proxies", metavar="NETWORKS", help="addresses or networks whose X-Forwarded-For is trusted"
    )
    serve.add_argument("--hosts", metavar="NAMES", help="accepted host names, separated by commas")
    serve.add_argument(
        "--expire-days",
        type=number_argument("days", 0, MAX_DAYS),
        metavar="DAYS",
        help="delete games in which nothing has happened for so many days (default: 0, never)",
    )
    serve.add_argument("--log", choices=LOG_FORMATS, help="log format (default: text)")
    serve.add_argument(
        "--metrics",
        metavar="NETWORKS",
        help="who may read /metrics: loopback, none, or networks such as 10.0.0.0/8 (default: loopback)",
    )
    serve.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME=WHAT",
        help="offer your own bot: NAME=package.module:Class, or NAME=line:COMMAND (docs/bots.md)",
    )
    serve.add_argument(
        "--load",
        action="append",
        metavar="FILE",
        help="offer the home-made cards in this file (docs/card-language.md)",
    )
    serve.add_argument("--no-browser", action="store_true", help="do not open a browser")


def main(args: argparse.Namespace) -> int:
    """Serve until interrupted. Return the exit code."""
    from dicemasters.server.run import serve  # imported on use: the other commands need no web server

    for bot in args.bot:
        name, separator, target = bot.partition("=")
        if not separator:
            raise ValueError(f"--bot {bot}: the name is missing, as in mine=package.module:Class")
        register_bot(target, name)
    settings = settings_from_environment(os.environ)
    overrides = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    if args.load:
        overrides["load"] = os.pathsep.join(args.load)
    return serve(replace(settings, **overrides), browser=not args.no_browser, port_is_given=args.port is not None)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port from 0 to 65535")
    return int(text)
