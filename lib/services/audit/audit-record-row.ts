import type { AuditRecord } from "@/lib/contracts/audit";

/** For an account's own people; of what staff and operators did, it says that they did: `o` is empty then. */
export const AUDIT_RECORDS = `
  SELECT e.id, e.actor_kind AS "actorKind", o.actor_id AS "actorId", u.email AS "actorEmail", e.action, e.subject,
         e.reason, e.before, e.after, o.ip, e.created_at AS "createdAt"
  FROM audit_log e
  LEFT JOIN LATERAL (SELECT e.actor_id, e.ip WHERE e.actor_kind = 'owner') o ON true
  LEFT JOIN users u ON u.id = o.actor_id`;

export interface AuditRecordRow extends Omit<AuditRecord, "actor" | "createdAt"> {
  actorKind: AuditRecord["actor"]["kind"];
  actorId: string | null;
  actorEmail: string | null;
  createdAt: Date;
}

export function toAuditRecord({ actorKind, actorId, actorEmail, createdAt, ...row }: AuditRecordRow): AuditRecord {
  const person = actorId === null ? null : { id: actorId, email: actorEmail };
  return { ...row, actor: { kind: actorKind, person }, createdAt: createdAt.toISOString() };
}
