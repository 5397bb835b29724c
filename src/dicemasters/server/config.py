"""How a server is set up: from the command line, else from the environment, else by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from dicemasters.paths import data_dir
from dicemasters.service.limits import Limits

DEFAULT_PORT = 8420
LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class ServerSettings:
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
        return self.db or f"sqlite:///{data_dir() / 'games.sqlite'}"


def settings_from_environment(environment: Mapping[str, str]) -> ServerSettings:
    """Read DICEMASTERS_HOST, DICEMASTERS_DB, DICEMASTERS_GAMES_PER_MINUTE and so on; the defaults for the rest."""
    values = {
        f.name: _read(environment, f.name, getattr(ServerSettings(), f.name))
        for f in fields(ServerSettings)
        if f.name != "limits"
    }
    limits = {f.name: _read(environment, f.name, getattr(Limits(), f.name)) for f in fields(Limits)}
    return ServerSettings(**values, limits=Limits(**limits))  # type: ignore[arg-type]


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
        raise ValueError(f"{key} is '{text}', which is no {_TYPE_NAMES[type(default)]}") from None


_TYPE_NAMES = {bool: "yes or no", int: "whole number", float: "number", str: "text"}
