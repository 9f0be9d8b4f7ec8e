import { GROWN_ACCOUNT, OTHER_ACCOUNTS } from "@/bench/support/growth/grown-account";

export interface History {
  /** Of all accounts together; one in 20 is another account's. */
  sessions: number;
  /** Rows of the call log, likewise. */
  calls: number;
}

/** Ninety days, evenly: the newest row is of now. */
const SPAN = "interval '90 days'";
/** After so long without activity a session has expired (§3). */
const TIMEOUT = "interval '2 hours'";

/** Ids rise with time, as the service's own do. */
const id = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 26, '0')`;
/** Evenly spread and the same in each run: what a row is depends on its number alone. */
const pick = (number: string, salt: number, of: number) => `(abs(hashint8extended(${number}, ${salt})) % ${of})`;
/** More than the longest page of a list: what is compared is a full page in a long past with a full page in a short one. */
const FULL_PAGE = 80;
/** So many of the newest have not expired in a short past either: every tenth of them has failed. */
const NOT_EXPIRED = 500;
/** Every how many-th row is of a rare kind: seldom in a long past, and often enough for a full page in a short one. */
const rare = (usual: number, rows: number) => Math.min(usual, Math.max(2, Math.floor(rows / FULL_PAGE)));
const own = (column: "accountId" | "projectId") => `'${GROWN_ACCOUNT[column]}'`;
const owner = (prefix: "acc" | "prj", mine: string) =>
  `CASE WHEN i % 20 = 0 THEN ${id(prefix, `100 + i / 20 % ${OTHER_ACCOUNTS}`)} ELSE ${mine} END`;

/** What fills each table, by what is told of it, in order. */
export function historyStatements({ sessions, calls }: History): Record<string, string> {
  const endUsers = Math.ceil(sessions / 20);
  const at = (number: string, count: number) => `now() - ${SPAN} * ((${count} - ${number})::float / ${count})`;
  const source = `
    SELECT i, ${owner("acc", own("accountId"))} AS account_id, ${owner("prj", own("projectId"))} AS project_id,
           ${at("i", sessions)} AS created_at, CASE WHEN i % 5 = 0 THEN 'process' ELSE 'chat' END AS kind,
           CASE WHEN i % 10 <> 3 THEN 'user-' || ${pick("i", 1, endUsers)} END AS end_user_id,
           CASE ${pick("i", 2, 10)} WHEN 0 THEN 'failed' ELSE 'completed' END AS ended
    FROM generate_series(1, ${sessions}) AS i`;
  return {
    accounts: `
      INSERT INTO accounts (id, company_name, verification_status, plan_id, credit_balance)
      SELECT ${own("accountId")}, 'Grown', 'verified', 'scale', 1000
      UNION ALL SELECT ${id("acc", "100 + i")}, 'Other', 'verified', 'scale', 1000 FROM generate_series(0, ${OTHER_ACCOUNTS - 1}) i`,
    projects: `
      INSERT INTO projects (id, account_id, name, callback_secret_encrypted)
      SELECT ${own("projectId")}, ${own("accountId")}, 'Grown', 'x'
      UNION ALL SELECT ${id("prj", "100 + i")}, ${id("acc", "100 + i")}, 'Other', 'x' FROM generate_series(0, ${OTHER_ACCOUNTS - 1}) i`,
    sessions: `
      INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, template_id, prompt, file_id, last_output,
                            output_type, error_code, tokens_in, tokens_out, credits_used, turn_count, reference,
                            created_at, last_activity_at, completed_at)
      SELECT ${id("ses", "i")}, account_id, project_id, kind,
             CASE WHEN created_at < now() - ${TIMEOUT} AND i <= ${sessions - NOT_EXPIRED} THEN 'expired' ELSE ended END, end_user_id,
             CASE WHEN i % 3 = 0 THEN ${id("tpl", pick("i", 3, 5))} END, CASE WHEN kind = 'process' THEN 'Sum it up.' END,
             CASE WHEN kind = 'process' THEN ${id("fil", "i")} END, 'An answer of some length to question ' || i, 'text',
             CASE WHEN ended = 'failed' THEN 'MODEL_UNAVAILABLE' END, 120, 40, 1, 1, 'order-' || i / 2,
             created_at, created_at, created_at
      FROM (${source}) s`,
    turns: `
      INSERT INTO turns (id, session_id, account_id, project_id, position, status, endpoint, request_id, api_key_id,
                         end_user_id, input, open_status, credits_used, tokens_in, tokens_out, model, output, output_type,
                         heartbeat_at, created_at, started_at, ended_at)
      SELECT ${id("trn", "i")}, ${id("ses", "i")}, account_id, project_id, 1,
             ended, CASE WHEN kind = 'process' THEN 'POST /process' ELSE 'POST /chat' END, ${id("req", "i")}, ${id("key", pick("i", 4, 3))},
             end_user_id, 'What is the answer to question ' || i || '?', 'started', 1, 120, 40, 'gpt-4.1-mini',
             'An answer of some length to question ' || i, 'text', created_at, created_at, created_at, created_at
      FROM (${source}) s`,
    messages: `
      INSERT INTO messages (session_id, position, turn_id, role, content, created_at)
      SELECT ${id("ses", "i")}, 2 + place, ${id("trn", "i")}, CASE place WHEN 0 THEN 'user' ELSE 'assistant' END,
             'Words of some length about question ' || i, created_at
      FROM (${source}) s CROSS JOIN generate_series(0, 1) AS place`,
    files: `
      INSERT INTO stored_files (id, account_id, project_id, session_id, turn_id, end_user_id, purpose, store, storage_key,
                                url, name, content_type, size, sha256, created_at)
      SELECT ${id("fil", "i")}, account_id, project_id, ${id("ses", "i")}, ${id("trn", "i")}, end_user_id, 'input', 'disk',
             'bench/' || i, 'http://localhost/files/' || i, 'report.pdf', 'application/pdf', 1000, md5(i::text), created_at
      FROM (${source}) s WHERE kind = 'process'`,
    "end users": `
      INSERT INTO end_users (project_id, end_user_id, created_at, last_seen_at)
      SELECT project_id, end_user_id, min(created_at), max(created_at) FROM sessions WHERE end_user_id IS NOT NULL GROUP BY 1, 2`,
    usage: `
      INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
      SELECT project_id, account_id, (ended_at AT TIME ZONE 'UTC')::date, endpoint, coalesce(end_user_id, ''), count(*),
             sum(tokens_in), sum(tokens_out), sum(credits_used)
      FROM turns GROUP BY 1, 2, 3, 4, 5`,
    "usage, sums": `
      INSERT INTO usage_totals (project_id, account_id, day, endpoint, requests, tokens_in, tokens_out, credits)
      SELECT project_id, account_id, day, endpoint, sum(requests), sum(tokens_in), sum(tokens_out), sum(credits)
      FROM usage_days GROUP BY 1, 2, 3, 4`,
    "usage, months": `
      INSERT INTO usage_months (project_id, month, end_user_id, requests, tokens_in, tokens_out, credits)
      SELECT project_id, date_trunc('month', day::timestamp)::date, end_user_id, sum(requests), sum(tokens_in), sum(tokens_out),
             sum(credits)
      FROM usage_days GROUP BY 1, 2, 3`,
    "usage, keys": `
      INSERT INTO usage_key_days (project_id, day, api_key_id, requests, tokens_in, tokens_out, credits)
      SELECT project_id, (ended_at AT TIME ZONE 'UTC')::date, coalesce(api_key_id, ''), count(*), sum(tokens_in),
             sum(tokens_out), sum(credits_used)
      FROM turns GROUP BY 1, 2, 3`,
    "ends of expired sessions": `
      INSERT INTO session_count_changes (project_id, expired_failed, expired_canceled)
      SELECT project_id, count(*), 0 FROM sessions WHERE status = 'expired' AND error_code IS NOT NULL GROUP BY 1`,
    ledger: `
      INSERT INTO ledger_entries (id, account_id, project_id, turn_id, session_id, kind, amount, balance_after, endpoint,
                                  end_user_id, tokens_in, tokens_out, created_at)
      SELECT 'led' || substr(id, 4), account_id, project_id, id, session_id, 'charge', -1, 1000, endpoint, end_user_id,
             tokens_in, tokens_out, ended_at
      FROM turns WHERE status = 'completed'`,
    "call log": callLog({ sessions, calls }, at("i", calls)),
    "calls an hour": `
      INSERT INTO call_hours (project_id, hour, account_id, requests, client_errors, server_errors)
      SELECT project_id, date_trunc('hour', created_at, 'UTC'), account_id, count(*),
             count(*) FILTER (WHERE status BETWEEN 400 AND 499), count(*) FILTER (WHERE status >= 500)
      FROM call_logs GROUP BY 1, 2, 3`,
    ...writtenLogs({ sessions, calls }, source),
  };
}

/** A receiver is told of every other session; few deliveries are given up. People change something now and then. */
function writtenLogs({ sessions }: History, source: string): Record<string, string> {
  const changes = Math.ceil(sessions / 10);
  const givenUp = 2 * rare(250, sessions / 2);
  return {
    receivers: `
      INSERT INTO webhook_registrations (id, account_id, project_id, url, events, secret_encrypted)
      SELECT ${id("whk", "i")}, ${own("accountId")}, ${own("projectId")}, 'https://receiver.example/' || i, '{completion}', 'x'
      FROM generate_series(1, 2) AS i`,
    deliveries: `
      INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, registration_id, url, event, body, session_id,
                                      turn_id, end_user_id, dedupe_key, status, attempt_count, created_at, delivered_at)
      SELECT ${id("dlv", "i")}, md5(i::text)::uuid, account_id, project_id,
             CASE WHEN account_id = ${own("accountId")} AND i % 3 > 0 THEN ${id("whk", "i % 3")} END,
             'https://receiver.example/', CASE ended WHEN 'failed' THEN 'error' ELSE 'completion' END, '{}', ${id("ses", "i")},
             ${id("trn", "i")}, end_user_id, 'bench/' || i, CASE WHEN i % ${givenUp} = 8 THEN 'failed' ELSE 'delivered' END, 1,
             created_at, created_at
      FROM (${source}) s WHERE i % 2 = 0`,
    attempts: `
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, request_headers, response_status)
      SELECT id, 1, created_at, 12, '{}', CASE status WHEN 'failed' THEN 500 ELSE 204 END FROM webhook_deliveries`,
    "audit log": `
      INSERT INTO audit_log (id, account_id, actor_kind, actor_id, action, subject, created_at)
      SELECT ${id("aud", "i")}, ${owner("acc", own("accountId"))}, 'owner', ${id("usr", pick("i", 7, 9))},
             (ARRAY['template.update', 'key.create', 'webhook.update', 'knowledge.update'])[1 + ${pick("i", 8, 4)}],
             ${id("tpl", pick("i", 9, 1_000))}, now() - ${SPAN} * ((${changes} - i)::float / ${changes})
      FROM generate_series(1, ${changes}) AS i`,
  };
}

/** One call in five starts work, the others look at it; one in 20 is refused, few fail. */
function callLog({ sessions, calls }: History, at: string): string {
  const addresses = Math.floor(rare(1_000, calls) / 4);
  const failed = rare(1_000, calls);
  const session = `greatest(1, (i::float * ${sessions} / ${calls})::int)`;
  return `
    INSERT INTO call_logs (id, account_id, project_id, api_key_id, request_id, endpoint, path, status, error_code,
                           duration_ms, ip, user_agent, session_id, turn_id, end_user_id, summary, created_at, logged_at)
    SELECT ${id("log", "i")}, account_id, project_id, ${id("key", pick("i", 4, 3))}, ${id("req", "i")},
           CASE WHEN i % 5 = 1 THEN 'POST /chat' WHEN i % 50 = 2 THEN 'GET /usage' ELSE 'GET /chat/:sessionId' END,
           '/api/v1/chat/' || session_id, status, CASE WHEN status >= 400 THEN 'NOT_FOUND' END, 12,
           '10.1.' || ${pick("i", 5, 4)} || '.' || ${pick("i", 6, addresses)}, 'client/1.0', session_id,
           CASE WHEN i % 5 = 1 THEN 'trn' || substr(session_id, 4) END,
           CASE WHEN i % 2 = 0 THEN 'user-' || ${pick("i", 1, Math.ceil(sessions / 20))} END, '{"fields":{"message":40}}',
           created_at, created_at
    FROM (SELECT i, ${owner("acc", own("accountId"))} AS account_id, ${owner("prj", own("projectId"))} AS project_id,
                 ${at} AS created_at, ${id("ses", session)} AS session_id,
                 CASE WHEN i % ${failed} = 7 THEN 500 WHEN i % 20 = 11 THEN 404 WHEN i % 5 = 1 THEN 202 ELSE 200 END AS status
          FROM generate_series(1, ${calls}) AS i) c`;
}
