import type { WebhookAttempt, WebhookDelivery } from "@/lib/db/generated/client";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";
import type { DeliveryStatus } from "@/lib/services/deliveries/load-delivery";

/** One attempt as lists show it. */
export interface AttemptSummary {
  /** Raised each time a person sends the delivery again. */
  round: number;
  /** 1, 2, ... within its round. */
  number: number;
  startedAt: string;
  /** Null while it is being made. */
  durationMs: number | null;
  responseStatus: number | null;
  /** Why there is no response: code and words of the client that sends. */
  error: string | null;
}

/** One attempt with all that went out and came back. */
export interface AttemptRecord extends AttemptSummary {
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  /** The first 64 KB, read as UTF-8. */
  responseBody: string | null;
}

/** One event for one receiver. */
export interface DeliveryRecord<Attempt extends AttemptSummary = AttemptSummary> {
  id: string;
  /** `X-Service-Delivery` */
  deliveryUuid: string;
  /** Null: the `callbackUrl` of a call. */
  webhookId: string | null;
  url: string;
  event: WebhookEventKind;
  sessionId: string | null;
  endUserId: string | null;
  isTest: boolean;
  status: DeliveryStatus;
  round: number;
  nextAttemptAt: string | null;
  createdAt: string;
  deliveredAt: string | null;
  /** In order. */
  attempts: Attempt[];
}

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
  row: WebhookDelivery,
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
