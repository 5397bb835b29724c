/** Creating games: the request, what this device stores, and the path to the game. */

import { createGame } from "../../api/client";
import type { Difficulty, NewGameRequest, GameCreated as Made, Seat, SeatRequest } from "../../api/protocol";
import { absoluteUrl } from "../../app/router.svelte";
import { pagesText } from "../../i18n";
import { settings } from "../../app/settings.svelte";
import { saveGame, myGames } from "../../game/myGames";

export interface OpenedGame {
  game: string;
  /** the path to the player's own seat */
  path: string;
  /** links for friends, by seat */
  invitations: Partial<Record<Seat, string>>;
}

/** How a game is shared. By link, this device takes only its own seats, and keeps the friends' links for sending. */
export type Sharing = "alone" | "screen" | "link";

export const ownSeat = (): SeatRequest => ({ kind: "person", name: settings.name });

/** Create a game, and store what opens its seats. */
export async function openGame(
  request: NewGameRequest,
  sharing: Sharing = "alone",
  own: Seat[] = ["A"],
): Promise<OpenedGame> {
  return storeGame(await createGame(request), sharing, own);
}

function storeGame(created: Made, sharing: Sharing, own: Seat[]): OpenedGame {
  const all = Object.entries(created.seats) as [Seat, string][];
  const isHere = ([seat]: [Seat, string]): boolean => sharing !== "link" || own.includes(seat);
  const here = all.filter(isHere);
  const others = all.filter((one) => !isHere(one));
  saveGame({
    game: created.game,
    secrets: Object.fromEntries(here),
    friends: Object.fromEntries(others),
    what: "",
    when: Date.now(),
  });
  return {
    game: created.game,
    path: `/g/${created.game}#${here.map(([, secret]) => secret).join(",")}`,
    invitations: Object.fromEntries(
      others.map(([seat, secret]) => [seat, absoluteUrl(`/g/${created.game}#${secret}`)]),
    ),
  };
}

/** The bot of the first games: an easy one until a game has been played to its end. */
export const firstOpponent = (): SeatRequest => ({
  kind: "player",
  player: myGames().some((g) => g.over) ? "level2" : "level1",
  name: pagesText.firstRival,
});

/** Create the rulebook's introductory game against an opponent. */
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

/** Copy a text, also without a clipboard (outside https). Return whether it worked. */
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
