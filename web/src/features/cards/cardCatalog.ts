/** All cards, each with its die, requested once, and the server's card search. */

import { requestJson } from "../../api/client";
import type { CardDetails, CardCatalog, CatalogCard, CardSearchResult, DieShape } from "../../api/protocol";

export type CardWithDie = Omit<CatalogCard, "die"> & { die: DieShape };

export interface CardIndex extends Omit<CardCatalog, "cards" | "dice"> {
  cards: CardWithDie[];
  byKey: ReadonlyMap<string, CardWithDie>;
}

let indexPromise: Promise<CardIndex> | null = null;

/** Return all cards. After a failure the next call tries again. */
export function getCardIndex(): Promise<CardIndex> {
  indexPromise ??= requestJson<CardCatalog>("/cards").then(buildIndex, (problem: unknown) => {
    indexPromise = null;
    throw problem;
  });
  return indexPromise;
}

function buildIndex(response: CardCatalog): CardIndex {
  const cards = response.cards.map((card) => ({ ...card, die: response.dice[card.die]! }));
  return { ...response, cards, byKey: new Map(cards.map((card) => [card.key, card])) };
}

/** Return the keys of the cards that match a query, or what was not understood. */
export const findCards = (query: string): Promise<CardSearchResult> =>
  requestJson(`/cards/found?q=${encodeURIComponent(query)}`);

export const getCardPage = (key: string): Promise<CardDetails> => requestJson(`/cards/${encodeURIComponent(key)}`);

/** Return a card's usual name: its title, and its subtitle if it has one. */
export const cardName = (card: { title: string; subtitle: string }): string =>
  card.subtitle ? `${card.title}: ${card.subtitle}` : card.title;

/** The last search, for the way back from a card. */
export const lastSearch = { path: "/cards" };
