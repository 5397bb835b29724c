"""Fair dice in rooms: host and player together predict nothing, and two verifiers agree on a hundred games."""

from __future__ import annotations

import asyncio
import copy
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.support.in_memory_rooms import PEOPLE, PERSON_AND_BOT, TWO_BOTS, Browser, Table, verify_with_page
from tests.support.seeded_secrets import seeded_secrets

from dicemasters import Game
from dicemasters.game.fair_dice import ActorWord, ChainLink, FairDice, HashChain, make_throw
from dicemasters.game.notation import NotationError
from dicemasters.game.notation.dice_audit import audit_dice
from dicemasters.game.notation.record import write_record
from dicemasters.service.games import room
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.explanations import build_dice_audit
from dicemasters.service.games.game_setup import StoredSeat, StoredSetup
from dicemasters.service.games.registry import GameNotFoundError
from dicemasters.service.games.room import ActionRejectedError
from dicemasters.service.games.view_builder import build_table

GAMES = 100


@pytest.fixture(autouse=True)
def _no_contribution_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(0))


async def seat_two(seed: int = 0, **wanted: Any) -> tuple[Table, Browser, Browser]:
    """Seat two browsers; return the table, the deciding browser and the other one."""
    table = await Table(seed).open(PEOPLE, **wanted)
    a, b = await Browser(table, "A").join(), await Browser(table, "B").join()
    return (table, a, b) if table.room.session.deciding_seat == "A" else (table, b, a)


# --- a hundred games -----------------------------------------------------------------------------------------------


async def _play_out(table: Table, kind: int) -> None:
    """Play at random with an event that depends on `kind`: undo, lost chains, absent browsers, a restart."""
    m, chance = table.room.session, table.chance
    for n in range(400):
        m = table.room.session
        if m.is_over or m.deciding_seat is None:
            return
        browser = table.decider()
        if chance.random() < 0.08 and m.undo_target(browser.seats) is not None:
            await table.room.undo(browser)
            if m.offer is not None:
                await table.room.answer_undo(next(b for b in table.browsers if set(b.seats) - {m.offer.by}), True)
            await table.settle()
            continue
        if kind == 5 and n % 25 == 24:
            await chance.choice(table.browsers).take_new_chain()
        if kind == 6:
            for other in table.browsers:
                other.responds = other is browser or chance.random() < 0.7
                if other.responds and m.dice is not None and set(other.seats) <= m.dice.away:
                    await other.take_new_chain()
        if kind == 7 and n == 20:
            await Browser(table, "B").join()
        if kind in (1, 3) and n == 30:
            await table.restart()
        await browser.choose()
        if table.room.session.pending is not None:
            await table.room.roll_without(browser)
            await table.settle()


async def _play_game(number: int) -> Table:
    kind = number % 8
    table = await Table(number).open(TWO_BOTS if kind == 4 else PERSON_AND_BOT if kind == 3 else PEOPLE)
    if kind in (2, 7):
        await Browser(table, "AB").join()
    elif kind == 4:
        await Browser(table, "").join()
    else:
        for seat in "A" if kind == 3 else "AB":
            await Browser(table, seat).join()
    await table.settle()
    await _play_out(table, kind)
    return table


