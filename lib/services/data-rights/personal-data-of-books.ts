import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import {
  BY_ACCOUNT,
  BY_PROJECT_THEN_ACCOUNT,
  CAME_ANEW_AT,
  IN_PROJECTS,
  LAST_PEOPLE,
  OWN,
  type PersonalTable,
  PROJECTS,
  SESSIONS,
} from "@/lib/services/data-rights/personal-table";

const OF_PROJECTS_ACCOUNT = "t.account_id = (SELECT p.account_id FROM projects p WHERE p.id = $1)";
const LAST_PEOPLES_IDS = `(SELECT u.id FROM users u WHERE ${LAST_PEOPLE})`;
/** Of what a list's filters let through: the end user is one of those. */
const IS_LIST_LINE = "(t.action LIKE 'csv.%' OR t.action = 'session.retry-failed')";

/** What is counted, charged and said about calls and people: ledger, usage, audit log, requests and alerts. */
export const DATA_OF_BOOKS: readonly PersonalTable[] = [
  {
    table: "ledger_entries",
    personal: ["end_user_id", "reason"],
    plain: ["id", "account_id", "project_id", "turn_id", "session_id", "kind", "endpoint", "created_by_id"],
    ofEndUser: [OWN],
    // Together with usage: the two are equal at any time.
    erasure: "by its own service",
    exportWithout: ["account_id", "balance_after"],
    ofAccount: BY_ACCOUNT,
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
  { table: "usage_key_days", personal: [], plain: ["project_id", "api_key_id"], ofAccount: IN_PROJECTS },
  {
    table: "audit_log",
    personal: ["subject", "reason", "before", "after", "ip"],
    plain: ["id", "account_id", "actor_id", "actor_kind", "action"],
    // By what was done: an end user can bear the id of a key, a person or the project, and their lines are of those.
    ofEndUser: [
      `${OF_PROJECTS_ACCOUNT} AND t.action LIKE 'memory.%' AND t.subject = $2`,
      `${OF_PROJECTS_ACCOUNT} AND ${IS_LIST_LINE} AND t.subject = $1 AND t.after->>'endUserId' = $2`,
    ],
    erasedOnlyIf: `t.created_at < ${CAME_ANEW_AT}`,
    // Who took a list away, or had it tried again, and by which other filters, stays.
    erasure: {
      set: `subject = CASE WHEN ${IS_LIST_LINE} THEN t.subject ELSE '${ERASED_END_USER}' END, reason = NULL, before = NULL,
        after = CASE WHEN ${IS_LIST_LINE} THEN jsonb_set(t.after, '{endUserId}', '"${ERASED_END_USER}"') END`,
    },
    // Also what its people did outside of any account, such as signing in, and what was done to them there.
    ofAccount: `${BY_ACCOUNT} OR t.account_id IS NULL AND (t.actor_id IN ${LAST_PEOPLES_IDS} OR t.subject IN ${LAST_PEOPLES_IDS})`,
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
    plain: ["id", "account_id", "state", "requested_by_id", "also_asked_by_ids", "counts", "file_id"],
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
    table: "alert_chats",
    personal: [],
    plain: ["account_id", "app", "host", "hint", "address_encrypted", "failure"],
    ofAccount: "with its parent",
  },
  { table: "chat_messages", personal: ["text"], plain: ["id", "account_id"], ofAccount: "with its parent" },
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
  { table: "call_hours", personal: [], plain: ["project_id", "account_id"], ofAccount: BY_PROJECT_THEN_ACCOUNT },
  {
    table: "credit_requests",
    personal: ["reason", "decision_reason"],
    plain: ["id", "account_id", "state", "requested_by_id", "decided_by_id", "account_request_id"],
    ofAccount: "with its parent",
  },
  {
    table: "account_requests",
    personal: ["note", "answer"],
    plain: ["id", "account_id", "kind", "plan_id", "state", "asked_by_id", "answered_by_id"],
    ofAccount: "with its parent",
  },
  { table: "session_counts", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "session_count_changes", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "usage_hours", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "end_user_counts", personal: [], plain: ["project_id"], ofAccount: "with its parent" },
  { table: "account_periods", personal: [], plain: ["account_id"], ofAccount: "with its parent" },
];
