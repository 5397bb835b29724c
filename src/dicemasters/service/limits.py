"""Limits on clients and games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a client address, a game and the whole server; enabled by default."""

    message_bytes: int = 16 * 1024  # per message on a live socket
    body_bytes: int = 2_000_000  # per request; the record of a long game has about 60 kB, more in JSON
    messages_per_second: float = 20.0  # per socket, on average; further messages are delayed
    message_burst: int = 60
    requests_per_second: float = 20.0  # per address, on average
    request_burst: int = 100
    files_per_second: float = 100.0  # files of the page, per address; a first visit needs about forty
    file_burst: int = 2000  # enough for a class of fifty behind one address
    games_per_minute: float = 30.0  # games created per address
    header_seconds: float = 10.0  # for the head of a request, and between two requests
    body_seconds: float = 20.0  # for the body of a request
    request_seconds: float = 60.0  # for the whole request, including the response
    effort_per_second: float = 0.1  # CPU seconds per address, on average; further work is delayed
    effort_burst: float = 0.5
    connections_per_address: int = 0  # connections of any kind; 0: twice `sockets_per_address`, plus 300
    connections: int = 0  # 0: `sockets` plus 1000; fewer if the system allows fewer open files
    sockets_per_address: int = 50  # for watchers; players may have more
    sockets_per_game: int = 200  # for watchers
    sockets_per_seat: int = 10  # beyond it the oldest is closed
    sockets: int = 5000  # when full, a watcher is closed to admit a player
    live_games: int = 2000  # games with at least one connected client
    kept_games: int = 300  # games in memory, half a megabyte each; beyond it idle games are evicted
    kept_seconds: float = 600.0  # time before an idle game is evicted from memory
    events_per_game: int = 20_000  # choices and undos; the longest games have a few thousand
    chatter_per_seat: int = 100  # name changes, offers and claims; the limit applies to each kind separately
    claim_seconds: float = 120.0  # for an absent player to come back after the opponent claims the win
    work_seconds: float = 5.0  # per sandboxed job on untrusted input
    work_per_second: float = 0.5  # seconds of such and other background work per address, on average
    work_burst: float = 5.0
    thinkers: int = 0  # processes for bots that search; 0: one per core
    thought_seconds: float = 0.5  # wall-clock time of such a bot per choice
    bot_choices_per_second: float = 60.0  # in all games without human players together
    unread_messages: int = 200  # queued for a slow socket before it is closed
    unread_bytes: int = 500_000  # total size of these messages
    unread_answers: int = 8_000_000  # bytes of responses that an address has not read; beyond it requests are rejected
