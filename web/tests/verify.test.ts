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
  test("returns the published values", () => {
    expect(hex(sha256(bytes("")))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(sha256(bytes("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("agrees with WebCrypto at every length around a block", async () => {
    for (const n of [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 200]) {
      const data = Uint8Array.from({ length: n }, (_, i) => (i * 7) & 255);
      expect(hex(sha256(data))).toBe(hex(new Uint8Array(await crypto.subtle.digest("SHA-256", data))));
    }
  });

  test("computes HMAC, also with a long key", () => {
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

/** Returns the facts of the worked example, with "go first" undone and repeated. */
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

describe("the fair dice check", () => {
  const good = (f: FairDiceFacts, promised = TABLE[0]!, seen: Record<number, ObservedThrow> = { 2: SEEN }): boolean =>
    checkFairDice(f, [], promised, seen).isGood;

  test("passes if everything follows and matches what was shown", () => {
    expect(verifyThrows(facts(), []).length).toBe(2);
    expect(good(facts())).toBe(true);
  });

  test("names the contributors and the undone choices", () => {
    const text = checkFairDice({ ...facts(), bots: { B: "simple" } }, [], TABLE[0]!, {})
      .lines.map((l) => l.text)
      .join(" ");
    expect(text).toContain("A had a part of its own");
    expect(text).toContain("1 choices were taken back");
    expect(text).toContain("the table’s player 'simple'");
    expect(text).toContain("This browser saw none of them");
  });

  test("fails without steps", () => {
    expect(good({ ...facts(), steps: [] })).toBe(false);
    expect(good({ ...facts(), steps: [], at: 0, link: TABLE[0]!, chains: [] }, TABLE[0], {})).toBe(false);
  });

  test("fails on another commitment, and if the browser was shown something else", () => {
    expect(good(facts(), "00".repeat(32))).toBe(false);
    const face: ObservedThrow["dice"] = SEEN.dice.map((d, i) => (i === 4 ? ["roll", 0, 3] : d));
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, dice: face } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, dice: [...SEEN.dice, ["roll", 0, null]] } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, word: "00".repeat(16) } })).toBe(false);
    expect(good(facts(), TABLE[0], { 2: { ...SEEN, texts: ["go second"] } })).toBe(false);
    expect(good(facts(), TABLE[0], { 3: SEEN })).toBe(false);
  });

  test("does not pass seeded dice", () => {
    expect(good({ ...facts(), way: null })).toBe(false);
  });
});

class FakeBrowser {
  kept: StoredChain | null = null;
  sent: ClientMessage[] = [];
  alarms: string[] = [];
  part = this.open();

  open(): DiceChain {
    const store = {
      read: () => this.kept,
      write: (kept: StoredChain) => (this.kept = JSON.parse(JSON.stringify(kept)) as StoredChain),
    };
    this.part = new DiceChain(
      store,
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

  /** Takes the seat, and reconnects with the registered chain. */
  takeSeat(): string {
    this.welcome();
    const anchor = this.kept!.anchor;
    this.welcome({ B: { name: "B", anchor, at: 0 } });
    return anchor;
  }
}

const request = (anchor: string, at: number, more: Partial<ThrowRequest> = {}): ThrowRequest => ({
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

describe("a browser's dice chain", () => {
  test("takes the seat after seeing the commitment, and stores its chain", () => {
    const browser = new FakeBrowser();
    expect(browser.sent).toEqual([]);
    const anchor = browser.takeSeat();
    expect(browser.sent).toEqual([{ type: "sit", anchor }]);
    expect(hashChain(browser.kept!.seed)[0]).toBe(anchor);
    expect(browser.kept!.commitment).toBe(TABLE[0]);
    browser.open();
    browser.welcome({ B: { name: "B", anchor, at: 3 } });
    expect(browser.sent.length).toBe(1);
  });

  test("creates a new chain if another device has taken the seat", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    browser.welcome({ B: { name: "B2", anchor: "11".repeat(32), at: 0 } });
    expect(browser.sent.length).toBe(2);
    expect(browser.kept!.anchor).not.toBe(anchor);
  });

  test("gives a link for one choice, repeats it on request, and gives none for another choice", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    browser.part.contribute(request(anchor, 1));
    browser.open();
    browser.welcome({ B: { name: "B", anchor, at: 0 } });
    browser.part.contribute(request(anchor, 1));
    const link = hashChain(browser.kept!.seed)[1]!;
    expect(browser.sent.slice(1)).toEqual([
      { type: "part", number: 1, chain: "B", link },
      { type: "part", number: 1, chain: "B", link },
    ]);
    browser.part.contribute(request(anchor, 1, { texts: ["attack"] }));
    browser.part.contribute(request(anchor, 1, { word: "00".repeat(16) }));
    expect(browser.sent.length).toBe(3);
    expect(browser.alarms.length).toBe(2);
    expect(browser.kept!.alarms.length).toBe(1);
  });

  test("gives no link early, since all earlier links follow from it", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    browser.part.contribute(request(anchor, 7));
    expect(browser.sent.filter((m) => m.type === "part")).toEqual([]);
    expect(browser.kept!.alarms.length).toBe(1);
  });

  test("returns with a new chain after being left out", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    browser.part.contribute(request(anchor, 1));
    const away = {
      commitment: TABLE[0]!,
      kinds: {},
      dice: { chains: { B: { name: "B", anchor, at: 0 } }, away: ["B"], throw: null },
    } as unknown as Meta;
    browser.part.onMeta(away);
    browser.part.onMeta(away);
    const sits = browser.sent.filter((m) => m.type === "sit");
    expect(sits.length).toBe(2);
    expect(browser.kept!.anchor).not.toBe(anchor);
    browser.part.contribute(request(browser.kept!.anchor, 1, { number: 3 }));
    expect(browser.sent.filter((m) => m.type === "part").length).toBe(2);
    expect(browser.kept!.alarms).toEqual([]);
  });

  test("shares its chain with another tab", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    const first = browser.part;
    browser.open();
    browser.welcome({ B: { name: "B", anchor, at: 0 } });
    for (const tab of [first, browser.part]) tab.contribute(request(anchor, 1));
    for (const tab of [browser.part, first]) tab.contribute(request(anchor, 2));
    const parts = browser.sent.filter((m) => m.type === "part").map((m) => m.link);
    expect(parts[0]).toBe(parts[1]);
    expect(parts[2]).toBe(parts[3]);
    expect(browser.kept!.alarms).toEqual([]);
  });

