/** Python in a worker, which is started when it is first needed, and again if it has been ended. */

import type { Carrier, Line } from "../api/transport";
import { aloneWords } from "../i18n";
import { readiness } from "./engineStatus.svelte";
import type { FromWorker, ToWorker } from "./messages";

const PATIENCE = 60_000; // milliseconds for one answer, once the engine runs: what takes longer is given up
const LOST = 1006; // as a socket says that breaks; whoever is at a game comes back by itself

const refusal = (status: number, error: string): Response => new Response(JSON.stringify({ error }), { status });

interface Waiting {
  take: (answer: Response) => void;
  timer: number;
}

class Python implements Carrier {
  private worker: Worker | null = null;
  private last = 0;
  private readonly asked = new Map<number, Waiting>();
  private readonly lines = new Map<number, WorkerLine>();

  ask(path: string, body?: unknown): Promise<Response> {
    const id = ++this.last;
    return new Promise((take) => {
      this.asked.set(id, { take, timer: 0 });
      this.tell({ kind: "ask", id, method: body === undefined ? "GET" : "POST", path, body: body === undefined ? "" : JSON.stringify(body) });
      this.watch();
    });
  }

  connect(game: string): Line {
    const id = ++this.last;
    const line = new WorkerLine((message) => this.tell({ ...message, id }), () => this.lines.delete(id));
    this.lines.set(id, line);
    this.tell({ kind: "sit", id, game });
    setTimeout(() => line.opened());
    return line;
  }

  forget(game: string): void {
    this.tell({ kind: "forget", game });
  }

  private tell(message: ToWorker): void {
    if (!this.worker) {
      this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
      this.worker.onerror = () => this.fail(aloneWords.broken);
      readiness.stage = "loading";
      this.worker.postMessage({ kind: "begin", base: new URL("./engine/", document.baseURI).href } satisfies ToWorker);
    }
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    switch (message.kind) {
      case "loading":
        readiness.part = message.part;
        return;
      case "ready":
        readiness.stage = "ready";
        return this.watch();
      case "failed":
        readiness.stage = "failed";
        console.warn(message.reason);
        return this.fail(aloneWords.notLoaded);
      case "mistake":
        console.error(message.reason);
        return this.answer(message.id, refusal(500, aloneWords.mistake));
      case "answer":
        return this.answer(message.id, new Response(message.text, { status: message.status, headers: { "content-type": message.type } }));
      case "told":
        return this.lines.get(message.id)?.onmessage?.({ data: message.text });
      case "gone":
        return this.lines.get(message.id)?.gone(message.code);
    }
  }

  private answer(id: number, answer: Response): void {
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.take(answer);
  }

  /** See to it that nothing is waited for in vain; what the engine needs to be fetched is not counted. */
  private watch(): void {
    if (readiness.stage !== "ready") return;
    for (const waiting of this.asked.values()) waiting.timer ||= window.setTimeout(() => this.fail(aloneWords.tooLong), PATIENCE);
  }

  /** End the worker: everybody who waits is told why, and the next who asks starts another. */
  private fail(reason: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const id of [...this.asked.keys()]) this.answer(id, refusal(503, reason));
    for (const line of [...this.lines.values()]) line.gone(LOST);
  }
}

/** A connection to a game in the worker. */
class WorkerLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;

  constructor(
    private readonly tell: (message: { kind: "say"; text: string } | { kind: "part" }) => void,
    private readonly forget: () => void,
  ) {}

  opened(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  send(text: string): void {
    this.tell({ kind: "say", text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.tell({ kind: "part" });
    this.gone(1000);
  }

  gone(code: number): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.forget();
    this.onclose?.({ code });
  }
}

export const worker: Carrier = new Python();
