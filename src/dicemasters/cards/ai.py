"""Avengers Infinity (2018)."""

from functools import partial

from dicemasters.cards.catalogue import Card, basic, card
from dicemasters.cards.words import (
    BOLT,
    FIST,
    PREP,
    SHIELD,
    Choose,
    ClearDamage,
    Damage,
    Do,
    Draw,
    Give,
    Instead,
    Ko,
    ReturnToField,
    burst_also,
    character,
    chosen,
    fielded,
    gets,
    global_ability,
    is_kod,
    it_is,
    just_moved,
    level_of,
    may,
    must_attack,
    one,
    opposing,
    own,
    sidekick,
    target,
    this,
    this_card,
    use,
    when,
    while_active,
    would,
    would_be_kod,
)

_card = partial(card, "ai")
_basic = partial(basic, "ai")

CARDS: tuple[Card, ...] = (
    _card(
        1,
        "Arnim Zola",
        "Scientist Supreme",
        would(would_be_kod(), may(Instead(), ClearDamage(this), ReturnToField(this, 1), cost="1")),
        cost=2,
        energy=BOLT,
        affiliations="Villains",
        die="ai_arnimzola",
        rarity="common",
    ),
    _card(
        11,
        "Black Widow",
        "Red Alert",
        when(fielded(), may(Ko(target(sidekick & character)))),
        global_ability(FIST, Give(must_attack(target())), limit="turn"),
        cost=2,
        energy=FIST,
        affiliations="Avengers",
        die="ai_blackwidow",
        rarity="common",
    ),
    _card(
        15,
        "Captain America",
        "The Good Old Days",
        while_active(
            when(
                is_kod(sidekick & own & character),
                Draw(1, PREP),
                Do(it_is(just_moved, ~sidekick), (Give(gets(this_card, 1, 1)),)),
            )
        ),
        cost=4,
        energy=SHIELD,
        affiliations="Avengers",
        die="ai_captainamerica",
        rarity="common",
    ),
    _card(
        34,
        "Red Skull",
        "Cut off One Head...",
        when(is_kod(character & opposing), Give(gets(this, 1, 1))),
        cost=4,
        energy=FIST,
        affiliations="Villains",
        die="ai_redskull",
        rarity="common",
    ),
    _basic(
        52,
        "Crowd Fighting",
        use(Choose(one(character)), Damage(level_of(chosen(0)), character & opposing)),
        cost=4,
        rarity="common",
    ),
    _basic(
        56,
        "Take Cover",
        use(
            Give(gets(character & own, d=2)),
            bursts=(burst_also(Give(gets(target(character & own), d=3)), on=(1, 2)),),
        ),
        global_ability(SHIELD, Give(gets(target(), d=1))),
        cost=3,
        rarity="common",
    ),
)
