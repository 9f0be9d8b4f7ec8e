import type { AttemptRecord, AttemptSummary, DeliveryRecord, DeliveryStatus } from "@/lib/contracts/deliveries";
import type { WebhookAttempt, WebhookDelivery } from "@/lib/db/generated/client";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";

/** The columns of an attempt without what is large. */
export const ATTEMPT_SUMMARY = {
  round: true,
  number: true,
  startedAt: true,
  durationMs: true,
  responseStatus: true,
  error: true,
} as const;

type SummaryRow = Pick<WebhookAttempt, keyof typeof ATTEMPT_SUMMARY>;

export function toDeliveryRecord<Attempt extends AttemptSummary>(
  row: Omit<WebhookDelivery, "body">,
  attempts: Attempt[],
): DeliveryRecord<Attempt> {
  return {
    id: row.id,
    deliveryUuid: row.deliveryUuid,
    webhookId: row.registrationId,
    url: row.url,
    event: row.event as WebhookEventKind,
    sessionId: row.sessionId,
    endUserId: row.endUserId,
    isTest: row.isTest,
    status: row.status as DeliveryStatus,
    round: row.round,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    attempts,
  };
}

export function toAttemptSummary(row: SummaryRow): AttemptSummary {
  const { round, number, startedAt, durationMs, responseStatus, error } = row;
  return { round, number, startedAt: startedAt.toISOString(), durationMs, responseStatus, error };
}

export function toAttemptRecord(row: WebhookAttempt): AttemptRecord {
  return {
    ...toAttemptSummary(row),
    requestHeaders: row.requestHeaders as Record<string, string>,
    responseHeaders: row.responseHeaders as Record<string, string> | null,
    responseBody: row.responseBody && Buffer.from(row.responseBody).toString("utf8"),
  };
}
