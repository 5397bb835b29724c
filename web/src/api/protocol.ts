/** What the server sends and takes (docs/table.md). Written from service/protocol/http_schema.py by
 * `python -m tools.codegen.typescript --write`; change it there. */

export type Seat = "A" | "B" | "C" | "D";

export type Zone = "card" | "bag" | "prep" | "reserve" | "field" | "used" | "out" | "hand" | "held" | "gone";

export type Step = "setup" | "start" | "draw" | "roll" | "main" | "attack" | "cleanup";

export type Mode = "one" | "many" | "blocks" | "spend" | "split";

export type Difficulty = "easy" | "normal" | "hard";

export type CardKind = "character" | "action" | "basic" | "sidekick" | "token";

export type Holding = "capture" | "aside" | "control" | "attach";

export type NewsKind =
  | "move"
  | "toss"
  | "turn"
  | "step"
  | "draw"
  | "roll"
  | "pay"
  | "damage"
  | "ko"
  | "life"
  | "happening";

export interface FaceData {
  kind: "energy" | "character" | "action";
  energy: string;
  generic: number;
  level: number;
  cost: number;
  a: number;
  d: number;
  burst: number;
}

/** A card's die: its colours and its six faces. */
export interface DieShape {
  key: string;
  base: string;
  ink: string;
  faces: FaceData[];
}

export interface GlobalData {
  ability: number;
  text: string;
  /** what it does in at most 40 characters */
  gist: string;
  cost: string;
  /** it answers something, and is asked for when that happens */
  asked: boolean;
}

export interface CardData {
  id: number;
  /** "" for what is in no set, as a Sidekick */
  key: string;
  set: string;
  title: string;
  subtitle: string;
  kind: CardKind;
  cost: number;
  energy: string;
  affiliations: string[];
  max: number;
  owner: Seat | null;
  text: string[];
  /** what it does in at most 60 characters, for tiles */
  gist: string;
  globals: GlobalData[];
  die: DieShape;
}

/** A setting of the rules: what it is called, and one sentence. */
export interface RuleSetting {
  words: string;
  about: string;
}

export interface EditionData {
  key: string;
  name: string;
  /** the key and the house rules, as positions name them */
  text: string;
  house: RuleSetting[];
}

/** What does not change during a game. */
export interface TableData {
  edition: EditionData;
  format: string;
  life: number;
  seats: Seat[];
  cards: CardData[];
  scripted: Seat | null;
  /** how the open points of the script are read, where not as usual */
  readings: RuleSetting[];
}

export interface DieData {
  id: number;
  card: number;
  zone: Zone;
  /** null: a basic action nobody has bought */
  seat: Seat | null;
  /** null: not rolled */
  face: number | null;
  /** of a character in the field, with all that changes it */
  a?: number;
  d?: number;
  printed_a?: number;
  printed_d?: number;
  damage?: number;
  attacking?: boolean;
  /** the attackers it blocks */
  blocks?: number[];
  blocked?: boolean;
  held?: Holding;
  /** the die that holds it; null: a player, or nobody any more */
  holder?: number | null;
  /** to field it */
  cost?: number;
  tags?: string[];
  /** where that is not whose side it is on */
  owner?: Seat;
  /** the die it is paired with */
  partner?: number;
}

/** Something in force: for which dice, by which card, until when, by which rule. */
export interface EffectData {
  text: string;
  dice: number[];
  card: number | null;
  until: string;
  rule: string;
}

export interface OptionData {
  /** the engine's; null for a part it offers only after another part */
  number: number | null;
  text: string;
  what: string;
  dice: number[];
  to: number | null;
  card: number | null;
  hint: string;
  /** all alike attackers a block may go to */
  attackers?: number[];
  /** the die may block more than one attacker */
  several?: boolean;
  /** how much of a die is spent; of damage: what KOs it */
  amount?: number;
  /** energy that belongs to no die */
  leftover?: boolean;
  /** a player instead of a die: the number to send */
  player?: number;
  /** whose seat that player has */
  seat?: Seat;
  ability?: number;
}

