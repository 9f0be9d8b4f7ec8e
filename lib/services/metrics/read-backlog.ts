import { logDb } from "@/lib/db/pool";
import { IS_OF_NOW } from "@/lib/services/outbox/relay-outbox";
import { WAITS_FOR_LIMIT } from "@/lib/services/turns/expect-silence";

/** What waits in the database, for all processes together; times in seconds, 0 when nothing waits. */
export interface Backlog {
  outboxWaiting: number;
  outboxLagSeconds: number;
  /** Jobs of the embedded runner that are due; none with a real Inngest. */
  queueWaiting: number;
  queueRunning: number;
  queueOldestSeconds: number;
  turnsQueued: number;
  turnsRunning: number;
  /** Of both, those that wait for a limit of the model's provider to pass. */
  turnsLimited: number;
  /** Of those that wait for us, and not for a provider. */
  turnsOldestQueuedSeconds: number;
  deliveriesPending: number;
  /** How long the delivery that is due first has been due. */
  deliveriesOverdueSeconds: number;
  /** Mails that the mail server has not taken yet. */
  mailsWaiting: number;
  mailsOldestSeconds: number;
}

/** Counts stop here, so that a look costs the same however much waits. */
const MOST_COUNTED = 100_000;

const seconds = (expression: string) => `greatest(0, coalesce(extract(epoch FROM now() - ${expression}), 0))::float`;

/** Of a turn that was held for a provider, when its time had come. */
const QUEUED_SINCE = "CASE WHEN generation > 0 THEN heartbeat_at ELSE created_at END";

/** Each part reads an index of what is open, and at most so many rows of it. Ids of the outbox are in order of time. */
const BACKLOG = `
  SELECT outbox.*, queue.*, turns.*, deliveries.*, mails.*
  FROM (SELECT (SELECT count(*) FROM (SELECT FROM outbox_events WHERE ${IS_OF_NOW} LIMIT ${MOST_COUNTED}) rows) AS "outboxWaiting",
          ${seconds(`(SELECT created_at FROM outbox_events WHERE ${IS_OF_NOW} ORDER BY id LIMIT 1)`)} AS "outboxLagSeconds") outbox,
    (SELECT count(*) FILTER (WHERE state <> 'leased') AS "queueWaiting", count(*) FILTER (WHERE state = 'leased') AS "queueRunning",
       ${seconds("min(due_at) FILTER (WHERE state <> 'leased')")} AS "queueOldestSeconds"
     FROM ((SELECT state, due_at FROM runner_items WHERE state = 'ready' LIMIT ${MOST_COUNTED})
       UNION ALL (SELECT state, due_at FROM runner_items WHERE state = 'waiting' AND due_at <= now() LIMIT ${MOST_COUNTED})
       UNION ALL (SELECT state, due_at FROM runner_items WHERE state = 'leased' LIMIT ${MOST_COUNTED})) items) queue,
    (SELECT count(*) FILTER (WHERE status = 'queued') AS "turnsQueued", count(*) FILTER (WHERE status = 'running') AS "turnsRunning",
       count(*) FILTER (WHERE ${WAITS_FOR_LIMIT}) AS "turnsLimited",
       ${seconds(`min(${QUEUED_SINCE}) FILTER (WHERE status = 'queued' AND heartbeat_at <= now())`)} AS "turnsOldestQueuedSeconds"
     FROM (SELECT status, created_at, generation, limited_tries, heartbeat_at FROM turns WHERE status IN ('queued', 'running') LIMIT ${MOST_COUNTED}) open) turns,
    (SELECT (SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT ${MOST_COUNTED}) rows)
         AS "deliveriesPending",
       ${seconds("(SELECT min(next_attempt_at) FROM webhook_deliveries WHERE status = 'pending')")}
         AS "deliveriesOverdueSeconds") deliveries,
    (SELECT (SELECT count(*) FROM (SELECT FROM mails LIMIT ${MOST_COUNTED}) rows) AS "mailsWaiting",
       ${seconds("(SELECT min(created_at) FROM mails)")} AS "mailsOldestSeconds") mails`;

/** Reads what waits. Not on the pool of the hot paths: a look must not make a call wait. */
export async function readBacklog(): Promise<Backlog> {
  const { rows } = await logDb().query<Backlog>({ name: "metrics-backlog", text: BACKLOG });
  return rows[0] as Backlog;
}
