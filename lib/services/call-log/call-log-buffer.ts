import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";
import { writeCalls } from "@/lib/services/call-log/write-calls";

export interface CallLogOptions {
  /** Stores a batch; safe to repeat with the same rows. */
  write(rows: CallLogEntry[]): Promise<void>;
  /** The longest a row waits for others. */
  flushMs?: number;
  /** Rows of one write. */
  batchRows?: number;
  /** Beyond this many waiting rows the oldest are dropped. */
  maxRows?: number;
  /** Until the next try when a write failed. */
  retryMs?: number;
}

const FLUSH_MS = 250;
const BATCH_ROWS = 500;
const MAX_ROWS = 50_000;
const RETRY_MS = 1_000;
const STOP_MS = 4_000;
const STOP_RETRY_MS = 100;

/**
 * Keeps rows of the call log for a moment and writes them together, so that no call waits for its own. While the
 * database is away they wait; when there are too many the oldest go, and a warning says how many. A process that is
 * killed loses those of its last quarter second.
 */
export class CallLogBuffer {
  readonly #options: Required<CallLogOptions>;
  #waiting: CallLogEntry[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: CallLogOptions) {
    const defaults = { flushMs: FLUSH_MS, batchRows: BATCH_ROWS, maxRows: MAX_ROWS, retryMs: RETRY_MS };
    this.#options = { ...defaults, ...options };
  }

  /** Takes a row; costs microseconds and never throws. */
  add(row: CallLogEntry): void {
    this.#waiting.push(row);
    this.#dropOldest();
    if (this.#writing || this.#timer) {
      if (this.#waiting.length === this.#options.batchRows) this.#hurry();
      return;
    }
    this.#schedule(this.#options.flushMs);
  }

  /** How many rows are not written yet. */
  get waitingRows(): number {
    return this.#waiting.length;
  }

  /** Writes what waits, without waiting for more. Never rejects: what could not be written goes on waiting. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write(1);
  }

  /** Writes everything; gives up after some seconds without a database. */
  async stop(stopMs: number = STOP_MS): Promise<void> {
    const deadline = performance.now() + stopMs;
    const isOver = () => performance.now() > deadline;
    while (this.#waiting.length > 0 || this.#writing) {
      await Promise.race([this.flush(), pause(Math.max(0, deadline - performance.now()) + 1)]);
      if (isOver()) break;
      if (this.#waiting.length > 0) await pause(STOP_RETRY_MS);
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) log("warn", "Rows of the call log are lost.", { rows: this.#waiting.length });
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write(this.#options.batchRows);
    }, ms);
    // The log alone is no reason to keep a process.
    this.#timer.unref();
  }

  /** A full batch need not wait for the clock, unless the last write failed and the clock is that of the next try. */
  #hurry(): void {
    if (this.#writing || this.#isRetrying) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#write(this.#options.batchRows);
  }

  #isRetrying = false;

  /** Writes batches, the first of any size, while at least `enough` rows wait. One writer at a time. */
  #write(enough: number): Promise<void> {
    this.#writing ??= this.#writeBatches(enough).finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#timer)
        this.#schedule(this.#isRetrying ? this.#options.retryMs : this.#options.flushMs);
    });
    return this.#writing;
  }

  async #writeBatches(enough: number): Promise<void> {
    do {
      const batch = this.#waiting.splice(0, this.#options.batchRows);
      if (batch.length === 0) return;
      try {
        await this.#options.write(batch);
        this.#isRetrying = false;
      } catch (error) {
        this.#waiting.unshift(...batch);
        this.#dropOldest();
        this.#isRetrying = true;
        log("warn", "The call log could not be written; it is tried again.", { rows: this.#waiting.length }, error);
        return;
      }
      this.#reportDropped();
    } while (this.#waiting.length >= enough);
  }

  #dropOldest(): void {
    const { maxRows } = this.#options;
    if (this.#waiting.length <= maxRows) return;
    // Some at once: moving all others up for each single row would cost more than the row.
    const surplus = this.#waiting.length - maxRows + Math.floor(maxRows / 50);
    this.#waiting.splice(0, surplus);
    this.#dropped += surplus;
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    log("warn", "Rows of the call log were dropped: too many waited.", { rows: this.#dropped });
    this.#dropped = 0;
  }
}

/** The call log of this process. */
export function callLog(): CallLogBuffer {
  return processSingleton("call-log", () => new CallLogBuffer({ write: writeCalls }));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
