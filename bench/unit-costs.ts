import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { cpuMs, endedChildrenCpuMs } from "@/bench/support/cpu-time";
import { descendantsOf } from "@/bench/support/process-tree";
import { seedReceiver, sendDeliveries } from "@/bench/support/seed-deliveries";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import { startHttpsReceiver } from "@/e2e/support/https-receiver";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const CONNECTIONS = 20;
const SLOW_MODEL_MS = 8_000;
const UPLOAD_MB = 100;
const MESSAGE = "What does the contract say about notice periods, in a sentence?";
/** Rows of one job with one call to start it and one delivery, and of what looks at it. */
const TABLES = [
  "sessions",
  "turns",
  "messages",
  "session_events",
  "ledger_entries",
  "call_logs",
  "webhook_deliveries",
  "webhook_attempts",
];

interface Costs {
  stage: BenchStage;
  run: BenchmarkRun;
  load: BenchChild;
  model: ModelServer;
  account: TestAccount;
  postgresPid: number;
  /** How often each thing is done. */
  times: number;
  /** What both take while nothing is asked of them, in milliseconds of processor per millisecond. */
  idle: { server: number; postgres: number };
}

const IDLE_MS = 4_000;

/**
 * What one of each thing costs, in processor time of server and Postgres, in bytes of Postgres' log (WAL) and in bytes kept:
 * the figures that docs/capacity.md reckons with. Time on the clock says little on a shared machine; these do.
 */
export const unitCosts: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const account = await stage.newAccount();
  const times = run.isShort ? 300 : 1_500;
  const costs = { stage, run, load, model, account, times, postgresPid: await findPostgres(), idle: NOTHING };
  // Connections, plans and compiled code, as a server that has been running has them.
  await post(costs, 300);
  await stage.drain();
  costs.idle = await measureIdle(costs);
  await measure(costs, "a job, from the call to its end", times, async () => {
    await post(costs, times);
    await stage.drain();
  });
  await measureAccept(costs);
  await measurePolls(costs);
  await measureDeliveries(costs);
  await measure(costs, `an upload of ${UPLOAD_MB} MB, with its job`, 1, async () => {
    const bytes = UPLOAD_MB * 1024 * 1024;
    const url = `${stage.service.url}/api/v1/process`;
    await load.call("sendUploads", { url, apiKey: account.apiKey, bytes, count: 1 });
    await stage.drain();
  });
  await reportBytes(costs);
  await stage.checkBooks(account);
};

const NOTHING = { server: 0, postgres: 0 };

/** Clocks that tick, sweeps, the queue that looks for work. */
async function measureIdle(costs: Costs): Promise<Costs["idle"]> {
  const { run, stage } = costs;
  const before = { at: performance.now(), server: cpuMs(stage.service.pid()) ?? 0, postgres: postgresCpuMs(costs) };
  await delay(IDLE_MS);
  const ms = performance.now() - before.at;
  const server = ((cpuMs(stage.service.pid()) ?? 0) - before.server) / ms;
  const postgres = (postgresCpuMs(costs) - before.postgres) / ms;
  run.report.figure("idle: server's processor", 1_000 * server, "ms/s");
  run.report.figure("idle: Postgres' processor", 1_000 * postgres, "ms/s");
  return { server, postgres };
}

/** The jobs themselves wait for their model meanwhile. */
async function measureAccept(costs: Costs): Promise<void> {
  const { model, stage, times } = costs;
  const count = Math.min(times, 1_000);
  model.setBehaviour({ firstChunkMs: SLOW_MODEL_MS });
  await measure(costs, "an accepted call alone, POST /chat", count, () => post(costs, count));
  model.setBehaviour({});
  await stage.drain();
}

async function measurePolls(costs: Costs): Promise<void> {
  const { load, account, stage, times } = costs;
  const { rows } = await db().query<{ id: string }>("SELECT id FROM sessions WHERE account_id = $1 LIMIT 1", [
    account.accountId,
  ]);
  const path = `/api/v1/chat/${rows[0]?.id}`;
  await measure(costs, "a poll, GET /chat/:id", 3 * times, async () => {
    const headers = { "x-api-key": account.apiKey };
    const calls = [{ method: "GET" as const, path, headers }];
    await load.call("hammer", { ...bounds(stage, 3 * times), calls });
  });
}

