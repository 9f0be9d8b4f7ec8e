import { Client } from "pg";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { measureJobRate } from "@/bench/support/job-rate";
import { startN8n } from "@/bench/support/peers/start-n8n";
import { type RunningPeer, startPortkey } from "@/bench/support/peers/start-portkey";
import { median } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { withDatabase } from "@/e2e/support/test-cluster";

const CONNECTIONS = 20;
const ROUNDS = 3;
const MESSAGE = "Answer in a word. [[answer:Done.]]";

/** What one turn measured, per second. */
interface Round {
  accepted: number;
  jobs: number;
  portkey: number | null;
  n8n: number | null;
}

/**
 * The service beside two other products, with the same instant model and 20 connections, in turn: Portkey's gateway, which
 * keeps nothing, against accepted calls, and n8n on Postgres against finished jobs. The bare statement is in `accept`.
 */
export const peers: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const portkey = known(run, await startPortkey(run, model.baseUrl, MESSAGE));
  const databaseUrl = await createEmptyDatabase(stage);
  const n8n = known(run, await startN8n(run, { databaseUrl, modelUrl: model.baseUrl, message: MESSAGE }));
  const accounts: TestAccount[] = [];
  while (accounts.length < CONNECTIONS) accounts.push(await stage.newAccount());
  const rounds: Round[] = [];
  // The first one warms up all sides.
  for (let round = 0; round <= run.option("rounds", run.isShort ? 1 : ROUNDS); round++) {
    const measured = {
      portkey: portkey && (await askPeer(run, load, portkey)),
      accepted: await acceptChats(run, stage, load, accounts),
      n8n: n8n && (await askPeer(run, load, n8n)),
      jobs: (await measureJobRate(run, stage, load, accounts[0] as TestAccount)).perSecond,
    };
    if (round > 0) rounds.push(measured);
  }
  report(run, rounds);
  for (const account of accounts) await stage.checkBooks(account);
};

function known(run: BenchmarkRun, peer: RunningPeer | string): RunningPeer | null {
  if (typeof peer !== "string") return peer;
  run.report.note(`SKIPPED: ${peer}`);
  return null;
}

function limits(run: BenchmarkRun) {
  return { connections: CONNECTIONS, seconds: run.isShort ? 1.5 : 4 };
}

/** Each answer is the model's, or the figure is of something else. */
async function askPeer(run: BenchmarkRun, load: BenchChild, { origin, call }: RunningPeer): Promise<number> {
  const result = await load.call("hammer", {
    origin,
    calls: [call],
    expect: "Done.",
    ...limits(run),
    requests: 100_000,
  });
  const { 200: good = 0, ...others } = result.statuses;
  run.report.mustHold(Object.keys(others).length === 0, `${origin} answered ${JSON.stringify(others)} beside ${good}`);
  run.report.mustHold(result.wrong === 0, `${result.wrong} answers of ${origin} are not the model's`);
  return result.perSecond;
}

/** All with their jobs: the server answers them meanwhile, and is quiet again afterwards. */
async function acceptChats(run: BenchmarkRun, stage: BenchStage, load: BenchChild, accounts: TestAccount[]) {
  const body = JSON.stringify({ message: MESSAGE });
  const calls = accounts.map(({ apiKey }) => ({
    method: "POST" as const,
    path: "/api/v1/chat",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body,
  }));
  const result = await load.call("hammer", { origin: stage.service.url, calls, ...limits(run), requests: 3_000 });
  const { 202: accepted = 0, ...others } = result.statuses;
  run.report.mustHold(Object.keys(others).length === 0, `calls were answered ${JSON.stringify(others)}`);
  const open = await stage.drain();
  run.report.mustHold(open === 0, `${open} of ${accepted} accepted jobs had not ended after a minute`);
  return result.perSecond;
}

async function createEmptyDatabase({ databaseUrl }: BenchStage): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("CREATE DATABASE peer TEMPLATE template0");
  await client.end();
  return withDatabase(databaseUrl, "peer");
}

function report({ report }: BenchmarkRun, rounds: Round[]): void {
  const pick = (of: (round: Round) => number | null) =>
    rounds.map(of).filter((value): value is number => value !== null);
  const figure = (name: string, values: number[], unit: string, goal?: { atLeast: number }) => {
    if (values.length > 0) report.figure(name, median(values), unit, goal);
  };
  figure(
    "POST /chat accepted, 20 keys",
    pick((round) => round.accepted),
    "/s",
  );
  figure(
    "Portkey gateway, completions",
    pick((round) => round.portkey),
    "/s",
  );
  figure(
    "accepted / Portkey",
    pick((round) => round.portkey && round.accepted / round.portkey),
    "×",
    { atLeast: 2 },
  );
  figure(
    "jobs finished",
    pick((round) => round.jobs),
    "/s",
  );
  figure(
    "n8n on Postgres, executions finished",
    pick((round) => round.n8n),
    "/s",
  );
  figure(
    "jobs / n8n",
    pick((round) => round.n8n && round.jobs / round.n8n),
    "×",
    { atLeast: 3 },
  );
}