export interface DecisionData {
  seat: Seat;
  kind: string;
  mode: Mode;
  question: string;
  about: string;
  /** the card whose text asks, or that is paid for */
  card: number | null;
  min: number;
  max: number;
  total: number;
  /** of a payment: all of it, with what is paid already */
  price: number;
  /** of damage: some may be held back for the player behind (Overcrush) */
  over: boolean;
  options: OptionData[];
  confirm: string;
  none: string;
  /** what is paid for can be taken back: nothing has come of it yet, nobody is asked */
  cancel: boolean;
  /** passing now can be followed by a last word, if the other adds nothing */
  hold: boolean;
  /** in the main step: an attack may follow, else going on ends the turn */
  attack?: boolean;
}

export interface LogEntryData {
  text: string;
  kind: NewsKind;
  dice: number[];
  seat: Seat | null;
  amount: number;
}

/** Something that was said, and the number of the rule it stands on. */
export interface Explanation {
  text: string;
  rule: string;
}

export interface GameOutcome {
  winner: string;
  text: string;
}

/** A throw of fair dice that has been made. */
export interface ThrowRecord {
  number: number;
  /** who acted and gave the word; null: nobody, or the table */
  by: Seat | null;
  word: string;
  /** what was chosen, up to where the dice fell */
  texts: string[];
  /** what the others told, by the names of their chains */
  links: Record<string, string>;
  /** seats whose part is missing */
  without: string;
}

/** The table at one moment, the decision it waits for, and what has happened since the view before. */
export interface View {
  version: number;
  /** options played so far */
  move: number;
  turn: number;
  active: Seat;
  step: Step;
  stage: string;
  title: string;
  life: Partial<Record<Seat, number>>;
  /** that belongs to no die */
  energy: Partial<Record<Seat, number>>;
  dice: DieData[];
  effects: EffectData[];
  decision: DecisionData | null;
  news: LogEntryData[];
  /** the rule a scripted player has followed */
  why: Explanation | null;
  /** with fair dice: whose parts the dice of the latest choice came from */
  throw: ThrowRecord | null;
  result: GameOutcome | null;
}

export interface UndoOfferData {
  what: "undo";
  by: Seat;
  /** whose consent is still needed */
  awaits: Seat[];
}

/** Somebody claims the win because the other is not there, who has so many seconds to come back. */
export interface WinClaimData {
  by: Seat;
  seconds: number;
}

/** What the clocks show: seconds left for the game, whose clock runs, and how long that one has for this choice. */
export interface ClockData {
  left: Partial<Record<Seat, number>>;
  running: Seat | null;
  seconds: number | null;
}

/** A browser's chain for fair dice: how many of its links are told. */
export interface ChainData {
  name: string;
  anchor: string;
  at: number;
}

/** Which link of which chain is needed. */
export interface RequiredLink {
  anchor: string;
  at: number;
}

/** A throw of fair dice that waits for somebody's part. */
export interface ThrowRequest {
  number: number;
  /** who acts; null: nobody, it is the opening */
  by: Seat | null;
  word: string;
  texts: string[];
  /** by the names of the chains */
  links: Record<string, RequiredLink>;
  without: string;
}

/** Whose chain is which, whose parts are left out until they sit down anew, and what is waited for. */
export interface FairDiceData {
  chains: Partial<Record<Seat, ChainData>>;
  away: Seat[];
  throw: ThrowRequest | null;
}

/** Names, presence, offers: what is about the people and not about the game. */
export interface Meta {
  names: Partial<Record<Seat, string>>;
  /** "person", or the name of a player */
  kinds: Partial<Record<Seat, string>>;
  present: Seat[];
  watchers: number;
  offer: UndoOfferData | null;
  /** who of two partners would concede; the other is asked */
  giving_up: Seat | null;
  undo: "free" | "ask" | "none";
  rematch: string | null;
  /** seats whose persons have not come yet; the game begins when there are none */
  waiting: Seat[];
  /** what the table has published of its part in fair dice */
  commitment: string | null;
  /** null: the dice come from a seed or a position, or are of 0.1.0 */
  dice: FairDiceData | null;
  created: string;
  claim: WinClaimData | null;
  clock: ClockData | null;
}

export interface Welcome {
  type: "welcome";
  you: Seat[];
  game: string;
  table: TableData;
  meta: Meta;
  view: View;
}

/** The whole view, when it was asked for. */
export interface ViewMessage {
  type: "view";
  view: View;
}

