/** Where this browser keeps its part in the dice of each game. */

import type { StoredChain, ChainStore } from "./chain";
import { myGames } from "../game/myGames";

const PREFIX = "dicemasters fair ";

/** Give the place for a game's dice; without storage it is only in memory, and a reload takes a new chain. */
export function chainStore(game: string): ChainStore {
  return { read: () => storedChain(game), write: (kept) => write(game, kept) };
}

/** Give what is kept of a game's dice, if anything is. */
export function storedChain(game: string): StoredChain | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + game) ?? "null") as StoredChain | null;
  } catch {
    return null; // storage switched off, or written by something else
  }
}

function write(game: string, kept: StoredChain): void {
  try {
    if (localStorage.getItem(PREFIX + game) === null) forgetUnlisted(game);
    localStorage.setItem(PREFIX + game, JSON.stringify(kept));
  } catch {
    // storage switched off or full
  }
}

/** Forget the dice of games this browser no longer lists. */
function forgetUnlisted(game: string): void {
  const listed = new Set([game, ...myGames().map((g) => g.game)]);
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !listed.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
  }
}
