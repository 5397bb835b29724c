/** Types of the HTTP and WebSocket API (docs/http-api.md). Generated from service/protocol by
 * `python -m tools.codegen.typescript --write`. Do not edit. */

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

/** A face of a die. */
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

/** A Global ability of a card in the game. */
export interface GlobalData {
  ability: number;
  text: string;
  /** summary in at most 40 characters */
  gist: string;
  cost: string;
  /** reacts to an event, and is offered when that happens */
  asked: boolean;
}

/** A card in the game. */
export interface CardData {
  id: number;
  /** "" for cards outside the sets, such as Sidekicks */
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
  /** summary in at most 60 characters, for tiles */
  gist: string;
  globals: GlobalData[];
  die: DieShape;
}

/** A setting of the rules: its name and a one-sentence description. */
export interface RuleSetting {
  words: string;
  about: string;
}

/** The edition of a game, with its house rules. */
export interface EditionData {
  key: string;
  name: string;
  /** the key and the house rules, as written in positions */
  text: string;
  house: RuleSetting[];
}

/** The part of a game that never changes. */
export interface TableData {
  edition: EditionData;
  format: string;
  life: number;
  seats: Seat[];
  cards: CardData[];
  scripted: Seat | null;
  /** readings of the script that differ from the usual ones */
  readings: RuleSetting[];
}

/** A die of the game. Optional fields are omitted where they have no value. */
export interface DieData {
  id: number;
  card: number;
  zone: Zone;
  /** null for basic action dice that nobody has bought */
  seat: Seat | null;
  /** null if not rolled */
  face: number | null;
  /** for characters in the field, with all modifiers */
  a?: number;
  d?: number;
  printed_a?: number;
  printed_d?: number;
  damage?: number;
  attacking?: boolean;
  /** ids of the attackers it blocks */
  blocks?: number[];
  blocked?: boolean;
  held?: Holding;
  /** id of the die that holds it; null if a player does, or nothing any more */
  holder?: number | null;
  /** fielding cost */
  cost?: number;
  tags?: string[];
  /** only if it differs from `seat` */
  owner?: Seat;
  /** id of the die it is paired with */
  partner?: number;
}

/** An effect in force: its dice, its source card, its duration and its rule. */
export interface EffectData {
  text: string;
  dice: number[];
  card: number | null;
  until: string;
  rule: string;
}

/** A legal option, or a part of a compound choice. */
export interface OptionData {
  /** index of the engine's option; null if only offered after another part */
  number: number | null;
  text: string;
  what: string;
  dice: number[];
  to: number | null;
  card: number | null;
  hint: string;
  /** all equivalent attackers the block may go to */
  attackers?: number[];
  /** the die may block more than one attacker */
  several?: boolean;
  /** amount spent from a die; for damage, the amount that KOs it */
  amount?: number;
  /** energy that belongs to no die */
  leftover?: boolean;
  /** number to send for a player instead of a die */
  player?: number;
  /** the seat of that player */
  seat?: Seat;
  ability?: number;
}

/** The pending decision, with all legal options. */
export interface DecisionData {
  seat: Seat;
  kind: string;
  mode: Mode;
  question: string;
  about: string;
  /** the card whose text requires the decision, or that is being paid for */
  card: number | null;
  min: number;
  max: number;
  total: number;
  /** payments: the full price, including what is already paid */
  price: number;
  /** damage: some may be kept for the opponent (Overcrush) */
  over: boolean;
  options: OptionData[];
  confirm: string;
  none: string;
  /** the choice being paid for can be undone without consent; it has had no effect yet */
  cancel: boolean;
  /** the player may pass and keep final priority, in case the opponent also declines */
  hold: boolean;
  /** main step: an attack may follow; otherwise passing ends the turn */
  attack?: boolean;
}

/** An entry of the game's log. */
export interface LogEntryData {
  text: string;
  kind: NewsKind;
  dice: number[];
  seat: Seat | null;
  amount: number;
}

/** A statement and the number of the rule behind it. */
export interface Explanation {
  text: string;
  rule: string;
}

/** The result of a game. */
export interface GameOutcome {
  winner: string;
  text: string;
}

/** A completed throw of fair dice. */
export interface ThrowRecord {
  number: number;
  /** the acting seat that gave the word; null for the opening or a bot */
  by: Seat | null;
  word: string;
  /** moves of the choice up to the roll */
  texts: string[];
  /** contributed links by chain name */
  links: Record<string, string>;
  /** seats whose contributions are missing */
  without: string;
}

