/** Server log lines as one viewer reads them: "you" and names instead of seat letters, words instead of notation. */

import type { CardData, DieData, LogEntryData, Seat } from "../api/protocol";
import { gameText, narrationText } from "../i18n";
import { energyText } from "./describe";

/** The reader of a narration, and the data needed to name things. */
export interface Listener {
  /** the name of a seat's player */
  name(seat: Seat): string;
  /** whether this is the listener's only seat */
  isYou(seat: Seat): boolean;
  /** the seats on a seat's side, including itself: two in a game of four */
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
  /** whether the line is about a Global whose target has not been named yet */
  isGlobalUse?: boolean;
}

/** A server log line with the life before and after it, the rule behind it, and the number of choices made by then. */
export type LogEntry = LogEntryData & { lifeBefore?: number; lifeAfter?: number; rule?: string; move?: number };

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const FACE_NOTATION = /^(?:@(\d)|(!)|([FBMS?]+)|(\d))(\**)$/;

/** Return a face notation (`@2*`, `FF`, `!`) in words. */
export function faceNotationText(face: string): string {
  const found = FACE_NOTATION.exec(face);
  if (!found) return face;
  const [, level, action, energy, generic, stars] = found;
  const bursts = stars ? ` ${gameText.bursts(stars.length)}` : "";
  if (level) return `${gameText.level(Number(level))}${bursts}`;
  if (action) return `${gameText.action}${bursts}`;
  return generic ? gameText.generic(Number(generic)) : energyText(energy!);
}

/** Replace notation in a text by words: `Hulk@2*` becomes Hulk (level 2, burst). */
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

/** Rewrite a text for the listener: "player B" and "B's" become names, or "you" and "your". */
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

/** Rewrite a scripted player's reason for the listener. */
export const personalizeReason = (text: string, listener: Listener): string =>
  personalize(text, listener).replace(/: ([FBMS?]{1,2})(?=$|,)/, (_, face: string) => `: ${faceNotationText(face)}`);

/** Rewrite a question for the listener: "Use Black Widow’s ability?". If `brief`, leave out the die's level. */
export function questionText(text: string, listener: Listener, brief = false): string {
  return personalize(text, listener).replace(
    /^Do you use (.+?)( \([^)]*\))?'s (ability|Global)( on .+)?\?$/,
    (_, title: string, level = "", what: string, on = "") => gameText.ask.ability(title, what, brief ? on : level + on),
  );
}

/** Describe how a game ended: "You win: Mira was brought to 0 life." */
export function resultText(text: string, listener: Listener): string {
  const outcome = expandNotation(text, listener.cards)
    .replace(/^([A-D])(?: and [A-D])? wins?\b/, (_, s: Seat) => sideDoes(s, "wins", listener))
    .replace(/: ([A-D]) and [A-D] (\w+)/, (_, s: Seat, verb: string) => `: ${sideText(s, listener)} ${verb}`)
    .replace(/: ([A-D]) (\w+)/, (_, s: Seat, verb: string) =>
      listener.isYou(s) ? `: you ${verb === "was" ? "were" : verb}` : `: ${listener.name(s)} ${verb}`,
    );
  return personalize(outcome, listener);
}

/** Describe a player's action: "You buy Hulk", "Mira buys Hulk". */
export function actorDoes(seat: Seat, rest: string, listener: Listener): string {
  if (!listener.isYou(seat)) return `${listener.name(seat)} ${rest}`;
  const [verb = "", ...more] = rest.split(" ");
  return [narrationText.you, secondPerson(verb), ...more].join(" ");
}

/** Return the names of everyone on a seat's side: "you and Mira". In a game of two that is the seat alone. */
export function sideText(seat: Seat, listener: Listener): string {
  const all = listener.side(seat).toSorted((x, y) => Number(listener.isYou(y)) - Number(listener.isYou(x)));
  return all.map((one) => (listener.isYou(one) ? narrationText.yourself : listener.name(one))).join(narrationText.and);
}

/** Describe what happens to a side: "You and Mira take 3 damage", and in a game of two "Mira takes 3 damage". */
export function sideDoes(seat: Seat, rest: string, listener: Listener): string {
  if (listener.side(seat).length < 2) return actorDoes(seat, rest, listener);
  const [verb = "", ...more] = rest.split(" ");
  return [capitalize(sideText(seat, listener)), secondPerson(verb), ...more].join(" ");
}

/** Return the form of a verb after "you": draws, draw; is, are. */
export function secondPerson(verb: string): string {
  if (verb === "is") return "are";
  if (verb === "has") return "have";
  if (/(?:ch|sh|ss|x|o)es$/.test(verb)) return verb.slice(0, -2);
  if (/[^aeiou]ies$/.test(verb)) return `${verb.slice(0, -3)}y`;
  return verb.replace(/s$/, "");
}

