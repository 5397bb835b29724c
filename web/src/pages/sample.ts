/** A few dice for the start page, drawn like any others. */

import type { Card, Face } from "../contract";

function sample(title: string, energy: string, base: string, ink: string, level: [number, number, number]): Card {
  const blank: Face = { kind: "energy", energy, generic: 0, level: 0, cost: 0, a: 0, d: 0, burst: 0 };
  const [cost, a, d] = level;
  return {
    id: 0, key: "", set: "", title, subtitle: "", kind: "character", cost: 0, energy: "", affiliations: [], max: 0, owner: null,
    text: [], gist: "", globals: [],
    die: { key: "", base, ink, faces: [blank, { ...blank, kind: "character", energy: "", level: 2, cost, a, d, burst: 1 }] },
  };
}

export const SAMPLE: { card: Card; face: number }[] = [
  { card: sample("Hulk", "F", "#3f9a55", "#06250f", [2, 6, 7]), face: 1 },
  { card: sample("Storm", "B", "#e9e6df", "#1f2b45", [0, 2, 3]), face: 0 },
  { card: sample("Iron Man", "S", "#b3261e", "#ffd25e", [1, 4, 6]), face: 1 },
  { card: sample("Black Widow", "MM", "#23262b", "#f0b7ad", [0, 2, 2]), face: 0 },
  { card: sample("Thor", "?", "#2a5da8", "#fff3c4", [2, 7, 6]), face: 0 },
];
