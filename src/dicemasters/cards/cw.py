"""Civil War (2016)."""

from functools import partial

from dicemasters.cards.catalogue import Card, basic, card
from dicemasters.cards.words import (
    BOLT,
    FIST,
    MASK,
    RESERVE,
    SHIELD,
    Damage,
    Draw,
    Spin,
    SpinTo,
    burst_instead,
    character,
    fielded,
    intimidate,
    kos_own_die,
    may,
    opposing,
    own,
    target,
    unless,
    use,
    when,
)

_card = partial(card, "cw")
_basic = partial(basic, "cw")

CARDS: tuple[Card, ...] = (
    _card(
        1,
        "Black Widow",
        "Triple Agent",
        when(fielded(), Damage(1, target(character & opposing))),
        cost=2,
        energy=SHIELD,
        affiliations="Thunderbolts",
        die="blackwidowcw",
    ),
    _card(6, "Falcon", "Talks to Birds", cost=2, energy=FIST, affiliations="Avengers", die="falconcw"),
    _card(
        11,
        "Rocket Raccoon",
        "Big Flarkin' Gun",
        cost=2,
        energy=BOLT,
        affiliations="Guardians of the Galaxy",
        die="rocketraccooncw",
    ),
    _card(
        14,
        "Scarlet Spider",
        "Former Villain",
        intimidate(),
        cost=4,
        energy=MASK,
        affiliations="New Warriors",
        die="scarletspidercw",
    ),
    _basic(
        24,
        "Civil War",
        use(
            Damage(2, target(character & opposing)),
            may(Damage(2, target(character & own, by="opponent")), who="opponent"),
        ),
        cost=2,
    ),
    _basic(
        27,
        "Field Promotion",
        use(Spin(character & own, 1), bursts=(burst_instead(SpinTo(character & own, 3), on=(1, 2)),)),
        cost=4,
    ),
    _basic(
        31,
        "Superhero Registration Act",
        use(unless(kos_own_die(), Draw(3, RESERVE), otherwise=(Draw(2, RESERVE),)), keyword="Enlistment"),
        cost=4,
    ),
)
