"""Doubles rooms: dice parts of four browsers, partners and rivals, consent, clocks, refusals."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from tests.support.in_memory_rooms import Browser, Table, verify_with_page

from dicemasters import Game
from dicemasters.game.fair_dice import FairDice
from dicemasters.game.notation.record import write_record
from dicemasters.service.games import room
from dicemasters.service.games.explanations import build_dice_audit
from dicemasters.service.games.game_summary import build_summary
from dicemasters.service.games.room import ActionRejectedError
from dicemasters.service.games.view_builder import build_table

PERSON = {"kind": "person"}
BOT = {"kind": "player", "player": "random"}


@pytest.fixture(autouse=True)
def _no_contribution_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(0))


async def seat_four(seed: int, *seats: str, life: int = 6, **wanted: Any) -> Table:
    """Open a doubles game with a browser for each group of seats; bots take the other seats."""
    chairs = [PERSON if any(x in one for one in seats) else BOT for x in "ABCD"]
    table = await Table(seed).open(chairs, format="doubles", life=life, **wanted)
    for one in seats:
        await Browser(table, one).join()
    await table.settle()
    return table


async def _play_out(table: Table) -> None:
    for n in range(800):
        m = table.room.session
        if m.is_over or m.deciding_seat is None:
            return
        if n == 15:
            await table.restart()
        await table.decider().choose()
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("seats", [("A", "B", "C", "D"), ("AC", "BD"), ("A", "C"), ("A", "BCD"), ("D",)])
def test_doubles_game_finishes_with_verifiable_dice(seats: tuple[str, ...]) -> None:
    async def play() -> Table:
        table = await seat_four(3, *seats)
        await _play_out(table)
        return table

    table = asyncio.run(play())
    m = table.room.session
    assert m.result is not None
    winner = m.result.winner
    assert winner in ("AC", "BD", "")  # "" if both sides lose at the same moment
    game = m.game
    assert isinstance(game.fair, FairDice)
    record, facts = write_record(game), build_dice_audit(game)
    assert {x.seats for x in game.fair.chains} == set(seats)
    assert build_dice_audit(Game.from_record(record)) == json.loads(json.dumps(facts)) | {"bots": facts["bots"]}
    assert verify_with_page([{"facts": facts, "cards": build_table(game.table)["cards"]}]) == [""]
    summary = build_summary(game)
    assert set(summary["deeds"]) == {"A", "B"}
    fallen = {"AC": "B", "BD": "A", "": "AB"}[winner]
    assert {side for side, life in summary["life"][-1]["life"].items() if life == 0} == set(fallen)


def test_throw_waits_for_every_players_part() -> None:
    async def play() -> None:
        table = await seat_four(1, "A", "B", "C", "D", life=30)
        for browser in table.browsers:
            browser.responds = False
        m = table.room.session
        while m.pending is None:
            await table.decider().choose()
        actor = m.pending.seat
        others = [b for b in table.browsers if actor not in b.seats]
        moves = len(m.game.moves)
        for browser in others:
            assert m.pending is not None
            assert len(m.game.moves) == moves
            browser.responds = True
            await table.settle()
        assert table.room.session.pending is None
        assert len(m.game.moves) > moves

    asyncio.run(play())


def test_parts_received_before_a_restart_are_not_requested_again() -> None:
    async def play() -> None:
        table = await seat_four(1, "A", "B", "C", "D", life=30)
        for browser in table.browsers:
            browser.responds = False
        while table.room.session.pending is None:
            await table.decider().choose()
        pending = table.room.session.pending
        given = next(b for b in table.browsers if pending.seat not in b.seats)
        given.responds = True
        await table.settle()
        given.responds = False
        await table.restart()
        dice = table.room.session.dice
        assert dice is not None
        assert [x.name for x in dice.missing_chains] == [
            b.seats[0] for b in table.browsers if b is not given and pending.seat not in b.seats
        ]

    asyncio.run(play())


def test_undo_needs_the_consent_of_all_other_players() -> None:
    async def play() -> None:
        table = await seat_four(2, "A", "B", "C", "D", life=30)
        room, m = table.room, table.room.session
        actor = table.decider()
        await actor.choose()
        plays = len(m.plays)
        await room.undo(actor)
        others = [b for b in table.browsers if b is not actor]
        for browser in others[:-1]:
            await room.answer_undo(browser, True)
            assert m.offer is not None
            assert len(m.plays) == plays
            with pytest.raises(ActionRejectedError, match="another player"):
                await room.answer_undo(browser, True)
        with pytest.raises(ActionRejectedError, match="another player"):
            await room.answer_undo(actor, True)
        await room.answer_undo(others[-1], True)
        assert len(m.plays) == plays - 1
        await table.settle()

        await table.decider().choose()
        await room.undo(actor)
        await room.answer_undo(others[0], True)
        await room.answer_undo(others[1], False)
        assert m.offer is None
        assert len(m.plays) == plays

    asyncio.run(play())


def test_conceding_needs_both_partners() -> None:
    async def play() -> None:
        table = await seat_four(2, "A", "B", "C", "D", life=30)
        room, m = table.room, table.room.session
        a, b, c, _ = table.browsers
        await room.concede(a, "A")
        assert not m.is_over
        assert m.conceding_seat == "A"
        with pytest.raises(ActionRejectedError, match="C has been asked"):
            await room.concede(a, "A")
        with pytest.raises(ActionRejectedError, match="nobody on your side"):
            await room.play_on(b)
        with pytest.raises(ActionRejectedError, match="not your seat"):
            await room.concede(b, "A")
        await room.play_on(c)
        assert table.room.session.conceding_seat is None
        await room.concede(c, "C")
        await table.restart()
        room, m = table.room, table.room.session
        assert m.conceding_seat == "C"
        await room.concede(a, "A")
        assert m.result is not None
        assert (m.result.winner, str(m.result)) == ("BD", "B and D win: A conceded")
        assert m.view["news"][-1]["seat"] == "A"

    asyncio.run(play())


@pytest.mark.parametrize("seats", [("A", "B"), ("AC", "B")])
def test_player_without_a_second_person_on_their_side_concedes_alone(seats: tuple[str, ...]) -> None:
    async def play() -> None:
        table = await seat_four(2, *seats, life=30)
        await table.room.concede(table.browsers[0], "A")
        assert table.room.session.result is not None
        assert table.room.session.result.winner == "BD"

    asyncio.run(play())


def test_disconnected_partner_is_not_asked_to_concede() -> None:
    async def play() -> None:
        table = await seat_four(2, "A", "B", "C", "D", life=30)
        table.room.remove_client(table.browsers[2])
        await table.room.concede(table.browsers[0], "A")
        assert table.room.session.is_over

    asyncio.run(play())


def test_win_is_claimed_for_absent_rivals_not_absent_partners(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        table = await seat_four(2, "A", "B", "C", "D", life=30)
        room, m = table.room, table.room.session
        a, b, c, d = table.browsers
        with pytest.raises(ActionRejectedError, match="B and D are here"):
            await room.claim_win(a)
        room.remove_client(c)
        with pytest.raises(ActionRejectedError, match="B and D are here"):
            await room.claim_win(a)
        room.remove_client(d)
        await room.claim_win(a)
        assert m.claim is not None
        assert (m.claim.by, m.claim.away) == ("A", "D")
        await room.join(c)  # the absent rival is still away
        assert m.claim is not None
        await room.join(d)
        assert table.room.session.claim is None
        room.remove_client(d)
        await room.claim_win(c)
        monkeypatch.setattr(table.rooms, "limits", table.rooms.limits.__class__(claim_seconds=0))
        await room.claim_win(a)  # either partner may claim
        assert m.result is not None
        assert str(m.result) == "A and C win: D did not come back"
        del b

    asyncio.run(play())


def test_every_person_has_a_clock_and_partners_get_increments_together() -> None:
    async def play() -> None:
        table = await seat_four(2, "A", "B", "C", "D", life=30, clock={"minutes": 5, "increment": 7})
        m = table.room.session
        assert set(m.seconds_left) == {"A", "B", "C", "D"}
        turn, before = m.game.state.turn, dict(m.seconds_left)
        while m.game.state.turn == turn:
            before = dict(m.seconds_left)
            await table.decider().choose()
        side = m.setup.side_of("ABCD"[m.game.state.active])  # type: ignore[arg-type]
        assert all(m.seconds_left[x] > before[x] + 6 for x in side)
        assert all(m.seconds_left[x] <= before[x] for x in m.seconds_left if x not in side)

    asyncio.run(play())


def test_other_side_starts_the_rematch() -> None:
    async def play() -> None:
        table = await seat_four(2, "AC", "BD", life=30)
        first = table.room.session.game.state.first
        await table.room.concede(table.browsers[0], "A")
        await table.room.play_again(table.browsers[1])
        game = table.room.session.rematch
        assert game is not None
        setup = (await table.rooms.get(game)).session.setup
        assert setup.first == "AB"[1 - first & 1]
        assert len(setup.seats) == 4

    asyncio.run(play())
