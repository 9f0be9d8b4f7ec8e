import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import {
  type Meeting,
  NINE_MANNERS,
  type NineReceivers,
  promised,
  startNineReceivers,
} from "@/bench/support/nine-receivers";
import { seededRandom } from "@/bench/support/random";
import { callbackSecret } from "@/bench/support/seed-deliveries";
import { setStage } from "@/bench/support/stage";
import { verifyRequest } from "@/e2e/support/delivery-stage";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

const DELIVERIES = 10_000;
const SHORT_DELIVERIES = 450;
const MOST_ATTEMPTS = 5;
/** The queue sends twenty at once to one receiver: places of a manner that takes long are not to hold up the whole run. */
const LANES_PER_MANNER = 12;
const MOST_SECONDS = 540;
const POLL_MS = 500;

interface Sent {
  id: string;
  uuid: string;
  body: string;
  meeting: Meeting;
}

/**
 * Deliveries to receivers of nine manners, some of which are well again from an attempt on that is drawn: each is tried
 * exactly as often as promised, with the same bytes and UUID, and every request is trusted by the `standardwebhooks`
 * package and by a plain HMAC of its body.
 */
export const webhooks: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, {
    WEBHOOK_RETRY_DELAYS_SECONDS: "1,1,1,1",
    WEBHOOK_TIMEOUT_SECONDS: "6",
  });
  const receivers = await startNineReceivers(run, stage.certificates);
  const account = await stage.newAccount();
  const seed = run.option("seed", Date.now() % 1_000_000);
  const count = run.option("deliveries", run.isShort ? SHORT_DELIVERIES : DELIVERIES);
  console.log(`${count} deliveries, seed ${seed}`);
  const sent = drawDeliveries(count, seededRandom(seed));
  const startedAt = performance.now();
  await seedCallbacks(account, receivers, sent);
  const open = await waitUntilEnded(account);
  const seconds = (performance.now() - startedAt) / 1_000;
  run.report.mustHold(open === 0, `${open} of ${count} deliveries had not ended after ${MOST_SECONDS} s`);
  await checkEach(run, receivers, sent, await callbackSecret(account));
  noteFaults(run, stage.service.log());
  run.report.figure("deliveries", count, "");
  run.report.figure("requests received", receivers.requests().length, "");
  run.report.figure("connections with bad TLS", receivers.badConnections(), "");
  run.report.figure("until all had ended", seconds, "s");
  run.report.note(`Seed ${seed}; ${NINE_MANNERS.length} manners: ${NINE_MANNERS.join(", ")}.`);
};

function drawDeliveries(count: number, random: () => number): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const manner = NINE_MANNERS[index % NINE_MANNERS.length] ?? "ok";
    const event = {
      ...SAMPLE_EVENTS.completion,
      output: `Delivery ${index}: ${"€".repeat(Math.floor(random() * 400))}`,
    };
    const meeting = { manner, wellFrom: 2 + Math.floor(random() * 6) };
    return { id: newId("delivery"), uuid: randomUUID(), body: JSON.stringify(event), meeting };
  });
}

/** Callbacks: no registration is switched off by those that fail. */
async function seedCallbacks(
  { accountId, projectId }: TestAccount,
  receivers: NineReceivers,
  sent: Sent[],
): Promise<void> {
  await db().query(
    `WITH new AS (
       SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) AS n (id, uuid, url, body, outbox, lane)
     ), delivery AS (
       INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, url, event, body, dedupe_key, next_attempt_at)
       SELECT id, uuid, $7, $8, url, 'completion', body, id, now() FROM new
     )
     INSERT INTO outbox_events (id, name, data)
     SELECT outbox, 'delivery/ready', jsonb_build_object('deliveryId', id, 'round', 1, 'receiver', lane) FROM new`,
    [
      sent.map(({ id }) => id),
      sent.map(({ uuid }) => uuid),
      sent.map(({ meeting }) => receivers.urlOf(meeting)),
      sent.map(({ body }) => body),
      sent.map(() => newId("outbox")),
      sent.map(
        ({ meeting }, index) => `${meeting.manner} ${Math.floor(index / NINE_MANNERS.length) % LANES_PER_MANNER}`,
      ),
      accountId,
      projectId,
    ],
  );
}

