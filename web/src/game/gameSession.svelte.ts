/**
 * A game in this browser: connection, secrets of the viewer's seats, what this device stores, and the queue of views.
 */

import { getViews } from "../api/client";
import { Board, stampMoves, logEntries } from "./board.svelte";
import { applyDelta } from "../api/delta";
import { Clocks } from "./clocks.svelte";
import type { ServerMessage, Meta, Seat, ClientMessage, View } from "../api/protocol";
import { DiceChain } from "../fairdice/chain";
import { chainStore } from "../fairdice/chainStore";
import { splitIntoFrames } from "./combatPreview";
import { rulesText } from "../features/new-game/houseRules";
import { LiveConnection, type ConnectionState } from "../api/gameSocket";
import { ViewQueue, displayTime } from "./viewQueue";
import { dialogsText, gameText } from "../i18n";
import { absoluteUrl } from "../app/router.svelte";
import { prefersReducedMotion, settings } from "../app/settings.svelte";
import { saveGame, myGames, type MyGame } from "./myGames";
import { narrate } from "./narration";

const LOG_PAGE = 60; // number of views whose log entries are fetched at once

export class GameSession {
  /** the board; null until the server's welcome */
  board: Board | null = $state.raw(null);
  connection: ConnectionState = $state("connecting");
  /** the server's reason for closing the connection */
  closedReason = $state("");
  readonly clocks = new Clocks();

  readonly #secrets: string[];
  readonly #socket: LiveConnection;
  readonly #diceChain: DiceChain;
  readonly #queue = new ViewQueue();
  #heldViews: View[] = []; // taken from the queue, to be shown after the player has seen the notice
  #latestView: View | null = null; // the newest view of the server, shown or not
  #timer = 0;
  #logStart = $state(-1); // number of views before the log begins; -1 until the server was asked
  #logStartMove = 0; // number of choices made before the log begins

