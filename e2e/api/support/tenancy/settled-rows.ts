import type { Tenant } from "@/e2e/api/support/tenancy/tenants";
import { digestRows, type TenantTable } from "@/e2e/support/tenant-rows";
import { db } from "@/lib/db/pool";

const SETTLE_MS = 60_000;
const SETTLE_POLL_MS = 500;
/** What an Inngest server works on stands in its own database: there nothing may change for some seconds. */
const LEAST_QUIET_POLLS = process.env.INNGEST_SERVER_BIN ? 10 : 1;

/** What stands in the rows of quiet tenants, once nothing is under way any more. */
export async function settledDigests(tenants: Tenant[], tables: TenantTable[]): Promise<Map<string, string>> {
  const quiet = tenants.filter(({ isQuiet }) => isQuiet).map(({ account }) => account);
  const active = new Set(tenants.filter(({ isQuiet }) => !isQuiet).map(({ account }) => account.accountId));
  const accountIds = new Set(quiet.map(({ accountId }) => accountId).filter((id) => !active.has(id)));
  const read = async () => {
    const all = new Map<string, string>();
    for (const { projectId } of quiet)
      for (const [table, digest] of await digestRows("project", projectId, tables))
        all.set(`${table} of ${projectId}`, digest);
    for (const id of accountIds)
      for (const [table, digest] of await digestRows("account", id, tables)) all.set(`${table} of ${id}`, digest);
    return all;
  };
  const deadline = Date.now() + SETTLE_MS;
  let quietPolls = 0;
  for (let last = ""; ; ) {
    const now = await read();
    const text = JSON.stringify([...now]);
    quietPolls = text === last && (await openWork(tenants)) === 0 ? quietPolls + 1 : 0;
    if (quietPolls >= LEAST_QUIET_POLLS) return now;
    if (Date.now() > deadline) throw new Error("What was started did not come to its end.");
    last = text;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
  }
}

async function openWork(tenants: Tenant[]): Promise<number> {
  const { rows } = await db().query<{ open: number }>(
    `SELECT (SELECT count(*) FROM turns WHERE project_id = ANY($1) AND status IN ('queued', 'running'))
          + (SELECT count(*) FROM webhook_deliveries WHERE project_id = ANY($1) AND status = 'pending' AND url LIKE 'https://localhost%')
          + (SELECT count(*) FROM outbox_events WHERE name = 'memory/due' AND split_part(data->>'endUser', '/', 1) = ANY ($1))
          + (SELECT count(*) FROM runner_runs r JOIN runner_events e ON e.id = r.event_id
             WHERE r.status = 'running' AND e.name = 'memory/due'
               AND split_part(e.payload::json->'data'->>'endUser', '/', 1) = ANY ($1)) AS open`,
    [tenants.map(({ account }) => account.projectId)],
  );
  return Number(rows[0]?.open);
}
