import type pg from "pg";
import { type Applied, applyOutcome } from "@/inngest/embedded/apply-reply";
import { MAX_LOSSES, reconnectDelayMs } from "@/inngest/embedded/backoff";
import type { FunctionCaller } from "@/inngest/embedded/call-function";
import { type Claim, type ClaimedItem, Claimer } from "@/inngest/embedded/claim-items";
import { pause, persist } from "@/inngest/embedded/database";
import { makeRunEnder, type RunEnder } from "@/inngest/embedded/end-runs";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { prolongLeases, reclaimExpired, releaseLeases } from "@/inngest/embedded/keep-leases";
import { KnownLimits } from "@/inngest/embedded/known-limits";
import type { Log } from "@/inngest/embedded/log";
import { functionOf } from "@/inngest/embedded/read-config";
import { makeFailure, type Outcome } from "@/inngest/embedded/read-reply";

export interface ItemRunnerOptions {
  pool: pg.Pool;
  registry: FunctionRegistry;
  caller: FunctionCaller;
  runnerId: string;
  leaseMs: number;
  retryBaseMs: number;
  concurrency: number;
  log: Log;
  /** Whether the app can be called; without it nothing is claimed. */
  isAppThere(): boolean;
  onAppAway(reason: string): void;
  /** Tells other runners that there is work this one does not take now. */
  tellOthers(): void;
}

/** The longest time without a look at the queue; wakes make it needless, as long as none is lost. */
const POLL_MS = 2_000;
/**
 * Places that become free within this time are filled together where work waits for them: looking for it costs more than most
 * calls do, and what is taken together goes together from there on.
 */
const GATHER_MS = 5;
/** How long a reply is kept for a database that is away. */
const REPLY_PATIENCE_MS = 10 * 60_000;
/** Runs of functions that no app ever registered; kept only so that they end. */
const UNKNOWN_FUNCTION_ATTEMPTS = 1;

/** Claims items, calls the app with them, and writes what came of it. */
export class ItemRunner {
  readonly #claimer: Claimer;
  readonly #endRun: RunEnder;
  readonly #limits = new KnownLimits();
  readonly #active = new Map<string, ClaimedItem>();
  /** Places that are set aside for items on their way. */
  #reserved = 0;
  #hasBacklog = false;
  #isClaiming = false;
  #isWoken = false;
  #isStopping = false;
  #isReleased = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #failedClaims = 0;
  #lastBeatAt = Date.now();
  #reclaimAt = 0;