  readonly meta: Meta | null = $derived(this.board?.meta ?? null);
  readonly canUndo: boolean = $derived(this.isPlaying && this.meta?.undo !== "none" && this.board!.view.move > 0);
  readonly hasEarlier: boolean = $derived(this.#logStart > 0);
  /** other seats that the game waits for before it begins */
  readonly awaitedSeats: Seat[] = $derived((this.meta?.waiting ?? []).filter((seat) => !this.isMine(seat)));
  /** `awaitedSeats` in words */
  readonly awaitedNames: string = $derived.by(() => {
    const labels = this.awaitedSeats.map((seat) => this.playerLabel(seat));
    const severalRivals = labels.filter((label) => label === gameText.aRival).length > 1;
    return gameText.list([
      ...new Set(labels.map((label) => (severalRivals && label === gameText.aRival ? gameText.yourRivals : label))),
    ]);
  });
  /** when the game begins: players who sent links wait for them to be opened, guests wait for the other players */
  readonly startStatus: string = $derived.by(() => {
    const several = this.awaitedSeats.length > 1;
    if (!this.awaitedSeats.some((seat) => this.invitationLinks[seat]))
      return gameText.beginsThen(this.awaitedNames, several);
    return this.awaitedSeats.some((seat) => this.meta!.present.includes(seat))
      ? gameText.opened
      : gameText.begins(this.awaitedNames, several);
  });
  /** other people in the game who are not connected */
  readonly absentSeats: Seat[] = $derived(
    (Object.keys(this.meta?.kinds ?? {}) as Seat[]).filter(
      (seat) => this.meta!.kinds[seat] === "person" && !this.isMine(seat) && !this.meta!.present.includes(seat),
    ),
  );

  /** Join a game; `secret` is the fragment of the link. */
  constructor(
    readonly game: string,
    secret: string,
  ) {
    const kept = this.storedGame;
    this.#secrets = [...new Set([...Object.values(kept.secrets), ...secret.split(",").filter(Boolean)])];
    this.#diceChain = new DiceChain(
      chainStore(game),
      (message) => this.#socket.send(message),
      (text) => this.board?.showNote(text),
    );
    this.#socket = new LiveConnection(
      game,
      () => ({ type: "hello", secrets: this.#secrets }),
      (message) => this.#handleMessage(message),
      (now) => (this.connection = now),
    );
  }

  /** Disconnect from the game. */
  close(): void {
    this.#socket.close();
    this.clocks.stop();
    clearTimeout(this.#timer);
  }

  /** Whether the viewer plays, not only watches. */
  get isPlaying(): boolean {
    return !!this.board?.you.length;
  }

  /** Return a player's name, or a description of a player who has not given a name yet. */
  playerLabel(seat: Seat): string {
    const board = this.board!;
    return (
      this.meta?.names[seat] ||
      (!board.isDoubles ? gameText.yourFriend : board.isYourSide(seat) ? gameText.yourPartner : gameText.aRival)
    );
  }

  isMine(seat: Seat | undefined): boolean {
    return seat !== undefined && !!this.board?.you.includes(seat);
  }

  /** What this device has stored about the game: the secrets of the viewer's seats and of friends' seats. */
  get storedGame(): MyGame {
    return myGames().find((g) => g.game === this.game) ?? { game: this.game, secrets: {}, what: "", when: 0 };
  }

  /** The links that open friends' seats, as far as this device has them. */
  get invitationLinks(): Partial<Record<Seat, string>> {
    const friends = Object.entries(this.storedGame.friends ?? {});
    return Object.fromEntries(friends.map(([seat, secret]) => [seat, absoluteUrl(`/g/${this.game}#${secret}`)]));
  }

  /** The partner who must agree if you concede: a person who is connected. */
  get partnerToAgree(): Seat | undefined {
    const you = this.board?.you ?? [];
    return you
      .flatMap((seat) => this.board!.side(seat))
      .find((seat) => !you.includes(seat) && this.meta?.kinds[seat] === "person" && this.meta.present.includes(seat));
  }

  /** Continue a game that one of two partners wants to concede. */
  playOn(): void {
    this.#send({ type: "play on" });
  }

  // --- messages to the server, apart from choices (board) -----------------------------------------------------------

  undo(): void {
    this.#send({ type: "undo" });
  }

  /** Accept or refuse an undo that another player asked for. */
  answerUndo(yes: boolean): void {
    this.#send({ type: "answer", yes });
  }

  /** Concede, for the deciding seat if the viewer has several. */
  concede(): void {
    const decides = this.board?.view.decision?.seat;
    const seat = this.isMine(decides) ? decides : this.board?.you[0];
    if (seat) this.#send({ type: "concede", seat });
  }

  claimWin(): void {
    this.#send({ type: "claim" });
  }

  rename(name: string): void {
    const you = this.board?.you ?? [];
    if (you.length === 1) this.#send({ type: "name", seat: you[0]!, name });
  }

  /** Roll the dice without the missing contributions of other players. */
  rollWithoutMissing(): void {
    this.#send({ type: "without" });
  }

  requestRematch(): void {
    this.#send({ type: "rematch" });
  }

  /** Store the rematch, in which the same secrets open the same seats, and return its path. */
  acceptRematch(): string {
    const game = this.meta?.rematch;
    if (!game) return "";
    saveGame({ ...this.storedGame, game, what: "", when: Date.now(), over: false });
    return `/g/${game}#${this.#secrets.join(",")}`;
  }

  #send(message: ClientMessage): boolean {
    return this.#socket.send(message.type === "play" ? this.#diceChain.withContribution(message) : message);
  }

  // --- messages from the server -------------------------------------------------------------------------------------

  #handleMessage(message: ServerMessage): void {
    const board = this.board;
    switch (message.type) {
      case "welcome":
        return this.#handleWelcome(message);
      case "throw":
        return this.#diceChain.contribute(message);
      case "view":
        return this.#receiveView(message.view);
      case "change": {
        const view = applyDelta(this.#latestView, message);
        if (view) this.#receiveView(view);
        else this.#send({ type: "view" }); // a change was missed
        return;
      }
      case "meta":
        this.#diceChain.onMeta(message.meta);
        return this.#applyMeta(message.meta);
      case "refused":
        return board?.onRejected(message.reason);
      case "why not":
        return board?.showNote(message.text, message.rule);
      case "look":
        if (board) board.statReasons = { key: `${board.view.version} ${message.die}`, lines: message.lines };
        return;
      case "coach":
        if (board) board.coachRemarks = message;
        return;
      case "bye":
        this.closedReason = message.reason;
    }
  }

  #receiveView(view: View): void {
    this.#latestView = view;
    this.#diceChain.verifyView(view);
    if (this.#queue.push(view)) this.#showNext();
  }

  #handleWelcome(message: Extract<ServerMessage, { type: "welcome" }>): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#heldViews = [];
    if (this.board) this.board.notice = null;
    const { view, you } = message;
    this.#latestView = view;
    this.#queue.reset(view);
    if (!this.board) {
      const created = new Board(message.table, view, (outgoing) => this.#send(outgoing));
      created.skipAhead = () => this.#showAllNow();
      created.near = you[0] ?? "A";
      created.log = stampMoves(view);
      this.#logStartMove = view.move + (view.news.length ? 0 : 1); // after an undo the view has no news
      this.board = created;
    }
    const board = this.board;
    board.you = you;
    this.#applyMeta(message.meta);
    board.isWaiting = false;
    board.isCaughtUp = true;
    this.closedReason = "";
    if (board.view.version !== view.version) board.showView(view);
    else board.resetSelection();
    this.#rotateBoard();
    board.autoAnswer();
    this.#announceName();
    this.#persist();
    this.#diceChain.onWelcome(you, message.meta, view.result !== null);
    this.#diceChain.verifyView(view);
    if (this.#logStart < 0) void this.loadEarlierLog();
  }

  /** Send the viewer's name if the seat has none yet, as after joining by a link. */
  #announceName(): void {
    const you = this.board?.you ?? [];
    if (settings.name && you.length === 1 && !this.meta?.names[you[0]!]) this.rename(settings.name);
  }

  #applyMeta(meta: Meta): void {
    const board = this.board;
    if (!board) return;
    const pendingOffer = board.meta?.offer;
    const version = board.view.version;
    const arrived = (board.meta?.waiting ?? []).filter((seat) => !this.isMine(seat) && !meta.waiting?.includes(seat));
    // names are used everywhere: equal metadata must not trigger updates
    if (JSON.stringify(meta) !== JSON.stringify(board.meta)) board.meta = meta;
    if (pendingOffer && this.isMine(pendingOffer.by) && !meta.offer)
      setTimeout(
        () =>
          board.view.version === version &&
          board.showNote(gameText.undoRefused(pendingOffer.awaits.map((seat) => board.name(seat)).join(gameText.or))),
        400,
      ); // the view is still the same: the undo was refused
    if (arrived.length)
      board.showNote(gameText.came(gameText.list(arrived.map((seat) => this.playerLabel(seat))), arrived.length > 1));
    this.clocks.show(meta.clock ?? null);
  }

