"""Host and origin checks against DNS rebinding and cross-site request forgery (CSRF).

A page on another site can make a visitor's browser send requests to any server, even to one that only the visitor can
reach, and can point its own host name at that server's address. A host name that others could own is therefore refused
unless it is configured, and so is a request from a page with another host name.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from dicemasters.server.config import ServerSettings

LOCAL_SUFFIXES = (".local", ".lan", ".localhost", ".home.arpa", ".internal")  # reserved for local networks


class HostProblem(NamedTuple):
    """Why a request is refused: its HTTP status, its label in the metrics and the message."""

    status: int
    label: str
    message: str


class HostPolicy:
    """Decides whether the Host and Origin headers of a request are acceptable."""

    def __init__(self, settings: ServerSettings) -> None:
        self.names = {part.strip().casefold().rstrip(".") for part in settings.hosts.split(",") if part.strip()}
        self.any_name = not self.names and bool(settings.trusted_proxies)  # the trusted proxy checks the name
        self.names |= {host_without_port(settings.host), socket.gethostname().casefold()}

    def problem(self, headers: Headers) -> HostProblem | None:
        """Return why a request is refused, or None if it is accepted."""
        host = headers.get("host", "")
        name = host_without_port(host)
        if not self._is_own_host(name):
            message = f"this server does not answer to the name '{name[:60]}'; its host can add the name with --hosts"
            return HostProblem(421, "another name", message)
        origin = headers.get("origin")
        if origin is not None and not self._is_same_site(origin, host):
            return HostProblem(403, "another site", "a page of another site cannot do this")
        return None

    def _is_own_host(self, name: str) -> bool:
        if self.any_name or name in self.names or "." not in name or name.endswith(LOCAL_SUFFIXES):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_same_site(self, origin: str, host: str) -> bool:
        """Return True if page and server have the same host. Ports are ignored, and all loopback hosts count as one."""
        own_host, origin_host = host_without_port(host), host_without_port(urlsplit(origin).netloc)
        return origin_host == own_host or (_is_loopback(origin_host) and _is_loopback(own_host))


def host_without_port(host: str) -> str:
    """Return the host name without the port.

    >>> host_without_port("Dice.example.org:8420"), host_without_port("[::1]:8420"), host_without_port("::1")
    ('dice.example.org', '::1', '::1')
    """
    text = host.strip().casefold()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    name = text if text.count(":") > 1 else text.partition(":")[0]
    return name.rstrip(".")


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
