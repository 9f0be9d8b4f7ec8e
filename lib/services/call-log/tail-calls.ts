import type { CallFilters, CallTail } from "@/lib/contracts/call-log";
import { db } from "@/lib/db/pool";
import { decodeTimeCursor, encodeCursor } from "@/lib/domain/cursor";
import type { ProjectScope } from "@/lib/domain/principal";
import { CALL_COLUMNS, type CallRow, callConditions, toLoggedCall } from "@/lib/services/call-log/call-row";

export interface TailRequest extends CallFilters {
  /** `cursor` of the look before; absent: only tells where to begin. */
  cursor?: string | undefined;
  /** 1 or more. */
  limit: number;
  /** How old a row has to be: rows of this time may still be on their way into the table. */
  settleSeconds?: number;
}

const SETTLE_SECONDS = 2;

/**
 * The project's calls that were logged since the last look, in the order in which they were logged, for the live tail.
 * Each comes once: rows are given when none can come before them any more, some seconds after they were written.
 */
export async function listCallsAfter(
  scope: ProjectScope,
  { cursor, limit, settleSeconds = SETTLE_SECONDS, ...filters }: TailRequest,
): Promise<CallTail> {
  // Before the look: what settles during it belongs to the next one.
  const settledAt = await readSettledAt(settleSeconds);
  const end = encodeCursor([settledAt.toISOString(), ""]);
  if (cursor === undefined) return { calls: [], cursor: end };
  const conditions = callConditions(scope, filters)
    .add((at, id) => `(c.logged_at, c.id) > (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor))
    .add((place) => `c.logged_at < ${place}::timestamptz`, settledAt);
  const { rows } = await db().query<CallRow & { loggedAt: Date }>(
    `SELECT ${CALL_COLUMNS}, c.logged_at AS "loggedAt" FROM call_logs c WHERE ${conditions}
     ORDER BY c.logged_at, c.id LIMIT ${conditions.place(limit)}`,
    conditions.values,
  );
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    calls: rows.map(({ loggedAt: _at, ...row }) => toLoggedCall(row)),
    // A part that is not full has seen all: filters that let little through do not look at the rest again.
    cursor: last ? encodeCursor([last.loggedAt.toISOString(), last.id]) : later(end, cursor),
  };
}

async function readSettledAt(settleSeconds: number): Promise<Date> {
  const { rows } = await db().query<{ at: Date }>(
    "SELECT date_trunc('milliseconds', now() - make_interval(secs => $1)) AS at",
    [settleSeconds],
  );
  return rows[0]?.at ?? new Date(0);
}

/** The clock may have been set back: a tail never goes back with it. */
function later(one: string, other: string): string {
  return decodeTimeCursor(one)[0] > decodeTimeCursor(other)[0] ? one : other;
}
