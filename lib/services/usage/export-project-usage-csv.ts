import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { Principal } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { listProjectUsage } from "@/lib/services/usage/list-project-usage";
import { USAGE_COLUMNS, usageCells } from "@/lib/services/usage/usage-cells";

/** What each project of the account used in a period as CSV: a line for each, the largest first. */
export function exportProjectUsageCsv(
  scope: Pick<Principal, "accountId">,
  period: DayPeriod,
): AsyncGenerator<string, void> {
  return csvDocument(["from", "to", "projectId", "project", ...USAGE_COLUMNS], lines(scope, period));
}

async function* lines(scope: Pick<Principal, "accountId">, period: DayPeriod): AsyncGenerator<CsvCell[][], void> {
  const projects = await listProjectUsage(scope, period);
  yield projects.map(({ projectId, name, ...figures }) => [
    ...[period.from, period.to, projectId, name],
    ...usageCells(figures),
  ]);
}
