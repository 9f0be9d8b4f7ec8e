import { processSingleton } from "@/lib/process-singleton";

/** So many calls that a limit refused within so long: the provider's limit is what calls are held back for, not a moment's chance. */
const REFUSALS = 5;
const WITHIN_MS = 10_000;
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
/** Of what was not asked for, and of a lane that asked for less than its share, what may be asked for at once. */
const SAVED_MS = 5_000;
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
/** What was held and did not come back so long after its time was canceled, or came back to another process. */
const FORGOTTEN_MS = 60_000;
const FORGET_EVERY_MS = 1_000;

export interface PaceOptions {
  /** Milliseconds of a clock that only goes on. */
  now?: () => number;
  /** At least 0, below 1. */
  random?: () => number;
}

/** Whether a call may be made now, or when to ask again. */
export type Pace =
  | { isTurn: true }
  | {
      isTurn: false;
      waitSeconds: number;
      /** For how long nothing has got through to the model. */
      silentSeconds: number;
    };

/**
 * The pace at which one process asks one model while its provider's limit refuses calls. What a provider lets through is not known
 * beforehand, differs by the hour and is shared with other processes, so it is felt for as TCP does: each answer makes the pace a
 * little faster, a refusal slower by a third. Calls for which nobody waits are held to it, and the rest goes on as it comes.
 * Every lane gets the same share, so that whoever has a few calls does not stand behind another's thousands.
 */
export class ModelPace {
  private refusedAtMs: number[] = [];
  private limit: Limit | null = null;

  constructor(private readonly options: Required<PaceOptions>) {}

  /** A limit refused a call, whoever's it was. */
  refused(): void {
    const now = this.options.now();
    this.refusedAtMs = [...this.refusedAtMs.filter((at) => now - at < WITHIN_MS), now].slice(-REFUSALS);
    if (!this.limit && this.refusedAtMs.length === REFUSALS) this.limit = new Limit(now, this.options.random);
    this.limit?.refuse(now);
  }

  /** The model answered a call, whoever's it was. */
  answered(): void {
    this.limit?.answer(this.options.now());
  }

  /** Of calls that are held to the pace, one was answered. */
  pacedAnswered(): void {
    this.limit?.hasten(this.options.now());
  }

  /** Of calls that are held to the pace, one was refused, and told when to come again. */
  pacedRefused(retryAfterSeconds = 0): void {
    this.limit?.refusePaced(this.options.now(), retryAfterSeconds);
  }

  /**
   * Asks for a call that is to be held to the pace.
   * @param lane whose call it is
   * @param id the same each time the call is asked for
   */
  ask(lane: string, id: string): Pace {
    const now = this.options.now();
    if (this.limit?.isOver(now)) this.limit = null;
    return this.limit?.ask(lane, id, now) ?? { isTurn: true };
  }
}

interface Lane {
  /** Since when it has had nothing of its share: the next is due after one of its intervals. */
  sinceMs: number;
  /** What is held, each with the time for which it was sent away. */
  held: Map<string, number>;
}

class Limit {
  private intervalMs = FIRST_INTERVAL_MS;
  private sinceMs: number;
  private notBeforeMs = 0;
  private refusedAtMs: number;
  private slowedAtMs: number;
  private hasSlowed = false;
  private hastenedAtMs: number;
  private answeredAtMs: number;
  private forgotAtMs: number;
  private readonly begunAtMs: number;
  private readonly lanes = new Map<string, Lane>();

  constructor(
    now: number,
    private readonly random: () => number,
  ) {
    this.sinceMs = now - FIRST_INTERVAL_MS;
    this.forgotAtMs = now;
    this.begunAtMs = now;
    this.refusedAtMs = now;
    this.answeredAtMs = now;
    this.slowedAtMs = now;
    this.hastenedAtMs = now;
  }

  refuse(now: number): void {
    this.refusedAtMs = now;
    if (this.intervalMs < LONGEST_FOR_OTHERS_MS) this.slow(now, LONGEST_FOR_OTHERS_MS);
  }

  refusePaced(now: number, retryAfterSeconds: number): void {
    this.slow(now, LONGEST_INTERVAL_MS);
    this.notBeforeMs = Math.max(this.notBeforeMs, now + retryAfterSeconds * 1_000);
  }

