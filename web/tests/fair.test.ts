import { describe, expect, test } from "vitest";
import { below, check, stateOf, type FairFacts, type Nonce } from "../src/fair";
import { fromHex, hex, hmac, sha256 } from "../src/sha256";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const NONCES: Nonce[] = [
  { seat: "A", move: 0, text: "abc" },
  { seat: "B", move: 1, text: "xyz-9" },
];

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
    expect(hex(hmac(new Uint8Array(131).fill(0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First")))).toBe(
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    );
  });
});

describe("the worked example of docs/fair-dice.md", () => {
  test("has this commitment and these states", () => {
    expect(hex(sha256(SECRET))).toBe("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    expect(stateOf(SECRET, NONCES, 0).toString(16)).toBe("1ffcf15b4ea12c69");
    expect(stateOf(SECRET, NONCES, 1).toString(16)).toBe("31f78677b4abe38c");
    expect(stateOf(SECRET, NONCES, 2).toString(16)).toBe("8f1424b9e0276a3b");
  });

  test("has these numbers", () => {
    let state = stateOf(SECRET, NONCES, 1);
    const got = [8, 7, 6, 5, 6, 6, 6].map((of) => {
      const [value, next] = below(state, of);
      state = next;
      return value;
    });
    expect(got).toEqual([1, 4, 5, 3, 4, 4, 2]);
    expect(below(stateOf(SECRET, NONCES, 0), 2)[0]).toBe(1);
  });
});

describe("the check", () => {
  const facts: FairFacts = {
    commitment: hex(sha256(SECRET)),
    nonces: NONCES,
    secret: hex(SECRET),
    chance: [
      [{ of: 2, value: 1, what: "toss", seat: "B" }],
      [
        { of: 8, value: 1, what: "draw", seat: "B", c: 1, bag: [1, 1, 1, 1, 1, 1, 1, 1] },
        { of: 1, value: 0, what: "draw", seat: "B", c: 1, bag: [1] },
      ],
    ],
  };

  test("passes what follows from the secret", () => {
    expect(check(facts, [], facts.commitment!, "abc").good).toBe(true);
  });

  test("fails on a changed roll, another secret, a nonce left out, a wrong winner of the toss", () => {
    const other = { ...facts, chance: [facts.chance[0]!, [{ ...facts.chance[1]![0]!, value: 2 }]] };
    expect(check(other, [], facts.commitment!, "abc").good).toBe(false);
    expect(check({ ...facts, secret: hex(fromHex("01".repeat(32))) }, [], facts.commitment!, "abc").good).toBe(false);
    expect(check(facts, [], facts.commitment!, "mine").good).toBe(false);
    expect(check({ ...facts, chance: [[{ of: 2, value: 1, what: "toss", seat: "A" }]] }, [], facts.commitment!, "").good).toBe(false);
  });

  test("fails if the fingerprint shown at the start was another", () => {
    expect(check(facts, [], "00".repeat(32), "abc").good).toBe(false);
  });
});
