import { db } from "@/lib/db/pool";
import { endTurn } from "@/lib/services/turns/end-turn";
import { announceTurnStop } from "@/lib/services/turns/turn-stops";

/**
 * Ends the queued and running turns of a session as canceled: nothing is charged, what they were promised returns. One that
 * ends by itself meanwhile stays as it ended. The last one first, so that none is handed to the queue on the way.
 * @param sessionId of the caller's own session: nothing is checked here
 * @returns how many turns were canceled
 */
export async function cancelTurns(sessionId: string): Promise<number> {
  const { rows } = await db().query<{ id: string }>({
    name: "open-turns",
    text: "SELECT id FROM turns WHERE session_id = $1 AND status IN ('queued', 'running') ORDER BY position DESC",
    values: [sessionId],
  });
  let canceled = 0;
  for (const { id } of rows) {
    const end = { status: "canceled", errorCode: "CANCELED", errorMessage: "The client canceled the call." } as const;
    if (!(await endTurn(id, null, end))) continue;
    canceled += 1;
    // Not an error when it fails: the worker notices at its next write, or at its next heartbeat.
    await announceTurnStop(id).catch(() => {});
  }
  return canceled;
}