  constructor(private readonly options: ItemRunnerOptions) {
    const { pool, runnerId, leaseMs, registry } = options;
    this.#endRun = makeRunEnder(pool);
    this.#claimer = new Claimer(
      pool,
      runnerId,
      leaseMs,
      (key) => registry.limitOf(key),
      (id) => registry.isOwn(id) || registry.isGone(id),
    );
  }

  /** There may be work: look at once. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#isClaiming) void this.#claimAll();
  }

  /** There are new items in these lanes: look at once, unless their limits are known to let none run. */
  wakeFor(lanes: string[]): void {
    const isOwn = (lane: string) => this.options.registry.isOwn(functionOf(lane));
    if (!lanes.every(isOwn)) this.options.tellOthers();
    if (lanes.length > 0 && !lanes.some(isOwn)) return;
    if (this.#limits.holdBack(lanes)) this.#hasBacklog = true;
    else this.wake();
  }

  /** Whether new work could begin here at once, as far as is known here. */
  hasRoom(count = 1): boolean {
    return !this.#isStopping && !this.#hasBacklog && count <= this.#free() && this.options.isAppThere();
  }

  /** Sets places aside for items that are leased as they are stored: see `StartPlaces`. */
  reserve(count: number): ((items: ClaimedItem[]) => void) | null {
    if (!this.hasRoom(count)) return null;
    this.#reserved += count;
    return (items) => {
      this.#reserved -= count;
      // What comes after the end of a stop's patience is left to the end of its lease.
      if (!this.#isReleased) for (const item of items) void this.#run(item);
    };
  }

  #free(): number {
    return this.options.concurrency - this.#active.size - this.#reserved;
  }

  /** Prolongs our leases, then takes back what others let go; call it a few times per lease. */
  async beat(): Promise<undefined> {
    const { pool, leaseMs, log } = this.options;
    await prolongLeases(pool, [...this.#active.values()], leaseMs);
    const now = Date.now();
    // After a time without beats (database away, process stopped) all runners get time to prolong theirs first.
    if (now - this.#lastBeatAt > leaseMs) this.#reclaimAt = now + leaseMs;
    this.#lastBeatAt = now;
    if (now < this.#reclaimAt) return;
    const count = await reclaimExpired(pool);
    if (count === 0) return;
    log("warn", "Took back work whose lease ran out", { count });
    this.wake();
  }

  /** Claims no more, waits for running calls, and hands back those that take longer. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    const giveUpAt = performance.now() + graceMs;
    while ((this.#active.size > 0 || this.#reserved > 0 || this.#isClaiming) && performance.now() < giveUpAt)
      await pause(10);
    this.#isReleased = true;
    await releaseLeases(this.options.pool, [...this.#active.values()]).catch((error) =>
      this.options.log("warn", "Could not hand back work; its lease runs out", { error: String(error) }),
    );
  }

  async #claimAll(): Promise<void> {
    this.#isClaiming = true;
    clearTimeout(this.#timer);
    let delayMs = POLL_MS;
    while (this.#isWoken && !this.#isStopping) {
      this.#isWoken = false;
      const free = this.#free();
      if (free <= 0 || !this.options.isAppThere()) {
        this.#hasBacklog = true;
        this.options.tellOthers();
        break;
      }
      try {
        const learn = this.#limits.beginLook();
        const claim = await this.#claimer.claim(free);
        this.#failedClaims = 0;
        const hasChanged = learn(claim.fullKeys);
        this.#take(claim, free);
        if (hasChanged && claim.hasBacklog) this.#wakeSoon();
        delayMs = Math.min(POLL_MS, (claim.nextDueMs ?? POLL_MS) + 1);
      } catch (error) {
        this.options.log("warn", "Could not look for work", { error: String(error) });
        delayMs = reconnectDelayMs(this.#failedClaims++);
        break;
      }
    }
    this.#isClaiming = false;
    if (this.#isStopping) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.max(1, delayMs));
  }

  #take(claim: Claim, free: number): void {
    this.#hasBacklog = claim.hasBacklog;
    if (claim.hasBacklog && claim.items.length === free) this.options.tellOthers();
    if (!claim.isComplete && claim.items.length < free) this.#isWoken = true;
    for (const item of claim.items) void this.#run(item);
  }

  /** Calls the function until its run ends, waits, or gives its place to others. */
  async #run(first: ClaimedItem): Promise<void> {
    const key = `${first.runId} ${first.stepId}`;
    let item: ClaimedItem | undefined = first;
    while (item) {
      this.#active.set(key, item);
      item = await this.#callAndApply(item);
    }
    this.#active.delete(key);
    this.#limits.noteEnd();
    if (this.#hasBacklog) this.#wakeSoon();
  }

  #wakeSoon(): void {
    if (this.#isStopping) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, GATHER_MS);
  }

  async #callAndApply(item: ClaimedItem): Promise<ClaimedItem | undefined> {
    const { log, registry, onAppAway } = this.options;
    const maxAttempts = registry.get(item.functionId)?.maxAttempts ?? UNKNOWN_FUNCTION_ATTEMPTS;
    const outcome = await this.#call(item, maxAttempts);
    if (this.#isReleased) return undefined;
    if (outcome.kind === "away") onAppAway(outcome.reason);
    if (outcome.kind === "lost")
      log("warn", "A call ended without an answer", { ...nameOf(item), reason: outcome.reason });
    try {
      const applied = await this.#apply(item, outcome, maxAttempts);
      if (applied.isStale) log("warn", "A reply came too late and was dropped", nameOf(item));
      if (applied.failure) log("warn", "A run failed", { ...nameOf(item), error: String(applied.failure.message) });
      // Whatever does not end here is in the queue now, or waits for its time.
      if (!applied.next && outcome.kind !== "done") this.wake();
      return applied.next;
    } catch (error) {
      log("error", "A reply could not be stored; the call will be repeated", { ...nameOf(item), error: String(error) });
      return undefined;
    }
  }

  async #call(item: ClaimedItem, maxAttempts: number): Promise<Outcome> {
    if (item.isSleep) return { kind: "memo", stepId: item.stepId, output: "null" };
    if (item.losses > MAX_LOSSES) {
      return {
        kind: "failed",
        error: makeFailure(`The app or its runner went away ${item.losses} times during this step.`),
        isFinal: true,
      };
    }
    if (!this.options.registry.isOwn(item.functionId)) return this.#endOrLeave(item);
    return this.options.caller.call(item, maxAttempts);
  }

  /** An item of a function that is not here, and was nowhere as far as was known. */
  async #endOrLeave({ functionId }: ClaimedItem): Promise<Outcome> {
    const isGone = await this.options.registry.isGoneNow(functionId).catch(() => false);
    if (!isGone) return { kind: "foreign" };
    const error = makeFailure(`No version of the app that runs has the function ${functionId} any more.`);
    return { kind: "failed", error, isFinal: true };
  }

  #apply(item: ClaimedItem, outcome: Outcome, maxAttempts: number): Promise<Applied> {
    const { pool, registry, retryBaseMs, leaseMs } = this.options;
    return persist(
      () => {
        const isKept = !this.#hasBacklog && !this.#isStopping && this.options.isAppThere();
        return applyOutcome(item, outcome, {
          ...{ pool, registry, retryBaseMs, leaseMs, maxAttempts, isKept },
          endRun: this.#endRun,
        });
      },
      REPLY_PATIENCE_MS,
      () => this.#isReleased,
    );
  }
}

function nameOf(item: ClaimedItem) {
  return { functionId: item.functionId, runId: item.runId, stepId: item.stepId, attempt: item.attempt };
}
