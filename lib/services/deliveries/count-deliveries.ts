import type { DeliveryCounts } from "@/lib/contracts/deliveries";
import { db } from "@/lib/db/pool";
import { type BoundedCount, boundedCount, MAX_COUNTED } from "@/lib/domain/bounded-count";
import type { ProjectScope } from "@/lib/domain/principal";

const COUNT_LAST_DAY = `
  SELECT registration_id AS "webhookId",
         count(*) FILTER (WHERE status = 'delivered') AS delivered,
         count(*) FILTER (WHERE status IN ('failed', 'held')) AS undelivered
  FROM webhook_deliveries
  WHERE project_id = $1 AND account_id = $2 AND created_at > now() - interval '24 hours'
    AND registration_id IS NOT NULL AND NOT is_test
  GROUP BY registration_id`;

/** What became of the last 24 hours' deliveries, by registration; those that had none are not there. */
export async function countDeliveries({ accountId, projectId }: ProjectScope): Promise<Map<string, DeliveryCounts>> {
  const { rows } = await db().query<DeliveryCounts & { webhookId: string }>(COUNT_LAST_DAY, [projectId, accountId]);
  return new Map(rows.map(({ webhookId, delivered, undelivered }) => [webhookId, { delivered, undelivered }]));
}

const COUNT_UNDELIVERED = `
  SELECT count(*) AS found FROM (
    SELECT FROM webhook_deliveries
    WHERE registration_id = $1 AND project_id = $2 AND account_id = $3 AND status IN ('failed', 'held') AND NOT is_test
    LIMIT ${MAX_COUNTED + 1}) counted`;

/** How many deliveries of a registration `resendFailedDeliveries` would send again. */
export async function countUndelivered(
  { accountId, projectId }: ProjectScope,
  webhookId: string,
): Promise<BoundedCount> {
  const { rows } = await db().query<{ found: number }>(COUNT_UNDELIVERED, [webhookId, projectId, accountId]);
  return boundedCount(rows[0]?.found ?? 0);
}
