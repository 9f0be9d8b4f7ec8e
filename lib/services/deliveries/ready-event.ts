import type { ServiceEvent } from "@/inngest/events";

/** What the queue has to know of a delivery. */
export interface ReadyDelivery {
  id: string;
  round: number;
  accountId: string;
  registrationId: string | null;
  url: string;
}

/** A `ReadyDelivery` of a row of `webhook_deliveries`, which the statement calls `row`. */
export const readyColumns = (row: string) =>
  `${row}.id, ${row}.round, ${row}.account_id AS "accountId", ${row}.registration_id AS "registrationId", ${row}.url`;

/**
 * The event that makes the queue deliver. Deliveries of one `receiver` share their places in the queue, so that a slow
 * one holds up itself alone: the registration, or the host of an account's callbacks. Many accounts call the same hosts, those
 * of services that take webhooks for others: what hangs for one of them is not to hold up another's.
 */
export function readyEvent({ id, round, accountId, registrationId, url }: ReadyDelivery): ServiceEvent {
  const receiver = registrationId ?? `${accountId}/${new URL(url).host}`;
  return { name: "delivery/ready", data: { deliveryId: id, round, receiver } };
}
