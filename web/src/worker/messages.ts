/** Messages between the page and the worker. */

export type ToWorker =
  | { kind: "begin"; base: string }
  | { kind: "ask"; id: number; method: string; path: string; body: string }
  | { kind: "sit"; id: number; game: string }
  | { kind: "say"; id: number; text: string }
  | { kind: "part"; id: number }
  | { kind: "forget"; game: string };

export type FromWorker =
  | { kind: "loading"; part: number }
  | { kind: "ready" }
  | { kind: "failed"; reason: string }
  | { kind: "mistake"; id: number; reason: string }
  | { kind: "answer"; id: number; status: number; text: string; type: string }
  | { kind: "told"; id: number; text: string }
  | { kind: "gone"; id: number; code: number };
