import { expect, test } from "vitest";
import type { DieData, LogEntryData, Seat } from "../src/api/protocol";
import {
  Narrator,
  questionText,
  actorDoes,
  resultText,
  faceNotationText,
  expandNotation,
  secondPerson,
  narrate,
  personalize,
  type LogEntry,
  type Listener,
} from "../src/game/narration";
import { logEntries } from "../src/game/board.svelte";
import { card, die, view } from "./sampleViews";

const CARDS = [
  card(0),
  card(1, { title: "Thor", owner: "B" }),
  card(2, { title: "Smash!", kind: "basic", owner: null }),
];
const DICE = new Map<number, DieData>([
  [1, die(1, { seat: "A" })],
  [2, die(2, { card: 1, seat: "B" })],
]);
const listener = (you: Seat | null): Listener => ({
  name: (seat) => ({ A: "Kim", B: "Mira", C: "Cem", D: "Dana" })[seat],
  isYou: (seat) => seat === you,
  side: (seat) => [seat],
  cards: CARDS,
  die: (id) => DICE.get(id),
});
const line = (kind: LogEntryData["kind"], text: string, extra: Partial<LogEntry> = {}): LogEntry => ({
  kind,
  text,
  dice: [],
  seat: null,
  amount: 0,
  ...extra,
});
const texts = (news: LogEntry[], you: Seat | null = "A"): string[] =>
  narrate(news, listener(you)).map((told) => told.text);

test("faces and dice are described without notation", () => {
  expect(["@2*", "@1", "FF", "?", "2", "!**"].map(faceNotationText)).toEqual([
    "level 2 with a burst",
    "level 1",
    "2 fist",
    "wild",
    "2 energy",
    "action with 2 bursts",
  ]);
  expect(expandNotation("use Smash!!**", CARDS)).toBe("use Smash! (with 2 bursts)");
  expect(expandNotation("buy Smash!", CARDS)).toBe("buy Smash!");
  expect(expandNotation("attack with Hulk@2*", CARDS)).toBe("attack with Hulk (level 2 with a burst)");
  expect(expandNotation("pay Hulk:FF", CARDS)).toBe("pay Hulk (2 fist)");
  expect(expandNotation("reroll F", CARDS)).toBe("reroll fist");
  expect(expandNotation("Against 'reroll B' it is as good.", CARDS)).toBe("Against 'reroll bolt' it is as good.");
});

test("seat letters become 'you' and names", () => {
  expect(personalize("choose B's Thor@2", listener("A"))).toBe("choose Mira’s Thor (level 2)");
  expect(personalize("2 damage to player A", listener("A"))).toBe("2 damage to you");
  expect(personalize("2 damage to player A", listener(null))).toBe("2 damage to Kim");
  expect(actorDoes("A", "buys Hulk", listener("A"))).toBe("You buy Hulk");
  expect(actorDoes("B", "buys Hulk", listener("A"))).toBe("Mira buys Hulk");
  expect(["draws", "is", "has", "chooses", "goes", "passes", "does", "loses", "tries"].map(secondPerson)).toEqual([
    "draw",
    "are",
    "have",
    "choose",
    "go",
    "pass",
    "do",
    "lose",
    "try",
  ]);
});

const TWO_SIDES = (seat: Seat): Seat[] => ("AC".includes(seat) ? ["A", "C"] : ["B", "D"]);

test("in doubles a side is named by its members", () => {
  const to = (you: Seat | null): Listener => ({ ...listener(you), side: TWO_SIDES });
  const narrateOne = (news: LogEntry, you: Seat | null): string => narrate([news], to(you))[0]!.text;
  expect(narrateOne(line("turn", "Turn 3: B and D", { seat: "B" }), "D")).toBe(
    "You and Mira · turn 3.".replace(/\.$/, ""),
  );
  expect(narrateOne(line("life", "A and C gain 1 life", { seat: "A", amount: 1 }), "B")).toBe(
    "Kim and Cem gain 1 life.",
  );
  expect(
    narrateOne(
      line("damage", "4 damage to players A and C from D's Thor", { seat: "A", amount: 4, lifeAfter: 9 }),
      "C",
    ),
  ).toBe("Thor hits you and Kim for 4: 13 → 9.");
  expect(narrateOne(line("toss", "B and D win the toss", { seat: "B" }), null)).toBe("Mira and Dana win the toss.");
  expect(personalize("choose players A and C", to("A"))).toBe("choose you and Cem");
  expect(personalize("2 damage to player A", to("C"))).toBe("2 damage to Kim");
  expect(resultText("A and C win: B and D were brought to 0 life.", to("C"))).toBe(
    "You and Kim win: Mira and Dana were brought to 0 life.",
  );
  expect(resultText("B and D win: A conceded", to("A"))).toBe("Mira and Dana win: you conceded");
});