/** The parts of a view that are different, and of its dice those that are. */
export interface ViewDelta {
  version: number;
  news: LogEntryData[];
  move?: number;
  turn?: number;
  active?: Seat;
  step?: Step;
  stage?: string;
  title?: string;
  life?: Partial<Record<Seat, number>>;
  energy?: Partial<Record<Seat, number>>;
  dice?: DieData[];
  effects?: EffectData[];
  decision?: DecisionData | null;
  why?: Explanation | null;
  throw?: ThrowRecord | null;
  result?: GameOutcome | null;
}

/** What makes the view of one version the next one. Whoever has another version asks for the whole view. */
export interface DeltaMessage {
  type: "change";
  /** the version it is a change of */
  since: number;
  view: ViewDelta;
  /** dice that are no longer there */
  gone: number[];
}

export interface MetaMessage {
  type: "meta";
  meta: Meta;
}

export interface ThrowMessage {
  number: number;
  /** who acts; null: nobody, it is the opening */
  by: Seat | null;
  word: string;
  texts: string[];
  /** by the names of the chains */
  links: Record<string, RequiredLink>;
  without: string;
  type: "throw";
}

export interface ActionRejected {
  type: "refused";
  reason: string;
  version: number;
}

export interface IllegalExplanation {
  text: string;
  rule: string;
  type: "why not";
}

/** What a coach says: what the step is for, what is easily overlooked, why something has happened. */
export interface CoachRemarkData {
  kind: "step" | "mind" | "happened";
  text: string;
  rule: string;
}

export interface CoachAnswer {
  type: "coach";
  /** of the view it is about */
  version: number;
  remarks: CoachRemarkData[];
}

export interface DieExplanation {
  type: "look";
  die: number;
  lines: Explanation[];
}

export interface Pong {
  type: "pong";
}

export interface Closing {
  type: "bye";
  reason: string;
}

export type ServerMessage =
  | Welcome
  | ViewMessage
  | DeltaMessage
  | MetaMessage
  | ThrowMessage
  | ActionRejected
  | IllegalExplanation
  | DieExplanation
  | CoachAnswer
  | Pong
  | Closing;

export interface OptionChoice {
  option: number;
}

export interface DiceChoice {
  dice: number[];
}

/** Pairs of blocker and attacker. */
export interface BlocksChoice {
  blocks: [number, number][];
}

/** Pairs of die and amount; die -1 is energy that belongs to none. */
export interface PaymentChoice {
  spend: [number, number][];
}

/** Pairs of die or player and amount. */
export interface SplitChoice {
  split: [number, number][];
}

export type Choice = OptionChoice | DiceChoice | BlocksChoice | PaymentChoice | SplitChoice;

export interface Hello {
  type: "hello";
  secrets?: string[];
}

/** Sits down in one's seats, with the anchor of the browser's chain for the dice. */
export interface TakeSeat {
  type: "sit";
  anchor: string;
}

/** A choice made on the view of that version. */
export interface PlayChoice {
  type: "play";
  version: number;
  choice: Choice;
  /** to pass and be asked once more */
  hold?: boolean;
  /** the player's part in fair dice */
  word?: string;
  /** whose parts the player knows to be left out */
  without?: Seat[];
}

/** Gives one's part in the dice of somebody else's choice. */
export interface Contribution {
  type: "part";
  number: number;
  chain: string;
  link: string;
}

/** Lets the dice fall without the parts that are missing. */
export interface RollWithout {
  type: "without";
}

/** Asks why a die's A and D are what they are. */
export interface ExplainDie {
  type: "look";
  die: number;
}

/** A die, a card or an ability, by its number. */
export interface TargetRef {
  die?: number | null;
  card?: number | null;
  ability?: number | null;
}

/** Asks why something cannot be done. */
export interface ExplainIllegal {
  type: "why not";
  thing: TargetRef;
  want?: string;
}

export interface UndoRequest {
  type: "undo";
}

/** Agrees to an undo that another asked for, or not. */
export interface UndoAnswer {
  type: "answer";
  yes: boolean;
}

export interface Concede {
  type: "concede";
  seat: Seat;
}

/** Does not concede after all, or not with the partner who would. */
export interface KeepPlaying {
  type: "play on";
}

export interface ClaimWin {
  type: "claim";
}

