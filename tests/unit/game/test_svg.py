"""Positions as SVG pictures."""

import re
import xml.etree.ElementTree as ET

from dicemasters import Game
from dicemasters.game.text.svg import readable_ink

FIGHT = """
edition: avx
basics: Force Beam
team A: Hulk: Jade Giant
team B: Beast: Big Boy Blue
A field: Hulk@1* (attacking, 2 damage), Sidekick
A reserve: F, Force Beam!*
B field: Beast@2 (blocking Hulk)
B prep: 2 Sidekick
turn: 5, A, fight
"""


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_position_is_drawn_as_well_formed_svg_with_all_public_information() -> None:
    shown = texts(Game.from_text(FIGHT)._repr_svg_())
    assert "A6" in shown
    assert "D5" in shown
    assert "2 damage" in shown
    assert "blocked" in shown
    assert "on Hu" in shown
    assert "20 of 20 life" in shown
    assert any("Actions and Globals" in text for text in shown)


def test_picture_shows_current_stats() -> None:
    game = Game.from_text(FIGHT.replace("Beast@2 (blocking Hulk)", "Beast@2 (blocking Hulk, +1A +2D)"))
    shown = texts(game._repr_svg_())
    assert "A3" in shown
    assert "D5" in shown


def test_picture_of_a_finished_game_names_the_winner() -> None:
    game = Game.from_text(FIGHT.replace("turn:", "B life: 1\nturn:").replace("Beast@2 (blocking Hulk)", "Beast@2"))
    game.play("pass")
    assert any("A wins" in text for text in texts(game._repr_svg_()))


def test_svg_contains_no_scripts_or_event_handlers() -> None:
    svg = Game.from_text(FIGHT)._repr_svg_()
    assert not re.search(r"<script|on\w+=", svg)


def test_unreadable_ink_is_replaced() -> None:
    assert readable_ink("#ffffff", "#000000") == "#000000"
    assert readable_ink("#50a3b5", "#6a2c78") == "#111111", "small text needs more contrast than large text"
    assert readable_ink("#e03030", "#d05050") == "#ffffff"
    assert readable_ink("#f0f0a0", "#ffffff") == "#111111"


def test_full_teams_fit_the_picture_and_shared_basics_are_named_once() -> None:
    titles = ("Hulk: Jade Giant", "Thor: Lord of Asgard", "Beast: Big Boy Blue", "Storm: Weather Witch", "Iron Man: Playboy",
              "Spider-Man: Webslinger", "Captain America: Natural Leader", "Wolverine: Wildboy")  # fmt: skip
    team = [(title, 2) for title in titles]
    game = Game.new("avx", teams=[team, team], basics=["Force Beam", "Smash!", "Take Cover [avx]", "Gearing Up"])
    svg = game._repr_svg_()
    assert max(len(text) for text in texts(svg)) <= 135
    assert not [text for text in texts(svg) if text.startswith("×")], "a card is split over two lines"
    assert sum("Force\u00a0Beam" in text for text in texts(svg)) == 1
    places = [
        (float(e.get("y", "0")), float(e.get("x", "0")), e.get("text-anchor"))
        for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
        if (e.text or "").startswith(("Hulk\u00a06", "20 of"))
    ]
    assert len({y for y, _, _ in places}) == len(places), "cards and life share a line"
    assert not [text for text in texts(svg) if text.strip().startswith("·")], "a line begins with a dot"


def test_labels_below_dice_are_no_wider_than_the_dice() -> None:
    """A die and its gap are 62 points wide, a letter of this size less than five."""
    svg = Game.from_text(FIGHT)._repr_svg_()
    under = [e for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text") if e.get("text-anchor") == "middle"]
    small = [(e.get("x"), e.get("y"), e.text or "") for e in under if e.get("font-size") == "9"]
    assert {"2 damage", "blocked"} <= {text for _, _, text in small}
    assert max(len(text) for _, _, text in small) <= 13
    assert len({(x, y) for x, y, _ in small}) == len(small), "two labels overlap"


def test_long_question_is_drawn_below_the_title() -> None:
    fight = FIGHT.replace("edition: avx", "edition: ai").replace("Force Beam", "Force Beam; Smash!", 1)
    game = Game.from_text(fight.replace("turn: 5, A", "B reserve: F, S\nturn: 15, A"))
    game.play("pass")
    drawn = list(ET.fromstring(game._repr_svg_()).iter("{http://www.w3.org/2000/svg}text"))
    title, question = drawn[:2]
    assert question.text == "B: Your opponent has passed: do you use a Global or an ability?"
    assert float(question.get("y", "0")) > float(title.get("y", "0"))