// choices that the next line repeats or that tell a reader nothing
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

/** Turn log lines into sentences, one event per line. Similar draws, rolls and attackers share a line. */
export function narrate(news: readonly LogEntry[], listener: Listener): LogLine[] {
  const lines: LogLine[] = [];
  let group = { key: "", items: [] as string[] }; // items of the last line, while it is still growing
  let reasonLine: LogLine | null = null; // the reason for the next action
  let rerolled: string[] | null = null; // dice picked for the reroll whose faces follow
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
      // The reason for an action with several parts is given once and without naming the parts, because they follow.
      const reason = sentence(personalizeReason(text, listener)).slice(0, -1); // without its full stop, because the rule follows
      const stem = (whole: string): string => whole.replace(/: .*/, "");
      const part =
        reasonLine !== null && lines.at(-1) === reasonLine && reasonLine.rule === line.rule ? reasonLine : null;
      group = { key: "", items: [] };
      if (!part) lines.push((reasonLine = { text: reason, kind: "why", seat: null, dice: [], rule: line.rule }));
      else part.text = stem(reason.startsWith(stem(part.text)) ? reason : part.text);
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
      const move = /^([A-D]): (.+)$/.exec(text);
      if (!move) {
        addLine(line, personalize(text, listener));
        continue;
      }
      const choice = CHOICE_PATTERNS.find(([pattern]) => pattern.test(move[2]!));
      const about = listener.die(line.dice[0] ?? -1);
      const target = /^choose (.+)$/.exec(move[2]!)?.[1];
      const last = lines.at(-1);
      if (target && last?.isGlobalUse && last.seat === move[1]) {
        // the target of a Global belongs to the Global's line
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
            ? choice[1](choice[0].exec(move[2]!)!)
            : narrationText.chooses(move[2]!);
      addLine(line, actorDoes(move[1] as Seat, personalize(what, listener), listener), move[1] as Seat);
    } else if ((match = /^([A-D]) and [A-D] (.+)$/.exec(text)))
      addLine(line, sideDoes(match[1] as Seat, personalize(match[2]!, listener), listener), match[1] as Seat);
    else if (
      (match = /^[A-D] (?:fields|uses) (.+)$/.exec(text)) &&
      reasonLine &&
      lines.at(-1) === reasonLine &&
      reasonLine.text.includes(match[1]!)
    )
      reasonLine = null; // already part of the reason
    else if ((match = /^([A-D]) (.+?)(?: \[(S\d+)\])?$/.exec(text))) {
      addLine(line, actorDoes(match[1] as Seat, personalize(match[2]!, listener), listener), match[1] as Seat);
      const added = lines.at(-1)!;
      if (match[3]) Object.assign(added, { text: added.text.slice(0, -1), rule: match[3] });
      added.isGlobalUse = / uses .+'s Global$/.test(text);
    } else if (text) addLine(line, personalize(text, listener));
  }
  return lines;
}

/** Narrates a growing log. A finished turn is narrated once, with its dice as they were then. */
export class Narrator {
  #turns = new WeakMap<LogEntry, { count: number; lines: LogLine[] }>(); // by a turn's first line
  #names = "";

  /** Narrate the log for a listener. `names` are the names that appear in it; other names need a new narration. */
  narrate(log: readonly LogEntry[], to: Listener, names: string): LogLine[] {
    if (names !== this.#names) this.#turns = new WeakMap();
    this.#names = names;
    const out: LogLine[] = [];
    for (let start = 0, end = 1; start < log.length; start = end++) {
      while (end < log.length && log[end]!.kind !== "turn") end++;
      const cached = this.#turns.get(log[start]!);
      const isOver = end < log.length;
      const lines =
        isOver && cached?.count === end - start ? cached.lines : narrateTurn(log.slice(start, end), to, isOver);
      this.#turns.set(log[start]!, { count: end - start, lines });
      out.push(...lines);
    }
    return out;
  }
}

// actions of players in their own turn; drawing, rolling and passing do not count
const TURN_ACTION = /^[A-D]: (?!keep all|reroll|pass|no attack|go )/;

/** Narrate a turn. If nothing was done in it, a single line reports that. */
function narrateTurn(turn: readonly LogEntry[], listener: Listener, isOver: boolean): LogLine[] {
  const lines = narrate(turn, listener);
  const seat = turn[0]!.kind === "turn" ? turn[0]!.seat : null;
  if (
    !isOver ||
    !seat ||
    turn.some(
      (line) => (line.kind === "move" && TURN_ACTION.test(line.text)) || (line.kind === "happening" && !line.rule),
    )
  )
    return lines;
  const idle: LogLine = {
    text: sentence(sideDoes(seat, narrationText.doesNothing, listener)),
    kind: "happening",
    seat,
    dice: [],
  };
  return [...lines.filter((line) => line.kind !== "move" || line.seat !== seat), idle];
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
