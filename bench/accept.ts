import { Pool } from "pg";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { cpuMs } from "@/bench/support/cpu-time";
import { median, quantile } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import type { HammerResult } from "@/bench/support/tasks/hammer";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";

const CONNECTIONS = 20;
const GOAL_SHARE_PERCENT = 40;
const SLOW_MODEL_MS = 4_000;
/** More than may be answered at once (`TURN_CONCURRENCY`). */
const CALLS_FOR_ALL_PLACES = 400;

/**
 * Accepting: session, message, reservation and outbox row are on disk before the answer. Beside it, in turn, the same
 * statement through a bare pool and a bare JSON server. The server answers what it accepted meanwhile.
 */
export const accept: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  const floor = startChild();
  run.onEnd(async () => void (await Promise.all([load.stop(), floor.stop()])));
  const accounts = await Promise.all(Array.from({ length: CONNECTIONS }, () => stage.newAccount()));
  const bare = { databaseUrl: await stage.newDatabase(), accounts };
  await copyAccounts(stage.databaseUrl, bare.databaseUrl, accounts);
  const echoUrl = await floor.call("serveEcho");
  const chat = { origin: stage.service.url, path: "/api/v1/chat" };
  const rounds: Round[] = [];
  // The first one warms up all sides.
  for (let round = 0; round <= (run.isShort ? 1 : 3); round++) {
    const one = await acceptBare(run, floor, { ...bare, accounts: accounts.slice(0, 1) });
    const many = await acceptBare(run, floor, bare);
    const echo = await post(run, load, { origin: echoUrl, path: "/", accounts });
    const chatOne = await postAndDrain(run, stage, load, { ...chat, accounts: accounts.slice(0, 1) });
    const chatMany = await postAndDrain(run, stage, load, { ...chat, accounts });
    model.setBehaviour({ firstChunkMs: SLOW_MODEL_MS });
    const filling = await post(run, load, { ...chat, accounts }, CALLS_FOR_ALL_PLACES);
    const cpuBefore = cpuMs(stage.service.pid());
    const chatAlone = await post(run, load, { ...chat, accounts });
    const cpuAfter = cpuMs(stage.service.pid());
    model.setBehaviour({});
    await checkAccepted(run, stage, filling);
    await checkAccepted(run, stage, chatAlone);
    const cpu = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / chatAlone.latenciesMs.length;
    const measured = { bareOne: one, bareMany: many, echo, chatOne, chatMany, chatAlone, cpuMs: cpu };
    if (round > 0) rounds.push(measured);
  }
  report(run, rounds);
  for (const account of accounts) await stage.checkBooks(account);
};

interface Round {
  bareOne: number;
  bareMany: number;
  echo: HammerResult;
  chatOne: HammerResult;
  chatMany: HammerResult;
  /** While a slow model's calls have taken every place, so that the server does little but accept. */
  chatAlone: HammerResult;
  /** Milliseconds of processor per call of `chatAlone`; null where the system does not tell. */
  cpuMs: number | null;
}

function limits(run: BenchmarkRun) {
  return { connections: CONNECTIONS, seconds: run.isShort ? 1 : 2.5, requests: run.isShort ? 300 : 1_000 };
}

function acceptBare(run: BenchmarkRun, floor: BenchChild, on: { databaseUrl: string; accounts: TestAccount[] }) {
  return floor.call("acceptBare", { ...on, ...limits(run), requests: 3 * limits(run).requests });
}

/** Where calls go, and with whose keys. */
interface Target {
  origin: string;
  path: string;
  accounts: TestAccount[];
}

function post(run: BenchmarkRun, load: BenchChild, { origin, path, accounts }: Target, requests?: number) {
  const body = JSON.stringify({ message: "Accept this and answer in a word. [[answer:Accepted.]]" });
  const calls = accounts.map(({ apiKey }) => ({
    method: "POST" as const,
    path,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body,
  }));
  return load.call("hammer", { origin, calls, ...limits(run), ...(requests && { requests }) });
}

async function postAndDrain(run: BenchmarkRun, stage: BenchStage, load: BenchChild, target: Target) {
  const result = await post(run, load, target);
  await checkAccepted(run, stage, result);
  return result;
}

async function checkAccepted(run: BenchmarkRun, stage: BenchStage, result: HammerResult): Promise<void> {
  const { 202: accepted = 0, ...others } = result.statuses;
  run.report.mustHold(
    Object.keys(others).length === 0,
    `answers of other statuses than 202: ${JSON.stringify(others)}`,
  );
  const open = await stage.drain();
  run.report.mustHold(open === 0, `${open} of ${accepted} accepted jobs had not ended after a minute`);
}

/** The bare statement needs the accounts' rows and nothing else. */
async function copyAccounts(from: string, to: string, accounts: TestAccount[]): Promise<void> {
  const [source, target] = [from, to].map((connectionString) => new Pool({ connectionString, max: 1 })) as [Pool, Pool];
  for (const { accountId, projectId } of accounts) {
    const { rows } = await source.query("SELECT credit_balance FROM accounts WHERE id = $1", [accountId]);
    await target.query("INSERT INTO accounts (id, company_name, credit_balance) VALUES ($1, 'Bench', $2)", [
      accountId,
      rows[0].credit_balance,
    ]);
    await target.query(
      "INSERT INTO projects (id, account_id, name, callback_secret_encrypted) VALUES ($1, $2, 'Bench', 'x')",
      [projectId, accountId],
    );
  }
  await Promise.all([source.end(), target.end()]);
}

function report({ report }: BenchmarkRun, rounds: Round[]): void {
  const goal = { atLeast: GOAL_SHARE_PERCENT };
  const rows: [name: string, pick: (round: Round) => number, unit: string, goal?: { atLeast: number }][] = [
    ["POST /chat, 20 keys", (round) => round.chatMany.perSecond, "/s"],
    ["POST /chat, 20 keys, p50", (round) => median(round.chatMany.latenciesMs), "ms"],
    ["POST /chat, 20 keys, p99", (round) => quantile(round.chatMany.latenciesMs, 0.99), "ms"],
    ["POST /chat, one key", (round) => round.chatOne.perSecond, "/s"],
    ["POST /chat, 20 keys, all places taken", (round) => round.chatAlone.perSecond, "/s"],
    ["  server's processor for each", (round) => round.cpuMs ?? 0, "ms"],
    ["bare statement, 20 accounts", (round) => round.bareMany, "/s"],
    ["bare statement, one account", (round) => round.bareOne, "/s"],
    ["bare JSON server", (round) => round.echo.perSecond, "/s"],
    ["share of the bare statement, 20 keys", (round) => (100 * round.chatMany.perSecond) / round.bareMany, "%", goal],
    ["share of the bare statement, one key", (round) => (100 * round.chatOne.perSecond) / round.bareOne, "%", goal],
    [
      "share of it, 20 keys, all places taken",
      (round) => (100 * round.chatAlone.perSecond) / round.bareMany,
      "%",
      goal,
    ],
  ];
  for (const [name, pick, unit, rowGoal] of rows) report.figure(name, median(rounds.map(pick)), unit, rowGoal);
}
