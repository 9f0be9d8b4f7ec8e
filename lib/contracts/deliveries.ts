import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { endUserIdField } from "@/lib/contracts/fields";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { timeRangeFields } from "@/lib/contracts/time-range";
import { webhookInput } from "@/lib/contracts/webhooks";
import type { BoundedCount } from "@/lib/domain/bounded-count";
import { isId } from "@/lib/domain/ids";
import { WEBHOOK_EVENTS, type WebhookEventKind } from "@/lib/domain/webhook-events";

/** Deliveries of webhooks and callbacks as the panel shows them (§6, contract §8); the API has no endpoints for them. */

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "held"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const idText = plainText(z.string().trim().min(1).max(200));

const filterFields = {
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(WEBHOOK_EVENTS).optional(),
  endUserId: endUserIdField.optional(),
  sessionId: idText.optional(),
  ...timeRangeFields,
};

/** Filters of the list, as its address has them; they combine with AND. */
export const deliveryListQuery = z.object({ ...filterFields, ...cursorFields });

/** The same for the CSV of a list. `webhook`: its id, or "none" for callbacks alone. */
export const deliveryFilterQuery = z.object({ ...filterFields, webhook: idText.optional() });

const deliveryInput = z.strictObject({
  deliveryId: z.string().refine((text) => isId("delivery", text), "is not the id of a delivery"),
});

/** With its round as the reader saw it, so that two who look at it do not both send it again. */
export const resendInput = deliveryInput.extend({ round: z.int().min(1).max(2_147_483_647) });

/** Which delivery's event goes to which receiver, too. */
export const sendToReceiverInput = deliveryInput.extend(webhookInput.shape);

/** Of which span of time past events are asked for; no bound: all that are known. */
export const pastEventsQuery = z.object(timeRangeFields);

/** The same with the receiver that they go to. */
export const sendPastEventsInput = webhookInput.extend(timeRangeFields);

export type PastEventsSpan = z.output<typeof pastEventsQuery>;

/** Events that went to other receivers, and not to one that takes their kinds. */
export interface PastEvents extends BoundedCount {
  /** When the oldest of them happened; null when there are none. */
  oldestAt: string | null;
  /** Later deliveries of the span were not looked at; null: all were. */
  lookedUntil: string | null;
}

/** A receiver that the event of a delivery can be sent to. */
export interface OtherReceiver {
  id: string;
  url: string;
}

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
  /** Why there is no response, or no more of its body: code and words of the client that sends. */
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
  /** When its event happened: also of one that was sent to a further receiver later on. */
  createdAt: string;
  deliveredAt: string | null;
  /** In order. */
  attempts: Attempt[];
}

/** A delivery with the bytes that were sent and all that came back. */
export interface DeliveryDetail extends DeliveryRecord<AttemptRecord> {
  /** What every attempt sends. */
  body: string;
  /** Of the call whose turn it tells of; null where it tells of none. */
  requestId: string | null;
}

/** What became of a receiver's events of the last 24 hours, without test events. */
export interface DeliveryCounts {
  delivered: number;
  /** Failed for good or held back. */
  undelivered: number;
}
