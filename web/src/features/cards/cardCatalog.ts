/** All cards, asked for once, each with its die; and what a search finds among them. */

import { json } from "../../api/client";
import type { CardDetails, CardCatalog, CatalogCard, CardSearchResult, DieShape } from "../../api/protocol";

export type ShelfCard = Omit<CatalogCard, "die"> & { die: DieShape };

export interface Shelf extends Omit<CardCatalog, "cards" | "dice"> {
  cards: ShelfCard[];
  byKey: ReadonlyMap<string, ShelfCard>;
}

let shelf: Promise<Shelf> | null = null;

/** Give all cards; after a failure the next one who asks tries again. */
export function getShelf(): Promise<Shelf> {
  shelf ??= json<CardCatalog>("/cards").then(joined, (problem: unknown) => {
    shelf = null;
    throw problem;
  });
  return shelf;
}

function joined(got: CardCatalog): Shelf {
  const cards = got.cards.map((card) => ({ ...card, die: got.dice[card.die]! }));
  return { ...got, cards, byKey: new Map(cards.map((card) => [card.key, card])) };
}

/** Give the keys of the cards that a query means, or what is not understood. */
export const findCards = (query: string): Promise<CardSearchResult> => json(`/cards/found?q=${encodeURIComponent(query)}`);

export const getCardPage = (key: string): Promise<CardDetails> => json(`/cards/${encodeURIComponent(key)}`);

/** Name a card as people do: its title and, where it has one, its subtitle. */
export const nameOf = (card: { title: string; subtitle: string }): string => (card.subtitle ? `${card.title}: ${card.subtitle}` : card.title);

/** The search somebody comes from when they look at a card, to go back to. */
export const lastSearch = { path: "/cards" };
