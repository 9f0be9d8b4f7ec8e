import type { SessionFilters } from "@/lib/contracts/sessions";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import { sessionPages } from "@/lib/services/sessions/find-sessions";
import { nameTemplates } from "@/lib/services/templates/name-templates";

const BATCH_SIZE = 1_000;

const COLUMNS = [
  "createdAt",
  "lastActivityAt",
  "id",
  "kind",
  "status",
  "errorCode",
  "input",
  "endUserId",
  "reference",
  "templateId",
  "template",
  "inputs",
  "tokensUsed",
  "creditsUsed",
] as const;

/**
 * The project's sessions that the filters let through as CSV in pieces, newest first; a batch at a time is held. Of what was said it
 * has what the panel's list shows: how the first input begins, or the name of its file.
 */
export function exportSessionsCsv(scope: ProjectScope, filters: SessionFilters): AsyncGenerator<string, void> {
  return csvDocument(COLUMNS, batches(scope, filters));
}

async function* batches(scope: ProjectScope, filters: SessionFilters): AsyncGenerator<CsvCell[][], void> {
  for await (const sessions of sessionPages(scope, filters, BATCH_SIZE)) {
    const names = await nameTemplates(
      scope,
      sessions.map(({ templateId }) => templateId),
    );
    yield sessions.map((session) => {
      const cells: Record<(typeof COLUMNS)[number], CsvCell> = {
        ...session,
        input: session.fileName ?? session.preview,
        template: (session.templateId && names.get(session.templateId)) || null,
        inputs: session.turnCount,
      };
      return COLUMNS.map((name) => cells[name]);
    });
  }
}
