/** The team being built: its contents, earlier states, and the server's report. */

import type { TeamCard, TeamReport, TeamData } from "../../api/protocol";
import type { CardWithDie } from "../cards/cardCatalog";
import { saveTeam, ownTeams, teamText } from "./savedTeams";

type Contents = Pick<TeamData, "name" | "about" | "format" | "cards" | "basics">;

const DEFAULT_DICE = 2; // dice of a card when it is added
const UNDO_LIMIT = 100;

export class TeamEditor {
  name = $state("");
  about = $state("");
  format = $state("tournament");
  cards: TeamCard[] = $state([]);
  basics: string[] = $state([]);
  checked = $state.raw<TeamReport | null>(null);
  /** the last thing removed, announced together with undo */
  lastRemoved = $state("");
  #history: Contents[] = $state.raw([]);
  #id = "";

  readonly dice = $derived(this.cards.reduce((n, card) => n + card.dice, 0));
  readonly text = $derived(teamText(this));
  readonly canUndo = $derived(this.#history.length > 0);

  diceOf(key: string): number {
    return this.cards.find((card) => card.key === key)?.dice ?? 0;
  }

  has(key: string): boolean {
    return this.basics.includes(key) || this.cards.some((card) => card.key === key);
  }

  /** Add a card, or one more die of it. A basic action is added or removed. */
  add(card: CardWithDie): void {
    if (card.kind === "basic") {
      if (this.basics.includes(card.key)) return this.remove(card.key, card.title);
      this.recordUndo();
      this.basics.push(card.key);
      return;
    }
    const existing = this.cards.find((one) => one.key === card.key);
    if (existing && existing.dice >= card.max) return;
    this.recordUndo();
    if (existing) existing.dice++;
    else this.cards.push({ key: card.key, dice: Math.min(DEFAULT_DICE, card.max) });
  }

  removeDie(key: string, name: string): void {
    const existing = this.cards.find((one) => one.key === key);
    if (!existing) return;
    if (existing.dice <= 1) return this.remove(key, name);
    this.recordUndo();
    existing.dice--;
  }

  remove(key: string, name: string): void {
    if (!this.has(key)) return;
    this.recordUndo();
    this.cards = this.cards.filter((card) => card.key !== key);
    this.basics = this.basics.filter((one) => one !== key);
    this.lastRemoved = name;
  }

  /** Move a card of the team before another one. */
  move(key: string, before: string): void {
    const card = this.cards.find((one) => one.key === key);
    if (!card || key === before) return;
    this.recordUndo();
    const others = this.cards.filter((one) => one.key !== key);
    const at = others.findIndex((one) => one.key === before);
    others.splice(at < 0 ? others.length : at, 0, card);
    this.cards = others;
  }

  clear(): void {
    this.recordUndo();
    this.cards = [];
    this.basics = [];
  }

  undo(): void {
    const last = this.#history.at(-1);
    if (!last) return;
    this.#history = this.#history.slice(0, -1);
    this.#restore(last);
    this.lastRemoved = "";
  }

  /** Load another team. As a change it can be undone; otherwise it starts a new history. */
  load(team: Contents, id = "", asChange = false): void {
    if (asChange) this.recordUndo();
    else {
      this.#id = id;
      this.#history = [];
    }
    this.#restore(team);
  }

  /** Store the team in this browser, once something has changed. */
  save(code: string): void {
    if (!this.#history.length || !(this.cards.length || this.basics.length)) return;
    this.#id ||= crypto.randomUUID?.() ?? String(Math.random());
    saveTeam({ id: this.#id, when: Date.now(), code, ...this.#contents() });
  }

  /** Return the id of the player's own team with this code, or "". */
  static idOf(code: string): string {
    return code ? (ownTeams().find((team) => team.code === code)?.id ?? "") : "";
  }

  /** Remember the current state before a change. */
  recordUndo(): void {
    this.#history = [...this.#history, this.#contents()].slice(-UNDO_LIMIT);
    this.lastRemoved = "";
  }

  #contents(): Contents {
    return {
      name: this.name,
      about: this.about,
      format: this.format,
      cards: this.cards.map((card) => ({ ...card })),
      basics: [...this.basics],
    };
  }

  #restore(team: Contents): void {
    this.name = team.name;
    this.about = team.about;
    this.format = team.format;
    this.cards = team.cards.map((card) => ({ ...card }));
    this.basics = [...team.basics];
  }
}
