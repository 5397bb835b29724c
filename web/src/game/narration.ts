/** The server's lines as one person hears them: you and names instead of letters, words instead of notation. */

import type { CardData, DieData, LogEntryData, Seat } from "../api/protocol";
import { phrases, telling } from "../i18n";
import { energyWords } from "./describe";

/** Who listens, and what there is to be named. */
export interface Hearing {
  /** what a seat is called */
  name(seat: Seat): string;
  /** whether this seat alone is the listener's */
  isYou(seat: Seat): boolean;
  /** who plays with a seat, itself included: two in a game of four */
  side(seat: Seat): Seat[];
  cards: readonly CardData[];
  die(id: number): DieData | undefined;
}

/** A line of the log. */
export interface Told {
  text: string;
  kind: LogEntryData["kind"] | "why";
  seat: Seat | null;
  dice: number[];
  /** the rule a scripted player followed */
  rule?: string;
  /** somebody uses a Global, and it has not been told on whom */
  isUse?: boolean;
}

/** A line of the server's with the life before and after it, the rule behind it, and how many choices had been made by then. */
export type Happened = LogEntryData & { was?: number; left?: number; rule?: string; move?: number };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const FACE = /^(?:@(\d)|(!)|([FBMS?]+)|(\d))(\**)$/;

/** Say a face as it is written, `@2*`, `FF`, `!`, in words. */
export function faceInWords(face: string): string {
  const found = FACE.exec(face);
  if (!found) return face;
  const [, level, action, energy, generic, stars] = found;
  const bursts = stars ? ` ${phrases.bursts(stars.length)}` : "";
  if (level) return `${phrases.level(Number(level))}${bursts}`;
  if (action) return `${phrases.action}${bursts}`;
  return generic ? phrases.generic(Number(generic)) : energyWords(energy!);
}

