"""The games that are being played or watched: who sits where, what they do, and who is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from dicemasters.game import Game
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import ANCHOR, FairDiceError, FairThrow
from dicemasters.game.inspect.view import State, side_of
from dicemasters.game.notation import UnplayableError
from dicemasters.game.notation.record import write_record
from dicemasters.players.monte_carlo import MonteCarloPlayer
from dicemasters.players.player import Player, make_player
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.service.games.choices import AppliedChoice, InvalidChoiceError, apply_choice
from dicemasters.service.games.explanations import (
    build_coach_answer,
    build_dice_audit,
    build_die_explanation,
    build_illegal_explanation,
)
from dicemasters.service.games.game_setup import LETTERS, NAME_LENGTH, Lead, Seat
from dicemasters.service.games.game_summary import build_summary
from dicemasters.service.games.session import COUNTED_EVENTS, GameSession, ReplayError, WinClaim
from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.ids import seats_for_secrets, utc_now
from dicemasters.service.ports import RoomClient
from dicemasters.service.protocol import game_schema, messages
from dicemasters.service.protocol.codec import OutgoingMessage, to_json
from dicemasters.service.protocol.delta import diff_views
from dicemasters.service.protocol.http_schema import GameSummary
from dicemasters.service.sanitize import sanitize
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import RateLimitedError

if TYPE_CHECKING:
    from dicemasters.service.games.registry import RoomRegistry


ORPHANED_BOT_DELAY = 2.0  # seconds until this process lets a player decide that another process has forgotten
NOT_STARTED: game_schema.Explanation = {"text": "The game has not begun.", "rule": "3.0a"}
META_EVENTS = frozenset(("name", "offer", "agree", "decline", "give up", "play on", "claim", "here", "seat"))
TABLE_EVENTS = frozenset(("play", "choice", "part"))  # events that change nothing but the table
CONTRIBUTION_TIMEOUT = timedelta(seconds=3)  # until the dice may fall without the part of somebody's browser
RELOAD_GRACE = timedelta(seconds=30)  # on the clock of a game that has just been read from storage
FAST_PLAYERS = frozenset(("random", "level1", "simple", "scripted"))  # players that decide within a millisecond


class ActionRejectedError(Exception):
    """Something cannot be done; the text is the sentence that says why."""


class _RoomLock:
    """Hold a room's lock, if it is still the game's room: whoever has waited for it may come too late."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
        self._room = room

    async def __aenter__(self) -> None:
        await self._room.lock.acquire()
        if self._room.close_reason:
            self._room.lock.release()
            raise ActionRejectedError(self._room.close_reason)

    async def __aexit__(self, *_: object) -> None:
        self._room.lock.release()


