/**
 * Ends a turn, once: whoever comes second finds no open turn and changes nothing.
 * Locks turn, then account, then session, in that order. The charge never exceeds what the turn was promised
 * plus what is free, so the balance stays at zero or above. Usage and ledger move in the same statement.
 *
 * Parameters: $1 turn, $2 generation (null: whichever), $3 status, $4 output, $5 output type, $6 output file,
 * $7 error code, $8 error message, $9 tokens in, $10 tokens out, $11 credits wanted, $12 model, $13 ledger row,
 * $14 context.
 */
export const SETTLE_TURN = {
  name: "settle-turn",
  text: `
    WITH turn AS MATERIALIZED (
      SELECT id, session_id, account_id, project_id, credits_reserved, position, endpoint, end_user_id, template_id,
             callback_url, request_id
      FROM turns
      WHERE id = $1 AND status IN ('queued', 'running') AND ($2::int IS NULL OR generation = $2::int)
      FOR UPDATE
    ),
    account AS MATERIALIZED (
      SELECT a.id, a.plan_id, a.credit_balance AS balance, turn.credits_reserved AS reserved,
             LEAST($11::int, a.credit_balance - a.credit_reserved + turn.credits_reserved) AS charged
      FROM accounts a JOIN turn ON a.id = turn.account_id
      FOR UPDATE OF a
    ),
    parts AS (
      DELETE FROM turn_parts USING turn WHERE turn_parts.turn_id = turn.id
    ),
    account_update AS (
      UPDATE accounts SET credit_balance = credit_balance - account.charged,
                          credit_reserved = credit_reserved - account.reserved
      FROM account WHERE accounts.id = account.id
    ),
    turn_update AS (
      UPDATE turns SET status = $3, output = $4, output_type = $5, output_file_id = $6, error_code = $7,
             error_message = $8, tokens_in = $9::int, tokens_out = $10::int, credits_used = account.charged,
             model = coalesce($12, model), context = coalesce($14::jsonb, context), ended_at = now(), heartbeat_at = now()
      FROM turn, account WHERE turns.id = turn.id
    ),
    session AS (
      UPDATE sessions s SET
        status = CASE WHEN s.open_turns > 1 THEN 'resumed' ELSE $3 END,
        open_turns = s.open_turns - 1,
        tokens_in = s.tokens_in + $9::int, tokens_out = s.tokens_out + $10::int,
        credits_used = s.credits_used + account.charged,
        last_output = coalesce($4, s.last_output),
        output_type = CASE WHEN $3 = 'completed' THEN $5 ELSE s.output_type END,
        output_file_id = CASE WHEN $3 = 'completed' THEN $6 ELSE s.output_file_id END,
        error_code = $7, error_message = $8, last_activity_at = now(),
        completed_at = CASE WHEN $3 = 'completed' THEN now() ELSE s.completed_at END
      FROM turn, account WHERE s.id = turn.session_id
      RETURNING s.id, s.kind, s.template_id
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content)
      SELECT turn.session_id, 2 * turn.position + 1, turn.id, 'assistant', $4 FROM turn WHERE $3 = 'completed'
    ),
    ledger AS (
      INSERT INTO ledger_entries (id, account_id, project_id, turn_id, session_id, kind, amount, balance_after, endpoint,
                                  end_user_id, tokens_in, tokens_out)
      SELECT $13, turn.account_id, turn.project_id, turn.id, turn.session_id, 'charge', -account.charged,
             account.balance - account.charged, turn.endpoint, turn.end_user_id, $9::int, $10::int
      FROM turn, account WHERE $3 = 'completed'
    ),
    usage AS (
      INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
      SELECT turn.project_id, turn.account_id, (now() AT TIME ZONE 'UTC')::date, turn.endpoint,
             coalesce(turn.end_user_id, ''), 1, $9::int, $10::int, account.charged
      FROM turn, account
      ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + 1,
        tokens_in = u.tokens_in + excluded.tokens_in, tokens_out = u.tokens_out + excluded.tokens_out,
        credits = u.credits + excluded.credits
    ),
    period AS (
      INSERT INTO account_periods AS p (account_id, period_start, tokens_used, credits_used)
      SELECT turn.account_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $9::int + $10::int, account.charged
      FROM turn, account
      ON CONFLICT (account_id, period_start) DO UPDATE SET tokens_used = p.tokens_used + excluded.tokens_used,
        credits_used = p.credits_used + excluded.credits_used
      RETURNING tokens_used
    )
    SELECT turn.session_id, turn.account_id, turn.project_id, turn.end_user_id, session.template_id, turn.callback_url,
           turn.request_id, session.kind, account.charged, account.plan_id, period.tokens_used, now() AS ended_at
    FROM turn, account, session, period`,
};

/**
 * Writes the turn's terminal event and hands the session's next queued turn to the queue. A statement of its own: it
 * must see the turns that were accepted before the settling one got hold of the session.
 *
 * Parameters: $1 session, $2 turn, $3 event type, $4 data, $5 outbox row, $6 account.
 */
export const CLOSE_TURN = {
  name: "close-turn",
  text: `
    WITH next_turn AS (
      SELECT id FROM turns WHERE session_id = $1 AND status = 'queued' ORDER BY position LIMIT 1
    ),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT $5, 'turn/ready', jsonb_build_object('turnId', id, 'sessionId', $1::text, 'accountId', $6::text) FROM next_turn
    )
    INSERT INTO session_events (session_id, seq, turn_id, type, data)
    SELECT $1, coalesce(max(seq), 0) + 1, $2, $3, $4::jsonb FROM session_events WHERE session_id = $1
    RETURNING seq`,
};
