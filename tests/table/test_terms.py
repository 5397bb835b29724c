"""The words of the game: each stands on a rule."""

from __future__ import annotations

import pytest

from dicemasters.rules.document import the_rules
from dicemasters.table.server.terms import TERMS, Term

OF_THE_PROGRAM = ("fair dice", "edition")


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.term)
def test_each_word_names_the_rule_that_speaks_of_it(term: Term) -> None:
    if term.term in OF_THE_PROGRAM:
        assert term.rule == ""
        return
    said = " ".join(f"{item.title} {item.text}" for item in the_rules().part(term.rule)).casefold()
    assert term.term.casefold() in said
