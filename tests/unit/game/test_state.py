"""The state as a value: copies, equality, round trips."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

import dicemasters
from dicemasters import Game
from dicemasters.game.mechanics import chance
from dicemasters.game.notation import machine_state, read_position, write_position
from dicemasters.game.queries import characteristics
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.scenarios.scenario import check
from dicemasters.game.state.constants import BAG, FIELD
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.values import ActiveEffect


def constructor_arguments(made: type) -> tuple[list[str], int]:
    """Return a class's argument names and how many are required, read from source because it may be compiled."""
    source = Path(dicemasters.__file__).parent / (
        made.__module__.replace(".", "/").removeprefix("dicemasters/") + ".py"
    )
    classes = [x for x in ast.parse(source.read_text()).body if isinstance(x, ast.ClassDef) and x.name == made.__name__]
    inits = [x.args for x in classes[0].body if isinstance(x, ast.FunctionDef) and x.name == "__init__"]
    names = [x.arg for x in inits[0].args[1:]] if inits else []
    return names, len(names) - (len(inits[0].defaults) if inits else 0)


@pytest.mark.parametrize("made", machine_state.SCHEMAS, ids=lambda made: made.__name__)
def test_schema_lists_the_constructor_arguments_of_its_class(made: type) -> None:
    form = machine_state.SCHEMAS[made]
    assert constructor_arguments(made) == ([name for name, _ in form.fields], form.required_count)


def sample_value(hint: Any, i: int) -> Any:
    """Return a value of a type, a different one for each number."""
    if hint is int:
        return i
    if hint is str:
        return f"word {i}"
    if hint in machine_state.SCHEMAS:
        return hint(*(sample_value(of, i + n) for n, (_, of) in enumerate(machine_state.SCHEMAS[hint].fields)))
    kinds = get_args(hint)
    return (sample_value(kinds[0], i),) if kinds[-1] is Ellipsis else tuple(sample_value(kind, i) for kind in kinds)


def test_every_frame_copies_and_lists_all_its_values() -> None:
    for kind, made in machine_state.FRAMES.items():
        values = [sample_value(hint, i) for i, (_, hint) in enumerate(machine_state.SCHEMAS[made].fields, 1)]
        frame = made(*values)
        assert frame.values() == (kind, *values)
        assert frame.copy() == frame
        assert frame.copy() is not frame


def test_position_round_trip_keeps_the_order_of_stat_changes() -> None:
    game = Game.from_text("""
        edition: uxm
        basics: Transfer Power
        team A: Captain America: Natural Leader
        team B: Beast: Genetic Expert
        A field: Captain America@2
        B reserve: 2 S
        B field: Beast@2
        turn: 5, B, main
    """)
    game.play("Global of Transfer Power")
    game.play("Global of Transfer Power")  # exchanged twice: each die has its own A again
    again = Game.from_text(game.to_text())
    for s in (game.state, again.state):
        assert [characteristics.current_stats(s, s.dice_in(FIELD, seat)[0]) for seat in (0, 1)] == [(5, 4), (2, 3)]


@pytest.mark.parametrize(
    ("blocker", "waits"), [("Sidekick", "Vibranium Shield"), ("Arnim Zola@1", "Arnim Zola@1")], ids=["prevent", "KO"]
)
def test_position_written_while_overcrush_damage_is_pending_plays_on_identically(blocker: str, waits: str) -> None:
    game = Game.from_text(f"""
        edition: ai
        team A: Deathlok: Death Machine
        team B: Arnim Zola: Scientist Supreme; Vibranium Shield: One of a Kind
        A field: Deathlok@3 (attacking)
        B field: {blocker} (blocking Deathlok@3)
        B reserve: {"S" if blocker == "Sidekick" else "F"}
        turn: 5, A, fight
    """)
    game.play("pass")
    while game.decision and not (game.decision.kind == "may" and waits in game.decision.question):
        game.play("pass" if game.decision.kind in ("fight", "respond") else game.decision.options[-1])
    assert game.decision
    for answer in ("yes", "no"):
        here, again = Game.from_text(game.to_text()), game.copy()
        here.play(answer)
        again.play(answer)
        assert here.to_text() == again.to_text()


