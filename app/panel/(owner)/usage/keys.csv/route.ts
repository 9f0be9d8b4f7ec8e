import { usageDaysQuery } from "@/lib/contracts/usage-breakdown";
import { usagePeriod } from "@/lib/domain/usage-period";
import { parseInput } from "@/lib/panel/action-failure";
import { csvResponse } from "@/lib/panel/csv-response";
import { Refusal } from "@/lib/panel/guard-action";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { serviceNow } from "@/lib/services/clock/service-now";
import { exportKeyUsageCsv } from "@/lib/services/usage/export-key-usage-csv";

/** What was used with each API key of the project in the period of the address, as CSV; the last 30 days when it names none. */
export const GET = panelRoute("usage.export", async ({ actor, principal }, request) => {
  const parsed = parseInput(usageDaysQuery, Object.fromEntries(new URL(request.url).searchParams));
  if ("failure" in parsed) throw new Refusal(parsed.failure);
  const period = usagePeriod(parsed.input, await serviceNow());
  await recordCsvExport(actor, principal, "usage", { by: "key", ...period });
  return csvResponse(`usage-per-key-${period.from}-${period.to}`, principal, exportKeyUsageCsv(principal, period));
});
