/** The worker: loads Python and the engine, and forwards the page's messages (src/dicemasters/webworker/entry.py). */

import type { loadPyodide, PyodideInterface } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import type { FromWorker, ToWorker } from "./messages";
import { IndexedDbStore } from "./indexedDbStore";

interface WorkerEntry extends PyProxy {
  ask(method: string, path: string, body: string): Promise<PyProxy>;
  sit(number: number, game: string): void;
  say(number: number, text: string): void;
  part(number: number): void;
}

const LARGE_FILES = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide.asm.mjs", "dicemasters.zip"];

let entry: Promise<WorkerEntry>;
let store: IndexedDbStore;

const post = (message: FromWorker): void => postMessage(message);

/** Fetch the large files in parallel, so that the browser has cached them, and report the progress. */
async function prefetch(base: string): Promise<void> {
  const sizes = (await (await fetch(`${base}sizes.json`)).json()) as Record<string, number>;
  const total = LARGE_FILES.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
  let received = 0;
  await Promise.all(
    LARGE_FILES.map(async (name) => {
      const answer = await fetch(base + name);
      if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
      const reader = answer.body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        received += read.value.length;
        post({ kind: "loading", part: Math.min(1, received / total) });
      }
    }),
  );
}

async function startEngine(base: string): Promise<WorkerEntry> {
  const [opened] = await Promise.all([IndexedDbStore.open(), prefetch(base)]);
  store = opened;
  const { loadPyodide: load } = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as {
    loadPyodide: typeof loadPyodide;
  };
  const python: PyodideInterface = await load({ indexURL: base });
  python.unpackArchive(await (await fetch(`${base}dicemasters.zip`)).arrayBuffer(), "zip"); // onto Python's module path
  const open = python.pyimport("dicemasters.webworker.entry.WorkerEntry") as PyCallable;
  const onMessage = (id: number, text: string): void => post({ kind: "told", id, text });
  const onClose = (id: number, code: number): void => post({ kind: "gone", id, code });
  const started = open(store, onMessage, onClose) as WorkerEntry;
  post({ kind: "ready" });
  return started;
}

async function handleMessage(message: ToWorker): Promise<void> {
  if (message.kind === "begin") {
    entry = startEngine(message.base);
    entry.catch((error: unknown) => post({ kind: "failed", reason: String(error) }));
    return;
  }
  const engine = await entry;
  switch (message.kind) {
    case "ask": {
      const answer = await engine.ask(message.method, message.path, message.body);
      const [status, text, type] = answer.toJs() as [number, string, string];
      answer.destroy();
      return post({ kind: "answer", id: message.id, status, text, type });
    }
    case "sit":
      return engine.sit(message.id, message.game);
    case "say":
      return engine.say(message.id, message.text);
    case "part":
      return engine.part(message.id);
    case "forget":
      return void (await store.forget(message.game));
  }
}

onmessage = (event: MessageEvent<ToWorker>) => {
  handleMessage(event.data).catch((error: unknown) =>
    post({ kind: "mistake", id: "id" in event.data ? event.data.id : 0, reason: String(error) }),
  );
};
