/** The page's transport: a server, or without one, Python in a worker of this browser (docs/site.md). */

/** A live connection to a game: the part of WebSocket that is used. */
export interface GameSocket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Request a path under /api; with a body it is a POST. */
  request(path: string, body?: unknown): Promise<Response>;
  connect(game: string): GameSocket;
  /** Delete a game that is stored only in this browser. */
  forget(game: string): void;
}

/** Whether there is no server. `dicemasters site` writes this into the page. */
export const isOffline =
  typeof document !== "undefined" &&
  document.querySelector<HTMLMetaElement>('meta[name="carrier"]')?.content === "worker";

const server: Transport = {
  request: (path, body) =>
    fetch(
      `/api${path}`,
      body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    ),
  connect(game) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/api/games/${game}/live`) as GameSocket;
  },
  forget: () => undefined,
};

export const transport: Transport = isOffline ? (await import("../worker/workerTransport")).workerTransport : server;
