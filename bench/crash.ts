import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { findViolations } from "@/bench/support/books-rules";
import { tellOneCrash } from "@/bench/support/crash-transcript";
import { type Killer, killInTurns } from "@/bench/support/kill-in-turns";
import { proveBooks } from "@/bench/support/prove-books";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import { buildIfChanged } from "@/scripts/support/build-app";

const STUCK_AFTER_SECONDS = 60;
const POLL_MS = 250;
/** Many more than 1,000 jobs can cost. */
const CREDITS = 1_000_000;

/**
 * kill -9 of the server (with the embedded runner in it) and of Postgres at random moments, under jobs with callbacks.
 * Then everything must come to rest by itself, with nothing lost, doubled or stuck.
 */
export const crash: Benchmark = async (run) => {
  await buildIfChanged();
  const stage = await setFaultStage({}, CREDITS);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await stage.service.close();
    isClosed = true;
  };
  run.onEnd(async () => {
    await close();
    await stage.close();
  });
  await tellOneCrash(stage);
  const killer: Killer = await killInTurns(stage, {
    kills: run.option("kills", run.isShort ? 5 : 40),
    jobs: run.option("jobs", run.isShort ? 60 : 400),
    seed: run.option("seed", Date.now() % 1_000_000),
    // Whoever asks for more kills gets the time for them.
    seconds: run.option("kills", 0) > 40 ? 900 : 180,
  });
  const quietSeconds = await waitUntilQuiet(stage);
  await reportJobs(run, stage, killer, quietSeconds);
  await reportCallbacks(run, stage, killer);
  await close();
  const { tried, unnoticed } = await proveBooks(stage.databaseUrl, stage.cluster.adminUrl, stage.account.accountId);
  run.report.note(
    `The same check was given ${tried} broken copies of this database; it noticed ${tried - unnoticed.length}.`,
  );
  for (const name of unnoticed) run.report.mustHold(false, `the check of the books does not notice ${name}`);
};

/** Seconds until no job is open and no delivery is due; null when that takes longer than a stuck job may. */
async function waitUntilQuiet({ databaseUrl, account }: FaultStage): Promise<number | null> {
  const startedAt = performance.now();
  for (;;) {
    const { turns, openDeliveries } = await readBooks(databaseUrl, account.accountId);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (!turns.queued && !turns.running && openDeliveries === 0) return seconds;
    if (seconds > STUCK_AFTER_SECONDS) return null;
    await delay(POLL_MS);
  }
}

async function reportJobs(
  run: BenchmarkRun,
  stage: FaultStage,
  killer: Killer,
  quietSeconds: number | null,
): Promise<void> {
  const { report } = run;
  const books = await readBooks(stage.databaseUrl, stage.account.accountId);
  const jobs = await readJobs(stage.databaseUrl, killer.accepted);
  const none = { atMost: 0 };
  report.figure("kills", killer.kills.server + killer.kills.postgres + killer.kills.both, "");
  report.figure("jobs accepted", killer.accepted.length, "");
  report.figure("lost: accepted and not completed", killer.accepted.length - jobs.completed, "", none);
  report.figure("completed and not charged exactly once", jobs.wrongCharges, "", none);
  report.figure("charged twice", books.doubleCharges, "", none);
  report.figure("ledger beside the balance", Math.abs(books.ledger - books.balance), "credits", none);
  report.figure("not exactly one terminal event", books.wrongTerminals, "", none);
  report.figure("text that is not its chunks", books.wrongTexts, "", none);
  report.figure("not exactly one delivery", books.wrongDeliveries, "", none);
  report.figure(
    `stuck ${STUCK_AFTER_SECONDS} s after the last kill`,
    (books.turns.queued ?? 0) + (books.turns.running ?? 0),
    "",
    none,
  );
  if (quietSeconds !== null)
    report.figure("from the last recovery until all was quiet", quietSeconds, "s", { atMost: STUCK_AFTER_SECONDS });
  report.figure("server back after a kill, longest", Math.max(...killer.recoveriesMs), "ms");
  report.note(
    `Seed ${killer.seed}; ${killer.kills.server} × server, ${killer.kills.postgres} × Postgres, ${killer.kills.both} × both; ${killer.refused} calls met a dead service and were sent again.`,
  );
  for (const violation of findViolations(books)) report.mustHold(false, violation);
  report.mustHold(
    jobs.completed === killer.accepted.length,
    `${killer.accepted.length - jobs.completed} accepted jobs did not complete (${JSON.stringify(jobs.errors)})`,
  );
  report.mustHold(jobs.wrongCharges === 0, `${jobs.wrongCharges} completed jobs were not charged exactly once`);
  report.mustHold(quietSeconds !== null, `not all was quiet after ${STUCK_AFTER_SECONDS} s: ${JSON.stringify(books)}`);
  report.mustHold(
    killer.deadServers === 0,
    `${killer.deadServers} times the server did not survive the end of Postgres`,
  );
}

/** Of accepted jobs: how many completed, with how many charges, and why others did not. */
async function readJobs(databaseUrl: string, sessionIds: string[]) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{
    completed: number;
    wrongCharges: number;
    errors: Record<string, number> | null;
  }>(
    `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
            count(*) FILTER (WHERE status = 'completed' AND (SELECT count(*) FROM ledger_entries l
                             WHERE l.turn_id = t.id AND l.kind = 'charge') <> 1)::int AS "wrongCharges",
            (SELECT json_object_agg(code, n) FROM (SELECT coalesce(error_code, status) AS code, count(*) AS n FROM turns
             WHERE session_id = ANY($1) AND status <> 'completed' GROUP BY 1) e) AS errors
     FROM turns t WHERE session_id = ANY($1)`,
    [sessionIds],
  );
  await client.end();
  return rows[0] ?? { completed: 0, wrongCharges: 0, errors: null };
}

/** Every job's callback came; one that came again had the same bytes. */
async function reportCallbacks(run: BenchmarkRun, { receiver }: FaultStage, { accepted }: Killer): Promise<void> {
  const bodies = new Map<string, string>();
  let repeated = 0;
  let changed = 0;
  for (const { headers, body } of receiver.requests) {
    const id = String(headers["x-service-delivery"]);
    const known = bodies.get(id);
    if (known !== undefined) repeated += 1;
    if (known !== undefined && known !== body.toString("utf8")) changed += 1;
    bodies.set(id, body.toString("utf8"));
  }
  const told = new Set([...bodies.values()].map((body) => (JSON.parse(body) as { sessionId: string }).sessionId));
  const untold = accepted.filter((sessionId) => !told.has(sessionId)).length;
  run.report.figure("jobs whose callback never came", untold, "", { atMost: 0 });
  run.report.figure("callbacks that came again (same delivery, same bytes)", repeated, "");
  run.report.mustHold(untold === 0, `${untold} callbacks never came`);
  run.report.mustHold(changed === 0, `${changed} callbacks came again with other bytes`);
}
