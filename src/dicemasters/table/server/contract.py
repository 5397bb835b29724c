"""What the server sends and takes, as types: the one place. web/src/contract.ts is written from here.

After a change run `python -m dicemasters.table.server.typescript --write`; a test fails until it is done. What goes out
is a TypedDict, so that making it costs nothing; what comes in is a `Form`, which is read with all its limits. None of it
needs more than the standard library: the same is said and heard in a browser's worker, where there is no server.
"""

from __future__ import annotations

import sys
from dataclasses import field
from typing import Annotated, Any, Literal, NotRequired

from dicemasters.table.server.asked import Between, Fits, Form, Long, Says

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict

Seat = TypeAliasType("Seat", Literal["A", "B", "C", "D"])
SEATS: tuple[Seat, ...] = ("A", "B", "C", "D")

Zone = TypeAliasType("Zone", Literal["card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone"])
ZONES: tuple[Zone, ...] = ("card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone")

Step = TypeAliasType("Step", Literal["setup", "start", "draw", "roll", "main", "attack", "cleanup"])
STEPS: tuple[Step, ...] = ("setup", "start", "draw", "roll", "main", "attack", "cleanup")

Mode = TypeAliasType("Mode", Literal["one", "many", "blocks", "spend", "split"])
Difficulty = TypeAliasType("Difficulty", Literal["easy", "normal", "hard"])
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "normal", "hard")
CardKind = TypeAliasType("CardKind", Literal["character", "action", "basic", "sidekick", "token"])
Holding = TypeAliasType("Holding", Literal["capture", "aside", "control", "attach"])
NewsKind = TypeAliasType(
    "NewsKind",
    Literal["move", "toss", "turn", "step", "draw", "roll", "pay", "damage", "ko", "life", "happening"],
)


def _says(text: str) -> Any:
    return Says(text)


# --- the table: sent once --------------------------------------------------------------------------------------------


class Face(TypedDict):
    kind: Literal["energy", "character", "action"]
    energy: str
    generic: int
    level: int
    cost: int
    a: int
    d: int
    burst: int


class DieShape(TypedDict):
    """A card's die: its colours and its six faces."""

    key: str
    base: str
    ink: str
    faces: list[Face]


class Global(TypedDict):
    ability: int
    text: str
    gist: Annotated[str, _says("what it does in at most 40 characters")]
    cost: str
    asked: Annotated[bool, _says("it answers something, and is asked for when that happens")]


class Card(TypedDict):
    id: int
    key: Annotated[str, _says('"" for what is in no set, as a Sidekick')]
    set: str
    title: str
    subtitle: str
    kind: CardKind
    cost: int
    energy: str
    affiliations: list[str]
    max: int
    owner: Seat | None
    text: list[str]
    gist: Annotated[str, _says("what it does in at most 60 characters, for tiles")]
    globals: list[Global]
    die: DieShape


class Setting(TypedDict):
    """A setting of the rules: what it is called, and one sentence."""

    words: str
    about: str


class EditionShown(TypedDict):
    key: str
    name: str
    text: Annotated[str, _says("the key and the house rules, as positions name them")]
    house: list[Setting]


class Table(TypedDict):
    """What does not change during a game."""

    edition: EditionShown
    format: str
    life: int
    seats: list[Seat]
    cards: list[Card]
    scripted: Seat | None
    readings: Annotated[list[Setting], _says("how the open points of the script are read, where not as usual")]


# --- the view: what everybody sees -----------------------------------------------------------------------------------


class Die(TypedDict):
    id: int
    card: int
    zone: Zone
    seat: Annotated[Seat | None, _says("null: a basic action nobody has bought")]
    face: Annotated[int | None, _says("null: not rolled")]
    a: NotRequired[Annotated[int, _says("of a character in the field, with all that changes it")]]
    d: NotRequired[int]
    printed_a: NotRequired[int]
    printed_d: NotRequired[int]
    damage: NotRequired[int]
    attacking: NotRequired[bool]
    blocks: NotRequired[Annotated[list[int], _says("the attackers it blocks")]]
    blocked: NotRequired[bool]
    held: NotRequired[Holding]
    holder: NotRequired[Annotated[int | None, _says("the die that holds it; null: a player, or nobody any more")]]
    cost: NotRequired[Annotated[int, _says("to field it")]]
    tags: NotRequired[list[str]]
    owner: NotRequired[Annotated[Seat, _says("where that is not whose side it is on")]]
    partner: NotRequired[Annotated[int, _says("the die it is paired with")]]


