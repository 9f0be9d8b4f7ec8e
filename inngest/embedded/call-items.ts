import type pg from "pg";
import { type Applied, applyOutcome } from "@/inngest/embedded/apply-reply";
import { MAX_LOSSES } from "@/inngest/embedded/backoff";
import type { FunctionCaller } from "@/inngest/embedded/call-function";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { persist } from "@/inngest/embedded/database";
import { makeRunEnder, type RunEnder } from "@/inngest/embedded/end-runs";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import type { Log } from "@/inngest/embedded/log";
import { makeFailure, type Outcome } from "@/inngest/embedded/read-reply";

export interface ItemCallerOptions {
  pool: pg.Pool;
  registry: FunctionRegistry;
  caller: FunctionCaller;
  leaseMs: number;
  retryBaseMs: number;
  log: Log;
  onAppAway(reason: string): void;
  /** Whether a run is called again at once, instead of giving its place to others in the queue. */
  isKept(): boolean;
  /** Whether all items were handed back: what still comes of a call is nobody's. */
  isReleased(): boolean;
  /** What came of a call is in the queue now, or waits for its time. */
  onQueued(): void;
}

/** How long a reply is kept for a database that is away. */
const REPLY_PATIENCE_MS = 10 * 60_000;
/** Runs of functions that no app ever registered; kept only so that they end. */
const UNKNOWN_FUNCTION_ATTEMPTS = 1;

/** Calls the app with an item, and writes what came of it. */
export class ItemCaller {
  readonly #endRun: RunEnder;

  constructor(private readonly options: ItemCallerOptions) {
    this.#endRun = makeRunEnder(options.pool);
  }

  /** One call; returns the next of its run where that is kept. */
  async call(item: ClaimedItem): Promise<ClaimedItem | undefined> {
    const { log, registry, onAppAway, isReleased, onQueued } = this.options;
    const maxAttempts = registry.get(item.functionId)?.maxAttempts ?? UNKNOWN_FUNCTION_ATTEMPTS;
    const outcome = await this.#call(item, maxAttempts);
    if (isReleased()) return undefined;
    if (outcome.kind === "away") onAppAway(outcome.reason);
    if (outcome.kind === "lost")
      log("warn", "A call ended without an answer", { ...nameOf(item), reason: outcome.reason });
    try {
      const applied = await this.#apply(item, outcome, maxAttempts);
      if (applied.isStale) log("warn", "A reply came too late and was dropped", nameOf(item));
      if (applied.failure) log("warn", "A run failed", { ...nameOf(item), reason: String(applied.failure.message) });
      // Whatever does not end here is in the queue now, or waits for its time.
      if (!applied.next && outcome.kind !== "done") onQueued();
      return applied.next;
    } catch (error) {
      log("error", "A reply could not be stored; the call will be repeated", {
        ...nameOf(item),
        reason: String(error),
      });
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
    const { pool, registry, retryBaseMs, leaseMs, isKept, isReleased } = this.options;
    const context = { pool, registry, retryBaseMs, leaseMs, maxAttempts, endRun: this.#endRun };
    return persist(() => applyOutcome(item, outcome, { ...context, isKept: isKept() }), REPLY_PATIENCE_MS, isReleased);
  }
}

function nameOf(item: ClaimedItem) {
  return { functionId: item.functionId, runId: item.runId, stepId: item.stepId, attempt: item.attempt };
}
