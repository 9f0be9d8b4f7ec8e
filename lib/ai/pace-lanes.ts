/** Of what was not asked for, and of a lane that asked for less than its share, what may be asked for at once. */
export const SAVED_MS = 5_000;
/** A lane's refusals in a row behind so many are its own affair, when others' calls were answered meanwhile. */
const TELLING_IN_A_ROW = 3;
/** What was held and did not come back so long after its time was canceled, or came back to another process. */
const FORGOTTEN_MS = 60_000;
const FORGET_EVERY_MS = 1_000;

/** Whose calls have one share of a pace. */
export interface Lane {
  /** Since when it has had nothing of its share: the next is due after one of its intervals, ... */
  sinceMs: number;
  /** ... by the pace of then or of now, whichever is sooner: else all would wait out a pace that became slower, and nobody went on. */
  intervalMs: number;
  /** What is held, each with the time for which it was sent away. */
  held: Map<string, number>;
  answeredAtMs: number;
  /** Of its refusals since it was answered: how many, and since when. */
  refusedInARow: number;
  refusedSinceMs: number;
}

/** Those who share a pace, as long as they want some of it. Times are milliseconds of a clock that only goes on. */
export class PaceLanes {
  private readonly lanes = new Map<string, Lane>();
  private forgotAtMs: number;

  constructor(now: number) {
    this.forgotAtMs = now;
  }

  get size(): number {
    return this.lanes.size;
  }

  /** How much is held in all of them. */
  get held(): number {
    let held = 0;
    for (const lane of this.lanes.values()) held += lane.held.size;
    return held;
  }

  /** The one of that name; made where it wants something for the first time. */
  of(name: string): Lane {
    const known = this.lanes.get(name);
    if (known) return known;
    const lane = {
      ...{ sinceMs: Number.NEGATIVE_INFINITY, intervalMs: 0, held: new Map(), answeredAtMs: Number.NEGATIVE_INFINITY },
      ...{ refusedInARow: 0, refusedSinceMs: Number.NEGATIVE_INFINITY },
    };
    this.lanes.set(name, lane);
    return lane;
  }

  /** Whether a lane is refused time and again while others are answered. */
  isRefusedAlone(lane: Lane): boolean {
    if (lane.refusedInARow <= TELLING_IN_A_ROW) return false;
    return [...this.lanes.values()].some((other) => other !== lane && other.answeredAtMs > lane.refusedSinceMs);
  }

  /** Lanes that want nothing give their share to the others. */
  forget(now: number): void {
    if (now - this.forgotAtMs < FORGET_EVERY_MS) return;
    this.forgotAtMs = now;
    for (const [name, { held, sinceMs }] of this.lanes) {
      for (const [id, untilMs] of held) if (now - untilMs > FORGOTTEN_MS) held.delete(id);
      if (held.size === 0 && sinceMs < now - SAVED_MS) this.lanes.delete(name);
    }
  }
}
