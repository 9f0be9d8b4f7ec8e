import type { ServiceEvents } from "@/inngest/events";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { READY_DATA_OF_TURN } from "@/lib/services/turns/ready-data";

const BATCH_SIZE = 500;
/** A turn may wait in a long queue without being lost: it gets this much more time than one that was being worked on. */
const QUEUED_PATIENCE = 10;

/** For a turn that is handed to the queue again while it runs: no sign of life is due for this much longer. */
export function queueSilenceSeconds(): number {
  return (QUEUED_PATIENCE - 1) * env().TURN_STALE_SECONDS;
}

/**
 * Hands turns to the queue again that nobody shows signs of working on: the queue may have lost its memory. A turn that
 * was not lost after all is answered once all the same: the later claim fences the earlier. Safe in several processes.
 * @returns how many turns were handed over
 */
export async function redispatchTurns(staleSeconds: number = env().TURN_STALE_SECONDS): Promise<number> {
  const count = await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ data: ServiceEvents["turn/ready"] }>(
      `UPDATE turns SET heartbeat_at = now(), redispatches = redispatches + 1
       WHERE id IN (
         SELECT t.id FROM turns t
         WHERE t.status IN ('queued', 'running')
           AND t.heartbeat_at < now() - make_interval(secs => CASE t.status WHEN 'running' THEN $1::float ELSE $1::float * ${QUEUED_PATIENCE} END)
           AND NOT EXISTS (SELECT 1 FROM turns e WHERE e.session_id = t.session_id AND e.position < t.position
                           AND e.status IN ('queued', 'running'))
         ORDER BY t.heartbeat_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
       RETURNING ${READY_DATA_OF_TURN} AS data`,
      [staleSeconds],
    );
    await enqueueEvents(
      tx,
      rows.map(({ data }) => ({ name: "turn/ready", data })),
    );
    return rows.length;
  });
  if (count > 0) wakeRelay();
  return count;
}