export interface Rematch {
  type: "rematch";
}

export interface SetName {
  type: "name";
  seat: Seat;
  name: string;
}

/** Asks what a coach says to whoever decides now. */
export interface CoachRequest {
  type: "coach";
}

/** Asks for the whole view, when a change does not fit the one that is known. */
export interface ViewRequest {
  type: "view";
}

export interface Ping {
  type: "ping";
}

export type ClientMessage =
  | Hello
  | TakeSeat
  | PlayChoice
  | Contribution
  | RollWithout
  | ExplainDie
  | ExplainIllegal
  | UndoRequest
  | UndoAnswer
  | Concede
  | KeepPlaying
  | ClaimWin
  | Rematch
  | SetName
  | ViewRequest
  | CoachRequest
  | Ping;

/** A game as somebody finds it. */
export interface GameSnapshot {
  table: TableData;
  view: View;
  meta: Meta;
}

/** A written position as it is shown. */
export interface PositionData {
  table: TableData;
  view: View;
}

/** Some of a game's views, and how many there are. */
export interface ReplayData {
  views: View[];
  total: number;
}

/** A new game and the secrets of its persons' seats. */
export interface GameCreated {
  game: string;
  seats: Partial<Record<Seat, string>>;
}

/** A record that is kept. */
export interface RecordCreated {
  game: string;
}

export interface ErrorResponse {
  error: string;
}

export interface NamedItem {
  key: string;
  name: string;
}

export interface DescribedItem {
  key: string;
  name: string;
  about: string;
}

export interface FormatOption {
  key: string;
  name: string;
  about: string;
  life: number;
  /** how many sit at the table */
  seats: number;
}

export interface StarterGameOption {
  key: string;
  name: string;
  edition: string;
}

export interface TeamOption {
  key: string;
  name: string;
  about: string;
  format: string;
}

/** A way to read an open point of the script. */
export interface ScriptVariantData {
  words: string;
  about: string;
  rule: string;
  point: string;
}

/** How hard the Scripted Opponent may be made, how its script may be read, and the edition it usually plays. */
export interface SolitaireData {
  difficulties: Difficulty[];
  readings: ScriptVariantData[];
  edition: string;
}

/** A difference between the editions, or between ways to play; the other setting of an edition is a house rule. */
export interface HouseRuleData {
  name: string;
  rule: string;
  on: RuleSetting;
  off: RuleSetting;
  editions: Record<string, boolean>;
}

export interface HouseRuleGroup {
  subject: string;
  switches: HouseRuleData[];
}

/** What can be chosen from when a game is opened. */
export interface GameOptions {
  editions: NamedItem[];
  formats: FormatOption[];
  casts: StarterGameOption[];
  teams: TeamOption[];
  players: DescribedItem[];
  solitaire: SolitaireData;
  house_rules: HouseRuleGroup[];
  default_edition: string;
}

export interface GlossaryEntryData {
  term: string;
  /** the number of the rule that explains it; "" where the program has the word */
  rule: string;
  text: string;
  /** other forms of the word */
  also: string[];
}

/** Life at the end of a turn; turn 0 is the beginning. */
export interface LifePoint {
  turn: number;
  life: Partial<Record<Seat, number>>;
}

/** What one side did in a game. */
export interface SideStats {
  damage: number;
  kos: number;
  bought: number;
}

/** The dice of one card that did most. */
export interface BestDie {
  card: number;
  damage: number;
  kos: number;
  fielded: number;
  /** the turn in which the first was bought */
  bought: number | null;
}

/** A step of a game that is over: the win chance of A (and C) with the best choice there, and with the one made. */
export interface RatedStep {
  step: number;
  seat: Seat;
  turn: number;
  best: number;
  chosen: number;
  better: string;
}

/** Some steps of a game, rated; `next` is the step to ask for then, None if that was all. */
export interface GameReviewData {
  steps: RatedStep[];
  next: number | null;
}

/** An option with its win chance for whoever decides, and half of its 95 % interval. */
export interface RatedOptionData {
  text: string;
  chance: number;
  margin: number;
  was_taken: boolean;
}

/** What a strong player thinks of a decision: the options, the best first, how it may go on, and why. */
export interface MoveSuggestion {
  seat: Seat;
  options: RatedOptionData[];
  line: string[];
  why: string;
}

