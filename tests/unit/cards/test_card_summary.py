"""Summaries (gists) of cards: short, whole sentences, and nothing the card does not do."""

import re
from collections import defaultdict
from dataclasses import replace

import pytest

from dicemasters.cards import catalogue
from dicemasters.cards.catalogue import card
from dicemasters.cards.language.vocabulary import (
    FIST,
    Damage,
    character,
    each_player,
    fielded,
    global_ability,
    may,
    opponent,
    target,
    this,
    when,
)
from dicemasters.cards.text import card_text
from dicemasters.cards.text.ability_text import ability_text
from dicemasters.cards.text.card_summary import (
    MAX_GLOBAL_LENGTH,
    MAX_LENGTH,
    NO_ABILITY,
    _load_summaries,
    card_summary,
    global_summary,
)

CARDS = list(catalogue())


def test_every_card_has_a_short_gist_of_whole_sentences() -> None:
    for printed in CARDS:
        gist = printed.gist
        assert 0 < len(gist) <= MAX_LENGTH, printed.name
        assert re.fullmatch(r".*[.★…]", gist), "does not end like a sentence"
        assert "  " not in gist, printed.name
        assert "~" not in gist, printed.name
        assert (gist == NO_ABILITY) == (not printed.abilities), printed.name


def test_no_gist_of_a_printed_card_is_cut() -> None:
    assert [c.key for c in CARDS if re.search(r"…|★$", c.gist)] == []


def test_gists_name_life_as_gained_lost_or_paid() -> None:
    gists = [c.gist for c in CARDS]
    gists += [global_summary(a, c) for c in CARDS for a in c.abilities if a.kind == "global"]
    life_verb = re.compile(r"(gain |lose |pays? |paying |cost them |[+])\d life", re.IGNORECASE)
    assert [gist for gist in gists if re.search(r"\d life", gist) and not life_verb.search(gist)] == []


def test_gists_say_they_only_after_naming_a_player() -> None:
    unnamed = [c.gist for c in CARDS if "unless they" in c.gist and "rival" not in c.gist.casefold()]
    assert unnamed == []


def test_every_number_in_a_gist_is_in_the_card_text() -> None:
    for printed in CARDS:
        numbers = set(re.findall(r"\d+", printed.gist))
        words = {"two": "2", "both": "2", "once": "1", "twice": "2", "another": "1"}
        text = card_text(printed)
        known = set(re.findall(r"\d+", text)) | {n for word, n in words.items() if word in text}
        if printed.key in ("uxm86", "avx66"):  # "level 2 or higher" is level 2 or 3
            known |= {"3"}
        assert numbers <= known, printed.name


def test_cards_with_different_abilities_have_different_gists() -> None:
    """Cards share a gist if their abilities differ only in names; one gist also hides a detail that does not fit."""
    texts = defaultdict(set)
    for c in CARDS:
        summarised = [a for a in c.abilities if a.kind != "global"] or list(c.abilities)
        text = "\n".join(ability_text(a.replace(unprinted=()), c) for a in summarised)
        texts[c.gist].add(re.sub(r" \([^)]*\)", "", text.replace(c.title, "~")))
    alike = {gist: sorted(variants) for gist, variants in texts.items() if len(variants) > 1}
    assert set(alike) == {"Your characters +2D. ★ And one +3D."}


def test_gists_of_printed_globals_are_uncut_and_their_numbers_are_in_the_text() -> None:
    for c in CARDS:
        for ability in c.abilities:
            if ability.kind == "global":
                gist, text = global_summary(ability, c), ability_text(ability, c)
                assert len(gist) <= MAX_GLOBAL_LENGTH
                assert re.fullmatch(r"[^…~]+\.", gist)
                assert set(re.findall(r"\d+", gist)) <= set(re.findall(r"\d+", text))


def test_every_handwritten_summary_belongs_to_an_ability_of_a_card() -> None:
    texts = {ability_text(a, c).replace(c.title, "~") for c in CARDS for a in c.abilities}
    assert [sentence for sentence in _load_summaries() if sentence not in texts] == []


def test_long_gist_of_a_home_made_card_is_cut_between_words() -> None:
    long = when(fielded(this), *(may(Damage(n, target(character | each_player))) for n in range(1, 7)))
    made = card("x", 1, "Someone With a Very Long Name", "New", long, cost=3, die="hulk", energy="F")
    gist = card_summary(made)
    assert gist.endswith(" …")
    assert len(gist) <= MAX_LENGTH
    short = when(fielded(this), Damage(3, opponent))
    assert card_summary(replace(made, abilities=(short,))) == "Fielded: 3 damage to your rival."


def test_long_global_gist_of_a_home_made_card_is_cut_between_words() -> None:
    effects = [Damage(n, target(character | each_player)) for n in range(1, 4)]
    made = card("x", 1, "New", "New", global_ability(FIST, *effects), cost=3, die="hulk", energy="F")
    gist = global_summary(made.abilities[0], made)
    assert re.fullmatch(r"\w.{20,38} …", gist), gist


@pytest.mark.parametrize(
    ("key", "gist"),
    [
        ("avx129", "Attacks: 2 damage to your rival, or they spin a die down."),
        ("avx77", "You or it takes damage: 2 damage to every rival die. ★ 3."),
        ("avx13", "Takes 1 less damage. ★ 2."),
        ("uxm57", "Attacks: a rival character cannot block."),
        ("uxm13", "No ability."),
        ("ai22", "Deadly. Cannot be blocked by fewer than 2 characters."),
        ("cw41", "Global: Pay [F]. A character +1A +1D."),
    ],
)
def test_gists_of_selected_cards(key: str, gist: str) -> None:
    assert catalogue().find(key).gist == gist
