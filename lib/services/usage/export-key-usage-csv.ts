import type { KeyUsageSource } from "@/lib/contracts/usage-breakdown";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { listKeyUsage } from "@/lib/services/usage/list-key-usage";
import { USAGE_COLUMNS, usageCells } from "@/lib/services/usage/usage-cells";

/** What stands for a key where there is no single one; the panel's table says the same. */
const WITHOUT_KEY: Record<Exclude<KeyUsageSource, "key">, string> = {
  playground: "Playground",
  panel: "Panel, without a key",
  unknown: "Before use was counted by key",
};

/** What was used with each API key of the project in a period as CSV: a line for each, the largest first. */
export function exportKeyUsageCsv(scope: ProjectScope, period: DayPeriod): AsyncGenerator<string, void> {
  return csvDocument(["from", "to", "keyId", "key", "keyEndsWith", ...USAGE_COLUMNS], lines(scope, period));
}

async function* lines(scope: ProjectScope, period: DayPeriod): AsyncGenerator<CsvCell[][], void> {
  const shares = await listKeyUsage(scope, period);
  yield shares.map(({ source, key, ...figures }) => [
    ...[period.from, period.to, key?.id ?? null],
    ...[source === "key" ? (key?.name ?? null) : WITHOUT_KEY[source], key?.hint ?? null],
    ...usageCells(figures),
  ]);
}
