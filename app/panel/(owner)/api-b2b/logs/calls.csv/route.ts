import { callFilterQuery } from "@/lib/contracts/call-log";
import { validate } from "@/lib/http/validate";
import { csvResponse } from "@/lib/panel/csv-response";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { exportCallsCsv } from "@/lib/services/call-log/export-calls-csv";

/** All calls that the list's filters let through, as CSV. */
export const GET = panelRoute("logs.export", async ({ actor, principal }, request) => {
  const filters = validate(callFilterQuery, Object.fromEntries(new URL(request.url).searchParams));
  await recordCsvExport(actor, principal, "calls", filters);
  return csvResponse("calls", principal, exportCallsCsv(principal, filters));
});
