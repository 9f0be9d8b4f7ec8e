import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import type { TestWebhookResponse } from "@/lib/contracts/webhooks";
import { databaseNow } from "@/lib/db/database-now";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

const INSERT_TEST_DELIVERY = `
  INSERT INTO webhook_deliveries AS d (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                  session_id, end_user_id, is_test, dedupe_key, next_attempt_at)
  SELECT $1, gen_random_uuid(), r.account_id, r.project_id, r.id, r.url, $4, $5, NULL, NULL, true, 'test:' || $1, now()
  FROM webhook_registrations r WHERE r.id = $2 AND r.account_id = $3 AND ($6::text IS NULL OR r.project_id = $6)
  RETURNING ${readyColumns("d")}`;

/** Any key of the account may test its receivers (contract §8); the panel tests those of the project that it shows. */
interface TestScope {
  accountId: string;
  /** Absent: of all projects of the account. */
  projectId?: string;
}

/**
 * Sends a `completion` event marked `"test": true` to a receiver of the scope, active or not (contract §8). It gets
 * one attempt, whose outcome never changes the registration's status.
 * @param actor the person, for the audit log; none for the API, whose calls are in the log of calls
 * @throws AppError NOT_FOUND
 */
export async function testWebhook(
  { accountId, projectId }: TestScope,
  webhookId: string,
  idempotency?: IdempotencyClaim,
  actor?: Actor,
): Promise<TestWebhookResponse> {
  // As the times of all other events and of the signature: a receiver may refuse what is from another time.
  const timestamp = (await databaseNow(prisma())).toISOString();
  const event = { ...SAMPLE_EVENTS.completion, timestamp, test: true };
  const deliveryId = newId("delivery");
  const answer: TestWebhookResponse = { deliveryId, event: event.type };
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<ReadyDelivery>(INSERT_TEST_DELIVERY, [
      deliveryId,
      webhookId,
      accountId,
      event.type,
      JSON.stringify(event),
      projectId ?? null,
    ]);
    if (rows.length === 0) throw notFound("The webhook");
    await enqueueEvents(tx, rows.map(readyEvent));
    if (actor) {
      const line = { accountId, action: "webhook.test", subject: webhookId, after: { deliveryId } };
      await writeAudit(tx, actor, line);
    }
    if (idempotency) await keepResponse(tx, idempotency, answer);
  });
  wakeRelay();
  return answer;
}