async def _play_games() -> list[Table]:
    return [await _play_game(number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def hundred_games() -> list[dict[str, Any]]:
    """Return a hundred games, each with its record and the dice audit that the page receives."""
    with pytest.MonkeyPatch.context() as impatient, seeded_secrets():
        impatient.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(0))
        games = [table.room.session.game for table in asyncio.run(_play_games())]
    return [
        {
            "record": write_record(g),
            "facts": build_dice_audit(g),
            "cards": build_table(g.table)["cards"],
            "throws": g.fair.at,
        }
        for g in games
        if isinstance(g.fair, FairDice)
    ]


def test_two_verifiers_agree_on_a_hundred_games(hundred_games: list[dict[str, Any]]) -> None:
    assert len(hundred_games) == GAMES
    assert min(game["throws"] for game in hundred_games) > 3
    assert sum("undo" in step for game in hundred_games for step in game["facts"]["steps"]) > 100
    assert sum(len(game["facts"]["chains"]) > 2 for game in hundred_games) > 10
    assert sum("without" in game["record"] for game in hundred_games) > 5
    for game in hundred_games:
        assert build_dice_audit(Game.from_record(game["record"])) == json.loads(json.dumps(game["facts"])) | {
            "bots": game["facts"]["bots"]
        }
    assert verify_with_page(hundred_games) == [""] * GAMES


def _other(digits: str) -> str:
    return digits[:-1] + ("0" if digits[-1] != "0" else "1")


def _forge(facts: dict[str, Any], how: str) -> None:
    steps = facts["steps"]
    thrown = list({step["throw"]["number"]: step for step in reversed(steps) if "throw" in step}.values())[::-1]
    side_by_side = next(i for i in range(1, len(steps) - 1) if "n" in steps[i] and "n" in steps[i + 1])
    match how:
        case "table link":
            facts["link"] = _other(facts["link"])
        case "browser's link":
            facts["chains"][0]["link"] = _other(facts["chains"][0]["link"])
        case "word":
            word = next(step["throw"]["word"] for step in thrown if step["throw"]["word"])
            word["text"] = _other(word["text"])
        case "roll":
            roll = next(x for step in thrown for x in step["chance"] if x["what"] == "roll")
            roll["value"] = roll["f"] = (roll["value"] + 1) % 6
        case "order of choices":
            i = side_by_side
            steps[i], steps[i + 1] = steps[i + 1], steps[i]
        case "order of throws":
            thrown[2]["throw"], thrown[3]["throw"] = thrown[3]["throw"], thrown[2]["throw"]
        case "part left out":
            next(step["throw"] for step in thrown if step["throw"]["links"])["links"].pop()
        case "throw of another choice":
            thrown[3]["throw"] = thrown[2]["throw"]
        case "dropped choice":
            del steps[steps.index(thrown[-1]) :]
        case "first choice dropped":
            del steps[1]
        case "throw dropped":
            del thrown[2]["throw"]
        case "empty list":
            steps.clear()
        case "nothing at all":
            facts |= {"steps": [], "at": 0, "link": facts["commitment"], "chains": []}


FORGERIES = [
    "table link",
    "browser's link",
    "word",
    "roll",
    "order of choices",
    "order of throws",
    "part left out",
    "throw of another choice",
    "dropped choice",
    "first choice dropped",
    "throw dropped",
    "empty list",
    "nothing at all",
]


def test_page_rejects_every_forgery(hundred_games: list[dict[str, Any]]) -> None:
    forged = [copy.deepcopy(hundred_games[0]) for _ in FORGERIES]
    for game, how in zip(forged, FORGERIES, strict=True):
        _forge(game["facts"], how)
    problems = dict(zip(FORGERIES, verify_with_page(forged), strict=True))
    assert [how for how, problem in problems.items() if not problem] == []


def test_record_with_a_changed_dice_line_is_refused(hundred_games: list[dict[str, Any]]) -> None:
    lines = max((game["record"].splitlines() for game in hundred_games), key=len)
    tried = 0
    for i, line in enumerate(lines):
        if line.startswith(("  dice:", "told:", "chain:")) and i % 3 == 0:
            changed = line[:-1] + ("0" if line[-1] != "0" else "1")
            with pytest.raises(NotationError):
                Game.from_record("\n".join([*lines[:i], changed, *lines[i + 1 :]]))
            tried += 1
    assert tried > 5


# --- what the host can predict -------------------------------------------------------------------------------------


def latest_rolls(table: Table) -> list[int]:
    """Return the random numbers of the latest choice that used any."""
    steps = [step for step in audit_dice(table.room.session.game) if step.rolls]
    return [roll.value for roll in steps[-1].rolls if roll.bound > 1]


def forecast_rolls(table: Table, word: ActorWord | None, links: list[ChainLink], choice: int) -> list[int]:
    """Return the random numbers of a choice with these parts; the host knows the table's part and everything stored."""
    m = table.room.session
    assert m.dice is not None
    number = m.dice.fair.at + 1
    secret = HashChain(bytes.fromhex(table.memory.games[table.room.stored.game].secret))
    made = apply_choice(
        m.game, {"option": choice}, lambda seat: False, make_throw(number, secret.link(number), word, links)
    )
    game = made.game
    steps = [step for step in audit_dice(game) if step.throw is not None and step.throw.number == number]
    return [roll.value for step in steps for roll in step.rolls if roll.bound > 1]


def test_throw_is_predictable_once_every_part_is_known() -> None:
    """Control for the next test: only the missing part makes a throw unpredictable."""

    async def play() -> None:
        table, actor, other = await seat_two(1)
        word = "ab" * 16
        link = ChainLink(other.seats[0], 2, other.chain.link(2))
        forecast = forecast_rolls(table, ActorWord(actor.seats[0], word), [link], 0)
        await actor.play(0, word)
        await table.settle()
        assert forecast
        assert forecast == latest_rolls(table)

    asyncio.run(play())


@pytest.mark.parametrize("who", ["host", "host and opponent", "host and actor"])
def test_colluders_cannot_predict_a_throw_without_every_part(who: str) -> None:
    """Forecasts from everything that the colluders know are no better than guesses."""

    async def play(seed: int) -> tuple[int, int]:
        table, _, _ = await seat_two(seed)
        right = of = 0
        while not table.room.session.is_over and of < 60:
            m = table.room.session
            assert m.dice is not None
            actor = table.decider()
            other = next(b for b in table.browsers if b is not actor)
            word, choice = table.chance.randbytes(16).hex(), 0
            chain = m.dice.chain_of(other.seats[0])
            assert chain is not None
            # unknown parts are guessed
            guessed_word = word if "actor" in who else "00" * 16
            at = chain.at + 1
            guessed_link = other.chain.link(at) if "opponent" in who else "00" * 32
            forecast = forecast_rolls(
                table, ActorWord(actor.seats[0], guessed_word), [ChainLink(chain.name, at, guessed_link)], choice
            )
            throws = m.dice.fair.at
            await actor.play(choice, word)
            await table.settle()
            if m.dice.fair.at > throws:
                happened = latest_rolls(table)
                right += sum(x == y for x, y in zip(forecast, happened, strict=False))
                of += len(happened)
        return right, of

    found = [asyncio.run(play(seed)) for seed in range(4)]
    right, of = sum(x for x, _ in found), sum(x for _, x in found)
    assert of > 100
    assert right < 0.4 * of  # guesses are right for between a sixth and a fourth


def test_host_who_joins_last_cannot_choose_the_toss() -> None:
    """The host tries many chains, but the other player's opening link arrives only after the host's chain is registered."""

    async def play(seed: int) -> bool:
        table = await Table(seed).open(PEOPLE)
        honest = await Browser(table, "A").join()
        secret = HashChain(bytes.fromhex(table.memory.games[table.room.stored.game].secret))
        for _ in range(20):
            mine = HashChain(table.chance.randbytes(32), 300)
            links = [
                ChainLink("A", 1, honest.chain.anchor),
                ChainLink("B", 1, mine.link(1)),
            ]  # the host knows only A's anchor
            if make_throw(1, secret.link(1), None, links).generator(0) >> 63:
                break
        host = await Browser(table, "B", mine).join()
        return table.room.session.deciding_seat in host.seats

    won = sum(asyncio.run(play(seed)) for seed in range(40))
    assert 9 <= won <= 31  # within 3.5 standard deviations of a fair coin


def test_parts_are_requested_only_after_the_choice_is_stored() -> None:
    async def play() -> None:
        table, actor, other = await seat_two(2)
        other.responds = False
        await actor.choose(0)
        request = other.received[-1]
        stored = json.loads(table.memory.stored[table.room.stored.game][-1].data)
        assert table.memory.stored[table.room.stored.game][-1].kind == "choice"
        assert stored["texts"] == request["texts"]
        assert stored["word"] == request["word"]
        assert request["by"] == actor.seats[0]
        with pytest.raises(ActionRejectedError, match="being thrown"):
            await actor.choose(1)
        with pytest.raises(ActionRejectedError, match="being thrown"):
            await table.room.undo(actor)
        await table.restart()  # a restart keeps the pending throw
        other.responds = True
        await table.settle()
        assert table.room.session.plays[-1].texts[: len(request["texts"])] == tuple(request["texts"])

    asyncio.run(play())


# --- hostile browsers ----------------------------------------------------------------------------------------------


def test_only_the_requested_part_is_accepted() -> None:
    async def play() -> None:
        table, actor, other = await seat_two(3)
        m = table.room.session
        assert m.dice is not None
        mine, name = actor.seats[0], other.seats[0]
        number = m.dice.fair.at + 1
        with pytest.raises(ActionRejectedError, match="not requested"):  # before the choice
            await table.room.submit_contribution(other, number, name, other.chain.link(2))
        with pytest.raises(ActionRejectedError, match="no throw is waiting"):
            await table.room.submit_contribution(other, number + 1, name, other.chain.link(2))
        other.responds = False
        await actor.choose(0)
        stored = len(table.memory.stored[table.room.stored.game])
        tried = [
            (other, name, other.chain.link(1), "not the next link"),  # used before
            (other, name, other.chain.link(3), "not the next link"),  # would allow choosing between outcomes
            (other, name, "ab" * 32, "not the next link"),
            (other, name, actor.chain.link(2), "not the next link"),  # another player's link
            (other, mine, actor.chain.link(2), "not requested"),
            (actor, name, other.chain.link(2), "not your chain"),
            (Browser(table, ""), name, other.chain.link(2), "not your chain"),
        ]
        for who, chain, link, problem in tried:
            with pytest.raises(ActionRejectedError, match=problem):
                await table.room.submit_contribution(who, number, chain, link)
        assert len(table.memory.stored[table.room.stored.game]) == stored
        await table.room.submit_contribution(other, number, name, other.chain.link(2))
        assert m.dice.fair.at == number
        await table.room.submit_contribution(other, number, name, other.chain.link(2))  # repeated: ignored
        assert m.dice.fair.at == number

    asyncio.run(play())


def test_choice_without_a_word_is_refused() -> None:
    async def play() -> None:
        _, actor, _ = await seat_two(4)
        with pytest.raises(ActionRejectedError, match="needs a word"):
            await actor.play(0)

    asyncio.run(play())


def test_chain_cannot_be_reused_or_taken_from_another_player() -> None:
    async def play() -> None:
        table, actor, other = await seat_two(5)
        for anchor in (actor.chain.anchor, other.chain.anchor):
            with pytest.raises(ActionRejectedError, match="has been used"):
                await table.room.take_seat(actor, anchor)
        with pytest.raises(ActionRejectedError, match="watching"):
            await table.room.take_seat(Browser(table, ""), HashChain(None, 10).anchor)

    asyncio.run(play())


def test_new_chain_does_not_affect_the_pending_throw() -> None:
    """Otherwise a player who knows the other parts could try chains until the dice suit."""

    async def play() -> None:
        table, actor, other = await seat_two(6)
        m = table.room.session
        assert m.dice is not None
        other.responds = False
        await actor.choose(0)
        old, number = other.chain, m.dice.fair.at + 1
        await other.take_new_chain()
        with pytest.raises(ActionRejectedError, match="not requested"):
            await table.room.submit_contribution(other, number, f"{other.seats[0]}2", other.chain.link(1))
        await table.room.submit_contribution(other, number, other.seats[0], old.link(2))
        assert m.dice.fair.at == number
        assert m.dice.fair.chains[-1].since == number + 1

    asyncio.run(play())


def test_only_the_actor_may_throw_without_a_missing_part() -> None:
    async def play() -> None:
        table, actor, other = await seat_two(7)
        m = table.room.session
        assert m.dice is not None
        with pytest.raises(ActionRejectedError, match="no throw is waiting"):
            await table.room.roll_without(actor)
        other.responds = False
        await actor.choose(0)
        with pytest.raises(ActionRejectedError, match="may decide that"):
            await table.room.roll_without(other)
        with pytest.raises(ActionRejectedError, match="watching"):
            await table.room.roll_without(Browser(table, ""))
        await table.room.roll_without(actor)
        assert m.dice.away == set(other.seats)
        assert f"without {other.seats[0]}" in write_record(m.game)
        # the absent player stays left out until a new chain arrives, and the actor has to confirm it with each choice
        if m.deciding_seat in actor.seats:
            with pytest.raises(ActionRejectedError, match="has changed meanwhile"):
                await actor.play(0, "ab" * 16)
        await table.room.submit_contribution(other, m.dice.fair.at, other.seats[0], other.chain.link(2))
        assert m.dice.away == set(other.seats)  # that link is public now and cannot serve another throw
        await other.take_new_chain()
        assert m.dice.away == set()

    asyncio.run(play())


def test_throw_waits_while_a_part_may_still_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(seconds=60))

    async def play() -> None:
        table, actor, other = await seat_two(7)
        other.responds = False
        await actor.choose(0)
        with pytest.raises(ActionRejectedError, match="may still arrive"):
            await table.room.roll_without(actor)

    asyncio.run(play())


