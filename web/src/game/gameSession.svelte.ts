/** Being at a game: the connection, the secrets of one's seats, what this device keeps, and views one after the other. */

import { getViews } from "../api/client";
import { Board, dated, newsOf } from "./board.svelte";
import { changed } from "../api/delta";
import { Clocks } from "./clocks.svelte";
import type { ServerMessage, Meta, Seat, ClientMessage, View } from "../api/protocol";
import { FairPart } from "../fairdice/chain";
import { shelfOf } from "../fairdice/chainStore";
import { inMoments } from "./combatPreview";
import { rulesOf } from "../features/new-game/houseRules";
import { Live, type Connection } from "../api/gameSocket";
import { ViewQueue, stay } from "./viewQueue";
import { boxes, phrases } from "../i18n";
import { linkTo } from "../app/router.svelte";
import { isCalm, settings } from "../app/settings.svelte";
import { keepGame, myGames, type MyGame } from "./myGames";
import { tell } from "./narration";

const LOG_STEP = 60; // views whose news are fetched at once

export class Sitting {
  /** the table; null until the server has welcomed us */
  board: Board | null = $state.raw(null);
  connection: Connection = $state("connecting");
  /** why the server has sent us away */
  ended = $state("");
  readonly clocks = new Clocks();

  private readonly secrets: string[];
  private readonly live: Live;
  private readonly part: FairPart;
  private readonly queue = new ViewQueue();
  private held: View[] = []; // taken from the queue, to be shown when somebody has seen why
  private newest: View | null = null; // as the server has told, shown or not
  private timer = 0;
  private first = $state(-1); // how many views lie before the log; -1 until the server was asked
  private since = 0; // the choices made before the log begins

  readonly meta: Meta | null = $derived(this.board?.meta ?? null);
  readonly canUndo: boolean = $derived(this.sits && this.meta?.undo !== "none" && this.board!.view.move > 0);
  readonly hasEarlier: boolean = $derived(this.first > 0);
  /** others whom the game waits for to begin */
  readonly awaited: Seat[] = $derived((this.meta?.waiting ?? []).filter((seat) => !this.isMine(seat)));
  /** those in words */
  readonly expected: string = $derived.by(() => {
    const who = this.awaited.map((seat) => this.comer(seat));
    const both = who.filter((one) => one === phrases.aRival).length > 1;
    return phrases.list([...new Set(who.map((one) => (both && one === phrases.aRival ? phrases.yourRivals : one)))]);
  });
  /** when the game begins: whoever has sent links waits for them to be opened, a guest for those who come */
  readonly howItBegins: string = $derived.by(() => {
    const several = this.awaited.length > 1;
    if (!this.awaited.some((seat) => this.friendLinks[seat])) return phrases.beginsThen(this.expected, several);
    return this.awaited.some((seat) => this.meta!.present.includes(seat)) ? phrases.opened : phrases.begins(this.expected, several);
  });
  /** others who play and are not there */
  readonly away: Seat[] = $derived(
    (Object.keys(this.meta?.kinds ?? {}) as Seat[]).filter(
      (seat) => this.meta!.kinds[seat] === "person" && !this.isMine(seat) && !this.meta!.present.includes(seat),
    ),
  );

  /** Come to a game; `secret` is what the link says after its #. */
  constructor(
    readonly game: string,
    secret: string,
  ) {
    const kept = this.kept;
    this.secrets = [...new Set([...Object.values(kept.secrets), ...secret.split(",").filter(Boolean)])];
    this.part = new FairPart(shelfOf(game), (message) => this.live.send(message), (text) => this.board?.say(text));
    this.live = new Live(
      game,
      () => ({ type: "hello", secrets: this.secrets }),
      (message) => this.hear(message),
      (now) => (this.connection = now),
    );
  }

  /** Leave the table. */
  close(): void {
    this.live.close();
    this.clocks.stop();
    clearTimeout(this.timer);
  }

  /** Tell whether one plays, not only watches. */
  get sits(): boolean {
    return !!this.board?.you.length;
  }

  /** Name somebody who may not have said their name yet. */
  comer(seat: Seat): string {
    const board = this.board!;
    return this.meta?.names[seat] || (!board.isFour ? phrases.yourFriend : board.isYours(seat) ? phrases.yourPartner : phrases.aRival);
  }

  isMine(seat: Seat | undefined): boolean {
    return seat !== undefined && !!this.board?.you.includes(seat);
  }

  /** Give what this device has kept of the game by now: the secrets of one's own seats, and of friends'. */
  get kept(): MyGame {
    return myGames().find((g) => g.game === this.game) ?? { game: this.game, secrets: {}, what: "", when: 0 };
  }

