"""Seeded secrets keep their values when the modules that draw them move."""

from __future__ import annotations

import hashlib

from tests.support.seeded_secrets import DRAFT_LABEL, SEEDED_MODULES, SeededSecrets, seeded_secrets

from dicemasters.game.fair_dice import HashChain

FIRST = "02c58a1eff888880"


def test_each_label_draws_its_recorded_values() -> None:
    drawn = "".join(SeededSecrets(label).token_hex(8) for label in (*SEEDED_MODULES, DRAFT_LABEL))
    assert hashlib.sha256(drawn.encode()).hexdigest()[:16] == FIRST


def test_seeded_secrets_give_the_same_chains() -> None:
    anchors: list[list[str]] = []
    for _ in range(2):
        with seeded_secrets():
            anchors.append([HashChain(length=4).anchor for _ in range(3)])
    assert anchors[0] == anchors[1]
    assert len(set(anchors[0])) == 3
