import type pg from "pg";
import { reconnectDelayMs } from "@/inngest/embedded/backoff";
import type { FunctionCaller } from "@/inngest/embedded/call-function";
import { ItemCaller } from "@/inngest/embedded/call-items";
import { type Claim, type ClaimedItem, Claimer } from "@/inngest/embedded/claim-items";
import { pause } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { LeaseKeeper, releaseLeases } from "@/inngest/embedded/keep-leases";
import { KnownLimits } from "@/inngest/embedded/known-limits";
import type { Log } from "@/inngest/embedded/log";
import { functionOf } from "@/inngest/embedded/read-config";

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

/** Claims items as places become free, and has them called until they end or give way to others. */
export class ItemRunner {
  readonly #claimer: Claimer;
  readonly #caller: ItemCaller;
  readonly #leases: LeaseKeeper;
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

  constructor(private readonly options: ItemRunnerOptions) {
    const { pool, runnerId, leaseMs, registry } = options;
    this.#leases = new LeaseKeeper(pool, leaseMs);
    this.#caller = new ItemCaller({
      ...options,
      isKept: () => !this.#hasBacklog && !this.#isStopping && options.isAppThere(),
      isReleased: () => this.#isReleased,
      onQueued: () => this.wake(),
    });
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
    const count = await this.#leases.keep([...this.#active.values()]);
    if (count === 0) return;
    this.options.log("warn", "Took back work whose lease ran out", { count });
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
      this.options.log("warn", "Could not hand back work; its lease runs out", { reason: String(error) }),
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
        this.options.log("warn", "Could not look for work", { reason: String(error) });
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
      item = await this.#caller.call(item);
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
}
