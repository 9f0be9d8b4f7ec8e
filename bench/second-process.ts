import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { cpuMs } from "@/bench/support/cpu-time";
import { limitCpu } from "@/bench/support/limit-cpu";
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
/** Of a core, for each server where cores are few: all others have plenty then. */
const SHARE = 0.2;

/** How the servers are kept from taking each other's processor. */
type Keeping = "cores" | "shares" | "nothing";

interface Round {
  perSecond: number;
  /** Of all servers, per job. */
  cpuPerJobMs: number;
  /** The least that one of them did of the jobs' processor time. */
  smallestShare: number;
}

/**
 * One database with one server process and with two, in turn: jobs finished per second. Each server has a core of its own;
 * where cores are few it has a fifth of one, so that the servers are what is scarce, and not what they share.
 */
export const secondProcess: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const accounts: TestAccount[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await stage.newAccount());
  const keeping = await keep(run, stage.service, 0);
  const one: Round[] = [];
  const two: Round[] = [];
  for (let round = 0; round <= (run.isShort ? 1 : ROUNDS); round++) {
    const alone = await measure(run, stage, accounts, [stage.service], keeping);
    const second = await startSecond(stage, model.baseUrl);
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await second.close();
      isClosed = true;
    };
    run.onEnd(close);
    await keep(run, second, 1);
    // The new one is warm before it is measured, as the other is.
    await measure(run, stage, accounts, [stage.service, second], keeping);
    const both = await measure(run, stage, accounts, [stage.service, second], keeping);
    await close();
    // The first one warms up.
    if (round > 0) {
      one.push(alone);
      two.push(both);
    }
  }
  report(run, one, two, keeping);
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
  keeping: Keeping,
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
    const most = keeping === "shares" ? 800 : 1_200;
    const requests = run.isShort ? 100 : most;
    const results = await Promise.all(
      services.map(({ url }, index) =>
        loads[index]?.call("hammer", { origin: url, connections: CONNECTIONS, seconds: 60, requests, calls }),
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

/** A core for each server where there are enough, else a share of one. */
async function keep(run: BenchmarkRun, service: TestService, core: number): Promise<Keeping> {
  const pid = service.pid();
  if (availableParallelism() >= ENOUGH_CORES) {
    const pinned = promisify(execFile)("taskset", ["-a", "-p", "-c", String(core), String(pid)]);
    return pinned.then(
      () => "cores",
      () => "nothing",
    );
  }
  const release = limitCpu(pid, SHARE);
  if (release) run.onEnd(release);
  return release ? "shares" : "nothing";
}

function report({ report }: BenchmarkRun, one: Round[], two: Round[], keeping: Keeping): void {
  const ratio = (pick: (round: Round) => number) =>
    median(two.map((round, index) => pick(round) / pick(one[index] ?? round)));
  report.figure("jobs finished, one process", median(one.map(({ perSecond }) => perSecond)), "/s");
  report.figure("jobs finished, two processes", median(two.map(({ perSecond }) => perSecond)), "/s");
  report.figure(
    "two / one",
    ratio(({ perSecond }) => perSecond),
    "×",
    keeping === "nothing" ? undefined : { atLeast: GOAL },
  );
  report.figure("servers' processor for a job, one process", median(one.map(({ cpuPerJobMs }) => cpuPerJobMs)), "ms");
  report.figure("servers' processor for a job, two processes", median(two.map(({ cpuPerJobMs }) => cpuPerJobMs)), "ms");
  report.figure(
    "processor for a job, two / one",
    ratio(({ cpuPerJobMs }) => cpuPerJobMs),
    "×",
  );
  report.figure("share of the one that did less", 100 * median(two.map(({ smallestShare }) => smallestShare)), "%");
  report.note(NOTES[keeping]);
}

const NOTES: Record<Keeping, string> = {
  cores: "Each server was kept to one core.",
  shares:
    `${availableParallelism()} cores for two servers, Postgres, load and model: each server was held to ${SHARE} of a core, ` +
    `so that only servers were scarce. Below ${ENOUGH_CORES} cores this is what can be shown.`,
  nothing:
    "The servers could be kept neither to cores (taskset) nor to shares of one (control groups): their throughput together " +
    "says nothing about the goal.",
};
