import { createHash } from "node:crypto";
import type { Benchmark } from "@/bench/support/benchmark";
import { callbackSecret } from "@/bench/support/seed-deliveries";
import { setStage } from "@/bench/support/stage";
import { apiClient } from "@/e2e/support/api-client";
import { verifyRequest } from "@/e2e/support/delivery-stage";
import { type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { startModelServer } from "@/e2e/support/model-server";
import { prisma } from "@/lib/db/prisma";

/** 30 s, 5 min, 30 min and 2 h (§6.4), made short: each is longer than the one before. */
const DELAYS_SECONDS = [1, 2, 3, 4];
const ATTEMPTS = DELAYS_SECONDS.length + 1;
const WAIT_MS = 60_000;
const POLL_MS = 50;

/** One callback to a receiver that never takes it: its five attempts, with the bytes and the times of each. */
export const attempts: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { WEBHOOK_RETRY_DELAYS_SECONDS: DELAYS_SECONDS.join(",") });
  const receiver = await startHttpsReceiver({
    certificates: stage.certificates,
    behaviour: { kind: "fail", status: 503 },
  });
  run.onEnd(() => receiver.close());
  const account = await stage.newAccount();
  const api = apiClient(stage.service.url, account.apiKey);
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hello", callbackUrl: receiver.url });
  await receiver.waitForRequests(ATTEMPTS, WAIT_MS);
  const delivery = await settled(body.sessionId);
  const secret = await callbackSecret(account);

  printAttempts(receiver, delivery.attempts);
  const { requests } = receiver;
  const distinct = (of: (request: (typeof requests)[number]) => unknown) => new Set(requests.map(of)).size;
  run.report.figure("attempts", requests.length, "");
  run.report.figure("bytes of each", requests[0]?.body.length ?? 0, "B");
  run.report.mustHold(requests.length === ATTEMPTS, `${requests.length} attempts instead of ${ATTEMPTS}`);
  run.report.mustHold(delivery.status === "failed", `the delivery is ${delivery.status}, not failed`);
  run.report.mustHold(distinct(({ body: bytes }) => digest(bytes)) === 1, "the bytes are not the same each time");
  run.report.mustHold(distinct(({ headers }) => headers["x-service-delivery"]) === 1, "the UUID changes");
  for (const request of requests) verifyRequest(request, secret);
  for (const [index, seconds] of DELAYS_SECONDS.entries()) {
    const waited = gapMs(requests, index + 1);
    run.report.mustHold(waited >= seconds * 1_000, `attempt ${index + 2} came ${waited} ms after the one before`);
    run.report.figure(`attempt ${index + 2} after the one before, beyond ${seconds} s`, waited - seconds * 1_000, "ms");
  }
};

type Requests = HttpsReceiver["requests"];

function gapMs(requests: Requests, index: number): number {
  return Number(requests[index]?.receivedAt) - Number(requests[index - 1]?.receivedAt);
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}

async function settled(sessionId: string) {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const delivery = await prisma().webhookDelivery.findFirstOrThrow({
      where: { sessionId },
      include: { attempts: { orderBy: { number: "asc" } } },
    });
    if (delivery.status !== "pending" || Date.now() > deadline) return delivery;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What came, beside what the service wrote down of it. */
function printAttempts(
  { requests }: HttpsReceiver,
  recorded: { responseStatus: number | null; durationMs: number | null }[],
): void {
  const rows = requests.map(({ receivedAt, body, headers }, index) => [
    String(index + 1),
    receivedAt.toISOString(),
    index === 0 ? "" : `+${(gapMs(requests, index) / 1_000).toFixed(2)} s`,
    `${body.length} B`,
    `sha256 ${digest(body)}`,
    String(headers["x-service-delivery"]),
    `signature ${String(headers["x-service-signature"]).slice(0, 12)}`,
    `answered ${recorded[index]?.responseStatus} in ${recorded[index]?.durationMs} ms`,
  ]);
  console.log(`\n${rows.map((row) => `  ${row.join("  ")}`).join("\n")}\n`);
  console.log(`  ${requests[0]?.body.toString("utf8")}\n`);
}
