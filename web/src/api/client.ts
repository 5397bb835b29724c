/** HTTP requests to the server, apart from the live connection to a game. */

import { transport } from "./transport";
import type {
  Choice,
  DieGallery,
  DieKindData,
  RecordCreated,
  LessonAnswer,
  LessonList,
  LessonMomentData,
  LessonInfo,
  GameReviewData,
  NewGameRequest,
  GameCreated,
  PositionData,
  ReplayData,
  RulesData,
  RuleData,
  GameSnapshot,
  GameOptions,
  GameSummary,
  GlossaryEntryData,
  Glossary,
  MoveSuggestion,
} from "./protocol";
import type { FairDiceFacts } from "../fairdice/types";
import { dialogsText } from "../i18n";

/** A refused or failed request, with one sentence for the player. */
export class ApiError extends Error {
  /** whether the server refused only because of too many requests, so that a later attempt can succeed */
  readonly isBusy: boolean;

  constructor(text: string, busy = false) {
    super(text);
    this.isBusy = busy;
  }
}

async function request(path: string, body?: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await transport.request(path, body);
  } catch {
    throw new ApiError(dialogsText.noServer);
  }
  if (answer.ok) return answer;
  let reason = dialogsText.refused(answer.status);
  try {
    const content = (await answer.json()) as { error?: unknown };
    if (typeof content.error === "string") reason = content.error;
  } catch {
    // not JSON: report only the status
  }
  throw new ApiError(reason, answer.status === 429);
}

export async function requestJson<T>(path: string, body?: unknown): Promise<T> {
  return (await (await request(path, body)).json()) as T;
}

export const getGameOptions = (): Promise<GameOptions> => requestJson("/start");
export const getDice = async (): Promise<DieKindData[]> => (await requestJson<DieGallery>("/dice")).dice;
export const createGame = (request: NewGameRequest): Promise<GameCreated> => requestJson("/games", request);
export const getGame = (game: string): Promise<GameSnapshot> => requestJson(`/games/${game}`);
export const getViews = (game: string, start: number, count: number): Promise<ReplayData> =>
  requestJson(`/games/${game}/views?start=${start}&count=${count}`);
export const getRecord = async (game: string): Promise<string> => (await request(`/games/${game}/record`)).text();
export const getPosition = async (game: string, step?: number): Promise<string> =>
  (await request(`/games/${game}/position${step === undefined ? "" : `?step=${step}`}`)).text();
export const getReview = (game: string, start: number): Promise<GameReviewData> =>
  requestJson(`/games/${game}/looked-back?start=${start}`);
export const getMoveSuggestion = (game: string, step?: number): Promise<MoveSuggestion> =>
  requestJson(`/games/${game}/thought${step === undefined ? "" : `?step=${step}`}`);
export const getSummary = (game: string): Promise<GameSummary> => requestJson(`/games/${game}/summary`);
export const getFairDiceFacts = (game: string): Promise<FairDiceFacts> => requestJson(`/games/${game}/fair`);
export const getLessons = async (): Promise<LessonInfo[]> => (await requestJson<LessonList>("/lessons")).lessons;
export const getLessonMoment = (lesson: string, step: number, done: number): Promise<LessonMomentData> =>
  requestJson(`/lessons/${lesson}/${step}/${done}`);
export const tryLessonChoice = (lesson: string, step: number, done: number, choice: Choice): Promise<LessonAnswer> =>
  requestJson(`/lessons/${lesson}/${step}/${done}`, { choice });
export const postRecord = (text: string): Promise<RecordCreated> => requestJson("/records", { text });
export const postPosition = (text: string): Promise<PositionData> => requestJson("/positions", { text });

let termsPromise: Promise<GlossaryEntryData[]> | null = null;

/** Return the glossary entries. They are requested once; if that fails, the list is empty. */
export function getTerms(): Promise<GlossaryEntryData[]> {
  termsPromise ??= requestJson<Glossary>("/terms").then(
    (t) => t.terms,
    () => [],
  );
  return termsPromise;
}

let rulesPromise: Promise<RuleData[]> | null = null;

/** Return the rules. They are requested once; after a failure the next call tries again. */
export function getRules(): Promise<RuleData[]> {
  rulesPromise ??= requestJson<RulesData>("/rules").then(
    (r) => r.items,
    (problem: unknown) => {
      rulesPromise = null;
      throw problem;
    },
  );
  return rulesPromise;
}