class Effect(TypedDict):
    """Something in force: for which dice, by which card, until when, by which rule."""

    text: str
    dice: list[int]
    card: int | None
    until: str
    rule: str


class Option(TypedDict):
    number: Annotated[int | None, _says("the engine's; null for a part it offers only after another part")]
    text: str
    what: str
    dice: list[int]
    to: int | None
    card: int | None
    hint: str
    attackers: NotRequired[Annotated[list[int], _says("all alike attackers a block may go to")]]
    several: NotRequired[Annotated[bool, _says("the die may block more than one attacker")]]
    amount: NotRequired[Annotated[int, _says("how much of a die is spent; of damage: what KOs it")]]
    leftover: NotRequired[Annotated[bool, _says("energy that belongs to no die")]]
    player: NotRequired[Annotated[int, _says("a player instead of a die: the number to send")]]
    seat: NotRequired[Annotated[Seat, _says("whose seat that player has")]]
    ability: NotRequired[int]


class Decision(TypedDict):
    seat: Seat
    kind: str
    mode: Mode
    question: str
    about: str
    card: Annotated[int | None, _says("the card whose text asks, or that is paid for")]
    min: int
    max: int
    total: int
    price: Annotated[int, _says("of a payment: all of it, with what is paid already")]
    over: Annotated[bool, _says("of damage: some may be held back for the player behind (Overcrush)")]
    options: list[Option]
    confirm: str
    none: str
    cancel: Annotated[bool, _says("what is paid for can be taken back: nothing has come of it yet, nobody is asked")]
    hold: Annotated[bool, _says("passing now can be followed by a last word, if the other adds nothing")]
    attack: NotRequired[Annotated[bool, _says("in the main step: an attack may follow, else going on ends the turn")]]


class News(TypedDict):
    text: str
    kind: NewsKind
    dice: list[int]
    seat: Seat | None
    amount: int


class Said(TypedDict):
    """Something that was said, and the number of the rule it stands on."""

    text: str
    rule: str


class Outcome(TypedDict):
    winner: str
    text: str


class Thrown(TypedDict):
    """A throw of fair dice that has been made."""

    number: int
    by: Annotated[Seat | None, _says("who acted and gave the word; null: nobody, or the table")]
    word: str
    texts: Annotated[list[str], _says("what was chosen, up to where the dice fell")]
    links: Annotated[dict[str, str], _says("what the others told, by the names of their chains")]
    without: Annotated[str, _says("seats whose part is missing")]


class View(TypedDict):
    """The table at one moment, the decision it waits for, and what has happened since the view before."""

    version: int
    move: Annotated[int, _says("options played so far")]
    turn: int
    active: Seat
    step: Step
    stage: str
    title: str
    life: dict[Seat, int]
    energy: Annotated[dict[Seat, int], _says("that belongs to no die")]
    dice: list[Die]
    effects: list[Effect]
    decision: Decision | None
    news: list[News]
    why: Annotated[Said | None, _says("the rule a scripted player has followed")]
    throw: Annotated[Thrown | None, _says("with fair dice: whose parts the dice of the latest choice came from")]
    result: Outcome | None


# --- beside the view -------------------------------------------------------------------------------------------------


class Offer(TypedDict):
    what: Literal["undo"]
    by: Seat
    awaits: Annotated[list[Seat], _says("whose consent is still needed")]


class Claim(TypedDict):
    """Somebody claims the win because the other is not there, who has so many seconds to come back."""

    by: Seat
    seconds: int


class ClockFace(TypedDict):
    """What the clocks show: seconds left for the game, whose clock runs, and how long that one has for this choice."""

    left: dict[Seat, float]
    running: Seat | None
    seconds: float | None


class ChainShown(TypedDict):
    """A browser's chain for fair dice: how many of its links are told."""

    name: str
    anchor: str
    at: int


class NeededLink(TypedDict):
    """Which link of which chain is needed."""

    anchor: str
    at: int