/** A game in numbers. */
export interface GameSummary {
  turns: number;
  life: LifePoint[];
  deeds: Partial<Record<Seat, SideStats>>;
  best: BestDie | null;
}

export interface Glossary {
  terms: GlossaryEntryData[];
}

/** A kind of die, with what its emblem is made of. */
export interface DieKindData {
  key: string;
  title: string;
  kind: CardKind;
  affiliations: string[];
  die: DieShape;
}

export interface DieGallery {
  dice: DieKindData[];
}

/** A rule, or the heading of several, in Markdown. */
export interface RuleData {
  number: string;
  title: string;
  /** of a heading; 0 is a rule */
  level: number;
  text: string;
  defines: string[];
  editions: string[];
  shown: string[];
}

export interface RulesData {
  items: RuleData[];
}

/** A lesson: how it is called in addresses, its title, what one learns, how many steps it has. */
export interface LessonInfo {
  key: string;
  title: string;
  about: string;
  steps: number;
}

export interface LessonList {
  lessons: LessonInfo[];
}

/** Something a coach points at: dice, a card, a zone of a seat, or a place of the table. */
export interface HighlightData {
  dice: number[];
  card: number | null;
  zone: string;
  seat: Seat | null;
}

/** A moment of a lesson: a step, with some of its choices made. */
export interface LessonMomentData {
  lesson: string;
  title: string;
  /** what the other player is called */
  rival: string;
  step: number;
  steps: number;
  /** how many of the step's choices have been made */
  done: number;
  choices: number;
  heading: string;
  say: string;
  /** what the coach says when the step is done */
  praise: string;
  show: HighlightData[];
  /** the expected choice; null where there is only to read */
  answer: Choice | null;
  table: TableData;
  view: View;
}

export interface LessonPosition {
  step: number;
  done: number;
}

/** What a choice in a lesson is answered with: what is seen next, or the reason against it. */
export interface LessonAnswer {
  right: boolean;
  reason: string;
  views: View[];
  next: LessonPosition | null;
}

export interface CatalogGlobal {
  cost: string;
  text: string;
}

/** A card as it is printed; a basic action has no subtitle, and the die is one of the shelf's. */
export interface CatalogCard {
  key: string;
  set: string;
  number: number;
  title: string;
  subtitle: string;
  kind: CardKind;
  cost: number;
  energy: string;
  affiliations: string[];
  max: number;
  rarity: string;
  keywords: string[];
  text: string[];
  gist: string;
  globals: CatalogGlobal[];
  die: string;
}

/** All cards, their dice by name, and the words a search may use: fields with numbers, what is: takes, orders. */
export interface CardCatalog {
  cards: CatalogCard[];
  dice: Record<string, DieShape>;
  sets: NamedItem[];
  affiliations: string[];
  keywords: string[];
  rarities: string[];
  numbers: string[];
  is_words: RuleSetting[];
  sorts: string[];
}

/** The keys of the cards a search finds, in its order, or what is not understood and what is possible instead. */
export interface CardSearchResult {
  keys: string[];
  problem: string;
}

/** A word of the game with the rule that explains it. */
export interface RuleReference {
  number: string;
  title: string;
  text: string;
}

/** A rule or one of the publisher's answers, by its number. */
export interface OfficialAnswer {
  number: string;
  text: string;
}

/** One of our decisions, with the rules it names. */
export interface RulingData {
  about: string;
  question: string;
  decision: string;
  reason: string;
  rules: string[];
}

/** An affiliation that a text names: how many other cards have it, and some of them. */
export interface AffiliationData {
  name: string;
  count: number;
  keys: string[];
}

/** A ready team, with the code that opens it. */
export interface ReadyTeamReference {
  key: string;
  name: string;
  about: string;
  code: string;
}

/** How teams with the card fared in the lab, in per cent, and its place among all cards (docs/studies/cards.md). */
export interface CardStatsData {
  won: number;
  low: number;
  high: number;
  verdict: "above" | "below" | "even";
  bought: number;
  tables: number;
  place: number;
  of: number;
}

