import type { Transaction } from "@/lib/db/pool";

/** What belongs to sessions and goes with them, children first; `$1` are their ids. Further tables go by foreign key. */
const REMOVALS: readonly [table: string, condition: string][] = [
  ["webhook_attempts", "delivery_id IN (SELECT id FROM webhook_deliveries WHERE session_id = ANY($1::text[]))"],
  ["webhook_deliveries", "session_id = ANY($1::text[])"],
  ["session_events", "session_id = ANY($1::text[])"],
  ["messages", "session_id = ANY($1::text[])"],
  ["turns", "session_id = ANY($1::text[])"],
  ["sessions", "id = ANY($1::text[])"],
];

/**
 * Deletes the rows of sessions in which no turn is open, with all that belongs to them, in the caller's transaction. A
 * session with an open turn stays whole: cancel it first. Its files have to go in the
 * same transaction: by `releaseSessionFiles`, or left to their end user (lib/services/data-rights/erase-end-user.ts).
 * @param sessionIds of the caller's own sessions: nothing is checked here
 * @param before runs when no further turn can come, before anything of the sessions that go is deleted
 * @returns how many rows of which table were deleted
 */
export async function removeSessions(
  tx: Transaction,
  sessionIds: readonly string[],
  before: (ids: string[]) => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  // The lock keeps further turns away from here on: accepting one writes the session's row.
  const { rows } = await tx.query<{ id: string }>(
    "SELECT id FROM sessions WHERE id = ANY($1::text[]) AND open_turns = 0 ORDER BY id FOR UPDATE",
    [sessionIds],
  );
  const counts: Record<string, number> = {};
  if (rows.length === 0) return counts;
  const ids = rows.map(({ id }) => id);
  await before(ids);
  // In the order of lib/services/deliveries/lock-deliveries.ts.
  await tx.query("SELECT FROM webhook_deliveries WHERE session_id = ANY($1::text[]) ORDER BY id FOR UPDATE", [ids]);
  for (const [table, condition] of REMOVALS) {
    const { rowCount } = await tx.query(`DELETE FROM ${table} WHERE ${condition}`, [ids]);
    counts[table] = rowCount ?? 0;
  }
  return counts;
}
