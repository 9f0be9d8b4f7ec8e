import type { AccountListQuery, StaffAccount } from "@/lib/contracts/staff";
import { Conditions } from "@/lib/db/conditions";
import { escapeLike } from "@/lib/db/escape-like";
import { db } from "@/lib/db/pool";
import { keyHintIn } from "@/lib/domain/api-key";
import { type CursorPage, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import { STAFF_ACCOUNT_COLUMNS, type StaffAccountRow, toStaffAccount } from "@/lib/services/staff/staff-account-row";

/** For staff: accounts, the newest first. A search looks into names, members' e-mail addresses, ids, and for the shown end of a key. */
export async function listAccounts(request: AccountListQuery): Promise<CursorPage<StaffAccount>> {
  const { search, verification, plan, limit, cursor } = request;
  const conditions = new Conditions()
    .addIf(verification, (place) => `a.verification_status = ${place}`)
    .addIf(plan, (place) => `a.plan_id = ${place}`);
  if (search !== undefined) {
    conditions.add(
      (pattern, id, hint) => `(a.id = ${id} OR a.company_name ILIKE ${pattern} OR EXISTS (
        SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.account_id = a.id AND u.email ILIKE ${pattern})
        OR a.id IN (SELECT account_id FROM api_keys WHERE hint = ${hint}))`,
      `%${escapeLike(search)}%`,
      search,
      keyHintIn(search),
    );
  }
  if (cursor !== undefined) {
    conditions.add((at, id) => `(a.created_at, a.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
  }
  const { rows } = await db().query<StaffAccountRow>(
    `SELECT ${STAFF_ACCOUNT_COLUMNS} FROM accounts a WHERE ${conditions}
     ORDER BY a.created_at DESC, a.id DESC LIMIT ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  return makeCursorPage(rows, limit, toStaffAccount, (row) => [row.createdAt.toISOString(), row.id]);
}
