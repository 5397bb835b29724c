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
    seconds: Annotated[float | None, Description("left on the clock")]


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

    chairs: Annotated[str, Description("letters of both seats, as in AC")]
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
    hand: Annotated[list[str], Description("Rainbow Draft: the hand to pick from, or the rest of it after the pick")]
    left: Annotated[int, Description("Rainbow Draft: picks until the pile is empty, including this one")]
    pile: Annotated[int, Description("Rainbow Draft: 1 or 2")]
    drafted: list[str]
    middle: Annotated[list[CardPile], Description("Rainbow Draft: all dice of the packs, visible to everybody")]
    stacks: Annotated[list[list[str]], Description("Draft team: the stacks in the middle")]
    basics: Annotated[list[str], Description("Draft team: the shared basic actions")]
    life: int
    teams: list[DraftedTeam]
    matches: list[DraftMatch]


class DraftOptions(TypedDict):
    """The options for a new draft."""

    sets: list[NamedItem]
    most: Annotated[int, Description("maximum number of players in a Rainbow Draft")]
    life: Annotated[list[int], Description("minimum, maximum and default of a Draft team")]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}
