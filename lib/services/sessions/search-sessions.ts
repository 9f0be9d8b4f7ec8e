import { type SessionFilters, type SessionListQuery, type SessionSummary, UNANSWERED } from "@/lib/contracts/sessions";
import { Conditions } from "@/lib/db/conditions";
import { db } from "@/lib/db/pool";
import { type CursorPage, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import { type IdKind, isId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";
import { SUMMARY_COLUMNS, type SummaryRow, toSessionSummary } from "@/lib/services/sessions/session-summary";

/** Sessions of the project for its panel, newest first: any id that an answer or a log shows finds its session. */
export async function searchSessions(
  scope: ProjectScope,
  { limit, cursor, ...filters }: Omit<SessionListQuery, "words">,
): Promise<CursorPage<SessionSummary>> {
  const conditions = sessionConditions(scope, filters);
  if (cursor !== undefined) {
    conditions.add((at, id) => `(s.created_at, s.id) < (${at}::timestamptz, ${id})`, ...decodeTimeCursor(cursor));
  }
  // The page is cut first, by ids that an index can give without the rows: what is looked up for each session is looked up
  // for those alone.
  const { rows } = await db().query<SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS}
     FROM (SELECT s.id FROM sessions s WHERE ${conditions}
           ORDER BY s.created_at DESC, s.id DESC LIMIT ${conditions.place(limit + 1)}) page
     JOIN sessions s ON s.id = page.id
     ORDER BY s.created_at DESC, s.id DESC`,
    conditions.values,
  );
  return makeCursorPage(rows, limit, toSessionSummary, (row) => [row.createdAt.toISOString(), row.id]);
}

/**
 * The filters as the audit log keeps them: a search for an end user is one by that end user, whose name is found there when they
 * are erased. Words and a reference are not kept, for they may be of somebody: only that there were some.
 */
export function auditedFilters({ q, words, reference, ...filters }: SessionFilters): Record<string, unknown> {
  const kept = {
    ...filters,
    hasWords: words === undefined ? undefined : true,
    hasReference: reference === undefined ? undefined : true,
  };
  if (q === undefined || idKindOf(q)) return { ...kept, q };
  return { ...kept, endUserId: filters.endUserId ?? q };
}

/** Which sessions `s` of the project the filters let through but for words; the project is the first of the values. */
export function sessionConditions(
  { accountId, projectId }: ProjectScope,
  filters: Omit<SessionFilters, "words">,
): Conditions {
  const conditions = new Conditions()
    .add((place) => `s.project_id = ${place}`, projectId)
    // Of the project, not of each session, so that an index alone can answer.
    .add((place) => `EXISTS (SELECT FROM projects p WHERE p.id = $1 AND p.account_id = ${place})`, accountId)
    .addIf(filters.kind, (place) => `s.kind = ${place}`)
    .addIf(filters.status === UNANSWERED ? undefined : filters.status, (place) => `s.status = ${place}`)
    .addIf(filters.errorCode, (place) => `s.error_code = ${place}`)
    .addIf(filters.endUserId, (place) => `s.end_user_id = ${place}`)
    .addIf(filters.reference, (place) => `s.reference = ${place}`)
    .addIf(filters.templateId, (place) => `s.template_id = ${place}`)
    .addIf(filters.from, (place) => `s.created_at >= ${place}::timestamptz`)
    .addIf(filters.to, (place) => `s.created_at < ${place}::timestamptz`);
  // What runs again has none, and what was canceled was meant to stop.
  if (filters.status === UNANSWERED) conditions.add(() => "s.error_code <> 'CANCELED'");
  const { q } = filters;
  if (q === undefined) return conditions;
  const kind = idKindOf(q);
  return conditions.add(kind ? BY_ID[kind] : (place) => `s.end_user_id = ${place}`, q);
}

/** Undefined: what is looked for is an end user. */
function idKindOf(text: string): keyof typeof BY_ID | undefined {
  return (Object.keys(BY_ID) as (keyof typeof BY_ID)[]).find((name) => isId(name, text));
}

/** How a session is found by the id of something that belongs to it. */
const BY_ID = {
  session: (place) => `s.id = ${place}`,
  turn: (place) => `s.id = (SELECT t.session_id FROM turns t WHERE t.id = ${place} AND t.project_id = $1)`,
  file: (place) => `s.id = (SELECT f.session_id FROM stored_files f WHERE f.id = ${place} AND f.project_id = $1)`,
  delivery: (place) =>
    `s.id = (SELECT d.session_id FROM webhook_deliveries d WHERE d.id = ${place} AND d.project_id = $1)`,
  call: (place) => `s.id IN (${sessionsOfCall(`c.id = ${place}`)})`,
  request: (place) => `s.id IN (${sessionsOfCall(`c.request_id = ${place}`)})`,
} as const satisfies Partial<Record<IdKind, (place: string) => string>>;

/** A batch has many. */
function sessionsOfCall(condition: string): string {
  const calls = `FROM call_logs c WHERE ${condition} AND c.project_id = $1`;
  return `SELECT c.session_id ${calls} UNION SELECT jsonb_array_elements_text(c.summary->'sessionIds') ${calls}`;
}
