import { seedRegistration } from "@/e2e/support/delivery-seeds";
import type { TestAccount } from "@/e2e/support/test-account";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { enqueueEvents } from "@/lib/db/outbox";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { openText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { env } from "@/lib/env";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";

/** A registered receiver. */
export interface Receiver {
  accountId: string;
  projectId: string;
  registrationId: string;
  url: string;
  secret: string;
}

/** Registers a receiver for what never happens here, so that it gets what is written for it alone. */
export async function seedReceiver({ accountId, projectId }: TestAccount, url: string): Promise<Receiver> {
  const receiver = { accountId, projectId, url, secret: newWebhookSecret() };
  return { ...receiver, registrationId: await seedRegistration({ ...receiver, events: ["session.timeout"] }) };
}

/** What signs the callbacks of an account's project. */
export async function callbackSecret({ projectId }: TestAccount): Promise<string> {
  const { rows } = await db().query<{ sealed: string }>(
    "SELECT callback_secret_encrypted AS sealed FROM projects WHERE id = $1",
    [projectId],
  );
  return openText(rows[0]?.sealed ?? "", env().ENCRYPTION_KEY ?? "");
}

/**
 * Writes deliveries and their hand-over in one transaction. The server's relay finds them within a second: nobody in its
 * process tells it.
 */
export async function sendDeliveries(
  { accountId, projectId, registrationId, url }: Receiver,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId("delivery"));
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<ReadyDelivery>(
      `INSERT INTO webhook_deliveries AS d (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                            dedupe_key, next_attempt_at)
       SELECT id, gen_random_uuid(), $2, $3, $4, $5, 'completion', $6, id, now() FROM unnest($1::text[]) AS new (id)
       RETURNING ${readyColumns("d")}`,
      [ids, accountId, projectId, registrationId, url, JSON.stringify(SAMPLE_EVENTS.completion)],
    );
    await enqueueEvents(tx, rows.map(readyEvent));
  });
}
