/** The live connection to a game, which reconnects automatically. */

import { transport, type GameSocket } from "./transport";
import type { ServerMessage, ClientMessage } from "./protocol";

export type ConnectionState = "connecting" | "open" | "reconnecting" | "closed";

const FINAL_CLOSE_CODES = new Set([4400, 4404]); // do not reconnect: bad message (4400), no such game (4404)

/** Return the delay before a reconnection attempt, in milliseconds. */
export function backoff(attempt: number, chance: number = Math.random()): number {
  return Math.min(15_000, 400 * 2 ** attempt) * (0.6 + 0.4 * chance);
}

export class LiveConnection {
  #socket: GameSocket | null = null;
  #attempt = 0;
  #timer = 0;
  #heartbeat = 0;
  #isClosed = false;

  constructor(
    private readonly game: string,
    private readonly hello: () => ClientMessage,
    private readonly onMessage: (message: ServerMessage) => void,
    private readonly onState: (state: ConnectionState) => void,
  ) {
    this.#open();
    addEventListener("online", this.#reconnectNow);
    document.addEventListener("visibilitychange", this.#reconnectNow);
  }

  /** Send a message. Return false if there is no open connection. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    removeEventListener("online", this.#reconnectNow);
    document.removeEventListener("visibilitychange", this.#reconnectNow);
    this.#socket?.close();
    this.onState("closed");
  }

  readonly #reconnectNow = (): void => {
    if (!this.#isClosed && !document.hidden && this.#socket === null) {
      clearTimeout(this.#timer);
      this.#open();
    }
  };

  #open(): void {
    this.onState(this.#attempt ? "reconnecting" : "connecting");
    const socket = transport.connect(this.game);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.onState("open");
      this.send(this.hello());
      this.#heartbeat = window.setInterval(() => this.send({ type: "ping" }), 25_000);
    };
    socket.onmessage = (event) => {
      this.onMessage(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = (event) => {
      clearInterval(this.#heartbeat);
      if (FINAL_CLOSE_CODES.has(event.code)) this.close();
      if (this.#isClosed || this.#socket !== socket) return;
      this.#socket = null;
      this.onState("reconnecting");
      this.#timer = window.setTimeout(() => this.#open(), backoff(this.#attempt++));
    };
  }
}
