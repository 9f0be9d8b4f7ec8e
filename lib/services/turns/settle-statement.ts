import { HAS_RECEIVERS } from "@/lib/services/deliveries/emit-session-started";
import { HELD_ACCOUNT, WRITE_HELD_ACCOUNT } from "@/lib/services/turns/held-account";
import { readyData } from "@/lib/services/turns/ready-data";

const NEXT_READY_EVENT = readyData({
  ...{ turnId: "id", sessionId: "session_id", accountId: "account_id", kind: "kind", endpoint: "endpoint" },
  isNext: "true",
});

/**
 * Ends turns, each once: whoever comes second finds no open turn and changes nothing of it.
 * Locks turns, then accounts, then sessions, in that order, and rows of a table by their ids. A charge never exceeds what
 * the turn was promised plus what is free, so the balance stays at zero or above: turns of one account are charged one
 * after the other, by their ids. With r promised and c wanted, what is free goes from f to max(f + r - c, 0), and so after
 * n turns it is S(n) + max(f, -S(1), ..., -S(n)), where S(n) sums r - c up to there. Usage, by end user and by key, and ledger move
 * in the same statement.
 *
 * Parameters are lists, with a place for each turn: $1 turn, $2 generation (null: whichever), $3 status, $4 output,
 * $5 output type, $6 output file, $7 error code, $8 error message, $9 tokens in, $10 tokens out, $11 credits wanted,
 * $12 model, $13 ledger row, $14 context, $15 data of the terminal event, $16 data of the last piece of text (null: none). No two
 * are of one session. $17: the statuses of an open turn; lib/services/turns/claim-together.ts tells why they are a parameter.
 *
 * $18: whether the end of a turn is all that there is to write. Then turns are left open of which somebody is to be told, and those
 * that another turn of their session waits for, which an earlier snapshot might not show; of the others the terminal events are
 * written as well, so that the statement is a transaction by itself and no row of an account is held while it is waited for. Else
 * $15 and $16 are not looked at: CLOSE_TURNS follows.
 */
