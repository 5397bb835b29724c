/** Storage for this browser's part in the dice of each game. */

import type { StoredChain, ChainStore } from "./chain";
import { myGames } from "../game/myGames";

const PREFIX = "dicemasters fair ";

/** Return the store of a game. Without storage the chain is only in memory, and a reload starts a new one. */
export function chainStore(game: string): ChainStore {
  return { read: () => storedChain(game), write: (kept) => write(game, kept) };
}

/** Return what is stored about a game's dice, if anything. */
export function storedChain(game: string): StoredChain | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + game) ?? "null") as StoredChain | null;
  } catch {
    return null; // storage disabled, or written by other code
  }
}

function write(game: string, kept: StoredChain): void {
  try {
    if (localStorage.getItem(PREFIX + game) === null) forgetUnlisted(game);
    localStorage.setItem(PREFIX + game, JSON.stringify(kept));
  } catch {
    // storage disabled or full
  }
}

/** Delete the chains of games that this browser no longer lists. */
function forgetUnlisted(game: string): void {
  const listed = new Set([game, ...myGames().map((g) => g.game)]);
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !listed.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
  }
}
