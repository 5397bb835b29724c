"""The words of the game: each stands on a rule."""

from __future__ import annotations

from dicemasters.rules.document import rules_document
from dicemasters.service.catalog.glossary import GLOSSARY

OF_THE_PROGRAM = ("fair dice", "edition")


def test_each_word_names_the_rule_that_speaks_of_it() -> None:
    for term in GLOSSARY:
        if term.term in OF_THE_PROGRAM:
            assert term.rule == "", term.term
            continue
        said = " ".join(f"{item.title} {item.text}" for item in rules_document().part(term.rule)).casefold()
        assert term.term.casefold() in said, term.term
