import { z } from "zod";
import type { StaffDelivery, StaffDeliveryListQuery } from "@/lib/contracts/staff";
import { Conditions } from "@/lib/db/conditions";
import { db } from "@/lib/db/pool";
import { type CursorPage, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";

/** What receivers know a delivery by (`X-Service-Delivery`); everybody else knows its `dlv_` id. Each has a unique index. */
const UUID = z.guid();

interface DeliveryRow extends Omit<StaffDelivery, "host" | "createdAt" | "nextAttemptAt" | "deliveredAt"> {
  url: string;
  createdAt: Date;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** For staff: deliveries of all accounts or of one with how their last attempt went, newest first. */
export async function listAllDeliveries(request: StaffDeliveryListQuery): Promise<CursorPage<StaffDelivery>> {
  const { accountId, id, status, event, sessionId, webhookId, from, to, limit, cursor } = request;
  const conditions = new Conditions()
    .addIf(id, (place) => (UUID.safeParse(id).success ? `d.delivery_uuid = ${place}::uuid` : `d.id = ${place}`))
    .addIf(status, (place) => `d.status = ${place}`)
    .addIf(event, (place) => `d.event = ${place}`)
    .addIf(sessionId, (place) => `d.session_id = ${place}`)
    .addIf(webhookId, (place) => `d.registration_id = ${place}`)
    .addIf(from, (place) => `d.created_at >= ${place}::timestamptz`)
    .addIf(to, (place) => `d.created_at < ${place}::timestamptz`);
  if (cursor !== undefined) {
    conditions.add((at, id) => `(d.created_at, d.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
  }
  const newest = "ORDER BY d.created_at DESC, d.id DESC";
  const most = conditions.place(limit + 1);
  // Of one account: the newest of each of its projects, however few they are among those of all.
  const page =
    accountId === undefined
      ? `SELECT d.id FROM webhook_deliveries d WHERE ${conditions} ${newest} LIMIT ${most}`
      : `SELECT d.id FROM projects p
         CROSS JOIN LATERAL (SELECT d.id, d.created_at FROM webhook_deliveries d WHERE d.project_id = p.id AND ${conditions}
                             ${newest} LIMIT ${most}) d
         WHERE p.account_id = ${conditions.place(accountId)} ${newest} LIMIT ${most}`;
  const { rows } = await db().query<DeliveryRow>(
    `SELECT d.id, d.account_id AS "accountId", a.company_name AS "companyName", d.project_id AS "projectId",
       d.registration_id AS "webhookId", d.session_id AS "sessionId", d.url, d.event, d.status, d.is_test AS "isTest", d.attempt_count AS "attemptCount",
       t.response_status AS "lastResponseStatus", t.error AS "lastError", d.next_attempt_at AS "nextAttemptAt",
       d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"
     FROM (${page}) page
     JOIN webhook_deliveries d ON d.id = page.id
     LEFT JOIN accounts a ON a.id = d.account_id
     LEFT JOIN LATERAL (SELECT response_status, error FROM webhook_attempts WHERE delivery_id = d.id
                        ORDER BY round DESC, number DESC LIMIT 1) t ON true
     ${newest}`,
    conditions.values,
  );
  return makeCursorPage(rows, limit, toStaffDelivery, (row) => [row.createdAt.toISOString(), row.id]);
}

function toStaffDelivery({ url, createdAt, nextAttemptAt, deliveredAt, ...row }: DeliveryRow): StaffDelivery {
  return {
    ...row,
    host: new URL(url).host,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