test("the result is phrased for its reader", () => {
  expect(resultText("A wins: B was brought to 0 life.", listener("A"))).toBe("You win: Mira was brought to 0 life.");
  expect(resultText("A wins: B was brought to 0 life.", listener("B"))).toBe("Kim wins: you were brought to 0 life.");
  expect(resultText("B wins: A conceded", listener("A"))).toBe("Mira wins: you conceded");
  expect(resultText("B wins: A conceded", listener(null))).toBe("Mira wins: Kim conceded");
  expect(resultText("A tie: both at 0", listener("A"))).toBe("A tie: both at 0");
});

test("questions about abilities are short, with the level only where there is room", () => {
  expect(questionText("Do you use Hulk@2*'s ability?", listener("A"))).toBe(
    "Use Hulk’s ability (level 2 with a burst)?",
  );
  expect(questionText("Do you use Hulk@2's ability?", listener("A"), true)).toBe("Use Hulk’s ability?");
  expect(questionText("Do you use Hulk's Global on the 3 damage to player A?", listener("A"), true)).toBe(
    "Use Hulk’s Global on the 3 damage to you?",
  );
  expect(questionText("Hulk: what do you choose?", listener("A"))).toBe("Hulk: what do you choose?");
});

test("the log omits 'yes', since its effect follows, but reports 'no'", () => {
  expect(texts([line("move", "A: yes"), line("ko", "Thor is KO'd", { dice: [2] }), line("move", "B: no")])).toEqual([
    "Mira’s Thor is KO’d.",
    "Mira does not use it.",
  ]);
});

test("the log joins related lines and repeats nothing", () => {
  expect(
    texts([
      line("turn", "Turn 3: A", { seat: "A" }),
      line("draw", "A draws Sidekick", { seat: "A" }),
      line("draw", "A draws Sidekick", { seat: "A" }),
      line("draw", "A draws Hulk", { seat: "A" }),
      line("roll", "Sidekick shows F", { dice: [1] }),
      line("roll", "Hulk shows @2", { dice: [1] }),
      line("move", "A: buy Hulk"),
      line("pay", "A spends F"),
      line("happening", "A buys Hulk", { seat: "A" }),
      line("move", "A: pass"),
      line("move", "B: no block"),
    ]),
  ).toEqual([
    "You · turn 3",
    "You draw Sidekick ×2, Hulk.",
    "You roll fist, Hulk level 2.",
    "You buy Hulk.",
    "Mira does not block.",
  ]);
});

test("rerolls are a separate line, and the singular is used for one die", () => {
  expect(
    texts([
      line("turn", "Turn 3: A", { seat: "A" }),
      line("draw", "A refills the bag with 1 dice", { seat: "A" }),
      line("roll", "Sidekick shows F", { dice: [1] }),
      line("roll", "Sidekick shows M", { dice: [1] }),
      line("move", "A: reroll M"),
      line("move", "A: reroll these"),
      line("roll", "Sidekick shows B", { dice: [1] }),
      line("step", "A's main step", { seat: "A" }),
      line("move", "A: use Hulk"),
      line("roll", "Hulk shows @1", { dice: [1] }),
    ]),
  ).toEqual([
    "You · turn 3",
    "You refill the bag with 1 die.",
    "You roll fist, mask.",
    "You reroll mask: bolt.",
    "You roll Hulk level 1.",
  ]);
});

test("the log reports a fight with targets and remaining life", () => {
  expect(
    texts([
      line("happening", "Hulk attacks", { dice: [1] }),
      line("happening", "Thor blocks Hulk", { dice: [2, 1] }),
      line("damage", "6 damage to player B from Hulk", { dice: [1], seat: "B", amount: 6, lifeAfter: 12 }),
      line("life", "B loses 2 life", { seat: "B", amount: -2, lifeAfter: 10 }),
      line("damage", "3 damage to Thor from Hulk", { dice: [1, 2], amount: 3 }),
      line("ko", "Thor is KO'd", { dice: [2] }),
      line("happening", "Hulk is spun to @3", { dice: [1] }),
    ]),
  ).toEqual([
    "You attack with Hulk.",
    "Mira blocks Hulk with Thor.",
    "Hulk hits Mira for 6: 18 → 12.",
    "Mira loses 2 life: 12 → 10.",
    "3 damage to Thor from Hulk.",
    "Mira’s Thor is KO’d.",
    "Your Hulk spins to level 3.",
  ]);
});

test("life before lethal damage is reported, although life never goes below 0", () => {
  const news = [
    line("damage", "3 damage to player A from Thor", { seat: "A", amount: 3 }),
    line("damage", "4 damage to player A from Thor", { seat: "A", amount: 4 }),
  ];
  const over = view(9, { life: { A: 0, B: 8 }, news });
  expect(texts(logEntries(over, { A: 5, B: 8 }))).toEqual([
    "Thor hits you for 3: 5 → 2.",
    "Thor hits you for 4: 2 → 0.",
  ]);
  const alive = view(9, { life: { A: 1, B: 8 }, news });
  expect(texts(logEntries(alive, { A: 8, B: 8 }))).toEqual([
    "Thor hits you for 3: 8 → 5.",
    "Thor hits you for 4: 5 → 1.",
  ]);
});

