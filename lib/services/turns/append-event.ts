import { isRefusedStatement } from "@/lib/db/failures";
import { logDb } from "@/lib/db/pool";
import { processSingleton } from "@/lib/process-singleton";
import { eventNotification, type LoggedEvent } from "@/lib/services/sessions/announce-event";
import { SESSION_EVENTS_CHANNEL, sessionHub } from "@/lib/services/sessions/session-hub";
import { together } from "@/lib/together";

/** An event of a turn that is being answered, by the worker of that generation. */
export interface WorkerEvent extends LoggedEvent {
  generation: number;
}

const MAX_TOGETHER = 100;

/**
 * Writes an event into its session's log and announces it; those of several turns that come at once together.
 * @returns false when the turn is no longer the worker's: it ended, or somebody else wrote at that place of the log
 */
export function appendEvent(event: WorkerEvent): Promise<boolean> {
  return processSingleton("append-together", () =>
    together({ work: appendEvents, max: MAX_TOGETHER, isRepeatable: isRefusedStatement }),
  )(event);
}

async function appendEvents(events: WorkerEvent[]): Promise<boolean[]> {
  const { rows } = await logDb().query<Pick<WorkerEvent, "turnId" | "seq" | "generation">>({
    name: "append-events",
    text: `
      WITH given AS MATERIALIZED (
        SELECT g.* FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::jsonb[], $6::int[], $7::text[])
          AS g (session_id, seq, turn_id, type, data, generation, notification)
        JOIN turns t ON t.id = g.turn_id WHERE t.generation = g.generation AND t.status = $9
      ),
      event AS (
        INSERT INTO session_events (session_id, seq, turn_id, type, data)
        SELECT session_id, seq, turn_id, type, data FROM given
        ON CONFLICT DO NOTHING
        RETURNING turn_id, seq
      )
      SELECT given.turn_id AS "turnId", given.seq, given.generation, pg_notify($8, given.notification)
      FROM event JOIN given ON given.turn_id = event.turn_id AND given.seq = event.seq`,
    values: [
      events.map(({ sessionId }) => sessionId),
      events.map(({ seq }) => seq),
      events.map(({ turnId }) => turnId),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
      events.map(({ generation }) => generation),
      events.map(({ generation, ...event }) => eventNotification(event)),
      SESSION_EVENTS_CHANNEL,
      // A parameter for the reason that lib/services/turns/claim-together.ts tells.
      "running",
    ],
  });
  const written = new Set(rows.map(placeOf));
  return events.map((event) => {
    const isWritten = written.has(placeOf(event));
    if (isWritten) sessionHub().tell(event);
    return isWritten;
  });
}

function placeOf({ turnId, seq, generation }: Pick<WorkerEvent, "turnId" | "seq" | "generation">): string {
  return `${turnId} ${seq} ${generation}`;
}
