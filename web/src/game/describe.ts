/** Dice, faces and energy in words. */

import type { CardData, DieData, FaceData, View } from "../api/protocol";
import { narrationText } from "../i18n";
import { ENERGY_NAMES } from "../ui/richText";

/** Return the two letters that a die shows for a title. */
export function monogram(title: string): string {
  if (title === narrationText.sidekick) return narrationText.sidekickShort;
  const words = title.split(/[^\p{L}\p{N}']+/u).filter(Boolean);
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : (words[0] ?? title).slice(0, 2);
  return letters.toUpperCase();
}

/** Return the text of a Global without "Global:" and its cost, which are shown beside it. */
export function globalText(text: string): string {
  const effect = text.replace(/^Global: (?:Pay (?:\[[FBMS?\d]\]\s*)+[.,:]?\s*)?/, "");
  return effect.charAt(0).toUpperCase() + effect.slice(1);
}

/** Return energy symbols (F, ??, FB) in words. */
export function energyText(symbols: string): string {
  const kinds = [...new Set(symbols)].map((e) => ENERGY_NAMES[e] ?? e);
  if (kinds.length > 1) return kinds.join(narrationText.and);
  return symbols.length > 1 ? `${symbols.length} ${kinds[0]}` : kinds[0]!;
}

/** Describe one face of a die: "2 fist energy", "level 2, 4 attack, 5 defence, fielding cost 1". */
export function faceText(face: FaceData): string {
  const bursts = face.burst ? narrationText.bursts(face.burst) : "";
  if (face.kind === "character")
    return (
      [
        narrationText.level(face.level),
        narrationText.attack(face.a),
        narrationText.defence(face.d),
        narrationText.cost(face.cost),
      ].join(", ") + bursts
    );
  if (face.kind === "action") return narrationText.action + bursts;
  if (face.generic) return narrationText.generic(face.generic);
  const kinds = [...new Set(face.energy)].map((e) => ENERGY_NAMES[e] ?? e).join(narrationText.and);
  return narrationText.ofKind(face.energy.length, kinds);
}

/** Describe a die in its current state, for screen readers. */
export function dieText(die: DieData, card: CardData, view: View, cards: readonly CardData[]): string {
  const phrases: string[] = [card.title];
  const face = die.face === null ? undefined : card.die.faces[die.face];
  if (face) {
    if (face.kind === "character") {
      phrases.push(
        narrationText.level(face.level),
        narrationText.attack(die.a ?? face.a),
        narrationText.defence(die.d ?? face.d),
      );
      if (die.zone !== "field") phrases.push(narrationText.cost(die.cost ?? face.cost));
      if (face.burst) phrases.push(narrationText.oneBurst(face.burst));
    } else phrases.push(faceText(face));
  }
  if (die.damage) phrases.push(narrationText.damage(die.damage));
  if (die.attacking) phrases.push(die.blocked ? narrationText.attackingBlocked : narrationText.attacking);
  for (const i of die.blocks ?? []) {
    const attacker = view.dice.find((x) => x.id === i);
    if (attacker) phrases.push(narrationText.blocking(cards[attacker.card]?.title ?? narrationText.anAttacker));
  }
  phrases.push(...(die.tags ?? []));
  return phrases.join(", ");
}