export const SETTLE_TURNS = {
  name: "settle-turns",
  text: `
    WITH turn AS MATERIALIZED (
      SELECT t.id, t.generation, t.session_id, t.account_id, t.project_id, t.credits_reserved, t.position, t.endpoint,
             t.api_key_id, t.end_user_id, t.template_id, t.callback_url, t.reference, t.request_id,
             g.status, g.output, g.output_type, g.output_file_id,
             g.error_code, g.error_message, g.tokens_in, g.tokens_out, g.credits, g.model, g.ledger_id, g.context, g.event_data,
             g.last_piece, ${HAS_RECEIVERS} AS has_receivers
      FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
                  $10::int[], $11::int[], $12::text[], $13::text[], $14::jsonb[], $15::jsonb[], $16::jsonb[])
        AS g (turn_id, generation, status, output, output_type, output_file_id, error_code, error_message, tokens_in,
              tokens_out, credits, model, ledger_id, context, event_data, last_piece)
      JOIN turns t ON t.id = g.turn_id
      WHERE t.status = ANY ($17::text[]) AND (g.generation IS NULL OR t.generation = g.generation)
        AND NOT ($18 AND ${HAS_RECEIVERS})
      ORDER BY t.id
      FOR UPDATE OF t
    ),
    account AS MATERIALIZED (
      SELECT a.id, a.plan_id, a.credit_balance AS balance, a.credit_reserved AS reserved,
             a.credit_balance - a.credit_reserved AS free
      FROM accounts a WHERE a.id = ANY (ARRAY (SELECT account_id FROM turn))
      ORDER BY a.id
      FOR NO KEY UPDATE OF a
    ),
    place AS MATERIALIZED (
      SELECT s.id FROM sessions s
      WHERE s.id = ANY (ARRAY (SELECT turn.session_id FROM turn JOIN account ON account.id = turn.account_id))
        AND (NOT $18 OR s.open_turns = 1)
      ORDER BY s.id
      FOR NO KEY UPDATE OF s
    ),
    summed AS (
      SELECT turn.*, account.plan_id, account.balance, account.reserved, account.free,
             sum(turn.credits_reserved - turn.credits) OVER w AS spare,
             sum(turn.credits_reserved) OVER w AS reserved_so_far,
             sum(turn.tokens_in + turn.tokens_out) OVER w AS tokens_so_far
      FROM turn JOIN account ON account.id = turn.account_id JOIN place ON place.id = turn.session_id
      WINDOW w AS (PARTITION BY turn.account_id ORDER BY turn.id)
    ),
    freed AS (
      SELECT *, spare + greatest(free, -min(spare) OVER (PARTITION BY account_id ORDER BY id)) AS free_after FROM summed
    ),
    ended AS MATERIALIZED (
      SELECT *, (lag(free_after, 1, free::bigint) OVER (PARTITION BY account_id ORDER BY id)
                 + credits_reserved - free_after)::int AS charged,
             (balance - (free + reserved_so_far - free_after))::int AS balance_after
      FROM freed
    ),
    parts AS (
      DELETE FROM turn_parts p USING ended WHERE p.turn_id = ended.id
        AND (ended.status = 'completed' OR p.level > 0 OR p.output IS NULL)
    ),
    account_update AS (
      INSERT INTO accounts (${HELD_ACCOUNT})
      SELECT account_id, '', balance - sum(charged), reserved - sum(credits_reserved)
      FROM ended GROUP BY account_id, balance, reserved ${WRITE_HELD_ACCOUNT}
    ),
    turn_update AS (
      UPDATE turns SET status = e.status, output = e.output, output_type = e.output_type,
             output_file_id = e.output_file_id, error_code = e.error_code, error_message = e.error_message,
             tokens_in = e.tokens_in, tokens_out = e.tokens_out, credits_used = e.charged,
             model = coalesce(e.model, turns.model), context = coalesce(e.context, turns.context), ended_at = now(),
             heartbeat_at = now()
      FROM ended e WHERE turns.id = e.id
    ),
    session AS (
      UPDATE sessions s SET
        status = CASE WHEN s.open_turns > 1 THEN 'resumed' ELSE e.status END,
        open_turns = s.open_turns - 1,
        tokens_in = s.tokens_in + e.tokens_in, tokens_out = s.tokens_out + e.tokens_out,
        credits_used = s.credits_used + e.charged,
        last_output = coalesce(e.output, s.last_output),
        output_type = CASE WHEN e.status = 'completed' THEN e.output_type ELSE s.output_type END,
        output_file_id = CASE WHEN e.status = 'completed' THEN e.output_file_id ELSE s.output_file_id END,
        error_code = e.error_code, error_message = e.error_message, last_activity_at = now(),
        completed_at = CASE WHEN e.status = 'completed' THEN now() ELSE s.completed_at END
      FROM ended e WHERE s.id = e.session_id
      RETURNING s.id, s.kind
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content)
      SELECT session_id, 2 * position + 1, id, 'assistant', output FROM ended WHERE status = 'completed'
    ),
    ledger AS (
      INSERT INTO ledger_entries (id, account_id, project_id, turn_id, session_id, kind, amount, balance_after, endpoint,
                                  end_user_id, tokens_in, tokens_out)
      SELECT ledger_id, account_id, project_id, id, session_id, 'charge', -charged, balance_after, endpoint, end_user_id,
             tokens_in, tokens_out
      FROM ended WHERE status = 'completed' ORDER BY id
    ),
    usage AS (
      INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
      SELECT project_id, account_id, (now() AT TIME ZONE 'UTC')::date, endpoint, coalesce(end_user_id, ''), count(*),
             sum(tokens_in), sum(tokens_out), sum(charged)
      FROM ended GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + excluded.requests,
        tokens_in = u.tokens_in + excluded.tokens_in, tokens_out = u.tokens_out + excluded.tokens_out,
        credits = u.credits + excluded.credits
    ),
    key_usage AS (
      INSERT INTO usage_key_days AS k (project_id, day, api_key_id, requests, tokens_in, tokens_out, credits)
      SELECT project_id, (now() AT TIME ZONE 'UTC')::date, coalesce(api_key_id, ''), count(*), sum(tokens_in),
             sum(tokens_out), sum(charged)
      FROM ended GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (project_id, day, api_key_id) DO UPDATE SET requests = k.requests + excluded.requests,
        tokens_in = k.tokens_in + excluded.tokens_in, tokens_out = k.tokens_out + excluded.tokens_out,
        credits = k.credits + excluded.credits
    ),
    period AS (
      INSERT INTO account_periods AS p (account_id, period_start, tokens_used, credits_used)
      SELECT account_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, sum(tokens_in + tokens_out), sum(charged)
      FROM ended GROUP BY account_id ORDER BY account_id
      ON CONFLICT (account_id, period_start) DO UPDATE SET tokens_used = p.tokens_used + excluded.tokens_used,
        credits_used = p.credits_used + excluded.credits_used
      RETURNING account_id, tokens_used
    ),
    closing AS MATERIALIZED (
      SELECT e.id, e.session_id, e.last_piece,
             (SELECT coalesce(max(seq), 0) + 1 FROM session_events l WHERE l.session_id = e.session_id) AS seq,
             e.event_data || jsonb_build_object('templateId', e.template_id, 'creditsUsed', e.charged, 'timestamp',
               to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
               || CASE WHEN e.reference IS NULL THEN '{}' ELSE jsonb_build_object('reference', e.reference) END AS data
      FROM ended e JOIN session ON session.id = e.session_id WHERE $18
    ),
    event AS (
      INSERT INTO session_events (session_id, seq, turn_id, type, data)
      SELECT session_id, seq, id, 'chunk', last_piece FROM closing WHERE last_piece IS NOT NULL
      UNION ALL
      SELECT session_id, seq + (last_piece IS NOT NULL)::int, id, 'completed', data FROM closing
    )
    SELECT e.id, e.generation, e.session_id, e.account_id, e.project_id, e.end_user_id, e.template_id, e.callback_url, e.reference,
           e.request_id, session.kind, e.charged, e.plan_id, now() AS ended_at,
           e.has_receivers, closing.seq + (closing.last_piece IS NOT NULL)::int AS seq,
           period.tokens_used - max(e.tokens_so_far) OVER (PARTITION BY e.account_id) + e.tokens_so_far AS tokens_used
    FROM ended e JOIN session ON session.id = e.session_id JOIN period ON period.account_id = e.account_id
         LEFT JOIN closing ON closing.id = e.id`,
};

