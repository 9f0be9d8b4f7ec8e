import {
  BEFORE_ERASURE,
  BY_ACCOUNT,
  BY_PROJECT_THEN_ACCOUNT,
  IN_PROJECTS,
  IN_SESSIONS,
  KEEPS_ITS_KEY,
  LOGGED_SESSIONS,
  NEWER_SESSIONS,
  OWN,
  type PersonalTable,
  SESSIONS,
} from "@/lib/services/data-rights/personal-table";

/** What is left of a logged call whose end user is forgotten. */
export const NAMELESS_CALL = `path = split_part(endpoint, ' ', 2), ip = NULL, user_agent = NULL, end_user_id = NULL,
  summary = '{}', session_id = NULL, turn_id = NULL`;

/** What calls leave behind beside their sessions: keys of theirs, logs, deliveries and files. */
export const DATA_OF_CALLS: readonly PersonalTable[] = [
  {
    table: "idempotency_keys",
    personal: ["key", "response", "end_user_id"],
    plain: ["project_id", "request_hash", "state", "owner"],
    ofEndUser: [
      // Also of a call that died on its way, or whose session was deleted and whose line was never written.
      OWN,
      `t.project_id = $1 AND t.owner IN (SELECT u.request_id FROM turns u WHERE u.session_id IN ${SESSIONS})`,
      // Whose session was deleted.
      "t.project_id = $1 AND t.owner IN (SELECT c.request_id FROM call_logs c WHERE c.project_id = $1 AND c.end_user_id = $2)",
      `t.project_id = $1 AND t.owner IN (SELECT c.request_id FROM call_logs c
         WHERE c.project_id = $1 AND c.end_user_id IS NULL AND c.session_id IN ${LOGGED_SESSIONS})`,
    ],
    // A call that is on its way keeps its own; one that died is past its lease when the erasure looks again to end.
    erasedOnlyIf: `NOT ${KEEPS_ITS_KEY} AND (t.end_user_id IS DISTINCT FROM $2 OR t.created_at <= $3)
      AND (t.state = 'done' OR t.locked_until <= now())`,
    ofAccount: IN_PROJECTS,
  },
  {
    table: "call_logs",
    personal: ["path", "ip", "user_agent", "end_user_id", "summary"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "api_key_id",
      "request_id",
      "endpoint",
      "error_code",
      "session_id",
      "turn_id",
    ],
    // First those that name nobody: they are found by way of those that do.
    ofEndUser: [`t.project_id = $1 AND t.end_user_id IS NULL AND t.session_id IN ${LOGGED_SESSIONS}`, OWN, IN_SESSIONS],
    erasedOnlyIf: BEFORE_ERASURE,
    erasure: { set: NAMELESS_CALL },
    exportWithout: ["account_id", "api_key_id"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "webhook_attempts",
    personal: ["request_headers", "response_headers", "response_body", "error"],
    plain: ["delivery_id"],
    ofEndUser: [
      "t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.project_id = $1 AND d.end_user_id = $2)",
    ],
    erasedOnlyIf: `t.delivery_id NOT IN (SELECT d.id FROM webhook_deliveries d WHERE d.session_id IN ${NEWER_SESSIONS})`,
    exportWithout: [],
    ofAccount: "with its parent",
  },
  {
    table: "webhook_deliveries",
    personal: ["url", "body", "end_user_id"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "registration_id",
      "event",
      "session_id",
      "turn_id",
      "dedupe_key",
      "status",
    ],
    ofEndUser: [OWN],
    erasedOnlyIf: BEFORE_ERASURE,
    exportWithout: ["account_id", "dedupe_key"],
    ofAccount: BY_PROJECT_THEN_ACCOUNT,
  },
  {
    table: "stored_files",
    personal: ["name", "url", "end_user_id", "extraction", "transcript", "transcript_draft"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "session_id",
      "turn_id",
      "purpose",
      "store",
      "storage_key",
      "content_type",
      "sha256",
      "transcript_model",
      "transcript_turn_id",
    ],
    ofEndUser: [OWN, IN_SESSIONS],
    erasure: "by its own service",
    exportWithout: ["account_id", "store", "storage_key"],
    ofAccount: "by its own service",
  },
];
