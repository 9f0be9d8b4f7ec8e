import { unindexed } from "@/lib/db/unindexed";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { CLAIMED_BESIDE } from "@/lib/services/turns/claim-together";
import { HELD_ACCOUNT, WRITE_HELD_ACCOUNT } from "@/lib/services/turns/held-account";
import { readyData } from "@/lib/services/turns/ready-data";

/**
 * The two hot statements that accept a turn. Each takes the credits first (a conditional update, so that calls
 * at once never promise more than there is) and does nothing else when that fails.
 *
 * Parameters: $1 session, $2 turn, $3 outbox row, $4 account, $5 project, $6 key, $7 end user, $8 endpoint,
 * $9 request, $10 input, $11 file content, $12 template, $13 template version, $14 callback URL, $15 max credits,
 * $16 credits to reserve, $17 token limit of the plan (null: none). Then, of a further turn: $18 output schema,
 * $19 max credits of the call itself, $20 reference; of new sessions: $18 kind, $19 prompt, $20 (one for all) whether their turns
 * are claimed at once, $21 file, $22 output schema, $23 max credits of the call itself, $24 reference.
 */

/** As both take it: json keeps the order of its words, in which a model writes. */
export function toSchemaParameter(schema: OutputSchema | undefined): string | null {
  return schema ? JSON.stringify(schema) : null;
}

export const RESERVE_CREDITS = `
  UPDATE accounts SET credit_reserved = credit_reserved + $16::int
  WHERE id = $4 AND credit_balance - credit_reserved >= $16::int
    AND ($17::bigint IS NULL OR coalesce((SELECT tokens_used FROM account_periods
         WHERE account_id = $4 AND period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) < $17::bigint)`;

export const TURN_COLUMNS = `
  id, session_id, account_id, project_id, api_key_id, end_user_id, endpoint, request_id, input, file_content,
  template_id, template_version, callback_url, max_credits, credits_reserved, output_schema, call_max_credits, reference,
  open_status, position`;

const TURN_VALUES = `
  $2, s.id, $4, $5, $6, s.end_user_id, $8, $9, $10, $11, $12, $13::int, $14, $15::int, $16::int, $18::json, $19::int,
  s.reference`;

/** The end user exists from the first use (§1); the date is refreshed at most once a minute. */
const REFRESH_END_USER = `
  ON CONFLICT (project_id, end_user_id) DO UPDATE SET last_seen_at = now()
  WHERE end_users.last_seen_at < now() - interval '1 minute'`;

const NOTE_END_USER = `
  INSERT INTO end_users (project_id, end_user_id)
  SELECT $5, $7 FROM session s WHERE $7::text IS NOT NULL ${REFRESH_END_USER}`;

const COUNT_TEMPLATE_USE = `
  UPDATE templates SET usage_count = usage_count + 1, last_used_at = now() FROM session s WHERE templates.id = $12`;

const READY_EVENT = readyData({
  ...{ turnId: "$2::text", sessionId: "s.id", accountId: "$4::text", kind: "s.kind", endpoint: "$8::text" },
  isNext: "true",
});

const NEW_READY_EVENT = readyData({
  ...{ turnId: "turn_id", sessionId: "session_id", accountId: "account_id", kind: "kind", endpoint: "endpoint" },
  isNext: "false",
});

/**
 * Begins sessions: of each account all of them, with the credits for all, or none. All parameters are lists, with a place for
 * each session. Answers with those that were begun, and where turns are claimed with what their worker needs to know.
 */