/** The table at one moment, its pending decision, and the news since the previous view. */
export interface View {
  version: number;
  /** number of moves so far */
  move: number;
  turn: number;
  active: Seat;
  step: Step;
  stage: string;
  title: string;
  life: Partial<Record<Seat, number>>;
  /** energy that belongs to no die */
  energy: Partial<Record<Seat, number>>;
  dice: DieData[];
  effects: EffectData[];
  decision: DecisionData | null;
  news: LogEntryData[];
  /** the rule a scripted player followed */
  why: Explanation | null;
  /** the throw of fair dice behind the latest choice */
  throw: ThrowRecord | null;
  result: GameOutcome | null;
}

/** A requested undo. */
export interface UndoOfferData {
  what: "undo";
  by: Seat;
  /** seats that have not yet agreed */
  awaits: Seat[];
}

/** A claim of the win against an absent player, and the seconds they have left to come back. */
export interface WinClaimData {
  by: Seat;
  seconds: number;
}

/** The clocks: seconds left for the game, the seat whose clock runs, and its seconds left for this choice. */
export interface ClockData {
  left: Partial<Record<Seat, number>>;
  running: Seat | null;
  seconds: number | null;
}

/** A browser's hash chain for fair dice, and the number of its links revealed so far. */
export interface ChainData {
  name: string;
  anchor: string;
  at: number;
}

/** A link that a throw needs, by its chain's anchor and its index. */
export interface RequiredLink {
  anchor: string;
  at: number;
}

/** A throw of fair dice that waits for contributions. */
export interface ThrowRequest {
  number: number;
  /** the acting seat; null for the opening */
  by: Seat | null;
  word: string;
  texts: string[];
  /** required links by chain name */
  links: Record<string, RequiredLink>;
  without: string;
}

/** The hash chains of the seats, the seats left out until they register a new chain, and the pending throw. */
export interface FairDiceData {
  chains: Partial<Record<Seat, ChainData>>;
  away: Seat[];
  throw: ThrowRequest | null;
}

/** Names, presence and offers: everything about the players rather than the game. */
export interface Meta {
  names: Partial<Record<Seat, string>>;
  /** "person", or the key of a bot */
  kinds: Partial<Record<Seat, string>>;
  present: Seat[];
  watchers: number;
  offer: UndoOfferData | null;
  /** the seat that wants to concede; its partner has to agree */
  giving_up: Seat | null;
  undo: "free" | "ask" | "none";
  rematch: string | null;
  /** seats whose players have not arrived; the game begins once there are none */
  waiting: Seat[];
  /** the table's published commitment for fair dice */
  commitment: string | null;
  /** null: the dice come from a seed, a position or a record */
  dice: FairDiceData | null;
  created: string;
  claim: WinClaimData | null;
  clock: ClockData | null;
}

/** The first message to a client that has joined. */
export interface Welcome {
  type: "welcome";
  you: Seat[];
  game: string;
  table: TableData;
  meta: Meta;
  view: View;
}

/** The full view, sent on request. */
export interface ViewMessage {
  type: "view";
  view: View;
}

/** The fields of a view that have changed, and the dice that have. */
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

/** The changes from one version of the view to the next. A client with another version requests the full view. */
export interface DeltaMessage {
  type: "change";
  /** the version the changes apply to */
  since: number;
  view: ViewDelta;
  /** ids of dice that no longer exist */
  gone: number[];
}

/** The metadata after a change. */
export interface MetaMessage {
  type: "meta";
  meta: Meta;
}

/** Requests contributions to a throw. */
export interface ThrowMessage {
  number: number;
  /** the acting seat; null for the opening */
  by: Seat | null;
  word: string;
  texts: string[];
  /** required links by chain name */
  links: Record<string, RequiredLink>;
  without: string;
  type: "throw";
}

/** The reason why a message was rejected. */
export interface ActionRejected {
  type: "refused";
  reason: string;
  version: number;
}

/** Answers why something is illegal. */
export interface IllegalExplanation {
  text: string;
  rule: string;
  type: "why not";
}

/** A remark of the coach: the purpose of a step, a reminder, or the reason for an event. */
export interface CoachRemarkData {
  kind: "step" | "mind" | "happened";
  text: string;
  rule: string;
}

/** The coach's remarks on a view. */
export interface CoachAnswer {
  type: "coach";
  /** version of the view the remarks are about */
  version: number;
  remarks: CoachRemarkData[];
}

