import { db } from "@/lib/db/pool";

/** A row of the log, or an announcement that is as good as one. */
export interface LoggedEvent {
  seq: number;
  type: string;
  data: unknown;
}

/** What ends a turn, and its stream. */
export const TERMINAL_TYPES: ReadonlySet<string> = new Set(["completed", "error"]);
const PAGE_SIZE = 500;

/** Whether there may be more behind these. */
export function isFullPage(events: LoggedEvent[]): boolean {
  return events.length === PAGE_SIZE;
}

/** The next events of a turn behind a place of its session's log, in order: a page of them at most. */
export async function readEvents(sessionId: string, turnId: string, afterSeq: number): Promise<LoggedEvent[]> {
  const { rows } = await db().query<LoggedEvent>({
    name: "read-events",
    text: `SELECT seq, type, data FROM session_events
           WHERE session_id = $1 AND seq > $2 AND turn_id = $3 ORDER BY seq LIMIT ${PAGE_SIZE}`,
    values: [sessionId, afterSeq, turnId],
  });
  return rows;
}

/**
 * The terminal event of a turn that ended at or before a place of the log that its reader has passed: a crash of the database
 * took what was there (docs/decisions/0003). "gone": the turn was deleted with its session, and nothing more comes of it.
 */
export async function findEndBehind(
  turnId: string,
  sessionId: string,
  seq: number,
): Promise<LoggedEvent | "gone" | undefined> {
  const { rows } = await db().query<LoggedEvent | Record<keyof LoggedEvent, null>>({
    name: "find-end-behind",
    text: `SELECT last.* FROM turns t LEFT JOIN LATERAL (
             SELECT seq, type, data FROM session_events
             WHERE t.status NOT IN ('queued', 'running') AND session_id = $2 AND seq <= $3 AND turn_id = t.id
             ORDER BY seq DESC LIMIT 1) last ON true
           WHERE t.id = $1`,
    values: [turnId, sessionId, seq],
  });
  const [last] = rows;
  if (!last) return "gone";
  return last.type !== null && TERMINAL_TYPES.has(last.type) ? last : undefined;
}
