import type { AuditRecord, OwnAuditListQuery } from "@/lib/contracts/audit";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import { listAudit } from "@/lib/services/audit/list-audit";

const BATCH_SIZE = 1_000;

const COLUMNS = [
  "createdAt",
  "id",
  "action",
  "subject",
  "actor",
  "actorId",
  "actorEmail",
  "ip",
  "reason",
  "before",
  "after",
];

/**
 * An account's audit log as its own people see it, as CSV in pieces, newest first; a batch at a time is held. The state
 * before and after stands in it as JSON.
 */
export function exportAuditCsv(
  scope: { accountId: string },
  filters: Omit<OwnAuditListQuery, "limit" | "cursor">,
): AsyncGenerator<string, void> {
  return csvDocument(COLUMNS, batches(scope, filters));
}

async function* batches(
  scope: { accountId: string },
  filters: Omit<OwnAuditListQuery, "limit" | "cursor">,
): AsyncGenerator<CsvCell[][], void> {
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await listAudit(scope, { ...filters, limit: BATCH_SIZE, cursor });
    yield data.map(toCells);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

function toCells({ createdAt, id, action, subject, actor, ip, reason, before, after }: AuditRecord): CsvCell[] {
  const person = [actor.person?.id ?? null, actor.person?.email ?? null];
  return [createdAt, id, action, subject, actor.kind, ...person, ip, reason, jsonOf(before), jsonOf(after)];
}

const jsonOf = (state: Record<string, unknown> | null) => (state === null ? null : JSON.stringify(state));
