import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { median, quantile } from "@/bench/support/report";
import { callbackSecret, type Receiver, seedReceiver, sendDeliveries } from "@/bench/support/seed-deliveries";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { verifyRequest } from "@/e2e/support/delivery-stage";
import { type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const OTHERS = 20;
/** As many at once as the queue gives to one receiver: the hanging ones have all their places taken from the start. */
const BURST_PER_OTHER = 20;
/** Receivers of another account: more than it has places for. */
const STRANGERS = 120;
const TICK_MS = 50;
const WAIT_MS = 60_000;
/** Between first and second attempts: those that hung in one round are not to come again in the next. */
const RETRY_DELAYS_SECONDS = "3600";

interface DeliverySet {
  run: BenchmarkRun;
  stage: BenchStage;
  account: TestAccount;
  healthy: HttpsReceiver;
}

/**
 * Webhooks: how many a healthy receiver gets per second, and how long a callback takes from the end of its job to the
 * receiver while half of 20 other receivers never answer, against the same with all of them well; then while none of another
 * account's many receivers answers.
 */
export const deliveries: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { WEBHOOK_RETRY_DELAYS_SECONDS: RETRY_DELAYS_SECONDS });
  const account = await stage.newAccount();
  const start = async () => {
    const receiver = await startHttpsReceiver({ certificates: stage.certificates });
    run.onEnd(() => receiver.close());
    return receiver;
  };
  const [healthy, well, hanging] = [await start(), await start(), await start()];
  hanging.behave({ kind: "hang" });
  const set = { run, stage, account, healthy };
  const receiver = await seedReceiver(account, `${healthy.url}/hook`);
  await measureRate(set, receiver, 100);
  const rates: number[] = [];
  for (let round = 0; round < (run.isShort ? 1 : 3); round++) {
    rates.push(await measureRate(set, receiver, run.isShort ? 300 : 1_500));
  }
  run.report.figure("deliveries to one healthy receiver", median(rates), "/s", { atLeast: 500 });

  await measureCallbacks(set, []);
  // By turns: a stall of the machine is in one round, not in one of the two.
  const rounds: { calm: Callbacks; mixed: Callbacks }[] = [];
  for (let round = 0; round < (run.isShort ? 1 : 5); round++) {
    const calm = await measureCallbacks(set, Array(OTHERS).fill(well));
    const mixed = await measureCallbacks(set, [...Array(OTHERS / 2).fill(well), ...Array(OTHERS / 2).fill(hanging)]);
    rounds.push({ calm, mixed });
  }
  for (const from of ["end of job", "accepted call"] as const) {
    const of = rounds.map(({ calm, mixed }) => ({ calm: calm[from], mixed: mixed[from] }));
    reportCallbacks(run, `${from} to receiver`, of);
  }
  await besideStranger(set, hanging);
  run.report.figure("calls that hanging receivers kept open", hanging.requests.length, "");
  await checkDeliveries(set, { "/hook": receiver.secret, "/callback": await callbackSecret(account) });
  await stage.checkBooks(account);
};

/** Beside an account that has taken all places that it can get: told without a goal, which speaks of half of the receivers. */
async function besideStranger(set: DeliverySet, hanging: HttpsReceiver): Promise<void> {
  const { run, stage } = set;
  const stranger = await stage.newAccount();
  const came = await measureCallbacks(set, Array(STRANGERS).fill(hanging), stranger);
  for (const from of ["end of job", "accepted call"] as const) {
    const name = `${from} to receiver, another account's ${STRANGERS} hang`;
    run.report.figure(`${name}, p50`, median(came[from]), "ms");
    run.report.figure(`${name}, p95`, quantile(came[from], 0.95), "ms");
  }
}

