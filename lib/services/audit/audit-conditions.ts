import type { AuditListQuery } from "@/lib/contracts/staff";
import { Conditions } from "@/lib/db/conditions";
import { decodeTimeCursor } from "@/lib/domain/cursor";

/** What the filters let through behind the cursor, of `audit_log e`. An action is named whole, or by its noun. */
export function auditConditions({ action, cursor, ...filters }: Omit<AuditListQuery, "limit">): Conditions {
  const conditions = new Conditions()
    .addIf(filters.accountId, (place) => `e.account_id = ${place}`)
    .addIf(filters.actorId, (place) => `e.actor_id = ${place}`)
    .addIf(filters.subject, (place) => `e.subject = ${place}`)
    .addIf(filters.from, (place) => `e.created_at >= ${place}::timestamptz`)
    .addIf(filters.to, (place) => `e.created_at < ${place}::timestamptz`)
    .addIf(action, (place) => `(e.action = ${place} OR starts_with(e.action, ${place} || '.'))`);
  if (cursor === undefined) return conditions;
  return conditions.add((at, id) => `(e.created_at, e.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
}
