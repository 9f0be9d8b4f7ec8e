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
}

/**
 * Receivers of an account with places of their own in the queue: registrations, the last of which all further ones share, and
 * hosts of callbacks, of which a client can name any number.
 */
const WEBHOOK_LANES = 32;
const CALLBACK_LANES = 16;
export const LANES_PER_ACCOUNT = WEBHOOK_LANES + CALLBACK_LANES;

/** A `ReadyDelivery` of a row of `webhook_deliveries`, which the statement calls `row`. Of earlier registrations few are counted. */
export const readyColumns = (row: string) => `
  ${row}.id, ${row}.round, ${row}.account_id AS "accountId", ${row}.url,
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
 */
export function readyEvent({ id, round, accountId, place, url }: ReadyDelivery): ServiceEvent {
  const lane = place === null ? `callbacks ${laneOfHost(url)}` : `webhook ${place}`;
  return { name: "delivery/ready", data: { deliveryId: id, round, receiver: `${accountId} ${lane}` } };
}

function laneOfHost(url: string): number {
  return createHash("sha256").update(new URL(url).host).digest().readUInt32BE() % CALLBACK_LANES;
}
