/** What somebody is called who has said no name yet. */

import type { Seat } from "../api/protocol";
import { gameText } from "../i18n";

/** Call a seat by what it is to the seats of the one who looks; to who watches, or plays both sides, by its number. */
export function defaultSeatName(seat: Seat, you: readonly Seat[], seats: readonly Seat[]): string {
  const side = (one: Seat): number => seats.indexOf(one) & 1;
  if (!you.length || you.includes(seat) || you.some((one) => side(one) !== side(you[0]!)))
    return gameText.player(seats.indexOf(seat) + 1);
  if (side(seat) === side(you[0]!)) return gameText.thePartner;
  const rivals = seats.filter((one) => side(one) === side(seat));
  return rivals.length > 1 ? gameText.rivalOf(rivals.indexOf(seat) + 1) : gameText.theRival;
}
