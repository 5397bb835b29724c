"""Wire types of drafts."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from dicemasters.service.protocol.http_schema import NamedItem
from dicemasters.service.protocol.validation import Description

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict

Chair = TypeAliasType("Chair", Literal["A", "B", "C", "D", "E", "F", "G", "H"])
CHAIRS: tuple[Chair, ...] = ("A", "B", "C", "D", "E", "F", "G", "H")


class DraftCreated(TypedDict):
    """A new draft, with the secrets of its human players' seats."""

    draft: str
    chairs: dict[Chair, str]


class DraftSeatData(TypedDict):
    """A drafter: whether they have arrived, and whether the draft waits for them."""

    chair: Chair
    name: str
    bot: bool
    here: bool
    awaited: bool


class DraftPickData(TypedDict):
    """A possible pick: its kind, its text, the cards it concerns, and a number of dice."""

    what: str
    text: str
    cards: list[str]
    number: int


class DraftDecision(TypedDict):
    """The decision you have to make. Send `number` with the pick, so that it cannot answer a different decision."""

    kind: str
    question: str
    number: int
    picks: list[DraftPickData]
    seconds: Annotated[float | None, Description("that are left on the clock")]


class CardDice(TypedDict):
    """A card with a number of dice."""

    card: str
    dice: int


class DraftedTeam(TypedDict):
    """A drafted team: its cards, its basic actions, and its code once it is complete."""

    chair: Chair
    cards: list[CardDice]
    basics: list[str]
    code: str


class DraftMatch(TypedDict):
    """A game between two drafters, with its id once it is open."""

    chairs: Annotated[str, Description("both letters, as in AC")]
    game: str | None


class CardPile(TypedDict):
    """The dice of one title in the middle of the table."""

    title: str
    dice: int


class DraftView(TypedDict):
    """A draft as one seat sees it, with cards by key. Hidden hands and picks of others are not included."""

    version: int
    kind: Literal["team", "rainbow"]
    stage: Literal["waiting", "draft", "build", "over"]
    you: Chair | None
    drafters: list[DraftSeatData]
    clock: float | None
    ask: DraftDecision | None
    hand: Annotated[list[str], Description("of a Rainbow Draft: the cards one picks from, or has passed on since")]
    left: Annotated[int, Description("of a Rainbow Draft: picks until the pile is empty, this one included")]
    pile: Annotated[int, Description("of a Rainbow Draft: the first or the second")]
    drafted: list[str]
    middle: Annotated[list[CardPile], Description("of a Rainbow Draft: all dice of the packs, open to everybody")]
    stacks: Annotated[list[list[str]], Description("of a Draft team: what lies in the middle")]
    basics: Annotated[list[str], Description("of a Draft team: the basic actions both share")]
    life: int
    teams: list[DraftedTeam]
    matches: list[DraftMatch]


class DraftOptions(TypedDict):
    """The options for a new draft."""

    sets: list[NamedItem]
    most: Annotated[int, Description("people of a Rainbow Draft")]
    life: Annotated[list[int], Description("the least, the most and the usual of a Draft team")]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}
