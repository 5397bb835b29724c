/** Opening games: the request, what this device keeps of it, the way to its table. */

import { createGame } from "./api";
import type { Difficulty, NewGame, Opened as Made, Seat, Wanted } from "./contract";
import { linkTo } from "./route.svelte";
import { keepGame, settings } from "./settings.svelte";

export interface Opened {
  game: string;
  /** the way to one's own seat */
  path: string;
  /** what a friend has to open to sit down, where there is one */
  invitation: string;
}

/** How a game is shared: by a link only one's own seat is sat in, and the friend's is kept for sending. */
export type Company = "alone" | "screen" | "link";

export const me = (): Wanted => ({ kind: "person", name: settings.name });

/** Ask for a game, and keep what opens its seats. */
export async function open(request: NewGame, company: Company = "alone", what = ""): Promise<Opened> {
  return take(await createGame(request), company, what);
}

function take(made: Made, company: Company, what: string): Opened {
  const { A, ...others } = made.seats;
  const byLink = company === "link" && A !== undefined;
  const secrets: Partial<Record<Seat, string>> = byLink ? { A } : made.seats;
  keepGame({ game: made.game, secrets, friends: byLink ? others : {}, what, when: Date.now() });
  return {
    game: made.game,
    path: `/g/${made.game}#${Object.values(secrets).join(",")}`,
    invitation: byLink ? linkTo(`/g/${made.game}#${Object.values(others).join(",")}`) : "",
  };
}

/** Ask for the rulebook's first game with somebody. */
export const firstGame = (other: Wanted, company: Company = "alone"): Promise<Opened> =>
  open({ format: "first", seats: [me(), other] }, company);

export const solitaire = (difficulty: Difficulty): Promise<Opened> =>
  open({ format: "tournament", seats: [me(), { kind: "player", player: "scripted" }], solitaire: { difficulty, readings: [] } });

export const twoPrograms = (): Promise<Opened> =>
  open({ format: "first", seats: [{ kind: "player", player: "simple" }, { kind: "player", player: "simple" }] });

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
