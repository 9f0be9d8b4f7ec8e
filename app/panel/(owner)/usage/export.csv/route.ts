import { usageQuery } from "@/lib/contracts/usage";
import { usagePeriod } from "@/lib/domain/usage-period";
import { parseInput } from "@/lib/panel/action-failure";
import { csvResponse } from "@/lib/panel/csv-response";
import { Refusal } from "@/lib/panel/guard-action";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { serviceNow } from "@/lib/services/clock/service-now";
import { exportUsageCsv } from "@/lib/services/usage/export-usage-csv";

/** What the project used as CSV, for the period and end user of the address; the last 30 days when it names none. */
export const GET = panelRoute("usage.export", async ({ actor, principal }, request) => {
  const parsed = parseInput(usageQuery, Object.fromEntries(new URL(request.url).searchParams));
  if ("failure" in parsed) throw new Refusal(parsed.failure);
  const { from, to } = usagePeriod(parsed.input, await serviceNow());
  const query = { ...parsed.input, from, to };
  await recordCsvExport(actor, principal, "usage", query);
  return csvResponse(`usage-${from}-${to}`, principal, exportUsageCsv(principal, query));
});