/** Explains a die's A and D. */
export interface DieExplanation {
  type: "look";
  die: number;
  lines: Explanation[];
}

/** Answers a ping. */
export interface Pong {
  type: "pong";
}

/** The reason why the server closes the connection. */
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

/** A single option. */
export interface OptionChoice {
  option: number;
}

/** A set of dice. */
export interface DiceChoice {
  dice: number[];
}

/** Pairs of blocker and attacker. */
export interface BlocksChoice {
  blocks: [number, number][];
}

/** Pairs of die and amount; die -1 is energy that belongs to no die. */
export interface PaymentChoice {
  spend: [number, number][];
}

/** Pairs of die or player and amount. */
export interface SplitChoice {
  split: [number, number][];
}

export type Choice = OptionChoice | DiceChoice | BlocksChoice | PaymentChoice | SplitChoice;

/** Identifies the client by the secrets of its seats; the first message. */
export interface Hello {
  type: "hello";
  secrets?: string[];
}

/** Takes the client's seats, with the anchor of its hash chain for fair dice. */
export interface TakeSeat {
  type: "sit";
  anchor: string;
}

/** Makes a choice, based on a version of the view. */
export interface PlayChoice {
  type: "play";
  version: number;
  choice: Choice;
  /** pass, but keep final priority */
  hold?: boolean;
  /** the player's contribution to the fair dice */
  word?: string;
  /** seats the player knows to be skipped */
  without?: Seat[];
}

/** Contributes a link to the throw of another seat's choice. */
export interface Contribution {
  type: "part";
  number: number;
  chain: string;
  link: string;
}

/** Rolls without the missing contributions. */
export interface RollWithout {
  type: "without";
}

/** Asks why a die's A and D are what they are. */
export interface ExplainDie {
  type: "look";
  die: number;
}

/** A die, a card or an ability, by number. */
export interface TargetRef {
  die?: number | null;
  card?: number | null;
  ability?: number | null;
}

/** Asks why something is illegal. */
export interface ExplainIllegal {
  type: "why not";
  thing: TargetRef;
  want?: string;
}

/** Undoes the client's last choice, or offers the undo to the others. */
export interface UndoRequest {
  type: "undo";
}

/** Accepts or declines an undo. */
export interface UndoAnswer {
  type: "answer";
  yes: boolean;
}

/** Concedes the game for a seat's side. */
export interface Concede {
  type: "concede";
  seat: Seat;
}

/** Withdraws or declines a concession. */
export interface KeepPlaying {
  type: "play on";
}

/** Claims the win against an absent player. */
export interface ClaimWin {
  type: "claim";
}

/** Opens a rematch. */
export interface Rematch {
  type: "rematch";
}

/** Changes the name of a seat. */
export interface SetName {
  type: "name";
  seat: Seat;
  name: string;
}

/** Requests the coach's remarks for the deciding player. */
export interface CoachRequest {
  type: "coach";
}

/** Requests the full view, after a delta that does not fit the known version. */
export interface ViewRequest {
  type: "view";
}

/** Checks the connection. */
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

/** A game as a new client finds it. */
export interface GameSnapshot {
  table: TableData;
  view: View;
  meta: Meta;
}

/** A written position, ready to show. */
export interface PositionData {
  table: TableData;
  view: View;
}

/** Some of a game's views, and their total number. */
export interface ReplayData {
  views: View[];
  total: number;
}

/** A new game, with the secrets of its human players' seats. */
export interface GameCreated {
  game: string;
  seats: Partial<Record<Seat, string>>;
}

/** A stored record. */
export interface RecordCreated {
  game: string;
}

/** The reason why a request failed. */
export interface ErrorResponse {
  error: string;
}

/** An item with a key and a name. */
export interface NamedItem {
  key: string;
  name: string;
}

/** An item with a key, a name and a description. */
export interface DescribedItem {
  key: string;
  name: string;
  about: string;
}

/** A format for new games. */
export interface FormatOption {
  key: string;
  name: string;
  about: string;
  life: number;
  /** number of players */
  seats: number;
}

/** A rulebook's starter game. */
export interface StarterGameOption {
  key: string;
  name: string;
  edition: string;
}

/** A ready team for new games. */
export interface TeamOption {
  key: string;
  name: string;
  about: string;
  format: string;
}

/** A reading of an open point of the script. */
export interface ScriptVariantData {
  words: string;
  about: string;
  rule: string;
  point: string;
}

