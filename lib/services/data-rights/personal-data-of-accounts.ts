import { BY_ACCOUNT, LAST_PEOPLE, type PersonalTable } from "@/lib/services/data-rights/personal-table";

/** What an account is and has: its people, keys, templates and knowledge; last the queue. */
export const DATA_OF_ACCOUNTS: readonly PersonalTable[] = [
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
    personal: ["name", "last_used_ip", "allowed_networks"],
    plain: [
      "id",
      "account_id",
      "project_id",
      "key_hash",
      "hint",
      "permissions",
      "created_by_id",
      "user_session_id",
      "replaced_by_id",
    ],
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
    table: "template_examples",
    personal: ["name", "values", "message"],
    plain: ["id", "template_id", "created_by_id"],
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
  {
    table: "members",
    personal: [],
    plain: ["account_id", "user_id", "role", "alert_mails"],
    ofAccount: "with its parent",
  },
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
