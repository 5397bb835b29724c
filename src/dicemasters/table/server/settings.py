"""How a server is set up: from the command line, else from the environment, else by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from dicemasters.table.score import data_folder

DEFAULT_PORT = 8420
LOGS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one visitor, one game and the whole server may use; on by default."""

    message_bytes: int = 16 * 1024  # of a message on a live socket
    body_bytes: int = 2_000_000  # of a request; a long game's record has about 60 kB, more in JSON
    messages_per_second: float = 20.0  # on one socket, on average; what is more has to wait
    message_burst: int = 60
    requests_per_second: float = 20.0  # of one address, on average
    request_burst: int = 100
    files_per_second: float = 100.0  # of the page, of one address; a page that was never there before needs some forty
    file_burst: int = 2000  # a class of fifty behind one address
    games_per_minute: float = 30.0  # that one address may create
    header_seconds: float = 10.0  # for the head of a request, also between two of them
    body_seconds: float = 20.0  # for its body
    request_seconds: float = 60.0  # for all of it, the answer included
    effort_per_second: float = 0.1  # seconds of the process for one address, on average; what is more has to wait
    effort_burst: float = 0.5
    connections_per_address: int = 0  # of any kind; 0: twice as many as sockets, and 300
    connections: int = 0  # 0: as many as sockets, and 1000; fewer where the system allows fewer open files
    sockets_per_address: int = 50  # of watchers; whoever holds a seat may have more
    sockets_per_game: int = 200  # of watchers
    sockets_per_seat: int = 10  # the oldest gives way
    sockets: int = 5000  # a watcher gives way to whoever holds a seat
    live_games: int = 2000  # games somebody sits at or watches
    kept_games: int = 300  # games in memory that nobody looks at right now; each takes half a megabyte
    kept_seconds: float = 600.0  # that such a game stays there
    events_per_game: int = 20_000  # choices and undos; the longest game has a few thousand
    chatter_per_seat: int = 100  # names, offers, claims: so many of each
    claim_seconds: float = 120.0  # that somebody who is away has to come back when the other claims the win
    work_seconds: float = 5.0  # for one text of a stranger's to be read and tried
    work_per_second: float = 0.5  # seconds of such work for one address, on average
    work_burst: float = 5.0
    thinkers: int = 0  # processes for players that think; 0: one for each core
    thought_seconds: float = 0.5  # that such a player may take for a choice, by the clock
    bot_choices_per_second: float = 60.0  # in all games that have no persons together
    unread_messages: int = 200  # waiting for a slow socket before it is closed
    unread_bytes: int = 500_000  # of these messages
    unread_answers: int = 8_000_000  # bytes of answers that an address has not read, before it is answered no more


@dataclass(frozen=True, slots=True)
class Settings:
    """One server: where it listens, where it keeps its games, what it allows."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    db: str = ""  # an SQLAlchemy URL; "" is a file in the user's data folder
    expire_days: float = 0.0  # after which a game in which nothing has happened is forgotten; 0: never
    durable: bool = False  # SQLite: survive a power cut too, not only a killed process
    trusted_proxies: str = ""  # addresses whose X-Forwarded-For is believed
    hosts: str = ""  # names this server is reached by; "" is any, if there is a proxy, else names of the local network
    log: str = "text"  # or "json"
    load: str = ""  # files of home-made cards, as in a search path
    metrics: str = "loopback"  # who may read /metrics: networks, "loopback", "none"
    limits: Limits = field(default_factory=Limits)

    @property
    def url(self) -> str:
        """Give the URL of the database."""
        return self.db or f"sqlite:///{data_folder() / 'games.sqlite'}"


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Read DICEMASTERS_HOST, DICEMASTERS_DB, DICEMASTERS_GAMES_PER_MINUTE and so on; the defaults for the rest."""
    own = {
        f.name: _read(environment, f.name, getattr(Settings(), f.name)) for f in fields(Settings) if f.name != "limits"
    }
    limits = {f.name: _read(environment, f.name, getattr(Limits(), f.name)) for f in fields(Limits)}
    return Settings(**own, limits=Limits(**limits))  # type: ignore[arg-type]


def _read(environment: Mapping[str, str], name: str, default: object) -> object:
    key = f"DICEMASTERS_{name.upper()}"
    text = environment.get(key)
    if text is None:
        return default
    try:
        if isinstance(default, bool):
            return {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False, "": False}[
                text.lower()
            ]
        return type(default)(text)  # type: ignore[call-arg]
    except (KeyError, ValueError):
        raise ValueError(f"{key} is '{text}', which is no {_WORDS[type(default)]}") from None


_WORDS = {bool: "yes or no", int: "whole number", float: "number", str: "text"}
