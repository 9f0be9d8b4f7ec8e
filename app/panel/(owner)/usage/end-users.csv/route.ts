import { usageMonthQuery } from "@/lib/contracts/usage-breakdown";
import { dateOf } from "@/lib/domain/usage-period";
import { parseInput } from "@/lib/panel/action-failure";
import { csvResponse } from "@/lib/panel/csv-response";
import { Refusal } from "@/lib/panel/guard-action";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { serviceNow } from "@/lib/services/clock/service-now";
import { exportEndUserUsageCsv } from "@/lib/services/usage/export-end-user-usage-csv";

/** What each end user of all the account's projects used in the month of the address, as CSV; the present one when it names none. */
export const GET = panelRoute("usage.export", async ({ actor, principal }, request) => {
  const parsed = parseInput(usageMonthQuery, Object.fromEntries(new URL(request.url).searchParams));
  if ("failure" in parsed) throw new Refusal(parsed.failure);
  const month = parsed.input.month ?? dateOf(await serviceNow()).slice(0, "YYYY-MM".length);
  await recordCsvExport(actor, principal, "usage", { by: "end user", month }, principal.accountId);
  return csvResponse(`usage-per-end-user-${month}`, principal, exportEndUserUsageCsv(principal, month));
});