def test_bot_waits_for_the_person_and_continues_after_a_lost_chain() -> None:
    async def play() -> None:
        table = await Table(8).open(PERSON_AND_BOT, first="B")
        person = Browser(table, "A")
        await person.join()
        person.responds = False
        for _ in range(200):
            if table.room.session.pending is not None or table.room.session.is_over:
                break
            await person.choose()
        pending = table.room.session.pending
        assert pending is not None
        assert pending.seat == "B"
        assert pending.word is None
        await person.take_new_chain()
        person.responds = True
        await table.room.roll_without(person)
        await table.settle()
        assert table.room.session.pending is None
        Game.from_record(write_record(table.room.session.game))

    asyncio.run(play())


def test_stored_game_reloads_identically() -> None:
    async def play() -> None:
        table = await _play_game(5)
        before = write_record(table.room.session.game)
        await table.restart()
        assert write_record(table.room.session.game) == before

    asyncio.run(play())


def test_game_with_the_first_fair_dice_scheme_is_rejected_with_a_reason() -> None:
    async def play() -> None:
        table = await Table(9).open(PEOPLE)
        stored = table.memory.games[table.room.stored.game]
        setup = json.loads(stored.setup)
        assert setup.pop("dice") == "chains"
        table.memory.games[stored.game] = replace(stored, program="0.1.0", setup=json.dumps(setup))
        table.rooms._rooms.clear()
        with pytest.raises(GameNotFoundError, match="first way of fair dice"):
            await table.rooms.get(stored.game)

    asyncio.run(play())


def test_uploaded_record_can_be_verified() -> None:
    async def play() -> None:
        table = await _play_game(0)
        game = await table.rooms.store(
            StoredSetup(
                seats=[StoredSeat(name="A"), StoredSeat(name="B")], record=write_record(table.room.session.game)
            )
        )
        room = await table.rooms.get(game)
        facts = json.loads(await room.dice_audit())
        assert room.session.commitment == table.room.session.commitment
        assert facts["steps"] == json.loads(json.dumps(build_dice_audit(table.room.session.game)["steps"]))

    asyncio.run(play())
