import { type Lane, PaceLanes, SAVED_MS } from "@/lib/ai/pace-lanes";

/** From one call to the next, to begin with; answers shorten it and refusals lengthen it. */
const FIRST_INTERVAL_MS = 1_000;
const SHORTEST_INTERVAL_MS = 5;
const LONGEST_INTERVAL_MS = 60_000;
/** Refusals of calls that are not held to the pace, as of a flood of chats, make it no slower than this. */
const LONGEST_FOR_OTHERS_MS = 10_000;
/** How much faster an answer makes the pace, and a refusal slower; either counts once within a moment, for those of one are of one pace. */
const FASTER = 1.05;
const SLOWER = 0.7;
const MOMENT_MS = 1_000;
/** The same as long as nothing shows that it is fast enough: until the first refusal, and after as much time or as many calls without. */
const FASTER_BY_FAR = 1.5;
const STEADY_MS = 20_000;
const STEADY_CALLS = 5;
/** After so many refusals without an answer between them nothing gets through, at whatever pace: they say nothing of it any more. */
const SHUT_AFTER = 3;
/** One call in so long finds out that calls get through again, ... */
const KNOCK_MS = 10_000;
/** ... and then the pace is by so much slower than the one at which they were answered before. */
const SLOWER_AT_REOPENING = 2;
/** What was refused so often is likely more than the limit takes at once, and says nothing of the pace any more. */
export const TELLING_TRIES = 2;
/** For how long a refusal may stop all calls: what it asks to wait for may be longer than others need. */
const LONGEST_PAUSE_MS = 10_000;
/** Without a refusal for so long, or for so many calls, there is no limit any more. */
const QUIET_MS = 60_000;
const QUIET_CALLS = 20;
/**
 * What is held comes back within a part of what the line takes at the pace, not all too often, and within as long as the limit has
 * lasted: the pace may soon be another, above all at first.
 */
const PART_OF_LINE = 0.1;
const LEAST_HOLD_MS = 60_000;
/** Of all that is held, no more than so many come back in a second to see whether it is their turn: each costs a look. */
const LOOKS_A_SECOND = 25;
/** Nothing is held for longer, however much there is. */
export const LONGEST_HOLD_SECONDS = 1_800;
/** Whether a call may be made now, or when to ask again. */
export type Pace =
  | { isTurn: true }
  | {
      isTurn: false;
      waitSeconds: number;
      /** For how long nothing has got through to the model. */
      silentSeconds: number;
    };

/** Of a call that was held to the pace. */
export interface PacedRefusal {
  lane: string;
  /** How many of its tries before a limit refused. */
  refusedBefore: number;
  retryAfterSeconds: number;
}

/**
 * What a provider lets through of one model's calls, felt for from when it began to refuse some, and shared out between lanes. All
 * times are milliseconds of a clock that only goes on.
 */
export class FeltLimit {
  private intervalMs = FIRST_INTERVAL_MS;
  /** Of the pace at which a call was answered last. */
  private provenMs = FIRST_INTERVAL_MS;
  /** Refusals that slowed the pace since anything was answered. */
  private refusedInARow = 0;
  private sinceMs: number;
  private notBeforeMs = 0;
  private refusedAtMs: number;
  /** When a refusal said last that the pace is too fast. */
  private toldAtMs: number;
  private slowedAtMs: number;
  private hasSlowed = false;
  private hastenedAtMs: number;
  private answeredAtMs: number;
  private readonly begunAtMs: number;
  private readonly lanes: PaceLanes;

  /** @param random at least 0, below 1 */
  constructor(
    now: number,
    private readonly random: () => number,
  ) {
    this.lanes = new PaceLanes(now);
    this.sinceMs = now - FIRST_INTERVAL_MS;
    this.begunAtMs = now;
    this.refusedAtMs = now;
    this.toldAtMs = now;
    this.answeredAtMs = now;
    this.slowedAtMs = now;
    this.hastenedAtMs = now;
  }

  /** A call that is not held to the pace was refused. */
  refuse(now: number): void {
    this.refusedAtMs = now;
    this.toldAtMs = now;
    if (this.intervalMs < LONGEST_FOR_OTHERS_MS) this.slow(now, LONGEST_FOR_OTHERS_MS);
  }

