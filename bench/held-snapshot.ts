import { Client } from "pg";
import type { Benchmark } from "@/bench/support/benchmark";
import { measureJobRate } from "@/bench/support/job-rate";
import { median } from "@/bench/support/report";
import { setStage } from "@/bench/support/stage";
import { startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import { db } from "@/lib/db/pool";

/** Of 1,000 jobs each. */
const FREE_ROUNDS = 4;
const HELD_ROUNDS = 40;

/**
 * Jobs while a back-up or an export reads: it sees the database as it was when it began, so nothing that was deleted or changed since
 * can be cleared away. A queue in a database is where that tells first: whoever looks for work passes by all that was done.
 */
export const heldSnapshot: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const account = await stage.newAccount();
  const measure = async (rounds: number) => {
    const rates: number[] = [];
    while (rates.length < rounds) rates.push((await measureJobRate(run, stage, load, account)).perSecond);
    return rates;
  };
  await measure(1);
  const before = await measure(FREE_ROUNDS);
  const reader = new Client({ connectionString: stage.databaseUrl });
  await reader.connect();
  run.onEnd(() => reader.end());
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await reader.query("SELECT count(*) FROM accounts");
  const held = await measure(run.isShort ? FREE_ROUNDS : HELD_ROUNDS);
  const { rows } = await db().query<{ dead: number }>(
    "SELECT sum(n_dead_tup)::int AS dead FROM pg_stat_user_tables WHERE relname IN ('runner_items', 'outbox_events')",
  );
  await reader.query("COMMIT");
  await db().query("VACUUM");
  const after = await measure(FREE_ROUNDS);
  const free = median([...before, ...after]);
  const last = median(held.slice(-FREE_ROUNDS));
  run.report.figure("jobs a second while nobody reads, before and after", free, "/s");
  run.report.figure("jobs a second in the last rounds beside a reader", last, "/s");
  run.report.figure("  of those without", last / free, "x");
  run.report.figure("rows of the queue that were done and not cleared away by then", rows[0]?.dead ?? 0, "");
  await stage.checkBooks(account);
};
