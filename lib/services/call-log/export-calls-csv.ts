import type { CallFilters, LoggedCall } from "@/lib/contracts/call-log";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import { listCalls } from "@/lib/services/call-log/list-calls";

const BATCH_SIZE = 1_000;

const COLUMNS = [
  "createdAt",
  "requestId",
  "endpoint",
  "path",
  "status",
  "errorCode",
  "durationMs",
  "credits",
  "ip",
  "userAgent",
  "apiKeyId",
  "sessionId",
  "endUserId",
] as const satisfies readonly (keyof LoggedCall)[];

/** The project's calls that the filters let through as CSV in pieces, newest first; a batch at a time is held. */
export function exportCallsCsv(scope: ProjectScope, filters: CallFilters): AsyncGenerator<string, void> {
  return csvDocument(COLUMNS, batches(scope, filters));
}

async function* batches(scope: ProjectScope, filters: CallFilters): AsyncGenerator<CsvCell[][], void> {
  let cursor: string | undefined;
  do {
    const page = await listCalls(scope, { ...filters, limit: BATCH_SIZE, cursor });
    yield page.data.map((call) => COLUMNS.map((name) => call[name]));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}
