/**
 * What an export of a whole account holds, table by table, and why of the others nothing. A test holds it against the
 * schema: a table that is not here fails, and so does a column that looks like a secret and is not left out.
 */

/** Which rows of a table, and what of them. Conditions are on the table as `t`; `$1` is the account. */
export interface AccountExportTable {
  table: string;
  where: string;
  /** Columns that are left out. */
  without: readonly string[];
  /** SQL of the row as JSON, where some of it belongs to others; absent: the whole row. */
  row?: string;
}

const BY_ACCOUNT = "t.account_id = $1";
const IN_PROJECTS = "t.project_id IN (SELECT id FROM projects WHERE account_id = $1)";
const OF_TEMPLATES =
  "t.template_id IN (SELECT e.id FROM templates e JOIN projects p ON p.id = e.project_id WHERE p.account_id = $1)";
const IN_SESSIONS = `t.session_id IN (SELECT s.id FROM sessions s JOIN projects p ON p.id = s.project_id WHERE p.account_id = $1)`;
const MEMBERS = "t.id IN (SELECT m.user_id FROM members m WHERE m.account_id = $1)";

/** In the order of the file: what is named by other rows comes before them. */
export const ACCOUNT_EXPORT: readonly AccountExportTable[] = [
  { table: "accounts", where: "t.id = $1", without: [] },
  {
    table: "projects",
    where: BY_ACCOUNT,
    without: ["callback_secret_encrypted", "previous_callback_secret_encrypted"],
  },
  // Who is in the team; how they sign in is their own.
  {
    table: "users",
    where: MEMBERS,
    without: [],
    row: "jsonb_build_object('id', t.id, 'email', t.email, 'name', t.name, 'created_at', t.created_at)",
  },
  { table: "members", where: BY_ACCOUNT, without: [] },
  { table: "invitations", where: BY_ACCOUNT, without: ["token_hash"] },
  { table: "verification_submissions", where: BY_ACCOUNT, without: ["decided_by_id"] },
  { table: "api_keys", where: BY_ACCOUNT, without: ["key_hash", "user_session_id"] },
  {
    table: "webhook_registrations",
    where: BY_ACCOUNT,
    without: ["secret_encrypted", "previous_secret_encrypted"],
  },
  { table: "templates", where: IN_PROJECTS, without: [] },
  { table: "template_versions", where: OF_TEMPLATES, without: [] },
  { table: "template_examples", where: OF_TEMPLATES, without: [] },
  { table: "knowledge_files", where: IN_PROJECTS, without: [] },
  {
    table: "knowledge_file_versions",
    where: `t.file_id IN (SELECT k.id FROM knowledge_files k JOIN projects p ON p.id = k.project_id WHERE p.account_id = $1)`,
    without: [],
  },
  { table: "end_users", where: IN_PROJECTS, without: [] },
  { table: "memory_profiles", where: IN_PROJECTS, without: [] },
  { table: "memory_versions", where: IN_PROJECTS, without: [] },
  { table: "sessions", where: IN_PROJECTS, without: [] },
  { table: "turns", where: BY_ACCOUNT, without: ["generation", "redispatches", "heartbeat_at"] },
  { table: "messages", where: IN_SESSIONS, without: [] },
  { table: "session_events", where: IN_SESSIONS, without: [] },
  // Not the exports: they are for the panel alone.
  {
    table: "stored_files",
    where: `${BY_ACCOUNT} AND t.purpose NOT IN ('export', 'account-export')`,
    without: ["store", "storage_key"],
  },
  { table: "webhook_deliveries", where: BY_ACCOUNT, without: ["dedupe_key"] },
  {
    table: "webhook_attempts",
    where: "t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1)",
    without: [],
  },
  // Not who of the staff granted something.
  { table: "ledger_entries", where: BY_ACCOUNT, without: ["created_by_id"] },
  { table: "account_requests", where: BY_ACCOUNT, without: ["answered_by_id"] },
  { table: "usage_days", where: BY_ACCOUNT, without: [] },
  { table: "usage_key_days", where: IN_PROJECTS, without: [] },
  { table: "account_periods", where: BY_ACCOUNT, without: [] },
  { table: "call_logs", where: BY_ACCOUNT, without: [] },
  { table: "call_hours", where: BY_ACCOUNT, without: [] },
  { table: "alerts", where: BY_ACCOUNT, without: [] },
  { table: "alert_chats", where: BY_ACCOUNT, without: ["address_encrypted"] },
  // As the account's own people see it: that staff did something, not which of them or from where.
  {
    table: "audit_log",
    where: BY_ACCOUNT,
    without: [],
    row: `to_jsonb(t) || CASE WHEN t.actor_kind = 'owner' THEN '{}' ELSE '{"actor_id": null, "ip": null}' END::jsonb`,
  },
  { table: "data_requests", where: BY_ACCOUNT, without: ["subject_digest"] },
  { table: "account_exports", where: BY_ACCOUNT, without: [] },
];

/** Tables of which an export of an account holds nothing, each with why. */
export const NOT_IN_ACCOUNT_EXPORT: Readonly<Record<string, string>> = {
  idempotency_keys: "answers kept for a day for calls that are sent again; the work itself is in turns",
  turn_parts: "drafts of work that is under way, or failed within the last day",
  turn_outputs: "drafts of work that is under way",
  usage_totals: "sums of usage_days",
  usage_months: "sums of usage_days",
  usage_hours: "sums of ledger_entries",
  session_counts: "how many sessions there are",
  session_count_changes: "how many sessions there are",
  end_user_counts: "how many end users there are",
  knowledge_sections: "made of knowledge_files, for searching",
  credit_requests: "staff's own; what comes of one is in ledger_entries",
  outbox_events: "ids of work that is under way",
  mails: "mails on their way",
  chat_messages: "messages of alerts on their way; what they tell of is in alerts",
  pending_uploads: "uploads that nothing uses yet",
  rate_limit_buckets: "the state of a counter",
  user_sessions: "a person's own, not their account's",
  user_tokens: "a person's own, not their account's",
  recovery_codes: "a person's own, not their account's",
  user_identities: "a person's own, not their account's",
  sign_in_attempts: "the state of a counter",
  runner_functions: "the queue",
  runner_crons: "the queue",
  runner_events: "the queue",
  runner_runs: "the queue",
  runner_steps: "the queue",
  runner_items: "the queue",
};
