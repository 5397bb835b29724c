import type { CardData, DecisionData, DieData, FaceData, OptionData, View } from "../src/api/protocol";

const FACE: FaceData = { kind: "energy", energy: "F", generic: 0, level: 0, cost: 0, a: 0, d: 0, burst: 0 };

export function card(id: number, extra: Partial<CardData> = {}): CardData {
  const faces: FaceData[] = [
    { ...FACE },
    { ...FACE, energy: "FF" },
    { ...FACE, energy: "?" },
    { ...FACE, energy: "", generic: 2 },
    { ...FACE, kind: "character", energy: "", level: 1, cost: 1, a: 3, d: 4 },
    { ...FACE, kind: "action", energy: "", burst: 1 },
  ];
  return {
    id,
    key: "",
    set: "",
    title: "Hulk",
    subtitle: "",
    kind: "character",
    cost: 6,
    energy: "F",
    affiliations: [],
    max: 4,
    owner: "A",
    text: [],
    gist: "",
    globals: [],
    die: { key: "hulk", base: "#5a1", ink: "#fff", faces },
    ...extra,
  };
}

export const die = (id: number, extra: Partial<DieData> = {}): DieData => ({
  id,
  card: 0,
  zone: "reserve",
  seat: "A",
  face: 0,
  ...extra,
});

export const option = (dice: number[], extra: Partial<OptionData> = {}): OptionData => ({
  number: 0,
  text: "",
  what: "choose",
  dice,
  to: null,
  card: null,
  hint: "",
  ...extra,
});

export function decision(
  mode: DecisionData["mode"],
  options: OptionData[],
  extra: Partial<DecisionData> = {},
): DecisionData {
  return {
    seat: "A",
    kind: "choose",
    mode,
    question: "?",
    about: "",
    min: 0,
    max: 9,
    total: 0,
    price: 0,
    options,
    confirm: "Confirm",
    none: "None",
    card: null,
    over: false,
    cancel: false,
    hold: false,
    ...extra,
  };
}

export function view(version: number, extra: Partial<View> = {}): View {
  return {
    version,
    move: version,
    turn: 1,
    active: "A",
    step: "main",
    stage: "",
    title: "",
    life: { A: 10, B: 10 },
    energy: {},
    dice: [],
    effects: [],
    decision: null,
    news: [],
    why: null,
    throw: null,
    result: null,
    ...extra,
  };
}
