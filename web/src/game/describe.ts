/** Dice and cards in words. */

import type { CardData, DieData, FaceData, View } from "../api/protocol";
import { telling } from "../i18n";
import { ENERGY_WORDS } from "../ui/richText";

/** Shorten a title to the two letters a die shows. */
export function monogram(title: string): string {
  if (title === telling.sidekick) return telling.sidekickShort;
  const words = title.split(/[^\p{L}\p{N}']+/u).filter(Boolean);
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : (words[0] ?? title).slice(0, 2);
  return letters.toUpperCase();
}

/** Give the text of a Global without what is said beside it anyway: that it is one, and its cost. */
export function globalText(text: string): string {
  const deed = text.replace(/^Global: (?:Pay (?:\[[FBMS?\d]\]\s*)+[.,:]?\s*)?/, "");
  return deed.charAt(0).toUpperCase() + deed.slice(1);
}

/** Say energy as it is drawn: F, ??, FB. */
export function energyWords(symbols: string): string {
  const kinds = [...new Set(symbols)].map((e) => ENERGY_WORDS[e] ?? e);
  if (kinds.length > 1) return kinds.join(telling.and);
  return symbols.length > 1 ? `${symbols.length} ${kinds[0]}` : kinds[0]!;
}

/** Say one face of a die: "2 fist energy", "level 2, 4 attack, 5 defence, fielding cost 1". */
export function faceWords(face: FaceData): string {
  const bursts = face.burst ? telling.bursts(face.burst) : "";
  if (face.kind === "character")
    return [telling.level(face.level), telling.attack(face.a), telling.defence(face.d), telling.cost(face.cost)].join(", ") + bursts;
  if (face.kind === "action") return telling.action + bursts;
  if (face.generic) return telling.generic(face.generic);
  const kinds = [...new Set(face.energy)].map((e) => ENERGY_WORDS[e] ?? e).join(telling.and);
  return telling.ofKind(face.energy.length, kinds);
}

/** Say a die as it lies, for a screen reader. */
export function dieWords(die: DieData, card: CardData, view: View, cards: readonly CardData[]): string {
  const said: string[] = [card.title];
  const face = die.face === null ? undefined : card.die.faces[die.face];
  if (face) {
    if (face.kind === "character") {
      said.push(telling.level(face.level), telling.attack(die.a ?? face.a), telling.defence(die.d ?? face.d));
      if (die.zone !== "field") said.push(telling.cost(die.cost ?? face.cost));
      if (face.burst) said.push(telling.oneBurst(face.burst));
    } else said.push(faceWords(face));
  }
  if (die.damage) said.push(telling.damage(die.damage));
  if (die.attacking) said.push(die.blocked ? telling.attackingBlocked : telling.attacking);
  for (const i of die.blocks ?? []) {
    const attacker = view.dice.find((x) => x.id === i);
    if (attacker) said.push(telling.blocking(cards[attacker.card]?.title ?? telling.anAttacker));
  }
  said.push(...(die.tags ?? []));
  return said.join(", ");
}
