import type { CallFilters, LoggedCall } from "@/lib/contracts/call-log";
import { db } from "@/lib/db/pool";
import { type CursorPage, type CursorRequest, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import {
  CALL_COLUMNS,
  type CallRow,
  type CallScope,
  callConditions,
  toLoggedCall,
} from "@/lib/services/call-log/call-row";

/** Calls of an account or of one of its projects, newest first. */
export async function listCalls(
  scope: CallScope,
  request: CallFilters & CursorRequest,
): Promise<CursorPage<LoggedCall>> {
  const { text, values } = listCallsQuery(scope, request);
  const { rows } = await db().query<CallRow>(text, values);
  return makeCursorPage(rows, request.limit, toLoggedCall, (row) => [row.createdAt.toISOString(), row.id]);
}

/** The statement of the list: by position, so that a long log is as quick as a short one. One row more than asked for. */
export function listCallsQuery(scope: CallScope, { limit, cursor, ...filters }: CallFilters & CursorRequest) {
  const conditions = callConditions(scope, filters);
  if (cursor !== undefined) {
    conditions.add((at, id) => `(c.created_at, c.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
  }
  const text = `
    SELECT ${CALL_COLUMNS} FROM call_logs c WHERE ${conditions}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${conditions.place(limit + 1)}`;
  return { text, values: conditions.values };
}