test("a finished turn is narrated once, with its dice as they were, and again when a name changes", () => {
  let owner: Seat = "A";
  const to: Listener = { ...listener("A"), die: (id) => die(id, { seat: owner, owner }) };
  const narrator = new Narrator();
  const first = [line("turn", "Turn 1: A", { seat: "A" }), line("ko", "Hulk is KO'd", { dice: [1] })];
  const second = [
    line("turn", "Turn 2: B", { seat: "B" }),
    line("draw", "B draws Thor", { seat: "B" }),
    line("draw", "B draws Hulk", { seat: "B" }),
  ];
  const narrated = (log: LogEntry[], names = "Mira"): string[] =>
    narrator.narrate(log, to, names).map((told) => told.text);
  expect(narrated(first)).toEqual(["You · turn 1", "Your Hulk is KO’d."]);
  expect(narrated([...first, second[0]!, second[1]!])).toEqual([
    "You · turn 1",
    "Your Hulk is KO’d.",
    "Mira · turn 2",
    "Mira draws Thor.",
  ]);
  owner = "B";
  expect(narrated([...first, ...second])).toEqual([
    "You · turn 1",
    "Your Hulk is KO’d.",
    "Mira · turn 2",
    "Mira draws Thor, Hulk.",
  ]);
  expect(narrated([...first, ...second], "Mo")[1]).toBe("Mira’s Hulk is KO’d.");
  expect(narrator.narrate([], to, "Mo")).toEqual([]);
});

test("a Global is reported with its target, and a captured die as captured", () => {
  const news = [
    line("move", "B: Global of A's Hulk"),
    line("pay", "B spends 1 of Sidekick"),
    line("happening", "B uses Hulk's Global", { seat: "B" }),
    line("move", "B: choose A's Hulk@1", { dice: [1] }),
  ];
  expect(texts(news)).toEqual(["Mira uses Hulk’s Global on your Hulk (level 1)."]);
  expect(texts([news[2]!, line("move", "A: choose B's Thor@1", { dice: [2] })])).toEqual([
    "Mira uses Hulk’s Global.",
    "You choose Mira’s Thor (level 1).",
  ]);
  const to: Listener = { ...listener("A"), die: (id) => die(id, { card: 1, seat: "B", held: "capture" }) };
  expect(narrate([line("move", "A: choose B's Thor@1", { dice: [2] })], to)[0]!.text).toBe(
    "You capture Mira’s Thor (level 1).",
  );
});

test("a turn without actions has a line that says so", () => {
  const turn = (n: number, seat: Seat, ...moves: string[]): LogEntry[] => [
    line("turn", `Turn ${n}: ${seat}`, { seat }),
    line("draw", `${seat} draws Thor`, { seat }),
    ...moves.map((text) => line("move", text)),
  ];
  const log = [...turn(1, "B", "B: keep all", "B: pass", "A: pass", "B: no attack"), ...turn(2, "A", "A: keep all")];
  expect(new Narrator().narrate(log, listener("A"), "").map((told) => told.text)).toEqual([
    "Mira · turn 1",
    "Mira draws Thor.",
    "Mira does nothing this turn.",
    "You · turn 2",
    "You draw Thor.",
    "You keep all dice.",
  ]);
});

test("the script's reasons are in words, one per compound action", () => {
  const why = (rule: string, text: string): LogEntry => line("happening", text, { rule });
  const told = narrate(
    [
      why("S12", "rerolls all energy: B"),
      line("move", "B: reroll B"),
      why("S12", "rerolls all energy: Thor:MM"),
      why("S34", "helps the best it may, and B's Thor@3 is one of them"),
    ],
    listener("A"),
  );
  expect(told.map((one) => [one.rule, one.text])).toEqual([
    ["S12", "Rerolls all energy"],
    ["S34", "Helps the best it may, and Mira’s Thor (level 3) is one of them"],
  ]);
  const field = (): LogEntry[] => [
    line("move", "B: field Thor@1"),
    why("S18", "fields the dearest it can pay: Thor for 0"),
    line("happening", "B fields Thor", { seat: "B" }),
  ];
  expect(texts([...field(), ...field()])).toEqual([
    "Fields the dearest it can pay: Thor for 0",
    "Fields the dearest it can pay: Thor for 0",
  ]);
  expect(texts([why("S12", "rerolls all energy: B"), why("S12", "rolls what it put back")])).toEqual([
    "Rerolls all energy",
  ]);
  const too = narrate([line("happening", "B buys Thor too, for nothing [S7]", { seat: "B" })], listener("A"))[0]!;
  expect([too.text, too.rule]).toEqual(["Mira buys Thor too, for nothing", "S7"]);
  expect(texts([why("S12", "rerolls all energy: B")])).toEqual(["Rerolls all energy: bolt"]);
  expect(
    texts([why("S23", "attacks with the rest: Thor@1"), why("S23", "attacks with the rest; home stay Thor@1")]),
  ).toEqual(["Attacks with the rest; home stay Thor (level 1)"]);
});
