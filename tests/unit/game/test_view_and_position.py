"""Public information of a position, by functions (`view`) and as objects (`position`)."""

import ast
from pathlib import Path

import pytest
from tools.verify.random_games import MixedPlayer, random_doubles, random_game

import dicemasters.game
from dicemasters import Game, Position, SetupError
from dicemasters.game.inspect import hypotheticals, view
from dicemasters.game.queries import characteristics
from dicemasters.game.state.decision_kinds import OPTION_KINDS

FIGHT = """
edition: avx
team A: Hulk: Jade Giant; Thor: Lord of Asgard
team B: Storm: Goddess of the Plains
basics: Force Beam; Smash!
life: 15
A field: Hulk@2 (attacking, 2 damage), Sidekick
A reserve: F, Thor@1, Force Beam!
B field: Storm@1
B used: Sidekick
turn: 5, A, attack
"""


@pytest.fixture
def fight() -> Position:
    return Game.from_text(FIGHT).position


def test_position_reports_turn_step_and_players(fight: Position) -> None:
    assert (fight.turn, fight.active, fight.step, fight.is_over) == (5, "A", "attack", False)
    assert [player.letter for player in fight.players] == ["A", "B"]
    assert [player.is_active for player in fight.players] == [True, False]
    assert fight.player("A").life == 15


def test_position_lists_the_dice_of_each_zone(fight: Position) -> None:
    a, b = fight.players
    assert [die.title for die in a.field] == ["Sidekick", "Hulk"]
    assert sorted(die.title for die in a.reserve) == ["Force Beam", "Sidekick", "Thor"]
    assert [die.title for die in a.bag] == ["Sidekick"] * 6
    assert [die.title for die in b.used] == ["Sidekick"]
    assert not a.prep
    assert not a.out_of_play


def test_die_reports_its_face_and_stats(fight: Position) -> None:
    hulk = fight.player("A").field[1]
    assert (hulk.kind, hulk.level, hulk.zone, hulk.owner, hulk.controller) == ("character", 2, "field", "A", "A")
    assert hulk.face is not None
    assert (hulk.face.a, hulk.face.d) == (hulk.a, hulk.d)
    assert hulk.damage == 2
    assert hulk.is_attacking
    assert not hulk.is_blocked
    assert str(hulk) == "Hulk@2*"
    assert repr(hulk) == f"<Die {hulk.number}: A's Hulk@2* {hulk.a}/{hulk.d} in field, 2 damage>"
    energy = next(die for die in fight.player("A").reserve if die.kind == "energy")
    assert (energy.energy, energy.a, energy.level, energy.fielding_cost) == ("F", None, 0, None)
    action = next(die for die in fight.player("A").reserve if die.kind == "action")
    assert action.title == "Force Beam"
    assert action.energy == ""
    thor = next(die for die in fight.player("A").reserve if die.title == "Thor")
    assert thor.is_character
    assert thor.fielding_cost == thor.card.printed.die.faces[3].field


def test_unrolled_die_shows_no_face(fight: Position) -> None:
    die = fight.player("A").bag[0]
    assert (die.face, die.kind, die.level, die.burst, die.a) == (None, "", 0, 0, None)


def test_card_reports_remaining_dice_and_cost(fight: Position) -> None:
    beam = next(card for card in fight.cards if card.title == "Force Beam")
    assert (beam.owner, beam.left, len(beam.dice)) == (None, 2, 3)
    storm = next(card for card in fight.cards if card.title == "Storm")
    assert (storm.owner, storm.cost, storm.cost_for("B")) == ("B", storm.printed.cost, storm.printed.cost)
    assert repr(beam) == f"<Card {beam.number}: Force Beam, 2 left>"
    assert storm in fight.player("B").cards
    unbought = next(die for die in beam.dice if die.zone == "card")
    assert repr(unbought) == f"<Die {unbought.number}: nobody's Force Beam on its card>"


def test_blocks_are_reported_by_attacker_and_blocker() -> None:
    game = Game.from_text(FIGHT)
    game.play("block Hulk@2* with Storm@1")
    hulk, storm = game.position.player("A").field[1], game.position.player("B").field[0]
    assert [die.title for die in hulk.blockers] == ["Storm"]
    assert [die.title for die in storm.blocks] == ["Hulk"]


def test_position_is_unaffected_by_later_play() -> None:
    game = Game.from_text(FIGHT)
    before = game.position
    text = before.to_text()
    game.play(0)
    assert before.to_text() == text
    assert before != game.position
    game.undo()
    assert before == game.position
    assert hash(before) == hash(game.position)


def test_position_is_immutable(fight: Position) -> None:
    with pytest.raises(AttributeError):
        fight.turn = 6  # type: ignore[misc]
    with pytest.raises(AttributeError):
        fight.players[0].life = 1  # type: ignore[misc]


def test_unknown_die_number_is_refused(fight: Position) -> None:
    with pytest.raises(SetupError, match="there is no die 999"):
        fight.die(999)


@pytest.mark.parametrize("start", [random_game, random_doubles])
@pytest.mark.parametrize("seed", range(3))
def test_position_objects_agree_with_the_view_functions(start: type, seed: int) -> None:
    game: Game = start(seed)
    player_bot = MixedPlayer(seed)
    for _ in range(60):
        if game.result is not None:
            break
        s, position = game.state, game.position
        in_zones = [die for player in position.players for zone in view.ZONE_NAMES for die in player.dice(zone)]
        assert {die.number for die in in_zones} >= {die.number for die in position.dice}
        for die in position.dice:
            assert die.is_character == (view.shows_face(s, die.number) and view.kind(s, die.number) == view.CHARACTER)
            if die.is_character:
                assert (die.a, die.d) == characteristics.current_stats(s, die.number)
            assert str(die.number) in repr(die)
        decision = game.decision
        assert decision is not None
        assert all(die < s.spec.n_dice for option in decision.options for die in option.dice)
        game.play(player_bot.choose(s))


def offered_words() -> set[str]:
    """Return the strings in the first element of every 3-tuple in the engine's source."""
    found: set[str] = set()
    for path in Path(dicemasters.game.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple) and len(node.elts) == 3:
                found |= {
                    x.value for x in ast.walk(node.elts[0]) if isinstance(x, ast.Constant) and isinstance(x.value, str)
                }
    return found


def test_every_option_kind_is_offered_by_the_engine() -> None:
    assert set(OPTION_KINDS) <= offered_words()


def test_hypothetical_states_leave_the_original_unchanged() -> None:
    s = Game.from_text(FIGHT).state
    before = s.key()
    assert not view.attackers(hypotheticals.without_attackers(s))
    after = hypotheticals.after_payment(s, 0, 1, lambda c: 0)
    assert after is not None
    assert view.energy_of(after, 0)[-1] == view.energy_of(s, 0)[-1] - 1
    assert hypotheticals.after_payment(s, 0, 9, lambda c: 0) is None
    assert s.key() == before


def test_search_key_ignores_timestamps() -> None:
    s = Game.from_text(FIGHT).state
    later = s.copy()
    later.timestamp += 3
    assert s.key() != later.key()
    assert hypotheticals.search_key(s) == hypotheticals.search_key(later)
    later.life[0] -= 1
    assert hypotheticals.search_key(s) != hypotheticals.search_key(later)