/** What belongs to a card, beside what is printed on it: others of its title, those its text names or that name it. */
export interface CardDetails {
  key: string;
  rules: RuleReference[];
  rulings: RulingData[];
  answers: OfficialAnswer[];
  versions: string[];
  names: string[];
  named_by: string[];
  sides: AffiliationData[];
  teams: ReadyTeamReference[];
  figures: CardStatsData | null;
}

/** A card of a team, with its dice. */
export interface TeamCard {
  key: string;
  dice: number;
}

/** A team: its cards and basic actions by their keys; a code is "" where cards are home-made. */
export interface TeamData {
  name: string;
  about: string;
  format: string;
  cards: TeamCard[];
  basics: string[];
  code: string;
}

export interface ReadyTeamData {
  name: string;
  about: string;
  format: string;
  cards: TeamCard[];
  basics: string[];
  code: string;
  key: string;
}

/** A format one can build a team for: how many cards, dice and basic actions, how much life. */
export interface FormatData {
  key: string;
  name: string;
  about: string;
  cards: number;
  dice: number;
  basics: number;
  life: number;
}

/** The ready teams, and the formats there are. */
export interface TeamCatalog {
  teams: ReadyTeamData[];
  formats: FormatData[];
}

/** Something that is wrong with a team: what, by which rule, in which line of its text. */
export interface TeamProblemData {
  text: string;
  rule: string;
  line: number;
}

/** The chances of a card: to buy it on turn one, by turn two, and to field or use it on turn three (teams/opening_odds.py). */
export interface OpeningOdds {
  key: string;
  buy: number;
  by_two: number;
  field: number;
}

/** A team as it was read: what is wrong with it, its text, and what it can do first. */
export interface TeamReport {
  team: TeamData;
  problems: TeamProblemData[];
  text: string;
  first_turns: OpeningOdds[];
}

/** A game that two programs have played: who won (A, B, or "" for a tie), in how many turns. */
export interface TrialGame {
  winner: string;
  turns: number;
}

/** Some games of a trial, from the one that was asked for on. */
export interface TrialResult {
  games: TrialGame[];
}

/** A buy, the share of games that were won after it, and the 95 % interval of that. */
export interface BuyEstimate {
  text: string;
  share: number;
  low: number;
  high: number;
}

export interface CardDice {
  card: string;
  dice: number;
}

export interface CardPile {
  title: string;
  dice: number;
}

export type Chair = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H";

/** How much time a person has: for the whole game with some more each turn, for each choice, or both. */
export interface ClockOptions {
  minutes?: number | null;
  increment?: number;
  choice?: number | null;
}

/** Begins without those who have not come, takes a name, or opens the game of two chairs. */
export interface DraftAction {
  secret: string;
  begin?: boolean;
  name?: string | null;
  match?: string | null;
}

/** A new draft, and the secrets of its persons' chairs. */
export interface DraftCreated {
  draft: string;
  chairs: Partial<Record<Chair, string>>;
}

/** What is asked of you; `number` is said with the answer, so that none is taken for another question. */
export interface DraftDecision {
  kind: string;
  question: string;
  number: number;
  picks: DraftPickData[];
  /** that are left on the clock */
  seconds: number | null;
}

/** A game between two drafters, and its name once somebody has opened it. */
export interface DraftMatch {
  /** both letters, as in AC */
  chairs: string;
  game: string | null;
}

/** What can be chosen when a draft is opened. */
export interface DraftOptions {
  sets: NamedItem[];
  /** people of a Rainbow Draft */
  most: number;
  /** the least, the most and the usual of a Draft team */
  life: number[];
}

/** One thing that may be taken: its kind, its text, the cards it is about, a number of dice. */
export interface DraftPickData {
  what: string;
  text: string;
  cards: string[];
  number: number;
}

/** Takes something: the text of the pick, and the number of the question it answers. */
export interface DraftPickRequest {
  secret: string;
  number: number;
  pick: string;
}

/** Asks for what a chair may see; with the version that is known, only when there is another or after some seconds. */
export interface DraftPoll {
  secret?: string;
  since?: number;
}

/** Who drafts: whether they have come, and whether something is awaited of them. */
export interface DraftSeatData {
  chair: Chair;
  name: string;
  bot: boolean;
  here: boolean;
  awaited: boolean;
}