async function measureDeliveries(costs: Costs): Promise<void> {
  const { run, stage, account } = costs;
  const count = Math.min(costs.times, 2_000);
  const receiver = await startHttpsReceiver({ certificates: stage.certificates });
  run.onEnd(() => receiver.close());
  const registration = await seedReceiver(account, `${receiver.url}/hook`);
  await measure(costs, "a delivery", count, async () => {
    await sendDeliveries(registration, count);
    await receiver.waitForRequests(count, 120_000);
  });
}

function bounds({ service }: BenchStage, requests: number) {
  return { origin: service.url, connections: CONNECTIONS, seconds: 120, requests };
}

async function post({ run, stage, load, account }: Costs, count: number): Promise<void> {
  const headers = { "x-api-key": account.apiKey, "content-type": "application/json" };
  const body = JSON.stringify({ message: MESSAGE });
  const calls = [{ method: "POST" as const, path: "/api/v1/chat", headers, body }];
  const { statuses } = await load.call("hammer", { ...bounds(stage, count), calls });
  run.report.mustHold(statuses[202] === count, `${count} calls were answered ${JSON.stringify(statuses)}`);
}

/** What a piece of work took of each beyond idling, by how often it was done. */
async function measure(costs: Costs, name: string, count: number, work: () => Promise<void>): Promise<void> {
  const { run, stage, idle } = costs;
  const startedAt = performance.now();
  const before = { server: cpuMs(stage.service.pid()), postgres: postgresCpuMs(costs), wal: await walPosition() };
  await work();
  // The call log is written a moment later.
  await delay(1_500);
  const ms = performance.now() - startedAt;
  const server = (cpuMs(stage.service.pid()) ?? 0) - (before.server ?? 0) - idle.server * ms;
  const postgres = postgresCpuMs(costs) - before.postgres - idle.postgres * ms;
  const { rows } = await db().query<{ bytes: number }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn)::float AS bytes",
    [before.wal],
  );
  run.report.figure(`${name}: server's processor`, server / count, "ms");
  run.report.figure(`${name}: Postgres' processor`, postgres / count, "ms");
  run.report.figure(`${name}: Postgres' log`, (rows[0]?.bytes ?? 0) / count / 1_000, "kB");
}

async function walPosition(): Promise<string> {
  const { rows } = await db().query<{ at: string }>("SELECT pg_current_wal_insert_lsn()::text AS at");
  return rows[0]?.at ?? "0/0";
}

async function findPostgres(): Promise<number> {
  const { rows } = await db().query<{ data_directory: string }>("SHOW data_directory");
  const [pid] = (await readFile(join(rows[0]?.data_directory ?? "", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

/** Of all its processes, also of connections that were closed meanwhile. */
function postgresCpuMs({ postgresPid }: Costs): number {
  const pids = [postgresPid, ...descendantsOf(postgresPid).map(({ pid }) => pid)];
  return pids.reduce((sum, pid) => sum + (cpuMs(pid) ?? 0), endedChildrenCpuMs(postgresPid) ?? 0);
}

/** Bytes of a row of each table with its indexes. */
async function reportBytes({ run }: Costs): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await db().query<{ bytes: number; count: number }>(
      `SELECT pg_total_relation_size($1::regclass)::float AS bytes, (SELECT count(*)::int FROM ${table}) AS count`,
      [table],
    );
    const { bytes, count } = rows[0] ?? { bytes: 0, count: 0 };
    if (count > 0) run.report.figure(`a row of ${table}, with its indexes`, bytes / count, "B");
  }
  const { rows } = await db().query<{ perTurn: number }>(
    `SELECT (SELECT count(*) FROM session_events)::float / greatest(1, (SELECT count(*) FROM turns)) AS "perTurn"`,
  );
  run.report.figure("rows of session_events for a job", rows[0]?.perTurn ?? 0, "");
}
