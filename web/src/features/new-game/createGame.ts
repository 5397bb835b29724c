/** Opening games: the request, what this device keeps of it, the way to its table. */

import { createGame } from "../../api/client";
import type { Difficulty, NewGameRequest, GameCreated as Made, Seat, SeatRequest } from "../../api/protocol";
import { absoluteUrl } from "../../app/router.svelte";
import { pagesText } from "../../i18n";
import { settings } from "../../app/settings.svelte";
import { saveGame, myGames } from "../../game/myGames";

export interface OpenedGame {
  game: string;
  /** the way to one's own seat */
  path: string;
  /** what friends have to open to sit down, by their seats */
  invitations: Partial<Record<Seat, string>>;
}

/** How a game is shared: by links only the seats of this device are sat in, and the friends' are kept for sending. */
export type Sharing = "alone" | "screen" | "link";

export const ownSeat = (): SeatRequest => ({ kind: "person", name: settings.name });

/** Ask for a game, and keep what opens its seats. */
export async function openGame(
  request: NewGameRequest,
  sharing: Sharing = "alone",
  own: Seat[] = ["A"],
): Promise<OpenedGame> {
  return storeGame(await createGame(request), sharing, own);
}

function storeGame(made: Made, sharing: Sharing, own: Seat[]): OpenedGame {
  const all = Object.entries(made.seats) as [Seat, string][];
  const isHere = ([seat]: [Seat, string]): boolean => sharing !== "link" || own.includes(seat);
  const here = all.filter(isHere);
  const others = all.filter((one) => !isHere(one));
  saveGame({
    game: made.game,
    secrets: Object.fromEntries(here),
    friends: Object.fromEntries(others),
    what: "",
    when: Date.now(),
  });
  return {
    game: made.game,
    path: `/g/${made.game}#${here.map(([, secret]) => secret).join(",")}`,
    invitations: Object.fromEntries(others.map(([seat, secret]) => [seat, absoluteUrl(`/g/${made.game}#${secret}`)])),
  };
}

/** The computer of the first games: gentle until one has been played to its end. */
export const firstOpponent = (): SeatRequest => ({
  kind: "player",
  player: myGames().some((g) => g.over) ? "level2" : "level1",
  name: pagesText.firstRival,
});

/** Ask for the rulebook's first game with somebody. */
export const openFirstGame = (other: SeatRequest, sharing: Sharing = "alone"): Promise<OpenedGame> =>
  openGame({ format: "first", seats: [ownSeat(), other] }, sharing);

export const openSolitaire = (difficulty: Difficulty): Promise<OpenedGame> =>
  openGame({
    format: "tournament",
    seats: [ownSeat(), { kind: "player", player: "scripted" }],
    solitaire: { difficulty, readings: [] },
  });

export const openBotGame = (): Promise<OpenedGame> =>
  openGame({
    format: "first",
    seats: [
      { kind: "player", player: "simple" },
      { kind: "player", player: "simple" },
    ],
  });

/** Copy a text; without a clipboard (outside https) by hand. False where neither works. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
