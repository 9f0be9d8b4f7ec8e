import type { AuditRecord, OwnAuditListQuery } from "@/lib/contracts/audit";
import { db } from "@/lib/db/pool";
import { type CursorPage, makeCursorPage } from "@/lib/domain/cursor";
import { notFound } from "@/lib/domain/errors";
import { auditConditions } from "@/lib/services/audit/audit-conditions";
import { AUDIT_RECORDS, type AuditRecordRow, toAuditRecord } from "@/lib/services/audit/audit-record-row";

/**
 * An account's audit log for its own people, newest first. Of what staff and operators did it says that they did, not
 * which of them or from where; asking for one of them by id finds nothing.
 */
export async function listAudit(
  { accountId }: { accountId: string },
  { limit, ...filters }: OwnAuditListQuery,
): Promise<CursorPage<AuditRecord>> {
  const conditions = auditConditions({ ...filters, accountId });
  if (filters.actorId !== undefined) conditions.add(() => "e.actor_kind = 'owner'");
  const { rows } = await db().query<AuditRecordRow>(
    `${AUDIT_RECORDS} WHERE ${conditions} ORDER BY e.created_at DESC, e.id DESC LIMIT ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  return makeCursorPage(rows, limit, toAuditRecord, (row) => [row.createdAt.toISOString(), row.id]);
}

/**
 * One line of it.
 * @throws AppError NOT_FOUND also for another account's
 */
export async function getAuditRecord({ accountId }: { accountId: string }, id: string): Promise<AuditRecord> {
  const { rows } = await db().query<AuditRecordRow>(`${AUDIT_RECORDS} WHERE e.account_id = $1 AND e.id = $2`, [
    accountId,
    id,
  ]);
  if (!rows[0]) throw notFound("The line of the audit log");
  return toAuditRecord(rows[0]);
}
