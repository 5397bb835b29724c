/** The games in which this browser has seats, stored only on this device. */

import type { Seat } from "../api/protocol";
import { loadLocal, saveLocal } from "../app/localStore";

export interface MyGame {
  game: string;
  secrets: Partial<Record<Seat, string>>;
  /** secrets of the other seats, to be sent to friends */
  friends?: Partial<Record<Seat, string>>;
  what: string;
  when: number;
  over?: boolean;
}

/** List the games in which this browser has a seat, latest first. */
export function myGames(): MyGame[] {
  return loadLocal<MyGame[]>("games", []).sort((x, y) => y.when - x.when);
}

/** Store a game and the seats held in it. */
export function saveGame(game: MyGame): void {
  const games = myGames();
  const existing = games.find((g) => g.game === game.game);
  const merged = { ...existing, ...game, secrets: { ...existing?.secrets, ...game.secrets } };
  saveLocal("games", [merged, ...games.filter((g) => g.game !== game.game)].slice(0, 30));
}

export function forgetGame(game: string): void {
  saveLocal(
    "games",
    myGames().filter((g) => g.game !== game),
  );
}
