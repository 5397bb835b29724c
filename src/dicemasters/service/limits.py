"""Limits on clients and games."""

from __future__ import annotations

from dataclasses import dataclass


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
