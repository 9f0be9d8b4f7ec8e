import type { StaffAuditEntry } from "@/lib/contracts/staff";

/** Reads entries of the audit log with whose account it is and who did it; a WHERE clause follows, of `audit_log e`. */
export const SELECT_AUDIT = `
  SELECT e.id, e.account_id AS "accountId", a.company_name AS "companyName", e.actor_kind AS "actorKind",
    e.actor_id AS "actorId", u.email AS "actorEmail", e.action, e.subject, e.reason, e.before, e.after, e.ip,
    e.created_at AS "createdAt"
  FROM audit_log e LEFT JOIN accounts a ON a.id = e.account_id LEFT JOIN users u ON u.id = e.actor_id`;

export type StaffAuditRow = Omit<StaffAuditEntry, "createdAt"> & { createdAt: Date };

export function toStaffAuditEntry(row: StaffAuditRow): StaffAuditEntry {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
