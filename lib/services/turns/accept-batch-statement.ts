import { RELEASED_AT_SECONDS } from "@/lib/services/files/discard-upload";
import { RESERVE_CREDITS, TURN_COLUMNS } from "@/lib/services/turns/accept-statements";
import { readyData } from "@/lib/services/turns/ready-data";

const READY_EVENT = readyData({
  ...{ turnId: "turn_id", sessionId: "session_id", accountId: "$4::text", kind: "'process'", endpoint: "$8::text" },
  isNext: "false",
});

/**
 * Accepts a processing for each of several uploads. Takes the credits for all first and does nothing else when that
 * fails. `accepted` is how many uploads were still there: fewer than all must be rolled back.
 *
 * Parameters: $1 sessions, $2 turns, $3 outbox rows, $4 account, $5 project, $6 key, $7 end user, $8 endpoint,
 * $9 request, $10 input, $11 prompt, $12 template, $13 template version, $14 callback URL, $15 max credits,
 * $16 credits to reserve for all, $17 token limit of the plan (null: none), $18 credits of each; of each file: $19 id,
 * $20 store, $21 storage key, $22 URL, $23 name, $24 content type, $25 size, $26 SHA-256; $27 output schema, $28 max credits
 * of the call itself, $29 reference.
 */
export const ACCEPT_BATCH = {
  name: "accept-batch",
  text: `
    WITH money AS (${RESERVE_CREDITS} RETURNING id),
    pending AS (
      DELETE FROM pending_uploads
      WHERE storage_key = ANY ($21::text[]) AND project_id = $5 AND started_at > to_timestamp(${RELEASED_AT_SECONDS})
        AND EXISTS (SELECT 1 FROM money)
      RETURNING storage_key
    ),
    item AS (
      SELECT i.* FROM unnest($1::text[], $2::text[], $3::text[], $18::int[], $19::text[], $20::text[], $21::text[],
                             $22::text[], $23::text[], $24::text[], $25::bigint[], $26::text[])
        AS i (session_id, turn_id, outbox_id, credits, file_id, store, storage_key, url, name, content_type, size, sha256)
      JOIN pending USING (storage_key)
    ),
    session AS (
      INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, template_id, callback_url, prompt,
                            file_id, reference, turn_count, open_turns)
      SELECT session_id, $4, $5, 'process', 'started', $7, $12, $14, $11, file_id, $29, 1, 1 FROM item
    ),
    turn AS (
      INSERT INTO turns (${TURN_COLUMNS})
      SELECT turn_id, session_id, $4, $5, $6, $7, $8, $9, $10, NULL, $12, $13::int, $14, $15::int, credits, $27::json, $28::int,
             $29, 'started', 0
      FROM item RETURNING id
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content)
      SELECT session_id, 0, turn_id, 'user', $10 FROM item
    ),
    file AS (
      INSERT INTO stored_files (id, account_id, project_id, session_id, turn_id, end_user_id, purpose, store, storage_key,
                                url, name, content_type, size, sha256)
      SELECT file_id, $4, $5, session_id, turn_id, $7, 'input', store, storage_key, url, name, content_type, size, sha256
      FROM item
    ),
    end_user AS (
      INSERT INTO end_users (project_id, end_user_id)
      SELECT $5, $7 FROM money WHERE $7::text IS NOT NULL
      ON CONFLICT (project_id, end_user_id) DO UPDATE SET last_seen_at = now()
    ),
    template_use AS (
      UPDATE templates SET usage_count = usage_count + (SELECT count(*) FROM item), last_used_at = now()
      FROM money WHERE templates.id = $12
    ),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT outbox_id, 'turn/ready', ${READY_EVENT} FROM item
    )
    SELECT (SELECT count(*)::int FROM money) AS paid, (SELECT count(*)::int FROM turn) AS accepted`,
};
