/** Who answers the page: a server, or, where there is none, Python in a worker of this browser (docs/site.md). */

/** A live connection to a game, with as much of a WebSocket as is used. */
export interface Line {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Carrier {
  /** Ask an address under /api; with a body it is a POST. */
  ask(path: string, body?: unknown): Promise<Response>;
  connect(game: string): Line;
  /** Forget a game that only this browser has. */
  forget(game: string): void;
}

/** Whether there is no server: `dicemasters site` writes that into the page. */
export const alone = typeof document !== "undefined" && document.querySelector<HTMLMetaElement>('meta[name="carrier"]')?.content === "worker";

const server: Carrier = {
  ask: (path, body) =>
    fetch(`/api${path}`, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  connect(game) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/api/games/${game}/live`) as Line;
  },
  forget: () => undefined,
};

export const carrier: Carrier = alone ? (await import("../worker/workerTransport")).worker : server;