class Asked(TypedDict):
    """A throw of fair dice that waits for somebody's part."""

    number: int
    by: Annotated[Seat | None, _says("who acts; null: nobody, it is the opening")]
    word: str
    texts: list[str]
    links: Annotated[dict[str, NeededLink], _says("by the names of the chains")]
    without: str


class FairDice(TypedDict):
    """Whose chain is which, whose parts are left out until they sit down anew, and what is waited for."""

    chains: dict[Seat, ChainShown]
    away: list[Seat]
    throw: Asked | None


class Meta(TypedDict):
    """Names, presence, offers: what is about the people and not about the game."""

    names: dict[Seat, str]
    kinds: Annotated[dict[Seat, str], _says('"person", or the name of a player')]
    present: list[Seat]
    watchers: int
    offer: Offer | None
    giving_up: Annotated[Seat | None, _says("who of two partners would concede; the other is asked")]
    undo: Literal["free", "ask", "none"]
    rematch: str | None
    waiting: Annotated[list[Seat], _says("seats whose persons have not come yet; the game begins when there are none")]
    commitment: Annotated[str | None, _says("what the table has published of its part in fair dice")]
    dice: Annotated[FairDice | None, _says("null: the dice come from a seed or a position, or are of 0.1.0")]
    created: str
    claim: Claim | None
    clock: ClockFace | None


class Welcome(TypedDict):
    type: Literal["welcome"]
    you: list[Seat]
    game: str
    table: Table
    meta: Meta
    view: View


class ViewMessage(TypedDict):
    """The whole view, when it was asked for."""

    type: Literal["view"]
    view: View


class ViewChange(TypedDict):
    """The parts of a view that are different, and of its dice those that are."""

    version: int
    news: list[News]
    move: NotRequired[int]
    turn: NotRequired[int]
    active: NotRequired[Seat]
    step: NotRequired[Step]
    stage: NotRequired[str]
    title: NotRequired[str]
    life: NotRequired[dict[Seat, int]]
    energy: NotRequired[dict[Seat, int]]
    dice: NotRequired[list[Die]]
    effects: NotRequired[list[Effect]]
    decision: NotRequired[Decision | None]
    why: NotRequired[Said | None]
    throw: NotRequired[Thrown | None]
    result: NotRequired[Outcome | None]


class Change(TypedDict):
    """What makes the view of one version the next one. Whoever has another version asks for the whole view."""

    type: Literal["change"]
    since: Annotated[int, _says("the version it is a change of")]
    view: ViewChange
    gone: Annotated[list[int], _says("dice that are no longer there")]


class MetaMessage(TypedDict):
    type: Literal["meta"]
    meta: Meta


class ThrowMessage(Asked):
    type: Literal["throw"]


class Refused(TypedDict):
    type: Literal["refused"]
    reason: str
    version: int


class WhyNotAnswer(Said):
    type: Literal["why not"]


class CoachRemark(TypedDict):
    """What a coach says: what the step is for, what is easily overlooked, why something has happened."""

    kind: Literal["step", "mind", "happened"]
    text: str
    rule: str


class CoachAnswer(TypedDict):
    type: Literal["coach"]
    version: Annotated[int, _says("of the view it is about")]
    remarks: list[CoachRemark]


class LookAnswer(TypedDict):
    type: Literal["look"]
    die: int
    lines: list[Said]


class Pong(TypedDict):
    type: Literal["pong"]


class Bye(TypedDict):
    type: Literal["bye"]
    reason: str


FromServer = TypeAliasType(
    "FromServer",
    Welcome
    | ViewMessage
    | Change
    | MetaMessage
    | ThrowMessage
    | Refused
    | WhyNotAnswer
    | LookAnswer
    | CoachAnswer
    | Pong
    | Bye,
)


# --- what a browser says ---------------------------------------------------------------------------------------------

MOST_VERSION = 10**9
MOST_PARTS = 300  # of a choice: more than there are dice
Number = Annotated[int, Between(-1, 10_000)]  # of a die or an option; an amount


class ByOption(TypedDict):
    option: Number


class ByDice(TypedDict):
    dice: Annotated[list[Number], Long(MOST_PARTS)]


class ByBlocks(TypedDict):
    """Pairs of blocker and attacker."""

    blocks: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


class BySpending(TypedDict):
    """Pairs of die and amount; die -1 is energy that belongs to none."""

    spend: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


class BySplitting(TypedDict):
    """Pairs of die or player and amount."""

    split: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


