import type { CallFilters, LoggedCall, STATUS_CLASSES } from "@/lib/contracts/call-log";
import { Conditions } from "@/lib/db/conditions";
import { ANY_PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { IS_PLAYGROUND } from "@/lib/services/api-keys/is-playground";

/** Only ever the calls of one account; absent project: of all its projects. */
export interface CallScope {
  accountId: string;
  projectId?: string;
}

/** For staff alone. */
export const ALL_ACCOUNTS = "all accounts";

/** A call as the queries of this folder select it. */
export type CallRow = Omit<LoggedCall, "createdAt"> & { createdAt: Date };

/** Credits are read from the turns, so that they are right whenever the work ends. */
const CREDITS = `
  coalesce(CASE
    WHEN c.turn_id IS NOT NULL THEN (SELECT t.credits_used FROM turns t WHERE t.id = c.turn_id)
    WHEN c.summary ? 'sessionIds' THEN (
      SELECT sum(t.credits_used) FROM jsonb_array_elements_text(c.summary->'sessionIds') s
      JOIN turns t ON t.session_id = s.value AND t.request_id = c.request_id)
  END, 0)::int`;

export const CALL_COLUMNS = `
  c.id, c.project_id AS "projectId", c.api_key_id AS "apiKeyId", c.request_id AS "requestId", c.endpoint, c.path,
  c.status, c.error_code AS "errorCode", c.duration_ms AS "durationMs", ${CREDITS} AS credits, c.ip,
  c.user_agent AS "userAgent", c.session_id AS "sessionId", c.turn_id AS "turnId", c.end_user_id AS "endUserId",
  c.summary, c.created_at AS "createdAt"`;

/** Written out, not as values: the index of refused calls serves a status that the planner knows to be one. */
const STATUSES: Record<(typeof STATUS_CLASSES)[number], string> = {
  "2xx": "c.status BETWEEN 200 AND 299",
  "3xx": "c.status BETWEEN 300 AND 399",
  "4xx": "c.status >= 400 AND c.status <= 499",
  "5xx": "c.status >= 500",
};

/** What the scope and the filters let through, of `call_logs c`. */
export function callConditions(scope: CallScope | typeof ALL_ACCOUNTS, filters: CallFilters): Conditions {
  const { status } = filters;
  const conditions = scopeConditions(scope)
    .addIf(filters.endpoint, (place) => `c.endpoint = ${place}`)
    // The bound on the status lets the index of refused calls by their code find them.
    .addIf(filters.errorCode, (place) => `(c.status >= 400 AND c.error_code = ${place})`)
    .addIf(filters.keyId === ANY_PLAYGROUND_KEY ? undefined : filters.keyId, (place) => `c.api_key_id = ${place}`)
    .addIf(filters.endUserId, (place) => `c.end_user_id = ${place}`)
    .addIf(filters.ip, (place) => `c.ip = ${place}`)
    .addIf(filters.requestId, (place) => `c.request_id = ${place}`)
    .addIf(filters.sessionId, ofSession)
    .addIf(filters.from, (place) => `c.created_at >= ${place}::timestamptz`)
    .addIf(filters.to, (place) => `c.created_at < ${place}::timestamptz`);
  if (filters.keyId === ANY_PLAYGROUND_KEY) addPlayground(conditions, scope);
  return status === undefined ? conditions : conditions.add(() => STATUSES[status]);
}

/** Keys have an index of their projects. */
function addPlayground(conditions: Conditions, scope: CallScope | typeof ALL_ACCOUNTS): void {
  const keys = `SELECT k.id FROM api_keys k WHERE ${IS_PLAYGROUND}`;
  const projectId = scope === ALL_ACCOUNTS ? undefined : scope.projectId;
  if (projectId === undefined) conditions.add(() => `c.api_key_id = ANY(ARRAY(${keys}))`);
  else conditions.add((place) => `c.api_key_id = ANY(ARRAY(${keys} AND k.project_id = ${place}))`, projectId);
}

/** Those that name it, and the batch that started it, which names no one of its many. */
function ofSession(place: string): string {
  const started = `ARRAY(SELECT t.request_id FROM turns t WHERE t.session_id = ${place})`;
  return `(c.session_id = ${place} OR c.request_id = ANY(${started}))`;
}

function scopeConditions(scope: CallScope | typeof ALL_ACCOUNTS): Conditions {
  if (scope === ALL_ACCOUNTS) return new Conditions();
  return new Conditions()
    .add((place) => `c.account_id = ${place}`, scope.accountId)
    .addIf(scope.projectId, (place) => `c.project_id = ${place}`);
}

export function toLoggedCall(row: CallRow): LoggedCall {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
