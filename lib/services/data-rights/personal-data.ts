/**
 * The one list of what is kept of people, and how it goes. Exporting and erasing walk it; a test holds it against the
 * schema, so that a new column of text that is not in it fails.
 */

/** What of a table is personal, and whose. Conditions are on the table as `t`. */
export interface PersonalTable {
  table: string;
  /** Columns that can hold words of or about people: end users, people of the account, whoever calls. */
  personal: readonly string[];
  /** Further columns of text: ids, hashes, names and words of ours. */
  plain: readonly string[];
  /** Rows of one end user: `$1` project, `$2` end user. Absent: the table holds nothing of one. */
  ofEndUser?: readonly string[];
  /** How rows of an end user go; default: they are deleted. "with sessions" and "by its own service" go elsewhere. */
  erasure?: { set: string } | "with sessions" | "by its own service";
  /** A further condition of erasing: what the row says is true as long as it does not hold. */
  erasedOnlyIf?: string;
  /** Columns that an export leaves out; absent: the table is not exported. */
  exportWithout?: readonly string[];
  /**
   * Rows of an account: `$1`. "with its parent" goes by foreign key; "nothing" holds nothing of accounts, or ids alone that
   * lead nowhere afterwards.
   */
  ofAccount: string | "with its parent" | "by its own service" | "nothing";
}

const SESSIONS = "(SELECT id FROM sessions WHERE project_id = $1 AND end_user_id = $2)";
const PROJECTS = "(SELECT id FROM projects WHERE account_id = $1)";
const OWN = "t.project_id = $1 AND t.end_user_id = $2";
const IN_SESSIONS = `t.session_id IN ${SESSIONS}`;
const IN_PROJECTS = `t.project_id IN ${PROJECTS}`;
const BY_ACCOUNT = "t.account_id = $1";

/** People who belong to this account alone. */
const LAST_PEOPLE = `u.id IN (SELECT m.user_id FROM members m WHERE m.account_id = $1) AND NOT u.is_staff
  AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.account_id <> $1)`;