def test_dice_whose_damage_passed_their_blockers_are_written_in_one_order() -> None:
    game = check("""
scenario: two crush at once
edition: cw
team A: 2x She-Hulk: Sensational
A field: She-Hulk@2 (attacking), She-Hulk@3 (attacking)
B field: Sidekick (blocking She-Hulk@2), Sidekick (blocking She-Hulk@3)
turn: 5, A, fight
play:
A: pass
expect decision: A resolve
""")
    assert Game.from_text(game.to_text()).to_text() == game.to_text()


def test_dice_with_reordered_effects_are_equivalent_unless_the_order_matters() -> None:
    s = Game.from_text("A field: 2 Sidekick").state
    one, other = s.dice_in(FIELD, 0)

    def add_effect(word: str, d: int, n: int) -> None:
        s.active_effects.append(ActiveEffect(word, d, n, n, -1, "end of turn", 0, 255, -1))

    add_effect("gets", one, 1)
    add_effect("gets", other, 1)
    add_effect("gets", other, 2)
    add_effect("gets", one, 2)
    assert equivalence_key(s, one) == equivalence_key(s, other)
    add_effect("multiplies", one, 2)
    add_effect("gets", one, 3)
    add_effect("gets", other, 3)
    add_effect("multiplies", other, 2)
    assert characteristics.current_stats(s, one) != characteristics.current_stats(s, other)
    assert equivalence_key(s, one) != equivalence_key(s, other)


def test_stats_set_for_equal_dice_round_trip_in_either_order() -> None:
    for reverse in (False, True):
        s = Game.from_text("team B: Thor: Lord of Asgard\nA field: 2 Sidekick\nB field: Thor@1").state
        one, other = reversed(s.dice_in(FIELD, 0)) if reverse else s.dice_in(FIELD, 0)
        (thor,) = s.dice_in(FIELD, 1)
        for d, a in ((thor, 1), (one, 3), (thor, 1), (other, 1)):
            s.active_effects.append(ActiveEffect("sets A", d, a, 0, -1, "end of turn", 1, 255, 0))
        text = write_position(s)
        again = read_position(text)
        assert again == s
        assert write_position(again) == text


def test_states_are_equal_whichever_of_several_equal_dice_was_engaged() -> None:
    s = Game.from_text("team A: Beast: Big Boy Blue\nteam B: Beast: Big Boy Blue\nA bag: 4 Beast\nB field: Beast").state
    (foe,) = s.dice_in(FIELD, 1)
    drawn = []
    for d in s.dice_in(BAG, 0)[-4:]:
        c = s.copy()
        c.engagements = [(d, foe, 0)]
        chance.draw(c, 0, 3)
        drawn.append(c)
    assert all(c == drawn[0] for c in drawn)


def test_partly_divided_damage_round_trips_with_its_shares() -> None:
    game = Game.from_text("""
        edition: cw
        team A: Thor: Lord of Asgard; Beast: Big Boy Blue
        team B: Bishop: XSE
        A field: Thor@1 (attacking), Beast@3, 2 Sidekick
        B field: Bishop@3 (blocking Thor)
        turn: 5, A, fight
    """)
    game.play("pass")
    assert game.decision is not None
    assert game.decision.kind == "divide"
    game.play("1 to A's Sidekick")
    again = read_position(write_position(game.state))
    assert again == game.state
    (top,) = again.stack
    assert isinstance(top, AbilityFrame)
    assert top.shares == (1,)


CHAIN = """
from dicemasters.game.state.values import DecisionRequest
chain = None
for n in range(200):
    chain = (chain, DecisionRequest(0, "main", n, 0))
del chain
"""


def test_freeing_a_long_chain_of_values_corrupts_no_memory() -> None:
    """An aborted deep search frees such a chain; Python's debug allocator detects overwritten memory."""
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    done = subprocess.run([sys.executable, "-c", CHAIN], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
