/** Asking the server for things outside a live game. */

import { carrier } from "./transport";
import type { Choice, DieGallery, DieKindData, RecordCreated, LessonAnswer, LessonList, LessonMomentData, LessonInfo, GameReviewData, NewGameRequest, GameCreated, PositionData, ReplayData, RulesData, RuleData, GameSnapshot, GameOptions, GameSummary, GlossaryEntryData, Glossary, MoveSuggestion } from "./protocol";
import type { FairFacts } from "../fairdice/types";
import { boxes } from "../i18n";

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

export const getStart = (): Promise<GameOptions> => json("/start");
export const getDice = async (): Promise<DieKindData[]> => (await json<DieGallery>("/dice")).dice;
export const createGame = (request: NewGameRequest): Promise<GameCreated> => json("/games", request);
export const getGame = (game: string): Promise<GameSnapshot> => json(`/games/${game}`);
export const getViews = (game: string, start: number, count: number): Promise<ReplayData> =>
  json(`/games/${game}/views?start=${start}&count=${count}`);
export const getRecord = async (game: string): Promise<string> => (await ask(`/games/${game}/record`)).text();
export const getPosition = async (game: string, step?: number): Promise<string> =>
  (await ask(`/games/${game}/position${step === undefined ? "" : `?step=${step}`}`)).text();
export const getLookedBack = (game: string, start: number): Promise<GameReviewData> => json(`/games/${game}/looked-back?start=${start}`);
export const getThought = (game: string, step?: number): Promise<MoveSuggestion> => json(`/games/${game}/thought${step === undefined ? "" : `?step=${step}`}`);
export const getSummary = (game: string): Promise<GameSummary> => json(`/games/${game}/summary`);
export const getFair = (game: string): Promise<FairFacts> => json(`/games/${game}/fair`);
export const getLessons = async (): Promise<LessonInfo[]> => (await json<LessonList>("/lessons")).lessons;
export const getMoment = (lesson: string, step: number, done: number): Promise<LessonMomentData> => json(`/lessons/${lesson}/${step}/${done}`);
export const tryChoice = (lesson: string, step: number, done: number, choice: Choice): Promise<LessonAnswer> =>
  json(`/lessons/${lesson}/${step}/${done}`, { choice });
export const postRecord = (text: string): Promise<RecordCreated> => json("/records", { text });
export const postPosition = (text: string): Promise<PositionData> => json("/positions", { text });

let known: Promise<GlossaryEntryData[]> | null = null;

/** Give the words of the game with their explanations, asked for once. */
export function getTerms(): Promise<GlossaryEntryData[]> {
  known ??= json<Glossary>("/terms").then(
    (t) => t.terms,
    () => [],
  );
  return known;
}

let rules: Promise<RuleData[]> | null = null;

/** Give the rules, asked for once; after a failure the next one who asks tries again. */
export function getRules(): Promise<RuleData[]> {
  rules ??= json<RulesData>("/rules").then(
    (r) => r.items,
    (problem: unknown) => {
      rules = null;
      throw problem;
    },
  );
  return rules;
}