/** The Scripted Opponent's difficulties, the readings of its script, and its usual edition. */
export interface SolitaireData {
  difficulties: Difficulty[];
  readings: ScriptVariantData[];
  edition: string;
}

/** A switch of the rules. A setting that differs from the edition's own is a house rule. */
export interface HouseRuleData {
  name: string;
  rule: string;
  on: RuleSetting;
  off: RuleSetting;
  editions: Record<string, boolean>;
}

/** The switches of one subject. */
export interface HouseRuleGroup {
  subject: string;
  switches: HouseRuleData[];
}

/** The options for a new game. */
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

/** A term of the glossary. */
export interface GlossaryEntryData {
  term: string;
  /** number of the rule that defines it; "" for terms of the program */
  rule: string;
  text: string;
  /** other forms of the term */
  also: string[];
}

/** Life at the end of a turn; turn 0 is the start of the game. */
export interface LifePoint {
  turn: number;
  life: Partial<Record<Seat, number>>;
}

/** The totals of one side in a game. */
export interface SideStats {
  damage: number;
  kos: number;
  bought: number;
}

/** The statistics of the card whose dice did the most. */
export interface BestDie {
  card: number;
  damage: number;
  kos: number;
  fielded: number;
  /** turn of the first purchase */
  bought: number | null;
}

/** A step of a finished game: the win chance of A (and C) with its best choice, and with the one made. */
export interface RatedStep {
  step: number;
  seat: Seat;
  turn: number;
  best: number;
  chosen: number;
  better: string;
}

/** Some rated steps of a game; `next` is the first step of the next request, or None at the end. */
export interface GameReviewData {
  steps: RatedStep[];
  next: number | null;
}

/** An option, its win chance for the deciding player, and half of the 95 % interval. */
export interface RatedOptionData {
  text: string;
  chance: number;
  margin: number;
  was_taken: boolean;
}

/** The analysis of a decision: the options from best to worst, the expected continuation, and the reason. */
export interface MoveSuggestion {
  seat: Seat;
  options: RatedOptionData[];
  line: string[];
  why: string;
}

/** Statistics of a game. */
export interface GameSummary {
  turns: number;
  life: LifePoint[];
  deeds: Partial<Record<Seat, SideStats>>;
  best: BestDie | null;
}

/** All terms of the glossary. */
export interface Glossary {
  terms: GlossaryEntryData[];
}

/** A kind of die, with the affiliations its emblem is made of. */
export interface DieKindData {
  key: string;
  title: string;
  kind: CardKind;
  affiliations: string[];
  die: DieShape;
}

/** All kinds of dice. */
export interface DieGallery {
  dice: DieKindData[];
}

/** A rule or a heading, in Markdown. */
export interface RuleData {
  number: string;
  title: string;
  /** heading level; 0 for a rule */
  level: number;
  text: string;
  defines: string[];
  editions: string[];
  shown: string[];
}

/** The rules, item by item. */
export interface RulesData {
  items: RuleData[];
}

/** A lesson: its key in URLs, its title, its subject, and the number of its steps. */
export interface LessonInfo {
  key: string;
  title: string;
  about: string;
  steps: number;
}

/** All lessons. */
export interface LessonList {
  lessons: LessonInfo[];
}

/** A target the coach points at: dice, a card, a zone of a seat, or a place on the table. */
export interface HighlightData {
  dice: number[];
  card: number | null;
  zone: string;
  seat: Seat | null;
}

/** A moment of a lesson: a step after some of its choices. */
export interface LessonMomentData {
  lesson: string;
  title: string;
  /** name of the opponent */
  rival: string;
  step: number;
  steps: number;
  /** number of the step's choices already made */
  done: number;
  choices: number;
  heading: string;
  say: string;
  /** the coach's remark at the end of the step */
  praise: string;
  show: HighlightData[];
  /** the expected choice; null if there is only text to read */
  answer: Choice | null;
  table: TableData;
  view: View;
}

/** The location of a moment: a step, and the number of choices made in it. */
export interface LessonPosition {
  step: number;
  done: number;
}

/** The answer to a choice in a lesson: the following views, or the reason why it is wrong. */
export interface LessonAnswer {
  right: boolean;
  reason: string;
  views: View[];
  next: LessonPosition | null;
}

/** A Global ability as it is printed. */
export interface CatalogGlobal {
  cost: string;
  text: string;
}

/** A card as it is printed. Basic actions have no subtitle; `die` is a key of the catalogue's dice. */
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

/** All cards, their dice by key, and the search vocabulary: numeric fields, words after `is:`, and sort orders. */
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

