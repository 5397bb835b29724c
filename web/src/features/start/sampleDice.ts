/** A few dice for the start page, drawn like any others. */

import type { FaceData } from "../../api/protocol";
import type { EmblemSource } from "../../ui/emblem";

interface Shown {
  card: EmblemSource & { die: { key: string; base: string; ink: string; faces: FaceData[] } };
  face: number;
  at: { left: number; top: number; size: number; turn: number };
}

const BLANK: FaceData = { kind: "energy", energy: "", generic: 0, level: 0, cost: 0, a: 0, d: 0, burst: 0 };
const level = (n: number, cost: number, a: number, d: number, burst = 0): FaceData => ({
  ...BLANK,
  kind: "character",
  level: n,
  cost,
  a,
  d,
  burst,
});

const die = (
  title: string,
  key: string,
  team: string,
  base: string,
  ink: string,
  face: FaceData,
  at: [number, number, number, number],
): Shown => ({
  card: {
    title,
    kind: title === "Sidekick" ? "sidekick" : face.kind === "action" ? "basic" : "character",
    affiliations: team ? [team] : [],
    die: { key, base, ink, faces: [face] },
  },
  face: 0,
  at: { left: at[0], top: at[1], size: at[2], turn: at[3] },
});

export const SAMPLE_DICE: Shown[] = [
  die("Hulk", "hulk", "Avengers", "#6bbf73", "#13431c", level(3, 3, 8, 8), [36, 30, 168, -9]),
  die("Spider-Man", "spidermanavx", "", "#e92b2e", "#190706", level(2, 1, 4, 4), [17, 13, 118, 11]),
  die("Iron Man", "ironmanavx", "Avengers", "#fadc57", "#7d4013", level(2, 1, 4, 6), [67, 11, 124, 8]),
  die("Wolverine", "wolverineavx", "X-Men", "#f9ee28", "#725d5b", level(1, 1, 5, 2, 1), [69, 55, 112, -13]),
  die("Sidekick", "sidekick", "", "#e7e5df", "#25262d", { ...BLANK, energy: "B" }, [21, 58, 88, 17]),
  die("Storm", "stormavx", "X-Men", "#1a395a", "#c2d4e1", { ...BLANK, energy: "MM" }, [47, 70, 84, -6]),
  die("Black Widow", "blackwidow", "Avengers", "#1f1d24", "#c9706d", level(2, 0, 2, 2), [48, 8, 82, -14]),
  die("Power Bolt", "ba_bolt", "", "#1f7a3d", "#eafff0", { ...BLANK, kind: "action", burst: 1 }, [87, 39, 70, 18]),
  die("Thor", "thor", "Avengers", "#ef313e", "#12151d", level(3, 3, 8, 8), [12, 41, 74, -20]),
];
