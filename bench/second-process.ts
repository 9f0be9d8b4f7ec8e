import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { cpuMs } from "@/bench/support/cpu-time";
import { median } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { db } from "@/lib/db/pool";

const ROUNDS = 3;
const CONNECTIONS = 20;
const ACCOUNTS = 20;
const GOAL = 1.7;
/** Two for the servers; Postgres, load and model need about as much again as both. */
const ENOUGH_CORES = 6;

interface Round {
  perSecond: number;
  /** Of all servers, per job. */
  cpuPerJobMs: number;
  /** The least that one of them did of the jobs' processor time. */
  smallestShare: number;
}

/**
 * One database with one server process and with two, each on a core of its own, in turn: jobs finished per second. Where
 * cores are few, what a job costs in processor time tells whether two get in each other's way.
 */
export const secondProcess: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const accounts: TestAccount[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await stage.newAccount());
  const isPinned = await pin(stage.service.pid(), 0);
  const one: Round[] = [];
  const two: Round[] = [];
  for (let round = 0; round <= (run.isShort ? 1 : ROUNDS); round++) {
    const alone = await measure(run, stage, accounts, [stage.service]);
    const second = await startSecond(stage, model.baseUrl);
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await second.close();
      isClosed = true;
    };
    run.onEnd(close);
    await pin(second.pid(), 1);
    // The new one is warm before it is measured, as the other is.
    await measure(run, stage, accounts, [stage.service, second]);
    const both = await measure(run, stage, accounts, [stage.service, second]);
    await close();
    // The first one warms up.
    if (round > 0) {
      one.push(alone);
      two.push(both);
    }
  }
  report(run, one, two, isPinned);
  for (const account of accounts) await stage.checkBooks(account);
};

function startSecond(stage: BenchStage, modelUrl: string): Promise<TestService> {
  const { PORT: _port, APP_URL: _url, DATA_DIR: _dir, ...shared } = stage.service.variables;
  return startTestService({ databaseUrl: stage.databaseUrl, modelUrl, settings: shared });
}

/** Each server takes as many calls at once as the one alone; whichever is free does the work. */
async function measure(
  run: BenchmarkRun,
  stage: BenchStage,
  accounts: TestAccount[],
  services: TestService[],
): Promise<Round> {
  const loads = services.map(() => startChild());
  try {
    const calls = accounts.map(({ apiKey }) => ({
      method: "POST" as const,
      path: "/api/v1/chat",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ message: "Answer in a word. [[answer:Done.]]" }),
    }));
    const { rows: before } = await db().query<{ at: Date }>("SELECT clock_timestamp() AS at");
    const cpuBefore = services.map((service) => cpuMs(service.pid()) ?? 0);
    const requests = (run.isShort ? 200 : 1_200) / services.length;
    const results = await Promise.all(
      services.map(({ url }, index) =>
        loads[index]?.call("hammer", { origin: url, connections: CONNECTIONS, seconds: 30, requests, calls }),
      ),
    );
    const open = await stage.drain();
    const cpu = services.map((service, index) => (cpuMs(service.pid()) ?? 0) - (cpuBefore[index] ?? 0));
    const { rows } = await db().query<{ jobs: number; seconds: number }>(
      `SELECT count(*)::int AS jobs, extract(epoch FROM max(ended_at) - min(created_at))::float AS seconds
       FROM turns WHERE created_at >= $1 AND status = 'completed'`,
      [before[0]?.at],
    );
    const { jobs, seconds } = rows[0] ?? { jobs: 0, seconds: 0 };
    const accepted = results.reduce((sum, result) => sum + (result?.statuses[202] ?? 0), 0);
    run.report.mustHold(open === 0 && jobs === accepted, `${accepted} jobs were accepted, ${jobs} completed`);
    const total = cpu.reduce((sum, ms) => sum + ms, 0);
    return { perSecond: jobs / seconds, cpuPerJobMs: total / jobs, smallestShare: Math.min(...cpu) / total };
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
}

/** Keeps a process with all its threads on one core; false where that cannot be done. */
async function pin(pid: number, core: number): Promise<boolean> {
  if (core >= availableParallelism()) return false;
  return promisify(execFile)("taskset", ["-a", "-p", "-c", String(core), String(pid)]).then(
    () => true,
    () => false,
  );
}

function report({ report }: BenchmarkRun, one: Round[], two: Round[], isPinned: boolean): void {
  const cores = availableParallelism();
  const hasEnough = isPinned && cores >= ENOUGH_CORES;
  const ratio = (pick: (round: Round) => number) =>
    median(two.map((round, index) => pick(round) / pick(one[index] ?? round)));
  report.figure("jobs finished, one process", median(one.map(({ perSecond }) => perSecond)), "/s");
  report.figure("jobs finished, two processes", median(two.map(({ perSecond }) => perSecond)), "/s");
  report.figure(
    "two / one",
    ratio(({ perSecond }) => perSecond),
    "×",
    hasEnough ? { atLeast: GOAL } : undefined,
  );
  report.figure("servers' processor for a job, one process", median(one.map(({ cpuPerJobMs }) => cpuPerJobMs)), "ms");
  report.figure("servers' processor for a job, two processes", median(two.map(({ cpuPerJobMs }) => cpuPerJobMs)), "ms");
  report.figure(
    "processor for a job, two / one",
    ratio(({ cpuPerJobMs }) => cpuPerJobMs),
    "×",
  );
  report.figure("share of the one that did less", 100 * median(two.map(({ smallestShare }) => smallestShare)), "%");
  if (!isPinned) report.note("The servers could not be kept to cores here (taskset).");
  if (hasEnough) return;
  report.note(
    `${cores} cores for two servers, Postgres, load and model: their throughput together says nothing about the goal (at ` +
      `least ${GOAL} × on ${ENOUGH_CORES} cores or more). That a job costs no more with two, and that both take their share, is what can be shown here.`,
  );
}
