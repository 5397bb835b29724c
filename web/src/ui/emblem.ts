/**
 * The emblem of a die, without art: a frame for the affiliation, one of sixteen divisions, a charge for the character.
 *
 * All of it is plain geometry in a 24 by 24 box, in the two colours of the die. No charge is a symbol that a character
 * wears.
 */

export interface EmblemSource {
  title: string;
  kind: string;
  affiliations: readonly string[];
  /** the die's key, only to give dice of the same character different emblems */
  die: { key: string };
}

/** A part of a charge: a filled path, or a path drawn as a line with this width. */
export type Stroke = string | [path: string, width: number];

export interface Emblem {
  frame: Frame;
  division: string;
  charge: readonly Stroke[];
  /** the vertical centre of the charge */
  middle: number;
}

export type Frame = keyof typeof FRAMES;

const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const ring = (outer: number, inner: number): string => disc(12, 12, outer) + disc(12, 12, inner);
const box = (x: number, y: number, w: number, h: number): string => `M${x} ${y}h${w}v${h}h${-w}z`;

function corners(n: number, at: (i: number) => [radius: number, turn: number]): string {
  const points = Array.from({ length: n }, (_, i) => {
    const [radius, turn] = at(i);
    const angle = 2 * Math.PI * turn - Math.PI / 2;
    return `${(12 + radius * Math.cos(angle)).toFixed(2)} ${(12 + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}z`;
}

export const star = (points: number, outer: number, inner: number): string =>
  corners(2 * points, (i) => [i % 2 ? inner : outer, i / (2 * points)]);
const polygon = (n: number, radius: number, turn = 0): string => corners(n, (i) => [radius, i / n + turn]);

export const FRAMES = {
  hexagon: polygon(6, 12),
  circle: disc(12, 12, 11.4),
  kite: "M12 0l11.5 10L12 24 .5 10z",
  slanted: "M5.5 1H24l-5.5 22H0z",
  pentagon: polygon(5, 12.6),
  octagon: polygon(8, 12.3, 1 / 16),
  square: "M4 .8h16A3.2 3.2 0 0 1 23.2 4v16a3.2 3.2 0 0 1-3.2 3.2H4A3.2 3.2 0 0 1 .8 20V4A3.2 3.2 0 0 1 4 .8z",
  cut: "M7.5 .8h9L23.2 7.5v9l-6.7 6.7h-9L.8 16.5v-9z",
  arch: "M1 23V11a11 11 0 0 1 22 0v12z",
  pennant: "M2 .8h20v15L12 23.6 2 15.8z",
  sawtooth: star(12, 12.2, 10),
};

const FRAME_OF: Record<string, Frame> = {
  Avengers: "hexagon",
  "X-Men": "circle",
  Villains: "kite",
  Thunderbolts: "slanted",
  "New Warriors": "pentagon",
  "S.H.I.E.L.D.": "octagon",
  "Fantastic Four": "square",
  "Guardians of the Galaxy": "cut",
  "Spider-Friends": "arch",
};

const DIVISIONS = [
  "",
  box(0, 0, 12, 24),
  box(0, 12, 24, 12),
  "M0 0h24L0 24z",
  box(0, 0, 12, 12) + box(12, 12, 12, 12),
  "M0 17 12 7l12 10v7L12 14 0 24z",
  "M12 12 0 0h8zM12 12 24 0v8zM12 12l12 12h-8zM12 12 0 24v-8z",
  box(0, 2.5, 24, 4.5) + box(0, 11.5, 24, 4.5) + box(0, 20, 24, 4),
  box(2.5, 0, 4.5, 24) + box(11.5, 0, 4.5, 24) + box(20, 0, 4, 24),
  "M0 9 9 0h6L0 15zM0 22 22 0h2v4L4 24H0zM24 10v6l-8 8h-6z",
  box(0, 0, 24, 24) + box(4, 4, 16, 16),
  "M12 1.5 22.5 12 12 22.5 1.5 12z",
  "M9.5 0h5v9.5H24v5h-9.5V24h-5v-9.5H0v-5h9.5z",
  "M4 0h16l-8 24z",
  box(0, 0, 8, 8) + box(16, 0, 8, 8) + box(8, 8, 8, 8) + box(0, 16, 8, 8) + box(16, 16, 8, 8),
  box(0, 0, 24, 9),
];

const CHARGES: Record<string, readonly Stroke[]> = {
  anvil: [box(10, 1.5, 4, 13) + box(3, 14.5, 18, 7.5)],
  arcs: [["M3 21A18 18 0 0 1 21 3M3 12.5A9.5 9.5 0 0 1 12.5 3M11 21A10 10 0 0 1 21 11", 3]],
  atom: [
    [
      "M1 12c0-5.6 22-5.6 22 0S1 17.6 1 12zM6.5 2.5c4.8-2.8 15.8 16.2 11 19S1.7 5.3 6.5 2.5zM17.5 2.5c-4.8-2.8-15.8 16.2-11 19S22.3 5.3 17.5 2.5z",
      1.8,
    ],
    disc(12, 12, 2.6),
  ],
  badge: ["M2 3l10 5 10-5v4.5l-10 5-10-5zM2 12l10 5 10-5v4.5l-10 5-10-5z"],
  band: [box(1, 8.5, 22, 7) + box(1, 4.5, 4, 15) + box(19, 4.5, 4, 15)],
  beam: ["M3 2.5h18V8h-6v8h6v5.5H3V16h6V8H3z"],
  blade: ["M21.5 2 22 7 12 17l2.2 2.2-2 2L9 18l-4.5 4.5L1.5 19.5 6 15l-3.2-3.2 2-2L7 12 17 2z"],
  blast: [star(12, 12, 7)],
  board: ["M20.5 1.5c3 2.5-2 9-8 14s-9 8-10.5 6.5S5 14 10.5 8.5 18.5 0 20.5 1.5z"],
  boss: [disc(12, 12, 11) + box(5, 9.7, 14, 4.6)],
  bounce: [disc(16, 8, 6.5), ["M2 21l4-6M6.5 22l3-4.5M2 13l3-3", 2.6]],
  bricks: [
    box(1.5, 4, 9.5, 4.5) +
      box(13, 4, 9.5, 4.5) +
      box(1.5, 10, 4.5, 4.5) +
      box(8, 10, 8, 4.5) +
      box(18, 10, 4.5, 4.5) +
      box(1.5, 16, 9.5, 4.5) +
      box(13, 16, 9.5, 4.5),
  ],
  bullet: ["M6 22.5V10a6 8.5 0 0 1 12 0v12.5zM6 16.5h12v2H6z"],
  card: ["M8 1l12.5 3.3L16 23 3.5 19.7zM12 7l-3 5.5 2 4.5 3-5.5z"],
  cells: [polygon(6, 11.5) + box(5, 8.5, 14, 2) + box(3.5, 13, 17, 2)],
  chain: [
    [
      "M8 16.5 4.7 19.8a4.5 4.5 0 0 1-6.4 0M10 9 13.5 5.5a4.6 4.6 0 0 1 6.5 6.5L16.5 15.5M14 15l-3.5 3.5A4.6 4.6 0 0 1 4 12l3.5-3.5M9 15l6-6",
      3,
    ],
  ],
  coil: [["M2 6h20M2 12h20M2 18h20M22 6 2 12M22 12 2 18", 2.4]],
  comet: [disc(16, 8, 6), ["M2 22 9 15M2 14l5-5M10 22l5-5", 2.8]],
  crown: ["M1.5 5l5.3 5L12 2l5.2 8 5.3-5-2.2 15.5H3.7z"],
  dart: ["M12 22.5 4 8h5.5V1.5h5V8H20z"],
  dome: ["M2 21v-7a10 10 0 0 1 20 0v7h-6.5v-6h-7v6z"],
  dots: [disc(6, 6, 4.5) + disc(16.5, 8, 3.2) + disc(8.5, 17, 3) + disc(17, 17.5, 2) + disc(21.5, 13, 1.4)],
  drop: ["M12 1c4.5 6.5 7.5 9.5 7.5 14a7.5 7.5 0 0 1-15 0c0-4.5 3-7.5 7.5-14z"],
  eye: [
    "M1 12c3.5-5.5 7-7.5 11-7.5S19.5 6.5 23 12c-3.5 5.5-7 7.5-11 7.5S4.5 17.5 1 12z" +
      disc(12, 12, 5) +
      disc(12, 12, 2.3),
  ],
  fangs: ["M1.5 4h21L19 21l-4-10H9L5 21z"],
  fin: ["M2 21.5C4 11 10 4 21 2c-4 6-4 12 1 19.5z"],
  flame: [
    "M12.5 1c.6 4.5 7 7 7 13.5A7.5 7.5 0 0 1 4.5 14.5c0-3.3 1.7-5 2.7-7.3.7 1.8 1.4 2.6 2.4 3C9.2 6.5 10.5 3.5 12.5 1zM12 20c2 0 3.2-1.4 3.2-3.2 0-2-1.7-2.8-2.6-4.8-.8 2.3-3.8 2.8-3.8 5C8.8 18.7 10 20 12 20z",
  ],
  fletch: ["M12 1 21 9v5l-9-8-9 8V9zM12 9l9 8v5l-9-8-9 8v-5z"],
  gate: ["M2 22.5V12a10 10 0 0 1 20 0v10.5h-5V12a5 5 0 0 0-10 0v10.5z"],
  gear: [star(9, 11.5, 8.3) + disc(12, 12, 3.6)],
  gem: ["M6.5 3h11L23 9.5 12 22 1 9.5zM6.8 10h10.4L12 17z"],
  glow: [ring(7, 3.8), ["M12 0v3M12 21v3M0 12h3M21 12h3", 3]],
  grow: [box(2, 14, 4.5, 8.5) + box(8.5, 9, 5.5, 13.5) + box(16, 1.5, 6.5, 21)],
  halves: ["M9.5 1.5v21A10.5 10.5 0 0 1 9.5 1.5zM14.5 1.5v21a10.5 10.5 0 0 0 0-21z"],
  heart: ["M12 22C5 16.5 1 12.5 1 8a5.7 5.7 0 0 1 11-2.2A5.7 5.7 0 0 1 23 8c0 4.5-4 8.5-11 14z"],
  hexes: ["M8 1l4.5 2.5v5L8 11 3.5 8.5v-5zM16.5 6 21 8.5v5L16.5 16 12 13.5v-5zM8 13l4.5 2.5v5L8 23l-4.5-2.5v-5z"],
  keyhole: [disc(12, 8, 6.5) + "M9.5 13h5l3 9.5h-11z"],
  knuckle: [
    box(2, 8, 4.5, 7) +
      box(7.3, 5.5, 4.5, 9.5) +
      box(12.5, 5.5, 4.5, 9.5) +
      box(17.8, 8, 4.2, 7) +
      "M2 16.3h20V20l-3 2H5l-3-2z",
  ],
  lamp: [disc(12, 8, 6.5) + box(3, 17.5, 18, 4)],
  lens: [["M15.5 15.5 21.5 21.5", 3.6], disc(10, 10, 8.5) + disc(10, 10, 5.3)],
  lever: ["M3 2h7v13h11v7H3z"],
  lozenges: ["M7 2l5 10-5 10-5-10zM17 2l5 10-5 10-5-10z"],
  magnet: ["M3 2h6v10a3 3 0 0 0 6 0V2h6v10a9 9 0 0 1-18 0zM3 6h6v1.8H3zM15 6h6v1.8h-6z"],
  mind: [["M7.5 17a4.5 4.5 0 0 1 9 0M3.8 17a8.2 8.2 0 0 1 16.4 0", 2.6], box(2, 20, 20, 2.5) + disc(12, 4, 2)],
  moon: ["M17 1.5a11 11 0 1 0 0 21 9 9 0 0 1 0-21z"],
  needle: ["M21.5 2.5c1.5 4-2 7-6 6L5 22.5 1.5 19l14-10.5c-1-4 2-7.5 6-6zM18.5 4.5a1.4 1.4 0 1 0 .1 0z"],
  note: ["M8 3l13-2v15.5a3.5 3.2 0 1 1-3-3.2V6.5L11 7.6v11.4A3.5 3.2 0 1 1 8 15.8z"],
  nut: [polygon(6, 11.8, 1 / 12) + disc(12, 12, 5)],
  orbs: [disc(12, 6, 5) + disc(6, 17, 5) + disc(18, 17, 5)],
  pales: [box(2, 2, 5, 20) + box(9.5, 2, 5, 20) + box(17, 2, 5, 20)],
  peak: ["M1 21 8.5 4l4.3 8 2.7-4L23 21z"],
  phase: [box(2, 2, 13, 13) + box(5, 5, 7, 7) + box(10, 17.5, 4, 3) + box(17.5, 10, 3, 4) + box(17.5, 17.5, 3.5, 3.5)],
  pillar: [
    box(2.5, 1.5, 19, 4.5) +
      box(5, 7.5, 3.3, 9.5) +
      box(10.3, 7.5, 3.4, 9.5) +
      box(15.7, 7.5, 3.3, 9.5) +
      box(2.5, 18.5, 19, 4),
  ],
  planet: [disc(12, 12, 6.5), ["M4.5 17.5C1 20 .5 21.5 2 22c3.5 1 20-13 20.5-18 .1-1.7-1.5-1.7-4.5 0", 2.2]],
  pyramid: ["M12 1.5 23 21.5H1zM12 9l5 9H7z"],
  ram: ["M12 2 23 13v9L12 11 1 22v-9z"],
  rhomb: ["M12 1l9 11-9 11-9-11zM12 7l4 5-4 5-4-5z"],
  robot: [box(3, 3, 18, 18) + box(6.5, 8, 4, 4) + box(13.5, 8, 4, 4) + box(7, 15, 10, 2.5)],
  saw: ["M1 4 6.5 14 12 4l5.5 10L23 4v16H1z"],
  scale: [["M12 2v19M6 21.5h12M3.5 5.5h17", 2.4], "M4.5 7 8.5 14.5H.5zM19.5 7l4 7.5h-8z"],
  seal: [disc(12, 12, 11) + "M12 4.5 19.5 12 12 19.5 4.5 12z" + disc(12, 12, 2.4)],
  shrink: [box(1.5, 9, 13.5, 13.5) + box(16.5, 5, 4.5, 4.5) + box(9, 1, 5.5, 5.5)],
  slashes: ["M10 1.5h5.5L7.5 22.5H2zM17.5 1.5H23L15 22.5H9.5z"],
  snow: [["M12 2v20M3.3 7l17.4 10M20.7 7 3.3 17", 2.6], disc(12, 12, 3.4)],
  spark: [star(8, 12, 4.5)],
  speed: ["M1.5 3.5h6.5l6 8.5-6 8.5H1.5l6-8.5zM11 3.5h6l6 8.5-6 8.5h-6l6-8.5z"],
  spiral: [
    ["M12.5 12.5a2 2 0 0 1 2-2c2 0 3.5 1.8 3.5 4 0 3.2-2.6 5.5-6 5.5-4.5 0-7.5-3.2-7.5-7.5C4.5 7 8.5 3 14 3", 3],
  ],
  split: ["M12 1a11 11 0 0 0 0 22z", ["M12 2.3a9.7 9.7 0 0 1 0 19.4", 2.6]],
  square: [star(4, 12, 3.8)],
  stairs: ["M2 22.5V16h6v-5h6V6h8v16.5z"],
  stripes: [box(2, 2, 20, 3.5) + box(2, 8, 20, 3.5) + box(2, 14, 20, 3.5) + box(2, 20, 20, 3)],
  swirl: [["M2 12c2-9 9-9 10 0s8 9 10 0M2 19c2-6 9-6 10 0", 3.2]],
  tag: [box(1.5, 5, 21, 14) + box(4, 8, 6, 8) + box(12.5, 8, 7.5, 2) + box(12.5, 13, 5, 2)],
  tentacles: [
    ["M12 12V3M12 12l6.4-6.4M12 12h9M12 12l6.4 6.4M12 12v9M12 12l-6.4 6.4M12 12H3M12 12 5.6 5.6", 2],
    disc(12, 12, 4),
  ],
  tower: ["M3 22.5V7h3.5V2.5h3V7h5V2.5h3V7H21v15.5h-6.5V16h-5v6.5z"],
  twin: [disc(8.5, 12, 7.5), ["M15.5 5.5a6.5 6.5 0 1 1 0 13", 2.4]],
  twist: [
    box(2, 2.5, 20, 3.2) +
      box(5, 7.7, 15.5, 3) +
      box(7, 12.7, 10.5, 3) +
      box(10.5, 17.5, 5.5, 2.6) +
      box(12.5, 21, 2.5, 2),
  ],
  up: ["M12 1 22 12h-5.5v10h-9V12H2z"],
  wave: [
    ["M1.5 7c3.5-4 7 4 10.5 0s7 4 10.5 0M1.5 12.5c3.5-4 7 4 10.5 0s7 4 10.5 0M1.5 18c3.5-4 7 4 10.5 0s7 4 10.5 0", 2.6],
  ],
  wheel: [ring(11, 8.3) + disc(12, 12, 2.5), ["M12 4v16M4 12h16M6.3 6.3l11.4 11.4M17.7 6.3 6.3 17.7", 1.5]],
  wing: ["M1 22C1 10 8 2 23 1.5c0 3-1 4.5-2.5 5.5h-5.5l4 2c-.8 2.2-2 3.4-3.7 4.2h-5l3.2 1.8c-1.3 2-3 2.8-5 3H5.5z"],
  wings: ["M12 21 9.5 12 1 14c0-6 3-9 8-10l3 5 3-5c5 1 8 4 8 10l-8.5-2z"],
  zigzag: [["M2 8l5-5 5 5 5-5 5 5M2 19l5-5 5 5 5-5 5 5", 3.4]],
  zigzag1: [["M2 15 7 8l5 7 5-7 5 7", 4.4]],
  person: [disc(12, 7, 5.6) + "M2 23c0-6.5 4-9.6 10-9.6S22 16.5 22 23z"],
};

/** The charge of each character or action. Other names get one by a hash of the name. */
const CHARGE_OF: Record<string, string> = {
  Angel: "wings",
  "Ant-Man": "shrink",
  Apocalypse: "pyramid",
  "Arnim Zola": "tag",
  "Avengers ID Card": "tag",
  "Baron Zemo": "crown",
  Beast: "atom",
  Bishop: "rhomb",
  "Black Panther": "stairs",
  "Black Widow": "needle",
  Bullseye: "dart",
  Cable: "square",
  "Captain America": "pales",
  "Captain Marvel": "up",
  Cerebro: "dome",
  Colossus: "beam",
  Cyclops: "band",
  Deadpool: "slashes",
  Deathlok: "robot",
  "Doctor Doom": "tower",
  "Doctor Octopus": "tentacles",
  "Doctor Strange": "seal",
  Dormammu: "flame",
  "Emma Frost": "gem",
  Falcon: "wing",
  "Force Beam": "band",
  Gambit: "card",
  Gamora: "lozenges",
  "Gearing Up": "gear",
  "Ghost Rider": "wheel",
  Goliath: "grow",
  "Green Goblin": "orbs",
  Hawkeye: "fletch",
  Hercules: "pillar",
  Hulk: "peak",
  "Human Torch": "flame",
  Iceman: "snow",
  "Iron Fist": "knuckle",
  "Iron Man": "coil",
  "Jessica Jones": "lens",
  Juggernaut: "dome",
  Justice: "scale",
  "Kitty Pryde": "phase",
  Loki: "halves",
  "Luke Cage": "chain",
  Magik: "gate",
  Magneto: "magnet",
  "Maria Hill": "badge",
  "Marvel Girl": "eye",
  "Mary Jane": "heart",
  "Mister Sinister": "rhomb",
  Mjolnir: "anvil",
  "Moon Knight": "lamp",
  Moonstone: "moon",
  "Mr. Fantastic": "wave",
  "Ms. Marvel": "swirl",
  Mystique: "split",
  Namor: "fin",
  Namorita: "drop",
  "Natalia Romanova": "needle",
  "Nick Fury": "eye",
  Nightcrawler: "spiral",
  Nitro: "blast",
  Nova: "comet",
  Phoenix: "flame",
  "Power Bolt": "square",
  "Professor X": "mind",
  Psylocke: "blade",
  Punisher: "bullet",
  "Pym Particles": "dots",
  Pyro: "spark",
  Quicksilver: "speed",
  "Radioactive Man": "glow",
  "Red Hulk": "blast",
  "Red Skull": "keyhole",
  Rescue: "nut",
  "Rocket Raccoon": "stripes",
  Rogue: "split",
  Ronin: "blade",
  Sabretooth: "saw",
  "Scarlet Spider": "arcs",
  "Scarlet Witch": "hexes",
  Sentinel: "robot",
  "Shannon Carter": "badge",
  "She-Hulk": "scale",
  Sidekick: "person",
  "Silver Surfer": "board",
  "Smash!": "knuckle",
  Songbird: "note",
  Speedball: "bounce",
  "Spider-Man": "arcs",
  "Star-Lord": "planet",
  "Steve Rogers": "pales",
  Storm: "twist",
  Taskmaster: "twin",
  Thing: "bricks",
  Thor: "anvil",
  Toad: "spiral",
  "Tony Stark": "coil",
  Venom: "fangs",
  "Vibranium Shield": "boss",
  Vision: "gem",
  "War Machine": "gear",
  Wasp: "cells",
  "Winter Soldier": "lever",
  Wolverine: "zigzag",
  "X-23": "zigzag1",
};

const NAMES = Object.keys(CHARGES).filter((name) => name !== "person");

/** Return the emblem of a die. */
export function emblemOf(card: EmblemSource): Emblem {
  const frame = frameOf(card);
  const key = hash(card.title + card.die.key);
  const charge = CHARGES[CHARGE_OF[card.title] ?? NAMES[key % NAMES.length]!]!;
  return {
    frame,
    division: DIVISIONS[key % DIVISIONS.length]!,
    charge,
    middle: frame === "pennant" || frame === "kite" ? 11 : 12,
  };
}

/** Return the frame for a die's affiliation. */
export function frameOf(card: EmblemSource): Frame {
  if (card.kind === "action" || card.kind === "basic") return "sawtooth";
  return FRAME_OF[card.affiliations.find((a) => a in FRAME_OF) ?? ""] ?? "pennant";
}

function hash(text: string): number {
  let h = 2166136261;
  for (const letter of text) h = Math.imul(h ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return h;
}