/** In the order in which they are erased: what leads to other rows goes after them. */
export const PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: "idempotency_keys",
    personal: ["key", "response"],
    plain: ["project_id", "request_hash", "state", "owner"],
    ofEndUser: [
      `t.project_id = $1 AND t.owner IN (SELECT u.request_id FROM turns u WHERE u.session_id IN ${SESSIONS})`,
    ],
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
    ofEndUser: [OWN, IN_SESSIONS],
    erasure: {
      set: `path = split_part(endpoint, ' ', 2), ip = NULL, user_agent = NULL, end_user_id = NULL, summary = '{}',
            session_id = NULL, turn_id = NULL`,
    },
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
    exportWithout: [],
    ofAccount: "t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1)",
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
    exportWithout: ["account_id", "dedupe_key"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "stored_files",
    personal: ["name", "url", "end_user_id", "extraction", "transcript"],
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
  {
    table: "turn_parts",
    personal: ["covers", "content", "output"],
    plain: ["turn_id", "model"],
    ofEndUser: [`t.turn_id IN (SELECT u.id FROM turns u WHERE u.session_id IN ${SESSIONS})`],
    erasure: "with sessions",
    ofAccount: "with its parent",
  },
  {
    table: "turn_outputs",
    personal: ["order", "answer", "draft"],
    plain: ["turn_id", "job_id"],
    ofEndUser: [`t.turn_id IN (SELECT u.id FROM turns u WHERE u.session_id IN ${SESSIONS})`],
    erasure: "with sessions",
    ofAccount: "with its parent",
  },
  {
    table: "session_events",
    personal: ["data"],
    plain: ["session_id", "turn_id", "type"],
    ofEndUser: [IN_SESSIONS],
    erasure: "with sessions",
    exportWithout: [],
    ofAccount: "with its parent",
  },
  {
    table: "messages",
    personal: ["content"],
    plain: ["session_id", "turn_id", "role"],
    ofEndUser: [IN_SESSIONS],
    erasure: "with sessions",
    exportWithout: [],
    ofAccount: "with its parent",
  },
  {
    table: "turns",
    personal: ["end_user_id", "input", "file_content", "callback_url", "output", "error_message", "context"],
    plain: [
      "id",
      "session_id",
      "account_id",
      "project_id",
      "status",
      "endpoint",
      "request_id",
      "api_key_id",
      "template_id",
      "open_status",
      "model",
      "output_type",
      "output_file_id",
      "error_code",
    ],
    ofEndUser: [IN_SESSIONS],
    erasure: "with sessions",
    exportWithout: ["account_id", "api_key_id", "generation", "redispatches", "heartbeat_at"],
    ofAccount: "with its parent",
  },
  {
    table: "sessions",
    personal: ["end_user_id", "callback_url", "prompt", "last_output", "error_message"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "kind",
      "status",
      "template_id",
      "file_id",
      "output_type",
      "output_file_id",
      "error_code",
    ],
    ofEndUser: [OWN],
    erasure: "with sessions",
    exportWithout: ["account_id"],
    ofAccount: IN_PROJECTS,
  },
  {
    table: "memory_versions",
    personal: ["end_user_id", "content"],
    plain: ["project_id", "session_id", "turn_id"],
    ofEndUser: [OWN],
    exportWithout: [],
    ofAccount: IN_PROJECTS,
  },
  {
    table: "memory_profiles",
    personal: ["end_user_id", "content"],
    plain: ["project_id"],
    ofEndUser: [OWN],
    exportWithout: [],
    ofAccount: IN_PROJECTS,
  },
  {
    table: "ledger_entries",
    personal: ["end_user_id", "reason"],
    plain: ["id", "account_id", "project_id", "turn_id", "session_id", "kind", "endpoint", "created_by_id"],
    ofEndUser: [OWN],
    // Together with usage: the two are equal at any time.
    erasure: "by its own service",
    exportWithout: ["account_id", "balance_after"],
    ofAccount: "by its own service",
  },
  {
    table: "usage_days",
    personal: ["end_user_id"],
    plain: ["project_id", "endpoint", "account_id"],
    ofEndUser: [OWN],
    erasure: "by its own service",
    exportWithout: ["account_id"],
    ofAccount: BY_ACCOUNT,
  },
  // These two follow usage.
  {
    table: "usage_months",
    personal: ["end_user_id"],
    plain: ["project_id"],
    ofEndUser: [OWN],
    erasure: "by its own service",
    ofAccount: IN_PROJECTS,
  },
  { table: "usage_totals", personal: [], plain: ["project_id", "endpoint", "account_id"], ofAccount: BY_ACCOUNT },
  {
    table: "audit_log",
    personal: ["subject", "reason", "before", "after", "ip"],
    plain: ["id", "account_id", "actor_id", "actor_kind", "action"],
    ofEndUser: ["t.account_id = (SELECT p.account_id FROM projects p WHERE p.id = $1) AND t.subject = $2"],
    erasure: { set: "subject = '~erased', reason = NULL, before = NULL, after = NULL" },
    // Also what its people did outside of any account, such as signing in.
    ofAccount: `${BY_ACCOUNT} OR t.account_id IS NULL AND t.actor_id IN (SELECT u.id FROM users u WHERE ${LAST_PEOPLE})`,
  },
  {
    table: "data_requests",
    personal: ["subject"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "kind",
      "subject_digest",
      "state",
      "requested_by_id",
      "counts",
      "file_id",
    ],
    ofEndUser: ["t.project_id = $1 AND t.subject = $2"],
    // The receipt of the erasure itself says whom it is about until it is done.
    erasure: "by its own service",
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "account_exports",
    personal: [],
    plain: ["id", "account_id", "state", "requested_by_id", "counts", "file_id"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "end_users",
    personal: ["end_user_id"],
    plain: ["project_id"],
    ofEndUser: [OWN],
    erasedOnlyIf: `NOT EXISTS ${SESSIONS}`,
    exportWithout: [],
    ofAccount: "with its parent",
  },
  {
    table: "alerts",
    personal: ["message", "data"],
    plain: ["id", "account_id", "project_id", "kind", "subject_id"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "outbox_events",
    // Ids alone; an end user is a keyed digest there (digest-subject.ts), and so in what the queue keeps of it.
    personal: [],
    plain: ["id", "name", "data"],
    ofAccount: `t.data->>'accountId' = $1 OR split_part(t.data->>'endUser', '/', 1) IN ${PROJECTS}`,
  },
  { table: "mails", personal: ["sealed"], plain: ["id"], ofAccount: "nothing" },
  {
    table: "pending_uploads",
    personal: [],
    plain: ["storage_key", "store", "project_id"],
    ofAccount: "by its own service",
  },
  { table: "call_hours", personal: [], plain: ["project_id", "account_id"], ofAccount: BY_ACCOUNT },
  {
    table: "credit_requests",
    personal: ["reason", "decision_reason"],
    plain: ["id", "account_id", "state", "requested_by_id", "decided_by_id"],
    ofAccount: "with its parent",
  },
  { table: "session_counts", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "session_count_changes", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "usage_hours", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "end_user_counts", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "account_periods", personal: [], plain: ["account_id"], ofAccount: "with its parent" },
  {
    table: "verification_submissions",
    personal: ["company", "message", "field_messages"],
    plain: ["id", "account_id", "status", "submitted_by_id", "decided_by_id"],
    ofAccount: "with its parent",
  },
  {
    table: "invitations",
    personal: ["email"],
    plain: ["id", "account_id", "role", "token_hash", "invited_by_id"],
    ofAccount: "with its parent",
  },
  {
    table: "rate_limit_buckets",
    personal: [],
    plain: ["key_id"],
    ofAccount: "t.key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1)",
  },
  {
    table: "api_keys",
    personal: ["name", "last_used_ip"],
    plain: ["id", "account_id", "project_id", "key_hash", "hint", "permissions", "created_by_id", "replaced_by_id"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "templates",
    personal: ["name", "slug", "prompt_template", "variables", "description", "tags"],
    plain: ["id", "project_id"],
    ofAccount: "with its parent",
  },
  {
    table: "template_versions",
    personal: ["prompt_template", "variables"],
    plain: ["template_id", "created_by_id"],
    ofAccount: "with its parent",
  },
  {
    table: "knowledge_files",
    personal: ["path", "content"],
    plain: ["id", "project_id", "sha256"],
    ofAccount: "with its parent",
  },
  {
    table: "knowledge_file_versions",
    personal: ["content"],
    plain: ["file_id", "sha256", "created_by_id"],
    ofAccount: "with its parent",
  },
  {
    table: "knowledge_sections",
    personal: ["heading", "content", "search"],
    plain: ["file_id", "project_id"],
    ofAccount: "with its parent",
  },
  {
    table: "webhook_registrations",
    personal: ["url"],
    plain: ["id", "account_id", "project_id", "events", "status", "secret_encrypted", "previous_secret_encrypted"],
    ofAccount: BY_ACCOUNT,
  },
  // People go with their last account.
  {
    table: "users",
    personal: ["email", "name", "password_hash", "totp_secret_encrypted", "totp_pending_encrypted"],
    plain: ["id"],
    ofAccount: `t.id IN (SELECT u.id FROM users u WHERE ${LAST_PEOPLE})`,
  },
  {
    table: "user_sessions",
    personal: ["ip", "user_agent"],
    plain: ["id", "user_id", "token_hash"],
    ofAccount: "with its parent",
  },
  {
    table: "user_tokens",
    personal: ["email"],
    plain: ["token_hash", "user_id", "purpose"],
    ofAccount: "with its parent",
  },
  { table: "recovery_codes", personal: [], plain: ["user_id", "code_hash"], ofAccount: "with its parent" },
  { table: "user_identities", personal: ["subject"], plain: ["provider", "user_id"], ofAccount: "with its parent" },
  // Of whom it is, is kept as a hash for an hour.
  { table: "sign_in_attempts", personal: [], plain: ["subject"], ofAccount: "nothing" },
  { table: "members", personal: [], plain: ["account_id", "user_id", "role"], ofAccount: "with its parent" },
  {
    table: "projects",
    personal: ["name", "system_prompt"],
    plain: ["id", "account_id", "model", "callback_secret_encrypted", "previous_callback_secret_encrypted"],
    ofAccount: BY_ACCOUNT,
  },
  {
    table: "accounts",
    personal: ["company_name"],
    plain: ["id", "verification_status", "plan_id"],
    ofAccount: "t.id = $1",
  },
  // The queue: events hold ids, steps hold outcomes. What ended goes after a day.
  { table: "runner_functions", personal: [], plain: ["id", "app_id", "config"], ofAccount: "nothing" },
  { table: "runner_crons", personal: [], plain: ["function_id", "expression"], ofAccount: "nothing" },
  { table: "runner_events", personal: [], plain: ["id", "name", "payload"], ofAccount: "nothing" },
  {
    table: "runner_runs",
    personal: [],
    plain: ["id", "function_id", "event_id", "lane", "status", "output"],
    ofAccount: "nothing",
  },
  { table: "runner_steps", personal: [], plain: ["run_id", "step_id", "output"], ofAccount: "nothing" },
  {
    table: "runner_items",
    personal: [],
    plain: ["run_id", "step_id", "lane", "state", "runner_id"],
    ofAccount: "nothing",
  },
];