/**
 * Writes the turns' terminal events, behind a last piece of text where there is one, and hands the next queued turn of each
 * session to the queue. A statement of its own: it must see the turns that were accepted before the settling one got hold of
 * the session. Answers with the places of the terminal events, and with the turns that were handed over.
 *
 * Parameters are lists, with a place for each turn: $1 session, $2 turn, $3 event type, $4 data, $5 outbox row, $6 account,
 * $7 data of the last piece (null: none), $8 places of the log that are left free before the event.
 */
export const CLOSE_TURNS = {
  name: "close-turns",
  text: `
    WITH closing AS MATERIALIZED (
      SELECT c.*, (SELECT coalesce(max(seq), 0) + c.free + 1 FROM session_events e WHERE e.session_id = c.session_id) AS seq
      FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::text[], $7::jsonb[], $8::int[])
        AS c (session_id, turn_id, type, data, outbox_id, account_id, last_piece, free)
    ),
    next AS MATERIALIZED (
      SELECT c.turn_id, c.session_id, c.outbox_id, c.account_id, next.id, next.endpoint,
             (SELECT kind FROM sessions WHERE id = c.session_id) AS kind
      FROM closing c CROSS JOIN LATERAL (
        SELECT id, endpoint FROM turns WHERE session_id = c.session_id AND status = 'queued' ORDER BY position LIMIT 1
      ) next
    ),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT outbox_id, 'turn/ready', ${NEXT_READY_EVENT}
      FROM next
    ),
    event AS (
      INSERT INTO session_events (session_id, seq, turn_id, type, data)
      SELECT session_id, seq, turn_id, 'chunk', last_piece FROM closing WHERE last_piece IS NOT NULL
      UNION ALL
      SELECT session_id, seq + (last_piece IS NOT NULL)::int, turn_id, type, data FROM closing
      RETURNING turn_id, seq, type
    )
    SELECT event.turn_id AS "turnId", event.seq, next.id AS "nextTurnId"
    FROM event LEFT JOIN next ON next.turn_id = event.turn_id WHERE event.type <> 'chunk'`,
};