export const ACCEPT_NEW_SESSIONS = {
  name: "accept-new-sessions",
  text: `
    WITH wish AS MATERIALIZED (
      SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::int[], $14::text[], $15::int[], $16::int[], $17::bigint[], $18::text[],
        $19::text[], $21::text[], $22::text[], $23::int[], $24::text[])
      AS i (session_id, turn_id, outbox_id, account_id, project_id, api_key_id, end_user_id, endpoint, request_id, input,
            file_content, template_id, template_version, callback_url, max_credits, credits, token_limit, kind, prompt, file_id,
            output_schema, call_max_credits, reference)
    ),
    bill AS MATERIALIZED (
      SELECT account_id, sum(credits)::int AS credits, min(token_limit) AS token_limit FROM wish GROUP BY account_id
    ),
    payer AS MATERIALIZED (
      SELECT a.id, a.credit_balance AS balance, a.credit_reserved AS reserved
      FROM accounts a WHERE a.id = ANY (ARRAY (SELECT account_id FROM bill)) ORDER BY a.id FOR NO KEY UPDATE
    ),
    money AS (
      INSERT INTO accounts (${HELD_ACCOUNT})
      SELECT payer.id, '', payer.balance, payer.reserved + bill.credits
      FROM payer JOIN bill ON bill.account_id = payer.id
      WHERE payer.balance - payer.reserved >= bill.credits
        AND (bill.token_limit IS NULL OR coalesce((SELECT tokens_used FROM account_periods p
             WHERE p.account_id = payer.id AND p.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)
             < bill.token_limit)
      ${WRITE_HELD_ACCOUNT}
      RETURNING id, credit_balance - credit_reserved AS free
    ),
    item AS MATERIALIZED (
      SELECT wish.*, money.free FROM wish JOIN money ON money.id = wish.account_id
    ),
    session AS (
      INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, template_id, callback_url, prompt, file_id,
                            reference, turn_count, open_turns)
      SELECT session_id, account_id, project_id, kind, 'started', end_user_id, template_id, callback_url, prompt, file_id, reference,
             1, 1
      FROM item
    ),
    turn AS (
      INSERT INTO turns (${TURN_COLUMNS}, status, generation, started_at)
      SELECT turn_id, session_id, account_id, project_id, api_key_id, end_user_id, endpoint, request_id, input, file_content,
             template_id, template_version, callback_url, max_credits, credits, output_schema::json, call_max_credits, reference,
             'started', 0,
             CASE WHEN $20 THEN 'running' ELSE 'queued' END, $20::boolean::int, CASE WHEN $20 THEN now() END
      FROM item RETURNING id, session_id, account_id, project_id, end_user_id, callback_url, position, created_at
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content)
      SELECT session_id, 0, turn_id, 'user', input FROM item
    ),
    end_user AS (
      INSERT INTO end_users (project_id, end_user_id)
      SELECT DISTINCT project_id, end_user_id FROM item WHERE end_user_id IS NOT NULL ORDER BY 1, 2
      ${REFRESH_END_USER}
    ),
    template_use AS (
      UPDATE templates SET usage_count = usage_count + u.uses, last_used_at = now()
      FROM (SELECT template_id, count(*) AS uses FROM item WHERE template_id IS NOT NULL GROUP BY 1) u
      WHERE templates.id = u.template_id
    ),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT outbox_id, 'turn/ready', ${NEW_READY_EVENT} FROM item
    )
    SELECT t.session_id AS id, item.free AS "creditsFree", beside.*
    FROM turn t JOIN item ON item.turn_id = t.id
    LEFT JOIN LATERAL (SELECT ${CLAIMED_BESIDE} FROM projects p WHERE $20 AND p.id = t.project_id) beside ON true`,
};

/**
 * Continues a session, of whatever status (contract §3). The session is locked against its deletion before credits are
 * taken: one that is being deleted is waited for, and then not there. Only when no earlier turn is open is the turn handed to
 * the queue; otherwise the end of the one before it does that, so turns of a session run in order.
 */
export const ACCEPT_NEXT_TURN = {
  name: "accept-next-turn",
  text: `
    WITH visible AS (
      SELECT id FROM sessions WHERE id = $1 AND ${unindexed("project_id")} = $5 AND ($7::text IS NULL OR end_user_id = $7)
      FOR KEY SHARE
    ),
    money AS (${RESERVE_CREDITS} AND EXISTS (SELECT 1 FROM visible) RETURNING id),
    session AS (
      UPDATE sessions SET status = 'resumed', turn_count = turn_count + 1, open_turns = open_turns + 1,
             last_activity_at = now(), error_code = NULL, error_message = NULL,
             template_id = coalesce($12, template_id), callback_url = coalesce($14, callback_url),
             reference = coalesce($20, reference)
      WHERE id = $1 AND EXISTS (SELECT 1 FROM money)
      RETURNING id, kind, end_user_id, reference, turn_count - 1 AS position, open_turns
    ),
    turn AS (
      INSERT INTO turns (${TURN_COLUMNS}) SELECT ${TURN_VALUES}, 'resumed', s.position FROM session s RETURNING id
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content)
      SELECT s.id, 2 * s.position, $2, 'user', $10 FROM session s
    ),
    end_user AS (${NOTE_END_USER}),
    template_use AS (${COUNT_TEMPLATE_USE}),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT $3, 'turn/ready', ${READY_EVENT} FROM session s WHERE s.open_turns = 1
    )
    SELECT (SELECT position FROM session) AS position FROM turn`,
};
