import type { StaffCall, StaffCallListQuery } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { type CursorPage, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import {
  ALL_ACCOUNTS,
  CALL_COLUMNS,
  type CallRow,
  callConditions,
  toLoggedCall,
} from "@/lib/services/call-log/call-row";

interface StaffCallRow extends CallRow {
  accountId: string;
  companyName: string | null;
}

/** For staff: calls of all accounts or of one, newest first. */
export async function listAllCalls(request: StaffCallListQuery): Promise<CursorPage<StaffCall>> {
  const { accountId, limit, cursor, ...filters } = request;
  const conditions = callConditions(accountId === undefined ? ALL_ACCOUNTS : { accountId }, filters);
  if (cursor !== undefined) {
    conditions.add((at, id) => `(c.created_at, c.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
  }
  const { rows } = await db().query<StaffCallRow>(
    `SELECT ${CALL_COLUMNS}, c.account_id AS "accountId", a.company_name AS "companyName"
     FROM call_logs c LEFT JOIN accounts a ON a.id = c.account_id WHERE ${conditions}
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  const toItem = (row: StaffCallRow): StaffCall => ({
    ...toLoggedCall(row),
    accountId: row.accountId,
    companyName: row.companyName,
  });
  return makeCursorPage(rows, limit, toItem, (row) => [row.createdAt.toISOString(), row.id]);
}
