/** The server's lines as one person hears them: you and names instead of letters, words instead of notation. */

import type { CardData, DieData, LogEntryData, Seat } from "../api/protocol";
import { gameText, narrationText } from "../i18n";
import { energyText } from "./describe";

/** Who listens, and what there is to be named. */
export interface Listener {
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
export interface LogLine {
  text: string;
  kind: LogEntryData["kind"] | "why";
  seat: Seat | null;
  dice: number[];
  /** the rule a scripted player followed */
  rule?: string;
  /** somebody uses a Global, and it has not been told on whom */
  isGlobalUse?: boolean;
}

/** A line of the server's with the life before and after it, the rule behind it, and how many choices had been made by then. */
export type LogEntry = LogEntryData & { lifeBefore?: number; lifeAfter?: number; rule?: string; move?: number };

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const FACE_NOTATION = /^(?:@(\d)|(!)|([FBMS?]+)|(\d))(\**)$/;

/** Say a face as it is written, `@2*`, `FF`, `!`, in words. */
export function faceNotationText(face: string): string {
  const found = FACE_NOTATION.exec(face);
  if (!found) return face;
  const [, level, action, energy, generic, stars] = found;
  const bursts = stars ? ` ${gameText.bursts(stars.length)}` : "";
  if (level) return `${gameText.level(Number(level))}${bursts}`;
  if (action) return `${gameText.action}${bursts}`;
  return generic ? gameText.generic(Number(generic)) : energyText(energy!);
}

/** Put words into a text in place of notation: `Hulk@2*` becomes Hulk (level 2, burst). */
export function expandNotation(text: string, cards: readonly CardData[]): string {
  let expanded = text;
  for (const title of titlesByLength(cards)) {
    if (!expanded.includes(title)) continue;
    const escapedTitle = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expanded = expanded.replace(new RegExp(`${escapedTitle}(@\\d|!)(\\**)`, "g"), (_, face: string, stars: string) =>
      face === "!"
        ? title + (stars ? ` (${gameText.bursts(stars.length)})` : "")
        : `${title} (${faceNotationText(face + stars)})`,
    );
    expanded = expanded.replace(
      new RegExp(`${escapedTitle}:([FBMS?]+|\\d)(?![\\w])`, "g"),
      (_, face: string) => `${title} (${faceNotationText(face)})`,
    );
  }
  return expanded.replace(
    /(?<=^|pay |reroll |choose (?:[A-D]'s )?|of )([FBMS?]{1,2})(?=$| \(|,|'(?!s ))/g,
    (_, face: string) => faceNotationText(face),
  );
}

const titleCache = new WeakMap<readonly CardData[], string[]>();

function titlesByLength(cards: readonly CardData[]): string[] {
  let titles = titleCache.get(cards);
  if (!titles)
    titleCache.set(cards, (titles = [...new Set(cards.map((c) => c.title))].sort((x, y) => y.length - x.length)));
  return titles;
}

/** Say a text to the listener: "player B" and "B's" become names, or you and your. */
export function personalize(text: string, listener: Listener): string {
  const who = (letter: string, you: string): string =>
    listener.isYou(letter as Seat) ? you : listener.name(letter as Seat);
  const named = expandNotation(text, listener.cards)
    .replace(/\bplayers ([A-D]) and [A-D]\b/g, (_, s: Seat) => sideText(s, listener))
    .replace(/\bplayer ([A-D])\b/g, (_, s: string) => who(s, narrationText.yourself))
    .replace(/\b([A-D])'s /g, (_, s: string) =>
      listener.isYou(s as Seat) ? `${narrationText.your} ` : `${gameText.whose(listener.name(s as Seat))} `,
    )
    .replace(/\bonly ([A-D])\b/g, (_, s: string) => `only ${who(s, narrationText.yourself)}`)
    .replace(
      /\(controlled by ([A-D])\)/g,
      (_, s: string) => `(${gameText.controlledBy(who(s, narrationText.yourself))})`,
    )
    .replace(/^([A-D]) says: /, (_, s: string) => `${who(s, narrationText.you)}: `);
  return named;
}

/** Say why a scripted player does something. */
export const personalizeReason = (text: string, listener: Listener): string =>
  personalize(text, listener).replace(/: ([FBMS?]{1,2})(?=$|,)/, (_, face: string) => `: ${faceNotationText(face)}`);

/** Say a question of the table: "Use Black Widow’s ability?", with the die's level only where there is room for it. */
export function questionText(text: string, listener: Listener, brief = false): string {
  return personalize(text, listener).replace(
    /^Do you use (.+?)( \([^)]*\))?'s (ability|Global)( on .+)?\?$/,
    (_, title: string, level = "", what: string, on = "") => gameText.ask.ability(title, what, brief ? on : level + on),
  );
}

/** Say how a game ended: "You win: Mira was brought to 0 life." */
export function resultText(text: string, listener: Listener): string {
  const said = expandNotation(text, listener.cards)
    .replace(/^([A-D])(?: and [A-D])? wins?\b/, (_, s: Seat) => sideDoes(s, "wins", listener))
    .replace(/: ([A-D]) and [A-D] (\w+)/, (_, s: Seat, verb: string) => `: ${sideText(s, listener)} ${verb}`)
    .replace(/: ([A-D]) (\w+)/, (_, s: Seat, verb: string) =>
      listener.isYou(s) ? `: you ${verb === "was" ? "were" : verb}` : `: ${listener.name(s)} ${verb}`,
    );
  return personalize(said, listener);
}

/** Say who does something: "You buy Hulk", "Mira buys Hulk". */
export function actorDoes(seat: Seat, rest: string, listener: Listener): string {
  if (!listener.isYou(seat)) return `${listener.name(seat)} ${rest}`;
  const [verb = "", ...more] = rest.split(" ");
  return [narrationText.you, secondPerson(verb), ...more].join(" ");
}

/** Name everybody who plays with a seat: "you and Mira"; in a game of two that is the seat alone. */
export function sideText(seat: Seat, listener: Listener): string {
  const all = listener.side(seat).toSorted((x, y) => Number(listener.isYou(y)) - Number(listener.isYou(x)));
  return all.map((one) => (listener.isYou(one) ? narrationText.yourself : listener.name(one))).join(narrationText.and);
}

/** Say what a side does: "You and Mira take 3 damage", and in a game of two "Mira takes 3 damage". */
export function sideDoes(seat: Seat, rest: string, listener: Listener): string {
  if (listener.side(seat).length < 2) return actorDoes(seat, rest, listener);
  const [verb = "", ...more] = rest.split(" ");
  return [capitalize(sideText(seat, listener)), secondPerson(verb), ...more].join(" ");
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
const OMITTED_MOVES =
  /^[A-D]: (buy|field|use|pay|reroll|attack|block|done|none|pass|yes$|Global of|ability of|resolve|\d+ to)\b/;
const CHOICE_PATTERNS: [RegExp, (found: RegExpExecArray) => string][] = [
  [/^keep all$/, () => narrationText.keepsAll],
  [/^no attack$/, () => narrationText.noAttack],
  [/^no block$/, () => narrationText.noBlock],
  [/^go (first|second)$/, (f) => narrationText.goes(f[1]!)],
  [/^no$/, () => narrationText.declines],
  [/^choose (.+)$/, (f) => narrationText.chooses(f[1]!)],
  [/^spin (.+) (up|down)$/, (f) => narrationText.spins(f[1]!, f[2]!)],
];

/** Tell what happened in sentences: one deed a line, like draws, rolls, attackers told together. */
export function narrate(news: readonly LogEntry[], listener: Listener): LogLine[] {
  const lines: LogLine[] = [];
  let group = { key: "", items: [] as string[] }; // what the last line is still gathering
  let reasonLine: LogLine | null = null; // the reason for what is done next
  let rerolled: string[] | null = null; // what was picked for the reroll, of which the faces come next
  const gather = (line: LogEntry, seat: Seat | null, key: string, item: string): void => {
    if (group.key === key) lines.pop();
    else group = { key, items: [] };
    group.items.push(item);
    lines.push({ text: sentence(key + listItems(group.items)), kind: line.kind, seat, dice: line.dice });
  };
  const addLine = (line: LogEntry, text: string, seat: Seat | null = line.seat): void => {
    group = { key: "", items: [] };
    lines.push({ text: sentence(text), kind: line.kind, seat, dice: line.dice });
  };
  const ownerOf = (id: number | undefined): Seat | null => {
    const die = id === undefined ? undefined : listener.die(id);
    return die ? (die.owner ?? die.seat) : null;
  };
  const controllerOf = (id: number | undefined): Seat | null =>
    id === undefined ? null : (listener.die(id)?.seat ?? null);
  const ownedTitle = (id: number | undefined, title: string): string => {
    const seat = ownerOf(id);
    return seat ? `${listener.isYou(seat) ? narrationText.your : gameText.whose(listener.name(seat))} ${title}` : title;
  };

  for (const line of news) {
    const text = line.text;
    let match: RegExpExecArray | null;
    if (line.rule) {
      // of a deed of several parts the reason is told once, without naming each part: what is done follows
      const said = sentence(personalizeReason(text, listener)).slice(0, -1); // its rule follows
      const stem = (whole: string): string => whole.replace(/: .*/, "");
      const part =
        reasonLine !== null && lines.at(-1) === reasonLine && reasonLine.rule === line.rule ? reasonLine : null;
      group = { key: "", items: [] };
      if (!part) lines.push((reasonLine = { text: said, kind: "why", seat: null, dice: [], rule: line.rule }));
      else part.text = stem(said.startsWith(stem(part.text)) ? said : part.text);
    } else if (line.kind === "step" || line.kind === "pay") rerolled = line.kind === "pay" ? rerolled : null;
    else if (line.kind === "turn") {
      const seat = line.seat!;
      rerolled = null;
      group = { key: "", items: [] };
      lines.push({
        text: gameText.turnOf(capitalize(sideText(seat, listener)), Number(/\d+/.exec(text)?.[0] ?? 0)),
        kind: "turn",
        seat,
        dice: [],
      });
    } else if ((match = /^([A-D]) draws (.+)$/.exec(text)))
      gather(line, line.seat, `${actorDoes(match[1] as Seat, "draws", listener)} `, match[2]!);
    else if ((match = /^(?:[A-D]'s )?(.+) shows (.+)$/.exec(text))) {
      const seat = ownerOf(line.dice[0]);
      const face = faceNotationText(match[2]!);
      const item =
        match[1] === narrationText.sidekick
          ? match[2]!.startsWith("@")
            ? narrationText.sidekick
            : face
          : `${match[1]} ${face}`;
      gather(
        line,
        seat,
        seat
          ? rerolled
            ? narrationText.rerolls(actorDoes(seat, "rerolls", listener), listItems(rerolled))
            : `${actorDoes(seat, "rolls", listener)} `
          : narrationText.rolled,
        item,
      );
    } else if ((match = /^(?:[A-D]'s )?(.+) attacks$/.exec(text))) {
      const seat = controllerOf(line.dice[0]) ?? ownerOf(line.dice[0]);
      gather(
        line,
        seat,
        seat ? narrationText.attacksWith(actorDoes(seat, "attacks", listener)) : narrationText.attackers,
        match[1]!,
      );
    } else if ((match = /^(?:[A-D]'s )?(.+) blocks (?:[A-D]'s )?(.+)$/.exec(text)) && line.kind === "happening") {
      const seat = controllerOf(line.dice[0]) ?? ownerOf(line.dice[0]);
      addLine(line, seat ? actorDoes(seat, narrationText.blocks(match[2]!, match[1]!), listener) : text, seat);
    } else if ((match = /^(?:[A-D]'s )?(.+) is spun to (.+)$/.exec(text))) {
      addLine(
        line,
        narrationText.spinsTo(ownedTitle(line.dice[0], match[1]!), faceNotationText(match[2]!)),
        ownerOf(line.dice[0]),
      );
    } else if (line.kind === "ko")
      addLine(
        line,
        narrationText.isKO(ownedTitle(line.dice[0], text.replace(/^[A-D]'s /, "").replace(/ is KO'd$/, ""))),
        ownerOf(line.dice[0]),
      );
    else if (line.kind === "damage") {
      const from = / from (?:[A-D]'s )?(.+)$/.exec(text)?.[1];
      if (line.seat === null) {
        addLine(
          line,
          personalize(text.replace(/(?<=to |from )(?:[A-D]'s )?/g, ""), listener),
          ownerOf(line.dice.at(-1)),
        );
        continue;
      }
      const change =
        line.lifeAfter === undefined ? "" : `: ${line.lifeBefore ?? line.lifeAfter + line.amount} → ${line.lifeAfter}`;
      if (from) addLine(line, narrationText.hits(from, sideText(line.seat, listener), line.amount) + change);
      else addLine(line, `${sideDoes(line.seat, narrationText.takes(line.amount), listener)}${change}`);
    } else if (line.kind === "life") {
      const change =
        line.lifeAfter === undefined ? "" : `: ${line.lifeBefore ?? line.lifeAfter - line.amount} → ${line.lifeAfter}`;
      addLine(line, `${sideDoes(line.seat!, narrationText.life(line.amount), listener)}${change}`);
    } else if (line.kind === "move") {
      const picked = /^[A-D]: reroll (.+?)(?: #\d+)?$/.exec(text)?.[1];
      rerolled = picked
        ? [
            ...(rerolled ?? []),
            ...(picked === "these" ? [] : [expandNotation(`reroll ${picked}`, listener.cards).slice(7)]),
          ]
        : null;
      if (OMITTED_MOVES.test(text)) continue;
      const said = /^([A-D]): (.+)$/.exec(text);
      if (!said) {
        addLine(line, personalize(text, listener));
        continue;
      }
      const choice = CHOICE_PATTERNS.find(([pattern]) => pattern.test(said[2]!));
      const about = listener.die(line.dice[0] ?? -1);
      const target = /^choose (.+)$/.exec(said[2]!)?.[1];
      const last = lines.at(-1);
      if (target && last?.isGlobalUse && last.seat === said[1]) {
        // whom a Global is used on belongs to its line
        last.text = sentence(
          narrationText.on(
            last.text.slice(0, -1),
            personalize(expandNotation(`choose ${target}`, listener.cards).slice(7), listener),
          ),
        );
        last.isGlobalUse = false;
        continue;
      }
      const what =
        target && about?.held === "capture"
          ? narrationText.captures(target)
          : choice
            ? choice[1](choice[0].exec(said[2]!)!)
            : narrationText.chooses(said[2]!);
      addLine(line, actorDoes(said[1] as Seat, personalize(what, listener), listener), said[1] as Seat);
    } else if ((match = /^([A-D]) and [A-D] (.+)$/.exec(text)))
      addLine(line, sideDoes(match[1] as Seat, personalize(match[2]!, listener), listener), match[1] as Seat);
    else if (
      (match = /^[A-D] (?:fields|uses) (.+)$/.exec(text)) &&
      reasonLine &&
      lines.at(-1) === reasonLine &&
      reasonLine.text.includes(match[1]!)
    )
      reasonLine = null; // it was said with its reason
    else if ((match = /^([A-D]) (.+?)(?: \[(S\d+)\])?$/.exec(text))) {
      addLine(line, actorDoes(match[1] as Seat, personalize(match[2]!, listener), listener), match[1] as Seat);
      const told = lines.at(-1)!;
      if (match[3]) Object.assign(told, { text: told.text.slice(0, -1), rule: match[3] });
      told.isGlobalUse = / uses .+'s Global$/.test(text);
    } else if (text) addLine(line, personalize(text, listener));
  }
  return lines;
}

/** Tells a log that grows: a turn that is over is told once, with its dice as they were then. */
export class Narrator {
  #turns = new WeakMap<LogEntry, { lines: number; told: LogLine[] }>(); // by a turn's first line
  #names = "";

  /** Tell the log to somebody; `names` is what the listener calls the players, which changes what is told. */
  narrate(log: readonly LogEntry[], to: Listener, names: string): LogLine[] {
    if (names !== this.#names) this.#turns = new WeakMap();
    this.#names = names;
    const out: LogLine[] = [];
    for (let start = 0, end = 1; start < log.length; start = end++) {
      while (end < log.length && log[end]!.kind !== "turn") end++;
      const kept = this.#turns.get(log[start]!);
      const isOver = end < log.length;
      const told = isOver && kept?.lines === end - start ? kept.told : narrateTurn(log.slice(start, end), to, isOver);
      this.#turns.set(log[start]!, { lines: end - start, told });
      out.push(...told);
    }
    return out;
  }
}

// what somebody does in a turn of their own; to draw, to roll and to pass is none of it
const TURN_ACTION = /^[A-D]: (?!keep all|reroll|pass|no attack|go )/;

/** Tell a turn; of one in which nothing was done, that. */
function narrateTurn(turn: readonly LogEntry[], listener: Listener, isOver: boolean): LogLine[] {
  const told = narrate(turn, listener);
  const seat = turn[0]!.kind === "turn" ? turn[0]!.seat : null;
  if (
    !isOver ||
    !seat ||
    turn.some(
      (line) => (line.kind === "move" && TURN_ACTION.test(line.text)) || (line.kind === "happening" && !line.rule),
    )
  )
    return told;
  const none: LogLine = {
    text: sentence(sideDoes(seat, narrationText.doesNothing, listener)),
    kind: "happening",
    seat,
    dice: [],
  };
  return [...told.filter((line) => line.kind !== "move" || line.seat !== seat), none];
}

function sentence(line: string): string {
  const text = line.replace(/(?<=\w)'(?=s\b|d\b)/g, "’");
  return narrationText.counted(/[.!?]$/.test(text) ? capitalize(text) : `${capitalize(text)}.`);
}

function listItems(items: string[]): string {
  const counted = [...new Set(items)].map((item) => {
    const n = items.filter((x) => x === item).length;
    return n > 1 ? `${item} ×${n}` : item;
  });
  return counted.join(", ");
}
