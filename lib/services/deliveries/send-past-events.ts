import type { PastEvents, PastEventsSpan } from "@/lib/contracts/deliveries";
import type { Webhook } from "@/lib/contracts/webhooks";
import { Conditions } from "@/lib/db/conditions";
import { db, inTransaction } from "@/lib/db/pool";
import { MAX_COUNTED } from "@/lib/domain/bounded-count";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { copyDeliveries, keyFor } from "@/lib/services/deliveries/copy-deliveries";
import { receiverIsOff } from "@/lib/services/deliveries/resend-delivery";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { getWebhook } from "@/lib/services/webhooks/get-webhook";

/** The database looks at so many in about a second; a webhook that has them all would else wait for millions. */
const MOST_LOOKED_AT = 100_000;

/** Deliveries `d` of a project, of a span of time. */
function inSpan({ accountId, projectId }: ProjectScope, { from, to }: PastEventsSpan) {
  return new Conditions()
    .add((place) => `d.project_id = ${place}`, projectId)
    .add((place) => `d.account_id = ${place}`, accountId)
    .addIf(from, (place) => `d.created_at >= ${place}::timestamptz`)
    .addIf(to, (place) => `d.created_at < ${place}::timestamptz`);
}

/** When the first delivery of a span was made that is beyond the oldest so many; null: there are no more of them. */
async function findEdge(scope: ProjectScope, span: PastEventsSpan, most: number): Promise<Date | null> {
  const conditions = inSpan(scope, span);
  const { rows } = await db().query<{ edge: Date }>(
    `SELECT date_trunc('milliseconds', d.created_at) AS edge FROM webhook_deliveries d WHERE ${conditions}
     ORDER BY d.created_at LIMIT 1 OFFSET ${conditions.place(most)}`,
    conditions.values,
  );
  return rows[0]?.edge ?? null;
}

/**
 * Deliveries `d` of the project's other receivers, gone ones and callbacks among them, whose event the webhook wants and has not.
 * With those that it had of its own: whatever became of them, they are sent again, not anew. Each is looked up by its unique key: to
 * join them, the database might read the deliveries of all accounts.
 */
function missedBy({ id, events }: Webhook, scope: ProjectScope, span: PastEventsSpan) {
  return inSpan(scope, span)
    .add((place) => `NOT d.is_test AND d.event = ANY (${place}::text[])`, events)
    .add(
      (place) => `d.registration_id IS DISTINCT FROM ${place}
        AND (SELECT 1 FROM webhook_deliveries own WHERE own.dedupe_key = ${keyFor("d", place)}) IS NULL`,
      id,
    );
}

/**
 * How many events of a span of time `sendPastEvents` would send to a webhook, and when the oldest of them happened. Where a project
 * has very many deliveries the oldest alone are looked at; `lookedUntil` says up to when.
 * @throws AppError NOT_FOUND
 */
export async function countPastEvents(
  scope: ProjectScope,
  webhookId: string,
  span: PastEventsSpan = {},
  { most = MOST_LOOKED_AT }: { most?: number } = {},
): Promise<PastEvents> {
  const webhook = await getWebhook(scope, webhookId);
  const edge = await findEdge(scope, span, most);
  const conditions = missedBy(webhook, scope, { ...span, ...(edge && { to: edge }) });
  const { rows } = await db().query<{ read: number; events: number; oldest: Date | null }>(
    `SELECT count(*) AS read, count(DISTINCT key) AS events, min(created_at) AS oldest FROM (
       SELECT d.created_at, ${keyFor("d", conditions.place(webhookId))} AS key FROM webhook_deliveries d WHERE ${conditions}
       ORDER BY d.created_at, d.id LIMIT ${MAX_COUNTED + 1}) found`,
    conditions.values,
  );
  const { read = 0, events = 0, oldest = null } = rows[0] ?? {};
  return {
    count: Math.min(events, MAX_COUNTED),
    hasMore: read > MAX_COUNTED,
    oldestAt: oldest?.toISOString() ?? null,
    lookedUntil: edge?.toISOString() ?? null,
  };
}

/**
 * Sends a webhook what happened before it was there, or went to other receivers of its project alone: events of the kinds that it
 * takes, each once, oldest first, as deliveries of its own. What is still known of them are those deliveries: an event that nobody
 * was told of cannot be sent. Asked again it sends what is left.
 * @param options.batchSize deliveries of one transaction, each with a line of the audit log
 * @param options.most deliveries that are looked at
 * @returns how many events were handed over
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when the webhook is not active
 */
export async function sendPastEvents(
  actor: Actor,
  scope: ProjectScope,
  webhookId: string,
  span: PastEventsSpan = {},
  { batchSize = 500, most = MAX_COUNTED }: { batchSize?: number; most?: number } = {},
): Promise<number> {
  const webhook = await getWebhook(scope, webhookId);
  if (webhook.status !== "active") throw receiverIsOff("is switched off. Switch it on, then send");
  let sent = 0;
  let last: { id: string; createdAt: Date } | undefined;
  for (let left = most; left > 0; ) {
    const limit = Math.min(batchSize, left);
    const conditions = missedBy(webhook, scope, span);
    if (last) conditions.add((at, id) => `(d.created_at, d.id) > (${at}::timestamptz, ${id})`, last.createdAt, last.id);
    const { rows } = await db().query<{ id: string; createdAt: Date }>(
      `SELECT d.id, d.created_at AS "createdAt" FROM webhook_deliveries d WHERE ${conditions}
       ORDER BY d.created_at, d.id LIMIT ${limit}`,
      conditions.values,
    );
    sent += await sendBatch(
      actor,
      scope,
      webhookId,
      rows.map(({ id }) => id),
      span,
    );
    if (rows.length < limit) break;
    left -= rows.length;
    last = rows.at(-1);
  }
  return sent;
}

async function sendBatch(actor: Actor, scope: ProjectScope, webhookId: string, ids: string[], span: PastEventsSpan) {
  const count = await inTransaction(async (tx) => {
    const { length: deliveries } = await copyDeliveries(tx, scope, webhookId, ids);
    if (deliveries === 0) return 0;
    await writeAudit(tx, actor, {
      accountId: scope.accountId,
      action: "delivery.send-past",
      subject: webhookId,
      after: { deliveries, ...inWords(span) },
    });
    return deliveries;
  });
  wakeRelay();
  return count;
}

function inWords({ from, to }: PastEventsSpan) {
  return { ...(from && { from: from.toISOString() }), ...(to && { to: to.toISOString() }) };
}
