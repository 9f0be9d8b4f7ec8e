import { usageDaysQuery } from "@/lib/contracts/usage-breakdown";
import { usagePeriod } from "@/lib/domain/usage-period";
import { parseInput } from "@/lib/panel/action-failure";
import { csvResponse } from "@/lib/panel/csv-response";
import { Refusal } from "@/lib/panel/guard-action";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { serviceNow } from "@/lib/services/clock/service-now";
import { exportProjectUsageCsv } from "@/lib/services/usage/export-project-usage-csv";

/** What each of the account's projects used in the period of the address, as CSV; the last 30 days when it names none. */
export const GET = panelRoute("usage.export", async ({ actor, principal }, request) => {
  const parsed = parseInput(usageDaysQuery, Object.fromEntries(new URL(request.url).searchParams));
  if ("failure" in parsed) throw new Refusal(parsed.failure);
  const period = usagePeriod(parsed.input, await serviceNow());
  await recordCsvExport(actor, principal, "usage", { by: "project", ...period }, principal.accountId);
  return csvResponse(
    `usage-per-project-${period.from}-${period.to}`,
    principal,
    exportProjectUsageCsv(principal, period),
  );
});
