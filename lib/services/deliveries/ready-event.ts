import { createHash } from "node:crypto";
import type { ServiceEvent } from "@/inngest/events";
import { unindexed } from "@/lib/db/unindexed";

/** What the queue has to know of a delivery. */
export interface ReadyDelivery {
  id: string;
  round: number;
  accountId: string;
  /** Of a registration among those of its account, from 0 in the order in which they were made; null: a callback. */
  place: number | null;
  url: string;
  /** Whether its event is no news: somebody has it sent again, or past ones for another receiver. */
  isLate: boolean;
}

/**
 * Receivers of an account with places of their own in the queue: registrations, the last of which all further ones share, and
 * hosts of callbacks, of which a client can name any number.
 */
const WEBHOOK_LANES = 32;
const CALLBACK_LANES = 16;
export const LANES_PER_ACCOUNT = WEBHOOK_LANES + CALLBACK_LANES;

/** From when on an event is no news. */
const LATE_AFTER_MINUTES = 10;
/** As the queue words it, in seconds ahead of others: of thousands that are sent again each would hold up what happens now. */
const PRIORITY = { news: 600, late: 0 } as const;

/** A `ReadyDelivery` of a row of `webhook_deliveries`, which the statement calls `row`. Of earlier registrations few are counted. */
export const readyColumns = (row: string) => `
  ${row}.id, ${row}.round, ${row}.account_id AS "accountId", ${row}.url,
  ${row}.created_at < now() - interval '${LATE_AFTER_MINUTES} minutes' AS "isLate",
  CASE WHEN ${row}.registration_id IS NOT NULL THEN (
    SELECT count(*)::int FROM (
      SELECT FROM webhook_registrations earlier
      WHERE earlier.account_id = ${row}.account_id AND ${unindexed("earlier.id")} < ${row}.registration_id LIMIT ${WEBHOOK_LANES - 1}
    ) AS counted
  ) END AS place`;

/**
 * The event that makes the queue deliver. Deliveries of one `receiver` share their places in the queue, so that a slow
 * one holds up itself alone. Each account has receivers of its own: many call the same hosts, those of services that take
 * webhooks for others, and whoever lets a great many of them hang takes no more than an account's share of all places.
 * At each receiver news and what is late take places by turns.
 */
export function readyEvent({ id, round, accountId, place, url, isLate }: ReadyDelivery): ServiceEvent {
  const lane = place === null ? `callbacks ${laneOfHost(url)}` : `webhook ${place}`;
  const priority = isLate ? PRIORITY.late : PRIORITY.news;
  return { name: "delivery/ready", data: { deliveryId: id, round, receiver: `${accountId} ${lane}`, priority } };
}

function laneOfHost(url: string): number {
  return createHash("sha256").update(new URL(url).host).digest().readUInt32BE() % CALLBACK_LANES;
}