  /** Store on this device what opens the seats again. */
  #persist(): void {
    const board = this.board;
    if (!board || !this.isPlaying) return;
    const mine: Partial<Record<Seat, string>> = {};
    if (this.#secrets.length === board.you.length) board.you.forEach((seat, n) => (mine[seat] = this.#secrets[n]!));
    const names = board.table.seats
      .slice(0, 2)
      .map((lead) => board.sideName(lead))
      .join(gameText.against);
    saveGame({
      game: this.game,
      secrets: Object.keys(this.storedGame.secrets).length ? {} : mine,
      what: `${names}, ${rulesText(board.table.edition)}`,
      when: Date.now(),
      over: board.view.result !== null,
    });
  }

  /** Show queued views one after the other, each long enough to be followed. */
  #showNext(everything = document.hidden): void {
    const board = this.board;
    if (!board || this.#timer || board.notice) return;
    const views = this.#heldViews.length ? this.#heldViews.splice(0) : this.#queue.take(everything);
    if (!views.length) return;
    const turnEnd = settings.hurry || document.hidden ? -1 : views.findIndex((view) => board.isAutomaticTurnEnd(view));
    if (turnEnd >= 0) this.#pauseAtTurnEnd(views, turnEnd);
    else if (views.length === 1 && !everything && !prefersReducedMotion()) {
      const [first, ...later] = splitIntoFrames(board.shown, views[0]!);
      views[0] = first!;
      this.#queue.putBack(later);
    }
    board.isCaughtUp = !board.notice && this.#queue.length === 0;
    board.isWaiting = false;
    let { life } = board.view;
    for (const [n, view] of views.entries()) {
      if (n < views.length - 1) board.appendLog(view, life);
      else board.showView(view, life);
      life = view.life;
    }
    this.#rotateBoard();
    if (board.notice) return;
    const shown: View = views.at(-1)!;
    if (shown.result) this.#persist();
    const pause = this.#queue.length || !this.isMine(shown.decision?.seat) ? displayTime(shown, settings.speed) : 0;
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      if (this.#queue.length) this.#showNext();
    }, pause);
  }

  /** Show all queued views now. */
  #showAllNow(): void {
    if (!this.#timer || !this.#queue.length) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showNext(true);
  }

  /** Pause after your turn has ended automatically, until you continue. Later views are held back. */
  #pauseAtTurnEnd(views: View[], last: number): void {
    const board = this.board!;
    this.#heldViews = views.splice(last + 1);
    const lines = narrate(
      views.flatMap((view) => logEntries(view)),
      board.listener,
    );
    const end = lines.findIndex((line) => line.kind === "turn");
    board.notice = {
      events: lines
        .slice(0, end < 0 ? undefined : end)
        .filter((line) => line.kind !== "why")
        .map((line) => line.text),
      resume: () => {
        board.notice = null;
        board.isCaughtUp = !this.#heldViews.length && !this.#queue.length;
        this.#showNext();
      },
    };
  }

  /** With several players at one screen, turn the board towards the player who decides. Partners share a side. */
  #rotateBoard(): void {
    const board = this.board;
    if (!board || board.you.length < 2 || !settings.turn) return;
    const decides = board.view.decision?.seat;
    if (decides && this.isMine(decides) && !board.side(board.near).includes(decides)) board.near = decides;
  }

  /** Fetch the part of the log before the oldest known entry. */
  async loadEarlierLog(): Promise<void> {
    const board = this.board;
    if (!board) return;
    try {
      const end = this.#logStart < 0 ? (await getViews(this.game, 0, 1)).total : this.#logStart;
      const start = Math.max(0, end - LOG_PAGE);
      const { views } = end > start ? await getViews(this.game, start, end - start) : { views: [] };
      const known = new Set(board.log.map((line) => line.move)); // arrived meanwhile: the toss waits for all contributions
      board.log = [
        ...views.filter((v) => v.move < this.#logStartMove && !known.has(v.move)).flatMap((v) => logEntries(v)),
        ...board.log,
      ];
      this.#logStartMove = views[0]?.move ?? 0;
      this.#logStart = start;
    } catch {
      board.showNote(dialogsText.noEarlier);
    }
  }
}
