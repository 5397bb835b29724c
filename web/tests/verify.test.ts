import { describe, expect, test } from "vitest";
import type { ThrowRequest, Meta, Seat, ClientMessage, View } from "../src/api/protocol";
import { randomBelow, throwKey, generatorState, verifyThrows } from "../src/fairdice/verify";
import { checkFairDice } from "../src/fairdice/verdict";
import type { FairDiceFacts, ObservedThrow } from "../src/fairdice/types";
import { DiceChain, hashChain, observedThrow, type StoredChain } from "../src/fairdice/chain";
import { hex, hmac, sha256 } from "../src/fairdice/sha256";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TABLE = hashChain(hex(Uint8Array.from({ length: 32 }, (_, i) => i)));
const A = hashChain("61".repeat(32));
const B = hashChain("62".repeat(32));
const WORD = "0123456789abcdef".repeat(2);

describe("SHA-256", () => {
  test("gives the published values", () => {
    expect(hex(sha256(bytes("")))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(sha256(bytes("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("agrees with the browser's own at every length around a block", async () => {
    for (const n of [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
      const data = Uint8Array.from({ length: n }, (_, i) => (i * 7) & 255);
      expect(hex(sha256(data))).toBe(hex(new Uint8Array(await crypto.subtle.digest("SHA-256", data))));
    }
  });

  test("keys messages as HMAC does, also with a long key", () => {
    expect(hex(hmac(bytes("Jefe"), bytes("what do ya want for nothing?")))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(
      hex(hmac(new Uint8Array(131).fill(0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First"))),
    ).toBe("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  });
});

describe("the worked example of docs/fair-dice.md", () => {
  test("has these anchors, keys and states", () => {
    expect(TABLE[0]).toBe("033136e4eda83756821060835ac33305ffbcdcc6ecd3fcbdfdc45b9d608749df");
    expect(A[0]).toBe("ef5270993b83d33ff9861f63e033a16f92e7c1aa1bdcd4cb070f254e9f0174ff");
    const first = throwKey(TABLE[1]!, [`A.1 ${A[1]}`, `B.1 ${B[1]}`]);
    expect(hex(first)).toBe("f0783373ca8e9cf3cab34c620ac4bdd9ded78dbdd2ce4d16701ce067d03d80f0");
    expect(generatorState(first, 0).toString(16)).toBe("e2b4524a208a1f09");
    const second = throwKey(TABLE[2]!, [`A ${WORD}`, `B.2 ${B[2]}`]);
    expect(generatorState(second, 1).toString(16).padStart(16, "0")).toBe("063949adf6ad86be");
  });

  test("has these numbers", () => {
    let state = generatorState(throwKey(TABLE[2]!, [`A ${WORD}`, `B.2 ${B[2]}`]), 1);
    const got = [8, 7, 6, 5, 6, 6, 6].map((of) => {
      const [value, next] = randomBelow(state, of);
      state = next;
      return value;
    });
    expect(got).toEqual([6, 2, 2, 1, 2, 0, 5]);
  });
});

/** The worked example as the server would tell it, with "go first" taken back and made again. */
function facts(): FairDiceFacts {
  const draws = [8, 7, 6, 5].map((of, i) => ({
    of,
    value: [6, 2, 2, 1][i]!,
    what: "draw" as const,
    seat: "A" as const,
    c: 0,
    bag: Array<number>(of).fill(0),
  }));
  const rolls = [2, 0, 5].map((value) => ({ of: 6, value, what: "roll" as const, c: 0, f: value }));
  const go = () => ({
    n: 1,
    by: "A",
    text: "go first",
    throw: {
      number: 2,
      word: { seat: "A" as const, text: WORD },
      links: [["B", 2]] as [string, number][],
      without: "",
    },
    chance: [...draws, ...rolls],
  });
  return {
    way: "chains",
    commitment: TABLE[0]!,
    at: 2,
    link: TABLE[2]!,
    chains: [
      { name: "A", seats: "A", since: 1, anchor: A[0]!, at: 1, link: A[1]! },
      { name: "B", seats: "B", since: 1, anchor: B[0]!, at: 2, link: B[2]! },
    ],
    bots: {},
    steps: [
      {
        n: 0,
        by: "",
        text: "",
        forced: true,
        throw: {
          number: 1,
          word: null,
          links: [
            ["A", 1],
            ["B", 1],
          ],
          without: "",
        },
        chance: [{ of: 2, value: 0, what: "toss", seat: "A" }],
      },
      go(),
      { undo: 1 },
      go(),
    ],
  };
}

const SEEN: ObservedThrow = {
  word: WORD,
  links: { B: B[2]! },
  without: "",
  texts: ["go first"],
  dice: [
    ["draw", 0, null],
    ["draw", 0, null],
    ["draw", 0, null],
    ["draw", 0, null],
    ["roll", 0, 2],
    ["roll", 0, 0],
    ["roll", null, null],
  ],
};

describe("the check", () => {
  const good = (f: FairDiceFacts, promised = TABLE[0]!, seen: Record<number, ObservedThrow> = { 2: SEEN }): boolean =>
    checkFairDice(f, [], promised, seen).isGood;

  test("is good when everything follows and is what was shown", () => {
    expect(verifyThrows(facts(), []).length).toBe(2);
    expect(good(facts())).toBe(true);
  });

  test("says whose parts they are and what was taken back", () => {
    const text = checkFairDice({ ...facts(), bots: { B: "simple" } }, [], TABLE[0]!, {})
      .lines.map((l) => l.text)
      .join(" ");
    expect(text).toContain("A had a part of its own");
    expect(text).toContain("1 choices were taken back");
    expect(text).toContain("the table’s player 'simple'");
    expect(text).toContain("This browser saw none of them");
  });

  test("fails over nothing", () => {
    expect(good({ ...facts(), steps: [] })).toBe(false);
    expect(good({ ...facts(), steps: [], at: 0, link: TABLE[0]!, chains: [] }, TABLE[0], {})).toBe(false);
  });

  test("fails on another commitment, and on what was shown differently", () => {
    expect(good(facts(), "00".repeat(32))).toBe(false);
    const face: ObservedThrow["dice"] = SEEN.dice.map((d, i) => (i === 4 ? ["roll", 0, 3] : d));
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, dice: face } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, dice: [...SEEN.dice, ["roll", 0, null]] } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, word: "00".repeat(16) } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, texts: ["go second"] } })).toBe(false);
    expect(good(facts(), TABLE[0], { 3: SEEN })).toBe(false);
  });

  test("does not call the dice of a seed good", () => {
    expect(good({ ...facts(), way: null })).toBe(false);
  });
});

class Desk {
  kept: StoredChain | null = null;
  sent: ClientMessage[] = [];
  alarms: string[] = [];
  part = this.open();

  open(): DiceChain {
    const shelf = {
      read: () => this.kept,
      write: (kept: StoredChain) => (this.kept = JSON.parse(JSON.stringify(kept)) as StoredChain),
    };
    this.part = new DiceChain(
      shelf,
      (m) => this.sent.push(m) > 0,
      (text) => this.alarms.push(text),
    );
    return this.part;
  }

  welcome(
    chains: NonNullable<Meta["dice"]>["chains"] = {},
    you: Seat[] = ["B"],
    kinds: Meta["kinds"] = { A: "person", B: "person" },
  ): void {
    const dice = { chains, away: [], throw: null };
    this.part.onWelcome(you, { commitment: TABLE[0]!, dice, kinds, waiting: [] } as unknown as Meta, false);
  }

  /** Sit down, and come back with the chain taken. */
  sit(): string {
    this.welcome();
    const anchor = this.kept!.anchor;
    this.welcome({ B: { name: "B", anchor, at: 0 } });
    return anchor;
  }
}

const asked = (anchor: string, at: number, more: Partial<ThrowRequest> = {}): ThrowRequest => ({
  number: at,
  by: "A",
  word: WORD,
  texts: ["pass"],
  links: { B: { anchor, at } },
  without: "",
  ...more,
});
const shown = (number: number, more: Partial<NonNullable<View["throw"]>> = {}): View =>
  ({
    news: [],
    dice: [],
    throw: { number, by: "A", word: WORD, texts: ["pass"], links: {}, without: "", ...more },
  }) as unknown as View;

describe("a browser's part", () => {
  test("sits down when it has seen the commitment, and keeps its chain", () => {
    const desk = new Desk();
    expect(desk.sent).toEqual([]);
    const anchor = desk.sit();
    expect(desk.sent).toEqual([{ type: "sit", anchor }]);
    expect(hashChain(desk.kept!.seed)[0]).toBe(anchor);
    expect(desk.kept!.commitment).toBe(TABLE[0]);
    desk.open();
    desk.welcome({ B: { name: "B", anchor, at: 3 } });
    expect(desk.sent.length).toBe(1);
  });

  test("takes a new chain where another device has taken the seat", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    desk.welcome({ B: { name: "B2", anchor: "11".repeat(32), at: 0 } });
    expect(desk.sent.length).toBe(2);
    expect(desk.kept!.anchor).not.toBe(anchor);
  });

  test("gives a link for one choice, the same again if asked again, and none for another choice", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    desk.part.contribute(asked(anchor, 1));
    desk.open();
    desk.welcome({ B: { name: "B", anchor, at: 0 } });
    desk.part.contribute(asked(anchor, 1));
    const link = hashChain(desk.kept!.seed)[1]!;
    expect(desk.sent.slice(1)).toEqual([
      { type: "part", number: 1, chain: "B", link },
      { type: "part", number: 1, chain: "B", link },
    ]);
    desk.part.contribute(asked(anchor, 1, { texts: ["attack"] }));
    desk.part.contribute(asked(anchor, 1, { word: "00".repeat(16) }));
    expect(desk.sent.length).toBe(3);
    expect(desk.alarms.length).toBe(2);
    expect(desk.kept!.alarms.length).toBe(1);
  });

  test("gives no link before its time, for all before it would follow from it", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    desk.part.contribute(asked(anchor, 7));
    expect(desk.sent.filter((m) => m.type === "part")).toEqual([]);
    expect(desk.kept!.alarms.length).toBe(1);
  });

  test("comes back with a new chain when it was left out", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    desk.part.contribute(asked(anchor, 1));
    const away = {
      commitment: TABLE[0]!,
      kinds: {},
      dice: { chains: { B: { name: "B", anchor, at: 0 } }, away: ["B"], throw: null },
    } as unknown as Meta;
    desk.part.onMeta(away);
    desk.part.onMeta(away);
    const sits = desk.sent.filter((m) => m.type === "sit");
    expect(sits.length).toBe(2);
    expect(desk.kept!.anchor).not.toBe(anchor);
    desk.part.contribute(asked(desk.kept!.anchor, 1, { number: 3 }));
    expect(desk.sent.filter((m) => m.type === "part").length).toBe(2);
    expect(desk.kept!.alarms).toEqual([]);
  });

  test("shares its chain with another tab", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    const first = desk.part;
    desk.open();
    desk.welcome({ B: { name: "B", anchor, at: 0 } });
    for (const tab of [first, desk.part]) tab.contribute(asked(anchor, 1));
    for (const tab of [desk.part, first]) tab.contribute(asked(anchor, 2));
    const parts = desk.sent.filter((m) => m.type === "part").map((m) => m.link);
    expect(parts[0]).toBe(parts[1]);
    expect(parts[2]).toBe(parts[3]);
    expect(desk.kept!.alarms).toEqual([]);
  });

  test("notices when the dice fall for another choice than it gave its part for", () => {
    const desk = new Desk();
    const anchor = desk.sit();
    desk.part.contribute(asked(anchor, 1));
    desk.part.verifyView(shown(1));
    expect(desk.kept!.alarms).toEqual([]);
    desk.part.contribute(asked(anchor, 2));
    desk.part.verifyView(shown(2, { texts: ["attack"] }));
    expect(desk.kept!.alarms.length).toBe(1);
  });

  test("notices a throw that serves for a second choice, and dice that are of no throw", () => {
    const desk = new Desk();
    desk.sit();
    desk.part.verifyView(shown(1));
    desk.part.verifyView(shown(1));
    expect(desk.kept!.alarms).toEqual([]);
    desk.part.verifyView(shown(1, { texts: ["attack"] }));
    expect(desk.kept!.alarms.length).toBe(1);
    desk.part.verifyView({ news: [{ kind: "roll", dice: [1] }], dice: [], throw: null } as unknown as View);
    expect(desk.kept!.alarms.length).toBe(2);
  });

  test("notices when its own word is not in the dice, and when the table changes its commitment", () => {
    const desk = new Desk();
    desk.sit();
    const play = desk.part.withContribution({ type: "play", version: 1, choice: { option: 0 } });
    expect(play.word).toMatch(/^[0-9a-f]{32}$/);
    desk.part.verifyView(shown(1, { by: "B", word: play.word! }));
    expect(desk.kept!.alarms).toEqual([]);
    desk.part.withContribution({ type: "play", version: 2, choice: { option: 0 } });
    desk.part.verifyView(shown(2, { by: "B", word: "00".repeat(16) }));
    expect(desk.kept!.alarms.length).toBe(1);
    desk.part.onWelcome(
      ["B"],
      { commitment: "00".repeat(32), dice: { chains: {}, away: [], throw: null }, kinds: {} } as unknown as Meta,
      true,
    );
    expect(desk.kept!.alarms.length).toBe(2);
  });

  test("lets the table's player go on where another browser of one's own had the chain, and nobody else", () => {
    const desk = new Desk();
    desk.sit();
    desk.part.contribute(asked("11".repeat(32), 1));
    expect(desk.sent.filter((m) => m.type === "without")).toEqual([]);
    desk.welcome({ B: { name: "B", anchor: desk.kept!.anchor, at: 0 } }, ["B"], { A: "simple", B: "person" });
    desk.part.contribute(asked("11".repeat(32), 1));
    expect(desk.sent.filter((m) => m.type === "without").length).toBe(1);
  });

  test("keeps what it is shown of a throw: draws and rolls as they lie", () => {
    const view = {
      ...shown(4),
      news: [
        { kind: "draw", dice: [] },
        { kind: "draw", dice: [7] },
        { kind: "roll", dice: [7] },
        { kind: "roll", dice: [8] },
        { kind: "happening", dice: [8] },
      ],
      dice: [
        { id: 7, card: 2, face: 5 },
        { id: 8, card: 3, face: 1 },
      ],
    } as unknown as View;
    expect(observedThrow(view)?.seen.dice).toEqual([
      ["draw", 2, null],
      ["roll", 2, 5],
      ["roll", 3, null],
    ]);
    expect(observedThrow({ ...view, throw: null })).toBe(null);
  });
});
