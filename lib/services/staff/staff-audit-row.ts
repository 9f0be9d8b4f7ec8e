import type { StaffAuditEntry } from "@/lib/contracts/staff";

/** Reads entries of the audit log with whose account it is and who did it; a WHERE clause follows, of `audit_log e`. */
export const SELECT_AUDIT = `
  SELECT e.id, e.account_id AS "accountId", a.company_name AS "companyName", e.actor_kind AS "actorKind",
    e.actor_id AS "actorId", u.email AS "actorEmail", e.action, e.subject, e.reason, e.before, e.after, e.ip,
    e.created_at AS "createdAt"
  FROM audit_log e LEFT JOIN accounts a ON a.id = e.account_id LEFT JOIN users u ON u.id = e.actor_id`;

export type StaffAuditRow = Omit<StaffAuditEntry, "createdAt"> & { createdAt: Date };

export function toStaffAuditEntry({ before, after, createdAt, ...row }: StaffAuditRow): StaffAuditEntry {
  return { ...row, before: withHost(before), after: withHost(after), createdAt: createdAt.toISOString() };
}

/** Of a receiver's address its host, as staff see it elsewhere: path and query may hold secrets. */
function withHost(state: StaffAuditEntry["before"]): StaffAuditEntry["before"] {
  if (typeof state?.url !== "string") return state;
  const { url, ...rest } = state;
  return { host: new URL(url).host, ...rest };
}
