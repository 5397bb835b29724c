"""Server settings: from the command line, else from the environment, else defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from dicemasters.paths import data_dir
from dicemasters.service.limits import Limits

DEFAULT_PORT = 8420
LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of one server process."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    db: str = ""  # SQLAlchemy URL; "" means a file in the user's data folder
    expire_days: float = 0.0  # days without an event after which a game is deleted; 0: never
    durable: bool = False  # SQLite: committed data survives a power cut, not only a killed process
    trusted_proxies: str = ""  # networks whose X-Forwarded-For header is trusted
    hosts: str = ""  # accepted host names; "": any behind a trusted proxy, else only names of the local network
    log: str = "text"  # or "json"
    load: str = ""  # files of home-made cards, separated like PATH
    metrics: str = "loopback"  # clients that may read /metrics: networks, "loopback" or "none"
    limits: Limits = field(default_factory=Limits)

    @property
    def url(self) -> str:
        """Database URL, with the default file filled in."""
        return self.db or f"sqlite:///{data_dir() / 'games.sqlite'}"


def settings_from_environment(environment: Mapping[str, str]) -> ServerSettings:
    """Return the settings with DICEMASTERS_HOST, DICEMASTERS_DB, DICEMASTERS_GAMES_PER_MINUTE etc. applied."""
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
        raise ValueError(f"{key} is '{text}', which is not a {_TYPE_NAMES[type(default)]}") from None


_TYPE_NAMES = {bool: "yes or no value", int: "whole number", float: "number", str: "text"}
