/** The worker's game store: games and their events in IndexedDB. Existing entries are never overwritten. */

const GAMES = "games";
const EVENTS = "events";

function promisify<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Wait until a transaction has completed. Return false if an entry already existed. */
function completed(transaction: IDBTransaction): Promise<boolean> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () =>
      transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error);
  });
}

export class IndexedDbStore {
  private constructor(private readonly database: IDBDatabase) {}

  static async open(): Promise<IndexedDbStore> {
    const request = indexedDB.open("dicemasters", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(GAMES);
      request.result.createObjectStore(EVENTS);
    };
    return new IndexedDbStore(await promisify(request));
  }

  create(game: string, text: string): Promise<boolean> {
    const transaction = this.database.transaction(GAMES, "readwrite");
    transaction.objectStore(GAMES).add(text, game);
    return completed(transaction);
  }

  find(game: string): Promise<string | undefined> {
    return promisify(this.database.transaction(GAMES).objectStore(GAMES).get(game) as IDBRequest<string | undefined>);
  }

  /** Append events, numbered from `number`: all or none. */
  append(game: string, number: number, texts: string): Promise<boolean> {
    const transaction = this.database.transaction(EVENTS, "readwrite");
    for (const [n, event] of (JSON.parse(texts) as unknown[]).entries())
      transaction.objectStore(EVENTS).add(event, [game, number + n]);
    return completed(transaction);
  }

  async events(game: string, after: number): Promise<string> {
    const range = IDBKeyRange.bound([game, after + 1], [game, Infinity]);
    return JSON.stringify(await promisify(this.database.transaction(EVENTS).objectStore(EVENTS).getAll(range)));
  }

  forget(game: string): Promise<boolean> {
    const transaction = this.database.transaction([GAMES, EVENTS], "readwrite");
    transaction.objectStore(GAMES).delete(game);
    transaction.objectStore(EVENTS).delete(IDBKeyRange.bound([game, 0], [game, Infinity]));
    return completed(transaction);
  }
}
