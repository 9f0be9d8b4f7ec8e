import type pg from "pg";
import { bringBackWaits } from "@/inngest/embedded/bring-back";
import { fireDueCrons } from "@/inngest/embedded/fire-crons";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { listen } from "@/inngest/embedded/listen";
import type { Log } from "@/inngest/embedded/log";
import { prune } from "@/inngest/embedded/prune";
import { repeat } from "@/inngest/embedded/repeat";
import type { ItemRunner } from "@/inngest/embedded/run-items";
import { FUNCTIONS_CHANNEL } from "@/inngest/embedded/store-functions";

export interface LoopOptions {
  /** The app's pool, for what is not urgent. */
  pool: pg.Pool;
  databaseUrl: string;
  leaseSeconds: number;
  longestWaitSeconds?: number;
  log?: Log;
}

/** What the loops keep going. */
interface LoopParts {
  runnerId: string;
  /** The runner's own. */
  pool: pg.Pool;
  registry: FunctionRegistry;
  items: ItemRunner;
}

/** Where a runner, named by its id, tells the others that there is work. */
export const WORK_CHANNEL = "runner_work";
const BEATS_PER_LEASE = 3;
const CRON_CHECK_MS = 30_000;
const PRUNE_EVERY_MS = 10 * 60_000;
const KEEP_HOURS = 24;
const LONGEST_WAIT_SECONDS = 31 * 86_400;

/** Heartbeats, crons, pruning and notifications; returns what ends them. */
export function startLoops(options: LoopOptions, { runnerId, pool, registry, items }: LoopParts): () => Promise<void> {
  const warn = (problem: string) => (error: unknown) => options.log?.("warn", problem, { error: String(error) });
  const crons = repeat(
    CRON_CHECK_MS,
    async () => {
      const { fired, shortened, nextMs } = await fireDueCrons(pool, registry);
      const { longestWaitSeconds = LONGEST_WAIT_SECONDS, leaseSeconds } = options;
      const broughtBack = await bringBackWaits(pool, longestWaitSeconds * 1000, leaseSeconds * 1000);
      if (shortened > 0) options.log?.("warn", "The clock was ahead: waits were shortened.", { waits: shortened });
      if (fired + shortened + broughtBack > 0) items.wake();
      return nextMs;
    },
    warn("Could not fire crons"),
  );
  const beats = repeat(
    (options.leaseSeconds * 1000) / BEATS_PER_LEASE,
    () => items.beat(),
    warn("Could not prolong leases"),
  );
  const pruning = repeat(PRUNE_EVERY_MS, () => prune(options.pool, KEEP_HOURS), warn("Could not prune"));
  const reload = () => registry.load().then(crons.now).catch(warn("Could not load functions"));
  const listener = listen(
    options.databaseUrl,
    [FUNCTIONS_CHANNEL, WORK_CHANNEL],
    (channel, sender) => {
      if (channel === FUNCTIONS_CHANNEL) void reload();
      else if (sender !== runnerId) items.wake();
    },
    () => {
      beats.now();
      void reload().then(() => items.wake());
    },
  );
  return async () => {
    await Promise.all([crons.stop(), beats.stop(), pruning.stop(), listener.stop()]);
  };
}
