/** A draft in progress: the secret of the player's chair, what this device stores, and the server's views. */

import { ApiError, requestJson } from "../../api/client";
import type { Chair, DraftOptions, DraftCreated, DraftView, NewDraftRequest } from "../../api/protocol";
import { draftsText } from "../../i18n";
import { settings } from "../../app/settings.svelte";
import { saveGame } from "../../game/myGames";
import { loadLocal, saveLocal } from "../../app/localStore";

const RETRY_DELAY = 2000; // milliseconds before asking again, when the server did not answer

/** A draft in which this browser has a chair, with the secrets of friends' chairs. */
export interface MyDraft {
  draft: string;
  secret: string;
  friends: Partial<Record<Chair, string>>;
  kind: string;
  when: number;
}

export const getDraftOptions = (): Promise<DraftOptions> => requestJson("/drafts");

export const myDrafts = (): MyDraft[] => loadLocal<MyDraft[]>("drafts", []);

/** Create a draft, store what opens its chairs, and return its path. */
export async function openDraft(request: NewDraftRequest): Promise<string> {
  const { draft, chairs } = await requestJson<DraftCreated>("/drafts", request);
  const { A, ...friends } = chairs;
  saveDraft({ draft, secret: A ?? "", friends, kind: request.kind ?? "rainbow", when: Date.now() });
  return `/draft/${draft}#${A ?? ""}`;
}

function saveDraft(one: MyDraft): void {
  saveLocal("drafts", [one, ...myDrafts().filter((other) => other.draft !== one.draft)].slice(0, 20));
}

export class DraftSession {
  view: DraftView | null = $state.raw(null);
  problem = $state("");
  closedReason = $state("");
  /** whether a request is on its way */
  busy = $state(false);
  readonly friends: Partial<Record<Chair, string>>;
  readonly secret: string;
  #closed = false;
  /** when the latest view arrived, for clocks that keep running */
  receivedAt = $state(0);

  constructor(
    readonly draft: string,
    secret: string,
  ) {
    const known = myDrafts().find((one) => one.draft === draft);
    this.secret = secret || known?.secret || "";
    this.friends = known?.friends ?? {};
    void this.#poll();
  }

  close(): void {
    this.#closed = true;
  }

  /** Return a player's name as the viewer reads it. */
  name(chair: Chair): string {
    const one = this.view?.drafters.find((d) => d.chair === chair);
    if (chair === this.view?.you) return draftsText.you;
    return one?.name || (one?.bot ? draftsText.bot(chair) : draftsText.friend(chair));
  }

  async pick(text: string): Promise<void> {
    const ask = this.view?.ask;
    if (ask) await this.#post("pick", { number: ask.number, pick: text });
  }

  begin(): Promise<void> {
    return this.#post("wish", { begin: true });
  }

  rename(name: string): Promise<void> {
    return this.#post("wish", { name });
  }

  /** Create the game of two chairs unless it exists. Return its path, with the player's seat if they play in it. */
  async openMatch(chairs: string): Promise<string> {
    const you = this.view?.you;
    const plays = !!you && chairs.includes(you);
    if (plays) await this.#post("wish", { match: chairs });
    const game = this.view?.matches.find((one) => one.chairs === chairs)?.game;
    if (!game) return "";
    if (!plays) return `/g/${game}`;
    saveGame({ game, secrets: { [chairs.indexOf(you) ? "B" : "A"]: this.secret }, what: "", when: Date.now() });
    return `/g/${game}#${this.secret}`;
  }

  async #post(what: string, fields: object): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    try {
      this.#receiveView(
        await requestJson<DraftView>(`/drafts/${this.draft}/${what}`, { secret: this.secret, ...fields }),
      );
    } catch (e) {
      this.problem = e instanceof ApiError ? e.message : draftsText.failed;
    } finally {
      this.busy = false;
    }
  }

  /** Long polling: keep asking for changes; the server answers when there are some. */
  async #poll(): Promise<void> {
    while (!this.#closed) {
      try {
        const view = await requestJson<DraftView>(`/drafts/${this.draft}/look`, {
          secret: this.secret,
          since: this.view?.version ?? -1,
        });
        if (this.#closed) return;
        this.#receiveView(view);
        this.closedReason = "";
      } catch (e) {
        if (!this.view) this.closedReason = e instanceof ApiError ? e.message : draftsText.gone;
        await new Promise((go) => setTimeout(go, RETRY_DELAY));
      }
    }
  }

  #receiveView(view: DraftView): void {
    if (this.view && view.version < this.view.version) return;
    const first = !this.view;
    this.view = view;
    this.receivedAt = performance.now();
    if (!first || !view.you) return;
    saveDraft({ draft: this.draft, secret: this.secret, friends: this.friends, kind: view.kind, when: Date.now() });
    const mine = view.drafters.find((one) => one.chair === view.you);
    if (settings.name && mine && !mine.name) void this.rename(settings.name);
  }
}
