"""The glossary: every term cites a rule."""

from __future__ import annotations

from dicemasters.rules.document import rules_document
from dicemasters.service.catalog.glossary import GLOSSARY

PROGRAM_TERMS = ("fair dice", "edition")


def test_every_term_cites_a_rule_that_mentions_it() -> None:
    for term in GLOSSARY:
        if term.term in PROGRAM_TERMS:
            assert term.rule == "", term.term
            continue
        rule_text = " ".join(f"{item.title} {item.text}" for item in rules_document().part(term.rule)).casefold()
        assert term.term.casefold() in rule_text, term.term