  /** Give the links that open friends' seats, as far as this device has them. */
  get friendLinks(): Partial<Record<Seat, string>> {
    const friends = Object.entries(this.kept.friends ?? {});
    return Object.fromEntries(friends.map(([seat, secret]) => [seat, linkTo(`/g/${this.game}#${secret}`)]));
  }

  /** Give the partner who has to want it too when one concedes, if there is such a person and they are there. */
  get mustAgree(): Seat | undefined {
    const you = this.board?.you ?? [];
    return you.flatMap((seat) => this.board!.side(seat)).find((seat) => !you.includes(seat) && this.meta?.kinds[seat] === "person" && this.meta.present.includes(seat));
  }

  /** Go on with a game that one of two partners would concede. */
  playOn(): void {
    this.send({ type: "play on" });
  }

  // --- what one can say, beside choices (board) ----------------------------------------------------------------------

  undo(): void {
    this.send({ type: "undo" });
  }

  /** Agree to an undo that another asked for, or not. */
  answer(yes: boolean): void {
    this.send({ type: "answer", yes });
  }

  /** Give the game up, for the seat that decides where several are one's own. */
  concede(): void {
    const decides = this.board?.view.decision?.seat;
    const seat = this.isMine(decides) ? decides : this.board?.you[0];
    if (seat) this.send({ type: "concede", seat });
  }

  claim(): void {
    this.send({ type: "claim" });
  }

  rename(name: string): void {
    const you = this.board?.you ?? [];
    if (you.length === 1) this.send({ type: "name", seat: you[0]!, name });
  }

  /** Let the dice fall without the parts of others that are missing. */
  goWithout(): void {
    this.send({ type: "without" });
  }

  askRematch(): void {
    this.send({ type: "rematch" });
  }

  /** Make the rematch one's own, where the same secrets open the same seats; give its address. */
  takeRematch(): string {
    const game = this.meta?.rematch;
    if (!game) return "";
    keepGame({ ...this.kept, game, what: "", when: Date.now(), over: false });
    return `/g/${game}#${this.secrets.join(",")}`;
  }

  private send(message: ClientMessage): boolean {
    return this.live.send(message.type === "play" ? this.part.withWord(message) : message);
  }

  // --- what the server says ------------------------------------------------------------------------------------------

  private hear(message: ServerMessage): void {
    const board = this.board;
    switch (message.type) {
      case "welcome":
        return this.welcome(message);
      case "throw":
        return this.part.asked(message);
      case "view":
        return this.take(message.view);
      case "change": {
        const view = changed(this.newest, message);
        if (view) this.take(view);
        else this.send({ type: "view" }); // something was missed
        return;
      }
      case "meta":
        this.part.hear(message.meta);
        return this.learn(message.meta);
      case "refused":
        return board?.refuse(message.reason);
      case "why not":
        return board?.say(message.text, message.rule);
      case "look":
        if (board) board.reasons = { key: `${board.view.version} ${message.die}`, lines: message.lines };
        return;
      case "coach":
        if (board) board.coached = message;
        return;
      case "bye":
        this.ended = message.reason;
    }
  }

  private take(view: View): void {
    this.newest = view;
    this.part.shown(view);
    if (this.queue.push(view)) this.pump();
  }

