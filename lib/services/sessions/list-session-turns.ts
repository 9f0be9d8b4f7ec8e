import { contextReceipt } from "@/lib/contracts/context-receipt";
import type { SessionFile, SessionTurn } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";
import { fileUrl } from "@/lib/services/files/file-url";

const TURNS_PER_PAGE = 50;
/** A page ends with the turn that exceeds it: its answers are laid out as Markdown on the server, a second or two for 60,000 characters. */
const PAGE_BYTES = 100_000;

/** How long what was said in turn `t` is, in bytes; stored lengths are read, not the texts. */
export const TURN_BYTES = "octet_length(t.input) + coalesce(octet_length(t.output), 0)";

/** Whether a turn is on the page of its session's newest ones, by what comes after it. */
export function isOnNewestPage(after: { turns: number; bytes: number }): boolean {
  return after.turns < TURNS_PER_PAGE && after.bytes < PAGE_BYTES;
}
const FILE_CONTENT_PREVIEW_CHARACTERS = 2_000;

/** The columns whose rows are already what the record says. */
type PlainColumns = Omit<
  SessionTurn,
  "files" | "template" | "fileContent" | "error" | "context" | "createdAt" | "startedAt" | "endedAt"
>;

interface TurnRow extends PlainColumns {
  fileContentCharacters: number | null;
  fileContentPreview: string | null;
  templateId: string | null;
  templateVersion: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  context: unknown;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

const PAGE = `
  SELECT t.id,
         sum(${TURN_BYTES})
           OVER (ORDER BY t.position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer
  FROM (
    SELECT id, position, input, output FROM turns
    WHERE session_id = $1 AND project_id = $2 AND ($3::int IS NULL OR position < $3)
    ORDER BY position DESC LIMIT ${TURNS_PER_PAGE}
  ) t`;

/** What a turn promised counts while it is open; afterwards it has been returned. */
const SELECT_TURNS = `
  SELECT t.id, t.position, t.status, t.endpoint, t.request_id AS "requestId", t.api_key_id AS "apiKeyId", t.input,
         length(t.file_content) AS "fileContentCharacters",
         left(t.file_content, ${FILE_CONTENT_PREVIEW_CHARACTERS}) AS "fileContentPreview",
         t.template_id AS "templateId", t.template_version AS "templateVersion", t.output, t.output_type AS "outputType",
         t.error_code AS "errorCode", t.error_message AS "errorMessage", t.model, t.tokens_in AS "tokensIn",
         t.tokens_out AS "tokensOut", t.credits_used AS "creditsUsed",
         CASE WHEN t.status IN ('queued', 'running') THEN t.credits_reserved ELSE 0 END AS "creditsReserved",
         t.max_credits AS "maxCredits", t.output_schema IS NOT NULL AS "isBySchema", t.context, t.created_at AS "createdAt", t.started_at AS "startedAt",
         t.ended_at AS "endedAt"
  FROM (${PAGE}) page JOIN turns t ON t.id = page.id
  WHERE page.newer IS NULL OR page.newer < ${PAGE_BYTES}
  ORDER BY t.position DESC`;

/** The newest turns of a session, as many as a page holds, the oldest of them first; each with its files. */
export async function listSessionTurns(
  { projectId }: Pick<ProjectScope, "projectId">,
  sessionId: string,
  beforeTurn?: number,
): Promise<SessionTurn[]> {
  const { rows } = await db().query<TurnRow>(SELECT_TURNS, [sessionId, projectId, beforeTurn ?? null]);
  const files = await readFiles(projectId, sessionId, rows);
  return rows.toReversed().map((row) => toTurn(row, files.get(row.id) ?? []));
}

type FileRow = Omit<SessionFile, "createdAt" | "url"> & { turnId: string; storageKey: string; createdAt: Date };

async function readFiles(projectId: string, sessionId: string, turns: TurnRow[]): Promise<Map<string, SessionFile[]>> {
  const { rows } = await db().query<FileRow>(
    `SELECT f.id, f.turn_id AS "turnId", f.purpose, f.name, f.content_type AS "contentType", f.size, f.storage_key AS "storageKey",
            f.created_at AS "createdAt"
     FROM stored_files f
     WHERE f.session_id = $1 AND f.project_id = $2 AND f.turn_id = ANY($3::text[]) AND f.deleted_at IS NULL
     ORDER BY f.created_at, f.id`,
    [sessionId, projectId, turns.map(({ id }) => id)],
  );
  const byTurn = new Map<string, SessionFile[]>();
  for (const { createdAt, storageKey, ...file } of rows) {
    const files = byTurn.get(file.turnId) ?? [];
    byTurn.set(file.turnId, files);
    files.push({ ...file, url: fileUrl(storageKey), createdAt: createdAt.toISOString() });
  }
  return byTurn;
}

function toTurn(row: TurnRow, files: SessionFile[]): SessionTurn {
  const { fileContentCharacters, fileContentPreview, templateId, templateVersion, errorCode, errorMessage, ...plain } =
    row;
  return {
    ...plain,
    fileContent:
      fileContentCharacters === null ? null : { characters: fileContentCharacters, preview: fileContentPreview ?? "" },
    template: templateId === null ? null : { id: templateId, version: templateVersion },
    files,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? "" },
    // A receipt of another release may not have today's form: then there is none to show.
    context: contextReceipt.safeParse(row.context).data ?? null,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