Choice = TypeAliasType("Choice", ByOption | ByDice | ByBlocks | BySpending | BySplitting)


class Hello(Form):
    type: Literal["hello"]
    secrets: Annotated[list[Annotated[str, Long(200)]], Long(8)] = field(default_factory=list)


class Sit(Form):
    """Sits down in one's seats, with the anchor of the browser's chain for the dice."""

    type: Literal["sit"]
    anchor: Annotated[str, Fits("[0-9a-f]{64}")]


class Play(Form):
    """A choice made on the view of that version."""

    type: Literal["play"]
    version: Annotated[int, Between(0, MOST_VERSION)]
    choice: Choice
    hold: Annotated[bool, _says("to pass and be asked once more")] = False
    word: Annotated[str, Fits("([0-9a-f]{32})?"), _says("the player's part in fair dice")] = ""
    without: Annotated[list[Seat], Long(4), _says("whose parts the player knows to be left out")] = field(
        default_factory=list
    )


class Part(Form):
    """Gives one's part in the dice of somebody else's choice."""

    type: Literal["part"]
    number: Annotated[int, Between(0, MOST_VERSION)]
    chain: Annotated[str, Long(10)]
    link: Annotated[str, Fits("[0-9a-f]{64}")]


class Without(Form):
    """Lets the dice fall without the parts that are missing."""

    type: Literal["without"]


class Look(Form):
    """Asks why a die's A and D are what they are."""

    type: Literal["look"]
    die: Annotated[int, Between(0, 1000)]


class Thing(Form):
    """A die, a card or an ability, by its number."""

    die: Annotated[int, Between(0, 1000)] | None = None
    card: Annotated[int, Between(0, 1000)] | None = None
    ability: Annotated[int, Between(0, 10_000)] | None = None


class WhyNot(Form):
    """Asks why something cannot be done."""

    type: Literal["why not"]
    thing: Thing
    want: Annotated[str, Long(20)] = ""


class Undo(Form):
    type: Literal["undo"]


class Answer(Form):
    """Agrees to an undo that another asked for, or not."""

    type: Literal["answer"]
    yes: bool


class Concede(Form):
    type: Literal["concede"]
    seat: Seat


class PlayOn(Form):
    """Does not concede after all, or not with the partner who would."""

    type: Literal["play on"]


class ClaimWin(Form):
    type: Literal["claim"]


class Rematch(Form):
    type: Literal["rematch"]


class Name(Form):
    type: Literal["name"]
    seat: Seat
    name: Annotated[str, Long(400)]


class Coach(Form):
    """Asks what a coach says to whoever decides now."""

    type: Literal["coach"]


class WholeView(Form):
    """Asks for the whole view, when a change does not fit the one that is known."""

    type: Literal["view"]


class Ping(Form):
    type: Literal["ping"]


ToServer = TypeAliasType(
    "ToServer",
    Hello
    | Sit
    | Play
    | Part
    | Without
    | Look
    | WhyNot
    | Undo
    | Answer
    | Concede
    | PlayOn
    | ClaimWin
    | Rematch
    | Name
    | WholeView
    | Coach
    | Ping,
)


# --- addresses beside the live socket --------------------------------------------------------------------------------


class Shown(TypedDict):
    """A game as somebody finds it."""

    table: Table
    view: View
    meta: Meta


class Position(TypedDict):
    """A written position as it is shown."""

    table: Table
    view: View


class Replay(TypedDict):
    """Some of a game's views, and how many there are."""

    views: list[View]
    total: int


class Opened(TypedDict):
    """A new game and the secrets of its persons' seats."""

    game: str
    seats: dict[Seat, str]


class KeptRecord(TypedDict):
    """A record that is kept."""

    game: str


class Refusal(TypedDict):
    error: str


class Named(TypedDict):
    key: str
    name: str


class Explained(Named):
    about: str


class FormatOffered(Explained):
    life: int
    seats: Annotated[int, _says("how many sit at the table")]


class CastOffered(Named):
    edition: str


class TeamOffered(Explained):
    format: str


class Reading(Setting):
    """A way to read an open point of the script."""

    rule: str
    point: str


class Solitaire(TypedDict):
    """How hard the Scripted Opponent may be made, how its script may be read, and the edition it usually plays."""

    difficulties: list[Difficulty]
    readings: list[Reading]
    edition: str


