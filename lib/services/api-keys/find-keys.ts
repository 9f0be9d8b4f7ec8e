import { logDb } from "@/lib/db/pool";
import type { Permission } from "@/lib/domain/permissions";
import { PLAN_IDS, PLANS, SIGN_UP_PLAN } from "@/lib/domain/plans";
import type { RateLimitState } from "@/lib/domain/rate-limit";
import { handOut, TAKEN_TOKENS } from "@/lib/services/rate-limits/take-token";

/** A key with its account and project, as one group of calls asked for it. */
export interface KeyRow {
  id: string;
  account_id: string;
  project_id: string;
  permissions: Permission[];
  is_usable: boolean;
  /** Whether it may be used from where the call comes. */
  is_from_allowed: boolean;
  verification_status: string;
  plan_id: string;
  /** The account's own limit, or its plan's. */
  per_minute: number;
  api_enabled: boolean;
  model: string | null;
  project_credits: number | null;
  end_user_credits: number | null;
  call_credits: number | null;
  key_credits: number | null;
  /** The place of the group that asked, from 1. */
  n: number;
  /** Of the key's bucket; null where the call may not be made, or the key has no bucket yet. */
  before: number | null;
  granted: number | null;
}

/** A call that shows a key. */
export interface Caller {
  /** Of the key. */
  hash: Buffer;
  /** What the call needs; null where any key will do. */
  permission: Permission | null;
  /** Where the call comes from; null where that is not known. */
  ip: string | null;
}

export interface FoundKey {
  row: KeyRow;
  /** With the token that the call took; null where it may not be made, or where the key has no bucket yet. */
  rateLimit: RateLimitState | null;
}

/** Of a key `k`: neither revoked nor expired. */
export const IS_USABLE = "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())";
/** Of its account `a` and project `p`: what no permission changes. */
export const MAY_CALL = "a.verification_status = 'verified' AND p.api_enabled";

/** Of a key `k` and a call `c`: a key without networks may be used from anywhere. */
const IS_FROM_ALLOWED =
  "(cardinality(k.allowed_networks) = 0 OR coalesce(c.ip <<= ANY (k.allowed_networks::inet[]), false))";

/**
 * Which calls may be made is what lib/http/authorize.ts refuses the others for. Buckets are written without waiting for the
 * disk, for the reason that lib/services/rate-limits/take-token.ts gives.
 */
const FIND_KEYS = {
  name: "authenticate-keys",
  text: `
    WITH key AS MATERIALIZED (
      SELECT c.n, c.calls, k.id, k.account_id, k.project_id, k.permissions, a.verification_status, a.plan_id, p.api_enabled,
             p.model, p.credits_per_month AS project_credits, p.end_user_credits_per_month AS end_user_credits,
             k.credits_per_month AS key_credits, p.credits_per_call AS call_credits,
             ${IS_USABLE} AS is_usable, ${IS_FROM_ALLOWED} AS is_from_allowed,
             greatest(1, coalesce(a.rate_limit_per_minute, ($4::int[])[coalesce(array_position($5::text[], a.plan_id), 1)])) AS per_minute,
             ${MAY_CALL} AND ${IS_FROM_ALLOWED}
               AND (c.permission IS NULL OR c.permission = ANY (k.permissions)) AS is_allowed
        FROM unnest($1::bytea[], $2::text[], $3::int[], $6::inet[]) WITH ORDINALITY AS c (key_hash, permission, calls, ip, n)
        JOIN api_keys k ON k.key_hash = c.key_hash
        JOIN projects p ON p.id = k.project_id
        JOIN accounts a ON a.id = k.account_id
    ), wish AS (
      SELECT id AS key_id, max(per_minute) AS per_minute, sum(calls)::int AS wanted
        FROM key WHERE is_usable AND is_allowed GROUP BY id
    ), ${TAKEN_TOKENS}
    SELECT key.*, taken.before, taken.granted FROM key LEFT JOIN taken ON taken.key_id = key.id AND is_allowed`,
};

/** With the sign-up plan's limit first: what a plan that nobody knows gets. */
const PLANS_WITH_LIMIT = [SIGN_UP_PLAN, ...PLAN_IDS];
const LIMITS = PLANS_WITH_LIMIT.map((planId) => PLANS[planId].requestsPerMinute);

/**
 * Looks the calls' keys up and takes a token for each call that may be made, all in one statement.
 * @returns for each call its key; undefined for one that nobody has
 */
export async function findKeys(callers: Caller[]): Promise<(FoundKey | undefined)[]> {
  const names = callers.map(({ hash, permission, ip }) => `${hash.toString("base64")} ${permission} ${ip}`);
  const groups = new Map<string, Caller & { calls: number }>();
  for (const [index, caller] of callers.entries()) {
    const name = names[index] as string;
    groups.set(name, { ...caller, calls: (groups.get(name)?.calls ?? 0) + 1 });
  }
  const asked = [...groups.values()];
  const { rows } = await logDb().query<KeyRow>({
    ...FIND_KEYS,
    values: [
      asked.map(({ hash }) => hash),
      asked.map(({ permission }) => permission),
      asked.map(({ calls }) => calls),
      LIMITS,
      PLANS_WITH_LIMIT,
      asked.map(({ ip }) => ip),
    ],
  });
  const groupNames = [...groups.keys()];
  const found = new Map(rows.map((row) => [groupNames[row.n - 1], row]));
  // One for each key: calls that need different permissions take from the same bucket.
  const buckets = new Map(
    rows.flatMap((row) =>
      row.granted === null
        ? []
        : [[row.id, handOut({ limit: row.per_minute, before: row.before ?? 0, granted: row.granted })]],
    ),
  );
  return names.map((name) => {
    const row = found.get(name);
    return row && { row, rateLimit: row.granted === null ? null : (buckets.get(row.id)?.() ?? null) };
  });
}