class Room:
    """One game in memory, and everybody who looks at it."""

    def __init__(self, registry: RoomRegistry, stored: StoredGame, session: GameSession) -> None:
        self.registry = registry
        self.stored = stored
        self.session = session
        self.clients: set[RoomClient] = set()
        self.connections: set[RoomClient] = set()  # all who are here, also those who have not yet said who they are
        self.close_reason = ""  # why it is no longer the game's room
        self.tasks: set[asyncio.Future[None]] = set()  # what visitors have begun
        self.lock = asyncio.Lock()  # held from the first look at the game until what came of it is stored and told
        self._players: dict[Seat, Player] = {
            letter: make_player(seat.player, secrets.randbits(62))
            for letter, seat in session.setup.by_letter.items()
            if seat.player
        }
        self._bot_task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None  # of the clock
        self._loaded_at = datetime.now(UTC)
        self.last_access = time.monotonic()  # when somebody last looked at it or went away
        self._table = to_json(
            build_table(session.game.table, format=session.setup.format, scripted=session.setup.scripted_seat)
        )
        self._last_view: game_schema.View | None = None  # what everybody was last shown
        self._audit_cache = -1, b""  # what the dice can be checked with, and the version that was made for
        self._is_throw_announced = False  # somebody was told that dice wait for a part

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def table(self) -> bytes:
        """Give what never changes during the game, as JSON."""
        return self._table

    @property
    def view(self) -> bytes:
        """Give the table as everybody sees it now, as JSON."""
        if self._last_view is None:
            self._last_view = self.session.view
        return to_json(self._last_view)

    @property
    def meta(self) -> bytes:
        """Give names, presence and offers, as JSON."""
        m = self.session
        people = m.setup.people
        self._is_throw_announced = m.dice is not None and m.dice.pending is not None
        meta: messages.Meta = {
            "names": m.names,
            "kinds": {x: s.player or "person" for x, s in m.setup.by_letter.items()},
            "present": sorted({seat for visitor in self.clients for seat in visitor.seats}),
            "watchers": sum(not visitor.seats for visitor in self.clients),
            "offer": {"what": "undo", "by": m.offer.by, "awaits": [*m.awaiting_consent]} if m.offer else None,
            "giving_up": m.conceding_seat,
            "undo": "none"
            if m.is_over or not any(seat.hash for seat in m.setup.seats)
            else "free"
            if len(people) == 1
            else "ask",
            "rematch": m.rematch,
            "waiting": [*m.missing_seats],
            "commitment": m.commitment,
            "dice": m.dice.data() if m.dice is not None else None,
            "created": self.stored.created,
            "claim": {"by": m.claim.by, "seconds": self._claim_seconds_left(m.claim)} if m.claim else None,
            "clock": self._clock_data(),
        }
        return to_json(meta)

    def _claim_seconds_left(self, claim: WinClaim) -> int:
        """Give how long the other still has to come back."""
        return max(0, round(self.registry.limits.claim_seconds - (datetime.now(UTC) - claim.at).total_seconds()))

    def _clock_data(self) -> messages.ClockData | None:
        """Give what the clocks show: the seconds each has left, and how long the one who decides has for that."""
        m = self.session
        if m.setup.clock is None:
            return None
        now = datetime.now(UTC)
        left = dict(m.seconds_left)
        if m.decision_since is not None and m.deciding_seat in left:
            left[m.deciding_seat] -= (now - m.decision_since).total_seconds()
        running = (m.deadline - now).total_seconds() if m.deadline is not None else None
        return {
            "left": {letter: max(0, round(seconds, 1)) for letter, seconds in left.items()},
            "running": m.deciding_seat if m.deadline is not None else None,
            "seconds": None if running is None else max(0, round(running, 1)),
        }

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing goes on, so that the game may be forgotten until it is wanted again."""
        thinking = self._bot_task is not None and not self._bot_task.done()
        return not (self.clients or self.connections or self.tasks or thinking or self.lock.locked())

    async def game_snapshot(self) -> bytes:
        """Give table, view and meta together, as JSON."""
        async with _RoomLock(self):
            return b'{"table":%b,"view":%b,"meta":%b}' % (self.table, self.view, self.meta)

    async def full_view(self) -> OutgoingMessage:
        """Give the whole view, as a message."""
        async with _RoomLock(self):
            return OutgoingMessage(b'{"type":"view","view":%b}' % self.view)

    async def views(self, start: int, count: int) -> bytes:
        """Give the views after each choice from the start-th on, and how many there are, as JSON."""

        def written() -> bytes:
            each = []
            for view in still.views(start, count):
                each.append(to_json(view))
                self.registry.executor.yield_cpu()
            return b'{"views":[%b],"total":%d}' % (b",".join(each[::-1]), len(still.step_offsets))

        async with _RoomLock(self):
            still = self.session.snapshot()
        text: bytes = await self.registry.executor.run_for_client(written)  # the game goes on meanwhile
        return text

    async def explain_die(self, die: int) -> OutgoingMessage:
        """Say why a die's A and D are what they are, as a message."""
        async with _RoomLock(self):
            if not 0 <= die < self.session.game.table.n_dice:
                raise ActionRejectedError("there is no such die")
            return OutgoingMessage(to_json(build_die_explanation(self.session.game, die)))

    async def coach(self) -> OutgoingMessage:
        """Give what a coach says to whoever decides, as a message."""
        async with _RoomLock(self):
            m = self.session
            said = (
                build_coach_answer(m.game, m.view_version)
                if m.deciding_seat is not None
                else build_coach_answer(None, m.view_version)
            )
            return OutgoingMessage(to_json(said))

    async def explain_illegal(self, visitor: RoomClient, thing: dict[str, int], want: str) -> OutgoingMessage:
        """Say why something cannot be done by whoever asks, as a message."""
        async with _RoomLock(self):
            self._require_seat(visitor)
            m = self.session
            seat = m.deciding_seat if m.deciding_seat in visitor.seats else visitor.seats[0]
            try:
                said = build_illegal_explanation(m.game, seat, thing, want) if m.has_begun else NOT_STARTED
            except (ValueError, LookupError):
                raise ActionRejectedError("there is no such thing at this table") from None
            answer: messages.IllegalExplanation = {"type": "why not", **said}
            return OutgoingMessage(to_json(answer))

    async def record(self) -> str:
        """Write the game down."""
        still = await self.snapshot()
        text: str = await self.registry.executor.run_for_client(write_record, still.game, still.early_result)
        return text

    async def position(self, step: int | None = None) -> str:
        """Write the position down: as it is, or as it was at a step."""

        def written() -> str:
            still.game.undo(len(still.game.moves) - still.step_offsets[step] if step is not None else 0)
            return still.game.to_text()

        still = await self.snapshot()
        if step is not None and step >= len(still.step_offsets):
            raise ActionRejectedError(f"the game has no step {step}; there are {len(still.step_offsets) - 1}")
        text: str = await self.registry.executor.run_for_client(written)  # what lies back is played again
        return text

    async def dice_audit(self) -> bytes:
        """Give what the dice can be checked with, as JSON."""

        def written() -> bytes:
            return to_json(build_dice_audit(still.game))

        async with _RoomLock(self):
            m = self.session
            version, text = self._audit_cache
            if version == m.version:
                return text
            version = m.version
            if not m.has_begun:
                return to_json({"way": "chains" if m.dice is not None else None, "commitment": m.commitment})
            still = m.snapshot()
        found: bytes = await self.registry.executor.run_for_client(written)  # the game goes on meanwhile
        self._audit_cache = version, found
        return found

    async def snapshot(self) -> GameSession:
        """Give the game as it is now, to be looked at while it goes on."""
        async with _RoomLock(self):
            if not self.session.has_begun:
                raise ActionRejectedError("the game has not begun")
            return self.session.snapshot()

    async def summary(self) -> GameSummary:
        """Give the game so far in numbers."""
        async with _RoomLock(self):
            return build_summary(self.session.game)

    # --- coming and going ------------------------------------------------------------------------------------------

    def seats_of(self, keys: Iterable[str]) -> tuple[Seat, ...]:
        """List the seats these secrets open."""
        return seats_for_secrets(keys, {letter: seat.hash for letter, seat in self.session.setup.by_letter.items()})

    async def join(self, visitor: RoomClient) -> None:
        """Welcome somebody and tell the others; to sit down with a part in the dice is the next thing they do."""
        async with _RoomLock(self):
            await self._cancel_win_claim(visitor.seats)
            self.clients.add(visitor)
            you = to_json({"you": visitor.seats, "game": self.stored.game})[1:-1]
            welcome = b'{"type":"welcome",%b,"table":%b,"meta":%b,"view":%b}' % (you, self.table, self.meta, self.view)
            visitor.send(OutgoingMessage(welcome))
            self._broadcast_meta(but=visitor)
            self._request_contributions([visitor])
        self._schedule_bot()

    async def take_seat(self, visitor: RoomClient, anchor: str) -> None:
        """Take the anchor of a browser's chain for its seats. It comes when the table's own is known to it."""
        async with _RoomLock(self):
            self._require_seat(visitor)
            m = self.session
            if m.dice is None:
                raise ActionRejectedError("the dice of this game come from a seed or a position")
            if not ANCHOR.fullmatch(anchor):
                raise ActionRejectedError("an anchor is 64 hexadecimal digits")
            if any(chain.anchor == anchor for chain in m.dice.fair.chains):
                raise ActionRejectedError("this chain has been used")
            if not m.is_over:
                await self._commit_event("seat", {"seats": "".join(visitor.seats), "anchor": anchor})
        self._schedule_bot()

    def remove_client(self, visitor: RoomClient) -> None:
        """Let somebody go and tell the others."""
        self.last_access = time.monotonic()
        if visitor in self.clients:
            self.clients.remove(visitor)
            self._broadcast_meta()

    def close(self, reason: str) -> None:
        """Send everybody away, also who has not been welcomed yet; nothing happens here any more."""
        self.close_reason = reason
        self.stop_timers()
        for visitor in self.clients | self.connections:
            visitor.close(reason)
        self.clients.clear()

    def stop_timers(self) -> None:
        """Let nothing happen by itself any more, so that nothing holds the game in memory."""
        if self._bot_task:
            self._bot_task.cancel()
        if self._timer:
            self._timer.cancel()

    # --- what people do --------------------------------------------------------------------------------------------

    async def play(self, visitor: RoomClient, said: messages.PlayChoice) -> None:
        """Make a choice for the seat whose decision it is."""
        async with _RoomLock(self):
            m = self.session
            decides = m.deciding_seat
            if decides is None and m.is_over:
                raise ActionRejectedError("the game is over")
            if decides is None and m.pending is not None:
                raise ActionRejectedError("the dice are being thrown")
            if said.version != m.view_version:
                raise ActionRejectedError("the table has changed meanwhile")
            if decides is None or decides not in visitor.seats:
                raise ActionRejectedError(f"it is {decides}'s decision")
            if m.dice is not None and not said.word:
                raise ActionRejectedError("a choice comes with a word for the dice")
            more: dict[str, Any] = {"hold": True} if said.hold else {}
            more |= {"word": said.word} if m.dice is not None else {}
            await self._submit_choice(decides, said.choice, more, frozenset(said.without))
            self.registry.services.count("choice", "person")
        self._schedule_bot()

    async def _submit_choice(
        self, seat: Seat, choice: messages.Choice, more: dict[str, Any], without: frozenset[str]
    ) -> None:
        """Make a choice. If its dice need the parts of others it is stored as it is, and those are asked for theirs."""
        m = self.session
        ready = m.dice.immediate_throw(seat, more.get("word", "")) if m.dice is not None else None
        if ready is not None and frozenset(ready.without) != without:
            raise ActionRejectedError("the table has changed meanwhile")
        try:
            made = await self._apply_choice(choice, ready)
        except FairDiceNeededError as error:
            if m.dice is None or not m.dice.has_links:
                raise ActionRejectedError("this game has gone on for too long") from None
            if seat in m.setup.people and m.dice.away != without:
                raise ActionRejectedError("the table has changed meanwhile") from None
            await self._commit_event("choice", {"seat": seat, "choice": choice, "texts": error.args, **more})
        else:
            await self._commit_event("play", {"seat": seat, "texts": made.texts, **more}, made.game)

    async def _apply_choice(self, choice: Mapping[str, object], ready: FairThrow | None) -> AppliedChoice:
        """Make a choice on a copy. One of several parts may have to be looked for, and that apart from the other games."""
        try:
            if "option" in choice:
                made = apply_choice(self.session.game, choice, self._is_asked_again, ready)
            else:
                made = await self.registry.executor.run_for_client(
                    apply_choice, self.session.game, choice, self._is_asked_again, ready
                )
            if made.game.written:
                build_view(made.game)  # what cannot be shown must not be stored
        except (InvalidChoiceError, UnplayableError, RateLimitedError) as error:
            raise ActionRejectedError(str(error)) from None
        return made

    async def submit_contribution(self, visitor: RoomClient, number: int, chain: str, link: str) -> None:
        """Take the part of a browser in the dice that wait for it."""
        async with _RoomLock(self):
            m = self.session
            dice = m.dice
            if dice is None or number > dice.fair.at + 1:
                raise ActionRejectedError("no dice wait for a part")
            if number <= dice.fair.at:
                return  # too late, or said twice
            found = next((x for x in dice.missing_chains if x.name == chain), None)
            if found is None:
                raise ActionRejectedError("that part is not asked for")
            if not set(found.seats) & set(visitor.seats):
                raise ActionRejectedError("that is not your chain")
            await self._commit_contribution(
                "part", {"seat": found.seats, "chain": chain, "at": found.at + 1, "link": link}
            )
        self._schedule_bot()

    async def roll_without(self, visitor: RoomClient) -> None:
        """Let the dice fall without the parts that are missing: whoever acts may say so, for the other's is not known.

        Where the table acts it is for the person themselves to say, and at the opening for the one who has given a part.
        """
        async with _RoomLock(self):
            m = self.session
            self._require_seat(visitor)
            p = m.dice.pending if m.dice is not None else None
            if m.dice is None or p is None or m.is_over:
                raise ActionRejectedError("no dice wait for a part")
            missing = {seat for chain in m.dice.missing_chains for seat in chain.seats}
            if p.seat in m.setup.people:
                if p.seat not in visitor.seats:
                    raise ActionRejectedError(f"it is for {p.seat} to say that")
            elif len(m.setup.people) > 1 and missing & set(visitor.seats):
                raise ActionRejectedError("it is for the other to say that")
            if len(m.setup.people) > 1 and datetime.now(UTC) < p.at + CONTRIBUTION_TIMEOUT:
                raise ActionRejectedError("the part may still come")
            await self._commit_contribution("without", {"seats": "".join(sorted(missing))})
        self._schedule_bot()

    async def _commit_contribution(self, kind: str, data: dict[str, Any]) -> None:
        """Store somebody's part, or that it is missing; with the last one the dice fall and the choice is made."""
        m = self.session
        try:
            ready = m.throw_after(kind, data)
        except FairDiceError as error:
            raise ActionRejectedError(str(error)) from None
        if m.pending is None or ready is None:
            await self._commit_event(kind, data)
        else:
            made = await self._apply_choice(m.pending.choice or {}, ready)
            await self._commit_event(kind, data | {"texts": made.texts}, made.game)

    def _request_contributions(self, visitors: Iterable[RoomClient]) -> None:
        """Ask the browsers for their parts in the dice that wait."""
        dice = self.session.dice
        if dice is None or dice.pending is None or self.session.is_over:
            return
        missing = {seat for chain in dice.missing_chains for seat in chain.seats}
        message = OutgoingMessage(to_json({"type": "throw", **(dice.throw_request() or {})}))
        for visitor in visitors:
            if missing & set(visitor.seats):
                visitor.send(message)

    async def undo(self, visitor: RoomClient) -> None:
        """Take back the last choice, or ask the others to agree to it."""
        async with _RoomLock(self):
            m = self.session
            self._require_seat(visitor)
            if m.is_over:
                raise ActionRejectedError("the game is over, and a finished game stays as it is")
            self._require_no_pending_throw()
            to = m.undo_target(visitor.seats)
            if to is None:
                raise ActionRejectedError("there is nothing of yours to take back")
            if m.free_undo_seat in visitor.seats or all(letter in visitor.seats for letter in m.setup.people):
                await self._commit_event("undo", {"to": to})
            elif m.offer is not None:
                raise ActionRejectedError(f"{m.offer.by} has already asked")
            else:
                await self._commit_event("offer", {"by": m.plays[to].seat, "to": to, "agreed": "".join(visitor.seats)})
        self._schedule_bot()

    async def answer_undo(self, visitor: RoomClient, yes: bool) -> None:
        """Agree to an undo that another asked for, or not; it is made when everybody has agreed."""
        async with _RoomLock(self):
            offer, awaited = self.session.offer, self.session.awaiting_consent
            if offer is None:
                raise ActionRejectedError("nobody has asked for anything")
            if not any(letter in awaited for letter in visitor.seats):
                raise ActionRejectedError("somebody else has to answer")
            self._require_no_pending_throw()
            if not yes:
                await self._commit_event("decline", {"by": offer.by})
            elif set(awaited) <= set(visitor.seats):
                await self._commit_event("undo", {"to": offer.to})
            else:
                await self._commit_event("agree", {"seats": "".join(visitor.seats)})
        self._schedule_bot()

    async def concede(self, visitor: RoomClient, seat: str) -> None:
        """Give the game up, for one's side: a partner who is there has to want it too (docs/doubles.md)."""
        async with _RoomLock(self):
            m = self.session
            if m.is_over:
                raise ActionRejectedError("the game is over")
            own = self._require_own_seat(visitor, seat)
            here = {x for other in self.clients for x in other.seats}
            asked = [x for x in m.setup.side_of(own) if x in m.setup.people and x not in visitor.seats and x in here]
            if not asked or m.conceding_seat in asked:
                await self._commit_event("concede", {"seat": own})
            elif m.conceding_seat is not None:
                raise ActionRejectedError(f"{asked[0]} has been asked")
            else:
                await self._commit_event("give up", {"seat": own})

    async def play_on(self, visitor: RoomClient) -> None:
        """Do not give the game up after all, or not with the partner who would."""
        async with _RoomLock(self):
            m = self.session
            if m.conceding_seat is None or not set(visitor.seats) & set(m.setup.side_of(m.conceding_seat)):
                raise ActionRejectedError("nobody of your side would concede")
            await self._commit_event("play on", {"seat": m.conceding_seat})

    async def claim_win(self, visitor: RoomClient) -> None:
        """Claim the win because the other is not there; said again after some time, it is given."""
        async with _RoomLock(self):
            m = self.session
            self._require_seat(visitor)
            own = [x for seat in visitor.seats for x in m.setup.side_of(seat)]
            others = [letter for letter in m.setup.people if letter not in own]
            if m.is_over or not m.has_begun or not others:
                raise ActionRejectedError("there is nothing to claim")
            here = {x for one in self.clients for x in one.seats}
            if m.claim is not None and m.claim.by in own and m.claim.away not in here:
                seconds = self.registry.limits.claim_seconds - (datetime.now(UTC) - m.claim.at).total_seconds()
                if seconds > 0:
                    raise ActionRejectedError(f"{m.claim.away} has {seconds:.0f} seconds more to come back")
                await self._commit_event("forfeit", {"seat": m.claim.away})
                return
            away = [x for x in others if x not in here]
            if not away:
                raise ActionRejectedError(f"{' and '.join(others)} {'is' if len(others) == 1 else 'are'} here")
            await self._commit_event("claim", {"by": visitor.seats[0], "away": away[0]})

    async def _cancel_win_claim(self, seats: Iterable[Seat]) -> None:
        """Answer a claim that one of these seats is not there."""
        claim = self.session.claim
        if claim is not None and claim.away in seats and not self.session.is_over:
            await self._commit_event("here", {"seat": claim.away})

    async def set_name(self, visitor: RoomClient, seat: str, name: str) -> None:
        """Take a name."""
        async with _RoomLock(self):
            letter, taken = self._require_own_seat(visitor, seat), sanitize(name, NAME_LENGTH)
            if taken != self.session.names[letter]:
                await self._commit_event("name", {"seat": letter, "name": taken})

    async def play_again(self, visitor: RoomClient) -> None:
        """Open another game of the same people, with the other player beginning."""
        async with _RoomLock(self):
            self._require_seat(visitor)
            m = self.session
            if not m.is_over:
                raise ActionRejectedError("the game is not over")
            if m.rematch is None:
                seats = [replace(s, name=m.names[x]) for x, s in m.setup.by_letter.items()]
                first: Lead | None = None
                if m.setup.position is None:
                    first = "A" if side_of(m.game.state.first) else "B"
                game = await self.registry.store(replace(m.setup, seats=seats, first=first, seed=None, dice="chains"))
                await self._commit_event("rematch", {"game": game})

    def _is_asked_again(self, seat: int) -> bool:
        """Tell whether a seat that has passed is asked for a last word: players that think, and people who hold."""
        letter = LETTERS[seat]
        return letter in self._players or self.session.is_holding_priority(letter)

    def _require_no_pending_throw(self) -> None:
        if self.session.pending is not None:
            raise ActionRejectedError("the dice are being thrown")

    def _require_seat(self, visitor: RoomClient) -> None:
        if not visitor.seats:
            raise ActionRejectedError("you are watching, not playing")

    def _require_own_seat(self, visitor: RoomClient, seat: str) -> Seat:
        for letter in visitor.seats:
            if letter == seat:
                return letter
        raise ActionRejectedError("that is not your seat")

    # --- events ----------------------------------------------------------------------------------------------------

    async def _commit_event(self, kind: str, data: dict[str, Any], game: Game | None = None) -> None:
        """Let something happen: store it, then show it. The lock is held; `game` is the game after a choice."""
        self._check_event_limits(kind, str(data.get("seat", data.get("by", data.get("seats", "")))))
        event = StoredEvent(self.session.version + 1, kind, utc_now(), to_json(data).decode())
        try:
            was_over = self.session.is_over
            if await self.registry.storage.append(self.stored.game, [event]):
                self.session.apply(event, game, data)
                if self.session.is_over and not was_over:
                    self.registry.services.count("finished", "play" if kind in ("part", "without") else kind)
                self._publish(kind)
                return
            await self._apply_new_events()  # another process was quicker: what it has stored counts
        except (StorageError, ReplayError) as error:
            log_event("not stored", level=logging.ERROR, game=self.stored.game, reason=str(error))
            self.registry.evict_stale(self, "the server could not store what happened; come back in a moment")
            raise ActionRejectedError("the server could not store this") from error
        raise ActionRejectedError("the table has changed meanwhile")

    def _check_event_limits(self, kind: str, whose: str) -> None:
        """Refuse what there has been too much of. Each thing has a limit of its own, and how a game ends has none."""
        m, limits = self.session, self.registry.limits
        if kind in META_EVENTS and m.event_counts[kind, whose] >= limits.chatter_per_seat:
            raise ActionRejectedError("that has been said often enough in this game")
        if kind in COUNTED_EVENTS and m.choice_count >= limits.events_per_game:
            raise ActionRejectedError("this game has gone on for too long")

    async def _apply_new_events(self) -> None:
        for event in await self.registry.storage.events(self.stored.game, self.session.version):
            self.session.apply(event)
            self._publish(event.kind)

    async def catch_up(self) -> None:
        """Take in what other processes have stored; whoever stored a choice lets the players answer it."""
        async with self.lock:
            if self.close_reason:
                return
            try:
                await self._apply_new_events()
                await self._cancel_win_claim({seat for visitor in self.clients for seat in visitor.seats})
            except (StorageError, ReplayError) as error:
                log_event("not read", level=logging.ERROR, game=self.stored.game, reason=str(error))
                self.registry.evict_stale(self, "the server has lost sight of this game; come back in a moment")
                return
        asyncio.get_running_loop().call_later(ORPHANED_BOT_DELAY, self._schedule_bot)  # unless that process is gone

    def _publish(self, kind: str) -> None:
        if self.session.view_version == self.session.version:
            self._broadcast_delta()
        begins = kind == "part" and not self.session.plays
        told = self._is_throw_announced and kind in ("part", "without")
        if kind not in TABLE_EVENTS or begins or told or self.session.is_over or self.session.setup.clock is not None:
            self._broadcast_meta()
        if kind in ("choice", "seat"):
            self._request_contributions(self.clients)
        self.schedule_clock()

    def _broadcast_delta(self) -> None:
        """Tell everybody what has changed; who comes later is shown the whole."""
        old, self._last_view = self._last_view, None
        if self.clients and old is not None:
            self._last_view = self.session.view
            self._broadcast(OutgoingMessage(to_json(diff_views(old, self._last_view))))

    def _broadcast(self, message: OutgoingMessage, but: RoomClient | None = None) -> None:
        for visitor in list(self.clients):
            if visitor is not but:
                visitor.send(message)

    def schedule_clock(self) -> None:
        """Set the clock's alarm for whoever decides now; after coming back from storage there is a moment's grace."""
        if self._timer:
            self._timer.cancel()
        deadline = self.session.deadline
        if deadline is not None:
            due = max(deadline, self._loaded_at + RELOAD_GRACE)
            wait = max(0.0, (due - datetime.now(UTC)).total_seconds()) + 0.05
            self._timer = asyncio.get_running_loop().call_later(wait, self._on_clock_timer)

    def _on_clock_timer(self) -> None:
        task = asyncio.create_task(self._end_on_time())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _end_on_time(self) -> None:
        """End the game if the time of the one who decides is over."""
        with contextlib.suppress(ActionRejectedError):
            async with _RoomLock(self):
                deadline, decides = self.session.deadline, self.session.deciding_seat
                if deadline is not None and decides is not None and datetime.now(UTC) >= deadline:
                    await self._commit_event("flag", {"seat": decides})

    def _broadcast_meta(self, but: RoomClient | None = None) -> None:
        self._broadcast(OutgoingMessage(b'{"type":"meta","meta":%b}' % self.meta), but)

    # --- players that are no persons -------------------------------------------------------------------------------

    def _schedule_bot(self) -> None:
        """Let a player think if it is its decision."""
        if not self._players:
            return
        if (self._bot_task is None or self._bot_task.done()) and self.session.deciding_seat in self._players:
            self._bot_task = asyncio.create_task(self._run_bots())

    async def _run_bots(self) -> None:
        while True:
            if not self.session.setup.people:
                if not self.clients:
                    return  # it goes on when somebody looks; else games that nobody wants would fill the memory
                await self.registry.throttle_bot_games()
            async with self.lock:
                version, decides, game = self.session.view_version, self.session.deciding_seat, self.session.game
                if self.close_reason or decides is None or decides not in self._players:
                    return
                player = self._players[decides]
                if player.name in FAST_PLAYERS:
                    await self._play_bot_choice(decides, self._ask_bot(player, game.state))
                    if self.session.view_version == version:
                        return  # it could not be stored
                    continue
                game = game.copy()
            if isinstance(player, MonteCarloPlayer):
                choice: tuple[int, game_schema.Explanation | None] = (
                    await self.registry.bot_runner.choose(player.name, game),
                    None,
                )
            else:  # a bot of the keeper's, which only this process knows
                choice = await self.registry.executor.run_unmetered(self._ask_bot, player, game.state)
            async with self.lock:
                if self.session.view_version == version and not self.close_reason:
                    await self._play_bot_choice(decides, choice)
                    if self.session.view_version == version:
                        return

    def _ask_bot(self, player: Player, state: State) -> tuple[int, game_schema.Explanation | None]:
        """Give the option a player takes, and the rule it goes by if it has one."""
        try:
            if isinstance(player, ScriptedPlayer):
                reason = player.explain(state)
                return reason.option, {"rule": reason.rule, "text": reason.why}
            return player.choose(state), None
        except Exception as error:  # a player's mistake must not stop the game
            log_event(
                "player failed", level=logging.ERROR, game=self.stored.game, player=player.name, reason=repr(error)
            )
            return 0, None

    async def _play_bot_choice(self, decides: Seat, choice: tuple[int, game_schema.Explanation | None]) -> None:
        more = {"why": choice[1]} if choice[1] else {}
        try:
            await self._submit_choice(decides, {"option": choice[0]}, more, frozenset())
            self.registry.services.count("choice", "player")
        except ActionRejectedError as error:  # another process's player was quicker, or the game was dropped
            log_event("not chosen", game=self.stored.game, reason=str(error))
