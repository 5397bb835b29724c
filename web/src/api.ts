/** Asking the server for things outside a live game. */

import { carrier } from "./carrier";
import type { Choice, Dice, DieShown, KeptRecord, LessonAnswer, LessonList, LessonMoment, LessonOffered, LookedBack, NewGame, Opened, Position, Replay, Rules, Rule, Shown, StartOffers, Summary, Term, Terms, Thought } from "./contract";
import type { FairFacts } from "./fairFacts";
import { boxes } from "./phrases";

/** A refusal or a failure, as one sentence for the person. */
export class Problem extends Error {
  /** whether the server only asks for a moment */
  readonly busy: boolean;

  constructor(text: string, busy = false) {
    super(text);
    this.busy = busy;
  }
}

async function ask(path: string, body?: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await carrier.ask(path, body);
  } catch {
    throw new Problem(boxes.noServer);
  }
  if (answer.ok) return answer;
  let reason = boxes.refused(answer.status);
  try {
    const said = (await answer.json()) as { error?: unknown };
    if (typeof said.error === "string") reason = said.error;
  } catch {
    // not JSON: the status says what there is to say
  }
  throw new Problem(reason, answer.status === 429);
}

export async function json<T>(path: string, body?: unknown): Promise<T> {
  return (await (await ask(path, body)).json()) as T;
}

export const getStart = (): Promise<StartOffers> => json("/start");
export const getDice = async (): Promise<DieShown[]> => (await json<Dice>("/dice")).dice;
export const createGame = (request: NewGame): Promise<Opened> => json("/games", request);
export const getGame = (game: string): Promise<Shown> => json(`/games/${game}`);
export const getViews = (game: string, start: number, count: number): Promise<Replay> =>
  json(`/games/${game}/views?start=${start}&count=${count}`);
export const getRecord = async (game: string): Promise<string> => (await ask(`/games/${game}/record`)).text();
export const getPosition = async (game: string, step?: number): Promise<string> =>
  (await ask(`/games/${game}/position${step === undefined ? "" : `?step=${step}`}`)).text();
export const getLookedBack = (game: string, start: number): Promise<LookedBack> => json(`/games/${game}/looked-back?start=${start}`);
export const getThought = (game: string, step?: number): Promise<Thought> => json(`/games/${game}/thought${step === undefined ? "" : `?step=${step}`}`);
export const getSummary = (game: string): Promise<Summary> => json(`/games/${game}/summary`);
export const getFair = (game: string): Promise<FairFacts> => json(`/games/${game}/fair`);
export const getLessons = async (): Promise<LessonOffered[]> => (await json<LessonList>("/lessons")).lessons;
export const getMoment = (lesson: string, step: number, done: number): Promise<LessonMoment> => json(`/lessons/${lesson}/${step}/${done}`);
export const tryChoice = (lesson: string, step: number, done: number, choice: Choice): Promise<LessonAnswer> =>
  json(`/lessons/${lesson}/${step}/${done}`, { choice });
export const postRecord = (text: string): Promise<KeptRecord> => json("/records", { text });
export const postPosition = (text: string): Promise<Position> => json("/positions", { text });

let known: Promise<Term[]> | null = null;

/** Give the words of the game with their explanations, asked for once. */
export function getTerms(): Promise<Term[]> {
  known ??= json<Terms>("/terms").then(
    (t) => t.terms,
    () => [],
  );
  return known;
}

let rules: Promise<Rule[]> | null = null;

/** Give the rules, asked for once; after a failure the next one who asks tries again. */
export function getRules(): Promise<Rule[]> {
  rules ??= json<Rules>("/rules").then(
    (r) => r.items,
    (problem: unknown) => {
      rules = null;
      throw problem;
    },
  );
  return rules;
}
