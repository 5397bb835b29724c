/** The games this browser holds seats in, kept on this device only. */

import type { Seat } from "../api/protocol";
import { kept, keep } from "../app/localStore";

export interface MyGame {
  game: string;
  secrets: Partial<Record<Seat, string>>;
  /** the other seats' secrets, to be sent to friends */
  friends?: Partial<Record<Seat, string>>;
  what: string;
  when: number;
  over?: boolean;
}

/** List the games this browser has a seat in, the latest first. */
export function myGames(): MyGame[] {
  return kept<MyGame[]>("games", []).sort((x, y) => y.when - x.when);
}

/** Remember a game and the seats held in it. */
export function keepGame(game: MyGame): void {
  const old = myGames();
  const before = old.find((g) => g.game === game.game);
  const merged = { ...before, ...game, secrets: { ...before?.secrets, ...game.secrets } };
  keep("games", [merged, ...old.filter((g) => g.game !== game.game)].slice(0, 30));
}

export function forgetGame(game: string): void {
  keep(
    "games",
    myGames().filter((g) => g.game !== game),
  );
}
