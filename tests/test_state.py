"""The state as a value."""

from dicemasters.game.look import Running
from dicemasters.game.state import CHOSEN


def test_the_state_knows_where_a_running_sentence_keeps_what_it_has_picked() -> None:
    assert Running._fields[CHOSEN] == "chosen"