  private welcome(message: Extract<ServerMessage, { type: "welcome" }>): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.held = [];
    if (this.board) this.board.notice = null;
    const { view, you } = message;
    this.newest = view;
    this.queue.reset(view);
    if (!this.board) {
      const made = new Board(message.table, view, (said) => this.send(said));
      made.hasten = () => this.hasten();
      made.near = you[0] ?? "A";
      made.log = dated(view);
      this.since = view.move + (view.news.length ? 0 : 1); // after an undo the view itself tells nothing
      this.board = made;
    }
    const board = this.board;
    board.you = you;
    this.learn(message.meta);
    board.waiting = false;
    board.settled = true;
    this.ended = "";
    if (board.view.version !== view.version) board.show(view);
    else board.begin();
    this.turnTable();
    board.settle();
    this.introduce();
    this.remember();
    this.part.welcome(you, message.meta, view.result !== null);
    this.part.shown(view);
    if (this.first < 0) void this.earlier();
  }

  /** Say one's name where nobody has said it yet, as a friend who comes by a link. */
  private introduce(): void {
    const you = this.board?.you ?? [];
    if (settings.name && you.length === 1 && !this.meta?.names[you[0]!]) this.rename(settings.name);
  }

  private learn(meta: Meta): void {
    const board = this.board;
    if (!board) return;
    const asked = board.meta?.offer;
    const version = board.view.version;
    const came = (board.meta?.waiting ?? []).filter((seat) => !this.isMine(seat) && !meta.waiting?.includes(seat));
    if (JSON.stringify(meta) !== JSON.stringify(board.meta)) board.meta = meta; // names stand everywhere: the same ones draw nothing anew
    if (asked && this.isMine(asked.by) && !meta.offer)
      setTimeout(() => board.view.version === version && board.say(phrases.undoRefused(asked.awaits.map((seat) => board.name(seat)).join(phrases.or))), 400); // nothing came of it
    if (came.length) board.say(phrases.came(phrases.list(came.map((seat) => this.comer(seat))), came.length > 1));
    this.clocks.show(meta.clock ?? null);
  }

  /** Keep on this device what opens the seats again. */
  private remember(): void {
    const board = this.board;
    if (!board || !this.sits) return;
    const mine: Partial<Record<Seat, string>> = {};
    if (this.secrets.length === board.you.length) board.you.forEach((seat, n) => (mine[seat] = this.secrets[n]!));
    const names = board.table.seats.slice(0, 2).map((lead) => board.whoAll(lead)).join(phrases.against);
    keepGame({
      game: this.game,
      secrets: Object.keys(this.kept.secrets).length ? {} : mine,
      what: `${names}, ${rulesOf(board.table.edition)}`,
      when: Date.now(),
      over: board.view.result !== null,
    });
  }

  /** Show what waits, one view after the other, each long enough to be followed. */
  private pump(everything = document.hidden): void {
    const board = this.board;
    if (!board || this.timer || board.notice) return;
    const views = this.held.length ? this.held.splice(0) : this.queue.take(everything);
    if (!views.length) return;
    const ends = settings.hurry || document.hidden ? -1 : views.findIndex((view) => board.endsUnseen(view));
    if (ends >= 0) this.holdOn(views, ends);
    else if (views.length === 1 && !everything && !isCalm()) {
      const [first, ...later] = inMoments(board.shown, views[0]!);
      views[0] = first!;
      this.queue.putBack(later);
    }
    board.settled = !board.notice && this.queue.length === 0;
    board.waiting = false;
    let { life } = board.view;
    for (const [n, view] of views.entries()) {
      if (n < views.length - 1) board.hear(view, life);
      else board.show(view, life);
      life = view.life;
    }
    this.turnTable();
    if (board.notice) return;
    const shown: View = views.at(-1)!;
    if (shown.result) this.remember();
    const pause = this.queue.length || !this.isMine(shown.decision?.seat) ? stay(shown, settings.speed) : 0;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.queue.length) this.pump();
    }, pause);
  }

  /** Show everything that waits, now. */
  private hasten(): void {
    if (!this.timer || !this.queue.length) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.pump(true);
  }

  /** Stop when one's turn has ended by itself, until one has seen it: what comes after it waits. */
  private holdOn(views: View[], last: number): void {
    const board = this.board!;
    this.held = views.splice(last + 1);
    const told = tell(views.flatMap((view) => newsOf(view)), board.hearing);
    const end = told.findIndex((line) => line.kind === "turn");
    board.notice = {
      deeds: told.slice(0, end < 0 ? undefined : end).filter((line) => line.kind !== "why").map((line) => line.text),
      goOn: () => {
        board.notice = null;
        board.settled = !this.held.length && !this.queue.length;
        this.pump();
      },
    };
  }

  /** Several at one screen: turn the table to whoever decides. Partners look at it from the same side. */
  private turnTable(): void {
    const board = this.board;
    if (!board || board.you.length < 2 || !settings.turn) return;
    const decides = board.view.decision?.seat;
    if (decides && this.isMine(decides) && !board.side(board.near).includes(decides)) board.near = decides;
  }

  /** Fetch the part of the log before what is known of it. */
  async earlier(): Promise<void> {
    const board = this.board;
    if (!board) return;
    try {
      const end = this.first < 0 ? (await getViews(this.game, 0, 1)).total : this.first;
      const start = Math.max(0, end - LOG_STEP);
      const { views } = end > start ? await getViews(this.game, start, end - start) : { views: [] };
      const told = new Set(board.log.map((line) => line.move)); // meanwhile: the toss waits for everybody's part in the dice
      board.log = [...views.filter((v) => v.move < this.since && !told.has(v.move)).flatMap((v) => newsOf(v)), ...board.log];
      this.since = views[0]?.move ?? 0;
      this.first = start;
    } catch {
      board.say(boxes.noEarlier);
    }
  }
}