/** Put words into a text in place of notation: `Hulk@2*` becomes Hulk (level 2, burst). */
export function plain(text: string, cards: readonly CardData[]): string {
  let said = text;
  for (const title of titlesOf(cards)) {
    if (!said.includes(title)) continue;
    const at = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    said = said.replace(new RegExp(`${at}(@\\d|!)(\\**)`, "g"), (_, face: string, stars: string) =>
      face === "!" ? title + (stars ? ` (${phrases.bursts(stars.length)})` : "") : `${title} (${faceInWords(face + stars)})`,
    );
    said = said.replace(new RegExp(`${at}:([FBMS?]+|\\d)(?![\\w])`, "g"), (_, face: string) => `${title} (${faceInWords(face)})`);
  }
  return said.replace(/(?<=^|pay |reroll |choose (?:[A-D]'s )?|of )([FBMS?]{1,2})(?=$| \(|,|'(?!s ))/g, (_, face: string) => faceInWords(face));
}

const known = new WeakMap<readonly CardData[], string[]>();

function titlesOf(cards: readonly CardData[]): string[] {
  let titles = known.get(cards);
  if (!titles) known.set(cards, (titles = [...new Set(cards.map((c) => c.title))].sort((x, y) => y.length - x.length)));
  return titles;
}

/** Say a text to the listener: "player B" and "B's" become names, or you and your. */
export function voiced(text: string, to: Hearing): string {
  const who = (letter: string, you: string): string => (to.isYou(letter as Seat) ? you : to.name(letter as Seat));
  const named = plain(text, to.cards)
    .replace(/\bplayers ([A-D]) and [A-D]\b/g, (_, s: Seat) => sideOf(s, to))
    .replace(/\bplayer ([A-D])\b/g, (_, s: string) => who(s, telling.yourself))
    .replace(/\b([A-D])'s /g, (_, s: string) => (to.isYou(s as Seat) ? `${telling.your} ` : `${phrases.whose(to.name(s as Seat))} `))
    .replace(/\bonly ([A-D])\b/g, (_, s: string) => `only ${who(s, telling.yourself)}`)
    .replace(/\(controlled by ([A-D])\)/g, (_, s: string) => `(${phrases.controlledBy(who(s, telling.yourself))})`)
    .replace(/^([A-D]) says: /, (_, s: string) => `${who(s, telling.you)}: `);
  return named;
}

/** Say why a scripted player does something. */
export const reason = (text: string, to: Hearing): string => voiced(text, to).replace(/: ([FBMS?]{1,2})(?=$|,)/, (_, face: string) => `: ${faceInWords(face)}`);

/** Say a question of the table: "Use Black Widow’s ability?", with the die's level only where there is room for it. */
export function asking(text: string, to: Hearing, brief = false): string {
  return voiced(text, to).replace(/^Do you use (.+?)( \([^)]*\))?'s (ability|Global)( on .+)?\?$/, (_, title: string, level = "", what: string, on = "") =>
    phrases.ask.ability(title, what, brief ? on : level + on),
  );
}

/** Say how a game ended: "You win: Mira was brought to 0 life." */
export function ending(text: string, to: Hearing): string {
  const said = plain(text, to.cards)
    .replace(/^([A-D])(?: and [A-D])? wins?\b/, (_, s: Seat) => sideDoes(s, "wins", to))
    .replace(/: ([A-D]) and [A-D] (\w+)/, (_, s: Seat, verb: string) => `: ${sideOf(s, to)} ${verb}`)
    .replace(/: ([A-D]) (\w+)/, (_, s: Seat, verb: string) =>
      to.isYou(s) ? `: you ${verb === "was" ? "were" : verb}` : `: ${to.name(s)} ${verb}`,
    );
  return voiced(said, to);
}

/** Say who does something: "You buy Hulk", "Mira buys Hulk". */
export function does(seat: Seat, rest: string, to: Hearing): string {
  if (!to.isYou(seat)) return `${to.name(seat)} ${rest}`;
  const [verb = "", ...more] = rest.split(" ");
  return [telling.you, secondPerson(verb), ...more].join(" ");
}

/** Name everybody who plays with a seat: "you and Mira"; in a game of two that is the seat alone. */
export function sideOf(seat: Seat, to: Hearing): string {
  const all = to.side(seat).toSorted((x, y) => Number(to.isYou(y)) - Number(to.isYou(x)));
  return all.map((one) => (to.isYou(one) ? telling.yourself : to.name(one))).join(telling.and);
}

/** Say what a side does: "You and Mira take 3 damage", and in a game of two "Mira takes 3 damage". */
export function sideDoes(seat: Seat, rest: string, to: Hearing): string {
  if (to.side(seat).length < 2) return does(seat, rest, to);
  const [verb = "", ...more] = rest.split(" ");
  return [capital(sideOf(seat, to)), secondPerson(verb), ...more].join(" ");
}

/** Give the form of a verb for "you": draws, draw; is, are. */
export function secondPerson(verb: string): string {
  if (verb === "is") return "are";
  if (verb === "has") return "have";
  if (/(?:ch|sh|ss|x|o)es$/.test(verb)) return verb.slice(0, -2);
  if (/[^aeiou]ies$/.test(verb)) return `${verb.slice(0, -3)}y`;
  return verb.replace(/s$/, "");
}

// choices that the next line says again, or that say nothing to a reader
const SILENT = /^[A-D]: (buy|field|use|pay|reroll|attack|block|done|none|pass|yes$|Global of|ability of|resolve|\d+ to)\b/;
const CHOICES: [RegExp, (found: RegExpExecArray) => string][] = [
  [/^keep all$/, () => telling.keepsAll],
  [/^no attack$/, () => telling.noAttack],
  [/^no block$/, () => telling.noBlock],
  [/^go (first|second)$/, (f) => telling.goes(f[1]!)],
  [/^no$/, () => telling.declines],
  [/^choose (.+)$/, (f) => telling.chooses(f[1]!)],
  [/^spin (.+) (up|down)$/, (f) => telling.spins(f[1]!, f[2]!)],
];

/** Tell what happened in sentences: one deed a line, like draws, rolls, attackers told together. */
export function tell(news: readonly Happened[], to: Hearing): Told[] {
  const out: Told[] = [];
  let open = { key: "", items: [] as string[] }; // what the last line is still gathering
  let why: Told | null = null; // the reason for what is done next
  let again: string[] | null = null; // what was picked for the reroll, of which the faces come next
  const gather = (line: Happened, seat: Seat | null, key: string, item: string): void => {
    if (open.key === key) out.pop();
    else open = { key, items: [] };
    open.items.push(item);
    out.push({ text: sentence(key + listed(open.items)), kind: line.kind, seat, dice: line.dice });
  };
  const add = (line: Happened, text: string, seat: Seat | null = line.seat): void => {
    open = { key: "", items: [] };
    out.push({ text: sentence(text), kind: line.kind, seat, dice: line.dice });
  };
  const ownerOf = (id: number | undefined): Seat | null => {
    const die = id === undefined ? undefined : to.die(id);
    return die ? (die.owner ?? die.seat) : null;
  };
  const controllerOf = (id: number | undefined): Seat | null => (id === undefined ? null : (to.die(id)?.seat ?? null));
  const own = (id: number | undefined, title: string): string => {
    const seat = ownerOf(id);
    return seat ? `${to.isYou(seat) ? telling.your : phrases.whose(to.name(seat))} ${title}` : title;
  };

  for (const line of news) {
    const text = line.text;
    let found: RegExpExecArray | null;
    if (line.rule) {
      // of a deed of several parts the reason is told once, without naming each part: what is done follows
      const said = sentence(reason(text, to)).slice(0, -1); // its rule follows
      const stem = (whole: string): string => whole.replace(/: .*/, "");
      const part = why !== null && out.at(-1) === why && why.rule === line.rule ? why : null;
      open = { key: "", items: [] };
      if (!part) out.push((why = { text: said, kind: "why", seat: null, dice: [], rule: line.rule }));
      else part.text = stem(said.startsWith(stem(part.text)) ? said : part.text);
    } else if (line.kind === "step" || line.kind === "pay") again = line.kind === "pay" ? again : null;
    else if (line.kind === "turn") {
      const seat = line.seat!;
      again = null;
      open = { key: "", items: [] };
      out.push({ text: phrases.turnOf(capital(sideOf(seat, to)), Number(/\d+/.exec(text)?.[0] ?? 0)), kind: "turn", seat, dice: [] });
    } else if ((found = /^([A-D]) draws (.+)$/.exec(text))) gather(line, line.seat, `${does(found[1] as Seat, "draws", to)} `, found[2]!);
    else if ((found = /^(?:[A-D]'s )?(.+) shows (.+)$/.exec(text))) {
      const seat = ownerOf(line.dice[0]);
      const face = faceInWords(found[2]!);
      const item = found[1] === telling.sidekick ? (found[2]!.startsWith("@") ? telling.sidekick : face) : `${found[1]} ${face}`;
      gather(line, seat, seat ? (again ? telling.rerolls(does(seat, "rerolls", to), listed(again)) : `${does(seat, "rolls", to)} `) : telling.rolled, item);
    } else if ((found = /^(?:[A-D]'s )?(.+) attacks$/.exec(text))) {
      const seat = controllerOf(line.dice[0]) ?? ownerOf(line.dice[0]);
      gather(line, seat, seat ? telling.attacksWith(does(seat, "attacks", to)) : telling.attackers, found[1]!);
    } else if ((found = /^(?:[A-D]'s )?(.+) blocks (?:[A-D]'s )?(.+)$/.exec(text)) && line.kind === "happening") {
      const seat = controllerOf(line.dice[0]) ?? ownerOf(line.dice[0]);
      add(line, seat ? does(seat, telling.blocks(found[2]!, found[1]!), to) : text, seat);
    } else if ((found = /^(?:[A-D]'s )?(.+) is spun to (.+)$/.exec(text))) {
      add(line, telling.spinsTo(own(line.dice[0], found[1]!), faceInWords(found[2]!)), ownerOf(line.dice[0]));
    } else if (line.kind === "ko") add(line, telling.isKO(own(line.dice[0], text.replace(/^[A-D]'s /, "").replace(/ is KO'd$/, ""))), ownerOf(line.dice[0]));
    else if (line.kind === "damage") {
      const from = / from (?:[A-D]'s )?(.+)$/.exec(text)?.[1];
      if (line.seat === null) {
        add(line, voiced(text.replace(/(?<=to |from )(?:[A-D]'s )?/g, ""), to), ownerOf(line.dice.at(-1)));
        continue;
      }
      const change = line.left === undefined ? "" : `: ${line.was ?? line.left + line.amount} → ${line.left}`;
      if (from) add(line, telling.hits(from, sideOf(line.seat, to), line.amount) + change);
      else add(line, `${sideDoes(line.seat, telling.takes(line.amount), to)}${change}`);
    } else if (line.kind === "life") {
      const change = line.left === undefined ? "" : `: ${line.was ?? line.left - line.amount} → ${line.left}`;
      add(line, `${sideDoes(line.seat!, telling.life(line.amount), to)}${change}`);
    } else if (line.kind === "move") {
      const picked = /^[A-D]: reroll (.+?)(?: #\d+)?$/.exec(text)?.[1];
      again = picked ? [...(again ?? []), ...(picked === "these" ? [] : [plain(`reroll ${picked}`, to.cards).slice(7)])] : null;
      if (SILENT.test(text)) continue;
      const said = /^([A-D]): (.+)$/.exec(text);
      if (!said) {
        add(line, voiced(text, to));
        continue;
      }
      const choice = CHOICES.find(([pattern]) => pattern.test(said[2]!));
      const about = to.die(line.dice[0] ?? -1);
      const target = /^choose (.+)$/.exec(said[2]!)?.[1];
      const last = out.at(-1);
      if (target && last?.isUse && last.seat === said[1]) {
        // whom a Global is used on belongs to its line
        last.text = sentence(telling.on(last.text.slice(0, -1), voiced(plain(`choose ${target}`, to.cards).slice(7), to)));
        last.isUse = false;
        continue;
      }
      const what = target && about?.held === "capture" ? telling.captures(target) : choice ? choice[1](choice[0].exec(said[2]!)!) : telling.chooses(said[2]!);
      add(line, does(said[1] as Seat, voiced(what, to), to), said[1] as Seat);
    } else if ((found = /^([A-D]) and [A-D] (.+)$/.exec(text))) add(line, sideDoes(found[1] as Seat, voiced(found[2]!, to), to), found[1] as Seat);
    else if ((found = /^[A-D] (?:fields|uses) (.+)$/.exec(text)) && why && out.at(-1) === why && why.text.includes(found[1]!)) why = null; // it was said with its reason
    else if ((found = /^([A-D]) (.+?)(?: \[(S\d+)\])?$/.exec(text))) {
      add(line, does(found[1] as Seat, voiced(found[2]!, to), to), found[1] as Seat);
      const told = out.at(-1)!;
      if (found[3]) Object.assign(told, { text: told.text.slice(0, -1), rule: found[3] });
      told.isUse = / uses .+'s Global$/.test(text);
    }
    else if (text) add(line, voiced(text, to));
  }
  return out;
}

/** Tells a log that grows: a turn that is over is told once, with its dice as they were then. */
export class Chronicle {
  private turns = new WeakMap<Happened, { lines: number; told: Told[] }>(); // by a turn's first line
  private names = "";

  /** Tell the log to somebody; `names` is what the listener calls the players, which changes what is told. */
  tell(log: readonly Happened[], to: Hearing, names: string): Told[] {
    if (names !== this.names) this.turns = new WeakMap();
    this.names = names;
    const out: Told[] = [];
    for (let start = 0, end = 1; start < log.length; start = end++) {
      while (end < log.length && log[end]!.kind !== "turn") end++;
      const kept = this.turns.get(log[start]!);
      const isOver = end < log.length;
      const told = isOver && kept?.lines === end - start ? kept.told : whole(log.slice(start, end), to, isOver);
      this.turns.set(log[start]!, { lines: end - start, told });
      out.push(...told);
    }
    return out;
  }
}

// what somebody does in a turn of their own; to draw, to roll and to pass is none of it
const DEED = /^[A-D]: (?!keep all|reroll|pass|no attack|go )/;

/** Tell a turn; of one in which nothing was done, that. */
function whole(turn: readonly Happened[], to: Hearing, isOver: boolean): Told[] {
  const told = tell(turn, to);
  const seat = turn[0]!.kind === "turn" ? turn[0]!.seat : null;
  if (!isOver || !seat || turn.some((line) => (line.kind === "move" && DEED.test(line.text)) || (line.kind === "happening" && !line.rule))) return told;
  const none: Told = { text: sentence(sideDoes(seat, telling.doesNothing, to)), kind: "happening", seat, dice: [] };
  return [...told.filter((line) => line.kind !== "move" || line.seat !== seat), none];
}

function sentence(line: string): string {
  const text = line.replace(/(?<=\w)'(?=s\b|d\b)/g, "’");
  return telling.counted(/[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`);
}

function listed(items: string[]): string {
  const counted = [...new Set(items)].map((item) => {
    const n = items.filter((x) => x === item).length;
    return n > 1 ? `${item} ×${n}` : item;
  });
  return counted.join(", ");
}