  /** Of calls that are held to the pace, one was refused. */
  refusePaced(now: number, { lane: name, refusedBefore, retryAfterSeconds }: PacedRefusal): void {
    this.refusedAtMs = now;
    const lane = this.lanes.of(name);
    if (lane.refusedInARow === 0) lane.refusedSinceMs = now;
    lane.refusedInARow += 1;
    if (refusedBefore >= TELLING_TRIES || this.lanes.isRefusedAlone(lane)) return;
    this.toldAtMs = now;
    this.slow(now, LONGEST_INTERVAL_MS);
    this.notBeforeMs = Math.max(this.notBeforeMs, now + Math.min(LONGEST_PAUSE_MS, retryAfterSeconds * 1_000));
  }

  private slow(now: number, longestMs: number): void {
    if (now - this.slowedAtMs < MOMENT_MS) return;
    this.slowedAtMs = now;
    this.hasSlowed = true;
    this.refusedInARow += 1;
    const longest = this.isShut ? Math.max(KNOCK_MS, this.reopeningMs) : LONGEST_INTERVAL_MS;
    this.intervalMs = Math.min(longest, longestMs, this.intervalMs / SLOWER);
  }

  private get isShut(): boolean {
    return this.refusedInARow >= SHUT_AFTER;
  }

  private get reopeningMs(): number {
    return SLOWER_AT_REOPENING * this.provenMs;
  }

  /** A call was answered, whoever's it was. */
  answer(now: number): void {
    this.answeredAtMs = now;
    if (this.isShut) {
      this.intervalMs = Math.min(this.intervalMs, this.reopeningMs);
      this.hasSlowed = false;
    }
    this.refusedInARow = 0;
  }

  /** Of calls that are held to the pace, one was answered. */
  hasten(now: number, name: string): void {
    const lane = this.lanes.of(name);
    lane.answeredAtMs = now;
    lane.refusedInARow = 0;
    if (now - this.hastenedAtMs < MOMENT_MS) return;
    this.hastenedAtMs = now;
    this.provenMs = this.intervalMs;
    const isSteady = this.hasSlowed && now - this.toldAtMs < Math.max(STEADY_MS, STEADY_CALLS * this.intervalMs);
    this.intervalMs = Math.max(SHORTEST_INTERVAL_MS, this.intervalMs / (isSteady ? FASTER : FASTER_BY_FAR));
  }

  /** Nothing was refused for so long that all is let through again. */
  isOver(now: number): boolean {
    if (this.intervalMs <= SHORTEST_INTERVAL_MS) return true;
    return now - this.refusedAtMs > Math.max(QUIET_MS, QUIET_CALLS * this.intervalMs);
  }

  /** As `ModelPace.ask`. */
  ask(name: string, id: string, now: number): Pace {
    const lane = this.lanes.of(name);
    lane.held.delete(id);
    this.lanes.forget(now);
    const laneIntervalMs = this.intervalMs * this.lanes.size;
    const laneReadyMs = lane.sinceMs + Math.min(lane.intervalMs, laneIntervalMs);
    const readyMs = Math.max(laneReadyMs, this.sinceMs + this.intervalMs, this.notBeforeMs);
    if (now >= readyMs) {
      this.sinceMs = Math.max(this.sinceMs + this.intervalMs, now - SAVED_MS);
      lane.sinceMs = Math.max(laneReadyMs, now - SAVED_MS);
      lane.intervalMs = laneIntervalMs;
      return { isTurn: true };
    }
    const waitMs = this.holdMs(now, readyMs - now, lane);
    lane.held.set(id, now + waitMs);
    return { isTurn: false, waitSeconds: waitMs / 1_000, silentSeconds: (now - this.answeredAtMs) / 1_000 };
  }

  /**
   * Those that are held come back all along the time in which the pace takes them, by chance. Others' lanes may be empty soon: a lane
   * takes no longer than all of them together.
   */
  private holdMs(now: number, leastMs: number, own: Lane): number {
    const held = 1 + this.lanes.held;
    const paceMs = this.isShut ? Math.min(this.intervalMs, this.reopeningMs) : this.intervalMs;
    const lineMs = paceMs * Math.min((own.held.size + 1) * this.lanes.size, held);
    const someMs = Math.min(PART_OF_LINE * lineMs, now - this.begunAtMs);
    const longestMs = Math.max(LEAST_HOLD_MS, someMs, (held / LOOKS_A_SECOND) * 1_000);
    return Math.min(LONGEST_HOLD_SECONDS * 1_000, longestMs, leastMs + lineMs * this.random());
  }
}
