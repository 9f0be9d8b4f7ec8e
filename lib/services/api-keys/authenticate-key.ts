import { logDb } from "@/lib/db/pool";
import { hashApiKey, isApiKey } from "@/lib/domain/api-key";
import { AppError } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/permissions";
import { isPlanId, SIGN_UP_PLAN } from "@/lib/domain/plans";
import type { Principal, ProjectScope } from "@/lib/domain/principal";
import type { RateLimitState } from "@/lib/domain/rate-limit";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import { findKeys } from "@/lib/services/api-keys/find-keys";
import { together } from "@/lib/together";

/** A valid key and what decides whether it may call. */
export interface AuthenticatedKey {
  principal: KeyPrincipal;
  verificationStatus: string;
  /** Whether it may be used from where the call comes; not: 403. */
  isAddressAllowed: boolean;
  /** The project's setting; off: 403. */
  isApiEnabled: boolean;
  /** The account's own limit, or its plan's. */
  requestsPerMinute: number;
  /** With the token that this call took; null where the key may not make it, or has no bucket yet: `takeToken` makes one. */
  rateLimit: RateLimitState | null;
}

/** Whose key it is. */
export type KeyOwner = ProjectScope & { apiKeyId: string };

/** Who calls with a key. */
export type KeyPrincipal = Principal & KeyOwner;

const INVALID_KEY_MESSAGE =
  "The API key is not valid: it is malformed, unknown, revoked or expired. Check it, or create a new one in the panel.";

/** A key that is known but revoked or expired: to the client the same as any other invalid one. */
export class UnusableKeyError extends AppError {
  constructor(readonly owner: KeyOwner) {
    super("INVALID_API_KEY", INVALID_KEY_MESSAGE);
  }
}

const MAX_TOGETHER = 100;

/** What a call tells of itself. */
interface CallOptions {
  /** Where it comes from; null where that is not known. */
  ip?: string | null;
  /** What the key must be allowed; null where any key will do. */
  permission?: Permission | null;
}

/**
 * Who calls (§5), with a token of the key's bucket for a call that may be made. Asks the database at each call, so that
 * revoking takes effect at once in every process; a key whose form or checksum is wrong is refused without asking.
 * @throws AppError INVALID_API_KEY: malformed, unknown, revoked or expired, all with the same words; as an
 * `UnusableKeyError` when the key is known
 */
export async function authenticateKey(
  key: string,
  { ip = null, permission = null }: CallOptions = {},
): Promise<AuthenticatedKey> {
  if (!isApiKey(key)) throw invalidKey();
  // Keys that come while others are being looked up share the next look-up: it begins after each of them came.
  const find = processSingleton("authenticate-together", () => together({ work: findKeys, max: MAX_TOGETHER }));
  const found = await find({ hash: hashApiKey(key), permission, ip });
  if (!found) throw invalidKey();
  const { row, rateLimit } = found;
  const owner: KeyOwner = { accountId: row.account_id, projectId: row.project_id, apiKeyId: row.id };
  if (!row.is_usable) throw new UnusableKeyError(owner);
  // Where its last use was is what its owners know to be theirs.
  if (row.is_from_allowed) noteUse(row.id, ip, performance.now());
  return {
    principal: {
      ...owner,
      permissions: row.permissions,
      planId: isPlanId(row.plan_id) ? row.plan_id : SIGN_UP_PLAN,
      model: row.model,
      allowances: {
        project: row.project_credits,
        endUser: row.end_user_credits,
        key: row.key_credits,
        call: row.call_credits,
      },
    },
    verificationStatus: row.verification_status,
    isAddressAllowed: row.is_from_allowed,
    isApiEnabled: row.api_enabled,
    requestsPerMinute: row.per_minute,
    rateLimit,
  };
}

const USE_INTERVAL_MS = 60_000;
const MAX_REMEMBERED_KEYS = 10_000;

const lastNotedAt = processSingleton("key-use-noted", () => new Map<string, number>());

/** Keeps the key's last use, at most once a minute and beside the call: a call never waits for it nor fails by it. */
function noteUse(keyId: string, ip: string | null, now: number): void {
  if (now - (lastNotedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_INTERVAL_MS) return;
  if (lastNotedAt.size >= MAX_REMEMBERED_KEYS) lastNotedAt.clear();
  lastNotedAt.set(keyId, now);
  logDb()
    .query({
      name: "note-key-use",
      text: `UPDATE api_keys SET last_used_at = now(), last_used_ip = coalesce($2, last_used_ip) WHERE id = $1`,
      values: [keyId, ip],
    })
    .catch((error: unknown) => {
      lastNotedAt.delete(keyId);
      log("warn", "The last use of a key was not kept.", { apiKeyId: keyId }, error);
    });
}

function invalidKey(): AppError {
  return new AppError("INVALID_API_KEY", INVALID_KEY_MESSAGE);
}
