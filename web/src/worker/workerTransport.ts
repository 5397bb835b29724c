/** Transport to Python in a worker, which starts when it is first needed and again after it has been ended. */

import type { Transport, GameSocket } from "../api/transport";
import { offlineText } from "../i18n";
import { engineStatus } from "./engineStatus.svelte";
import type { FromWorker, ToWorker } from "./messages";

const ANSWER_TIMEOUT = 60_000; // timeout for one answer, in milliseconds, once the engine runs
const ABNORMAL_CLOSURE = 1006; // the close code of a broken WebSocket, after which players reconnect automatically

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
    return new Promise((resolve) => {
      this.#pending.set(id, { resolve, timer: 0 });
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
    const socket = new WorkerSocket(
      (message) => this.#post({ ...message, id }),
      () => this.#sockets.delete(id),
    );
    this.#sockets.set(id, socket);
    this.#post({ kind: "sit", id, game });
    setTimeout(() => socket.markOpen());
    return socket;
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

  /** Start the timeouts of pending requests. The time to load the engine does not count. */
  #startTimeouts(): void {
    if (engineStatus.stage !== "ready") return;
    for (const request of this.#pending.values())
      request.timer ||= window.setTimeout(() => this.#fail(offlineText.tooLong), ANSWER_TIMEOUT);
  }

  /** End the worker and answer all pending requests with the reason. The next request starts another worker. */
  #fail(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const id of [...this.#pending.keys()]) this.#resolveRequest(id, errorResponse(503, reason));
    for (const socket of [...this.#sockets.values()]) socket.markClosed(ABNORMAL_CLOSURE);
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
