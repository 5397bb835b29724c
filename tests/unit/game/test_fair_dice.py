"""Fair dice: everyone contributes to every throw, undone choices keep their dice, and the record proves it."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from tests.support.fair_dice_players import FairDicePlayers, play_random_game

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import (
    LINKS,
    ActorWord,
    ChainLink,
    FairDice,
    FairDiceError,
    HashChain,
    is_next_link,
    make_throw,
)
from dicemasters.game.notation import NotationError
from dicemasters.game.notation.dice_audit import audit_dice, contribution_lines
from dicemasters.game.rulesets.editions import EDITIONS

editions = pytest.mark.parametrize("edition", EDITIONS)


def pcg32(state: int) -> tuple[int, int]:
    """Reimplement the generator as docs/fair-dice.md describes it."""
    after = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    mixed = (((state >> 18) ^ state) >> 27) % 2**32
    turn = state >> 59
    return after, ((mixed >> turn) | (mixed << (32 - turn))) % 2**32


# --- chains --------------------------------------------------------------------------------------------------------


def test_hash_of_each_link_is_the_previous_link() -> None:
    chain = HashChain(bytes(32), 200)
    links = [chain.link(at) for at in range(201)]
    assert links[0] == chain.anchor
    assert links[200] == bytes(32).hex()
    assert all(sha256(bytes.fromhex(links[at])).hexdigest() == links[at - 1] for at in range(1, 201))
    with pytest.raises(FairDiceError, match="used up"):
        chain.link(201)


def test_new_chains_have_different_anchors() -> None:
    assert HashChain().anchor != HashChain().anchor


def test_only_the_next_link_of_a_chain_is_accepted() -> None:
    mine, other = HashChain(), HashChain()
    chain = FairDice(HashChain().anchor).with_chain("A", mine.anchor, 1).chains[0]
    assert is_next_link(chain, 1, mine.link(1))
    assert not is_next_link(chain, 2, mine.link(2))
    assert not is_next_link(chain, 1, mine.link(2))
    assert not is_next_link(chain, 1, other.link(1))
    assert not is_next_link(chain, 1, "nonsense")
    assert not is_next_link(chain, 0, mine.anchor)


def test_every_contribution_changes_the_throw() -> None:
    table, links = "11" * 32, [ChainLink("B", 4, "22" * 32)]
    first = make_throw(7, table, ActorWord("A", "00" * 16), links)
    others = [
        make_throw(7, "12" * 32, ActorWord("A", "00" * 16), links),
        make_throw(7, table, ActorWord("A", "01" * 16), links),
        make_throw(7, table, ActorWord("A", "00" * 16), [ChainLink("B", 4, "23" * 32)]),
        make_throw(7, table, ActorWord("A", "00" * 16), [], "B"),
    ]
    assert len({first.key, *(other.key for other in others)}) == 5


# --- games ---------------------------------------------------------------------------------------------------------


@editions
def test_record_of_a_fair_dice_game_replays_identically(edition: str) -> None:
    game = play_random_game(edition, 3)
    assert game.undone
    again = Game.from_record(game.record)
    assert again.record == game.record
    assert again.state == game.state
    assert again.tape == game.tape


@pytest.mark.parametrize("moves", [0, 1, 7, 60])
def test_record_of_an_unfinished_game_replays(moves: int) -> None:
    players = FairDicePlayers("A", "B", seed=moves)
    game = players.begin()
    while len(game.moves) < moves:
        players.play(game, 0)
    assert Game.from_record(game.record).record == game.record


def test_choice_that_needs_dice_is_refused_without_a_throw() -> None:
    players = FairDicePlayers("A", "B")
    game = players.begin()
    before = game.state.copy()
    with pytest.raises(FairDiceNeededError, match="go first"):
        game.play("go first")
    assert game.state == before
    assert not game.moves
    with pytest.raises(FairDiceNeededError):
        Game.new("ai", fair=players.fair)


def test_repeating_an_undone_choice_reuses_its_dice_and_another_choice_does_not() -> None:
    players = FairDicePlayers("A", "B", seed=4)
    game = players.begin()
    players.play(game, "go first")
    after, throws = game.state.copy(), players.fair.at
    for _ in range(3):
        game.undo()
        players.play(game, "go first")
        assert game.state.key() == after.key()
    assert players.fair.at == throws
    game.undo()
    players.play(game, "go second")
    assert players.fair.at == throws + 1
    game.undo()
    players.play(game, "go first")
    assert game.state.key() == after.key()
    assert players.fair.at == throws + 1
    assert game.record.count("undo: 1") == 5
    assert Game.from_record(game.record).record == game.record


def test_record_contains_undone_choices_with_their_dice() -> None:
    players = FairDicePlayers("A", "B", seed=9)
    game = players.begin()
    players.play(game, "go first")
    rolled = game.moves[-1].chance
    game.undo()
    players.play(game, "go second")
    assert f"{game.undone[0].moves[0].player}: go first" in game.record
    assert game.undone[0].moves[0].chance == rolled
    assert "Choices undone: 1, of which 1 with dice." in contribution_lines(game)


def test_contribution_lines_name_every_contributor() -> None:
    players = FairDicePlayers("A", seed=2)
    game = players.begin()
    for _ in range(20):
        players.play(game, 0)
    players.take("A")
    for _ in range(20):
        players.play(game, 0)
    summary = " ".join(contribution_lines(Game.from_record(game.record)))
    assert "A contributed a chain, from one browser." in summary
    assert "B was played by the table's bot 'random'." in summary
    assert re.search(r"A started a new chain with throw \d+", summary)


def test_missing_contribution_is_named() -> None:
    players = FairDicePlayers("A", "B", seed=2)
    game = players.begin()
    first = "AB"[game.state.decision.seat]
    other = "AB"[1 - game.state.decision.seat]
    players.play(game, "go first", without=other)
    assert re.search(rf"(?m)^  dice: 2, {first} [0-9a-f]{{32}}, without {other}$", game.record)
    assert f"{other}'s contribution is missing from 1 of the throws: 2." in contribution_lines(
        Game.from_record(game.record)
    )


# --- forgeries -----------------------------------------------------------------------------------------------------


def forged(record: str, how: str) -> str:
    """Return the record with one forgery."""
    lines = record.splitlines()
    dice = [i for i, line in enumerate(lines) if line.startswith("  dice:")]
    rolls = [i for i, line in enumerate(lines) if line.startswith("  rolls:")]
    match how:
        case "told link":
            at = next(i for i, line in enumerate(lines) if line.startswith("told:"))
            lines[at] = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
        case "browser's link":
            at = next(i for i, line in enumerate(lines) if line.startswith("chain:"))
            lines[at] = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
        case "word":
            at = next(i for i in dice if re.search(r"[0-9a-f]{32}", lines[i]))
            lines[at] = re.sub(r"[0-9a-f]{32}", "0" * 32, lines[at])
        case "roll":
            lines[rolls[0]] = lines[rolls[0]].rpartition(" ")[0] + " X"
        case "order of throws":
            lines[dice[2]], lines[dice[3]] = lines[dice[3]], lines[dice[2]]
        case "skipped link":
            lines[dice[-1]] = re.sub(r"\.(\d+)", lambda m: f".{int(m[1]) + 1}", lines[dice[-1]])
        case "part left out":
            lines[dice[2]] = re.sub(r", [AB]\.\d+", "", lines[dice[2]])
        case "part said to be missing":
            lines[dice[2]] = re.sub(r", ([AB])\.\d+", r", without \1", lines[dice[2]])
        case "throw of another choice":
            lines[dice[3]] = lines[dice[2]]
        case "dropped throw":
            del lines[dice[2]]
        case "dropped choice":
            last = max(i for i, line in enumerate(lines) if re.match("[AB]: ", line) and i < dice[-1])
            del lines[last : len(lines) - 1]
            lines[-1] = "result: unfinished"
        case "nothing":
            del lines[lines.index("moves:") + 1 : -1]
            lines[-1] = "result: unfinished"
    return "\n".join(lines) + "\n"


FORGERIES = [
    "told link",
    "browser's link",
    "word",
    "roll",
    "order of throws",
    "skipped link",
    "part left out",
    "part said to be missing",
    "throw of another choice",
    "dropped throw",
    "dropped choice",
    "nothing",
]


@pytest.mark.parametrize("how", FORGERIES)
def test_forged_record_is_refused(how: str) -> None:
    record = play_random_game(seed=6).record
    Game.from_record(record)
    with pytest.raises(NotationError):
        Game.from_record(forged(record, how))


def test_throw_of_one_choice_cannot_be_used_for_another() -> None:
    """Otherwise a host and a player who know a throw could use it twice."""
    players = FairDicePlayers("A", "B", seed=3)
    game = players.begin()
    players.play(game, "go first")
    last = game.moves[-1].throw
    players.play(game, "keep all")
    while game.moves[-1].throw is None:
        game.ready = last
        game.play("pass" if "pass" in [str(o) for o in game.decision or ()] else 0)
    with pytest.raises(NotationError, match="was for another choice"):
        Game.from_record(game.record)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("told: 1, 2", "must follow a line 'commitment:'"),
        (f"commitment: {'0' * 64}\ntold: x, y", "number of links"),
        (f"commitment: {'0' * 64}\ntold: 9999, {'0' * 64}", "number of links"),
        (f"commitment: {'0' * 64}\nchain: A, 1, {'0' * 64}, 0, {'0' * 64}", "must follow a line 'told:'"),
        (f"commitment: {'0' * 64}\ntold: 0, {'0' * 64}\nchain: A, 1, 2", "write a chain as"),
        (f"commitment: {'0' * 64}\ntold: 0, {'0' * 64}\nchain: A2, 1, {'0' * 64}, 0, {'0' * 64}", "in the order"),
        (f"commitment: {'0' * 64}\ntold: 0, {'0' * 64}\nbot: Q, x", "write a bot as"),
        (f"commitment: {'0' * 64}\nnonce: A, 0, x", "of the first way of fair dice"),
        (f"commitment: {'0' * 64}\nsecret: 00", "of the first way of fair dice"),
        (f"commitment: {'0' * 64}", "a line 'told:'"),
        ("commitment: 12", "64 hexadecimal digits"),
        (f"commitment: {'0' * 64}\ntold: 0, {'0' * 64}", "no 'dice:' line"),
        (f"commitment: {'0' * 64}\ntold: {LINKS}, {'0' * 64}", "do not lead to its anchor"),
    ],
)
def test_invalid_fair_dice_line_is_refused_with_a_reason(line: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        Game.from_record(Game.new("ai").record.replace("seed: 0", line))


def test_chains_with_too_many_links_in_total_are_refused() -> None:
    chains = "\n".join(f"chain: A{n if n > 1 else ''}, 1, {'0' * 64}, {LINKS}, {'0' * 64}" for n in range(1, 400))
    with pytest.raises(NotationError, match="more links than"):
        Game.from_record(
            Game.new("ai").record.replace("seed: 0", f"commitment: {'0' * 64}\ntold: 9, {'0' * 64}\n{chains}")
        )


@pytest.mark.parametrize(
    "line",
    ["dice: x", "dice: 2, nobody", "dice: 99999999", "dice: 2, A.1.1", "dice: 0", "dice: 5, A.2", "dice: 2, Z word"],
)
def test_invalid_throw_line_is_refused(line: str) -> None:
    players = FairDicePlayers("A", "B")
    game = players.begin()
    players.play(game, "go first")
    with pytest.raises(NotationError):
        Game.from_record(re.sub(r"dice: 2.*", line, game.record))


@pytest.mark.parametrize("steps", ["0", "99", "x", "-1", "1 1"])
def test_invalid_undo_count_is_refused(steps: str) -> None:
    game = FairDicePlayers("A", "B").begin()
    with pytest.raises(NotationError):
        Game.from_record(game.record.replace("result:", f"undo: {steps}\nresult:"))


def test_undo_line_is_refused_without_fair_dice() -> None:
    with pytest.raises(NotationError, match="is not a move"):
        Game.from_record(Game.new("ai").record.replace("result:", "undo: 1\nresult:"))


# --- the command and the page --------------------------------------------------------------------------------------


def test_replay_check_reports_throws_and_contributors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = play_random_game(seed=8)
    path = tmp_path / "game.txt"
    path.write_text(game.record, encoding="utf-8")
    assert main(["replay", str(path), "--check", "--commitment", game.record.split("commitment: ")[1][:64]]) == 0
    out = capsys.readouterr().out
    assert re.search(r"All \d+ draws and rolls follow from the \d+ throws", out)
    assert "B contributed a chain, from one browser." in out
    assert main(["replay", str(path), "--check", "--commitment", "0" * 64]) == 2


def test_check_of_a_record_without_choices_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text(FairDicePlayers("A", "B").begin().record, encoding="utf-8")
    assert main(["replay", str(path), "--check"]) == 2
    assert "nothing to check" in capsys.readouterr().err


def test_worked_example_of_the_fair_dice_page_is_correct() -> None:
    page = (Path(__file__).parents[3] / "docs" / "fair-dice.md").read_text(encoding="utf-8")
    found = re.search(r"^```fair\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    table, ours = HashChain(bytes(range(32))), {"A": HashChain(b"a" * 32), "B": HashChain(b"b" * 32)}
    first = make_throw(1, table.link(1), None, [ChainLink(x, 1, ours[x].link(1)) for x in "AB"])
    second = make_throw(
        2, table.link(2), ActorWord("A", "0123456789abcdef" * 2), [ChainLink("B", 2, ours["B"].link(2))]
    )
    fair = FairDice(table.anchor).with_chain("A", ours["A"].anchor, 1).with_chain("B", ours["B"].anchor, 1)
    game = Game.new("ai", fair=fair.after_throw(first, table.link(1)).after_throw(second, table.link(2)), ready=first)
    game.ready = second
    game.play("go first")
    assert "dice: 2" in Game.from_record(game.record).record
    rolls = [roll for step in audit_dice(game) for roll in step.rolls]
    expected = {
        "anchor table": table.anchor,
        "anchor A": ours["A"].anchor,
        "anchor B": ours["B"].anchor,
        "link table.1": table.link(1),
        "link table.2": table.link(2),
        "link A.1": ours["A"].link(1),
        "link B.1": ours["B"].link(1),
        "link B.2": ours["B"].link(2),
        "key 1": first.key.hex(),
        "key 2": second.key.hex(),
        "state 0": f"{first.generator(0):016x}",
        "state 1": f"{second.generator(1):016x}",
    }
    lines = dict(line.rpartition(" ")[::2] for line in found[1].splitlines() if not line.startswith("below"))
    assert lines == expected
    below = [line.split()[1:] for line in found[1].splitlines() if line.startswith("below")]
    assert below == [[f"{roll.bound}:", str(roll.value)] for roll in rolls]
    _, out = pcg32(first.generator(0))
    assert (out * 2) >> 32 == rolls[0].value
    assert [line.strip() for line in game.log if "shows" in line] == [f"Sidekick shows {x}" for x in ("M", "F", "@1")]
