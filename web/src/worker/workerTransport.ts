/** Python in a worker, which is started when it is first needed, and again if it has been ended. */

import type { Transport, GameSocket } from "../api/transport";
import { offlineText } from "../i18n";
import { engineStatus } from "./engineStatus.svelte";
import type { FromWorker, ToWorker } from "./messages";

const ANSWER_TIMEOUT = 60_000; // milliseconds for one answer, once the engine runs: what takes longer is given up
const ABNORMAL_CLOSURE = 1006; // as a socket says that breaks; whoever is at a game comes back by itself

const errorResponse = (status: number, error: string): Response => new Response(JSON.stringify({ error }), { status });

interface PendingRequest {
  resolve: (answer: Response) => void;
  timer: number;
}

class WorkerTransport implements Transport {
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #sockets = new Map<number, WorkerSocket>();

  request(path: string, body?: unknown): Promise<Response> {
    const id = ++this.#lastId;
    return new Promise((take) => {
      this.#pending.set(id, { resolve: take, timer: 0 });
      this.#post({
        kind: "ask",
        id,
        method: body === undefined ? "GET" : "POST",
        path,
        body: body === undefined ? "" : JSON.stringify(body),
      });
      this.#startTimeouts();
    });
  }

  connect(game: string): GameSocket {
    const id = ++this.#lastId;
    const line = new WorkerSocket(
      (message) => this.#post({ ...message, id }),
      () => this.#sockets.delete(id),
    );
    this.#sockets.set(id, line);
    this.#post({ kind: "sit", id, game });
    setTimeout(() => line.markOpen());
    return line;
  }

  forget(game: string): void {
    this.#post({ kind: "forget", game });
  }

  #post(message: ToWorker): void {
    if (!this.#worker) {
      this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      this.#worker.onmessage = (event: MessageEvent<FromWorker>) => this.#handleMessage(event.data);
      this.#worker.onerror = () => this.#fail(offlineText.broken);
      engineStatus.stage = "loading";
      this.#worker.postMessage({ kind: "begin", base: new URL("./engine/", document.baseURI).href } satisfies ToWorker);
    }
    this.#worker.postMessage(message);
  }

  #handleMessage(message: FromWorker): void {
    switch (message.kind) {
      case "loading":
        engineStatus.progress = message.part;
        return;
      case "ready":
        engineStatus.stage = "ready";
        return this.#startTimeouts();
      case "failed":
        engineStatus.stage = "failed";
        console.warn(message.reason);
        return this.#fail(offlineText.notLoaded);
      case "mistake":
        console.error(message.reason);
        return this.#resolveRequest(message.id, errorResponse(500, offlineText.mistake));
      case "answer":
        return this.#resolveRequest(
          message.id,
          new Response(message.text, { status: message.status, headers: { "content-type": message.type } }),
        );
      case "told":
        return this.#sockets.get(message.id)?.onmessage?.({ data: message.text });
      case "gone":
        return this.#sockets.get(message.id)?.markClosed(message.code);
    }
  }

  #resolveRequest(id: number, answer: Response): void {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(request?.timer);
    request?.resolve(answer);
  }

  /** See to it that nothing is waited for in vain; what the engine needs to be fetched is not counted. */
  #startTimeouts(): void {
    if (engineStatus.stage !== "ready") return;
    for (const waiting of this.#pending.values())
      waiting.timer ||= window.setTimeout(() => this.#fail(offlineText.tooLong), ANSWER_TIMEOUT);
  }

  /** End the worker: everybody who waits is told why, and the next who asks starts another. */
  #fail(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const id of [...this.#pending.keys()]) this.#resolveRequest(id, errorResponse(503, reason));
    for (const line of [...this.#sockets.values()]) line.markClosed(ABNORMAL_CLOSURE);
  }
}

/** A connection to a game in the worker. */
class WorkerSocket implements GameSocket {
  readyState: number = WebSocket.CONNECTING;
  onopen: GameSocket["onopen"] = null;
  onmessage: GameSocket["onmessage"] = null;
  onclose: GameSocket["onclose"] = null;

  constructor(
    private readonly post: (message: { kind: "say"; text: string } | { kind: "part" }) => void,
    private readonly onGone: () => void,
  ) {}

  markOpen(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  send(text: string): void {
    this.post({ kind: "say", text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.post({ kind: "part" });
    this.markClosed(1000);
  }

  markClosed(code: number): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onGone();
    this.onclose?.({ code });
  }
}

export const workerTransport: Transport = new WorkerTransport();
