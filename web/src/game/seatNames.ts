/** Default names of players who have not given a name. */

import type { Seat } from "../api/protocol";
import { gameText } from "../i18n";

/** Name a seat by its relation to the viewer's seats. Spectators, and viewers on both sides, get its number. */
export function defaultSeatName(seat: Seat, you: readonly Seat[], seats: readonly Seat[]): string {
  const side = (one: Seat): number => seats.indexOf(one) & 1;
  if (!you.length || you.includes(seat) || you.some((one) => side(one) !== side(you[0]!)))
    return gameText.player(seats.indexOf(seat) + 1);
  if (side(seat) === side(you[0]!)) return gameText.thePartner;
  const rivals = seats.filter((one) => side(one) === side(seat));
  return rivals.length > 1 ? gameText.rivalOf(rivals.indexOf(seat) + 1) : gameText.theRival;
}
