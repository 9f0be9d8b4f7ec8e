import { sessionFilterQuery } from "@/lib/contracts/sessions";
import { validate } from "@/lib/http/validate";
import { csvResponse } from "@/lib/panel/csv-response";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { exportAnswersCsv } from "@/lib/services/sessions/export-answers-csv";
import { auditedFilters } from "@/lib/services/sessions/search-sessions";

/** The answers in all sessions that the list's filters let through, as CSV. */
export const GET = panelRoute("sessions.export", async ({ actor, principal }, request) => {
  const filters = validate(sessionFilterQuery, Object.fromEntries(new URL(request.url).searchParams));
  await recordCsvExport(actor, principal, "answers", auditedFilters(filters));
  return csvResponse("answers", principal, exportAnswersCsv(principal, filters));
});
