/** The live connection to a game: comes back by itself when it breaks. */

import { carrier, type Line } from "./transport";
import type { ServerMessage, ClientMessage } from "./protocol";

export type Connection = "connecting" | "open" | "reconnecting" | "closed";

const FINAL = new Set([4400, 4404]); // sent away for good: no such game, or not understood

/** Give how long to wait before the n-th attempt, in milliseconds. */
export function backoff(attempt: number, chance: number = Math.random()): number {
  return Math.min(15_000, 400 * 2 ** attempt) * (0.6 + 0.4 * chance);
}

export class Live {
  private socket: Line | null = null;
  private attempt = 0;
  private timer = 0;
  private beat = 0;
  private over = false;

  constructor(
    private readonly game: string,
    private readonly hello: () => ClientMessage,
    private readonly hear: (message: ServerMessage) => void,
    private readonly tell: (state: Connection) => void,
  ) {
    this.open();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** Send a message; false if there is no connection now. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
    this.tell("closed");
  }

  private readonly hurry = (): void => {
    if (!this.over && !document.hidden && this.socket === null) {
      clearTimeout(this.timer);
      this.open();
    }
  };

  private open(): void {
    this.tell(this.attempt ? "reconnecting" : "connecting");
    const socket = carrier.connect(this.game);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.tell("open");
      this.send(this.hello());
      this.beat = window.setInterval(() => this.send({ type: "ping" }), 25_000);
    };
    socket.onmessage = (event) => {
      this.hear(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = (event) => {
      clearInterval(this.beat);
      if (FINAL.has(event.code)) this.close();
      if (this.over || this.socket !== socket) return;
      this.socket = null;
      this.tell("reconnecting");
      this.timer = window.setTimeout(() => this.open(), backoff(this.attempt++));
    };
  }
}