/** The keys of the cards that a search finds, in search order, or the problem with the query. */
export interface CardSearchResult {
  keys: string[];
  problem: string;
}

/** A term and the rule that defines it. */
export interface RuleReference {
  number: string;
  title: string;
  text: string;
}

/** A rule, or one of the publisher's answers, by number. */
export interface OfficialAnswer {
  number: string;
  text: string;
}

/** A ruling of this project, with the rules it cites. */
export interface RulingData {
  about: string;
  question: string;
  decision: string;
  reason: string;
  rules: string[];
}

/** An affiliation named in a text: how many other cards have it, and some of them. */
export interface AffiliationData {
  name: string;
  count: number;
  keys: string[];
}

/** A ready team, with the team code that opens it. */
export interface ReadyTeamReference {
  key: string;
  name: string;
  about: string;
  code: string;
}

/** Results of simulated teams with the card, in per cent, and its rank among all cards (docs/studies/cards.md). */
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

/** The material related to a card: rules, rulings, other versions, and cards that name it or that it names. */
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

/** A team: its cards and basic actions by key. `code` is "" for a team with home-made cards. */
export interface TeamData {
  name: string;
  about: string;
  format: string;
  cards: TeamCard[];
  basics: string[];
  code: string;
}

/** A ready team. */
export interface ReadyTeamData {
  name: string;
  about: string;
  format: string;
  cards: TeamCard[];
  basics: string[];
  code: string;
  key: string;
}

/** A format to build a team for: its limits on cards, dice and basic actions, and the starting life. */
export interface FormatData {
  key: string;
  name: string;
  about: string;
  cards: number;
  dice: number;
  basics: number;
  life: number;
}

/** The ready teams and the formats. */
export interface TeamCatalog {
  teams: ReadyTeamData[];
  formats: FormatData[];
}

/** A problem of a team: its text, the rule, and the line of the team's text. */
export interface TeamProblemData {
  text: string;
  rule: string;
  line: number;
}

/** A card's odds: bought on turn one, bought by turn two, fielded or used on turn three (teams/opening_odds.py). */
export interface OpeningOdds {
  key: string;
  buy: number;
  by_two: number;
  field: number;
}

/** A team as it was read: its problems, its text, and its opening odds. */
export interface TeamReport {
  team: TeamData;
  problems: TeamProblemData[];
  text: string;
  first_turns: OpeningOdds[];
}

/** A trial game between two bots: the winner (A, B, or "" for a tie) and the number of turns. */
export interface TrialGame {
  winner: string;
  turns: number;
}

/** The games of a trial, from the requested number on. */
export interface TrialResult {
  games: TrialGame[];
}

/** A buy, the share of games won after it, and the 95 % interval of that share. */
export interface BuyEstimate {
  text: string;
  share: number;
  low: number;
  high: number;
}

/** A card with a number of dice. */
export interface CardDice {
  card: string;
  dice: number;
}

/** The dice of one title in the middle of the table. */
export interface CardPile {
  title: string;
  dice: number;
}

export type Chair = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H";

/** Time limits of human players: for the whole game with an increment per turn, for each choice, or both. */
export interface ClockOptions {
  minutes?: number | null;
  increment?: number;
  choice?: number | null;
}

/** Request to begin without the absent players, to change a name, or to open the game between two seats. */
export interface DraftAction {
  secret: string;
  begin?: boolean;
  name?: string | null;
  match?: string | null;
}

/** A new draft, with the secrets of its human players' seats. */
export interface DraftCreated {
  draft: string;
  chairs: Partial<Record<Chair, string>>;
}

/** The decision you have to make. Send `number` with the pick, so that it cannot answer a different decision. */
export interface DraftDecision {
  kind: string;
  question: string;
  number: number;
  picks: DraftPickData[];
  /** left on the clock */
  seconds: number | null;
}

/** A game between two drafters, with its id once it is open. */
export interface DraftMatch {
  /** letters of both seats, as in AC */
  chairs: string;
  game: string | null;
}

/** The options for a new draft. */
export interface DraftOptions {
  sets: NamedItem[];
  /** maximum number of players in a Rainbow Draft */
  most: number;
  /** minimum, maximum and default of a Draft team */
  life: number[];
}

/** A possible pick: its kind, its text, the cards it concerns, and a number of dice. */
export interface DraftPickData {
  what: string;
  text: string;
  cards: string[];
  number: number;
}

