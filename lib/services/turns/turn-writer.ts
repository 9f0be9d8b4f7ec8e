import { brokenLogConnections, db } from "@/lib/db/pool";
import { DeltaCleaner } from "@/lib/domain/chunk-text";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import { appendEvent } from "@/lib/services/turns/append-event";
import { beatTurn } from "@/lib/services/turns/beat-turn";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { lostPlaces } from "@/lib/services/turns/lost-places";

/** Thrown into the work of a turn that ended, was canceled or was taken by another worker. */
export class TurnLostError extends Error {
  constructor() {
    super("The turn is no longer this worker's.");
    this.name = "TurnLostError";
  }
}

/**
 * The first piece of text goes out at once, which is when what has arrived with it is read too: an answer that arrives whole is
 * written with the turn's end. What comes within this time after a piece goes out together.
 */
const COALESCE_MS = 20;

/**
 * Writes a turn's text into the session event log as it arrives. One write at a time, each fenced: a worker that lost
 * its turn writes nothing and learns of it through `signal`. The joined text is exactly what the log holds.
 */
export class TurnWriter {
  readonly #turn: ClaimedTurn;
  readonly #abort = new AbortController();
  readonly #cleaner = new DeltaCleaner();
  readonly #stopBeating: () => void;
  #seq: number;
  #text = "";
  #pending = "";
  #flushing: Promise<void> | null = null;
  #flushTimer: NodeJS.Timeout | null = null;
  #flushNow: NodeJS.Immediate | null = null;
  #lastFlushAt = 0;
  #isEnding = false;
  #breaks = brokenLogConnections();
  #failure: unknown;

  constructor(turn: ClaimedTurn) {
    this.#turn = turn;
    this.#seq = turn.lastSeq;
    this.#stopBeating = beatTurn(turn, () => this.#fail(new TurnLostError()));
  }

  /** Aborts when the turn is lost or its text cannot be stored: stop the model. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** All text of this attempt that is in the log. */
  get text(): string {
    return this.#text;
  }

  /** Tells readers to drop what an earlier attempt wrote, above all that they may have of it. */
  async reset(): Promise<void> {
    const { hasRun, generation, sessionId } = this.#turn;
    if (hasRun) await this.#append("reset", { sessionId }, this.#seq + lostPlaces(generation - 1) + 1);
  }

  /**
   * Tells those who look on in the panel how far the work is, behind all text so far; one after another, also where several
   * files are read at once.
   * @throws TurnLostError, or the database's error
   */
  async tell(progress: TurnProgress): Promise<void> {
    if (this.#pending && !this.#flushing) this.#start();
    while (this.#flushing) await this.#flushing;
    if (this.#failure) throw this.#failure;
    const { sessionId } = this.#turn;
    this.#start(() => this.#orFail(() => this.#append("progress", { sessionId, ...progress })));
    await this.#flushing;
    if (this.#failure) throw this.#failure;
  }

  /** Takes a piece of the answer; it is in the log soon after. */
  push(delta: string): void {
    this.#pending += this.#cleaner.push(delta);
    this.#schedule();
  }

  /** Drops what this attempt has said so far, for readers too: something else takes its place. */
  async restart(): Promise<void> {
    this.#cleaner.end();
    this.#pending = "";
    this.#unschedule();
    await this.#flushing;
    if (this.#failure) throw this.#failure;
    if (this.#text === "") return;
    await this.#append("reset", { sessionId: this.#turn.sessionId });
    this.#text = "";
  }

  /**
   * Waits until all text is in the log.
   * @throws TurnLostError, or the database's error
   */
  async finish(): Promise<string> {
    if (await this.finishButLast()) await this.#flush();
    if (this.#failure) throw this.#failure;
    return this.#text;
  }

  /**
   * Waits until all text is in the log but for the last piece, and returns that ("" when there is none): whoever ends the turn
   * writes it along with the end.
   * @throws TurnLostError; Error when the database lost text, or cannot be asked
   */
  async finishButLast(): Promise<string> {
    this.#pending += this.#cleaner.end();
    // The write under way must not begin another at its end: the last one is made, and waited for, by the caller.
    this.#isEnding = true;
    this.#unschedule();
    await this.#flushing;
    if (this.#failure) throw this.#failure;
    await this.#checkLog();
    return this.#pending;
  }

  /**
   * Ends the heartbeat; the writer is not used after it. Resolves when the write under way has ended, so that whoever takes
   * the turn next sees all that was written of it.
   */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#stopBeating();
    this.#unschedule();
    await this.#flushing;
  }

  #schedule(): void {
    if (!this.#pending || this.#isEnding || this.#flushing || this.#flushTimer || this.#flushNow || this.#failure)
      return;
    const start = () => {
      this.#flushTimer = null;
      this.#flushNow = null;
      this.#start();
    };
    const waitMs = Math.max(0, this.#lastFlushAt + COALESCE_MS - performance.now());
    if (waitMs === 0) this.#flushNow = setImmediate(start);
    else this.#flushTimer = setTimeout(start, waitMs);
  }

  #unschedule(): void {
    if (this.#flushTimer) clearTimeout(this.#flushTimer);
    if (this.#flushNow) clearImmediate(this.#flushNow);
    this.#flushTimer = null;
    this.#flushNow = null;
  }

  #start(write = () => this.#flush()): void {
    this.#unschedule();
    this.#flushing = write().finally(() => {
      this.#flushing = null;
      this.#schedule();
    });
  }

  async #flush(): Promise<void> {
    const delta = this.#pending;
    this.#pending = "";
    this.#lastFlushAt = performance.now();
    await this.#orFail(async () => {
      await this.#append("chunk", { sessionId: this.#turn.sessionId, delta });
      this.#text += delta;
    });
  }

  async #append(type: string, payload: Record<string, unknown>, seq = this.#seq + 1): Promise<void> {
    await this.#checkLog();
    const { sessionId, turnId, generation } = this.#turn;
    const isMine = await appendEvent({ sessionId, turnId, generation, seq, type, data: JSON.stringify(payload) });
    // Otherwise somebody else wrote here: the turn ended or has a new worker.
    if (!isMine) throw new TurnLostError();
    this.#seq = seq;
  }

  /** A crash of the database may take the last events from the log, and a worker that waited meanwhile goes on: not so. */
  async #checkLog(): Promise<void> {
    const breaks = brokenLogConnections();
    if (breaks === this.#breaks) return;
    const { sessionId, lastSeq } = this.#turn;
    if (this.#seq > lastSeq) {
      const { rowCount } = await db().query("SELECT FROM session_events WHERE session_id = $1 AND seq = $2", [
        sessionId,
        this.#seq,
      ]);
      if (!rowCount) throw new Error("The database lost text of the answer.");
    }
    this.#breaks = breaks;
  }

  async #orFail(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#abort.abort(error);
  }
}
