import type { ServiceEvent } from "@/inngest/events";
import type { DataRequestKind } from "@/lib/contracts/end-users";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { dataRequestEvent } from "@/lib/services/data-rights/data-request-event";
import { ERASURE_STANDS } from "@/lib/services/data-rights/erasure-stands";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** What takes this long has met trouble, or nobody works on it: the queue may have lost its memory. */
const GRACE_SECONDS = 3_600;
/** Of one sweep and kind. */
const LIMIT = 500;

interface ForgottenWork {
  kind: DataRequestKind | "account-export" | "account-erasure";
  id: string;
}

/** One whose end user was erased meanwhile has nothing left to do. */
const DATA_REQUESTS = `
  SELECT kind, id FROM data_requests
  WHERE state IN ('queued', 'running') AND subject IS NOT NULL
    AND coalesce(started_at, created_at) < now() - make_interval(secs => $1)
  ORDER BY created_at LIMIT ${LIMIT}`;

const ACCOUNT_EXPORTS = `
  SELECT 'account-export' AS kind, id FROM account_exports
  WHERE state IN ('queued', 'running') AND coalesce(started_at, created_at) < now() - make_interval(secs => $1)
  ORDER BY created_at LIMIT ${LIMIT}`;

/** The line of who asked goes with the account. */
const ACCOUNT_ERASURES = `
  SELECT DISTINCT 'account-erasure' AS kind, a.id
  FROM accounts a JOIN audit_log l ON ${ERASURE_STANDS}
  WHERE l.created_at < now() - make_interval(secs => $1)
  LIMIT ${LIMIT}`;

/**
 * Hands exports and erasures, of end users and of accounts, to the queue again that nobody has finished for an hour. One
 * that the queue has after all is done once all the same: the queue works on one of them at a time, and whoever comes
 * second finds it ended, or goes on where the first was interrupted. Call it seldom: nothing says what was handed over
 * before, and receipts, which people ask for one by one and which are kept, are read through.
 * @returns how many were handed over
 */
export async function redispatchDataRequests(graceSeconds = GRACE_SECONDS): Promise<number> {
  const count = await inTransaction(async (tx) => {
    const events: ServiceEvent[] = [];
    for (const text of [DATA_REQUESTS, ACCOUNT_EXPORTS, ACCOUNT_ERASURES]) {
      const { rows } = await tx.query<ForgottenWork>(text, [graceSeconds]);
      events.push(...rows.map(toEvent));
    }
    return enqueueEvents(tx, events);
  });
  if (count > 0) wakeRelay();
  return count;
}

function toEvent({ kind, id }: ForgottenWork): ServiceEvent {
  if (kind === "account-export") return { name: "account/export", data: { exportId: id } };
  if (kind === "account-erasure") return { name: "account/erase", data: { accountId: id } };
  return dataRequestEvent(kind, id);
}
