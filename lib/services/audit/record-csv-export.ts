import { inTransaction } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";

/** What can be taken away as a CSV. */
type CsvExport = "answers" | "audit" | "calls" | "deliveries" | "sessions" | "usage";

/**
 * Writes down who takes a list away, and by which filters, before the first line of it goes out.
 * @param filters as they stood in the address
 * @param subject what it is a list of: the project, or its account
 */
export async function recordCsvExport(
  actor: Actor,
  { accountId, projectId }: ProjectScope,
  what: CsvExport,
  filters: Record<string, unknown>,
  subject = projectId,
): Promise<void> {
  await inTransaction((tx) =>
    writeAudit(tx, actor, {
      accountId,
      action: `csv.${what}`,
      subject,
      after: filterDetails(filters),
    }),
  );
}

/** The filters that were given, as a line of the audit log has them. */
export function filterDetails(filters: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