async function waitUntilEnded({ accountId }: TestAccount): Promise<number> {
  const deadline = Date.now() + MOST_SECONDS * 1_000;
  for (;;) {
    const { rows } = await db().query<{ open: number }>(
      "SELECT count(*)::int AS open FROM webhook_deliveries WHERE account_id = $1 AND status = 'pending'",
      [accountId],
    );
    const open = rows[0]?.open ?? 0;
    if (open === 0 || Date.now() > deadline) return open;
    await delay(POLL_MS);
  }
}

async function checkEach(
  { report }: BenchmarkRun,
  receivers: NineReceivers,
  sent: Sent[],
  secret: string,
): Promise<void> {
  const requests = Map.groupBy(receivers.requests(), ({ headers }) => String(headers["x-service-delivery"]));
  const { rows } = await db().query<{ id: string; status: string; attempts: number; recorded: number }>(
    `SELECT d.id, d.status, d.attempt_count AS attempts,
            (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id) AS recorded
     FROM webhook_deliveries d WHERE d.id = ANY($1)`,
    [sent.map(({ id }) => id)],
  );
  const kept = new Map(rows.map((row) => [row.id, row]));
  const wrong = { attempts: [] as string[], bytes: [] as string[], signatures: [] as string[] };
  for (const { id, uuid, body, meeting } of sent) {
    const expected = promised(meeting, MOST_ATTEMPTS);
    const came = requests.get(uuid) ?? [];
    const row = kept.get(id);
    const isRight =
      came.length === (meeting.manner === "bad TLS" ? 0 : expected.attempts) &&
      row?.status === expected.status &&
      row.attempts === expected.attempts &&
      row.recorded === expected.attempts;
    const what = `${meeting.manner}, well from ${meeting.wellFrom}: ${came.length} requests, ${JSON.stringify(row)}`;
    if (!isRight) wrong.attempts.push(what);
    if (came.some((request) => request.body.toString("utf8") !== body)) wrong.bytes.push(what);
    if (!came.every((request) => isTrusted(request, secret))) wrong.signatures.push(what);
  }
  const none = { atMost: 0 };
  report.figure("deliveries with other attempts than promised", wrong.attempts.length, "", none);
  report.figure("deliveries with other bytes on an attempt", wrong.bytes.length, "", none);
  report.figure("deliveries with a request that is not trusted", wrong.signatures.length, "", none);
  report.figure("requests behind a redirect or over bad TLS", receivers.strays(), "", none);
  for (const [kind, list] of Object.entries(wrong)) {
    report.mustHold(list.length === 0, `${list.length} deliveries have wrong ${kind}, the first: ${list[0]}`);
  }
  report.mustHold(receivers.strays() === 0, `${receivers.strays()} requests came where none may`);
  report.mustHold(receivers.badConnections() > 0, "nothing tried the receiver with bad TLS");
  report.mustHold(
    requests.size === sent.filter(({ meeting }) => meeting.manner !== "bad TLS").length,
    "UUIDs are missing",
  );
}

/**
 * What went wrong on this side: an attempt whose end could not be written down, as when the database gave no connection in
 * time, is made again after its lease, with the same bytes and UUID. A machine that can hardly keep up shows it here.
 */
function noteFaults({ report }: BenchmarkRun, log: string): void {
  const faults = log
    .split("\n")
    .filter((line) => /"level":"(?:error|warn)"/.test(line) && !line.includes("failed for good"));
  if (faults.length > 0)
    report.note(`The server's log has ${faults.length} faults of its own, the first: ${faults[0]?.slice(0, 300)}`);
}

/** As its receiver found it when it came: five minutes later nobody trusts a request, and the package has no other clock. */
function isTrusted(request: Parameters<typeof verifyRequest>[0], secret: string): boolean {
  const clock = Date.now;
  Date.now = () => request.receivedAt.getTime();
  try {
    verifyRequest(request, secret);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = clock;
  }
}
