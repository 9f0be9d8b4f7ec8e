import type { StaffWebhook } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";

const MOST = 50;

type WebhookRow = Omit<StaffWebhook, "host" | "lastDeliveryAt" | "failedAt"> & {
  url: string;
  lastDeliveryAt: Date | null;
  failedAt: Date | null;
};

/** For staff: the receivers of an account's projects, those that nothing is sent to first. */
export async function listAccountWebhooks(accountId: string): Promise<StaffWebhook[]> {
  const { rows } = await db().query<WebhookRow>(
    `SELECT w.id, p.name AS "projectName", w.url, w.events, w.status, w.last_delivery_at AS "lastDeliveryAt",
            w.failed_at AS "failedAt"
     FROM webhook_registrations w JOIN projects p ON p.id = w.project_id
     WHERE w.account_id = $1
     ORDER BY w.status = 'failed' DESC, w.status = 'inactive' DESC, w.created_at DESC, w.id DESC LIMIT ${MOST}`,
    [accountId],
  );
  return rows.map(({ url, lastDeliveryAt, failedAt, ...row }) => ({
    ...row,
    host: new URL(url).host,
    lastDeliveryAt: lastDeliveryAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  }));
}
