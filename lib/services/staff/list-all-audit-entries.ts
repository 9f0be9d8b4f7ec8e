import type { AuditListQuery, StaffAuditEntry } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { type CursorPage, makeCursorPage } from "@/lib/domain/cursor";
import { auditConditions } from "@/lib/services/audit/audit-conditions";
import { SELECT_AUDIT, type StaffAuditRow, toStaffAuditEntry } from "@/lib/services/staff/staff-audit-row";

/** For staff: the audit log of all accounts or of one, newest first. */
export async function listAllAuditEntries(request: AuditListQuery): Promise<CursorPage<StaffAuditEntry>> {
  const { limit, ...filters } = request;
  const conditions = auditConditions(filters);
  const { rows } = await db().query<StaffAuditRow>(
    `${SELECT_AUDIT} WHERE ${conditions} ORDER BY e.created_at DESC, e.id DESC LIMIT ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  return makeCursorPage(rows, limit, toStaffAuditEntry, (row) => [row.createdAt.toISOString(), row.id]);
}