class HouseSwitch(TypedDict):
    """A difference between the editions, or between ways to play; the other setting of an edition is a house rule."""

    name: str
    rule: str
    on: Setting
    off: Setting
    editions: dict[str, bool]


class HouseGroup(TypedDict):
    subject: str
    switches: list[HouseSwitch]


class StartOffers(TypedDict):
    """What can be chosen from when a game is opened."""

    editions: list[Named]
    formats: list[FormatOffered]
    casts: list[CastOffered]
    teams: list[TeamOffered]
    players: list[Explained]
    solitaire: Solitaire
    house_rules: list[HouseGroup]
    default_edition: str


class Term(TypedDict):
    term: str
    rule: Annotated[str, _says('the number of the rule that explains it; "" where the program has the word')]
    text: str
    also: Annotated[list[str], _says("other forms of the word")]


class LifeAt(TypedDict):
    """Life at the end of a turn; turn 0 is the beginning."""

    turn: int
    life: dict[Seat, int]


class Deeds(TypedDict):
    """What one side did in a game."""

    damage: int
    kos: int
    bought: int


class BestDie(TypedDict):
    """The dice of one card that did most."""

    card: int
    damage: int
    kos: int
    fielded: int
    bought: Annotated[int | None, _says("the turn in which the first was bought")]


class StepRated(TypedDict):
    """A step of a game that is over: the win chance of A (and C) with the best choice there, and with the one made."""

    step: int
    seat: Seat
    turn: int
    best: float
    chosen: float
    better: str  # what would have been clearly better, if anything


class LookedBack(TypedDict):
    """Some steps of a game, rated; `next` is the step to ask for then, None if that was all."""

    steps: list[StepRated]
    next: int | None


class OptionThought(TypedDict):
    """An option with its win chance for whoever decides, and half of its 95 % interval."""

    text: str
    chance: float
    margin: float
    was_taken: bool


class Thought(TypedDict):
    """What a strong player thinks of a decision: the options, the best first, how it may go on, and why."""

    seat: Seat
    options: list[OptionThought]
    line: list[str]
    why: str


class Summary(TypedDict):
    """A game in numbers."""

    turns: int
    life: list[LifeAt]
    deeds: dict[Seat, Deeds]
    best: BestDie | None


class Terms(TypedDict):
    terms: list[Term]


class DieShown(TypedDict):
    """A kind of die, with what its emblem is made of."""

    key: str
    title: str
    kind: CardKind
    affiliations: list[str]
    die: DieShape


class Dice(TypedDict):
    dice: list[DieShown]


class Rule(TypedDict):
    """A rule, or the heading of several, in Markdown."""

    number: str
    title: str
    level: Annotated[int, _says("of a heading; 0 is a rule")]
    text: str
    defines: list[str]
    editions: list[str]
    shown: list[str]


class Rules(TypedDict):
    items: list[Rule]


# --- lessons ---------------------------------------------------------------------------------------------------------


class LessonOffered(TypedDict):
    """A lesson: how it is called in addresses, its title, what one learns, how many steps it has."""

    key: str
    title: str
    about: str
    steps: int


class LessonList(TypedDict):
    lessons: list[LessonOffered]


class Pointed(TypedDict):
    """Something a coach points at: dice, a card, a zone of a seat, or a place of the table."""

    dice: list[int]
    card: int | None
    zone: str
    seat: Seat | None


class LessonMoment(TypedDict):
    """A moment of a lesson: a step, with some of its choices made."""

    lesson: str
    title: str
    rival: Annotated[str, _says("what the other player is called")]
    step: int
    steps: int
    done: Annotated[int, _says("how many of the step's choices have been made")]
    choices: int
    heading: str
    say: str
    praise: Annotated[str, _says("what the coach says when the step is done")]
    show: list[Pointed]
    answer: Annotated[Choice | None, _says("the expected choice; null where there is only to read")]
    table: Table
    view: View


class LessonPlace(TypedDict):
    step: int
    done: int


class LessonAnswer(TypedDict):
    """What a choice in a lesson is answered with: what is seen next, or the reason against it."""

    right: bool
    reason: str
    views: list[View]
    next: LessonPlace | None


for _one in [one for one in vars().values() if is_typeddict(one)]:
    _one.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
