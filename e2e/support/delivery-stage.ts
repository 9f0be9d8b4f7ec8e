import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  type HttpsReceiver,
  type ReceivedRequest,
  type ReceiverOptions,
  startHttpsReceiver,
} from "@/e2e/support/https-receiver";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { createTestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { closePools, db } from "@/lib/db/pool";
import { receiverEgress } from "@/lib/net/receiver-egress";
import { type AttemptOutcome, attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

export interface DeliveryStage {
  /** A receiver that the service may reach and whose certificate it trusts. */
  startReceiver(behaviour?: ReceiverOptions["behaviour"]): Promise<HttpsReceiver>;
  closeReceivers(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A database and settings for a file's tests, which deliver to real local receivers: five attempts without waits. Receivers end
 * with their test. Sets `process.env`, so it comes before anything that reads the settings.
 */
export function useDeliveryStage({ timeoutSeconds = 10 } = {}): DeliveryStage {
  const stage = {} as DeliveryStage;
  beforeAll(async () => {
    Object.assign(stage, await startDeliveryStage(timeoutSeconds));
  });
  afterEach(() => stage.closeReceivers());
  afterAll(() => stage.close());
  return stage;
}

async function startDeliveryStage(timeoutSeconds: number): Promise<DeliveryStage> {
  const certificates = createTestCertificates();
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "deliveries-"));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, certificates.caPem);
  useTestSettings(database.url, {
    OUTBOUND_ALLOWED_HOSTS: "localhost",
    OUTBOUND_EXTRA_CA_FILE: caFile,
    WEBHOOK_RETRY_DELAYS_SECONDS: "0,0,0,0",
    WEBHOOK_TIMEOUT_SECONDS: String(timeoutSeconds),
  });
  const receivers: HttpsReceiver[] = [];
  const closeReceivers = async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  };
  return {
    async startReceiver(behaviour = { kind: "ok" }) {
      const receiver = await startHttpsReceiver({ certificates, behaviour });
      receivers.push(receiver);
      return receiver;
    },
    closeReceivers,
    async close() {
      await closeReceivers();
      await receiverEgress().close();
      await closePools();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs a delivery as the queue does, without the waits; gives every outcome. */
export async function runDelivery(id: string, round = 1): Promise<AttemptOutcome[]> {
  const outcomes: AttemptOutcome[] = [];
  for (let number = 1; ; ) {
    const result = await attemptDelivery(id, round, number);
    outcomes.push(result);
    if (result.outcome !== "retry") return outcomes;
    number = result.nextNumber;
  }
}

/** The row of a delivery. */
export async function deliveryRow(id: string) {
  return (await db().query("SELECT * FROM webhook_deliveries WHERE id = $1", [id])).rows[0];
}

/** The attempts of a delivery, in order. */
export async function attemptRows(id: string) {
  return (await db().query("SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY round, number", [id])).rows;
}

/** The row of a webhook. */
export async function registrationRow(id: string) {
  return (await db().query("SELECT * FROM webhook_registrations WHERE id = $1", [id])).rows[0];
}

/** What a receiver does to trust a request, both ways. @throws when it must not */
export function verifyRequest({ body, headers }: ReceivedRequest, secret: string): void {
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  if (headers["x-service-signature"] !== expected) throw new Error("X-Service-Signature is of another body or secret.");
  new Webhook(secret).verify(body, headers as Record<string, string>);
}