/** Medians of the rounds. */
function reportCallbacks({ report }: BenchmarkRun, name: string, rounds: { calm: number[]; mixed: number[] }[]): void {
  const over = (of: (round: { calm: number[]; mixed: number[] }) => number) => median(rounds.map(of));
  report.figure(
    `${name}, all others well, p50`,
    over(({ calm }) => median(calm)),
    "ms",
  );
  report.figure(
    `${name}, all others well, p95`,
    over(({ calm }) => quantile(calm, 0.95)),
    "ms",
  );
  report.figure(
    `${name}, half of the others hang, p50`,
    over(({ mixed }) => median(mixed)),
    "ms",
  );
  report.figure(
    `${name}, half of the others hang, p95`,
    over(({ mixed }) => quantile(mixed, 0.95)),
    "ms",
  );
  const ratios = rounds.map(({ calm, mixed }) => quantile(mixed, 0.95) / quantile(calm, 0.95));
  report.figure(`${name}, p95 with hanging ones / without`, median(ratios), "×", { atMost: 1.2 });
  report.note(`${name}, p95 with / without, by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
}

/** From the first that comes to the last: before, the relay has to find them. */
async function measureRate(set: DeliverySet, receiver: Receiver, count: number): Promise<number> {
  const before = set.healthy.requests.length;
  await sendDeliveries(receiver, count);
  await waitForRequests(set, before + count);
  const came = set.healthy.requests.slice(before).map(({ receivedAt }) => receivedAt.getTime());
  return (came.length - 1) / ((Math.max(...came) - Math.min(...came)) / 1_000);
}

/** Milliseconds until callbacks are at the receiver. */
type Callbacks = Record<"end of job" | "accepted call", number[]>;

/** Jobs come steadily. The other receivers are the account's own, or another's. */
async function measureCallbacks(
  set: DeliverySet,
  others: HttpsReceiver[],
  owner: TestAccount = set.account,
): Promise<Callbacks> {
  const { run, stage, account, healthy } = set;
  for (const other of others) await sendDeliveries(await seedReceiver(owner, `${other.url}/hook`), BURST_PER_OTHER);
  // Until all of them are on their way, or the hanging ones have taken what they can take.
  await delay(others.length > 0 ? 2_000 : 0);
  const before = healthy.requests.length;
  const count = run.isShort ? 60 : 160;
  for (let sent = 0; sent < count; sent++) {
    const response = await fetch(`${stage.service.url}/api/v1/chat`, {
      method: "POST",
      headers: { "x-api-key": account.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ message: "Answer. [[answer:Yes.]]", callbackUrl: `${healthy.url}/callback` }),
    });
    run.report.mustHold(response.status === 202, `POST /chat answered ${response.status}`);
    await delay(TICK_MS);
  }
  await waitForRequests(set, before + count);
  const { rows } = await db().query<{ id: string; createdAt: Date; endedAt: Date }>(
    `SELECT session_id AS id, created_at AS "createdAt", ended_at AS "endedAt" FROM turns WHERE account_id = $1`,
    [account.accountId],
  );
  const turns = new Map(rows.map((row) => [row.id, row]));
  const came = healthy.requests.slice(before).flatMap(({ body, receivedAt }) => {
    const turn = turns.get((JSON.parse(body.toString("utf8")) as { sessionId: string }).sessionId);
    return turn ? [{ receivedAt, ...turn }] : [];
  });
  return {
    "end of job": came.map(({ receivedAt, endedAt }) => receivedAt.getTime() - endedAt.getTime()),
    "accepted call": came.map(({ receivedAt, createdAt }) => receivedAt.getTime() - createdAt.getTime()),
  };
}

async function waitForRequests({ run, healthy }: DeliverySet, count: number): Promise<void> {
  await healthy.waitForRequests(count, WAIT_MS).catch(() => {
    run.report.mustHold(false, `${healthy.requests.length} of ${count} deliveries had come after a minute`);
  });
}

/** Each exactly once, signed, and known as delivered. */
async function checkDeliveries({ run, account, healthy }: DeliverySet, secrets: Record<string, string>): Promise<void> {
  const ids = new Set(healthy.requests.map(({ headers }) => String(headers["x-service-delivery"])));
  run.report.mustHold(
    ids.size === healthy.requests.length,
    `${healthy.requests.length - ids.size} deliveries came twice`,
  );
  const untrusted = healthy.requests.filter((request) => {
    try {
      verifyRequest(request, secrets[request.path] ?? "");
      return false;
    } catch {
      return true;
    }
  });
  run.report.mustHold(untrusted.length === 0, `${untrusted.length} deliveries are not signed as they should be`);
  const countDelivered = async () => {
    const { rowCount } = await db().query(
      "SELECT 1 FROM webhook_deliveries WHERE account_id = $1 AND status = 'delivered' AND url LIKE $2",
      [account.accountId, `${healthy.url}/%`],
    );
    return rowCount ?? 0;
  };
  for (let waitedMs = 0; waitedMs < 5_000 && (await countDelivered()) < ids.size; waitedMs += 100) await delay(100);
  const delivered = await countDelivered();
  run.report.mustHold(delivered === ids.size, `${delivered} of ${ids.size} received deliveries count as delivered`);
}
