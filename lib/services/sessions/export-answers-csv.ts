import type { SessionFilters } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { type AnswerColumn, answerCells, answerColumns } from "@/lib/domain/answer-columns";
import { type CsvCell, csvDocument } from "@/lib/domain/csv";
import type { ProjectScope } from "@/lib/domain/principal";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { sessionPages } from "@/lib/services/sessions/find-sessions";
import { nameTemplates } from "@/lib/services/templates/name-templates";

const SESSIONS_AT_ONCE = 200;
/** Answers may be long: few are held at a time. */
const TURNS_AT_ONCE = 20;
const INPUT_CHARACTERS = 160;
/** Of all schemas together; spreadsheets take some more. What has no column is in the whole answer. */
const MOST_COLUMNS = 500;

const COLUMNS = [
  "createdAt",
  "sessionId",
  "turn",
  "files",
  "input",
  "endUserId",
  "reference",
  "templateId",
  "template",
  "status",
  "errorCode",
  "creditsUsed",
] as const;
const ANSWER = "answer";

/**
 * The answers of the sessions that the filters let through, as CSV in pieces, one line a turn: sessions newest first, the turns of
 * each in their order. Answers by a schema have a column for each of its values (docs/decisions/0044), under their names; the last
 * column has each answer as it was written, or the name of the file that was made. Turns that failed or run have their line, too;
 * one that was tried again has none: its files and its question went over to the turn that took its place, and so does its line.
 */
export async function* exportAnswersCsv(scope: ProjectScope, filters: SessionFilters): AsyncGenerator<string, void> {
  /** By their names as JSON: "a.b" may be one within another, or one that is called so. */
  const columns = new Map<string, AnswerColumn>();
  for await (const sessions of sessionPages(scope, filters, SESSIONS_AT_ONCE)) {
    await addColumns(columns, scope, sessions.map(idOf));
    // Whoever left meanwhile need not have them all looked through.
    yield "";
  }
  const values = [...columns.values()];
  yield* csvDocument([...COLUMNS, ...values.map(nameOf), ANSWER], batches(scope, filters, values));
}

const idOf = ({ id }: { id: string }) => id;

async function addColumns(
  columns: Map<string, AnswerColumn>,
  { projectId }: ProjectScope,
  sessionIds: string[],
): Promise<void> {
  const { rows } = await db().query<{ schema: OutputSchema }>(
    `SELECT schema::json FROM (
       SELECT output_schema::text AS schema, min(array_position($1, session_id)) AS place FROM turns
       WHERE session_id = ANY ($1) AND project_id = $2 AND output_schema IS NOT NULL GROUP BY 1) used
     ORDER BY place`,
    [sessionIds, projectId],
  );
  for (const column of rows.flatMap(({ schema }) => answerColumns(schema))) {
    if (columns.size === MOST_COLUMNS) return;
    columns.set(JSON.stringify(column), column);
  }
}

/** One that is called as a column that is always there says whose it is. */
function nameOf(column: AnswerColumn): string {
  const name = column.join(".");
  return name === ANSWER || (COLUMNS as readonly string[]).includes(name) ? `${ANSWER}.${name}` : name;
}

interface TurnRow {
  sessionId: string;
  place: number;
  position: number;
  files: string | null;
  input: string;
  endUserId: string | null;
  reference: string | null;
  templateId: string | null;
  status: string;
  errorCode: string | null;
  creditsUsed: number;
  output: string | null;
  isBySchema: boolean;
  createdAt: Date;
}

/** Names of a turn's files. */
const filesOf = (purpose: "input" | "output") => `
  (SELECT string_agg(f.name, '; ' ORDER BY f.created_at, f.id) FROM stored_files f
   WHERE f.session_id = t.session_id AND f.turn_id = t.id AND f.purpose = '${purpose}')`;

/** Whether the question of a turn that was not answered is another's by now (take-over-turn.ts): it has its place in the conversation. */
const IS_TRIED_AGAIN = `
  (t.status IN ('failed', 'canceled')
   AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.session_id = t.session_id AND m.position = 2 * t.position))`;

/** Which turns, before their texts are read. */
const TURNS = `
  SELECT t.session_id AS "sessionId", page.place, t.position, left(t.input, ${INPUT_CHARACTERS}) AS input,
         t.end_user_id AS "endUserId", t.reference, t.template_id AS "templateId", t.status,
         t.error_code AS "errorCode", t.credits_used AS "creditsUsed", coalesce(t.output, ${filesOf("output")}) AS output,
         t.output_schema IS NOT NULL AS "isBySchema", t.created_at AS "createdAt", ${filesOf("input")} AS files
  FROM (SELECT t.id, wanted.place FROM unnest($1::text[]) WITH ORDINALITY wanted (id, place)
        JOIN turns t ON t.session_id = wanted.id AND t.project_id = $2
        WHERE wanted.place >= $3::bigint AND (wanted.place, t.position) > ($3::bigint, $4::int)
          AND NOT ${IS_TRIED_AGAIN}
        ORDER BY wanted.place, t.position LIMIT ${TURNS_AT_ONCE}) page
  JOIN turns t ON t.id = page.id
  ORDER BY page.place, t.position`;

async function* batches(
  scope: ProjectScope,
  filters: SessionFilters,
  columns: AnswerColumn[],
): AsyncGenerator<CsvCell[][], void> {
  for await (const sessions of sessionPages(scope, filters, SESSIONS_AT_ONCE)) {
    const sessionIds = sessions.map(idOf);
    for (let last = { place: 0, position: 0 }; ; ) {
      const { rows } = await db().query<TurnRow>(TURNS, [sessionIds, scope.projectId, last.place, last.position]);
      const names = await nameTemplates(
        scope,
        rows.map(({ templateId }) => templateId),
      );
      yield rows.map((row) => lineOf(row, (row.templateId && names.get(row.templateId)) || null, columns));
      last = rows.at(-1) ?? last;
      if (rows.length < TURNS_AT_ONCE) break;
    }
  }
}

function lineOf(row: TurnRow, template: string | null, columns: AnswerColumn[]): CsvCell[] {
  const { createdAt, position, input, output } = row;
  const cells: Record<(typeof COLUMNS)[number], CsvCell> = {
    ...row,
    createdAt: createdAt.toISOString(),
    turn: position + 1,
    input: input.replace(/\s+/g, " ").trim(),
    template,
  };
  const values = row.isBySchema && output !== null ? answerCells(columns, output) : columns.map(() => null);
  return [...COLUMNS.map((name) => cells[name]), ...values, output];
}