/** Request to pick: the text of the pick, and the number of the decision it answers. */
export interface DraftPickRequest {
  secret: string;
  number: number;
  pick: string;
}

/** Request for a seat's view. With the known version, the response waits for a newer one or the timeout. */
export interface DraftPoll {
  secret?: string;
  since?: number;
}

/** A drafter: whether they have arrived, and whether the draft waits for them. */
export interface DraftSeatData {
  chair: Chair;
  name: string;
  bot: boolean;
  here: boolean;
  awaited: boolean;
}

/** A draft as one seat sees it, with cards by key. Hidden hands and picks of others are not included. */
export interface DraftView {
  version: number;
  kind: "team" | "rainbow";
  stage: "waiting" | "draft" | "build" | "over";
  you: Chair | null;
  drafters: DraftSeatData[];
  clock: number | null;
  ask: DraftDecision | null;
  /** Rainbow Draft: the hand to pick from, or the rest of it after the pick */
  hand: string[];
  /** Rainbow Draft: picks until the pile is empty, including this one */
  left: number;
  /** Rainbow Draft: 1 or 2 */
  pile: number;
  drafted: string[];
  /** Rainbow Draft: all dice of the packs, visible to everybody */
  middle: CardPile[];
  /** Draft team: the stacks in the middle */
  stacks: string[][];
  /** Draft team: the shared basic actions */
  basics: string[];
  life: number;
  teams: DraftedTeam[];
  matches: DraftMatch[];
}

/** A drafted team: its cards, its basic actions, and its code once it is complete. */
export interface DraftedTeam {
  chair: Chair;
  cards: CardDice[];
  basics: string[];
  code: string;
}

/** Request for a new draft. The first `people` of its `players` are human, beginning with the requester. */
export interface NewDraftRequest {
  kind?: "team" | "rainbow";
  sets?: string[];
  players?: number;
  people?: number;
  life?: number;
  clock?: number | null;
  name?: string;
}

/** Request for a new game. The defaults are the first game of the newest rulebook. */
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

/** A puzzle in its initial position: the table, the view, the solver's seat, and the number of hints. */
export interface PuzzleDetails {
  number: number;
  goal: PuzzleGoal;
  grade: number;
  seat: Seat;
  hints: number;
  table: TableData;
  view: View;
}

/** Asks why something is illegal after these choices. */
export interface PuzzleExplainRequest {
  choices: Choice[];
  thing: TargetRef;
}

export type PuzzleGoal = "win" | "survive" | "buy";

/** A hint. */
export interface PuzzleHint {
  text: string;
}

/** A puzzle of the collection: its goal, and its difficulty from 1 to 5. */
export interface PuzzleInfo {
  number: number;
  goal: PuzzleGoal;
  grade: number;
}

/** All puzzles. */
export interface PuzzleList {
  puzzles: PuzzleInfo[];
}

/** The puzzle of a day, the same for all players. */
export interface PuzzleOfDay {
  /** day number in UTC; 1 is the first day of year 1 */
  day: number;
  number: number;
}

export type PuzzleOutcome = "open" | "solved" | "failed";

/** The state of an attempt: its outcome and comments, and the views after the last choice and its replies. */
export interface PuzzleProgress {
  outcome: PuzzleOutcome;
  said: string[];
  /** puzzles about what to buy, after the attempt: all buys, best first */
  measured: BuyEstimate[];
  views: View[];
}

/** The solution: the choices required, and a full line of play against the hardest replies. */
export interface PuzzleSolution {
  way: string[];
  measured: BuyEstimate[];
  steps: SolutionStep[];
}

/** All choices of an attempt, from the initial position. */
export interface PuzzleTryRequest {
  choices: Choice[];
}

/** The player requested for a seat. */
export interface SeatRequest {
  kind?: "person" | "player";
  player?: string;
  name?: string;
}

/** The difficulty of the Scripted Opponent, and the readings of the open points of its script. */
export interface SolitaireOptions {
  difficulty?: Difficulty;
  readings?: string[];
}

/** A choice of the solution: its seat, its text, and the table after it. */
export interface SolutionStep {
  seat: Seat;
  text: string;
  view: View;
}

/** A team to check: the name of a ready team, a team code, or a written team. */
export interface TeamCheckRequest {
  text: string;
}

/** Games of two bots, numbered from `start`, with two teams; a second team `random` is drawn for each game. */
export interface TrialRequest {
  teams: string[];
  player?: "simple" | "random";
  seed?: number;
  start?: number;
  games?: number;
}
