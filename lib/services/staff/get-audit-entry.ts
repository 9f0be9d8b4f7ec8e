import type { StaffAuditEntry } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { SELECT_AUDIT, type StaffAuditRow, toStaffAuditEntry } from "@/lib/services/staff/staff-audit-row";

/**
 * For staff: one line of the audit log of any account.
 * @throws AppError NOT_FOUND
 */
export async function getAuditEntry(id: string): Promise<StaffAuditEntry> {
  if (!isId("audit", id)) throw notFound("The line of the audit log");
  const { rows } = await db().query<StaffAuditRow>(`${SELECT_AUDIT} WHERE e.id = $1`, [id]);
  const [row] = rows;
  if (!row) throw notFound("The line of the audit log");
  return toStaffAuditEntry(row);
}
