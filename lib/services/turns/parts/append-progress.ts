import type { Transaction } from "@/lib/db/pool";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import type { LoggedEvent } from "@/lib/services/sessions/announce-event";

/**
 * Writes an event for the timeline into the session's log. The public stream passes it over (contract §5 names what it
 * sends). The turn must be locked: two writers of one log would take the same place.
 * @returns what to announce after the commit
 */
export async function appendProgress(
  tx: Transaction,
  turn: { sessionId: string; turnId: string },
  progress: TurnProgress,
): Promise<LoggedEvent> {
  const { sessionId, turnId } = turn;
  const data = JSON.stringify({ sessionId, ...progress });
  const { rows } = await tx.query<{ seq: number }>({
    name: "append-progress",
    text: `INSERT INTO session_events (session_id, seq, turn_id, type, data)
           SELECT $1, coalesce(max(seq), 0) + 1, $2, 'progress', $3::jsonb FROM session_events WHERE session_id = $1
           RETURNING seq`,
    values: [sessionId, turnId, data],
  });
  return { sessionId, turnId, seq: rows[0]?.seq ?? 0, type: "progress", data };
}
