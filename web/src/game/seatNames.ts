/** What somebody is called who has said no name yet. */

import type { Seat } from "../api/protocol";
import { phrases } from "../i18n";

/** Call a seat by what it is to the seats of the one who looks; to who watches, or plays both sides, by its number. */
export function nameless(seat: Seat, you: readonly Seat[], seats: readonly Seat[]): string {
  const side = (one: Seat): number => seats.indexOf(one) & 1;
  if (!you.length || you.includes(seat) || you.some((one) => side(one) !== side(you[0]!))) return phrases.player(seats.indexOf(seat) + 1);
  if (side(seat) === side(you[0]!)) return phrases.thePartner;
  const rivals = seats.filter((one) => side(one) === side(seat));
  return rivals.length > 1 ? phrases.rivalOf(rivals.indexOf(seat) + 1) : phrases.theRival;
}
