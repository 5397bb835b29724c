/** All cards, asked for once, each with its die; and what a search finds among them. */

import { requestJson } from "../../api/client";
import type { CardDetails, CardCatalog, CatalogCard, CardSearchResult, DieShape } from "../../api/protocol";

export type CardWithDie = Omit<CatalogCard, "die"> & { die: DieShape };

export interface CardIndex extends Omit<CardCatalog, "cards" | "dice"> {
  cards: CardWithDie[];
  byKey: ReadonlyMap<string, CardWithDie>;
}

let indexPromise: Promise<CardIndex> | null = null;

/** Give all cards; after a failure the next one who asks tries again. */
export function getCardIndex(): Promise<CardIndex> {
  indexPromise ??= requestJson<CardCatalog>("/cards").then(buildIndex, (problem: unknown) => {
    indexPromise = null;
    throw problem;
  });
  return indexPromise;
}

function buildIndex(got: CardCatalog): CardIndex {
  const cards = got.cards.map((card) => ({ ...card, die: got.dice[card.die]! }));
  return { ...got, cards, byKey: new Map(cards.map((card) => [card.key, card])) };
}

/** Give the keys of the cards that a query means, or what is not understood. */
export const findCards = (query: string): Promise<CardSearchResult> =>
  requestJson(`/cards/found?q=${encodeURIComponent(query)}`);

export const getCardPage = (key: string): Promise<CardDetails> => requestJson(`/cards/${encodeURIComponent(key)}`);

/** Name a card as people do: its title and, where it has one, its subtitle. */
export const cardName = (card: { title: string; subtitle: string }): string =>
  card.subtitle ? `${card.title}: ${card.subtitle}` : card.title;

/** The search somebody comes from when they look at a card, to go back to. */
export const lastSearch = { path: "/cards" };