/** A draft as one chair may see it, cards by their keys. What others hold and have taken is not in it until the rules show it. */
export interface DraftView {
  version: number;
  kind: "team" | "rainbow";
  stage: "waiting" | "draft" | "build" | "over";
  you: Chair | null;
  drafters: DraftSeatData[];
  clock: number | null;
  ask: DraftDecision | null;
  /** of a Rainbow Draft: the cards one picks from, or has passed on since */
  hand: string[];
  /** of a Rainbow Draft: picks until the pile is empty, this one included */
  left: number;
  /** of a Rainbow Draft: the first or the second */
  pile: number;
  drafted: string[];
  /** of a Rainbow Draft: all dice of the packs, open to everybody */
  middle: CardPile[];
  /** of a Draft team: what lies in the middle */
  stacks: string[][];
  /** of a Draft team: the basic actions both share */
  basics: string[];
  life: number;
  teams: DraftedTeam[];
  matches: DraftMatch[];
}

/** A team that was drafted: its cards, its basic actions, and its code once it is whole. */
export interface DraftedTeam {
  chair: Chair;
  cards: CardDice[];
  basics: string[];
  code: string;
}

/** A draft as somebody asks for it: `people` of its `players` are persons, the first of them whoever asks. */
export interface NewDraftRequest {
  kind?: "team" | "rainbow";
  sets?: string[];
  players?: number;
  people?: number;
  life?: number;
  clock?: number | null;
  name?: string;
}

/** A game as somebody asks for it; what is left out is the first game of the newest rulebook. */
export interface NewGameRequest {
  edition?: string | null;
  format?: string | null;
  cast?: string | null;
  teams?: string[] | null;
  life?: number | null;
  first?: "A" | "B" | null;
  seats?: SeatRequest[];
  solitaire?: boolean | SolitaireOptions;
  position?: string | null;
  seed?: number | null;
  clock?: ClockOptions | null;
}

/** A puzzle as it is posed: the table, the position, whose side the solver is on, how many hints there are. */
export interface PuzzleDetails {
  number: number;
  goal: PuzzleGoal;
  grade: number;
  seat: Seat;
  hints: number;
  table: TableData;
  view: View;
}

/** Asks, after these choices, why something cannot be done. */
export interface PuzzleExplainRequest {
  choices: Choice[];
  thing: TargetRef;
}

export type PuzzleGoal = "win" | "survive" | "buy";

export interface PuzzleHint {
  text: string;
}

/** A puzzle of the collection: what is to be reached, and how hard that is, from 1 to 5. */
export interface PuzzleInfo {
  number: number;
  goal: PuzzleGoal;
  grade: number;
}

export interface PuzzleList {
  puzzles: PuzzleInfo[];
}

/** The puzzle of a day, the same for everybody. */
export interface PuzzleOfDay {
  /** counted from the first day of the year 1, in UTC */
  day: number;
  number: number;
}

export type PuzzleOutcome = "open" | "solved" | "failed";

/** What a try has come to: what is said about it, and what is seen of the last choice and the answers to it. */
export interface PuzzleProgress {
  outcome: PuzzleOutcome;
  said: string[];
  /** of what to buy, when it was tried: every buy, the best first */
  measured: BuyEstimate[];
  views: View[];
}

/** The answer: what has to be done, and the choices one after the other against the hardest answers. */
export interface PuzzleSolution {
  way: string[];
  measured: BuyEstimate[];
  steps: SolutionStep[];
}

/** All choices of a try, from where the puzzle begins. */
export interface PuzzleTryRequest {
  choices: Choice[];
}

/** Who shall sit in a seat. */
export interface SeatRequest {
  kind?: "person" | "player";
  player?: string;
  name?: string;
}

/** How hard the Scripted Opponent shall be, and how the open points of its script are read. */
export interface SolitaireOptions {
  difficulty?: Difficulty;
  readings?: string[];
}

/** A choice of the solution: whose it is, its text, and the table after it. */
export interface SolutionStep {
  seat: Seat;
  text: string;
  view: View;
}

/** A team to be checked: a ready team's name, a code, or a team written out. */
export interface TeamCheckRequest {
  text: string;
}

/** Games between two teams and two programs, from one number on; `random` is a team drawn for each game. */
export interface TrialRequest {
  teams: string[];
  player?: "simple" | "random";
  seed?: number;
  start?: number;
  games?: number;
}
