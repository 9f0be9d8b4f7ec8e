import { ownAuditFilterQuery } from "@/lib/contracts/audit";
import { validate } from "@/lib/http/validate";
import { csvResponse } from "@/lib/panel/csv-response";
import { panelRoute } from "@/lib/panel/panel-route";
import { exportAuditCsv } from "@/lib/services/audit/export-audit-csv";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";

/** The lines of the account's audit log that the list's filters let through, as CSV. */
export const GET = panelRoute("audit.view", async ({ actor, principal }, request) => {
  const filters = validate(ownAuditFilterQuery, Object.fromEntries(new URL(request.url).searchParams));
  await recordCsvExport(actor, principal, "audit", filters, principal.accountId);
  return csvResponse("audit-log", principal, exportAuditCsv(principal, filters));
});