  test("raises an alarm if its part is used for another choice", () => {
    const browser = new FakeBrowser();
    const anchor = browser.takeSeat();
    browser.part.contribute(request(anchor, 1));
    browser.part.verifyView(shown(1));
    expect(browser.kept!.alarms).toEqual([]);
    browser.part.contribute(request(anchor, 2));
    browser.part.verifyView(shown(2, { texts: ["attack"] }));
    expect(browser.kept!.alarms.length).toBe(1);
  });

  test("raises an alarm if a throw is reused, or dice belong to no throw", () => {
    const browser = new FakeBrowser();
    browser.takeSeat();
    browser.part.verifyView(shown(1));
    browser.part.verifyView(shown(1));
    expect(browser.kept!.alarms).toEqual([]);
    browser.part.verifyView(shown(1, { texts: ["attack"] }));
    expect(browser.kept!.alarms.length).toBe(1);
    browser.part.verifyView({ news: [{ kind: "roll", dice: [1] }], dice: [], throw: null } as unknown as View);
    expect(browser.kept!.alarms.length).toBe(2);
  });

  test("raises an alarm if its word is missing or the commitment changes", () => {
    const browser = new FakeBrowser();
    browser.takeSeat();
    const play = browser.part.withContribution({ type: "play", version: 1, choice: { option: 0 } });
    expect(play.word).toMatch(/^[0-9a-f]{32}$/);
    browser.part.verifyView(shown(1, { by: "B", word: play.word! }));
    expect(browser.kept!.alarms).toEqual([]);
    browser.part.withContribution({ type: "play", version: 2, choice: { option: 0 } });
    browser.part.verifyView(shown(2, { by: "B", word: "00".repeat(16) }));
    expect(browser.kept!.alarms.length).toBe(1);
    browser.part.onWelcome(
      ["B"],
      { commitment: "00".repeat(32), dice: { chains: {}, away: [], throw: null }, kinds: {} } as unknown as Meta,
      true,
    );
    expect(browser.kept!.alarms.length).toBe(2);
  });

  test("lets a bot, but no person, throw without a chain that another own browser holds", () => {
    const browser = new FakeBrowser();
    browser.takeSeat();
    browser.part.contribute(request("11".repeat(32), 1));
    expect(browser.sent.filter((m) => m.type === "without")).toEqual([]);
    browser.welcome({ B: { name: "B", anchor: browser.kept!.anchor, at: 0 } }, ["B"], { A: "simple", B: "person" });
    browser.part.contribute(request("11".repeat(32), 1));
    expect(browser.sent.filter((m) => m.type === "without").length).toBe(1);
  });

  test("records the draws and rolls shown for a throw", () => {
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
