import { type LimitAlertKind, MOST_USED_SHARE } from "@/lib/domain/alert-kinds";

/** A project or a key that nears, or has reached, the limit that its owner gave it. */
export interface LimitState {
  accountId: string;
  projectId: string;
  /** The project's name. */
  project: string;
  /** The key that has the limit; null: the project itself. */
  keyId: string | null;
  keyName: string | null;
  keyHint: string | null;
  kind: LimitAlertKind;
  /** Credits a month, and used of them. */
  allowed: number;
  used: number;
}

const MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

const OF_PROJECTS = `
  SELECT p.id AS project_id, NULL::text AS key_id, NULL::text AS key_name, NULL::text AS key_hint, p.credits_per_month AS allowed,
         (SELECT sum(u.credits) FROM usage_totals u WHERE u.project_id = p.id AND u.day >= ${MONTH}) AS used
  FROM projects p WHERE p.credits_per_month IS NOT NULL`;

/** Keys that still answer; each with those that it took over from. */
const OF_KEYS = `
  SELECT k.project_id, k.id, k.name, k.hint, k.credits_per_month,
         (SELECT sum(u.credits) FROM usage_key_days u
          WHERE u.project_id = k.project_id AND u.day >= ${MONTH} AND u.api_key_id IN (
            WITH RECURSIVE line AS (
              SELECT k.id AS id
              UNION SELECT o.id FROM line JOIN api_keys o ON o.project_id = k.project_id AND o.replaced_by_id = line.id
            )
            SELECT id FROM line))
  FROM api_keys k
  WHERE k.credits_per_month IS NOT NULL AND k.revoked_at IS NULL AND k.replaced_by_id IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())`;

/**
 * How limits stand at present by what finished work cost, whether or not anybody was told; suspended accounts can do nothing
 * about it. Columns as in `LimitState`, and `month`, the first day of the one that it is about.
 */
export const LIMIT_STATES = `
  SELECT p.account_id, p.id AS project_id, p.name AS project, l.key_id, l.key_name, l.key_hint, l.allowed, l.used,
         CASE WHEN l.used < l.allowed THEN 'limit.low' ELSE 'limit.out' END AS kind,
         ${MONTH}::timestamp AT TIME ZONE 'UTC' AS month
  FROM (${OF_PROJECTS} UNION ALL ${OF_KEYS}) l
  JOIN projects p ON p.id = l.project_id JOIN accounts a ON a.id = p.account_id
  WHERE l.used >= l.allowed * ${MOST_USED_SHARE} AND a.verification_status <> 'suspended'`;