  private slow(now: number, longestMs: number): void {
    if (now - this.slowedAtMs < MOMENT_MS) return;
    this.slowedAtMs = now;
    this.hasSlowed = true;
    this.intervalMs = Math.min(longestMs, this.intervalMs / SLOWER);
  }

  answer(now: number): void {
    this.answeredAtMs = now;
  }

  hasten(now: number): void {
    if (now - this.hastenedAtMs < MOMENT_MS) return;
    this.hastenedAtMs = now;
    const isSteady = this.hasSlowed && now - this.refusedAtMs < Math.max(STEADY_MS, STEADY_CALLS * this.intervalMs);
    this.intervalMs = Math.max(SHORTEST_INTERVAL_MS, this.intervalMs / (isSteady ? FASTER : FASTER_BY_FAR));
  }

  isOver(now: number): boolean {
    if (this.intervalMs <= SHORTEST_INTERVAL_MS) return true;
    return now - this.refusedAtMs > Math.max(QUIET_MS, QUIET_CALLS * this.intervalMs);
  }

  ask(name: string, id: string, now: number): Pace {
    const lane = this.laneOf(name);
    lane.held.delete(id);
    this.forget(now);
    const laneIntervalMs = this.intervalMs * this.lanes.size;
    const readyMs = Math.max(lane.sinceMs + laneIntervalMs, this.sinceMs + this.intervalMs, this.notBeforeMs);
    if (now >= readyMs) {
      this.sinceMs = Math.max(this.sinceMs + this.intervalMs, now - SAVED_MS);
      lane.sinceMs = Math.max(lane.sinceMs + laneIntervalMs, now - SAVED_MS);
      return { isTurn: true };
    }
    const waitMs = this.holdMs(now, readyMs - now, (lane.held.size + 1) * laneIntervalMs);
    lane.held.set(id, now + waitMs);
    return { isTurn: false, waitSeconds: waitMs / 1_000, silentSeconds: (now - this.answeredAtMs) / 1_000 };
  }

  /**
   * Those that are held come back all along the time in which the pace takes them, by chance. Others' lanes may be empty soon: a lane
   * takes no longer than all of them together.
   */
  private holdMs(now: number, leastMs: number, laneMs: number): number {
    let held = 1;
    for (const lane of this.lanes.values()) held += lane.held.size;
    const lineMs = Math.min(laneMs, held * this.intervalMs);
    const someMs = Math.min(PART_OF_LINE * lineMs, now - this.begunAtMs);
    const longestMs = Math.max(LEAST_HOLD_MS, someMs, (held / LOOKS_A_SECOND) * 1_000);
    return Math.min(LONGEST_HOLD_SECONDS * 1_000, longestMs, leastMs + lineMs * this.random());
  }

  private laneOf(name: string): Lane {
    const known = this.lanes.get(name);
    if (known) return known;
    const lane = { sinceMs: Number.NEGATIVE_INFINITY, held: new Map() };
    this.lanes.set(name, lane);
    return lane;
  }

  /** Lanes that want nothing give their share to the others. */
  private forget(now: number): void {
    if (now - this.forgotAtMs < FORGET_EVERY_MS) return;
    this.forgotAtMs = now;
    for (const [name, { held, sinceMs }] of this.lanes) {
      for (const [id, untilMs] of held) if (now - untilMs > FORGOTTEN_MS) held.delete(id);
      if (held.size === 0 && sinceMs < now - SAVED_MS) this.lanes.delete(name);
    }
  }
}

/** The paces of this process, of those models alone that a limit refused calls of. */
export class ModelPaces {
  private readonly paces = new Map<string, ModelPace>();

  constructor(private readonly options: PaceOptions = {}) {}

  /** Undefined where no limit refused a call of the model so far: it is asked as calls come. */
  find(model: string): ModelPace | undefined {
    return this.paces.get(model);
  }

  /** A limit refused a call of the model, whoever's it was. */
  refused(model: string): void {
    const { now = () => performance.now(), random = Math.random } = this.options;
    const pace = this.paces.get(model) ?? new ModelPace({ now, random });
    this.paces.set(model, pace);
    pace.refused();
  }
}

/** One for all bundles of the process. */
export function modelPaces(): ModelPaces {
  return processSingleton("model-paces", () => new ModelPaces());
}
