import type { StaffAuditEntry } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { SUSPENDING_ACTIONS } from "@/lib/domain/verification";
import { SELECT_AUDIT, type StaffAuditRow, toStaffAuditEntry } from "@/lib/services/staff/staff-audit-row";

/** For staff: the line of the audit log that suspended an account last, whoever did; null: none did. */
export async function findSuspension(accountId: string): Promise<StaffAuditEntry | null> {
  const { rows } = await db().query<StaffAuditRow>(
    `${SELECT_AUDIT} WHERE e.account_id = $1 AND e.action = ANY($2) ORDER BY e.created_at DESC, e.id DESC LIMIT 1`,
    [accountId, SUSPENDING_ACTIONS],
  );
  return rows[0] ? toStaffAuditEntry(rows[0]) : null;
}
