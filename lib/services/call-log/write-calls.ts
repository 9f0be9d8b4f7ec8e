import { logDb } from "@/lib/db/pool";
import { log } from "@/lib/log";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";

/**
 * The turn of a start is found by its session and request; `id` makes a repeated write harmless: only rows that were not
 * there are counted. Hours are taken in order, so that batches of several processes wait for each other rather than lock. Times
 * are the database's, less how long ago a call came in: those of servers whose clocks differ are in one order.
 */
const INSERT_CALLS = {
  name: "insert-calls",
  text: `
    WITH inserted AS (
      INSERT INTO call_logs (id, account_id, project_id, api_key_id, request_id, endpoint, path, status, error_code,
                             duration_ms, ip, user_agent, session_id, turn_id, end_user_id, summary, created_at)
      SELECT r.id, r.account_id, r.project_id, r.api_key_id, r.request_id, r.endpoint, r.path, r.status, r.error_code,
             r.duration_ms, r.ip, r.user_agent, r.session_id,
             CASE WHEN r.is_start THEN (SELECT t.id FROM turns t
                                        WHERE t.session_id = r.session_id AND t.request_id = r.request_id LIMIT 1) END,
             r.end_user_id, r.summary, now() - make_interval(secs => r.age)
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::text[],
                  $10::int[], $11::text[], $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::float8[],
                  $17::boolean[])
        AS r (id, account_id, project_id, api_key_id, request_id, endpoint, path, status, error_code, duration_ms, ip,
              user_agent, session_id, end_user_id, summary, age, is_start)
      ON CONFLICT (id) DO NOTHING
      RETURNING project_id, account_id, status, created_at
    )
    INSERT INTO call_hours AS h (project_id, hour, account_id, requests, client_errors, server_errors)
    SELECT project_id, date_trunc('hour', created_at, 'UTC') AS hour, min(account_id), count(*),
           count(*) FILTER (WHERE status BETWEEN 400 AND 499), count(*) FILTER (WHERE status >= 500)
    FROM inserted GROUP BY project_id, 2 ORDER BY project_id, 2
    ON CONFLICT (project_id, hour) DO UPDATE SET requests = h.requests + excluded.requests,
      client_errors = h.client_errors + excluded.client_errors, server_errors = h.server_errors + excluded.server_errors`,
};

/**
 * Writes rows of the call log in one statement. A row that the database refuses for what it holds is left out with a
 * warning, so that it does not keep the others back.
 * @throws when the database is away or not well; then the same rows may be written again
 */
export async function writeCalls(rows: CallLogEntry[]): Promise<void> {
  try {
    await insert(rows);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row) {
      log("warn", "A row of the call log was refused.", { requestId: row.requestId, endpoint: row.endpoint }, error);
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    await writeCalls(rows.slice(0, middle));
    await writeCalls(rows.slice(middle));
  }
}

async function insert(rows: CallLogEntry[]): Promise<void> {
  const nowMs = performance.now();
  const column = <K extends keyof CallLogEntry>(name: K) => rows.map((row) => row[name]);
  await logDb().query({
    ...INSERT_CALLS,
    values: [
      column("id"),
      column("accountId"),
      column("projectId"),
      column("apiKeyId"),
      column("requestId"),
      column("endpoint"),
      column("path"),
      column("status"),
      column("errorCode"),
      column("durationMs"),
      column("ip"),
      column("userAgent"),
      column("sessionId"),
      column("endUserId"),
      rows.map(({ summary }) => JSON.stringify(summary)),
      rows.map(({ receivedAtMs }) => (nowMs - receivedAtMs) / 1_000),
      column("isStart"),
    ],
  });
}

/** Classes 22 and 23 of SQLSTATE: a value or a constraint. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^2[23]/.test(code);
}
