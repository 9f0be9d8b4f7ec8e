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
  /**
   * A further condition of erasing: what the row says is true, or somebody's who came anew, as long as it does not hold.
   * `$3` is when the erasure began.
   */
  erasedOnlyIf?: string;
  /** Columns that an export leaves out; absent: the table is not exported. */
  exportWithout?: readonly string[];
  /**
   * Rows of an account: `$1`. "with its parent" goes by foreign key; "nothing" holds nothing of accounts, or ids alone that
   * lead nowhere afterwards. Several conditions are gone through one after the other.
   */
  ofAccount: string | readonly string[] | "with its parent" | "by its own service" | "nothing";
}

/** Conditions that several tables share: `$1` project, `$2` end user; of an account `$1` alone. */
export const SESSIONS = "(SELECT id FROM sessions WHERE project_id = $1 AND end_user_id = $2)";
export const PROJECTS = "(SELECT id FROM projects WHERE account_id = $1)";
/** Begun after the erasure (`$3`) did: of somebody who came anew. Their clock is the database's, as that of the erasure. */
export const NEWER_SESSIONS =
  "(SELECT id FROM sessions WHERE project_id = $1 AND end_user_id = $2 AND created_at > $3)";
/** Of an idempotency key as `t`: its call is in one of those. A key can be older than the session that its call began. */
export const KEEPS_ITS_KEY = `t.owner IN (SELECT u.request_id FROM turns u WHERE u.session_id IN ${NEWER_SESSIONS})`;
/** When somebody came anew: with their first session. Before it, and when nobody came, whatever is written is of the one who goes. */
export const CAME_ANEW_AT = `coalesce((SELECT min(created_at) FROM sessions
  WHERE project_id = $1 AND end_user_id = $2 AND created_at > $3), 'infinity')`;
/**
 * Each version of a profile is built on the one before, so a profile is a newcomer's whole or not at all: when its first
 * version is of after the erasure began, and learned from no session of before; or when it was emptied since.
 */
export const IS_NEW_PROFILE = `(EXISTS (SELECT FROM memory_versions v WHERE v.project_id = $1 AND v.end_user_id = $2
      AND v.version = 1 AND v.created_at >= ${CAME_ANEW_AT} AND (v.session_id IS NULL OR v.session_id IN ${NEWER_SESSIONS}))
    OR EXISTS (SELECT FROM memory_profiles m WHERE m.project_id = $1 AND m.end_user_id = $2 AND m.forgotten_at >= ${CAME_ANEW_AT}))`;
/** Whatever its time, a row goes with its session; only one that has none goes by its own time. */
export const BEFORE_ERASURE = `CASE WHEN t.session_id IS NULL THEN t.created_at < ${CAME_ANEW_AT} ELSE t.session_id NOT IN ${NEWER_SESSIONS} END`;
export const OWN = "t.project_id = $1 AND t.end_user_id = $2";
export const IN_SESSIONS = `t.session_id IN ${SESSIONS}`;
export const IN_PROJECTS = `t.project_id IN ${PROJECTS}`;
export const BY_ACCOUNT = "t.account_id = $1";
/**
 * For tables that grow and have no index by account: each batch would be looked for from the table's beginning. What is left, of
 * projects that are gone, is looked for like that once.
 */
export const BY_PROJECT_THEN_ACCOUNT = [IN_PROJECTS, BY_ACCOUNT] as const;

/**
 * Sessions of an end user as the log of calls knows them, also those that were deleted: of calls that named the end user and
 * were not refused, for a refused one may name another's session.
 */
export const LOGGED_SESSIONS = `(SELECT c.session_id FROM call_logs c
    WHERE c.project_id = $1 AND c.end_user_id = $2 AND c.status < 400 AND c.session_id IS NOT NULL
  UNION ALL SELECT jsonb_array_elements_text(c.summary->'sessionIds') FROM call_logs c
    WHERE c.project_id = $1 AND c.end_user_id = $2 AND c.status < 400 AND c.summary ? 'sessionIds')`;

/** People who belong to this account alone. */
export const LAST_PEOPLE = `u.id IN (SELECT m.user_id FROM members m WHERE m.account_id = $1) AND NOT u.is_staff
  AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.account_id <> $1)`;
