"""What the server says of drafts, as types; beside `contract`, from which the page's types are written too."""

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
    """A new draft, and the secrets of its persons' chairs."""

    draft: str
    chairs: dict[Chair, str]


class DraftSeatData(TypedDict):
    """Who drafts: whether they have come, and whether something is awaited of them."""

    chair: Chair
    name: str
    bot: bool
    here: bool
    awaited: bool


class DraftPickData(TypedDict):
    """One thing that may be taken: its kind, its text, the cards it is about, a number of dice."""

    what: str
    text: str
    cards: list[str]
    number: int


class DraftDecision(TypedDict):
    """What is asked of you; `number` is said with the answer, so that none is taken for another question."""

    kind: str
    question: str
    number: int
    picks: list[DraftPickData]
    seconds: Annotated[float | None, Description("that are left on the clock")]


class CardDice(TypedDict):
    card: str
    dice: int


class DraftedTeam(TypedDict):
    """A team that was drafted: its cards, its basic actions, and its code once it is whole."""

    chair: Chair
    cards: list[CardDice]
    basics: list[str]
    code: str


class DraftMatch(TypedDict):
    """A game between two drafters, and its name once somebody has opened it."""

    chairs: Annotated[str, Description("both letters, as in AC")]
    game: str | None


class CardPile(TypedDict):
    title: str
    dice: int


class DraftView(TypedDict):
    """A draft as one chair may see it, cards by their keys. What others hold and have taken is not in it until the rules show it."""

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
    """What can be chosen when a draft is opened."""

    sets: list[NamedItem]
    most: Annotated[int, Description("people of a Rainbow Draft")]
    life: Annotated[list[int], Description("the least, the most and the usual of a Draft team")]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}
